//! Renaming with references: what is found, what is refused, what is left and named in a note.

use std::path::Path;

use cst::edit::{Op, References};
use cst::language::Language;
use cst::selector::Kinds;
use cst::text::{Span, Text};
use cst::tree::{Node, ParseLimits, Tree};

use crate::edit::{node, run};

/// A language's sample.
fn sample(language: &'static Language) -> Tree {
    let extension = language.extensions().first().expect("a language has an extension");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
    let bytes = std::fs::read(folder.join(format!("sample.{extension}"))).expect("a language has a sample");
    Tree::parse(Text::decode(&bytes, None).unwrap(), language, &ParseLimits::default()).unwrap()
}

#[test]
fn languages_without_verified_rules_refuse_references() {
    let supported: Vec<&str> = Language::all()
        .into_iter()
        .filter(|language| language.data().references.supported)
        .map(Language::name)
        .collect();
    assert!(supported.contains(&"python"), "{supported:?}");
    let mut refused = 0;
    for language in Language::all().into_iter().filter(|language| !supported.contains(&language.name())) {
        let tree = sample(language);
        // The first node that can be renamed alone.
        let rename = |target, references: Option<References>| {
            run(&tree, &[Op::Rename { target, to: "zz".to_owned(), references }])
        };
        let Some(target) = tree.table().nodes().find(|&node| rename(node, None).is_ok()) else { continue };
        let error = rename(target, Some(References::File)).unwrap_err();
        let listed = format!("(supported: {})", supported.join(", "));
        let message = error.to_string();
        assert!(message.contains(language.name()) && message.contains(&listed), "{message}");
        refused += 1;
    }
    assert!(refused >= 20, "only {refused} languages have something to rename");
}

/// What a rename with references makes of a source: the text and the notes, or the error.
fn rename_in_place(language: &str, source: &str, target: &str, to: &str) -> Result<(String, Vec<String>), String> {
    let language = Language::named(language).unwrap();
    let tree = Tree::parse(Text::new(source), language, &ParseLimits::default()).unwrap();
    assert!(tree.is_sound(), "{source}");
    let op = Op::Rename { target: node(&tree, target), to: to.to_owned(), references: Some(References::File) };
    let outcome = run(&tree, &[op]).map_err(|error| error.to_string())?;
    Ok((outcome.tree.text().to_string(), outcome.operations[0].notes.clone()))
}

/// Renames to `zz`, in all languages given.
#[track_caller]
fn check(languages: &[&str], source: &str, target: &str, expected: &str) {
    for language in languages {
        match rename_in_place(language, source, target, "zz") {
            Ok((text, _)) => assert_eq!(text, expected, "{language}: {target} in\n{source}"),
            Err(error) => panic!("{language}: {target} in\n{source}\n{error}"),
        }
    }
}

/// What is refused, with a word of the reason.
#[track_caller]
fn refused(languages: &[&str], source: &str, target: &str, to: &str, reason: &str) {
    for language in languages {
        match rename_in_place(language, source, target, to) {
            Ok((text, _)) => panic!("{language}: {target} in\n{source}\ngave\n{text}"),
            Err(error) => assert!(error.contains(reason), "{language}: {target} in\n{source}\n{error}"),
        }
    }
}

/// Checks the result, and a note.
#[track_caller]
fn noted(languages: &[&str], source: &str, target: &str, expected: &str, note: &str) {
    for language in languages {
        let (text, notes) =
            rename_in_place(language, source, target, "zz").unwrap_or_else(|error| panic!("{source}\n{error}"));
        assert_eq!(text, expected, "{language}: {target} in\n{source}");
        assert!(notes.iter().any(|other| other.contains(note)), "{language}: {target} in\n{source}\n{notes:?}");
    }
}

const SCRIPTS: &[&str] = &["javascript", "typescript", "tsx"];
const TYPES: &[&str] = &["typescript", "tsx"];
const PYTHON: &[&str] = &["python"];

