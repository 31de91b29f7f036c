//! `chunk`: files cut into pieces for retrieval.

use clap::Args;

use crate::engine::{ChunkContext, ChunkCount, ChunkMode};
use crate::request::ChunkRequest;

use super::caller::Caller;
use super::console::Streaming;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::Format;
use super::report::{self, in_unrecognised_language};
use super::targets::{Reading, Walking};

/// Splits files into chunks for retrieval, at syntax boundaries
///
/// Prints one JSON object per chunk, each on one line. The `ranges` of a file's chunks cover each of its bytes once, and no chunk is larger
/// than the maximum. A definition's documentation stays with it if both fit. Files in an unrecognised language are cut by lines.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Chunk {
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Size of the largest chunk with its context; at least 8
    #[arg(long, value_name = "N", default_value_t = 1024)]
    max_tokens: usize,
    /// Merge a smaller chunk with a neighbour where that fits
    #[arg(long, value_name = "N", default_value_t = 20)]
    min_tokens: usize,
    /// How code is cut
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    mode: ChunkMode,
    /// Context that precedes the text of each chunk
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    context: ChunkContext,
    /// End the context with K tokens of the preceding text; at most half of the maximum
    #[arg(long, value_name = "K", default_value_t = 0)]
    overlap: usize,
    /// Unit of sizes
    #[arg(long, value_name = "UNIT", value_enum, default_value_t)]
    unit: ChunkCount,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
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

impl Chunk {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = ChunkRequest {
            targets,
            max_tokens: Some(self.max_tokens),
            min_tokens: Some(self.min_tokens),
            mode: Some(self.mode),
            context: Some(self.context),
            overlap: Some(self.overlap),
            count: Some(self.unit),
            reading: self.reading.request(Some(&self.walking)),
        };
        if caller.console.format() != Format::Json {
            caller.console.stream(Streaming::Chunks);
        }
        let chunked = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        if printer.format() == Format::Json {
            printer.answer(&chunked)?;
        } else {
            report::print_skipped(&chunked.skipped, &mut printer)?;
            if chunked.by_lines > 0 {
                let files = in_unrecognised_language(chunked.by_lines);
                printer.note(format!("{files}, cut by lines"))?;
            }
        }
        Ok(Exit::when(chunked.files > 0).unless_failed(&chunked.skipped))
    }
}
