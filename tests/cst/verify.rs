//! `--verify CMD`: a command in a copy of the working tree has the last word about refactors, rewrites and scripts; and `--decide`.
//!
//! The commands are shell scripts, `rustc` and `cc`: whoever builds cst has them.

use std::os::unix::fs::{MetadataExt, symlink};
use std::process::Command;
use std::time::{Duration, Instant};

use cst::engine::{Engine, Host, Request};
use serde_json::{Value, json};

use super::cli::{Place, Run, ended};
use crate::mcp::{call, said_in};

/// A command that calls `run` in what Python files define: it fails where one of the names that are called is not defined, as a
/// compiler does, with the places.
const CHECK: &str = r#"
status=0
for file in *.py; do
    for name in $(grep -o '\.[a-z_]*()' "$file" | tr -d '.()'); do
        if ! grep -qh "def $name" *.py; then
            grep -n "\.$name()" "$file" | sed "s/:.*/:5: error: no member '$name'/; s/^/$file:/"
            status=1
        fi
    done
    case $(head -c 5 "$file") in '<?php') echo "$file:1: error: syntax"; status=1 ;; esac
done
exit $status
"#;

/// A project in which `A.go` has a certain use, and one that is uncertain.
fn project() -> Place {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("a.py", "class A:\n    def go(self):\n        return 1\n\n\nA().go()\n");
    place.write("b.py", "def use(x):\n    return x.go()\n");
    place.write("check.sh", CHECK);
    place
}

const VERIFY: [&str; 2] = ["--verify", "sh check.sh"];
const RENAME: [&str; 4] = ["refactor", "rename", "A.go", "walk"];

fn run(place: &Place, words: &[&[&str]]) -> Run {
    place.run(&words.concat())
}

#[track_caller]
fn says(run: &Run, words: &[&str]) {
    let all = format!("{}{}", run.stdout, run.stderr);
    words.iter().for_each(|word| assert!(all.contains(word), "no `{word}` in {all}"));
}

#[test]
fn a_wrong_change_that_is_forced_is_caught() {
    let place = project();
    let forced = ["--leave-undetermined", "--force", "--write"];
    let refused = run(&place, &[&RENAME, &forced, &VERIFY]).expect(2);
    says(
        &refused,
        &[
            "not applied: with the change, `sh check.sh` fails (before: 0, after: 1):\n  b.py:2:5: error: no member 'go'",
            "`--verify CMD --decide`",
        ],
    );
    assert!(place.read("a.py").contains("def go"));
    let refused = run(&place, &[&RENAME, &forced, &VERIFY, &["--json"]]).expect(2);
    assert_eq!(refused.error(), "verify_failed");
    // The same with the other place is right.
    let done = run(&place, &[&RENAME, &["--include", "b.py:2", "--write"], &VERIFY]).expect(0);
    says(&done, &["verified: sh check.sh (before: 0, after: 0)", "written"]);
    assert!(place.read("b.py").contains("x.walk()") && place.read("a.py").contains("def walk"));
}

/// A compiler that is there wherever the tests run.
fn compiler(name: &str) -> String {
    match name {
        "rustc" => std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()),
        name => std::env::var("CC").unwrap_or_else(|_| name.to_owned()),
    }
}

#[test]
fn rustc_catches_what_was_forced() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("main.rs", "mod other;\n\nfn main() {\n    let s = other::Server::new();\n    other::call!(s);\n}\n");
    place.write(
        "other.rs",
        "pub struct Server;\n\nimpl Server {\n    pub fn new() -> Server {\n        Server\n    }\n\n    pub fn handle(&self) {}\n}\n\n\
         macro_rules! call {\n    ($s:ident) => {\n        $s.handle()\n    };\n}\npub(crate) use call;\n",
    );
    let command = format!("{} --edition 2021 --emit=metadata --out-dir out main.rs", compiler("rustc"));
    let verify = ["--verify", &command];
    let forced = ["--leave-undetermined", "--force"];
    let refused = run(&place, &[&["refactor", "rename", "Server.handle", "respond"], &forced, &verify]).expect(2);
    says(&refused, &["(before: 0, after: 1)", "error[E0599]: no method named `handle`"]);
    let done = run(&place, &[&["refactor", "rename", "Server.new", "make", "--write"], &verify]).expect(0);
    says(&done, &["verified: ", "(before: 0, after: 0)"]);
    assert!(!place.path("out").exists(), "the command ran in the copy");
}

