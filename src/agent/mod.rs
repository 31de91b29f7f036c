//! Coding agents: installing into them, and what they call around their own edits.

pub mod hook;
pub mod install;
pub mod journal;
