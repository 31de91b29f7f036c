//! `cst run` and `cst test`, end to end.

use super::cli::Place;

/// Renames calls of `old` to calls of `new`.
const SCRIPT: &str = r#"
name = "old-to-new"
language = "python"

[[step]]
select = 'call:like("old($$$ARGS)")'
replace = "new($$$ARGS)"

[[test]]
name = "keeps the comment"
before = "old(1)  # one\n"
after = "new(1)  # one\n"
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("refactors/s.toml", SCRIPT);
    place
}

mod running {
    use super::{Place, SCRIPT, place};

    #[test]
    fn the_diff_is_shown_and_nothing_written() {
        let place = place();
        place.write("src/a.py", "old(1, 2)\n");
        place.write("src/b.py", "other(1)\n");
        let run = place.run(&["run", "refactors/s.toml", "src"]).expect(0);
        assert_eq!(run.stdout, "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-old(1, 2)\n+new(1, 2)\n");
        assert_eq!(run.stderr, "1 match, 1 changed in 1 of 2 files; preview only; add --write to apply\n");
        assert_eq!(place.read("src/a.py"), "old(1, 2)\n");
    }

    #[test]
    fn a_preview_that_would_change_nothing_exits_with_1() {
        let place = place();
        place.write("a.py", "other(1)\n");
        let run = place.run(&["run", "refactors/s.toml"]).expect(1);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "nothing found in 1 file\n"));
    }

    #[test]
    fn one_undo_brings_all_files_back() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b/c.py", "x = old(old(2))\r\n");
        let ran = place.run(&["run", "refactors/s.toml", "--write", "--json"]).expect(0).json();
        assert_eq!((place.read("a.py").as_str(), place.read("b/c.py").as_str()), ("new(1)\n", "x = new(new(2))\r\n"));
        assert_eq!((&ran["written"], &ran["matches"], &ran["applied"]), (&true.into(), &3.into(), &3.into()));
        assert_eq!((&ran["files"][0]["path"], &ran["files"][1]["matches"]), (&"a.py".into(), &2.into()));
        let transaction = ran["transaction"].as_str().expect("a transaction");
        place.run(&["undo", "--transaction", transaction]).expect(0);
        assert_eq!((place.read("a.py").as_str(), place.read("b/c.py").as_str()), ("old(1)\n", "x = old(old(2))\r\n"));
    }

    #[test]
    fn undo_is_refused_where_somebody_wrote_since() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b.py", "old(2)\n");
        let ran = place.run(&["run", "refactors/s.toml", "--write", "--json"]).expect(0).json();
        place.write("b.py", "mine\n");
        let transaction = ran["transaction"].as_str().expect("a transaction");
        assert_eq!(place.run(&["undo", "--transaction", transaction, "--json"]).expect(2).error(), "file_changed");
        assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), ("new(1)\n", "mine\n"));
    }

    /// A script that breaks what has no argument.
    fn breaking(place: &Place) {
        let step = "[[step]]\nselect = 'call#old > argument_list'\nreplace = '${0|s/\\(\\)/(/}'\n";
        let rename = "[[step]]\nselect = 'call#old > identifier'\nreplace = 'new'\n";
        place.write("refactors/s.toml", &format!("name = 's'\nlanguage = 'python'\n{step}{rename}"));
        place.write("a.py", "old(1)\n");
        place.write("b.py", "old()\n");
        place.write("c.py", "old()\n");
    }

    #[test]
    fn all_files_are_written_or_none() {
        let place = Place::new();
        breaking(&place);
        let run = place.run(&["run", "refactors/s.toml", "--write", "--json"]).expect(2);
        let error = &run.json()["error"];
        assert_eq!((&error["code"], &error["path"]), (&"would_break_syntax".into(), &"b.py".into()));
        let message = error["message"].as_str().expect("a message");
        assert!(message.starts_with("not applied: step 1 of `refactors/s.toml`: "), "{message}");
        assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), ("old(1)\n", "old()\n"));
        let shown = place.run(&["run", "refactors/s.toml", "--write"]).expect(2).stderr;
        assert!(shown.contains("another file fails too") && shown.contains("`--on-error skip`"), "{shown}");
    }

    #[test]
    fn files_that_fail_are_left_out_and_listed() {
        let place = Place::new();
        breaking(&place);
        let run = place.run(&["run", "refactors/s.toml", "--write", "--on-error", "skip"]).expect(0);
        assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), ("new(1)\n", "old()\n"));
        for path in ["b.py", "c.py"] {
            assert!(run.stderr.contains(&format!("{path}:1: left out: would_break_syntax: ")), "{}", run.stderr);
        }
        let ran = place.run(&["run", "refactors/s.toml", "--on-error", "skip", "--json"]).expect(1).json();
        assert_eq!(ran["files"][0]["error"]["code"], "would_break_syntax");
    }

    #[test]
    fn a_file_that_may_not_be_written_fails_before_any_is() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b.py", "old(2)\n");
        let mut permissions = std::fs::metadata(place.path("b.py")).expect("it is there").permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(place.path("b.py"), permissions).expect("it can be made read-only");
        assert_eq!(place.run(&["run", "refactors/s.toml", "--write", "--json"]).expect(2).error(), "read_only");
        assert_eq!(place.read("a.py"), "old(1)\n");
        let run = place.run(&["run", "refactors/s.toml", "--write", "--on-error", "skip"]).expect(0);
        assert!(run.stderr.contains("b.py: left out: read_only: "), "{}", run.stderr);
        assert_eq!((place.read("a.py").as_str(), place.read("b.py").as_str()), ("new(1)\n", "old(2)\n"));
    }

    #[test]
    fn another_number_of_matches_than_expected_is_refused() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b.py", "old(2)\n");
        let run = |count: &str| place.run(&["run", "refactors/s.toml", "--write", "--expect", count, "--json"]);
        assert_eq!(run("1").expect(2).error(), "expect_count");
        assert_eq!(place.read("a.py"), "old(1)\n");
        run("2").expect(0);
        assert_eq!(place.read("a.py"), "new(1)\n");
    }

    #[test]
    fn a_step_counts_its_matches_over_all_files() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b.py", "old(2)\nold(3)\n");
        let expecting = |count: usize| SCRIPT.replace("replace =", &format!("expect = {count}\nreplace ="));
        place.write("refactors/s.toml", &expecting(2));
        let run = place.run(&["run", "refactors/s.toml", "--write"]).expect(2);
        let said = "step 1, in line 5 of `refactors/s.toml`: the number of matches is 3, not 2";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(place.read("a.py"), "old(1)\n");
        place.write("refactors/s.toml", &expecting(3));
        place.run(&["run", "refactors/s.toml", "--write"]).expect(0);
        assert_eq!(place.read("b.py"), "new(2)\nnew(3)\n");
    }

    #[test]
    fn the_scripts_globs_narrow_the_folder() {
        let place = place();
        place.write("refactors/s.toml", &SCRIPT.replace("[[step]]", "files = ['tests/**/*.py', '!skip.py']\n[[step]]"));
        for path in ["a.py", "tests/b.py", "tests/in/c.py", "tests/skip.py", "src/tests/d.py"] {
            place.write(path, "old(1)\n");
        }
        let paths = |arguments: &[&str]| -> Vec<String> {
            let ran = place.run(&[&["run", "refactors/s.toml", "--json"], arguments].concat()).expect(0).json();
            let files = ran["files"].as_array().expect("files");
            files.iter().map(|file| file["path"].as_str().expect("a path").to_owned()).collect()
        };
        assert_eq!(paths(&[]), ["tests/b.py", "tests/in/c.py"]);
        assert_eq!(paths(&["--glob", "c.py"]), ["tests/in/c.py"]);
        assert_eq!(paths(&["src"]), ["src/tests/d.py"]);
        // What is named is meant.
        assert_eq!(paths(&["a.py"]), ["a.py"]);
    }

    #[test]
    fn only_files_of_the_scripts_languages_are_looked_at() {
        let place = place();
        place.write("a.py", "old(1)\n");
        place.write("b.js", "old(1)\n");
        let ran = place.run(&["run", "refactors/s.toml", "--json"]).expect(0).json();
        assert_eq!((&ran["searched"], &ran["matches"]), (&1.into(), &1.into()));
        assert_eq!(place.run(&["run", "refactors/s.toml", "b.js", "--json"]).expect(2).error(), "unsupported_language");
        place.write(
            "refactors/s.toml",
            &SCRIPT.replace("language = \"python\"", "languages = ['python', 'javascript']"),
        );
        place.run(&["run", "refactors/s.toml", "--write"]).expect(0);
        assert_eq!((place.read("a.py").as_str(), place.read("b.js").as_str()), ("new(1)\n", "new(1)\n"));
    }

    #[test]
    fn later_steps_find_what_earlier_ones_made() {
        let place = Place::new();
        let steps =
            "[[step]]\nselect = 'identifier#a'\nreplace = 'b'\n[[step]]\nselect = 'identifier#b'\nreplace = 'c'\n";
        place.write("s.toml", &format!("name = 's'\nlanguage = 'python'\n{steps}"));
        // The file holds nothing that the second step could find.
        place.write("only.py", "a\n");
        place.run(&["run", "s.toml", "--write"]).expect(0);
        assert_eq!(place.read("only.py"), "c\n");
    }

    #[test]
    fn a_file_that_two_targets_name_is_changed_once() {
        let place = place();
        place.write("a.py", "old(1)\n");
        let ran = place.run(&["run", "refactors/s.toml", ".", "a.py", "--write", "--json"]).expect(0).json();
        assert_eq!((&ran["matches"], ran["files"].as_array().map(Vec::len)), (&1.into(), Some(1)));
        assert_eq!(place.read("a.py"), "new(1)\n");
    }

    #[test]
    fn a_tree_takes_the_changes_as_its_next_revision() {
        let place = place();
        place.write("a.py", "old(1)\nx = 2\n");
        let tree = place.load("a.py");
        let run = place.run(&["run", "refactors/s.toml", &tree]).expect(0);
        assert!(run.stdout.contains("+new(1)") && run.stderr.contains(&format!("cst save {tree}")), "{}", run.stderr);
        assert_eq!(place.run(&["find", "call", &tree, "--json"]).expect(0).json()["revision"], 1);
        let refused = place.run(&["run", "refactors/s.toml", &tree, "--write", "--json"]);
        // Nothing is left to change, so nothing is refused.
        assert_eq!(refused.expect(1).json()["applied"], 0);
        place.run(&["undo", &tree]).expect(0);
        assert_eq!(
            place.run(&["run", "refactors/s.toml", &tree, "--write", "--json"]).expect(2).error(),
            "bad_request"
        );
        place.run(&["run", "refactors/s.toml", &tree, "--dry-run"]).expect(0);
        assert_eq!(place.run(&["find", "call#new", &tree, "--count"]).expect(1).stdout, "0\n");
        place.run(&["redo", &tree]).expect(0);
        place.run(&["save", &tree]).expect(0);
        assert_eq!(place.read("a.py"), "new(1)\nx = 2\n");
    }

    #[test]
    fn script_and_text_may_come_from_standard_input() {
        let place = place();
        let text = place.feed(&["run", "refactors/s.toml", "-", "--stdin-filename", "a.py"], "old(1)\n").expect(0);
        assert!(text.stdout.contains("+new(1)\n"), "{}", text.stdout);
        place.write("a.py", "old(1)\n");
        place.feed(&["run", "-", "a.py", "--write"], SCRIPT).expect(0);
        assert_eq!(place.read("a.py"), "new(1)\n");
        place.feed(&["run", "refactors/s.toml", "-", "--stdin-filename", "a.py", "--write"], "old(1)\n").expect(2);
    }

    #[test]
    fn what_is_wrong_with_a_script_is_shown_where_it_stands() {
        let place = place();
        place.write("a.py", "old(1)\n");
        let wrong = |from: &str, to: &str| {
            place.write("refactors/s.toml", &SCRIPT.replace(from, to));
            place.run(&["run", "refactors/s.toml", "--write"]).expect(2).stderr
        };
        let key = "error: unknown key `selct` in step 1, line 6 of `refactors/s.toml`\n  selct = 'call:like(\"old($$$ARGS)\")'\n  ^^^^^\nhint: did you mean `select`?\n";
        assert_eq!(wrong("select", "selct"), key);
        let selector = "error: unknown type or kind `cal` in step 1, line 6 of `refactors/s.toml`\n  cal:like(\"old($$$ARGS)\")\n  ^^^ did you mean `Call`, `Nonlocal` or `call`?\n";
        assert_eq!(wrong("'call", "'cal"), selector);
        let template = "error: the target captures no `ARG` in step 1, line 7 of `refactors/s.toml`\n  replace = \"new($$$ARG)\"\n             ^^^^^^^^^^^\nhint: it captures `ARGS`\n";
        assert_eq!(wrong("new($$$ARGS)", "new($$$ARG)"), template);
        let json = place.run(&["run", "refactors/s.toml", "--json"]).expect(2).json();
        assert_eq!((&json["error"]["path"], &json["error"]["line"]), (&"refactors/s.toml".into(), &7.into()));
        assert_eq!(place.run(&["run", "nowhere.toml", "--json"]).expect(2).error(), "not_found");
        assert_eq!(place.run(&["run", "refactors", "--json"]).expect(2).error(), "bad_request");
        let pattern = wrong("old($$$ARGS)\"", "old($$$ARGS\"");
        let first = "error: the pattern is not code in python in step 1, line 6 of `refactors/s.toml`\n";
        assert!(pattern.starts_with(first) && pattern.contains("\n  call:like("), "{pattern}");
        assert_eq!(place.read("a.py"), "old(1)\n");
    }
}

