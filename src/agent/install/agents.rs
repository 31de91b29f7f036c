//! What each agent needs: one row per file.
//!
//! In a value, `$CST` is the program: its bare name in files of a project, and its full path in files of the user; in a
//! command it is quoted if necessary. `$PROGRAM` is always the full path, and `$PROJECT` the folder of the project.

use super::config::{Format, Key};

/// The owner of an agent's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The project: shared with everyone who works on it.
    Project,
    /// The user, for all projects.
    User,
    /// The user, for this project.
    Local,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 3] = [Scope::Project, Scope::User, Scope::Local];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Project => "project",
            Scope::User => "user",
            Scope::Local => "local",
        }
    }
}

/// The parts of `cst` that an agent uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The MCP server.
    Mcp,
    /// The hooks around the agent's own edits.
    Hooks,
}

impl Part {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::Mcp => "mcp",
            Part::Hooks => "hooks",
        }
    }
}

/// A coding agent.
#[derive(Debug)]
pub struct Agent {
    /// The name on the command line, and in `cst hook`.
    pub id: &'static str,
    /// The product name.
    pub name: &'static str,
    /// Signs that a project or a user works with it.
    pub traces: Traces,
    /// The files to write for it.
    pub(super) rows: &'static [Row],
    /// Notes to show after an installation.
    pub(super) notes: &'static [Note],
}

impl Agent {
    /// The scopes in which a part can be installed.
    pub fn scopes(&self, part: Part) -> Vec<Scope> {
        let has = |scope: &Scope| self.rows.iter().any(|row| row.part == part && row.scopes.contains(scope));
        Scope::ALL.into_iter().filter(has).collect()
    }
}

/// Files and folders that an agent creates.
#[derive(Debug)]
pub struct Traces {
    /// In a project.
    pub project: &'static [&'static str],
    /// In the home folder.
    pub home: &'static [&'static str],
}

/// A note for the user.
#[derive(Debug)]
pub(super) struct Note {
    /// Shown for this part.
    pub part: Part,
    /// Shown for these scopes.
    pub scopes: &'static [Scope],
    /// The text.
    pub text: &'static str,
}

/// A file, and its content.
#[derive(Debug)]
pub(super) struct Row {
    pub part: Part,
    pub scopes: &'static [Scope],
    pub at: Location,
    pub holds: Contents,
}

/// The place of a file. Of several names, the first existing one, or else the first.
#[derive(Debug)]
pub(super) enum Location {
    /// In the project's folder.
    Project(&'static [&'static str]),
    /// In the user's files: below the first of these environment variables that is set, or else in the home folder.
    User { variables: &'static [(&'static str, &'static [&'static str])], home: &'static [&'static str] },
}

/// The content of a file.
#[derive(Debug)]
pub(super) enum Contents {
    /// An entry under a path of keys. If the other entries of the file are `nested`, it has that shape.
    Server { format: Format, path: &'static [&'static str], value: &'static str, nested: Option<&'static str> },
    /// Elements of the arrays of events.
    Hooks { events: &'static [(&'static str, &'static str)], shape: Shape },
    /// The whole file: an executable shell script, or a JavaScript module.
    Script { text: &'static str, shell: bool },
}

/// The form of hooks in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The events are members of `hooks`.
    Wrapped,
    /// The same, and a new file has a version.
    Versioned,
    /// The events are members of the file's object.
    Bare,
}

impl Shape {
    /// The keys of the object with the events.
    pub fn under(self) -> Vec<Key> {
        match self {
            Shape::Wrapped | Shape::Versioned => vec!["hooks".into()],
            Shape::Bare => Vec::new(),
        }
    }
}

use Contents::{Hooks, Script, Server};
use Location::{Project, User};
use Scope::{Local as L, Project as P, User as U};

const SERVERS: &[&str] = &["mcpServers", "cst"];

const STDIO: &str = r#"{"type":"stdio","command":"$CST","args":["mcp"]}"#;

const CLAUDE_SERVER: &str = r#"{"type":"stdio","command":"$CST","args":["mcp"],"env":{},"alwaysLoad":true}"#;

const CLAUDE_HOOK: &str = r#"{"matcher":"Edit|MultiEdit|Write|NotebookEdit|Bash","hooks":[{"type":"command","command":"$CST hook claude-code","timeout":10}]}"#;

