//! The files of a search: turns targets into a list of files.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use crate::language::{ByName, Detector, Language};
use crate::project::{Listing, Walk, WalkError};
use crate::reader::cached::{Cached, Extent, IndexedFile, IndexedFolder};
use crate::reader::core::Reader;
use crate::reader::growing::{Growing, Walked};
use crate::reader::languages::unknown_language;
use crate::reader::target::{Source, is_about_one, named};
use crate::request::cursor::{Cursor, ItemPlace, Next};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{Reading, Target};

/// The files of a search, and the trees and texts.
pub(crate) struct Searched {
    pub items: Vec<Item>,
    /// The items of each target, in the order of the request.
    pub targets: Vec<TargetItems>,
    /// The first item to visit.
    pub start: usize,
    /// The only target, if it is a folder that is walked during the visit. Its files are the items afterwards.
    pub growing: Option<Growing>,
    /// The whole search is about one tree, file or text.
    pub single: bool,
    pub detector: Detector,
    /// The only language wanted of what a walk found.
    pub wanted: Option<&'static Language>,
    /// The indexes that its files are in.
    pub indexes: Vec<Cached>,
}

impl Searched {
    /// Puts the files of folders that hold code before those that hold data and prose.
    pub fn put_code_first(&mut self) {
        let detector = &self.detector;
        self.items.sort_by_cached_key(|item| match item {
            Item::Named(_) => false,
            Item::Walked(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let detected = detector.detect_by_name(&name);
                let is_code = |language: &Language| language.spec().is_code;
                !matches!(detected, Ok(ByName::Certain(language) | ByName::Ambiguous(language)) if is_code(language))
            }
        });
    }

    /// An item as a later search of the same targets finds it again.
    pub fn place_of(&self, item: usize) -> ItemPlace {
        let target = self.target_of(item);
        let folder = self.targets.get(target).and_then(|target| target.folder.as_deref());
        let inside = match &self.items[item] {
            Item::Walked(path) => folder.and_then(|folder| path.strip_prefix(folder).ok()).map(Path::to_owned),
            Item::Named(_) => None,
        };
        ItemPlace { target, inside }
    }

    /// Begins at the place where an earlier search ended; returns the item whose first matches were listed then. If that file is
    /// gone, begins at the one after it.
    ///
    /// # Errors
    /// If the place is not one of these targets.
    pub fn start_at(&mut self, cursor: &Cursor) -> Result<Option<usize>, EngineError> {
        let ItemPlace { target, inside } = &cursor.place;
        let end = self.targets.get(target + 1).map_or(self.items.len(), |next| next.first);
        let is_alike = |found: &&TargetItems| found.first == end || found.folder.is_some() == inside.is_some();
        let Some(TargetItems { first, folder, .. }) = self.targets.get(*target).filter(is_alike) else {
            let message = format!("`{cursor}` is a cursor of a request with other targets");
            let error = EngineError::bad_request(message);
            return Err(error.hint("repeat that request with the cursor, or leave the cursor out"));
        };
        let path = folder.as_deref().zip(inside.as_deref()).map(|(folder, inside)| folder.join(inside));
        // The files of a folder are sorted by path.
        let is_before = |item: &Item| match (item, &path) {
            (Item::Walked(item), Some(path)) => item < path,
            _ => false,
        };
        let at = first + self.items[*first..end].partition_point(is_before);
        let is_there = at < end
            && match (&self.items[at], &path) {
                (Item::Walked(item), Some(path)) => item == path,
                (_, None) => true,
                _ => false,
            };
        let is_done = is_there && cursor.next == Next::End;
        self.start = if is_done { at + 1 } else { at };
        Ok((is_there && !is_done).then_some(at))
    }

    /// Whether files, and code in them, in a language are wanted.
    pub fn wants(&self, language: &'static Language) -> bool {
        self.wanted.is_none_or(|wanted| wanted == language)
    }

