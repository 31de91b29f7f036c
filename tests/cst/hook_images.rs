//! What a hook knows of a file before an edit, from the event, from what was remembered, from git; and which calls it follows.

use serde_json::{Value, json};

use crate::hook::{BROKEN, Project, SOUND, said};

/// The event of a tool's call by Claude Code.
fn event(project: &Project, phase: &str, tool: &str, input: &Value) -> Vec<u8> {
    let event = json!({
        "session_id": "s", "cwd": project.path, "hook_event_name": phase, "tool_name": tool, "tool_input": input,
        "tool_use_id": "t1", "tool_response": if phase == "PostToolUse" { json!({}) } else { Value::Null },
    });
    event.to_string().into_bytes()
}

/// Tells of a call before it and after it; what happened between is done in `work`. What was answered after it.
fn call(project: &Project, tool: &str, input: &Value, work: impl FnOnce()) -> String {
    let agent = if tool == "apply_patch" { "codex" } else { "claude-code" };
    let before = project.hook(&[agent], &event(project, "PreToolUse", tool, input));
    assert_eq!((before.status, before.stdout.as_str()), (Some(0), "{}"));
    work();
    let after = project.hook(&[agent], &event(project, "PostToolUse", tool, input));
    assert_eq!(after.status, Some(0));
    after.stdout
}

/// The field of every entry of the journal, with its path.
fn bases(project: &Project) -> Vec<String> {
    let row = |entry: &Value| format!("{} {}", entry["path"], entry["base"]).replace('"', "");
    project.journal().iter().map(row).collect()
}

#[test]
fn the_event_comes_before_what_is_remembered_before_git() {
    let project = Project::new();
    let edit = json!({"file_path": "a.py"});
    call(&project, "Edit", &edit, || project.write("a.py", "def f():\n    return 2\n"));
    assert_eq!(project.remembered(), Vec::<String>::new());
    project.write("a.py", "def f():\n    return 3\n");
    project.edited("a.py", None);
    project.edited("a.py", Some("def f():\n    return 4\n"));
    project.write("new.py", "x = 1\n");
    project.edited("new.py", None);
    assert_eq!(bases(&project), ["a.py snapshot", "a.py head", "a.py payload", "new.py none"]);
    let entries = project.journal();
    assert!(entries[3]["before"].is_null());
    // The hash of `x = 1\n`, as other programs reckon it.
    let hash = "sha256:da9d25bf7e4f7ebe6bef1c6ca7ffb4f6a5cf5fec9ddcd0ffd4e95aaa4e6a3aa7";
    assert_eq!(entries[3]["after"].as_str().map(str::len), Some(hash.len()));
}

#[test]
fn with_nothing_known_every_error_is_new() {
    let project = Project::without_git();
    project.write("a.py", BROKEN);
    assert!(project.edited("a.py", None).stdout.contains("in f"));
    assert_eq!(bases(&project), ["a.py none"]);
    assert!(project.path.join(".cst/journal").is_dir());
}

#[test]
fn what_was_broken_at_the_last_commit_is_not_new() {
    let project = Project::new();
    project.write("sub/b.py", BROKEN);
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-qm", "second"]);
    project.write("sub/b.py", &format!("import os\n{BROKEN}"));
    assert_eq!(project.edited("sub/b.py", None).stdout, "{}");
    // A workspace inside of the repository: paths are seen from it, the journal is the repository's.
    let event = json!({
        "cwd": project.path.join("sub"), "hook_event_name": "PostToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": "b.py"}, "tool_response": {},
    });
    assert_eq!(project.hook(&["claude-code"], event.to_string().as_bytes()).stdout, "{}");
    assert_eq!(bases(&project), ["sub/b.py head", "b.py head"]);
    assert!(!project.path.join("sub/.cst").exists());
}

