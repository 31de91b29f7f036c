//! The options of an installation, and errors in them.

use super::agents::{Part, Scope};

/// The options of an installation.
#[derive(Debug, Clone, Default)]
pub struct InstallOptions {
    /// The agents, by their ids.
    pub agents: Vec<String>,
    /// The scope; by default the project, and for a status all scopes.
    pub scope: Option<Scope>,
    /// Only the server, or only the hooks.
    pub part: Option<Part>,
    /// Whether to write nothing.
    pub dry_run: bool,
}

/// Invalid options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// No agent was named.
    #[error("which agent?")]
    NoAgent,
    /// The agent is unknown.
    #[error("unknown agent `{name}`")]
    UnknownAgent {
        /// The name as given.
        name: String,
        /// A similar name.
        nearest: Option<&'static str>,
    },
    /// An agent has no files in this scope.
    #[error("{agent} has no {what}{scope} scope: it has {}", .has.join(", "))]
    NoScope {
        /// The agent.
        agent: &'static str,
        /// `hooks at ` or the like.
        what: String,
        /// The requested scope.
        scope: &'static str,
        /// The scopes that it has.
        has: Vec<&'static str>,
    },
    /// The home folder is unknown.
    #[error("the home folder is not known")]
    NoHome,
}
