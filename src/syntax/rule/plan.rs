//! A rule that is ready for trees of a language.

use super::ast_grep::{AstGrepError, ReadyAstGrep, TooLong};
use super::model::{Finder, Rule};
use crate::edit::{Allow, EditError};
use crate::language::Language;
use crate::script::{Action, Cause, Placed, Problem, ScriptError, act, check_template, names};
use crate::selector::{Condition, Definitions, ErrorCode, Evaluation, Match, Query, Selector, SelectorError};
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Tree};

/// A rule that is ready for trees of a language.
#[derive(Debug)]
pub struct RulePlan<'r> {
    rule: &'r Rule,
    language: &'static Language,
    finder: ReadyFinder<'r>,
}

/// A rule's search, with its words looked up.
#[derive(Debug)]
enum ReadyFinder<'r> {
    Selector { select: Box<Query>, around: Vec<ReadyAround> },
    AstGrep(Box<ReadyAstGrep<'r>>),
}

/// A selector that must match something in the file, or nothing.
#[derive(Debug)]
struct ReadyAround {
    query: Query,
    is_negated: bool,
}

/// A tree that fixes were applied to.
#[derive(Debug)]
pub struct Mended {
    /// The resulting tree.
    pub tree: Tree,
    /// How many findings were mended.
    pub applied: usize,
}

/// Why a fix was not applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct FixError {
    /// The line, in the text that was to be mended.
    pub line: Option<usize>,
    /// The cause.
    pub cause: Box<Cause>,
}

impl Rule {
    /// Makes the rule ready for a language; `own` are the user's named selectors. `None` if the rule is not for that language.
    ///
    /// # Errors
    /// At the first word of a selector that the language does not know, if the rule names the language; at a template that uses
    /// something that the selector does not capture.
    pub fn plan(&self, language: &'static Language, own: &Definitions) -> Result<Option<RulePlan<'_>>, ScriptError> {
        let is_named = self.languages.contains(&language);
        if !is_named && !self.languages.is_empty() {
            return Ok(None);
        }
        let (select, around) = match &self.finder {
            Finder::Selector { select, around } => (select, around),
            Finder::AstGrep(config) => {
                let ready = ReadyAstGrep::new(config, language).map_err(|error| foreign_error(&error, self))?;
                return Ok(Some(RulePlan { rule: self, language, finder: ReadyFinder::AstGrep(Box::new(ready)) }));
            }
        };
        let given = self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()));
        let query = |selector: &Placed<Selector>| {
            let wrong = |error: SelectorError| ScriptError::new(Problem::Selector(error), selector.span, None);
            // With several languages, a branch may be for some of them.
            if self.languages.len() > 1 {
                return Query::new_for_mixed(&selector.value, language, &given).map(|(query, _)| query).map_err(wrong);
            }
            Query::new(&selector.value, language, &given).map_err(wrong)
        };
        let found = query(select);
        if found.is_err() && !is_named {
            return Ok(None);
        }
        let select = found?;
        let mut ready = Vec::with_capacity(around.len());
        for around in around {
            ready.push(ReadyAround { query: query(&around.selector)?, is_negated: around.is_negated });
        }
        let captured = names(&select);
        let unnumbered = |error: ScriptError| ScriptError { step: None, ..error };
        check_template(&self.template, 0, &captured).map_err(unnumbered)?;
        match &self.fix {
            Some(Action::Replace(template)) => check_template(template, 0, &captured).map_err(unnumbered)?,
            Some(Action::Edits(edits)) => {
                edits.iter().try_for_each(|edit| edit.check(0, &captured, language)).map_err(unnumbered)?;
            }
            Some(Action::Refactor(_)) | None => {}
        }
        let finder = ReadyFinder::Selector { select: Box::new(select), around: ready };
        Ok(Some(RulePlan { rule: self, language, finder }))
    }

    /// The words of its selectors that a language lacks, each as an error; empty if the rule is not for that language.
    ///
    /// # Errors
    /// If a selector is invalid in every language.
    pub fn lacking(&self, language: &'static Language, own: &Definitions) -> Result<Vec<ScriptError>, ScriptError> {
        if !self.languages.is_empty() && !self.languages.contains(&language) {
            return Ok(Vec::new());
        }
        let given = self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()));
        let Finder::Selector { select, around } = &self.finder else { return Ok(Vec::new()) };
        let mut lacking = Vec::new();
        for selector in std::iter::once(select).chain(around.iter().map(|around| &around.selector)) {
            let wrong = |error: SelectorError| ScriptError::new(Problem::Selector(error), selector.span, None);
            let (_, lacks) = Query::new_for_mixed(&selector.value, language, &given).map_err(wrong)?;
            lacking.extend(lacks.into_iter().map(wrong));
        }
        Ok(lacking)
    }
}

