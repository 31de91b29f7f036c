//! Hooks in trouble: on every failure they exit with 0, in time, and print only what the agent expects.

use std::process::Stdio;

use serde_json::json;

use crate::hook::{BROKEN, Project, SOUND, said};

/// Runs a hook whose answer changes nothing.
#[track_caller]
fn neutral(project: &Project, words: &[&str], input: &[u8], answer: &str) {
    let said = project.hook(words, input);
    assert_eq!((said.status, said.stdout.as_str()), (Some(0), answer), "{words:?}: {said:?}");
}

#[test]
fn other_words_are_answered_too() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    let event = project.event("a.py", Some(SOUND)).to_string();
    let cases: &[(&[&str], &str)] = &[
        (&[], "{}"),
        (&["nonsense"], "{}"),
        (&["claude-code", "wat"], "{}"),
        (&["claude-code", "post", "more"], "{}"),
        (&["--json", "claude-code"], "{}"),
        (&["cline", "wat"], "{\"cancel\":false}"),
        (&["opencode", "wat"], ""),
    ];
    for (words, answer) in cases {
        neutral(&project, words, event.as_bytes(), answer);
        neutral(&project, words, b"", answer);
    }
}

#[test]
fn input_that_is_no_event_is_answered_too() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    let event = project.event("a.py", Some(SOUND)).to_string().into_bytes();
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(17 << 20));
    let deep = "{\"a\":".repeat(100_000);
    let inputs: &[&[u8]] = &[
        b"",
        b"hello",
        b"null",
        b"[1, 2]",
        b"{}",
        b"\xff\xfe\x00\x80",
        &event[..event.len() - 5],
        deep.as_bytes(),
        large.as_bytes(),
    ];
    for input in inputs {
        neutral(&project, &["claude-code"], input, "{}");
        neutral(&project, &["cline"], input, "{\"cancel\":false}");
        neutral(&project, &["opencode", "post"], input, "");
    }
}

#[test]
fn marks_and_control_characters_are_put_up_with() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    let event = project.event("a.py", Some(SOUND)).to_string();
    let others = [
        format!("\u{feff}{event}"),
        format!("\n\t {event}\n\n"),
        event.replace("\"t\"", "\"t\u{1}\n\t\u{7f}\""),
        event.replace("\"t\"", "\"t\\ud83d\""),
        event.replace("\"t\"", "\"C:\\work\\t\""),
    ];
    for other in others {
        let said = project.hook(&["claude-code"], other.as_bytes());
        assert!(said.stdout.contains("additionalContext"), "{other}: {said:?}");
    }
}

/// The pipe stays open until the hook has ended.
#[test]
fn input_that_never_ends_is_not_waited_for() {
    let project = Project::new();
    for (words, answer) in [(&["hook", "cline"][..], "{\"cancel\":false}"), (&["hook", "wat"], "{}")] {
        let mut command = project.command(words);
        let mut child = command.spawn().expect("the program starts");
        let stdin = child.stdin.take();
        let output = child.wait_with_output().expect("the program ends");
        drop(stdin);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stdout), answer);
    }
}

