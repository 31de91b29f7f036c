//! Copies of the user's code can be read only by the user, from the first byte, with any umask.
#![cfg(unix)]

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use cst::engine::{Disk, Files};

use super::cli::{Place, Run, ended};
use super::hook::Project;

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the mode can be set");
}

/// All files and folders below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            all.extend(below(&entry.path()));
        }
        all.push(entry.path());
    }
    all
}

/// The program with a mask that hides nothing.
fn unmasked(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.current_dir(command.get_current_dir().expect("it has one"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    shell
}

#[test]
fn stores_and_indexes_are_private() {
    let place = Place::new();
    place.write("a.py", "x = f(1)\n");
    let state = place.configuration().join("deep/state");
    let run = |arguments: &[&str]| -> Run {
        let mut command = place.command(arguments);
        command.env("CST_STATE", &state);
        ended(unmasked(&command), None).expect(0)
    };
    let tree = run(&["load", "a.py", "--json"]).json()["trees"][0]["tree_id"].as_str().expect("an id").to_owned();
    run(&["modify", &tree, "sub", "module", "1", "2"]);
    run(&["save", &tree, "--backup"]);
    run(&["index", "."]);
    run(&["modify", "a.py", "sub", "module", "2", "3", "--write"]);
    run(&["find", "call", ".", "--cache"]);
    let mut count = 0;
    for (folder, least) in [(state.as_path(), 3), (place.cache().as_path(), 4)] {
        let found = below(folder);
        assert!(found.len() >= least, "{found:?}");
        count += found.len();
        for path in found.iter().map(PathBuf::as_path).chain([folder]) {
            assert_eq!(mode(path) & 0o077, 0, "{} is {:o}", path.display(), mode(path));
        }
    }
    assert!(count >= 7, "{count} files and folders");

    // Those of older versions are made so.
    set_mode(&state.join("store.db"), 0o644);
    run(&["trees"]);
    assert_eq!(mode(&state.join("store.db")), 0o600);
}

#[test]
fn a_store_in_a_folder_of_others_is_refused() {
    let place = Place::new();
    place.write("a.py", "x = 1\n");
    let shared = place.configuration().join("shared");
    std::fs::create_dir(&shared).expect("the folder can be made");
    let load = || {
        let mut command = place.command(&["load", "a.py", "--json"]);
        command.env("CST_STATE", &shared);
        ended(command, None)
    };
    for wrong in [0o777, 0o720, 0o702, 0o1777] {
        set_mode(&shared, wrong);
        let refused = load().expect(2);
        assert_eq!(refused.error(), "bad_request");
        assert!(refused.stdout.contains("can be written by others"), "{}", refused.stdout);
        assert!(refused.stdout.contains("CST_STATE"), "{}", refused.stdout);
        assert_eq!(std::fs::read_dir(&shared).expect("it is there").count(), 0);
    }
    set_mode(&shared, 0o755);
    load().expect(0);
    // Only an administrator can give it away.
    if chown(&shared, Some(65534), None).is_ok() {
        let refused = load().expect(2);
        assert!(refused.stdout.contains("belongs to another user"), "{}", refused.stdout);
    }
}

#[test]
fn hooks_keep_what_was_before_to_themselves() {
    let project = Project::new();
    project.write("secret.py", "password = 1\n");
    set_mode(&project.path.join("secret.py"), 0o600);
    let event = serde_json::json!({
        "session_id": "s", "cwd": project.path, "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_use_id": "toolu_1",
        "tool_input": {"file_path": project.path.join("secret.py"), "old_string": "1", "new_string": "2"},
    });
    let mut child = {
        let mut command = unmasked(&project.command(&["hook", "claude-code"]));
        command.stdin(std::process::Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let mut input = child.stdin.take().expect("it was piped");
    std::io::Write::write_all(&mut input, event.to_string().as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends");
    let folder = project.path.join(".cst/hook");
    let kept = below(&folder);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!((mode(&folder), mode(&kept[0])), (0o700, 0o600));
}

/// Staged bytes can be read only by those who can read the file.
#[test]
fn what_is_staged_is_never_more_open_than_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (path, beside) = (folder.path().join("a.py"), folder.path().join(".a.py.staged"));
    let large = vec![b'#'; 24 << 20];
    let mut looks = 0;
    for wanted in [0o600, 0o640, 0o644, 0o755] {
        std::fs::write(&path, "x = 1\n").expect("the file can be written");
        set_mode(&path, wanted);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut seen = Vec::new();
                while !done.load(Ordering::Relaxed) {
                    if let Ok(found) = std::fs::metadata(&beside) {
                        seen.push(found.mode() & 0o777);
                    }
                }
                seen
            });
            Disk.stage(&path, &beside, &large).expect("it is staged");
            done.store(true, Ordering::Relaxed);
            let seen = watcher.join().expect("it ends");
            looks += seen.len();
            assert!(seen.iter().all(|mode| mode & !wanted & 0o077 == 0), "{wanted:o}: {seen:?}");
        });
        assert_eq!(mode(&beside), wanted);
        Disk.commit(&beside, &path).expect("it is renamed");
    }
    assert!(looks > 20, "{looks} looks");
}

