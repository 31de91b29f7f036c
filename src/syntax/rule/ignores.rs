//! Comments that silence findings.
//!
//! `cst-ignore` silences all rules, `cst-ignore: pack/rule, other -- the reason` those rules: on the line of the comment if it has
//! code, otherwise in the statement below it. `cst-ignore-file` does so in the whole file. `ast-grep-ignore` silences the line below,
//! or its own, as it does for that tool.

use std::cell::Cell;

use crate::text::Span;
use crate::tree::{Node, Tree};

/// The words that begin such a comment.
const OWN: &str = "cst-ignore";
const OF_FILE: &str = "cst-ignore-file";
const FOREIGN: &str = "ast-grep-ignore";

/// A comment that silences findings.
#[derive(Debug)]
pub struct Ignore {
    /// The comment.
    pub comment: Node,
    /// The rules that it silences; all if empty.
    pub rules: Vec<String>,
    /// Why, if it says so.
    pub reason: Option<String>,
    /// The part that it is about; the whole file if `None`.
    covered: Option<Covered>,
    is_used: Cell<bool>,
}

/// The part of a file that a comment is about.
#[derive(Debug, Clone, Copy)]
enum Covered {
    /// Findings that start on this line.
    Line(usize),
    /// Findings in this part.
    Span(Span),
}

impl Ignore {
    /// Whether it has silenced a finding.
    pub fn is_used(&self) -> bool {
        self.is_used.get()
    }
}

/// The comments of a tree that silence findings.
#[derive(Debug, Default)]
pub struct Ignores {
    all: Vec<Ignore>,
}

impl Ignores {
    /// The words of which a text has one if it has such a comment.
    pub const WORDS: [&str; 2] = [OWN, FOREIGN];

    /// Reads them from a tree.
    pub fn of(tree: &Tree) -> Ignores {
        let table = tree.table();
        let mut found = Ignores::default();
        if !has_sign(tree) {
            return found;
        }
        for node in table.nodes() {
            if table.is_named(node) && tree.is_comment(node) {
                found.all.extend(read(tree, node));
            }
        }
        found
    }

    /// The comment that silences a rule at a node, if there is one.
    pub fn silencing(&self, rule: &str, tree: &Tree, node: Node) -> Option<&Ignore> {
        let (start, span) = (tree.start(node).line, tree.span(node));
        let own_name = rule.rsplit('/').next().unwrap_or(rule);
        let is_named = |named: &String| named == rule || named == own_name;
        let silences = |ignore: &&Ignore| {
            let covers = match ignore.covered {
                None => true,
                Some(Covered::Line(line)) => line == start,
                Some(Covered::Span(covered)) => {
                    covered.start() <= span.start() && span.start() < covered.end().max(covered.start() + 1)
                }
            };
            covers && (ignore.rules.is_empty() || ignore.rules.iter().any(is_named))
        };
        let mut silencing = self.all.iter().filter(silences);
        let first = silencing.next()?;
        first.is_used.set(true);
        Some(first)
    }