#[test]
fn shorthand_keeps_the_member() {
    for (source, target, expected) in [
        ("const x = 1; const o = { x };", "variable_declarator x", "const zz = 1; const o = { x: zz };"),
        ("const { x } = o; x;", "shorthand_property_identifier_pattern x", "const { x: zz } = o; zz;"),
        ("const { x = 1 } = o; x;", "shorthand_property_identifier_pattern x", "const { x: zz = 1 } = o; zz;"),
        (
            "let x; ({ x } = o); ({ x = 2 } = o);",
            "variable_declarator x",
            "let zz; ({ x: zz } = o); ({ x: zz = 2 } = o);",
        ),
        (
            "function f() {}\nmodule.exports = { f };",
            "function_declaration f",
            "function zz() {}\nmodule.exports = { f: zz };",
        ),
        ("const f = ({ q }) => q;", "shorthand_property_identifier_pattern q", "const f = ({ q: zz }) => zz;"),
        ("const a = 1; export { a };", "variable_declarator a", "const zz = 1; export { zz as a };"),
        ("const a = 1; export { a as b };", "variable_declarator a", "const zz = 1; export { zz as b };"),
        ("import { a } from 'm'; a();", "import_specifier a", "import { a as zz } from 'm'; zz();"),
        ("import { b as a } from 'm'; a();", "import_specifier b", "import { b as zz } from 'm'; zz();"),
        ("const a = 1; export { a } from 'm'; a;", "variable_declarator a", "const zz = 1; export { a } from 'm'; zz;"),
    ] {
        check(SCRIPTS, source, target, expected);
    }
    check(
        &["javascript", "tsx"],
        "const x = 1; const e = <B x={x} />;",
        "variable_declarator x",
        "const zz = 1; const e = <B x={zz} />;",
    );
}

#[test]
fn scopes_are_those_of_the_language() {
    for (source, target, expected) in [
        (
            "function f(o) { for (var k in o) {} return k; }",
            "identifier k",
            "function f(o) { for (var zz in o) {} return zz; }",
        ),
        ("for (const k of o) { k; } k;", "identifier k", "for (const zz of o) { zz; } k;"),
        ("let k; for (k in o) {} k;", "variable_declarator k", "let zz; for (zz in o) {} zz;"),
        (
            "function f() { if (a) { var v = 1; } return v; }",
            "variable_declarator v",
            "function f() { if (a) { var zz = 1; } return zz; }",
        ),
        ("let v = 1; { let v = 2; v; } v;", "variable_declarator v = 1", "let zz = 1; { let v = 2; v; } zz;"),
        (
            "function f(a, b = a) { return { a, c: a }; }",
            "identifier a",
            "function f(zz, b = zz) { return { a: zz, c: zz }; }",
        ),
        ("const g = function h() { h(); }; h;", "function_expression", "const g = function zz() { zz(); }; h;"),
        ("try {} catch (e) { e; } e;", "identifier e", "try {} catch (zz) { zz; } e;"),
        (
            "a: for (;;) { break a; } const a = 1; a;",
            "variable_declarator a",
            "a: for (;;) { break a; } const zz = 1; zz;",
        ),
        ("class A { static s = A; } new A();", "class_declaration", "class zz { static s = zz; } new zz();"),
        (
            "f(); function f() {} o.f = f; ({ f: 1 });",
            "function_declaration f",
            "zz(); function zz() {} o.f = zz; ({ f: 1 });",
        ),
    ] {
        check(SCRIPTS, source, target, expected);
    }
}

