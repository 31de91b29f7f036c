//! Names that are made of others by a rule of the language or its tools, names that templates read, and what only looks like one.

use serde_json::json;

use crate::refactored::{check, refused};

#[test]
fn a_name_that_is_made_of_another_one_is_uncertain() {
    let go =
        "package a\n\ntype R struct{}\n\nfunc (r R) ReadAll() int { return 1 }\n\nfunc Run() {}\n\nfunc Walk() {}\n";
    let test = "package a\n\nfunc ExampleR_ReadAll() { R{}.ReadAll() }\nfunc ExampleRun_more() { Run() }\nfunc ExampleWalker() { Walk() }\n";
    let files = [("go.mod", "module m\n"), ("a.go", go), ("a_test.go", test)];
    for symbol in ["R.ReadAll", "R", "Run"] {
        let (code, places) = refused(&files, &json!({"kind": "rename", "symbol": symbol, "to": "Other"}));
        assert!(
            code == "undetermined" && places.iter().any(|place| place.contains("its name is made of")),
            "{symbol}: {places:?}"
        );
    }
    check(
        &files,
        &json!({"kind": "rename", "symbol": "Walk", "to": "Go"}),
        &[("a.go", &go.replace("Walk", "Go")), ("a_test.go", &test.replace("{ Walk", "{ Go"))],
    );
    let csharp = "using System;\nclass MyAttribute : Attribute {}\n[My] class B { int My; }\n";
    let (code, _) =
        refused(&[("a.cs", csharp)], &json!({"kind": "rename", "symbol": "MyAttribute", "to": "OtherAttribute"}));
    assert_eq!(code, "undetermined");
    let scala =
        "class A {\n  private var x = 0\n  def v: Int = x\n  def v_=(n: Int): Unit = { x = n }\n  def w: Int = x\n}\n";
    let (code, _) = refused(&[("a.scala", scala)], &json!({"kind": "rename", "symbol": "A.v", "to": "u"}));
    assert_eq!(code, "undetermined");
    check(
        &[("a.scala", scala)],
        &json!({"kind": "rename", "symbol": "A.w", "to": "u"}),
        &[("a.scala", &scala.replace("w:", "u:"))],
    );
}

#[test]
fn a_template_reads_members_by_their_names() {
    let go = "package main\n\nimport (\n\t\"os\"\n\t\"text/template\"\n)\n\ntype P struct {\n\tName string\n\tAge  int\n}\n\nfunc main() {\n\tt := template.Must(template.New(\"x\").Parse(\"Age: {{.Name}}\"))\n\tt.Execute(os.Stdout, P{})\n}\n";
    let files = [("go.mod", "module m\n"), ("a.go", go)];
    let (code, _) = refused(&files, &json!({"kind": "rename", "symbol": "P.Name", "to": "Title"}));
    assert_eq!(code, "undetermined");
    check(
        &files,
        &json!({"kind": "rename", "symbol": "P.Age", "to": "Years"}),
        &[("a.go", &go.replace("\tAge  int", "\tYears  int"))],
    );
}

#[test]
fn a_member_whose_name_is_computed_may_be_any() {
    let php = "<?php\nclass A { function do_x() { return 1; } function other() { return 2; } }\n$o = new A();\n$o->{\"do_\" . $argv[1]}();\n";
    let (code, _) = refused(&[("a.php", php)], &json!({"kind": "rename", "symbol": "A.do_x", "to": "do_y"}));
    assert_eq!(code, "undetermined");
    check(
        &[("a.php", php)],
        &json!({"kind": "rename", "symbol": "A.other", "to": "more"}),
        &[("a.php", &php.replace("other", "more"))],
    );
}

#[test]
fn the_types_of_a_switch_do_not_see_its_variable() {
    let go = "package main\n\ntype num int\n\nfunc f(x interface{}) int {\n\tswitch num := x.(type) {\n\tcase int:\n\t\treturn num\n\tcase num:\n\t\treturn int(num)\n\t}\n\treturn 0\n}\n";
    let files = [("go.mod", "module m\n"), ("a.go", go)];
    let variable = go.replace("switch num", "switch n").replace("return num", "return n").replace("int(num)", "int(n)");
    check(&files, &json!({"kind": "rename", "symbol": "a.go:6:9", "to": "n"}), &[("a.go", &variable)]);
    let of_type = go.replace("type num", "type line").replace("case num", "case line");
    check(&files, &json!({"kind": "rename", "symbol": "a.go:3:6", "to": "line"}), &[("a.go", &of_type)]);
}

#[test]
fn a_macro_names_what_its_file_sees() {
    let header = "#if A\n#define att(n) (FLT_##n)\n#else\n#define att(n) (DBL_##n)\n#endif\n";
    let code = "#include \"a.h\"\n#define FIGS att(DIG)\nint f(void) { return FIGS; }\n";
    check(
        &[("a.h", header), ("a.c", code)],
        &json!({"kind": "rename", "symbol": "a.h:2:9", "to": "zeb"}),
        &[("a.c", &code.replace("att", "zeb")), ("a.h", &header.replace("att", "zeb"))],
    );
}

#[test]
fn what_a_call_loads_keeps_one_name() {
    let files = [
        ("b.mjs", "export const rate = 1;\n"),
        ("a.mjs", "const { rate } = await import(\"./b.mjs\");\nconsole.log(rate);\n"),
    ];
    check(
        &files,
        &json!({"kind": "rename", "symbol": "b.mjs::rate", "to": "pace"}),
        &[
            ("a.mjs", "const { pace } = await import(\"./b.mjs\");\nconsole.log(pace);\n"),
            ("b.mjs", "export const pace = 1;\n"),
        ],
    );
    let files = [("b.js", "exports.rate = 1;\n"), ("a.js", "const { rate } = require(\"./b\");\nconsole.log(rate);\n")];
    check(
        &files,
        &json!({"kind": "rename", "symbol": "b.js:1:9", "to": "pace"}),
        &[("a.js", "const { pace } = require(\"./b\");\nconsole.log(pace);\n"), ("b.js", "exports.pace = 1;\n")],
    );
}

#[test]
fn a_name_that_is_asked_for_as_text_is_uncertain() {
    for (path, code, symbol) in [
        ("a.py", "class A: pass\n\n\ndef run(): pass\n\n\nprint(A.__name__, run.__qualname__)\n", "A"),
        ("a.py", "class A: pass\n\n\ndef run(): pass\n\n\nprint(A.__name__, run.__qualname__)\n", "run"),
        ("a.mjs", "function run() { return 1; }\nconsole.log(run.name);\n", "run"),
        ("a.ts", "class A {}\nconsole.log(A.name);\n", "A"),
        ("a.rb", "class A\nend\nputs A.name\n", "A"),
    ] {
        let (error, places) = refused(&[(path, code)], &json!({"kind": "rename", "symbol": symbol, "to": "Other"}));
        assert_eq!((error.as_str(), places.len()), ("undetermined", 1), "{path} {symbol}: {places:?}");
    }
    // A member of the project, or of an object, is none of these.
    for (path, code) in [
        ("a.mjs", "class A { static name = 1; }\nconsole.log(A.name);\n"),
        ("a.mjs", "const A = { name: 1 };\nconsole.log(A.name);\n"),
        ("a.py", "class A:\n    pass\n\n\nprint(A().size, A.size)\n"),
    ] {
        check(
            &[(path, code)],
            &json!({"kind": "rename", "symbol": format!("{path}:1:7"), "to": "Other"}),
            &[(path, &code.replace('A', "Other"))],
        );
    }
}
