//! `duplicates`: code that occurs several times.

use crate::duplicates::{Duplicate, Fingerprint, Place, find};
use crate::engine::core::Begun;
use crate::language::Language;
use crate::project::Sink;
use crate::reader::document::{content_hash, short};
use crate::reader::rows::cut_lines;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::request::duplicates_messages::{DuplicateGroup, DuplicatePlace, DuplicatesRequest, DuplicatesResponse};
use crate::request::error::EngineError;
use crate::request::report::FilesReport;
use crate::text::{Span, Text};

/// The least number of tokens, if a request names none.
const LEAST: usize = 50;

/// The most lines of code that are shown of a place.
const SHOWN_LINES: usize = 100;

/// Reads the statements of one file.
struct Reader {
    /// Whether texts are kept, too.
    keeps_text: bool,
}

/// A file and its statements.
struct Read {
    path: String,
    fingerprint: Fingerprint,
    text: Option<Text>,
}

/// Finds code that occurs several times in trees, files, folders and texts.
///
/// # Errors
/// When a target is wrong.
pub(crate) fn find_duplicates(
    request: &DuplicatesRequest,
    engine: &Begun<'_>,
) -> Result<DuplicatesResponse, EngineError> {
    let mut report = FilesReport::default();
    let searched = engine.resolve_targets(&request.targets, &request.reading, &mut report)?;
    let (mut paths, mut files, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    engine.visit(&searched, &request.reading, &Reader { keeps_text: request.code }, &mut report, |read: Read, _| {
        paths.push(read.path);
        texts.extend(read.text);
        files.push(read.fingerprint);
        Ok(true)
    })?;
    let found = find(&files, request.min_tokens.unwrap_or(LEAST));
    let duplicated_lines = count_lines(&files, &found);
    let limit = request.limit.unwrap_or(usize::MAX);
    let row = |duplicate: &Duplicate| {
        let mut row = group(&paths, &files, duplicate);
        if let (Some(text), Some(first)) = (texts.get(duplicate.places[0].file), row.places.first()) {
            let code = text.slice(Span::new(first.start_byte, first.end_byte));
            let letters: String = code.chars().filter(|letter| !letter.is_whitespace()).collect();
            row.fingerprint = Some(short(&content_hash(letters.as_bytes())));
            row.code = Some(shown_code(text, &code, first));
        }
        row
    };
    let groups = found.iter().take(limit).map(row).collect();
    let FilesReport { skipped, unknown_language, .. } = report;
    Ok(DuplicatesResponse {
        groups,
        more_groups: found.len().saturating_sub(limit),
        files: files.len(),
        lines: files.iter().map(|file| file.lines).sum(),
        duplicated_lines,
        skipped,
        unknown_language,
    })
}

impl FileVisitor for Reader {
    type Found = Read;

    fn wants(&self, language: &'static Language) -> bool {
        language.spec().is_code
    }

    fn looks_inside(&self) -> bool {
        false
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, Read>) -> Result<(), EngineError> {
        let tree = &seen.document.tree;
        if !tree.language().spec().is_code {
            return Ok(());
        }
        let fingerprint = Fingerprint::new(tree);
        let weight = size_of_val(fingerprint.pieces.as_slice()) + size_of_val(fingerprint.names.as_slice());
        let path = seen.path.clone().unwrap_or_else(|| "-".to_owned());
        send(Read { path, fingerprint, text: self.keeps_text.then(|| tree.text().clone()) }, weight);
        Ok(())
    }
}

fn group(paths: &[String], files: &[Fingerprint], duplicate: &Duplicate) -> DuplicateGroup {
    let places: Vec<DuplicatePlace> = duplicate.places.iter().map(|place| row(paths, files, *place)).collect();
    let lines = places.first().map_or(0, |first| first.end_line - first.start_line + 1);
    DuplicateGroup {
        tokens: duplicate.tokens,
        lines,
        renamed: duplicate.is_renamed,
        places,
        code: None,
        fingerprint: None,
    }
}

/// The first lines of a place, the first of them with what indents it.
fn shown_code(text: &Text, code: &str, first: &DuplicatePlace) -> String {
    let line = text.line_around(first.start_byte);
    let before = text.slice(Span::new(line.start(), first.start_byte));
    let indent = if before.trim().is_empty() { before } else { "".into() };
    cut_lines(&code.lines().take(SHOWN_LINES).fold(indent.into_owned(), |mut shown, line| {
        shown.push_str(line);
        shown.push('\n');
        shown
    }))
}

fn row(paths: &[String], files: &[Fingerprint], place: Place) -> DuplicatePlace {
    let pieces = &files[place.file].pieces;
    let (first, last) = (pieces[place.first], pieces[place.last]);
    DuplicatePlace {
        path: paths[place.file].clone(),
        start_line: first.start.line,
        start_col: first.start.col(),
        end_line: last.stop.line,
        end_col: last.stop.col(),
        start_byte: first.start_byte as usize,
        end_byte: last.end_byte as usize,
    }
}

/// How many lines lie in a group.
fn count_lines(files: &[Fingerprint], found: &[Duplicate]) -> usize {
    let mut spans: Vec<[usize; 3]> = Vec::new();
    for place in found.iter().flat_map(|duplicate| &duplicate.places) {
        let pieces = &files[place.file].pieces;
        spans.push([place.file, pieces[place.first].start.line, pieces[place.last].stop.line]);
    }
    spans.sort_unstable();
    let (mut count, mut last) = (0, [usize::MAX, 0]);
    for [file, first, end] in spans {
        let from = if last[0] == file { first.max(last[1] + 1) } else { first };
        count += (end + 1).saturating_sub(from);
        last = [file, if last[0] == file { end.max(last[1]) } else { end }];
    }
    count
}
