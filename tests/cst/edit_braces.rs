//! Operations where brackets and words hold statements: what comes and goes looks as a person would have left it.

use cst::edit::{EditError, Op};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

use crate::edit::{op, run};

fn text(language: &str, source: &str, ops: &[&str]) -> Result<String, EditError> {
    let language = Language::named(language).unwrap();
    let tree = Tree::parse(Text::new(source), language, &ParseLimits::default()).unwrap();
    let ops: Vec<Op> = ops.iter().map(|words| op(&tree, words)).collect();
    run(&tree, &ops).map(|outcome| outcome.tree.text().to_string())
}

/// What a batch makes of a source, in a language.
#[track_caller]
fn check(language: &str, source: &str, ops: &[&str], expected: &str) {
    match text(language, source, ops) {
        Ok(found) => assert_eq!(found, expected, "{ops:?} on\n{source}\ngave\n{found}"),
        Err(error) => panic!("{ops:?} on\n{source}\n{error}"),
    }
}

#[test]
fn the_last_statement_leaves_the_brackets() {
    check("javascript", "function f() {\n  a();\n}\n", &["delete expression_statement a"], "function f() {}\n");
    check("javascript", "function f() { a(); }\n", &["delete expression_statement a"], "function f() {}\n");
    check("c", "void f(void)\n{\n\ta();\n}\n", &["delete expression_statement a"], "void f(void)\n{\n}\n");
    check("java", "class A {\n  int x;\n}\n", &["delete field_declaration"], "class A {}\n");
    check(
        "go",
        "package p\n\nfunc f() {\n\ta()\n}\n",
        &["delete expression_statement a"],
        "package p\n\nfunc f() {}\n",
    );
    check(
        "rust",
        "fn f() {\n    // why\n    a();\n}\n",
        &["delete expression_statement a"],
        "fn f() {\n    // why\n}\n",
    );
    check("ruby", "def f\n  a\nend\n", &["delete identifier a"], "def f\nend\n");
    check("lua", "function f()\n  a()\nend\n", &["delete function_call a"], "function f()\nend\n");
    check("swift", "func f() {\n    a()\n}\n", &["delete call_expression a"], "func f() {}\n");
    check("kotlin", "fun f() {\n    a()\n}\n", &["delete call_expression a"], "fun f() {}\n");
}

#[test]
fn a_statement_goes_with_its_line() {
    let source = "function f() {\n  a();\n\n  // b\n  b();\n  c();\n}\n";
    check("javascript", source, &["delete expression_statement a"], "function f() {\n  // b\n  b();\n  c();\n}\n");
    check("javascript", source, &["delete expression_statement c"], "function f() {\n  a();\n\n  // b\n  b();\n}\n");
    check("javascript", "f(); g(); h();\n", &["delete expression_statement g"], "f(); h();\n");
    check("javascript", "if (x) { a(); b(); }\n", &["delete expression_statement b"], "if (x) { a(); }\n");
    check("javascript", "if (x) { a(); b(); }\n", &["delete expression_statement a"], "if (x) { b(); }\n");
    check(
        "go",
        "package p\n\nfunc f() { a(); b() }\n",
        &["delete expression_statement b"],
        "package p\n\nfunc f() { a() }\n",
    );
    check("kotlin", "fun f() { a(); b() }\n", &["delete call_expression b"], "fun f() { a() }\n");
    check("c", "struct s { int a; };\n\nint x;\n", &["delete struct_specifier"], "int x;\n");
    check("javascript", "class A { x = 1; y = 2; }\n", &["delete field_definition y"], "class A { x = 1; }\n");
    check(
        "javascript",
        "class A {\n  x = 1;\n  y = 2;\n}\n",
        &["delete field_definition x"],
        "class A {\n  y = 2;\n}\n",
    );
}