#[test]
fn cc_catches_what_was_forced() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("m.h", "#define CALL(f) f##_run()\nint task_run(void);\n");
    place.write(
        "m.c",
        "#include \"m.h\"\n\nint task_run(void)\n{\n\treturn 1;\n}\n\nint main(void)\n{\n\treturn CALL(task);\n}\n",
    );
    let command = format!("{} -Werror=implicit-function-declaration -fsyntax-only m.c", compiler("cc"));
    let verify = ["--verify", &command];
    let forced = ["--leave-undetermined", "--force"];
    let refused = run(&place, &[&["refactor", "rename", "task_run", "job"], &forced, &verify]).expect(2);
    says(&refused, &["(before: 0, after: 1)", "m.c:10:"]);
}

#[test]
fn the_users_files_are_never_written() {
    let place = project();
    place.write(".gitignore", "ignored/\nnode_modules/\n.venv/\n");
    place.write("ignored/deep/kept.txt", "kept\n");
    place.write("node_modules/package/index.js", "1\n");
    place.write(".venv/pyvenv.cfg", "home = /usr\n");
    place.write(".venv/lib/x.py", "1\n");
    place.write("packages/own/index.js", "own\n");
    symlink("../packages/own", place.path("node_modules/own")).expect("a link can be made");
    symlink(place.path("a.py"), place.path("link.py")).expect("a link can be made");
    let before = std::fs::metadata(place.path("a.py")).expect("it is there");
    // It overwrites in place, appends, deletes, and writes into what is ignored.
    let command = "test -f node_modules/package/index.js && test -f .venv/lib/x.py && test -f ignored/deep/kept.txt || exit 9; \
                   echo >> check.sh; echo x > ignored/deep/kept.txt; echo x > ignored/new; rm -f README; echo x > link.py; \
                   echo x > node_modules/own/index.js; sh check.sh; found=$?; echo x > b.py; exit $found";
    let done = run(&place, &[&["refactor", "rename", "b.py::use", "apply", "--write", "--verify", command]]);
    says(&done.expect(0), &["(before: 1, after: 1); it fails without the change, too"]);
    assert_eq!(place.read("a.py").lines().next(), Some("class A:"));
    assert_eq!(place.read("b.py").lines().next(), Some("def apply(x):"));
    assert_eq!(place.read("check.sh"), CHECK);
    assert_eq!(place.read("ignored/deep/kept.txt"), "kept\n");
    assert_eq!(place.read("packages/own/index.js"), "own\n");
    assert!(!place.path("ignored/new").exists());
    let after = std::fs::metadata(place.path("a.py")).expect("it is there");
    assert_eq!((before.ino(), before.nlink()), (after.ino(), after.nlink()), "no hard link is made");
    assert_eq!(place.read(".git/HEAD"), "ref: refs/heads/main\n");
    assert!(!place.path(".git/index").exists() && !place.path(".git/commondir").exists());
    assert_eq!(copies(&place), 0);
}

/// How many copies are there.
fn copies(place: &Place) -> usize {
    let entries = std::fs::read_dir(place.cache().join("verify")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).count()
}

#[test]
fn the_command_runs_where_the_user_is() {
    let place = project();
    place.write("deep/er/x.txt", "");
    let words = [&RENAME[..], &["--include", "b.py:2", "--verify"]].concat();
    let words: Vec<&str> = words.iter().map(|word| if *word == "b.py:2" { "../../b.py:2" } else { *word }).collect();
    let command = "case $PWD in */deep/er) cd ../..; sh check.sh;; *) exit 3;; esac";
    let mut process = place.command(&[&words[..], &[command]].concat());
    process.current_dir(place.path("deep/er"));
    says(&ended(process, None).expect(0), &["(before: 0, after: 0)"]);
}