#[test]
fn members_of_a_class_are_its_own() {
    for (source, target, expected) in [
        ("class A { f() { this.f(); } }", "method_definition f", "class A { zz() { this.zz(); } }"),
        (
            "class A { f() { const g = () => this.f(); } }",
            "method_definition f",
            "class A { zz() { const g = () => this.zz(); } }",
        ),
        (
            "class A { static f() { this.f(); A.f(); } f() { this.f(); } }",
            "method_definition static f",
            "class A { static zz() { this.zz(); A.zz(); } f() { this.f(); } }",
        ),
        (
            "class A { #f() { return this.#f(); } g(o) { return o.#f(); } }",
            "method_definition #f",
            "class A { #zz() { return this.#zz(); } g(o) { return o.#zz(); } }",
        ),
    ] {
        let to = if source.contains('#') { "#zz" } else { "zz" };
        for language in SCRIPTS {
            let found =
                rename_in_place(language, source, target, to).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert_eq!(found.0, expected, "{language}");
        }
    }
    noted(
        SCRIPTS,
        "class A { f() {} g() { function h() { this.f(); } } }\nx.f();",
        "method_definition f",
        "class A { zz() {} g() { function h() { this.f(); } } }\nx.f();",
        "line 1, 2",
    );
    check(
        PYTHON,
        "class A:\n    def f(self): self.f()\n    def g(me): me.f()\nA.f\n",
        "function_definition def f",
        "class A:\n    def zz(self): self.zz()\n    def g(me): me.zz()\nA.zz\n",
    );
}

#[test]
fn name_spaces_keep_names_apart() {
    for (source, target, expected) in [
        // One symbol, as for the compiler: other files import it by one name.
        (
            "interface foo {}\nconst foo: foo = {};\nfoo;",
            "interface_declaration",
            "interface zz {}\nconst zz: zz = {};\nzz;",
        ),
        (
            "interface foo {}\nconst foo: foo = {};\nfoo;",
            "variable_declarator foo",
            "interface zz {}\nconst zz: zz = {};\nzz;",
        ),
        (
            "interface foo {}\nconst foo = 1;\nexport { foo };",
            "interface_declaration",
            "interface zz {}\nconst zz = 1;\nexport { zz as foo };",
        ),
        (
            "interface foo {}\nfunction f(foo: foo) { return foo; }",
            "interface_declaration",
            "interface zz {}\nfunction f(foo: zz) { return foo; }",
        ),
        ("class A<T> { x: T; }\nlet T: T;", "type_parameter T", "class A<zz> { x: zz; }\nlet T: T;"),
        ("enum E { a, b = a }\nE.a; let x: E.a;", "property_identifier a", "enum E { zz, b = zz }\nE.zz; let x: E.zz;"),
        (
            "function f(x: unknown): x is string { return typeof x; }\ntype X = typeof f;",
            "function_declaration f",
            "function zz(x: unknown): x is string { return typeof x; }\ntype X = typeof zz;",
        ),
        (
            "function f(x: unknown): x is string { return !x; }",
            "required_parameter x",
            "function f(zz: unknown): zz is string { return !zz; }",
        ),
        (
            "function f(a: string): void;\nfunction f(a: any) {}\nf('');",
            "function_declaration f",
            "function zz(a: string): void;\nfunction zz(a: any) {}\nzz('');",
        ),
    ] {
        check(TYPES, source, target, expected);
    }
    refused(
        TYPES,
        "class A { constructor(private x) { x; } }",
        "required_parameter private x",
        "zz",
        "something else there",
    );
    refused(TYPES, "namespace N { export const x = 1; }\nN.x;", "variable_declarator x", "zz", "namespace");
}

#[test]
fn what_is_uncertain_is_refused() {
    for (source, target, to, reason) in [
        ("const x = 1; function f(y) { return x; }", "variable_declarator x", "y", "already means"),
        ("const x = 1; { let y; x; }", "variable_declarator x", "y", "already means"),
        ("const x = 1; y;", "variable_declarator x", "y", "already means"),
        ("function f() { try {} catch (e) { var e = 1; } e; }", "variable_declarator e", "zz", "uncertain"),
        ("function f() { if (a) { function g() {} } g(); }", "function_declaration function g", "zz", "uncertain"),
        ("class A { f() {} g() {} }", "method_definition f", "g", "already means"),
    ] {
        refused(SCRIPTS, source, target, to, reason);
    }
    refused(&["javascript"], "const x = 1; with (o) { x; }", "variable_declarator x", "zz", "uncertain");
    refused(&["javascript", "tsx"], "const X = 1; <X />;", "variable_declarator X", "zz", "already means");
    refused(SCRIPTS, "const x = 1;", "variable_declarator x", "null", "not a valid name");
    noted(SCRIPTS, "const x = 1;\neval('x');", "variable_declarator x", "const zz = 1;\neval('x');", "line 2");
    noted(SCRIPTS, "export const x = 1;", "variable_declarator x", "export const zz = 1;", "other files");
}