#[test]
fn what_belongs_to_a_definition_goes_with_it() {
    check(
        "rust",
        "fn a() {}\n\n/// Doc.\n#[derive(B)]\n// why\n#[c]\nstruct S;\n\nfn d() {}\n",
        &["delete struct_item"],
        "fn a() {}\n\nfn d() {}\n",
    );
    check("rust", "#[test] fn a() {}\nfn b() {}\n", &["delete function_item fn a"], "fn b() {}\n");
    check(
        "java",
        "class A {\n    /** X. */\n    int x;\n\n    /** F. */\n    @Override\n    void f() {}\n}\n",
        &["delete method_declaration"],
        "class A {\n    /** X. */\n    int x;\n}\n",
    );
    check(
        "java",
        "class A {\n    /** X. */\n    int x;\n\n    // f\n    void f() {}\n}\n",
        &["delete field_declaration"],
        "class A {\n    // f\n    void f() {}\n}\n",
    );
    check("javascript", "a();\n\n// F\nexport function f() {}\n", &["delete function_declaration"], "a();\n");
    check(
        "rust",
        "struct S {\n    /// A.\n    #[b]\n    a: i32,\n    c: i32,\n}\n",
        &["delete field_declaration a"],
        "struct S {\n    c: i32,\n}\n",
    );
}

#[test]
fn code_comes_into_empty_brackets() {
    check("javascript", "function f() {}\n", &["last function_declaration => a();"], "function f() {\n  a();\n}\n");
    check("javascript", "class A {\n}\n", &["last class_declaration => f() {}"], "class A {\n  f() {}\n}\n");
    check(
        "java",
        "class A {\n\tvoid f() { }\n}\n",
        &["last method_declaration => a();"],
        "class A {\n\tvoid f() {\n\t\ta();\n\t}\n}\n",
    );
    check(
        "go",
        "package p\n\nfunc f() {}\n",
        &["first function_declaration => a()"],
        "package p\n\nfunc f() {\n\ta()\n}\n",
    );
    check("rust", "fn f() { /* no */ }\n", &["first function_item => a();"], "fn f() { /* no */\n    a();\n}\n");
    check("ruby", "class A\n  def f\n  end\nend\n", &["last method => a"], "class A\n  def f\n    a\n  end\nend\n");
    check("ruby", "def f; end\n", &["last method => a"], "def f\n  a\nend\n");
    check("lua", "function f() end\n", &["last function_declaration => a()"], "function f()\n    a()\nend\n");
    check("swift", "func f() {}\n", &["last function_declaration => a()"], "func f() {\n    a()\n}\n");
    check("kotlin", "fun f() {}\n", &["last function_declaration => a()"], "fun f() {\n    a()\n}\n");
    check("c", "void f(void)\n{\n}\n", &["last function_definition => a();"], "void f(void)\n{\n    a();\n}\n");
}

#[test]
fn code_comes_into_a_body_on_one_line() {
    check(
        "javascript",
        "function f() { a(); }\n",
        &["last function_declaration => b();"],
        "function f() {\n  a();\n  b();\n}\n",
    );
    check(
        "javascript",
        "function f() { a(); }\n",
        &["first function_declaration => b();"],
        "function f() {\n  b();\n  a();\n}\n",
    );
    check(
        "javascript",
        "  if (x) { a(); } // why\n",
        &["after expression_statement a => b();"],
        "  if (x) {\n    a();\n    b();\n  } // why\n",
    );
    check("javascript", "f(); g();\n", &["after expression_statement f => h();"], "f(); h(); g();\n");
    check(
        "go",
        "package p\n\nfunc f() { a() }\n",
        &["last function_declaration => b()"],
        "package p\n\nfunc f() {\n\ta()\n\tb()\n}\n",
    );
    check(
        "swift",
        "if x { a() } else { c() }\n",
        &["after call_expression a => b()"],
        "if x {\n    a()\n    b()\n} else { c() }\n",
    );
    check(
        "lua",
        "function f() a() end\n",
        &["last function_declaration => b()"],
        "function f()\n    a()\n    b()\nend\n",
    );
}

