//! Names in code with syntax errors: nothing is certain there, and it is certain elsewhere.

use serde_json::json;

use crate::refactored::refused;
use crate::symbols::Project;

/// The counts of `refs`: certain, uncertain.
#[track_caller]
fn counts(files: &[(&str, &str)], symbol: &str) -> (u64, u64) {
    let found =
        Project::new(files).ask("refs", &json!({"symbol": symbol})).unwrap_or_else(|error| panic!("{symbol}: {error}"));
    let count = |key: &str| found["counts"][key].as_u64().expect("a count");
    (count("certain"), count("candidate") + count("undetermined"))
}

#[track_caller]
fn is_renamed(files: &[(&str, &str)], symbol: &str) {
    let rename = json!({"kind": "rename", "symbol": symbol, "to": "other"});
    Project::new(files).ask("refactor", &rename).unwrap_or_else(|error| panic!("{symbol}: {error}"));
}

#[test]
fn a_name_in_a_scope_with_an_error_is_not_certain() {
    for (path, text, symbol) in [
        ("a.py", "def f():\n    x = 1\n    y = = 2\n    return x\n", "a.py:2:5"),
        ("a.js", "function f() {\n  let x = 1;\n  let = = 2;\n  return x;\n}\n", "a.js:2:7"),
        ("a.ts", "function f() {\n  let x = 1;\n  let y = = 2;\n  return x;\n}\n", "a.ts:2:7"),
        ("a.go", "package a\n\nfunc f() int {\n\tx := 1\n\ty := := 2\n\treturn x\n}\n", "a.go:4:2"),
        ("a.rs", "fn f() -> i32 {\n    let x = 1;\n    let y = = 2;\n    x\n}\n", "a.rs:2:9"),
        ("A.java", "class A {\n  int f() {\n    int x = 1;\n    int y = = 2;\n    return x;\n  }\n}\n", "A.java:3:9"),
        ("a.c", "int f(void) {\n  int x = 1;\n  int y = = 2;\n  return x;\n}\n", "a.c:2:7"),
        ("a.php", "<?php\nfunction f() {\n  $x = 1;\n  $y = = 2;\n  return $x;\n}\n", "a.php:3:4"),
        ("a.rb", "def f\n  x = 1\n  y = = 2\n  x\nend\n", "a.rb:2:3"),
    ] {
        let (_, uncertain) = counts(&[(path, text)], symbol);
        assert!(uncertain > 0, "{path}");
        let (code, _) = refused(&[(path, text)], &json!({"kind": "rename", "symbol": symbol, "to": "other"}));
        assert_eq!(code, "undetermined", "{path}");
    }
}

#[test]
fn a_function_in_a_function_is_a_macro_that_was_misread() {
    let text = "int f(int x) {\n  int y = 1;\n  WITH(x) { y = 2; }\n  AND CATCH(y) { y = 3; }\n  return y;\n}\n";
    assert!(counts(&[("a.c", text)], "a.c:2:7").1 > 0);
    // A method of a class in a function is none.
    let text = "int f(int x) {\n  struct S { int m(int y) { return y; } };\n  return x;\n}\n";
    is_renamed(&[("a.cpp", text)], "a.cpp:1:11");
}

#[test]
fn macros_in_place_of_conditions_and_words_before_functions_are_read() {
    let text = "#define unlikely(x) (x)\n#define FAR\n#define ZEXPORT\n#define local static\nint ZEXPORT f(int FAR *x) {\n  int y = *x;\n  if unlikely(y) { y = 2; }\n  while unlikely(y) { y++; }\n  return y;\n}\nlocal int g(int z) { return z; }\n";
    assert_eq!(counts(&[("a.c", text)], "a.c:6:7"), (6, 0));
    is_renamed(&[("a.c", text)], "a.c:11:11");
    // They are names, too.
    assert_eq!(counts(&[("a.c", text)], "unlikely"), (3, 0));
    assert_eq!(counts(&[("a.c", text)], "ZEXPORT"), (2, 0));
    is_renamed(&[("a.c", text)], "unlikely");
}

#[test]
fn an_error_in_another_scope_is_no_hindrance() {
    let python = "def f():\n    x = 1\n    return x\n\n\ndef g():\n    x = = 2\n    return x\n\n\ny = ) + 1\n";
    is_renamed(&[("a.py", python)], "a.py:2:5");
    let js = "function f() { let x = 1; return x; }\nfunction g() { let x = = 2; return x; }\nlet z = = 2;\n";
    is_renamed(&[("a.js", js)], "a.js:1:20");
    let c = "int f(void) { int x = 1; return x; }\nint g(void) { int x = = 2; return x; }\nint = ;\n";
    is_renamed(&[("a.c", c)], "a.c:1:19");
}

#[test]
fn unused_and_imports_take_no_name_near_an_error_for_another() {
    let text = "def helper(): return 1\n\n\ndef f():\n    helper = = helper()\n    return 2\n\n\nf()\n";
    let found = Project::new(&[("a.py", text)]).ask("unused", &json!({"certain": true})).expect("an answer");
    assert_eq!(found["unused"], json!([]), "{found}");
    let project =
        Project::new(&[("m.py", "a = 1\n"), ("a.py", "from m import a\n\n\ndef f():\n    a = = 1\n    return a\n")]);
    let found = project.ask("refactor", &json!({"kind": "organize_imports"}));
    let text = found.unwrap_or_else(|error| error).to_string();
    assert!(!text.contains("-from m import a"), "{text}");
}

#[test]
fn every_answer_names_the_files_with_errors_that_contain_the_name() {
    let files = [
        ("a.py", "def f(): return 1\n\n\nx = = 2\n"),
        ("b.py", "from a import f\n\n\ny = = f\n"),
        ("c.py", "z = = 1\n"),
    ];
    let project = Project::new(&files);
    for (method, request) in [
        ("refs", json!({"symbol": "a.py::f"})),
        ("calls", json!({"symbol": "a.py::f"})),
        ("impact", json!({"symbols": ["a.py::f"]})),
    ] {
        let found = project.ask(method, &request).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert_eq!(found["project"]["with_errors"], json!(["a.py", "b.py"]), "{method}: {found}");
    }
}

#[test]
fn a_macro_with_a_block_defines_nothing_for_certain() {
    let text = "enum { A, B };\nint f(int x) {\n  FETCH (NEXT(x)) {\n    CASE(A) { x = 1; }\n    CASE(B) { x = 2; }\n  }\n  return x;\n}\n";
    assert!(counts(&[("a.c", text)], "a.c:1:8").1 > 0);
    assert!(counts(&[("a.c", text)], "a.c:4:10").1 > 0);
}
