//! Hooks that a coding agent calls around its own edits.
//!
//! An agent runs `cst hook AGENT` before and after it uses a tool, with the event on standard input, in a dialect of
//! its own (`dialect`). Each becomes an [`Event`]. Before the call, the files that it may change are stored
//! (`snapshot`). After it, each file is compared with its previous content (`images`, `verdict`, `changes`), and an
//! entry is added to the journal. If the edit caused a new syntax error, the agent gets a report in its own format
//! ([`Caller::reply`], `words`).
//!
//! A hook must never block an agent: on every failure the answer is the one that changes nothing.

mod answer;
mod caller;
mod changes;
mod dialect;
mod event;
mod findings;
mod git;
mod images;
mod parts;
mod patch;
mod payload;
mod phase;
mod setting;
mod snapshot;
mod tools;
mod verdict;
mod words;
mod workspace;

pub use answer::answer;
pub use caller::Caller;
pub use event::{Before, Event, Touched, Work};
pub use payload::read;
pub use phase::Phase;
pub use setting::Setting;
