//! Shows a text beside what a selector finds: its highlighting, its syntax errors, and the node at a place with selectors that find it.
//!
//! ```
//! use cst::inspect::{Place, inspect};
//!
//! let tree = cst::parse("def get(x):\n    return x\n", "python")?;
//! let found = inspect(&tree, &Place::at(1, 5)).expect("the text has that place");
//! assert!(found.kinds.contains(&"name"));
//! assert!(found.proposals.iter().any(|proposed| proposed.matches == 1));
//! # Ok::<(), cst::Error>(())
//! ```

mod highlight;
mod node;
mod shown_error;

pub use highlight::{CLASSES, highlight};
pub use node::{Inspected, InspectedNode, Place, ProposedSelector, inspect};
pub use shown_error::{ShownError, shown_errors};
