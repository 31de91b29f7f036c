//! One selector as the queries of several languages.
//!
//! Where one tree, file or text is searched, a word that its language lacks is an error. Over several files of any languages it
//! isn't: `call#print, macro_invocation` finds what each language has. There a word is wrong that no language in play
//! knows, and that is an error before any file is searched.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::language::{Language, Languages};
use crate::locks::IgnorePoison;
use crate::project::Prefilter;
use crate::reader::names::Names;
use crate::request::error::{EngineError, ErrorCode};
use crate::selector::{ErrorCode as SelectorErrorCode, Query, Selector, SelectorError};

/// Queries of one selector, one for each language met. Any thread may ask for one.
pub(crate) struct Queries<'a> {
    languages: &'a Languages,
    selector: &'a Selector,
    names: &'a Names,
    /// Whether a word that a language lacks is an error in it.
    strict: bool,
    by_language: Mutex<FxHashMap<&'static str, Made>>,
}

/// A query, and the words that its language lacks.
#[derive(Clone)]
struct Made {
    query: Arc<Query>,
    prefilter: Arc<Prefilter>,
    lacking: Arc<[SelectorError]>,
}

impl<'a> Queries<'a> {
    /// For one language at a time.
    pub fn new(languages: &'a Languages, selector: &'a Selector, names: &'a Names) -> Queries<'a> {
        Queries { languages, selector, names, strict: true, by_language: Mutex::default() }
    }

    /// For files in several languages.
    pub fn mixed(languages: &'a Languages, selector: &'a Selector, names: &'a Names) -> Queries<'a> {
        Queries { strict: false, ..Queries::new(languages, selector, names) }
    }

    /// The languages that the requests know.
    pub fn languages(&self) -> &'a Languages {
        self.languages
    }

    /// The selector, resolved for a language.
    pub fn of(&self, language: &'static Language) -> Result<Arc<Query>, EngineError> {
        self.made(language).map(|made| made.query)
    }

    /// What tells where the selector may find something.
    pub fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        self.made(language).ok().map(|made| made.prefilter).filter(|prefilter| !prefilter.is_idle())
    }

    fn made(&self, language: &'static Language) -> Result<Made, EngineError> {
        let mut by_language = self.by_language.lock().ignore_poison();
        if let Some(made) = by_language.get(language.name()) {
            return Ok(made.clone());
        }
        let definitions = self.names.of(language)?;
        let (query, lacking) = match self.strict {
            true => (Query::new(self.selector, language, &definitions)?, Vec::new()),
            false => Query::new_for_mixed(self.selector, language, &definitions)?,
        };
        self.names.note_use(&query);
        let prefilter = Arc::new(Prefilter::new(&query, language));
        let made = Made { query: Arc::new(query), prefilter, lacking: lacking.into() };
        by_language.insert(language.name(), made.clone());
        Ok(made)
    }

    /// Whether each word is known to a language in play: one of those `met`, else one of those that `others` finds with more
    /// effort. Where there are none at all, every language is in play.
    ///
    /// # Errors
    /// At the first word that none of them knows.
    pub fn check(
        &self,
        met: &[&'static Language],
        others: impl FnOnce() -> Vec<&'static Language>,
    ) -> Result<(), EngineError> {
        let mut unknown = None;
        self.narrow(&mut unknown, met)?;
        if unknown.as_ref().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        self.narrow(&mut unknown, &others())?;
        if unknown.is_none() {
            // A language whose data is wrong knows no word.
            let is_usable = |language: &&'static Language| {
                !self.made(language).is_err_and(|error| error.code == ErrorCode::UnsupportedLanguage)
            };
            let usable: Vec<_> = self.languages.all().into_iter().filter(is_usable).collect();
            self.narrow(&mut unknown, &usable)?;
        }
        match unknown.into_iter().flatten().next() {
            Some(error) => Err(self.suggest(error, met)),
            None => Ok(()),
        }
    }

