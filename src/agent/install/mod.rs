//! Connecting coding agents with `cst`: its MCP server, and hooks around their own edits.
//!
//! What an agent wants is a row of a table ([`AGENTS`]): a file, and an entry in it. One [`Installer`] does all of them. It
//! reads each file, says how it stands to what is to be in it ([`State`]), and plans the change; only then is anything
//! written, each file for itself. What isn't ours is never touched: an entry is ours when its command holds `hook ID`, a server
//! when it is named `cst` and starts a `cst`, a file when it has the line `cst-managed: ID`.
//!
//! Where things are is handed in as a [`Place`], so that nothing here depends on the process.

mod agents;
mod config;
mod content;
mod drafts;
mod installer;
mod options;
mod report;
mod target;

pub use agents::{AGENTS, Agent, Part, Scope, Traces, ids};
pub use content::State;
pub use installer::{Installer, generic};
pub use options::{InstallOptions, UsageError};
pub use report::{Action, Line, Report, Snippet};
pub use target::{Place, variables};
