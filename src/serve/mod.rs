//! What other programs talk to over standard input: JSON-RPC and MCP, two small wires on one loop.
//!
//! One thread reads messages and puts them in a queue, another does what they ask, in the order sent; so a request can be cancelled
//! while it waits or runs, and a ping is answered meanwhile. What a message means is its `Wire`'s, and what a request does is the engine's. Nothing is held
//! here that would be missed after a kill: trees are in the engine's store.
//!
//! Nothing here knows where it reads and writes; it is handed both ends.

mod bounded;
mod framing;
mod mcp;
mod message;
mod openrpc;
mod queue;
mod rpc;

use std::io::{self, Read, Write};

use serde_json::Value;

pub use framing::Framing;
pub use mcp::Answers;

use crate::engine::Surroundings;
use message::{Call, Failure};

/// Answers JSON-RPC 2.0 until the end of input, or until nobody reads the answers any more.
///
/// # Errors
/// When input can't be read.
pub fn rpc(
    surroundings: Surroundings,
    framing: Framing,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    queue::serve(rpc::Rpc, surroundings, framing, Box::new(input), Box::new(output))
}

/// Answers as an MCP server until the end of input, or until nobody reads the answers any more.
///
/// # Errors
/// When input can't be read.
pub fn mcp(
    surroundings: Surroundings,
    answers: Answers,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    queue::serve(mcp::Mcp::new(answers), surroundings, Framing::Lines, Box::new(input), Box::new(output))
}

/// What messages mean.
trait Wire: Send + Sync + 'static {
    /// Does what a request or notification asks.
    fn answer(&self, call: &Call, engine: &crate::engine::Engine) -> Result<Answer, Failure>;

    /// The answer to a call that asks nothing of the engine, and is given whatever else is worked on.
    fn at_once(&self, _call: &Call) -> Option<Result<Value, Failure>> {
        None
    }

    /// The id of the request that a call takes back, if it does that.
    fn cancels(&self, call: &Call) -> Option<Value>;

    /// The answer to a cancelled request; `None` where none is sent.
    fn cancelled(&self) -> Option<Failure>;

    /// The notification that says how far a request is, if it wants to know.
    fn progress(&self, call: &Call, progress: &Progress<'_>) -> Option<Value>;

    /// Whether responses to nothing are passed over.
    fn ignores_responses(&self) -> bool;
}

/// The answer to a request.
struct Answer {
    result: Value,
    /// Whether it changed anything, so that it can't be taken back any more.
    has_effect: bool,
}

impl Answer {
    /// What changed nothing.
    fn of(result: Value) -> Answer {
        Answer { result, has_effect: false }
    }
}

/// How far a request is.
struct Progress<'a> {
    done: usize,
    total: Option<usize>,
    message: &'a str,
}