#[test]
fn paths_in_the_environment_lead_to_the_copy() {
    let place = project();
    let command = "cd \"$WHERE\" && sh check.sh; found=$?; case $OTHER in *-other) ;; *) exit 4;; esac; exit $found";
    let folder = std::fs::canonicalize(place.path("")).expect("it is there");
    let mut process = place.command(&[&RENAME[..], &["--leave-undetermined", "--verify", command]].concat());
    process.env("WHERE", &folder).env("OTHER", format!("{}-other", folder.display()));
    says(&ended(process, None).expect(2), &["(before: 0, after: 1)", "b.py:2:5"]);
}

#[test]
fn an_environment_in_the_project_leads_to_the_copy() {
    let place = project();
    place.write(".gitignore", ".venv/\n");
    let folder = std::fs::canonicalize(place.path("")).expect("it is there");
    let folder = folder.display();
    place.write(".venv/pyvenv.cfg", "home = /usr\n");
    // As a program of an environment does: it reads where the package is.
    place.write(
        ".venv/bin/check",
        &format!("cd \"$(cat '{folder}/.venv/lib/python3.11/site-packages/own.pth')\" && sh check.sh\n"),
    );
    place.write(".venv/lib/python3.11/site-packages/own.pth", &format!("{folder}\n"));
    place.write(".venv/lib/python3.11/site-packages/other/x.py", &format!("# {folder}\n"));
    let refused = run(&place, &[&RENAME, &["--leave-undetermined", "--verify", "sh .venv/bin/check"]]).expect(2);
    says(&refused, &["(before: 0, after: 1)", "b.py:2:5: error: no member 'go'"]);
    let mut process =
        place.command(&[&RENAME[..], &["--leave-undetermined", "--verify", "sh $(command -v check)"]].concat());
    let path = std::env::var("PATH").expect("there is one");
    process.env("PATH", format!("{folder}/.venv/bin:{path}"));
    Command::new("chmod").args(["+x", &format!("{folder}/.venv/bin/check")]).status().expect("there is chmod");
    says(&ended(process, None).expect(2), &["(before: 0, after: 1)", "b.py:2:5: error: no member 'go'"]);
    assert_eq!(place.read(".venv/lib/python3.11/site-packages/own.pth"), format!("{folder}\n"));
}

#[test]
fn only_new_complaints_count() {
    let place = project();
    place.write("c.py", "def other(y):\n    return y.gone()\n");
    // It fails before, with another column and line after, in other words for the renamed one, and in another time.
    place.write("check.sh", &format!("echo \"took 0.$$ s\"; grep -n A a.py | sed 's/$/ # warning/'\n{CHECK}"));
    let done = run(&place, &[&RENAME, &["--include", "b.py:2"], &VERIFY]).expect(0);
    says(&done, &["verified: sh check.sh (before: 1, after: 1); it fails without the change, too"]);
    let refused = run(&place, &[&RENAME, &["--leave-undetermined"], &VERIFY]).expect(2);
    says(&refused, &["(exit status 1, as before) newly says:\n  b.py:2:5: error: no member 'go'"]);
}

#[test]
fn a_warning_refuses_even_if_the_command_succeeds() {
    let place = project();
    place.write("check.sh", "sh rest.sh; echo done in $(date +%N) ms\nexit 0\n");
    place.write("rest.sh", CHECK);
    let refused = run(&place, &[&RENAME, &["--leave-undetermined"], &VERIFY]).expect(2);
    says(&refused, &["(exit status 0, as before) newly says:", "b.py:2:5"]);
}

#[test]
fn progress_and_passed_tests_are_no_complaints() {
    let place = project();
    place.write(
        "check.sh",
        &format!(
            "grep -ho 'def [a-z]*' *.py | sed 's/def \\(.*\\)/test \\1_error ... ok/'; date +'Checking x %s%N'\n{CHECK}"
        ),
    );
    let done = run(&place, &[&["refactor", "rename", "b.py::use", "apply"], &VERIFY]).expect(0);
    says(&done, &["(before: 0, after: 0)"]);
}

