//! A rule that is ready for trees of a language.

use super::model::{Finder, Rule};
use crate::edit::Allow;
use crate::language::Language;
use crate::script::{Action, Cause, Placed, Problem, ScriptError, act, check_template, names};
use crate::selector::{Condition, Definitions, Evaluation, Match, Query, Selector, SelectorError};
use crate::tree::{ParseLimits, Tree};

/// A rule that is ready for trees of a language.
#[derive(Debug)]
pub struct RulePlan<'r> {
    rule: &'r Rule,
    language: &'static Language,
    select: Query,
    around: Vec<ReadyAround>,
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
        let given = self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()));
        let query = |selector: &Placed<Selector>| {
            let wrong = |error: SelectorError| ScriptError::new(Problem::Selector(error), selector.span, None);
            // With several languages, a branch may be for some of them.
            if self.languages.len() > 1 {
                return Query::new_for_mixed(&selector.value, language, &given).map(|(query, _)| query).map_err(wrong);
            }
            Query::new(&selector.value, language, &given).map_err(wrong)
        };
        let Finder::Selector { select, around } = &self.finder;
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
        Ok(Some(RulePlan { rule: self, language, select, around: ready }))
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
        let Finder::Selector { select, around } = &self.finder;
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
        std::iter::once(&self.select).chain(self.around.iter().map(|around| &around.query))
    }

    /// The condition on a text for the rule to find anything.
    pub fn necessary(&self) -> Condition {
        let around = self.around.iter().filter(|around| !around.is_negated).map(|around| around.query.necessary());
        Condition::all(std::iter::once(self.select.necessary()).chain(around))
    }

    /// Its findings in a tree, in document order.
    ///
    /// # Errors
    /// If a selector takes too long.
    pub fn find(&self, on: &Evaluation<'_>) -> Result<Vec<Match>, SelectorError> {
        let found = on.select(&self.select)?;
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
        let filled = self.rule.template.value.fill(tree, &found.captures, Some(found.node));
        let text = filled.unwrap_or_else(|_| self.rule.message.clone());
        shorten(&text)
    }

    /// The tree with the fix applied to some findings, as one batch.
    ///
    /// # Errors
    /// If a gate refuses the result; a rule without a fix changes nothing.
    pub fn mend(&self, tree: &Tree, found: Vec<Match>, allow: Allow, limits: &ParseLimits) -> Result<Mended, FixError> {
        let Some(fix) = &self.rule.fix else { return Ok(Mended { tree: tree.clone(), applied: 0 }) };
        let pass = act(fix, Some(&self.select), tree, found, allow, limits)
            .map_err(|fault| FixError { line: fault.line, cause: Box::new(fault.cause) })?;
        Ok(Mended { tree: pass.tree, applied: pass.count.applied })
    }
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
