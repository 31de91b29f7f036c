//! Code that does something: arguments that are left out or computed in another order, values that are computed later, code that moves
//! away from what it reads, definitions and imports that run when they are reached.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

#[track_caller]
fn signature(file: (&str, &str), change: Value) -> Result<String, Vec<String>> {
    asked("change_signature", &[file], change)
}

/// The new text of the first file that changes, or the reasons.
#[track_caller]
fn asked(kind: &str, files: &[(&str, &str)], mut params: Value) -> Result<String, Vec<String>> {
    params["kind"] = json!(kind);
    match run(files, &params) {
        Ok(changed) => Ok(changed.into_iter().find_map(|(_, text)| text).unwrap_or_default()),
        Err(error) => {
            let places = error["error"]["places"].as_array().cloned().unwrap_or_default();
            let place = |place: &Value| {
                let why = place["why"].as_str().unwrap();
                format!("{}:{} {why}", place["path"].as_str().unwrap(), place["line"])
            };
            match places.as_slice() {
                [] => Err(vec![error["error"]["message"].as_str().unwrap().to_owned()]),
                places => Err(places.iter().map(place).collect()),
            }
        }
    }
}

/// Functions `f(a, b)` of several languages that use only `a`, and an argument for `b` in place of `$`.
const DROPPED: &[(&str, &str)] = &[
    ("a.py", "x = 1\ndef f(a, b): return a\nf(1, $)\n"),
    ("a.mjs", "let x = 1;\nfunction f(a, b) { return a; }\nf(1, $);\n"),
    ("a.ts", "let x = 1;\nfunction f(a: number, b: unknown) { return a; }\nf(1, $);\n"),
    ("a.c", "static int x;\nstatic int f(int a, int b) { return a; }\nint main(void) { return f(1, $); }\n"),
    ("a.php", "<?php\nfunction f($a, $b) { return $a; }\n$x = 1;\necho f(1, $);\n"),
    ("a.rb", "def f(a, b) = a\nx = 1\nputs f(1, $)\n"),
    ("A.java", "class A { static int x; static int f(int a, int b) { return a; } int g() { return f(1, $); } }\n"),
    ("a.go", "package a\n\nvar x = 1\n\nfunc f(a, b int) int { return a }\n\nfunc g() int { return f(1, $) }\n"),
];

fn dropped(path: &str, argument: &str) -> Result<String, Vec<String>> {
    let &(_, code) = DROPPED.iter().find(|(known, _)| *known == path).expect("a language");
    // PHP has other signs of this kind.
    let code = code.replace("1, $)", &format!("1, {argument})"));
    signature((path, &code), json!({"symbol": "f", "remove": "b"}))
}

#[test]
fn an_argument_that_only_gives_a_value_is_left_out() {
    for (path, arguments) in [
        ("a.py", &["x", "-1", "'a'", "None", "[x, 2]", "x + 1", "lambda: print(1)", "x is None", "(x, {'a': 1})"][..]),
        ("a.mjs", &["x", "-1", "'a'", "null", "[x, 2]", "x + 1", "() => g(1)", "`a${x}`", "{ x, b: 1 }", "!x"]),
        ("a.ts", &["x", "x as unknown", "x!", "{ x, b: 1 }", "() => g(1)", "undefined"]),
        ("a.c", &["x", "-1", "'a'", "&x ? 1 : 2", "sizeof(x)", "(int)x", "x << 2"]),
        ("a.php", &["$x", "-1", "'a'", "null", "[$x, 2]", "$x . 'a'", "\"$x\""]),
        ("a.rb", &["x", "-1", "'a'", "nil", "[x, 2]", "x + 1", ":a", "\"#{x}\""]),
        ("A.java", &["x", "-1", "'a'", "x + 1", "A.x", "this.x", "x > 1 ? 2 : 3"]),
        ("a.go", &["x", "-1", "'a'", "x + 1", "len([]int{1})"]),
    ] {
        for argument in arguments {
            let done = dropped(path, argument);
            // A call is one of anything, in Go, too.
            let is_call = argument.starts_with("len");
            assert_eq!(done.is_ok(), !is_call, "{path}: {argument}: {done:?}");
            assert!(is_call || !done.unwrap().contains(&format!(", {argument})")), "{path}: {argument}");
        }
    }
}

