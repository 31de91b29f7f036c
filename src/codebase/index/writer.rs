//! The store for its only writer: new packs, then a new catalogue.

use crate::limits;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::catalogue::{Draft, Record};
use super::store::{CATALOGUE, Entry, Store, folder_of, pack_path, version_of};
use super::{hash, sum};
use crate::language::Languages;
use crate::project::{Disk, Stamp};
use crate::tree::Tree;

/// Writes to the store of one folder. Only one process can have a writer at a time.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    catalogue: Draft,
    old: Option<Store>,
    /// The current pack, its number and its length so far.
    pack: Option<(BufWriter<File>, u32, u64)>,
    /// Held until the writer is dropped.
    _lock: File,
}

/// The parsed data of a file, ready to be stored. Can be made on any thread.
#[derive(Debug)]
pub struct Parsed {
    path: String,
    stamp: Stamp,
    read_at: i64,
    /// Data that the store already has: only the stamp is new.
    known: Option<Record>,
    hash: [u8; 16],
    language: (String, String),
    nodes: u32,
    text: u32,
    mark: bool,
    note: u32,
    bytes: Vec<u8>,
    sums: (u64, u64, u64),
}

impl Parsed {
    /// The data of a complete tree, for a file that had this stamp before it was read, after `read_at`, with a note to
    /// store. `None` if it cannot be stored.
    pub fn new(
        (root, path): (&Path, &Path),
        stamp: Stamp,
        read_at: SystemTime,
        tree: &Tree,
        note: &str,
    ) -> Option<Parsed> {
        let text = tree.text().as_str().filter(|_| tree.text().is_utf8())?;
        let columns = tree.table().column_bytes();
        let mut bytes = columns.concat();
        let table_sum = sum(&[&bytes]);
        bytes.extend(text.as_bytes());
        bytes.extend(note.as_bytes());
        Some(Parsed {
            path: path.strip_prefix(root).ok()?.to_str()?.to_owned(),
            stamp,
            read_at: nanoseconds(read_at),
            known: None,
            hash: hash(text.as_bytes()),
            language: (tree.language().name().to_owned(), version_of(tree.language())),
            nodes: u32::try_from(tree.table().len()).ok()?,
            text: u32::try_from(text.len()).ok()?,
            mark: tree.text().encoding().is_utf8_with_mark(),
            note: u32::try_from(note.len()).ok()?,
            sums: (table_sum, sum(&[text.as_bytes()]), sum(&[note.as_bytes()])),
            bytes,
        })
    }

    /// For a file whose text is the one in the store: the stored data, and a record with the new stamp.
    pub fn again(store: &Store, path: &Path, stamp: Stamp, read_at: SystemTime, text: &str) -> Option<(Entry, Parsed)> {
        let (mark, text) = text.strip_prefix('\u{feff}').map_or((false, text), |rest| (true, rest));
        let (record, entry) = store.entry_of_text(path, text).filter(|(record, _)| record.mark == mark)?;
        let parsed = Parsed {
            path: path.strip_prefix(store.root()).ok()?.to_str()?.to_owned(),
            stamp,
            read_at: nanoseconds(read_at),
            known: Some(record),
            hash: record.hash,
            language: (entry.language().name().to_owned(), version_of(entry.language())),
            nodes: record.nodes,
            text: record.text,
            mark: record.mark,
            bytes: Vec::new(),
            note: record.note,
            sums: (record.table_sum, record.text_sum, record.note_sum),
        };
        Some((entry, parsed))
    }

    /// The memory of the table in bytes.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.path.len() + size_of::<Parsed>()
    }
}

