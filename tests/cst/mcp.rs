//! The Model Context Protocol: both eras, the tools' schemas, results as a model reads them, and what it may get wrong.

use std::io;
use std::sync::Arc;

use cst::Host;
use cst::engine::Memory;
use cst::serve::{self, Answers};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::rpc::{Output, host};

/// The answers to requests.
fn answers_in(host: Host, answers: Answers, requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let output = Output::default();
    serve::mcp(host, answers, io::Cursor::new(input.into_bytes()), output.clone()).unwrap();
    output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// The answer to one request.
fn answer(method: &str, params: Value) -> Value {
    answers_in(host(), Answers::default(), &[request(0, method, params)]).remove(0)
}

pub fn call(name: &str, arguments: Value) -> Value {
    request(1, "tools/call", json!({"name": name, "arguments": arguments}))
}

/// The answers of tools, one after the other, with normalised ids of trees and transactions.
pub fn said_in(host: Host, calls: &[Value]) -> String {
    let ids = regex::Regex::new("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").unwrap();
    let said = answers_in(host, Answers::default(), calls).into_iter().map(|answer| {
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        format!("{}{text}", if result["isError"] == true { "ERROR " } else { "" })
    });
    ids.replace_all(&said.collect::<Vec<_>>().join("\n---\n"), "ID").into_owned()
}

fn said(name: &str, arguments: Value) -> String {
    said_in(host(), &[call(name, arguments)])
}

/// Compares a longer text with the one kept.
fn transcript(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

#[test]
fn versions_are_agreed_on() {
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let agreed = answer("initialize", json!({"protocolVersion": version, "capabilities": {}}));
        assert_eq!(agreed["result"]["protocolVersion"], version);
        assert_eq!(agreed["result"]["serverInfo"]["name"], "cst");
        assert!(agreed["result"]["resultType"].is_null());
    }
    assert_eq!(
        answer("initialize", json!({"protocolVersion": "1999-01-01"}))["result"]["protocolVersion"],
        "2025-11-25"
    );
    assert_eq!(answer("initialize", json!({}))["error"]["code"], -32602);
    let instructions = answer("initialize", json!({"protocolVersion": "2025-06-18"}))["result"]["instructions"].clone();
    assert!(instructions.as_str().unwrap().chars().count() < 500);
}

#[test]
fn without_a_handshake_every_request_says_its_version() {
    let meta = json!({"_meta": {VERSION: "2026-07-28"}});
    let discovered = answer("server/discover", meta.clone())["result"].clone();
    assert_eq!(discovered["supportedVersions"][0], "2026-07-28");
    for method in ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
        let result = answer(method, meta.clone())["result"].clone();
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["cacheScope"], "public", "{method}");
        assert!(result["ttlMs"].is_u64(), "{method}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "cst");
    }
    let mut outlined = meta.clone();
    outlined["name"] = "outline".into();
    assert_eq!(answer("tools/call", outlined)["result"]["resultType"], "complete");
    assert_snapshot!(answer("tools/list", json!({"_meta": {VERSION: "2027-01-01"}}))["error"], @r#"{"code":-32022,"message":"unsupported protocol version `2027-01-01`","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2027-01-01"}}"#);
}

#[test]
fn small_questions_are_answered() {
    let ids = [
        request(0, "ping", json!({})),
        request("", "ping", json!({})),
        json!({"jsonrpc": "2.0", "id": 7, "method": "ping"}),
    ];
    let answers = answers_in(host(), Answers::default(), &ids);
    assert_eq!(answers.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), [&json!(0), &json!(""), &json!(7)]);
    assert!(answers.iter().all(|answer| answer["result"] == json!({})));
    assert_eq!(answer("resources/list", json!({}))["result"], json!({"resources": []}));
    assert_eq!(answer("resources/templates/list", json!({}))["result"], json!({"resourceTemplates": []}));
    assert_eq!(answer("prompts/list", json!({}))["result"], json!({"prompts": []}));
    assert_eq!(answer("tools/lisp", json!({}))["error"]["code"], -32601);
    assert_eq!(
        answer("tools/call", json!({"name": "fnd"}))["error"]["message"],
        "unknown tool `fnd`; did you mean `find`?"
    );
    // Notifications are not answered, nor are responses.
    let told = [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}),
        json!({"jsonrpc": "2.0", "id": 5, "result": {}}),
    ];
    assert_eq!(answers_in(host(), Answers::default(), &told), Vec::<Value>::new());
}

