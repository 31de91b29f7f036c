//! The first paragraph of a language's data, which is read without the rest.

use std::collections::BTreeMap;

use super::error::LanguageError;
use super::form::plain;
use super::written;

/// The first paragraph of a language's data, or what is wrong with it.
pub(super) type Headed = Result<Head, LanguageError>;

/// A language's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// As the build script leaves it, in JSON, what it extends joined with it.
    Compiled { head: &'static str, whole: &'static str },
    /// A `language.toml` as it is.
    Written(&'static str),
}

impl Source {
    /// All of its text.
    pub fn text(self) -> &'static str {
        match self {
            Source::Compiled { whole, .. } => whole,
            Source::Written(text) => text,
        }
    }

    /// The data after the first paragraph, as a table.
    pub fn table(self) -> Result<toml::Table, String> {
        match self {
            Source::Compiled { whole, .. } => serde_json::from_str(whole).map_err(|error| error.to_string()),
            Source::Written(text) => text.parse().map_err(|error: toml::de::Error| error.to_string()),
        }
    }
}

plain! {
    /// The first paragraph of `language.toml`: all by which a file of the language is recognised, and the folder of a project.
    Head {
        /// The language's name, in lower case.
        name: String,
        /// Other names of the language.
        aliases: Vec<String>,
        /// File extensions, without the dot.
        extensions: Vec<String>,
        /// How files with other extensions are stored, if not as text of the language: `ipynb = "notebook"`.
        stored: BTreeMap<String, String>,
        /// Whole file names.
        file_names: Vec<String>,
        /// Interpreters in a first line `#!`; a version after the name is ignored.
        shebangs: Vec<String>,
        /// Maps another language's extension to a regex: a file with a line that matches is in this language.
        claims: BTreeMap<String, String>,
        /// Files that are at the top of a project, by which its folder is recognised where there is no repository.
        projects: Vec<String>,
        /// Files at the top of a workspace of several projects, each with a text that must be in it.
        workspaces: BTreeMap<String, String>,
        /// The language on whose data this is based: tables are merged, and everything else in this file replaces the
        /// other's.
        extends: String,
    }
}

impl Head {
    /// Reads the keys by which files of a language are recognised.
    pub(super) fn read(name: &str, data: Source) -> Headed {
        let wrong = |message: String| LanguageError::of_file(name, "language.toml", message);
        let head: Head = match data {
            Source::Compiled { head, .. } => serde_json::from_str(head).map_err(|error| wrong(error.to_string()))?,
            Source::Written(text) => {
                let text = first_paragraph(text);
                let table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
                written::read(&table, text).map_err(wrong)?
            }
        };
        if head.name != name {
            return Err(wrong(format!("it calls itself `{}`", head.name)));
        }
        Ok(head)
    }
}

/// The first lines that say something, up to the next empty one.
pub(super) fn first_paragraph(data: &str) -> &str {
    let mut start = None;
    let mut at = 0;
    for line in data.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        match start {
            None if !is_blank && !line.starts_with('#') => start = Some(at),
            Some(start) if is_blank => return &data[start..at],
            _ => {}
        }
        at += line.len();
    }
    start.map_or("", |start| &data[start..])
}
