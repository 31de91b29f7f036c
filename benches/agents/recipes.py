"""How each coding agent is run without a person and without a network, and what its own tools are called."""

import json
from dataclasses import dataclass, field, replace

GOOD, BAD = "return 1", "return (1"
SHELL = "printf 'def h(:\\n' >> a.py"
PROMPT = "Follow the plan."
OTHER_RAN = "touch other-hook-ran"


@dataclass
class Place:
    """Where an agent runs: the model's address, the project and the home folder."""

    url: str
    project: object
    home: object


@dataclass
class Recipe:
    """An agent: its program, and functions of a `Place` for its command, environment, files at home and steps.

    `prefix` is what it puts before the names of cst's tools. `existing` are files that a project may well have before (`~/`: at
    home), with servers and hooks of others. An agent that `needs_cst` refuses all calls where cst is missing, which
    docs/agents.md says.
    """

    id: str
    program: str
    command: object
    steps: object
    prefix: str
    environment: object = lambda place: {}
    home: object = lambda place: {}
    before: list = field(default_factory=list)
    existing: dict = field(default_factory=dict)
    installs: list = field(default_factory=list)
    scopes: tuple = ("project", "user")
    needs_cst: bool = False

    @property
    def installed(self):
        """The agents that cst is installed for, this one unless it reads another's hooks."""
        return self.installs or [self.id]

    def script(self, place):
        """The agent's edit that breaks the file, cst's outline, an edit that mends it, cst's edit, and a shell command."""
        steps = self.steps(place)
        outline = step("outline", f"{self.prefix}outline", path="a.py")
        edit = step(
            "edit", f"{self.prefix}edit", path="a.py", operations=[{"op": "rename", "target": "function#f", "to": "g"}]
        )
        for new, before in ((outline, "mend"), (edit, "shell")):
            steps.insert([step["name"] for step in steps].index(before), new)
        return steps


def step(name, tools, **arguments):
    return {"name": name, "tools": [tools] if isinstance(tools, str) else tools, "arguments": arguments}


def text_step(name, tools, text):
    return {"name": name, "tools": tools, "arguments": text}


