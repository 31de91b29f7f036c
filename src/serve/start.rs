//! Starting a server: a protocol, its framing, and both ends.

use std::io::{self, Read, Write};

use super::framing::Framing;
use super::mcp::{Answers, Mcp};
use super::queue;
use super::rpc::Rpc;
use crate::engine::Surroundings;

/// Answers JSON-RPC 2.0 until the end of input, or until the answers are no longer read.
///
/// # Errors
/// When input can't be read.
pub fn rpc(
    surroundings: Surroundings,
    framing: Framing,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    queue::serve(Rpc, surroundings, framing, Box::new(input), Box::new(output))
}

/// Answers as an MCP server until the end of input, or until the answers are no longer read.
///
/// # Errors
/// When input can't be read.
pub fn mcp(
    surroundings: Surroundings,
    answers: Answers,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    queue::serve(Mcp::new(answers), surroundings, Framing::Lines, Box::new(input), Box::new(output))
}
