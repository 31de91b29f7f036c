//! The catalogue: the content of a store, one record per file.

use std::collections::HashMap;

use super::sum;
use crate::project::Stamp;

/// The start of every catalogue; the number is the version of its format.
const MAGIC: &[u8; 8] = b"cstidx\x00\x03";

/// A file in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub stamp: Stamp,
    /// The time when it was read, in nanoseconds since 1970.
    pub read_at: i64,
    pub hash: [u8; 16],
    /// The pack that contains it.
    pub pack: u32,
    pub at: u64,
    pub nodes: u32,
    pub text: u32,
    /// Whether the file begins with a byte order mark, which is not part of the text.
    pub mark: bool,
    pub table_sum: u64,
    pub text_sum: u64,
    /// The length and the checksum of the note next to the table.
    pub note: u32,
    pub note_sum: u64,
    /// The index of its language in the catalogue.
    pub language: u16,
}

impl Record {
    /// The number of bytes that it takes in its pack.
    pub fn size(&self) -> u64 {
        (u64::from(self.nodes) * 20 + u64::from(self.text) + u64::from(self.note)).next_multiple_of(8)
    }
}

/// All records of a store.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// The folder that was indexed.
    pub root: String,
    /// Each language with the version of its grammar and data.
    pub languages: Vec<(String, String)>,
    /// By path, relative to the root.
    pub records: HashMap<String, Record, rustc_hash::FxBuildHasher>,
    /// The number of the next pack.
    pub next_pack: u32,
}

impl Catalogue {
    /// The catalogue as bytes, with a checksum at the end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        // Detects catalogues from machines with another byte order.
        bytes.extend(1u32.to_ne_bytes());
        let mut put = |value: &[u8]| bytes.extend(value);
        let text = |put: &mut dyn FnMut(&[u8]), text: &str| {
            put(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_ne_bytes());
            put(text.as_bytes());
        };
        text(&mut put, &self.root);
        put(&self.next_pack.to_ne_bytes());
        put(&u32::try_from(self.languages.len()).unwrap_or(u32::MAX).to_ne_bytes());
        for (name, version) in &self.languages {
            text(&mut put, name);
            text(&mut put, version);
        }
        put(&(self.records.len() as u64).to_ne_bytes());
        for (path, record) in &self.records {
            text(&mut put, path);
            put(&record.stamp.size.to_ne_bytes());
            put(&record.stamp.modified.to_ne_bytes());
            put(&record.stamp.changed.to_ne_bytes());
            put(&record.stamp.inode.to_ne_bytes());
            put(&record.read_at.to_ne_bytes());
            put(&record.hash);
            put(&record.pack.to_ne_bytes());
            put(&record.at.to_ne_bytes());
            put(&record.nodes.to_ne_bytes());
            put(&record.text.to_ne_bytes());
            put(&[u8::from(record.mark)]);
            put(&record.table_sum.to_ne_bytes());
            put(&record.text_sum.to_ne_bytes());
            put(&record.note.to_ne_bytes());
            put(&record.note_sum.to_ne_bytes());
            put(&record.language.to_ne_bytes());
        }
        let end = sum(&[&bytes]);
        bytes.extend(end.to_ne_bytes());
        bytes
    }

    /// Reads a catalogue; `None` unless it is complete and of this format.
    pub fn from_bytes(bytes: &[u8]) -> Option<Catalogue> {
        let (bytes, end) = bytes.split_last_chunk::<8>()?;
        if u64::from_ne_bytes(*end) != sum(&[bytes]) {
            return None;
        }
        let mut reader = Reader { bytes: bytes.strip_prefix(MAGIC)? };
        if reader.u32()? != 1 {
            return None;
        }
        let mut catalogue = Catalogue { root: reader.text()?, next_pack: reader.u32()?, ..Catalogue::default() };
        for _ in 0..reader.u32()? {
            catalogue.languages.push((reader.text()?, reader.text()?));
        }
        let count = usize::try_from(reader.u64()?).ok()?;
        catalogue.records.reserve(count.min(bytes.len()));
        for _ in 0..count {
            let path = reader.text()?;
            let stamp =
                Stamp { size: reader.u64()?, modified: reader.i64()?, changed: reader.i64()?, inode: reader.u64()? };
            let record = Record {
                stamp,
                read_at: reader.i64()?,
                hash: reader.take()?,
                pack: reader.u32()?,
                at: reader.u64()?,
                nodes: reader.u32()?,
                text: reader.u32()?,
                mark: reader.take::<1>()? == [1],
                table_sum: reader.u64()?,
                text_sum: reader.u64()?,
                note: reader.u32()?,
                note_sum: reader.u64()?,
                language: u16::from_ne_bytes(reader.take()?),
            };
            catalogue.records.insert(path, record);
        }
        Some(catalogue)
    }

    /// The index of a language, which is added if it is new.
    pub fn language(&mut self, name: &str, version: &str) -> Option<u16> {
        let known = self.languages.iter().position(|known| known.0 == name && known.1 == version);
        let place = known.unwrap_or_else(|| {
            self.languages.push((name.to_owned(), version.to_owned()));
            self.languages.len() - 1
        });
        u16::try_from(place).ok()
    }
}

/// Reads values from bytes, one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (value, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*value)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_ne_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_ne_bytes)
    }

    fn i64(&mut self) -> Option<i64> {
        self.take().map(i64::from_ne_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u32()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}
