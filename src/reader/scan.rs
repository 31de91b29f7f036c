//! Visits the files of a search, several at once; a file that fails does not stop the others.
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
use std::time::SystemTime;

use tracing::{debug, debug_span};

use crate::index::{Entry, Parsed};
use crate::interrupt::{self, Question, Reason, within};
use crate::language::{ByName, Language};
use crate::limits;
use crate::project::{Announce, Flight, MemoryLimit, Prefilter, Scan, Sink, scan, scan_fed};
use crate::reader::core::Reader;
use crate::reader::document::{Document, error_rows, limits as limits_of, named_limit, walked_limit, walked_limits};
use crate::reader::file_languages::{Kind, has_injections};
use crate::reader::growing::{Growing, Interest};
use crate::reader::searched::{Item, Searched};
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::request::node_row::SyntaxErrorRow;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::Reading;
use crate::text::Text;
use crate::tree::Tree;

/// How many files go by between two reports of progress.
const PROGRESS_STEP: usize = 16;

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

    /// Whether it shows ids, which are those of a whole file.
    fn numbers_nodes(&self) -> bool {
        false
    }

    /// Whether it looks at code in other languages in a file.
    fn looks_inside(&self) -> bool {
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
    /// Whether its own tree is looked at; if not, `inside` alone is.
    pub is_wanted: bool,
    /// The code in other languages in it, in order.
    pub inside: Vec<Document>,
    /// Its path as results show it.
    pub path: Option<String>,
    /// Whether a walk found it.
    pub walked: bool,
}

impl ParsedFile<'_> {
    /// The trees to look at: its own, and those of the code in it.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        Some(self.document).filter(|_| self.is_wanted).into_iter().chain(&self.inside)
    }

    /// The trees whose syntax errors are its own: a fragment of code may be less than a file.
    fn whole_trees(&self) -> impl Iterator<Item = &Tree> {
        let is_whole = |tree: &&Tree| tree.part().is_none_or(|part| !part.is_fragment);
        self.documents().map(|document| &document.tree).filter(is_whole)
    }
}

/// The syntax errors of a file and of the code in it, as results show them.
pub(crate) fn syntax_errors(seen: &ParsedFile<'_>) -> Vec<SyntaxErrorRow> {
    let mut errors: Vec<SyntaxErrorRow> = seen.whole_trees().flat_map(error_rows).collect();
    errors.sort_by_key(|error| error.start_byte);
    errors
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

/// How a search ended before its end.
enum StopReason {
    Enough,
    Failed(EngineError),
}

impl Reader {
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
                let walked = matches!(item, Item::Walked(_));
                let language = document.tree.language();
                let is_wanted = !walked || searched.wants(language) && look.wants(language);
                let limits = if walked { walked_limits() } else { limits_of(reading) };
                let inside = match look.looks_inside() {
                    true => self.parts_of(&document, &limits, &|language, code| {
                        // Ids are those of the whole file.
                        !walked || look.numbers_nodes() || is_looked_for(searched, look, language, code.as_bytes())
                    }),
                    false => Ok(Vec::new()),
                };
                let inside = match inside {
                    Ok(inside) => inside,
                    Err(error) => return self.failure(item, error),
                };
                let seen = ParsedFile { item: place, document: &document, is_wanted, inside, path, walked };
                match look.visit(&seen, &mut |found, weight| send(Part::Found(found), weight + ROW)) {
                    Ok(()) => {
                        let sound = seen.whole_trees().all(Tree::is_sound);
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
            let has_inside = self.has_inside(entry.language(), entry.text().as_bytes(), searched, look);
            let is_wanted = searched.wants(entry.language()) && look.wants(entry.language());
            if !is_wanted && !has_inside {
                return Ok(Err(Part::Unwanted));
            }
            if !look.wants_trees() && cached.tree(&entry).is_some() {
                return Ok(Err(Part::Kept(cached.index, cached.path.clone())));
            }
            if look.wants_trees() && cached.is_writing() {
                note(Part::Kept(cached.index, cached.path.clone()), cached.path.as_os_str().len());
            }
            if !has_inside && let Some((found, weight)) = look.found_in(&entry, &self.shown(path)) {
                note(Part::Found(found), weight);
                return Ok(Err(Part::Done { with_errors: None }));
            }
            let prefilter = look.prefilter(entry.language());
            if !has_inside && prefilter.is_some_and(|prefilter| !prefilter.may_match(entry.text().as_bytes())) {
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
            Kind::In(language, _) if !look.wants(language) && !has_injections(language) => {
                return Ok(Err(Part::Unwanted));
            }
            Kind::In(language, bytes) => (language, bytes),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.walked_bytes(path, reading)?,
        };
        let has_inside = self.has_inside(language, &bytes, searched, look);
        let is_wanted = searched.wants(language) && look.wants(language);
        if !has_inside && !is_wanted {
            return Ok(Err(Part::Unwanted));
        }
        flight.hold(bytes.len());
        // What is inside is found by a parse of the whole.
        let own_prefilter = || look.prefilter(language).filter(|_| !has_inside);
        let keeping = cached.filter(|cached| cached.is_writing()).zip(stamp);
        let Some((cached, stamp)) = keeping else {
            let prefilter = own_prefilter();
            let document = self.parse_walked(path, bytes, language, (prefilter.as_deref(), look.edits()), reading)?;
            return Ok(document.ok_or(Part::Done { with_errors: None }));
        };
        // Files that cannot match are left out, so that the report is the same as without the index.
        let prefilter = own_prefilter();
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

    /// Whether code in other languages in a text may have what is looked for.
    fn has_inside<L: FileVisitor>(&self, host: &'static Language, bytes: &[u8], searched: &Searched, look: &L) -> bool {
        let is_wanted = |language: &&'static Language| is_looked_for(searched, look, language, bytes);
        look.looks_inside()
            && has_injections(host)
            && self.languages_inside(host, &String::from_utf8_lossy(bytes)).iter().any(is_wanted)
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

/// Whether code in a language may have what is looked for.
fn is_looked_for<L: FileVisitor>(searched: &Searched, look: &L, language: &'static Language, code: &[u8]) -> bool {
    let is_wanted = searched.wants(language) && look.wants(language);
    is_wanted && look.prefilter(language).is_none_or(|prefilter| prefilter.may_match(code))
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
