//! Functions that are extracted from loops, and from code that changes values of its own.

use serde_json::json;

use super::refactored::{check, refused};

/// What the new function returns that is written at the end of a turn and read in the next one.
#[test]
fn what_the_next_turn_reads_is_a_result() {
    check(
        &[(
            "a.py",
            "def f(xs):\n    prev, best = 0, 0\n    for x in xs:\n        d = x - prev\n        best = max(d, best)\n        prev = x\n    return best\n",
        )],
        &json!({"kind": "extract_function", "to": "h", "range": "a.py:4-6"}),
        &[(
            "a.py",
            "def f(xs):\n    prev, best = 0, 0\n    for x in xs:\n        prev, best = h(x, prev, best)\n    return best\n\n\ndef h(x, prev, best):\n    d = x - prev\n    best = max(d, best)\n    prev = x\n    return prev, best\n",
        )],
    );
    check(
        &[(
            "a.js",
            "function f(xs) {\n  let last = 0;\n  for (const x of xs) {\n    console.log(x - last);\n    last = x;\n  }\n}\n",
        )],
        &json!({"kind": "extract_function", "to": "h", "range": "a.js:4-5"}),
        &[(
            "a.js",
            "function f(xs) {\n  let last = 0;\n  for (const x of xs) {\n    last = h(x, last);\n  }\n}\n\nfunction h(x, last) {\n  console.log(x - last);\n  last = x;\n  return last;\n}\n",
        )],
    );
    check(
        &[(
            "a.go",
            "package a\n\nfunc f(n int) int {\n\ta, b := 0, 1\n\tfor i := 0; i < n; i++ {\n\t\tc := a + b\n\t\ta = b\n\t\tb = c\n\t}\n\treturn a\n}\n",
        )],
        &json!({"kind": "extract_function", "to": "h", "range": "a.go:6-8"}),
        &[(
            "a.go",
            "package a\n\nfunc f(n int) int {\n\ta, b := 0, 1\n\tfor i := 0; i < n; i++ {\n\t\ta, b = h(a, b)\n\t}\n\treturn a\n}\n\nfunc h(a int, b int) (int, int) {\n\tc := a + b\n\ta = b\n\tb = c\n\treturn a, b\n}\n",
        )],
    );
    let java = "class A {\n    static int f(int[] xs) {\n        int prev = 0, best = 0;\n        for (int x : xs) {\n            if (x - prev > best) best = x - prev;\n            prev = x;\n        }\n        return best;\n    }\n}\n";
    let (_, places) =
        refused(&[("A.java", java)], &json!({"kind": "extract_function", "to": "h", "range": "A.java:5-6"}));
    assert!(places.iter().any(|place| place.contains("a function has one result")), "{places:?}");
    let rust = "fn f(n: u32) -> u32 {\n    let mut a: u32 = 0;\n    let mut b: u32 = 1;\n    for _ in 0..n {\n        let c: u32 = a + b;\n        a = b;\n        b = c;\n    }\n    a\n}\n";
    check(
        &[("a.rs", rust)],
        &json!({"kind": "extract_function", "to": "h", "range": "a.rs:5-7"}),
        &[(
            "a.rs",
            "fn f(n: u32) -> u32 {\n    let mut a: u32 = 0;\n    let mut b: u32 = 1;\n    for _ in 0..n {\n        (a, b) = h(a, b);\n    }\n    a\n}\n\nfn h(mut a: u32, mut b: u32) -> (u32, u32) {\n    let c: u32 = a + b;\n    a = b;\n    b = c;\n    (a, b)\n}\n",
        )],
    );
}

/// A variable that each turn makes anew is none.
#[test]
fn what_a_turn_makes_is_no_result() {
    check(
        &[("a.js", "function f(xs) {\n  for (const x of xs) {\n    let y = x;\n    y += 1;\n    g(y);\n  }\n}\n")],
        &json!({"kind": "extract_function", "to": "h", "range": "a.js:4-5"}),
        &[(
            "a.js",
            "function f(xs) {\n  for (const x of xs) {\n    let y = x;\n    h(y);\n  }\n}\n\nfunction h(y) {\n  y += 1;\n  g(y);\n}\n",
        )],
    );
    check(
        &[("a.py", "def f(xs):\n    for x in xs:\n        y = x\n        y += 1\n        g(y)\n")],
        &json!({"kind": "extract_function", "to": "h", "range": "a.py:4-5"}),
        &[("a.py", "def f(xs):\n    for x in xs:\n        y = x\n        h(y)\n\n\ndef h(y):\n    y += 1\n    g(y)\n")],
    );
}