impl Writer {
    /// Starts writing to the store of the folder at `root`. `None` while another process does.
    ///
    /// # Errors
    /// As the system says.
    pub fn open(cache: &Path, root: &Path, languages: &Languages) -> io::Result<Option<Writer>> {
        let folder = folder_of(cache, root);
        Disk.make_private_folder(&folder)?;
        // An older version may have let others access it.
        Disk.make_private(&folder)?;
        let lock = Disk.private_options().create(true).truncate(false).open(folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Ok(None),
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
        let old = Store::of(cache, root, languages);
        let next_pack = old.as_ref().map_or_else(|| next_free(&folder), |old| old.catalogue.next_pack);
        let root = root.to_str().ok_or_else(|| io::Error::other("the folder's path is not UTF-8"))?.to_owned();
        let draft = Draft::new(root, next_pack);
        Ok(Some(Writer { folder, catalogue: draft, old, pack: None, _lock: lock }))
    }

    /// Keeps a file of the old store.
    pub fn keep(&mut self, path: &Path) {
        let Some(old) = &self.old else { return };
        let Some(path) = path.strip_prefix(old.root()).ok().and_then(Path::to_str) else { return };
        let Some(record) = old.catalogue.record(path) else { return };
        let Some((name, version)) = old.catalogue.languages.get(usize::from(record.language)) else { return };
        if let Some(language) = self.catalogue.language(name, version) {
            self.catalogue.records.insert(path.to_owned(), Record { language, ..record });
        }
    }

    /// Keeps all files of the old store that were not mentioned, if only a part of the folder was searched.
    pub fn keep_rest(&mut self) {
        let paths: Vec<PathBuf> = match &self.old {
            Some(old) => old.catalogue.paths().map(|path| old.root().join(path)).collect(),
            None => Vec::new(),
        };
        for path in paths {
            let seen = path.strip_prefix(&self.catalogue.root).ok().and_then(Path::to_str);
            if seen.is_some_and(|path| !self.catalogue.records.contains_key(path)) {
                self.keep(&path);
            }
        }
    }

    /// Adds the data of a file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn add(&mut self, parsed: Parsed) -> io::Result<()> {
        let Some(language) = self.catalogue.language(&parsed.language.0, &parsed.language.1) else { return Ok(()) };
        let (pack, at) = match &parsed.known {
            Some(record) => (record.pack, record.at),
            None => self.append(&parsed.bytes)?,
        };
        let record = Record {
            stamp: parsed.stamp,
            read_at: parsed.read_at,
            hash: parsed.hash,
            pack,
            at,
            nodes: parsed.nodes,
            text: parsed.text,
            mark: parsed.mark,
            table_sum: parsed.sums.0,
            text_sum: parsed.sums.1,
            note: parsed.note,
            note_sum: parsed.sums.2,
            language,
        };
        self.catalogue.records.insert(parsed.path, record);
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<(u32, u64)> {
        if self.pack.is_none() {
            let number = self.catalogue.next_pack;
            let path = pack_path(&self.folder, number);
            let file = Disk.private_options().create(true).truncate(true).open(path)?;
            self.catalogue.next_pack += 1;
            self.pack = Some((BufWriter::with_capacity(1 << 20, file), number, 0));
        }
        let (file, number, length) = self.pack.as_mut().expect("it was just made");
        let at = *length;
        file.write_all(bytes)?;
        let padding = (bytes.len() as u64).next_multiple_of(8) - bytes.len() as u64;
        file.write_all(&[0; 8][..usize::try_from(padding).unwrap_or(0)])?;
        *length += bytes.len() as u64 + padding;
        Ok((*number, at))
    }

    /// Publishes the added data. Until then readers see the old store.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn finish(mut self) -> io::Result<()> {
        // If nothing is new, the store stays as it is.
        let bytes = self.catalogue.to_bytes();
        if self.old.as_ref().is_none_or(|old| old.catalogue.bytes() != bytes) {
            let is_compacted = self.compact()?;
            let bytes = if is_compacted { self.catalogue.to_bytes() } else { bytes };
            if let Some((mut file, _, _)) = self.pack.take() {
                file.flush()?;
            }
            let staged = self.folder.join("catalogue.new");
            Disk.remove_file(&staged)?;
            Disk.private_options().create_new(true).open(&staged)?.write_all(&bytes)?;
            fs::rename(&staged, self.folder.join(CATALOGUE))?;
        }
        // The time of the last use, for `prune`.
        File::options().write(true).open(self.folder.join("lock"))?.set_modified(SystemTime::now())?;
        self.remove_unused();
        Ok(())
    }

