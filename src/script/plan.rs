//! A script's plan for a language: its selectors resolved, its templates known to ask for nothing but what is captured.

use super::edits::{check_template, names};
use super::error::{Problem, ScriptError};
use super::model::{Action, Script, Step};
use super::placed::Placed;
use crate::language::Language;
use crate::selector::{Condition, Definitions, Query, Selector, SelectorError};

/// A script, ready to be run on trees of a language.
#[derive(Debug)]
pub struct Plan<'s> {
    pub(super) steps: Vec<Planned<'s>>,
    language: &'static Language,
    /// Words of its selectors that the language lacks, where others may have them.
    lacking: Vec<ScriptError>,
}

/// A step whose selectors are resolved.
#[derive(Debug)]
pub(super) struct Planned<'s> {
    pub step: &'s Step,
    pub select: Query,
    pub when: Option<Query>,
}

impl Script {
    /// The plan for a language; `own` are named selectors that the user has beside the script's.
    ///
    /// # Errors
    /// At the first word of a selector that the language doesn't know, unless the script is for other languages too; at a
    /// template that asks for what its step doesn't capture.
    pub fn plan(&self, language: &'static Language, own: &Definitions) -> Result<Plan<'_>, ScriptError> {
        let given = self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()));
        let mixed = self.languages.len() != 1;
        let mut lacking = Vec::new();
        if !mixed {
            for definition in &self.definitions {
                // It may speak of the others.
                let names: Vec<String> = definition.value.names().map(|name| format!(":{name}")).collect();
                for name in names {
                    let query = Selector::parse(&name).and_then(|name| Query::new(&name, language, &given));
                    query.map_err(|error| ScriptError::new(Problem::Selector(error), definition.span, None))?;
                }
            }
        }
        let mut query = |selector: &Placed<Selector>, number: usize| -> Result<Query, ScriptError> {
            let wrong = |error: SelectorError| ScriptError::new(Problem::Selector(error), selector.span, Some(number));
            if !mixed {
                return Query::new(&selector.value, language, &given).map_err(wrong);
            }
            let (query, lacks) = Query::new_for_mixed(&selector.value, language, &given).map_err(wrong)?;
            lacking.extend(lacks.into_iter().map(wrong));
            Ok(query)
        };
        let mut steps = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let number = at + 1;
            let select = query(&step.select, number)?;
            let when = step.when.as_ref().map(|when| query(when, number)).transpose()?;
            let captured = names(&select);
            match &step.action {
                Action::Replace(template) => check_template(template, number, &captured)?,
                Action::Edits(edits) => edits.iter().try_for_each(|edit| edit.check(number, &captured, language))?,
            }
            steps.push(Planned { step, select, when });
        }
        Ok(Plan { steps, language, lacking })
    }
}

impl Plan<'_> {
    /// The language it is for.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The queries of its steps.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.steps.iter().flat_map(|planned| std::iter::once(&planned.select).chain(&planned.when))
    }

    /// What a text must hold for the script to change it. As long as no step has matched, each sees the text as it was; so
    /// what none of them can match stays as it is.
    pub fn necessary(&self) -> Condition {
        let of_step = |planned: &Planned<'_>| match &planned.when {
            Some(when) => Condition::All(vec![planned.select.necessary(), when.necessary()]),
            None => planned.select.necessary(),
        };
        let conditions: Vec<Condition> = self.steps.iter().map(of_step).collect();
        if conditions.contains(&Condition::Anything) { Condition::Anything } else { Condition::Any(conditions) }
    }
}

/// Whether each word of a script's selectors is known to one of the languages that it is run on.
///
/// # Errors
/// At the first word that none of them knows.
pub fn check_words(plans: &[&Plan<'_>]) -> Result<(), ScriptError> {
    let Some((first, others)) = plans.split_first() else { return Ok(()) };
    let is_same = |one: &ScriptError, other: &ScriptError| {
        let place = |error: &ScriptError| match &*error.problem {
            Problem::Selector(problem) => Some((problem.span, problem.selector.clone())),
            _ => None,
        };
        one.span == other.span && place(one) == place(other)
    };
    let lacks = |plan: &&Plan<'_>, word: &ScriptError| plan.lacking.iter().any(|other| is_same(word, other));
    match first.lacking.iter().find(|word| others.iter().all(|plan| lacks(plan, word))) {
        Some(word) => Err(word.clone()),
        None => Ok(()),
    }
}