#[test]
fn an_argument_that_does_something_is_not_left_out() {
    for (path, arguments) in [
        ("a.py", &["f(1, 2)", "(x := 2)", "[][0]", "1 / x", "nothing", "nothing.y", "[y for y in f(1, 2)]"][..]),
        (
            "a.mjs",
            &["f(1, 2)", "x++", "x = 2", "null.y", "nothing.y", "delete x.y", "nothing", "[...x]", "x in x", "f`a`"],
        ),
        ("a.ts", &["x++", "x = 2", "f(1, 2) as unknown"]),
        ("a.c", &["x++", "x = 2", "1 / x", "f(1, 2)"]),
        ("a.php", &["$x++", "$x = 2", "f(1, 2)", "$nothing->y", "$x[1]"]),
        ("a.rb", &["x << 2", "x.y", "f(1, 2)", "x = 2", "x[1]", "nothing", "`ls`"]),
        ("A.java", &["x++", "x = 2", "1 / x", "f(1, 2)", "new int[] {1}[x]"]),
        ("a.go", &["f(1, 2)", "1 / x", "[]int{1}[x]"]),
    ] {
        for argument in arguments {
            let places = dropped(path, argument).expect_err(&format!("{path}: {argument}"));
            let why = "the argument does something when it is computed, or may fail";
            assert!(places.iter().any(|place| place.ends_with(why)), "{path}: {argument}: {places:?}");
        }
    }
}

#[test]
fn a_member_is_left_out_if_reading_it_calls_nothing() {
    let class = "class A:\n    k = 1\n    d = make()\n    t: int = make()\n    def __init__(self): self.n = 2\n    @property\n    def p(self): return 3\n    def m(self): return 4\n    @staticmethod\n    def s(): return 5\ndef f(a, b): return a\na = A()\nf(1, a.$)\n";
    for (member, is_quiet) in
        [("k", true), ("n", true), ("m", true), ("s", true), ("t", true), ("p", false), ("d", false)]
    {
        let done = signature(("a.py", &class.replace('$', member)), json!({"symbol": "f", "remove": "b"}));
        assert_eq!(done.is_ok(), is_quiet, "{member}: {done:?}");
    }
    let class = "class A {\n  int n = 1; int Q { get; private set; } int P { get { return n++; } } int R => n++;\n  static int F(int a, int b) { return a; }\n  int G() { return F(1, $); }\n}\n";
    for (member, is_quiet) in
        [("n", true), ("this.n", true), ("Q", true), ("P", false), ("this.P", false), ("R", false)]
    {
        let done = signature(("A.cs", &class.replace('$', member)), json!({"symbol": "A.F", "remove": "b"}));
        assert_eq!(done.is_ok(), is_quiet, "{member}: {done:?}");
    }
    let class = "class A(val n: Int) {\n  val g: Int\n    get() = make()\n  val z by lazy { make() }\n}\nfun f(a: Int, b: Int): Int = a\nfun main() {\n  val a = A(1)\n  f(1, a.$)\n}\n";
    for (member, is_quiet) in [("n", true), ("g", false), ("z", false)] {
        let done = signature(("A.kt", &class.replace('$', member)), json!({"symbol": "f", "remove": "b"}));
        assert_eq!(done.is_ok(), is_quiet, "{member}: {done:?}");
    }
    let class = "class A { k = 1; get p() { return 2; } m() { return 3; } }\nfunction f(a, b) { return a; }\nconst a = new A();\nf(1, a.$);\n";
    for (member, is_quiet) in [("k", true), ("m", true), ("p", false)] {
        let done = signature(("a.mjs", &class.replace('$', member)), json!({"symbol": "f", "remove": "b"}));
        assert_eq!(done.is_ok(), is_quiet, "{member}: {done:?}");
    }
}

