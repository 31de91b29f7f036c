//! Precise indexes: SCIP files by other programs, kept for the questions about a project.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::database::{Precise, PreciseDocument, PreciseSource};
use crate::limits;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::requests::Reading;
use crate::scip::{ScipColumns, ScipIndex, ScipOccurrence, name_of_symbol, read_scip};
use crate::symbols::{PreciseName, PreciseSpan, line_hash};
use crate::text::{Span, Text};
use crate::workspace::files::Workspace;

/// The index at the top of a project that is used without being asked for.
const INDEX: &str = "index.scip";

impl Reader {
    /// Reads a SCIP index and keeps it for a folder. How many files and names of it there are.
    ///
    /// # Errors
    /// If it cannot be read or kept.
    pub(crate) fn keep_scip(&self, index: &Path, root: &Path, reading: &Reading) -> Result<PreciseSource, EngineError> {
        let (mut source, documents) = self.read_index(index, root, reading)?;
        source.stamp = String::new();
        let (Some(cache), Ok(folder)) = (&self.host.cache, self.files().resolve(root)) else {
            return Err(EngineError::bad_request("no folder for the index is known"));
        };
        Precise::keep(cache, &folder, &source, &documents).map_err(|error| {
            EngineError::new(ErrorCode::ReadOnly, format!("the index cannot be kept: {error}")).path(self.shown(index))
        })?;
        Ok(source)
    }

    /// The names of an index that are in the files of a folder now.
    fn read_index(
        &self,
        index: &Path,
        root: &Path,
        reading: &Reading,
    ) -> Result<(PreciseSource, Vec<PreciseDocument>), EngineError> {
        let shown = self.shown(index);
        let facts = self.files().facts(index).map_err(|error| self.unreadable(index, &error))?;
        let bytes = self.files().read(index, limits::SCIP_BYTES).map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => {
                let message = format!("`{shown}` has more than {} bytes", limits::SCIP_BYTES);
                EngineError::new(ErrorCode::TooLarge, message).path(&shown)
            }
            _ => self.unreadable(index, &error),
        })?;
        let scip = read_scip(&bytes)
            .map_err(|error| EngineError::bad_request(format!("`{shown}` cannot be read: {error}")).path(&shown))?;
        let stamp = format!("{:?}", facts.stamp);
        let folder = self.files().resolve(root).unwrap_or_else(|_| root.to_owned());
        let documents = self.interruptible(|| Ok(self.documents_of(&scip, &folder, reading)))?;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let names = count(documents.iter().map(|document| document.names.len()).sum());
        let path = index.to_string_lossy().into_owned();
        Ok((PreciseSource { path, stamp, tool: scip.tool, documents: count(documents.len()), names }, documents))
    }

    fn documents_of(&self, scip: &ScipIndex, root: &Path, reading: &Reading) -> Vec<PreciseDocument> {
        let last_names: Vec<Option<String>> = scip.symbols.iter().map(|symbol| name_of_symbol(symbol)).collect();
        let top = scip.root.strip_prefix("file://").map(PathBuf::from).unwrap_or_default();
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for document in &scip.documents {
            crate::interrupt::poll();
            let Some(path) = path_below(&document.path, &top, root) else { continue };
            if !seen.insert(path.clone()) {
                continue;
            }
            let Ok(bytes) = self.walked_bytes(&root.join(&path), reading) else { continue };
            let Ok(text) = Text::decode_declared(bytes) else { continue };
            let names = names_of(&text, document.columns, &document.occurrences, &last_names);
            if !names.is_empty() {
                let definitions = names.iter().filter(|(_, defines)| *defines).map(|(name, _)| *name).collect();
                let names = names.into_iter().map(|(name, _)| name).collect();
                found.push(PreciseDocument { path, names, definitions });
            }
        }
        found
    }
}

/// The path of a document from the folder of a project; `None` if it is outside. The index may be of a folder around it or in it.
fn path_below(path: &str, top: &Path, root: &Path) -> Option<String> {
    let is_plain = |path: &Path| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if path.is_empty() || !is_plain(Path::new(path)) {
        return None;
    }
    if let Ok(inner) = top.strip_prefix(root) {
        return Some(inner.join(path).to_string_lossy().replace('\\', "/"));
    }
    match root.strip_prefix(top) {
        Ok(outer) if !top.as_os_str().is_empty() => {
            Path::new(path).strip_prefix(outer).ok().map(|path| path.to_string_lossy().replace('\\', "/"))
        }
        // Made elsewhere: of a copy of the folder.
        _ => Some(path.to_owned()),
    }
}

