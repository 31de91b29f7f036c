//! Requests of the engine on files in memory: JSON in, JSON out.

use std::path::PathBuf;
use std::sync::Arc;

use cst::engine::{Commands, Engine, Host, Memory, Request, Silent, SystemCommands};
use serde_json::{Value, json};

pub const APP: &str = "import os\n\nclass Server:\n    def handle(self, x):\n        return os.path.join(x)\n\n    def get(self):\n        return 1\n\n\ndef free():\n    pass\n";

/// An engine whose files are in memory, below `/p`.
pub struct Bench {
    pub files: Arc<Memory>,
    engine: Engine,
}

impl Bench {
    pub fn new(files: &[(&str, &str)]) -> Bench {
        let memory = Arc::new(Memory::default());
        for (path, source) in files {
            memory.write(format!("/p/{path}"), *source);
        }
        let engine = Engine::new(Host {
            files: memory.clone(),
            programs: Arc::new(SystemCommands),
            working_directory: PathBuf::from("/p"),
            root: None,
            state: None,
            cache: None,
            cache_limit: None,
            commands: Commands::Any,
            configuration: None,
            observer: Arc::new(Silent),
        });
        Bench { files: memory, engine }
    }

    /// Asks for something; an error is its object.
    pub fn ask(&self, method: &str, params: Value) -> Value {
        let request: Request =
            serde_json::from_value(json!({"method": method, "params": params})).expect("the request is well formed");
        match self.engine.handle(request) {
            Ok(response) => serde_json::to_value(response).expect("a response is plain data"),
            Err(error) => error.to_json(),
        }
    }

    /// Asks for what must be refused: its code and message. What is refused changes no file.
    pub fn refuse(&self, method: &str, params: Value) -> (String, String) {
        let before: Vec<_> = self.files.paths().into_iter().map(|path| (self.files.bytes(&path), path)).collect();
        let answer = self.ask(method, params);
        let after: Vec<_> = self.files.paths().into_iter().map(|path| (self.files.bytes(&path), path)).collect();
        assert_eq!(before, after, "what is refused changes no file");
        let error = &answer["error"];
        assert_eq!(error["written"], false, "{answer}");
        let word = |field: &str| error[field].as_str().unwrap_or_default().to_owned();
        (word("code"), word("message"))
    }

    /// Loads a file; the tree's id.
    pub fn load(&self, path: &str) -> String {
        let loaded = self.ask("load", json!({"paths": [path]}));
        loaded["trees"][0]["tree_id"].as_str().unwrap_or_else(|| panic!("{loaded}")).to_owned()
    }

    pub fn text(&self, path: &str) -> String {
        let bytes = self.files.bytes(format!("/p/{path}")).expect("the file is there");
        String::from_utf8(bytes).expect("the file is UTF-8")
    }

    /// The ids and qualnames that a selector finds in a tree.
    pub fn ids(&self, target: &str, selector: &str) -> Vec<(String, String)> {
        let found = self.ask("find", json!({"selector": selector, "targets": [target]}));
        let word = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let rows = found["matches"].as_array().unwrap_or_else(|| panic!("{found}"));
        rows.iter().map(|row| (word(row, "node_id"), word(row, "qualname"))).collect()
    }
}

/// Replaces the tree's id, so that answers can be compared.
fn anonymous(answer: &Value, tree: &str) -> String {
    answer.to_string().replace(tree, "T")
}

#[test]
fn load_tells_what_a_tree_is_and_no_more() {
    let bench = Bench::new(&[("app.py", "def f():\n    return 1\n"), ("bad.py", "def f(:\n    pass\n")]);
    let loaded = bench.ask("load", json!({"paths": ["app.py"]}));
    let tree = loaded["trees"][0]["tree_id"].as_str().expect("a tree");
    let expected = r#"{"trees":[{"tree_id":"T","path":"app.py","language":"python","revision":0,"lines":2,"nodes":7,"errors":[]}]}"#;
    assert_eq!(anonymous(&loaded, tree), expected);
    let bad = bench.ask("load", json!({"paths": ["bad.py"]}));
    let error = &bad["trees"][0]["errors"][0];
    assert_eq!((error["line"].as_u64(), error["kind"].is_string(), error["in"].is_string()), (Some(1), true, true));
    let outlined = bench.ask("load", json!({"text": "class A:\n    x = 1\n", "language": "python", "outline": true}));
    assert_eq!(outlined["trees"][0]["outline"][0]["qualname"], "A");
    assert!(outlined["trees"][0].get("path").is_none());
}