/// Every schema in a value, with the words that lead to it.
fn schemas<'a>(value: &'a Value, path: &str, found: &mut Vec<(String, &'a Value)>) {
    found.push((path.to_owned(), value));
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| schemas(value, &format!("{path}.{name}"), found))
        }
        Value::Array(values) => values.iter().for_each(|value| schemas(value, path, found)),
        _ => {}
    }
}

/// The most tokens (o200k) of the whole answer to `tools/list`: every conversation begins with it.
const LISTED: usize = 3_500;

#[test]
fn the_list_of_tools_costs_few_tokens() {
    let listed = answer("tools/list", json!({}));
    let count = |value: &Value| bpe_openai::o200k_base().count(&value.to_string());
    let each = listed["result"]["tools"].as_array().unwrap().iter();
    let costs: Vec<(&str, usize)> = each.map(|tool| (tool["name"].as_str().unwrap(), count(tool))).collect();
    let all = count(&listed);
    assert!(costs.len() > 5 && all > 1_000, "{costs:?}");
    assert!(all <= LISTED, "{all} tokens: {costs:?}");
}

/// The pages that name a number of tools name the real one.
#[test]
fn documents_count_the_tools() {
    const NUMBERS: [&str; 16] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen",
    ];
    let count = answer("tools/list", json!({}))["result"]["tools"].as_array().unwrap().len();
    let counted = regex::Regex::new(r"\b(\d+|[a-z]+)\s+\[?(?:MCP\s+)?tools\b").unwrap();
    let mut pages = 0;
    for (page, text) in crate::docs::documents() {
        let number = |word: &str| word.parse().ok().or_else(|| NUMBERS.iter().position(|number| *number == word));
        let found: Vec<usize> = counted.captures_iter(&text).filter_map(|found| number(&found[1])).collect();
        pages += usize::from(!found.is_empty());
        assert!(found.iter().all(|said| *said == count), "{}: there are {count} tools", page.display());
    }
    assert!(pages >= 2, "README.md and docs/agents.md say how many tools there are");
}

#[test]
fn schemas_are_such_that_every_model_takes_them() {
    for structured in [false, true] {
        let answers = Answers { structured, ..Answers::default() };
        let listed = answers_in(host(), answers, &[request(1, "tools/list", json!({}))]).remove(0);
        let tools = listed["result"]["tools"].as_array().unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            ["outline", "find", "refs", "search", "map", "show", "edit", "rewrite", "refactor", "explain", "session"]
        );
        for tool in tools {
            let is_reading = tool["annotations"]["readOnlyHint"] == true;
            assert_eq!(
                is_reading,
                ["outline", "find", "refs", "search", "map", "show", "explain"]
                    .contains(&tool["name"].as_str().unwrap())
            );
            assert_eq!(tool["inputSchema"]["type"], "object");
            assert_eq!(tool["outputSchema"]["type"] == "object", structured);
            let mut all = Vec::new();
            schemas(tool, tool["name"].as_str().unwrap(), &mut all);
            for (path, value) in all {
                let keys: Vec<&str> =
                    value.as_object().map_or_else(Vec::new, |fields| fields.keys().map(String::as_str).collect());
                for refused in ["anyOf", "oneOf", "allOf", "$ref", "$defs", "format"] {
                    assert!(!keys.contains(&refused), "{refused} in {path}");
                }
                assert!(
                    !path.ends_with(".type") || value.is_string() || path.contains("properties.type"),
                    "{path}: {value}"
                );
            }
        }
    }
}

