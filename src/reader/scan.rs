//! The files of a search: turns targets into a list of files, and visits all of them, several at once; a file that fails does not
//! stop the others.
//!
//! What is done with a file is a [`FileVisitor`]. It runs on the threads of the scan, and what it finds is taken on the calling
//! thread, in order; a tree lives no longer than the look at it.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::SystemTime;

use tracing::{debug, debug_span};

use crate::index::{Entry, Parsed};
use crate::interrupt::{self, Question, Reason, within};
use crate::language::{ByName, Detector, HEAD, Language};
use crate::limits;
use crate::project::{Announce, Flight, Listing, MemoryLimit, Prefilter, Scan, Sink, Walk, WalkError, scan, scan_fed};
use crate::reader::cached::{Cached, Extent, IndexedFile, IndexedFolder};
use crate::reader::core::Reader;
use crate::reader::document::{Document, named_limit, walked_limit};
use crate::reader::growing::{Growing, Interest, Walked};
use crate::reader::languages::unknown_language;
use crate::reader::target::{Source, is_about_one, named};
use crate::request::cursor::{Cursor, ItemPlace, Next};
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{Reading, Target};
use crate::text::Text;

/// How many files go by between two reports of progress.
const PROGRESS_STEP: usize = 16;

/// What is to be searched.
pub(crate) struct Searched {
    items: Vec<Item>,
    /// The items of each target, in the order of the request.
    targets: Vec<TargetItems>,
    /// The first item to visit.
    start: usize,
    /// The only target, if it is a folder that is walked during the visit. Its files are the items afterwards.
    growing: Option<Growing>,
    /// The whole search is about one tree, file or text.
    pub single: bool,
    detector: Detector,
    /// The only language wanted of what a walk found.
    wanted: Option<&'static Language>,
    /// The indexes that its files are in.
    indexes: Vec<Cached>,
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
    fn indexed(&self, item: usize, path: &Path) -> Option<IndexedFile<'_>> {
        self.targets[self.target_of(item)].indexed.as_ref()?.file(path, &self.indexes)
    }

    fn target_of(&self, item: usize) -> usize {
        self.targets.partition_point(|target| target.first <= item).saturating_sub(1)
    }
}

/// Where the items of a target begin. They end where those of the next target begin.
struct TargetItems {
    first: usize,
    /// The target, if it is a folder.
    folder: Option<PathBuf>,
    /// The index that it lies in.
    indexed: Option<IndexedFolder>,
}

/// One of the things to search.
enum Item {
    /// A file that a walk found.
    Walked(PathBuf),
    /// What a target named.
    Named(Box<Source>),
}

/// What is done with each file of a search.
pub(crate) trait FileVisitor: Sync {
    /// What it finds, or a part of it.
    type Found: Send;

    /// What tells in which files of a language anything can be found, and where; the rest isn't parsed. Asked for files that a
    /// walk found.
    fn prefilter(&self, _language: &'static Language) -> Option<Arc<Prefilter>> {
        None
    }

    /// Whether it looks at files of a language that a walk found.
    fn wants(&self, _language: &'static Language) -> bool {
        true
    }

    /// Whether it looks at trees at all.
    fn wants_trees(&self) -> bool {
        true
    }

    /// Whether it edits trees, for which the parser's own are kept.
    fn edits(&self) -> bool {
        false
    }

    /// Whether it looks at files and texts in an unrecognised language, too.
    fn wants_texts(&self) -> bool {
        false
    }

    /// Looks at one of these, and sends what it finds.
    fn look_at_text(
        &self,
        _text: &Text,
        _path: Option<String>,
        _send: Sink<'_, Self::Found>,
    ) -> Result<(), EngineError> {
        Ok(())
    }

    /// What it finds in a file of the index without looking at the tree, with its weight.
    fn found_in(&self, _entry: &Entry, _path: &str) -> Option<(Self::Found, usize)> {
        None
    }