#[test]
fn find_answers_as_promised() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let found = bench.ask("find", json!({"selector": "class@c > function#get", "targets": [tree]}));
    let expected = r#"{"tree_id":"T","revision":0,"matches":[{"node_id":"n35","path":"app.py","type":"function_definition","kind":"method","name":"get","qualname":"Server.get","start_line":7,"start_col":5,"end_line":8,"end_col":17,"start_byte":86,"end_byte":117,"captures":{"c":{"node_id":"n5","text":"class Server:\n    def handle(self, x):\n        return os.path.join(x)\n\n    def get(self):\n        return 1"}}}],"total":1,"truncated":false,"files":{"searched":1,"matched":1,"with_errors":[],"skipped":[]}}"#;
    assert_eq!(anonymous(&found, &tree), expected);
    let coded = bench.ask("find", json!({"selector": "call", "targets": "app.py", "code": true}));
    assert_eq!(coded["matches"][0]["code"], "os.path.join(x)");
    let text = bench.ask("find", json!({"selector": "call", "targets": [{"text": "f()\n", "language": "python"}]}));
    assert_eq!((text["total"].as_u64(), text["matches"][0]["node_id"].is_string()), (Some(1), true));
}

#[test]
fn find_lists_no_more_than_asked_and_goes_on_from_there() {
    let bench = Bench::new(&[("a.py", "f()\ng()\n"), ("b.py", "h()\nk()\n")]);
    let first = bench.ask("find", json!({"selector": "call", "limit": 3}));
    assert_eq!((first["total"].as_u64(), first["truncated"].as_bool()), (Some(4), Some(true)));
    assert_eq!(first["matches"].as_array().map(Vec::len), Some(3));
    let rest = bench.ask("find", json!({"selector": "call", "limit": 3, "cursor": first["cursor"]}));
    assert_eq!(rest["matches"][0]["name"], "k");
    assert_eq!((rest["truncated"].as_bool(), rest["matches"].as_array().map(Vec::len)), (Some(false), Some(1)));
}

#[test]
fn in_a_folder_no_file_stops_the_rest() {
    let bench =
        Bench::new(&[("a.py", "f()\n"), ("sub/b.py", "f(\n"), ("notes.txt", "f()\n"), (".hidden/c.py", "f()\n")]);
    bench.files.write("/p/latin.py", b"x = '\xe9'\nf()\n".to_vec());
    bench.files.special("/p/pipe.py", "a FIFO");
    let deep: String = (0..600).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
    bench.files.write("/p/deep.py", deep);
    let found = bench.ask("find", json!({"selector": "call#f"}));
    let paths: Vec<&str> =
        found["matches"].as_array().into_iter().flatten().filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(paths, ["a.py"], "{found}");
    assert!(found["matches"][0].get("node_id").is_none(), "ids over folders are given only when asked for");
    assert_eq!(found["files"]["with_errors"], json!(["sub/b.py"]));
    let skipped: Vec<&str> = found["files"]["skipped"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["error"]["code"].as_str())
        .collect();
    assert_eq!(skipped.len(), 2, "{found}");
    assert_eq!(skipped, ["too_deep", "unsupported_encoding"]);
    assert_eq!(found["files"]["unknown_language"], 1);
    let ids =
        bench.ask("find", json!({"selector": "call#f", "ids": true, "reading": {"hidden": true, "glob": "*.py"}}));
    assert_eq!(ids["total"], 2);
    assert!(ids["matches"][0]["node_id"].is_string());
    assert_eq!(bench.ask("find", json!({"selector": "call#f", "targets": ["sub"]}))["files"]["searched"], 1);
    bench.files.write("/p/script", "#!/usr/bin/env python3\nf()\n");
    bench.files.write("/p/README", "f()\n");
    let named = bench.ask("find", json!({"selector": "call#f", "reading": {"language": "python"}}));
    assert_eq!(named["total"], 2, "a script without an extension is told by its first line: {named}");
}