mod testing {
    use super::{Place, SCRIPT, place};

    #[test]
    fn scripts_are_found_where_they_usually_are() {
        let place = place();
        place.write("refactors/deep/t.toml", &SCRIPT.replace("old-to-new", "t"));
        place.write("examples/refactors/u.toml", &SCRIPT.replace("old-to-new", "u"));
        place.write("examples/refactors/deep/v.toml", "no script\n");
        place.write("elsewhere.toml", "no script\n");
        let run = place.run(&["test"]).expect(0);
        assert_eq!(run.stderr, "3 tests passed\n");
        let scripts: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(scripts, ["refactors/deep/t.toml", "refactors/s.toml", "examples/refactors/u.toml"]);
        assert_eq!(place.run(&["test", "refactors/deep"]).expect(0).stderr, "1 test passed\n");
        Place::new().run(&["test"]).expect(1);
    }

    #[test]
    fn the_shipped_scripts_pass_their_tests() {
        let place = Place::new();
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/refactors");
        let run = place.run(&["test", shipped, "--json"]).expect(0).json();
        assert!(run["passed"].as_u64() > Some(90) && run["failed"] == 0, "{run}");
        assert!(run["warnings"].as_array().is_none_or(Vec::is_empty), "every step is shown by a test: {run}");
    }

