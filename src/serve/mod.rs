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
mod start;
mod wire;

pub use framing::Framing;
pub use mcp::Answers;
pub use start::{mcp, rpc};
