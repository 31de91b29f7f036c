//! What a selector finds in a source, as text.

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, SelectorError};
use cst::text::Text;
use cst::tree::{Captured, Node, ParseLimits, Tree};

use crate::error_code::error_code;

/// A source in Python, parsed.
pub fn python(source: &str) -> Tree {
    let language = Language::named("python").expect("Python is built in");
    Tree::parse(Text::new(source), language, &ParseLimits::default()).expect("the source is small")
}

/// The nodes that a selector finds.
pub fn nodes(tree: &Tree, selector: &str) -> Result<Vec<Node>, SelectorError> {
    let query = Query::new(&Selector::parse(selector)?, tree.language(), &Definitions::default())?;
    Ok(query.select(tree)?.into_iter().map(|found| found.node).collect())
}

/// A node's line and the first line of its text.
fn shown(tree: &Tree, node: Node) -> String {
    let text = tree.node_text(node);
    format!("{} {}", tree.text().line_at(tree.span(node).start()), text.lines().next().unwrap_or("").trim())
}

/// The lines of an expectation, white space around them left out.
fn lines(expected: &str) -> Vec<String> {
    expected.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Finds exactly the nodes of `expected`: a line each, the number of the node's line and the first line of its text.
#[track_caller]
pub fn check(source: &str, selector: &str, expected: &str) {
    let tree = python(source);
    let found = nodes(&tree, selector).unwrap_or_else(|error| panic!("{selector}\n{error}"));
    let found: Vec<String> = found.into_iter().map(|node| shown(&tree, node)).collect();
    assert_eq!(found, lines(expected), "\nselector: {selector}\nsource:\n{source}");
}

/// Finds that many nodes.
#[track_caller]
pub fn check_count(source: &str, selector: &str, expected: usize) {
    let found = nodes(&python(source), selector).unwrap_or_else(|error| panic!("{selector}\n{error}"));
    assert_eq!(found.len(), expected, "\nselector: {selector}\nsource:\n{source}");
}

/// Finds nodes with these captures: a line a match, the captures as `name=text` with a space between.
#[track_caller]
pub fn check_captures(source: &str, selector: &str, expected: &str) {
    let tree = python(source);
    let selector = Selector::parse(selector).unwrap_or_else(|error| panic!("{error}"));
    let query = Query::new(&selector, tree.language(), &Definitions::default());
    let found = query.and_then(|query| query.select(&tree)).unwrap_or_else(|error| panic!("{error}"));
    let show = |name: &String, captured: Captured| {
        format!("{name}={}", captured.text(&tree).lines().next().unwrap_or("").trim())
    };
    let found: Vec<String> = found
        .iter()
        .map(|found| found.captures.iter().map(|(name, captured)| show(name, *captured)).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(found, lines(expected), "\nselector: {}", selector.source());
}

/// Is an error of that code at that text of the selector, with a hint that holds `hint`.
#[track_caller]
pub fn check_error(selector: &str, code: &str, at: &str, hint: &str) {
    let tree = python("def f(): pass\n");
    let error = match nodes(&tree, selector) {
        Ok(found) => panic!("{selector} is no error, and finds {} nodes", found.len()),
        Err(error) => error,
    };
    assert_eq!(error_code(error.code), code, "{selector}\n{error}");
    assert_eq!(&selector[error.span.start()..error.span.end()], at, "{selector}\n{error}");
    assert!(error.hint.as_deref().unwrap_or("").contains(hint), "{selector}\n{error}");
}