    /// Whether the selector is known to be valid once these languages have been met.
    fn is_right_in(&self, _met: &[&'static Language]) -> bool {
        true
    }

    /// Checks the selector for the languages met, and for those that `others` finds with more effort.
    ///
    /// # Errors
    /// The problem with it.
    fn check(
        &self,
        _met: &[&'static Language],
        _others: &dyn Fn() -> Vec<&'static Language>,
    ) -> Result<(), EngineError> {
        Ok(())
    }

    /// Looks at a file, and sends what it finds; each part with its weight in bytes.
    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, Self::Found>) -> Result<(), EngineError>;
}

/// A file of a search, parsed.
pub(crate) struct ParsedFile<'a> {
    /// The index of its item in the search.
    pub item: usize,
    /// Its tree, and where it is from.
    pub document: &'a Document,
    /// Its path as results show it.
    pub path: Option<String>,
    /// Whether a walk found it.
    pub walked: bool,
}

/// What became of a file.
enum Part<F> {
    Found(F),
    /// It was searched to the end.
    Done {
        with_errors: Option<String>,
    },
    /// It is to be kept in the index with this number.
    Parsed(usize, Box<Parsed>),
    /// The index with this number has it as it is.
    Kept(usize, PathBuf),
    /// It is none of those wanted.
    Unwanted,
    UnknownLanguage,
    Failed {
        shown: String,
        error: EngineError,
        walked: bool,
    },
}

/// What a walk's file turned out to be.
enum Kind {
    Unwanted,
    Unknown,
    /// In this language; its bytes, where they had to be read to tell.
    In(&'static Language, Option<Vec<u8>>),
}

/// How a search ended before its end.
enum StopReason {
    Enough,
    Failed(EngineError),
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
        self.resolve(targets, reading, (&[], true), report)
    }

    /// The same; of folders only the files that match one of the globs `within`, beside those of `reading`.
    pub(crate) fn searched_within(
        &self,
        targets: &[Target],
        reading: &Reading,
        within: &[String],
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        self.resolve(targets, reading, (within, false), report)
    }

    fn resolve(
        &self,
        targets: &[Target],
        reading: &Reading,
        (within, may_grow): (&[String], bool),
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
                    let files = self.listed(&path, reading, within, report)?.into_iter();
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
        let wanted = match reading.language.as_deref() {
            Some(name) => Some(
                self.languages_known().named(name).map_err(|error| unknown_language(&error, self.languages_known()))?,
            ),
            None => None,
        };
        Ok(Searched {
            single: !folders && !reading.as_in_folders && targets.len() == 1,
            items,
            targets: ranges,
            start: 0,
            growing,
            detector: Detector::new(self.languages_known()),
            wanted,
            indexes,
        })
    }

    /// The files of a folder.
    pub(crate) fn listed(
        &self,
        folder: &Path,
        reading: &Reading,
        within: &[String],
        report: &mut FilesReport,
    ) -> Result<Vec<PathBuf>, EngineError> {
        let walk = walk_of(reading, within);
        let listed = self.interruptible(|| Ok(self.files().list(folder, &walk)))?;
        let Listing { files, unlisted } = listed.map_err(|error| self.unwalkable(folder, &error))?;
        report.skipped.extend(unlisted.into_iter().map(|unlisted| self.unlisted(unlisted)));
        Ok(files)
    }

    fn unwalkable(&self, folder: &Path, error: &io::Error) -> EngineError {
        let message = format!("the folder cannot be walked: {error}");
        EngineError::bad_request(message).path(self.shown(folder))
    }

