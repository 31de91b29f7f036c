//! Encodings: how the bytes of a file are read, and how they are written back.

use std::sync::Arc;

use super::declared::declared;
use super::notebook::Notebook;
use super::span::Span;

/// How a text is stored on disk. UTF-8 and UTF-16 are detected from the bytes; any other encoding must be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    scheme: Scheme,
    mark: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Scheme {
    Utf8,
    Utf16 {
        big_endian: bool,
    },
    Other(&'static encoding_rs::Encoding),
    /// The code of a notebook, in the JSON that it is stored in.
    Notebook(Arc<Notebook>),
}

/// The label by which a notebook is read.
const NOTEBOOK: &str = "notebook";

/// Why bytes could not be read as text, or text not written as bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// No known encoding has the given name.
    #[error("unknown encoding `{label}`")]
    Unknown {
        /// The name as given.
        label: String,
    },
    /// The bytes are not text in the encoding.
    #[error("not {encoding}: byte {offset} has no meaning there")]
    Undecodable {
        /// The encoding tried.
        encoding: String,
        /// The first byte that does not fit.
        offset: usize,
        /// The encoding that the file itself declares, if the bytes are text in it.
        declared: Option<String>,
    },
    /// The bytes contain NUL, which text does not: they are binary, or UTF-16 without a byte order mark.
    #[error("binary: byte {offset} is NUL")]
    Binary {
        /// The first NUL.
        offset: usize,
    },
    /// The bytes are UTF-32.
    #[error("UTF-32, which is not read")]
    Utf32,
    /// The file is no notebook whose code can be read.
    #[error("not a notebook that can be read: {why}")]
    NoNotebook {
        /// Why.
        why: String,
    },
    /// An edit of a notebook changes the code of several cells at once, or adds code outside of them.
    #[error("the edit is not inside of one cell of the notebook")]
    OutsideCells,
    /// Reading and writing back would change bytes.
    #[error("`{encoding}` would not write back the same bytes")]
    Lossy {
        /// The encoding tried.
        encoding: String,
    },
    /// The file's encoding cannot represent a character.
    #[error("`{character}` cannot be written in `{encoding}`")]
    Unencodable {
        /// The file's encoding.
        encoding: String,
        /// The first character that it cannot represent.
        character: char,
    },
}

impl Encoding {
    /// UTF-8 without a byte order mark.
    pub const UTF_8: Encoding = Encoding { scheme: Scheme::Utf8, mark: false };
    /// UTF-8 with a byte order mark.
    pub(super) const UTF_8_WITH_MARK: Encoding = Encoding { scheme: Scheme::Utf8, mark: true };

    /// The name that [`super::Text::decode`] accepts for this encoding: `utf-8`, `utf-16le`, `windows-1252`.
    pub fn name(&self) -> String {
        match &self.scheme {
            Scheme::Notebook(_) => NOTEBOOK.to_owned(),
            Scheme::Utf8 => "utf-8".to_owned(),
            Scheme::Utf16 { big_endian: false } => "utf-16le".to_owned(),
            Scheme::Utf16 { big_endian: true } => "utf-16be".to_owned(),
            Scheme::Other(encoding) => encoding.name().to_ascii_lowercase(),
        }
    }

    /// Whether the file starts with UTF-8's byte order mark.
    pub fn is_utf8_with_mark(&self) -> bool {
        self.mark && self.scheme == Scheme::Utf8
    }

    /// Whether the encoding can be detected from the bytes alone.
    pub fn is_self_describing(&self) -> bool {
        match self.scheme {
            Scheme::Utf8 => true,
            Scheme::Utf16 { .. } => self.mark,
            Scheme::Other(_) | Scheme::Notebook(_) => false,
        }
    }

    /// Whether the text is made of pieces of the file: the code of a notebook.
    pub fn is_of_pieces(&self) -> bool {
        matches!(self.scheme, Scheme::Notebook(_))
    }

    /// The encoding after edits of the text: a span, and its new text.
    #[must_use]
    pub(super) fn edited(&self, edits: &[(Span, &str)]) -> Encoding {
        match &self.scheme {
            Scheme::Notebook(notebook) => {
                Encoding { scheme: Scheme::Notebook(Arc::new(notebook.edited(edits))), mark: self.mark }
            }
            _ => self.clone(),
        }
    }

