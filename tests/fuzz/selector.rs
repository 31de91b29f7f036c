//! Any text as a selector: it is refused with an error whose place lies in it, or it is evaluated; nothing panics.
//!
//! The fuzzer calls this with what it makes up, the test suite with the corpus that the fuzzer left behind.

use std::sync::LazyLock;

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, SelectorError};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

static TREE: LazyLock<Tree> = LazyLock::new(|| {
    let python = Language::named("python").expect("python is built in");
    let source = include_str!("../../selectors/python/sample.py");
    let lines: Vec<&str> = source.lines().take(80).collect();
    Tree::parse(Text::new(&lines.join("\n")), python, &ParseLimits::default()).expect("the sample parses")
});

/// Reads and evaluates a selector.
pub fn check(source: &str) {
    let check = |error: SelectorError| {
        assert!(error.span.end() <= error.selector.len().max(source.len()));
        assert!(!error.to_string().is_empty());
    };
    let selector = match Selector::parse(source) {
        Ok(selector) => selector,
        Err(error) => return check(error),
    };
    match Query::new(&selector, TREE.language(), &Definitions::default()) {
        Ok(query) => match query.select(&TREE) {
            Ok(found) => assert!(found.is_sorted_by_key(|found| found.node)),
            Err(error) => check(error),
        },
        Err(error) => check(error),
    }
}