#[test]
#[cfg(unix)]
fn a_git_that_hangs_is_not_waited_for() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    project.write("a.py", BROKEN);
    project.write("bin/git", "#!/bin/sh\nexec sleep 60\n");
    let git = project.path.join("bin/git");
    std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).expect("the mode can be set");
    let path = format!("{}:{}", project.path.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let shell = json!({"cwd": project.path, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    for event in [project.event("a.py", None), shell] {
        let mut command = project.command(&["hook", "claude-code"]);
        command.env("PATH", &path);
        let said = said(command, event.to_string().as_bytes());
        assert_eq!((said.status, said.stdout.as_str()), (Some(0), "{}"));
    }
}

#[test]
fn nobody_needs_to_read_the_answer() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    let mut command = project.command(&["hook", "claude-code"]);
    command.stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it was piped");
    let event = project.event("a.py", Some(SOUND)).to_string();
    std::io::Write::write_all(&mut stdin, event.as_bytes()).expect("the event is read");
    drop(stdin);
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

/// If nothing can be written, the report is still printed.
#[test]
fn a_workspace_that_cannot_be_written_is_judged() {
    let project = Project::new();
    project.write("a.py", BROKEN);
    // A file where the folder should be: not even the superuser can write below it.
    project.write(".cst", "");
    let before = json!({"cwd": project.path, "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a.py"}});
    neutral(&project, &["claude-code"], before.to_string().as_bytes(), "{}");
    let said = project.edited("a.py", Some(SOUND));
    assert!(said.stdout.contains("a.py:2:5: unexpected `return (1` in f"), "{said:?}");
}

#[test]
fn files_that_are_no_text_or_too_large_are_passed_over() {
    let project = Project::new();
    for bytes in [b"def f(:\n  '\xe9\xff'\n".to_vec(), vec![b'('; 5 << 20]] {
        std::fs::write(project.path.join("b.py"), bytes).expect("the file can be written");
        let said = project.edited("b.py", Some(SOUND));
        assert_eq!((said.status, said.stdout.as_str()), (Some(0), "{}"));
    }
    assert!(project.journal().is_empty());
}

#[test]
fn files_outside_of_the_workspace_are_passed_over() {
    let project = Project::new();
    let outside = Project::without_git();
    outside.write("o.py", BROKEN);
    let absolute = outside.path.join("o.py");
    let name = outside.path.file_name().expect("a folder has a name").to_string_lossy();
    let mut paths = vec![absolute.to_string_lossy().into_owned(), format!("../{name}/o.py"), "../o.py".to_owned()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside.path, project.path.join("link")).expect("a link can be made");
        std::os::unix::fs::symlink(&absolute, project.path.join("l.py")).expect("a link can be made");
        paths.extend(["link/o.py".to_owned(), "l.py".to_owned()]);
    }
    paths.extend([".git/x.py".to_owned(), ".cst/x.py".to_owned(), String::new(), ".".to_owned()]);
    project.write(".git/x.py", BROKEN);
    project.write(".cst/x.py", BROKEN);
    for path in paths {
        let said = project.edited(&path, Some(SOUND));
        assert_eq!((said.status, said.stdout.as_str()), (Some(0), "{}"), "{path}");
    }
    assert!(project.journal().is_empty());
}

#[test]
#[cfg(unix)]
fn what_is_remembered_stays_in_the_project() {
    let project = Project::new();
    let outside = Project::without_git();
    std::os::unix::fs::symlink(&outside.path, project.path.join(".cst")).expect("a link can be made");
    project.write("a.py", BROKEN);
    assert!(project.edited("a.py", Some(SOUND)).stdout.contains("additionalContext"));
    let written = std::fs::read_dir(&outside.path).into_iter().flatten().count();
    assert_eq!(written, 0, "the journal was written elsewhere");
}

/// Nor are files in it links to elsewhere.
#[test]
#[cfg(unix)]
fn no_link_in_what_is_remembered_is_followed() {
    use std::os::unix::fs::symlink;
    let project = Project::new();
    let outside = Project::without_git();
    project.write("a.py", BROKEN);
    assert!(project.edited("a.py", Some(SOUND)).stdout.contains("additionalContext"));
    let folder = project.path.join(".cst/journal");
    let today = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(&today).unwrap();
    std::fs::remove_file(project.path.join(".cst/.gitignore")).unwrap();
    symlink(outside.path.join("victim"), &today).unwrap();
    symlink(outside.path.join("ignored"), project.path.join(".cst/.gitignore")).unwrap();
    assert!(project.edited("a.py", Some(SOUND)).stdout.contains("additionalContext"));
    assert_eq!(std::fs::read_dir(&outside.path).unwrap().count(), 0);
}

/// A name that a shell would read otherwise isn't put into a command.
#[test]
fn no_name_is_offered_to_a_shell_as_a_command() {
    let project = Project::new();
    for name in ["$(id).py", "-x.py", "a b.py", "a;b.py"] {
        project.write(name, BROKEN);
        let said = project.edited(name, Some(SOUND)).stdout;
        assert!(said.contains("additionalContext") && !said.contains("cst check"), "{said}");
    }
}

/// Calls that never end are forgotten.
#[test]
fn what_is_remembered_does_not_pile_up() {
    let project = Project::new();
    for call in 0..130 {
        let before = json!({
            "cwd": project.path, "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_use_id": format!("../call{call}"),
            "tool_input": {"file_path": "a.py"},
        });
        neutral(&project, &["claude-code"], before.to_string().as_bytes(), "{}");
    }
    let remembered = project.remembered();
    assert_eq!(remembered.len(), 100);
    assert!(remembered.iter().any(|name| name.starts_with("call129-")), "{remembered:?}");
}
