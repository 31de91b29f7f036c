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
mod plan;
mod read;
mod run;
mod snapshot;
mod test;

pub use error::{Problem, ScriptError};
pub use plan::{Plan, check_words};
pub use run::{Cause, Count, Ran, RunError};
pub use snapshot::Snapshot;
pub use test::{Complaint, Expected, Verdict};

use crate::edit::Template;
use crate::language::Language;
use crate::selector::{Definitions, Selector};
use crate::text::{Span, Text};
use edits::Edit;

/// A refactor script, read.
#[derive(Debug, Clone)]
pub struct Script {
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The languages whose files it changes; of any language where there are none.
    pub languages: Vec<&'static Language>,
    /// Globs of the files of a folder that it changes; all where there are none.
    pub files: Vec<String>,
    /// What it does, in order; at least one.
    pub steps: Vec<Step>,
    /// What shows that it does it.
    pub tests: Vec<Test>,
    /// Its named selectors, with their place.
    definitions: Vec<Placed<Definitions>>,
}

/// A step: what it finds, and what happens to that.
#[derive(Debug, Clone)]
pub struct Step {
    select: Placed<Selector>,
    /// A selector that must find something, or else the step does nothing.
    when: Option<Placed<Selector>>,
    action: Action,
    /// How many matches there must be, in all files of a run together.
    pub expect: Option<usize>,
    /// Whether it is repeated until nothing changes any more.
    repeats: bool,
    /// Where the step begins.
    span: Span,
}

impl Step {
    /// The line of the script in which it begins.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

/// What happens to the matches of a step.
#[derive(Debug, Clone)]
enum Action {
    /// They are rewritten.
    Replace(Placed<Template>),
    /// Operations are made for each.
    Edits(Vec<Edit>),
}

/// A text before the script, and what is expected after it.
#[derive(Debug, Clone)]
pub struct Test {
    /// What it shows; no other test of the script is called so.
    pub name: String,
    /// The text before.
    pub before: String,
    /// The text after; a snapshot has it where it isn't given.
    pub after: Option<String>,
    /// Whether nothing is to change.
    pub unchanged: bool,
    /// Whether a second run must change nothing.
    pub idempotent: bool,
    /// The language of the text.
    pub language: &'static Language,
    /// The path of the file that the text stands for.
    pub path: Option<String>,
    /// Where the test begins.
    span: Span,
}

impl Test {
    /// The line of the script in which it begins.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

fn line(span: Span, source: &str) -> usize {
    let text = Text::new(source);
    text.line_at(span.start().min(text.len()))
}

/// Something of a script, with its place.
#[derive(Debug, Clone)]
struct Placed<T> {
    value: T,
    /// Where it stands in the script: between its quotes.
    span: Span,
}
