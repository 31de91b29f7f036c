//! Valid code that a grammar takes for an error: it is read with signs that the grammar knows, and written as it is.

use cst::edit::{Op, Position};
use cst::text::{EditSet, Span, TextEdit};
use cst::tree::{EditIntent, ParseLimits, Tree};

use crate::edit::run;
use crate::finding::nodes;
use crate::rewriting::parsed;

/// A language, code that its compiler takes, and how many nodes a selector finds in it.
const VALID: &[(&str, &str, &str, usize)] = &[
    ("kotlin", "class A { val x = 1 }\n", "class > *:is(field, variable)", 1),
    ("kotlin", "class A { fun f() {} }\nfun g() { h() }\n", "method, function", 2),
    ("kotlin", "interface F { fun f() }\n", "interface, class", 1),
    ("kotlin", "class B { class A { val x = 1 } }\n", "class", 2),
    ("kotlin", "class A { companion object { val x = 1 } }\n", "class", 2),
    ("kotlin", "val x = object : F { override fun f() = 1 }\n", "method, function", 1),
    ("kotlin", "data class A(val x: Int) { fun f() = x }\n", "class", 1),
    ("typescript", "export type * from './a';\nf();\n", "call", 1),
    ("typescript", "interface A {\n  (i: number): B\n  <A>(i: number): C\n}\nf();\n", "call", 1),
    ("tsx", "export type * from './a';\n", "export_statement", 1),
    ("tsx", "x = <i class={a} for=\"b\">c</i>;\nf();\n", "jsx_attribute", 2),
    ("tsx", "x = <i>a && b</i>;\nf();\n", "call", 1),
    ("javascript", "x = { r() { if (a) { return (<i class={icon} />); } } };\n", "jsx_attribute", 1),
    ("javascript", "x = <label\n  for='a'\n  class=\"b\">Tom & Jerry & {c} & co</label>;\nf();\n", "jsx_attribute", 2),
    ("javascript", "import defer * as a from 'a';\nf();\n", "call", 1),
    ("java", "import module java.base;\nclass A {}\n", "class", 1),
    ("rust", "extern \"C\" {\n    pub type A;\n    pub type B<T>;\n    pub fn f();\n}\nfn g() { f() }\n", "call", 1),
    ("rust", "fn f<T>() where (): B<T> {}\nfn g() { str!(\"a\"); try!(h()); }\n", "macro_invocation", 2),
    ("rust", "fn f(raw: Option<raw>) { match a { raw @ (A | B) => g(raw) } }\n", "call", 1),
    ("rust", "macro_rules! m { ([$]) => { 1 }; }\nfn f() { g() }\n", "call", 1),
    (
        "typescript",
        "const f: {\n  <A>(x: A): B<A>\n  /** d */\n  <A>(x: A, y: A): C<{ a: B }>\n  <A>(z: A): C\n} = g;\nh();\n",
        "call_signature",
        3,
    ),
    ("typescript", "let x: import(\"a\").B[], f: keyof import('a').B;\ng();\n", "call", 1),
    ("typescript", "let x: { abstract: boolean, declare?: 1 };\nfunction f(using: A) {}\n", "property_signature", 2),
    ("typescript", "declare module \"a\" {\n  global {\n    var x: 1;\n  }\n}\nf();\n", "call", 1),
    (
        "typescript",
        "interface T<out t> {}\ntype U<in Input, out T = any> = 1;\nlet s: string.submodule;\n",
        "type, interface",
        2,
    ),
    ("kotlin", "fun f() {\n try {\n  a()\n }\n catch (e: B) {\n  c()\n }\n catch (e: D) {\n  d()\n }\n}\n", "call", 3),
    ("kotlin", "class A\n@B\ninternal constructor(val a: Int)\n", "class", 1),
    (
        "kotlin",
        "annotation class A(val a: Array<String> = [])\nval x = a?.let { override -> b(override) }\n",
        "class",
        1,
    ),
    ("swift", "f(())\nlet x = ()\nlet g: (_: Int) -> Void = h\n", "call", 1),
    (
        "swift",
        "func f() {\n  B {\n    a()\n  }\n  label: {\n    b()\n  }\n  nonisolated(unsafe) let y = [~first]\n}\n",
        "function",
        1,
    ),
    ("css", "@layer a.b { p { color: red } }\na:nth-child(7n-6) { --b: ; color: var(--c,);; }\n", "rule_set", 2),
    ("css", "@media (width>=0px) { a { b: c } }\n@keyframes a { 59.15% { b: c } }\n", "rule_set", 1),
    ("c", "void f(void) {\n  a = container_of(w, struct a, b);\n  x = min_t(unsigned int, a, b);\n}\n", "call", 2),
    (
        "c",
        "static enum E_Error CALL\nf(int a) { return g(a); }\nstatic XML_Bool CALL h(int a) { return g(a); }\nstruct s CALL\nk(int a) { return x; }\n",
        "function",
        3,
    ),
    ("c", "module_init(f)\n\nint g(void) { return h(); }\n", "function", 1),
    ("rust", "unsafe extern \"C\" {\n    pub safe fn h();\n    pub unsafe fn g();\n}\n", "foreign_mod_item", 1),
    (
        "python",
        "type X[T = int] = list[T]\n\n\ndef f[T = int, U = str](x: T): pass\n\n\nclass A[T = int]: pass\n",
        "class, function",
        2,
    ),
];