const CLAUDE_HOOKS: Contents =
    Hooks { events: &[("PreToolUse", CLAUDE_HOOK), ("PostToolUse", CLAUDE_HOOK)], shape: Shape::Wrapped };

const CODEX_HOOK: &str =
    r#"{"matcher":"apply_patch|Bash","hooks":[{"type":"command","command":"$CST hook codex","timeout":10}]}"#;

// Gemini blocks the tool if a hook fails, for instance for users without cst. Shells of all kinds accept this command.
const GEMINI_HOOK: &str = r#"{"matcher":"write_file|replace|run_shell_command","hooks":[{"type":"command","command":"$CST hook gemini ; exit 0","timeout":10000}]}"#;

const CURSOR_HOOK: &str =
    r#"{"command":"$CST hook cursor","matcher":"Write|Edit|MultiEdit|StrReplace|ApplyPatch","timeout":10}"#;

const DROID_HOOK: &str = r#"{"matcher":"Edit|MultiEdit|Create|ApplyPatch|Execute","hooks":[{"type":"command","command":"$CST hook droid","timeout":10}]}"#;

const COPILOT_HOOKS: Contents = Hooks {
    events: &[
        (
            "preToolUse",
            r#"{"type":"command","bash":"$CST hook copilot pre","powershell":"$CST hook copilot pre","timeoutSec":10}"#,
        ),
        (
            "postToolUse",
            r#"{"type":"command","bash":"$CST hook copilot post","powershell":"$CST hook copilot post","timeoutSec":10}"#,
        ),
    ],
    shape: Shape::Versioned,
};

const CLINE_SCRIPT: Contents =
    Script { text: "#!/bin/sh\n# cst-managed: cline\nexec \"$PROGRAM\" hook cline\n", shell: true };

const OPENCODE_PLUGIN: Contents = Script { text: include_str!("opencode.ts"), shell: false };

