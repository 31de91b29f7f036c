//! Awkward files through the program: unedited bytes do not change, and failures are reported with their code.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::cli::Place;

const SOURCE: &str = "\
import os


def keep():
    return \"k\"


class Shop:
    def find(self, x):
        return x

    def gone(self):
        pass


total = 1
";

/// `SOURCE` after the operations of `words`.
const EDITED: &str = "\
import os


def keep():
    return \"k\"


class Store:
    def find(self, x):
        return x + 1

    def extra(self):
        if self:
            return 0


if keep():
    total = 1
";

/// All the kinds of edits, in words.
fn words() -> [Vec<&'static str>; 5] {
    [
        vec!["replace", "method#find return", "return x + 1"],
        vec!["insert", "after", "method#find", "def extra(self):\n    if self:\n        return 0\n"],
        vec!["delete", "method#gone"],
        vec!["rename", "class#Shop", "Store"],
        vec!["wrap", "assignment:has(> identifier#total)", "if keep():\n    $0"],
    ]
}

/// The same as a batch.
fn batch() -> Value {
    json!([
        {"op": "replace", "target": "method#find return", "code": "return x + 1"},
        {"op": "insert", "target": "method#find", "position": "after",
         "code": "def extra(self):\r\n    if self:\r\n        return 0\r\n"},
        {"op": "delete", "target": "method#gone"},
        {"op": "rename", "target": "class#Shop", "to": "Store"},
        {"op": "wrap", "target": "assignment:has(> identifier#total)", "code": "if keep():\n    $0"},
    ])
}

fn put(place: &Place, name: &str, bytes: &[u8]) {
    std::fs::write(place.path(name), bytes).expect("the file can be written");
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    std::fs::read(place.path(name)).expect("the file can be read")
}

#[track_caller]
fn same(found: &[u8], expected: &[u8], what: &str) {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string().chars().take(2_000).collect::<String>();
    assert!(found == expected, "{what}\n   found {}\nexpected {}", shown(found), shown(expected));
}

/// Edits a file as a tree and by its path; `reading` are the options that it needs.
#[track_caller]
fn check(before: &[u8], after: &[u8], reading: &[&str]) {
    let place = Place::new();
    put(&place, "a.py", before);
    let loaded = place.run(&[&["load", "a.py", "--json"], reading].concat()).expect(0).json();
    let tree = loaded["trees"][0]["tree_id"].as_str().expect("a tree has an id").to_owned();
    let found = place.run(&["find", "method#find", &tree, "--json", "--code"]).expect(0).json();
    let node = found["matches"][0]["node_id"].as_str().expect("a node has an id").to_owned();
    let shown = place.run(&["show", &tree, &node, "--json"]).expect(0).json();
    assert_eq!(shown["nodes"][0]["code"], found["matches"][0]["code"]);
    assert_eq!(place.run(&["diff", &tree]).expect(1).stdout, "", "what is loaded is what the file has");
    for words in words() {
        let done = place.run(&[&["modify", &tree], &words[..], &["--json"]].concat()).expect(0).json();
        assert_eq!((&done["applied"], &done["written"]), (&json!(1), &json!(false)), "{words:?}");
    }
    same(&bytes(&place, "a.py"), before, "nothing is written before it is saved");
    let difference = place.run(&["diff", &tree]).expect(0).stdout;
    assert!(difference.starts_with("--- a/a.py\n+++ b/a.py\n@@ "), "{difference}");
    let saved = place.run(&["save", &tree, "--json"]).expect(0).json();
    assert_eq!((&saved["saved"][0]["written"], &saved["saved"][0]["bytes"]), (&json!(true), &json!(after.len())));
    same(&bytes(&place, "a.py"), after, "as a tree");
    assert_eq!(place.run(&["diff", &tree]).expect(1).stdout, "", "what is saved is what the tree has");
    for _ in words() {
        place.run(&["undo", &tree]).expect(0);
    }
    place.run(&["save", &tree]).expect(0);
    same(&bytes(&place, "a.py"), before, "undone");

    let operations = batch().to_string();
    let modify = [&["modify", "a.py", "--ops", "-"], reading].concat();
    place.feed(&[&modify[..], &["--dry-run"]].concat(), &operations).expect(0);
    same(&bytes(&place, "a.py"), before, "a dry run");
    let done = place.feed(&[&modify[..], &["--write", "--json"]].concat(), &operations).expect(0).json();
    assert_eq!((&done["applied"], &done["written"]), (&json!(5), &json!(true)));
    same(&bytes(&place, "a.py"), after, "by its path");
}

