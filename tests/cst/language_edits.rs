//! What edits make of each language's sample, as snapshots: a definition, a parameter, an argument gone, a method moved, put
//! behind another, wrapped by nothing.

use std::fmt::Write;
use std::path::Path;

use cst::edit::{Op, Position};
use cst::language::Language;
use cst::selector::{Definitions, Query, Selector};
use cst::text::{Text, unified};
use cst::tree::{Node, ParseLimits, Tree};

use crate::edit::run;
use crate::error_code::error_code;

/// What is asked of each sample; a language without such nodes has no such part.
const TARGETS: &[&str] = &[
    "import",
    "class",
    "method",
    "class > method:last",
    "function:not(method)",
    "field",
    "parameter",
    "argument",
    "decorator",
    "return",
    "if",
    "variable",
    "comment",
];

fn sample(language: &'static Language) -> Option<Tree> {
    let extension = language.extensions().first()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
    let bytes = std::fs::read(folder.join(format!("sample.{extension}"))).ok()?;
    Tree::parse(Text::decode(&bytes, None).ok()?, language, &ParseLimits::default()).ok()
}

fn nodes(tree: &Tree, selector: &str) -> Vec<Node> {
    let selector = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    let query = Query::new_for_mixed(&selector, tree.language(), &Definitions::default());
    let (query, _) = query.unwrap_or_else(|error| panic!("{error}"));
    query.select(tree).map(|found| found.iter().map(|found| found.node).collect()).unwrap_or_default()
}

/// The change as a diff, or why there is none.
fn shown(tree: &Tree, what: &str, op: Op, into: &mut String) {
    let _ = match run(tree, &[op]) {
        Ok(outcome) => {
            assert!(outcome.tree.is_sound(), "{what} on the sample of {} breaks it", tree.language().name());
            writeln!(into, "== {what}\n{}", unified("sample", tree.text(), outcome.tree.text()))
        }
        Err(error) => writeln!(into, "== {what}\nrefused: {}: {error}\n", error_code(&error)),
    };
}

#[test]
fn samples_after_edits_are_as_the_snapshots_show() {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        for language in Language::all() {
            let Some(tree) = sample(language) else { continue };
            let mut text = String::new();
            for selector in TARGETS {
                if let Some(&target) = nodes(&tree, selector).first() {
                    shown(&tree, &format!("delete {selector}"), Op::Delete { target, extent: None }, &mut text);
                }
            }
            let methods = nodes(&tree, "class > method");
            if let [first, second, ..] = methods[..] {
                let code = tree.node_text(first).into_owned();
                let copy = Op::Insert { target: second, position: Position::After, code, extent: None };
                shown(&tree, "the first method again, after the second", copy, &mut text);
            }
            if let [first, second, ..] = nodes(&tree, "function")[..]
                && first != second
            {
                let code = tree.node_text(second).into_owned();
                let copy = Op::Insert { target: first, position: Position::Before, code, extent: None };
                shown(&tree, "the second function again, before the first", copy, &mut text);
            }
            insta::assert_snapshot!(format!("{}_edits", language.name()), text);
        }
    });
}
