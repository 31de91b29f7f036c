//! Errors as the page shows them: as the program's are.

use cst::edit::{FILTERS, RewriteError, Site, TemplateError};
use cst::rule::ast_grep::AstGrepError;
use cst::script::{Problem as InScript, ScriptError};
use cst::selector::{SelectorError, meant};
use cst::text::Span;
use cst::tree::Tree;
use serde::Serialize;

/// An error.
#[derive(Debug, Serialize)]
pub struct Problem {
    message: String,
    data: Details,
}

/// Where it is, and what to do about it.
#[derive(Debug, Default, Serialize)]
struct Details {
    /// The place in the selector, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Place {
    start: usize,
    end: usize,
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place { start: span.start(), end: span.end() }
    }
}

impl Problem {
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), data: Details::default() }
    }

    fn hint(mut self, hint: Option<impl Into<String>>) -> Problem {
        self.data.hint = hint.map(Into::into);
        self
    }

    /// An error in a rule's TOML.
    pub fn of_rule(error: &ScriptError, source: &str) -> Problem {
        let line = error.line(source);
        let said = error.to_string();
        let (first, rest) = said.split_at(said.find('\n').unwrap_or(said.len()));
        let mut message = format!("{first} in line {line} of the rule{rest}");
        if let Some(excerpt) = error.excerpt(source) {
            message.push('\n');
            message.push_str(&excerpt);
        }
        let mut problem = Problem::new(message).hint(error.hint());
        problem.data.line = Some(line);
        if let InScript::Selector(selector) = &*error.problem {
            problem.data.span = Some(selector.span.into());
            problem.data.selector = Some(selector.selector.clone());
        }
        problem
    }

    /// An error in a rule's YAML.
    pub fn of_yaml(error: &AstGrepError) -> Problem {
        let mut problem = Problem::new(format!("{} in line {} of the rule", error.message, error.place.line))
            .hint(error.hint.clone());
        problem.data.line = Some(error.place.line);
        problem
    }

    /// Why matches were not rewritten.
    pub fn of_rewrite(error: &RewriteError, tree: &Tree, sites: &[Site]) -> Problem {
        let error = match error {
            RewriteError::Template(error) => return Problem::from(error),
            RewriteError::Edit(error) => error,
        };
        let line = error.operation().and_then(|site| sites.get(site)).map(|site| tree.start(site.node).line);
        let message = match line {
            Some(line) => format!("rewriting the match in line {line}: {error}"),
            None => error.to_string(),
        };
        let mut problem = Problem::new(message).hint(error.hint());
        problem.data.line = line.or_else(|| error.line());
        problem
    }
}

impl From<SelectorError> for Problem {
    fn from(error: SelectorError) -> Problem {
        let hint = meant(&error);
        let mut problem = Problem::new(error.message).hint(hint);
        problem.data.span = Some(error.span.into());
        problem.data.selector = Some(error.selector);
        problem
    }
}

impl From<&TemplateError> for Problem {
    fn from(error: &TemplateError) -> Problem {
        let hint = match error {
            TemplateError::UnknownCapture { known, .. } => {
                let names: Vec<String> = known.iter().map(|name| format!("`${name}`")).collect();
                let known = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
                format!("captured are: {known}; `$0` is the whole match, `@name` behind a step captures more")
            }
            TemplateError::UnknownFilter { .. } => format!("one of `{}`", FILTERS.join("`, `")),
            TemplateError::BadRegex { .. } => "`s/re/to/` takes a regular expression".to_owned(),
        };
        Problem::new(error.to_string()).hint(Some(hint))
    }
}
