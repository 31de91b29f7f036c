//! The store for readers: a catalogue, and packs that are mapped on demand.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::catalogue::{Catalogue, Record};
use super::mapped::Mapped;
use super::{hash, sum};
use crate::language::{Language, Languages};
use crate::locks::IgnorePoison;
use crate::project::Stamp;
use crate::text::Text;
use crate::tree::{Column, Columns, Table, Tree};

/// How long before it was read a file's last change must be for its times to count, in nanoseconds: file system clocks
/// are coarse.
const SLACK: i64 = 2_000_000_000;

/// The store of one folder.
#[derive(Debug)]
pub struct Store {
    pub(super) folder: PathBuf,
    pub(super) catalogue: Catalogue,
    stamp: CatalogueStamp,
    languages: Languages,
    packs: Mutex<Vec<(u32, Option<Mapped>)>>,
    /// Bytes read since memory was last released.
    looked_at: AtomicUsize,
}

/// After this many bytes, memory is released: the system may keep the pages, but they would count as the program's.
const MOST_LOOKED_AT: usize = 8 << 20;

/// A file of the store.
#[derive(Debug, Clone)]
pub struct Entry {
    pack: Mapped,
    /// The ranges of its table, text and note in the pack.
    table: Range<usize>,
    text: Range<usize>,
    note: Range<usize>,
    nodes: usize,
    table_sum: u64,
    mark: bool,
    note_sum: u64,
    language: &'static Language,
}

/// Distinguishes a catalogue from the one that replaced it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CatalogueStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Its inode, and when anything about it changed, if the system records that.
    place: (u64, i64, i64),
}

impl Store {
    /// The store of the folder at `root`, or of the nearest folder above it that has one; `None` if nothing was
    /// indexed. Reuses an open store if its catalogue is still current.
    pub fn open(cache: &Path, root: &Path, languages: &Languages, known: &[Arc<Store>]) -> Option<Arc<Store>> {
        root.ancestors().find_map(|root| {
            let folder = folder_of(cache, root);
            let stamp = stamp_of(&folder.join(CATALOGUE))?;
            let same = |store: &&Arc<Store>| store.folder == folder && store.stamp == stamp && store.root() == root;
            known.iter().find(same).cloned().or_else(|| Store::of(cache, root, languages).map(Arc::new))
        })
    }

    /// The store of exactly that folder.
    pub(super) fn of(cache: &Path, root: &Path, languages: &Languages) -> Option<Store> {
        let folder = folder_of(cache, root);
        // If the catalogue is replaced after this line, it is opened with the old stamp and treated as replaced.
        let stamp = stamp_of(&folder.join(CATALOGUE))?;
        let catalogue = Catalogue::open(&folder.join(CATALOGUE)).filter(|known| Path::new(&known.root) == root)?;
        Some(Store {
            languages: languages.clone(),
            folder,
            catalogue,
            stamp,
            packs: Mutex::default(),
            looked_at: AtomicUsize::new(0),
        })
    }

    /// Whether two stores belong to the same folder.
    pub fn is_of_same_folder(&self, other: &Store) -> bool {
        self.folder == other.folder
    }

    /// The folder that was indexed.
    pub fn root(&self) -> &Path {
        Path::new(&self.catalogue.root)
    }

    /// The file at a path, if it is unchanged and its data is neither damaged nor outdated.
    pub fn entry(&self, path: &Path, stamp: Stamp) -> Option<Entry> {
        let record = self.record(path)?;
        let is_certain = stamp.changed.max(stamp.modified) < record.read_at.saturating_sub(SLACK);
        if record.stamp != stamp || !is_certain {
            return None;
        }
        self.read(&record)
    }

    /// The same for a file that was read, compared by its text.
    pub(super) fn entry_of_text(&self, path: &Path, text: &str) -> Option<(Record, Entry)> {
        let record = self.record(path).filter(|record| record.text as usize == text.len())?;
        if record.hash != hash(text.as_bytes()) {
            return None;
        }
        Some((record, self.read(&record)?))
    }

    fn record(&self, path: &Path) -> Option<Record> {
        let path = path.strip_prefix(self.root()).ok()?.to_str()?;
        self.catalogue.record(path)
    }

    fn read(&self, record: &Record) -> Option<Entry> {
        let (name, version) = self.catalogue.languages.get(usize::from(record.language))?;
        let language = self.languages.named(name).ok().filter(|language| *version == version_of(language))?;
        let at = usize::try_from(record.at).ok()?;
        let nodes = record.nodes as usize;
        let table = at..at.checked_add(nodes.checked_mul(20)?)?;
        let text = table.end..table.end.checked_add(record.text as usize)?;
        let note = text.end..text.end.checked_add(record.note as usize)?;
        let pack = self.pack(record.pack)?;
        pack.bytes().get(at..note.end)?;
        let bytes = pack.bytes().get(text.clone())?;
        self.count(bytes.len());
        if sum(&[bytes]) != record.text_sum || std::str::from_utf8(bytes).is_err() {
            return None;
        }
        let (table_sum, mark, note_sum) = (record.table_sum, record.mark, record.note_sum);
        Some(Entry { pack, table, text, note, nodes, table_sum, mark, note_sum, language })
    }

