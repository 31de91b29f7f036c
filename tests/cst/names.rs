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