    /// Whether its folder is walked during the visit.
    pub fn is_growing(&self) -> bool {
        self.growing.is_some()
    }

    /// Whether what is parsed is kept in an index, for each target.
    pub fn is_writing(&self) -> bool {
        let is_writing = |target: &TargetItems| {
            target.indexed.as_ref().is_some_and(|indexed| self.indexes[indexed.index()].is_writing())
        };
        self.targets.iter().all(is_writing)
    }

    /// An item's file in the index that it lies in.
    pub fn indexed(&self, item: usize, path: &Path) -> Option<IndexedFile<'_>> {
        self.targets[self.target_of(item)].indexed.as_ref()?.file(path, &self.indexes)
    }

    fn target_of(&self, item: usize) -> usize {
        self.targets.partition_point(|target| target.first <= item).saturating_sub(1)
    }
}

/// Where the items of a target begin. They end where those of the next target begin.
pub(crate) struct TargetItems {
    first: usize,
    /// The target, if it is a folder.
    folder: Option<PathBuf>,
    /// The index that it lies in.
    indexed: Option<IndexedFolder>,
}

/// One of the things to search.
pub(crate) enum Item {
    /// A file that a walk found.
    Walked(PathBuf),
    /// The thing that a target named.
    Named(Box<Source>),
}

impl Reader {
    /// Finds out what targets are, and lists the files of folders. No targets are the working directory.
    pub(crate) fn resolve_targets(
        &self,
        targets: &[Target],
        reading: &Reading,
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        self.searched_within(targets, reading, &[], report)
    }

    /// The same, but a single folder is walked during the visit, which must not end early and not ask for an order.
    pub(crate) fn resolve_growing(
        &self,
        targets: &[Target],
        reading: &Reading,
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        self.resolve(targets, reading, &[], true, report)
    }

    /// The same; of folders only the files that match one of the globs `within`, beside those of `reading`.
    pub(crate) fn searched_within(
        &self,
        targets: &[Target],
        reading: &Reading,
        within: &[String],
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        self.resolve(targets, reading, within, false, report)
    }

    fn resolve(
        &self,
        targets: &[Target],
        reading: &Reading,
        within: &[String],
        may_grow: bool,
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        let changed = self.changed_files(reading)?;
        let is_wanted = |path: &PathBuf| changed.as_ref().is_none_or(|changed| changed.contains(path));
        let here = [Target::Named(".".to_owned())];
        let targets = if targets.is_empty() && !reading.as_in_folders { &here } else { targets };
        let mut items = Vec::new();
        let mut ranges = Vec::new();
        let mut folders = false;
        let mut indexes = Vec::new();
        let mut growing = None;
        let wanted = match reading.language.as_deref() {
            Some(name) => Some(
                self.languages_known().named(name).map_err(|error| unknown_language(&error, self.languages_known()))?,
            ),
            None => None,
        };
        let detector = Detector::new(self.languages_known());
        for target in targets {
            let range = ranges.len();
            ranges.push(TargetItems { first: items.len(), folder: None, indexed: None });
            let source = match self.source(target) {
                // One target that is missing doesn't stop the search of the others.
                Err(error) if (targets.len() > 1 || reading.as_in_folders) && is_about_one(&error) => {
                    report.skipped.push(Skipped::new(named(target), error, false));
                    continue;
                }
                source => source?,
            };
            match source {
                Source::Folder(path) => {
                    folders = true;
                    let is_all = changed.is_none() && within.is_empty();
                    let extent = if is_all { Extent::All } else { Extent::Part };
                    ranges[range].indexed = self.index_of(&path, reading, extent, &mut indexes);
                    if may_grow && targets.len() == 1 && changed.is_none() {
                        growing = Some(Growing::new(path.clone(), walk_of(reading, within)));
                        ranges[range].folder = Some(path);
                        continue;
                    }
                    // Most files of a folder may be in other languages.
                    let may_have = |path: &Path| wanted.is_none_or(|wanted| may_have(path, wanted, &detector));
                    let files = self.walk_files(&path, reading, within, report, &may_have)?.into_iter();
                    items.extend(files.filter(is_wanted).map(Item::Walked));
                    ranges[range].folder = Some(path);
                }
                Source::File(path) if !is_wanted(&path) => {}
                Source::File(path) => {
                    let folder = path.parent().unwrap_or(&path);
                    ranges[range].indexed = self.index_of(folder, reading, Extent::OneFile, &mut indexes);
                    items.push(match reading.as_in_folders {
                        true => Item::Walked(path),
                        false => Item::Named(Box::new(Source::File(path))),
                    });
                }
                source => items.push(Item::Named(Box::new(source))),
            }
        }
        Ok(Searched {
            single: !folders && !reading.as_in_folders && targets.len() == 1,
            items,
            targets: ranges,
            start: 0,
            growing,
            detector,
            wanted,
            indexes,
        })
    }