/// The same for texts that differ from `SOURCE` in one way.
#[track_caller]
fn check_as(change: impl Fn(&str) -> Vec<u8>) {
    check(&change(SOURCE), &change(EDITED), &[]);
}

#[test]
fn line_endings() {
    check_as(|text| text.as_bytes().to_vec());
    check_as(|text| text.replace('\n', "\r\n").into_bytes());
    check_as(|text| text.replace('\n', "\r").into_bytes());
}

#[test]
fn mixed_line_endings_stay_and_new_lines_have_the_usual_one() {
    let mixed = |text: &str| {
        let text = text.replace('\n', "\r\n");
        let text = text.replace("import os\r\n", "import os\n");
        text.replace("def keep():\r\n", "def keep():\r").into_bytes()
    };
    check_as(mixed);
}

#[test]
fn marks_and_wide_encodings() {
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{}", text.replace("\"k\"", "\"k\u{e9}\u{1f600}\"")).encode_utf16().flat_map(bytes).collect()
    };
    check_as(|text| format!("\u{feff}{text}").into_bytes());
    check_as(|text| wide(text, u16::to_le_bytes));
    check_as(|text| wide(text, u16::to_be_bytes));
    check_as(|text| wide(&text.replace('\n', "\r\n"), u16::to_le_bytes));
}

#[test]
fn white_space_of_all_kinds() {
    check_as(|text| text.replace("    ", "\t").into_bytes());
    check_as(|text| text.replace("    ", "  ").into_bytes());
    check_as(|text| text.replace("\n\n\nclass", "\n\n\x0c\nclass").into_bytes());
    check_as(|text| text.replace("\"k\"", "\"k\u{2028}l\u{85}m\u{b}\"").into_bytes());
    check_as(|text| text.trim_end().as_bytes().to_vec());
    check_as(|text| text.replace("import os\n", "import os   \n  \t \n").into_bytes());
    check_as(|text| text.replace('\n', "\r").trim_end().as_bytes().to_vec());
}

/// UTF-16 without a mark reads as UTF-8 with NULs; edited as that, all behind the edit would be shifted by a byte.
#[test]
fn text_with_nul_is_refused_as_binary() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let cases = [
        ("wide.py", wide("y = 1\n")),
        ("wide_big.py", "y = 1\n".encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ("nul.py", SOURCE.replace("import os", "import os  # \0 here").into_bytes()),
        ("late.py", [b"y = 1\n".repeat(20_000), b"\0".to_vec()].concat()),
        ("elf.py", b"\x7fELF\0\0\0".to_vec()),
    ];
    let place = Place::new();
    put(&place, "sound.py", b"y = 1\n");
    for (name, bytes) in &cases {
        put(&place, name, bytes);
        for encoding in [&[][..], &["--encoding", "utf-8"], &["--encoding", "latin-1"]] {
            let edit = ["modify", name, "sub", "module", "y", "z", "--write", "--json"];
            let refused = place.run(&[&edit[..], encoding].concat()).expect(2);
            assert_eq!(refused.error(), "unsupported_encoding", "{name} {encoding:?}");
        }
    }
    let rewritten = place.run(&["rewrite", "-p", "y = $A", "z = $A", ".", "--write", "--json"]).expect(0).json();
    let skipped: Vec<&str> = rewritten["skipped"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["error"]["message"].as_str())
        .collect();
    assert_eq!(skipped.len(), cases.len());
    assert!(skipped.iter().all(|why| why.starts_with("binary")), "{skipped:?}");
    assert_eq!(rewritten["skipped"][0]["error"]["code"], "unsupported_encoding");
    assert_eq!(place.read("sound.py"), "z = 1\n");
    for (name, bytes) in &cases {
        assert_eq!(&std::fs::read(place.path(name)).expect("the file is there"), bytes, "{name}");
    }
    place.run(&["modify", "wide.py", "sub", "module", "1", "2", "--write", "--encoding", "utf-16le"]).expect(0);
    assert_eq!(std::fs::read(place.path("wide.py")).expect("the file is there"), wide("y = 2\n"));
}

#[test]
fn five_megabytes() {
    let filler = format!("far = \"{}\"\n", "far ".repeat(250)).repeat(5_000);
    assert!(filler.len() > 5_000_000);
    let large = |text: &str| text.replace("import os\n", &format!("import os\n{filler}"));
    check_as(|text| large(text).into_bytes());
}