/// The reason why a refactor is refused.
#[track_caller]
fn reason(path: &str, text: &str, params: serde_json::Value) -> String {
    let (code, places) = refused(&[(path, text)], &params);
    format!("{code} {}", places.join("; "))
}

#[test]
fn a_value_that_a_variable_holds_itself_is_not_passed_as_a_copy() {
    let go = "package a\n\ntype P struct{ X int }\n\nfunc (p *P) Move() { p.X++ }\n\nfunc f() P {\n\tvar p P\n\tp.X = 5\n\treturn p\n}\n\nfunc g() P {\n\tp := P{1}\n\tq := p\n\tq.Move()\n\treturn p\n}\n";
    check(
        &[("a.go", go)],
        &json!({"kind": "extract_function", "to": "h", "range": "a.go:9"}),
        &[(
            "a.go",
            &go.replace(
                "\tp.X = 5\n\treturn p\n}\n",
                "\tp = h(p)\n\treturn p\n}\n\nfunc h(p P) P {\n\tp.X = 5\n\treturn p\n}\n",
            ),
        )],
    );
    let why = reason("a.go", go, json!({"kind": "inline", "symbol": "a.go:15:2"}));
    assert!(why.contains("reassigned"), "{why}");
    let rust = "#[derive(Clone, Copy)]\nstruct P { x: u8 }\nfn f(p: P) -> u8 {\n    let mut q = p;\n    q.x += 1;\n    p.x\n}\n";
    let why = reason("a.rs", rust, json!({"kind": "inline", "symbol": "a.rs:4:13"}));
    assert!(why.contains("a copy that may change"), "{why}");
    // A pointer, a slice and an interface are shared.
    let go = "package a\n\nimport \"io\"\n\ntype P struct{ X int }\n\nfunc f(p *P, xs []int, w io.Writer) int {\n\tp.X = 5\n\txs[0] = 1\n\tw.Write(nil)\n\treturn p.X + xs[0]\n}\n";
    check(
        &[("a.go", go)],
        &json!({"kind": "extract_function", "to": "h", "range": "a.go:8-10"}),
        &[(
            "a.go",
            "package a\n\nimport \"io\"\n\ntype P struct{ X int }\n\nfunc f(p *P, xs []int, w io.Writer) int {\n\th(p, xs, w)\n\treturn p.X + xs[0]\n}\n\nfunc h(p *P, xs []int, w io.Writer) {\n\tp.X = 5\n\txs[0] = 1\n\tw.Write(nil)\n}\n",
        )],
    );
}

#[test]
fn what_a_value_may_change_is_not_read_before_it() {
    let js = "let n = 1;\nfunction bump() { n += 10; return 1; }\nfunction go() { const v = bump(); return n + v; }\nfunction all(xs) { const v = xs.pop(); return [...xs, v]; }\nfunction pass(xs) { const v = xs.pop(); return [xs, v]; }\n";
    for (place, why) in [("a.js:3:23", "`n` is read before it"), ("a.js:4:26", "`xs` is read before it")] {
        let found = reason("a.js", js, json!({"kind": "inline", "symbol": place}));
        assert!(found.contains(why), "{place}: {found}");
    }
    let passed = js.replace("const v = xs.pop(); return [xs, v];", "return [xs, xs.pop()];");
    check(&[("a.js", js)], &json!({"kind": "inline", "symbol": "a.js:5:27"}), &[("a.js", &passed)]);
    let why = reason(
        "a.js",
        "const a = 1, b = a * 2 + 1;\n",
        json!({"kind": "extract_variable", "to": "v", "range": "a.js:1:18-1:23"}),
    );
    assert!(why.contains("gets its value in the same statement"), "{why}");
    let why =
        reason("a.js", "f(o?.items[0]);\n", json!({"kind": "extract_variable", "to": "v", "range": "a.js:1:3-1:11"}));
    assert!(why.contains("evaluated only if it has a value"), "{why}");
    let python = "def f(it, d):\n    k = next(it)\n    d[k] = next(it)\n    return d\n";
    let why = reason("a.py", python, json!({"kind": "inline", "symbol": "a.py:2:5"}));
    assert!(why.contains("this is evaluated before it"), "{why}");
}