#[test]
fn members_come_as_the_neighbours_stand() {
    check(
        "java",
        "class A {\n    int x;\n\n    void f() {\n        a();\n    }\n\n    void g() {}\n}\n",
        &["last class_declaration => void h() {\n    b();\n}"],
        "class A {\n    int x;\n\n    void f() {\n        a();\n    }\n\n    void g() {}\n\n    void h() {\n        b();\n    }\n}\n",
    );
    check(
        "rust",
        "impl A {\n    fn f() {}\n\n    /// G.\n    #[g]\n    fn g() {}\n}\n",
        &["before function_item fn g => fn h() {\n  a();\n}"],
        "impl A {\n    fn f() {}\n\n    fn h() {\n        a();\n    }\n\n    /// G.\n    #[g]\n    fn g() {}\n}\n",
    );
    check("rust", "/// G.\nfn g() {}\n", &["before function_item fn g => #[inline]"], "/// G.\n#[inline]\nfn g() {}\n");
    check(
        "php",
        "<?php\nclass A {\n    public $x;\n}\n",
        &["last class_declaration => function f() {\n    a();\n}"],
        "<?php\nclass A {\n    public $x;\n\n    function f() {\n        a();\n    }\n}\n",
    );
    check(
        "cpp",
        "class A {\n public:\n  int x;\n  void f();\n};\n",
        &["last class_specifier => void g();"],
        "class A {\n public:\n  int x;\n  void f();\n  void g();\n};\n",
    );
}

#[test]
fn elements_come_and_go_with_their_separators() {
    check("javascript", "f(a, b);\n", &["delete identifier b"], "f(a);\n");
    check("javascript", "f(a, b);\n", &["last arguments => c"], "f(a, b, c);\n");
    check(
        "javascript",
        "const x = {\n  a: 1,\n  b: 2,\n};\n",
        &["last object => c: 3"],
        "const x = {\n  a: 1,\n  b: 2,\n  c: 3,\n};\n",
    );
    check(
        "javascript",
        "const x = {\n  a: 1,\n  b: 2\n};\n",
        &["last object => c: 3"],
        "const x = {\n  a: 1,\n  b: 2,\n  c: 3\n};\n",
    );
    check(
        "rust",
        "enum E {\n    A,\n    B,\n}\n",
        &["delete enum_variant A", "last enum_item => C"],
        "enum E {\n    B,\n    C,\n}\n",
    );
    check("rust", "struct S { a: i32 }\n", &["last struct_item => b: i32"], "struct S { a: i32, b: i32 }\n");
    check("c", "enum e { A, B };\n", &["delete enumerator B"], "enum e { A };\n");
    check("c", "int f(int a, int b);\n", &["first parameter_list => int c"], "int f(int c, int a, int b);\n");
    check("java", "enum E { A, B; int x; }\n", &["after enum_constant B => C"], "enum E { A, B, C; int x; }\n");
    check("rust", "use a::{b, c};\n", &["delete identifier b"], "use a::{c};\n");
}

#[test]
fn a_body_is_replaced_with_brackets_or_without() {
    check(
        "javascript",
        "function f() {\n  a();\n}\n",
        &["replace statement_block => {\n  b();\n}"],
        "function f() {\n  b();\n}\n",
    );
    check(
        "javascript",
        "function f() {\n  a();\n}\n",
        &["replace statement_block => b();\nc();"],
        "function f() {\n  b();\n  c();\n}\n",
    );
    check(
        "javascript",
        "function f() { a(); }\n",
        &["replace statement_block => b();\nc();"],
        "function f() {\n  b();\n  c();\n}\n",
    );
    check("javascript", "function f() { a(); }\n", &["replace statement_block => b();"], "function f() { b(); }\n");
    check("javascript", "function f() {}\n", &["replace statement_block => b();"], "function f() {\n  b();\n}\n");
    check(
        "c",
        "struct s { int a; };\n",
        &["replace struct_specifier => struct s { int b; };"],
        "struct s { int b; };\n",
    );
}

