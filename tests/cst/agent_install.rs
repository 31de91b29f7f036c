//! Installing into agents: what is added to which file, what is refused, and what does not change.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cst::agent::install::{Action, InstallOptions, Installer, Part, Place, Report, Scope, State, UsageError};
use cst::project::Memory;

/// Files in memory, and an installer for them.
struct Setting {
    files: Memory,
    place: Place,
}

impl Setting {
    fn new() -> Setting {
        let place = Place {
            project: PathBuf::from("/p"),
            home: Some(PathBuf::from("/home/u")),
            variables: BTreeMap::new(),
            program: PathBuf::from("/usr/bin/cst"),
            exact: false,
        };
        Setting { files: Memory::default(), place }
    }

    fn with(path: &str, text: &str) -> Setting {
        let setting = Setting::new();
        setting.files.write(path, text);
        setting
    }

    fn installer(&self) -> Installer<'_> {
        Installer::new(&self.files, self.place.clone())
    }

    #[track_caller]
    fn install(&self, words: &str) -> Report {
        self.installer().install(&wish(words)).expect("the words are right")
    }

    #[track_caller]
    fn uninstall(&self, words: &str) -> Report {
        self.installer().uninstall(&wish(words)).expect("the words are right")
    }

    #[track_caller]
    fn read(&self, path: &str) -> String {
        let bytes = self.files.bytes(path).unwrap_or_else(|| panic!("no {path} in {:?}", self.files.paths()));
        String::from_utf8(bytes).expect("it is utf-8")
    }

    fn paths(&self) -> String {
        self.files.paths().iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

/// `AGENT… [scope] [part]`
fn wish(words: &str) -> InstallOptions {
    let mut wish = InstallOptions { scope: Some(Scope::Project), ..InstallOptions::default() };
    for word in words.split_whitespace() {
        match word {
            "user" => wish.scope = Some(Scope::User),
            "local" => wish.scope = Some(Scope::Local),
            "mcp" => wish.part = Some(Part::Mcp),
            "hooks" => wish.part = Some(Part::Hooks),
            agent => wish.agents.push(agent.to_owned()),
        }
    }
    wish
}

fn states(report: &Report) -> Vec<State> {
    report.lines.iter().map(|line| line.state).collect()
}

fn actions(report: &Report) -> Vec<Action> {
    report.lines.iter().map(|line| line.action).collect()
}

/// What is wrong with the first file that was refused.
fn refused(report: &Report) -> String {
    let line = report.lines.iter().find(|line| line.action == Action::Refused).expect("a file was refused");
    let (why, place) = line.problem.clone().expect("it is said why");
    let place = place.map(|place| format!(":{place}")).unwrap_or_default();
    format!("{}{place}: {why}", line.path)
}

/// Installs into a config and takes out again.
#[track_caller]
fn check(words: &str, path: &str, before: &str, installed: &str) {
    let setting = Setting::with(path, before);
    let report = setting.install(words);
    assert!(!report.is_refused() && !report.is_failed(), "{report:#?}");
    assert_eq!(setting.read(path), installed);
    let again = setting.install(words);
    assert!(again.lines.iter().all(|line| line.state == State::Current && line.action == Action::None), "{again:#?}");
    assert_eq!(setting.read(path), installed);
    setting.uninstall(words);
    assert_eq!(setting.read(path), before);
}

const SERVER: &str = r#"{"type": "stdio", "command": "cst", "args": ["mcp"]}"#;

mod configs {
    use super::*;

    const PATH: &str = "/p/.cursor/mcp.json";

    #[track_caller]
    fn server(before: &str, installed: &str) {
        check("cursor mcp", PATH, before, &installed.replace("$SERVER", SERVER));
    }

    #[test]
    fn an_entry_comes_last_in_the_files_own_style() {
        server(
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // the first\n\t}\n}\n",
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // the first\n\t\t\"cst\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \
             \"cst\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n",
        );
        server(
            "{\r\n    \"a\": 1,\r\n}",
            "{\r\n    \"a\": 1,\r\n    \"mcpServers\": {\r\n        \"cst\": {\r\n            \"type\": \"stdio\",\r\n            \
             \"command\": \"cst\",\r\n            \"args\": [\"mcp\"]\r\n        }\r\n    },\r\n}",
        );
    }

    #[test]
    fn a_file_of_one_line_stays_one() {
        let compact = SERVER.replace(' ', "");
        server(r#"{"a":[1]}"#, &format!(r#"{{"a":[1],"mcpServers":{{"cst":{compact}}}}}"#));
        server(r#"{ "a": [1], }"#, r#"{ "a": [1], "mcpServers": {"cst": $SERVER}, }"#);
    }

    /// What was there and empty stays, what came with the entry goes.
    #[test]
    fn what_was_empty_is_empty_again() {
        server("{}", r#"{ "mcpServers": {"cst": $SERVER} }"#);
        server("{\n}\n", "{ \"mcpServers\": {\"cst\": $SERVER} \n}\n");
        server("{\n  \"mcpServers\": {}\n}\n", "{\n  \"mcpServers\": { \"cst\": $SERVER }\n}\n");
        server(
            r#"{"mcpServers":{ /* none */ }}"#,
            &r#"{"mcpServers":{ "cst":$SERVER  /* none */ }}"#.replace("$SERVER", &SERVER.replace(' ', "")),
        );
        server("", r#"{  "mcpServers": {"cst": $SERVER}  }"#);
        server("\n\n", "\n\n{  \"mcpServers\": {\"cst\": $SERVER}  }");
        server("\u{feff}{}\r\n", "\u{feff}{ \"mcpServers\": {\"cst\": $SERVER} }\r\n");
    }

    #[test]
    fn a_file_that_was_not_there_goes() {
        let setting = Setting::new();
        let report = setting.install("cursor");
        assert_eq!(actions(&report), [Action::Created, Action::Created]);
        let report = setting.uninstall("cursor");
        assert_eq!(actions(&report), [Action::Deleted, Action::Deleted]);
        assert_eq!(setting.paths(), "");
    }

    #[test]
    fn what_the_user_added_stays() {
        let setting = Setting::new();
        setting.install("cursor mcp");
        let own = setting.read(PATH).replace("\"mcpServers\": {", "\"mcpServers\": {\n    \"own\": {},");
        setting.files.write(PATH, own);
        setting.uninstall("cursor mcp");
        assert_eq!(setting.read(PATH), "{\n  \"mcpServers\": {\n    \"own\": {}\n  }\n}\n");

        let setting = Setting::new();
        setting.install("claude-code hooks");
        let path = "/p/.claude/settings.json";
        let own = "{\"type\": \"command\", \"command\": \"lint\"}";
        let text = setting.read(path).replacen("\"hooks\": [", &format!("\"hooks\": [{own},"), 1);
        setting.files.write(path, text);
        assert_eq!(states(&setting.install("claude-code hooks")), [State::Current]);
        setting.uninstall("claude-code hooks");
        let left: serde_json::Value = serde_json::from_str(&setting.read(path)).expect("it is JSON");
        let inner = &left["hooks"]["PreToolUse"][0]["hooks"];
        assert_eq!(inner.to_string(), r#"[{"type":"command","command":"lint"}]"#);
        assert_eq!(left["hooks"].as_object().map(serde_json::Map::len), Some(1));
    }

    #[test]
    fn comments_left_by_the_user_keep_the_file() {
        let setting = Setting::new();
        setting.install("cursor mcp");
        setting.files.write(PATH, format!("// mine\n{}", setting.read(PATH)));
        setting.uninstall("cursor mcp");
        assert_eq!(setting.read(PATH), "// mine\n{\n}\n");
    }

    #[test]
    fn what_is_no_config_is_refused_with_its_place() {
        for (text, why) in [
            ("{\n  \"a\": 1\n  \"b\": 2\n}", ":3:3: expected `,` or `}`"),
            ("{\"mcpServers\": [],\n", ":2:1: EOF while parsing a value"),
            ("[1]", ":1:1: the file is an array where an object belongs"),
            ("{\n  \"mcpServers\": []\n}", ":2:17: `mcpServers` is an array where an object belongs"),
            ("{\"mcpServers\": null}", ":1:16: `mcpServers` is a word where an object belongs"),
            ("{\"mcpServers\": {}, \"mcpServers\": {}}", ":1:20: the key `mcpServers` occurs twice"),
            ("{,}", ":1:2: key must be a string"),
            ("{\"a\": 1,,}", ":1:9: key must be a string"),
            ("// nothing\n", ": it contains only comments"),
            ("{\"a\": \"é\", x}", ":1:12: "),
        ] {
            let setting = Setting::with(PATH, text);
            for report in [setting.install("cursor mcp"), setting.uninstall("cursor mcp")] {
                if report.is_refused() {
                    let shown = refused(&report);
                    assert!(shown.starts_with(&format!(".cursor/mcp.json{why}")), "{text:?}: {shown}");
                }
            }
            assert!(setting.install("cursor mcp").is_refused(), "{text:?}");
            assert_eq!(setting.read(PATH), text);
        }
    }

    #[test]
    fn events_of_another_type_are_refused() {
        for hooks in ["[]", "{\"PreToolUse\": {}}", "{\"PreToolUse\": [], \"PreToolUse\": []}"] {
            let text = format!("{{\"hooks\": {hooks}}}");
            let setting = Setting::with("/p/.claude/settings.json", &text);
            assert!(setting.install("claude-code hooks").is_refused(), "{hooks}");
            assert_eq!(setting.read("/p/.claude/settings.json"), text);
        }
    }

    #[test]
    fn another_cst_is_left_alone() {
        for entry in [
            r#"{"command": "node", "args": ["x.js"]}"#,
            r#"{"url": "http://localhost"}"#,
            "1",
            r#"{"command": "cstat"}"#,
        ] {
            let text = format!("{{\"mcpServers\": {{\"cst\": {entry}}}}}");
            let setting = Setting::with(PATH, &text);
            let report = setting.install("cursor mcp");
            assert_eq!((states(&report), report.is_refused()), (vec![State::Foreign], true), "{entry}");
            let report = setting.uninstall("cursor mcp");
            assert_eq!((actions(&report), report.is_refused()), (vec![Action::None], false), "{entry}");
            assert_eq!(setting.read(PATH), text);
        }
    }

    #[test]
    fn an_older_entry_of_ours_is_brought_up_to_date() {
        let old = r#"{"mcpServers": {"cst": {"command": "/old/cst", "args": [], "env": {"A": "b"}}, "z": {}}}"#;
        let setting = Setting::with(PATH, old);
        assert_eq!(states(&setting.install("cursor mcp")), [State::Outdated]);
        let new = r#"{"mcpServers": {"cst": {"command": "cst", "args": ["mcp"], "env": {"A": "b"}, "type": "stdio"}, "z": {}}}"#;
        assert_eq!(setting.read(PATH), new);
        setting.uninstall("cursor mcp");
        assert_eq!(setting.read(PATH), r#"{"mcpServers": {"z": {}}}"#);
    }

    #[test]
    fn older_hooks_of_ours_are_brought_up_to_date() {
        let path = "/p/.claude/settings.json";
        let ours = r#"{"hooks": [{"type": "command", "command": "/old/cst hook claude-code"}]}"#;
        let mixed = r#"{"matcher": "Write", "hooks": [{"command": "lint"}, {"command": "cst hook claude-code"}]}"#;
        let setting = Setting::with(
            path,
            &format!("{{\"hooks\": {{\"Stop\": [{ours}], \"PreToolUse\": [{ours}, {mixed}, {ours}]}}}}"),
        );
        assert_eq!(states(&setting.install("claude-code hooks")), [State::Outdated]);
        let wanted = r#"{"matcher": "Edit|MultiEdit|Write|NotebookEdit|Bash", "hooks": [{"type": "command", "command": "cst hook claude-code", "timeout": 10}]}"#;
        let other = r#"{"matcher": "Write", "hooks": [{"command": "lint"}]}"#;
        let expected = format!("{{\"hooks\": {{\"PreToolUse\": [{wanted}, {other}], \"PostToolUse\": [{wanted}]}}}}");
        assert_eq!(setting.read(path), expected);
        setting.uninstall("claude-code hooks");
        assert_eq!(setting.read(path), format!("{{\"hooks\": {{\"PreToolUse\": [{other}]}}}}"));
    }

    #[test]
    fn a_version_that_was_there_stays() {
        let path = "/p/.cursor/hooks.json";
        for before in ["{\"version\": 1}", "{\n  \"version\": 1\n}\n", "{\"version\": 1, \"hooks\": {}}", "{ }", ""] {
            let setting = Setting::with(path, before);
            setting.install("cursor hooks");
            let text: serde_json::Value = serde_json::from_str(&setting.read(path)).expect("it is JSON");
            assert_eq!(text["version"], 1);
            assert_eq!(text["hooks"]["postToolUse"][0]["command"], "cst hook cursor");
            setting.uninstall("cursor hooks");
            assert_eq!(setting.read(path), before);
        }
    }

    #[test]
    fn tables() {
        let path = "/p/.codex/config.toml";
        let table = "[mcp_servers.cst]\ncommand = \"cst\"\nargs = [\"mcp\"]";
        check("codex mcp", path, "# c\na = 1\n", &format!("# c\na = 1\n\n{table}\n"));
        check("codex mcp", path, "a = 1", &format!("a = 1\n\n{table}"));
        check("codex mcp", path, "", &format!("\n{table}\n"));
        let inline = "cst = { command = \"cst\", args = [\"mcp\"] }";
        check("codex mcp", path, "mcp_servers = {}\n", &format!("mcp_servers = {{ {inline} }}\n"));
        let before = "mcp_servers = { a = { command = \"x\" } } # c\n";
        check("codex mcp", path, before, &format!("mcp_servers = {{ a = {{ command = \"x\" }}, {inline} }} # c\n"));
        let setting = Setting::with(path, "x = \n");
        assert_eq!(refused(&setting.install("codex mcp")).split(": ").next(), Some(".codex/config.toml:1:5"));
        let setting = Setting::with(path, "mcp_servers = 1\n");
        assert_eq!(refused(&setting.install("codex mcp")), ".codex/config.toml: `mcp_servers` is not a table");
    }

    #[test]
    fn a_table_of_ours_is_brought_up_to_date_and_goes_with_what_codex_added() {
        let path = "/home/u/.codex/config.toml";
        let before = "a = 1\n\n[mcp_servers.cst]\ncommand = \"/old/cst\" # c\nenabled = true\n\n[mcp_servers.cst.tools.find]\nok = true\n\n[z]\n";
        let setting = Setting::with(path, before);
        assert_eq!(states(&setting.install("codex user mcp")), [State::Outdated]);
        let new = before
            .replace("[mcp_servers.cst]\n", "[mcp_servers.cst]\nargs = [\"mcp\"]\n")
            .replace("/old/", "/usr/bin/");
        assert_eq!(setting.read(path), new);
        setting.uninstall("codex user mcp");
        assert_eq!(setting.read(path), "a = 1\n\n[z]\n");
    }
}

mod agents {
    use super::*;

    #[test]
    fn the_files_of_each() {
        for (words, paths) in [
            ("claude-code", "/p/.claude/settings.json /p/.mcp.json"),
            ("claude-code user", "/home/u/.claude/settings.json /home/u/.claude.json"),
            ("claude-code local", "/home/u/.claude.json /p/.claude/settings.local.json"),
            ("codex", "/p/.codex/config.toml /p/.codex/hooks.json"),
            ("codex user", "/home/u/.codex/config.toml /home/u/.codex/hooks.json"),
            ("gemini", "/p/.gemini/settings.json"),
            (
                "cline",
                "/home/u/.cline/data/settings/cline_mcp_settings.json /p/.clinerules/hooks/PostToolUse \
                 /p/.clinerules/hooks/PreToolUse",
            ),
            ("copilot", "/p/.github/hooks/cst.json /p/.mcp.json"),
            ("copilot user", "/home/u/.copilot/hooks/cst.json /home/u/.copilot/mcp-config.json"),
            ("opencode", "/p/.opencode/plugins/cst.ts /p/opencode.json"),
            ("cursor", "/p/.cursor/hooks.json /p/.cursor/mcp.json"),
            ("droid user", "/home/u/.factory/hooks.json /home/u/.factory/mcp.json"),
            ("windsurf", "/home/u/.codeium/windsurf/mcp_config.json /p/.windsurf/hooks.json"),
        ] {
            let setting = Setting::new();
            setting.install(words);
            assert_eq!(setting.paths(), paths);
            setting.uninstall(words);
            assert_eq!(setting.paths(), "", "{words}");
        }
    }

    #[test]
    fn variables_say_where_the_users_files_are() {
        for (variable, value, words, path) in [
            ("CLAUDE_CONFIG_DIR", "/c", "claude-code user mcp", "/c/.claude.json"),
            ("CLAUDE_CONFIG_DIR", "/c", "claude-code user hooks", "/c/settings.json"),
            ("CODEX_HOME", "/c", "codex user mcp", "/c/config.toml"),
            ("GEMINI_CLI_HOME", "/g", "gemini user", "/g/.gemini/settings.json"),
            ("CLINE_MCP_SETTINGS_PATH", "/x/mcp.json", "cline mcp", "/x/mcp.json"),
            ("CLINE_DATA_DIR", "/d", "cline mcp", "/d/settings/cline_mcp_settings.json"),
            ("CLINE_DIR", "/d", "cline mcp", "/d/data/settings/cline_mcp_settings.json"),
            ("COPILOT_HOME", "/c", "copilot user mcp", "/c/mcp-config.json"),
            ("XDG_CONFIG_HOME", "/x", "opencode user mcp", "/x/opencode/opencode.json"),
        ] {
            let mut setting = Setting::new();
            setting.place.variables.insert(variable, PathBuf::from(value));
            setting.install(words);
            assert_eq!(setting.paths(), path);
        }
    }

    #[test]
    fn the_users_files_get_the_whole_path() {
        let mut setting = Setting::new();
        setting.place.program = PathBuf::from("/opt/my tools/cst");
        setting.install("claude-code user");
        assert!(setting.read("/home/u/.claude.json").contains(r#""command": "/opt/my tools/cst""#));
        let hooks = setting.read("/home/u/.claude/settings.json");
        assert!(hooks.contains(r#""command": "\"/opt/my tools/cst\" hook claude-code""#), "{hooks}");
        setting.install("claude-code cline opencode");
        assert!(setting.read("/p/.mcp.json").contains(r#""command": "cst""#));
        let script = setting.read("/p/.clinerules/hooks/PreToolUse");
        assert_eq!(script, "#!/bin/sh\n# cst-managed: cline\nexec \"/opt/my tools/cst\" hook cline\n");
        assert!(setting.read("/p/.opencode/plugins/cst.ts").contains("const program = \"cst\"\n"));
        setting.place.exact = true;
        setting.install("claude-code");
        assert!(setting.read("/p/.mcp.json").contains(r#""command": "/opt/my tools/cst""#));
    }

    #[test]
    fn a_script_that_is_not_ours_stays_and_the_other_one_comes() {
        let setting = Setting::with("/p/.clinerules/hooks/PreToolUse", "#!/bin/sh\necho mine\n");
        let report = setting.install("cline hooks");
        assert_eq!(actions(&report), [Action::Refused, Action::Created]);
        assert_eq!(refused(&report), ".clinerules/hooks/PreToolUse: the entry there is not ours");
        setting.uninstall("cline hooks");
        assert_eq!(setting.paths(), "/p/.clinerules/hooks/PreToolUse");
        assert_eq!(setting.read("/p/.clinerules/hooks/PreToolUse"), "#!/bin/sh\necho mine\n");
    }

    #[test]
    fn an_older_script_of_ours_is_replaced() {
        let path = "/p/.opencode/plugins/cst.ts";
        let setting = Setting::with(path, "// cst-managed: opencode\nexport {}\n");
        assert_eq!(states(&setting.install("opencode hooks")), [State::Outdated]);
        assert!(setting.read(path).contains("tool.execute.after"));
    }

    #[test]
    fn cline_is_written_as_the_file_is() {
        let path = "/home/u/.cline/data/settings/cline_mcp_settings.json";
        check(
            "cline mcp",
            path,
            r#"{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "x"}}}}"#,
            r#"{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "x"}}, "cst": {"transport": {"type": "stdio", "command": "/usr/bin/cst", "args": ["mcp"]}}}}"#,
        );
        let flat = r#"{"mcpServers": {"a": {"command": "x"}, "cst": {"command": "/usr/bin/cst", "args": ["mcp"]}}}"#;
        check("cline mcp", path, r#"{"mcpServers": {"a": {"command": "x"}}}"#, flat);
        // One shape among the other is as good.
        let setting = Setting::with(path, &flat.replace(r#"{"command": "x"}"#, r#"{"transport": {}}"#));
        assert_eq!(states(&setting.install("cline mcp")), [State::Current]);
    }

    #[test]
    fn opencode_is_written_to_the_file_that_is_there() {
        let setting = Setting::with("/p/opencode.jsonc", "{\n  // models\n  \"model\": \"m\",\n}\n");
        setting.install("opencode mcp");
        assert_eq!(setting.paths(), "/p/opencode.jsonc");
        let entry = "\"mcp\": {\n    \"cst\": {\n      \"type\": \"local\",\n      \"command\": [\"cst\", \"mcp\"],\n      \"enabled\": true\n    }\n  },";
        assert_eq!(setting.read("/p/opencode.jsonc"), format!("{{\n  // models\n  \"model\": \"m\",\n  {entry}\n}}\n"));
    }

    #[test]
    fn claude_and_copilot_share_an_entry() {
        let setting = Setting::new();
        setting.install("claude-code copilot");
        let report = setting.uninstall("claude-code");
        assert_eq!(report.lines[0].shared_with, Some("copilot"));
        assert_eq!(setting.paths(), "/p/.github/hooks/cst.json /p/.mcp.json");
        setting.uninstall("copilot");
        assert_eq!(setting.paths(), "");
        setting.install("claude-code copilot");
        setting.uninstall("copilot claude-code");
        assert_eq!(setting.paths(), "");
    }

    #[test]
    fn the_servers_of_one_project_are_told_apart() {
        let path = "/home/u/.claude.json";
        let before = "{\n  \"projects\": {\n    \"/q\": {\n      \"mcpServers\": {}\n    },\n    \"/p\": {\n      \"mcpServers\": {}\n    }\n  }\n}";
        let setting = Setting::with(path, before);
        setting.install("claude-code local mcp");
        let text: serde_json::Value = serde_json::from_str(&setting.read(path)).expect("it is JSON");
        assert_eq!(text["projects"]["/p"]["mcpServers"]["cst"]["args"][0], "mcp");
        assert_eq!(text["projects"]["/q"]["mcpServers"].to_string(), "{}");
        setting.uninstall("claude-code local mcp");
        assert_eq!(setting.read(path), before);
    }

    #[test]
    fn codex_must_be_told_to_trust_hooks() {
        let note = |words: &str| Setting::new().install(words).notes.join("\n");
        assert!(note("codex").contains("/hooks"), "{}", note("codex"));
        assert!(!note("codex mcp").contains("/hooks"));
        assert!(note("cline").contains("the user's file"));
        let refused = Setting::with("/p/.mcp.json", "x").install("claude-code");
        assert_eq!((refused.is_refused(), refused.notes.len()), (true, 0));
    }
}

mod words {
    use super::*;

    #[test]
    fn that_make_no_sense() {
        let setting = Setting::new();
        let wrong = |words: &str| setting.installer().install(&wish(words)).expect_err("the words are wrong");
        assert_eq!(wrong(""), UsageError::NoAgent);
        assert!(matches!(wrong("gemni"), UsageError::UnknownAgent { nearest: Some("gemini"), .. }));
        assert_eq!(wrong("gemini local").to_string(), "gemini has no local scope: it has project, user");
        assert_eq!(wrong("droid").to_string(), "droid has no project scope: it has user");
        assert_eq!(wrong("cline user hooks").to_string(), "cline has no hooks at user scope: it has project");
        // Nothing is done for others either.
        assert!(matches!(wrong("codex droid"), UsageError::NoScope { agent: "droid", has, .. } if has == ["user"]));
        assert_eq!(setting.paths(), "");
    }

    #[test]
    fn a_home_folder_is_needed_for_the_users_files() {
        let mut setting = Setting::new();
        setting.place.home = None;
        assert_eq!(setting.installer().install(&wish("codex user")).expect_err("no home"), UsageError::NoHome);
        setting.install("codex");
        let all = InstallOptions::default();
        assert!(!setting.installer().status(&all).expect("the project's files can be looked at").lines.is_empty());
    }

    #[test]
    fn status_of_all() {
        let setting = Setting::new();
        setting.install("cursor mcp");
        setting.files.write("/home/u/.codex/config.toml", "x");
        let report = setting.installer().status(&InstallOptions::default()).expect("nothing is wrong");
        let shown = |state: State| {
            let lines = report.lines.iter().filter(|line| line.state == state);
            lines.map(|line| format!("{} {}", line.agent, line.path)).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(State::Current), "cursor .cursor/mcp.json");
        assert_eq!(shown(State::Unreadable), "codex ~/.codex/config.toml");
        assert!(report.lines.len() > 25, "{}", report.lines.len());
    }

    #[test]
    fn a_dry_run_writes_nothing() {
        let setting = Setting::with("/p/.mcp.json", "{}\n");
        let dry = InstallOptions { dry_run: true, ..wish("claude-code") };
        let report = setting.installer().install(&dry).expect("the words are right");
        assert_eq!(actions(&report), [Action::Changed, Action::Created]);
        let diff = report.lines[0].diff.as_deref().unwrap_or_default();
        assert!(diff.starts_with("--- a/.mcp.json\n+++ b/.mcp.json\n@@ -1 +1 @@\n-{}\n+{ \"mcpServers\""), "{diff}");
        assert_eq!((setting.paths().as_str(), setting.read("/p/.mcp.json").as_str()), ("/p/.mcp.json", "{}\n"));
    }

    /// What two agents do to one file is put together before it is written, and shown as one change.
    #[test]
    fn one_diff_a_file() {
        let setting = Setting::new();
        let dry = InstallOptions { dry_run: true, ..wish("gemini") };
        let report = setting.installer().install(&dry).expect("the words are right");
        let diffs: Vec<&String> = report.lines.iter().filter_map(|line| line.diff.as_ref()).collect();
        assert_eq!(diffs.len(), 1);
        assert!(diffs[0].contains("mcpServers") && diffs[0].contains("AfterTool"));
    }
}
