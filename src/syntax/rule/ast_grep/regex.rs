//! Regexes of rules.

use regex::Regex;

use super::error::AstGrepError;
use super::model::Placed;

/// A regex of a rule.
pub(super) fn compile_regex(written: &Placed<String>) -> Result<Regex, AstGrepError> {
    Regex::new(&written.value).map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim().to_owned();
        AstGrepError::new(format!("the regex is not valid: {why}"), written.place)
    })
}
