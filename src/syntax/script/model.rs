//! A script as it is read: its steps with their actions, and its tests.

use super::edits::Edit;
use super::placed::Placed;
use crate::edit::Template;
use crate::language::Language;
use crate::selector::{Definitions, Selector};
use crate::text::{Span, Text};

/// A refactor script.
#[derive(Debug, Clone)]
pub struct Script {
    /// The name.
    pub name: String,
    /// A description of its purpose.
    pub description: Option<String>,
    /// The languages of the files that it changes; any language if empty.
    pub languages: Vec<&'static Language>,
    /// Globs of the files that it changes in a folder; all if empty.
    pub files: Vec<String>,
    /// The steps in order; at least one.
    pub steps: Vec<Step>,
    /// The tests.
    pub tests: Vec<Test>,
    /// Its named selectors, with their places.
    pub(super) definitions: Vec<Placed<Definitions>>,
}

/// A step: a selector, and an action.
#[derive(Debug, Clone)]
pub struct Step {
    /// What it changes; a refactor names that itself.
    pub(super) select: Option<Placed<Selector>>,
    /// A selector that must match something; otherwise the step is skipped.
    pub(super) when: Option<Placed<Selector>>,
    pub(super) action: Action,
    /// The number of matches that there must be, in all files of a run together.
    pub expect: Option<usize>,
    /// Whether the step is repeated until nothing changes.
    pub(super) repeats: bool,
    /// The start of the step.
    pub(super) span: Span,
}

impl Step {
    /// The refactor that it is, if it is one.
    pub fn refactor(&self) -> Option<&RefactorStep> {
        match &self.action {
            Action::Refactor(refactor) => Some(&refactor.value),
            _ => None,
        }
    }

    /// The line of the script at which the step begins.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

/// The action of a step.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// The matches are rewritten.
    Replace(Placed<Template>),
    /// Operations are made for each match.
    Edits(Vec<Edit>),
    /// A definition changes with all that refers to it, in all files: the parameters of the refactor.
    Refactor(Placed<RefactorStep>),
}

/// The parameters of a refactor.
pub type RefactorStep = serde_json::Map<String, serde_json::Value>;

/// A text, and the expected result of the script.
#[derive(Debug, Clone)]
pub struct Test {
    /// The name, unique in the script.
    pub name: String,
    /// The text before.
    pub before: String,
    /// The text after; without it, a snapshot has the text.
    pub after: Option<String>,
    /// Whether nothing should change.
    pub unchanged: bool,
    /// Whether a second run must change nothing.
    pub idempotent: bool,
    /// The language of the text.
    pub language: &'static Language,
    /// The path of the file that the text would have.
    pub path: Option<String>,
    /// The start of the test.
    pub(super) span: Span,
}

impl Test {
    /// The line of the script at which the test begins.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

fn line(span: Span, source: &str) -> usize {
    let text = Text::new(source);
    text.line_at(span.start().min(text.len()))
}
