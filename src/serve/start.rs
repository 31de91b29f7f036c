//! Starting a server: a protocol, its framing, and both ends.

use std::io::{Read, Write};

use super::error::ServeError;
use super::framing::Framing;
use super::mcp::{Answers, Mcp};
use super::queue;
use super::rpc::Rpc;
use crate::engine::{Commands, Host};

/// Answers JSON-RPC 2.0 until the end of input, or until the answers are no longer read.
///
/// # Errors
/// When input cannot be read, or output cannot be written.
pub fn rpc(
    host: Host,
    framing: Framing,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    queue::serve(Rpc, host, framing, Box::new(input), Box::new(output))
}

/// Answers as an MCP server until the end of input, or until the answers are no longer read.
///
/// # Errors
/// When input cannot be read, or output cannot be written.
pub fn mcp(
    host: Host,
    answers: Answers,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    // Whoever asks is a model.
    let host = Host { commands: Commands::Named, ..host };
    queue::serve(Mcp::new(answers), host, Framing::Lines, Box::new(input), Box::new(output))
}