#[test]
fn results_are_short_texts() {
    assert_snapshot!(said("outline", json!({"path": "shop.py"})), @r"
    shop.py  (python, 5 lines)
         1-5  class Shop  n1
         2-3    def open(self)  n6
         5-5    def close(self)  n18
    ");
    assert_snapshot!(said("find", json!({"selector": "class > method"})), @r"
    shop.py:2:5: method  Shop.open  n6
    shop.py:5:5: method  Shop.close  n18
    2 matches in 1 of 1 file
    ");
    assert_snapshot!(said("find", json!({"pattern": "return $X", "path": "shop.py", "code": true})), @r"
    shop.py:3:9: return  -  n15  X=`1`
            return 1
    1 match in 1 of 1 file
    ");
    assert_snapshot!(said("find", json!({"selector": "class#Stall"})), @r"
    0 matches in 0 of 1 file
    near: shop.py:1: `Shop` where class#Stall wants `Stall`
    ");
    assert_snapshot!(said("show", json!({"path": "shop.py", "nodes": ["method#open"]})), @r"
    shop.py:2:5: method  Shop.open  n6
        def open(self):
            return 1
    ");
    assert_snapshot!(said("explain", json!({"selector": "class > call", "path": "shop.py"})), @r"
    read as: `class`, child `call`
      `class`  1 node
      child `call`  0 nodes
    the words there are: explain `*`
    ");
}

#[test]
fn a_file_is_edited_at_once() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n");
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let insert = json!({"op": "insert", "target": "n1", "position": "before", "code": "def e(): pass"});
    let delete = |target: &str| json!({"path": "./a.py", "operations": [{"op": "delete", "target": target}]});
    // Ids shown before an edit mean the same nodes after it.
    let calls = [
        call("find", json!({"selector": "function", "path": "a.py"})),
        call("edit", json!({"path": "a.py", "operations": [insert], "dry_run": true})),
        call("edit", json!({"path": "a.py", "operations": insert})),
        call("edit", delete("n12")),
        call("find", json!({"selector": "function"})),
        call("edit", delete("n12")),
    ];
    transcript("mcp_edit", &said_in(there(), &calls));
    assert_eq!(files.bytes("/w/a.py").unwrap(), b"def e(): pass\n\n\ndef f():\n    return 1\n");
}

#[test]
fn ids_of_a_file_that_somebody_else_changed_are_refused() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "def f(): pass\n");
    let there = Host { files: files.clone(), ..Host::at("/w") };
    let (lines, input) = std::sync::mpsc::channel();
    let (answered, answers) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        serve::mcp(there, Answers::default(), crate::rpc::Piped::new(input), crate::rpc::Answered::new(answered))
    });
    lines.send(call("find", json!({"selector": "function", "path": "a.py"})).to_string()).unwrap();
    assert!(answers.recv().unwrap()["result"]["isError"] == false);
    files.write("/w/a.py", "x = 1\n\ndef f(): pass\n");
    lines
        .send(call("edit", json!({"path": "a.py", "operations": [{"op": "delete", "target": "n1"}]})).to_string())
        .unwrap();
    let refused = answers.recv().unwrap()["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(refused.starts_with("stale_file"), "{refused}");
    drop(lines);
    server.join().unwrap().unwrap();
    assert_eq!(files.bytes("/w/a.py").unwrap(), b"x = 1\n\ndef f(): pass\n");
}

#[test]
fn a_tree_is_staged_until_it_is_saved() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "def f(): pass\n");
    let there = Host { files: files.clone(), ..Host::at("/w") };
    let rename = json!({"op": "rename", "target": "function", "to": "g"});
    let calls = [
        call("session", json!({"action": "load", "path": "a.py"})),
        call("edit", json!({"tree_id": "a.py", "operations": [rename]})),
        call("session", json!({"action": "diff", "tree_ids": ["a.py"]})),
        call("session", json!({"action": "undo", "path": "a.py"})),
        call("session", json!({"action": "redo", "path": "a.py"})),
        call("session", json!({"action": "list"})),
        call("session", json!({"action": "save", "path": "a.py"})),
        call("session", json!({"action": "drop", "path": "a.py"})),
        call("session", json!({"action": "drop", "path": "a.py"})),
    ];
    transcript("mcp_session", &said_in(there, &calls));
    assert_eq!(files.bytes("/w/a.py").unwrap(), b"def g(): pass\n");
}

#[test]
fn a_rewrite_is_taken_back_by_its_transaction() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "assertEqual(a, b)\n");
    let there = Host { files: files.clone(), ..Host::at("/w") };
    let arguments = json!({"pattern": "assertEqual($A, $B)", "template": "assert $A == $B"});
    let mut preview = arguments.clone();
    preview["dry_run"] = true.into();
    assert_snapshot!(said_in(there, &[call("rewrite", preview), call("rewrite", arguments)]), @r"
    1 match, 1 changed in 1 of 1 file; nothing is written (dry_run)
    --- a/a.py
    +++ b/a.py
    @@ -1 +1 @@
    -assertEqual(a, b)
    +assert a == b
    ---
    1 match, 1 changed in 1 of 1 file; written: session undo with transaction ID takes it back
    a.py  1 changed  1-1
    ");
    // A missing template is an error, and does not delete the matches.
    let refused = said("rewrite", json!({"pattern": "return $X"}));
    assert!(refused.starts_with("ERROR bad_request: missing field `template`"), "{refused}");
}