#[test]
fn a_command_that_does_not_look_at_the_files_shows_nothing() {
    let place = project();
    for command in [
        "true",
        "echo fine",
        "echo broken: error; exit 3",
        &format!("cd '{}' && sh check.sh", place.path("").display()),
    ] {
        let refused = run(&place, &[&["refactor", "rename", "b.py::use", "apply", "--verify", command]]).expect(2);
        says(&refused, &["does not look at `b.py`: it says the same if they cannot be read"]);
    }
    let missing =
        run(&place, &[&["refactor", "rename", "b.py::use", "apply", "--verify", "no_such_program_here"]]).expect(2);
    says(&missing, &["`no_such_program_here` cannot be run: ", "not found"]);
}

#[test]
fn nothing_to_change_runs_nothing() {
    let place = project();
    let command = ["--verify", "touch /nowhere/x; exit 9"];
    says(&run(&place, &[&["rewrite", "-p", "nothing($X)", "other($X)"], &command]).expect(1), &["nothing found"]);
}

#[test]
fn candidates_are_decided_by_the_lines_that_are_named() {
    let place = project();
    // This one has another method of that name: nothing fails without it.
    place.write("c.py", "class B:\n    def go(self):\n        return 2\n\n\ndef other(y):\n    return y.go()\n");
    place.write(
        "check.sh",
        "grep -q 'def go' a.py || ! grep -q 'x.go()' b.py || { echo 'error: no member go'; echo '   --> b.py:2:14'; exit 1; }\n\
         for file in *.py; do case $(head -c 5 $file) in '<?php') exit 1;; esac; done\n",
    );
    let plain = run(&place, &[&RENAME]).expect(2);
    says(&plain, &["2 references are uncertain", "`--verify CMD --decide` has a compiler or tests decide"]);
    let done = run(&place, &[&RENAME, &["--decide", "--write"], &VERIFY]).expect(0);
    says(
        &done,
        &[
            "run 1, with no uncertain reference changed: fails:    --> b.py:2:14",
            "run 2, with b.py:2:14 changed: passes",
            "left c.py:7:14",
            "1 included, 1 left",
        ],
    );
    assert!(place.read("b.py").contains("x.walk()") && place.read("c.py").contains("y.go()"));
    let undone =
        run(&place, &[&["refactor", "rename", "A.walk", "go", "--decide", "--json"], &VERIFY]).expect(0).json();
    assert_eq!(
        undone["decided"].as_array().map(Vec::len),
        Some(1),
        "B.go is not meant, and nothing else uses walk: {undone}"
    );
}

