//! Signs and words around a place of a text.

use crate::edit::TextChange;
use crate::symbols::{Reach, Resolver, Site, Thing};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// Whether all modules on the way to one can be used from everywhere.
pub(crate) fn is_open_to_all(resolver: &Resolver<'_>, module: Thing) -> bool {
    let mut next = Some(module);
    while let Some(inner) = next {
        let declared = resolver.declaration_of(inner);
        if declared.is_some_and(|site| resolver.reach_of(site) != Reach::Everywhere) {
            return false;
        }
        next = resolver.outer_module(inner);
    }
    true
}

/// The change by which the whole library or program can use a definition; `None` if the words of its reach have no place.
pub(crate) fn opening(resolver: &Resolver<'_>, site: Site) -> Option<TextChange> {
    let (words, start) = resolver.words_of_reach(site)?;
    let tree = resolver.tree(site.file)?;
    let opened = tree.language().spec().symbols.import_forms.get("opened").cloned().unwrap_or_default();
    let unit = tree.table().ancestors(site.name).take_while(|&node| node != Node::ROOT).last();
    let (span, text) = match words {
        Some(span) => (span, opened),
        None => (Span::at(start), format!("{opened} ")),
    };
    Some(TextChange { span, text, extent: unit.map_or(span, |unit| tree.span(unit)) })
}

/// Whether a file has a word in its code.
pub(crate) fn has_leaf(tree: &Tree, word: &str) -> bool {
    let table = tree.table();
    let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1 && !tree.is_comment(*node);
    table.nodes().filter(is_leaf).any(|node| *tree.node_text(node) == *word)
}

/// The text of a line before an offset in it.
pub(crate) fn line_before(tree: &Tree, at: usize) -> String {
    tree.text().slice(Span::new(tree.text().line_around(at).start(), at)).into_owned()
}

/// The text of a line from an offset on.
pub(crate) fn line_after(tree: &Tree, at: usize) -> String {
    tree.text().slice(Span::new(at, tree.text().line_around(at).end().max(at))).into_owned()
}

/// Whether the name of a class is called or passed on as a function.
pub(crate) fn is_value(tree: &Tree, name: Span) -> bool {
    let after = line_after(tree, name.end()).trim_start().chars().next().unwrap_or(' ');
    let before = line_before(tree, name.start()).trim_end().chars().last().unwrap_or(' ');
    after == '(' || matches!(before, '(' | ',') && matches!(after, ')' | ',')
}

/// How often a word is in a text.
pub(crate) fn count_words(text: &str, word: &str) -> usize {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_letter(letter)).filter(|other| *other == word).count()
}

/// Whether a text reads a field by its number: `.0`.
pub(crate) fn has_number_access(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| {
        (three[0].is_ascii_alphanumeric() || matches!(three[0], b'_' | b')' | b']'))
            && !three[0].is_ascii_digit()
            && three[1] == b'.'
            && three[2].is_ascii_digit()
    })
}

/// Where the first word of a path before a name begins, and the path; `None` if there is none.
pub(crate) fn path_before(tree: &Tree, start: usize) -> Option<(Span, String)> {
    let separator = tree.language().spec().imports.separator.as_str();
    let text = tree.text().slice(Span::new(0, start)).into_owned();
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '#' | '$');
    let (mut at, mut names) = (text.len(), Vec::new());
    while let Some(rest) = text[..at].trim_end().strip_suffix(separator) {
        let rest = rest.trim_end();
        let name = rest.trim_end_matches(is_letter);
        if name.len() == rest.len() {
            // A type in brackets, or a path from the root of all libraries.
            return names.is_empty().then(|| (Span::at(start), separator.to_owned()));
        }
        names.push(rest[name.len()..].to_owned());
        at = name.len();
    }
    names.reverse();
    (!names.is_empty()).then(|| (Span::new(at, start), names.join(separator)))
}

/// The leaves of a tree without comments, in order.
pub(crate) fn leaves(tree: &Tree) -> Vec<Node> {
    let table = tree.table();
    let is_leaf = |node: &Node| table.subtree_end(*node) == node.index() + 1 && !tree.is_comment(*node);
    table.nodes().filter(is_leaf).collect()
}

/// The words at the beginning of paths that mean the module of their place or one around it (`super::super`), as ranges of leaves.
pub(crate) fn relative_words(tree: &Tree, leaves: &[Node]) -> Vec<std::ops::RangeInclusive<usize>> {
    let spec = tree.language().spec();
    let (words, separator) = (&spec.symbols.module_words, spec.imports.separator.as_str());
    let text = |at: usize| leaves.get(at).map(|&node| tree.node_text(node)).unwrap_or_default();
    let is_word = |at: usize| words.own.iter().chain(&words.parent).any(|word| **word == *text(at));
    let (mut found, mut at) = (Vec::new(), 0);
    while at < leaves.len() {
        if !is_word(at) || text(at + 1) != separator || at > 0 && text(at - 1) == separator {
            at += 1;
            continue;
        }
        let mut end = at;
        while is_word(end + 2) && text(end + 1) == separator {
            end += 2;
        }
        found.push(at..=end);
        at = end + 1;
    }
    found
}