#[test]
fn shell_commands_are_followed_by_what_git_lists() {
    let project = Project::new();
    project.write("dirty.py", "def d():\n    return 1\n");
    project.write("same.py", BROKEN);
    let shell = json!({"command": "make"});
    let answer = call(&project, "Bash", &shell, || {
        project.write("a.py", BROKEN);
        project.write("dirty.py", "def d():\n    return (1\n");
        project.write("deep/er/new.py", "def n(:\n");
        project.write("notes.unknown", "((");
    });
    assert!(
        answer.contains("a.py:2:5:") && answer.contains("dirty.py:2:5:") && answer.contains("new.py:1:"),
        "{answer}"
    );
    assert!(!answer.contains("same.py"), "{answer}");
    let mut bases = bases(&project);
    bases.sort();
    assert_eq!(bases, ["a.py head", "deep/er/new.py none", "dirty.py snapshot"]);
    // What is put back is seen too.
    call(&project, "Bash", &shell, || project.git(&["checkout", "-q", "a.py"]));
    let journal = project.journal();
    let last = journal.last().expect("there are entries");
    assert_eq!((&last["path"], &last["base"], &last["parse_ok"]), (&json!("a.py"), &json!("snapshot"), &json!(true)));
}

#[test]
fn without_a_call_before_it_a_shell_command_says_nothing() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    let after = project.hook(&["claude-code"], &event(&project, "PostToolUse", "Bash", &json!({"command": "ls"})));
    assert_eq!(after.stdout, "{}");
    let project = Project::without_git();
    assert_eq!(call(&project, "Bash", &json!({"command": "ls"}), || project.write("a.py", BROKEN)), "{}");
    assert!(project.journal().is_empty());
}

#[test]
fn files_that_a_shell_command_moves_are_the_same() {
    let project = Project::new();
    project.write("b.py", BROKEN);
    project.write("c.py", "def g(:\n");
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-qm", "second"]);
    let answer = call(&project, "Bash", &json!({"command": "mv"}), || {
        project.git(&["mv", "b.py", "moved.py"]);
        std::fs::rename(project.path.join("c.py"), project.path.join("moved_too.py")).expect("the file is there");
    });
    assert_eq!(answer, "{}");
    assert_eq!(bases(&project), ["moved.py head", "moved_too.py head"]);
    assert_eq!(project.journal()[0]["changed"][0]["change"], "moved");
}

