//! Files of a project that are not looked at although they may use a name: git ignores them, or they cannot be parsed.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::language::{ByName, Detector, Language};
use crate::limits;
use crate::reader::core::Reader;

/// Names, and the languages whose files may use them.
#[derive(Default)]
pub(crate) struct Names<'s> {
    pub names: FxHashSet<&'s str>,
    pub languages: Vec<&'static Language>,
}

impl Names<'_> {
    /// The ignored files of a folder in these languages that contain one of these names.
    pub(crate) fn ignored_files(&self, reader: &Reader, root: &Path, listed: &[PathBuf]) -> Vec<String> {
        if self.names.is_empty() || self.languages.is_empty() {
            return Vec::new();
        }
        let files = reader.files();
        let detector = Detector::new(reader.languages_known());
        let mut found = Vec::new();
        for path in files.ignored(root, listed, limits::IGNORED_FILES) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Ok(ByName::Certain(language) | ByName::Ambiguous(language)) = detector.detect_by_name(&name) else {
                continue;
            };
            if !self.languages.contains(&language) {
                continue;
            }
            // What cannot be read cannot be imported either.
            let Ok(bytes) = files.read(&path, limits::FOLDER_FILE_BYTES) else { continue };
            if words(&String::from_utf8_lossy(&bytes)).any(|word| self.names.contains(word)) {
                found.push(reader.shown(&path));
            }
        }
        found
    }
}

/// A file that is not looked at.
pub(crate) struct Unparsed {
    pub path: String,
    /// Why not.
    pub why: String,
    /// Its text, with signs in place of what is no text; none if it cannot be read.
    pub text: Option<String>,
}

impl Unparsed {
    /// Whether it may use one of some names.
    pub(crate) fn may_use(&self, names: &[&str]) -> bool {
        self.text.as_ref().is_none_or(|text| words(text).any(|word| names.contains(&word)))
    }
}

/// The words of a text, as names are written in some language.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '$' | '?' | '!')))
}
