//! Named selectors: `:dunder = method[name=/^__.+__$/]`.

use std::sync::Arc;

use super::error::SelectorError;
use super::{parse, syntax};
use crate::language::{Language, Memo};

/// Named selectors, in order. If two have the same name, the later one counts.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    entries: Vec<Definition>,
}

/// One named selector.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    name: String,
    pub list: syntax::List,
    /// Its line, into which the spans of the list point.
    pub source: String,
    /// The file that it was read from, unless the caller passed it.
    pub file: Option<Arc<str>>,
}

/// A named selector from a file that a query uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedDefinition {
    /// Its name, without the colon.
    pub name: String,
    /// Its line.
    pub source: String,
    /// The file.
    pub file: Arc<str>,
}

impl Definitions {
    /// Reads lines such as `:route = function:has(decorator)`; a line that begins with `#` is a comment.
    ///
    /// # Errors
    /// If a line is not a valid definition.
    pub fn parse(lines: &str) -> Result<Definitions, SelectorError> {
        let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entries = lines.map(|line| {
            let (name, list) = parse::definition(line)?;
            Ok(Definition { name: name.text, list, source: line.to_owned(), file: None })
        });
        Ok(Definitions { entries: entries.collect::<Result<_, SelectorError>>()? })
    }

    /// Marks the definitions as read from a file, so that queries that use them can report it.
    #[must_use]
    pub fn of_file(mut self, path: &str) -> Definitions {
        let path: Arc<str> = path.into();
        self.entries.iter_mut().for_each(|entry| entry.file = Some(Arc::clone(&path)));
        self
    }

    /// These definitions and others; if two have the same name, `other` counts.
    #[must_use]
    pub fn with(mut self, other: Definitions) -> Definitions {
        self.entries.extend(other.entries);
        self
    }

    pub(super) fn find(&self, name: &str) -> Option<&Definition> {
        self.entries.iter().rev().find(|entry| entry.name == name)
    }

    /// The line of a definition, by its name without the colon.
    pub fn line(&self, name: &str) -> Option<&str> {
        self.find(name).map(|definition| definition.source.as_str())
    }

    /// All lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.source.as_str())
    }

    /// The definitions of the named selectors in a selector, and of those in their definitions, each once, in order of
    /// first use.
    pub fn lines_of<'a>(&'a self, language: &'a Definitions, selector: &str) -> Vec<&'a str> {
        let mut lines: Vec<&str> = Vec::new();
        let mut waiting = vec![selector.to_owned()];
        while let Some(text) = waiting.pop() {
            for word in text.split(':').skip(1) {
                let end = word.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'));
                let name = &word[..end.unwrap_or(word.len())];
                let Some(line) = self.line(name).or_else(|| language.line(name)) else { continue };
                if !lines.contains(&line) {
                    lines.push(line);
                    waiting.push(line.split_once('=').map_or("", |(_, list)| list).to_owned());
                }
            }
        }
        lines
    }

    /// The names, without the colon.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// A language's own named selectors.
    ///
    /// # Errors
    /// If a line does not parse. Those of built-in languages do; a user's may not.
    pub fn of(language: &'static Language) -> Result<&'static Definitions, SelectorError> {
        let make = || {
            Definitions::parse(language.named_selectors()).map_err(|error| {
                let file = language.named_file(&error.selector);
                error.in_data(language, file)
            })
        };
        language.memo(Memo::Definitions, make).as_ref().map_err(Clone::clone)
    }
}
