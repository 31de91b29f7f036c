//! A word in a language that cannot use a symbol is none of its uses; in one that can, it is a doubt.

use serde_json::{Value, json};

use crate::refactored::{check, refused};

fn rename(symbol: &str) -> Value {
    json!({"kind": "rename", "symbol": symbol, "to": "zebra"})
}

/// A method of a class, and a call of one of its name on something that is not known, in each of these languages.
const METHODS: [(&str, &str, &str); 9] = [
    (
        "a.py",
        "class Elk:\n    def area(self):\n        return 1\n\n\nElk().area()\n",
        "def f(s):\n    return s.area()\n",
    ),
    (
        "a.js",
        "class Elk { area() { return 1; } }\nnew Elk().area();\nrun(Elk);\nexport default Elk;\n",
        "export function f(s) { return s.area(); }\n",
    ),
    (
        "a.ts",
        "class Elk { area(): number { return 1; } }\nnew Elk().area();\nrun(Elk);\nexport default Elk;\n",
        "export function f(s: any) { return s.area(); }\n",
    ),
    ("a.rb", "class Elk\n  def area\n    1\n  end\nend\nElk.new.area\n", "def f(s)\n  s.area\nend\n"),
    (
        "a.php",
        "<?php\nclass Elk { public function area() { return 1; } }\n(new Elk())->area();\n",
        "<?php\nfunction f($s) { return $s->area(); }\n",
    ),
    (
        "A.java",
        "class Elk { int area() { return 1; } }\nclass A { int f() { return new Elk().area(); } }\n",
        "class B extends Unknown { void f() { var s = make(); s.area(); } }\n",
    ),
    (
        "a.kt",
        "class Elk {\n    fun area(): Int {\n        return 1\n    }\n}\nfun main() { Elk().area() }\n",
        "fun f() {\n    val s = make()\n    s.area()\n}\n",
    ),
    (
        "a.rs",
        "struct Elk;\nimpl Elk {\n    fn area(&self) -> i64 {\n        1\n    }\n}\nfn main() {\n    Elk.area();\n}\n",
        "fn f() {\n    let s = make!();\n    s.area();\n}\n",
    ),
    ("a.swift", "", "func f(s: Shape) { s.area() }\n"),
];

fn end(path: &str) -> &str {
    path.rsplit('.').next().unwrap()
}

/// Which of these can use members of which.
fn can_use(definition: &str, user: &str) -> bool {
    let (own, other) = (end(definition), end(user));
    own == other
        || matches!(
            (own, other),
            ("js", "ts" | "kt")
                | ("ts", "js" | "kt")
                | ("java", "kt" | "py" | "rb")
                | ("kt", "java" | "swift" | "js" | "ts")
        )
}

#[test]
fn a_method_is_used_by_languages_that_can() {
    for (path, text, _) in METHODS.iter().filter(|(_, text, _)| !text.is_empty()) {
        for (user_path, _, user) in METHODS {
            let other = format!("other.{}", end(user_path));
            let files = [(*path, *text), (other.as_str(), user)];
            if can_use(path, &other) {
                println!("{path} {other}");
                let (code, places) = refused(&files, &rename("Elk.area"));
                assert_eq!((code.as_str(), places.len()), ("undetermined", 1), "{path} {other} {places:?}");
                assert!(places[0].starts_with(&format!("{other}:")), "{path} {places:?}");
            } else {
                check(&files, &rename("Elk.area"), &[(*path, &text.replace("area", "zebra"))]);
            }
        }
    }
}

#[test]
fn what_is_given_to_other_languages_may_be_used_there() {
    let rust = "pub struct Elk;\n#[pymethods]\nimpl Elk {\n    pub fn area(&self) -> i64 {\n        1\n    }\n}\n";
    let python = "def f(s):\n    return s.area()\n";
    for mark in ["#[pymethods]", "#[wasm_bindgen]", "#[cfg_attr(feature = \"python\", pymethods)]"] {
        let rust = rust.replace("#[pymethods]", mark);
        let (code, places) = refused(&[("a.rs", &rust), ("a.py", python)], &rename("Elk.area"));
        assert_eq!((code.as_str(), places.len()), ("undetermined", 1), "{mark} {places:?}");
    }
    for mark in ["#[cfg(test)]", "#[inline]", ""] {
        let rust = rust.replace("#[pymethods]", mark);
        check(&[("a.rs", &rust), ("a.py", python)], &rename("Elk.area"), &[("a.rs", &rust.replace("area", "zebra"))]);
    }
}

#[test]
fn a_local_or_private_name_is_used_in_its_language() {
    let kotlin = "class Elk {\n    private fun area(): Int {\n        return 1\n    }\n    fun f(): Int {\n        return area()\n    }\n}\n";
    let java = "class B { void f(Unknown s) { s.area(); } }\n";
    check(&[("a.kt", kotlin), ("B.java", java)], &rename("Elk.area"), &[("a.kt", &kotlin.replace("area", "zebra"))]);
    let c = "int f(int area) {\n    return area;\n}\n";
    check(
        &[("a.c", c), ("b.swift", "func g(s: Shape) { area() }\n")],
        &rename("a.c:1:11"),
        &[("a.c", &c.replace("area", "zebra"))],
    );
}

#[test]
fn a_function_of_c_may_be_used_by_any_language() {
    let c = "int area(int x) {\n    return x;\n}\n";
    for (path, user) in [("b.swift", "func g() { area(1) }\n"), ("b.lua", "print(lib.area(1))\n")] {
        let (code, places) = refused(&[("a.c", c), (path, user)], &rename("a.c::area"));
        assert_eq!((code.as_str(), places.len()), ("undetermined", 1), "{path} {places:?}");
    }
}
