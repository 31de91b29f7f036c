//! What can be wrong with a script, and where.

use super::schema::ACTIONS;
use crate::edit::{FILTERS, TemplateError};
use crate::language::LanguageError;
use crate::selector::SelectorError;
use crate::text::{Span, Text};

/// Something wrong in a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ScriptError {
    /// What.
    pub problem: Box<Problem>,
    /// Where, in bytes of the script.
    pub span: Span,
    /// In which step, from 1.
    pub step: Option<usize>,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is no TOML.
    #[error("{message}")]
    Toml {
        /// In words.
        message: String,
    },
    /// A key that there isn't.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A key that must be there.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: &'static str,
        /// What to write.
        example: &'static str,
    },
    /// A value of another kind than the key's.
    #[error("`{key}` is {wanted}")]
    Kind {
        /// The key.
        key: String,
        /// What its value is.
        wanted: &'static str,
    },
    /// Two keys that say different things.
    #[error("`{first}` and `{second}` exclude each other")]
    Both {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// A script without steps.
    #[error("the script has no step")]
    NoStep,
    /// A step that says nothing of what is to be done.
    #[error("the step does nothing with what it selects")]
    NoAction,
    /// A value that isn't one of those that there are.
    #[error("unknown {what} `{word}`")]
    UnknownWord {
        /// What it should be.
        what: &'static str,
        /// The value.
        word: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A target of an operation that is none.
    #[error("`{target}` is not a target")]
    NoTarget {
        /// The target as written.
        target: String,
    },
    /// Nothing of that name is captured.
    #[error("the selector captures no `{name}`")]
    NoCapture {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A field that no node of the language has.
    #[error("no node has a field `{field}` in {language}")]
    NoField {
        /// The language.
        language: String,
        /// The field.
        field: String,
    },
    /// Something that must not be empty.
    #[error("`{key}` is empty")]
    Empty {
        /// Its key.
        key: String,
    },
    /// The code to put around something doesn't say where that goes.
    #[error("the code to wrap with has no `$0`")]
    NoPlaceholder,
    /// Tests that can't be told apart.
    #[error("two tests are called `{name}`")]
    SameName {
        /// Their name.
        name: String,
    },
    /// A test in a language that the script isn't for.
    #[error("the test is in {language}, and the script isn't for that")]
    Foreign {
        /// The test's language.
        language: String,
        /// Those of the script.
        known: Vec<String>,
    },
    /// A language that isn't known or can't be used.
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
    pub(super) fn new(problem: Problem, span: Span, step: Option<usize>) -> ScriptError {
        ScriptError { problem: Box::new(problem), span, step }
    }

    /// The line it speaks of, from 1; of a selector over several lines, the line in it.
    pub fn line(&self, source: &str) -> usize {
        let text = Text::new(source);
        let line = text.line_at(self.span.start().min(text.len()));
        let written = source.get(self.span.start()..self.span.end()).unwrap_or_default();
        match &*self.problem {
            Problem::Selector(error) if written.contains('\n') => {
                let before = error.selector.get(..error.span.start()).unwrap_or_default();
                line + before.matches('\n').count()
            }
            _ => line,
        }
    }

    /// The line in which it is, and carets under the place; nothing for a selector's, which shows itself.
    pub fn excerpt(&self, source: &str) -> Option<String> {
        if matches!(*self.problem, Problem::Selector(_)) {
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

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let listed = |words: &[&str]| format!("`{}`", words.join("`, `"));
        Some(match &*self.problem {
            Problem::UnknownKey { key, known } => suggested(key, known),
            Problem::UnknownWord { word, known, .. } => suggested(word, known),
            Problem::Missing { example, .. } => format!("write `{example}`"),
            Problem::NoAction => format!("give one of {}", listed(&ACTIONS)),
            Problem::NoStep => "a step begins with `[[step]]` and has `select` and what to do".to_owned(),
            Problem::NoTarget { .. } => "write `@name` for a capture, or `@name.field`".to_owned(),
            Problem::NoCapture { known, .. } | Problem::Template(TemplateError::UnknownCapture { known, .. }) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                match known.as_slice() {
                    [] => "it captures nothing: write `@name` behind a step of it".to_owned(),
                    known => format!("it captures {}", listed(known)),
                }
            }
            Problem::Foreign { known, .. } => format!("it is for {}", known.join(", ")),
            Problem::NoPlaceholder => "write `$0` where the node goes".to_owned(),
            Problem::Template(TemplateError::UnknownFilter { filter }) => suggested(filter, &FILTERS),
            Problem::Language(LanguageError::Unknown { nearest: Some(name), .. }) => format!("did you mean `{name}`?"),
            Problem::Selector(error) => return error.hint.clone(),
            _ => return None,
        })
    }
}

/// The known word that may have been meant, or all of them.
fn suggested(word: &str, known: &[&'static str]) -> String {
    match nearest(word, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("one of `{}`", known.join("`, `")),
    }
}

/// The known word most like another, if any is.
fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    const ALIKE: f64 = 0.75;
    let likeness = |known: &&'static str| strsim::jaro_winkler(known, word);
    let best = known.iter().copied().max_by(|first, second| likeness(first).total_cmp(&likeness(second)))?;
    (likeness(&best) > ALIKE).then_some(best)
}
