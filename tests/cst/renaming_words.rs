//! A rewrite that changes names alone needs no second parse. What it makes is what the parse would have made of it, for every word of
//! every grammar: `tests/words.txt` has them, as the grammars' rules spell them.

use std::path::Path;

use cst::edit::{Allow, Op, Site, Template, rename_in_place, rewrite};
use cst::language::Language;
use cst::selector::Kinds;
use cst::text::{Span, Text};
use cst::tree::{Node, ParseLimits, Tree};

use crate::edit::run;
use crate::references::types_outside;

/// Words that are names in one language and something else in another.
const COMMON: &[&str] = &[
    "None",
    "True",
    "False",
    "self",
    "Self",
    "super",
    "null",
    "nil",
    "this",
    "true",
    "false",
    "int",
    "crate",
    "iota",
    "undefined",
    "new",
    "make",
    "type",
    "match",
    "print",
    "async",
    "await",
    "yield",
    "of",
    "get",
    "set",
    "static",
    "let",
    "var",
    "val",
    "it",
    "zzyx",
    "Zzyx",
    "_",
];

fn words(language: &str) -> Vec<&'static str> {
    let line = include_str!("../words.txt").lines().find_map(|line| line.strip_prefix(language)?.strip_prefix(": "));
    line.into_iter().flat_map(str::split_whitespace).chain(COMMON.iter().copied()).collect()
}

fn sample(language: &'static Language) -> Tree {
    let extension = language.extensions().first().expect("a language has an extension");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
    let bytes = std::fs::read(folder.join(format!("sample.{extension}"))).expect("a language has a sample");
    Tree::parse(Text::decode(&bytes, None).unwrap(), language, &ParseLimits::default()).unwrap()
}

/// Up to two names of each type of names in a sample, with all their places.
fn names(tree: &Tree) -> Vec<Vec<Node>> {
    let table = tree.table();
    let kinds = Kinds::new(tree);
    let is_leaf = |node: &Node| table.is_named(*node) && table.subtree_end(*node) == node.index() + 1;
    let mut found: Vec<Vec<Node>> = Vec::new();
    for node in table.nodes().filter(is_leaf).filter(|&node| kinds.is(node, "name")) {
        let of_type = |nodes: &&Vec<Node>| table.type_id(nodes[0]) == table.type_id(node);
        let known = found.iter().filter(of_type).count();
        match found.iter_mut().find(|nodes| tree.node_text(nodes[0]) == tree.node_text(node)) {
            Some(nodes) if table.type_id(nodes[0]) == table.type_id(node) => nodes.push(node),
            Some(_) => {}
            None if known < 2 => found.push(vec![node]),
            None => {}
        }
    }
    found
}

/// The type of the outermost node that has a span.
fn type_at(tree: &Tree, span: Span) -> Option<&'static str> {
    tree.table().nodes().find(|&node| tree.span(node) == span).map(|node| tree.type_name(node))
}

#[test]
fn names_changed_without_a_parse_are_names() {
    let limits = ParseLimits::default();
    let (mut tried, mut taken, mut wrong) = (0, 0, Vec::new());
    for language in Language::all() {
        let tree = sample(language);
        for nodes in names(&tree) {
            let old = tree.node_text(nodes[0]).into_owned();
            let sites: Vec<Site> = nodes.iter().map(|&node| Site { node, captures: Vec::new() }).collect();
            for word in words(language.name()) {
                let template = Template::parse(word).unwrap();
                tried += 1;
                let Ok(Some(fast)) = rename_in_place(&tree, &sites, &template, Allow::default(), &limits) else {
                    continue;
                };
                taken += 1;
                let text = tree.text().apply(&fast.edits).to_string();
                match rewrite(&tree, &sites, &template, Allow::default(), &limits) {
                    Ok(slow) => {
                        let slow = slow.outcome.tree;
                        if text != slow.text().to_string() || slow.table().types() != tree.table().types() {
                            wrong.push(format!("{}: `{old}` -> `{word}`", language.name()));
                        }
                    }
                    Err(error) => wrong.push(format!("{}: `{old}` -> `{word}`: {error}", language.name())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried >= 3000 && taken >= 100, "{tried} tried, {taken} without a parse");
}

/// A definition isn't given a word of the grammar for a name, unless it is a name to the grammar in that place.
#[test]
fn definitions_are_not_named_by_keywords() {
    let (mut refused, mut done, mut wrong) = (0, 0, Vec::new());
    for language in Language::all() {
        let tree = sample(language);
        let kinds = Kinds::new(&tree);
        let mut types = Vec::new();
        for target in tree.table().nodes().filter(|&node| kinds.is(node, "definition")) {
            let type_id = tree.table().type_id(target);
            if types.len() == 2 || types.contains(&type_id) || tree.name(target).is_none() {
                continue;
            }
            types.push(type_id);
            let keywords = &language.data().keywords;
            for word in words(language.name()).into_iter().chain(keywords.iter().map(String::as_str)) {
                match run(&tree, &[Op::Rename { target, to: word.to_owned(), references: None }]) {
                    Ok(outcome) => {
                        let name = tree.name(target).unwrap_or_default();
                        let edits: Vec<_> = outcome.edits.iter().collect();
                        let [edit] = edits[..] else { continue };
                        // A name in parts may become one of another type.
                        let is_leaf = |node: Node| tree.table().subtree_end(node) == node.index() + 1;
                        if !tree.table().nodes().any(|node| tree.span(node) == edit.span && is_leaf(node)) {
                            continue;
                        }
                        let new = Span::new(edit.span.start(), edit.span.start() + edit.text.len());
                        let same = types_outside(&tree, edit.span) == types_outside(&outcome.tree, new)
                            && type_at(&tree, edit.span) == type_at(&outcome.tree, new);
                        let is_keyword =
                            language.data().keyword_names.is_empty() && keywords.iter().any(|keyword| keyword == word);
                        if !same || is_keyword {
                            wrong.push(format!("{}: `{name}` -> `{word}`", language.name()));
                        }
                        done += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused >= 1000 && done >= 300, "{refused} refused, {done} done");
}
