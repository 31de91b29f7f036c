//! Parameters that are added, removed and put in another order, with the calls.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Memory, Request};
use serde_json::{Value, json};

#[track_caller]
fn ask(files: &[(&str, &str)], params: &Value) -> Result<Vec<String>, (String, Vec<String>)> {
    let memory = Arc::new(Memory::default());
    for (path, text) in files {
        memory.write(format!("/p/{path}"), *text);
    }
    let engine = Engine::new(Host { files: memory, ..Host::at("/p") });
    let mut params = params.clone();
    params["kind"] = json!("change_signature");
    let request: Request =
        serde_json::from_value(json!({"method": "refactor", "params": params})).expect("well formed");
    let answer = match engine.handle(request) {
        Ok(answer) => serde_json::to_value(answer).expect("plain data"),
        Err(error) => {
            let error = error.to_json();
            let places = error["error"]["places"].as_array().cloned().unwrap_or_default();
            let place = |place: &Value| {
                format!("{}:{} {}", place["path"].as_str().unwrap(), place["line"], place["why"].as_str().unwrap())
            };
            let message = error["error"]["message"].as_str().unwrap().to_owned();
            return Err((message, places.iter().map(place).collect()));
        }
    };
    let mut lines = Vec::new();
    for file in answer["files"].as_array().expect("a list") {
        let diff = file["diff"].as_str().unwrap_or_default();
        let new = diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
        lines.extend(new.map(|line| line[1..].trim().to_owned()));
    }
    Ok(lines)
}

const SHOP: &[(&str, &str)] = &[
    (
        "shop.py",
        "class Base:\n    def sell(self, item, count=1):\n        return item, count\n\n\nclass Stock(Base):\n    def sell(self, item, count=1):\n        return super().sell(item, count)\n\n\ndef total(\n    first,\n    second,\n):\n    return first\n",
    ),
    (
        "main.py",
        "from shop import Base, Stock, total\n\nstock = Stock()\nstock.sell(1, 2)\nstock.sell(1)\nStock.sell(stock, 1, count=3)\ntotal(\n    1,\n    2,\n)\ntotal(first=1, second=2)\n",
    ),
];

#[test]
fn a_parameter_is_added_to_a_function_its_overrides_and_its_calls() {
    let added = ask(SHOP, &json!({"symbol": "Base.sell", "add": "where", "at": 1, "value": "'here'"}));
    assert_eq!(
        added.unwrap(),
        [
            "stock.sell('here', 1, 2)",
            "stock.sell('here', 1)",
            "Stock.sell(stock, 'here', 1, count=3)",
            "def sell(self, where, item, count=1):",
            "def sell(self, where, item, count=1):",
            "return super().sell('here', item, count)",
        ]
    );
    // The last one with a default value changes no call.
    let added = ask(SHOP, &json!({"symbol": "shop.total", "add": "third: int = 3"}));
    assert_eq!(added.unwrap(), ["third: int = 3,"]);
}

#[test]
fn a_parameter_is_removed_with_its_arguments() {
    let removed = ask(SHOP, &json!({"symbol": "shop.total", "remove": "second"}));
    assert_eq!(removed.unwrap(), ["total(first=1)"]);
    let (message, places) = ask(SHOP, &json!({"symbol": "Base.sell", "remove": "count"})).unwrap_err();
    assert!(message.contains("cannot change"), "{message}");
    assert!(places.contains(&"shop.py:3 the function uses it".to_owned()), "{places:?}");
    let files = [("a.py", "def f(a, b):\n    return a\n\nf(1, print(2))\n")];
    let (_, places) = ask(&files, &json!({"symbol": "f", "remove": "b"})).unwrap_err();
    assert_eq!(places, ["a.py:4 the argument does something when it is computed"]);
}

#[test]
fn parameters_get_another_order() {
    let reordered = ask(SHOP, &json!({"symbol": "shop.total", "reorder": "second"}));
    // The lines of a diff that are new: each one is before the other now.
    assert_eq!(reordered.unwrap(), ["2,", "second,"]);
}