    /// Rewrites everything if too much of the packs is unused; returns whether it did.
    fn compact(&mut self) -> io::Result<bool> {
        let Some(old) = self.old.take() else { return Ok(false) };
        let new_pack = self.pack.as_ref().map(|(_, number, _)| *number);
        let of_old = |record: &Record| Some(record.pack) != new_pack;
        let mut packs: Vec<u32> =
            self.catalogue.records.values().filter(|record| of_old(record)).map(|record| record.pack).collect();
        packs.sort_unstable();
        packs.dedup();
        let sizes =
            packs.iter().map(|&pack| fs::metadata(pack_path(&self.folder, pack)).map_or(0, |found| found.len()));
        let (total, used) = (
            sizes.sum::<u64>(),
            self.catalogue.records.values().filter(|record| of_old(record)).map(Record::size).sum::<u64>(),
        );
        if packs.len() < limits::INDEX_PACKS && (total - used.min(total)) * 100 < total.max(1) * limits::INDEX_WASTE {
            return Ok(false);
        }
        let mut records = std::mem::take(&mut self.catalogue.records);
        let mut lost = Vec::new();
        for (path, record) in records.iter_mut().filter(|(_, record)| of_old(record)) {
            match old.bytes(record) {
                Some(bytes) => (record.pack, record.at) = self.append(&bytes)?,
                None => lost.push(path.clone()),
            }
        }
        lost.iter().for_each(|path| _ = records.remove(path));
        self.catalogue.records = records;
        Ok(true)
    }

    /// Removes packs that the catalogue does not mention. Processes that have mapped one keep it.
    fn remove_unused(&self) {
        let is_used = |number: u32| self.catalogue.records.values().any(|record| record.pack == number);
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number =
                name.to_str().and_then(|name| name.strip_prefix("pack-")).and_then(|number| number.parse().ok());
            if number.is_some_and(|number: u32| !is_used(number)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// A number that no pack has, including leftovers of dead processes.
fn next_free(folder: &Path) -> u32 {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let numbers = names.filter_map(|name| name.to_str()?.strip_prefix("pack-")?.parse::<u32>().ok());
    numbers.max().map_or(0, |last| last + 1)
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// The size of the store of the folder at `root` in bytes; 0 if there is none.
pub fn size(cache: &Path, root: &Path) -> u64 {
    let files = fs::read_dir(folder_of(cache, root)).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum()
}

/// Removes the store of the folder at `root`; returns false while another process writes to it.
///
/// # Errors
/// Errors of the system.
pub fn clear(cache: &Path, root: &Path) -> io::Result<bool> {
    let folder = folder_of(cache, root);
    let Ok(lock) = File::options().write(true).open(folder.join("lock")) else { return Ok(true) };
    let is_free = lock.try_lock().is_ok();
    if is_free {
        fs::remove_dir_all(&folder)?;
    }
    Ok(is_free)
}

/// Removes the least recently used stores until the others take at most `most` bytes. Stores that are being written
/// stay.
///
/// # Errors
/// Errors of the system.
pub fn prune(cache: &Path, most: u64) -> io::Result<()> {
    let mut stores = Vec::new();
    for entry in fs::read_dir(cache.join("index"))? {
        let folder = entry?.path();
        let used = fs::metadata(folder.join("lock")).and_then(|found| found.modified()).unwrap_or(UNIX_EPOCH);
        let files = fs::read_dir(&folder).into_iter().flatten().flatten();
        let size: u64 = files.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum();
        stores.push((used, size, folder));
    }
    stores.sort();
    let mut total: u64 = stores.iter().map(|(_, size, _)| size).sum();
    for (_, size, folder) in stores {
        if total <= most {
            break;
        }
        let Ok(lock) = File::options().write(true).open(folder.join("lock")) else { continue };
        if lock.try_lock().is_ok() {
            fs::remove_dir_all(&folder)?;
            total -= size;
        }
    }
    Ok(())
}
