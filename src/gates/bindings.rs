//! The binding gate: after a refactor, every name means what it meant before.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::modules::FileId;
use crate::symbols::{Bound, BoundName, Place};
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
    /// The edits that write two names in place of one, by their files and starts.
    pairs: FxHashSet<(FileId, usize)>,
    /// Where those of them begin in the new text that keep the name of a member, and give another one to its variable.
    kept_keys: FxHashSet<(FileId, usize)>,
    /// Spans inside the edits of a file that are in them again, at other offsets.
    within: FxHashMap<FileId, Vec<(Span, usize)>>,
    /// The numbers of folders whose files moved to others.
    folders: FxHashMap<u32, u32>,
    /// Code that is in another file now.
    transferred: Vec<Transferred>,
    /// Whether names are paths through a tree of modules, so that what was unknown in one module may be known in another.
    is_by_paths: bool,
    /// The file that was not there before.
    created: Option<FileId>,
    followed: Followed,
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

/// How a name came to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It was moved by itself.
    Copied,
    /// It was moved with code around it.
    Transferred,
    /// It was not moved.
    Stays,
}

/// Where the names of a file are that were moved one by one: a name of the old text by its start.
#[derive(Debug, Default)]
pub struct Followed {
    /// Where each moved name is now, in some file; there may be several copies.
    pub copies: FxHashMap<(FileId, usize), Vec<(FileId, usize)>>,
    /// What binds the copies of some names now, whatever it was before: a parameter in place of an import.
    pub meant: FxHashMap<(FileId, usize), (FileId, usize)>,
    /// Names that are gone.
    pub gone: FxHashSet<(FileId, usize)>,
    /// For moved names: what binds them now in place of what bound them before.
    pub inside: FxHashMap<(FileId, usize), (FileId, usize)>,
    /// The same for all other names.
    pub outside: FxHashMap<(FileId, usize), (FileId, usize)>,
    /// Names that are not variables; what they mean may become unknown.
    pub members: FxHashSet<(FileId, usize)>,
    /// Keys that became one name with a variable. What meant them may be unknown: `{ a: a }` as `{ a }`.
    pub merged: FxHashSet<(FileId, usize)>,
}

impl Moved {
    /// No file is changed yet. With `deletes`, the names in replaced code may be gone.
    pub fn new(deletes: bool) -> Moved {
        Moved { deletes, ..Moved::default() }
    }

    /// Follows names that were moved one by one.
    pub fn follow(&mut self, followed: Followed) {
        let Followed { copies, meant, gone, inside, outside, members, merged } = followed;
        for (name, places) in copies {
            self.followed.copies.entry(name).or_default().extend(places);
        }
        self.followed.meant.extend(meant);
        self.followed.gone.extend(gone);
        self.followed.inside.extend(inside);
        self.followed.outside.extend(outside);
        self.followed.members.extend(members);
        self.followed.merged.extend(merged);
    }

