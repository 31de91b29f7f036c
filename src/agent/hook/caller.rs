//! The agents that call hooks, and the format of their answers.

use serde_json::json;

use super::phase::Phase;

/// A coding agent that calls hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cline, the extension and the command line.
    Cline,
    /// Copilot, the command line.
    Copilot,
    /// OpenCode, through a plugin.
    Opencode,
    /// Cursor.
    Cursor,
    /// Droid.
    Droid,
    /// Windsurf.
    Windsurf,
}

impl Caller {
    /// All of them.
    pub const ALL: [Caller; 9] = [
        Caller::ClaudeCode,
        Caller::Codex,
        Caller::Gemini,
        Caller::Cline,
        Caller::Copilot,
        Caller::Opencode,
        Caller::Cursor,
        Caller::Droid,
        Caller::Windsurf,
    ];

    /// The agent with that name.
    pub fn named(name: &str) -> Option<Caller> {
        Caller::ALL.into_iter().find(|caller| caller.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Caller::ClaudeCode => "claude-code",
            Caller::Codex => "codex",
            Caller::Gemini => "gemini",
            Caller::Cline => "cline",
            Caller::Copilot => "copilot",
            Caller::Opencode => "opencode",
            Caller::Cursor => "cursor",
            Caller::Droid => "droid",
            Caller::Windsurf => "windsurf",
        }
    }

    /// The answer that changes nothing.
    pub fn neutral(self) -> String {
        match self {
            Caller::Cline => json!({"cancel": false}).to_string(),
            Caller::Opencode => String::new(),
            _ => "{}".to_owned(),
        }
    }

    /// The answer that shows a text to the model and does nothing else; the neutral one if the agent has no such
    /// answer.
    pub fn reply(self, text: &str) -> String {
        let told_by = |event: &str| {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}).to_string()
        };
        match self {
            Caller::ClaudeCode | Caller::Codex | Caller::Droid => told_by("PostToolUse"),
            Caller::Gemini => told_by("AfterTool"),
            Caller::Cline => json!({"cancel": false, "contextModification": text}).to_string(),
            Caller::Copilot => json!({"additionalContext": text}).to_string(),
            Caller::Opencode => text.to_owned(),
            Caller::Cursor => json!({"additional_context": text}).to_string(),
            Caller::Windsurf => self.neutral(),
        }
    }

    /// The environment variable with the path of the project.
    pub(super) fn project_variable(self) -> Option<&'static str> {
        match self {
            Caller::ClaudeCode => Some("CLAUDE_PROJECT_DIR"),
            Caller::Gemini => Some("GEMINI_PROJECT_DIR"),
            Caller::Copilot => Some("COPILOT_PROJECT_DIR"),
            Caller::Droid => Some("FACTORY_PROJECT_DIR"),
            _ => None,
        }
    }

    /// The place of our hook in the agent's own files. `None` for an agent that runs no other agent's hooks.
    pub(super) fn own_hook(self) -> Option<OwnHook> {
        match self {
            Caller::Copilot => Some(OwnHook {
                project: ".github/hooks/cst.json",
                home: ".copilot",
                variable: Some("COPILOT_HOME"),
                file: "hooks/cst.json",
                phases: &[Phase::Pre, Phase::Post],
            }),
            Caller::Cursor => Some(OwnHook {
                project: ".cursor/hooks.json",
                home: ".cursor",
                variable: None,
                file: "hooks.json",
                phases: &[Phase::Post],
            }),
            _ => None,
        }
    }
}

/// The place of our hook in an agent's own files.
pub(super) struct OwnHook {
    /// The file, relative to a project.
    pub project: &'static str,
    /// The agent's folder, relative to the home folder.
    pub home: &'static str,
    /// The variable that names another folder.
    pub variable: Option<&'static str>,
    /// The file, relative to the agent's folder.
    pub file: &'static str,
    /// The phases in which it is called.
    pub phases: &'static [Phase],
}