#[test]
fn arguments_change_places_if_none_changes_another_one() {
    let order = |path: &str, code: &str| signature((path, code), json!({"symbol": "f", "reorder": ["b", "a"]}));
    for (path, code, is_done) in [
        ("a.py", "def f(a, b): return a\ndef g(x): return f(g(1), x)\n", true),
        ("a.py", "K = 1\ndef f(a, b): return a\ndef g(): return f(g(), K)\n", true),
        ("a.py", "k = 1\ndef h():\n    global k\n    k = 2\ndef f(a, b): return a\ndef g(): return f(h(), k)\n", false),
        ("a.py", "def f(a, b): return a\ndef g(x): return f(g(1), g(2))\n", false),
        ("a.py", "def f(a, b): return a\ndef g(x): return f((y := 1), y)\n", false),
        ("a.py", "def f(a, b): return a\ndef g(x): return f(g(1), x.y)\n", false),
        ("a.py", "def f(a, b): return a\n@deco\ndef h(): pass\ndef g(): return f(g(), h)\n", true),
        (
            "a.go",
            "package a\n\nfunc f(a, b *int) {}\n\nfunc h() *int { return nil }\n\nfunc g() {\n\tx := 1\n\tf(h(), &x)\n}\n",
            true,
        ),
        (
            "a.go",
            "package a\n\ntype T struct{ n int }\n\nfunc f(a, b int) {}\n\nfunc h(t *T) int { t.n++; return 1 }\n\nfunc g(t *T) { f(h(t), t.n) }\n",
            false,
        ),
        ("a.mjs", "let x = 1;\nfunction f(a, b) { return a; }\nf(x = 5, x);\n", false),
        ("a.mjs", "function f(a, b) { return a; }\nfunction g(x) { return f(g(1), x); }\n", true),
        ("a.mjs", "function f(a, b) { return a; }\nfunction g(x) { return f(x++, x); }\n", false),
        ("a.mjs", "const o = { get p() { return 1; } };\nfunction f(a, b) { return a; }\nf(o.p, o.p);\n", false),
        ("a.php", "<?php\nfunction f($a, $b) { return $a; }\n$n = 0;\necho f(++$n, ++$n);\n", false),
        ("a.php", "<?php\nfunction f($a, $b) { return $a; }\n$n = 0;\necho f($n, 2);\n", true),
        ("A.java", "class A { int n; int f(int a, int b) { return a; } int g() { return f(n++, n++); } }\n", false),
    ] {
        let done = order(path, code);
        assert_eq!(done.is_ok(), is_done, "{code}: {done:?}");
        let why = "the arguments would be computed in another order";
        assert!(is_done || done.unwrap_err()[0].ends_with(why), "{code}");
    }
}

