//! Edits of config files: a value is added under a path of keys, or removed, and every other byte stays.
//!
//! The written form alone says how to remove a value, so no record of an installation is needed. A value goes last into its
//! object or array, and the comma before it and its line go with it again. The values do not say whether an object was
//! there before, empty, or was created for the value. Hence:
//!
//! - containers created for a value are written on lines of their own or, in a file of one line, without blanks inside
//!   their brackets, and are removed when they become empty;
//! - an existing empty object gets `{ "key": … }`, with one blank inside each bracket, and stays;
//! - an existing blank file gets two blanks, `{  "key": …  }`, and stays;
//! - a TOML table is preceded by an empty line unless it begins a new file.
//!
//! After an edit the result is read by an independent parser and must have the old value plus the new one, or minus it;
//! otherwise the edit is refused.

mod json;
mod render;
mod source;
mod tables;

pub(super) use json::{Addition, elements_under, put, replace, take, value_at};
pub use render::Style;
pub(super) use tables::{put_table, take_table, toml_value};

use serde_json::Value;

use crate::text::{Position, Text};

/// The format of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON; comments and trailing commas are accepted.
    Json,
    /// TOML.
    Toml,
}

/// A step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// Into an object.
    Name(String),
    /// Into an array.
    Index(usize),
}

impl From<&str> for Key {
    fn from(name: &str) -> Key {
        Key::Name(name.to_owned())
    }
}

/// A config after a removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum After {
    /// Its text.
    Text(String),
    /// Nothing is left of it, and the file did not exist before the installation.
    Gone,
}

/// Why a config can't be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Unreadable {
    what: String,
    place: Option<Position>,
}

impl Unreadable {
    /// A problem with the file as a whole.
    pub(super) fn plain(what: impl Into<String>) -> Unreadable {
        Unreadable { what: what.into(), place: None }
    }

    /// A problem at a place.
    fn at(text: &Text, offset: usize, what: impl Into<String>) -> Unreadable {
        Unreadable { what: what.into(), place: Some(text.position(offset.min(text.len()))) }
    }

    fn of_json(text: &str, error: &serde_json::Error) -> Unreadable {
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message);
        // The parser counts bytes from 1, and only `\n` as a line end.
        let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let before = line.get(..error.column().saturating_sub(1)).unwrap_or(line);
        let place = Position { line: error.line().max(1), column: before.chars().count() };
        Unreadable { what: what.to_owned(), place: Some(place) }
    }

    /// The place.
    pub fn place(&self) -> Option<Position> {
        self.place
    }
}

/// Whether a value contains all members of another, recursively, or is equal to it.
pub(super) fn includes(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| value.get(key).is_some_and(|value| includes(value, wanted)))
        }
        _ => value == wanted,
    }
}

/// A value with the members of another merged into it.
pub(super) fn overlaid(value: &Value, wanted: &Value) -> Value {
    let (Value::Object(value), Value::Object(wanted)) = (value, wanted) else { return wanted.clone() };
    let mut merged = value.clone();
    for (key, wanted) in wanted {
        let member = merged.get(key).map_or_else(|| wanted.clone(), |value| overlaid(value, wanted));
        merged.insert(key.clone(), member);
    }
    Value::Object(merged)
}
