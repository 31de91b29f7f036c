//! Rules: code that a project does not want, with what to say of it and, for some, how to mend it.
//!
//! A [`Rule`] is read from TOML ([`read_rules`]). Its [`RulePlan`] for a language has a resolved selector. [`RulePlan::find`] is
//! a function of a tree alone; comments in the tree that silence findings are its [`Ignores`].
//!
//! ```
//! use cst::language::{Language, Languages};
//! use cst::rule::{Evaluation, read_rules};
//! use cst::selector::Definitions;
//! use cst::text::Text;
//! use cst::tree::{ParseLimits, Tree};
//!
//! let read = read_rules(r#"
//! [[rule]]
//! id = "no-print"
//! languages = ["python"]
//! message = "`$0` prints"
//! select = "call#print"
//! "#, Languages::built_in())?;
//! let python = Language::named("python")?;
//! let plan = read.rules[0].plan(python, &Definitions::default())?.expect("the rule is for Python");
//! let tree = Tree::parse(Text::new("print(1)\n"), python, &ParseLimits::default())?;
//! let found = plan.find(&Evaluation::new(&tree))?;
//! assert_eq!(plan.message(&tree, &found[0]), "`print(1)` prints");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This module knows nothing about files.

pub mod ast_grep;
mod by_query;
mod foreign;
mod ignores;
mod model;
mod plan;
mod read;
mod severity;
mod test;

pub use crate::selector::Evaluation;
pub use ignores::{Ignore, Ignores};
pub use model::{Rule, RuleTest};
pub use plan::{FixError, Mended, RulePlan};
pub use read::{ReadRules, read_rules};
pub use severity::Severity;
pub use test::{RuleComplaint, RuleVerdict};