#[test]
fn wraps_and_unwraps_stand_on_lines() {
    check(
        "javascript",
        "function f() {\n  a();\n}\n",
        &["wrap expression_statement a => if (x) {\n    $0\n}"],
        "function f() {\n  if (x) {\n    a();\n  }\n}\n",
    );
    check(
        "javascript",
        "function f() { a(); }\n",
        &["wrap expression_statement a => if (x) {\n    $0\n}"],
        "function f() {\n  if (x) {\n    a();\n  }\n}\n",
    );
    check(
        "javascript",
        "if (x) {\n  a();\n  // why\n  b();\n}\nc();\n",
        &["unwrap if_statement"],
        "a();\n// why\nb();\nc();\n",
    );
    check(
        "go",
        "package p\n\nfunc f() {\n\tif x {\n\t\ta()\n\t\tb()\n\t}\n}\n",
        &["unwrap if_statement"],
        "package p\n\nfunc f() {\n\ta()\n\tb()\n}\n",
    );
    check("rust", "fn f() {\n    unsafe { a(); }\n}\n", &["unwrap unsafe_block"], "fn f() {\n    a();\n}\n");
    check("ruby", "def f\n  if x\n    a\n    b\n  end\nend\n", &["unwrap if"], "def f\n  a\n  b\nend\n");
    check(
        "swift",
        "func f() {\n    if x {\n        a()\n    }\n}\n",
        &["unwrap if_statement"],
        "func f() {\n    a()\n}\n",
    );
}

#[test]
fn moves_go_between_levels() {
    check(
        "java",
        "class A {\n    class B {\n        void f() {\n            a();\n        }\n    }\n}\n",
        &["move_after method_declaration => class_declaration class B"],
        "class A {\n    class B {}\n\n    void f() {\n        a();\n    }\n}\n",
    );
    check(
        "rust",
        "impl A {\n    #[a]\n    fn f() {}\n}\n\nimpl B {}\n",
        &["move_last function_item => impl_item impl B"],
        "impl A {}\n\nimpl B {\n    #[a]\n    fn f() {}\n}\n",
    );
}

#[test]
fn cases_hold_statements() {
    let source = "switch (x) {\n  case 1:\n    a();\n    break;\n  default:\n    b();\n}\n";
    check(
        "javascript",
        source,
        &["before break_statement => c();"],
        "switch (x) {\n  case 1:\n    a();\n    c();\n    break;\n  default:\n    b();\n}\n",
    );
    check(
        "javascript",
        source,
        &["delete expression_statement a"],
        "switch (x) {\n  case 1:\n    break;\n  default:\n    b();\n}\n",
    );
    check("javascript", source, &["delete switch_case"], "switch (x) {\n  default:\n    b();\n}\n");
    check(
        "c",
        source,
        &["last case_statement => c();"],
        "switch (x) {\n  case 1:\n    a();\n    break;\n    c();\n  default:\n    b();\n}\n",
    );
    check(
        "bash",
        "if a; then\n  b\nelse\n  c\nfi\n",
        &["after command b => d"],
        "if a; then\n  b\n  d\nelse\n  c\nfi\n",
    );
}

#[test]
fn a_statement_that_stands_for_a_block_leaves_an_empty_one() {
    check("javascript", "if (a) b();\nc();\n", &["delete expression_statement b"], "if (a) {}\nc();\n");
    check(
        "c",
        "void f(void)\n{\n\tfor (;;)\n\t\tg();\n\th();\n}\n",
        &["delete expression_statement g"],
        "void f(void)\n{\n\tfor (;;)\n\t\t{}\n\th();\n}\n",
    );
    check(
        "javascript",
        "if (a) { b(); } else if (c) { d(); } else { e(); }\n",
        &["delete #1 else_clause"],
        "if (a) { b(); } else if (c) { d(); }\n",
    );
    check(
        "java",
        "class A {\n    void f() {\n        if (a) {\n            b();\n        } else {\n            c();\n        }\n    }\n}\n",
        &["delete expression_statement c"],
        "class A {\n    void f() {\n        if (a) {\n            b();\n        } else {}\n    }\n}\n",
    );
}