/// All agents that `cst` knows.
pub const AGENTS: &[Agent] = &[
    Agent {
        id: "claude-code",
        name: "Claude Code",
        traces: Traces { project: &[".claude", "CLAUDE.md"], home: &[".claude", ".claude.json"] },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[P],
                at: Project(&[".mcp.json"]),
                holds: Server { format: Format::Json, path: SERVERS, value: CLAUDE_SERVER, nested: None },
            },
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: CLAUDE_JSON,
                holds: Server { format: Format::Json, path: SERVERS, value: CLAUDE_SERVER, nested: None },
            },
            Row {
                part: Part::Mcp,
                scopes: &[L],
                at: CLAUDE_JSON,
                holds: Server {
                    format: Format::Json,
                    path: &["projects", "$PROJECT", "mcpServers", "cst"],
                    value: CLAUDE_SERVER,
                    nested: None,
                },
            },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".claude/settings.json"]), holds: CLAUDE_HOOKS },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User { variables: &[("CLAUDE_CONFIG_DIR", &["settings.json"])], home: &[".claude/settings.json"] },
                holds: CLAUDE_HOOKS,
            },
            Row { part: Part::Hooks, scopes: &[L], at: Project(&[".claude/settings.local.json"]), holds: CLAUDE_HOOKS },
        ],
        notes: &[Note {
            part: Part::Mcp,
            scopes: &[P],
            text: "Claude Code asks once whether it may use the server of `.mcp.json`",
        }],
    },
    Agent {
        id: "codex",
        name: "Codex",
        traces: Traces { project: &[".codex"], home: &[".codex"] },
        rows: &[
            Row { part: Part::Mcp, scopes: &[P], at: Project(&[".codex/config.toml"]), holds: CODEX_SERVER },
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: User { variables: &[("CODEX_HOME", &["config.toml"])], home: &[".codex/config.toml"] },
                holds: CODEX_SERVER,
            },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".codex/hooks.json"]), holds: CODEX_HOOKS },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User { variables: &[("CODEX_HOME", &["hooks.json"])], home: &[".codex/hooks.json"] },
                holds: CODEX_HOOKS,
            },
        ],
        notes: &[
            Note {
                part: Part::Hooks,
                scopes: &[P, U],
                text: "Codex runs no hook before it is trusted: say `/hooks` in Codex and trust those of cst",
            },
            Note {
                part: Part::Mcp,
                scopes: &[P],
                text: "Codex reads a project's `.codex` only where the project is trusted",
            },
        ],
    },
    Agent {
        id: "gemini",
        name: "Gemini CLI",
        traces: Traces { project: &[".gemini", "GEMINI.md"], home: &[".gemini"] },
        rows: &[
            Row { part: Part::Mcp, scopes: &[P], at: Project(&[".gemini/settings.json"]), holds: GEMINI_SERVER },
            Row { part: Part::Mcp, scopes: &[U], at: GEMINI_HOME, holds: GEMINI_SERVER },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".gemini/settings.json"]), holds: GEMINI_HOOKS },
            Row { part: Part::Hooks, scopes: &[U], at: GEMINI_HOME, holds: GEMINI_HOOKS },
        ],
        notes: &[],
    },
    Agent {
        id: "cline",
        name: "Cline",
        traces: Traces { project: &[".clinerules", ".cline"], home: &[".cline"] },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[P, U],
                at: User {
                    variables: &[
                        ("CLINE_MCP_SETTINGS_PATH", &[""]),
                        ("CLINE_DATA_DIR", &["settings/cline_mcp_settings.json"]),
                        ("CLINE_DIR", &["data/settings/cline_mcp_settings.json"]),
                    ],
                    home: &[".cline/data/settings/cline_mcp_settings.json"],
                },
                holds: Server {
                    format: Format::Json,
                    path: SERVERS,
                    value: r#"{"command":"$CST","args":["mcp"]}"#,
                    nested: Some(r#"{"transport":{"type":"stdio","command":"$CST","args":["mcp"]}}"#),
                },
            },
            Row {
                part: Part::Hooks,
                scopes: &[P],
                at: Project(&[".clinerules/hooks/PreToolUse"]),
                holds: CLINE_SCRIPT,
            },
            Row {
                part: Part::Hooks,
                scopes: &[P],
                at: Project(&[".clinerules/hooks/PostToolUse"]),
                holds: CLINE_SCRIPT,
            },
        ],
        notes: &[Note {
            part: Part::Mcp,
            scopes: &[P],
            text: "Cline has no MCP servers of a project: the entry is in the user's file, for all projects",
        }],
    },
    Agent {
        id: "copilot",
        name: "GitHub Copilot",
        traces: Traces { project: &[".github/copilot-instructions.md", ".github/hooks"], home: &[".copilot"] },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[P],
                at: Project(&[".mcp.json"]),
                holds: Server { format: Format::Json, path: SERVERS, value: CLAUDE_SERVER, nested: None },
            },
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: User { variables: &[("COPILOT_HOME", &["mcp-config.json"])], home: &[".copilot/mcp-config.json"] },
                holds: Server {
                    format: Format::Json,
                    path: SERVERS,
                    value: r#"{"type":"local","command":"$CST","args":["mcp"],"tools":["*"]}"#,
                    nested: None,
                },
            },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".github/hooks/cst.json"]), holds: COPILOT_HOOKS },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User { variables: &[("COPILOT_HOME", &["hooks/cst.json"])], home: &[".copilot/hooks/cst.json"] },
                holds: COPILOT_HOOKS,
            },
        ],
        notes: &[Note {
            part: Part::Hooks,
            scopes: &[P],
            text: "Copilot denies every tool call if a hook's program is missing: everyone who works here needs cst on the PATH",
        }],
    },
    Agent {
        id: "opencode",
        name: "OpenCode",
        traces: Traces {
            project: &["opencode.json", "opencode.jsonc", ".opencode"],
            home: &[".config/opencode", ".opencode"],
        },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[P],
                at: Project(&["opencode.json", "opencode.jsonc"]),
                holds: OPENCODE_SERVER,
            },
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: User {
                    variables: &[("XDG_CONFIG_HOME", &["opencode/opencode.json", "opencode/opencode.jsonc"])],
                    home: &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
                },
                holds: OPENCODE_SERVER,
            },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".opencode/plugins/cst.ts"]), holds: OPENCODE_PLUGIN },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User {
                    variables: &[("XDG_CONFIG_HOME", &["opencode/plugins/cst.ts"])],
                    home: &[".config/opencode/plugins/cst.ts"],
                },
                holds: OPENCODE_PLUGIN,
            },
        ],
        notes: &[],
    },
    Agent {
        id: "cursor",
        name: "Cursor",
        traces: Traces { project: &[".cursor", ".cursorrules"], home: &[".cursor"] },
        rows: &[
            Row { part: Part::Mcp, scopes: &[P], at: Project(&[".cursor/mcp.json"]), holds: STDIO_SERVER },
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: User { variables: &[], home: &[".cursor/mcp.json"] },
                holds: STDIO_SERVER,
            },
            Row { part: Part::Hooks, scopes: &[P], at: Project(&[".cursor/hooks.json"]), holds: CURSOR_HOOKS },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User { variables: &[], home: &[".cursor/hooks.json"] },
                holds: CURSOR_HOOKS,
            },
        ],
        notes: &[],
    },
    Agent {
        id: "droid",
        name: "Factory Droid",
        traces: Traces { project: &[".factory"], home: &[".factory"] },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[U],
                at: User { variables: &[], home: &[".factory/mcp.json"] },
                holds: STDIO_SERVER,
            },
            Row {
                part: Part::Hooks,
                scopes: &[U],
                at: User { variables: &[], home: &[".factory/hooks.json"] },
                holds: Hooks { events: &[("PreToolUse", DROID_HOOK), ("PostToolUse", DROID_HOOK)], shape: Shape::Bare },
            },
        ],
        notes: &[Note {
            part: Part::Hooks,
            scopes: &[U],
            text: "Droid reads hooks in `~/.factory/settings.json` only if there is no `hooks.json`: move your hooks there",
        }],
    },
    Agent {
        id: "windsurf",
        name: "Windsurf",
        traces: Traces { project: &[".windsurf", ".windsurfrules"], home: &[".codeium/windsurf"] },
        rows: &[
            Row {
                part: Part::Mcp,
                scopes: &[P, U],
                at: User { variables: &[], home: &[".codeium/windsurf/mcp_config.json"] },
                holds: Server {
                    format: Format::Json,
                    path: SERVERS,
                    value: r#"{"command":"$CST","args":["mcp"]}"#,
                    nested: None,
                },
            },
            Row {
                part: Part::Hooks,
                scopes: &[P],
                at: Project(&[".windsurf/hooks.json"]),
                holds: Hooks {
                    events: &[
                        ("pre_write_code", r#"{"command":"$CST hook windsurf pre","show_output":false}"#),
                        ("post_write_code", r#"{"command":"$CST hook windsurf post","show_output":false}"#),
                    ],
                    shape: Shape::Wrapped,
                },
            },
        ],
        notes: &[
            Note {
                part: Part::Mcp,
                scopes: &[P],
                text: "Windsurf has no MCP servers of a project: the entry is in the user's file, for all projects",
            },
            Note {
                part: Part::Hooks,
                scopes: &[P],
                text: "Windsurf shows its model nothing of what hooks say: edits are recorded in the journal alone",
            },
        ],
    },
];

const CLAUDE_JSON: Location = User { variables: &[("CLAUDE_CONFIG_DIR", &[".claude.json"])], home: &[".claude.json"] };

const CODEX_SERVER: Contents = Server {
    format: Format::Toml,
    path: &["mcp_servers", "cst"],
    value: r#"{"command":"$CST","args":["mcp"]}"#,
    nested: None,
};

const CODEX_HOOKS: Contents =
    Hooks { events: &[("PreToolUse", CODEX_HOOK), ("PostToolUse", CODEX_HOOK)], shape: Shape::Wrapped };

const GEMINI_HOME: Location =
    User { variables: &[("GEMINI_CLI_HOME", &[".gemini/settings.json"])], home: &[".gemini/settings.json"] };

const GEMINI_SERVER: Contents = Server {
    format: Format::Json,
    path: SERVERS,
    value: r#"{"command":"$CST","args":["mcp"],"timeout":30000}"#,
    nested: None,
};

const GEMINI_HOOKS: Contents =
    Hooks { events: &[("BeforeTool", GEMINI_HOOK), ("AfterTool", GEMINI_HOOK)], shape: Shape::Wrapped };

const OPENCODE_SERVER: Contents = Server {
    format: Format::Json,
    path: &["mcp", "cst"],
    value: r#"{"type":"local","command":["$CST","mcp"],"enabled":true}"#,
    nested: None,
};

const STDIO_SERVER: Contents = Server { format: Format::Json, path: SERVERS, value: STDIO, nested: None };

const CURSOR_HOOKS: Contents = Hooks { events: &[("postToolUse", CURSOR_HOOK)], shape: Shape::Versioned };

/// The ids of all agents.
pub fn ids() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.id).collect()
}