    /// The files of a folder.
    pub(crate) fn walk_folder(
        &self,
        folder: &Path,
        reading: &Reading,
        within: &[String],
        report: &mut FilesReport,
    ) -> Result<Vec<PathBuf>, EngineError> {
        self.walk_files(folder, reading, within, report, &|_| true)
    }

    /// The files of a folder that fit.
    fn walk_files(
        &self,
        folder: &Path,
        reading: &Reading,
        within: &[String],
        report: &mut FilesReport,
        fits: &(dyn Fn(&Path) -> bool + Sync),
    ) -> Result<Vec<PathBuf>, EngineError> {
        let walk = walk_of(reading, within);
        let listed = self.interruptible(|| Ok(self.files().list_fitting(folder, &walk, fits)))?;
        let Listing { files, unlisted } = listed.map_err(|error| self.unwalkable(folder, &error))?;
        report.skipped.extend(unlisted.into_iter().map(|unlisted| self.unlisted(unlisted)));
        Ok(files)
    }

    pub(crate) fn unwalkable(&self, folder: &Path, error: &io::Error) -> EngineError {
        let message = format!("the folder cannot be walked: {error}");
        EngineError::bad_request(message).path(self.shown(folder))
    }

    pub(crate) fn unlisted(&self, unlisted: WalkError) -> Skipped {
        let error = EngineError::new(ErrorCode::NotFound, unlisted.why);
        Skipped::new(self.shown(&unlisted.path), error, true)
    }

    /// Makes the files of a folder that was walked during the visit the items of the search.
    pub(crate) fn settle(&self, searched: &mut Searched, report: &mut FilesReport) -> Result<(), EngineError> {
        let Some(growing) = searched.growing.take() else { return Ok(()) };
        let Walked { mut files, unlisted } =
            growing.take().map_err(|error| self.unwalkable(&growing.folder, &error))?;
        files.sort_unstable();
        searched.items.extend(files.into_iter().map(Item::Walked));
        report.skipped.extend(unlisted.into_iter().map(|unlisted| self.unlisted(unlisted)));
        Ok(())
    }
}

/// Whether a file may have code in a language, as far as its name says.
fn may_have(path: &Path, wanted: &'static Language, detector: &Detector) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match detector.detect_by_name(&name) {
        Ok(ByName::Certain(language)) => wanted == language || language.may_hold(wanted.name()),
        _ => true,
    }
}

/// How a folder is walked.
pub(crate) fn walk_of(reading: &Reading, within: &[String]) -> Walk {
    Walk {
        globs: reading.glob.clone(),
        within: within.to_vec(),
        hidden: reading.hidden,
        no_ignore: reading.no_ignore,
        links: false,
        threads: match reading.threads {
            None | Some(0) => thread::available_parallelism().map_or(1, usize::from),
            Some(threads) => threads,
        },
    }
}
