//! `rpc` and `mcp`: requests from other programs on standard input, answers on standard output.

use std::io::{stdin, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::engine::{Host, Kind, project_root};
use crate::serve::{self, Answers, Framing};

use super::exit::Exit;
use super::failure::Failure;

/// Serves JSON-RPC 2.0 on standard input and output
///
/// One message per line. The methods are the requests of docs/protocol.md; `rpc.discover` describes them all. Requests take effect in
/// the order sent; `$/cancel` cancels one. At the end of input, pending requests are answered before it exits.
#[derive(Debug, Args)]
#[command(after_long_help = RPC_EXAMPLES)]
pub(super) struct Rpc {
    /// How messages are framed: one per line, or with Content-Length headers
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    framing: Framing,
    #[command(flatten)]
    place: Place,
}

/// Where a server may read and write.
#[derive(Debug, Args)]
struct Place {
    /// The folder to read and write in; default: the repository around the working directory, else that directory
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Read and write outside of the root too, and show the trees of other projects
    #[arg(long, conflicts_with = "root")]
    allow_outside: bool,
}

impl Place {
    /// The engine's environment with this root.
    fn of(self, host: Host) -> Result<Host, Failure> {
        if self.allow_outside {
            return Ok(host);
        }
        let Host { files, working_directory, .. } = &host;
        let root = match self.root {
            Some(root) => {
                let root = working_directory.join(root);
                let facts = files.facts(&root);
                let shown = root.display().to_string();
                match facts.map_err(|error| Failure::unreadable(&shown, &error))?.kind {
                    Kind::Folder => root,
                    _ => {
                        return Err(Failure::usage(
                            format!("`{shown}` is not a directory"),
                            "--root takes a directory",
                        ));
                    }
                }
            }
            None => project_root(working_directory, &**files),
        };
        Ok(Host { root: Some(root), ..host })
    }
}

const RPC_EXAMPLES: &str = r#"Examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"outline","params":{"targets":["src"]}}' | cst rpc
  cst rpc < examples/session.jsonl"#;

/// Serves the Model Context Protocol (MCP) on standard input and output
///
/// Agents start it themselves; `cst agent install` configures them. Results are short texts. All state is in the session store, so
/// killing the server loses nothing.
#[derive(Debug, Args)]
#[command(after_long_help = MCP_EXAMPLES)]
pub(super) struct Mcp {
    /// Add structured results to the text
    #[arg(long)]
    structured: bool,
    /// Maximum length of a result, in characters
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = clap::value_parser!(u32).range(1000..))]
    max_chars: u32,
    #[command(flatten)]
    place: Place,
}

const MCP_EXAMPLES: &str = "\
Examples:
  cst agent install claude-code
  npx @modelcontextprotocol/inspector --cli cst mcp --method tools/list";

impl Rpc {
    pub(super) fn run(self, host: Host) -> Result<Exit, Failure> {
        let host = self.place.of(host)?;
        serve::rpc(host, self.framing, stdin(), stdout())?;
        Ok(Exit::Done)
    }
}

impl Mcp {
    pub(super) fn run(self, host: Host) -> Result<Exit, Failure> {
        let answers = Answers { structured: self.structured, max_chars: self.max_chars as usize };
        let host = self.place.of(host)?;
        serve::mcp(host, answers, stdin(), stdout())?;
        Ok(Exit::Done)
    }
}