#[test]
fn a_wrong_selector_is_an_error_with_its_place() {
    let bench = Bench::new(&[("app.py", APP)]);
    let answer = bench.ask("find", json!({"selector": "class > function:frist", "targets": ["app.py"]}));
    assert_eq!(answer["error"]["code"], "unknown_pseudo");
    assert_eq!(answer["error"]["span"], json!({"start": 17, "end": 22}));
    for (selector, code) in [
        ("fucntion", "unknown_type"),
        ("[nmae=\"x\"]", "unknown_attribute"),
        ("class >", "selector_syntax"),
        ("[name=/(/]", "bad_regex"),
    ] {
        assert_eq!(bench.refuse("find", json!({"selector": selector})).0, code, "{selector}");
    }
    assert_eq!(bench.refuse("find", json!({})).0, "bad_request");
    assert_eq!(bench.refuse("find", json!({"selector": "call", "pattern": "f()"})).0, "bad_request");
}

#[test]
fn one_match_may_be_required() {
    let bench = Bench::new(&[("app.py", APP)]);
    let request = |selector: &str| json!({"selector": selector, "targets": ["app.py"], "require_one": true});
    assert_eq!(bench.ask("find", request("class"))["total"], 1);
    let several = bench.ask("find", request("function"));
    assert_eq!(several["error"]["code"], "ambiguous");
    let candidates: Vec<&str> = several["error"]["candidates"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|candidate| candidate["qualname"].as_str())
        .collect();
    assert_eq!(candidates, ["Server.handle", "Server.get", "free"]);
    let none = bench.ask("find", request("class > function[name^=\"gat\"]"));
    assert_eq!(none["error"]["code"], "no_match");
    assert!(none["error"]["hint"].is_string(), "{none}");
}

#[test]
fn words_that_name_nodes() {
    let bench = Bench::new(&[("app.py", APP)]);
    let tree = bench.load("app.py");
    let show = |node: &str| bench.ask("show", json!({"target": tree, "nodes": [node]}));
    assert_eq!(show("n35")["nodes"][0]["qualname"], "Server.get");
    assert_eq!(show("function#get")["nodes"][0]["node_id"], "n35");
    assert_eq!(show("n35.name")["nodes"][0]["code"], "get");
    assert_eq!(show("n35.body")["nodes"][0]["type"], "block");
    let code = |node: &str| show(node)["error"]["code"].as_str().map(str::to_owned);
    assert_eq!(code("n35.return_type").as_deref(), Some("no_match"));
    assert_eq!(code("n35.colour").as_deref(), Some("unknown_field"));
    assert_eq!(code("n99999").as_deref(), Some("unknown_node"));
    assert_eq!(code("function").as_deref(), Some("ambiguous"));
    assert_eq!(code("lambda").as_deref(), Some("no_match"));
}

#[test]
fn ids_of_another_content_are_stale() {
    let bench = Bench::new(&[("app.py", APP)]);
    let shown = bench.ask("show", json!({"target": "app.py", "nodes": ["n35"]}));
    let hash = shown["revision"].as_str().expect("a hash").to_owned();
    assert_eq!(hash.len(), 8);
    let node = format!("n35@{hash}");
    assert_eq!(bench.ask("show", json!({"target": "app.py", "nodes": [node]}))["nodes"][0]["name"], "get");
    let tree = bench.load("app.py");
    assert_eq!(bench.ask("show", json!({"target": tree, "nodes": [node]}))["nodes"][0]["name"], "get");
    bench.files.write("/p/app.py", format!("\n{APP}"));
    assert_eq!(bench.refuse("show", json!({"target": "app.py", "nodes": [node]})).0, "stale_file");
    let delete = json!({"target": "app.py", "operations": [{"op": "delete", "target": node}], "write": true});
    let (code, message) = bench.refuse("modify", delete);
    assert_eq!(code, "stale_file");
    assert!(message.starts_with("not applied"), "{message}");
}