#[test]
fn what_is_wrong_names_the_next_call() {
    let refused = [
        call("find", json!({"selctor": "class"})),
        call("find", json!({"selector": "class", "limit": "many"})),
        call("find", json!({"selector": "fucntion"})),
        call("find", json!({"selector": "class >"})),
        call("show", json!({"path": "shop.py", "nodes": "n99"})),
        call("show", json!({"path": "stall.py"})),
        call("edit", json!({"path": "shop.py", "operations": [{"op": "delete", "target": "method"}]})),
        call(
            "edit",
            json!({"path": "shop.py", "operations": [{"op": "replace", "target": "method#open", "code": "def open(:"}]}),
        ),
        call("session", json!({"action": "sav"})),
        call("session", json!({})),
        call("session", json!({"action": "save", "tree_id": "0123456789"})),
    ];
    transcript("mcp_refusals", &said_in(host(), &refused));
    let texts = said_in(host(), &refused);
    assert!(texts.split("\n---\n").all(|text| text.starts_with("ERROR ") && text.contains("\nnext: ")), "{texts}");
}

#[test]
fn lists_and_numbers_may_be_strings_that_hold_them() {
    let plain = said("find", json!({"selector": "method", "limit": 1, "code": true}));
    assert_eq!(said("find", json!({"selector": "method", "limit": "1", "code": "true"})), plain);
    let operations = "[{\"op\": \"delete\", \"target\": \"method#open\"}]";
    let edited = said("edit", json!({"path": "shop.py", "operations": operations, "dry_run": "true"}));
    assert!(edited.starts_with("1 operation applied"), "{edited}");
}

#[test]
fn what_is_too_long_is_cut_and_can_be_gone_on_with() {
    let files = Memory::default();
    let function = |number: usize| format!("def function_{number}(argument):\n    return {number}\n\n\n");
    files.write("/w/long.py", (0..1000).map(function).collect::<String>());
    files.write("/w/other.py", "x = 1\n");
    let files = Arc::new(files);
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    for (tool, mut arguments, lines) in [
        ("find", json!({"selector": "function", "limit": 900}), 1000),
        ("find", json!({"selector": "function", "code": true, "limit": 500}), 3000),
        ("outline", json!({"path": "long.py"}), 1000),
        ("show", json!({"path": "long.py"}), 2000),
    ] {
        let mut seen = 0;
        for round in 0.. {
            assert!(round < 50, "{tool} never ends");
            let text = said_in(there(), &[call(tool, arguments.clone())]);
            assert!(text.chars().count() < 8000, "{tool}: {}", text.chars().count());
            seen += text.lines().filter(|line| line.contains("function_") || line.contains("    return")).count();
            let Some((_, rest)) = text.rsplit_once("cursor \"") else { break };
            arguments["cursor"] = rest.split('"').next().unwrap().into();
        }
        // A line that a page ends in may be cut in two.
        assert!(seen >= lines && seen < lines + 20, "{tool} showed {seen} lines of {lines}");
    }
    let all = json!({"path": "long.py", "operations": [{"op": "delete", "target": "function", "all": true}], "dry_run": true});
    let cut = said_in(there(), &[call("edit", all)]);
    assert!(cut.chars().count() < 8000 && cut.contains("more lines of the diff"), "{cut}");
}

#[test]
fn data_is_given_where_it_is_asked_for() {
    let answers = Answers { structured: true, ..Answers::default() };
    let found = answers_in(host(), answers, &[call("find", json!({"selector": "class"}))]).remove(0);
    assert_eq!(found["result"]["structuredContent"]["matches"][0]["name"], "Shop");
    let plain = answers_in(host(), Answers::default(), &[call("find", json!({"selector": "class"}))]).remove(0);
    assert!(plain["result"]["structuredContent"].is_null());
    assert_eq!(plain["result"]["content"], found["result"]["content"]);
}

