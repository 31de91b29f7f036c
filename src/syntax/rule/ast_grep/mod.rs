//! Rules of ast-grep, read from its YAML as they are.
//!
//! The words of a rule are looked up in its language (`ReadyAstGrep`), and it is evaluated over the flat table of a tree. Patterns
//! mean here what they mean in ast-grep: nodes from left to right, metavariables bound by the first that fits. Selectors know nothing
//! about them.

mod bindings;
mod case;
mod check;
mod circles;
mod compile;
mod condition;
mod convert;
mod document;
mod error;
mod evaluate;
mod fields;
mod indent;
mod kind_names;
mod kinds;
mod local;
mod matching;
mod model;
mod pattern;
mod position;
mod read;
mod reading;
mod ready;
mod regex;
mod template;
mod texts;
mod transform;
mod types;
mod yaml;

pub use convert::{ConvertedRule, LostPart};
pub use document::{
    AstGrepFile, AstGrepProject, AstGrepRule, AstGrepTest, AstGrepUtilities, LanguageGlob, SnapshotPlaces, is_ast_grep,
    is_ast_grep_test, read_ast_grep, read_ast_grep_project, read_ast_grep_snapshot, read_ast_grep_tests,
};
pub use error::{AstGrepError, Place};
pub(in crate::rule) use model::Config;
pub use model::FileGlob;
pub use reading::read_as_ast_grep;
pub(in crate::rule) use ready::{ReadyAstGrep, TooLong};
