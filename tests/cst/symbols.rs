//! References, definitions, calls and classes over a project of several files.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Memory, Request};
use serde_json::{Value, json};

use crate::mcp::{call, said_in};

/// A project in memory, and an engine on it.
pub(super) struct Project {
    engine: Engine,
}

impl Project {
    pub(super) fn new(files: &[(&str, &str)]) -> Project {
        let memory = Memory::default();
        for (path, text) in files {
            memory.write(format!("/p/{path}"), *text);
        }
        Project { engine: Engine::new(Host { files: Arc::new(memory), ..Host::at("/p") }) }
    }

    pub(super) fn ask(&self, method: &str, params: &Value) -> Result<Value, Value> {
        let request = json!({"method": method, "params": params});
        let request: Request = serde_json::from_value(request).expect("well formed");
        let response = self.engine.handle(request).map_err(|error| error.to_json())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    /// The references of a symbol, each as `path:line:col role`, with its confidence unless it is certain.
    #[track_caller]
    fn refs(&self, symbol: &str) -> Vec<String> {
        let answer = self.ask("refs", &json!({"symbol": symbol}));
        let answer = answer.unwrap_or_else(|error| panic!("{symbol}: {error}"));
        let row = |row: &Value| {
            let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let mut text = format!("{}:{}:{} {}", word("path"), row["line"], row["col"], word("role"));
            if row["confidence"] != "certain" {
                text.push_str(&format!(" {}", word("confidence")));
            }
            if row["is_override"] == true {
                text.push_str(" override");
            }
            text
        };
        answer["references"].as_array().expect("a list").iter().map(row).collect()
    }

    #[track_caller]
    pub(super) fn check(&self, symbol: &str, expected: &[&str]) {
        assert_eq!(self.refs(symbol), expected, "{symbol}");
    }

    /// The code and the message of an error.
    #[track_caller]
    fn error(&self, method: &str, params: &Value) -> (String, String) {
        let error = self.ask(method, params).expect_err("an error");
        let word = |key: &str| error["error"][key].as_str().unwrap_or_default().to_owned();
        (word("code"), word("message"))
    }
}

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .stock import Stock as Store\nfrom . import tools\n__all__ = [\"Store\"]\n"),
    (
        "shop/stock.py",
        "class Base:\n    def count(self):\n        return 0\n\n    def close(self):\n        return self.count()\n\n\nclass Stock(Base):\n    size: int = 1\n\n    def __init__(self, size):\n        self.size = size\n\n    def count(self):\n        return super().count() + self.size\n",
    ),
    (
        "shop/tools.py",
        "from shop.stock import Stock\nimport shop.stock\nimport json\n\n\ndef fill(stock: \"Stock\", other, size=1):\n    stock.count()\n    other.count()\n    json.count()\n    shop.stock.Base().count()\n    return Stock(size=size)\n\n\ndef empty():\n    return fill(None, None, size=2).count()\n",
    ),
    (
        "main.py",
        "from shop import Store, tools\nfrom shop.tools import *\n\nstore = Store(3)\nstore.count()\ntools.fill(store, 1)\nfill(store, 2)\nStore.count(store)\n",
    ),
];

#[test]
fn names_are_followed_through_imports() {
    let project = Project::new(SHOP);
    project.check(
        "shop.tools.fill",
        &["main.py:6:7 call", "main.py:7:1 call", "shop/tools.py:6:5 definition", "shop/tools.py:15:12 call"],
    );
    // Under another name, too, and in a type that is written as a string.
    project.check(
        "Stock",
        &[
            "main.py:1:18 import",
            "main.py:4:9 call",
            "main.py:8:1 read",
            "shop/__init__.py:1:20 import",
            "shop/__init__.py:1:29 import",
            "shop/stock.py:9:7 definition",
            "shop/tools.py:1:24 import",
            "shop/tools.py:6:18 type",
            "shop/tools.py:11:12 call",
        ],
    );
    project.check(
        "shop/stock.py::Base",
        &["shop/stock.py:1:7 definition", "shop/stock.py:9:13 base", "shop/tools.py:10:16 call"],
    );
}