/// Files whose header fills the page: a page still makes progress.
#[test]
fn long_lines_and_long_lists_of_errors_are_no_end() {
    let files = Memory::default();
    files.write("/w/bad.py", "def f(:\n".repeat(3000));
    files.write("/w/long.py", format!("x = [{}]\n", "1, ".repeat(10_000)));
    let files = Arc::new(files);
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let outlined = said_in(there(), &[call("outline", json!({"path": "bad.py"}))]);
    assert!(outlined.starts_with("bad.py  (python, 3000 lines") && outlined.chars().count() < 8000, "{outlined}");
    assert!(!outlined.contains("cursor \"0\""), "{outlined}");
    let mut code = String::new();
    let mut arguments = json!({"path": "long.py"});
    for _ in 0..20 {
        let text = said_in(there(), &[call("show", arguments.clone())]);
        assert!(text.chars().count() < 8000);
        let (_, rest) = text.split_once('\n').unwrap();
        let Some((part, end)) = rest.rsplit_once("\n… cut: go on with cursor \"") else {
            code.push_str(rest);
            break;
        };
        code.push_str(part);
        arguments["cursor"] = end.split('"').next().unwrap().into();
    }
    assert_eq!(code, format!("x = [{}]", "1, ".repeat(10_000)));
}

/// What was shown goes back as it is: with one word changed one word changes, and the ids of all else stay.
#[test]
fn shown_code_goes_back_and_ids_stay() {
    let source = "class A:\n    def f(self):\n        if x:\n            try:\n                raise E\n            finally:\n                self.gen.close()\n\n    def g(self): pass\n";
    let files = Arc::new(Memory::default());
    files.write("/w/own.py", source);
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let shown = said_in(there(), &[call("show", json!({"path": "own.py", "nodes": "try"}))]);
    let (heading, code) = shown.split_once('\n').unwrap();
    assert!(heading.starts_with("own.py:4:13: try"), "{shown}");
    assert!(code.starts_with("            try:\n                raise E\n            finally:"), "{code}");
    let edit = |operation: Value| call("edit", json!({"path": "own.py", "operations": [operation]}));
    let calls = [
        call("outline", json!({"path": "own.py"})),
        edit(json!({"op": "replace", "target": "try", "code": code.replace("gen", "gan")})),
        call("outline", json!({"path": "own.py"})),
        edit(json!({"op": "insert", "target": "method#f", "position": "before", "code": "def e(self): pass"})),
        call("find", json!({"path": "own.py", "selector": "method"})),
        edit(json!({"op": "rename", "target": "method#g", "to": "h"})),
        edit(json!({"op": "delete", "target": "n6"})),
        edit(json!({"op": "delete", "target": "n6"})),
    ];
    transcript("mcp_ids", &said_in(there(), &calls));
    let now = String::from_utf8(files.bytes("/w/own.py").unwrap().to_vec()).unwrap();
    assert_eq!(now, "class A:\n    def e(self): pass\n\n    def h(self): pass\n");
}

/// A rewrite leaves the ids of what it doesn't change, in files that were shown before.
#[test]
fn ids_stay_through_a_rewrite() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "def f():\n    log(1, x)\n\n\ndef g():\n    return 2\n");
    files.write("/w/b.py", "log(3, y)\n");
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let outline = || call("outline", json!({"path": "a.py"}));
    let rewrite = |pattern: &str, template: &str| call("rewrite", json!({"pattern": pattern, "template": template}));
    let calls = [
        outline(),
        rewrite("log($A, $B)", "log($A, [$B, 7], more)"),
        outline(),
        rewrite("log", "note"),
        outline(),
        call("edit", json!({"path": "a.py", "operations": [{"op": "rename", "target": "function#g", "to": "h"}]})),
    ];
    let said = said_in(there(), &calls);
    let ids = |line: &str| line.rsplit(' ').next().unwrap_or_default().to_owned();
    let of_g: Vec<String> = said.lines().filter(|line| line.contains("def g()")).map(ids).collect();
    assert_eq!(of_g.len(), 3, "{said}");
    assert!(of_g.iter().all(|id| *id == of_g[0] && id.starts_with('n') && !id.contains('@')), "{said}");
    let delete = json!({"path": "a.py", "operations": [{"op": "delete", "target": of_g[0]}]});
    files.write("/w/a.py", "def f():\n    log(1, x)\n\n\ndef g():\n    return 2\n");
    let calls = [outline(), rewrite("log($A, $B)", "log($A, [$B, 7], more)"), call("edit", delete)];
    let said = said_in(there(), &calls);
    let now = String::from_utf8(files.bytes("/w/a.py").unwrap().to_vec()).unwrap();
    assert_eq!(now, "def f():\n    log(1, [x, 7], more)\n", "{said}");
}