    #[test]
    fn a_test_that_fails_shows_expected_and_got() {
        let place = place();
        place.write("refactors/s.toml", &SCRIPT.replace("after = \"new(1)", "after = \"new(2)"));
        let run = place.run(&["test"]).expect(1);
        let expected = "refactors/s.toml\n  failed  keeps the comment\n    at refactors/s.toml:9\n    not what was expected\n--- expected\n+++ got\n@@ -1 +1 @@\n-new(2)  # one\n+new(1)  # one\n";
        assert_eq!(run.stdout, expected);
        assert_eq!(run.stderr, "1 of 1 test failed\n");
        let coloured = place.run(&["test", "--color", "always"]).expect(1).stdout;
        assert!(coloured.contains("\u{1b}[31m-new(2)") && coloured.contains("\u{1b}[32m+new(1)"), "{coloured:?}");
        let json = place.run(&["test", "--json"]).expect(1).json();
        assert_eq!((&json["passed"], &json["failed"]), (&0.into(), &1.into()));
        let row = &json["tests"][0];
        assert_eq!((&row["script"], &row["test"]), (&"refactors/s.toml".into(), &"keeps the comment".into()));
        assert_eq!((&row["status"], row["diff"].is_string()), (&"failed".into(), true));
    }

    #[test]
    fn a_script_that_cannot_be_read_is_an_error() {
        let place = place();
        place.write("refactors/t.toml", "name = 1\n");
        let run = place.run(&["test"]).expect(2);
        assert!(run.stderr.contains("`refactors/t.toml`"), "{}", run.stderr);
        assert_eq!(place.run(&["test", "nowhere.toml", "--json"]).expect(2).error(), "not_found");
    }

