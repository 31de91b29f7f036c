//! Rules that have the name of another one: only the first is run, or nobody could say which is meant.

use std::collections::HashMap;

use super::loaded::LoadedRules;
use crate::request::RuleProblem;
use crate::request::error::EngineError;

/// Where a rule is: the numbers of its file and of the rule in it.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    rule: usize,
}

impl LoadedRules {
    /// Takes out each rule that has the name of one before it, and says so.
    pub(super) fn refuse_same_names(&mut self) {
        let mut known: HashMap<String, Place> = HashMap::new();
        let mut refused: Vec<Place> = Vec::new();
        for (file_number, file) in self.files.iter().enumerate() {
            for (rule_number, rule) in file.rules.iter().enumerate() {
                let place = Place { file: file_number, rule: rule_number };
                let name = file.name_of(rule);
                let Some(first) = known.get(&name) else {
                    known.insert(name, place);
                    continue;
                };
                let other = &self.files[first.file];
                let (line, other_line) = (rule.line(&file.source), other.rules[first.rule].line(&other.source));
                let message = format!(
                    "two rules are called `{name}`: in line {other_line} of `{}`, and in line {line} of `{}`",
                    other.path, file.path
                );
                let mut error = EngineError::bad_request(message).path(&file.path);
                error.details.line = Some(line);
                self.problems
                    .push(RuleProblem { rule: name, error: error.hint("only the first is run: rename the other") });
                refused.push(place);
            }
        }
        for place in refused.into_iter().rev() {
            self.files[place.file].rules.remove(place.rule);
        }
    }
}
