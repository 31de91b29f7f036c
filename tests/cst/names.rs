//! Names and qualnames of definitions that a language writes in an unusual way.

use cst::language::Language;
use cst::selector::{Definitions, Kinds, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

fn tree(language: &str, source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named(language).unwrap(), &ParseLimits::default()).unwrap()
}

/// The kind and qualname of each node that a selector finds.
fn found(language: &str, selector: &str, source: &str) -> Vec<String> {
    let tree = tree(language, source);
    let kinds = Kinds::new(&tree);
    let query = Query::new(&Selector::parse(selector).unwrap(), tree.language(), &Definitions::default()).unwrap();
    let nodes = query.select(&tree).unwrap().into_iter().map(|found| found.node);
    nodes.map(|node| format!("{} {}", kinds.kind(node), tree.qualname(node).unwrap_or_default())).collect()
}

#[track_caller]
fn check(language: &str, selector: &str, source: &str, expected: &[&str]) {
    assert_eq!(found(language, selector, source), expected, "{source}");
}

#[test]
fn qualified_names_of_any_depth_keep_all_their_parts() {
    check("ruby", "definition", "class A::B::C::D\n  def m; end\nend\n", &["class A.B.C.D", "method A.B.C.D.m"]);
    check("ruby", "namespace", "module A::B\nend\n", &["namespace A.B"]);
    check("cpp", "function", "void a::b::A::m() {}\n", &["method a.b.A.m"]);
    check("cpp", "function", "int a::b::c::d::A::m() { return 1; }\n", &["method a.b.c.d.A.m"]);
    check("cpp", "function", "int *W::data() { return 0; }\n", &["method W.data"]);
    check("cpp", "function", "int **a::W::data() { return 0; }\n", &["method a.W.data"]);
    check("cpp", "function", "int (*W::fp())(int) {}\nint (&W::rows())[3] {}\n", &["method W.fp", "method W.rows"]);
    check("cpp", "variable", "int (W::*member)(int);\n", &["variable member"]);
    check("cpp", "function", "int &W::ref() { return x; }\n", &["method W.ref"]);
    check("cpp", "function", "const T *const &a::W<int>::ref() { return x; }\n", &["method a.W.ref"]);
    check(
        "cpp",
        "function",
        "a::b::c::S::S(int) {}\na::S::S() {}\nS::S() {}\n",
        &["constructor a.b.c.S.S", "constructor a.S.S", "constructor S.S"],
    );
    check("cpp", "class", "struct a::b::c::T { int x; };\n", &["struct a.b.c.T"]);
    check(
        "cpp",
        "function",
        "A::~A() {}\nvoid f() {}\nint *g() { return 0; }\n",
        &["method A.~A", "function f", "function g"],
    );
}

#[test]
fn operators_and_destructors_have_names_of_their_own() {
    check(
        "swift",
        "function",
        "struct A {\n  static func == (a: A, b: A) -> Bool { true }\n  static func + (a: A, b: A) -> A { a }\n  func f() -> A { self }\n}\n",
        &["method A.==", "method A.+", "method A.f"],
    );
    check(
        "csharp",
        "function",
        "class A { public static A operator +(A a, A b) => a; public static implicit operator int(A a) => 1; ~A() {} A() {} }\n",
        &["method A.operator +", "method A.operator int", "method A.~A", "constructor A.A"],
    );
    check(
        "cpp",
        "function",
        "struct A { operator bool() const { return 1; } operator std::string() const { return s; } };\n",
        &["method A.operator bool", "method A.operator std::string"],
    );
    assert_eq!(
        found("cpp", "function[name=\"operator bool\"]", "struct A { operator bool() const { return 1; } };\n").len(),
        1
    );
}

#[test]
fn what_depends_on_a_variable_has_no_name() {
    check(
        "javascript",
        "function",
        "table[type] = (b) => b;\ntable[\"x\"] = (b) => b;\njQuery.fn[name] = function () {};\n",
        &["function ", "function table.x", "function "],
    );
}

#[test]
fn generic_calls_of_go_are_calls() {
    let source = "package a\n\nvar s = NewSet[Addr](x)\nvar t = m.Map[int, string](x)\nvar u = []byte(x)\nvar v = m.Fold[int](x, y)\n";
    check("go", "call", source, &["call NewSet", "call Map", "call Fold"]);
    assert_eq!(found("go", "call#NewSet", source).len(), 1);
}

#[test]
fn tests_of_rust_are_what_is_compiled_for_tests() {
    let source = "#[cfg(test)]\nfn helper() {}\n#[cfg(not(test))]\nmod real {}\n#[cfg(all(test, not(miri)))]\nmod tests {}\n#[test]\nfn t() {}\nfn f() {}\n";
    check("rust", ":test", source, &["function helper", "namespace tests", "function t"]);
}

