//! The definitions of a content as bytes.

use serde::{Deserialize, Serialize};

use crate::facts::DefinitionFacts;

/// The definitions, with words that occur often written once.
#[derive(Serialize, Deserialize)]
struct Packed {
    words: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    /// The scope and the kind, as places in the list of words.
    scope: u32,
    kind: u32,
    signature: String,
    line: u32,
    col: u32,
    /// How many lines it begins above its name, and ends below it.
    above: u32,
    below: u32,
    depth: u32,
}

/// Definitions as bytes; `None` if they cannot be written.
pub(super) fn packed(definitions: &[DefinitionFacts]) -> Option<Vec<u8>> {
    let mut words: Vec<String> = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    let mut place = |word: &str| match places.get(word) {
        Some(&place) => place,
        None => {
            let place = u32::try_from(words.len()).unwrap_or(u32::MAX);
            words.push(word.to_owned());
            places.insert(word.to_owned(), place);
            place
        }
    };
    let row = |definition: &DefinitionFacts| Row {
        name: definition.name.clone(),
        scope: place(&definition.scope),
        kind: place(&definition.kind),
        signature: definition.signature.clone(),
        line: definition.place.0,
        col: definition.place.1,
        above: definition.place.0.saturating_sub(definition.lines.0),
        below: definition.lines.1.saturating_sub(definition.place.0),
        depth: definition.depth,
    };
    let rows = definitions.iter().map(row).collect();
    postcard::to_allocvec(&Packed { words, rows }).ok()
}

/// The definitions of some bytes; `None` if they are damaged.
pub(super) fn unpacked(bytes: &[u8]) -> Option<Vec<DefinitionFacts>> {
    let Packed { words, rows } = postcard::from_bytes(bytes).ok()?;
    let word = |place: u32| words.get(place as usize).cloned();
    let definition = |row: Row| {
        Some(DefinitionFacts {
            scope: word(row.scope)?,
            kind: word(row.kind)?,
            name: row.name,
            signature: row.signature,
            place: (row.line, row.col),
            lines: (row.line.checked_sub(row.above)?, row.line.checked_add(row.below)?),
            depth: row.depth,
        })
    };
    rows.into_iter().map(definition).collect()
}
