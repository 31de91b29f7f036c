//! One query of tree-sitter, compiled for several languages.
//!
//! Its words are those of one grammar. Where one language is searched, a word that it lacks is an error; over files of several, those
//! are searched whose grammar has all of them, and it is an error if there is none.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::language::{Language, Languages};
use crate::locks::IgnorePoison;
use crate::project::Prefilter;
use crate::request::error::EngineError;
use crate::selector::{ErrorCode, SelectorError};
use crate::tree_query::TreeSitterQuery;

type Compiled = Result<Ready, SelectorError>;

/// A query that is ready for a language.
#[derive(Clone)]
struct Ready {
    query: Arc<TreeSitterQuery>,
    prefilter: Arc<Prefilter>,
}

/// A query, compiled once for each language met. Any thread may ask for one.
pub(crate) struct TreeQueries<'a> {
    languages: &'a Languages,
    source: &'a str,
    /// Whether a word that a language lacks is an error in it.
    strict: bool,
    by_language: Mutex<FxHashMap<&'static str, Compiled>>,
}

impl<'a> TreeQueries<'a> {
    /// A query in one language, if `strict`, or in several.
    pub fn new(languages: &'a Languages, source: &'a str, strict: bool) -> TreeQueries<'a> {
        TreeQueries { languages, source, strict, by_language: Mutex::default() }
    }

    /// The query, as it is written.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The query for a language; `None` if the language lacks a word of it that another one has.
    ///
    /// # Errors
    /// If the query is wrong.
    pub fn of(&self, language: &'static Language) -> Result<Option<Arc<TreeSitterQuery>>, EngineError> {
        match self.compiled(language) {
            Ok(ready) => Ok(Some(ready.query)),
            Err(error) if !self.strict && is_lack(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn compiled(&self, language: &'static Language) -> Compiled {
        let mut known = self.by_language.lock().ignore_poison();
        known
            .entry(language.name())
            .or_insert_with(|| {
                let query = TreeSitterQuery::new(self.source, language)?;
                let prefilter = Arc::new(Prefilter::of_condition(&query.necessary()));
                Ok(Ready { query: Arc::new(query), prefilter })
            })
            .clone()
    }

    /// The condition on a text in a language for the query to match in it; `None` if there is none, or the query is wrong.
    pub fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        self.compiled(language).ok().map(|ready| ready.prefilter).filter(|prefilter| !prefilter.is_idle())
    }

    /// Whether the query is one of these languages, so that no further language makes it an error.
    pub fn is_known(&self, met: &[&'static Language]) -> bool {
        met.iter().any(|language| self.compiled(language).is_ok())
    }

    /// Whether the query is one of a language in play: one of those `met`, else one of those that `others` finds with more effort.
    /// Where there are none at all, every language is in play.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(
        &self,
        met: &[&'static Language],
        others: impl FnOnce() -> Vec<&'static Language>,
    ) -> Result<(), EngineError> {
        if self.is_known(met) {
            return Ok(());
        }
        let mut languages = met.to_vec();
        languages.extend(others());
        if languages.is_empty() {
            languages = self.languages.all();
        }
        let mut errors = Vec::new();
        for language in languages {
            match self.compiled(language) {
                Ok(_) => return Ok(()),
                Err(error) => errors.push(error),
            }
        }
        // What is wrong in any language says more than a word that one lacks; of these, the one that came furthest.
        let error = errors.into_iter().max_by_key(|error| (!is_lack(error), error.span.start()));
        Err(error.map_or_else(|| EngineError::bad_request("no language is known"), EngineError::from))
    }
}

/// Whether an error is one of a language alone.
fn is_lack(error: &SelectorError) -> bool {
    matches!(error.code, ErrorCode::UnknownType | ErrorCode::UnknownField | ErrorCode::BadPattern)
}
