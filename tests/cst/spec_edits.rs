//! What the pages promise of trees, edits and the command line's JSON, sentence by sentence, as far as no other file shows it.

use serde_json::{Value, json};

use super::cli::{Place, Run};

const APP: &str = "\
import os


class Server:
    # about handle
    @trace
    async def handle(self, request: Request) -> Response:
        return self.get(request)

    def get(self, key):
        return 1


def free(): pass
";

fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place
}

/// Checks that these fields occur in this order; others may be in between.
#[track_caller]
fn ordered(text: &str, fields: &[&str]) {
    let mut rest = text;
    for field in fields {
        let name = format!("\"{field}\":");
        let Some(at) = rest.find(&name) else { panic!("no {name} where it should be in {text}") };
        rest = &rest[at + name.len()..];
    }
}

/// The ids and qualnames of what a selector finds.
fn ids(place: &Place, selector: &str, target: &str) -> Vec<(String, String)> {
    let found = place.run(&["find", selector, target, "--json"]).expect(0).json();
    let word = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    found["matches"].as_array().into_iter().flatten().map(|row| (word(row, "node_id"), word(row, "qualname"))).collect()
}

/// One operation as JSON on a file; what the file is then.
#[track_caller]
fn edited(source: &str, operation: &Value) -> (String, Value) {
    let place = Place::new();
    place.write("a.py", source);
    let run = place.feed(&["modify", "a.py", "--ops", "-", "--write", "--json"], &operation.to_string());
    // An edit that changes nothing ends with 1.
    assert!(run.status <= 1, "{}", run.stdout);
    (place.read("a.py"), run.json())
}

#[track_caller]
fn check(source: &str, operation: &Value, expected: &str) {
    assert_eq!(edited(source, operation).0, expected, "{operation}");
}

mod shapes {
    use super::{Run, json, ordered, place};

    #[test]
    fn of_find() {
        let place = place();
        let tree = place.load("app.py");
        let found = place.run(&["find", "class@c > method#get", &tree, "--json", "--code"]).expect(0);
        assert!(found.stdout.starts_with("{\"schema\":1,\"tree_id\":"), "{}", found.stdout);
        ordered(
            &found.stdout,
            &[
                "tree_id",
                "revision",
                "matches",
                "node_id",
                "path",
                "type",
                "kind",
                "name",
                "qualname",
                "start_line",
                "start_col",
                "end_line",
                "end_col",
                "start_byte",
                "end_byte",
                "captures",
                "c",
                "node_id",
                "text",
                "code",
                "total",
                "truncated",
                "files",
                "searched",
                "matched",
                "with_errors",
                "skipped",
            ],
        );
        let row = found.json()["matches"][0].clone();
        let places = ["start_line", "start_col", "end_line", "end_col"].map(|field| row[field].as_u64());
        assert_eq!(places, [Some(10), Some(5), Some(11), Some(17)]);
        // Over folders an id is for those who ask.
        let over = place.run(&["find", "method#get", ".", "--json"]).expect(0).json();
        assert!(over["matches"][0].get("node_id").is_none() && over.get("tree_id").is_none(), "{over}");
        for target in ["app.py", &tree] {
            let row = place.run(&["find", "method#get", target, "--json"]).expect(0).json()["matches"][0].clone();
            assert!(row["node_id"].is_string() && row.get("code").is_none(), "{row}");
        }
    }