#[test]
fn a_patch_is_about_several_files() {
    let project = Project::new();
    project.write("old.py", "def o():\n    return 1\n");
    project.write("gone.py", "def gone():\n    pass\n");
    let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n+x\n*** Delete File: gone.py\n\
                 *** Update File: old.py\n*** Move to: lib/new.py\n@@\n*** End Patch\n";
    let answer = call(&project, "apply_patch", &json!({"command": patch}), || {
        project.write("a.py", BROKEN);
        project.write("b.py", "def b(:\n    pass\n");
        std::fs::remove_file(project.path.join("gone.py")).expect("the file is there");
        std::fs::remove_file(project.path.join("old.py")).expect("the file is there");
        project.write("lib/new.py", "def o():\n    return 1\n");
    });
    let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
    insta::assert_snapshot!(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default(), @r"
    cst: this edit left a.py and b.py with 2 syntax errors that were not there before.
      a.py:2:5: unexpected `return (1` in f
      b.py:1:7: missing `)` in b
    Changed: ~f +b
    Fix it before going on, or run: cst check a.py b.py
    ");
    let rows = project.journal();
    let row = |entry: &Value| {
        format!("{} {} {} {}", entry["path"], entry["base"], entry["after"].is_null(), entry["changed"])
    };
    insta::assert_snapshot!(rows.iter().map(row).collect::<Vec<_>>().join("\n"), @r#"
    "a.py" "snapshot" false [{"qualname":"f","kind":"function","change":"changed","fields":["body"]}]
    "b.py" "snapshot" false [{"qualname":"b","kind":"function","change":"added","fields":[]}]
    "gone.py" "snapshot" true [{"qualname":"gone","kind":"function","change":"removed","fields":[]}]
    "lib/new.py" "snapshot" false [{"qualname":"o","kind":"function","change":"moved","fields":[]}]
    "#);
}

#[test]
fn agents_with_a_hook_of_their_own_are_answered_there() {
    let project = Project::new();
    let cursor = json!({
        "cursor_version": "2.0", "workspace_roots": [project.path], "hook_event_name": "postToolUse", "tool_name": "Write",
        "tool_input": {"file_path": "a.py"}, "tool_output": "{}",
    });
    let copilot = json!({
        "cwd": project.path, "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"path": "a.py"},
        "tool_result": {"result_type": "success"},
    });
    let cases = [
        (cursor, "additional_context", ".cursor/hooks.json", "cst hook cursor"),
        (copilot, "additionalContext", ".github/hooks/cst.json", "cst hook copilot post"),
    ];
    for (event, key, file, command) in cases {
        project.write("a.py", BROKEN);
        let answer = project.hook(&["claude-code"], event.to_string().as_bytes()).stdout;
        let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
        assert_eq!(answer.as_object().map(|fields| fields.keys().collect::<Vec<_>>()), Some(vec![&key.to_owned()]));
        let count = project.journal().len();
        project.write(file, "{\"hooks\": {}}");
        assert!(project.hook(&["claude-code"], event.to_string().as_bytes()).stdout.contains(key));
        project.write(file, &format!("{{\"command\": \"{command}\"}}"));
        assert_eq!(project.hook(&["claude-code"], event.to_string().as_bytes()).stdout, "{}");
        assert_eq!(project.journal().len(), count + 1, "one of the hooks writes it down");
        std::fs::remove_file(project.path.join(file)).expect("it was made");
    }
    // Copilot before a call is known by its environment alone.
    let mut command = project.command(&["hook", "claude-code"]);
    command.env("COPILOT_PROJECT_DIR", &project.path);
    let entry = said(command, &event(&project, "PostToolUse", "Edit", &json!({"path": "a.py"})));
    assert!(entry.stdout.starts_with("{\"additionalContext\":"), "{entry:?}");
    // A hook of the user's counts as one of the project's does.
    for (name, file) in [("HOME", ".copilot/hooks/cst.json"), ("COPILOT_HOME", "hooks/cst.json")] {
        let home = Project::without_git();
        home.write(file, "{\"command\": \"/bin/cst hook copilot post\"}");
        let mut command = project.command(&["hook", "claude-code"]);
        command.env("COPILOT_PROJECT_DIR", &project.path).env(name, &home.path);
        let entry = said(command, &event(&project, "PostToolUse", "Edit", &json!({"path": "a.py"})));
        assert_eq!(entry.stdout, "{}", "{name}");
    }
}

#[test]
fn a_folder_that_is_shared_keeps_what_others_keep_there() {
    let project = Project::new();
    project.write(".cst/config.toml", "");
    project.edited("a.py", Some("x = 1\n"));
    let ignored = std::fs::read_to_string(project.path.join(".cst/.gitignore")).expect("it was made");
    assert_eq!(ignored, "/.gitignore\n/hook/\n/journal/\n");
    project.write(".cst/.gitignore", "mine\n");
    project.edited("a.py", Some("x = 2\n"));
    assert_eq!(std::fs::read_to_string(project.path.join(".cst/.gitignore")).expect("it is there"), "mine\n");
    assert_eq!(project.journal().len(), 2);
}

/// Claude Code reports the folder that it changed to.
#[test]
fn a_project_is_more_than_the_folder_an_agent_went_into() {
    let project = Project::new();
    project.write("sub/b.py", SOUND);
    project.write("a.py", BROKEN);
    let mut event = project.event(&project.path.join("a.py").to_string_lossy(), Some(SOUND));
    event["cwd"] = json!(project.path.join("sub"));
    let input = event.to_string().into_bytes();
    assert_eq!(project.hook(&["claude-code"], &input).stdout, "{}");
    let mut command = project.command(&["hook", "claude-code"]);
    command.env("CLAUDE_PROJECT_DIR", &project.path);
    assert!(said(command, &input).stdout.contains("left a.py with"));
}

/// Two calls on the same file that cannot be distinguished, both started before the first one edits.
#[test]
fn calls_without_an_id_may_be_under_way_together() {
    let project = Project::new();
    let version = |number: u32| format!("def f():\n    x = 1 +\n    return {number}\n");
    project.write("a.py", &version(1));
    let event = json!({"sessionId": "s", "cwd": project.path, "toolName": "edit", "toolArgs": {"path": "a.py"}});
    let call = |phase: &str| {
        let mut event = event.clone();
        if phase == "post" {
            event["toolResult"] = json!({"resultType": "success", "textResultForLlm": ""});
        }
        project.hook(&["copilot", phase], event.to_string().as_bytes()).stdout
    };
    assert_eq!([call("pre"), call("pre")], ["{}", "{}"]);
    project.write("a.py", &version(2));
    assert_eq!(call("post"), "{}");
    project.write("a.py", &version(3));
    assert_eq!(call("post"), "{}");
    assert_eq!(bases(&project), ["a.py snapshot", "a.py snapshot"]);
    assert_eq!(project.remembered(), Vec::<String>::new());
}