#[test]
fn candidates_are_decided_by_halves_if_nothing_is_named() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("a.py", "class A:\n    def go(self):\n        return 1\n");
    for number in 0..8 {
        place.write(&format!("u{number}.py"), "def use(x):\n    return x.go()\n");
    }
    // It only says that something is wrong, and only u5 has to change.
    place.write("check.sh", "grep -q '<?php' *.py && exit 2; grep -q 'def go' a.py || grep -q walk u5.py\n");
    let done = run(&place, &[&RENAME, &["--decide", "--json"], &VERIFY]).expect(0).json();
    let rounds = done["decided"].as_array().expect("the runs are listed");
    assert_eq!(rounds.len(), 5, "{done}");
    let sizes: Vec<usize> = rounds.iter().map(|round| round["changed"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(sizes, [0, 8, 4, 4, 2], "{done}");
    assert!(done["included"].as_u64().expect("some are") <= 4, "{done}");
    let left = done["left"].as_array().expect("some are left");
    assert!(left.iter().all(|place| place["path"] != "u5.py"), "{done}");
}

#[test]
fn what_cannot_be_decided_is_refused() {
    let place = project();
    place.write("check.sh", "grep -q '<?php' *.py && exit 2; grep -q 'def go' a.py\n");
    let refused = run(&place, &[&RENAME, &["--decide"], &VERIFY]).expect(2);
    says(&refused, &["(before: 0, after: 1)", "after 2 runs, with 1 of the uncertain references changed"]);
    let alone = run(&place, &[&RENAME, &["--decide"]]).expect(2);
    says(&alone, &["--verify"]);
}

#[test]
fn rewrites_and_scripts_are_verified() {
    let place = project();
    let wrong = run(&place, &[&["rewrite", "-p", "x.go()", "x.gone()", "--write"], &VERIFY]).expect(2);
    says(&wrong, &["b.py:2:5: error: no member 'gone'"]);
    let right = run(&place, &[&["rewrite", "-p", "x.go()", "(x.go())", "--json"], &VERIFY]).expect(0).json();
    assert_eq!(right["verified"]["before"]["status"], 0, "{right}");
    assert_eq!(right["verified"]["command"], "sh check.sh");
    place.write("s.toml", "name = \"s\"\n\n[[step]]\nselect = ':like(\"x.go()\")'\nreplace = \"x.gone()\"\n");
    says(&run(&place, &[&["run", "s.toml"], &VERIFY]).expect(2), &["no member 'gone'"]);
    place.write(
        "r.toml",
        "name = \"s\"\n\n[[step]]\nrefactor = { rename = \"A.go\", to = \"walk\", leave_undetermined = true }\n",
    );
    says(&run(&place, &[&["run", "r.toml"], &VERIFY]).expect(2), &["no member 'go'"]);
    place.write(
        "r.toml",
        "name = \"s\"\n\n[[step]]\nrefactor = { rename = \"A.go\", to = \"walk\", include = \"b.py:2\" }\n",
    );
    let script = place.read("r.toml");
    std::fs::remove_file(place.path("r.toml")).expect("it is there");
    let done = place.feed(&["run", "-", "--write", "--verify", "sh check.sh"], &script).expect(0);
    says(&done, &["verified: sh check.sh"]);
    assert!(place.read("b.py").contains("x.walk()"));
}

#[test]
fn fixes_of_rules_are_verified() {
    let place = project();
    let rule = |name: &str| {
        format!(
            "[[rule]]\nid = \"r\"\nlanguages = [\"python\"]\nmessage = \"m\"\nselect = 'call:like(\"$X.go()\")'\nfix = \"$X.{name}()\"\nsafe = true\n"
        )
    };
    let before = place.read("b.py");
    place.write("r.toml", &rule("nobody"));
    let refused = run(&place, &[&["scan", "--rules", "r.toml", "--fix"], &VERIFY]).expect(2);
    says(&refused, &["no member 'nobody'"]);
    assert_eq!(place.read("b.py"), before);
    place.write("c.py", "def run():\n    pass\n");
    place.write("r.toml", &rule("run"));
    let done = run(&place, &[&["scan", "--rules", "r.toml", "--fix"], &VERIFY]).expect(0);
    says(&done, &["verified: sh check.sh (before: 0, after: 0)"]);
    assert!(place.read("b.py").contains("x.run()"));
    run(&place, &[&["scan", "--rules", "r.toml"], &VERIFY]).expect(2);
}

#[test]
fn files_that_move_and_go_are_moved_in_the_copy() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("pkg/__init__.py", "");
    place.write("pkg/one.py", "def one():\n    return 1\n");
    place.write("main.py", "from pkg.one import one\n\none()\n");
    // Each module that is imported has to be there.
    // Each module that is imported has to be there, and no other.
    let command = "for m in $(sed -n 's/^from pkg.\\(.*\\) import.*/\\1/p' main.py); do test -f pkg/$m.py || { echo \"main.py:1: no $m\"; exit 1; }; done; \
                   test ! -f pkg/one.py || test ! -f pkg/two.py || exit 2; ! grep -q '<?php' main.py pkg/*.py";
    run(&place, &[&["refactor", "move-file", "pkg/one.py", "pkg/two.py", "--write", "--verify", command]]).expect(0);
    assert!(place.path("pkg/two.py").exists() && !place.path("pkg/one.py").exists());
}

/// A response or an error.
fn answer(engine: &Engine, request: Value) -> Value {
    let request: Request = serde_json::from_value(request).expect("well formed");
    match engine.handle(request) {
        Ok(response) => serde_json::to_value(response).expect("plain data"),
        Err(error) => error.to_json(),
    }
}