    /// Whether each word is known to one of these languages, so that no further language makes it an error.
    pub fn are_known(&self, met: &[&'static Language]) -> bool {
        let mut unknown = None;
        self.narrow(&mut unknown, met).is_ok() && unknown.is_some_and(|unknown| unknown.is_empty())
    }

    /// Why the selector's pattern is not code in the language that most files are in, prose aside: with a language beside it that reads the
    /// pattern as something else nothing is found, and nothing is wrong.
    pub fn unread_pattern(&self, met: &[&'static Language]) -> Option<String> {
        let language = met.iter().find(|language| !language.spec().is_prose)?;
        let lacking = self.made(language).ok()?.lacking;
        let error = lacking.iter().find(|error| error.code == SelectorErrorCode::BadPattern)?;
        let mut lines = error.message.lines().map(str::trim);
        let first = lines.next()?;
        Some(lines.next().map_or(first.to_owned(), |why| format!("{first}: {why}")))
    }

    /// That a pattern has holes as other tools write them: they are code here.
    pub fn foreign_holes(&self) -> Option<String> {
        let source = self.selector.source();
        let has_dots = source.contains(":like(") && source.contains("...");
        has_dots
            .then(|| "`...` is code, as it is written; any number of nodes are `$$$`, with a name `$$$ARGS`".to_owned())
    }

    /// Takes the words away that one of the languages knows. Stops when there is none left.
    fn narrow(
        &self,
        unknown: &mut Option<Vec<SelectorError>>,
        languages: &[&'static Language],
    ) -> Result<(), EngineError> {
        // Most texts are prose to some languages: that they read a pattern says nothing about it, where code is in play too.
        let (prose, code): (Vec<&'static Language>, _) =
            languages.iter().partition(|language| language.spec().is_prose);
        for language in code.into_iter().chain(prose) {
            let lacking = self.made(language)?.lacking;
            let votes =
                |error: &SelectorError| !language.spec().is_prose || error.code != SelectorErrorCode::BadPattern;
            match unknown {
                Some(unknown) => {
                    unknown.retain(|error| !votes(error) || lacking.iter().any(|other| is_same(error, other)));
                }
                None => *unknown = Some(lacking.to_vec()),
            }
            if unknown.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        Ok(())
    }

    /// An unknown word's error with what may have been meant: a word of a language in play, or a language that isn't.
    fn suggest(&self, error: SelectorError, met: &[&'static Language]) -> EngineError {
        const MOST: usize = 3;
        let like = |language: &&'static Language| {
            let made = self.made(language).ok()?;
            made.lacking.iter().find(|other| is_same(&error, other)).and_then(|other| other.hint.clone())
        };
        let hint = error.hint.clone().or_else(|| met.iter().find_map(like));
        let others: Vec<&'static Language> =
            self.languages.all().into_iter().filter(|other| !met.contains(other)).collect();
        // Prose is any text: that it takes a pattern says nothing about it.
        let is_pattern = error.code == SelectorErrorCode::BadPattern;
        let knows = |language: &&&'static Language| {
            !(is_pattern && language.spec().is_prose)
                && self.made(language).is_ok_and(|made| !made.lacking.iter().any(|other| is_same(&error, other)))
        };
        let knowing: Vec<String> = others.iter().filter(knows).map(|known| format!("`{}`", known.name())).collect();
        let hint = match knowing.as_slice() {
            // A similar word of a language that no file is in leads nowhere.
            [] => hint.or_else(|| others.iter().filter(|_| met.is_empty()).find_map(like)),
            names => {
                let more = if names.len() > MOST { " and others" } else { "" };
                let names = names[..names.len().min(MOST)].join(", ");
                let known = format!("{names}{more} would know it, but no file searched is in that language");
                Some(hint.map_or(known.clone(), |hint| format!("{hint} {known}")))
            }
        };
        EngineError::from(SelectorError { hint, ..error })
    }
}

/// Whether two languages lack the same word.
fn is_same(first: &SelectorError, second: &SelectorError) -> bool {
    first.span == second.span && first.selector == second.selector
}
