//! The engine: requests in, responses out. The only promised way in.
//!
//! Command line, JSON-RPC and MCP turn words into a [`Request`] and print a [`Response`]; what they mean is written once,
//! here, a file a request. The engine alone holds state: trees live in a store on disk, so that what one process loaded
//! another finds. It touches the disk only through [`Files`], and other programs only through [`CommandRunner`].
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

mod backups;
mod batch;
mod binding_gate;
mod cached;
mod changed_files;
mod changes;
mod check;
mod chunk;
mod configuration;
mod core;
mod cursor;
mod deleting;
mod deps;
mod document;
mod embed;
mod entries;
mod error;
mod explain;
mod export;
mod external;
mod extracting;
mod extracting_base;
mod fields;
mod find;
mod flags;
mod freshen;
mod growing;
mod handle;
mod hint;
mod host;
mod impact;
mod import_settings;
mod index;
mod inlining;
mod inspect;
mod known_facts;
mod language_server;
mod languages;
mod load;
mod map;
mod merge;
mod method;
mod methods;
mod models;
mod modify;
mod moving;
mod moving_symbols;
mod names;
mod nearest;
mod node_row;
mod noted;
mod observer;
mod on_tree;
mod open_model;
mod operation;
mod organizing;
mod outline;
mod placing_files;
mod precise;
mod programs;
mod project_answers;
mod project_part;
mod project_root;
mod proposal;
mod queries;
mod recovery;
mod refactor;
mod refactor_messages;
mod reference;
mod refs;
mod removed;
mod renaming;
mod renaming_files;
mod report;
mod request;
mod response;
mod rewrite;
mod rows;
mod run;
mod run_project;
mod save;
mod saving;
mod search;
mod search_messages;
mod second_opinion;
mod show;
mod shown;
mod signature;
mod splitting;
mod splitting_class;
mod stale;
mod store;
mod symbol_messages;
mod target;
mod test;
mod text_search;
mod transactions;
mod trees;
mod trust;
mod undo;
mod unused;
mod versioned;
mod workspace;

pub use self::core::{Begun, Engine};
pub use crate::edit::{Extent, Gate, OperationKind, Position, References};
pub use crate::outline::chunk::{Context as ChunkContext, Count as ChunkCount, Mode as ChunkMode};
pub use crate::project::{
    Disk, Exposure, Files, Kind, Listing, Lock, Memory, Metadata, Walk, WalkError, path_text, unquoted,
};
pub use crate::tree::SyntaxErrorKind;
#[doc(hidden)]
pub use cursor::{Cursor, ItemPlace, Next};
pub use entries::Entries;
pub use error::{Candidate, EngineError, ErrorCode, ErrorDetails, ErrorResponse, MergeOffer, PlaceRow};
pub use handle::{MethodName, Request, Response};
#[doc(hidden)]
pub use hint::TERMS;
pub use hint::{Hint, Term};
pub use host::Host;
pub use inspect::{CLASSES, Inspected, InspectedNode, ListedFile, Place, ProposedSelector, ShownFile};
#[doc(hidden)]
pub use merge::{edits, merge};
pub use method::Method;
pub use methods::{MethodSchema, Methods, UnreadRequest};
pub use node_row::{CaptureRow, NodeRow, SyntaxErrorRow};
pub use observer::{Observer, Silent};
pub use operation::Operation;
pub use programs::{CommandOutput, CommandRunner, Conversation, ProgramCall, SystemCommands, kill_programs};
pub use project_root::project_root;
pub use proposal::{Decision, Proposal};
pub use refactor_messages::*;
#[doc(hidden)]
pub use reference::{Anchor, Reference};
pub use report::{FilesReport, FoundBy, ProjectReport, Skipped};
pub use request::*;
pub use response::*;
pub use search_messages::*;
#[doc(hidden)]
pub use second_opinion::renamed_name;
pub use show::is_of_one_file;
#[cfg(feature = "cli")]
pub(crate) use store::seconds_now;
#[doc(hidden)]
pub use store::{Store, Written, timestamp};
pub use symbol_messages::*;
pub use trust::{TrustState, TrustedCheck, TrustedFile};
pub use versioned::{SCHEMA, Versioned};