#[test]
fn members_are_followed_through_classes() {
    let project = Project::new(SHOP);
    // What is before the dot is `self`, a class, a constructed or annotated object, or what a function returns.
    project.check(
        "Stock.count",
        &[
            "main.py:5:7 call",
            "main.py:8:7 call",
            "shop/stock.py:2:9 definition override",
            "shop/stock.py:6:21 call override",
            "shop/stock.py:15:9 definition",
            "shop/stock.py:16:24 call override",
            "shop/tools.py:7:11 call",
            "shop/tools.py:8:11 call candidate",
            "shop/tools.py:10:23 call override",
            "shop/tools.py:15:37 call",
        ],
    );
    project.check(
        "Stock.size",
        &["shop/stock.py:10:5 definition", "shop/stock.py:13:14 write", "shop/stock.py:16:39 read"],
    );
    // An argument names a parameter.
    project.check(
        "shop/tools.py:6:33",
        &["shop/tools.py:6:33 definition", "shop/tools.py:11:23 read", "shop/tools.py:15:29 read"],
    );
}

#[test]
fn modules_have_references() {
    let project = Project::new(SHOP);
    project.check(
        "shop/tools.py:2:13",
        &[
            "shop/__init__.py:1:7 import",
            "shop/tools.py:1:11 import",
            "shop/tools.py:2:13 import",
            "shop/tools.py:10:10 read",
        ],
    );
}

#[test]
fn each_occurrence_is_counted_once() {
    let project = Project::new(SHOP);
    let all: String = SHOP.iter().map(|(_, text)| *text).collect();
    for name in ["count", "size", "fill", "stock", "Base", "empty", "close"] {
        let answer = project.ask("refs", &json!({"symbol": name, "all": true})).expect("known");
        let counts = answer["counts"].as_object().expect("counts");
        let counted: u64 = counts.values().filter_map(Value::as_u64).sum();
        let words = all.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        assert_eq!(counted, words.filter(|word| *word == name).count() as u64, "{name}: {answer}");
    }
}

#[test]
fn typescript_follows_exports() {
    let project = Project::new(&[
        (
            "src/shape.ts",
            "export interface Shape { area(): number }\nexport class Square implements Shape {\n  constructor(private side: number) {}\n  area(): number { return this.grow().side; }\n  grow(): Square { return new Square(2); }\n}\nexport default function draw(shape: Shape) { return shape.area(); }\nexport const unit = new Square(1);\n",
        ),
        ("src/index.ts", "export * from './shape';\nexport { Square as Box, default as paint } from './shape';\n"),
        (
            "src/app.ts",
            "import paint, { Square } from './shape';\nimport * as all from './index';\nimport { Box, unit } from '.';\n\nconst box: Box = new all.Square(3);\nbox.area();\nunit.grow().area();\npaint(box);\nfunction f(x) { return x.area(); }\n",
        ),
    ]);
    project.check(
        "Square.area",
        &[
            "src/app.ts:6:5 call",
            "src/app.ts:7:13 call",
            "src/shape.ts:1:26 definition override",
            "src/shape.ts:4:3 definition",
            "src/shape.ts:7:59 call override",
        ],
    );
    project.check(
        "draw",
        &[
            "src/app.ts:1:8 import",
            "src/app.ts:8:1 call",
            "src/index.ts:2:25 export",
            "src/index.ts:2:36 export",
            "src/shape.ts:7:25 definition",
        ],
    );
    project.check(
        "Square",
        &[
            "src/app.ts:1:17 import",
            "src/app.ts:3:10 import",
            "src/app.ts:5:12 type",
            "src/app.ts:5:26 call",
            "src/index.ts:2:10 export",
            "src/index.ts:2:20 export",
            "src/shape.ts:2:14 definition",
            "src/shape.ts:5:11 type",
            "src/shape.ts:5:31 call",
            "src/shape.ts:8:25 call",
        ],
    );
}