#[test]
fn undo_takes_back_the_last_change() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "f(1)\n");
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let calls = [
        call("rewrite", json!({"pattern": "f($A)", "template": "g($A)"})),
        call("session", json!({"action": "undo"})),
        call("session", json!({"action": "load", "path": "a.py"})),
        call("edit", json!({"tree_id": "a.py", "operations": [{"op": "replace", "target": "integer", "code": "2"}]})),
        call("session", json!({"action": "diff"})),
        call("session", json!({"action": "undo"})),
        call("session", json!({"action": "save"})),
    ];
    transcript("mcp_undo", &said_in(there(), &calls));
    assert_eq!(files.bytes("/w/a.py").unwrap(), b"f(1)\n");
}

/// Files of several languages.
fn folder() -> Host {
    let files = Memory::default();
    files.write(
        "/w/src/a.py",
        "def f():\n    print(1)\n\n\ndef main():\n    \"\"\"See n5.\n\n    1-2 is foo bar.\"\"\"\n    f()\n\n\ndef doc():\n    \"\"\"1-2 is foo n6\"\"\"\n",
    );
    files.write("/w/src/b.py", "def main():\n    pass\n");
    files.write("/w/README.md", "# Print\n\nprint(\n");
    files.write("/w/x.yml", "a: b\n");
    files.write("/w/x.html", "<p>print(</p>\n");
    Host { files: Arc::new(files), ..Host::at("/w") }
}

#[test]
fn several_files_and_lines_are_shown() {
    let sub = json!({"op": "sub", "target": "function#f", "find": "1", "replace": "2"});
    let calls = [
        call("show", json!({"path": "src", "nodes": ["function#main"]})),
        call("show", json!({"targets": ["src/a.py", "src/b.py"]})),
        call("show", json!({"path": "src/a.py", "nodes": "2-3"})),
        call("show", json!({"path": "src/a.py", "at": "11-99"})),
        call("show", json!({"path": "src"})),
        call("show", json!({"nodes": "function"})),
        call("edit", json!({"operations": []})),
        call("outline", json!({"path": "src/a.py", "docs": true})),
        call("edit", json!({"path": "src/a.py", "operations": [sub], "dry_run": true})),
        call("find", json!({"path": "src", "selector": "function#man"})),
        call(
            "edit",
            json!({"path": "src/a.py", "operations": [{"op": "replace", "target": "function#f", "code": "def f(:"}]}),
        ),
        call("edit", json!({"path": "src/a.py", "operations": [{"op": "delete", "target": "function"}]})),
    ];
    transcript("mcp_show", &said_in(folder(), &calls));
}

#[test]
fn other_forms_are_shown_of_several_files_too() {
    let calls = [
        call("show", json!({"targets": ["src/a.py", "src/b.py"], "nodes": ["function"], "as": "signature"})),
        call("show", json!({"path": "src", "nodes": ["function#main"], "as": "tree", "depth": 1})),
        call("show", json!({"path": ["src/a.py", "src/b.py"], "nodes": "1-2"})),
        call("show", json!({"paths": ["src/a.py", "src/b.py"], "at": 2})),
        call("show", json!({"paths": ["src/a.py", "src/no.py"], "at": 2})),
        call("show", json!({"path": "src", "nodes": ["function#man"], "parents": true})),
        call("show", json!({"path": "src", "nodes": ["n5"]})),
        call("show", json!({"paths": ["src/a.py", "src/b.py"], "nodes": "1-2", "cursor": "0.5"})),
        call("show", json!({"paths": ["src", "src/b.py"], "at": 2})),
        call(
            "show",
            json!({"targets": "[\"src/a.py\", \"src/b.py\"]", "nodes": "[\"function#main\"]", "as": "signature"}),
        ),
        call("outline", json!({"paths": ["src/b.py"]})),
    ];
    transcript("mcp_show_forms", &said_in(folder(), &calls));
    let structured = Answers { structured: true, ..Answers::default() };
    let shown = answers_in(folder(), structured, &calls[..1]).remove(0);
    assert_eq!(shown["result"]["structuredContent"]["nodes"].as_array().unwrap().len(), 4, "{shown}");
    let short = Answers { max_chars: 900, ..Answers::default() };
    let cut = answers_in(folder(), short, &calls[2..3]).remove(0);
    assert!(cut["result"]["content"][0]["text"].as_str().unwrap().contains("src/a.py"), "{cut}");
}

