//! A rule as it is read.

use super::ast_grep::Config;
use super::severity::Severity;
use crate::edit::Template;
use crate::language::Language;
use crate::script::{Action, Placed};
use crate::selector::{Definitions, Selector};
use crate::text::{Span, Text};

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name, unique in its file.
    pub id: String,
    /// The languages that it is for; if empty, each in which the words of its selector exist.
    pub languages: Vec<&'static Language>,
    /// How bad a finding is.
    pub severity: Severity,
    /// The sentence about a finding, as written: `$NAME` is replaced by what was captured.
    pub message: String,
    /// A longer text about the rule, in Markdown.
    pub note: Option<String>,
    /// Where more is written about it.
    pub url: Option<String>,
    /// Globs of the files that it looks at in a folder; all if empty.
    pub files: Vec<String>,
    /// Globs of the files that it leaves out.
    pub ignore: Vec<String>,
    /// Whether its fix never changes what a program does.
    pub is_safe: bool,
    /// Its tests.
    pub tests: Vec<RuleTest>,
    pub(super) finder: Finder,
    /// Selectors that must, or must not, match something in the same file.
    pub(super) around: Vec<Around>,
    pub(super) fix: Option<Action>,
    /// Its named selectors, and those of its file.
    pub(super) definitions: Vec<Placed<Definitions>>,
    pub(super) template: Placed<Template>,
    pub(super) span: Span,
}

/// The search for the nodes that a rule is about.
#[derive(Debug, Clone)]
pub(super) enum Finder {
    /// A selector.
    Selector(Placed<Selector>),
    /// A query of tree-sitter.
    TreeSitter(Placed<String>),
    /// A rule of ast-grep.
    AstGrep(Box<Config>),
}

/// A selector that must match something in the file of a finding.
#[derive(Debug, Clone)]
pub(super) struct Around {
    pub selector: Placed<Selector>,
    /// Whether it must match nothing instead.
    pub is_negated: bool,
}

impl Rule {
    /// Whether it has a fix.
    pub fn has_fix(&self) -> bool {
        match &self.finder {
            Finder::Selector(_) | Finder::TreeSitter(_) => self.fix.is_some(),
            Finder::AstGrep(config) => config.fix.is_some(),
        }
    }

    /// The line of its file at which it begins, from 1.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

/// A text, and what the rule finds in it.
#[derive(Debug, Clone)]
pub struct RuleTest {
    /// The name; its number if it has none.
    pub name: String,
    /// The text.
    pub code: String,
    /// Where findings start, as `line:column` from 1; without it, a snapshot has the places.
    pub finds: Option<Vec<String>>,
    /// The text with all fixes applied.
    pub after: Option<String>,
    /// The language of the text.
    pub language: &'static Language,
    /// The path of the file that the text would have.
    pub path: Option<String>,
    pub(super) span: Span,
}

impl RuleTest {
    /// The line of the file at which the test begins, from 1.
    pub fn line(&self, source: &str) -> usize {
        line(self.span, source)
    }
}

fn line(span: Span, source: &str) -> usize {
    let text = Text::new(source);
    text.line_at(span.start().min(text.len()))
}