/// The tool for agents: the same answers as text, whatever the relation.
#[test]
fn agents_ask_with_one_tool() {
    let files = Arc::new(Memory::default());
    for (path, text) in SHOP {
        files.write(format!("/w/{path}"), *text);
    }
    let host = || Host { files: files.clone(), ..Host::at("/w") };
    let ask = |arguments: Value| said_in(host(), &[call("refs", arguments)]);
    let said = ask(json!({"symbol": "shop.tools.fill"}));
    assert!(said.starts_with("fill: 4 certain, 0 candidates, 0 not determined"), "{said}");
    assert!(said.contains("main.py\n  6:7 call: tools.fill(store, 1)\n"), "{said}");
    let said = ask(json!({"symbol": "fill", "relation": "callers"}));
    assert!(said.contains("function empty calls in line 15"), "{said}");
    let said = ask(json!({"symbol": "empty", "relation": "callees"}));
    assert!(said.contains("function fill calls in line 15"), "{said}");
    let said = ask(json!({"symbol": "Base", "relation": "classes"}));
    assert!(said.contains("shop/stock.py:9 class Stock extends Base"), "{said}");
    let said = ask(json!({"symbol": "fil", "relation": "definitions"}));
    assert!(said.contains("shop/tools.py:6 function fill"), "{said}");
    let said = ask(json!({"symbol": "count"}));
    assert!(said.starts_with("ERROR ambiguous") && said.contains("Stock.count"), "{said}");
    let said = ask(json!({"symbol": "fill", "relation": "friends"}));
    assert!(said.contains("the relations are references, callers, callees, classes, definitions"), "{said}");
}

#[test]
fn calls_are_a_tree() {
    let project = Project::new(&[
        ("a.py", "from b import g\n\ndef f():\n    g()\n    g()\n\ndef top():\n    f()\n"),
        ("b.py", "import a\n\ndef g():\n    a.f()\n    unknown.g()\n"),
    ]);
    let answer = project.ask("calls", &json!({"symbol": "b.g", "depth": 3})).expect("known");
    let root = &answer["root"];
    assert_eq!((&root["qualname"], &root["calls"][0]["qualname"]), (&json!("g"), &json!("f")));
    assert_eq!(root["calls"][0]["lines"], json!([4, 5]));
    let callers: Vec<&Value> = root["calls"][0]["calls"].as_array().expect("a list").iter().collect();
    let names: Vec<&str> = callers.iter().filter_map(|node| node["qualname"].as_str()).collect();
    assert_eq!(names, ["top", "g"]);
    assert_eq!(callers[1]["is_cycle"], true);
    let answer = project.ask("calls", &json!({"symbol": "b.g", "callees": true})).expect("known");
    assert_eq!(answer["root"]["calls"][0]["qualname"], "f");
    assert_eq!(answer["undetermined"], 1);
}

