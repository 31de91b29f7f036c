//! A rule that is ready for trees of a language.

use super::ast_grep::{AstGrepError, ReadyAstGrep, TooLong};
use super::by_query::ReadyTreeSitter;
use super::model::{Around, Finder, Rule};
use crate::edit::{Allow, EditError};
use crate::language::{Language, TypeSet};
use crate::script::{Action, Cause, Placed, Problem, ScriptError, act, check_template, names};
use crate::selector::{
    Condition, Definitions, ErrorCode, Evaluation, Match, Query, Selector, SelectorError, SharedParts,
};
use crate::text::Span;
use crate::tree::{Captured, Node, ParseLimits, Tree};

/// A rule that is ready for trees of a language.
#[derive(Debug)]
pub struct RulePlan<'r> {
    rule: &'r Rule,
    language: &'static Language,
    finder: ReadyFinder<'r>,
    around: Vec<ReadyAround>,
}

/// A rule's search, with its words looked up.
#[derive(Debug)]
enum ReadyFinder<'r> {
    Selector(Box<Query>),
    TreeSitter(Box<ReadyTreeSitter>),
    AstGrep(Box<ReadyAstGrep<'r>>),
}

impl ReadyFinder<'_> {
    /// Its captures, without values; `None` if others look at its templates.
    fn names(&self) -> Option<Vec<(String, Captured)>> {
        match self {
            ReadyFinder::Selector(select) => Some(names(select)),
            ReadyFinder::TreeSitter(query) => Some(query.names()),
            ReadyFinder::AstGrep(_) => None,
        }
    }
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
        self.plan_sharing(language, own, &SharedParts::default())
    }

    /// The same for one of several rules with the same `own`: what its selectors have in common with those of the others, an evaluation of
    /// all of them computes once.
    ///
    /// # Errors
    /// As [`Rule::plan`].
    pub fn plan_sharing(
        &self,
        language: &'static Language,
        own: &Definitions,
        shared: &SharedParts,
    ) -> Result<Option<RulePlan<'_>>, ScriptError> {
        let is_named = self.languages.contains(&language);
        if !is_named && !self.languages.is_empty() {
            return Ok(None);
        }
        let given = self.given(own);
        // A name of the rule's own may mean something else in another one.
        let shared = Some(shared).filter(|_| self.definitions.is_empty());
        let query = |selector: &Placed<Selector>| {
            // With several languages, a branch may be for some of them.
            let query = match self.languages.len() {
                0 | 1 => Query::new_sharing(&selector.value, language, &given, shared),
                _ => Query::new_for_mixed_sharing(&selector.value, language, &given, shared).map(|(query, _)| query),
            };
            query.map_err(|error| wrong(error, selector.span))
        };
        let finder = match &self.finder {
            Finder::Selector(select) => query(select).map(|query| ReadyFinder::Selector(Box::new(query))),
            Finder::TreeSitter(written) => ReadyTreeSitter::new(&written.value, language)
                .map(|query| ReadyFinder::TreeSitter(Box::new(query)))
                .map_err(|error| wrong(error, written.span)),
            Finder::AstGrep(config) => ReadyAstGrep::new(config, language)
                .map(|ready| ReadyFinder::AstGrep(Box::new(ready)))
                .map_err(|error| foreign_error(&error, self)),
        };
        let finder = match finder {
            Err(_) if !is_named => return Ok(None),
            finder => finder?,
        };
        let ready =
            |around: &Around| Ok(ReadyAround { query: query(&around.selector)?, is_negated: around.is_negated });
        let around = self.around.iter().map(ready).collect::<Result<Vec<ReadyAround>, ScriptError>>()?;
        if let Some(captured) = finder.names() {
            self.check_templates(&captured, language).map_err(|error| ScriptError { step: None, ..error })?;
        }
        Ok(Some(RulePlan { rule: self, language, finder, around }))
    }

    /// Named selectors of the rule and of its file, over those of the user.
    fn given(&self, own: &Definitions) -> Definitions {
        self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()))
    }

    /// Whether its message and its fix use only what is captured.
    fn check_templates(&self, captured: &[(String, Captured)], language: &Language) -> Result<(), ScriptError> {
        check_template(&self.template, 0, captured)?;
        match &self.fix {
            Some(Action::Replace(template)) => check_template(template, 0, captured),
            Some(Action::Edits(edits)) => edits.iter().try_for_each(|edit| edit.check(0, captured, language)),
            Some(Action::Refactor(_)) | None => Ok(()),
        }
    }

    /// The words of its selectors that a language lacks, each as an error; empty if the rule is not for that language.
    ///
    /// # Errors
    /// If a selector is invalid in every language.
    pub fn lacking(&self, language: &'static Language, own: &Definitions) -> Result<Vec<ScriptError>, ScriptError> {
        if !self.languages.is_empty() && !self.languages.contains(&language) {
            return Ok(Vec::new());
        }
        let given = self.given(own);
        let select = match &self.finder {
            Finder::Selector(select) => Some(select),
            Finder::TreeSitter(_) | Finder::AstGrep(_) => None,
        };
        let mut lacking = Vec::new();
        if let Finder::TreeSitter(query) = &self.finder
            && let Err(error) = ReadyTreeSitter::new(&query.value, language)
        {
            let is_lack =
                matches!(error.code, ErrorCode::UnknownType | ErrorCode::UnknownField | ErrorCode::BadPattern);
            let error = wrong(error, query.span);
            if !is_lack {
                return Err(error);
            }
            lacking.push(error);
        }
        for selector in select.into_iter().chain(self.around.iter().map(|around| &around.selector)) {
            let query = Query::new_for_mixed(&selector.value, language, &given);
            let (_, lacks) = query.map_err(|error| wrong(error, selector.span))?;
            lacking.extend(lacks.into_iter().map(|error| wrong(error, selector.span)));
        }
        Ok(lacking)
    }
}

