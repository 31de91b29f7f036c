//! `rewrite` over files: the awkward ones, all or none, undo, asking, repeating.

use serde_json::json;

use super::cli::Place;

fn put(place: &Place, name: &str, bytes: &[u8]) {
    std::fs::write(place.path(name), bytes).expect("the file can be written");
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    std::fs::read(place.path(name)).expect("the file can be read")
}

/// Rewrites `old(…)` to `new_name(…)`, and to `new_name(…) + 1`, which is parsed again; nothing else may change.
#[track_caller]
fn check(before: &[u8]) {
    let old = b"old(";
    let mut after = Vec::new();
    let mut rest = before;
    while let Some(at) = rest.windows(old.len()).position(|window| window == old) {
        after.extend_from_slice(&rest[..at]);
        after.extend_from_slice(b"new_name(");
        rest = &rest[at + old.len()..];
    }
    after.extend_from_slice(rest);
    let place = Place::new();
    put(&place, "a.py", before);
    let words = ["rewrite", "-p", "old($$$A)", "new_name($$$A)", "."];
    let preview = place.run(&words).expect(0);
    assert!(preview.stdout.starts_with("--- a/a.py\n"), "{}", preview.stdout);
    assert_eq!(bytes(&place, "a.py"), before, "nothing is written without being asked for");
    let written = place.run(&[&words[..], &["--write", "--json"]].concat()).expect(0).json();
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string().chars().take(2_000).collect::<String>();
    assert!(bytes(&place, "a.py") == after, "\n   found {}\nexpected {}", shown(&bytes(&place, "a.py")), shown(&after));
    place.run(&words).expect(1);
    let transaction = written["transaction"].as_str().expect("what is written is a transaction");
    place.run(&["undo", "--transaction", transaction]).expect(0);
    assert_eq!(bytes(&place, "a.py"), before, "undone");
    place.run(&["rewrite", "-p", "old($$$A)", "new_name($$$A).x", ".", "--write"]).expect(0);
    place.run(&["rewrite", "-p", "new_name($$$A).x", "old($$$A)", ".", "--write"]).expect(0);
    assert!(bytes(&place, "a.py") == before, "there and back\n{}", shown(&bytes(&place, "a.py")));
}

#[test]
fn awkward_files() {
    check(b"x = old(1)\r\ny = [\r\n  old(2, # c\r\n    3),\r\n]\r\n");
    check(b"x = old(1)\ry = old(2)\r");
    check(b"x = old(1)\r\ny = 2\nz = old(3)\r");
    check(b"\xef\xbb\xbfx = old(1)\n");
    check(b"def f():\n\told(1)\n\tif x:\n\t\told(\n\t\t\t2)\n");
    check(b"x = 1\n\x0c\nold(x)\n");
    check("s = 'a\u{2028}b'\nold('\u{85}', s)\n".as_bytes());
    check("# \u{1f600} e\u{301}\nold('\u{1f600}', gr\u{f6}\u{df}e)\n".as_bytes());
    check(b"old(1)");
    check(b"old(1)   \n\n\n  \n");
    check(b"x = old(1); y = old(2); old(3)\n");
    check(b"def f(): return old(1)\n");
    check(b"if a: old(1)\nelif old(2): pass\nelse: old(3)\n");
    check(b"@old(1)\ndef f(): pass\n");
    check(b"x = f'{old(1)!r:>{old(2)}} {old(f\"{old(3)}\")}'\n");
    check(b"old(\"\"\"a\n  b\n\"\"\", r'\\n', b'x')\n");
    check(b"old(  )\nold(1,)\nold(\n  1,\n  2,\n)\n");
    check(b"x = old(1) \\\n  + old(2)\n");
    check(b"x = (old(1)\n)\nbroken = = 1\ny = old(2)\n");
    check(format!("x = {}1{}\n", "old(".repeat(200), ")".repeat(200)).as_bytes());
    check(format!("x = [{}]\n", "old(1), ".repeat(3_000)).as_bytes());
    check(b"# -*- coding: latin-1 -*-\nold('caf\xe9', gr\xf6sse)\n");
    check(b"# coding: koi8-r\nold('\xf0\xd2\xc9')\n");
}

#[test]
fn utf_16_stays_what_it_is() {
    let wide = |text: &str| {
        let mut bytes = vec![0xff, 0xfe];
        text.encode_utf16().for_each(|unit| bytes.extend(unit.to_le_bytes()));
        bytes
    };
    let place = Place::new();
    put(&place, "a.py", &wide("x = old('\u{1f600}')\r\n"));
    place.run(&["rewrite", "-p", "old($X)", "new_name($X)", ".", "--write"]).expect(0);
    assert_eq!(bytes(&place, "a.py"), wide("x = new_name('\u{1f600}')\r\n"));
}