#[test]
fn a_hundred_thousand_parentheses() {
    let nested = format!("deep = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    check_as(|text| format!("{text}{nested}").into_bytes());
}

#[test]
fn a_declared_encoding_must_be_named_and_then_stays() {
    let latin = |text: &str| {
        let text = format!("# -*- coding: latin-1 -*-\n{}", text.replace("\"k\"", "\"k\u{e9}\""));
        text.chars().map(|character| character as u8).collect::<Vec<u8>>()
    };
    let place = Place::new();
    put(&place, "a.py", &latin(SOURCE));
    // Reading it is no reason to ask.
    let found = place.run(&["find", "string", "a.py", "--code", "--json"]).expect(0).json();
    assert!(found["matches"].to_string().contains("\\\"k\u{e9}\\\""), "{found}");
    let rewrite = ["rewrite", "string", "1", "a.py", "--write"];
    for arguments in [&["load", "a.py"][..], &rewrite, &["modify", "a.py", "delete", "class#Shop", "--write"]] {
        let error = place.run(&[arguments, &["--json"]].concat()).expect(2).json()["error"].clone();
        assert_eq!((&error["code"], &error["path"]), (&json!("unsupported_encoding"), &json!("a.py")), "{error}");
        assert!(
            error["hint"].as_str().is_some_and(|hint| hint.contains("`latin-1`") && hint.contains("`--encoding`")),
            "{error}"
        );
    }
    same(&bytes(&place, "a.py"), &latin(SOURCE), "nothing is written");
    check(&latin(SOURCE), &latin(EDITED), &["--encoding", "latin-1"]);

    // What the encoding lacks isn't written as something else.
    let replace = ["modify", "a.py", "replace", "function#keep string", "\"\u{1f600}\"", "--encoding", "latin-1"];
    let refused = place.run(&[&replace[..], &["--write", "--json"]].concat()).expect(2);
    assert_eq!(refused.error(), "unsupported_encoding");
    same(&bytes(&place, "a.py"), &latin(SOURCE), "nothing is written");
}

#[test]
fn an_encoding_that_is_named_is_that_of_files_without_a_mark() {
    let place = Place::new();
    put(&place, "marked.py", "\u{feff}x = \"\u{e9}\"\n".as_bytes());
    put(&place, "plain.py", b"x = \"\xe9\"\n");
    for targets in [&["."][..], &["marked.py", "plain.py"]] {
        let found = place.run(&[&["find", "string", "--encoding", "latin-1", "--code", "--json"], targets].concat());
        let found = found.expect(0).json();
        let codes: Vec<&str> =
            found["matches"].as_array().into_iter().flatten().filter_map(|row| row["code"].as_str()).collect();
        assert_eq!(codes, ["\"\u{e9}\"", "\"\u{e9}\""], "{found}");
    }
}

#[test]
fn an_empty_file() {
    let place = Place::new();
    put(&place, "a.py", b"");
    let tree = place.load("a.py");
    assert_eq!(place.run(&["find", "module", &tree, "--count"]).expect(0).stdout, "1\n");
    assert_eq!(place.run(&["find", "class", &tree]).expect(1).stdout, "");
    place.run(&["show", &tree]).expect(0);
    place.run(&["check", "a.py"]).expect(0);
    for arguments in [
        &["insert", "first", "module", "import os"][..],
        &["ensure-import", "import os"],
        &["replace", "module", "import os\n"],
    ] {
        put(&place, "a.py", b"");
        place.run(&[&["modify", "a.py"], arguments, &["--write"]].concat()).expect(0);
        same(&bytes(&place, "a.py"), b"import os\n", arguments[0]);
    }
    put(&place, "a.py", b"");
    place.run(&["modify", &tree, "insert", "last", "module", "x = 1"]).expect(0);
    place.run(&["save", &tree]).expect(0);
    same(&bytes(&place, "a.py"), b"x = 1\n", "as a tree");
}

#[test]
fn broken_files_are_edited_where_they_are_sound_and_only_new_errors_count() {
    let broken = |text: &str| format!("{text}\n\ndef broken(:\n    pass\n").into_bytes();
    let place = Place::new();
    put(&place, "a.py", &broken(SOURCE));
    assert_eq!(place.run(&["check", "a.py", "--json"]).expect(1).json()["files"][0]["path"], "a.py");
    let new = ["modify", "a.py", "replace", "method#find return", "return (", "--write", "--json"];
    let error = place.run(&new).expect(2).json()["error"].clone();
    assert_eq!((&error["code"], &error["line"]), (&json!("would_break_syntax"), &json!(10)), "{error}");
    same(&bytes(&place, "a.py"), &broken(SOURCE), "refused");
    check(&broken(SOURCE), &broken(EDITED), &[]);
}

/// So many levels of indentation, and in the last of them a statement.
fn levels(count: usize, last: &str) -> String {
    let ifs: String = (0..count).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
    format!("{ifs}{}{last}\n", " ".repeat(count))
}

#[test]
fn levels_of_indentation() {
    let place = Place::new();
    for (count, last) in
        [(510, "y = (1"), (510, "y = [1"), (510, "y = {1"), (510, "y = 1"), (500, "y = f'{1"), (383, "'")]
    {
        put(&place, "a.py", levels(count, last).as_bytes());
        assert_eq!(place.run(&["load", "a.py", "--json"]).expect(0).json()["trees"][0]["lines"], count + 1);
    }
    // An open string takes space in the scanner's state, which is limited.
    let open = ["\"", "f'{", "\"\"\"", "x = 'a"].map(|line| format!("{}{line}\n", " ".repeat(510)));
    let strings = format!("{}{}", levels(510, "pass"), open.concat().repeat(20));
    for deep in [levels(600, "y = ("), levels(511, "y = ("), strings] {
        put(&place, "a.py", deep.as_bytes());
        for arguments in
            [&["load", "a.py"][..], &["find", "if", "a.py"], &["modify", "a.py", "insert", "last", "module", "y"]]
        {
            assert_eq!(place.run(&[arguments, &["--json"]].concat()).expect(2).error(), "too_deep", "{arguments:?}");
        }
    }
    put(&place, "a.py", levels(510, "pass").as_bytes());
    let deeper = ["modify", "a.py", "wrap", "pass", "if y:\n $0", "--write", "--json"];
    assert_eq!(place.run(&deeper).expect(2).error(), "too_deep");
    same(&bytes(&place, "a.py"), levels(510, "pass").as_bytes(), "refused");
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_looked_at_and_kept() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    put(&place, "a.py", SOURCE.as_bytes());
    std::fs::set_permissions(place.path("a.py"), std::fs::Permissions::from_mode(0o444)).expect("the mode is set");
    let tree = place.load("a.py");
    place.run(&["find", "class", "a.py"]).expect(0);
    place.run(&["modify", &tree, "rename", "class#Shop", "Store"]).expect(0);
    assert_eq!(place.run(&["save", &tree, "--json"]).expect(2).error(), "read_only");
    assert_eq!(place.run(&["save", &tree, "--force", "--json"]).expect(2).error(), "read_only");
    let write = ["modify", "a.py", "rename", "class#Shop", "Store", "--write", "--json"];
    assert_eq!(place.run(&write).expect(2).error(), "read_only");
    same(&bytes(&place, "a.py"), SOURCE.as_bytes(), "refused");
    assert!(place.run(&["trees"]).expect(0).stdout.contains("unsaved"), "the edit is not lost");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let place = Place::new();
    place.write("inner/real.py", SOURCE);
    std::os::unix::fs::symlink("inner/real.py", place.path("a.py")).expect("a link can be made");
    let is_link = || std::fs::symlink_metadata(place.path("a.py")).is_ok_and(|facts| facts.is_symlink());
    let tree = place.load("a.py");
    place.run(&["modify", &tree, "rename", "class#Shop", "Store"]).expect(0);
    place.run(&["save", &tree]).expect(0);
    assert_eq!(place.read("inner/real.py"), SOURCE.replace("Shop", "Store"));
    assert!(is_link());
    place.run(&["modify", "a.py", "rename", "class#Store", "Shop", "--write"]).expect(0);
    assert_eq!(place.read("inner/real.py"), SOURCE);
    assert!(is_link());
}

/// Makes a FIFO; whether there are such.
fn make_fifo(path: &Path) -> bool {
    let made = Command::new("mkfifo").arg(path).stderr(Stdio::null()).status();
    made.is_ok_and(|status| status.success())
}

#[test]
fn what_is_no_file() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder.py")).expect("a folder can be made");
    put(&place, "large.py", &b"x = 1\n".repeat(100));
    let refused = |target: &str, code: &str, more: &[&str]| {
        let commands =
            [vec!["load", target], vec!["show", target], vec!["modify", target, "insert", "last", "module", "y"]];
        for arguments in commands {
            let error = place.run(&[&arguments[..], more, &["--json"]].concat()).expect(2).json()["error"].clone();
            assert_eq!((&error["code"], &error["written"]), (&json!(code), &json!(false)), "{arguments:?}");
            assert_eq!(error["path"], target, "{arguments:?}");
        }
    };
    refused("folder.py", "bad_request", &[]);
    refused("missing.py", "not_found", &[]);
    refused("large.py", "too_large", &["--max-size", "599"]);
    let found = ["find", "module", "large.py", "--json", "--max-size"];
    assert_eq!(place.run(&[&found[..], &["599"]].concat()).expect(2).error(), "too_large");
    place.run(&[&found[..], &["600"]].concat()).expect(0);
    if make_fifo(&place.path("pipe.py")) {
        refused("pipe.py", "bad_request", &[]);
        assert_eq!(place.run(&["find", "module", "pipe.py", "--json"]).expect(2).error(), "bad_request");
    }
    if Path::new("/dev/null").exists() {
        refused("/dev/null", "bad_request", &["--language", "python"]);
    }
}

