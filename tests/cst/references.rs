//! Renaming with references: what is found, what is refused, what is left and named in a note.

use std::path::Path;

use cst::edit::Op;
use cst::language::Language;
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

use crate::edit::run;

/// A language's sample.
fn sample(language: &'static Language) -> Tree {
    let extension = language.data().extensions.first().expect("a language has an extension");
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
        let rename = |target, references| run(&tree, &[Op::Rename { target, to: "zz".to_owned(), references }]);
        let Some(target) = tree.table().nodes().find(|&node| rename(node, false).is_ok()) else { continue };
        let error = rename(target, true).unwrap_err();
        let listed = format!("(supported: {})", supported.join(", "));
        let message = error.to_string();
        assert!(message.contains(language.name()) && message.contains(&listed), "{message}");
        refused += 1;
    }
    assert!(refused >= 20, "only {refused} languages have something to rename");
}