#[test]
fn valid_code_has_no_errors() {
    for &(language, text, selector, count) in VALID {
        let tree = parsed(text, language);
        assert!(tree.is_sound(), "{language}: {:?}\n{text}", tree.errors());
        assert_eq!(tree.text().to_string(), text);
        let found = nodes(&tree, selector).unwrap();
        assert_eq!(found.len(), count, "{language}: {selector} in {text}");
    }
}

fn edited(tree: &Tree, at: usize, len: usize, text: &str) -> Tree {
    let edits = EditSet::new(vec![TextEdit::new(Span::new(at, at + len), text)]).unwrap();
    tree.edit(&edits, &EditIntent::default(), &ParseLimits::default()).unwrap().tree
}

#[test]
fn an_edit_is_as_if_parsed_anew() {
    for &(language, text, ..) in VALID {
        let tree = parsed(text, language);
        for at in 0..text.len() {
            let (one, two) = (edited(&tree, at, 1, ""), edited(&edited(&tree, at, 0, "("), at, 1, ""));
            for tree in [one, two] {
                let anew = parsed(&tree.text().to_string(), language);
                assert_eq!(tree.table().column_bytes(), anew.table().column_bytes(), "{language} at {at}: {text}");
            }
        }
    }
}

#[test]
fn an_error_stays_one() {
    for (language, text) in [
        ("kotlin", "class A { val x = 1 }\nfun f( {\n"),
        ("kotlin", "fun f() { val x = }\n"),
        ("typescript", "export type * from './a';\nconst x = ;\n"),
        ("java", "import module java.base;\nclass A {\n"),
        ("python", "type X[T = int] = list[T]\ndef f(:\n"),
    ] {
        assert!(!parsed(text, language).is_sound(), "{text}");
    }
}

#[test]
fn code_like_that_can_be_edited_and_inserted() {
    let tree = parsed("class A { val x = 1 }\n\nclass B {\n    val y = 2\n}\n", "kotlin");
    let target = nodes(&tree, "class#B").unwrap()[0];
    let op = Op::Insert { target, position: Position::Last, code: "class K { val a = 1 }".to_owned(), extent: None };
    let text = run(&tree, &[op]).unwrap().tree.text().to_string();
    assert_eq!(text, "class A { val x = 1 }\n\nclass B {\n    val y = 2\n\n    class K { val a = 1 }\n}\n");
    let target = nodes(&tree, "class#A").unwrap()[0];
    let text = run(&tree, &[Op::Delete { target, extent: None }]).unwrap().tree.text().to_string();
    assert_eq!(text, "class B {\n    val y = 2\n}\n");
}
