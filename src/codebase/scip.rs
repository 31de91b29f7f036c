//! Reading SCIP: which occurrence in which document means which symbol.
//!
//! Only the few fields that say so are decoded, by hand; every length is checked, so a damaged index is an error and nothing else.

use std::fmt;

use rustc_hash::FxHashMap;

/// The fields of SCIP's messages that are read.
mod field {
    pub(super) const INDEX_METADATA: u64 = 1;
    pub(super) const INDEX_DOCUMENTS: u64 = 2;
    pub(super) const METADATA_TOOL: u64 = 2;
    pub(super) const METADATA_ROOT: u64 = 3;
    pub(super) const TOOL_NAME: u64 = 1;
    pub(super) const DOCUMENT_PATH: u64 = 1;
    pub(super) const DOCUMENT_OCCURRENCES: u64 = 2;
    pub(super) const DOCUMENT_POSITIONS: u64 = 6;
    pub(super) const OCCURRENCE_RANGE: u64 = 1;
    pub(super) const OCCURRENCE_SYMBOL: u64 = 2;
    pub(super) const OCCURRENCE_ROLES: u64 = 3;
}

/// The role of an occurrence that defines.
const DEFINITION: u64 = 1;

/// What is read of an index.
#[derive(Debug, Default)]
pub struct ScipIndex {
    /// The program that made it.
    pub tool: String,
    /// The folder that its paths begin at, as a URL.
    pub root: String,
    /// The symbols, each once. Those that are local to a document have its number before them.
    pub symbols: Vec<String>,
    /// The documents.
    pub documents: Vec<ScipDocument>,
}

/// A document of an index.
#[derive(Debug, Default)]
pub struct ScipDocument {
    /// Its path from the root.
    pub path: String,
    /// What its columns count.
    pub columns: ScipColumns,
    /// Its occurrences that are in one line.
    pub occurrences: Vec<ScipOccurrence>,
}

/// What columns count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ScipColumns {
    /// Bytes.
    Bytes,
    /// Units of UTF-16, as editors count; also if the index does not say it.
    #[default]
    Units,
    /// Characters.
    Characters,
}

/// An occurrence of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScipOccurrence {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0.
    pub start: u32,
    /// The column after it.
    pub end: u32,
    /// The place of the symbol in the list of the index.
    pub symbol: u32,
    /// Whether it defines the symbol.
    pub is_definition: bool,
}

/// Why an index cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScipError {
    /// A message at this byte is longer than what contains it, or its number does not end.
    Cut(usize),
    /// There is a sign at this byte that no message has.
    Unknown(usize),
    /// It has no metadata.
    NoIndex,
}

impl fmt::Display for ScipError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScipError::Cut(at) => write!(to, "it is cut or damaged at byte {at}"),
            ScipError::Unknown(at) => write!(to, "it is damaged at byte {at}"),
            ScipError::NoIndex => write!(to, "it is not a SCIP index: it has no metadata"),
        }
    }
}

/// Reads an index.
///
/// # Errors
/// If it is damaged.
pub fn read_scip(bytes: &[u8]) -> Result<ScipIndex, ScipError> {
    let mut index = ScipIndex::default();
    let mut known: FxHashMap<String, u32> = FxHashMap::default();
    let mut has_metadata = false;
    let mut message = Message { bytes, offset: 0, at: 0 };
    while let Some((field, value)) = message.next()? {
        match (field, value) {
            (field::INDEX_METADATA, Value::Bytes(metadata)) => {
                has_metadata = true;
                read_metadata(metadata, &mut index)?;
            }
            (field::INDEX_DOCUMENTS, Value::Bytes(document)) => {
                let number = index.documents.len();
                let document = read_document(document, number, &mut known)?;
                index.documents.push(document);
            }
            _ => {}
        }
    }
    if !has_metadata {
        return Err(ScipError::NoIndex);
    }
    let mut symbols: Vec<(String, u32)> = known.into_iter().collect();
    symbols.sort_unstable_by_key(|(_, number)| *number);
    index.symbols = symbols.into_iter().map(|(symbol, _)| symbol).collect();
    Ok(index)
}