#[test]
fn arguments_name_parameters() {
    for (source, expected) in [
        ("def f(**x): x\nf(x=2)\n", "def f(**zz): zz\nf(x=2)\n"),
        ("def f(*x, **kw): x\nf(1, x=2)\n", "def f(*zz, **kw): zz\nf(1, x=2)\n"),
        ("def f(x, /, **kw): x\nf(1, x=2)\n", "def f(zz, /, **kw): zz\nf(1, x=2)\n"),
        ("def f(a, /, x): x\nf(1, x=2)\n", "def f(a, /, zz): zz\nf(1, zz=2)\n"),
        ("def f(*, x: int = 1): x\nf(x=2)\n", "def f(*, zz: int = 1): zz\nf(zz=2)\n"),
        ("def f(x): x\ndef g(x): x\nf(x=1)\ng(x=2)\n", "def f(zz): zz\ndef g(x): x\nf(zz=1)\ng(x=2)\n"),
        ("class A:\n    def __init__(self, x): x\nA(x=1)\n", "class A:\n    def __init__(self, zz): zz\nA(zz=1)\n"),
        ("class A:\n    def f(self, x): self.f(x=1)\n", "class A:\n    def f(self, zz): self.f(zz=1)\n"),
    ] {
        check(PYTHON, source, "identifier x", expected);
    }
    for (source, expected, note) in [
        (
            "class A:\n    def __init__(self, x): x\nclass B(A): pass\nB(x=1)\n",
            "class A:\n    def __init__(self, zz): zz\nclass B(A): pass\nB(x=1)\n",
            "line 4",
        ),
        ("class A:\n    def f(self, x): x\no.f(x=1)\n", "class A:\n    def f(self, zz): zz\no.f(x=1)\n", "line 3"),
        ("def f(x): x\ng = f\ng(x=1)\n", "def f(zz): zz\ng = f\ng(x=1)\n", "line 3"),
        ("def f(x): x\npartial(f, x=1)\n", "def f(zz): zz\npartial(f, x=1)\n", "line 2"),
        ("f = lambda x: x\nf(x=1)\n", "f = lambda zz: zz\nf(x=1)\n", "line 2"),
        ("def f(x): x\nf(**kw)\n", "def f(zz): zz\nf(**kw)\n", "line 2"),
    ] {
        noted(PYTHON, source, "identifier x", expected, note);
    }
    noted(
        PYTHON,
        "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): pass\n",
        "function_definition def f",
        "class A:\n    def zz(self): pass\nclass B(A):\n    def f(self): pass\n",
        "line 4",
    );
    noted(
        PYTHON,
        "class A(Base):\n    def f(self): pass\n",
        "function_definition def f",
        "class A(Base):\n    def zz(self): pass\n",
        "Base",
    );
    noted(
        PYTHON,
        "class A: pass\ndef f(x: 'List[A]'): pass\n",
        "class_definition",
        "class zz: pass\ndef f(x: 'List[A]'): pass\n",
        "line 2",
    );
    refused(PYTHON, "T = 1\ndef f[T](x: T): T\n", "assignment", "zz", "uncertain");
    refused(PYTHON, "def f(x, **kw): x\nf(x=1, y=2)\n", "identifier x", "y", "already means");
}