#[test]
fn texts_are_never_indented() {
    check(
        "bash",
        "cat <<EOF\n$x\n  y\nEOF\nb\n",
        &["wrap redirected_statement => if a; then\n    $0\nfi"],
        "if a; then\n    cat <<EOF\n$x\n  y\nEOF\nfi\nb\n",
    );
    check(
        "javascript",
        "a(`\nx\n`);\n",
        &["wrap expression_statement => if (b) {\n  $0\n}"],
        "if (b) {\n  a(`\nx\n`);\n}\n",
    );
    check(
        "rust",
        "fn f() {\n    a(r\"\nx\n\");\n}\n",
        &["wrap expression_statement => if b {\n    $0\n}"],
        "fn f() {\n    if b {\n        a(r\"\nx\n\");\n    }\n}\n",
    );
    check("ruby", "def f\n  x = <<~E\n    a\n  E\n  y\nend\n", &["delete assignment"], "def f\n  y\nend\n");
    check(
        "php",
        "<?php\nfunction f() {\n    $x = <<<E\n  a\n  E;\n}\n",
        &["wrap expression_statement => if ($a) {\n    $0\n}"],
        "<?php\nfunction f() {\n    if ($a) {\n        $x = <<<E\n  a\n  E;\n    }\n}\n",
    );
}

#[test]
fn directives_stand_where_they_stood() {
    let source = "void f(void)\n{\n#ifdef A\n\ta();\n#else\n\tb();\n#endif\n\tc();\n}\n";
    check(
        "c",
        source,
        &["before expression_statement c => d();"],
        "void f(void)\n{\n#ifdef A\n\ta();\n#else\n\tb();\n#endif\n\td();\n\tc();\n}\n",
    );
    check(
        "c",
        source,
        &["after expression_statement a => d();"],
        "void f(void)\n{\n#ifdef A\n\ta();\n\td();\n#else\n\tb();\n#endif\n\tc();\n}\n",
    );
    check("c", source, &["delete preproc_ifdef"], "void f(void)\n{\n\tc();\n}\n");
    check(
        "c",
        "#include <a.h>\n#include <b.h>\n\nint x;\n",
        &["delete preproc_include #include <b"],
        "#include <a.h>\n\nint x;\n",
    );
    check("c", "#include <a.h>\n\nint x;\n", &["import #include <b.h>"], "#include <a.h>\n#include <b.h>\n\nint x;\n");
}

#[test]
fn names_are_given_in_any_language() {
    check("rust", "fn f() {}\n", &["rename function_item => g"], "fn g() {}\n");
    check(
        "java",
        "class A {\n    void f() {}\n}\n",
        &["rename method_declaration => g"],
        "class A {\n    void g() {}\n}\n",
    );
    check("go", "package p\n\nfunc f() {}\n", &["rename function_declaration => g"], "package p\n\nfunc g() {}\n");
    check("c", "int f(int a) { return a; }\n", &["rename function_definition => g"], "int g(int a) { return a; }\n");
    check("php", "<?php\nfunction f() {}\n", &["rename function_definition => g"], "<?php\nfunction g() {}\n");
    check("swift", "func f() {}\n", &["rename function_declaration => g"], "func g() {}\n");
    check("kotlin", "fun f() {}\n", &["rename function_declaration => g"], "fun g() {}\n");
    check("ruby", "def f; end\n", &["rename method => g"], "def g; end\n");
}

