//! Nodes that no operation names do not change: wrappers, attributes, labels, definitions next to a syntax error. And
//! work grows only linearly with its input.

use cst::edit::{Allow, EditError, Extent, Op, Position, apply};
use cst::language::Language;
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree, parsed_bytes};

use crate::allocations::allocated;
use crate::edit::{op, run};
use crate::error_code::error_code;

fn parse(language: &str, source: &str) -> Tree {
    Tree::parse(Text::new(source), Language::named(language).unwrap(), &ParseLimits::default()).unwrap()
}

fn text(language: &str, source: &str, ops: &[&str]) -> Result<String, EditError> {
    let tree = parse(language, source);
    let ops: Vec<Op> = ops.iter().map(|words| op(&tree, words)).collect();
    run(&tree, &ops).map(|outcome| outcome.tree.text().to_string())
}

/// Whether each edit is refused, with that code.
#[track_caller]
fn all_refused(cases: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (language, source, op, code) in cases {
        match text(language, source, &[op]) {
            Ok(found) => wrong.push(format!("{language}: {op:?} on\n{source}\ngave\n{found}")),
            Err(error) if error_code(&error) != *code => {
                wrong.push(format!("{language}: {op:?} on\n{source}\n{}: {error}", error_code(&error)));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

/// What each edit gives.
#[track_caller]
fn all_give(cases: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (language, source, op, expected) in cases {
        match text(language, source, &[op]) {
            Ok(found) if found == *expected => {}
            Ok(found) => wrong.push(format!("{language}: {op:?} on\n{source}\ngave\n{found}")),
            Err(error) => wrong.push(format!("{language}: {op:?} on\n{source}\n{}: {error}", error_code(&error))),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

const STRUCTURE: &str = "would_restructure";
const SYNTAX: &str = "would_break_syntax";

#[test]
fn no_neighbour_is_swallowed_by_a_wrapper() {
    all_refused(&[
        ("python", "x = 1\n\n\ndef g(): pass\n", "replace assignment => @dec", STRUCTURE),
        ("python", "x = 1\n\n\ndef g(): pass\n", "replace assignment =>  @dec", STRUCTURE),
        ("python", "x = 1\n\n\ndef g(): pass\n", "after assignment => @dec", STRUCTURE),
        ("python", "x = 1\n\n\nclass G: pass\n", "after assignment => @dec", STRUCTURE),
        ("python", "@a\ndef f(): pass\n\n\ndef g(): pass\n", "replace decorated_definition => @dec", STRUCTURE),
        ("javascript", "export default foo;\nx = 1;\n", "delete identifier foo", STRUCTURE),
        ("javascript", "x = 1;\nfunction g() {}\n", "replace expression_statement x => export default", STRUCTURE),
        ("javascript", "x = 1;\nfunction g() {}\n", "replace expression_statement x => L:", STRUCTURE),
        ("javascript", "x = 1;\nclass G {}\n", "after expression_statement x => @dec", STRUCTURE),
        ("javascript", "class A {\n  x = 1;\n  f() {}\n}\n", "replace field_definition x => @dec", SYNTAX),
        ("javascript", "class A {\n  e() {}\n  f() {}\n}\n", "replace method_definition e => *", STRUCTURE),
        ("typescript", "class A {\n  e() {}\n  f() {}\n}\n", "replace method_definition e => *", STRUCTURE),
        ("typescript", "class A {\n  x = 1;\n  f() {}\n}\n", "replace public_field_definition x => @dec", SYNTAX),
        ("typescript", "x = 1;\nclass G {}\n", "replace expression_statement x => export abstract", STRUCTURE),
        ("tsx", "x = 1;\nclass G {}\n", "after expression_statement x => @dec", STRUCTURE),
        ("go", "package p\n\nfunc f() {\n\tfoo()\n\tbar()\n}\n", "replace expression_statement foo => L:", STRUCTURE),
        ("go", "package p\n\nfunc f() {\n\tfoo()\n\tbar()\n}\n", "after expression_statement foo => L:", STRUCTURE),
        ("rust", "#[a]\nfn f() {}\nfn g() {}\n", "replace function_item fn f => #[b]", STRUCTURE),
        ("rust", "#[a]\nfn f() {}\nfn g() {}\n", "delete (node) function_item fn f", STRUCTURE),
        ("rust", "static X: u8 = 1;\nfn g() {}\n", "after static_item => #[b]", STRUCTURE),
        ("rust", "static X: u8 = 1;\nfn g() {}\n", "replace static_item => pub", STRUCTURE),
        ("rust", "static X: u8 = 1;\n/// G.\nfn g() {}\n", "replace static_item => #[b]", STRUCTURE),
        ("bash", "b > log 2>&1\n", "replace word log => log\nc", STRUCTURE),
        ("bash", "b > log 2>&1\n", "replace word log => log | c", STRUCTURE),
        ("c", "void f(void) {\n  foo();\n  bar();\n}\n", "replace expression_statement foo => L:", STRUCTURE),
        ("c", "int x;\nint g(void) { return 1; }\n", "replace declaration int x => static", STRUCTURE),
        ("c", "int x;\nint g(void) { return 1; }\n", "after declaration int x => __attribute__((a))", STRUCTURE),
        ("cpp", "int x;\nint g() { return 1; }\n", "replace declaration int x => template <class T>", STRUCTURE),
        ("cpp", "int x;\nint g() { return 1; }\n", "after declaration int x => extern \"C\"", STRUCTURE),
        ("cpp", "int x;\nint g() { return 1; }\n", "after declaration int x => [[nodiscard]]", STRUCTURE),
        ("java", "class A {\n  int x;\n  void g() {}\n}\n", "replace field_declaration => @Test", STRUCTURE),
        ("java", "class A {\n  int x;\n  void g() {}\n}\n", "after field_declaration => static", STRUCTURE),
        (
            "java",
            "class A {\n  void f() {\n    a();\n    b();\n  }\n}\n",
            "replace expression_statement a => l:",
            STRUCTURE,
        ),
        ("csharp", "class A {\n  int x;\n  void G() {}\n}\n", "replace field_declaration => [Test]", STRUCTURE),
        ("csharp", "class A {\n  int x;\n  void G() {}\n}\n", "after field_declaration => static", STRUCTURE),
        ("php", "<?php\n$x = 1;\nfunction g() {}\n", "after expression_statement => #[Pure]", STRUCTURE),
        (
            "php",
            "<?php\nclass A {\n  public $x;\n  function g() {}\n}\n",
            "replace property_declaration => final",
            STRUCTURE,
        ),
        ("kotlin", "val x = 1\nfun g() {}\n", "replace property_declaration => @Foo", STRUCTURE),
        ("kotlin", "val x = 1\nfun g() {}\n", "after property_declaration => private", STRUCTURE),
        ("swift", "let x = 1\nfunc g() {}\n", "replace property_declaration => @objc", STRUCTURE),
        ("swift", "let x = 1\nfunc g() {}\n", "after property_declaration => private", STRUCTURE),
        ("scala", "val x = 1\ndef g() = 2\n", "replace val_definition => @tailrec", STRUCTURE),
        ("scala", "val x = 1\nclass G\n", "after val_definition => sealed", STRUCTURE),
        ("objc", "int x;\nint g(void) { return 1; }\n", "replace declaration int x => static", STRUCTURE),
    ]);
}

#[test]
fn what_comes_beside_a_case_is_not_a_part_of_it() {
    let js = "switch (x) {\ncase 1:\n  a();\ncase 2:\n  b();\n}\n";
    let go = "package p\n\nfunc f() {\n\tswitch x {\n\tcase 1:\n\t\ta()\n\tcase 2:\n\t\tb()\n\t}\n}\n";
    let swift = "switch x {\ncase 1:\n  a()\ncase 2:\n  b()\n}\n";
    let c = "void f() {\n  switch (x) {\n  case 1:\n    a();\n  case 2:\n    b();\n  }\n}\n";
    let java =
        "class A {\n  void f() {\n    switch (x) {\n    case 1:\n      a();\n    case 2:\n      b();\n    }\n  }\n}\n";
    let php = "<?php\nswitch ($x) {\n  case 1:\n    a();\n  case 2:\n    b();\n}\n";
    all_refused(&[
        ("javascript", js, "before #1 switch_case => c();", STRUCTURE),
        ("javascript", js, "after #0 switch_case => c();", STRUCTURE),
        ("javascript", js, "after #1 switch_case => c();", STRUCTURE),
        ("typescript", js, "after #1 switch_case => c();", STRUCTURE),
        ("go", go, "before #1 expression_case => c()", STRUCTURE),
        ("go", go, "after #1 expression_case => c()", STRUCTURE),
        ("swift", swift, "before #1 switch_entry => c()", STRUCTURE),
        ("swift", swift, "after #1 switch_entry => c()", STRUCTURE),
        ("c", c, "before #1 case_statement => c();", STRUCTURE),
        ("c", c, "after #1 case_statement => c();", STRUCTURE),
        ("java", java, "before #1 switch_block_statement_group => c();", STRUCTURE),
        ("java", java, "after #1 switch_block_statement_group => c();", STRUCTURE),
        ("php", php, "before #1 case_statement => c();", STRUCTURE),
        ("php", php, "after #1 case_statement => c();", STRUCTURE),
    ]);
    all_give(&[
        (
            "javascript",
            js,
            "after #1 switch_case => default:\n  c();",
            "switch (x) {\ncase 1:\n  a();\ncase 2:\n  b();\ndefault:\n  c();\n}\n",
        ),
        (
            "swift",
            swift,
            "before #1 switch_entry => case 3:\n  c()",
            "switch x {\ncase 1:\n  a()\ncase 3:\n  c()\ncase 2:\n  b()\n}\n",
        ),
        ("swift", swift, "after call_expression a => c()", "switch x {\ncase 1:\n  a()\n  c()\ncase 2:\n  b()\n}\n"),
    ]);
}

#[test]
fn what_is_wrapped_is_wrapped_alone() {
    all_refused(&[
        ("kotlin", "fun f() {\n    if (a.b) c()\n}\n", "wrap identifier a => l@\n$0", STRUCTURE),
        ("kotlin", "fun f() {\n    a.b()\n}\n", "wrap identifier a => l@ $0", STRUCTURE),
    ]);
    all_give(&[(
        "kotlin",
        "fun f() {\n    a.b()\n}\n",
        "wrap call_expression a => l@ $0",
        "fun f() {\n    l@ a.b()\n}\n",
    )]);
}

#[test]
fn statements_on_one_line_are_replaced_there() {
    let go = "package p\n\nfunc f() (_ [2]int) { type _ int; return }\n";
    all_give(&[
        (
            "go",
            go,
            "replace statement_list => type _ a; return",
            "package p\n\nfunc f() (_ [2]int) { type _ a; return }\n",
        ),
        ("ruby", "def f; a; b end\n", "replace body_statement => a; c", "def f; a; c end\n"),
        (
            "go",
            "package p\n\nfunc f() {\n\tswitch {\n\tcase x: a(); b();\n\t}\n}\n",
            "replace #1 statement_list => a(); c()",
            "package p\n\nfunc f() {\n\tswitch {\n\tcase x: a(); c();\n\t}\n}\n",
        ),
    ]);
}

#[test]
fn a_struct_of_a_template_is_replaced_without_the_template() {
    all_give(&[
        (
            "cpp",
            "template<>\nstruct A<int>\n{ int x; };\n",
            "replace struct_specifier => struct B<int>\n{ int x; }",
            "template<>\nstruct B<int>\n{ int x; };\n",
        ),
        (
            "cpp",
            "template <class T>\nstruct A { T x; };\n",
            "replace struct_specifier => struct B { T x; }",
            "template <class T>\nstruct B { T x; };\n",
        ),
    ]);
}

#[test]
fn what_may_not_stand_in_a_head_may_stand_in_a_case() {
    let go = |head: &str, literal: &str| {
        format!(
            "package p\n\nfunc f() any {{\n\tswitch {head} {{\n\tcase 1:\n\t\treturn &{literal}{{b: 1}}\n\t}}\n\treturn nil\n}}\n"
        )
    };
    all_give(&[("go", &go("x", "A"), "replace unary_expression => &B{b: 1}", &go("x", "B"))]);
    all_refused(&[("go", &go("x", "A"), "replace identifier x => A{b: 1}", SYNTAX)]);
}

#[test]
fn a_body_with_clauses_is_replaced_with_them_or_without() {
    let ruby = |first: &str, last: &str| {
        format!("class A\n  def f\n    {first}\n\n    yield\n  ensure\n    {last}\n  end\nend\n")
    };
    let source = ruby("push", "pop");
    let given = |op: &str| text("ruby", &source, &[op]).unwrap();
    assert_eq!(
        given("replace #1 body_statement => push!\n\n    yield\n  ensure\n    pop"),
        ruby("push!", "pop"),
        "as `show` has it"
    );
    assert_eq!(
        given("replace #1 body_statement =>     push\n\n    yield\n  ensure\n    pop!"),
        ruby("push", "pop!"),
        "with its indentation"
    );
    let rescue = |error: &str| format!("def f\n  push\n  yield\nrescue {error}\n  pop\nend\n");
    assert_eq!(
        text("ruby", &rescue("A"), &["replace body_statement => push\nyield\nrescue B\npop"]).unwrap(),
        rescue("B"),
        "from the left margin"
    );
    assert_eq!(
        given("replace #1 body_statement => other"),
        "class A\n  def f\n    other\n  ensure\n    pop\n  end\nend\n",
        "statements alone"
    );
}

#[test]
fn a_statement_does_not_become_another_part() {
    let php = "<?php\nswitch (true) {\n    case null === $x:\n        $y = f();\n\n        break;\n}\n";
    all_refused(&[("php", php, "delete binary_expression", STRUCTURE)]);
}

#[test]
fn documentation_stays_with_what_it_documents() {
    let js = "/** About a. */\nlet a = b();\n/** About f. */\nfunction f() {}\n";
    let rust = "/// About X.\nstatic X: u8 = 1;\n/// About f.\nfn f() {}\n";
    all_refused(&[
        ("javascript", js, "delete (node) lexical_declaration", STRUCTURE),
        ("rust", rust, "delete (node) static_item", STRUCTURE),
    ]);
    all_give(&[
        ("javascript", js, "delete lexical_declaration", "/** About f. */\nfunction f() {}\n"),
        ("rust", rust, "delete static_item", "/// About f.\nfn f() {}\n"),
    ]);
}

#[test]
fn nodes_that_no_text_shows_are_no_change() {
    // The `)` that the parser filled in, and the empty nodes in a fenced block, aren't found again by their text.
    all_give(&[
        (
            "python",
            "x = 1\n\n\ndef broken(:\n    pass\n",
            "replace integer => 2",
            "x = 2\n\n\ndef broken(:\n    pass\n",
        ),
        ("markdown", "one\n\n~~~\nplain\n~~~\n", "replace paragraph => two", "two\n\n~~~\nplain\n~~~\n"),
    ]);
}

#[test]
fn what_is_named_may_get_wrappers_and_lose_them() {
    all_give(&[
        (
            "python",
            "x = 1\n\n\ndef g(): pass\n",
            "before function_definition => @dec",
            "x = 1\n\n\n@dec\ndef g(): pass\n",
        ),
        ("python", "@a\n@b\ndef g(): pass\n", "delete decorator @a", "@b\ndef g(): pass\n"),
        ("python", "@a\ndef g(): pass\n", "delete decorator @a", "def g(): pass\n"),
        ("python", "@a\ndef g(): pass\n", "after decorator @a => @b", "@a\n@b\ndef g(): pass\n"),
        ("python", "@a\ndef g(): pass\n", "replace decorator @a => @b.c(1)", "@b.c(1)\ndef g(): pass\n"),
        ("rust", "#[a]\nfn f() {}\n\nfn g() {}\n", "delete function_item fn f", "fn g() {}\n"),
        ("rust", "#[a]\nfn f() {}\n", "delete attribute_item", "fn f() {}\n"),
        ("rust", "#[a]\nfn f() {}\n", "replace attribute_item => #[b]", "#[b]\nfn f() {}\n"),
        (
            "go",
            "package p\n\nfunc f() {\n\tfoo()\n}\n",
            "replace expression_statement foo => L: foo()",
            "package p\n\nfunc f() {\n\tL: foo()\n}\n",
        ),
        (
            "java",
            "class A {\n  @Test\n  void g() {}\n}\n",
            "replace marker_annotation => @Foo(1)",
            "class A {\n  @Foo(1)\n  void g() {}\n}\n",
        ),
        ("c", "int foo(int a) { return a; }\n", "replace identifier foo => *foo", "int *foo(int a) { return a; }\n"),
    ]);
}

#[test]
fn statements_on_one_line_leave_their_block() {
    all_give(&[
        ("python", "def f():\n    if x: a; b\n    c\n", "unwrap if_statement", "def f():\n    a; b\n    c\n"),
        ("python", "if x: a; b\nc\n", "unwrap if_statement", "a; b\nc\n"),
        (
            "javascript",
            "function f() {\n  if (x) { a(); b(); }\n}\n",
            "unwrap if_statement",
            "function f() {\n  a(); b();\n}\n",
        ),
    ]);
}

#[test]
fn an_attribute_is_replaced_by_an_attribute() {
    all_refused(&[
        ("python", "class A:\n    @property\n    def f(self): pass\n", "replace decorator => property", STRUCTURE),
        (
            "python",
            "class A:\n    @a\n    @property\n    def f(self): pass\n",
            "replace #1 decorator => property",
            SYNTAX,
        ),
        ("kotlin", "@Foo fun g() {}\n", "replace annotation => foo;", STRUCTURE),
        ("swift", "@objc\nfunc g() {}\n", "replace attribute => objc", STRUCTURE),
        ("scala", "@tailrec\ndef g() = 2\n", "replace annotation => tailrec", STRUCTURE),
        ("rust", "#[a]\nfn f() {}\n", "replace attribute_item => pub", STRUCTURE),
    ]);
}

#[test]
fn an_empty_statement_stands_only_where_a_statement_must() {
    for op in [
        "delete literal_type \"b\"",
        "delete predefined_type string",
        "delete type_identifier Foo",
        "delete type_identifier Bar",
        "delete type_identifier Baz",
    ] {
        let source =
            "type U = \"a\" | \"b\" | \"c\";\ntype V = string[];\nlet a: Foo = x as Bar;\ntype K = keyof Baz;\n";
        let found = text("typescript", source, &[op]);
        assert!(found.as_ref().map_or(true, |found| !found.contains("{}")), "{op}: {found:?}");
    }
    all_give(&[
        ("typescript", "type U = \"a\" | \"b\" | \"c\";\n", "delete #0 literal_type", "type U = \"b\" | \"c\";\n"),
        ("typescript", "type U = \"a\" | \"b\" | \"c\";\n", "delete #1 literal_type", "type U = \"a\" | \"c\";\n"),
        ("typescript", "type U = \"a\" | \"b\" | \"c\";\n", "delete #2 literal_type", "type U = \"a\" | \"b\";\n"),
        ("typescript", "type U = A & B;\n", "delete #0 type_identifier A", "type U = B;\n"),
        ("tsx", "type U = A | B;\n", "delete #0 type_identifier B", "type U = A;\n"),
        ("javascript", "if (x) f();\n", "delete expression_statement f", "if (x) {}\n"),
        ("javascript", "for (;;) f();\n", "delete expression_statement f", "for (;;) {}\n"),
        ("javascript", "if (x) f(); else g();\n", "delete expression_statement g", "if (x) f(); else {}\n"),
        (
            "java",
            "class A { void f() { if (x) g(); } }\n",
            "delete expression_statement g",
            "class A { void f() { if (x) {} } }\n",
        ),
        (
            "csharp",
            "class A { void F() { foreach (var x in y) G(); } }\n",
            "delete expression_statement G",
            "class A { void F() { foreach (var x in y) {} } }\n",
        ),
        ("php", "<?php\nwhile ($x) f();\n", "delete expression_statement f", "<?php\nwhile ($x) {}\n"),
        (
            "cpp",
            "void f() { for (auto x : y) g(); }\n",
            "delete expression_statement g",
            "void f() { for (auto x : y) {} }\n",
        ),
    ]);
}

#[test]
fn clauses_keep_their_statements_column() {
    let method = "class A:\n    def f(self):\n        if x:\n            try:\n                raise E\n            finally:\n                self.gen.close()\n";
    let copied = "replace try_statement => try:\n                raise E\n    finally:\n        self.gan.close()";
    // In any layout, no clause may be separated from its statement.
    if let Ok(found) = text("python", method, &[copied]) {
        assert!(found.contains("            try:") && found.contains("            finally:"), "{found}");
    }
    all_refused(&[
        ("python", "if a:\n    b\nelse:\n    c\n", "replace if_statement => if a:\n    b\n  else:\n    c", SYNTAX),
        (
            "python",
            "try:\n    a\nexcept E:\n    b\n",
            "replace try_statement => try:\n    a\n  except E:\n    b",
            SYNTAX,
        ),
        (
            "python",
            "for a in b:\n    c\nelse:\n    d\n",
            "replace for_statement => for a in b:\n    c\n  else:\n    d",
            SYNTAX,
        ),
        (
            "python",
            "while a:\n    c\nelse:\n    d\n",
            "replace while_statement => while a:\n    c\n  else:\n    d",
            SYNTAX,
        ),
        ("python", "if a:\n    b\nelif c:\n    d\n", "replace if_statement => if a:\n    b\n  elif c:\n    d", SYNTAX),
        (
            "python",
            "match a:\n    case 1:\n        b\n    case 2:\n        c\n",
            "replace match_statement => match a:\n    case 1:\n        b\n      case 2:\n        c",
            SYNTAX,
        ),
        ("python", "def f(): pass\n", "replace function_definition => @dec\n  def f(): pass", SYNTAX),
    ]);
}

#[test]
fn what_the_grammar_takes_and_the_language_does_not_is_refused() {
    all_refused(&[
        ("python", "f(a=1)\n", "last argument_list => b", SYNTAX),
        ("python", "f(a=1)\n", "after keyword_argument => b", SYNTAX),
        ("python", "f(**a)\n", "last argument_list => b", SYNTAX),
        ("python", "f(**a)\n", "last argument_list => *b", SYNTAX),
        ("python", "def f(**kw): pass\n", "last parameters => c", SYNTAX),
        ("python", "def f(**kw: int): pass\n", "last parameters => c", SYNTAX),
        ("python", "def f(a=1): pass\n", "last parameters => c", SYNTAX),
        ("python", "f = lambda a=1: a\n", "last lambda_parameters => c", SYNTAX),
        ("go", "package p\n\nvar x = 1\n", "replace var_declaration => x := 1", SYNTAX),
        ("go", "package p\n\nvar x = 1\n", "after var_declaration => f()", SYNTAX),
        ("go", "package p\n\nfunc f(a ...int) {}\n", "last parameter_list => b int", SYNTAX),
        ("javascript", "function f() {\n  a();\n}\n", "first function_declaration => import x from \"x\";", SYNTAX),
        ("javascript", "function f(...a) {}\n", "last formal_parameters => b", SYNTAX),
        ("typescript", "function f() {\n  a();\n}\n", "first function_declaration => import x from \"x\";", SYNTAX),
        ("tsx", "function f(...a: any[]) {}\n", "last formal_parameters => b", SYNTAX),
        ("java", "class A {\n  void f() {\n    a();\n  }\n}\n", "before expression_statement => import a.b;", SYNTAX),
        ("java", "class A {\n  void f(int... a) {}\n}\n", "last formal_parameters => int b", SYNTAX),
        ("php", "<?php\nfunction f() {\n  a();\n}\n", "before expression_statement => use A\\B;", SYNTAX),
        ("php", "<?php\nfunction f(...$a) {}\n", "last formal_parameters => $b", SYNTAX),
        ("c", "int f(int a, ...);\n", "last parameter_list => int b", SYNTAX),
    ]);
    all_give(&[
        ("python", "f(a=1)\n", "last argument_list => *b", "f(a=1, *b)\n"),
        ("python", "f(a=1)\n", "last argument_list => **b", "f(a=1, **b)\n"),
        ("python", "def f(a=1): pass\n", "last parameters => *, c", "def f(a=1, *, c): pass\n"),
        ("python", "def f(a=1, *b): pass\n", "last parameters => c", "def f(a=1, *b, c): pass\n"),
        // What was so before may stay.
        ("python", "f(a=1, b)\nx = 3\n", "replace integer 3 => 2", "f(a=1, b)\nx = 2\n"),
    ]);
}

const BROKEN: &str =
    "class A:\n    def get(self, key):\n        return self.data[key\n\n    def put(self, key):\n        return 1\n";

#[test]
fn a_broken_node_does_not_take_its_neighbours_along() {
    let fixed = "replace function_definition def get => def get(self, key):\n    return self.data[key]";
    let tree = parse("python", BROKEN);
    let error = run(&tree, &[op(&tree, fixed)]).expect_err("put would go");
    assert_eq!(error_code(&error), "would_restructure");
    let message = error.to_string();
    assert!(message.contains("`put`") && message.contains("line 5") && message.contains("`get`"), "{message}");
    assert!(error.hint().is_some_and(|hint| hint.contains("sub")), "{error}");
    // With what it would take along it may be replaced.
    let both = format!("{fixed}\n\ndef put(self, key):\n    return 2");
    let given = text("python", BROKEN, &[&both]).expect("both are there");
    assert!(given.contains("return 2") && given.contains("self.data[key]\n"), "{given}");
    // The error itself can be repaired.
    let repaired =
        text("python", BROKEN, &["sub function_definition def get => [key -> [key]"]).expect("one sign more");
    assert!(repaired.contains("def put"), "{repaired}");
    let cases = [
        ("python", BROKEN, "delete function_definition def get", STRUCTURE),
        ("python", BROKEN, "wrap function_definition def get => if x:\n    $0", STRUCTURE),
        (
            "python",
            "def f():\n    g(1\n\n\ndef h():\n    pass\n\n\nx = 1\n",
            "delete function_definition def f",
            STRUCTURE,
        ),
        (
            "javascript",
            "function f() {\n  g(1;\n\nfunction h() {\n}\n",
            "delete function_declaration function f",
            STRUCTURE,
        ),
        (
            "java",
            "class A {\n  void f() {\n    if (x) {\n  }\n\n  void g() {\n  }\n}\n",
            "delete method_declaration void f",
            STRUCTURE,
        ),
        (
            "go",
            "package p\n\nfunc f() {\n\tif x {\n}\n\nfunc g() {\n}\n",
            "delete function_declaration func f",
            STRUCTURE,
        ),
        ("rust", "fn f() {\n    if x {\n}\n\nfn g() {\n}\n", "delete function_item fn f", STRUCTURE),
        ("c", "void f(void) {\n  if (x) {\n}\n\nvoid g(void) {\n}\n", "delete function_definition void f", STRUCTURE),
    ];
    let mut found = 0;
    for (language, source, words, code) in cases {
        let tree = parse(language, source);
        assert!(!tree.is_sound(), "{language}");
        let target = words.split_whitespace().nth(1).unwrap_or_default();
        // Some grammars recover without the node; then it cannot be named.
        let is_there = |node: Node| tree.type_name(node) == target && tree.table().has_error(node);
        if !tree.table().nodes().any(is_there) {
            continue;
        }
        found += 1;
        all_refused(&[(language, source, words, code)]);
    }
    assert!(found >= 5, "{found} of {} are there", cases.len());
}

#[test]
fn a_part_of_a_parameter_leaves_the_other_parts_what_they_are() {
    for (language, source, op) in [
        ("python", "def f(a: str = 'x'): pass\n", "delete identifier a"),
        ("go", "package p\n\nfunc f(c *Config) {}\n", "delete pointer_type"),
        ("rust", "fn f(c: u32, d: u32) {}\n", "delete primitive_type"),
        ("typescript", "function f(a: string = 'x') {}\n", "delete identifier a"),
    ] {
        let found = text(language, source, &[op]);
        assert!(found.is_err(), "{language}: {op}: {found:?}");
    }
    all_give(&[
        ("python", "def f(a: str = 'x'): pass\n", "delete string", "def f(a: str): pass\n"),
        ("python", "def f(a=1): pass\n", "delete integer", "def f(a): pass\n"),
    ]);
}

#[test]
fn the_only_thing_in_a_name_is_the_name() {
    all_give(&[
        ("python", "from a import b, c\n", "delete identifier b", "from a import c\n"),
        ("python", "from a import b, c\n", "delete identifier c", "from a import b\n"),
        ("python", "import a, b\n", "delete identifier a", "import b\n"),
    ]);
}

/// The cost of twice as much by the cost of once.
fn growth(cost: impl Fn(usize) -> u64, n: usize) -> Vec<f64> {
    let costs: Vec<u64> = [n, 2 * n, 4 * n].into_iter().map(cost).collect();
    costs.windows(2).map(|pair| pair[1] as f64 / pair[0].max(1) as f64).collect()
}

#[test]
fn deleting_many_parts_parses_each_shape_once() {
    let cost = |n: usize| {
        let source: String = (0..n).map(|i| format!("def m{i}(a, b=1) -> int:\n    return {i}\n\n\n")).collect();
        let tree = parse("python", &source);
        let is_type = |&node: &Node| tree.field_name(node) == "return_type";
        let types: Vec<Op> =
            tree.table().nodes().filter(is_type).map(|target| Op::Delete { target, extent: None }).collect();
        assert_eq!(types.len(), n);
        let before = parsed_bytes();
        let outcome = run(&tree, &types).expect("all go");
        assert!(!outcome.tree.text().to_string().contains("->"));
        parsed_bytes() - before
    };
    let ratios = growth(cost, 200);
    assert!(ratios.iter().all(|&ratio| ratio < 3.0), "{ratios:?}");
}

#[test]
fn many_operations_in_one_block_cost_in_proportion() {
    let limits = ParseLimits::default();
    let cost = |verb: &'static str| {
        let limits = &limits;
        move |n: usize| {
            let source: String = (0..n).map(|i| format!("x{i} = {i}\n")).collect();
            let tree = parse("python", &source);
            let statements: Vec<Node> = tree.named_children(Node::ROOT).collect();
            let (position, extent) = (Position::After, None);
            let op = |(index, &target): (usize, &Node)| match verb {
                "insert" => Op::Insert { target, position, code: format!("y{index} = 1"), extent },
                "delete" => Op::Delete { target, extent: Some(Extent::Full) },
                _ => Op::Replace { target, code: format!("y{index} = 1"), extent },
            };
            let ops: Vec<Op> = statements.iter().enumerate().map(op).collect();
            let before = allocated();
            apply(&tree, &ops, Allow::default(), limits).expect("they are apart");
            allocated() - before
        }
    };
    for (verb, n) in [("insert", 1000), ("delete", 4000)] {
        let ratios = growth(cost(verb), n);
        assert!(ratios.iter().all(|&ratio| ratio < 3.0), "{verb}: {ratios:?}");
    }
}

#[test]
fn an_import_found_by_a_name_loses_that_name_alone() {
    use crate::cli::Place;
    let cases = [
        ("a.py", "import os, sys\n", "import#os", "import sys\n"),
        ("a.py", "import os, sys\n", "import#sys", "import os\n"),
        ("a.py", "import os\nimport sys\n", "import#os", "import sys\n"),
        ("a.py", "from a import b, c\n", "import#b", "from a import c\n"),
        ("a.py", "from a import b as d, c\n", "import#d", "from a import c\n"),
        ("a.py", "import os, sys\nx = 1\n", "import", "x = 1\n"),
        ("a.js", "import { b, c } from \"a\";\n", "import#b", "import { c } from \"a\";\n"),
        ("a.ts", "import { b, c } from \"a\";\n", "import#c", "import { b } from \"a\";\n"),
        ("a.rs", "use a::{b, c};\n", "import#b", "use a::{c};\n"),
    ];
    for (file, source, target, expected) in cases {
        let place = Place::new();
        place.write(file, source);
        place.run(&["modify", file, "delete", target, "--write"]).expect(0);
        assert_eq!(place.read(file), expected, "delete {target} in {source}");
    }
    let place = Place::new();
    place.write(
        "a.py",
        "class A:\n    def get(self):\n        return self.data[key\n\n    def put(self):\n        return 1\n",
    );
    let missing = place.run(&["modify", "a.py", "delete", "function#nothing"]);
    assert!(missing.stderr.contains("the file has a syntax error at 3:9"), "{}", missing.stderr);
}
