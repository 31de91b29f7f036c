//! Servers for other programs over standard input: JSON-RPC and MCP, two small protocols on one loop.
//!
//! One thread reads messages and puts them in a queue, another does what they ask, in the order sent; so a request can be cancelled
//! while it waits or runs, and a ping is answered meanwhile. A `Protocol` says what a message means, and the engine what a request does.
//! Nothing here is lost in a kill: trees are in the engine's store.
//!
//! `pipe` is simpler: a line with a text, a line with its matches.
//!
//! The caller passes both ends, the input and the output.

mod bounded;
mod error;
mod framing;
mod mcp;
mod message;
mod openrpc;
mod pipe;
mod protocol;
mod queue;
mod rpc;
mod start;
#[cfg(feature = "ui")]
mod ui;

#[doc(hidden)]
pub use bounded::read;
pub use error::ServeError;
pub use framing::Framing;
pub use mcp::Answers;
pub use pipe::{PipeDefaults, pipe};
pub use start::{mcp, rpc};
#[cfg(feature = "ui")]
pub use ui::{Server as UiServer, Settings as UiSettings};
