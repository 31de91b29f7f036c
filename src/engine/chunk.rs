//! `chunk`: files cut into pieces for retrieval.

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::content_hash;
use super::request::one_or_many;
use super::rows::unlisted;
use super::search::{Look, Seen};
use super::{Engine, EngineError, ErrorCode, FilesReport, Reading, Skipped, Target};
use crate::outline::chunk::{Chunk, ChunkError, Context, Count, Mode, Options, chunks, chunks_of_lines};
use crate::project::Outlet;
use crate::text::{Span, Text};

/// Files cut into pieces that a model can take, at the borders of their syntax.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub targets: Vec<Target>,
    /// The most tokens of a chunk, its context counted; 1024 otherwise, and 8 at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// Chunks with fewer tokens are packed with a neighbour where that fits; 20 otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<usize>,
    /// How code is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ChunkMode>,
    /// What stands before the text of a chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<ChunkContext>,
    /// How many tokens of the text before a chunk end its context; none otherwise, and half of the maximum at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<usize>,
    /// How size is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<ChunkCount>,
    /// How files are chosen and read.
    #[serde(skip_serializing_if = "Reading::is_default")]
    pub reading: Reading,
}

/// How code is cut into chunks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChunkMode {
    /// Neighbours are packed together as far as they fit.
    #[default]
    Pack,
    /// Each definition that fits is a chunk of its own.
    Signature,
}

/// What stands before the text of a chunk, and is counted with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChunkContext {
    /// Nothing.
    None,
    /// The file's path, and the name of what is around the chunk.
    Path,
    /// The file's path, and the signatures of what is around the chunk.
    #[default]
    Full,
}

/// How the size of chunks is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChunkCount {
    /// With the tokenizer `cl100k_base`.
    #[cfg(feature = "tokens")]
    #[default]
    Tokens,
    /// A third of the bytes, rounded up.
    #[cfg_attr(not(feature = "tokens"), default)]
    Bytes,
}

/// The chunks of files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunkResponse {
    /// The chunks, file after file in order of their text.
    pub chunks: Vec<ChunkRow>,
    /// How many files were cut into chunks.
    pub files: usize,
    /// How many of them are in an unrecognised language, and were cut by lines.
    pub by_lines: usize,
    /// Files that weren't cut, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChunkRow {
    /// Its id: of path, text, and which of several with that text it is, so that it stays when only other chunks change.
    pub id: String,
    /// The tree, where the target was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_id: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// Its language; null where none is known.
    pub language: Option<String>,
    /// The bytes of the file, from and up to; in order.
    pub ranges: Vec<[usize; 2]>,
    /// First and last line, from 1.
    pub lines: [usize; 2],
    /// The kind of the definition that it is, or is a part of; else that of the whole file.
    pub kind: String,
    /// The definitions in it, or the one that it is a part of.
    pub qualnames: Vec<String>,
    /// The id of the chunk in which what is around it begins.
    pub parent: Option<String>,
    /// Which of how many chunks it is, where one definition or statement has several.
    pub part: Option<[usize; 2]>,
    /// How many tokens context and text are together.
    pub tokens: usize,
    /// What is read before the text: the file's path, signatures of what is around, the overlap.
    pub context: String,
    /// The bytes, decoded.
    pub text: String,
    /// The hash of the text.
    pub hash: String,
    /// What is to be known of it besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What is found in a file.
enum Found {
    Chunk(Box<ChunkRow>),
    /// It is in an unrecognised language.
    ByLines,
}

/// Cuts one file.
struct Chunker {
    options: Options,
}

/// What is said of each chunk of a file in an unrecognised language.
const BY_LINES: &str = "in an unrecognised language: cut by lines";

/// How much of a hash an id has.
const ID: usize = 16;

impl Engine {
    /// Cuts trees, files, folders and texts into chunks. What is named twice is cut once.
    ///
    /// # Errors
    /// When a target or a number is wrong.
    pub fn chunk(&self, request: &ChunkRequest) -> Result<ChunkResponse, EngineError> {
        self.begin()?;
        let options = request.options();
        options.check().map_err(|error| uncut(&error))?;
        let mut report = FilesReport::default();
        let searched = self.searched(&request.targets, &request.reading, &mut report)?;
        let mut response = ChunkResponse::default();
        let mut ids = FxHashSet::default();
        self.look(&searched, &request.reading, &Chunker { options }, &mut report, |found, _| {
            match found {
                Found::ByLines => response.by_lines += 1,
                Found::Chunk(chunk) => {
                    if ids.insert(chunk.id.clone()) && !self.surroundings.observer.chunked(&chunk) {
                        response.chunks.push(*chunk);
                    }
                }
            }
            Ok(true)
        })?;
        Ok(ChunkResponse { files: report.searched, skipped: report.skipped, ..response })
    }
}

impl ChunkRequest {
    fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            max_tokens: self.max_tokens.unwrap_or(usual.max_tokens),
            min_tokens: self.min_tokens.unwrap_or(usual.min_tokens),
            mode: match self.mode.unwrap_or_default() {
                ChunkMode::Pack => Mode::Pack,
                ChunkMode::Signature => Mode::Signature,
            },
            context: match self.context.unwrap_or_default() {
                ChunkContext::None => Context::None,
                ChunkContext::Path => Context::Path,
                ChunkContext::Full => Context::Full,
            },
            overlap: self.overlap.unwrap_or(usual.overlap),
            count: match self.count.unwrap_or_default() {
                #[cfg(feature = "tokens")]
                ChunkCount::Tokens => Count::Tokens,
                ChunkCount::Bytes => Count::Bytes,
            },
        }
    }
}

impl Look for Chunker {
    type Found = Found;

    fn look(&self, seen: &Seen<'_>, send: Outlet<'_, Found>) -> Result<(), EngineError> {
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

    fn look_at_text(&self, text: &Text, path: Option<String>, send: Outlet<'_, Found>) -> Result<(), EngineError> {
        let chunks = chunks_of_lines(text, path.as_deref().unwrap_or_default(), &self.options);
        let chunks = chunks.map_err(|error| uncut(&error))?;
        send(Found::ByLines, 0);
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
    fn send(self, text: &Text, chunks: Vec<Chunk>, send: Outlet<'_, Found>) {
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
            if !send(Found::Chunk(Box::new(row)), weight) {
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

/// The bytes of the file that each chunk stands in.
fn ranges(text: &Text, chunks: &[Chunk]) -> Vec<Vec<[usize; 2]>> {
    let spans = || chunks.iter().flat_map(|chunk| &chunk.spans);
    let mut places: Vec<usize> = spans().flat_map(|span| [span.start(), span.end()]).collect();
    places.sort_unstable();
    places.dedup();
    let stored = text.stored(&places);
    let of = |place: usize| places.binary_search(&place).map_or(place, |index| stored[index]);
    // A mark alone is a file without a text.
    let end = |span: &Span| if span.end() == 0 { text.encoding().mark_length() } else { of(span.end()) };
    let ranges = |chunk: &Chunk| chunk.spans.iter().map(|span| [of(span.start()), end(span)]).collect();
    chunks.iter().map(ranges).collect()
}

fn uncut(error: &ChunkError) -> EngineError {
    let code = match error {
        ChunkError::SmallMaximum { .. } | ChunkError::LargeOverlap { .. } => ErrorCode::BadRequest,
        ChunkError::Outline(error) => return unlisted(error.clone()),
    };
    EngineError::new(code, error.to_string())
}
