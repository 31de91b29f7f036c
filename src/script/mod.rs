//! Refactor scripts: steps that each find nodes and change them, and tests that show what the script does.
//!
//! A [`Script`] is read from TOML. Its [`Plan`] for a language has every selector resolved and every template looked at, so that
//! what is wrong with a script is said before any file is touched. [`Plan::run`] takes a tree to the tree that all the steps
//! leave, each working on what the one before left; it is a function of the tree alone. A [`Test`] is a text before and after.
//!
//! ```
//! use cst::language::Language;
//! use cst::script::Script;
//! use cst::selector::Definitions;
//! use cst::text::Text;
//! use cst::tree::{ParseLimits, Tree};
//!
//! let script = Script::read(r#"
//! name = "no-print"
//! language = "python"
//!
//! [[step]]
//! select = "call#print"
//! delete = true
//! "#)?;
//! let python = Language::named("python")?;
//! let tree = Tree::parse(Text::new("a = 1\nprint(a)\n"), python, &ParseLimits::default())?;
//! let ran = script.plan(python, &Definitions::default())?.run(&tree, &ParseLimits::default())?;
//! assert_eq!(ran.tree.text().to_string(), "a = 1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This module knows nothing of files and sessions.

mod edits;
mod error;
mod keys;
mod model;
mod placed;
mod plan;
mod read;
mod run;
mod schema;
mod snapshot;
mod test;

pub use error::{Problem, ScriptError};
pub use model::{Script, Step, Test};
pub use plan::{Plan, check_words};
pub use run::{Cause, Count, Ran, RunError};
pub use snapshot::Snapshot;
pub use test::{Complaint, Expected, Verdict};