#[test]
fn a_command_has_a_time_limit_and_its_group_ends_with_it() {
    let place = project();
    place.configure(
        "cst/config.toml",
        "[verify]\nslow = { command = \"(sleep 3; touch \\\"$MARK\\\") & sleep 30\", timeout = 1 }\n",
    );
    let mark = place.path("mark");
    let mut process = place.command(&[&RENAME[..], &["--leave-undetermined", "--verify", "slow"]].concat());
    process.env("MARK", place.configuration().join("mark"));
    let started = Instant::now();
    says(&ended(process, None).expect(2), &["`slow` takes longer than 1 seconds, without the change, too"]);
    assert!(started.elapsed() < Duration::from_secs(20));
    std::thread::sleep(Duration::from_secs(3));
    assert!(!mark.exists() && !place.configuration().join("mark").exists(), "what it started was ended");
    // Only with the change: that is worse.
    place.write("check.sh", &format!("grep -q 'def go' a.py || sleep 30\n{CHECK}"));
    place.configure("cst/config.toml", "[verify]\ncheck = { command = \"sh check.sh\", timeout = 3 }\n");
    let refused = run(&place, &[&RENAME, &["--include", "b.py:2", "--verify", "check"]]).expect(2);
    says(&refused, &["`check` fails (before: 0, after: stopped)", "it takes longer than 3 seconds"]);
}

#[test]
fn an_interrupt_ends_the_command_and_removes_the_copy() {
    let place = project();
    let started = place.configuration().join("started");
    let command = format!("touch '{}'; sleep 60", started.display());
    let mut child = place
        .command(&[&RENAME[..], &["--leave-undetermined", "--verify", &command]].concat())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while !started.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(copies(&place), 1);
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("there is kill");
    let status = child.wait().expect("it ends");
    assert!(!status.success() && begun.elapsed() < Duration::from_secs(40));
    assert_eq!(copies(&place), 0);
}

#[test]
fn what_a_killed_process_left_is_removed_by_the_next() {
    let place = project();
    let started = place.configuration().join("started");
    let command = format!("touch '{}'; exec sleep 60", started.display());
    let mut child = place
        .command(&[&RENAME[..], &["--leave-undetermined", "--verify", &command]].concat())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    while !started.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(copies(&place), 1);
    run(&place, &[&RENAME, &["--include", "b.py:2"], &VERIFY]).expect(0);
    assert_eq!(copies(&place), 0);
}

#[test]
fn large_ignored_folders_are_left_out_and_named() {
    let place = project();
    place.write(".gitignore", "data/\nsmall/\n");
    place.write("data/x.txt", "");
    place.write("small/x.txt", "");
    sparse(&place, "data/large.bin", cst::limits::SCRATCH_IGNORED_BYTES + 1);
    let command = "test -f small/x.txt && test ! -e data && sh check.sh";
    let done = run(&place, &[&RENAME, &["--include", "b.py:2", "--verify", command]]).expect(0);
    says(&done, &["(before: 0, after: 0); the copy lacks `data`, which git ignores"]);
    // What git does not ignore is copied whole, or not at all.
    sparse(&place, "large.bin", cst::limits::SCRATCH_BYTES + 1);
    let refused = run(&place, &[&RENAME, &["--include", "b.py:2"], &VERIFY, &["--json"]]).expect(2);
    assert_eq!(refused.error(), "too_large");
    assert_eq!(copies(&place), 0);
}

/// Makes a file of that length that takes no space.
fn sparse(place: &Place, name: &str, length: u64) {
    let file = std::fs::File::create(place.path(name)).expect("it can be made");
    file.set_len(length).expect("it can be that long");
}

#[test]
fn a_command_that_says_too_much_is_refused() {
    let place = project();
    let command = format!("head -c {} /dev/zero | tr '\\0' x", cst::limits::VERIFY_OUTPUT + 1);
    let refused = run(&place, &[&RENAME, &["--include", "b.py:2", "--verify", &command]]).expect(2);
    says(&refused, &["says more than 32 MiB"]);
}

/// Cancels a request once a file is there.
struct Impatient(std::path::PathBuf);

impl cst::engine::Observer for Impatient {
    fn is_cancelled(&self) -> bool {
        self.0.exists()
    }
}

