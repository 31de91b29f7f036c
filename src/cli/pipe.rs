//! `pipe`: texts on standard input, a line of JSON each; matches on standard output, a line each.

use std::io::{stdin, stdout};
use std::sync::Arc;

use clap::Args;

use crate::engine::{Host, Silent};
use crate::serve::{self, PipeDefaults};

use super::exit::Exit;
use super::failure::Failure;
use super::targets::{LanguageName, size};

/// Searches texts that come as lines of JSON
///
/// Each line is an object with `id` (any value), `path` (which decides the language), `text` or `bytes` (in base64), and
/// `selector` or `pattern`. Each input line gets one output line, in the same order and with the same `id`: its `matches`, or an `error`.
/// An invalid line, or a text that is too large, too deep or takes too long, also gets an error, and the work continues.
///
/// This is for engines that pass records through a program: Hadoop streaming, Beam, GNU parallel. Lines may also have
/// `language`, `code` and `limit`; missing fields, and a missing selector, default to the arguments.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Pipe {
    /// The selector of lines that have none
    selector: Option<String>,
    /// Language of the texts; otherwise `path` decides
    #[arg(short = 't', long, value_name = "LANGUAGE", value_parser = LanguageName, hide_possible_values = true)]
    language: Option<String>,
    /// Add the code of each match
    #[arg(long)]
    code: bool,
    /// List at most N matches of each text
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Refuse larger texts: 1000000, 500K, 64M; default: 4M
    #[arg(long, value_name = "BYTES", value_parser = size)]
    max_size: Option<u64>,
    /// Number of threads; default: one per processor
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
}

const EXAMPLES: &str = r#"Examples:
  echo '{"id":1,"path":"a.py","text":"print(1)","selector":"call"}' | cst pipe
  cst pipe 'function[lines>50]' < texts.jsonl > rows.jsonl

Exit status: 0 every line was answered, even if with an error; 2 input cannot be read or output cannot be written."#;

impl Pipe {
    pub(super) fn run(self, host: Host) -> Result<Exit, Failure> {
        let Pipe { selector, language, code, limit, max_size, threads } = self;
        let defaults = PipeDefaults { selector, language, code, limit, max_size, threads };
        // A progress bar has no place beside lines of other programs, and an interrupt ends the process.
        let host = Host { observer: Arc::new(Silent), ..host };
        serve::pipe(host, defaults, stdin(), stdout())?;
        Ok(Exit::Done)
    }
}