    #[test]
    fn of_modify_and_the_commands_around_it() {
        let place = place();
        let tree = place.load("app.py");
        let words = ["modify", &tree, "replace", "method#get", "def get(self):\n    return 2", "--json"];
        let quiet = place.run(&words).expect(0);
        assert!(quiet.json().get("diff").is_none());
        let all = [
            "tree_id",
            "revision",
            "applied",
            "written",
            "operations",
            "op",
            "target",
            "nodes",
            "node_id",
            "kind",
            "qualname",
            "start_line",
            "end_line",
            "removed",
            "changed_ranges",
            "start_line",
            "end_line",
            "diff",
        ];
        ordered(&quiet.stdout, &all[..all.len() - 1]);
        let other = ["modify", &tree, "replace", "method#get", "def get(self):\n    return 3", "--json", "--diff"];
        ordered(&place.run(&other).expect(0).stdout, &all);
        let undone = place.run(&["undo", &tree, "--json"]).expect(0);
        ordered(
            &undone.stdout,
            &["tree_id", "revision", "applied", "written", "operations", "removed", "changed_ranges"],
        );
        ordered(&place.run(&["redo", &tree, "--json"]).expect(0).stdout, &["tree_id", "revision", "written"]);
        ordered(&place.run(&["diff", &tree, "--json"]).expect(0).stdout, &["trees", "tree_id", "path", "diff"]);
        let listed = place.run(&["trees", "--json"]).expect(0);
        ordered(&listed.stdout, &["trees", "tree_id", "path", "language", "revision", "unsaved", "used"]);
        let saved = place.run(&["save", &tree, "--backup", "--json"]).expect(0);
        ordered(&saved.stdout, &["saved", "tree_id", "path", "written", "bytes", "backup", "transaction"]);
        let again = place.run(&["save", &tree, "--json"]).expect(0).json();
        assert_eq!(again["saved"][0]["written"], false, "there is nothing to write");
        assert_eq!(place.run(&["drop", &tree, "--json"]).expect(0).json(), json!({"schema": 1, "dropped": [tree]}));
    }

    #[test]
    fn of_looking() {
        let place = place();
        let loaded = place.run(&["load", "app.py", "--json", "--outline"]).expect(0);
        ordered(
            &loaded.stdout,
            &["trees", "tree_id", "path", "language", "revision", "lines", "nodes", "errors", "outline"],
        );
        let shown = place.run(&["show", "app.py", "method#get", "--json", "--parents", "--children"]).expect(0);
        ordered(&shown.stdout, &["revision", "nodes", "node_id", "type", "code", "parents", "children", "truncated"]);
        let signature = place.run(&["show", "app.py", "method#handle", "--json", "--as", "signature"]).expect(0).json();
        assert_eq!(signature["nodes"][0]["signature"], "async def handle(self, request: Request) -> Response");
        let outlined = place.run(&["outline", "app.py", "--json"]).expect(0);
        ordered(
            &outlined.stdout,
            &[
                "files",
                "path",
                "language",
                "lines",
                "errors",
                "definitions",
                "node_id",
                "name",
                "kind",
                "qualname",
                "signature",
                "start_line",
                "end_line",
                "depth",
                "truncated",
                "more_files",
            ],
        );
        place.write("bad.py", "def f():\n    return (1\n");
        let checked = place.run(&["check", "bad.py", "--json"]).expect(1);
        ordered(
            &checked.stdout,
            &["files", "path", "errors", "line", "col", "start_byte", "end_byte", "kind", "what", "in", "total"],
        );
        let explained = place.run(&["explain", "class > method#git", "app.py", "--json"]).expect(0);
        ordered(&explained.stdout, &["read_as", "steps", "step", "nodes", "near", "words"]);
    }

    #[test]
    fn of_errors() {
        let place = place();
        let check = |run: Run, code: &str| {
            let run = run.expect(2);
            let error = run.json()["error"].clone();
            assert_eq!(error["code"], code, "{error}");
            assert_eq!(error["written"], false);
            assert_eq!(run.json().as_object().map(serde_json::Map::len), Some(2));
            assert_eq!(run.stderr, "", "with --json it is on standard output");
            run.stdout
        };
        let modify = |words: &[&str]| place.run(&[&["modify", "app.py"], words, &["--json"]].concat());
        let broken = check(modify(&["replace", "method#get return", "return ("]), "would_break_syntax");
        ordered(&broken, &["error", "code", "message", "hint", "path", "line", "operation", "written"]);
        assert!(broken.contains("\"message\":\"not applied: `)` expected"), "{broken}");
        let ambiguous = check(modify(&["delete", "method"]), "ambiguous");
        ordered(&ambiguous, &["code", "message", "path", "operation", "candidates", "node_id", "qualname", "written"]);
        check(modify(&["delete", "function#nope"]), "no_match");
        check(modify(&["delete", "n4711"]), "unknown_node");
        check(modify(&["rename", "method#get", "a b"]), "bad_request");
        check(modify(&["replace", "method#get > identifier#get@n", "${m|snake}"]), "bad_request");
        check(modify(&["replace", "method#get > identifier#get@n", "${n|snaky}"]), "bad_request");
        let selector = |selector: &str| place.run(&["find", selector, "app.py", "--json"]);
        check(selector("class >"), "selector_syntax");
        check(selector("fucntion"), "unknown_type");
        check(selector("class[nmae=x]"), "unknown_attribute");
        check(selector("class:frist"), "unknown_pseudo");
        check(selector("class[name=/(/]"), "bad_regex");
        check(selector("function_definition[budy.lines>3]"), "unknown_field");
        check(place.run(&["find", "class", "app.txt", "--json"]), "not_found");
        check(place.run(&["show", "0123456789ab", "--json"]), "unknown_tree");
        place.write("app.txt", "x");
        check(place.run(&["load", "app.txt", "--json"]), "unsupported_language");
    }
}

