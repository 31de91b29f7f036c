//! The plan of a script for a language: its selectors are resolved, and its templates are checked to use only captures.

use super::edits::{check_template, names};
use super::error::{Problem, ScriptError};
use super::model::{Action, Script, Step};
use super::placed::Placed;
use crate::language::Language;
use crate::selector::{Condition, Definitions, Query, Selector, SelectorError};

/// A script that is ready to run on trees of a language.
#[derive(Debug)]
pub struct Plan<'s> {
    pub(super) steps: Vec<Planned<'s>>,
    language: &'static Language,
    /// Unknown words of its selectors that other languages may know.
    lacking: Vec<ScriptError>,
}

/// A step with resolved selectors.
#[derive(Debug)]
pub(super) struct Planned<'s> {
    pub step: &'s Step,
    /// None for a refactor.
    pub select: Option<Query>,
    pub when: Option<Query>,
}

impl Script {
    /// Makes the plan for a language; `own` are the user's named selectors.
    ///
    /// # Errors
    /// At the first word of a selector that the language does not know, unless the script has other languages; at a
    /// template that uses something that its step does not capture.
    pub fn plan(&self, language: &'static Language, own: &Definitions) -> Result<Plan<'_>, ScriptError> {
        let given = self.definitions.iter().fold(own.clone(), |all, one| all.with(one.value.clone()));
        let mixed = self.languages.len() != 1;
        let mut lacking = Vec::new();
        if !mixed {
            for definition in &self.definitions {
                // A definition may use the others.
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
            let select = step.select.as_ref().map(|select| query(select, number)).transpose()?;
            let when = step.when.as_ref().map(|when| query(when, number)).transpose()?;
            let captured = select.as_ref().map(names).unwrap_or_default();
            match &step.action {
                Action::Replace(template) => check_template(template, number, &captured)?,
                Action::Refactor(_) => {}
                Action::Edits(edits) => edits.iter().try_for_each(|edit| edit.check(number, &captured, language))?,
            }
            steps.push(Planned { step, select, when });
        }
        Ok(Plan { steps, language, lacking })
    }
}

impl Plan<'_> {
    /// The language of the plan.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The queries of its steps.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.steps.iter().flat_map(|planned| planned.select.iter().chain(&planned.when))
    }

    /// What a text must contain for the script to change it. As long as no step has matched, each step sees the
    /// original text; so a text that no step can match stays the same.
    pub fn necessary(&self) -> Condition {
        let of_step = |planned: &Planned<'_>| match (&planned.select, &planned.when) {
            (Some(select), Some(when)) => Condition::All(vec![select.necessary(), when.necessary()]),
            (Some(select), None) => select.necessary(),
            (None, _) => Condition::Anything,
        };
        let conditions: Vec<Condition> = self.steps.iter().map(of_step).collect();
        if conditions.contains(&Condition::Anything) { Condition::Anything } else { Condition::Any(conditions) }
    }
}

/// Checks that each word of the script's selectors is known in one of the languages of a run.
///
/// # Errors
/// At the first word that no language knows.
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