#[test]
fn all_files_or_none() {
    let place = Place::new();
    place.write("good.py", "eq(a, b)\n");
    place.write("bad.py", "x = eq(a, b)\n");
    let words = ["rewrite", "-p", "eq($A, $B)", "assert $A == $B", "."];
    let refused = place.run(&[&words[..], &["--write"]].concat()).expect(2);
    assert!(refused.stderr.contains("not applied") && refused.stderr.contains("bad.py:1"), "{}", refused.stderr);
    assert_eq!(bytes(&place, "good.py"), b"eq(a, b)\n");
    let skipped = place.run(&[&words[..], &["--write", "--on-error", "skip"]].concat()).expect(0);
    assert!(skipped.stderr.contains("bad.py:1: left out: would_break_syntax"), "{}", skipped.stderr);
    assert_eq!(bytes(&place, "good.py"), b"assert a == b\n");
    assert_eq!(bytes(&place, "bad.py"), b"x = eq(a, b)\n");
}

#[test]
fn another_number_than_expected_is_refused() {
    let place = Place::new();
    place.write("a.py", "f(1)\nf(2)\n");
    let words = ["rewrite", "-p", "f($X)", "g($X)", ".", "--write", "--expect"];
    let refused = place.run(&[&words[..], &["3", "--json"]].concat()).expect(2).json();
    assert_eq!((&refused["error"]["code"], &refused["error"]["written"]), (&json!("expect_count"), &json!(false)));
    assert_eq!(bytes(&place, "a.py"), b"f(1)\nf(2)\n");
    place.run(&[&words[..], &["2"]].concat()).expect(0);
    assert_eq!(bytes(&place, "a.py"), b"g(1)\ng(2)\n");
}

#[test]
fn each_match_is_asked_about() {
    let place = Place::new();
    place.write("a.py", "f(1)\nf(2)\nf(3)\n");
    place.write("b.py", "f(4)\nf(5)\n");
    let words = ["rewrite", "-p", "f($X)", "g($X)", ".", "--interactive", "--write"];
    let asked = place.feed(&words, "y\nn\n?\ny\na\n").expect(0);
    assert!(asked.stderr.contains("a.py:2  2/3  rewrite? [y/n/a/q/?]"), "{}", asked.stderr);
    assert_eq!(bytes(&place, "a.py"), b"g(1)\nf(2)\ng(3)\n");
    assert_eq!(bytes(&place, "b.py"), b"g(4)\ng(5)\n");
    place.write("a.py", "f(1)\nf(2)\n");
    place.feed(&words, "q\n").expect(1);
    assert_eq!(bytes(&place, "a.py"), b"f(1)\nf(2)\n");
}

#[test]
fn it_is_repeated_until_nothing_changes() {
    let place = Place::new();
    place.write("a.py", "x = ((((1))))\n");
    place.run(&["rewrite", "-p", "(($X))", "($X)", ".", "--until-stable", "--write"]).expect(0);
    assert_eq!(bytes(&place, "a.py"), b"x = (1)\n");
    place.write("a.py", "a = b\n");
    let endless = place.run(&["rewrite", "-p", "$A = $B", "$B = $A", ".", "--until-stable"]).expect(2);
    assert!(endless.stderr.contains("it never ends"), "{}", endless.stderr);
    let growing = place.run(&["rewrite", "-p", "b", "b.c", ".", "--until-stable"]).expect(2);
    assert!(growing.stderr.contains("still changes the text after 100 passes"), "{}", growing.stderr);
}

#[test]
fn a_held_tree_takes_it_as_its_next_revision() {
    let place = Place::new();
    place.write("a.py", "f(1)\nx = f(y)\n");
    let loaded = place.run(&["load", "a.py", "--json"]).expect(0).json();
    let tree = loaded["trees"][0]["tree_id"].as_str().expect("a tree has an id").to_owned();
    let name = place.run(&["find", "identifier[text=\"y\"]", &tree, "--json"]).expect(0).json();
    let staged = place.run(&["rewrite", "-p", "f($X)", "h($X).k", &tree, "--json"]).expect(0).json();
    assert_eq!(staged["files"][0]["revision"], json!(1));
    let again = place.run(&["find", "identifier[text=\"y\"]", &tree, "--json"]).expect(0).json();
    assert_eq!(again["matches"][0]["node_id"], name["matches"][0]["node_id"], "what a hole holds keeps its id");
    place.run(&["save", &tree]).expect(0);
    assert_eq!(bytes(&place, "a.py"), b"h(1).k\nx = h(y).k\n");
}

#[test]
fn mistakes_are_told() {
    let place = Place::new();
    place.write("a.py", "f(1)\n");
    let said = |words: &[&str]| place.run(&[&["rewrite"], words].concat()).expect(2).stderr;
    assert!(said(&["-p", "f($X)", "g($Y)", "."]).contains("captured are: `$X`"));
    assert!(said(&["-p", "f($X", "g($X)", "."]).contains("the pattern is not code in python"));
    assert!(said(&["-p", "f($x)", "g($x)", "."]).contains("a hole's name is in capitals: `$X`"));
    assert!(said(&["call#f"]).contains("the template is missing"));
    assert!(said(&["-p", "f($X)", "${X|loud}", "."]).contains("unknown filter `loud`"));
}