mod trees {
    use super::{APP, ids, json, place};

    #[test]
    fn the_same_text_always_gives_the_same_ids() {
        let place = place();
        let (one, other) = (place.load("app.py"), place.load("app.py"));
        assert!(one < other, "they sort by age");
        let all = ids(&place, "*", "app.py");
        assert!(all.len() > 30);
        for tree in [&one, &other] {
            assert_eq!(ids(&place, "*", tree), all);
        }
        let numbers: Vec<u32> = all.iter().filter_map(|(id, _)| id[1..].parse().ok()).collect();
        assert!(numbers.len() == all.len() && numbers.is_sorted(), "in document order");
    }

    #[test]
    fn a_node_that_is_left_alone_keeps_its_id_wherever_it_moves() {
        let place = place();
        let tree = place.load("app.py");
        let before = ids(&place, "method#get", &tree);
        let modify = |words: &[&str]| place.run(&[&["modify", &tree], words].concat()).expect(0);
        modify(&["insert", "first", "module", "import sys"]);
        modify(&["wrap", "class#Server", "if sys:\n    $0"]);
        modify(&["move", "method#get", "before", "class#Server"]);
        modify(&["rename", "function#get", "fetch"]);
        assert_eq!(ids(&place, "function#fetch", &tree), [(before[0].0.clone(), "fetch".to_owned())]);
        place.run(&["save", &tree]).expect(0);
        assert_eq!(ids(&place, "function#fetch", &tree)[0].0, before[0].0);
    }

    #[test]
    fn looking_never_writes() {
        let place = place();
        let time = || std::fs::metadata(place.path("app.py")).and_then(|facts| facts.modified()).expect("it is there");
        let before = time();
        let tree = place.load("app.py");
        for words in [&["find", "*"][..], &["show"], &["outline"], &["check"]] {
            place.run(&[words, &["app.py"]].concat()).expect(0);
            place.run(&[words, &[&tree]].concat()).expect(0);
        }
        place.run(&["modify", "app.py", "delete", "class#Server", "--diff"]).expect(0);
        place.run(&["modify", &tree, "delete", "class#Server"]).expect(0);
        place.run(&["diff", &tree]).expect(0);
        assert_eq!((place.read("app.py").as_str(), time()), (APP, before));
    }

    #[test]
    fn an_ambiguous_selector_lists_up_to_five() {
        let place = place();
        place.write("many.py", &"def f(): pass\n".repeat(9));
        let error = place.run(&["modify", "many.py", "delete", "function", "--json"]).expect(2).json();
        assert_eq!(error["error"]["candidates"].as_array().map(Vec::len), Some(5), "{error}");
    }

    #[test]
    fn results_always_say_all_of_it() {
        let place = place();
        let tree = place.load("app.py");
        for words in [&["ensure-import", "import os"][..], &["delete", "function#free"]] {
            let done = place
                .run(&[&["modify", &tree], words, &["--json"]].concat())
                .expect(i32::from(words[0] == "ensure-import"))
                .json();
            for field in ["applied", "revision", "written", "changed_ranges", "operations", "removed"] {
                assert!(done.get(field).is_some(), "no {field} in {done}");
            }
        }
        let nothing = place.run(&["modify", &tree, "ensure-import", "import os", "--json"]).expect(1).json();
        assert_eq!((&nothing["changed_ranges"], &nothing["removed"]), (&json!([]), &json!([])));
    }
}