#[test]
fn attributes_are_kept_and_hard_links_are_told() {
    let place = Place::new();
    place.write("a.py", "x = 1\n");
    let path = place.path("a.py");
    let has_attributes = xattr::set(&path, "user.origin", b"here").is_ok();
    let write = |from: &str, to: &str| place.run(&["modify", "a.py", "sub", "module", from, to, "--write"]).expect(0);
    let written = write("1", "2");
    assert!(!written.stdout.contains("hard link"), "{}", written.stdout);
    if has_attributes {
        assert_eq!(xattr::get(&path, "user.origin").expect("they are read").as_deref(), Some(&b"here"[..]));
    }
    std::fs::hard_link(&path, place.path("b.py")).expect("a link can be made");
    let written = write("2", "3");
    assert!(written.stderr.contains("its other hard link keeps the old content"), "{}", written.stderr);
    assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), ("x = 3\n", "x = 2\n"));
}

/// A project that came from elsewhere may hold FIFOs wherever cst reads.
#[test]
fn nothing_waits_for_a_fifo() {
    let fifo = |path: &Path| {
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("the folder can be made");
        assert!(Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success()));
    };
    let within = |place: &Place, arguments: &[&str]| {
        let command = place.command(arguments);
        let mut timed = Command::new("timeout");
        timed.arg("60").arg(command.get_program()).args(command.get_args());
        timed.current_dir(command.get_current_dir().expect("it has one"));
        for (name, value) in command.get_envs() {
            value.iter().for_each(|value| _ = timed.env(name, value));
        }
        timed.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
        timed.stderr(std::process::Stdio::piped());
        let ended = ended(timed, None);
        assert_ne!(ended.status, 124, "{arguments:?} waits");
        ended
    };
    let edit = ["modify", "a.py", "sub", "module", "1", "2", "--json"];
    let cases: [(&str, &[&str]); 5] = [
        (".cst/selectors/python.sel", &["find", ":mine", "a.py", "--json"]),
        (".cst/selectors/python.sel", &["rewrite", "-p", "f($A)", "g($A)", ".", "--json"]),
        ("pipe.py", &["modify", "pipe.py", "sub", "module", "1", "2", "--write", "--json"]),
        ("pipe.py", &["find", "call", "pipe.py", "--json"]),
        ("script.toml", &["run", "script.toml", "a.py", "--json"]),
    ];
    for (name, arguments) in cases {
        let place = Place::new();
        place.write("a.py", "x = f(1)\n");
        fifo(&place.path(name));
        let refused = within(&place, arguments).expect(2);
        assert!(refused.stdout.contains(name) && refused.stdout.contains("FIFO"), "{name}: {}", refused.stdout);
    }
    let place = Place::new();
    place.write("a.py", "x = f(1)\n");
    fifo(&place.path(".cst/config.toml"));
    fifo(&place.path(".cst/journal/2026-01-01.jsonl"));
    fifo(&place.path("pipe.py"));
    within(&place, &edit);
    within(&place, &["journal"]);
    place.write("inner/b.py", "x = f(2)\n");
    fifo(&place.path("inner/.gitignore"));
    let found = within(&place, &["find", "call", "."]).expect(2);
    assert!(found.stdout.contains("a.py"), "{}", found.stdout);
    assert!(found.stderr.contains(".gitignore") && found.stderr.contains("FIFO"), "{}", found.stderr);
    assert_eq!(within(&place, &["find", "call", "inner", "--no-ignore"]).expect(0).stdout.lines().count(), 1);
    assert!(within(&place, &["find", "call", "inner"]).expect(2).stderr.contains("FIFO"));
    // What the user names for reading may be one.
    let batch = format!(
        "{} modify a.py --ops <(echo '{}') --json",
        env!("CARGO_BIN_EXE_cst"),
        r#"[{"op":"sub","target":"module","find":"1","replace":"2"}]"#
    );
    std::fs::remove_file(place.path(".cst/config.toml")).expect("it is there");
    let mut shell = Command::new("bash");
    shell.args(["-c", &batch]).current_dir(place.path("")).env("CST_STATE", place.configuration());
    shell.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    ended(shell, None).expect(0);
}