/// The check complains about the new name; `--allow syntax`, which its error recommends, skips the check.
#[test]
fn a_check_can_be_left_out_as_its_error_says() {
    let place = super::cli::Place::new();
    place.write("a.py", "old(1)\n");
    place.configure("cst/config.toml", "[check]\npython = \"sh -c 'grep new; test $? = 1'\"\n");
    let rewrite = ["rewrite", "-p", "old($A)", "new($A)", ".", "--write", "--json"];
    let refused = place.run(&rewrite).expect(2);
    assert_eq!(refused.error(), "would_break_syntax");
    assert!(refused.stdout.contains("allow"), "{}", refused.stdout);
    assert_eq!(place.read("a.py"), "old(1)\n");
    place.run(&[&rewrite[..], &["--allow", "syntax"]].concat()).expect(0);
    assert_eq!(place.read("a.py"), "new(1)\n");
}

#[test]
fn code_in_strings_has_their_quotes_if_the_project_is_for_such_versions() {
    let portable = "x = f'{d[\"k\"]}'\n";
    let nested = "x = f\"{d[\"k\"]}\"\n";
    for (file, text, expected) in [
        ("README", "", portable),
        ("pyproject.toml", "[project]\nname = \"a\"\nrequires-python = \">=3.12\"\n", nested),
        ("pyproject.toml", "[project]\nrequires-python = \">= 3.13, < 4\"\n", nested),
        ("pyproject.toml", "[project]\nrequires-python = \"~=3.12.1\"\n", nested),
        ("pyproject.toml", "[project]\nrequires-python = \"==3.12.*\"\n", nested),
        ("pyproject.toml", "[project]\nrequires-python = \"<4,!=3.12.0,>=3.12\"\n", nested),
        ("pyproject.toml", "[project]\nrequires-python = \">=3.11\"\n", portable),
        ("pyproject.toml", "[project]\nrequires-python = \">=3.9,!=3.13.*\"\n", portable),
        ("pyproject.toml", "[project]\nrequires-python = \"<3.14\"\n", portable),
        ("pyproject.toml", "[project]\nrequires-python = \">=3\"\n", portable),
        ("pyproject.toml", "[project]\nrequires-python = \"\"\n", portable),
        ("pyproject.toml", "[project]\nname = \"a\"\n", portable),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.12\"\n", nested),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = \">=3.12 <3.14\"\n", nested),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = { version = \"3.13\" }\n", nested),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.12 || ~3.9\"\n", portable),
        ("setup.cfg", "[options]\npython_requires = >=3.12\n", nested),
        ("setup.cfg", "[options]\npython_requires =\n    >=3.12\n    <4\n", nested),
        ("setup.cfg", "[options]\npython_requires = >=3.8\n", portable),
    ] {
        let place = Place::new();
        place.write(file, text);
        place.write("src/a/b.py", "x = \"{}\".format(d[\"k\"])\n");
        let words = ["rewrite", "-p", "\"{}\".format($A)", "f\"{$A}\"", "src", "--write"];
        place.run(&words).expect(0);
        assert_eq!(place.read("src/a/b.py"), expected, "{file}: {text}");
    }
    // The nearest file counts that says something; a backslash is refused where it is not sure to be read.
    let place = Place::new();
    place.write(".git/HEAD", "");
    let source = "x = \"{}\".format(\"\\n\".join(a))\n";
    place.write("pyproject.toml", "[project]\nrequires-python = \">=3.12\"\n");
    place.write("new/pyproject.toml", "[tool.black]\nline-length = 100\n");
    place.write("new/a.py", source);
    place.write("old/pyproject.toml", "[project]\nrequires-python = \">=3.8\"\n");
    place.write("old/a.py", source);
    let words = ["rewrite", "-p", "\"{}\".format($A)", "f\"{$A}\""];
    let refused = place.run(&[&words[..], &["old/a.py"]].concat()).expect(2);
    assert!(refused.stderr.contains("from 3.12 on"), "{}", refused.stderr);
    place.run(&[&words[..], &["new/a.py", "--write"]].concat()).expect(0);
    assert_eq!(place.read("new/a.py"), "x = f\"{\"\\n\".join(a)}\"\n");
    // So do scripts.
    place.write("new/a.py", source);
    place.write(
        "s.toml",
        "name = \"s\"\n[[step]]\nselect = ':like(\"\\\"{}\\\".format($A)\")'\nreplace = 'f\"{$A}\"'\n",
    );
    place.run(&["run", "s.toml", "old/a.py"]).expect(2);
    place.run(&["run", "s.toml", "new/a.py", "--write"]).expect(0);
    assert_eq!(place.read("new/a.py"), "x = f\"{\"\\n\".join(a)}\"\n");
}