fn read_metadata(mut message: Message<'_>, index: &mut ScipIndex) -> Result<(), ScipError> {
    while let Some((field, value)) = message.next()? {
        match (field, value) {
            (field::METADATA_ROOT, Value::Bytes(root)) => index.root = root.text(),
            (field::METADATA_TOOL, Value::Bytes(mut tool)) => {
                while let Some((field, value)) = tool.next()? {
                    if let (field::TOOL_NAME, Value::Bytes(name)) = (field, value) {
                        index.tool = name.text();
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_document(
    mut message: Message<'_>,
    number: usize,
    known: &mut FxHashMap<String, u32>,
) -> Result<ScipDocument, ScipError> {
    let mut document = ScipDocument::default();
    while let Some((field, value)) = message.next()? {
        match (field, value) {
            (field::DOCUMENT_PATH, Value::Bytes(path)) => document.path = path.text(),
            (field::DOCUMENT_POSITIONS, Value::Number(encoding)) => {
                document.columns = match encoding {
                    1 => ScipColumns::Bytes,
                    3 => ScipColumns::Characters,
                    _ => ScipColumns::Units,
                };
            }
            (field::DOCUMENT_OCCURRENCES, Value::Bytes(occurrence)) => {
                document.occurrences.extend(read_occurrence(occurrence, number, known)?);
            }
            _ => {}
        }
    }
    Ok(document)
}

/// An occurrence; `None` if it is in several lines, or without a symbol.
fn read_occurrence(
    mut message: Message<'_>,
    document: usize,
    known: &mut FxHashMap<String, u32>,
) -> Result<Option<ScipOccurrence>, ScipError> {
    let (mut range, mut symbol, mut roles) = (Vec::new(), None, 0);
    while let Some((field, value)) = message.next()? {
        match (field, value) {
            (field::OCCURRENCE_RANGE, Value::Bytes(mut numbers)) => {
                while !numbers.is_done() && range.len() < 4 {
                    range.push(numbers.varint()?);
                }
            }
            (field::OCCURRENCE_RANGE, Value::Number(number)) if range.len() < 4 => range.push(number),
            (field::OCCURRENCE_SYMBOL, Value::Bytes(text)) => symbol = Some(text.text()),
            (field::OCCURRENCE_ROLES, Value::Number(number)) => roles = number,
            _ => {}
        }
    }
    let (line, start, end) = match *range.as_slice() {
        [line, start, end] => (line, start, end),
        [line, start, last, end] if line == last => (line, start, end),
        _ => return Ok(None),
    };
    let small = |number: u64| u32::try_from(number).ok();
    let (Some(line), Some(start), Some(end)) = (small(line), small(start), small(end)) else { return Ok(None) };
    let Some(symbol) = symbol.filter(|symbol| !symbol.is_empty() && start < end) else { return Ok(None) };
    let symbol = if symbol.starts_with("local ") { format!("{document} {symbol}") } else { symbol };
    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
    let symbol = *known.entry(symbol).or_insert(next);
    Ok(Some(ScipOccurrence { line, start, end, symbol, is_definition: roles & DEFINITION != 0 }))
}

/// The name at the end of a symbol; `None` for one that is local to a document.
pub fn name_of_symbol(symbol: &str) -> Option<String> {
    let is_local = symbol
        .split_once(' ')
        .is_some_and(|(number, rest)| rest.starts_with("local ") && number.bytes().all(|byte| byte.is_ascii_digit()));
    if is_local {
        return None;
    }
    let inside = |open: char| symbol[..symbol.len() - 1].rsplit_once(open).map_or("", |(_, name)| name);
    let rest = match symbol.chars().last()? {
        ')' => inside('('),
        ']' => inside('['),
        '.' if symbol.ends_with(").") => symbol.rsplit_once('(')?.0,
        '.' | '#' | '/' | ':' | '!' => &symbol[..symbol.len() - 1],
        _ => return Some(String::new()),
    };
    if let Some(quoted) = rest.strip_suffix('`') {
        let start = quoted.rfind('`')?;
        return Some(quoted[start + 1..].to_owned());
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "_+-$".contains(letter);
    let start =
        rest.char_indices().rev().take_while(|&(_, letter)| is_plain(letter)).last().map_or(rest.len(), |(at, _)| at);
    Some(rest[start..].to_owned())
}

/// A protobuf message that is read from the front.
struct Message<'a> {
    bytes: &'a [u8],
    /// Where it begins in the index.
    offset: usize,
    at: usize,
}

enum Value<'a> {
    Number(u64),
    Bytes(Message<'a>),
    Other,
}

impl<'a> Message<'a> {
    fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The next field and its value.
    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, ScipError> {
        if self.is_done() {
            return Ok(None);
        }
        let start = self.offset + self.at;
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => {
                self.take(8)?;
                Value::Other
            }
            2 => {
                let length = self.varint()?;
                let length = usize::try_from(length).map_err(|_| ScipError::Cut(start))?;
                Value::Bytes(self.take(length)?)
            }
            5 => {
                self.take(4)?;
                Value::Other
            }
            _ => return Err(ScipError::Unknown(start)),
        };
        match key >> 3 {
            0 => Err(ScipError::Unknown(start)),
            field => Ok(Some((field, value))),
        }
    }

    fn take(&mut self, length: usize) -> Result<Message<'a>, ScipError> {
        let offset = self.offset + self.at;
        let end = self.at.checked_add(length).ok_or(ScipError::Cut(offset))?;
        let bytes = self.bytes.get(self.at..end).ok_or(ScipError::Cut(offset))?;
        self.at = end;
        Ok(Message { bytes, offset, at: 0 })
    }

    fn varint(&mut self) -> Result<u64, ScipError> {
        let mut number = 0u64;
        for place in 0..10 {
            let byte = *self.bytes.get(self.at).ok_or(ScipError::Cut(self.offset + self.at))?;
            self.at += 1;
            number |= u64::from(byte & 127).checked_shl(place * 7).unwrap_or(0);
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(ScipError::Unknown(self.offset + self.at))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }
}
