//! What a front end with a page needs beside the requests: the files of a folder, a file's text with its highlighting, and the
//! node at a place with selectors that find it.

use std::path::Path;

use serde::Serialize;

use crate::engine::core::Engine;
use crate::inspect::{CLASSES, Inspected, Place, ShownError, highlight, inspect, shown_errors};
use crate::language::ByName;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::FilesReport;
use crate::request::requests::{Reading, Target};
use crate::text::Text;

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedFile {
    /// Its path, relative to the working directory.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its language, as its name shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// A file's text, with what it takes to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownFile {
    /// Its path.
    pub path: String,
    /// Its language.
    pub language: String,
    /// Its text, without a byte order mark.
    pub text: String,
    /// The highlighted spans in order, three numbers each: how many UTF-16 units after the end of the one before it begins, how many
    /// it has, and its class as an index of [`CLASSES`].
    pub spans: Vec<u32>,
    /// The names of the classes.
    pub classes: &'static [&'static str],
    /// Where its syntax errors are, the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ShownError>,
}

impl Engine {
    /// The files of the working directory, without those that `.gitignore` excludes; sorted by path.
    ///
    /// # Errors
    /// When the folder can't be walked.
    pub fn list_files(&self) -> Result<Vec<ListedFile>, EngineError> {
        let engine = self.begin();
        let folder = engine.host.working_directory.clone();
        let files = engine.walk_folder(&folder, &Reading::default(), &[], &mut FilesReport::default())?;
        let detector = engine.detector();
        let listed = |path: &std::path::PathBuf| {
            let language = match detector.detect_by_name(&engine.detected_as(path)) {
                Ok(ByName::Certain(language) | ByName::Ambiguous(language)) => Some(language.name().to_owned()),
                _ => None,
            };
            let bytes = engine.files().facts(path).map_or(0, |facts| facts.bytes);
            ListedFile { path: engine.shown(path), bytes, language }
        };
        let mut files: Vec<ListedFile> = files.iter().map(listed).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// A file's text with its highlighting. In an unrecognised language it is plain.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn show_file(&self, path: &str) -> Result<ShownFile, EngineError> {
        let engine = self.begin();
        let shown = |language: &str, text: &Text, spans| ShownFile {
            path: path.to_owned(),
            language: language.to_owned(),
            text: text.slice(text.span()).into_owned(),
            spans,
            classes: CLASSES,
            errors: Vec::new(),
        };
        match engine.document(&Target::path(path), &Reading::default()) {
            Ok(document) => {
                let tree = &document.tree;
                let file = shown(tree.language().name(), tree.text(), highlight(tree));
                Ok(ShownFile { errors: shown_errors(tree), ..file })
            }
            Err(error) if error.code == ErrorCode::UnsupportedLanguage => {
                let path = engine.absolute(Path::new(path));
                let bytes = engine.read_bytes(&path, &Reading::default())?;
                Ok(shown("", &engine.plain_file(&path, bytes, &Reading::default())?, Vec::new()))
            }
            Err(error) => Err(error),
        }
    }

    /// The smallest node at a place, what is around it, and selectors that find it.
    ///
    /// # Errors
    /// When the file can't be read, or has no such place.
    pub fn inspect(&self, place: &Place) -> Result<Inspected, EngineError> {
        let engine = self.begin();
        engine.interruptible(|| {
            let document = engine.document(&Target::path(&place.path), &Reading::default())?;
            inspect(&document.tree, place)
                .ok_or_else(|| EngineError::bad_request(format!("`{}` has no such place", place.path)))
        })
    }
}