    /// Adds the edits of a file. A name that was replaced is where the new name is in the new text, which may be `old: new`.
    pub fn add(&mut self, file: FileId, edits: &EditSet, name: &str) {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (pairs, kept_keys) = (&mut self.pairs, &mut self.kept_keys);
        let changed = edits.iter().zip(edits.new_spans()).map(|(edit, new)| {
            let is_first = edit.text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_letter));
            // In `key: name` the old name is the second one, as it is a variable.
            let is_pair = |rest: &str| rest.chars().all(|letter| is_letter(letter) || letter == ' ');
            let pair = edit.text.split_once(": ").filter(|(key, rest)| key.chars().all(is_letter) && is_pair(rest));
            let variable = pair.and_then(|(_, rest)| rest.rsplit(' ').next());
            if variable.is_some() {
                pairs.insert((file, edit.span.start()));
            }
            if pair.is_some_and(|(key, _)| key != name) {
                kept_keys.insert((file, new.start()));
            }
            let within = match variable {
                Some(variable) => edit.text.len() - variable.len(),
                None if is_first => 0,
                None => edit.text.len().saturating_sub(name.len()),
            };
            (edit.span, new, within)
        });
        let changed = changed.collect();
        self.files.insert(file, changed);
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

    /// Says that names are paths through a tree of modules.
    pub fn goes_by_paths(&mut self) {
        self.is_by_paths = true;
    }

    /// Whether places of the new text are all in code that was in another file.
    fn are_transferred(&self, places: &[Place]) -> bool {
        let is_its = |place: &Place| match place {
            Place::Symbol(file, start) => self
                .transferred
                .iter()
                .any(|code| code.to == *file && code.start <= *start && *start < code.start + code.span.len()),
            _ => false,
        };
        !places.is_empty() && places.iter().all(is_its)
    }

    /// Whether places are keys that have the name that they had as a variable, too: `{ a }` is `{ a: b }` now.
    fn are_kept_keys(&self, places: &[Place]) -> bool {
        let is_kept =
            |place: &Place| matches!(*place, Place::Symbol(file, start) if self.kept_keys.contains(&(file, start)));
        !places.is_empty() && places.iter().all(is_kept)
    }

    /// Whether a name meant keys that became one name with a variable.
    fn are_merged_keys(&self, bound: &Bound) -> bool {
        let is_merged = |place: &Place| matches!(*place, Place::Symbol(file, start) if self.followed.merged.contains(&(file, start)));
        matches!(bound, Bound::Known(places) if !places.is_empty() && places.iter().all(is_merged))
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
            return if old.start() == start || self.pairs.contains(&(file, old.start())) {
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

    /// Where what binds a name is now.
    fn place(&self, place: Place, way: Way) -> Place {
        let (file, start) = match place {
            Place::Symbol(file, start) => (file, start),
            Place::Folder(folder) => return Place::Folder(self.folders.get(&folder).copied().unwrap_or(folder)),
            place => return place,
        };
        let Followed { copies, inside, outside, .. } = &self.followed;
        let bound = match way {
            Way::Copied => inside.get(&(file, start)),
            Way::Transferred => inside.get(&(file, start)).or_else(|| outside.get(&(file, start))),
            Way::Stays => outside.get(&(file, start)),
        };
        let copy = || copies.get(&(file, start)).and_then(|copies| copies.first());
        match bound.or_else(copy) {
            Some(&(file, start)) => Place::Symbol(file, start),
            None => {
                let (file, start) = self.place_now(file, start);
                Place::Symbol(file, start)
            }
        }
    }

    /// Members as they were known, and the places where their names are now: another name of the same member may be its first one.
    fn same_members(&self, before: &[BoundName]) -> FxHashSet<(Place, Place)> {
        let mut same = FxHashSet::default();
        for name in before {
            let key = (name.file, name.span.start());
            if !self.followed.members.contains(&key) {
                continue;
            }
            let Bound::Known(was) = &name.bound else { continue };
            let [was] = was[..] else { continue };
            let here = [(name.file, self.now(name.file, key.1))];
            let places = self.followed.copies.get(&key).map_or(&here[..], Vec::as_slice);
            same.extend(places.iter().map(|&(file, start)| (was, Place::Symbol(file, start))));
        }
        same
    }

    fn bound(&self, bound: &Bound, way: Way) -> Bound {
        let places = |places: &[Place]| {
            let mut moved: Vec<Place> = places.iter().map(|&place| self.place(place, way)).collect();
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
    let same_members = moved.same_members(before);
    for name in before {
        let start = name.span.start();
        let key = (name.file, start);
        let copies = moved.followed.copies.get(&key);
        let is_transferred = moved.transfer_of(name.file, start).is_some();
        if copies.is_none()
            && !is_transferred
            && (moved.is_deleted(name.file, start) || moved.followed.gone.contains(&key))
        {
            continue;
        }
        let way = match copies {
            Some(_) => Way::Copied,
            None if is_transferred => Way::Transferred,
            None => Way::Stays,
        };
        let here = [moved.place_now(name.file, start)];
        let meant = moved.followed.meant.get(&key).filter(|_| copies.is_some());
        let expected = match meant {
            Some(&(file, start)) => Bound::Known(vec![Place::Symbol(file, start)]),
            None => moved.bound(&name.bound, way),
        };
        let unknown = Bound::Unknown(Vec::new());
        for place in copies.map_or(&here[..], Vec::as_slice) {
            let is = now.remove(place).map(|name| name.bound.clone());
            let is_same = match &is {
                Some(is) if moved.followed.members.contains(&key) => {
                    let is_same_member = match (&name.bound, is) {
                        (Bound::Known(was), Bound::Known(is)) => {
                            was.len() == 1 && is.len() == 1 && same_members.contains(&(was[0], is[0]))
                        }
                        _ => false,
                    };
                    let is_unknown = matches!(is, Bound::Unknown(_)) || matches!(expected, Bound::Unknown(_));
                    *is == expected || is_unknown || is_same_member
                }
                // What was not known where it was may be plain in its new module, and a path that was too complex leads to what
                // moved now.
                Some(Bound::External) if moved.is_by_paths && is_transferred && expected == unknown => true,
                Some(Bound::Known(places)) if moved.is_by_paths && expected == unknown => moved.are_transferred(places),
                Some(Bound::Known(places)) if expected == unknown && moved.are_kept_keys(places) => true,
                Some(Bound::Unknown(_)) if moved.are_merged_keys(&name.bound) => true,
                is => is.as_ref() == Some(&expected),
            };
            if !is_same {
                rebound.push(Rebound { file: name.file, start, was: Some(name.bound.clone()), is });
            }
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