    /// Those that silence nothing, once all rules were asked.
    pub fn unused(&self) -> impl Iterator<Item = &Ignore> {
        self.all.iter().filter(|ignore| !ignore.is_used())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Whether the text has one of the words at all.
fn has_sign(tree: &Tree) -> bool {
    match tree.text().as_str() {
        Some(text) => {
            Ignores::WORDS.iter().any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
        }
        None => {
            let text = tree.text().to_string();
            Ignores::WORDS.iter().any(|word| text.contains(word))
        }
    }
}

fn read(tree: &Tree, comment: Node) -> Option<Ignore> {
    let text = tree.node_text(comment);
    // The signs of comments are no letters, so the word is the first of the comment.
    let words = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    if let Some(rest) = words.strip_prefix(FOREIGN) {
        let (rules, covered) = (named_as_foreign(rest), covered_as_foreign(tree, comment));
        return Some(Ignore { comment, rules, reason: None, covered, is_used: Cell::new(false) });
    }
    let (rest, is_of_file) = match words.strip_prefix(OF_FILE) {
        Some(rest) => (rest, true),
        None => (words.strip_prefix(OWN)?, false),
    };
    let rest = rest.lines().next().unwrap_or_default();
    if rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_') {
        return None;
    }
    let (named, reason) = match rest.split_once(" -- ") {
        Some((named, reason)) => (named, Some(without_end(reason))),
        None => (rest, None),
    };
    let rules = match named.trim_start().strip_prefix(':') {
        Some(list) => without_end(list)
            .split([',', ' '])
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        None => Vec::new(),
    };
    let covered = (!is_of_file).then(|| covered_by(tree, comment));
    let reason = reason.map(str::to_owned).filter(|reason| !reason.is_empty());
    Some(Ignore { comment, rules, reason, covered, is_used: Cell::new(false) })
}

/// A part of a comment without the sign that ends it.
fn without_end(text: &str) -> &str {
    const ENDS: [&str; 6] = ["*/", "-->", "=#", "-}", "*)", "|#"];
    let text = text.trim();
    ENDS.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text).trim_end()
}

/// The line of the comment if it has code before the comment; otherwise the statement that follows it.
fn covered_by(tree: &Tree, comment: Node) -> Covered {
    let line = tree.start(comment).line;
    if !tree.starts_its_line(comment) {
        return Covered::Line(line);
    }
    match statement_below(tree, comment) {
        Some(statement) => Covered::Span(tree.span(statement)),
        None => Covered::Line(line),
    }
}

/// The part that a comment of ast-grep is about: the line on which the code before it begins, if that ends on the line of the comment;
/// otherwise the next line. The whole file, if the comment is in the first line and the second is empty.
fn covered_as_foreign(tree: &Tree, comment: Node) -> Option<Covered> {
    let table = tree.table();
    let line = tree.start(comment).line;
    if let Some(before) = table.previous_sibling(comment).filter(|&before| tree.end(before).line == line) {
        return Some(Covered::Line(tree.start(before).line));
    }
    let is_apart = table.next_sibling(comment).is_none_or(|next| tree.start(next).line > 2);
    (line > 1 || !is_apart).then_some(Covered::Line(line + 1))
}

/// The rules that a comment of ast-grep names after its first word; none if it is about all.
fn named_as_foreign(rest: &str) -> Vec<String> {
    let Some((_, list)) = rest.trim().split_once(':') else { return Vec::new() };
    let name = |name: &str| name.trim_start().split(' ').next().unwrap_or_default().to_owned();
    list.split(',').map(name).collect()
}

/// The largest node that begins with the code below a comment, and lies in the same block.
fn statement_below(tree: &Tree, comment: Node) -> Option<Node> {
    let table = tree.table();
    let end = table.span(comment).end();
    let after = table.range(table.subtree_end(comment), table.len());
    let first = after.into_iter().find(|&node| {
        table.is_named(node)
            && !table.span(node).is_empty()
            && table.span(node).start() >= end
            && !tree.is_comment(node)
    })?;
    let start = table.span(first).start();
    let is_block = |node: Node| {
        let role = tree.language().role(table.type_id(node));
        node == Node::ROOT || (role.body && !role.list && !role.outer_body)
    };
    // The first node in the order of the table that begins there is the largest one.
    let around = std::iter::successors(Some(first), |&node| table.parent(node));
    let same_start = around.take_while(|&node| table.span(node).start() == start);
    let chain: Vec<Node> = same_start.collect();
    // Of blocks the first statement is meant.
    let block = chain.iter().rposition(|&node| is_block(node));
    match block {
        Some(at) if at > 0 => chain.get(at - 1).copied(),
        Some(_) => table.descendants(chain[0]).find(|&node| {
            table.is_named(node) && !tree.is_comment(node) && !is_block(node) && table.span(node).start() == start
        }),
        None => chain.last().copied(),
    }
}