#[test]
fn a_rename_costs_no_more_than_its_uses() {
    for (language, head, line) in [
        ("python", "class A:\n    def get(self): pass\n", "    def m#(self, o): self.get(); o.get(); A.get(self)\n"),
        ("javascript", "class A {\n  get() {}\n", "  m#(o) { this.get(); o.get(); A.get(); }\n"),
    ] {
        let cost = |uses: usize| {
            let body: String = (0..uses).map(|number| line.replace('#', &number.to_string())).collect();
            let end = if language == "python" { "" } else { "}\n" };
            let language = Language::named(language).unwrap();
            let tree =
                Tree::parse(Text::new(&format!("{head}{body}{end}")), language, &ParseLimits::default()).unwrap();
            let target = if end.is_empty() {
                node(&tree, "function_definition def get")
            } else {
                node(&tree, "method_definition get")
            };
            cst::edit::reference_steps(&tree, target, "fetch").unwrap()
        };
        let (one, two) = (cost(400), cost(800));
        assert!(one > 400 && two < one * 5 / 2, "{language}: {one} steps for 400, {two} for 800");
    }
}

/// The types of all nodes but those in a span.
pub fn types_outside(tree: &Tree, span: Span) -> Vec<&'static str> {
    let outside = |&node: &Node| !span.contains(tree.span(node)) || tree.span(node).is_empty();
    tree.table().nodes().filter(outside).map(|node| tree.type_name(node)).collect()
}

/// The names that definitions of a sample can be given, and what each becomes.
#[test]
fn every_definition_of_the_samples_can_be_renamed() {
    let (mut done, mut without, mut failed) = (0, Vec::new(), Vec::new());
    for language in Language::all() {
        let tree = sample(language);
        let kinds = Kinds::new(&tree);
        let mut found = 0;
        for target in tree.table().nodes().filter(|&node| kinds.is(node, "definition")) {
            let Some(old) = tree.name(target) else { continue };
            let upper = old.chars().next().is_some_and(char::is_uppercase);
            let to = if upper { "Zzyx" } else { "zzyx" };
            let op = |to: &str| Op::Rename { target, to: to.to_owned(), references: None };
            // What a name looks like is the language's.
            let tried = [to.to_owned(), format!("#{to}"), format!("${to}"), format!("@{to}"), format!(".{to}")];
            let tried = tried.iter().find_map(|to| run(&tree, &[op(to)]).ok().map(|outcome| (to, outcome)));
            let Some((to, outcome)) = tried else {
                let error = run(&tree, &[op(to)]).unwrap_err().to_string();
                assert!(
                    !error.contains("no definition"),
                    "{}: {} `{old}`: {error}",
                    language.name(),
                    tree.type_name(target)
                );
                without.push(format!("{}: {} `{old}`: {error}", language.name(), tree.type_name(target)));
                continue;
            };
            let wrong = |what: String| format!("{}: {} `{old}`: {what}", language.name(), tree.type_name(target));
            let edits: Vec<_> = outcome.edits.iter().collect();
            let [edit] = edits[..] else {
                failed.push(wrong(format!("{edits:?}")));
                continue;
            };
            let Some(image) = outcome.node_map.image(target) else {
                failed.push(wrong("is gone".to_owned()));
                continue;
            };
            let names = outcome.tree.names(image);
            let name = outcome.tree.name(image).unwrap_or_default();
            let new = Span::new(edit.span.start(), edit.span.start() + edit.text.len());
            // Of a name in parts, the first: `initWithName:count:`.
            let is_new = |name: &str| name.split(':').next() == Some(to.as_str());
            if edit.text != *to || !is_new(&name) && !names.iter().any(|name| is_new(name)) {
                failed.push(wrong(format!("became `{name}` by {edit:?}")));
            } else if types_outside(&tree, edit.span) != types_outside(&outcome.tree, new) {
                failed.push(wrong("changed what is around it".to_owned()));
            }
            found += 1;
        }
        done += found;
    }
    println!("{done} renamed, {} refused:\n{}", without.len(), without.join("\n"));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(done >= 800, "only {done} definitions were renamed");
    assert!(without.len() * 5 <= done, "{} of {done} were refused:\n{}", without.len(), without.join("\n"));
}

