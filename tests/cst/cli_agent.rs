//! `cst agent` on a real disk: exit statuses, output, modes, links and folders.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::cli::{Place, Run, ended};

/// A project, and a user with a home folder of their own.
struct Setting {
    place: Place,
    home: TempDir,
}

impl Setting {
    fn new() -> Setting {
        Setting { place: Place::new(), home: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let mut command = self.place.command(&[&["agent"], arguments].concat());
        for variable in cst::agent::install::variables() {
            command.env_remove(variable);
        }
        command.env("HOME", self.home.path()).env("USERPROFILE", self.home.path());
        ended(command, None)
    }

    /// All that is in the project and the home folder, folders too.
    fn entries(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (root, mark) in [(self.place.path("."), ""), (self.home.path().to_owned(), "~/")] {
            let mut folders: Vec<PathBuf> = vec![root.clone()];
            while let Some(folder) = folders.pop() {
                for entry in std::fs::read_dir(&folder).expect("the folder is readable") {
                    let path = entry.expect("the folder is readable").path();
                    let name = path.strip_prefix(&root).expect("it lies there").to_string_lossy().into_owned();
                    found.push(format!("{mark}{name}"));
                    if path.is_dir() && !path.is_symlink() {
                        folders.push(path);
                    }
                }
            }
        }
        found.sort();
        found
    }
}

const ALL: [&str; 8] = ["claude-code", "codex", "gemini", "cline", "copilot", "opencode", "cursor", "windsurf"];

#[test]
fn a_dry_run_makes_no_folder() {
    let setting = Setting::new();
    for agent in ALL {
        let run = setting.run(&["install", agent, "--dry-run"]).expect(0);
        assert!(run.stdout.starts_with("--- a/"), "{}", run.stdout);
        assert!(run.stderr.contains("would be created"), "{}", run.stderr);
    }
    assert_eq!(setting.entries(), Vec::<String>::new());
}

#[test]
fn nothing_is_left_of_all_of_them() {
    let setting = Setting::new();
    setting.place.write("README.md", "# a project\n");
    let names = |action: &'static str| [&[action], &ALL[..]].concat();
    setting.run(&names("install")).expect(0);
    let installed = setting.entries();
    assert!(installed.contains(&".clinerules/hooks/PreToolUse".to_owned()), "{installed:?}");
    let again = setting.run(&names("install")).expect(0);
    assert!(again.stdout.lines().all(|line| line.contains("  unchanged")), "{}", again.stdout);
    assert_eq!(setting.entries(), installed);
    setting.run(&names("uninstall")).expect(0);
    assert_eq!(setting.entries(), ["README.md"]);
    setting.run(&names("uninstall")).expect(0);
    setting.run(&["install", "claude-code", "codex", "droid", "--scope", "user"]).expect(0);
    setting.run(&["install", "claude-code", "--scope", "local"]).expect(0);
    setting.run(&["uninstall", "claude-code", "--scope", "local"]).expect(0);
    setting.run(&["uninstall", "claude-code", "codex", "droid", "--scope", "user"]).expect(0);
    assert_eq!(setting.entries(), ["README.md"]);
}

#[test]
fn exit_statuses() {
    let setting = Setting::new();
    assert!(setting.run(&["install"]).expect(2).stderr.contains("there are claude-code"));
    assert!(setting.run(&["install", "droid"]).expect(2).stderr.contains("it has user"));
    assert!(setting.run(&["install", "codex", "--scope", "local"]).expect(2).stderr.contains("project, user"));
    assert!(setting.run(&["install", "zed"]).expect(2).stderr.contains("unknown agent `zed`"));
    setting.run(&["install", "codex", "--mcp-only", "--hooks-only"]).expect(2);
    setting.run(&["install", "codex", "--scope", "world"]).expect(2);

    setting.place.write(".cursor/mcp.json", "{\n  \"a\": ,\n}");
    let run = setting.run(&["install", "cursor"]).expect(2);
    assert!(run.stderr.contains("refused: .cursor/mcp.json:2:8: expected value"), "{}", run.stderr);
    assert!(setting.place.read(".cursor/hooks.json").contains("cst hook cursor"));
    setting.run(&["uninstall", "cursor", "--hooks-only"]).expect(0);
    setting.run(&["uninstall", "cursor"]).expect(2);
    assert_eq!(setting.entries(), [".cursor", ".cursor/mcp.json"]);

    // A file is where a folder should be.
    setting.place.write(".codex", "");
    setting.run(&["install", "codex"]).expect(2);
    setting.place.write(".gemini/settings.json/x", "");
    assert!(setting.run(&["install", "gemini"]).expect(2).stderr.contains("it is a folder"));
}

#[test]
fn for_programs() {
    let setting = Setting::new();
    setting.place.write(".mcp.json", "{\"mcpServers\": {\"cst\": {\"command\": \"other\"}}}");
    let answer = setting.run(&["install", "claude-code", "--json"]).expect(2).json();
    let row = |index: usize, key: &str| answer["files"][index][key].as_str().unwrap_or("").to_owned();
    assert_eq!(
        (row(0, "path"), row(0, "state"), row(0, "action")),
        (".mcp.json".into(), "foreign".into(), "refused".into())
    );
    assert_eq!(
        (row(1, "part"), row(1, "state"), row(1, "action")),
        ("hooks".into(), "absent".into(), "created".into())
    );
    assert_eq!(answer["written"], true);
    let dry = setting.run(&["uninstall", "claude-code", "--json", "--dry-run"]).expect(0).json();
    assert!(
        dry["files"][1]["diff"].as_str().is_some_and(|diff| diff.contains("-            \"timeout\": 10")),
        "{dry}"
    );
    assert_eq!(dry["written"], false);
    let status = setting.run(&["status", "claude-code", "--json"]).expect(0).json();
    let states: Vec<&str> =
        status["files"].as_array().expect("rows").iter().filter_map(|row| row["state"].as_str()).collect();
    assert_eq!(states, ["foreign", "current", "absent", "absent", "absent", "absent"]);
    let list = setting.run(&["list", "--json"]).expect(0).json();
    assert_eq!(list["agents"][0]["in_project"], true);
    assert_eq!(list["agents"][1]["in_project"], false);
    let hint = |words: &[&str]| {
        let refused = setting.run(&[words, &["--json"]].concat()).expect(2).json();
        assert_eq!(refused["error"]["code"], "bad_request", "{refused}");
        refused["error"]["hint"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hint(&["install"]).contains("claude-code, codex, gemini"));
    assert_eq!(hint(&["install", "gemni"]), "did you mean `gemini`?");
    assert_eq!(hint(&["install", "codex", "droid"]), "say --scope user");
    let printed = setting.run(&["print", "zed", "--json"]).expect(0).json();
    assert!(printed["files"][0]["text"].as_str().is_some_and(|text| text.contains("mcpServers")));
}

#[test]
fn the_program_is_named_by_its_path_where_it_must_be() {
    let setting = Setting::new();
    setting.run(&["install", "cline"]).expect(0);
    let program = std::fs::canonicalize(env!("CARGO_BIN_EXE_cst")).expect("the program is there");
    let script = setting.place.read(".clinerules/hooks/PostToolUse");
    assert_eq!(script, format!("#!/bin/sh\n# cst-managed: cline\nexec \"{}\" hook cline\n", program.display()));
    setting.run(&["install", "cursor", "--bin", "./tools/cst"]).expect(0);
    let folder = std::fs::canonicalize(setting.place.path(".")).expect("the folder is there");
    assert!(setting.place.read(".cursor/mcp.json").contains(&format!("\"{}/./tools/cst\"", folder.display())));
}

#[cfg(unix)]
mod modes {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::Setting;

    fn mode(setting: &Setting, name: &str) -> u32 {
        fs::metadata(setting.place.path(name)).expect("the file is there").permissions().mode() & 0o777
    }

    #[test]
    fn scripts_are_executable() {
        let setting = Setting::new();
        setting.run(&["install", "cline", "--hooks-only"]).expect(0);
        let name = ".clinerules/hooks/PreToolUse";
        assert_eq!(mode(&setting, name) & 0o111, 0o111);
        // A script that lost its mode is given it again.
        fs::set_permissions(setting.place.path(name), fs::Permissions::from_mode(0o644)).expect("it is ours");
        let status = setting.run(&["status", "cline", "--hooks-only"]).expect(0);
        assert!(
            status.stdout.lines().any(|line| line.contains("outdated") && line.contains("PreToolUse")),
            "{}",
            status.stdout
        );
        setting.run(&["install", "cline", "--hooks-only"]).expect(0);
        assert_eq!(mode(&setting, name), 0o755);
    }

    #[test]
    fn a_config_keeps_its_mode() {
        let setting = Setting::new();
        setting.place.write(".mcp.json", "{}\n");
        fs::set_permissions(setting.place.path(".mcp.json"), fs::Permissions::from_mode(0o600)).expect("it is ours");
        setting.run(&["install", "claude-code", "--mcp-only"]).expect(0);
        assert_eq!(mode(&setting, ".mcp.json"), 0o600);
    }

    #[test]
    fn a_read_only_config_stays() {
        let setting = Setting::new();
        setting.place.write(".mcp.json", "{}\n");
        fs::set_permissions(setting.place.path(".mcp.json"), fs::Permissions::from_mode(0o444)).expect("it is ours");
        let run = setting.run(&["install", "claude-code"]).expect(2);
        assert!(run.stderr.contains("failed: .mcp.json: it is read-only"), "{}", run.stderr);
        assert_eq!(setting.place.read(".mcp.json"), "{}\n");
        assert!(setting.place.read(".claude/settings.json").contains("PreToolUse"));
    }

    #[test]
    fn a_link_stays_one() {
        let setting = Setting::new();
        setting.place.write("dotfiles/mcp.json", "{\n  \"a\": 1\n}\n");
        symlink("dotfiles/mcp.json", setting.place.path(".mcp.json")).expect("a link can be made");
        setting.place.write("dotfiles/claude/keep", "");
        symlink("dotfiles/claude", setting.place.path(".claude")).expect("a link can be made");
        let before = setting.entries();
        setting.run(&["install", "claude-code"]).expect(0);
        assert!(setting.place.path(".mcp.json").is_symlink());
        assert!(setting.place.read("dotfiles/mcp.json").contains("mcpServers"));
        assert!(setting.place.read("dotfiles/claude/settings.json").contains("PreToolUse"));
        setting.run(&["uninstall", "claude-code"]).expect(0);
        assert_eq!(setting.place.read("dotfiles/mcp.json"), "{\n  \"a\": 1\n}\n");
        assert_eq!(setting.entries(), before);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_refused() {
        let setting = Setting::new();
        symlink("gone.json", setting.place.path(".mcp.json")).expect("a link can be made");
        let run = setting.run(&["install", "claude-code", "--mcp-only"]).expect(2);
        assert!(run.stderr.contains("a symbolic link that leads nowhere"), "{}", run.stderr);
        assert!(setting.place.path(".mcp.json").is_symlink());
    }

    #[test]
    fn the_file_behind_a_link_is_emptied_not_the_link_taken() {
        let setting = Setting::new();
        setting.run(&["install", "claude-code", "--mcp-only"]).expect(0);
        fs::rename(setting.place.path(".mcp.json"), setting.place.path("real.json")).expect("it can be moved");
        symlink("real.json", setting.place.path(".mcp.json")).expect("a link can be made");
        setting.run(&["uninstall", "claude-code", "--mcp-only"]).expect(0);
        assert_eq!(setting.place.read(".mcp.json"), "{}\n");
        assert!(setting.place.path(".mcp.json").is_symlink());
    }
}

/// What `docs/agents.md` shows of `cst agent print` is what that prints.
#[test]
fn the_documentation_shows_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let page = std::fs::read_to_string(page).expect("it is text");
    let setting = Setting::new();
    let mut shown = 0;
    for block in page.split("\n```text cst agent ").skip(1) {
        let (words, rest) = block.split_once('\n').expect("a fence is a line");
        let (text, _) = rest.split_once("\n```\n").expect("the block is closed");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(setting.run(&words).expect(0).stdout, format!("{text}\n"), "{words:?}");
        shown += 1;
    }
    assert!(shown > cst::agent::install::AGENTS.len(), "{shown} blocks");
    for agent in cst::agent::install::AGENTS {
        assert!(page.contains(&format!("\ncst agent install {} ", agent.id)), "{}", agent.id);
        assert!(page.contains(&format!("\n## {}\n", agent.name)), "{}", agent.name);
    }
    for variable in cst::agent::install::variables() {
        assert!(page.contains(variable), "{variable}");
    }
}
