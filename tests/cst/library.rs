//! The library's front door: what its guide doesn't show.

use cst::engine::{FindRequest, LanguagesRequest};
use cst::{Engine, Host, Op, Tree};

use super::cli::Place;

/// What is found, by qualname.
fn names(tree: &Tree, selector: &str) -> Vec<String> {
    let found = cst::select(tree, selector).unwrap_or_else(|error| panic!("{error}"));
    found.iter().filter_map(|found| tree.qualname(found.node)).collect()
}

#[test]
fn a_file_is_parsed_by_name_or_text_and_comes_back_byte_for_byte() {
    let check = |path: &str, bytes: &[u8], language: &str| {
        let tree = cst::parse_file(path, bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!((tree.language().name(), tree.path()), (language, Some(path)));
        assert_eq!(tree.text().encode().as_deref(), Ok(bytes));
    };
    check("src/a.py", b"x = 1\r\n", "python");
    check("run", b"#!/usr/bin/env python3\n", "python");
    check("a.h", b"class A { int f(); };\n", "cpp");
    check("a.rs", b"\xff\xfef\0n\0", "rust");
    let refused = |path: &str, bytes: &[u8]| cst::parse_file(path, bytes).map(|_| ()).unwrap_err().to_string();
    assert_eq!(refused("a.xyz", b"x"), "the language of `a.xyz` is not known");
    assert_eq!(refused("a.py", b"# coding: latin-1\nx = '\xe9'"), "not utf-8: byte 23 has no meaning there");
    assert_eq!(cst::parse("x", "pyton").map(|_| ()).unwrap_err().to_string(), "unknown language `pyton`");
}

#[test]
fn trees_are_values() {
    let tree = cst::parse("class A:\n    def f(self): pass\n    def g(self): pass\n", "py").expect("it parses");
    let found = cst::select(&tree, "class@c > method").expect("it is a selector");
    let deletes = [Op::Delete { target: found[0].node, extent: None }];
    let next = cst::apply(&tree, &deletes).expect("it can be deleted").tree;
    assert_eq!(
        (names(&tree, "method"), names(&next, "method")),
        (vec!["A.f".into(), "A.g".into()], vec!["A.g".into()])
    );
    // The one that was left alone is still known by its id.
    let left = next.node(tree.id(found[1].node)).expect("it is there");
    assert_eq!(next.qualname(left).as_deref(), Some("A.g"));
    assert_eq!(next.node(tree.id(found[0].node)), None);
    let bytes = cst::rewrite(&next, "method", "x = 1").expect("it can be").outcome.tree.text().encode();
    assert_eq!(bytes.as_deref(), Ok(&b"class A:\n    x = 1\n"[..]));
    assert_eq!(cst::diff("a.py", &next, &next), "");
}

#[test]
fn what_is_wrong_is_said() {
    let tree = cst::parse("f(1)\n", "python").expect("it parses");
    let error = |selector: &str, template: &str| cst::rewrite(&tree, selector, template).unwrap_err();
    assert!(matches!(error("call >", "x"), cst::Error::Selector(_)));
    assert!(matches!(error("call", "${X|snake}"), cst::Error::Template(_)));
    assert!(matches!(error("call", "f("), cst::Error::Edit(_)));
    assert_eq!(error("call", "${X|snake}").to_string(), "the target captures no `X`");
}

#[test]
fn an_engine_on_a_folder() {
    let place = Place::new();
    place.write("inner/a.py", "def f(): pass\n");
    let engine = Engine::new(Host::at(place.path("")));
    let request = FindRequest::new("function");
    let found = engine.find(&request).expect("it is found");
    assert_eq!(found.matches[0].path.as_deref(), Some("inner/a.py"));
    assert!(engine.languages(&LanguagesRequest::default()).expect("they are known").languages.len() > 20);
}
