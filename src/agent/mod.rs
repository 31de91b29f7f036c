//! Coding agents: the installer, and the hooks that agents call around their own edits.

pub mod hook;
pub mod install;
pub mod journal;