mod operations {
    use super::{check, edited, json};

    #[test]
    fn code_comes_in_lines_too() {
        let operation = json!({"op": "replace", "target": "pass", "code_lines": ["if x:", "    y", "z"]});
        check("def f():\n    pass\n", &operation, "def f():\n    if x:\n        y\n    z\n");
    }

    #[test]
    fn a_target_may_end_in_a_field() {
        let source = "def f(a) -> int:\n    return a\n";
        check(
            source,
            &json!({"op": "replace", "target": "n1.return_type", "code": "str"}),
            "def f(a) -> str:\n    return a\n",
        );
        check(
            source,
            &json!({"op": "replace", "target": "n1.body", "code": "x\ny"}),
            "def f(a) -> int:\n    x\n    y\n",
        );
        check(
            source,
            &json!({"op": "insert", "target": "n1.parameters", "position": "last", "code": "b=1"}),
            "def f(a, b=1) -> int:\n    return a\n",
        );
    }

    #[test]
    fn a_range_of_siblings() {
        let source = "a = 1\nb = 2\nc = 3\nd = 4\n";
        let find = |name: &str| format!("assignment:has(> identifier#{name})");
        let operation = json!({"op": "replace_range", "from": find("b"), "to": find("c"), "code": "x = 0"});
        check(source, &operation, "a = 1\nx = 0\nd = 4\n");
    }

    #[test]
    fn templates_hold_captures_changed_as_told() {
        let name = |template: &str, expected: &str| {
            let operation = json!({"op": "replace", "target": "argument_list > identifier@NAME", "code": template});
            check("f(someName)\n", &operation, &format!("f({expected})\n"));
        };
        name("$NAME", "someName");
        name("${NAME|snake}", "some_name");
        name("${NAME|camel}", "someName");
        name("${NAME|pascal}", "SomeName");
        name("${NAME|upper}", "SOMENAME");
        name("${NAME|lower}", "somename");
        name("${NAME|kebab|upper} - 1", "SOME-NAME - 1");
        name("${NAME|s/some/any/}", "anyName");
        name("g($0, $NAME)", "g(someName, someName)");
        check("f(' a ')\n", &json!({"op": "replace", "target": "string@S", "code": "${S|unquote|trim}"}), "f(a)\n");
    }

    #[test]
    fn nothing_is_dropped_silently() {
        let source = "# about\n@a\n@b(1)\ndef f():\n    pass\n";
        let (text, done) = edited(source, &json!({"op": "replace", "target": "function", "code": "def f(): return 1"}));
        assert_eq!(text, "# about\n@a\n@b(1)\ndef f(): return 1\n");
        assert!(done["operations"][0]["notes"].to_string().contains("kept the decorators"), "{done}");
        check(
            source,
            &json!({"op": "replace", "target": "function", "code": "@c\ndef f(): return 1"}),
            "# about\n@c\ndef f(): return 1\n",
        );
        check(
            "def getURLOf(a):\n    if a:\n        return a\n    return f(\n        a,\n    )\n",
            &json!({"op": "replace", "target": "function:has(> identifier@NAME) > block > if@IF", "code": "with ${NAME|snake}:\n    $IF"}),
            "def getURLOf(a):\n    with get_url_of:\n        if a:\n            return a\n    return f(\n        a,\n    )\n",
        );
        check(
            "def getURLOf(a): pass\n",
            &json!({"op": "rename", "target": "function:has(> identifier@n)", "to": "${n|snake}"}),
            "def get_url_of(a): pass\n",
        );
        check(
            "x = f(1)\n",
            &json!({"op": "wrap", "target": "assignment:has(> identifier@n)", "code": "with $n:\n    $0"}),
            "with x:\n    x = f(1)\n",
        );
        let (text, done) = edited("if a:\n    b\nelse:\n    c\n", &json!({"op": "unwrap", "target": "if"}));
        assert_eq!(text, "b\n");
        assert!(done["operations"][0]["notes"].to_string().contains("else_clause"), "{done}");
    }

