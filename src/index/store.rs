//! The store as a reader sees it: a catalogue, and packs mapped as they are needed.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::catalogue::{Catalogue, Record};
use super::mapped::Mapped;
use super::{hash, sum};
use crate::language::Language;
use crate::project::Stamp;
use crate::text::Text;
use crate::tree::{Column, Columns, Table, Tree};

/// How long before a file was read its last change must lie to be told by its times, in nanoseconds: clocks of file systems
/// are coarse.
const SLACK: i64 = 2_000_000_000;

/// The store of one folder.
#[derive(Debug)]
pub struct Store {
    pub(super) folder: PathBuf,
    pub(super) catalogue: Catalogue,
    packs: Mutex<Vec<(u32, Option<Mapped>)>>,
    /// Bytes looked at since memory was let go of.
    looked_at: AtomicUsize,
}

/// Bytes looked at, beyond which memory is let go of: they are the system's to keep, but count as the program's.
const MOST_LOOKED_AT: usize = 8 << 20;

/// A file of the store.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    bytes: &'static [u8],
    nodes: usize,
    table_sum: u64,
    text: &'static str,
    mark: bool,
    note: &'static [u8],
    note_sum: u64,
    language: &'static Language,
}

impl Store {
    /// The store of the folder at `root`, or of the nearest folder around it that has one; none, where nothing was indexed.
    pub fn open(cache: &Path, root: &Path) -> Option<Store> {
        root.ancestors().find_map(|folder| Store::of(cache, folder))
    }

    /// The store of exactly that folder.
    pub(super) fn of(cache: &Path, root: &Path) -> Option<Store> {
        let folder = folder_of(cache, root);
        let bytes = std::fs::read(folder.join(CATALOGUE)).ok()?;
        let catalogue = Catalogue::from_bytes(&bytes).filter(|known| Path::new(&known.root) == root)?;
        Some(Store { folder, catalogue, packs: Mutex::default(), looked_at: AtomicUsize::new(0) })
    }

    /// The folder that was indexed.
    pub fn root(&self) -> &Path {
        Path::new(&self.catalogue.root)
    }

    /// The file at a path, if it is the one that was read and nothing of what was made of it is damaged or out of date.
    pub fn entry(&self, path: &Path, stamp: Stamp) -> Option<Entry> {
        let record = self.record(path)?;
        let is_certain = stamp.changed.max(stamp.modified) < record.read_at.saturating_sub(SLACK);
        if record.stamp != stamp || !is_certain {
            return None;
        }
        self.read(record)
    }

    /// The same, for a file that was read, told by its text.
    pub(super) fn entry_of_text(&self, path: &Path, text: &str) -> Option<(&Record, Entry)> {
        let record = self.record(path).filter(|record| record.text as usize == text.len())?;
        if record.hash != hash(text.as_bytes()) {
            return None;
        }
        Some((record, self.read(record)?))
    }

    fn record(&self, path: &Path) -> Option<&Record> {
        let path = path.strip_prefix(self.root()).ok()?.to_str()?;
        self.catalogue.records.get(path)
    }

    fn read(&self, record: &Record) -> Option<Entry> {
        let (name, version) = self.catalogue.languages.get(usize::from(record.language))?;
        let language = Language::named(name).ok().filter(|language| *version == version_of(language))?;
        let at = usize::try_from(record.at).ok()?;
        let nodes = record.nodes as usize;
        let bytes = self.pack(record.pack)?.get(at..)?;
        let (table, rest) = bytes.split_at_checked(nodes * 20)?;
        let (text, rest) = rest.split_at_checked(record.text as usize)?;
        let note = rest.get(..record.note as usize)?;
        self.count(text.len());
        if sum(&[text]) != record.text_sum {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        Some(Entry {
            bytes: table,
            nodes,
            table_sum: record.table_sum,
            text,
            mark: record.mark,
            note,
            note_sum: record.note_sum,
            language,
        })
    }

    /// All bytes of a record, if they are sound.
    pub(super) fn bytes(&self, record: &Record) -> Option<&'static [u8]> {
        let at = usize::try_from(record.at).ok()?;
        let (table, text, note) = (record.nodes as usize * 20, record.text as usize, record.note as usize);
        let bytes = self.pack(record.pack)?.get(at..at + table + text + note)?;
        let (table, rest) = bytes.split_at(table);
        let (text, note) = rest.split_at(text);
        let sums = (sum(&[table]), sum(&[text]), sum(&[note]));
        (sums == (record.table_sum, record.text_sum, record.note_sum)).then_some(bytes)
    }