#[test]
fn what_ends_a_member_goes_along() {
    check(
        "javascript",
        "class A {\n  x = 1;\n  y = 2;\n}\n",
        &["move_after field_definition x => field_definition y"],
        "class A {\n  y = 2;\n  x = 1;\n}\n",
    );
    check(
        "rust",
        "fn f() {\n    match x {\n        A => a,\n        B => b\n    }\n}\n",
        &["after #1 match_arm => _ => {}"],
        "fn f() {\n    match x {\n        A => a,\n        B => b,\n        _ => {}\n    }\n}\n",
    );
    check("javascript", "const f = () => {};\n", &["replace variable_declarator => const g = 1;"], "const g = 1;\n");
    check("javascript", "import { a } from './a';\nb();\n", &["delete import_specifier"], "b();\n");
    check(
        "java",
        "class A {\n    void f() throws B {}\n}\n",
        &["delete type_identifier B"],
        "class A {\n    void f() {}\n}\n",
    );
    check("typescript", "let a: A<B>;\n", &["delete #1 type_identifier"], "let a: A;\n");
    check("kotlin", "fun f(a: Int, b: String = \"x\") {}\n", &["delete parameter b"], "fun f(a: Int) {}\n");
    check(
        "c",
        "int x = 1;\n\nstruct s { int a; };\n",
        &["after declaration => int y;"],
        "int x = 1;\nint y;\n\nstruct s { int a; };\n",
    );
}

#[test]
fn what_lines_separate_goes_alone() {
    check(
        "typescript",
        "type A = {\n  a: B\n  c: D\n};\n",
        &["delete property_signature a"],
        "type A = {\n  c: D\n};\n",
    );
    check("typescript", "type A = { a: B; c: D };\n", &["delete property_signature c"], "type A = { a: B; };\n");
    check(
        "swift",
        "switch x {\n    case .a:\n      f()\n    case .b:\n      g()\n    }\n",
        &["move_after switch_entry case .a => switch_entry case .b"],
        "switch x {\n    case .b:\n      g()\n    case .a:\n      f()\n    }\n",
    );
    check(
        "swift",
        "class A {\n    @B(c)\n    func f() {}\n}\n",
        &["delete attribute"],
        "class A {\n    func f() {}\n}\n",
    );
    check(
        "kotlin",
        "enum class A {\n    B, C;\n\n    fun f() = 1\n}\n",
        &["delete function_declaration"],
        "enum class A {\n    B, C;\n}\n",
    );
    check(
        "javascript",
        "const a = {\n  b: 1,\n\n  c: 2,\n\n  d: 3,\n};\n",
        &["delete pair d"],
        "const a = {\n  b: 1,\n\n  c: 2,\n};\n",
    );
}

#[test]
fn imports_come_beside_their_like() {
    let source = "package p\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() {}\n";
    check("go", source, &["import import \"os\""], "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() {}\n");
    check("go", source, &["import import \"fmt\""], source);
    check(
        "php",
        "<?php\nnamespace A;\n\nuse B\\C;\n\nclass D {}\n",
        &["import use B\\E;"],
        "<?php\nnamespace A;\n\nuse B\\C;\nuse B\\E;\n\nclass D {}\n",
    );
    check(
        "rust",
        "mod a;\n\nuse b::c;\n\nfn f() {}\n",
        &["import use b::d;"],
        "mod a;\n\nuse b::c;\nuse b::d;\n\nfn f() {}\n",
    );
    check(
        "java",
        "package a;\n\nimport b.C;\n\nclass D {}\n",
        &["import import b.E;"],
        "package a;\n\nimport b.C;\nimport b.E;\n\nclass D {}\n",
    );
    check(
        "php",
        "<?php\nclass A {\n    #[B]\n    private $x;\n}\n",
        &["delete attribute"],
        "<?php\nclass A {\n    private $x;\n}\n",
    );
}