def claude_code():
    return Recipe(
        id="claude-code",
        scopes=("project", "user", "local"),
        program="claude",
        prefix="mcp__cst__",
        existing={
            ".mcp.json": '{"mcpServers": {"other": {"type": "stdio", "command": "true"}}}',
            ".claude/settings.json": """{
    "permissions": {"deny": ["Bash(rm:*)"]},
    "hooks": {
        "PostToolUse": [
            {"matcher": "Edit", "hooks": [{"type": "command", "command": "%s"}]}
        ]
    }
}
"""
            % OTHER_RAN,
        },
        command=lambda place: [
            "claude",
            "-p",
            PROMPT,
            "--model",
            "claude-sonnet-4-5",
            "--permission-mode",
            "acceptEdits",
            "--allowedTools",
            "mcp__cst Bash Edit Read",
        ],
        environment=lambda place: {
            "ANTHROPIC_BASE_URL": place.url,
            "ANTHROPIC_API_KEY": "loopback",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
        steps=lambda place: [
            step("read", "Read", file_path=f"{place.project}/a.py"),
            step("break", "Edit", file_path=f"{place.project}/a.py", old_string=GOOD, new_string=BAD),
            step("mend", "Edit", file_path=f"{place.project}/a.py", old_string=BAD, new_string=GOOD),
            step("shell", "Bash", command=SHELL, description="append"),
        ],
    )


def codex():
    shells = ["exec_command", "shell_command", "shell"]
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n def f():\n-    {}\n+    {}\n*** End Patch"
    return Recipe(
        id="codex",
        program="codex",
        prefix="mcp__cst",
        existing={
            ".codex/config.toml": '# ours\nmodel_verbosity = "low" # short\n\n[mcp_servers.other]\ncommand = "true"\n',
            ".codex/hooks.json": """{"hooks": {"PostToolUse": [{"matcher": "apply_patch", "hooks": [
    {"type": "command", "command": "%s"}]}]}}"""
            % OTHER_RAN,
        },
        command=lambda place: [
            "codex",
            "exec",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            "--skip-git-repo-check",
            PROMPT,
        ],
        environment=lambda place: {"LOOPBACK_KEY": "loopback"},
        home=lambda place: {".codex/config.toml": f"""model = "gpt-5.5"
model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "{place.url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"

[projects."{place.project}"]
trust_level = "trusted"
"""},
        steps=lambda place: [
            text_step("break", ["apply_patch"], patch.format(GOOD, BAD)),
            step("search", "tool_search", query="outline the definitions in a file", limit=8),
            text_step("mend", ["apply_patch"], patch.format(BAD, GOOD)),
            step("shell", shells, cmd=SHELL, command=SHELL),
        ],
    )


def gemini():
    edit = {"instruction": "edit"}
    return Recipe(
        id="gemini",
        program="gemini",
        prefix="mcp_cst_",
        existing={
            ".gemini/settings.json": """{
  // what we agreed on
  "ui": {"hideBanner": true},
  "mcpServers": {
    "other": {"command": "true"} /* not yet */
  },
  "hooks": {"AfterTool": [{"matcher": "replace", "hooks": [{"type": "command", "command": "%s"}]}]}
}
"""
            % OTHER_RAN
        },
        command=lambda place: ["gemini", "--yolo", "--skip-trust", "--model", "gemini-2.5-pro", "-p", PROMPT],
        environment=lambda place: {
            "GEMINI_API_KEY": "loopback",
            "GOOGLE_GEMINI_BASE_URL": place.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        home=lambda place: {
            ".gemini/settings.json": json.dumps(
                {
                    "security": {"auth": {"selectedType": "gemini-api-key"}},
                    "privacy": {"usageStatisticsEnabled": False},
                    "general": {"enableAutoUpdate": False},
                }
            )
        },
        steps=lambda place: [
            step("break", "replace", file_path=f"{place.project}/a.py", old_string=GOOD, new_string=BAD, **edit),
            step("mend", "replace", file_path=f"{place.project}/a.py", old_string=BAD, new_string=GOOD, **edit),
            step("shell", "run_shell_command", command=SHELL, description="append"),
        ],
    )


def cline():
    return Recipe(
        id="cline",
        scopes=("project",),
        program="cline",
        prefix="cst__",
        existing={
            "~/.cline/data/settings/cline_mcp_settings.json": '{\n\t"mcpServers": {\n\t\t"other": '
            '{"transport": {"type": "stdio", "command": "true"}, "disabled": true}\n\t}\n}',
            ".clinerules/style.md": "Be brief.\n",
        },
        before=[
            lambda place: [
                "cline",
                "auth",
                "-p",
                "openai-compatible",
                "-k",
                "loopback",
                "-m",
                "scripted",
                "-b",
                f"{place.url}/v1",
            ]
        ],
        command=lambda place: ["cline", "--auto-approve", "true", "--timeout", "90", PROMPT],
        steps=lambda place: [
            step("break", "editor", path=f"{place.project}/a.py", old_text=GOOD, new_text=BAD),
            step("mend", "editor", path=f"{place.project}/a.py", old_text=BAD, new_text=GOOD),
            step("shell", "run_commands", commands=[SHELL]),
        ],
    )


def copilot():
    return Recipe(
        id="copilot",
        needs_cst=True,
        program="copilot",
        prefix="cst-",
        existing={
            ".mcp.json": '{\n  "mcpServers": {}\n}\n',
            ".github/hooks/other.json": """{"version": 1, "hooks": {"postToolUse": [
    {"type": "command", "bash": "%s", "timeoutSec": 5}]}}"""
            % OTHER_RAN,
        },
        command=lambda place: ["copilot", "-p", PROMPT, "--allow-all-tools", "--trust-folder", "--no-auto-update"],
        environment=lambda place: {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{place.url}/v1",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_PROVIDER_API_KEY": "loopback",
        },
        steps=lambda place: [
            step("break", "edit", path=f"{place.project}/a.py", old_str=GOOD, new_str=BAD),
            step("mend", "edit", path=f"{place.project}/a.py", old_str=BAD, new_str=GOOD),
            step("shell", "bash", command=SHELL, description="append"),
        ],
    )


def opencode():
    return Recipe(
        id="opencode",
        program="opencode",
        prefix="cst_",
        existing={"opencode.jsonc": """{
  "$schema": "https://opencode.ai/config.json", // opencode puts it there
  "share": "disabled",
  "mcp": {
    "other": { "type": "local", "command": ["true"], "enabled": false }, // later
  },
}
"""},
        command=lambda place: ["opencode", "run", "--auto", "--model", "loopback/scripted", PROMPT],
        environment=lambda place: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        home=lambda place: {
            ".config/opencode/opencode.json": json.dumps(
                {
                    "autoupdate": False,
                    "share": "disabled",
                    "provider": {
                        "loopback": {
                            "npm": "@ai-sdk/openai-compatible",
                            "name": "loopback",
                            "options": {"baseURL": f"{place.url}/v1", "apiKey": "loopback"},
                            "models": {
                                "scripted": {
                                    "name": "scripted",
                                    "tool_call": True,
                                    "limit": {"context": 200000, "output": 8000},
                                }
                            },
                        }
                    },
                }
            )
        },
        steps=lambda place: [
            step("read", "read", filePath=f"{place.project}/a.py"),
            step("break", "edit", filePath=f"{place.project}/a.py", oldString=GOOD, newString=BAD),
            step("mend", "edit", filePath=f"{place.project}/a.py", oldString=BAD, newString=GOOD),
            step("shell", "bash", command=SHELL, description="append"),
        ],
    )


def copilot_beside_claude_code():
    """Copilot runs Claude Code's hooks too: the words must come once."""
    return replace(copilot(), id="copilot+claude-code", installs=["copilot", "claude-code"], existing={})


def copilot_by_claude_code():
    """Copilot with nothing of its own."""
    return replace(copilot(), id="copilot<claude-code", installs=["claude-code"], existing={}, scopes=("project",))


def droid():
    return Recipe(
        id="droid",
        program="droid",
        prefix="cst___",
        scopes=("user",),
        existing={
            "~/.factory/mcp.json": '{ "mcpServers": { "other": { "type": "stdio", "command": "true", "disabled": true } } }\n',
            "~/.factory/hooks.json": """{
  "PostToolUse": [
    { "matcher": "Edit", "hooks": [ { "type": "command", "command": "%s" } ] }
  ]
}"""
            % OTHER_RAN,
        },
        command=lambda place: ["droid", "exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", PROMPT],
        environment=lambda place: {"FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"},
        home=lambda place: {
            ".factory/settings.json": json.dumps(
                {
                    "customModels": [
                        {
                            "model": "scripted",
                            "displayName": "scripted",
                            "baseUrl": f"{place.url}/v1",
                            "apiKey": "loopback",
                            "provider": "generic-chat-completion-api",
                            "maxOutputTokens": 8000,
                        }
                    ]
                }
            )
        },
        steps=lambda place: [
            step("read", "Read", file_path=f"{place.project}/a.py"),
            step("break", "Edit", file_path=f"{place.project}/a.py", old_str=GOOD, new_str=BAD),
            step("search", "ToolSearch", query="cst outline edit find show rewrite explain session", max_results=8),
            step("mend", "Edit", file_path=f"{place.project}/a.py", old_str=BAD, new_str=GOOD),
            step(
                "shell", "Execute", command=SHELL, summary="append", riskLevel="low", riskLevelReason="a file of the project"
            ),
        ],
    )


ALL = [
    claude_code(),
    codex(),
    gemini(),
    cline(),
    copilot(),
    copilot_beside_claude_code(),
    copilot_by_claude_code(),
    opencode(),
    droid(),
]