#[test]
fn a_list_is_no_target() {
    // A list would be read as the fields of a text, in order.
    for method in ["show", "modify", "explain"] {
        let fields = json!({"target": ["src/a.py", "src/b.py"], "selector": "function", "operations": []});
        let fields = fields.as_object().unwrap().clone();
        let known: Vec<&str> = cst::engine::Methods::all().named(method).unwrap().fields().collect();
        let fields = fields.into_iter().filter(|(name, _)| known.contains(&name.as_str())).collect();
        let refused = cst::engine::Request::read(method, fields).unwrap_err().to_string();
        assert!(refused.contains("expected a path or a tree's id, or an object with"), "{method}: {refused}");
    }
}

#[test]
fn sessions_say_what_there_is_to_undo() {
    let calls = ["undo", "redo", "save", "diff", "drop"].map(|action| call("session", json!({"action": action})));
    transcript("mcp_nothing_held", &said_in(host(), &calls));
}

#[test]
fn near_misses_are_those_of_the_furthest_step() {
    let files = Memory::default();
    files.write("/w/a.py", "class Flask:\n    def run(self): pass\n    def get_name(self): pass\n");
    files.write("/w/b.py", "class FlaskGroup:\n    pass\n\n\nclass Flasks:\n    pass\n");
    let there = Host { files: Arc::new(files), ..Host::at("/w") };
    let calls = [
        call("find", json!({"selector": "class#Flask > function#foo"})),
        call("find", json!({"selector": "class#Flask > function#get_nam"})),
        call("find", json!({"selector": "class#Flusk > function#foo"})),
        call("explain", json!({"path": ".", "selector": "class#Flask > function#runs"})),
        call("rewrite", json!({"selector": "class#Flask > function#get_nam", "template": "x"})),
        call("find", json!({"selector": "class", "glob": "*.rs"})),
    ];
    let said = said_in(there, &calls);
    let answers: Vec<&str> = said.split("\n---\n").collect();
    assert!(!answers[0].contains("near"), "{said}");
    assert!(answers[1].contains("`get_name` where") && !answers[1].contains("FlaskGroup"), "{said}");
    assert!(answers[2].contains("a.py:1: `Flask` where class#Flusk"), "{said}");
    assert!(answers[3].contains("`run` where") && !answers[3].contains("FlaskGroup"), "{said}");
    assert!(answers[4].contains("0 changed") && answers[4].contains("near: a.py:3: `get_name` where"), "{said}");
    assert!(answers[5].contains("no file was searched"), "{said}");
}

#[test]
fn hints_are_of_languages_that_are_searched() {
    let files = Arc::new(Memory::default());
    files.write("/w/a.py", "x = 1\n");
    files.write("/w/a.toml", "x = 1\n");
    let there = || Host { files: files.clone(), ..Host::at("/w") };
    let said = said_in(there(), &[call("find", json!({"selector": "enum > variant"}))]);
    assert!(said.contains("unknown type or kind `variant`") && !said.contains("variant_declaration"), "{said}");
    let said = said_in(there(), &[call("find", json!({"selector": "defer_statement"}))]);
    assert!(said.contains("`go`"), "{said}");
    for pattern in ["print(", "class $X"] {
        let said = said_in(there(), &[call("find", json!({"pattern": pattern}))]);
        assert!(said.contains("not code in python") && !said.contains("html") && !said.contains("yaml"), "{said}");
    }
    // Words are a command to a shell.
    files.write("/w/a.sh", "echo hi\n");
    files.write("/w/b.py", "x = 1\n");
    let said = said_in(there(), &[call("find", json!({"pattern": "class $X"}))]);
    assert!(said.contains("0 matches") && said.contains("near: the pattern is not code in python: "), "{said}");
}

#[test]
fn prose_has_no_say_in_what_is_code() {
    for pattern in ["print(", "class $X", "def f(:"] {
        let refused = said_in(folder(), &[call("find", json!({"pattern": pattern}))]);
        assert!(refused.starts_with("ERROR bad_pattern"), "{pattern}: {refused}");
        let refused = said_in(folder(), &[call("rewrite", json!({"pattern": pattern, "template": "x"}))]);
        assert!(refused.starts_with("ERROR bad_pattern"), "{pattern}: {refused}");
    }
    let found = said_in(folder(), &[call("find", json!({"pattern": "print(1)"}))]);
    assert!(found.contains("1 match"), "{found}");
    // If there is only prose, it is what is meant.
    let found = said_in(folder(), &[call("find", json!({"pattern": "print(", "path": "README.md"}))]);
    assert!(!found.starts_with("ERROR"), "{found}");
}