    fn unlisted(&self, unlisted: WalkError) -> Skipped {
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

    /// Whether the selector is known to be valid for the languages that the walk has met so far. Once the walk has ended, the
    /// selector is valid or an error.
    fn is_right<L: FileVisitor>(
        &self,
        look: &L,
        growing: &Growing,
        searched: &Searched,
        reading: &Reading,
    ) -> Result<bool, EngineError> {
        let met = growing.met();
        if met.is_done {
            let others = || self.hidden_languages(searched, reading);
            return look.check(&met.languages, &others).map(|()| true);
        }
        Ok(!met.languages.is_empty() && look.is_right_in(&met.languages))
    }

    /// Looks at each file, several at once, and gives what is found to `take`, in order unless asked otherwise. What a file of
    /// several can't do is written into the report. `take` returns whether to go on; how many files were left then is
    /// returned.
    pub(crate) fn visit<L: FileVisitor>(
        &self,
        searched: &Searched,
        reading: &Reading,
        look: &L,
        report: &mut FilesReport,
        mut take_found: impl FnMut(L::Found, &mut FilesReport) -> Result<bool, EngineError>,
    ) -> Result<usize, EngineError> {
        let total = searched.items.len() - searched.start;
        let total_now = || match &searched.growing {
            Some(growing) => growing.is_done().then(|| growing.count()),
            None => Some(total),
        };
        let observer = &self.host.observer;
        let stop = Arc::new(AtomicBool::new(false));
        let question: Question = {
            let (stop, asked) = (Arc::clone(&stop), self.question());
            Arc::new(move || if stop.load(Ordering::Relaxed) { Some(Reason::Cancelled) } else { asked() })
        };
        let (mut done, mut enough) = (0, false);
        // A request for an index fails without one; a search finds the same without it.
        let unwritten = |error: &io::Error| {
            let message = format!("the index cannot be written: {error}");
            if look.wants_trees() {
                observer.note(&message);
                return None;
            }
            Some(
                EngineError::new(ErrorCode::Internal, message).hint("searches go on without it, with the same answers"),
            )
        };
        let work = |job: usize, flight: Flight<'_>, send: Sink<'_, Part<L::Found>>| {
            self.work(searched, searched.start + job, reading, (look, &question, flight), send);
        };
        let scan_as = Scan { threads: reading.threads.unwrap_or(0), unordered: reading.unordered };
        let glance = || match observer.is_cancelled() {
            true => {
                stop.store(true, Ordering::Relaxed);
                ControlFlow::Break(StopReason::Failed(cancelled()))
            }
            false => ControlFlow::Continue(()),
        };
        let is_checked = Cell::new(searched.growing.is_none());
        let check = || match &searched.growing {
            Some(growing) if !is_checked.get() => match self.is_right(look, growing, searched, reading) {
                Ok(is_right) => {
                    is_checked.set(is_right);
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(StopReason::Failed(error)),
            },
            _ => ControlFlow::Continue(()),
        };
        let glance = || {
            // Before the walk has ended there is nothing to say against it.
            if !is_checked.get() && searched.growing.as_ref().is_some_and(Growing::is_done) {
                check()?;
            }
            glance()
        };
        let mut take = |part| {
            while let Some(growing) = searched.growing.as_ref().filter(|_| !is_checked.get())
                && matches!(part, Part::Found(_))
            {
                let known = growing.met().languages.len();
                check()?;
                glance()?;
                if !is_checked.get() {
                    growing.wait(known);
                }
            }
            match part {
                Part::Found(_) if enough => return ControlFlow::Continue(()),
                Part::Found(found) => {
                    match take_found(found, report) {
                        Ok(going_on) => enough = !going_on,
                        Err(error) => return ControlFlow::Break(StopReason::Failed(error)),
                    }
                    return ControlFlow::Continue(());
                }
                Part::Done { with_errors } => {
                    report.searched += 1;
                    report.with_errors.extend(with_errors);
                }
                Part::Parsed(index, parsed) => {
                    if let Err(error) = searched.indexes[index].add(*parsed) {
                        searched.indexes[index].give_up();
                        return unwritten(&error)
                            .map_or(ControlFlow::Continue(()), |error| ControlFlow::Break(StopReason::Failed(error)));
                    }
                    return ControlFlow::Continue(());
                }
                Part::Kept(index, path) => {
                    searched.indexes[index].keep(&path);
                    if look.wants_trees() {
                        return ControlFlow::Continue(());
                    }
                    report.kept += 1;
                }
                Part::Unwanted => {}
                Part::UnknownLanguage => report.unknown_language += 1,
                Part::Failed { error, .. } if searched.single => return ControlFlow::Break(StopReason::Failed(error)),
                Part::Failed { shown, error, walked } => report.skipped.push(Skipped::new(shown, error, walked)),
            }
            if done % PROGRESS_STEP == 0 {
                observer.progress(done, total_now(), "searching");
            }
            done += 1;
            if enough { ControlFlow::Break(StopReason::Enough) } else { ControlFlow::Continue(()) }
        };
        let take = |part| {
            let flow = take(part);
            // What others work on isn't wanted any more.
            stop.fetch_or(flow.is_break(), Ordering::Relaxed);
            flow
        };
        let ended = match &searched.growing {
            None => scan(total, scan_as, work, glance, take),
            Some(growing) => {
                let wants_texts = look.wants_texts() && searched.wanted.is_none();
                let interest = Interest { wanted: searched.wanted, unknown: wants_texts };
                let feed = |announce: Announce<'_>| {
                    let walked = within(&question, || {
                        growing.walk(self.files(), &searched.detector, &interest, announce);
                    });
                    growing.close(walked.err());
                };
                scan_fed(scan_as.threads, feed, work, glance, take)
            }
        };
        let ended = match ended {
            ControlFlow::Continue(()) => check(),
            ended => ended,
        };
        report.unknown_language += searched.growing.as_ref().map_or(0, Growing::unknown);
        // A walk that was left has not found all files.
        let left = searched.growing.as_ref().and_then(Growing::left).map(|reason| self.left(reason));
        let ended = match left {
            Some(error) if ended.is_continue() => ControlFlow::Break(StopReason::Failed(error)),
            _ => ended,
        };
        if ended.is_continue() {
            for cached in &searched.indexes {
                let is_whole = searched.start == 0;
                let unwritten = self.finish_index(cached, is_whole).err().and_then(|error| unwritten(&error));
                unwritten.map_or(Ok(()), Err)?;
            }
        }
        match ended {
            ControlFlow::Continue(()) => Ok(0),
            ControlFlow::Break(StopReason::Failed(error)) => Err(error),
            ControlFlow::Break(StopReason::Enough) => Ok(total.saturating_sub(done)),
        }
    }

    /// All that is done for one file: on any thread.
    fn work<L: FileVisitor>(
        &self,
        searched: &Searched,
        place: usize,
        reading: &Reading,
        (look, question, flight): (&L, &Question, Flight<'_>),
        send: Sink<'_, Part<L::Found>>,
    ) {
        // What waits for its turn is little more than the part itself.
        const ROW: usize = 64;
        let walked = searched.growing.as_ref().map(|growing| Item::Walked(growing.file(place)));
        let item = walked.as_ref().unwrap_or_else(|| &searched.items[place]);
        let worked = catch_unwind(AssertUnwindSafe(|| {
            within(question, || {
                let opened = match item {
                    Item::Walked(path) => {
                        let mut note = |part: Part<L::Found>, weight| _ = send(part, weight);
                        self.walked((path, place), searched, reading, (look, flight), &mut note)
                    }
                    Item::Named(source) => match self.plain_text(source, reading).filter(|_| look.wants_texts()) {
                        Some(text) => {
                            let path = Some(self.shown_item(item)).filter(|path| path != "-");
                            let mut send = |found, weight| send(Part::Found(found), weight + ROW);
                            let looked = text.and_then(|text| look.look_at_text(&text, path, &mut send));
                            looked.map(|()| Err(Part::Done { with_errors: None }))
                        }
                        None => match self.indexed_document(place, source, searched, reading).filter(|_| !look.edits())
                        {
                            Some(document) => Ok(Ok(document)),
                            None if look.edits() => self.document_to_edit((**source).clone(), reading).map(Ok),
                            None => self.document_of((**source).clone(), reading).map(Ok),
                        },
                    },
                };
                let document = match opened {
                    Ok(Ok(document)) => document,
                    Ok(Err(part)) => return part,
                    Err(error) => {
                        let walked = matches!(item, Item::Walked(_));
                        return Part::Failed { shown: self.shown_item(item), error, walked };
                    }
                };
                let path = self.shown_path(&document);
                let document = document.at_path(path.as_deref());
                let seen =
                    ParsedFile { item: place, document: &document, path, walked: matches!(item, Item::Walked(_)) };
                match look.visit(&seen, &mut |found, weight| send(Part::Found(found), weight + ROW)) {
                    Ok(()) => {
                        let sound = document.tree.is_sound();
                        Part::Done { with_errors: seen.path.filter(|_| !sound) }
                    }
                    Err(error) => self.failure(item, error),
                }
            })
        }));
        let part = worked.map(|part| part.unwrap_or_else(|reason| self.failure(item, self.left(reason))));
        let part = part.unwrap_or_else(|_| {
            let error =
                EngineError::new(ErrorCode::Internal, "searching it failed with an internal error (a bug in cst)");
            self.failure(item, error)
        });
        send(part, ROW);
    }

    /// A file that a walk found, parsed, or the outcome without parsing it. `note` takes further parts of the outcome.
    fn walked<L: FileVisitor>(
        &self,
        (path, place): (&Path, usize),
        searched: &Searched,
        reading: &Reading,
        (look, flight): (&L, Flight<'_>),
        note: &mut dyn FnMut(Part<L::Found>, usize),
    ) -> Result<Result<Document, Part<L::Found>>, EngineError> {
        let _file = debug_span!("file", path = self.shown(path)).entered();
        let cached = searched.indexed(place, path);
        let stamp = match cached {
            Some(_) => self.files().facts(path).map_err(|error| self.unreadable(path, &error))?.stamp,
            None => None,
        };
        let read_at = SystemTime::now();
        let cached = cached.as_ref();
        if let (Some(cached), Some(stamp)) = (cached, stamp)
            && stamp.size <= walked_limit(reading)
            && let Some(entry) = cached.entry(stamp).filter(|entry| is_told(path, searched, entry))
        {
            if searched.wanted.is_some_and(|wanted| wanted != entry.language()) || !look.wants(entry.language()) {
                return Ok(Err(Part::Unwanted));
            }
            if !look.wants_trees() && cached.tree(&entry).is_some() {
                return Ok(Err(Part::Kept(cached.index, cached.path.clone())));
            }
            if look.wants_trees() && cached.is_writing() {
                note(Part::Kept(cached.index, cached.path.clone()), cached.path.as_os_str().len());
            }
            if let Some((found, weight)) = look.found_in(&entry, &self.shown(path)) {
                note(Part::Found(found), weight);
                return Ok(Err(Part::Done { with_errors: None }));
            }
            let prefilter = look.prefilter(entry.language());
            if prefilter.is_some_and(|prefilter| !prefilter.may_match(entry.text().as_bytes())) {
                debug!("cannot match, by the text in the index");
                return Ok(Err(Part::Done { with_errors: None }));
            }
            if let Some(tree) = cached.tree(&entry) {
                debug!("taken from the index");
                return Ok(Ok(Document::walked(tree, path)));
            }
            debug!("not taken from the index: its table is damaged");
        } else if cached.is_some() {
            debug!("not taken from the index: not in it, changed since, or too recent");
        }
        let (language, bytes) = match self.kind(path, searched, reading)? {
            Kind::Unwanted => return Ok(Err(Part::Unwanted)),
            Kind::Unknown if look.wants_texts() && searched.wanted.is_none() => {
                let text = self.plain_file(path, self.walked_bytes(path, reading)?, reading)?;
                let mut send = |found, weight| {
                    note(Part::Found(found), weight);
                    true
                };
                look.look_at_text(&text, Some(self.shown(path)), &mut send)?;
                return Ok(Err(Part::Done { with_errors: None }));
            }
            Kind::Unknown => {
                debug!("skipped: in an unrecognised language");
                return Ok(Err(Part::UnknownLanguage));
            }
            Kind::In(language, _) if !look.wants(language) => return Ok(Err(Part::Unwanted)),
            Kind::In(language, bytes) => (language, bytes),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.walked_bytes(path, reading)?,
        };
        flight.hold(bytes.len());
        let keeping = cached.filter(|cached| cached.is_writing()).zip(stamp);
        let Some((cached, stamp)) = keeping else {
            let prefilter = look.prefilter(language);
            let document = self.parse_walked(path, bytes, language, (prefilter.as_deref(), look.edits()), reading)?;
            return Ok(document.ok_or(Part::Done { with_errors: None }));
        };
        // Files that cannot match are left out, so that the report is the same as without the index.
        let prefilter = look.prefilter(language);
        let may_match = |text: Option<&str>| {
            text.zip(prefilter.as_deref()).is_none_or(|(text, prefilter)| prefilter.may_match(text.as_bytes()))
        };
        let known = std::str::from_utf8(&bytes).ok();
        let known = known.and_then(|text| cached.again(stamp, read_at, text));
        if let Some((entry, parsed)) = known.filter(|(entry, _)| entry.language() == language)
            && let Some(tree) = cached.tree(&entry)
        {
            note(Part::Parsed(cached.index, Box::new(parsed)), 0);
            let looked_at = may_match(Some(entry.text())).then(|| Document::walked(tree, path));
            return Ok(looked_at.ok_or(Part::Done { with_errors: None }));
        }
        let document = self.parse_walked(path, bytes, language, (None, look.edits()), reading)?;
        if let Some(parsed) = document.as_ref().and_then(|document| cached.parsed(stamp, read_at, &document.tree)) {
            let weight = parsed.weight();
            note(Part::Parsed(cached.index, Box::new(parsed)), weight);
        }
        let document = document.filter(|document| may_match(document.tree.text().as_str()));
        Ok(document.ok_or(Part::Done { with_errors: None }))
    }

    /// Parses a file that a walk found, unless that takes too much memory: one file doesn't end the search of the others.
    pub(crate) fn parse_walked(
        &self,
        path: &Path,
        bytes: Vec<u8>,
        language: &'static Language,
        options: (Option<&Prefilter>, bool),
        reading: &Reading,
    ) -> Result<Option<Document>, EngineError> {
        if bytes.len() < limits::MEASURED_FILE_BYTES {
            return self.walked_document(path, bytes, language, options, reading);
        }
        let outer = interrupt::question();
        let limit = MemoryLimit::new(limits::FOLDER_FILE_MEMORY);
        let question: Question = Arc::new(move || {
            let reason = outer.as_ref().and_then(|outer| outer());
            reason.or_else(|| limit.is_exceeded().then_some(Reason::Memory))
        });
        let parsed = interrupt::within(&question, || self.walked_document(path, bytes, language, options, reading));
        parsed.unwrap_or_else(|_| {
            // If the whole request is to stop, it does so here.
            interrupt::poll();
            let most = limits::FOLDER_FILE_MEMORY >> 20;
            let error = EngineError::new(ErrorCode::Budget, format!("parsing takes more than {most} MiB of memory"));
            Err(error.path(self.shown(path)).hint("name the file alone"))
        })
    }

    /// A file that was named, as the index has it; `None` if it has to be read.
    fn indexed_document(
        &self,
        place: usize,
        source: &Source,
        searched: &Searched,
        reading: &Reading,
    ) -> Option<Document> {
        let Source::File(path) = source else { return None };
        let cached = searched.indexed(place, path)?;
        let stamp = self.files().facts(path).ok()?.stamp.filter(|stamp| stamp.size <= named_limit(reading))?;
        let entry = cached.entry(stamp)?;
        let name = self.detected_as(path);
        let language = self.language_of(&name, entry.text().as_bytes(), reading.language.as_deref(), "");
        if language.ok()? != entry.language() {
            return None;
        }
        debug!(path = self.shown(path), "taken from the index");
        Document::indexed(cached.tree(&entry)?, path)
    }

    /// The language of a file that a walk found, by its name, or else by its text; a file without an extension may say it in
    /// its first lines.
    fn kind(&self, path: &Path, searched: &Searched, reading: &Reading) -> Result<Kind, EngineError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let wanted = |language| match searched.wanted {
            Some(wanted) if wanted != language => Kind::Unwanted,
            _ => Kind::In(language, None),
        };
        match searched
            .detector
            .detect_by_name(&name)
            .map_err(|error| unknown_language(&error, self.languages_known()))?
        {
            ByName::Certain(language) => Ok(wanted(language)),
            ByName::Ambiguous(_) => {
                let bytes = self.walked_bytes(path, reading)?;
                let found = searched
                    .detector
                    .detect(&name, &bytes)
                    .map_err(|error| unknown_language(&error, self.languages_known()))?;
                Ok(match found.map(wanted) {
                    Some(Kind::In(language, _)) => Kind::In(language, Some(bytes)),
                    found => found.unwrap_or(Kind::Unknown),
                })
            }
            ByName::Unknown if path.extension().is_some() => Ok(Kind::Unknown),
            ByName::Unknown => {
                let head = self.files().head(path, HEAD).map_err(|error| self.unreadable(path, &error))?;
                let found = searched
                    .detector
                    .detect(&name, &head)
                    .map_err(|error| unknown_language(&error, self.languages_known()))?;
                Ok(found.map_or(Kind::Unknown, wanted))
            }
        }
    }

    /// The languages in play: of the files named and of those that a walk found, by their names alone. Those that most files
    /// are in come first.
    pub(crate) fn languages_in_play(&self, searched: &Searched, reading: &Reading) -> Vec<&'static Language> {
        let mut counts: Vec<(&'static Language, usize)> = Vec::new();
        let mut count = |language: &'static Language| match counts.iter_mut().find(|known| known.0 == language) {
            Some(known) => known.1 += 1,
            None => counts.push((language, 1)),
        };
        for item in &searched.items {
            match item {
                Item::Walked(path) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    if let Ok(ByName::Certain(language) | ByName::Ambiguous(language)) =
                        searched.detector.detect_by_name(&name)
                        && searched.wanted.is_none_or(|wanted| wanted == language)
                    {
                        count(language);
                    }
                }
                Item::Named(source) => _ = self.language_of_source(source, searched, reading).map(&mut count),
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().map(|(language, _)| language).collect()
    }

    /// The languages that the names of files don't tell: the text of a header, the first lines of a script.
    pub(crate) fn hidden_languages(&self, searched: &Searched, reading: &Reading) -> Vec<&'static Language> {
        let mut found: Vec<&'static Language> = Vec::new();
        let grown = searched.growing.iter().flat_map(|growing| (0..growing.count()).map(|number| growing.file(number)));
        let grown: Vec<Item> = grown.map(Item::Walked).collect();
        for item in searched.items.iter().chain(&grown) {
            // Nobody waits for the answer; the search that follows says so.
            if self.host.observer.is_cancelled() {
                break;
            }
            let Item::Walked(path) = item else { continue };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if matches!(searched.detector.detect_by_name(&name), Ok(ByName::Certain(_))) {
                continue;
            }
            if let Ok(Kind::In(language, _)) = self.kind(path, searched, reading)
                && !found.contains(&language)
            {
                found.push(language);
            }
        }
        found
    }

    fn language_of_source(&self, source: &Source, searched: &Searched, reading: &Reading) -> Option<&'static Language> {
        match source {
            Source::Tree(id) => self.session_document(id).ok().map(|document| document.tree.language()),
            Source::File(_) | Source::Folder(_) if searched.wanted.is_some() => searched.wanted,
            Source::File(path) | Source::Folder(path) => {
                match searched.detector.detect_by_name(&path.to_string_lossy()) {
                    Ok(ByName::Certain(language)) => Some(language),
                    _ => self.read_file(path, reading).ok().map(|file| file.language),
                }
            }
            Source::Text(text) => {
                let named = text.language.as_deref().or(reading.language.as_deref());
                self.language_of(text.name.as_deref().unwrap_or(""), text.text.as_bytes(), named, "the text").ok()
            }
        }
    }