/// An error in one of the selectors of a rule.
fn wrong(error: SelectorError, span: Span) -> ScriptError {
    ScriptError::new(Problem::Selector(error), span, None)
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
        let select = match &self.finder {
            ReadyFinder::Selector(select) => Some(&**select),
            ReadyFinder::TreeSitter(_) | ReadyFinder::AstGrep(_) => None,
        };
        select.into_iter().chain(self.around.iter().map(|around| &around.query))
    }

    /// The condition on a text for the rule to find anything.
    pub fn necessary(&self) -> Condition {
        let own = match &self.finder {
            ReadyFinder::Selector(select) => select.necessary(),
            ReadyFinder::TreeSitter(query) => query.necessary(),
            ReadyFinder::AstGrep(ready) => ready.necessary(),
        };
        let around = self.around.iter().filter(|around| !around.is_negated).map(|around| around.query.necessary());
        Condition::all(std::iter::once(own).chain(around))
    }

    /// Whether it finds the same nodes in a file as in each of its parts alone; `around` are the types of the nodes around parts.
    pub fn is_local(&self, around: &TypeSet) -> bool {
        let is_local = match &self.finder {
            ReadyFinder::Selector(select) => select.is_local(around),
            ReadyFinder::TreeSitter(_) => false,
            ReadyFinder::AstGrep(ready) => ready.is_local(around),
        };
        is_local && self.around.is_empty()
    }

    /// Its findings in a tree, in document order.
    ///
    /// # Errors
    /// If a selector takes too long.
    pub fn find(&self, on: &Evaluation<'_>) -> Result<Vec<Match>, SelectorError> {
        let found = match &self.finder {
            ReadyFinder::Selector(select) => on.select(select)?,
            ReadyFinder::TreeSitter(query) => query.find(on.tree())?,
            ReadyFinder::AstGrep(ready) => ready.find(on.tree()).map_err(|TooLong| too_long(self.rule))?,
        };
        if found.is_empty() {
            return Ok(found);
        }
        for around in &self.around {
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
        let filled = self.rule.template.value.fill_sentence(tree, &found.captures, Some(found.node));
        let text = filled.unwrap_or_else(|_| self.rule.message.clone());
        shorten(&text)
    }

    /// Other nodes that a finding is about, each with a sentence if there is one.
    pub fn labels(&self, tree: &Tree, found: &Match) -> Vec<(Node, Option<String>)> {
        match &self.finder {
            ReadyFinder::Selector(_) | ReadyFinder::TreeSitter(_) => Vec::new(),
            ReadyFinder::AstGrep(ready) => ready.labels(tree, found),
        }
    }

    /// The tree with the fix applied to some findings, as one batch.
    ///
    /// # Errors
    /// If a gate refuses the result; a rule without a fix changes nothing.
    pub fn mend(&self, tree: &Tree, found: Vec<Match>, allow: Allow, limits: &ParseLimits) -> Result<Mended, FixError> {
        let select = match &self.finder {
            ReadyFinder::Selector(select) => Some(&**select),
            ReadyFinder::TreeSitter(_) => None,
            ReadyFinder::AstGrep(ready) => {
                let mended = ready.mend(tree, &found, limits);
                return mended.map(|(tree, applied)| Mended { tree, applied }).ok_or_else(|| broken(tree, &found));
            }
        };
        let Some(fix) = &self.rule.fix else { return Ok(Mended { tree: tree.clone(), applied: 0 }) };
        let pass = act(fix, select, tree, found, allow, limits)
            .map_err(|fault| FixError { line: fault.line, cause: Box::new(fault.cause) })?;
        Ok(Mended { tree: pass.tree, applied: pass.count.applied })
    }
}

/// The error of a rule that takes too long in a file, or goes too deep.
fn too_long(rule: &Rule) -> SelectorError {
    SelectorError {
        code: ErrorCode::Budget,
        message: "the rule takes too long in this file, or goes too deep".to_owned(),
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
