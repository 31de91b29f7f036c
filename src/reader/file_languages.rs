//! The languages of the files of a search, and of the code in them.

use std::path::Path;

use crate::language::{ByName, HEAD, Language};
use crate::reader::core::Reader;
use crate::reader::languages::unknown_language;
use crate::reader::searched::{Item, Searched};
use crate::reader::target::Source;
use crate::request::error::EngineError;
use crate::request::requests::Reading;

/// The kind of a file that a walk found.
pub(crate) enum Kind {
    Unwanted,
    Unknown,
    /// In this language; its bytes, where they had to be read to tell.
    In(&'static Language, Option<Vec<u8>>),
}

impl Reader {
    /// The language of a file that a walk found, by its name, or else by its text; a file without an extension may say it in
    /// its first lines.
    pub(crate) fn kind(&self, path: &Path, searched: &Searched, reading: &Reading) -> Result<Kind, EngineError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let wanted = |language: &'static Language| match searched.wanted {
            Some(wanted) if wanted != language && !language.may_hold(wanted.name()) => Kind::Unwanted,
            _ => Kind::In(language, None),
        };
        match searched
            .detector
            .detect_by_name(&name)
            .map_err(|error| unknown_language(&error, self.languages_known()))?
        {
            ByName::Certain(language) => Ok(wanted(language)),
            ByName::Ambiguous(_) => {
                let bytes = self.walked_bytes(path, reading)?;
                let found = searched
                    .detector
                    .detect(&name, &bytes)
                    .map_err(|error| unknown_language(&error, self.languages_known()))?;
                Ok(match found.map(wanted) {
                    Some(Kind::In(language, _)) => Kind::In(language, Some(bytes)),
                    found => found.unwrap_or(Kind::Unknown),
                })
            }
            ByName::Unknown if path.extension().is_some() => Ok(Kind::Unknown),
            ByName::Unknown => {
                let head = self.files().head(path, HEAD).map_err(|error| self.unreadable(path, &error))?;
                let found = searched
                    .detector
                    .detect(&name, &head)
                    .map_err(|error| unknown_language(&error, self.languages_known()))?;
                Ok(found.map_or(Kind::Unknown, wanted))
            }
        }
    }

    /// The languages in play: of the files named and of those that a walk found, by their names alone. Those that most files
    /// are in come first.
    pub(crate) fn languages_in_play(&self, searched: &Searched, reading: &Reading) -> Vec<&'static Language> {
        let mut counts: Vec<(&'static Language, usize)> = Vec::new();
        let mut count = |language: &'static Language| match counts.iter_mut().find(|known| known.0 == language) {
            Some(known) => known.1 += 1,
            None => counts.push((language, 1)),
        };
        for item in &searched.items {
            match item {
                Item::Walked(path) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    if let Ok(ByName::Certain(language) | ByName::Ambiguous(language)) =
                        searched.detector.detect_by_name(&name)
                        && searched.wanted.is_none_or(|wanted| wanted == language)
                    {
                        count(language);
                    }
                }
                Item::Named(source) => _ = self.language_of_source(source, searched, reading).map(&mut count),
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().map(|(language, _)| language).collect()
    }

    /// The languages that the names of files don't tell: the text of a header, the first lines of a script.
    pub(crate) fn hidden_languages(&self, searched: &Searched, reading: &Reading) -> Vec<&'static Language> {
        let mut found: Vec<&'static Language> = Vec::new();
        let grown = searched.growing.iter().flat_map(|growing| (0..growing.count()).map(|number| growing.file(number)));
        let grown: Vec<Item> = grown.map(Item::Walked).collect();
        for item in searched.items.iter().chain(&grown) {
            // Nobody waits for the answer; the search that follows says so.
            if self.host.observer.is_cancelled() {
                break;
            }
            let path = match item {
                Item::Walked(path) => path,
                Item::Named(source) => {
                    found.extend(self.languages_inside_source(source, reading));
                    continue;
                }
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if let Ok(ByName::Certain(language)) = searched.detector.detect_by_name(&name) {
                let may_hold = searched.wanted.is_none_or(|wanted| language.may_hold(wanted.name()));
                let is_read = has_injections(language) && may_hold;
                let bytes = if is_read { self.walked_bytes(path, reading).ok() } else { None };
                let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
                for language in self.languages_inside(language, &text) {
                    if searched.wants(language) && !found.contains(&language) {
                        found.push(language);
                    }
                }
                continue;
            }
            if let Ok(Kind::In(language, _)) = self.kind(path, searched, reading)
                && !found.contains(&language)
            {
                found.push(language);
            }
        }
        found
    }

    /// Whether a search is about one tree, file or text without code in other languages.
    pub(crate) fn is_in_one_language(&self, searched: &Searched, reading: &Reading) -> bool {
        let has_inside = |item: &Item| match item {
            Item::Named(source) => !self.languages_inside_source(source, reading).is_empty(),
            Item::Walked(_) => false,
        };
        searched.single && !searched.items.iter().any(has_inside)
    }

    /// Whether a file may have code in other languages, as far as its name and the request say.
    fn may_have_inside(&self, path: &Path, reading: &Reading) -> bool {
        match reading.language.as_deref() {
            Some(name) => self.languages_known().named(name).is_ok_and(has_injections),
            None => match self.detector().detect_by_name(&self.detected_as(path)) {
                Ok(ByName::Certain(language)) => has_injections(language),
                _ => true,
            },
        }
    }

    fn languages_inside_source(&self, source: &Source, reading: &Reading) -> Vec<&'static Language> {
        let (text, host) = match source {
            Source::Folder(_) => return Vec::new(),
            Source::Tree(id) => match self.session_document(id) {
                Ok(document) => (document.tree.text().to_string(), document.tree.language()),
                Err(_) => return Vec::new(),
            },
            Source::File(path) if !self.may_have_inside(path, reading) => return Vec::new(),
            Source::File(path) => match self.read_file(path, reading) {
                Ok(file) if has_injections(file.language) => (file.text.to_string(), file.language),
                _ => return Vec::new(),
            },
            Source::Text(text) => {
                let named = text.language.as_deref().or(reading.language.as_deref());
                let name = text.name.as_deref().unwrap_or("");
                match self.language_of(name, text.text.as_bytes(), named, "the text") {
                    Ok(language) => (text.text.clone(), language),
                    Err(_) => return Vec::new(),
                }
            }
        };
        self.languages_inside(host, &text)
    }

    fn language_of_source(&self, source: &Source, searched: &Searched, reading: &Reading) -> Option<&'static Language> {
        match source {
            Source::Tree(id) => self.session_document(id).ok().map(|document| document.tree.language()),
            Source::File(_) | Source::Folder(_) if searched.wanted.is_some() => searched.wanted,
            Source::File(path) | Source::Folder(path) => {
                match searched.detector.detect_by_name(&path.to_string_lossy()) {
                    Ok(ByName::Certain(language)) => Some(language),
                    _ => self.read_file(path, reading).ok().map(|file| file.language),
                }
            }
            Source::Text(text) => {
                let named = text.language.as_deref().or(reading.language.as_deref());
                self.language_of(text.name.as_deref().unwrap_or(""), text.text.as_bytes(), named, "the text").ok()
            }
        }
    }

    /// How many of the last `left` files are in a language known, and wanted.
    pub(crate) fn left_over(&self, searched: &Searched, left: usize, reading: &Reading) -> usize {
        let is_one = |item: &&Item| match item {
            Item::Walked(path) => !matches!(self.kind(path, searched, reading), Ok(Kind::Unwanted | Kind::Unknown)),
            Item::Named(_) => true,
        };
        searched.items[searched.items.len() - left..].iter().filter(is_one).count()
    }
}

/// Whether files in a language may have code in others.
pub(crate) fn has_injections(language: &Language) -> bool {
    !language.spec().injections.is_empty()
}
