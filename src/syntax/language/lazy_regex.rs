//! A regex of a language's data, compiled when it is first used.

use std::sync::OnceLock;

use regex::Regex;

/// A regex that is known to be valid.
///
/// Those of a user's language are compiled when it loads, so that a mistake is reported there; a test compiles those of
/// the built-in ones.
#[derive(Debug, Default)]
pub struct LazyRegex {
    source: String,
    compiled: OnceLock<Regex>,
}

impl LazyRegex {
    /// A regex of the data.
    ///
    /// # Errors
    /// If it is checked now and is not valid: why.
    pub(super) fn new(source: &str, checks: bool) -> Result<LazyRegex, String> {
        let regex = LazyRegex { source: source.to_owned(), compiled: OnceLock::new() };
        if checks {
            let compiled = Regex::new(source).map_err(|error| error.to_string())?;
            regex.compiled.get_or_init(|| compiled);
        }
        Ok(regex)
    }

    /// The compiled regex.
    ///
    /// # Panics
    /// If it is one of a built-in language and not valid.
    pub fn get(&self) -> &Regex {
        self.compiled
            .get_or_init(|| Regex::new(&self.source).expect("a test compiles the regexes of built-in languages"))
    }
}
