//! Laws of code patterns, over the samples of all languages: code finds itself, holes find what they were put for, and a
//! rewrite to the same code changes nothing.

use cst::edit::{self, Allow, Site, Template};
use cst::language::Language;
use cst::selector::{Definitions, Kinds, Query, Selector, like};
use cst::text::Text;
use cst::tree::{Node, ParseLimits, Tree};

/// Languages whose code patterns are promised.
const LANGUAGES: [&str; 16] = [
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "c",
    "cpp",
    "java",
    "csharp",
    "php",
    "ruby",
    "swift",
    "kotlin",
    "scala",
    "objc",
];

fn sample(language: &str) -> Option<Tree> {
    let language = Language::named(language).ok()?;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
    let files = std::fs::read_dir(folder).ok()?;
    let sample = files.filter_map(Result::ok).find(|file| file.file_name().to_string_lossy().starts_with("sample."))?;
    let text = Text::decode(&std::fs::read(sample.path()).ok()?, None).ok()?;
    Tree::parse(text, language, &ParseLimits::default()).ok()
}

/// Nodes worth a pattern: expressions and statements of some length, without `$`, which might be read as a hole, and
/// without comments, which are ignored. Not single names: a name is a variable, a member or a type, depending on its
/// place.
fn nodes(tree: &Tree) -> Vec<Node> {
    let kinds = Kinds::new(tree);
    let wanted = |node: &Node| {
        let text = tree.node_text(*node);
        let is_one = ["expr", "smallstmt", "if", "loop", "call", "return"].iter().any(|kind| kinds.is(*node, kind));
        let (start, end) = (node.index(), tree.table().subtree_end(*node));
        let has_comment = tree.table().range(start, end).any(|inner| tree.is_comment(inner));
        is_one
            && !has_comment
            && end > start + 1
            && (2..200).contains(&text.len())
            && !text.contains('$')
            && !tree.table().has_error(*node)
    };
    tree.table().nodes().skip(1).filter(|&node| tree.table().is_named(node)).filter(wanted).collect()
}

fn query(pattern: &str, tree: &Tree) -> Option<Query> {
    let selector = Selector::parse(&like(pattern)).expect("any text can be quoted");
    Query::new(&selector, tree.language(), &Definitions::default()).ok()
}

/// Whether some match has a node's bytes, but for what ends the statement.
fn finds(query: &Query, tree: &Tree, node: Node) -> bool {
    let end = |node: Node| tree.node_text(node).trim_end_matches([';', '\n', ' ']).len() + tree.span(node).start();
    let found = query.select(tree).expect("it does not take long");
    found.iter().any(|found| tree.span(found.node).start() == tree.span(node).start() && end(found.node) == end(node))
}

#[test]
fn code_finds_itself() {
    for language in LANGUAGES {
        let Some(tree) = sample(language) else { continue };
        let (mut read, mut unread, mut lost) = (0, Vec::new(), Vec::new());
        for node in nodes(&tree) {
            let text = tree.node_text(node).into_owned();
            match query(&text, &tree) {
                Some(query) if finds(&query, &tree, node) => read += 1,
                Some(_) => lost.push(text),
                None => unread.push(text),
            }
        }
        // Code that has a meaning only in its place, such as the arm of a match, need not be read alone.
        assert!(unread.len() * 10 <= read, "{language}: {read} read, not these: {unread:#?}");
        assert!(lost.len() * 25 <= read, "{language}: {read} read, these find something else: {lost:#?}");
    }
}

#[test]
fn a_hole_finds_what_it_was_put_for_and_gives_it_back() {
    let mut count = 0;
    for language in LANGUAGES {
        let Some(tree) = sample(language) else { continue };
        for node in nodes(&tree) {
            let span = tree.span(node);
            let Some(inner) = tree.named_children(node).last().filter(|&inner| tree.span(inner) != span) else {
                continue;
            };
            let (mut pattern, hole) = (tree.node_text(node).into_owned(), tree.span(inner));
            pattern.replace_range(hole.start() - span.start()..hole.end() - span.start(), "$HOLE");
            // What ends the template is its own.
            if pattern.contains(",\n") || pattern.ends_with(';') {
                continue;
            }
            let Some(query) = query(&pattern, &tree) else { continue };
            let found = query.select(&tree).expect("it does not take long");
            let sites: Vec<Site> =
                found.into_iter().map(|found| Site { node: found.node, captures: found.captures }).collect();
            let template = Template::parse(&pattern).expect("a pattern is a template").for_query(&query);
            let Ok(done) = edit::rewrite(&tree, &sites, &template, Allow::default(), &ParseLimits::default()) else {
                panic!("{language}: {pattern} to itself is refused")
            };
            let text = done.outcome.tree.text().to_string();
            assert_eq!(text, tree.text().to_string(), "{language}: {pattern} to itself");
            count += sites.len();
        }
    }
    assert!(count > 2_000, "only {count} matches");
}
