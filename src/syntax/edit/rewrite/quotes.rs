//! Code in strings that has the quotes of its string: an f-string of Python before 3.12 ends there.
//!
//! A template such as `f"{$A}"` makes one of `d["k"]`. It is written with other quotes then, for all matches of the file, or refused.

use super::site::Rewritten;
use crate::edit::template::Template;
use crate::tree::{Node, Tree};

/// The strings that a rewrite has made of which the code has their quotes, or a backslash.
pub(super) fn broken(old: &Tree, made: &Rewritten) -> Vec<Node> {
    let new = &made.outcome.tree;
    let found = with_own_quotes(new);
    if found.is_empty() {
        return found;
    }
    // Those that were there before are as they were, or have a match in their code.
    let before = with_own_quotes(old);
    let texts: Vec<_> = before.iter().map(|&string| old.node_text(string)).collect();
    let preimage = |string: Node| made.outcome.node_map.preimage(string);
    let is_new = |string: Node| {
        !texts.contains(&new.node_text(string)) && !preimage(string).is_some_and(|node| before.contains(&node))
    };
    found.into_iter().filter(|&string| is_new(string)).collect()
}

fn with_own_quotes(tree: &Tree) -> Vec<Node> {
    let types = &tree.language().spec().code_without_quotes;
    if types.is_empty() {
        return Vec::new();
    }
    let table = tree.table();
    let is_broken = |code: &Node| {
        let Some(string) = table.parent(*code) else { return false };
        let opening = table.children(string).next().map(|opening| tree.node_text(opening)).unwrap_or_default();
        let quotes = opening.trim_start_matches(|letter: char| letter.is_alphabetic());
        let text = tree.node_text(*code);
        !quotes.is_empty() && (text.contains(quotes) || text.contains('\\') || quotes.len() == 1 && text.contains('\n'))
    };
    let codes = table.nodes().filter(|&node| types.contains(table.type_id(node))).filter(is_broken);
    let mut strings: Vec<Node> = codes.filter_map(|code| table.parent(code)).collect();
    strings.dedup();
    strings
}

/// The same template with other quotes, if it has one kind of them.
pub(super) fn others(template: &Template) -> Vec<Template> {
    let quotes: Vec<char> =
        template.code().flat_map(str::chars).filter(|letter| ['"', '\''].contains(letter)).collect();
    let Some(&own) = quotes.first().filter(|&&first| quotes.iter().all(|&other| other == first)) else {
        return Vec::new();
    };
    let other = if own == '"' { '\'' } else { '"' };
    let mut found = vec![template.with_code(|code| code.replace(own, &other.to_string()))];
    // One string alone may have three.
    if quotes.len() == 2 {
        found.extend(
            [own, other].map(|quote| template.with_code(|code| code.replace(own, &quote.to_string().repeat(3)))),
        );
    }
    found
}
