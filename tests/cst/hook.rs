//! Hooks: what agents really say around their tools' calls (`tests/hooks/`), and what each is answered.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cst::agent::hook::{Caller, Event, Phase, read};
use serde_json::Value;
use tempfile::TempDir;

/// The file that every project begins with, and what becomes of it.
pub(super) const SOUND: &str = "def f():\n    return 1\n";
pub(super) const BROKEN: &str = "def f():\n    return (1\n";

/// A project in a git repository, with `a.py` committed.
pub(super) struct Project {
    _folder: TempDir,
    pub(super) path: PathBuf,
}

/// What a hook left.
#[derive(Debug)]
pub(super) struct CommandOutput {
    pub(super) status: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Project {
    pub(super) fn new() -> Project {
        let project = Project::without_git();
        project.write("a.py", SOUND);
        project.git(&["init", "-q"]);
        project.git(&["add", "."]);
        project.git(&["-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-qm", "first"]);
        project
    }

    pub(super) fn without_git() -> Project {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().canonicalize().expect("the folder is there");
        Project { _folder: folder, path }
    }

    pub(super) fn git(&self, words: &[&str]) {
        let mut git = Command::new("git");
        git.args(words).current_dir(&self.path).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.status().expect("git runs").success(), "git {words:?}");
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    /// The program, to be run as an agent runs its hooks.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cst"));
        command.args(words).current_dir(&self.path).env("HOME", &self.path);
        for caller in ["CLAUDE", "GEMINI", "COPILOT", "FACTORY"] {
            command.env_remove(format!("{caller}_PROJECT_DIR"));
        }
        command.env_remove("COPILOT_HOME");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a hook with some bytes on standard input.
    pub(super) fn hook(&self, words: &[&str], input: &[u8]) -> CommandOutput {
        let words: Vec<&str> = ["hook"].iter().chain(words).copied().collect();
        said(self.command(&words), input)
    }

    /// Reports an edit of a file to Claude Code's hook, with the old text if it is known.
    pub(super) fn edited(&self, path: &str, original: Option<&str>) -> CommandOutput {
        self.hook(&["claude-code"], self.event(path, original).to_string().as_bytes())
    }

    /// The event after an edit, as Claude Code sends it.
    pub(super) fn event(&self, path: &str, original: Option<&str>) -> Value {
        serde_json::json!({
            "session_id": "s", "cwd": self.path, "hook_event_name": "PostToolUse", "tool_name": "Edit",
            "tool_input": {"file_path": path}, "tool_use_id": "t",
            "tool_response": {"filePath": path, "originalFile": original},
        })
    }

    /// The journal's entries.
    pub(super) fn journal(&self) -> Vec<Value> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.path.join(".cst/journal"))
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        files.sort();
        let text: String = files.iter().map(|file| std::fs::read_to_string(file).expect("it is text")).collect();
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }

    /// The names of the stored snapshots.
    pub(super) fn remembered(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path.join(".cst/hook")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

/// Runs a program with some bytes on standard input.
pub(super) fn said(mut command: Command, input: &[u8]) -> CommandOutput {
    let mut child = command.spawn().expect("the program starts");
    // The program may end before it has read all.
    let _ = child.stdin.take().expect("it was piped").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is utf-8");
    CommandOutput { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// All recorded calls: the agent's file, and each line of it.
fn recorded() -> Vec<(String, Vec<Value>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let lines = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("it is text");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    };
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), lines(path))).collect()
}

/// What is shown of a journal's entry: all but times and hashes, of which only that they are there.
fn entry(entry: &Value) -> String {
    let mut entry = entry.clone();
    assert!(entry["ts"].as_str().is_some_and(|time| time.len() == 20 && time.ends_with('Z')), "{entry}");
    entry["ts"] = "…".into();
    for side in ["before", "after"] {
        if let Some(hash) = entry[side].as_str() {
            assert_eq!(hash.len(), "sha256:".len() + 64);
            entry[side] = "sha256:…".into();
        }
    }
    entry.to_string()
}

#[test]
fn what_agents_say_is_answered_as_the_snapshots_show() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    for (name, calls) in recorded() {
        let project = Project::new();
        let folder = project.path.to_str().expect("the path is text");
        let mut shown = String::new();
        for call in calls {
            let call: Value =
                serde_json::from_str(&call.to_string().replace("{project}", folder)).expect("it stays JSON");
            for (path, text) in call["files"].as_object().expect("files are named") {
                project.write(path, text.as_str().expect("a file is text"));
            }
            let mut words = vec!["hook"];
            words.extend(call["words"].as_array().expect("words are listed").iter().filter_map(Value::as_str));
            let mut command = project.command(&words);
            for (name, value) in call["environment"].as_object().expect("variables are named") {
                command.env(name, value.as_str().expect("a variable is text"));
            }
            let event = &call["event"];
            let said = said(command, event.to_string().as_bytes());
            assert_eq!((said.status, said.stderr.as_str()), (Some(0), ""), "{event}");
            let names = ["hook_event_name", "hookName", "agent_action_name"];
            let name = names.iter().find_map(|name| event[name].as_str()).unwrap_or("");
            let tools =
                ["/tool_name", "/toolName", "/tool", "/tool_call/name", "/tool_result/name", "/tool_info/file_path"];
            let tools = tools.iter().chain(&["/preToolUse/toolName", "/postToolUse/toolName"]);
            let tool = tools.filter_map(|at| event.pointer(at)).find_map(Value::as_str).unwrap_or("");
            shown.push_str(&format!("{} · {name} {tool}\n  {}\n", words.join(" "), said.stdout.replace('\n', "\n  ")));
        }
        let entries: String = project.journal().iter().map(|line| format!("{}\n", entry(line))).collect();
        let shown = format!("{shown}\njournal:\n{entries}").replace(folder, "{project}");
        settings.bind(|| insta::assert_snapshot!(format!("hook_{name}"), shown));
        assert_eq!(std::fs::read_to_string(project.path.join(".cst/.gitignore")).expect("it was made"), "*\n");
    }
}

