//! The engine: requests in, responses out. The only promised way in.
//!
//! Command line, JSON-RPC and MCP turn words into a [`Request`] and print a [`Response`]. The engine gives a request to who
//! answers it, and writes what is to be written. Trees live in a store on disk, so that what one process loaded another finds. It touches the disk only through [`Files`], and other programs only through [`CommandRunner`].
//!
//! ```
//! use cst::edit::Operation;
//! use cst::engine::{LoadRequest, ModifyRequest};
//! use cst::{Engine, Host};
//!
//! let engine = Engine::new(Host::at("."));
//! let loaded = engine.load(&LoadRequest::text("def get(x):\n    return x\n", "python"))?;
//! let tree = loaded.trees[0].tree_id.as_str();
//!
//! let rename = Operation::Rename { target: "function#get".to_owned(), to: "fetch".to_owned(), references: None };
//! let modified = engine.modify(&ModifyRequest::new(tree.into(), vec![rename.into()]))?;
//! assert_eq!(modified.applied, 1);
//!
//! // The same as plain data, as other programs ask it.
//! let request = serde_json::json!({"method": "find", "params": {"selector": "function", "targets": [tree]}});
//! let response = engine.handle(serde_json::from_value(request)?)?;
//! assert_eq!(serde_json::to_value(&response)?["matches"][0]["name"], "fetch");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod change;
mod checks;
pub(crate) mod core;
pub(crate) mod handle;
pub(crate) mod method;
pub(crate) mod methods;
mod questions;
mod scan;
pub(crate) mod session;
pub(crate) mod show;

pub use crate::edit::{Extent, Gate, OperationKind, Position, References};
pub use crate::engine::core::{Begun, Engine};
pub use crate::engine::handle::{MethodName, Request, Response};
pub use crate::engine::method::Method;
pub use crate::engine::methods::{MethodSchema, Methods, UnreadRequest};
#[doc(hidden)]
pub use crate::engine::session::merge::{edits, merge};
pub use crate::engine::show::inspect::{ListedFile, ShownFile};
pub use crate::engine::show::nodes::is_of_one_file;
pub use crate::inspect::Place;
pub use crate::outline::chunk::{Context as ChunkContext, Count as ChunkCount, Mode as ChunkMode};
pub use crate::project::{
    Disk, Exposure, Files, Kind, Listing, Lock, Memory, Metadata, Walk, WalkError, path_text, unquoted,
};
pub use crate::reader::host::{Commands, Host};
pub use crate::reader::observer::{Observer, Silent};
pub use crate::reader::programs::{
    CommandOutput, CommandRunner, Conversation, ProgramCall, SystemCommands, kill_programs,
};
pub use crate::reader::project_root::project_root;
#[doc(hidden)]
pub use crate::reader::reference::{Anchor, Reference};
pub use crate::reader::trust::{TrustState, TrustedCheck, TrustedFile};
#[doc(hidden)]
pub use crate::refactor::rename::second_opinion::renamed_name;
#[doc(inline)]
pub use crate::request::*;
#[cfg(feature = "cli")]
pub(crate) use crate::store::seconds_now;
#[doc(hidden)]
pub use crate::store::{Store, Written, timestamp};
pub use crate::tree::SyntaxErrorKind;
