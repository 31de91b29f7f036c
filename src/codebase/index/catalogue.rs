//! The catalogue: the content of a store, one record per file, sorted by path.
//!
//! Readers map it and find a record by binary search, so that a request costs by the files that it asks for. Its header
//! and each record have a checksum: a damaged header is no catalogue, and a damaged record is no file. A writer collects
//! records in a [`Draft`] and writes the catalogue as a whole.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::Path;

use super::mapped::Mapped;
use super::sum;
use crate::project::Stamp;

/// The start of every catalogue; the number is the version of its format.
const MAGIC: &[u8; 8] = b"cstidx\x00\x04";

/// A file in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// Appends its fields, with this language.
    fn put(&self, language: u16, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend(self.stamp.size.to_ne_bytes());
        bytes.extend(self.stamp.modified.to_ne_bytes());
        bytes.extend(self.stamp.changed.to_ne_bytes());
        bytes.extend(self.stamp.inode.to_ne_bytes());
        bytes.extend(self.read_at.to_ne_bytes());
        bytes.extend(self.hash);
        bytes.extend(self.pack.to_ne_bytes());
        bytes.extend(self.at.to_ne_bytes());
        bytes.extend(self.nodes.to_ne_bytes());
        bytes.extend(self.text.to_ne_bytes());
        bytes.extend([u8::from(self.mark)]);
        bytes.extend(self.table_sum.to_ne_bytes());
        bytes.extend(self.text_sum.to_ne_bytes());
        bytes.extend(self.note.to_ne_bytes());
        bytes.extend(self.note_sum.to_ne_bytes());
        bytes.extend(language.to_ne_bytes());
        debug_assert_eq!(bytes.len() - start, FIELDS);
    }
}

/// The bytes of a record: where its path is, its fields, and the checksum of fields and path.
const RECORD: usize = 12 + FIELDS + 8;
/// The bytes of the fields.
const FIELDS: usize = 4 * 8 + 8 + 16 + 4 + 8 + 4 + 4 + 1 + 8 + 8 + 4 + 8 + 2;

/// The records of a store, mapped.
#[derive(Debug)]
pub(super) struct Catalogue {
    mapped: Mapped,
    /// The folder that was indexed.
    pub root: String,
    /// Each language with the version of its grammar and data.
    pub languages: Vec<(String, String)>,
    /// The number of the next pack.
    pub next_pack: u32,
    /// Where the records begin, and how many there are.
    records_at: usize,
    count: usize,
}

impl Catalogue {
    /// Opens a catalogue; `None` unless it is complete and of this format.
    pub fn open(path: &Path) -> Option<Catalogue> {
        let mapped = Mapped::new(path).ok()?;
        let bytes = mapped.bytes();
        let mut reader = Reader { bytes: bytes.strip_prefix(MAGIC)? };
        // Another value is from a machine with another byte order.
        if reader.u32()? != 1 {
            return None;
        }
        let (root, next_pack, mut languages) = (reader.text()?, reader.u32()?, Vec::new());
        for _ in 0..reader.u32()? {
            languages.push((reader.text()?, reader.text()?));
        }
        let count = usize::try_from(reader.u64()?).ok()?;
        let length = usize::try_from(reader.u64()?).ok()?;
        let header = bytes.len() - reader.bytes.len();
        let is_whole = reader.u64()? == sum(&[&bytes[..header]]) && length == bytes.len();
        let records_at = bytes.len() - reader.bytes.len();
        let fits = count.checked_mul(RECORD).is_some_and(|size| size <= reader.bytes.len());
        (is_whole && fits).then_some(Catalogue { mapped, root, languages, next_pack, records_at, count })
    }

    /// All of its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.mapped.bytes()
    }

    /// The record of a file by its path, relative to the root; `None` if there is none, or if it is damaged.
    pub fn record(&self, path: &str) -> Option<Record> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.path(middle)?.cmp(path.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return self.record_at(middle),
            }
        }
        None
    }

    /// All paths, except for those of damaged records.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let path = |index| std::str::from_utf8(self.record_at(index).and_then(|_| self.path(index))?).ok();
        (0..self.count).filter_map(path)
    }

    fn record_bytes(&self, index: usize) -> Option<&[u8; RECORD]> {
        self.bytes().get(self.records_at + index * RECORD..)?.first_chunk()
    }

    fn path(&self, index: usize) -> Option<&[u8]> {
        let mut reader = Reader { bytes: self.record_bytes(index)? };
        let (at, length) = (usize::try_from(reader.u64()?).ok()?, reader.u32()? as usize);
        self.bytes().get(at..at.checked_add(length)?)
    }

    fn record_at(&self, index: usize) -> Option<Record> {
        let (bytes, expected) = self.record_bytes(index)?.split_last_chunk::<8>()?;
        if u64::from_ne_bytes(*expected) != sum(&[bytes, self.path(index)?]) {
            return None;
        }
        let mut reader = Reader { bytes: &bytes[12..] };
        let stamp =
            Stamp { size: reader.u64()?, modified: reader.i64()?, changed: reader.i64()?, inode: reader.u64()? };
        Some(Record {
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
        })
    }
}

/// A catalogue that is being made.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The folder that is indexed.
    pub root: String,
    /// Each language with the version of its grammar and data.
    languages: Vec<(String, String)>,
    /// By path, relative to the root.
    pub records: HashMap<String, Record, rustc_hash::FxBuildHasher>,
    /// The number of the next pack.
    pub next_pack: u32,
}

impl Draft {
    /// An empty one.
    pub fn new(root: String, next_pack: u32) -> Draft {
        Draft { root, next_pack, ..Draft::default() }
    }

    /// The catalogue as bytes. The same records give the same bytes, in whichever order they were added.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut languages: Vec<(&(String, String), usize)> = self.languages.iter().zip(0..).collect();
        languages.sort_unstable();
        let mut numbers = vec![0u16; languages.len()];
        for (number, (_, old)) in (0..).zip(&languages) {
            numbers[*old] = number;
        }
        let mut records: Vec<(&String, &Record)> = self.records.iter().collect();
        records.sort_unstable_by_key(|(path, _)| *path);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(1u32.to_ne_bytes());
        let put_text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_ne_bytes());
            bytes.extend(text.as_bytes());
        };
        put_text(&mut bytes, &self.root);
        bytes.extend(self.next_pack.to_ne_bytes());
        bytes.extend(u32::try_from(languages.len()).unwrap_or(u32::MAX).to_ne_bytes());
        for ((name, version), _) in languages {
            put_text(&mut bytes, name);
            put_text(&mut bytes, version);
        }
        bytes.extend((records.len() as u64).to_ne_bytes());
        let mut path_at = bytes.len() + 8 + 8 + records.len() * RECORD;
        let length = path_at + records.iter().map(|(path, _)| path.len()).sum::<usize>();
        bytes.extend((length as u64).to_ne_bytes());
        bytes.extend(sum(&[&bytes]).to_ne_bytes());
        bytes.reserve(length - bytes.len());
        for (path, record) in &records {
            let start = bytes.len();
            bytes.extend((path_at as u64).to_ne_bytes());
            bytes.extend(u32::try_from(path.len()).unwrap_or(u32::MAX).to_ne_bytes());
            path_at += path.len();
            record.put(numbers[usize::from(record.language)], &mut bytes);
            bytes.extend(sum(&[&bytes[start..], path.as_bytes()]).to_ne_bytes());
        }
        records.iter().for_each(|(path, _)| bytes.extend(path.as_bytes()));
        bytes
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