/// Truncated or altered payloads can be read without a failure.
#[test]
fn any_payload_can_be_read() {
    let try_all = |bytes: &[u8]| {
        let Some(payload) = read(bytes) else { return 0 };
        let phases = [None, Some(Phase::Pre), Some(Phase::Post)];
        let events = Caller::ALL.iter().flat_map(|&caller| phases.map(|phase| Event::read(caller, &payload, phase)));
        events.flatten().count()
    };
    let mut read = 0;
    for (_, calls) in recorded() {
        for call in calls {
            let whole = call["event"].to_string().into_bytes();
            for end in (0..whole.len()).step_by(11) {
                read += try_all(&whole[..end]);
            }
            // One bit after another, in a sequence that visits them all sooner or later.
            let mut place = 1;
            for step in 0..150 {
                place = (place * 31 + 17) % whole.len();
                let mut turned = whole.clone();
                turned[place] ^= 1 << (step % 8);
                read += try_all(&turned);
            }
        }
    }
    assert!(read > 1000, "only {read} were read at all");
}

/// Every value in a payload, turned into one of another type.
#[test]
fn no_type_is_taken_for_granted() {
    fn turned(value: &Value, at: &mut usize, into: &Value) -> Value {
        if *at == 0 {
            *at = usize::MAX;
            return into.clone();
        }
        *at = at.saturating_sub(1);
        match value {
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), turned(value, at, into))).collect()
            }
            Value::Array(elements) => elements.iter().map(|value| turned(value, at, into)).collect(),
            other => other.clone(),
        }
    }
    let others =
        [Value::Null, 1.into(), true.into(), "".into(), "x".into(), serde_json::json!([{}]), serde_json::json!({})];
    let mut read = 0;
    for (_, calls) in recorded() {
        for (call, into) in calls.iter().flat_map(|call| others.iter().map(move |into| (call, into))) {
            for place in 0..40 {
                let payload = turned(&call["event"], &mut place.clone(), into);
                for caller in Caller::ALL {
                    read += usize::from(Event::read(caller, &payload, Some(Phase::Post)).is_some());
                }
            }
        }
    }
    assert!(read > 1000, "only {read} were events at all");
}

const RULES: &str = "[[rule]]\nid = \"no-print\"\nlanguages = [\"python\"]\nseverity = \"error\"\nmessage = \"`$X` is printed\"\nselect = ':like(\"print($X)\")'\n\n[[rule]]\nid = \"no-log\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = 'call#log'\n";

/// Findings that an edit caused are said if the configuration asks for them: errors, on changed lines, that were not there before.
#[test]
fn findings_of_rules_are_said_if_asked_for() {
    let project = Project::new();
    project.write(".cst/rules/team.toml", RULES);
    let before = "def f(x):\n    print(x)\n    return 1\n";
    let after = "def f(x):\n    print(x)\n    log(x)\n    print(2)\n    return print(x)  # cst-ignore -- wanted\n";
    let said = |config: &str, before: &str, after: &str| {
        project.write(".cst/config.toml", config);
        project.write("a.py", after);
        let output = project.edited("a.py", Some(before));
        assert_eq!(output.status, Some(0), "{}", output.stderr);
        output.stdout
    };
    assert_eq!(said("", before, after), "{}");
    assert_eq!(said("[scan]\nafter_edits = false\n", before, after), "{}");
    let on = "[scan]\nafter_edits = true\n";
    let answer = said(on, before, after);
    assert!(
        answer.contains("caused a finding") && answer.contains("  a.py:4:5: `2` is printed [team/no-print]"),
        "{answer}"
    );
    assert!(!answer.contains("a.py:2") && !answer.contains("log"), "{answer}");
    // The same finding on a changed line was there before.
    assert_eq!(said(on, before, &before.replace("print(x)", "print(x);  y = 1")), "{}");
    // A syntax error goes first.
    let answer = said(on, before, "def f(x):\n    print(2)\n    return (1\n");
    assert!(answer.contains("syntax error") && !answer.contains("printed"), "{answer}");
    // Many are counted, and the report stays short.
    let many: String = (0..100).map(|number| format!("print({number})\n")).collect();
    let answer = said(on, before, &format!("{before}{many}"));
    assert!(answer.contains("caused 100 findings") && answer.contains("more") && answer.len() < 1000, "{answer}");
    assert_eq!(said("[scan]\nafter_edits = 3\n", before, after), "{}");
}
