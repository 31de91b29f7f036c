//! The Model Context Protocol: tools for coding agents, in both of its eras on one input.
//!
//! Up to 2025-11-25 a client says `initialize` and both keep to the version agreed on. From 2026-07-28 on nothing is agreed: every
//! request names its version in `_meta`, and every result says that it is complete. Each message shows which of both the
//! client speaks, so there is no state.

mod answers;
mod arguments;
mod call;
mod protocol;
mod refusal;
mod refusals;
mod revisions;
mod schema;
mod several;
mod spelling;
mod symbol_text;
mod targets;
mod terms;
mod text;
mod tools;

pub use answers::Answers;
pub(super) use protocol::Mcp;