#[test]
fn anchors_are_checked_and_found_again_but_never_guessed() {
    let bench = Bench::new(&[("app.py", APP)]);
    let found = bench.ask("find", json!({"selector": "function#get", "targets": ["app.py"], "anchors": true}));
    let anchor = found["matches"][0]["anchor"].as_str().expect("an anchor").to_owned();
    assert_eq!(anchor, "method:Server.get:function_definition:7:5-8:17");
    let show = || bench.ask("show", json!({"target": "app.py", "nodes": [anchor]}));
    assert_eq!(show()["nodes"][0]["start_line"], 7);
    bench.files.write("/p/app.py", format!("# moved\n\n{APP}"));
    assert_eq!(show()["nodes"][0]["start_line"], 9);
    bench.files.write("/p/app.py", APP.replace("get", "fetch"));
    assert_eq!(show()["error"]["code"], "no_match");
    let twice = format!("{}\nclass Server:\n    def get(self): pass\n", APP.replace("\nclass", "\n\nclass"));
    bench.files.write("/p/app.py", twice);
    assert_eq!(show()["error"]["code"], "ambiguous");
}

#[test]
fn show_in_its_forms() {
    let bench = Bench::new(&[("app.py", APP)]);
    let show = |form: &str, node: &str| bench.ask("show", json!({"target": "app.py", "nodes": [node], "as": form}));
    assert_eq!(show("code", "function#free")["nodes"][0]["code"], "def free():\n    pass");
    let tree = show("tree", "function#free");
    let expected = "function_definition n47 [11:1-12:9]\n  name: identifier n49 [11:5-11:9] \"free\"\n  parameters: parameters n50 [11:9-11:11] \"()\"\n  body: block n54 [12:5-12:9]\n    pass_statement n55 [12:5-12:9] \"pass\"\n";
    assert_eq!(tree["nodes"][0]["tree"], expected);
    assert_eq!(show("signature", "function#handle")["nodes"][0]["signature"], "def handle(self, x)");
    let object = show("json", "function#free");
    assert_eq!(object["nodes"][0]["tree"]["children"][2]["children"][0]["text"], "pass", "{object}");
    let dot = show("dot", "function#free")["nodes"][0]["tree"].as_str().unwrap_or_default().to_owned();
    assert!(dot.starts_with("digraph") && dot.contains("n47 -> n54 [label=\"body\"]"), "{dot}");
}

#[test]
fn show_the_statement_at_a_place_with_what_is_around() {
    let bench = Bench::new(&[("app.py", APP)]);
    let at = |place: Value| bench.ask("show", json!({"target": "app.py", "at": place}));
    let found = at(json!("5:23"));
    assert_eq!(
        (&found["nodes"][0]["type"], &found["nodes"][0]["code"]),
        (&json!("return_statement"), &json!("return os.path.join(x)"))
    );
    let around: Vec<&str> =
        found["nodes"][0]["parents"].as_array().into_iter().flatten().filter_map(|row| row["type"].as_str()).collect();
    assert_eq!(around, ["block", "function_definition", "block", "class_definition", "module"]);
    assert_eq!(at(json!(7))["nodes"][0]["name"], "get");
    assert_eq!(at(json!("5:31"))["nodes"][0]["type"], "return_statement");
    assert_eq!(at(json!(99))["error"]["code"], "no_match");
    assert_eq!(at(json!("x"))["error"]["code"], "bad_request");
}