#[test]
fn definitions_of_every_form_have_a_name() {
    for (language, source, target, expected) in [
        ("python", "type X = int\n", "type_alias_statement", "type zz = int\n"),
        ("python", "type X[T] = int\n", "type_alias_statement", "type zz[T] = int\n"),
        ("python", "with f() as g: pass\n", "with_item", "with f() as zz: pass\n"),
        ("objc", "@interface Foo : NSObject\n@end\n", "class_interface", "@interface zz : NSObject\n@end\n"),
        ("javascript", "class A { \"bar\"() {} }", "method_definition", "class A { \"zz\"() {} }"),
        ("typescript", "class A { 'bar'() {} }", "method_definition", "class A { 'zz'() {} }"),
    ] {
        let language = Language::named(language).unwrap();
        let tree = Tree::parse(Text::new(source), language, &ParseLimits::default()).unwrap();
        let op = Op::Rename { target: node(&tree, target), to: "zz".to_owned(), references: None };
        let outcome = run(&tree, &[op]).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!(outcome.tree.text().to_string(), expected);
    }
}

#[test]
fn names_bind_from_where_they_are_declared() {
    let go = |body: &str| format!("package p\n\n{body}\n");
    for (source, target, expected) in [
        (
            "func f(x int) {\n\tx = 1\n\t{\n\t\tx := x\n\t\t_ = x\n\t}\n}",
            "identifier x",
            "func f(zz int) {\n\tzz = 1\n\t{\n\t\tx := zz\n\t\t_ = x\n\t}\n}",
        ),
        (
            "func f() {\n\ta, e := g()\n\tb, e := h()\n\t_, _, _ = a, b, e\n}",
            "identifier e",
            "func f() {\n\ta, zz := g()\n\tb, zz := h()\n\t_, _, _ = a, b, zz\n}",
        ),
        (
            "func f(v any) {\n\tswitch v := v.(type) {\n\tcase int:\n\t\t_ = v\n\t}\n}",
            "identifier v",
            "func f(zz any) {\n\tswitch v := zz.(type) {\n\tcase int:\n\t\t_ = v\n\t}\n}",
        ),
        (
            "func f(m []int) {\n\tfor i, m := range m {\n\t\t_, _ = i, m\n\t}\n}",
            "identifier m",
            "func f(zz []int) {\n\tfor i, m := range zz {\n\t\t_, _ = i, m\n\t}\n}",
        ),
        ("type T struct{ T int }\n\nfunc (t *T) T2() T { return T{T: t.T} }", "type_identifier T", ""),
        (
            "type T struct{ a int }\n\nfunc (t *T) m() T { return *t }",
            "type_identifier T",
            "type zz struct{ a int }\n\nfunc (t *zz) m() zz { return *t }",
        ),
    ] {
        if expected.is_empty() {
            refused(&["go"], &go(source), target, "zz", "uncertain");
        } else {
            check(&["go"], &go(source), target, &go(expected));
        }
    }
    refused(&["go"], &go("type T struct{ A }\n\ntype A struct{}"), "#1 type_identifier A", "zz", "uncertain");
    refused(&["go"], &go("func f(x int) { _ = T{x: x} }"), "identifier x", "zz", "uncertain");
    refused(&["go"], &go("func main() {}"), "function_declaration", "zz", "uncertain");
    refused(&["go"], &go("func (t *T) f() {}"), "method_declaration", "zz", "uncertain");
    refused(&["go"], &go("func f(x int) { y() }"), "identifier x", "y", "already means");
}

#[test]
fn names_found_by_their_text_are_noted() {
    noted(
        PYTHON,
        "import pytest\n@pytest.fixture()\ndef x():\n    return 1\n\ndef test(x):\n    assert x\n",
        "function_definition def x",
        "import pytest\n@pytest.fixture()\ndef zz():\n    return 1\n\ndef test(x):\n    assert x\n",
        "a name in line 6 may mean `x`",
    );
    noted(
        PYTHON,
        "class A:\n    def __x(self):\n        pass\nA()._A__x()\n",
        "function_definition def __x",
        "class A:\n    def zz(self):\n        pass\nA()._A__x()\n",
        "a name in line 4 may mean `__x`",
    );
}