    #[test]
    fn steps_that_no_test_matches_are_warned_of() {
        let place = place();
        place.write("refactors/s.toml", &format!("{SCRIPT}\n[[step]]\nselect = 'class'\ndelete = true\n"));
        let run = place.run(&["test"]).expect(0);
        let warning = "warning: step 2 in line 14 of `refactors/s.toml` matches in none of the tests\n";
        assert_eq!(run.stderr, format!("{warning}1 test passed\n"));
        let json = place.run(&["test", "--json"]).expect(0).json();
        assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn some_tests_are_run_by_a_word_of_their_name() {
        let place = place();
        place.write(
            "refactors/s.toml",
            &format!("{SCRIPT}\n[[test]]\nname = 'other'\nbefore = 'x'\nunchanged = true\n"),
        );
        let run = place.run(&["test", "--filter", "comment"]).expect(0);
        assert_eq!(run.stdout, "refactors/s.toml\n  passed  keeps the comment\n");
        assert_eq!(place.run(&["test"]).expect(0).stderr, "2 tests passed\n");
        place.run(&["test", "--filter", "nothing so named"]).expect(1);
    }

    /// A script with a test that has a snapshot.
    fn with_snapshot() -> (Place, &'static str) {
        let place = place();
        place.write("refactors/s.toml", &SCRIPT.replace("after = \"new(1)  # one\\n\"", ""));
        (place, "snapshots/scripts/old-to-new/keeps the comment.snap")
    }

    #[test]
    fn a_snapshot_is_compared_with_and_updated() {
        let (place, snapshot) = with_snapshot();
        let run = place.run(&["test"]).expect(1);
        assert!(run.stdout.contains("no snapshot yet") && run.stdout.contains("+new(1)  # one"), "{}", run.stdout);
        assert!(!place.path(snapshot).exists());
        let run = place.run(&["test", "--update"]).expect(0);
        assert_eq!(run.stdout, "refactors/s.toml\n  passed  keeps the comment  snapshot written\n");
        let written = "---\nsource: \"refactors/s.toml\"\nexpression: \"keeps the comment\"\n---\nnew(1)  # one\n";
        assert_eq!(place.read(snapshot), written);
        place.run(&["test"]).expect(0);
        place.write(snapshot, &written.replace("new", "newer"));
        let run = place.run(&["test"]).expect(1);
        assert!(run.stdout.contains("-newer(1)  # one\n+new(1)  # one\n"), "{}", run.stdout);
        place.run(&["test", "--update"]).expect(0);
        assert_eq!(place.read(snapshot), written);
    }

    #[test]
    fn a_script_may_have_the_line_ends_of_another_system() {
        let place = place();
        let script =
            SCRIPT.replace("before = \"old(1)  # one\\n\"\nafter = \"new(1)  # one\\n\"", "before = '''\nold(1)\n'''");
        place.write("refactors/s.toml", &script.replace('\n', "\r\n"));
        place.run(&["test", "--update"]).expect(0);
        let written = place.read("snapshots/scripts/old-to-new/keeps the comment.snap");
        assert!(written.ends_with("---\nnew(1)\n"), "{written:?}");
    }

    #[test]
    fn what_is_wrong_besides_is_not_kept() {
        let (place, snapshot) = with_snapshot();
        let script = place.read("refactors/s.toml");
        place.write("refactors/s.toml", &script.replace("new($$$ARGS)", "old(old($$$ARGS))"));
        let run = place.run(&["test", "--update"]).expect(1);
        assert!(run.stdout.contains("a second run changes the text again"), "{}", run.stdout);
        assert!(!place.path(snapshot).exists());
    }

    #[test]
    fn a_snapshot_is_accepted_or_refused_when_asked() {
        let (place, snapshot) = with_snapshot();
        let run = place.feed(&["test", "--review"], "?\nr\n").expect(1);
        let asked = "(a)ccept, (r)eject, (s)kip, (q)uit? a, r, s or q? ";
        assert!(run.stdout.contains("1 of 1: refactors/s.toml: keeps the comment") && run.stdout.contains(asked));
        assert!(!place.path(snapshot).exists());
        place.feed(&["test", "--review"], "").expect(1);
        assert!(!place.path(snapshot).exists());
        place.feed(&["test", "--review"], "a\n").expect(0);
        assert!(place.read(snapshot).ends_with("---\nnew(1)  # one\n"));
    }

    #[test]
    fn results_are_written_for_ci() {
        let place = place();
        let failing = "\n[[test]]\nname = 'a < b & \"c\"'\nbefore = 'old(1)'\nafter = 'x'\n";
        place.write("refactors/s.toml", &format!("{SCRIPT}{failing}"));
        place.run(&["test", "--junit", "report.xml"]).expect(1);
        let report = place.read("report.xml");
        for part in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "<testsuites name=\"cst\" tests=\"2\" failures=\"1\">",
            "<testsuite name=\"refactors/s.toml\" tests=\"2\" failures=\"1\">",
            "<testcase name=\"keeps the comment\" classname=\"refactors/s.toml\" file=\"refactors/s.toml\" line=\"9\"/>",
            "name=\"a &lt; b &amp; &quot;c&quot;\"",
            "<failure message=\"not what was expected\">",
        ] {
            assert!(report.contains(part), "no {part} in {report}");
        }
    }
}