#[test]
fn values_with_one_owner_stay_where_they_are() {
    let rust = "use std::cell::RefCell;\n\nstruct S { v: Vec<u8>, n: u8, k: u8 }\n\nimpl S {\n    fn go(&mut self) {\n        for _ in &self.v {\n            self.n += 1;\n            self.k += 2;\n        }\n    }\n}\n\nfn add(v: &mut Vec<usize>, n: usize) { v.push(n); }\n\nfn f(mut v: Vec<usize>, c: &RefCell<u8>) {\n    let n: usize = v.len();\n    add(&mut v, n);\n    let _g = c.borrow_mut();\n    add(&mut v, 1);\n    unsafe { call(); call(); }\n}\n\nunsafe fn call() {}\n";
    let cases = [
        (json!({"kind": "extract_function", "to": "h", "range": "a.rs:8-9"}), "may borrow from the object"),
        (json!({"kind": "inline", "symbol": "a.rs:17:9"}), "this takes `v`"),
        (json!({"kind": "extract_function", "to": "h", "range": "a.rs:19-20"}), "`_g` would end with the new function"),
        (json!({"kind": "extract_function", "to": "h", "range": "a.rs:21:14-21:21"}), "outside of it"),
        (json!({"kind": "change_signature", "symbol": "add", "reorder": "n"}), "one of them takes it"),
    ];
    for (params, why) in cases {
        let text = rust.replace(
            "add(&mut v, n);",
            if params["reorder"].is_null() { "add(&mut v, n);" } else { "add(&mut v, v.len());" },
        );
        let found = reason("a.rs", &text, params);
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn a_function_inside_reads_only_what_never_changes() {
    let java = "import java.util.*;\n\nclass A {\n    static long count(List<Integer> all, int min) {\n        if (min < 0) min = 0;\n        int limit = min;\n        return all.stream().filter(x -> x > limit).count();\n    }\n    static int sum(int xs[]) {\n        int s = xs[0];\n        s += xs.length;\n        return s;\n    }\n}\n";
    let why = reason("A.java", java, json!({"kind": "inline", "symbol": "A.java:6:13"}));
    assert!(why.contains("`min`, which gets several values"), "{why}");
    let expected = java.replace(
        "        int s = xs[0];\n        s += xs.length;\n        return s;\n    }\n",
        "        int s = h(xs);\n        return s;\n    }\n    private static int h(int[] xs) {\n        int s = xs[0];\n        s += xs.length;\n        return s;\n    }\n",
    );
    check(
        &[("A.java", java)],
        &json!({"kind": "extract_function", "to": "h", "range": "A.java:10-11"}),
        &[("A.java", &expected)],
    );
}

#[test]
fn a_definition_of_an_export_list_is_exported_from_its_new_module() {
    check(
        &[
            ("lib.mjs", "function f(x) { return x; }\nfunction g() { return f(1); }\nexport { f, g };\n"),
            ("main.mjs", "import { f, g } from \"./lib.mjs\";\nf(g());\n"),
        ],
        &json!({"kind": "move", "symbol": "lib.mjs::f", "to": "dest.mjs"}),
        &[
            ("dest.mjs", "export function f(x) { return x; }\n"),
            ("lib.mjs", "import { f } from './dest.mjs';\n\nfunction g() { return f(1); }\nexport { f, g };\n"),
            ("main.mjs", "import { g } from \"./lib.mjs\";\nimport { f } from \"./dest.mjs\";\nf(g());\n"),
        ],
    );
    let renamed = [("lib.mjs", "function f(x) { return x; }\nexport { f as run };\n")];
    let (_, places) = refused(&renamed, &json!({"kind": "move", "symbol": "lib.mjs::f", "to": "dest.mjs"}));
    assert!(places[0].contains("exports it as `run`"), "{places:?}");
}

#[test]
fn an_import_stays_whose_module_does_something_when_it_is_loaded() {
    let main = ("main.py", "from core import R\nfrom views import home\nprint(R)\n");
    let core = ("core.py", "R = []\ndef route(f):\n    R.append(f)\n    return f\n");
    for (views, stays) in [
        ("from core import route\n@route\ndef home(): pass\n", true),
        ("import core\nif core.R:\n    core.R.append(1)\ndef home(): pass\n", true),
        ("import core\ncore.R = [1]\ndef home(): pass\n", true),
        ("from core import route\ndef home(f=route(1)): pass\n", true),
        ("import core\nif __name__ == \"__main__\":\n    core.route(1)\ndef home(): pass\n", false),
        ("import logging, functools\nlog = logging.getLogger(__name__)\n@functools.cache\ndef home(): pass\n", false),
    ] {
        let files = [main, core, ("views.py", views)];
        let changed = super::refactored::run(&files, &json!({"kind": "organize_imports", "path": "main.py"}));
        let text =
            changed.expect("organized").into_iter().find(|(path, _)| path == "main.py").and_then(|(_, text)| text);
        assert_eq!(text.is_none_or(|text| text.contains("home")), stays, "{views}");
    }
}

#[test]
fn a_variable_that_its_old_module_changes_stays_with_what_reads_it() {
    let lib = "TIMEOUT = 1\ndef configure(t):\n    global TIMEOUT\n    TIMEOUT = t\nclass Client:\n    def t(self): return TIMEOUT\n";
    let why = reason("lib.py", lib, json!({"kind": "move", "symbol": "lib.py::Client", "to": "dest.py"}));
    assert!(why.contains("`TIMEOUT` of the old module is reassigned here"), "{why}");
    let late = "def f(a):\n    return a\nf(1)\nLIMIT = 5\n";
    let (code, places) =
        refused(&[("a.py", late)], &json!({"kind": "change_signature", "symbol": "f", "add": "k=LIMIT"}));
    assert_eq!((code.as_str(), places[0].as_str()), ("would_rebind", "a.py:1 `LIMIT` gets its value later"));
    let java = [
        (
            "Svc.java",
            "class Svc {\n    int base = 3;\n    int run(int a) { return a; }\n    int own() { return run(1); }\n}\n",
        ),
        ("Other.java", "class Other {\n    static int call() { return new Svc().run(5); }\n}\n"),
    ];
    let params = json!({"kind": "change_signature", "symbol": "Svc.run", "add": "int o", "value": "base"});
    let (_, places) = refused(&java, &params);
    assert_eq!(places, ["Other.java:2 `base` is not known there"]);
    let go = "package a\n\nfunc save(s string, loud bool) {}\n\nfunc f() {\n\tloud := true\n\tsave(\"a\", loud)\n}\n";
    let why = reason("a.go", go, json!({"kind": "change_signature", "symbol": "save", "remove": "loud"}));
    assert!(why.contains("nothing would read the variable `loud`"), "{why}");
}

#[test]
fn the_body_of_an_arrow_function_stays_an_object() {
    check(
        &[("a.js", "const FLAG = true;\nconst f = (x) => FLAG ? { a: x } : null;\n")],
        &json!({"kind": "remove_flag", "symbol": "FLAG", "value": "true"}),
        &[("a.js", "const f = (x) => ({ a: x });\n")],
    );
}

#[test]
fn calls_without_the_name_of_a_function_are_asked_about() {
    let cases = [
        ("a.rb", "def f(a:, b:) = a\nf(b: 3, a: 1)\n", json!({"symbol": "f", "remove": "b"}), "in a special form"),
        (
            "a.rb",
            "class A\n  def f(a, b) = a\nend\nclass B < A\n  def f(a, b) = super(a, b)\nend\n",
            json!({"symbol": "A.f", "reorder": "b"}),
            "the function that is overridden",
        ),
        (
            "A.kt",
            "open class Base(val x: Int)\nclass Sub(n: Int) : Base(n * 2)\n",
            json!({"symbol": "A.kt:1:12", "add": "z: Int", "value": "0"}),
            "named here with arguments",
        ),
        (
            "A.kt",
            "data class P(val x: Int, val y: Int)\nfun f() { val (a, b) = P(1, 2) }\n",
            json!({"symbol": "A.kt:1:12", "reorder": "y"}),
            "taken apart",
        ),
        (
            "a.cpp",
            "struct P { int x; P(int a, int b) : x(a - b) {} };\nint main() { P p(1, 2); return p.x; }\n",
            json!({"symbol": "a.cpp:1:19", "reorder": "b"}),
            "not all places that make an object",
        ),
        (
            "a.cpp",
            "namespace util { int sub(int a, int b) { return a - b; } }\nint main() { return util::sub(5, 1); }\n",
            json!({"symbol": "util.sub", "reorder": "b"}),
            "the called function is unknown",
        ),
        (
            "a.py",
            "def f(a, b):\n    return a\nprint(f\"{f(1, 2)=}\")\n",
            json!({"symbol": "f", "remove": "b"}),
            "shows the code",
        ),
    ];
    for (path, text, mut params, why) in cases {
        params["kind"] = json!("change_signature");
        let found = reason(path, text, params);
        assert!(found.contains(why), "{text}{found}");
    }
    let python = "def f(x):\n    return f\"{x + 1=}\"\n";
    let found = reason("a.py", python, json!({"kind": "extract_variable", "to": "v", "range": "a.py:2:15-2:20"}));
    assert!(found.contains("shows the code"), "{found}");
    let go = [
        ("a.go", "package a\n\nvar A = reg(\"A\")\nvar B = reg(\"B\")\n"),
        ("r.go", "package a\n\nfunc reg(s string) int { return 1 }\n"),
    ];
    let (_, places) = refused(&go, &json!({"kind": "move", "symbol": "a.go::B", "to": "z.go"}));
    assert!(places.iter().any(|place| place.contains("computed when the program starts")), "{places:?}");
}
