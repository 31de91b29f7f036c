//! Edits of config files: a value comes under a path of keys, or goes, and every other byte stays.
//!
//! What is written tells by its shape alone how to take it back, so no record of an installation is needed. A value goes last
//! into the object or array that it belongs in; the comma before it and the line that it stands on go with it again. The one
//! thing that values don't tell is whether an object was there before, empty, or came with the value; hence:
//!
//! - what came with a value is written on lines of its own or, in a file of one line, without blanks inside its brackets, and
//!   goes when nothing else is left in it;
//! - an object that was there and empty gets `{ "key": … }`, one blank inside each bracket, and stays;
//! - a file that was there and blank gets two blanks, `{  "key": …  }`, and stays;
//! - a TOML table is preceded by an empty line unless it begins a new file.
//!
//! After an edit the result is read again by a parser that isn't ours, and must say what the old text said plus the value, or
//! minus it; else the edit is refused.

mod json;
mod render;
mod source;
mod tables;

pub(super) use json::{Addition, elements_under, put, replace, take, value_at};
pub use render::Style;
pub(super) use tables::{put_table, take_table, toml_value};

use serde_json::Value;

use crate::text::{Position, Text};

/// How a config is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON; comments and trailing commas are let be.
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

/// What became of a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum After {
    /// Its text.
    Text(String),
    /// Nothing is left of it, and it wasn't there before what was taken from it.
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
    /// What is wrong with the file as a whole.
    pub(super) fn plain(what: impl Into<String>) -> Unreadable {
        Unreadable { what: what.into(), place: None }
    }

    /// What is wrong at a place.
    fn at(text: &Text, offset: usize, what: impl Into<String>) -> Unreadable {
        Unreadable { what: what.into(), place: Some(text.position(offset.min(text.len()))) }
    }

    fn of_json(text: &str, error: &serde_json::Error) -> Unreadable {
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message);
        // The parser counts bytes, from 1, and lines by `\n` alone.
        let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let before = line.get(..error.column().saturating_sub(1)).unwrap_or(line);
        let place = Position { line: error.line().max(1), column: before.chars().count() };
        Unreadable { what: what.to_owned(), place: Some(place) }
    }

    /// Where.
    pub fn place(&self) -> Option<Position> {
        self.place
    }
}

/// Whether a value has all that another one has: each of its members, and the same where there are none.
pub(super) fn includes(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| value.get(key).is_some_and(|value| includes(value, wanted)))
        }
        _ => value == wanted,
    }
}

/// A value with the members of another one put over its own.
pub(super) fn overlaid(value: &Value, wanted: &Value) -> Value {
    let (Value::Object(value), Value::Object(wanted)) = (value, wanted) else { return wanted.clone() };
    let mut merged = value.clone();
    for (key, wanted) in wanted {
        let member = merged.get(key).map_or_else(|| wanted.clone(), |value| overlaid(value, wanted));
        merged.insert(key.clone(), member);
    }
    Value::Object(merged)
}