mod requests {
    use super::SCRIPT;
    use crate::engine::Bench;
    use serde_json::json;

    #[test]
    fn run_answers_as_promised() {
        let bench = Bench::new(&[("s.toml", SCRIPT), ("a.py", "old(1)\n"), ("b.py", "x\n")]);
        let shown = bench.ask("run", json!({"script": "s.toml", "targets": ["."]}));
        let expected = json!({
            "files": [{
                "path": "a.py", "revision": shown["files"][0]["revision"], "matches": 1, "applied": 1,
                "changed_ranges": [{"start_line": 1, "end_line": 1}],
                "diff": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old(1)\n+new(1)\n",
            }],
            "matches": 1, "applied": 1, "written": false, "searched": 2,
        });
        assert_eq!(shown, expected);
        let written = bench.ask("run", json!({"script": {"text": SCRIPT}, "write": true, "on_error": "skip"}));
        assert_eq!((&written["written"], written["transaction"].is_string()), (&true.into(), true), "{written}");
        assert!(written["files"][0].get("diff").is_none());
        assert_eq!(bench.text("a.py"), "new(1)\n");
        let undone = bench.ask("undo", json!({"transaction": written["transaction"]}));
        assert_eq!(undone["restored"], json!(["a.py"]));
        assert_eq!(bench.text("a.py"), "old(1)\n");
    }

    #[test]
    fn what_is_refused_says_first_that_nothing_was_done() {
        let bench = Bench::new(&[("s.toml", SCRIPT), ("a.py", "old(1)\n")]);
        let refused = bench.refuse("run", json!({"script": "s.toml", "expect_count": 2, "write": true}));
        let said = "not applied: the number of matches is 1, not 2";
        assert_eq!(refused, ("expect_count".to_owned(), said.to_owned()));
        let text = json!({"script": "s.toml", "targets": [{"text": "old(1)", "language": "python"}], "write": true});
        assert_eq!(bench.refuse("run", text).0, "bad_request");
    }

    #[test]
    fn test_answers_as_promised() {
        let bench = Bench::new(&[("refactors/s.toml", SCRIPT)]);
        let tested = bench.ask("test", json!({}));
        let row = json!({"script": "refactors/s.toml", "test": "keeps the comment", "line": 9, "status": "passed"});
        assert_eq!(tested, json!({"tests": [row], "passed": 1, "failed": 0}));
        let none = bench.ask("test", json!({"scripts": ["refactors/s.toml"], "filter": "other"}));
        assert_eq!(none, json!({"tests": [], "passed": 0, "failed": 0}));
    }
}