/// The occurrences whose text is the name of their symbol, and whether they define it.
fn names_of(
    text: &Text,
    columns: ScipColumns,
    occurrences: &[ScipOccurrence],
    last_names: &[Option<String>],
) -> Vec<(PreciseName, bool)> {
    let mut lines: FxHashMap<u32, (String, u32)> = FxHashMap::default();
    let mut spelled = Vec::new();
    for occurrence in occurrences {
        let number = occurrence.line as usize + 1;
        if number > text.line_count() {
            continue;
        }
        let (line, hash) = lines.entry(occurrence.line).or_insert_with(|| {
            let line = text.slice(text.line_span(number)).into_owned();
            let before = if number > 1 { text.line_span(number - 1) } else { Span::at(0) };
            let hash = line_hash(&text.slice(before), &line);
            (line, hash)
        });
        let (Some(start), Some(end)) =
            (byte_of(line, columns, occurrence.start), byte_of(line, columns, occurrence.end))
        else {
            continue;
        };
        let Some(word) = line.get(start as usize..end as usize) else { continue };
        let span = PreciseSpan { line: occurrence.line, start, length: end - start, line_hash: *hash };
        spelled.push((word.to_owned(), PreciseName { span, symbol: occurrence.symbol }, occurrence.is_definition));
    }
    // A symbol that is local to the document has the name that its definition has.
    let mut local: FxHashMap<u32, FxHashSet<String>> = FxHashMap::default();
    for (word, name, defines) in &spelled {
        if *defines && last_names.get(name.symbol as usize).is_some_and(Option::is_none) {
            local.entry(name.symbol).or_default().insert(word.clone());
        }
    }
    let fits = |(word, name, _): &(String, PreciseName, bool)| match last_names.get(name.symbol as usize) {
        Some(Some(last)) => last == word,
        Some(None) => local.get(&name.symbol).is_some_and(|words| words.contains(word)),
        None => false,
    };
    spelled.retain(fits);
    spelled.into_iter().map(|(_, name, defines)| (name, defines)).collect()
}

/// The byte of a column in a line.
fn byte_of(line: &str, columns: ScipColumns, column: u32) -> Option<u32> {
    let byte = match columns {
        ScipColumns::Bytes => column as usize,
        _ if line.is_ascii() => column as usize,
        ScipColumns::Characters => line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column as usize)?,
        ScipColumns::Units => {
            let mut units = 0;
            let mut places = line.char_indices().map(|(at, letter)| (at, letter.len_utf16())).chain([(line.len(), 0)]);
            places.find_map(|(at, length)| {
                let is_it = units == column as usize;
                units += length;
                is_it.then_some(at)
            })?
        }
    };
    (byte <= line.len() && line.is_char_boundary(byte)).then(|| u32::try_from(byte).ok())?
}

impl Workspace<'_> {
    /// Finds the precise index of the project: the one that was kept for it, or `index.scip` at its top.
    ///
    /// # Errors
    /// If the request is to stop.
    pub(crate) fn find_precise(&mut self) -> Result<(), EngineError> {
        if self.reading.encoding.is_some() {
            return Ok(());
        }
        let Ok(folder) = self.engine.files().resolve(self.root()) else { return Ok(()) };
        let cache = self.engine.host.cache.as_ref().filter(|_| !self.reading.no_cache);
        let kept = cache.and_then(|cache| Precise::open(cache, &folder));
        let index = self.root().join(INDEX);
        let stamp = self.engine.files().facts(&index).ok().map(|facts| format!("{:?}", facts.stamp));
        let is_current =
            |kept: &Precise| kept.source().stamp.is_empty() || Some(&kept.source().stamp) == stamp.as_ref();
        self.precise = kept.filter(is_current);
        if self.precise.is_some() || stamp.is_none() {
            return Ok(());
        }
        match self.engine.read_index(&index, self.root(), &self.reading) {
            Ok((source, documents)) => {
                let kept = cache.and_then(|cache| {
                    Precise::keep(cache, &folder, &source, &documents).ok()?;
                    Precise::open(cache, &folder)
                });
                self.precise = kept.or_else(|| Precise::in_memory(&source, &documents).ok());
            }
            Err(error) if matches!(error.code, ErrorCode::Cancelled | ErrorCode::Budget) => return Err(error),
            Err(error) => self.engine.host.observer.note(&format!("the precise index is left out: {error}")),
        }
        Ok(())
    }
}