    /// Whether the file starts with a byte order mark.
    pub fn has_mark(&self) -> bool {
        self.mark
    }

    /// The length of the byte order mark in bytes.
    pub fn mark_length(&self) -> usize {
        match self.scheme {
            Scheme::Utf8 if self.mark => '\u{feff}'.len_utf8(),
            Scheme::Utf16 { .. } if self.mark => 2,
            _ => 0,
        }
    }

    /// The offsets in the file of offsets in `source`, which must be sorted. The byte order mark lies after offset 0
    /// and before all others.
    pub(super) fn encoded_offsets(&self, source: &str, places: &[usize]) -> Vec<usize> {
        if let Scheme::Notebook(notebook) = &self.scheme {
            return places.iter().map(|&place| notebook.offset(source, place)).collect();
        }
        let mut encoder = match self.scheme {
            Scheme::Other(encoding) => Some(encoding.new_encoder()),
            _ => None,
        };
        // The state that a stateful encoding writes between characters counts for the text before it.
        let mut scratch = [0; 1024];
        let mut length = |piece: &str| -> usize {
            let Some(encoder) = &mut encoder else {
                let is_utf8 = self.scheme == Scheme::Utf8;
                return if is_utf8 { piece.len() } else { piece.chars().map(|sign| sign.len_utf16() * 2).sum() };
            };
            let (mut rest, mut written) = (piece, 0);
            while !rest.is_empty() {
                let (_, read, wrote, _) = encoder.encode_from_utf8(rest, &mut scratch, false);
                (rest, written) = (&rest[read..], written + wrote);
            }
            written
        };
        let (mut at, mut stored) = (0, self.mark_length());
        let place = |&place: &usize| {
            stored += length(&source[at..place]);
            at = place;
            if place == 0 { 0 } else { stored }
        };
        places.iter().map(place).collect()
    }