#[test]
fn a_request_that_is_cancelled_ends_the_command() {
    let place = project();
    let mark = place.configuration().join("mark");
    let observer = std::sync::Arc::new(Impatient(mark.clone()));
    let engine = Engine::new(Host { cache: Some(place.cache()), observer, ..Host::at(place.path("")) });
    let command = format!("touch '{}'; sleep 60", mark.display());
    let params =
        json!({"kind": "rename", "symbol": "A.go", "to": "walk", "leave_undetermined": true, "verify": command});
    let begun = Instant::now();
    let cancelled = answer(&engine, json!({"method": "refactor", "params": params}));
    assert_eq!(cancelled["error"]["code"], "cancelled", "{cancelled}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(copies(&place), 0);
}

mod trust {
    use super::*;
    use cst::engine::Commands;

    fn host(place: &Place) -> Host {
        Host {
            configuration: Some(place.configuration().join("cst")),
            cache: Some(place.cache()),
            ..Host::at(place.path(""))
        }
    }

    fn rename(verify: &str) -> Value {
        json!({"kind": "rename", "symbol": "A.go", "to": "walk", "leave_undetermined": true, "verify": verify, "dry_run": true})
    }

    #[test]
    fn a_model_may_only_name_what_the_user_has_named() {
        let place = project();
        let refused = said_in(host(&place), &[call("refactor", rename("sh check.sh"))]);
        assert!(refused.starts_with("ERROR bad_request: not applied: no command is called `sh check.sh`"), "{refused}");
        assert!(refused.contains("[verify]"), "{refused}");
        place.configure("cst/config.toml", "[verify]\ncheck = \"sh check.sh\"\n");
        let refused = said_in(host(&place), &[call("refactor", rename("sh check.sh"))]);
        assert!(refused.contains("the user has named `check`"), "{refused}");
        let caught = said_in(host(&place), &[call("refactor", rename("check"))]);
        assert!(caught.contains("verify_failed") && caught.contains("b.py:2:5: error: no member 'go'"), "{caught}");
        let mut decide = rename("check");
        decide["decide"] = true.into();
        let decided = said_in(host(&place), &[call("refactor", decide)]);
        assert!(decided.contains("run 2, with b.py:2:14 changed: passes"), "{decided}");
        assert!(decided.contains("verified: check (before: 0, after: 0)"), "{decided}");
        let rewrite = json!({"pattern": "x.go()", "template": "x.gone()", "verify": "check", "dry_run": true});
        let caught = said_in(host(&place), &[call("rewrite", rewrite)]);
        assert!(caught.contains("no member 'gone'"), "{caught}");
    }

    #[test]
    fn a_root_is_not_left_by_a_command() {
        let place = project();
        let engine =
            |root: bool, commands| Engine::new(Host { root: root.then(|| place.path("")), commands, ..host(&place) });
        let mut request = rename("sh check.sh");
        request["dry_run"] = false.into();
        let request = json!({"method": "refactor", "params": request});
        let code = |answer: Value| answer["error"]["code"].clone();
        assert_eq!(code(answer(&engine(false, Commands::Any), request.clone())), "verify_failed");
        assert_eq!(code(answer(&engine(true, Commands::Any), request.clone())), "bad_request");
        assert_eq!(code(answer(&engine(false, Commands::Named), request)), "bad_request");
    }

    #[test]
    fn no_file_of_the_project_names_a_command() {
        let place = project();
        place.write(".cst/config.toml", "[verify]\ncheck = \"touch evil\"\n");
        run(&place, &[&["trust"]]).expect(2);
        let refused = run(&place, &[&RENAME, &["--leave-undetermined", "--verify", "check"]]).expect(2);
        says(&refused, &["`check` cannot be run"]);
        place.write(
            "s.toml",
            "name = \"s\"\n\n[[step]]\nrefactor = { rename = \"A.go\", to = \"walk\", verify = \"touch evil\" }\n",
        );
        says(&run(&place, &[&["run", "s.toml"]]).expect(2), &["`verify` is for the run, not for a step"]);
        assert!(!place.path("evil").exists());
        // The user's own is read, and its mistakes are errors.
        place.configure("cst/config.toml", "[verify]\ncheck = { command = 4 }\n");
        says(&run(&place, &[&RENAME, &["--verify", "check"]]).expect(2), &["uncertain"]);
        says(
            &run(&place, &[&RENAME, &["--leave-undetermined", "--verify", "check"]]).expect(2),
            &["`command` is a string"],
        );
    }
}
