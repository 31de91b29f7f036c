//! Languages that a program adds when it starts.

use std::sync::{Mutex, PoisonError};

use super::{LANGUAGES, Language};

static ADDED: Mutex<Vec<&'static Language>> = Mutex::new(Vec::new());

/// Adds a language to the built-in ones, for a program that loads grammars when they are needed, as the playground does. It counts
/// only if no language has been asked for yet; of two with the same name the first counts.
pub fn add(language: Language) {
    let mut added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    if LANGUAGES.iter().chain(added.iter().copied()).all(|known| known.name != language.name) {
        added.push(Box::leak(Box::new(language)));
    }
}

/// The languages that the features choose and those that were added, in order of name.
pub fn all() -> Vec<&'static Language> {
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all: Vec<&'static Language> = LANGUAGES.iter().chain(added.iter().copied()).collect();
    all.sort_by_key(|language| language.name);
    all
}
