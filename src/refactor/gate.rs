//! The binding gate: after a refactor, every name means what it meant before.

use rustc_hash::FxHashMap;

use crate::symbols::{Bound, BoundName, FileId, Place};
use crate::text::{EditSet, Span};

/// A name that means something else after a refactor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebound {
    /// Its file.
    pub file: FileId,
    /// Where it was; of a new name, where it is.
    pub start: usize,
    /// What it meant, where there was a name before.
    pub was: Option<Bound>,
    /// What it means now, in places of the old text; `None` if there is no name any more.
    pub is: Option<Bound>,
}

/// Where the bytes of some files are after a refactor.
#[derive(Debug, Default)]
pub struct Moved {
    deletes: bool,
    files: FxHashMap<FileId, Vec<(Span, Span, usize)>>,
    /// Spans inside the edits of a file that are in them again, at other offsets.
    within: FxHashMap<FileId, Vec<(Span, usize)>>,
    /// The numbers of folders whose files moved to others.
    folders: FxHashMap<u32, u32>,
    /// Code that is in another file now.
    transferred: Vec<Transferred>,
    /// The file that was not there before.
    created: Option<FileId>,
}

/// Code that moves from one file to another as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transferred {
    /// Its file.
    pub file: FileId,
    /// Where it was.
    pub span: Span,
    /// Its new file.
    pub to: FileId,
    /// Where it begins there.
    pub start: usize,
}

impl Moved {
    /// No file is changed yet. With `deletes`, the names in replaced code may be gone.
    pub fn new(deletes: bool) -> Moved {
        Moved { deletes, ..Moved::default() }
    }

    /// Adds the edits of a file. A name that was replaced is where the new name is in the new text, which may be `old: new`.
    pub fn add(&mut self, file: FileId, edits: &EditSet, name: &str) {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let changed = edits.iter().zip(edits.new_spans()).map(|(edit, new)| {
            let is_first = edit.text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_letter));
            let within = if is_first { 0 } else { edit.text.len().saturating_sub(name.len()) };
            (edit.span, new, within)
        });
        self.files.insert(file, changed.collect());
    }

    /// Adds folders that moved: their old and new numbers.
    pub fn relocate(&mut self, folders: impl IntoIterator<Item = (u32, u32)>) {
        self.folders.extend(folders);
    }

    /// Adds code that is in another file now.
    pub fn transfer(&mut self, code: impl IntoIterator<Item = Transferred>) {
        self.transferred.extend(code);
    }

    /// The file and place where a name is now that began at an offset of a file.
    pub fn place_now(&self, file: FileId, start: usize) -> (FileId, usize) {
        match self.transfer_of(file, start) {
            Some(code) => (code.to, code.start + (start - code.span.start())),
            None => (file, self.now(file, start)),
        }
    }

    fn transfer_of(&self, file: FileId, start: usize) -> Option<&Transferred> {
        let is_its = |code: &&Transferred| code.file == file && code.span.start() <= start && start < code.span.end();
        self.transferred.iter().find(is_its)
    }

    /// Adds spans inside the edits of a file that are in them again, at other offsets; in their old order.
    pub fn add_within(&mut self, file: FileId, moved: Vec<(Span, usize)>) {
        self.within.insert(file, moved);
    }

    /// Where an offset is now that an edit has moved.
    fn within(&self, file: FileId, start: usize) -> Option<usize> {
        let moved = self.within.get(&file)?;
        let at = moved.partition_point(|(old, _)| old.end() <= start);
        moved.get(at).filter(|(old, _)| old.start() <= start).map(|(old, new)| new + (start - old.start()))
    }

    /// Where a name is now that began at an offset.
    pub fn now(&self, file: FileId, start: usize) -> usize {
        if let Some(now) = self.within(file, start) {
            return now;
        }
        let Some(changed) = self.files.get(&file) else { return start };
        let at = changed.partition_point(|(old, ..)| old.end() <= start);
        if let Some((old, new, within)) = changed.get(at)
            && old.start() <= start
        {
            return if old.start() == start {
                new.start() + within
            } else {
                new.start() + (start - old.start()).min(new.len())
            };
        }
        match at.checked_sub(1).and_then(|before| changed.get(before)) {
            Some((old, new, _)) => new.end() + (start - old.end()),
            None => start,
        }
    }

    /// Whether an offset of the old text is in what was deleted.
    fn is_deleted(&self, file: FileId, start: usize) -> bool {
        let Some(changed) = self.files.get(&file).filter(|_| self.deletes) else { return false };
        if self.within(file, start).is_some() {
            return false;
        }
        let at = changed.partition_point(|(old, ..)| old.end() <= start);
        changed.get(at).is_some_and(|(old, ..)| old.start() <= start)
    }

    /// Adds a file that was not there before.
    pub fn create(&mut self, file: FileId) {
        self.created = Some(file);
    }

    fn is_new(&self, file: FileId) -> bool {
        self.created == Some(file)
    }

    /// Whether an offset of the new text is in what a refactor wrote.
    fn is_written(&self, file: FileId, start: usize) -> bool {
        let Some(changed) = self.files.get(&file) else { return false };
        let at = changed.partition_point(|(_, new, _)| new.end() <= start);
        changed.get(at).is_some_and(|(_, new, _)| new.start() <= start)
    }

    fn place(&self, place: Place) -> Place {
        match place {
            Place::Symbol(file, start) => {
                let (file, start) = self.place_now(file, start);
                Place::Symbol(file, start)
            }
            Place::Folder(folder) => Place::Folder(self.folders.get(&folder).copied().unwrap_or(folder)),
            place => place,
        }
    }

    fn bound(&self, bound: &Bound) -> Bound {
        let places = |places: &[Place]| {
            let mut moved: Vec<Place> = places.iter().map(|&place| self.place(place)).collect();
            moved.sort_unstable();
            moved
        };
        match bound {
            Bound::Known(known) => Bound::Known(places(known)),
            Bound::External => Bound::External,
            Bound::Unknown(known) => Bound::Unknown(places(known)),
        }
    }
}

/// The names that mean something else after a refactor. A name that it wrote in addition counts only as one that is there.
pub fn compare(before: &[BoundName], after: &[BoundName], moved: &Moved) -> Vec<Rebound> {
    let mut now: FxHashMap<(FileId, usize), &BoundName> =
        after.iter().map(|name| ((name.file, name.span.start()), name)).collect();
    let mut rebound = Vec::new();
    for name in before {
        let start = name.span.start();
        if moved.transfer_of(name.file, start).is_none() && moved.is_deleted(name.file, start) {
            continue;
        }
        let is = now.remove(&moved.place_now(name.file, start)).map(|name| name.bound.clone());
        if is.as_ref() != Some(&moved.bound(&name.bound)) {
            rebound.push(Rebound { file: name.file, start, was: Some(name.bound.clone()), is });
        }
    }
    for ((file, start), name) in now {
        if !moved.is_written(file, start) && !moved.is_new(file) {
            rebound.push(Rebound { file, start, was: None, is: Some(name.bound.clone()) });
        }
    }
    rebound.sort_by_key(|name| (name.file, name.start));
    rebound
}
