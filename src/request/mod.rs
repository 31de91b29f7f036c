//! Requests and responses, their errors and hints: plain data, which front ends and other programs share with the engine.

pub(crate) mod convert_messages;
pub(crate) mod cursor;
pub(crate) mod duplicates_messages;
pub(crate) mod entries;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod hint;
pub(crate) mod metrics_messages;
pub(crate) mod node_row;
pub(crate) mod operation;
pub(crate) mod proposal;
pub(crate) mod refactor;
pub(crate) mod report;
pub(crate) mod requests;
pub(crate) mod responses;
pub(crate) mod scan_messages;
pub(crate) mod search_messages;
pub(crate) mod symbol_messages;
pub(crate) mod verify;
pub(crate) mod versioned;

pub use convert_messages::*;
#[doc(hidden)]
pub use cursor::{Cursor, ItemPlace, Next};
pub use duplicates_messages::*;
pub use entries::Entries;
pub use error::{Candidate, EngineError, ErrorCode, ErrorDetails, ErrorResponse, MergeOffer, PlaceRow};
#[doc(hidden)]
pub use hint::TERMS;
pub use hint::{Hint, Term};
pub use metrics_messages::*;
pub use node_row::{CaptureRow, NodeRow, SyntaxErrorRow};
pub use operation::Operation;
pub use proposal::{Decision, Proposal};
pub use refactor::*;
pub use report::{FilesReport, FoundBy, ProjectReport, Skipped};
pub use requests::*;
pub use responses::*;
pub use scan_messages::*;
pub use search_messages::*;
pub use symbol_messages::*;
pub use verify::{CommandRun, DecisionRound, Verified};
pub use versioned::{SCHEMA, Versioned};