#[test]
fn names_and_texts_are_hinted_at() {
    for (selector, hint) in [
        ("SecureCookieSession", "`#SecureCookieSession`"),
        ("Flask.url_for", "`[qualname=\"Flask.url_for\"]`"),
        ("string:contains(\"TODO\")", "`[text*="),
        ("function#f.parameters", "`function#f > .parameters`"),
    ] {
        let refused = said_in(folder(), &[call("find", json!({"selector": selector, "path": "src/a.py"}))]);
        assert!(refused.contains(hint), "{selector}: {refused}");
    }
    let found = said_in(folder(), &[call("find", json!({"selector": "function#f > .parameters", "path": "src/a.py"}))]);
    assert!(found.contains("1 match"), "{found}");
}

/// The words in backticks in texts for models are selectors and patterns that find something.
#[test]
fn what_models_are_told_runs() {
    const OTHERS: &[&str] = &[
        "cst",
        "target",
        "assert $A == $B",
        "10-20",
        "$0",
        "n31",
        "n31@3fa9c1d2",
        "n17.body",
        "12:5",
        "language",
        "find",
        "replace",
        "to",
        "$$$NAME",
        "$NAME",
        "$X",
        "symbol",
        "handle",
        "Server.handle",
        "PATH::Server.handle",
        "PATH:LINE",
        "PATH:LINE[:COL]",
        "HEAD",
        "HEAD~3",
        "rotate csrf token",
        "focus",
        "word*",
        "-word",
        "\"…\"",
        "kind:class",
        "lang:go",
        "path:src/**",
        "in:Server",
        "refs",
        "since",
        "symbols",
    ];
    let files = Memory::default();
    files.write(
        "/w/a.py",
        "class A:\n    def get(self): return print(1)\n    def name(self): pass\n\n\ndef main():\n    requests.get(u, 1)\n    assertEqual(1, 2)\n\nx = 'TODO'\n",
    );
    let there = Host { files: Arc::new(files), ..Host::at("/w") };
    let listed = answer("tools/list", json!({}))["result"].to_string();
    let told = answer("initialize", json!({"protocolVersion": "2025-06-18"}))["result"]["instructions"].to_string();
    let text = format!("{listed} {told}").replace("\\\"", "\"");
    let words: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|word| !OTHERS.contains(word)).collect();
    let is_pattern = |word: &str| word.contains('$') || word.contains("assertEqual");
    let calls: Vec<Value> = words
        .iter()
        .map(|word| match is_pattern(word) {
            true => call("find", json!({"pattern": word, "path": "a.py"})),
            false => call("find", json!({"selector": word, "path": "a.py"})),
        })
        .collect();
    assert!(calls.len() >= 8, "{words:?}");
    for (said, word) in said_in(there, &calls).split("\n---\n").zip(words) {
        assert!(!said.starts_with("ERROR") && !said.starts_with('0'), "{word}: {said}");
    }
}

/// A hint quotes what it names, and the tools have no options and no commands.
#[test]
fn no_hint_names_an_option_or_a_command_of_the_command_line() {
    // A user may have to be asked for what only the command line does.
    const FOR_USERS: &[&str] = &["`cst trust`"];
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let of_the_command_line = ["cli", "agent", "main.rs"];
    let mut folders = vec![source.clone()];
    let (mut literals, mut wrong) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let below = path.strip_prefix(&source).unwrap().to_owned();
            if of_the_command_line.iter().any(|name| below.starts_with(name)) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for literal in line.split('"').skip(1).step_by(2) {
                    literals += 1;
                    let allowed = FOR_USERS.iter().any(|words| literal.contains(words));
                    if (literal.contains("`--") || literal.contains("`cst ")) && !allowed {
                        wrong.push(format!("{}: {literal}", below.display()));
                    }
                }
            }
        }
    }
    assert!(literals > 1_500, "{literals}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_nearest_names_of_a_folder_are_shown() {
    let files = Memory::default();
    files.write("/w/a.py", "def parse_cookie(): pass\ndef unget(): pass\ndef exhaust(): pass\n");
    files.write("/w/b.py", "def get_host(): pass\n");
    let there = Host { files: Arc::new(files), ..Host::at("/w") };
    let found = said_in(there, &[call("find", json!({"selector": "function#get_hots"}))]);
    assert!(found.contains("b.py:1: `get_host`") && !found.contains("exhaust"), "{found}");
}