#[test]
fn a_search_goes_on_and_names_the_trouble() {
    let place = Place::new();
    let texts: [(&str, Vec<u8>); 8] = [
        ("cr.py", SOURCE.replace('\n', "\r").into_bytes()),
        ("crlf.py", SOURCE.replace('\n', "\r\n").into_bytes()),
        ("declared.py", [b"# coding: latin-1 \xe9\n", SOURCE.as_bytes()].concat()),
        ("empty.py", Vec::new()),
        ("mark.py", format!("\u{feff}{SOURCE}").into_bytes()),
        ("nested.py", format!("{SOURCE}x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000)).into_bytes()),
        ("open.py", SOURCE.trim_end().as_bytes().to_vec()),
        ("wide.py", format!("\u{feff}{SOURCE}").encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ];
    for (name, bytes) in &texts {
        put(&place, name, bytes);
    }
    put(&place, "broken.py", format!("{SOURCE}\n\ndef broken(:\n    pass\n").as_bytes());
    put(&place, "deep.py", levels(600, "y = (").as_bytes());
    put(&place, "large.py", &b"#\n".repeat(200_000));
    put(&place, "latin.py", b"class Caf\xe9: pass\n");
    put(&place, "nul.py", SOURCE.replace("os", "os  # \0").as_bytes());
    put(&place, "notes.xyz", b"class Shop: pass\n");
    make_fifo(&place.path("pipe.py"));
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.py", place.path("dangling.py")).expect("a link can be made");

    let skipped = [
        ("deep.py", "too_deep"),
        ("large.py", "too_large"),
        ("latin.py", "unsupported_encoding"),
        ("nul.py", "unsupported_encoding"),
    ];
    let named = |answer: &Value| {
        let listed = answer.as_array().into_iter().flatten();
        let row = |row: &Value| {
            let word = |word: &Value| word.as_str().unwrap_or_default().to_owned();
            (word(&row["path"]), word(&row["error"]["code"]))
        };
        let found: Vec<(String, String)> = listed.map(row).collect();
        let expected: Vec<(String, String)> =
            skipped.iter().map(|(path, why)| ((*path).to_owned(), (*why).to_owned())).collect();
        assert_eq!(found, expected);
    };
    let found =
        place.run(&["find", "method#gone", "--no-prefilter", "--json", "--max-size", "300000"]).expect(2).json();
    let matched: Vec<&str> =
        found["matches"].as_array().into_iter().flatten().filter_map(|row| row["path"].as_str()).collect();
    let sound = texts.iter().map(|(name, _)| *name).filter(|name| *name != "empty.py");
    assert_eq!(matched, ["broken.py"].into_iter().chain(sound).collect::<Vec<_>>());
    let files = &found["files"];
    assert_eq!(
        (&files["searched"], &files["matched"], &files["with_errors"]),
        (&json!(9), &json!(8), &json!(["broken.py"]))
    );
    named(&files["skipped"]);
    let shown = place.run(&["find", "method#gone", "--no-prefilter", "--max-size", "300000"]).expect(2);
    assert!(
        shown.stderr.contains("8 matches in 8 of 9 files; 1 file in an unrecognised language\n"),
        "{}",
        shown.stderr
    );
    for line in [
        "error: deep.py: ",
        "large.py: skipped: ",
        "skipped 2 files, binary or in an unknown encoding: latin.py, nul.py",
    ] {
        assert!(shown.stderr.lines().any(|said| said.starts_with(line)), "{}", shown.stderr);
    }

    let checked = place.run(&["check", "--json", "--max-size", "300000"]).expect(2).json();
    assert_eq!((&checked["checked"], &checked["files"][0]["path"]), (&json!(9), &json!("broken.py")));
    assert_eq!(checked["files"].as_array().map(Vec::len), Some(1));
    named(&checked["skipped"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_left_out_where_that_is_allowed() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let (old, new) = ("f(1)\n", "g(1)\n");
    place.write("a.py", old);
    place.write("closed/b.py", old);
    let mode = |bits| {
        let mode = std::fs::Permissions::from_mode(bits);
        std::fs::set_permissions(place.path("closed"), mode).expect("the mode is set");
    };
    mode(0o555);
    // The administrator may write everywhere.
    let is_open = std::fs::write(place.path("closed/trial"), "").is_ok();
    let rewrite = ["rewrite", "-p", "f($A)", "g($A)", "a.py", "closed/b.py", "--write"];
    if !is_open {
        place.run(&rewrite).expect(2);
        assert_eq!(place.read("a.py"), old, "all or none");
    }
    let run = place.run(&[&rewrite[..], &["--on-error", "skip"]].concat()).expect(0);
    mode(0o755);
    assert_eq!(place.read("a.py"), new);
    assert_eq!(place.read("closed/b.py"), if is_open { new } else { old });
    assert_eq!(run.stderr.contains("closed/b.py: left out: read_only"), !is_open, "{}", run.stderr);
}

#[test]
fn an_export_is_written_where_it_is_meant_to_be() {
    let place = Place::new();
    place.write("a.py", "def f():\n    pass\n");
    let export = |format: &str, output: &str| place.run(&["index", "--export", format, "--output", output, "."]);
    for format in ["scip", "tags", "jsonl"] {
        let run = export(format, "a.py").expect(2);
        assert!(run.stderr.contains("`a.py` is source code"), "{}", run.stderr);
        assert_eq!(place.read("a.py"), "def f():\n    pass\n");
    }
    export("jsonl", ".").expect(2);
    // An older export is replaced, whatever it is called.
    export("jsonl", "out.json").expect(0);
    let first = place.read("out.json");
    place.write("b.py", "def g():\n    pass\n");
    export("jsonl", "out.json").expect(0);
    assert!(place.read("out.json").len() > first.len());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("real.scip", place.path("link.scip")).expect("a link can be made");
        place.write("real.scip", "old");
        export("scip", "link.scip").expect(0);
        assert!(std::fs::symlink_metadata(place.path("link.scip")).is_ok_and(|facts| facts.is_symlink()));
        assert!(bytes(&place, "real.scip").len() > 10);
        assert!(export("tags", "/dev/stdout").expect(0).stdout.starts_with("!_TAG_FILE_FORMAT"));
        assert!(std::fs::metadata("/dev/null").is_ok_and(|facts| !facts.is_file()));
        export("tags", "/dev/null").expect(0);
        assert!(std::fs::metadata("/dev/null").is_ok_and(|facts| !facts.is_file()), "it is still a device");
    }
}

#[test]
fn each_answer_over_a_folder_says_what_it_did_not_look_at() {
    let place = Place::new();
    place.write("a.py", "f(1)\n");
    place.write("broken.py", "f(1)\ndef (\n");
    place.write("notes.xyz", "f(1)\n");
    put(&place, "latin.py", b"x = '\xe9'\nf(1)\n");
    place.write("s.toml", "name = \"s\"\nlanguage = \"python\"\n\n[[step]]\nselect = \"call\"\nreplace = \"g()\"\n");
    for words in [
        &["find", "call", "."][..],
        &["show", ".", "call"],
        &["explain", "call", "."],
        &["rewrite", "call", "g()", "."],
        &["run", "s.toml", "."],
    ] {
        let run = place.run(words);
        let said = &run.stderr;
        assert!(said.contains("file in an unrecognised language"), "{words:?}: {said}");
        assert!(said.contains("broken.py") && said.contains("syntax errors"), "{words:?}: {said}");
        assert!(said.contains("latin.py"), "{words:?}: {said}");
        let json = place.run(&[words, &["--json"]].concat()).json();
        let files = if json["files"].is_object() { &json["files"] } else { &json };
        assert_eq!(files["unknown_language"], 1, "{words:?}: {json}");
        assert_eq!(files["with_errors"], json!(["broken.py"]), "{words:?}: {json}");
    }
    assert_eq!(place.run(&["show", "gone.py", "a.py"]).status, 2, "a file that was named is missing");
}