#[test]
fn show_stops_at_its_budget_and_goes_on_from_there() {
    let bench = Bench::new(&[("app.py", APP)]);
    let mut whole = String::new();
    let mut cursor = Value::Null;
    for _ in 0..100 {
        let part = bench.ask("show", json!({"target": "app.py", "max_chars": 50, "cursor": cursor}));
        let code = part["nodes"][0]["code"].as_str().unwrap_or_else(|| panic!("{part}"));
        assert!(code.chars().count() <= 50);
        whole.push_str(code);
        cursor = part["cursor"].clone();
        if part["truncated"] == false {
            break;
        }
    }
    assert_eq!(whole, APP);
    let many: String = (0..250).map(|number| format!("x{number} = 1\n")).collect();
    bench.files.write("/p/many.py", many);
    let first = bench.ask("show", json!({"target": "many.py", "children": true, "max_chars": 1_000_000}));
    assert_eq!(first["nodes"][0]["children"].as_array().map(Vec::len), Some(100));
    assert_eq!(first["cursor"], "0.c100");
    let last = bench.ask("show", json!({"target": "many.py", "children": true, "cursor": "0.c200"}));
    assert_eq!(last["nodes"][0]["children"].as_array().map(Vec::len), Some(50));
    assert_eq!(last["truncated"], false);
    // All of the text, then all of the children.
    let (mut code, mut children, mut cursor) = (String::new(), 0, Value::Null);
    for _ in 0..100 {
        let part =
            bench.ask("show", json!({"target": "many.py", "children": true, "max_chars": 500, "cursor": cursor}));
        code.push_str(part["nodes"][0]["code"].as_str().unwrap_or_default());
        children += part["nodes"][0]["children"].as_array().map_or(0, Vec::len);
        cursor = part["cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((code.lines().count(), children), (250, 250));
    // A tree that is cut at another depth than requested says so.
    let shallow = bench.ask("show", json!({"target": "many.py", "as": "json", "depth": 9, "max_chars": 500}));
    assert_eq!(shallow["truncated"], true);
}

#[test]
fn targets_that_are_none() {
    let bench = Bench::new(&[("app.py", APP), ("sub/x.py", ""), ("data.bin", "x")]);
    bench.files.special("/p/pipe.py", "a FIFO");
    bench.files.write("/p/latin.py", b"x = '\xe9'\n".to_vec());
    let code = |method: &str, params: Value| bench.refuse(method, params).0;
    assert_eq!(code("load", json!({"paths": ["nope.py"]})), "not_found");
    assert_eq!(code("load", json!({"paths": ["sub"]})), "bad_request");
    assert_eq!(code("load", json!({"paths": ["pipe.py"]})), "bad_request");
    assert_eq!(code("load", json!({"paths": ["data.bin"]})), "unsupported_language");
    assert_eq!(code("load", json!({"paths": ["data.bin"], "language": "pyton"})), "unsupported_language");
    assert_eq!(code("load", json!({"paths": ["latin.py"]})), "unsupported_encoding");
    assert_eq!(code("load", json!({"paths": ["app.py"], "reading": {"max_size": 10}})), "too_large");
    assert_eq!(code("load", json!({})), "bad_request");
    assert_eq!(code("load", json!({"text": "x = 1\n"})), "unsupported_language");
    assert_eq!(code("show", json!({"target": "sub"})), "bad_request");
    assert_eq!(code("show", json!({"target": "0123456789"})), "unknown_tree");
    assert_eq!(code("show", json!({"target": {"tree_id": "app.py"}})), "unknown_tree");
    assert_eq!(code("save", json!({"tree_ids": []})), "bad_request");
    assert_eq!(code("save", json!({"tree_ids": ["app.py"]})), "unknown_tree");
    let deep: String = (0..600).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
    assert_eq!(code("load", json!({"text": deep, "language": "python"})), "too_deep");
    let text = bench.ask("load", json!({"text": "x = 1\n", "name": "x.py"}));
    assert_eq!(code("save", json!({"tree_ids": [text["trees"][0]["tree_id"]]})), "bad_request");
}

#[test]
fn a_tree_goes_by_the_start_of_its_id() {
    let bench = Bench::new(&[("app.py", APP)]);
    let first = bench.load("app.py");
    assert_eq!(bench.ask("show", json!({"target": first[..8]}))["tree_id"], first);
    let second = bench.load("app.py");
    let common = first.bytes().zip(second.bytes()).take_while(|(one, other)| one == other).count();
    assert_eq!(bench.refuse("show", json!({"target": first[..common]})).0, "ambiguous");
    assert_eq!(bench.refuse("show", json!({"target": first[..5]})).0, "not_found");
    assert_eq!(bench.ask("drop", json!({"tree_ids": [second]}))["dropped"], json!([second]));
    assert_eq!(bench.refuse("diff", json!({"tree_ids": [second]})).0, "unknown_tree");
    // A file with that very name goes first; the tree is reached by saying so.
    bench.files.write(format!("/p/{first}"), "x = 1\n");
    let request = |target: Value| json!({"target": target, "reading": {"language": "python"}});
    assert!(bench.ask("show", request(json!(first))).get("tree_id").is_none());
    assert_eq!(bench.ask("show", request(json!({"tree_id": first})))["tree_id"], first);
}

#[test]
fn explain_counts_the_survivors_of_each_step() {
    let bench = Bench::new(&[("app.py", APP)]);
    let explained = bench.ask("explain", json!({"selector": "class > function[name^=\"gat\"]", "target": "app.py"}));
    assert_eq!(explained["steps"][0]["nodes"], 1, "{explained}");
    assert_eq!(explained["steps"][1]["nodes"], 0);
    assert!(explained["near"][0].as_str().is_some_and(|near| near.contains("get")), "{explained}");
    assert!(explained["words"]["kinds"].as_array().is_some_and(|kinds| kinds.contains(&json!("function"))));
    let alone = bench.ask("explain", json!({"selector": "class function"}));
    assert_eq!(alone["steps"].as_array().map(Vec::len), Some(2));
    assert!(alone["steps"][0].get("nodes").is_none());
}

#[test]
fn outline_check_and_languages() {
    let bench = Bench::new(&[("app.py", APP), ("bad.py", "def f(:\n    pass\n")]);
    let outlined = bench.ask("outline", json!({"targets": ["app.py"]}));
    let rows = outlined["files"][0]["definitions"].as_array().expect("definitions");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["qualname"].as_str()).collect();
    assert_eq!(names, ["Server", "Server.handle", "Server.get", "free"]);
    assert_eq!(rows[1]["signature"], "def handle(self, x)");
    let limited = bench.ask("outline", json!({"targets": ["app.py", "bad.py"], "limit": 1}));
    assert_eq!((&limited["truncated"], &limited["more_files"]), (&json!(true), &json!(1)));
    assert_eq!(limited["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(bench.refuse("outline", json!({"kinds": ["fucntion"]})).0, "unknown_type");
    let checked = bench.ask("check", json!({}));
    assert_eq!((&checked["files"][0]["path"], &checked["checked"]), (&json!("bad.py"), &json!(2)));
    assert_eq!(checked["total"], json!(checked["files"][0]["errors"].as_array().map(Vec::len)));
    let languages = bench.ask("languages", json!({}));
    assert!(languages["languages"].as_array().expect("rows").iter().any(|row| row["name"] == "python"));
}

#[test]
fn own_named_selectors_come_with_the_request_or_the_project() {
    let bench = Bench::new(&[("app.py", APP), (".cst/selectors/python.sel", ":getter = function[name^=\"get\"]\n")]);
    let total = |request: Value| bench.ask("find", request)["total"].clone();
    assert_eq!(total(json!({"selector": ":getter", "targets": ["app.py"]})), 1);
    let given = json!({"selector": ":mine", "targets": ["app.py"], "define": ":mine = class, :getter"});
    assert_eq!(total(given), 2);
}

#[test]
fn unknown_fields_are_refused() {
    for (method, params) in [
        ("find", json!({"selector": "call", "tragets": ["x"]})),
        ("modify", json!({"target": "x", "operations": [], "dryrun": true})),
        ("trees", json!({"x": 1})),
    ] {
        let request = serde_json::from_value::<Request>(json!({"method": method, "params": params}));
        assert!(request.is_err_and(|error| error.to_string().contains("unknown field")), "{method}");
    }
}

#[test]
fn a_long_line_is_not_repeated_for_each_match() {
    let line = format!("[{}]\n", "f(),".repeat(20_000));
    let bench = Bench::new(&[("long.py", line.as_str())]);
    let found = bench.ask("find", json!({"selector": "list@l call", "targets": ["long.py"], "code": true}));
    assert_eq!(found["total"], 20_000);
    let row = found["matches"][0].to_string();
    assert!(row.len() < 3000, "{} bytes", row.len());
    let whole = bench.ask("find", json!({"selector": "list", "targets": ["long.py"], "code": true}));
    assert_eq!(
        (&whole["matches"][0]["start_byte"], &whole["matches"][0]["end_byte"]),
        (&json!(0), &json!(line.len() - 1))
    );
}