    /// A pack, mapped when it is first needed.
    fn pack(&self, number: u32) -> Option<&'static [u8]> {
        let mut packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, mapped)) = packs.iter().find(|(known, _)| *known == number) {
            return mapped.map(Mapped::bytes);
        }
        let mapped = Mapped::new(&pack_path(&self.folder, number)).ok();
        packs.push((number, mapped));
        mapped.map(Mapped::bytes)
    }

    /// Counts bytes that are about to be looked at.
    fn count(&self, bytes: usize) {
        // The system maps some pages around those that are looked at.
        const AROUND: usize = 128 << 10;
        if self.looked_at.fetch_add(bytes + AROUND, Ordering::Relaxed) < MOST_LOOKED_AT {
            return;
        }
        self.looked_at.store(0, Ordering::Relaxed);
        let packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        packs.iter().filter_map(|(_, mapped)| *mapped).for_each(Mapped::release);
    }
}

impl Entry {
    /// The file's language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The file's text.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// What was noted beside the table; `None` if it is damaged.
    pub fn note(&self) -> Option<&'static str> {
        if sum(&[self.note]) != self.note_sum {
            return None;
        }
        std::str::from_utf8(self.note).ok()
    }

    /// The file's tree; `None` if it is damaged.
    pub fn tree(&self, store: &Store) -> Option<Tree> {
        store.count(self.bytes.len());
        if sum(&[self.bytes]) != self.table_sum {
            return None;
        }
        let count = self.nodes;
        let (offsets, rest) = self.bytes.split_at_checked(count * 16)?;
        let (types, rest) = rest.split_at_checked(count * 2)?;
        let (fields, flags) = rest.split_at_checked(count)?;
        let column = |place: usize| -> Option<Column<u32>> {
            let bytes = offsets.get(place * count * 4..(place + 1) * count * 4)?;
            bytemuck::try_cast_slice(bytes).ok().map(Cow::Borrowed)
        };
        let columns = Columns {
            types: Cow::Borrowed(bytemuck::try_cast_slice(types).ok()?),
            fields: Cow::Borrowed(fields),
            flags: Cow::Borrowed(flags),
            offsets: [column(0)?, column(1)?, column(2)?, column(3)?],
        };
        let table = Table::from_columns(columns, self.text.len())?;
        Some(Tree::from_table(Text::lasting(self.text, self.mark), self.language, table))
    }
}

/// The name of a store's catalogue.
pub(super) const CATALOGUE: &str = "catalogue";

/// Where the store of a folder is.
pub(super) fn folder_of(cache: &Path, root: &Path) -> PathBuf {
    let name = blake3::hash(root.to_string_lossy().as_bytes()).to_hex();
    cache.join("index").join(&name[..32])
}

pub(super) fn pack_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("pack-{number}"))
}

/// Which version of the tables that are made of a parse: another one when nodes begin or end elsewhere.
const TABLES: u32 = 2;

/// Which version of program, grammar and data a table was made by.
pub(super) fn version_of(language: &Language) -> String {
    let grammar = language.grammar();
    let version = grammar.metadata().map(|found| (found.major_version, found.minor_version, found.patch_version));
    let (types, abi) = (language.type_count(), grammar.abi_version());
    format!("{} {TABLES} {} {version:?} {types} {abi}", env!("CARGO_PKG_VERSION"), language.fingerprint())
}