impl<'r> RulePlan<'r> {
    /// The rule.
    pub fn rule(&self) -> &'r Rule {
        self.rule
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// Its queries.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        let (select, around): (Option<&Query>, &[ReadyAround]) = match &self.finder {
            ReadyFinder::Selector { select, around } => (Some(select), around),
            ReadyFinder::AstGrep(_) => (None, &[]),
        };
        select.into_iter().chain(around.iter().map(|around| &around.query))
    }

    /// The condition on a text for the rule to find anything.
    pub fn necessary(&self) -> Condition {
        let (select, around) = match &self.finder {
            ReadyFinder::Selector { select, around } => (select, around),
            ReadyFinder::AstGrep(ready) => return ready.necessary(),
        };
        let around = around.iter().filter(|around| !around.is_negated).map(|around| around.query.necessary());
        Condition::all(std::iter::once(select.necessary()).chain(around))
    }

    /// Its findings in a tree, in document order.
    ///
    /// # Errors
    /// If a selector takes too long.
    pub fn find(&self, on: &Evaluation<'_>) -> Result<Vec<Match>, SelectorError> {
        let (select, around) = match &self.finder {
            ReadyFinder::Selector { select, around } => (select, around),
            ReadyFinder::AstGrep(ready) => return ready.find(on.tree()).map_err(|TooLong| too_long(self.rule)),
        };
        let found = on.select(select)?;
        if found.is_empty() {
            return Ok(found);
        }
        for around in around {
            if on.select(&around.query)?.is_empty() != around.is_negated {
                return Ok(Vec::new());
            }
        }
        Ok(found)
    }

    /// The sentence about a finding.
    pub fn message(&self, tree: &Tree, found: &Match) -> String {
        if let ReadyFinder::AstGrep(ready) = &self.finder {
            return shorten(&ready.message(&self.rule.message, tree, found));
        }
        let filled = self.rule.template.value.fill(tree, &found.captures, Some(found.node));
        let text = filled.unwrap_or_else(|_| self.rule.message.clone());
        shorten(&text)
    }

    /// Other nodes that a finding is about, each with a sentence if there is one.
    pub fn labels(&self, tree: &Tree, found: &Match) -> Vec<(Node, Option<String>)> {
        match &self.finder {
            ReadyFinder::Selector { .. } => Vec::new(),
            ReadyFinder::AstGrep(ready) => ready.labels(tree, found),
        }
    }

    /// The tree with the fix applied to some findings, as one batch.
    ///
    /// # Errors
    /// If a gate refuses the result; a rule without a fix changes nothing.
    pub fn mend(&self, tree: &Tree, found: Vec<Match>, allow: Allow, limits: &ParseLimits) -> Result<Mended, FixError> {
        let select = match &self.finder {
            ReadyFinder::Selector { select, .. } => select,
            ReadyFinder::AstGrep(ready) => {
                let mended = ready.mend(tree, &found, limits);
                return mended.map(|(tree, applied)| Mended { tree, applied }).ok_or_else(|| broken(tree, &found));
            }
        };
        let Some(fix) = &self.rule.fix else { return Ok(Mended { tree: tree.clone(), applied: 0 }) };
        let pass = act(fix, Some(select), tree, found, allow, limits)
            .map_err(|fault| FixError { line: fault.line, cause: Box::new(fault.cause) })?;
        Ok(Mended { tree: pass.tree, applied: pass.count.applied })
    }
}

/// The error of a rule that takes too long in a file.
fn too_long(rule: &Rule) -> SelectorError {
    SelectorError {
        code: ErrorCode::Budget,
        message: "the rule takes too long in this file".to_owned(),
        span: Span::new(0, 0),
        hint: Some("narrow it: a `kind` beside the pattern, `stopBy` nearer than `end`".to_owned()),
        selector: rule.id.clone(),
    }
}

/// An error in a rule of ast-grep, at its place.
fn foreign_error(error: &AstGrepError, rule: &Rule) -> ScriptError {
    let problem =
        Problem::OtherForm { message: error.message.clone(), line: error.place.line, hint: error.hint.clone() };
    ScriptError::new(problem, rule.span, None)
}

/// The error of a fix whose result has a syntax error.
fn broken(tree: &Tree, found: &[Match]) -> FixError {
    let node = found.first().map_or(tree.root(), |found| found.node);
    let place = tree.start(node);
    let line = tree.text().slice(tree.text().line_span(place.line)).trim_end().to_owned();
    let caret = format!("{}^", " ".repeat(place.col() - 1));
    let message = "the result has a syntax error".to_owned();
    let error = EditError::WouldBreakSyntax { operation: 0, place, line, caret, message };
    FixError { line: Some(place.line), cause: Box::new(Cause::Edit(error)) }
}

/// A message on one line: code of several lines is shown by its first.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut lines = text.trim().lines().map(str::trim_end);
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let text = if rest.is_empty() {
        first.to_owned()
    } else {
        format!("{first} … {}", rest.last().copied().unwrap_or_default().trim())
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