    #[test]
    fn lines_around_a_body_take_all_of_it_along() {
        let body = |source: &str, target: &str, expected: &str| {
            let code = "try:\n    $0\nfinally:\n    done()";
            check(source, &json!({"op": "wrap", "target": target, "code": code}), expected);
        };
        body(
            "x = 1\nif a:\n    pass\n\n\ny = '''\nz'''\n",
            "module",
            "try:\n    x = 1\n    if a:\n        pass\n\n\n    y = '''\nz'''\nfinally:\n    done()\n",
        );
        body(
            "def f():\n    # c\n    x = 1\n    if a:\n        pass\n    # d\n\n\ng()\n",
            "function > block:first",
            "def f():\n    # c\n    try:\n        x = 1\n        if a:\n            pass\n        # d\n    finally:\n        done()\n\n\ng()\n",
        );
        body(
            "def f(): x = 1; y = 2\n",
            "block",
            "def f():\n    try:\n        x = 1; y = 2\n    finally:\n        done()\n",
        );
        body("#!/bin/sh\nx\n", "module", "#!/bin/sh\ntry:\n    x\nfinally:\n    done()\n");
    }

    #[test]
    fn what_was_made_is_named_as_people_would() {
        let made = |source: &str, code: &str, expected: [&str; 2]| {
            let operation = json!({"op": "insert", "target": "module", "position": "last", "code": code});
            let (_, done) = edited(source, &operation);
            let node = &done["operations"][0]["nodes"][0];
            assert_eq!([&node["kind"], &node["qualname"]], expected, "{done}");
            node.clone()
        };
        let node = made("x = 1\n", "@cache\ndef f():\n    pass", ["function", "f"]);
        assert_eq!((&node["start_line"], &node["end_line"]), (&json!(4), &json!(6)), "decorators are of it");
        made("x = 1\n", "y: int = 2", ["assign", "y"]);
        made("x = 1\n", "import sys", ["import", "sys"]);
    }
}

mod words {
    use super::{Place, place};

    /// The file after an operation in words.
    #[track_caller]
    fn check(source: &str, words: &[&str], expected: &str) {
        let place = Place::new();
        place.write("a.py", source);
        place.run(&[&["modify", "a.py"], words, &["--write"]].concat()).expect(0);
        assert_eq!(place.read("a.py"), expected, "{words:?}");
    }

    #[test]
    fn of_all_operations() {
        let source = "import os\n\n\ndef f(a):\n    if a:\n        return os.path\n    return f(1)\n";
        check(
            source,
            &["move", "return:last", "before", "if"],
            "import os\n\n\ndef f(a):\n    return f(1)\n    if a:\n        return os.path\n",
        );
        check(source, &["unwrap", "if"], "import os\n\n\ndef f(a):\n    return os.path\n    return f(1)\n");
        check(source, &["sub", "if", "os", "sys"], &source.replace("return os", "return sys"));
        check(source, &["sub", "if", r"(\w+)\.path", "$1.name", "--regex"], &source.replace("os.path", "os.name"));
        check(source, &["rename", "function#f", "g"], &source.replace("def f", "def g"));
        check(
            source,
            &["rename", "function#f", "g", "--references", "file"],
            &source.replace("def f", "def g").replace("f(1)", "g(1)"),
        );
        check(source, &["ensure-import", "import sys"], &source.replace("import os\n", "import os\nimport sys\n"));
        check(source, &["replace-range", "if", "return:last", "pass"], "import os\n\n\ndef f(a):\n    pass\n");
        check(source, &["delete", "function#f"], "import os\n");
    }

    #[test]
    fn gates_open_when_told() {
        check(
            "a\nb\n",
            &["replace", "expression_statement:first", "x = (", "--allow", "syntax,structure"],
            "x = (\nb\n",
        );
    }

    #[test]
    fn line_breaks_that_the_shell_kept() {
        let place = place();
        let refused =
            place.run(&["modify", "app.py", "replace", "method#get return", r"if x:\n    return 1"]).expect(2);
        assert!(refused.stderr.contains("not a line break"), "{}", refused.stderr);
        assert!(refused.stderr.contains("not applied"), "{}", refused.stderr);
    }
}
