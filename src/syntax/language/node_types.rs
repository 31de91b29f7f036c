//! The content of a grammar's `node-types.json`: fields of each type, types below each supertype.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// Fields and supertypes of a grammar.
#[derive(Debug, Default)]
pub struct NodeTypes {
    fields: BTreeMap<String, BTreeSet<String>>,
    subtypes: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    name: String,
    named: bool,
    #[serde(default)]
    fields: BTreeMap<String, serde::de::IgnoredAny>,
    #[serde(default)]
    subtypes: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "type")]
    name: String,
    named: bool,
}

impl NodeTypes {
    /// Reads the JSON of a grammar crate's `NODE_TYPES`. If the text is invalid, nothing is known.
    pub(super) fn new(source: &str) -> NodeTypes {
        let entries: Vec<Entry> = serde_json::from_str(source).unwrap_or_default();
        let mut types = NodeTypes::default();
        for entry in entries.into_iter().filter(|entry| entry.named) {
            if !entry.subtypes.is_empty() {
                let named = entry.subtypes.into_iter().filter(|reference| reference.named);
                types.subtypes.insert(entry.name, named.map(|reference| reference.name).collect());
            } else {
                types.fields.insert(entry.name, entry.fields.into_keys().collect());
            }
        }
        types
    }

    /// Checks that a text is in tree-sitter's format, or empty.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn check(source: &str) -> Result<(), String> {
        if source.is_empty() {
            return Ok(());
        }
        serde_json::from_str::<Vec<Entry>>(source).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Whether anything is known: a user's grammar may come without its `node-types.json`.
    pub fn is_known(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Whether a node of the type can have the field.
    pub fn has_field(&self, type_name: &str, field: &str) -> bool {
        self.fields.get(type_name).is_some_and(|fields| fields.contains(field))
    }

    /// The fields that a node of the type can have.
    pub fn fields_of(&self, type_name: &str) -> impl Iterator<Item = &str> {
        self.fields.get(type_name).into_iter().flatten().map(String::as_str)
    }

    /// The names of the supertypes.
    pub fn supertypes(&self) -> impl Iterator<Item = &str> {
        self.subtypes.keys().map(String::as_str)
    }

    /// The node types below a supertype, with nested supertypes resolved; empty for another word.
    pub fn subtypes_of(&self, supertype: &str) -> Vec<&str> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![supertype];
        while let Some(name) = open.pop() {
            for subtype in self.subtypes.get(name).into_iter().flatten() {
                if self.subtypes.contains_key(subtype) {
                    if seen.insert(subtype.as_str()) {
                        open.push(subtype);
                    }
                } else {
                    found.insert(subtype.as_str());
                }
            }
        }
        found.into_iter().collect()
    }
}
