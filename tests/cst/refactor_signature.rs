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
    assert_eq!(places, ["a.py:4 the argument does something when it is computed, or may fail"]);
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
    let (message, _) = ask(&[("a.py", "f = 1\n")], &json!({"symbol": "f", "add": "b=1"})).unwrap_err();
    assert!(message.contains("has no list of parameters"), "{message}");
    let files = [("A.java", "class A {\n    int f(int a) { return a; }\n    int f() { return f(1); }\n}\n")];
    let (message, places) = ask(&files, &json!({"symbol": "A.f", "add": "int b", "value": "1"})).unwrap_err();
    assert_eq!(message, "not applied: `A.f` fits 2 functions");
    assert_eq!(places, ["A.java:2 a function of this name", "A.java:3 a function of this name"]);
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
fn the_name_of_a_new_parameter_is_the_one_that_its_language_reads() {
    for (path, text, parameter) in [
        ("a.py", "def f(size): pass\n", "size: int = 1"),
        ("a.ts", "function f(size: number) {}\n", "size?: number"),
        ("A.java", "class A {\n    void f(int size) {}\n}\n", "final long size"),
        ("A.java", "class A {\n    void f(int size) {}\n}\n", "@Deprecated java.util.Map<String, Integer> size"),
        ("a.c", "void f(int size) {}\n", "const char *size"),
        ("a.c", "void f(int size) {}\n", "void (*size)(int other)"),
        ("a.go", "package a\n\nfunc f(size int) {}\n", "size string"),
        ("a.rs", "fn f(size: u8) {}\n", "mut size: u8"),
        ("a.php", "<?php\nfunction f(int $size) {}\n", "string $size"),
        ("a.kt", "fun f(size: Int) {}\n", "size: Long"),
        ("a.rb", "def f(size)\nend\n", "size"),
    ] {
        let Err((message, _)) = ask(&[(path, text)], &json!({"symbol": "f", "add": parameter, "value": "2"})) else {
            panic!("{path}: {parameter}: added");
        };
        assert_eq!(message, "not applied: parameter `size` already exists", "{path}: {parameter}");
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

#[test]
fn parameters_are_known_in_each_language() {
    // The path, the code, the function, the change, the lines that are new.
    let table: &[(&str, &str, &str, Value, &[&str])] = &[
        (
            "a.js",
            "function f(a, b = (k) => k) { return a; }\nf(1, 2);\n",
            "f",
            json!({"remove": "b"}),
            &["function f(a) { return a; }", "f(1);"],
        ),
        (
            "a.ts",
            "function f(a: number, b: string) { return a; }\nf(1, \"x\");\n",
            "f",
            json!({"reorder": ["b"]}),
            &["function f(b: string, a: number) { return a; }", "f(\"x\", 1);"],
        ),
        (
            "a.c",
            "int f(int a, int b) { return a; }\nint g(void) { return f(1, 2); }\n",
            "f",
            json!({"reorder": ["b", "a"]}),
            &["int f(int b, int a) { return a; }", "int g(void) { return f(2, 1); }"],
        ),
        (
            "a.c",
            "int f(void) { return 1; }\nint g(void) { return f(); }\n",
            "f",
            json!({"add": "int a", "value": "2"}),
            &["int f(int a) { return 1; }", "int g(void) { return f(2); }"],
        ),
        (
            "a.go",
            "package a\nfunc f(w, h int, n string) int { return w }\nfunc g() { f(1, 2, \"x\") }\n",
            "f",
            json!({"add": "deep bool", "value": "true"}),
            &["func f(w, h int, n string, deep bool) int { return w }", "func g() { f(1, 2, \"x\", true) }"],
        ),
        (
            "a.go",
            "package a\nfunc f(w, h int, n string) int { return w }\nfunc g() { f(1, 2, \"x\") }\n",
            "f",
            json!({"add": "deep bool", "value": "true", "at": 2}),
            &["func f(w int, deep bool, h int, n string) int { return w }", "func g() { f(1, true, 2, \"x\") }"],
        ),
        (
            "a.go",
            "package a\nfunc f(w, h int, n string) int { return w }\nfunc g() { f(1, 2, \"x\") }\n",
            "f",
            json!({"remove": "h"}),
            &["func f(w int, n string) int { return w }", "func g() { f(1, \"x\") }"],
        ),
        (
            "a.go",
            "package a\nfunc f(w, h int, n string) int { return w }\nfunc g() { f(1, 2, \"x\") }\n",
            "f",
            json!({"reorder": ["n", "h", "w"]}),
            &["func f(n string, h int, w int) int { return w }", "func g() { f(\"x\", 2, 1) }"],
        ),
        (
            "a.go",
            "package a\ntype P int\nfunc (p P) f(a, b int) int { return a }\nfunc g() { P.f(1, 2, 3); P(1).f(4, 5) }\n",
            "P.f",
            json!({"reorder": ["b", "a"]}),
            &["func (p P) f(b, a int) int { return a }", "func g() { P.f(1, 3, 2); P(1).f(5, 4) }"],
        ),
        (
            "a.rs",
            "struct P;\nimpl P { fn f(&self, a: u8, b: u8) -> u8 { a } }\nfn g(p: P) { P.f(1, 2); P::f(&P, 1, 2); p.f(1, 2); }\n",
            "P.f",
            json!({"add": "c: u8", "value": "3", "at": 1}),
            &[
                "impl P { fn f(&self, c: u8, a: u8, b: u8) -> u8 { a } }",
                "fn g(p: P) { P.f(3, 1, 2); P::f(&P, 3, 1, 2); p.f(3, 1, 2); }",
            ],
        ),
        (
            "a.rs",
            "struct P;\nimpl P { fn f(&self, a: u8, b: u8) -> u8 { a } }\nfn g() { P.f(1, 2); P::f(&P, 1, 2); }\n",
            "P.f",
            json!({"remove": "b"}),
            &["impl P { fn f(&self, a: u8) -> u8 { a } }", "fn g() { P.f(1); P::f(&P, 1); }"],
        ),
        (
            "a.py",
            "def f(a, b, /, c=0): return a\nf(1, 2)\n",
            "f",
            json!({"reorder": ["b", "a"]}),
            &["def f(b, a, /, c=0): return a", "f(2, 1)"],
        ),
        (
            "a.py",
            "def f(a, b, /, c=0): return a\nf(1, 2)\n",
            "f",
            json!({"add": "z=1"}),
            &["def f(a, b, /, c=0, z=1): return a"],
        ),
        (
            "a.py",
            "def f(a, /, *, c=0): return c\nf(1)\n",
            "f",
            json!({"remove": "a"}),
            &["def f(*, c=0): return c", "f()"],
        ),
        (
            "a.py",
            "def f(a, *, c=0): return a\nf(1, c=2)\n",
            "f",
            json!({"remove": "c"}),
            &["def f(a): return a", "f(1)"],
        ),
    ];
    for (path, text, symbol, change, expected) in table {
        let mut params = change.clone();
        params["symbol"] = json!(symbol);
        let new = ask(&[(path, text)], &params);
        assert_eq!(new.unwrap_or_else(|error| panic!("{text}{change}: {error:?}")), *expected, "{text}{change}");
    }
}

#[test]
fn a_change_that_calls_would_not_survive_is_refused() {
    for (text, symbol, change, expected) in [
        ("def f(a): pass\nf(1)\n", "f", json!({"add": "b", "value": "LIM"}), "`LIM` is not known there"),
        ("def f(a): pass\nf(1)\n", "f", json!({"add": "b: Optional[int] = None"}), "`Optional` is not known there"),
        ("def f(a, b, /, c=0): pass\n", "f", json!({"reorder": ["c", "a"]}), "`c` would be before the `/`"),
        ("def f(a, *, c=0): pass\n", "f", json!({"reorder": ["c", "a"]}), "calls pass `c` by its name only"),
        ("def f(a, b): pass\nf((y := 1), y)\n", "f", json!({"reorder": ["b", "a"]}), "computed in another order"),
        (
            "class A:\n    def do_x(self, a, b): pass\n    def r(self, k): getattr(self, 'do_' + k)(1, 2)\n",
            "A.do_x",
            json!({"reorder": ["b", "a"]}),
            "accesses members by a computed name",
        ),
        (
            "class A:\n    def do_x(self, a, b): pass\ngetattr(A(), 'do_x')(1, 2)\n",
            "A.do_x",
            json!({"reorder": ["b", "a"]}),
            "a call names a member by this string",
        ),
    ] {
        let mut params = change;
        params["symbol"] = json!(symbol);
        let (message, _) = ask(&[("a.py", text)], &params).expect_err(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
    let known = json!({"symbol": "f", "add": "b", "value": "len(LIM)"});
    ask(&[("a.py", "LIM = []\ndef f(a): pass\nf(1)\n")], &known).expect("known names");
}

#[test]
fn what_implements_an_interface_without_saying_so_is_listed() {
    let java = "interface R { int run(int a, int b); }\nclass M {\n  R r = (a, b) -> a - b;\n  Runnable q = () -> {};\n  int f() { return r.run(3, 1); }\n}\n";
    let (_, places) = ask(&[("M.java", java)], &json!({"symbol": "R.run", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(places, ["M.java:3 this may implement the method of the interface; its parameters do not change"]);
    let go = "package a\n\ntype R interface{ Run(n int) int }\n\ntype M struct{}\n\nfunc (m M) Run(n int) int { return n }\n";
    let changed = ask(&[("a.go", go)], &json!({"symbol": "M.Run", "add": "x int", "value": "0"})).unwrap();
    assert_eq!(changed, ["type R interface{ Run(n int, x int) int }", "func (m M) Run(n int, x int) int { return n }"]);
    let rust = "trait R { fn run(&self, n: u8) -> u8; }\nimpl R for str { fn run(&self, n: u8) -> u8 { n } }\n";
    let changed = ask(&[("a.rs", rust)], &json!({"symbol": "a.rs:2:21", "add": "x: u8", "value": "0"})).unwrap();
    assert_eq!(changed, rust.lines().map(|line| line.replace("n: u8", "n: u8, x: u8")).collect::<Vec<_>>());
}

#[test]
fn the_parameters_of_a_declaration_and_of_the_definition_do_not_part() {
    let files = [
        ("a.h", "int f(int a);\n"),
        ("a.c", "#include \"a.h\"\nint f(int a) { return a; }\nint g(void) { return f(1); }\n"),
    ];
    let (_, places) = ask(&files, &json!({"symbol": "f", "add": "int b", "value": "2"})).expect_err("two declarations");
    assert_eq!(places, ["a.c:2 this declaration of the function has parameters of its own"]);
}

/// What stands for any number of arguments is known by its node: `*p` of C, Go and Rust is one argument.
#[test]
fn only_a_spread_passes_any_argument() {
    let cases = [
        ("a.c", "int f(int a, int b) { return a; }\nint g(int *p) { return f(*p, 2); }\n", "return f(*p, 2, 0); }"),
        (
            "a.go",
            "package a\n\nfunc f(a, b int) int { return a }\n\nfunc g(p *int) int { return f(*p, 2) }\n",
            "f(*p, 2, 0) }",
        ),
        ("a.rs", "fn f(a: i32, b: i32) -> i32 { a }\nfn g(p: &i32) -> i32 { f(*p, 2) }\n", "f(*p, 2, 0) }"),
    ];
    for (path, text, changed) in cases {
        let typed = if path == "a.rs" {
            "c: i32"
        } else if path == "a.go" {
            "c int"
        } else {
            "int c"
        };
        let added = ask(&[(path, text)], &json!({"symbol": "f", "add": typed, "value": "0", "at": 3}));
        let added = added.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        assert!(added.iter().any(|line| line.ends_with(changed)), "{path}: {added:?}");
    }
    let spreads = [
        ("a.js", "function f(a, b) { return a; }\nf(...x);\n"),
        ("a.php", "<?php\nfunction f($a, $b) { return $a; }\nf(...$x);\n"),
        ("a.rb", "def f(a, b) = a\nf(*x)\n"),
    ];
    for (path, text) in spreads {
        let (_, places) = ask(&[(path, text)], &json!({"symbol": "f", "reorder": "b"})).unwrap_err();
        let line = text.lines().count();
        assert_eq!(places, [format!("{path}:{line} the call may pass any argument")]);
    }
}

#[test]
fn the_parameters_of_a_test_are_those_of_its_tool() {
    let rust = "#[test]\nfn works() {}\n\n#[tokio::test]\nasync fn waits() {}\n\nfn plain() {}\n";
    for (symbol, is_test) in [("works", true), ("waits", true), ("plain", false)] {
        let done = ask(&[("a.rs", rust)], &json!({"symbol": symbol, "add": "x: u8", "value": "0"}));
        assert_eq!(done.is_err(), is_test, "{symbol}: {done:?}");
    }
}

#[test]
fn a_declaration_without_a_body_gets_an_optional_parameter() {
    let files: &[(&str, &str)] = &[(
        "a.ts",
        "interface Loud {\n  sound(): string;\n}\nabstract class Animal implements Loud {\n  abstract sound(): string;\n  twice() { return this.sound(); }\n}\nclass Dog extends Animal {\n  sound(): string { return \"woof\"; }\n}\n",
    )];
    let added = |add: &str| ask(files, &json!({"symbol": "Animal.sound", "add": add}));
    assert_eq!(
        added("loud: boolean = false").unwrap(),
        [
            "sound(loud?: boolean): string;",
            "abstract sound(loud?: boolean): string;",
            "sound(loud: boolean = false): string { return \"woof\"; }",
        ]
    );
    let (_, places) = added("loud = false").expect_err("no type");
    assert!(places.iter().any(|place| place.contains("needs a type in place of its default value")), "{places:?}");
    let passed = ask(files, &json!({"symbol": "Animal.sound", "add": "loud: boolean = false", "value": "true"}));
    assert_eq!(
        passed.unwrap()[1..3],
        ["abstract sound(loud: boolean): string;", "twice() { return this.sound(true); }"]
    );
    // The sign of a function's type is no default value.
    let (message, _) = added("on: () => void").expect_err("no default value");
    assert!(message.contains("calls must pass something for `on`"), "{message}");
}

#[test]
fn a_parameter_becomes_one_that_calls_name() {
    let cases = [
        ("def f(a, b=2):\n    return a\n\n\nf(1, 3)\nf(1)\nf(a=1, b=4)\n", "b", vec!["def f(a, *, b=2):", "f(1, b=3)"]),
        ("def f(a, b=2):\n    return a\n\n\nf(1, 3)\nf(1)\n", "a", vec!["def f(b=2, *, a):", "f(3, a=1)", "f(a=1)"]),
        ("def f(a, b, *, k=0):\n    return a\n\n\nf(1, 3, k=1)\n", "a", vec!["def f(b, *, a, k=0):", "f(3, a=1, k=1)"]),
        ("def f(a, b, *, k=0):\n    return a\n\n\nf(1, 3)\n", "b", vec!["def f(a, *, b, k=0):", "f(1, b=3)"]),
        ("def f(a, *rest, **more):\n    return a\n\n\nf(1, 3)\n", "a", vec!["def f(*rest, a, **more):", "f(3, a=1)"]),
        (
            "def f(a, b, **more):\n    return a\n\n\nf(1, 3, c=4)\n",
            "a",
            vec!["def f(b, *, a, **more):", "f(3, a=1, c=4)"],
        ),
        ("def f(a, /):\n    return a\n\n\nf(1)\n", "a", vec!["def f(*, a):", "f(a=1)"]),
        ("def f(a, /, b):\n    return a\n\n\nf(1, 2)\n", "a", vec!["def f(b, *, a):", "f(2, a=1)"]),
        ("def f(a, b, /):\n    return a\n\n\nf(1, 2)\n", "b", vec!["def f(a, /, *, b):", "f(1, b=2)"]),
        (
            "class A:\n    def m(self, a, /):\n        return a\n\n\nclass B(A):\n    def m(self, a, /):\n        return super().m(a)\n\n\nA().m(1)\n",
            "a",
            vec!["def m(self, /, *, a):", "def m(self, /, *, a):", "return super().m(a=a)", "A().m(a=1)"],
        ),
    ];
    for (text, name, expected) in cases {
        let symbol = if text.starts_with("class") { "A.m" } else { "f" };
        let done = ask(&[("a.py", text)], &json!({"symbol": symbol, "keyword_only": name}));
        assert_eq!(done.unwrap_or_else(|error| panic!("{text}{error:?}")), expected, "{text}");
    }
    // Arguments would be computed in another order.
    let text = "def f(a, b):\n    return a\n\n\nf(print(1), print(2))\n";
    let (_, places) = ask(&[("a.py", text)], &json!({"symbol": "f", "keyword_only": "a"})).unwrap_err();
    assert_eq!(places, ["a.py:5 the arguments would be computed in another order"]);
    let text = "def f(a, *, b):\n    return a\n";
    let (message, _) = ask(&[("a.py", text)], &json!({"symbol": "f", "keyword_only": "b"})).unwrap_err();
    assert!(message.contains("by its name only, already"), "{message}");
    for (path, text) in [("a.js", "function f(a) { return a; }\n"), ("a.rs", "fn f(a: u8) -> u8 { a }\n")] {
        let (message, _) = ask(&[(path, text)], &json!({"symbol": "f", "keyword_only": "a"})).unwrap_err();
        assert!(message.contains("its language has no sign"), "{message}");
    }
}

#[test]
fn a_parameter_gets_another_name_as_by_rename() {
    let cases = [
        (
            "a.py",
            "def f(a, b=2):\n    return a + b\n\n\nf(1, b=3)\n",
            "f",
            "b=c",
            vec!["def f(a, c=2):", "return a + c", "f(1, c=3)"],
        ),
        ("a.js", "function f(a) { return a; }\nf(1);\n", "f", "a=c", vec!["function f(c) { return c; }"]),
        (
            "a.go",
            "package a\n\nfunc f(a, b int) int { return a }\n",
            "f",
            "a=c",
            vec!["func f(c, b int) int { return c }"],
        ),
        ("A.java", "class A {\n  int f(int a) { return a; }\n}\n", "A.f", "a = c", vec!["int f(int c) { return c; }"]),
        ("a.rs", "fn f(a: u8) -> u8 { a }\n", "f", "a=c", vec!["fn f(c: u8) -> u8 { c }"]),
    ];
    for (path, text, symbol, rename, expected) in cases {
        let done = ask(&[(path, text)], &json!({"symbol": symbol, "rename": rename}));
        assert_eq!(done.unwrap_or_else(|error| panic!("{path}: {error:?}")), expected);
    }
    let python = &[("a.py", "def f(a):\n    return a\n")];
    let refuse = |params: Value| ask(python, &params).unwrap_err().0;
    assert!(refuse(json!({"symbol": "f", "rename": "a"})).ends_with("`a` is not of the form `NAME=NEW`"));
    assert!(refuse(json!({"symbol": "f", "rename": "x=y"})).ends_with("no parameter `x`"));
    assert!(refuse(json!({"symbol": "f", "rename": "a=y", "remove": "a"})).contains("changes by one of"));
}
