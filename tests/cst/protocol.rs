//! docs/protocol.md: what stands between its marks is made of the types, and of answers that were given.
//!
//! `UPDATE_DOCS=1 cargo test --features all protocol::` writes it anew.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use cst::engine::{Memory, MethodSchema, Methods, Request};
use cst::serve::{self, Answers, Framing};
use cst::{Engine, Host};
use regex::Regex;
use serde_json::{Value, json};

use crate::rpc::Output;

/// The file that the examples are about.
const SHOP: &str =
    "class Shop(Base):\n    def open(self):\n        return self.door.open()\n\n    def close(self):\n        pass\n";
/// How many lines of an example's answer are shown.
const SHOWN: usize = 40;

/// What is asked in the examples, one after the other; `TREE` and `TRANSACTION` are those of earlier answers.
const EXAMPLES: &[(&str, &str)] = &[
    ("load", r#"{"paths": ["shop.py"]}"#),
    ("find", r#"{"selector": "class > method:has(call)", "targets": ["TREE"], "code": true}"#),
    ("show", r#"{"target": "TREE", "nodes": ["method#open"]}"#),
    (
        "modify",
        r#"{"target": "TREE", "operations": [{"op": "rename", "target": "method#open", "to": "unlock"}], "diff": true}"#,
    ),
    ("undo", r#"{"tree_ids": ["TREE"]}"#),
    ("redo", r#"{"tree_ids": ["TREE"]}"#),
    ("diff", r#"{"tree_ids": ["TREE"]}"#),
    ("save", r#"{"tree_ids": ["TREE"], "backup": true}"#),
    ("transactions", "{}"),
    ("trees", "{}"),
    ("drop", r#"{"tree_ids": ["TREE"]}"#),
    ("backups", "{}"),
    ("explain", r#"{"selector": "class > call", "target": "shop.py"}"#),
    ("languages", "{}"),
    ("outline", r#"{"targets": ["shop.py"]}"#),
    ("check", r#"{"targets": [{"text": "def f(:\n", "name": "broken.py"}]}"#),
    ("metrics", r#"{"targets": ["shop.py"], "top": 1}"#),
    (
        "duplicates",
        r#"{"targets": [{"text": "def f(a):\n    g(a)\n\ndef h(b):\n    g(b)\n", "name": "twice.py"}], "min_tokens": 10}"#,
    ),
    ("chunk", r#"{"targets": ["shop.py"], "max_tokens": 40}"#),
    ("symbols", r#"{"query": "unlock"}"#),
    ("refs", r#"{"symbol": "Shop.unlock"}"#),
    ("calls", r#"{"symbol": "Shop.unlock", "callees": true}"#),
    ("hierarchy", r#"{"symbol": "Shop"}"#),
    ("deps", r#"{"external": true}"#),
    ("search", r#"{"query": "unlock shop kind:method"}"#),
    ("map", r#"{"tokens": 200, "focus": ["shop.py"]}"#),
    ("unused", r#"{"path": "shop.py"}"#),
    ("impact", r#"{"symbols": ["Shop.unlock"]}"#),
    ("export", r#"{"format": "jsonl", "output": "symbols.jsonl"}"#),
    ("index", r#"{"targets": ["."]}"#),
    ("rewrite", r#"{"pattern": "self.$A", "template": "this.$A", "targets": ["shop.py"], "write": true}"#),
    ("refactor", r#"{"kind": "rename", "symbol": "shop.py::Shop", "to": "Store"}"#),
    ("run", r#"{"script": "refactors/quiet.toml", "targets": ["shop.py"]}"#),
    ("scan", r#"{"selector": "pass", "message": "nothing is done", "targets": ["shop.py"]}"#),
    ("convert_rules", r#"{"path": "rules/no-pass.yml"}"#),
    ("test", r#"{"scripts": ["refactors/quiet.toml"]}"#),
];

const SCRIPT: &str = r#"name = "quiet"
description = "Takes prints out"
language = "python"

[[step]]
select = "pass"
replace = "return None"

[[test]]
name = "a pass"
before = "def f():\n    pass\n"
after = "def f():\n    return None\n"
"#;

/// A value's JSON, short lists and objects on one line.
fn pretty(value: &Value, indent: usize) -> String {
    const WIDTH: usize = 130;
    let flat = spaced(value);
    if indent + flat.len() <= WIDTH {
        return flat;
    }
    let pad = " ".repeat(indent + 2);
    let (open, lines, close): (&str, Vec<String>, &str) = match value {
        Value::Object(fields) => {
            let line =
                |(name, value): (&String, &Value)| format!("{pad}{}: {}", json!(name), pretty(value, indent + 2));
            ("{", fields.iter().map(line).collect(), "}")
        }
        Value::Array(values) => {
            ("[", values.iter().map(|value| format!("{pad}{}", pretty(value, indent + 2))).collect(), "]")
        }
        _ => return flat,
    };
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), " ".repeat(indent))
}

fn spaced(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", json!(name), spaced(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// An engine on a file in memory.
fn engine(cache: &Path) -> Engine {
    let files = Memory::default();
    files.write("/w/shop.py", SHOP);
    files.write("/w/refactors/quiet.toml", SCRIPT);
    files.write("/w/rules/no-pass.yml", "id: no-pass\nlanguage: python\nmessage: nothing is done\nrule:\n  kind: pass_statement\n  inside: {kind: except_clause, stopBy: end}\n");
    Engine::new(Host { files: Arc::new(files), cache: Some(cache.to_owned()), ..Host::at("/w") })
}

/// Each example's method, question and answer; ids and times are always the same ones.
fn examples() -> Vec<(&'static str, String, String)> {
    let cache = tempfile::tempdir().expect("a folder can be made");
    let engine = engine(cache.path());
    let id = Regex::new("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}").unwrap();
    let time = Regex::new(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ").unwrap();
    let mut known: Vec<String> = Vec::new();
    let mut tree = String::new();
    let mut said = Vec::new();
    for (method, params) in EXAMPLES {
        let params: Value = serde_json::from_str(&params.replace("TREE", &tree)).unwrap();
        let request = Request::read(method, params.as_object().unwrap().clone()).unwrap();
        let response = engine.handle(request).unwrap_or_else(|error| panic!("{method}: {error}"));
        let response = serde_json::to_value(response).unwrap();
        if let Some(id) = response["trees"][0]["tree_id"].as_str() {
            id.clone_into(&mut tree);
        }
        let mut same = |text: String| {
            let mut named = |found: &regex::Captures<'_>| {
                let place = known.iter().position(|known| *known == found[0]).unwrap_or_else(|| {
                    known.push(found[0].to_owned());
                    known.len() - 1
                });
                format!("01a20000-0000-7000-8000-00000000000{place}")
            };
            time.replace_all(&id.replace_all(&text, &mut named), "2026-11-22T09:00:00Z").into_owned()
        };
        let question = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        said.push((*method, same(pretty(&question, 0)), same(pretty(&response, 0))));
    }
    said
}

/// A type in words.
fn words(schema: &Value) -> String {
    let methods = Methods::all();
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let target = methods.resolved(schema);
        let is_choice = |choice: &Value| choice["const"].is_string() || choice["enum"].is_array();
        let choices = target["oneOf"].as_array().filter(|choices| choices.iter().all(is_choice));
        return match (choices, target["enum"].as_array()) {
            (Some(choices), _) => choices.iter().map(word).collect::<Vec<_>>().join(", "),
            (_, Some(_)) => word(target),
            _ => {
                // The result of a method is described there.
                let is_result = |method: &&MethodSchema| method.result["$ref"] == schema["$ref"];
                let place = methods.methods.iter().find(is_result).map_or(name, |method| method.name.as_str());
                format!("[{name}](#{})", place.to_lowercase())
            }
        };
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let choices = choices.iter().filter(|choice| choice["type"] != "null");
        return choices.map(words).collect::<Vec<_>>().join(" or ");
    }
    let name = match &schema["type"] {
        Value::String(name) => name.as_str(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("any"),
        _ if schema["const"].is_string() => return word(schema),
        _ => "any",
    };
    match name {
        "array" if schema["prefixItems"].is_array() => "pair of numbers".to_owned(),
        "array" => format!("list of {}", words(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("object of {}", words(&schema["additionalProperties"]))
        }
        "integer" => "number".to_owned(),
        "string" if schema["enum"].is_array() => word(schema),
        other => other.to_owned(),
    }
}

/// The words that a choice allows.
fn word(choice: &Value) -> String {
    let all = choice["enum"].as_array().cloned().unwrap_or_else(|| vec![choice["const"].clone()]);
    all.iter().map(|word| format!("`{}`", word.as_str().unwrap_or_default())).collect::<Vec<_>>().join(", ")
}

/// The fields of an object as a table.
fn table(schema: &Value, is_question: bool) -> String {
    let Some(fields) = schema["properties"].as_object().filter(|fields| !fields.is_empty()) else {
        return String::new();
    };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut table = "| field | type | |\n|---|---|---|\n".to_owned();
    for (name, field) in fields {
        let optional = if is_question && !required.contains(&name.as_str().into()) { "?" } else { "" };
        let own = field["description"].as_str();
        let description = own.or(Methods::all().resolved(field)["description"].as_str()).unwrap_or_default();
        let description = description.replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(table, "| `{name}`{optional} | {} | {description} |", words(field));
    }
    table
}

fn method(method: &MethodSchema, examples: &[(&str, String, String)]) -> String {
    let mut text = format!("### `{}`\n\n{}\n\n", method.name, method.summary.replace('\n', " "));
    let fields = table(&method.params, true);
    let _ = write!(text, "{}", if fields.is_empty() { "It has no fields.\n".to_owned() } else { fields });
    let result = Methods::all().resolved(&method.result);
    let fields = table(result, false);
    if !fields.is_empty() {
        let _ = write!(text, "\nThe result:\n\n{fields}");
    } else if let Some(choices) = result["anyOf"].as_array() {
        let _ = writeln!(text, "\nThe result is one of:\n");
        for choice in choices {
            let described = choice["description"].as_str().unwrap_or_default().trim_end_matches('.');
            let fields = choice["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
            let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
            let what = if choice["$ref"].is_string() { words(choice) } else { fields.join(", ") };
            let _ = writeln!(text, "- {described}: {what}");
        }
    }
    let (_, question, answer) =
        examples.iter().find(|(name, ..)| *name == method.name.as_str()).expect("each has its example");
    let mut lines: Vec<&str> = answer.lines().collect();
    if lines.len() > SHOWN {
        lines.truncate(SHOWN);
        lines.push("  …");
    }
    let _ = write!(text, "\n```json\n{question}\n```\n\n```json\n{}\n```\n\n", lines.join("\n"));
    text
}

fn methods() -> String {
    let examples = examples();
    Methods::all().methods.iter().map(|each| method(each, &examples)).collect()
}

/// The objects that others are made of.
fn types() -> String {
    let mut text = String::new();
    let methods = Methods::all();
    let whole: Vec<&Value> = methods.methods.iter().map(|method| methods.resolved(&method.result)).collect();
    for (name, schema) in &methods.definitions {
        if name.ends_with("Request") || whole.contains(&schema) {
            continue;
        }
        let description = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        let fields = table(schema, false);
        let choices: Vec<&Value> =
            ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten().collect();
        if !fields.is_empty() {
            let _ = write!(text, "### {name}\n\n{description}\n\n{fields}\n");
        } else if !choices.is_empty() && name != "ErrorCode" {
            let _ = write!(text, "### {name}\n\n{description}\n\n");
            for choice in choices {
                let own = choice["description"].as_str().unwrap_or_default().replace('\n', " ");
                let what = match choice["properties"].as_object() {
                    Some(fields) => {
                        let required = choice["required"].as_array().cloned().unwrap_or_default();
                        let optional = |name: &String| if required.contains(&json!(name)) { "" } else { "?" };
                        let fields = fields.iter().map(|(name, field)| match field["const"].as_str() {
                            Some(word) => format!("`{name}` `{word}`"),
                            None => format!("`{name}`{}", optional(name)),
                        });
                        fields.collect::<Vec<_>>().join(", ")
                    }
                    None if choice["const"].is_string() => word(choice),
                    None => words(choice),
                };
                let _ = writeln!(text, "- {what}{}{own}", if own.is_empty() { "" } else { ": " });
            }
            text.push('\n');
        }
    }
    text
}

fn errors() -> String {
    let mut text = "| code | |\n|---|---|\n".to_owned();
    for choice in Methods::all().definitions["ErrorCode"]["oneOf"].as_array().expect("the codes are choices") {
        let description = choice["description"].as_str().unwrap_or_default();
        let _ = writeln!(text, "| {} | {description} |", word(choice));
    }
    text
}

fn tools() -> String {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let output = Output::default();
    let input = std::io::Cursor::new(format!("{request}\n"));
    serve::mcp(Host::at("/w"), Answers::default(), input, output.clone()).unwrap();
    let listed: Value = serde_json::from_str(&output.text()).unwrap();
    let mut text = String::new();
    for tool in listed["result"]["tools"].as_array().expect("the tools are a list") {
        let (name, description) = (tool["name"].as_str().unwrap(), tool["description"].as_str().unwrap());
        let reads = if tool["annotations"]["readOnlyHint"] == true { " It only reads." } else { "" };
        let _ = write!(text, "### {name}\n\n{description}{reads}\n\n{}\n", table(&tool["inputSchema"], true));
    }
    text
}

/// The document with the generated parts replaced.
fn renewed(document: &str) -> String {
    let mut text = String::new();
    let mut rest = document;
    for (name, made) in [("methods", methods()), ("types", types()), ("errors", errors()), ("tools", tools())] {
        let (open, close) = (format!("<!-- made: {name} -->\n"), "<!-- end -->\n");
        let (before, after) = rest.split_once(&open).unwrap_or_else(|| panic!("the mark of {name} is missing"));
        let (_, after) = after.split_once(close).unwrap_or_else(|| panic!("the end of {name} is missing"));
        let _ = write!(text, "{before}{open}\n{}\n{close}", made.trim_end());
        rest = after;
    }
    text + rest
}

#[test]
fn the_page_says_what_there_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let renewed = renewed(&page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &renewed).expect("the page can be written");
        return;
    }
    let difference = page.lines().zip(renewed.lines()).find(|(old, new)| old != new);
    assert!(page == renewed, "docs/protocol.md is not up to date; UPDATE_DOCS=1 makes it so: {difference:?}");
}

/// A whole session on a copy of its file: every answer but the one to an edit that would break it is a result, and the file ends
/// as it was.
#[test]
fn the_example_session_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let session = std::fs::read(root.join("examples/session.jsonl")).expect("the session is there");
    let shop = std::fs::read(root.join("examples/shop.py")).expect("its file is there");
    let files = Arc::new(Memory::default());
    files.write("/w/examples/shop.py", shop.clone());
    let there = Host { files: files.clone(), ..Host::at("/w") };
    let output = Output::default();
    serve::rpc(there, Framing::Lines, std::io::Cursor::new(session), output.clone()).unwrap();
    let answers: Vec<Value> = output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answers: Vec<&Value> = answers
        .iter()
        .flat_map(|answer| answer.as_array().map_or_else(|| vec![answer], |batch| batch.iter().collect()))
        .collect();
    assert_eq!(answers.len(), 11);
    for answer in answers {
        let refused = answer["error"]["data"]["code"].as_str();
        assert_eq!(refused, (answer["id"] == 5).then_some("would_break_syntax"), "{answer}");
    }
    assert_eq!(files.bytes("/w/examples/shop.py"), Some(shop));
}
