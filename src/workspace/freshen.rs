//! Brings the database of names up to date for a project.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashSet;

use crate::database::{Content, Database, DatabaseError, FileChange, FileRow, NewContent};
use crate::facts::{DefinitionFacts, facts};
use crate::index::version_of;
use crate::interrupt::within;
use crate::language::Language;
use crate::limits;
use crate::locks::IgnorePoison;
use crate::modules::FileId;
use crate::project::{Flight, Scan, Sink, Stamp, scan};
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::workspace::files::Workspace;
use crate::workspace::known_facts::ProjectFacts;

/// How many files one job reads.
const FILES_A_JOB: usize = 16;

impl Reader {
    /// The database for a folder, as the system names it.
    pub(crate) fn database(&self, folder: &Path, create: bool) -> Option<Database> {
        Database::open(self.host.cache.as_ref()?, folder, create)
    }
}

impl Workspace<'_> {
    /// Brings the database of the project up to date, as far as that is possible now, and makes it if asked to.
    ///
    /// # Errors
    /// If the request is to stop.
    pub(crate) fn know(&mut self, create: bool) -> Result<(), EngineError> {
        if self.reading.no_cache || self.reading.encoding.is_some() {
            return Ok(());
        }
        let Ok(root) = self.engine.files().resolve(self.root()) else { return Ok(()) };
        let Some(root_text) = root.to_str().map(|root| root.trim_end_matches('/').to_owned()) else { return Ok(()) };
        let Some(database) = self.engine.database(&root, create) else { return Ok(()) };
        let Ok(rows) = database.files(&root_text) else { return Ok(()) };
        let key = |file: FileId| format!("{root_text}/{}", self.project.file(file).path);
        let stamps: Vec<Option<Stamp>> = self.project.ids().map(|file| self.stamp(file)).collect();
        let mut contents: Vec<Option<Content>> = vec![None; stamps.len()];
        let mut stale: Vec<FileId> = Vec::new();
        let mut met = 0;
        for file in self.project.ids() {
            let number = file.0 as usize;
            let row = rows.get(&key(file));
            met += usize::from(row.is_some());
            match (row, stamps[number]) {
                (Some(row), Some(stamp)) if row.is_current(stamp) => contents[number] = Some(row.content),
                (_, Some(_)) => stale.push(file),
                (_, None) => {}
            }
        }
        let mut gone: Vec<String> = Vec::new();
        if met < rows.len() && self.is_whole() {
            let present: FxHashSet<String> = self.project.ids().map(key).collect();
            gone.extend(rows.into_keys().filter(|path| !present.contains(path)));
        }
        if !stale.is_empty() || !gone.is_empty() {
            self.update(&database, (&stale, &gone), &key)?;
            // What was read just now counts, however recently it changed.
            if let Ok(rows) = database.files(&root_text) {
                let is_same = |row: &&FileRow, file: FileId| Some(row.stamp) == stamps[file.0 as usize];
                for file in stale {
                    let row = rows.get(&key(file)).filter(|row| is_same(row, file));
                    contents[file.0 as usize] = row.map(|row| row.content);
                }
            }
        }
        self.facts = Some(ProjectFacts::new(database, contents));
        Ok(())
    }

    /// The facts of the files about which the database says nothing, in memory: another process is writing, or there is no
    /// place for a database.
    ///
    /// # Errors
    /// If the request is to stop.
    pub(crate) fn know_rest(&self) -> Result<Option<ProjectFacts>, EngineError> {
        let unknown: Vec<FileId> = match &self.facts {
            Some(facts) => facts.unknown().collect(),
            None => self.project.ids().collect(),
        };
        if unknown.is_empty() {
            return Ok(None);
        }
        let key = |file: FileId| format!("/{}", self.project.file(file).path);
        let failed = |error: &DatabaseError| {
            EngineError::new(ErrorCode::Internal, format!("the words of the files cannot be collected: {error}"))
        };
        let database = Database::in_memory().map_err(|error| failed(&error))?;
        self.update(&database, (&unknown, &[]), &key)?;
        let rows = database.files("").map_err(|error| failed(&error))?;
        let mut contents: Vec<Option<Content>> = vec![None; self.project.files().len()];
        for file in unknown {
            contents[file.0 as usize] = rows.get(&key(file)).map(|row| row.content);
        }
        Ok(Some(ProjectFacts::new(database, contents)))
    }

    /// Answers a question from the database, and from what is not in it. If it is damaged, it is removed, and the files are read.
    ///
    /// # Errors
    /// As the question.
    pub(crate) fn ask_facts<T>(
        mut self,
        question: impl Fn(&Workspace<'_>, &[&ProjectFacts]) -> Result<Option<T>, EngineError>,
    ) -> Result<T, EngineError> {
        loop {
            let rest = self.know_rest()?;
            let parts: Vec<&ProjectFacts> = self.facts.iter().chain(&rest).collect();
            if let Some(answer) = question(&self, &parts)? {
                return Ok(answer);
            }
            match self.facts.take() {
                Some(facts) => facts.database().discard(),
                None => return Err(EngineError::new(ErrorCode::Internal, "the words of the files cannot be read")),
            }
        }
    }

    /// Reads files and keeps what they say, unless another process is writing.
    fn update(
        &self,
        database: &Database,
        (stale, gone): (&[FileId], &[String]),
        key: &(dyn Fn(FileId) -> String + Sync),
    ) -> Result<(), EngineError> {
        let Some(writer) = database.writer() else { return Ok(()) };
        let jobs: Vec<&[FileId]> = stale.chunks(FILES_A_JOB).collect();
        let question = self.engine.question();
        let stopped = Mutex::new(None);
        let work = |job: usize, _: Flight<'_>, send: Sink<'_, Vec<FileChange>>| {
            let worked = within(&question, || {
                let changes = jobs[job].iter().filter_map(|&file| self.read(database, file, key(file)));
                changes.collect::<Vec<_>>()
            });
            match worked {
                Ok(changes) => _ = send(changes, 0),
                Err(reason) => *stopped.lock().ignore_poison() = Some(reason),
            }
        };
        let observer = &self.engine.host.observer;
        let (mut waiting, mut weight, mut done) = (Vec::new(), 0, 0);
        let threads = self.reading.threads.unwrap_or(0);
        let ended = scan(
            jobs.len(),
            Scan { threads, unordered: false },
            work,
            || ControlFlow::Continue(()),
            |changes| {
                done += FILES_A_JOB;
                observer.progress(done.min(stale.len()), Some(stale.len()), "indexing");
                weight += changes.iter().map(weight_of).sum::<usize>();
                waiting.extend(changes);
                if weight > limits::FACTS_BATCH {
                    weight = 0;
                    return match writer.add(std::mem::take(&mut waiting)) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => ControlFlow::Break(error),
                    };
                }
                ControlFlow::Continue(())
            },
        );
        if let Some(reason) = stopped.into_inner().ignore_poison() {
            return Err(self.engine.left(reason));
        }
        let written = match ended {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => {
                writer.add(waiting).and_then(|()| writer.forget(gone)).and_then(|()| writer.prune())
            }
        };
        if let Err(error) = written {
            // The answer does not depend on it.
            observer.note(&format!("the database of names cannot be written: {error}"));
        }
        let _ = writer.settle();
        Ok(())
    }

    /// What a file says, and what it was when it said it. `None` if it cannot be read, which is reported.
    fn read(&self, database: &Database, file: FileId, path: String) -> Option<FileChange> {
        let stamp = self.stamp(file).unwrap_or(Stamp { size: 0, modified: 0, changed: 0, inode: 0 });
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let read_at = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        let language = self.project.file(file).language;
        let bytes = self.bytes(file).map_err(|error| self.skip(file, error)).ok()?;
        let hash = hash(language, &bytes);
        let content = match database.content(&hash).ok()? {
            Some(content) => NewContent::Known(content),
            None => {
                let tree = self.tree_of(file, bytes).map_err(|error| self.skip(file, error)).ok()?;
                NewContent::New(hash, Box::new(facts(&tree)))
            }
        };
        Some(FileChange { path, stamp, read_at, content })
    }
}

/// Roughly how much memory a change takes.
fn weight_of(change: &FileChange) -> usize {
    let NewContent::New(_, facts) = &change.content else { return change.path.len() };
    let words: usize = facts.words.iter().map(|word| word.len() + size_of::<String>()).sum();
    let documents = facts.documents.iter();
    let texts: usize = documents.map(|text| text.body.len() + text.documentation.len() + text.signature.len()).sum();
    words + texts + facts.definitions.len() * size_of::<DefinitionFacts>()
}

/// The hash of a content: of its bytes, and of what its facts depend on besides.
pub(crate) fn hash(language: &'static Language, bytes: &[u8]) -> [u8; 16] {
    let mut state = blake3::Hasher::new();
    state.update(version_of(language).as_bytes()).update(language.name().as_bytes()).update(&[0]).update(bytes);
    let mut hash = [0; 16];
    hash.copy_from_slice(&state.finalize().as_bytes()[..16]);
    hash
}
