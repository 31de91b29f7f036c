//! Refactor scripts: steps that each find nodes and change them, and tests that show what the script does.
//!
//! A [`Script`] is read from TOML. Its [`Plan`] for a language has resolved selectors and checked templates, so that errors
//! in a script are reported before any file is touched. [`Plan::run`] takes a tree to the tree after all steps, each applied
//! to the result of the one before. It is a function of the tree alone. A [`Test`] is a text before and after.
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
//! This module knows nothing about files and sessions.

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

pub(crate) use edits::{Edit, check_template, names, template};
pub use error::{Problem, ScriptError};
pub(crate) use keys::{Keys, parse_table};
pub(crate) use model::Action;
pub use model::{RefactorStep, Script, Step, Test};
pub(crate) use placed::Placed;
pub use plan::{Plan, check_words};
pub(crate) use read::{TestLanguages, definitions, language_of_test, languages_of, selector};
pub(crate) use run::act;
pub use run::{Cause, Count, Ran, RunError};
pub use snapshot::Snapshot;
pub use test::{Complaint, Expected, Verdict};
