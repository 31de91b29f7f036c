//! YAML with places. An alias shares the node that it names; the nodes that a document has with all its aliases are counted, so
//! that a small file cannot stand for an endless one.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::error::{AstGrepError, Place};
use super::model::Placed;

/// The most nodes of a file, and of a document with aliases counted as what they name.
const MOST_NODES: usize = 200_000;
/// The deepest nesting of a document.
const DEEPEST: usize = 128;

/// A node.
#[derive(Debug, Clone)]
pub struct Yaml {
    pub value: Value,
    pub place: Place,
    /// How many nodes it has with those in it.
    size: usize,
}

/// The value of a node.
#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Rc<Yaml>>),
    Table(Vec<Entry>),
}

/// An entry of a table.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    pub place: Place,
    pub value: Rc<Yaml>,
}

impl Entry {
    /// The key with its place.
    pub fn name(&self) -> Placed<String> {
        Placed { value: self.key.clone(), place: self.place }
    }
}

impl Yaml {
    /// The value of a key of a table.
    pub fn get(&self, key: &str) -> Option<&Rc<Yaml>> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value),
            _ => None,
        }
    }

    /// Its text; numbers and truth values as they are written in lower case.
    pub fn text(&self) -> Option<String> {
        match &self.value {
            Value::Text(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }
}

/// An unfinished list or table.
struct Open {
    anchor: usize,
    place: Place,
    nodes: Vec<Rc<Yaml>>,
    is_table: bool,
}

/// The documents of a text.
///
/// # Errors
/// If it is not YAML, or too large with its aliases.
pub fn read(source: &str) -> Result<Vec<Rc<Yaml>>, AstGrepError> {
    let mut documents = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, Rc<Yaml>> = HashMap::new();
    let mut parser = Parser::new_from_str(source);
    let mut count = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let place = Place { line: error.marker().line(), column: error.marker().col() + 1 };
            AstGrepError::new(error.info().to_owned(), place)
        })?;
        let place = Place { line: span.start.line(), column: span.start.col() + 1 };
        let done = match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) if open.len() >= DEEPEST => {
                let _ = anchor;
                return Err(AstGrepError::new(format!("nested more than {DEEPEST} deep"), place));
            }
            Event::SequenceStart(anchor, _) => {
                open.push(Open { anchor, place, nodes: Vec::new(), is_table: false });
                None
            }
            Event::MappingStart(anchor, _) => {
                open.push(Open { anchor, place, nodes: Vec::new(), is_table: true });
                None
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => {
                    let anchor = closed.anchor;
                    Some((close(closed)?, anchor))
                }
                None => None,
            },
            Event::Scalar(text, style, anchor, _) => {
                let value = if style == ScalarStyle::Plain { plain(&text) } else { Value::Text(text.into_owned()) };
                Some((Rc::new(Yaml { value, place, size: 1 }), anchor))
            }
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some(named) => Some((Rc::clone(named), 0)),
                None => return Err(AstGrepError::new("an alias names nothing".to_owned(), place)),
            },
            _ => None,
        };
        let Some((node, anchor)) = done else { continue };
        count += 1;
        // The nodes of an unfinished list count, too.
        if node.size > MOST_NODES || count > MOST_NODES {
            return Err(AstGrepError::new(format!("more than {MOST_NODES} nodes with all aliases"), place));
        }
        if anchor > 0 {
            anchors.insert(anchor, Rc::clone(&node));
        }
        match open.last_mut() {
            Some(parent) => parent.nodes.push(node),
            None => documents.push(node),
        }
    }
    Ok(documents)
}

fn close(closed: Open) -> Result<Rc<Yaml>, AstGrepError> {
    let size = closed.nodes.iter().map(|node| node.size).fold(1_usize, usize::saturating_add);
    let value = match closed.is_table {
        false => Value::List(closed.nodes),
        true => {
            let mut entries: Vec<Entry> = Vec::with_capacity(closed.nodes.len() / 2);
            let mut names = HashSet::new();
            for pair in closed.nodes.chunks(2) {
                let [key, value] = pair else { continue };
                let Some(name) = key.text() else {
                    return Err(AstGrepError::new("a key that is not a word".to_owned(), key.place));
                };
                if !names.insert(name.clone()) {
                    return Err(AstGrepError::new(format!("the key `{name}` is there twice"), key.place));
                }
                entries.push(Entry { key: name, place: key.place, value: Rc::clone(value) });
            }
            Value::Table(entries)
        }
    };
    Ok(Rc::new(Yaml { value, place: closed.place, size }))
}

/// A scalar without quotes.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Number),
    }
}