    /// All bytes of a record, if their checksum is right.
    pub(super) fn bytes(&self, record: &Record) -> Option<Vec<u8>> {
        let at = usize::try_from(record.at).ok()?;
        let (table, text, note) = (record.nodes as usize * 20, record.text as usize, record.note as usize);
        let pack = self.pack(record.pack)?;
        let bytes = pack.bytes().get(at..at + table + text + note)?;
        let (table, rest) = bytes.split_at(table);
        let (text, note) = rest.split_at(text);
        let sums = (sum(&[table]), sum(&[text]), sum(&[note]));
        (sums == (record.table_sum, record.text_sum, record.note_sum)).then(|| bytes.to_vec())
    }

    /// A pack, mapped on first use.
    fn pack(&self, number: u32) -> Option<Mapped> {
        let mut packs = self.packs.lock().ignore_poison();
        if let Some((_, mapped)) = packs.iter().find(|(known, _)| *known == number) {
            return mapped.clone();
        }
        let mapped = Mapped::new(&pack_path(&self.folder, number)).ok();
        packs.push((number, mapped.clone()));
        mapped
    }

    /// Counts bytes that will be read.
    fn count(&self, bytes: usize) {
        // The system also maps some pages around those that are read.
        const AROUND: usize = 128 << 10;
        if self.looked_at.fetch_add(bytes + AROUND, Ordering::Relaxed) < MOST_LOOKED_AT {
            return;
        }
        self.looked_at.store(0, Ordering::Relaxed);
        let packs = self.packs.lock().ignore_poison();
        packs.iter().filter_map(|(_, mapped)| mapped.as_ref()).for_each(Mapped::release);
    }
}

impl Entry {
    /// The file's language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        // It was verified when the entry was made.
        self.pack.bytes().get(self.text.clone()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The note next to the table; `None` if it is damaged.
    pub fn note(&self) -> Option<&str> {
        let note = self.pack.bytes().get(self.note.clone())?;
        if sum(&[note]) != self.note_sum {
            return None;
        }
        std::str::from_utf8(note).ok()
    }

    /// The file's tree; `None` if it is damaged. It keeps the pack mapped.
    pub fn tree(&self, store: &Store) -> Option<Tree> {
        store.count(self.table.len());
        let (bytes, owner) = self.pack.shared_bytes(self.table.clone())?;
        if sum(&[bytes]) != self.table_sum {
            return None;
        }
        let count = self.nodes;
        let (offsets, rest) = bytes.split_at_checked(count * 16)?;
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
        let table = Table::from_columns(columns, self.text.len(), Some(owner))?;
        let text = match self.pack.shared_bytes(self.text.clone()) {
            Some((bytes, owner)) => Text::from_static(std::str::from_utf8(bytes).ok()?, self.mark, owner),
            None => return None,
        };
        Some(Tree::from_table(text, self.language, table))
    }
}

/// The stamp of a catalogue; `None` if there is none.
fn stamp_of(path: &Path) -> Option<CatalogueStamp> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let place = {
        use std::os::unix::fs::MetadataExt;
        (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
    };
    #[cfg(not(unix))]
    let place = (0, 0, 0);
    Some(CatalogueStamp { length: metadata.len(), modified: metadata.modified().ok(), place })
}

/// The name of a store's catalogue.
pub(super) const CATALOGUE: &str = "catalogue";

/// The folder of the store for a folder.
pub(super) fn folder_of(cache: &Path, root: &Path) -> PathBuf {
    let name = blake3::hash(root.to_string_lossy().as_bytes()).to_hex();
    cache.join("index").join(&name[..32])
}

pub(super) fn pack_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("pack-{number}"))
}

/// The version of the tables made from a parse. Increase it when nodes begin or end elsewhere.
const TABLES: u32 = 2;

/// The version of the program, the grammar and the data that make a table.
pub fn version_of(language: &Language) -> String {
    let grammar = language.grammar();
    let version = grammar.metadata().map(|found| (found.major_version, found.minor_version, found.patch_version));
    let (types, abi) = (language.type_count(), grammar.abi_version());
    format!("{} {TABLES} {} {version:?} {types} {abi}", env!("CARGO_PKG_VERSION"), language.fingerprint())
}
