//! Selectors for a node that a user points at: from general ones to one that finds this node alone. Each is run before it is
//! proposed.

use super::attribute::{ATTRIBUTES, is_of_project};
use super::definitions::Definitions;
use super::kinds::Kinds;
use super::query::Query;
use super::written::Selector;
use crate::tree::{Node, Tree};

/// How many proposals with the same number of matches are kept.
const ALIKE: usize = 2;
/// The longest text that a proposal quotes, in characters.
const QUOTED: usize = 60;
/// What the kind of a node is called that is of no kind.
const NO_KIND: &str = "node";
/// How many enclosing definitions a proposal names.
const AROUND: usize = 3;

/// A selector that finds a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The selector.
    pub selector: String,
    /// How many nodes of the tree it finds.
    pub matches: usize,
}

/// Selectors that find the node: those with the most matches first. The last finds no other node, unless others of the same type
/// have its exact place.
pub fn propose(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> Vec<Proposed> {
    // A type may have the name of a kind that means something else.
    let type_name = tree.type_name(node);
    let words = [word_of(tree, kinds, node), type_name.to_owned(), format!("*[type={}]", quoted(type_name))];
    let finds = |word: &&String| verified(tree, kinds, word, node).is_some();
    let word = words.iter().find(finds).unwrap_or(&words[0]).clone();
    let mut proposed: Vec<Proposed> = Vec::new();
    let mut add = |selector: String| -> Option<usize> {
        if let Some(known) = proposed.iter().find(|known| known.selector == selector) {
            return Some(known.matches);
        }
        let matches = verified(tree, kinds, &selector, node)?;
        proposed.push(Proposed { selector, matches });
        Some(matches)
    };
    add(word.clone());
    let own = own_tests(tree, node, &word);
    own.iter().for_each(|selector| _ = add(selector.clone()));
    if let Some(parent) = tree.table().parent(node) {
        let parent = word_of(tree, kinds, tree.outermost_wrapper(parent));
        add(format!("{parent} > {word}"));
        let field = tree.field_name(node);
        if !field.is_empty() {
            add(format!("{parent} > {word}.{field}"));
        }
    }
    let around: Vec<String> = definitions_around(tree, kinds, node).collect();
    for (at, scope) in around.iter().enumerate() {
        for own in std::iter::once(&word).chain(&own) {
            for combinator in [" > ", " "] {
                let inner = around[..at].iter().rev();
                let chain: Vec<&str> = std::iter::once(scope).chain(inner).map(String::as_str).collect();
                if add(format!("{}{combinator}{own}", chain.join(" "))).is_some() {
                    break;
                }
            }
        }
    }
    if let Some(name) = tree.qualname(node) {
        add(format!("{word}[qualname={}]", quoted(&name)));
    }
    if let Some(scope) = around.first() {
        // Its number among those of the same kind in the innermost definition.
        let base = format!("{scope} {word}");
        if let Some(place) = place_among(tree, kinds, &base, node) {
            add(format!("{base}:nth({place})"));
            add(format!("{base}:nth({})", place + 1));
        }
    }
    let (start, end) = (tree.start(node), tree.end(node));
    let is_exact = proposed.iter().any(|one| one.matches == 1);
    let mut add_place = |selector: String| {
        if let Some(matches) = verified(tree, kinds, &selector, node) {
            proposed.push(Proposed { selector, matches });
            matches == 1
        } else {
            false
        }
    };
    if !is_exact && !add_place(format!("{word}[start_line={}][start_col={}]", start.line, start.col())) {
        add_place(format!(
            "{word}[start_line={}][start_col={}][end_line={}][end_col={}]",
            start.line,
            start.col(),
            end.line,
            end.col()
        ));
    }
    proposed.sort_by_key(|one| (std::cmp::Reverse(one.matches), one.selector.len()));
    let mut kept: Vec<Proposed> = Vec::new();
    for one in proposed {
        let alike = kept.iter().filter(|known| known.matches == one.matches).count();
        if alike < ALIKE + usize::from(one.matches == 1) {
            kept.push(one);
        }
    }
    kept
}

/// The attributes that a node has, in the order of the documentation; those that need a project are left out.
pub fn attributes(kinds: &Kinds<'_>, node: Node) -> Vec<(&'static str, Vec<String>)> {
    let value = |(name, attribute): &(&'static str, _)| {
        let texts = kinds.evaluator().value(node, *attribute).into_texts();
        let texts: Vec<String> = texts.into_iter().map(std::borrow::Cow::into_owned).collect();
        (!texts.is_empty()).then_some((*name, texts))
    };
    ATTRIBUTES.iter().filter(|(_, attribute)| !is_of_project(*attribute)).filter_map(value).collect()
}

/// How many nodes a selector finds, if the node is one of them.
fn verified(tree: &Tree, kinds: &Kinds<'_>, selector: &str, node: Node) -> Option<usize> {
    let found = found_by(tree, kinds, selector)?;
    found.contains(&node).then_some(found.len())
}

fn found_by(tree: &Tree, kinds: &Kinds<'_>, selector: &str) -> Option<Vec<Node>> {
    let selector = Selector::parse(selector).ok()?;
    let query = Query::new(&selector, tree.language(), &Definitions::default()).ok()?;
    Some(kinds.select(&query).ok()?.into_iter().map(|found| found.node).collect())
}

/// The place of a node among those that a selector finds, from 0.
fn place_among(tree: &Tree, kinds: &Kinds<'_>, selector: &str, node: Node) -> Option<usize> {
    found_by(tree, kinds, selector)?.iter().position(|&found| found == node)
}

/// The most specific kind of a node, its type if it has none, or a token in quotes.
fn word_of(tree: &Tree, kinds: &Kinds<'_>, node: Node) -> String {
    if !tree.table().is_named(node) {
        return format!("'{}'", tree.type_name(node).replace('\\', "\\\\").replace('\'', "\\'"));
    }
    match kinds.kind(node) {
        NO_KIND => tree.type_name(node).to_owned(),
        kind => kind.to_owned(),
    }
}

/// The word with a test of the node's own: its name, what it calls, what it imports from, its text.
fn own_tests(tree: &Tree, node: Node, word: &str) -> Vec<String> {
    let mut own = Vec::new();
    let name = tree.name(node);
    if let Some(name) = &name {
        own.push(named(word, name));
    }
    if let Some(callee) = tree.callee_text(node).filter(|callee| Some(callee.as_ref()) != name.as_deref()) {
        own.push(format!("{word}[callee={}]", quoted(&callee)));
    }
    if let Some(module) = tree.modules(node).first() {
        own.push(format!("{word}[module={}]", quoted(module)));
    }
    let text = tree.node_text(node);
    let is_short = text.chars().take(QUOTED + 1).count() <= QUOTED && !text.contains('\n');
    if is_short && Some(text.as_ref()) != name.as_deref() {
        own.push(format!("{word}[text={}]", quoted(&text)));
    }
    own
}

/// The definitions around a node by kind and name, innermost first.
fn definitions_around<'a>(tree: &'a Tree, kinds: &'a Kinds<'_>, node: Node) -> impl Iterator<Item = String> + 'a {
    let definition = |around: Node| {
        let name = tree.name(around).filter(|_| kinds.is(around, "definition"))?;
        Some(named(kinds.kind(around), &name))
    };
    tree.table().ancestors(node).filter_map(definition).take(AROUND)
}

/// `word#name`, or in brackets where the name is not a plain word.
fn named(word: &str, name: &str) -> String {
    let is_plain = name.chars().all(|char| char == '_' || char.is_ascii_alphanumeric());
    match is_plain && !name.starts_with(|char: char| char.is_ascii_digit()) {
        true => format!("{word}#{name}"),
        false => format!("{word}[name={}]", quoted(name)),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