#[test]
fn default_values_are_computed_as_before() {
    let code = "def p(x): return x\ndef f(a=p(1), b=p(2)): return a\nf()\n";
    let places = signature(("a.py", code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(places, ["a.py:2 the default values would be computed in another order"]);
    let places = signature(("a.py", code), json!({"symbol": "f", "remove": "b"})).unwrap_err();
    assert_eq!(places, ["a.py:2 the default value does something when it is computed, or may fail"]);
    let code = "function f(a, b = a) { return b; }\nf(1, 2);\n";
    let places = signature(("a.mjs", code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(places, ["a.mjs:1 a default value reads another parameter"]);
}

#[test]
fn a_function_that_reads_all_its_arguments_keeps_its_parameters() {
    for (path, code, line, word) in [
        ("a.mjs", "function f(a, b) {\n  return arguments[0];\n}\nf(1, 2);\n", 2, "arguments"),
        ("a.php", "<?php\nfunction f($a, $b) {\n  return func_get_args();\n}\nf(1, 2);\n", 3, "func_get_args"),
        ("a.py", "def f(a, b):\n    return locals()\nf(1, 2)\n", 2, "locals"),
        ("a.rb", "def f(a, b)\n  binding\nend\nf(1, 2)\n", 2, "binding"),
    ] {
        let places = signature((path, code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
        assert_eq!(places, [format!("{path}:{line} `{word}` may read all arguments of the function")]);
    }
    // These are those of another function, or of something else.
    let code = "function f(a, b) { return function () { return arguments[0]; }; }\nf(1, 2);\n";
    assert!(signature(("a.mjs", code), json!({"symbol": "f", "reorder": ["b", "a"]})).is_ok());
    let code = "def f(a, b):\n    return vars(a), eval('1', {}), a.locals()\nf(1, 2)\n";
    assert!(signature(("a.py", code), json!({"symbol": "f", "reorder": ["b", "a"]})).is_ok());
}

#[test]
fn calls_that_are_no_calls_by_the_name_are_found() {
    let code = "function f(a, b) { return a; }\nf`a${1}`;\n";
    let places = signature(("a.mjs", code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(places, ["a.mjs:2 it gets its arguments in a special form"]);
    let code = "<?php\nfunction f($a, $b) { return $a; }\nusort($x, 'f');\nf(1, 2);\n";
    let places = signature(("a.php", code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(places, ["a.php:3 a string that may name it for a call"]);
    let code = "def f(a, b):\n    \"\"\"Some f.\n\n    >>> map(f, [1], [2])\n    1\n    \"\"\"\n    return a\n";
    let places = signature(("a.py", code), json!({"symbol": "f", "reorder": ["b", "a"]})).unwrap_err();
    assert_eq!(
        places,
        ["a.py:4 it is used as a value; what calls it then is not seen, in documentation that is run as code"]
    );
}

#[test]
fn a_value_is_not_inlined_past_a_call_that_changes_it() {
    for (path, code) in [
        ("a.py", "g = 1\ndef h():\n    global g\n    g = 2\ndef f():\n    n = g\n    h()\n    return n\n"),
        ("a.mjs", "let g = 1;\nfunction h() { g++; }\nfunction f() { const n = g;\n  h(); return n; }\n"),
        ("a.go", "package a\n\nvar g = 1\n\nfunc h() { g++ }\n\nfunc f() int {\n\tn := g\n\th()\n\treturn n\n}\n"),
    ] {
        let error = asked("inline", &[(path, code)], json!({"symbol": "f.n"}));
        let symbol = asked("inline", &[(path, code)], json!({"symbol": place_of(path, code, "n = g", "n := g")}));
        assert!(symbol.as_ref().is_err_and(|why| why[0].contains("this may change the value")), "{symbol:?} {error:?}");
    }
    let code =
        "g = 1\ndef h():\n    global g\n    g = 2\ndef f(cm):\n    n = g\n    with cm:\n        pass\n    return n\n";
    assert!(asked("inline", &[("a.py", code)], json!({"symbol": "a.py:6:5"})).is_err());
    // What is written once stays as it is.
    let code = "G = 1\ndef h(): pass\ndef f():\n    n = G\n    h()\n    return n\n";
    assert!(asked("inline", &[("a.py", code)], json!({"symbol": "a.py:4:5"})).is_ok());
}

fn place_of(path: &str, code: &str, one: &str, other: &str) -> String {
    let at = code.find(one).or_else(|| code.find(other)).expect("the statement");
    let line = code[..at].matches('\n').count() + 1;
    let column = at - code[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    format!("{path}:{line}:{column}")
}

#[test]
fn the_object_of_a_function_is_not_inlined_into_another_one() {
    for (code, word, is_done) in [
        ("class A { f() { const t = this; return [1].map(function () { return t.v; }); } }\n", "this", false),
        ("class A { f() { const t = this; return [1].map(() => t.v); } }\n", "this", true),
        ("function f() { const t = arguments; return [1].map(function () { return t[0]; }); }\n", "arguments", false),
        ("function F() { const t = new.target; return function () { return t === F; }; }\n", "new.target", false),
    ] {
        let symbol = place_of("a.mjs", code, "t = ", "");
        let done = asked("inline", &[("a.mjs", code)], json!({"symbol": symbol}));
        assert_eq!(done.is_ok(), is_done, "{code}: {done:?}");
        let why = format!("`{word}` would mean that of another function here");
        assert!(is_done || done.as_ref().unwrap_err()[0].contains(&why), "{code}: {done:?}");
    }
}

#[test]
fn an_argument_is_not_inlined_into_code_that_runs_later() {
    for (path, code) in [
        ("a.py", "def g(x): return [lambda: x, x]\na = 1\nr = g(a)\na = 5\n"),
        ("a.mjs", "function g(x) { return [() => x, x]; }\nlet a = 1; const r = g(a); a = 5;\n"),
    ] {
        let done = asked("inline", &[(path, code)], json!({"symbol": "g"}));
        let why = "`a` may have another value when the function inside reads it";
        assert!(done.as_ref().is_err_and(|found| found[0].contains(why)), "{done:?}");
    }
    let code = "def g(x): return [lambda: x, x]\na = 1\nr = g(a)\n";
    assert!(asked("inline", &[("a.py", code)], json!({"symbol": "g"})).is_ok());
    let code = "k = 1\ndef h():\n    global k\n    k = 2\ndef g(x): return [h(), x]\ndef f(): return g(k)\n";
    let done = asked("inline", &[("a.py", code)], json!({"symbol": "g"}));
    let why = "this is evaluated before the function reads `k`, and may change it";
    assert!(done.as_ref().is_err_and(|found| found[0].contains(why)), "{done:?}");
}

#[test]
fn a_number_keeps_its_type() {
    for (statement, use_of_it, is_done) in [
        ("x := 3", "x / 2.0", false),
        ("x := 1", "x + 'a'", false),
        ("x := 3", "x / k", false),
        ("x := 3", "x / 2", true),
        ("x := 3", "x + y", true),
        ("x := 3.0", "x / 2.0", true),
    ] {
        let code =
            format!("package a\n\nconst k = 2.0\n\nfunc f(y int) any {{\n\t{statement}\n\treturn {use_of_it}\n}}\n");
        let done = asked("inline", &[("a.go", &code)], json!({"symbol": "a.go:6:2"}));
        assert_eq!(done.is_ok(), is_done, "{code}: {done:?}");
    }
}

#[test]
fn code_that_reads_its_own_module_does_not_move() {
    for (path, to, code, word, what) in [
        ("m.py", "n.py", "def f(): return __name__\n", "__name__", "is another name after the move"),
        (
            "m.py",
            "n.py",
            "K = 1\ndef f(): return globals()['K']\n",
            "globals",
            "reads the names of another module after the move",
        ),
        (
            "m.py",
            "n.py",
            "K = 1\ndef f(): return eval('K')\n",
            "eval",
            "reads the names of another module after the move",
        ),
        (
            "m.py",
            "n.py",
            "import sys\ndef f(): return sys._getframe().f_globals\n",
            "f_globals",
            "reads the names of another module after the move",
        ),
        (
            "a.mjs",
            "b.mjs",
            "export function f() { return import.meta.url; }\n",
            "import.meta",
            "means another file after the move",
        ),
    ] {
        let params = json!({"kind": "move", "symbol": format!("{path}::f"), "to": to});
        let places = refused(&[(path, code), (to, "")], &params).1;
        assert!(places.iter().any(|place| place.ends_with(&format!("`{word}` {what}"))), "{code}: {places:?}");
    }
    // The name of something else.
    let code = "def f(a): return a.__name__, type(a).__name__\n";
    check(
        &[("m.py", code), ("n.py", "")],
        &json!({"kind": "move", "symbol": "m.py::f", "to": "n.py"}),
        &[("m.py", ""), ("n.py", code)],
    );
}

#[test]
fn code_does_not_move_away_from_what_is_put_in_place_of_its_needs() {
    let module = "from time import time\nK = 1\ndef f(): return time() + K\n";
    let params = json!({"kind": "move", "symbol": "m.py::f", "to": "n.py"});
    let test = "from unittest.mock import patch\nimport m\nwith patch('m.time'): m.f()\n";
    let places = refused(&[("m.py", module), ("n.py", ""), ("test.py", test)], &params).1;
    assert_eq!(places, ["test.py:3 a string names `time` of the old module, and the moved code has it from elsewhere"]);
    let test = "import m\nm.K = 5\nm.f()\n";
    let places = refused(&[("m.py", module), ("n.py", ""), ("test.py", test)], &params).1;
    assert_eq!(places, ["test.py:2 `K` of the old module is reassigned here, and the moved code would not see it"]);
}

#[test]
fn a_module_that_does_something_is_loaded_as_before() {
    let params = json!({"kind": "move", "symbol": "m.py::f", "to": "n.py"});
    let main = "from m import f\nf()\n";
    let places = refused(&[("main.py", main), ("m.py", "print(1)\ndef f(): pass\n"), ("n.py", "")], &params).1;
    assert_eq!(places, ["m.py:1 this runs when the old module is loaded, which may not be loaded any more, or later"]);
    let places = refused(&[("main.py", main), ("m.py", "def f(): pass\n"), ("n.py", "print(1)\n")], &params).1;
    assert_eq!(
        places,
        ["n.py:1 this runs when the new module is loaded, which may be loaded earlier, or from elsewhere"]
    );
    let params = json!({"kind": "move", "symbol": "a.mjs::f", "to": "b.mjs"});
    let files = [
        ("main.mjs", "import { f } from \"./a.mjs\";\nf();\n"),
        ("a.mjs", "export function f() {}\n"),
        ("b.mjs", "globalThis.x = 1;\nexport const z = 1;\n"),
    ];
    let places = refused(&files, &params).1;
    assert_eq!(
        places,
        ["b.mjs:1 this runs when the new module is loaded, which may be loaded earlier, or from elsewhere"]
    );
}

#[test]
fn a_file_that_reads_its_own_path_does_not_move_to_another_folder() {
    let moved = |from: &str, to: &str, code: &str, others: &[(&str, &str)]| {
        let files: Vec<(&str, &str)> = others.iter().copied().chain([(from, code)]).collect();
        asked("move_file", &files, json!({"symbol": from, "to": to}))
    };
    let python = "import pathlib\nP = pathlib.Path(__file__).parent\n";
    assert_eq!(
        moved("p/m.py", "q/m.py", python, &[]).unwrap_err(),
        ["p/m.py:2 `__file__` means another file after the move"]
    );
    assert!(moved("p/m.py", "p/n.py", python, &[]).is_ok());
    let script = "export const u = new URL('./d.txt', import.meta.url);\n";
    assert_eq!(
        moved("a.mjs", "sub/a.mjs", script, &[]).unwrap_err(),
        ["a.mjs:1 `import.meta` means another file after the move"]
    );
    assert_eq!(
        moved("p/m.py", "p/k.py", "n = __name__\n", &[]).unwrap_err(),
        ["p/m.py:1 `__name__` is another name after the move"]
    );
    // The program that starts, and a logger, which has the name of its module.
    let program = "import logging\nlog = logging.getLogger(__name__)\nif __name__ == '__main__':\n    print(log)\n";
    assert!(moved("p/m.py", "q/m.py", program, &[]).is_ok());
    let hides = moved("m.py", "random.py", "X = 1\n", &[]).unwrap_err();
    assert_eq!(hides, ["m.py:1 a module `random` would hide that of the standard library"]);
    assert!(moved("m.py", "p/random.py", "X = 1\n", &[("p/__init__.py", "")]).is_ok());
    let program = moved("p/__main__.py", "p/cli.py", "print(1)\n", &[]).unwrap_err();
    assert_eq!(program, ["p/__main__.py:1 a file named `__main__` is started by the name of its folder"]);
    let main = "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'm'])\n";
    let started = moved("m.py", "n.py", "print(1)\n", &[("main.py", main)]).unwrap_err();
    assert_eq!(started, ["main.py:2 a command starts the module by this name"]);
    let main = "import pkgutil, p\nprint(list(pkgutil.iter_modules(p.__path__)))\n";
    let listed = moved("p/m.py", "q/m.py", "X = 1\n", &[("main.py", main), ("p/__init__.py", "")]).unwrap_err();
    assert_eq!(listed, ["main.py:2 `iter_modules` may list the module in its package"]);
    let main = "import p\nimport p.m\nprint(getattr(p, 'm').X)\n";
    let named = moved("p/m.py", "p/k.py", "X = 1\n", &[("main.py", main), ("p/__init__.py", "")]).unwrap_err();
    assert!(named.contains(&"main.py:3 a call names the module by a string".to_owned()), "{named:?}");
}

#[test]
fn imports_stay_in_order_if_their_modules_do_something() {
    let main = "from b import x\nfrom a import y\n\nprint(x, y)\n";
    let acting = |name: &str| format!("import reg\nreg.L.append(1)\n{name} = 1\n");
    let files = [("main.py", main), ("a.py", &acting("y")), ("b.py", &acting("x")), ("reg.py", "L = []\n")];
    check(&files, &json!({"kind": "organize_imports", "path": "main.py"}), &[]);
    let files = [("main.py", main), ("a.py", "y = 1\n"), ("b.py", &acting("x")), ("reg.py", "L = []\n")];
    let sorted = "from a import y\nfrom b import x\n\nprint(x, y)\n";
    check(&files, &json!({"kind": "organize_imports", "path": "main.py"}), &[("main.py", sorted)]);
    // Without a use, in JavaScript, too; TypeScript does not load what has none.
    let main = "import { a } from \"./a\";\nconsole.log(1);\n";
    let files = [("main.js", main), ("a.js", "globalThis.x = 1;\nexport const a = 1;\n")];
    check(&files, &json!({"kind": "organize_imports", "path": "main.js"}), &[]);
    let files =
        [("main.js", "import { a } from \"./a\";\nconsole.log(eval(\"a\"));\n"), ("a.js", "export const a = 1;\n")];
    check(&files, &json!({"kind": "organize_imports", "path": "main.js"}), &[]);
    let files = [("main.ts", main), ("a.ts", "console.log(2);\nexport const a = 1;\n")];
    let without = "console.log(1);\n";
    check(&files, &json!({"kind": "organize_imports", "path": "main.ts"}), &[("main.ts", without)]);
    let files = [("main.py", "import sys\nimport xml.dom\nprint('xml.dom' in sys.modules)\n")];
    check(&files, &json!({"kind": "organize_imports"}), &[]);
}

#[test]
fn an_unused_definition_that_does_something_stays() {
    for (path, code) in [
        ("a.py", "R = []\nclass Q:\n    R.append(1)\n"),
        ("a.py", "R = []\ndef q(x=R.append(1)): return x\n"),
        ("a.py", "R = []\ndef q(x: R.append(1)): return x\n"),
        ("a.py", "class D:\n    def __set_name__(self, o, n): print(n)\nclass Q:\n    d = D()\n"),
        ("a.mjs", "let n = 0;\nclass B { static x = ++n; }\n"),
        ("a.mjs", "let n = 0;\nclass B { [(n++, 'k')]() {} }\n"),
        ("a.mjs", "let n = 0;\nclass B { static { n++; } }\n"),
    ] {
        check(&[(path, code)], &json!({"kind": "delete_unused"}), &[]);
    }
    let python = "class Q:\n    k = 1\n    def f(self, a=1): return print(a)\n\n\nprint(1)\n";
    check(&[("a.py", python)], &json!({"kind": "delete_unused"}), &[("a.py", "print(1)\n")]);
    let script = "class B { x = make(); f() { return make(); } }\nconsole.log(1);\n";
    check(&[("a.mjs", script)], &json!({"kind": "delete_unused"}), &[("a.mjs", "console.log(1);\n")]);
}

#[test]
fn an_unused_definition_that_code_may_name_stays() {
    for (path, code) in [
        ("a.py", "import sys\ndef run(): return 1\nprint(getattr(sys.modules[__name__], 'r' + 'un')())\n"),
        ("a.py", "def run(): return 1\nprint(eval(input()))\n"),
        ("a.mjs", "function onStart() { return 1; }\nconsole.log(eval(`on${'Start'}()`));\n"),
    ] {
        check(&[(path, code)], &json!({"kind": "delete_unused"}), &[]);
    }
    let files = [("main.py", "from m import *\nprint(globals()['ru' + 'n']())\n"), ("m.py", "def run(): return 1\n")];
    check(&files, &json!({"kind": "delete_unused"}), &[]);
}

#[test]
fn a_base_changes_nothing_about_its_classes() {
    let params = json!({"kind": "extract_base", "symbol": "C", "symbols": ["D"], "members": ["n"], "to": "Base"});
    let class = |name: &str, body: &str| format!("class {name}:\n{body}");
    let body = "    __slots__ = ('k',)\n    def n(self): return 1\n";
    let places = refused(&[("a.py", &(class("C", body) + &class("D", body)))], &params).1;
    assert_eq!(places, ["a.py:2 the base would have no `__slots__`"]);
    let body = "    @staticmethod\n    @functools.lru_cache\n    def n(x): return 1\n";
    let code = format!("import functools\n{}{}", class("C", body), class("D", body));
    let places = refused(&[("a.py", &code)], &params).1;
    assert_eq!(places, ["a.py:4 the classes would share what the decorator keeps"]);
    for use_of_it in ["print(vars(C))", "print(C.__dict__)", "print(D.__bases__)"] {
        let body = "    def n(self): return 1\n";
        let code = format!("{}{}{use_of_it}\n", class("C", body), class("D", body));
        let places = refused(&[("a.py", &code)], &params).1;
        assert_eq!(places, ["a.py:5 the members or bases of the class are asked for here"]);
    }
}

#[test]
fn a_flag_that_code_may_name_stays() {
    let code = "FLAG = True\nprint(globals()['FLAG'])\n";
    let params = json!({"kind": "remove_flag", "symbol": "FLAG", "value": "true"});
    assert_eq!(refused(&[("a.py", code)], &params).1, ["a.py:2 accesses members by a computed name"]);
}

#[test]
fn a_value_that_ends_elsewhere_is_no_argument_that_is_left_out() {
    let code = "struct D; impl Drop for D { fn drop(&mut self) {} }\nfn f(a: i32, b: D) -> i32 { a }\nfn g(d: D) -> i32 { f(1, d) }\n";
    let files = ("src/lib.rs", code);
    let places = signature(files, json!({"symbol": "f", "remove": "b"})).unwrap_err();
    assert_eq!(places, ["src/lib.rs:2 the value of `b` would end at another time"]);
    for kind in ["&D", "i32", "Vec<String>", "Option<u8>"] {
        let code = format!("struct D;\nfn f(a: i32, b: {kind}) -> i32 {{ a }}\nfn g(d: {kind}) -> i32 {{ f(1, d) }}\n");
        assert!(signature(("src/lib.rs", &code), json!({"symbol": "f", "remove": "b"})).is_ok(), "{kind}");
    }
}

#[test]
fn a_value_does_not_choose_another_function() {
    let code = "class A {\n  static void f(Object o) {}\n  static void f(String o) {}\n  void g() {\n    $ o = \"x\";\n    f(o);\n  }\n}\n";
    let inlined =
        |kind: &str| asked("inline", &[("A.java", &code.replace('$', kind))], json!({"symbol": "A.java:5:12"}));
    let why = "the call may choose another function for `String` than for `Object`";
    assert!(inlined("Object").as_ref().is_err_and(|found| found[0].contains(why)), "{:?}", inlined("Object"));
    assert!(inlined("String").is_ok(), "{:?}", inlined("String"));
}

#[test]
fn what_adds_to_a_module_is_found() {
    let files = [
        ("main.ts", "declare module \"./m\" { interface A { extra?: number } }\n"),
        ("m.ts", "export class A { v = 1; }\nexport const q = 1;\n"),
        ("n.ts", "export const z = 1;\n"),
    ];
    let places = refused(&files, &json!({"kind": "move", "symbol": "m.ts::A", "to": "n.ts"})).1;
    assert!(places.contains(&"main.ts:1 this adds to `A` in the old module".to_owned()), "{places:?}");
}