    /// `source` as bytes on disk, with the byte order mark if the file has one.
    pub(super) fn encode(&self, source: &str) -> Result<Vec<u8>, EncodingError> {
        let mark = if self.mark { "\u{feff}" } else { "" };
        match &self.scheme {
            Scheme::Notebook(notebook) => {
                notebook.write(source).map(String::into_bytes).ok_or(EncodingError::OutsideCells)
            }
            Scheme::Utf8 => Ok([mark.as_bytes(), source.as_bytes()].concat()),
            Scheme::Utf16 { big_endian } => {
                let units = mark.encode_utf16().chain(source.encode_utf16());
                Ok(units.flat_map(|unit| if *big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect())
            }
            Scheme::Other(encoding) => {
                let (bytes, _, unmappable) = encoding.encode(source);
                if !unmappable {
                    return Ok(bytes.into_owned());
                }
                let lost = |character: &char| encoding.encode(character.encode_utf8(&mut [0; 4])).2;
                let character = source.chars().find(lost).unwrap_or('\u{fffd}');
                Err(EncodingError::Unencodable { encoding: self.name(), character })
            }
        }
    }
}

/// Refuses bytes with NUL. Only UTF-16 text has NUL bytes.
pub(super) fn check_text(bytes: &[u8]) -> Result<(), EncodingError> {
    memchr::memchr(0, bytes).map_or(Ok(()), |offset| Err(EncodingError::Binary { offset }))
}

/// Whether the bytes begin with a byte order mark, which determines their encoding.
pub(super) fn is_marked(bytes: &[u8]) -> bool {
    let marks = [&[0xef, 0xbb, 0xbf][..], &[0xff, 0xfe], &[0xfe, 0xff]];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

/// The encoding that bytes without a byte order mark declare, if they are text in it and the declaration could be read
/// in it.
fn fitting(bytes: &[u8]) -> Option<String> {
    declared(bytes).filter(|_| !is_marked(bytes)).filter(|label| {
        let is_ascii = label.eq_ignore_ascii_case("ascii") || label.eq_ignore_ascii_case("us-ascii");
        let holds_ascii = named(label).is_some_and(encoding_rs::Encoding::is_ascii_compatible);
        !is_ascii && holds_ascii && decode(bytes, Some(label)).is_ok()
    })
}

/// The text of `bytes`, and its encoding.
pub(super) fn decode(bytes: &[u8], label: Option<&str>) -> Result<(String, Encoding), EncodingError> {
    if label == Some(NOTEBOOK) {
        return decode_notebook(bytes);
    }
    let scheme = match label {
        Some(label) => {
            let unknown = || EncodingError::Unknown { label: label.to_owned() };
            let encoding = named(label).ok_or_else(unknown)?;
            match encoding.name() {
                "UTF-8" => Scheme::Utf8,
                "UTF-16LE" => Scheme::Utf16 { big_endian: bytes.starts_with(&[0xfe, 0xff]) },
                "UTF-16BE" => Scheme::Utf16 { big_endian: true },
                _ => Scheme::Other(encoding),
            }
        }
        // The marks of UTF-32, of which the first is that of UTF-16 before a NUL.
        None if bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]) => {
            return Err(EncodingError::Utf32);
        }
        None if bytes.starts_with(&[0xff, 0xfe]) => Scheme::Utf16 { big_endian: false },
        None if bytes.starts_with(&[0xfe, 0xff]) => Scheme::Utf16 { big_endian: true },
        None => Scheme::Utf8,
    };
    if !matches!(scheme, Scheme::Utf16 { .. }) {
        check_text(bytes)?;
    }
    let plain = Encoding { scheme, mark: false };
    let undecodable = |offset| {
        // Done only once: the declared encoding is tried by its name.
        let declared = if label.is_none() { fitting(bytes) } else { None };
        EncodingError::Undecodable { encoding: plain.name(), offset, declared }
    };
    let mut source = match plain.scheme {
        Scheme::Utf8 => {
            let text = std::str::from_utf8(bytes).map_err(|error| undecodable(error.valid_up_to()))?;
            text.to_owned()
        }
        Scheme::Utf16 { big_endian } => {
            if !bytes.len().is_multiple_of(2) {
                return Err(undecodable(bytes.len() - 1));
            }
            let units = bytes.chunks_exact(2).map(|pair| {
                let pair = [pair[0], pair[1]];
                if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
            });
            let mut offset = 0;
            let mut source = String::with_capacity(bytes.len() / 2);
            for character in char::decode_utf16(units) {
                let character = character.map_err(|_| undecodable(offset))?;
                offset += character.len_utf16() * 2;
                source.push(character);
            }
            source
        }
        Scheme::Notebook(_) => return Err(undecodable(0)),
        Scheme::Other(encoding) => {
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(bytes);
            decoded.ok_or_else(|| undecodable(0))?.into_owned()
        }
    };
    let mark = !matches!(plain.scheme, Scheme::Other(_)) && source.starts_with('\u{feff}');
    if mark {
        source.drain(..'\u{feff}'.len_utf8());
    }
    let encoding = Encoding { mark, ..plain };
    if matches!(encoding.scheme, Scheme::Other(_)) && encoding.encode(&source).as_deref() != Ok(bytes) {
        return Err(EncodingError::Lossy { encoding: encoding.name() });
    }
    Ok((source, encoding))
}

/// The code of a notebook.
fn decode_notebook(bytes: &[u8]) -> Result<(String, Encoding), EncodingError> {
    let raw = std::str::from_utf8(bytes).map_err(|error| EncodingError::Undecodable {
        encoding: "utf-8".to_owned(),
        offset: error.valid_up_to(),
        declared: None,
    })?;
    let (source, notebook) = Notebook::read(raw).map_err(|why| EncodingError::NoNotebook { why })?;
    Ok((source, Encoding { scheme: Scheme::Notebook(Arc::new(notebook)), mark: false }))
}

/// The encoding with that name, as the web spells it, as Python does (`latin-1`, `euc_jp`) or Emacs (`utf-8-unix`).
fn named(label: &str) -> Option<&'static encoding_rs::Encoding> {
    let plain = label.trim().to_ascii_lowercase().replace('_', "-");
    let plain = ["-unix", "-dos", "-mac"].iter().find_map(|ending| plain.strip_suffix(ending)).unwrap_or(&plain);
    let spellings = [label.to_owned(), plain.to_owned(), plain.replace("iso-latin", "latin").replace('-', "")];
    spellings.iter().find_map(|spelling| encoding_rs::Encoding::for_label(spelling.as_bytes()))
}
