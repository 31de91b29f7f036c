//! Values of tables in YAML.

use std::rc::Rc;

use super::error::AstGrepError;
use super::model::Placed;
use super::yaml::{Entry, Value, Yaml};
use crate::selector::nearest;

pub(super) type Read<T> = Result<T, AstGrepError>;

pub(super) fn wrong<T>(node: &Yaml, message: impl Into<String>) -> Read<T> {
    Err(AstGrepError::new(message.into(), node.place))
}

pub(super) fn entries<'y>(node: &'y Yaml, what: &str) -> Read<&'y [Entry]> {
    match &node.value {
        Value::Table(entries) => Ok(entries),
        Value::Null => Ok(&[]),
        _ => wrong(node, format!("{what} is a table")),
    }
}

pub(super) fn list<'y>(node: &'y Yaml, what: &str) -> Read<&'y [Rc<Yaml>]> {
    match &node.value {
        Value::List(items) => Ok(items),
        Value::Null => Ok(&[]),
        _ => wrong(node, format!("{what} is a list")),
    }
}

pub(super) fn text(node: &Yaml, what: &str) -> Read<Placed<String>> {
    match node.text() {
        Some(value) => Ok(Placed { value, place: node.place }),
        None => wrong(node, format!("{what} is a text")),
    }
}

/// The texts of a list; a text alone is a list of one.
pub(super) fn texts(node: &Yaml, what: &str) -> Read<Vec<String>> {
    match &node.value {
        Value::List(items) => items.iter().map(|item| Ok(text(item, what)?.value)).collect(),
        Value::Null => Ok(Vec::new()),
        _ => Ok(vec![text(node, what)?.value]),
    }
}

pub(super) fn unknown_key(entry: &Entry, known: &[&str]) -> AstGrepError {
    let error = AstGrepError::new(format!("unknown key `{}`", entry.key), entry.place);
    match nearest(&entry.key, "", known.iter().copied()) {
        Some(hint) => error.hint(hint),
        None => error.hint(format!("one of `{}`", known.join("`, `"))),
    }
}
