//! What a coding agent calls around its own edits.
//!
//! An agent runs `cst hook AGENT` before and after it uses a tool, with the event on standard input, each in a dialect of its
//! own (`dialect`). All of them become an [`Event`]. Before the call what it may change is remembered (`snapshot`); after it
//! each file is compared with what it held before (`images`, `verdict`, `changes`), a line goes to the journal, and where
//! the edit made a syntax error that wasn't there before, the agent is told so in its own format ([`Caller::reply`], `words`).
//!
//! A hook must never stand in an agent's way: whatever goes wrong here, the answer is the one that changes nothing.

mod answer;
mod caller;
mod changes;
mod dialect;
mod event;
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
pub use payload::{LARGEST, read};
pub use phase::Phase;
pub use setting::Setting;
