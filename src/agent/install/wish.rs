//! What is asked of an installation, and what is wrong with words that don't say it.

use super::agents::{Part, Scope};

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The agents, by their ids.
    pub agents: Vec<String>,
    /// Whose files; the project's, or for a look around all.
    pub scope: Option<Scope>,
    /// Only the server, or only the hooks.
    pub part: Option<Part>,
    /// Whether nothing is to be written.
    pub dry_run: bool,
}

/// Words that don't say what is to be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WrongWish {
    /// No agent was named.
    #[error("which agent?")]
    NoAgent,
    /// The agent is unknown.
    #[error("unknown agent `{name}`")]
    UnknownAgent {
        /// As it was said.
        name: String,
        /// What it may have been meant to be.
        nearest: Option<&'static str>,
    },
    /// An agent has no such files.
    #[error("{agent} has no {what}{scope} scope: it has {}", .has.join(", "))]
    NoScope {
        /// The agent.
        agent: &'static str,
        /// `hooks at ` or the like.
        what: String,
        /// The scope that was asked for.
        scope: &'static str,
        /// Those that it has.
        has: Vec<&'static str>,
    },
    /// The home folder to look in is missing.
    #[error("the home folder isn't known")]
    NoHome,
}