#[test]
fn classes_below_are_found_however_their_heads_are_written() {
    let project = Project::new(&[
        ("base.py", "class C:\n    def m(self): pass\n"),
        (
            "comment.py",
            "import base\nclass One(\n    # a note (open\n    object, base.C[int], metaclass=type\n):\n    pass\n",
        ),
        ("renamed.py", "from base import (\n    C\n    as D,\n)\nclass Two(D): pass\n"),
        ("nested.py", "from base import C\nclass Outer:\n    class Three(C): pass\n"),
        ("local.py", "from base import C\ndef f():\n    class Four(C): pass\n    class Five(Four): pass\n"),
        ("calls.py", "from base import C\nC().m()\n"),
        ("base.mjs", "export class J { m() {} }\n"),
        (
            "renamed.mjs",
            "import { J as K } from './base.mjs';\nexport class Seven extends mix({ a: 1 }, K) {}\nclass Eight extends K {}\n",
        ),
    ]);
    let below = |symbol: &str| {
        let answer = project.ask("hierarchy", &json!({"symbol": symbol})).expect("known");
        let rows = answer["below"].as_array().expect("a list").clone();
        let mut names: Vec<String> =
            rows.iter().map(|row| row["qualname"].as_str().unwrap_or_default().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(below("C"), ["One", "Outer.Three", "Two", "f.Five", "f.Four"]);
    // A mixin makes a class that is below what it gets.
    assert_eq!(below("J"), ["Eight", "Seven"]);
}

#[test]
fn hierarchies_go_up_and_down() {
    let project = Project::new(SHOP);
    let answer = project.ask("hierarchy", &json!({"symbol": "Base", "method": "count"})).expect("known");
    assert_eq!(answer["below"][0]["qualname"], "Stock");
    assert_eq!(answer["below"][0]["method_line"], 15);
    let answer = project.ask("hierarchy", &json!({"symbol": "Stock"})).expect("known");
    assert_eq!(answer["above"][0]["qualname"], "Base");
    assert_eq!(answer["has_external_bases"], false);
}

#[test]
fn definitions_are_found_by_name() {
    let project = Project::new(SHOP);
    let names = |query: &str| -> Vec<String> {
        let answer = project.ask("symbols", &json!({"query": query})).expect("an answer");
        let rows = answer["symbols"].as_array().expect("a list").iter();
        rows.filter_map(|row| row["qualname"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(names("count"), ["Base.count", "Stock.count"]);
    assert_eq!(names("Stock.count"), ["Stock.count"]);
    assert_eq!(names("cou"), ["Base.count", "Stock.count"]);
    assert_eq!(names("empyt"), ["empty"]);
    assert_eq!(names("nosuchthing"), Vec::<String>::new());
}

#[test]
fn dependencies_are_files() {
    let project = Project::new(&[
        ("a.py", "import b\nimport os\nfrom p import q\n"),
        ("b.py", "from c import x\n"),
        ("c.py", "import b\nfrom .gone import y\n"),
        ("p/__init__.py", ""),
        ("p/q.py", "from . import r\n"),
    ]);
    let answer = project.ask("deps", &json!({"external": true})).expect("an answer");
    let file = |path: &str| {
        let files = answer["files"].as_array().expect("a list");
        files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{path}: {answer}")).clone()
    };
    let paths = |rows: &Value| -> Vec<String> {
        let rows = rows.as_array().cloned().unwrap_or_default().into_iter();
        rows.filter_map(|row| row["path"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(paths(&file("a.py")["imports"]), ["b.py", "p/__init__.py", "p/q.py"]);
    assert_eq!(paths(&file("a.py")["external"]), ["os"]);
    assert_eq!(paths(&file("c.py")["missing"]), [".gone"]);
    assert_eq!(file("b.py")["imported_by"], json!(["a.py", "c.py"]));
    assert_eq!(answer["cycles"], json!([["b.py", "c.py"]]));
    let one = project.ask("deps", &json!({"path": "b.py"})).expect("an answer");
    assert_eq!(one["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(project.error("deps", &json!({"path": "gone.py"})).0, "not_found");
}

#[test]
fn wrong_questions_are_errors() {
    let project = Project::new(SHOP);
    let (code, message) = project.error("refs", &json!({"symbol": "count"}));
    assert_eq!(code, "ambiguous");
    assert!(
        message.contains("shop/stock.py::Base.count") && message.contains("shop/stock.py::Stock.count"),
        "{message}"
    );
    let (code, message) = project.error("hierarchy", &json!({"symbol": "empty"}));
    assert_eq!((code.as_str(), message.as_str()), ("bad_request", "`empty` is a function, not a class"));
    assert_eq!(project.error("refs", &json!({"symbol": "nowhere"})).0, "no_match");
    assert_eq!(project.error("refs", &json!({"symbol": "gone.py:1"})).0, "not_found");
    assert_eq!(project.error("refs", &json!({"symbol": "main.py:3"})).0, "no_match");
    assert_eq!(project.error("refs", &json!({"symbol": "fill", "targets": ["nodir"]})).0, "not_found");
}
