//! A script as it is read: its steps, what each does, and its tests.

use super::edits::Edit;
use super::placed::Placed;
use crate::edit::Template;
use crate::language::Language;
use crate::selector::{Definitions, Selector};
use crate::text::{Span, Text};

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
    pub(super) definitions: Vec<Placed<Definitions>>,
}

/// A step: what it finds, and what happens to that.
#[derive(Debug, Clone)]
pub struct Step {
    pub(super) select: Placed<Selector>,
    /// A selector that must find something, or else the step does nothing.
    pub(super) when: Option<Placed<Selector>>,
    pub(super) action: Action,
    /// How many matches there must be, in all files of a run together.
    pub expect: Option<usize>,
    /// Whether it is repeated until nothing changes any more.
    pub(super) repeats: bool,
    /// Where the step begins.
    pub(super) span: Span,
}

impl Step {
    /// The line of the script in which it begins.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

/// What happens to the matches of a step.
#[derive(Debug, Clone)]
pub(super) enum Action {
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
    pub(super) span: Span,
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
