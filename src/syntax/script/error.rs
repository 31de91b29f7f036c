//! Errors in scripts, and their places.

use super::schema::ACTIONS;
use crate::edit::{FILTERS, OperationKind, TemplateError};
use crate::language::LanguageError;
use crate::selector::SelectorError;
use crate::text::{Span, Text};

/// An error in a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ScriptError {
    /// The problem.
    pub problem: Box<Problem>,
    /// The place, in bytes of the script.
    pub span: Span,
    /// The step, from 1.
    pub step: Option<usize>,
}

/// A problem in a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Invalid TOML.
    #[error("{message}")]
    Toml {
        /// The message.
        message: String,
    },
    /// An unknown key.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// The captures of the selector.
        known: Vec<&'static str>,
    },
    /// A rule's name is not one.
    #[error("`{id}` is not a name for a rule")]
    NoId {
        /// The name, as written.
        id: String,
    },
    /// A rule in the form of another tool.
    #[error("{message}")]
    OtherForm {
        /// The message.
        message: String,
        /// The line, from 1.
        line: usize,
        /// How to mend it.
        hint: Option<String>,
    },
    /// A required key is missing.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: &'static str,
        /// An example of what to write.
        example: &'static str,
    },
    /// A value has the wrong type.
    #[error("`{key}` must be {wanted}")]
    Kind {
        /// The key.
        key: String,
        /// The required type.
        wanted: &'static str,
    },
    /// Two keys exclude each other.
    #[error("`{first}` and `{second}` exclude each other")]
    Both {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// The script has no steps.
    #[error("the script has no step")]
    NoStep,
    /// The step has no action.
    #[error("the step has no action")]
    NoAction,
    /// A value is not one of the known words.
    #[error("unknown {what} `{word}`")]
    UnknownWord {
        /// What the word should be.
        what: &'static str,
        /// The value.
        word: String,
        /// The known words.
        known: Vec<&'static str>,
    },
    /// An invalid target of an operation.
    #[error("`{target}` is not a target")]
    NoTarget {
        /// The target as written.
        target: String,
    },
    /// The selector has no capture with that name.
    #[error("the selector captures no `{name}`")]
    NoCapture {
        /// The name.
        name: String,
        /// The captures of the selector.
        known: Vec<String>,
    },
    /// No node of the language has that field.
    #[error("no node has a field `{field}` in {language}")]
    NoField {
        /// The language.
        language: String,
        /// The field.
        field: String,
    },
    /// A value must not be empty.
    #[error("`{key}` is empty")]
    Empty {
        /// Its key.
        key: String,
    },
    /// The code for `wrap` has no placeholder for the node.
    #[error("the code to wrap with has no `$0`")]
    NoPlaceholder,
    /// Two tests, or two rules, have the same name.
    #[error("two {kind}s are called `{name}`")]
    SameName {
        /// The kind of thing: `test` or `rule`.
        kind: &'static str,
        /// Their name.
        name: String,
    },
    /// The language of the test is not one of the script's.
    #[error("the test is in {language}, which is not a language of the script")]
    Foreign {
        /// The test's language.
        language: String,
        /// The languages of the script.
        known: Vec<String>,
    },
    /// An unknown or unusable language.
    #[error("{0}")]
    Language(LanguageError),
    /// A selector.
    #[error("{}", .0.message)]
    Selector(SelectorError),
    /// A template.
    #[error("{0}")]
    Template(TemplateError),
}

impl ScriptError {
    pub(crate) fn new(problem: Problem, span: Span, step: Option<usize>) -> ScriptError {
        ScriptError { problem: Box::new(problem), span, step }
    }

    /// The line of the error, from 1; for a selector over several lines, the line inside it.
    pub fn line(&self, source: &str) -> usize {
        if let Problem::OtherForm { line, .. } = &*self.problem {
            return *line;
        }
        let text = Text::new(source);
        let line = text.line_at(self.span.start().min(text.len()));
        let written = source.get(self.span.start()..self.span.end()).unwrap_or_default();
        match &*self.problem {
            Problem::Selector(error) if written.contains('\n') => {
                let before = error.selector.get(..error.span.start()).unwrap_or_default();
                // A line end right after the quotes is not part of the text.
                let skipped = usize::from(written.trim_start_matches(['\'', '"']).starts_with('\n'));
                line + skipped + before.matches('\n').count()
            }
            _ => line,
        }
    }

    /// The line of the error, with carets under the place; `None` for a selector, whose error shows its own line.
    pub fn excerpt(&self, source: &str) -> Option<String> {
        if matches!(*self.problem, Problem::Selector(_) | Problem::OtherForm { .. }) {
            return None;
        }
        let start = self.span.start().min(source.len());
        let from = source.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let line = source[from..].lines().next().unwrap_or_default();
        let end = self.span.end().clamp(start, from + line.len().max(start - from));
        let width = source.get(start..end).unwrap_or_default().chars().count().max(1);
        let blank = |letter: char| if letter == '\t' { '\t' } else { ' ' };
        let space: String = source[from..start].chars().map(blank).collect();
        Some(format!("{line}\n{space}{}", "^".repeat(width)))
    }

    /// How to fix it.
    pub fn hint(&self) -> Option<String> {
        let listed = |words: &[&str]| format!("`{}`", words.join("`, `"));
        Some(match &*self.problem {
            Problem::UnknownKey { key, known } => suggestion(key, known),
            Problem::UnknownWord { word, known, .. } => suggestion(word, known),
            Problem::Missing { example, .. } => format!("write `{example}`"),
            Problem::OtherForm { hint, .. } => return hint.clone(),
            Problem::NoId { .. } => "write words with `-` between them: `no-print`".to_owned(),
            Problem::NoAction => format!("give one of {}", listed(&ACTIONS)),
            Problem::NoStep => "add `[[step]]` with `select` and an action".to_owned(),
            Problem::NoTarget { .. } => "write `@name` for a capture, or `@name.field`".to_owned(),
            Problem::NoCapture { known, .. } | Problem::Template(TemplateError::UnknownCapture { known, .. }) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                match known.as_slice() {
                    [] => "it captures nothing: write `@name` after a step".to_owned(),
                    known => format!("it captures {}", listed(known)),
                }
            }
            Problem::Foreign { known, .. } => format!("it is for {}", known.join(", ")),
            Problem::NoPlaceholder => "write `$0` where the node goes".to_owned(),
            Problem::Template(TemplateError::UnknownFilter { filter }) => suggestion(filter, &FILTERS),
            Problem::Language(LanguageError::Unknown { nearest: Some(name), .. }) => format!("did you mean `{name}`?"),
            Problem::Selector(error) => return error.hint.clone(),
            _ => return None,
        })
    }
}

/// A suggestion: what the word is called here, the most similar known word, or all known words.
fn suggestion(word: &str, known: &[&'static str]) -> String {
    let called = OperationKind::called_elsewhere(word).map(OperationKind::as_str);
    match called.filter(|called| known.contains(called)).or_else(|| nearest(word, known)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("one of `{}`", known.join("`, `")),
    }
}

/// The most similar known word, if any is similar.
fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    const ALIKE: f64 = 0.75;
    let likeness = |known: &&'static str| strsim::jaro_winkler(known, word);
    let best = known.iter().copied().max_by(|first, second| likeness(first).total_cmp(&likeness(second)))?;
    (likeness(&best) > ALIKE).then_some(best)
}