    /// How many of the last `left` files are in a language known, and wanted.
    pub(crate) fn left_over(&self, searched: &Searched, left: usize, reading: &Reading) -> usize {
        let is_one = |item: &&Item| match item {
            Item::Walked(path) => !matches!(self.kind(path, searched, reading), Ok(Kind::Unwanted | Kind::Unknown)),
            Item::Named(_) => true,
        };
        searched.items[searched.items.len() - left..].iter().filter(is_one).count()
    }

    /// Stops a request that was cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<(), EngineError> {
        if self.host.observer.is_cancelled() { Err(cancelled()) } else { Ok(()) }
    }

    /// What becomes of an item that fails.
    fn failure<F>(&self, item: &Item, error: EngineError) -> Part<F> {
        debug!(path = self.shown_item(item), %error, "skipped");
        Part::Failed { shown: self.shown_item(item), error, walked: false }
    }

    fn shown_item(&self, item: &Item) -> String {
        match item {
            Item::Walked(path) => self.shown(path),
            Item::Named(source) => match &**source {
                Source::Tree(id) => id.clone(),
                Source::File(path) | Source::Folder(path) => self.shown(path),
                Source::Text(text) => text.name.clone().unwrap_or_else(|| "-".to_owned()),
            },
        }
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

/// Whether a file of the index is in the language that its name and text show today.
fn is_told(path: &Path, searched: &Searched, entry: &Entry) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match searched.detector.detect_by_name(&name) {
        Ok(ByName::Certain(language)) => language == entry.language(),
        Ok(_) => matches!(
            searched.detector.detect(&name, entry.text().as_bytes()),
            Ok(Some(language)) if language == entry.language()
        ),
        Err(_) => false,
    }
}
