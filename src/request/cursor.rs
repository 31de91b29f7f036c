//! Cursors of `find`: where an answer ended, so that the next one searches no file before that place.
//!
//! A cursor names a file and a place among its matches, `TARGET.INDEX.REVISION/PATH`: the index of the request's target; the
//! index of the next match in the file; the revision of the file, since a match index is valid for one content only; and
//! the path inside of a target that is a folder. After the last match of a file it is `TARGET.end/PATH`.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::project::{path_text, unquoted};
use crate::request::error::EngineError;

/// A place in the list of all matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The file.
    pub place: ItemPlace,
    /// The place in it.
    pub next: Next,
}

/// A file of a search, as a later search finds it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPlace {
    /// The index of the target that it belongs to.
    pub target: usize,
    /// Its path inside of the target, if that is a folder.
    pub inside: Option<PathBuf>,
}

/// What follows in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The match with this index, if the file still has this revision.
    Match {
        /// The index.
        index: usize,
        /// The revision: letters and digits.
        revision: String,
    },
    /// Nothing: all of its matches were listed.
    End,
}

/// The matches of a page that belong to one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageRun {
    /// How many matches of the page precede them.
    pub before: usize,
    /// The file.
    pub place: ItemPlace,
    /// The index of the first of them in the file.
    pub index: usize,
    /// How many matches the file has.
    pub total: usize,
    /// The revision of the file: letters and digits.
    pub revision: String,
}

impl PageRun {
    /// The cursor after the first `listed` matches of the page, the last of which belongs to this file.
    pub fn cursor_after(&self, listed: usize) -> Cursor {
        let index = self.index + listed.saturating_sub(self.before);
        let next = match index < self.total {
            true => Next::Match { index, revision: self.revision.clone() },
            false => Next::End,
        };
        Cursor { place: self.place.clone(), next }
    }
}

impl Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.", self.place.target)?;
        match &self.next {
            Next::Match { index, revision } => write!(formatter, "{index}.{revision}")?,
            Next::End => formatter.write_str("end")?,
        }
        match &self.place.inside {
            Some(path) => write!(formatter, "/{}", escape(&path_text(path).replace(std::path::MAIN_SEPARATOR, "/"))),
            None => Ok(()),
        }
    }
}

impl FromStr for Cursor {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Cursor, EngineError> {
        read(text).ok_or_else(|| {
            let message = format!("`{text}` is not a valid cursor");
            EngineError::bad_request(message).hint("leave it out to begin at the first match")
        })
    }
}

fn read(text: &str) -> Option<Cursor> {
    let (place, inside) = match text.split_once('/') {
        Some((place, path)) => (place, Some(unescape(path)?)),
        None => (text, None),
    };
    let is_revision = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (target, next) = place.split_once('.')?;
    let next = match next.split_once('.') {
        Some((index, revision)) if is_revision(revision) => {
            Next::Match { index: index.parse().ok()?, revision: revision.to_owned() }
        }
        None if next == "end" => Next::End,
        _ => return None,
    };
    let inside = inside.map(|path| unquoted(&path).unwrap_or_else(|| Path::new(&path).to_owned()));
    Some(Cursor { place: ItemPlace { target: target.parse().ok()?, inside }, next })
}

/// A path without characters that end a line or a quoted text.
fn escape(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for character in path.chars() {
        match character {
            '%' | '"' | '\\' | '\0'..='\u{1f}' | '\u{7f}' => {
                escaped.push_str(&format!("%{:02x}", u32::from(character)))
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn unescape(escaped: &str) -> Option<String> {
    let mut path = String::with_capacity(escaped.len());
    let mut parts = escaped.split('%');
    path.push_str(parts.next()?);
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        path.push(char::from(u8::from_str_radix(code, 16).ok().filter(u8::is_ascii)?));
        path.push_str(rest);
    }
    Some(path)
}
