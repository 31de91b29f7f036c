//! SCIP: the meanings of a file's names in the format that code search and editors read.
//!
//! The format is a protobuf message; the few fields that are written here are encoded by hand. Positions count characters.

use rustc_hash::FxHashMap;

use super::inference::find::{is_lasting, names};
use super::inference::resolver::Resolver;
use super::model::{Meaning, Site, Thing};
use crate::modules::FileId;

/// The fields of SCIP's messages that are written.
mod field {
    pub(super) const INDEX_METADATA: u32 = 1;
    pub(super) const INDEX_DOCUMENTS: u32 = 2;
    pub(super) const METADATA_TOOL: u32 = 2;
    pub(super) const METADATA_ROOT: u32 = 3;
    pub(super) const METADATA_ENCODING: u32 = 4;
    pub(super) const TOOL_NAME: u32 = 1;
    pub(super) const TOOL_VERSION: u32 = 2;
    pub(super) const DOCUMENT_PATH: u32 = 1;
    pub(super) const DOCUMENT_OCCURRENCES: u32 = 2;
    pub(super) const DOCUMENT_SYMBOLS: u32 = 3;
    pub(super) const DOCUMENT_LANGUAGE: u32 = 4;
    pub(super) const DOCUMENT_POSITIONS: u32 = 6;
    pub(super) const OCCURRENCE_RANGE: u32 = 1;
    pub(super) const OCCURRENCE_SYMBOL: u32 = 2;
    pub(super) const OCCURRENCE_ROLES: u32 = 3;
    pub(super) const SYMBOL_NAME: u32 = 1;
}

/// The role of an occurrence that defines.
const DEFINITION: u64 = 1;
/// Texts are UTF-8, and positions count characters.
const UTF_8: u64 = 1;
const CHARACTERS: u64 = 3;

/// The start of an index: the program, and the root of the project.
pub fn scip_head(root: &str) -> Vec<u8> {
    let mut tool = Message::default();
    tool.text(field::TOOL_NAME, "cst");
    tool.text(field::TOOL_VERSION, env!("CARGO_PKG_VERSION"));
    let mut metadata = Message::default();
    metadata.message(field::METADATA_TOOL, &tool);
    metadata.text(field::METADATA_ROOT, root);
    metadata.number(field::METADATA_ENCODING, UTF_8);
    let mut index = Message::default();
    index.message(field::INDEX_METADATA, &metadata);
    index.0
}

/// The part of an index with the names of one file whose meaning is known.
pub fn scip_document(resolver: &Resolver<'_>, file: FileId) -> Vec<u8> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let mut document = Message::default();
    document.text(field::DOCUMENT_PATH, &resolver.project().file(file).path);
    document.text(field::DOCUMENT_LANGUAGE, tree.language().name());
    document.number(field::DOCUMENT_POSITIONS, CHARACTERS);
    let mut known: FxHashMap<Thing, Option<String>> = FxHashMap::default();
    let mut defined = Vec::new();
    for name in names(resolver, file) {
        let Meaning::Known(things) = name.meaning else { continue };
        for thing in things {
            let symbol = known.entry(thing).or_insert_with(|| symbol_of(resolver, file, thing));
            let Some(symbol) = symbol else { continue };
            let is_definition = thing == Thing::Symbol(Site { file, name: name.node });
            let (start, end) = (tree.text().position(name.span.start()), tree.text().position(name.span.end()));
            let mut range = Message::default();
            for number in [start.line - 1, start.col() - 1, end.col() - 1] {
                range.varint(number as u64);
            }
            let mut occurrence = Message::default();
            occurrence.message(field::OCCURRENCE_RANGE, &range);
            occurrence.text(field::OCCURRENCE_SYMBOL, symbol);
            if is_definition {
                occurrence.number(field::OCCURRENCE_ROLES, DEFINITION);
                defined.push(symbol.clone());
            }
            document.message(field::DOCUMENT_OCCURRENCES, &occurrence);
        }
    }
    for symbol in defined {
        let mut information = Message::default();
        information.text(field::SYMBOL_NAME, &symbol);
        document.message(field::DOCUMENT_SYMBOLS, &information);
    }
    let mut index = Message::default();
    index.message(field::INDEX_DOCUMENTS, &document);
    index.0
}

/// SCIP's name of a symbol: global, or local to its document.
fn symbol_of(resolver: &Resolver<'_>, file: FileId, thing: Thing) -> Option<String> {
    let site = match thing {
        Thing::Symbol(site) => site,
        Thing::Module(module) => return Some(format!("cst . . . {}/", escaped(&resolver.project().file(module).path))),
        Thing::Folder(_) | Thing::Package(_) => return None,
    };
    let view = resolver.view(site.file)?;
    if !is_lasting(resolver, &view, site.name) {
        // Another document's local symbol has no name here.
        return (site.file == file).then(|| format!("local {}", site.name.index()));
    }
    let definition = resolver.describe(thing)?;
    let mut symbol = format!("cst . . . {}/", escaped(&resolver.project().file(site.file).path));
    let parts: Vec<&str> = definition.qualname.split('.').collect();
    let (last, outer) = parts.split_last()?;
    for part in outer {
        symbol.push_str(&format!("{}#", escaped(part)));
    }
    let is_function = resolver.definition_of(&view, site.name).is_some_and(|node| resolver.is_function(&view, node));
    let suffix = match resolver.class_scope(&view, site.name) {
        Some(_) => "#",
        None if is_function => "().",
        None => ".",
    };
    symbol.push_str(&format!("{}{suffix}", escaped(last)));
    Some(symbol)
}

/// A name as SCIP writes it: in backticks, if it has other signs than letters.
fn escaped(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_+-$".contains(letter);
    if !name.is_empty() && name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("`{}`", name.replace('`', "``"))
    }
}

/// A protobuf message.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 128 {
            self.0.push(number.to_le_bytes()[0] | 128);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    fn number(&mut self, field: u32, number: u64) {
        self.varint(u64::from(field) << 3);
        self.varint(number);
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn message(&mut self, field: u32, message: &Message) {
        self.bytes(field, &message.0);
    }
}
