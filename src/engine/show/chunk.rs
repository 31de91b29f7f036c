//! `chunk`: files cut into pieces for retrieval.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::outline::chunk::{Chunk, ChunkError, Options, chunks, chunks_of_lines};
use crate::project::Sink;
use crate::reader::document::content_hash;
use crate::reader::rows::outline_error;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::ChunkRequest;
use crate::request::responses::{ChunkResponse, ChunkRow};
use crate::text::{Span, Text};

/// What is found in a file.
enum FileChunks {
    Chunk(Box<ChunkRow>),
    /// It is in an unrecognised language.
    ByLines,
}

/// Cuts one file.
struct Chunker {
    options: Options,
}

/// The note about each chunk of a file in an unrecognised language.
const BY_LINES: &str = "in an unrecognised language: cut by lines";

/// How much of a hash an id has.
const ID: usize = 16;

impl Method for ChunkRequest {
    const NAME: &'static str = "chunk";
    const READS: bool = true;
    type Result = ChunkResponse;

    /// Cuts trees, files, folders and texts into chunks. What is named twice is cut once.
    ///
    /// # Errors
    /// When a target or a number is wrong.
    fn run(&self, engine: &Begun<'_>) -> Result<ChunkResponse, EngineError> {
        let options = self.options();
        options.check().map_err(|error| uncut(&error))?;
        let mut report = FilesReport::default();
        let searched = engine.resolve_targets(&self.targets, &self.reading, &mut report)?;
        let mut response = ChunkResponse::default();
        let mut ids = FxHashSet::default();
        engine.visit(&searched, &self.reading, &Chunker { options }, &mut report, |found, _| {
            match found {
                FileChunks::ByLines => response.by_lines += 1,
                FileChunks::Chunk(chunk) => {
                    if ids.insert(chunk.id.clone()) && !engine.host.observer.chunked(&chunk) {
                        response.chunks.push(*chunk);
                    }
                }
            }
            Ok(true)
        })?;
        Ok(ChunkResponse { files: report.searched, skipped: report.skipped, ..response })
    }

    fn name_skips(answer: &mut ChunkResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl ChunkRequest {
    fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            max_tokens: self.max_tokens.unwrap_or(usual.max_tokens),
            min_tokens: self.min_tokens.unwrap_or(usual.min_tokens),
            mode: self.mode.unwrap_or_default(),
            context: self.context.unwrap_or_default(),
            overlap: self.overlap.unwrap_or(usual.overlap),
            count: self.count.unwrap_or_default(),
        }
    }
}

impl FileVisitor for Chunker {
    type Found = FileChunks;

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileChunks>) -> Result<(), EngineError> {
        let tree = &seen.document.tree;
        let path = seen.path.as_deref();
        let chunks = chunks(tree, path.unwrap_or_default(), &self.options).map_err(|error| uncut(&error))?;
        let cut = CutFile {
            tree_id: seen.document.tree_id(),
            path: path.map(str::to_owned),
            language: Some(tree.language().name().to_owned()),
        };
        cut.send(tree.text(), chunks, send);
        Ok(())
    }

    fn wants_texts(&self) -> bool {
        true
    }

    fn look_at_text(&self, text: &Text, path: Option<String>, send: Sink<'_, FileChunks>) -> Result<(), EngineError> {
        let chunks = chunks_of_lines(text, path.as_deref().unwrap_or_default(), &self.options);
        let chunks = chunks.map_err(|error| uncut(&error))?;
        send(FileChunks::ByLines, 0);
        CutFile { tree_id: None, path, language: None }.send(text, chunks, send);
        Ok(())
    }
}

/// The file that chunks are of.
struct CutFile {
    tree_id: Option<String>,
    path: Option<String>,
    language: Option<String>,
}

impl CutFile {
    /// Sends the chunks as results show them.
    fn send(self, text: &Text, chunks: Vec<Chunk>, send: Sink<'_, FileChunks>) {
        // About what a chunk takes beside its texts.
        const ROW: usize = 500;
        let ids = self.ids(&chunks);
        let ranges = ranges(text, &chunks);
        for ((chunk, id), ranges) in chunks.into_iter().zip(&ids).zip(ranges) {
            let weight = chunk.text.len() + chunk.context.len() + ROW;
            let first = chunk.spans.first().map_or(0, |span| span.start());
            let last = chunk.spans.last().map_or(0, |span| span.end().max(span.start() + 1) - 1);
            let row = ChunkRow {
                id: id.clone(),
                tree_id: self.tree_id.clone(),
                path: self.path.clone(),
                language: self.language.clone(),
                ranges,
                lines: [text.line_at(first), text.line_at(last.min(text.len()))],
                kind: chunk.kind.to_owned(),
                qualnames: chunk.qualnames,
                parent: chunk.parent.map(|parent| ids[parent].clone()),
                part: chunk.part.map(|(part, parts)| [part, parts]),
                tokens: chunk.tokens,
                context: chunk.context,
                hash: content_hash(chunk.text.as_bytes()),
                text: chunk.text,
                note: self.language.is_none().then(|| BY_LINES.to_owned()),
            };
            if !send(FileChunks::Chunk(Box::new(row)), weight) {
                return;
            }
        }
    }

    /// The ids of chunks: of the file, their text, and how many with that text came before.
    fn ids(&self, chunks: &[Chunk]) -> Vec<String> {
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let id = |chunk: &'_ Chunk, count: usize| {
            let file = [self.tree_id.as_deref().unwrap_or_default(), self.path.as_deref().unwrap_or_default()];
            let count = count.to_string();
            let words = [file[0], file[1], count.as_str(), chunk.text.as_str()];
            content_hash(words.join("\0").as_bytes())[..ID].to_owned()
        };
        let ids = chunks.iter().map(|chunk| {
            let count = known.entry(&chunk.text).or_default();
            *count += 1;
            id(chunk, *count)
        });
        ids.collect()
    }
}

/// The bytes of the file that each chunk covers.
fn ranges(text: &Text, chunks: &[Chunk]) -> Vec<Vec<[usize; 2]>> {
    let spans = || chunks.iter().flat_map(|chunk| &chunk.spans);
    let mut places: Vec<usize> = spans().flat_map(|span| [span.start(), span.end()]).collect();
    places.sort_unstable();
    places.dedup();
    let stored = text.encoded_offsets(&places);
    let of = |place: usize| places.binary_search(&place).map_or(place, |index| stored[index]);
    // A mark alone is a file without a text.
    let end = |span: &Span| if span.end() == 0 { text.encoding().mark_length() } else { of(span.end()) };
    let ranges = |chunk: &Chunk| chunk.spans.iter().map(|span| [of(span.start()), end(span)]).collect();
    chunks.iter().map(ranges).collect()
}

fn uncut(error: &ChunkError) -> EngineError {
    match error {
        ChunkError::SmallMaximum { .. } | ChunkError::LargeOverlap { .. } => {
            EngineError::new(ErrorCode::from(error), error.to_string())
        }
        ChunkError::Outline(error) => outline_error(error.clone()),
    }
}