#[test]
fn what_is_not_certain_is_listed() {
    for (text, place) in [
        ("def f(a): pass\ng = f\n", "a.py:2 it is used as a value; what calls it then is not seen"),
        ("def f(a): pass\nf(*x)\n", "a.py:2 the call may pass any argument"),
        ("@route\ndef f(a): pass\n", "a.py:2 the decorator `route` may call it"),
        ("class C:\n    def f(self, a): pass\ndef g(c): c.f(1)\n", "a.py:3 the called function is unknown"),
        (
            "class C:\n    def f(self, a): pass\nclass D(C):\n    def f(self, b): pass\n",
            "a.py:4 it has other parameters",
        ),
    ] {
        let files = [("a.py", text)];
        let symbol = if text.starts_with("class") { "C.f" } else { "f" };
        let (_, places) = ask(&files, &json!({"symbol": symbol, "add": "new", "value": "0"})).unwrap_err();
        assert!(places.contains(&place.to_owned()), "{text}: {places:?}");
    }
    let files = [("a.c", "static int f(int a) { return a; }\n")];
    let (message, _) = ask(&files, &json!({"symbol": "f", "add": "int b = 1"})).unwrap_err();
    assert!(message.contains("has no list of parameters"), "{message}");
    let files = [("A.java", "class A {\n    int f(int a) { return a; }\n    int f() { return f(1); }\n}\n")];
    let (_, places) = ask(&files, &json!({"symbol": "A.f", "add": "int b", "value": "1"})).unwrap_err();
    assert_eq!(places, ["A.java:2 several definitions have this name"]);
    let files =
        [("a.js", "class C {\n  constructor(a) {}\n}\nclass D extends C {\n  constructor() { super(1); }\n}\n")];
    let (_, places) =
        ask(&files, &json!({"symbol": "C.constructor", "add": "b", "value": "1", "force": true})).unwrap_err();
    assert_eq!(places, ["a.js:4 its constructor may call the one of its base"]);
    for (params, message) in [
        (json!({"add": "b"}), "calls must pass something for `b`"),
        (json!({"add": "a = 1"}), "parameter `a` already exists"),
        (json!({"remove": "c"}), "no parameter `c`"),
        (json!({"reorder": ["a", "a"]}), "a parameter is named twice"),
        (json!({}), "a signature changes by one of"),
        (json!({"add": "b = 1", "remove": "a"}), "a signature changes by one of"),
    ] {
        let mut params = params;
        params["symbol"] = json!("f");
        let (text, _) = ask(&[("a.py", "def f(a): pass\n")], &params).unwrap_err();
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn signatures_change_in_other_languages() {
    for (path, text, symbol, add, expected) in [
        (
            "a.ts",
            "export function f(a: number) { return a; }\nf(1);\n",
            "f",
            "b: number",
            &["export function f(a: number, b: number) { return a; }", "f(1, 2);"][..],
        ),
        ("a.js", "const f = (a) => a;\nf(1);\n", "f", "b", &["const f = (a, b) => a;", "f(1, 2);"]),
        (
            "a.js",
            "class C {\n  constructor(a) { this.a = a; }\n}\nclass D extends C {}\nnew C(1);\nnew D(3);\n",
            "C.constructor",
            "b",
            &["constructor(a, b) { this.a = a; }", "new C(1, 2);", "new D(3, 2);"],
        ),
        (
            "A.java",
            "class A {\n    int f(int a) { return a; }\n    int g() { return f(1); }\n}\n",
            "A.f",
            "int b",
            &["int f(int a, int b) { return a; }", "int g() { return f(1, 2); }"],
        ),
        (
            "a.go",
            "package a\n\nfunc f(a int) int { return a }\n\nfunc g() int { return f(1) }\n",
            "f",
            "b int",
            &["func f(a int, b int) int { return a }", "func g() int { return f(1, 2) }"],
        ),
        (
            "a.rs",
            "fn f(a: i32) -> i32 { a }\n\nfn g() -> i32 { f(1) }\n",
            "f",
            "b: i32",
            &["fn f(a: i32, b: i32) -> i32 { a }", "fn g() -> i32 { f(1, 2) }"],
        ),
    ] {
        let added = ask(&[(path, text)], &json!({"symbol": symbol, "add": add, "value": "2", "force": true}));
        assert_eq!(added.unwrap_or_else(|error| panic!("{path} {symbol}: {error:?}")), expected, "{path}");
    }
}

#[test]
fn the_last_argument_goes_with_its_own_blanks() {
    let removed = |arguments: &str, expected: &str| {
        crate::refactored::check(
            &[("a.py", &format!("def f(a, b=None): pass\n\nf({arguments})\n"))],
            &json!({"kind": "change_signature", "symbol": "f", "remove": "b"}),
            &[("a.py", &format!("def f(a): pass\n\nf({expected})\n"))],
        );
    };
    removed("\n    1, None,  # why\n", "\n    1,  # why\n");
    removed("\n    1,\n    None,\n", "\n    1,\n");
    removed("1, None", "1");
}
