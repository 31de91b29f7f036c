//! `chunk`: files cut into pieces for retrieval.

use std::io;

use clap::{Args, ValueEnum};

use crate::engine::{ChunkContext, ChunkCount, ChunkMode, ChunkRequest, ChunkRow, Request, Response};

use super::check::plural;
use super::failure::Failure;
use super::find;
use super::printer::{Format, Printer};
use super::targets::{Reading, Walking};
use super::{Caller, Exit};

/// Cuts files into chunks for retrieval, at the borders of their syntax
///
/// Prints a JSON object a line for each chunk. The `ranges` of a file's chunks are all of its bytes, each once, and no chunk is
/// larger than the maximum. What documents a definition stays with it, if both fit. A file in no language known is cut by lines.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Chunk {
    /// Files, folders, trees, or `-` with --name or --language for standard input; the working directory otherwise
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// The largest chunk, its context counted; 8 or more
    #[arg(long, value_name = "N", default_value_t = 1024)]
    max_tokens: usize,
    /// Pack a smaller chunk with a neighbour where that fits
    #[arg(long, value_name = "N", default_value_t = 20)]
    min_tokens: usize,
    /// How code is cut
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    mode: Mode,
    /// What is told before the text of a chunk
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    context: Context,
    /// End the context with so many tokens of the text before; at most half of the maximum
    #[arg(long, value_name = "K", default_value_t = 0)]
    overlap: usize,
    /// What size is counted in
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    count: Count,
    /// The file name that says what standard input is
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst chunk src/ > chunks.jsonl
  cst chunk app.py --max-tokens 512 --context path --overlap 64
  cst chunk src/ --mode signature --glob '*.rs'";

/// How code is cut.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Mode {
    /// Neighbours are packed together
    #[default]
    Pack,
    /// Each definition that fits is a chunk of its own
    Signature,
}

/// What is told before the text of a chunk.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Context {
    /// Nothing
    None,
    /// The path, and the name of what is around
    Path,
    /// The path, and the signatures of what is around
    #[default]
    Full,
}

/// What size is counted in.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Count {
    /// Tokens of cl100k_base
    #[default]
    Tokens,
    /// Thirds of bytes
    Bytes,
}

impl Chunk {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = ChunkRequest {
            targets,
            max_tokens: Some(self.max_tokens),
            min_tokens: Some(self.min_tokens),
            mode: Some(match self.mode {
                Mode::Pack => ChunkMode::Pack,
                Mode::Signature => ChunkMode::Signature,
            }),
            context: Some(match self.context {
                Context::None => ChunkContext::None,
                Context::Path => ChunkContext::Path,
                Context::Full => ChunkContext::Full,
            }),
            overlap: Some(self.overlap),
            count: Some(match self.count {
                Count::Tokens => ChunkCount::Tokens,
                Count::Bytes => ChunkCount::Bytes,
            }),
            reading: self.reading.request(Some(&self.walking)),
        };
        if caller.console.format() != Format::Json {
            caller.console.stream(super::console::Streaming::Chunks);
        }
        let Response::Chunk(chunked) = caller.ask(Request::Chunk(request))? else { return Err(Failure::mismatched()) };
        let mut printer = caller.console.printer();
        if printer.format() == Format::Json {
            printer.json(&chunked)?;
        } else {
            find::skipped(&chunked.skipped, &mut printer)?;
            if chunked.by_lines > 0 {
                let files = plural(chunked.by_lines, "file");
                printer.note(format!("{files} in no language known: cut by lines"))?;
            }
        }
        Ok(Exit::when(chunked.files > 0))
    }
}

/// Prints a chunk.
pub(super) fn print(chunk: &ChunkRow, printer: &mut Printer) -> io::Result<()> {
    printer.json(chunk)
}