#[test]
fn static_members_of_declarations_are_static() {
    check("typescript", "method:static", "declare class A { static make(): A; run(): void }\n", &["method A.make"]);
}

/// The documentation of each definition with a name.
#[track_caller]
fn check_docs(language: &str, source: &str, expected: &[&str]) {
    let tree = tree(language, source);
    let query = Query::new(&Selector::parse("definition").unwrap(), tree.language(), &Definitions::default()).unwrap();
    let nodes = query.select(&tree).unwrap().into_iter().map(|found| found.node);
    let docs: Vec<String> = nodes
        .map(|node| {
            format!("{}: {}", tree.names(node).first().map_or("", |name| name), tree.doc(node).unwrap_or_default())
        })
        .collect();
    assert_eq!(docs, expected, "{source}");
}

#[test]
fn documentation_counts_across_blank_lines_where_the_compiler_has_it_so() {
    let source = "/** First. */\n\nfunction f() {}\n\n/** Second. */\n// eslint-disable-next-line\n\nfunction g() {}\n\n/** File. */\n\n/** Third. */\nfunction h() {}\n\nfunction i() {}\n\n/** Of x. */\nx();\nfunction j() {}\n";
    let expected = ["f: First.", "g: Second.", "h: Third.", "i: ", "j: "];
    check_docs("javascript", source, &expected);
    check_docs("typescript", source, &expected);
    check_docs(
        "java",
        "class A {\n  /** First. */\n\n  // note\n  void f() {}\n\n  void g() {}\n}\n",
        &["A: ", "f: First.", "g: "],
    );
    check_docs("rust", "/// One\n/// two.\n\nfn f() {}\n// no\n\nfn g() {}\n", &["f: One\ntwo.", "g: "]);
    check_docs("php", "<?php\n/** First. */\n\nfunction f() {}\n", &["f: First."]);
    // A comment of Go documents only what it is attached to.
    check_docs(
        "go",
        "package p\n\n// F is one.\n\nfunc F() {}\n\n// G is two.\nfunc G() {}\n",
        &["F: ", "G: G is two."],
    );
}

#[test]
fn an_imported_type_is_no_call() {
    let source = "let a: import(\"x\").T;\nlet b: Array<import(\"x\").A.B>;\ntype C = import(\"x\").T | typeof import(\"y\").z;\nlet d: import(\"x\").T<number>;\nconst e = import(\"y\");\nf(import(\"z\"));\n";
    check("typescript", "call", source, &["call import", "call f", "call import"]);
}

/// What grammars don't know and files of their languages often hold.
#[test]
fn common_code_beyond_the_grammars_has_no_error() {
    for (language, source) in [
        ("css", "a { background: url(../x.svg) no-repeat; b: URL( data:image/png;base64,ab+/= ) }\n"),
        ("css", "@import url(//a.b/c?d=e&f);\n@font-face { src: url(a.woff2?#iefix) format('woff2'), url(b.ttf) }\n"),
        ("typescript", "let a: import(\"react\").Context<B>;\nlet b: Array<import('./a').b.C<D>>;\n"),
        ("typescript", "export declare const x: import(\"react\").FC<{ a: string }>;\n"),
        (
            "html",
            "{% extends \"base.html\" %}\n<div{% if a %} class=\"b\"{% endif %}><a href=\"{% url \"x\" %}\">{{ y|default:\"<b>\" }}</a></div>\n",
        ),
        ("html", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html><body></body></html>\n"),
    ] {
        let tree = tree(language, source);
        assert!(tree.is_sound(), "{source}: {:?}", tree.errors());
        assert_eq!(tree.text().to_string(), source);
    }
    let tree = tree("css", "a { b: url(../x.svg) }\n");
    let value = tree.table().nodes().find(|&node| tree.type_name(node) == "plain_value").expect("an address");
    assert_eq!(tree.node_text(value), "../x.svg");
    let tree = self::tree("typescript", "import(\"x\").then<T>(f);\n");
    assert!(tree.is_sound() && found("typescript", "call", "import(\"x\").then(f);\n").len() == 2);
}

#[test]
fn methods_that_python_calls_are_neither_public_nor_private() {
    let source = "class A:\n    def __init__(self): pass\n    def f(self): pass\n    def _g(self): pass\n    def __h(self): pass\n";
    check("python", "method[visibility=public]", source, &["method A.f"]);
    check("python", "method:public", source, &["method A.f"]);
    check("python", "method[visibility=private]", source, &["method A._g", "method A.__h"]);
    check("python", "function[visibility=special]", source, &["constructor A.__init__"]);
}
