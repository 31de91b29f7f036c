//! Signatures: everything of a definition up to its body, on one line.

use super::error::OutlineError;
use super::rows::{Row, Rows};
use crate::text::Span;
use crate::tree::{Node, NodeSet, Tree};

/// The longest value that is shown next to its name, in characters.
const LONGEST_VALUE: usize = 60;

/// The longest signature, in characters: a definition with a syntax error may have no proper end.
const LONGEST: usize = 1000;

/// The signature of a definition: its significant decorators, and everything up to its body, with whitespace folded and
/// comments omitted.
///
/// # Errors
/// If the language's `outline.toml` is invalid.
pub fn signature(tree: &Tree, node: Node) -> Result<String, OutlineError> {
    let rows = Rows::of(tree.language())?;
    Ok(write(tree, node, rows, &rows.decorators(tree)?, None))
}

/// The signature as a row of an outline shows it.
pub(super) fn row_signature(tree: &Tree, node: Node, row: &Row, rows: &Rows, decorators: &NodeSet) -> String {
    let value = row.value.as_ref().and_then(|path| tree.reached(node, path).into_iter().next());
    let signature = write(tree, node, rows, decorators, value.filter(|&value| !is_short(tree, value)));
    let has_word = row.before.is_empty() || signature.split_whitespace().any(|word| word == row.before);
    if has_word { signature } else { format!("{} {signature}", row.before) }
}

/// Writes everything from the node's decorators to its body, or to a value that is too long to show.
fn write(tree: &Tree, node: Node, rows: &Rows, decorators: &NodeSet, long_value: Option<Node>) -> String {
    let mut signature = whole(tree, node, rows, decorators, long_value);
    if let Some((end, _)) = signature.char_indices().nth(LONGEST) {
        signature.truncate(end);
        signature.push('…');
    }
    signature
}

/// The signature, of any length.
fn whole(tree: &Tree, node: Node, rows: &Rows, decorators: &NodeSet, long_value: Option<Node>) -> String {
    let table = tree.table();
    let unit = tree.outermost_wrapper(node);
    let first = tree.attachments().leading(table, unit).next().unwrap_or(unit);
    let folded = |place: Node| rows.is_folded(table.type_id(place));
    // A signature ends at a body that only `;` follows; a body in the middle is folded.
    let body = tree.body(node).filter(|&body| body != node).filter(|&body| !folded(body) || is_last(tree, unit, body));
    let stop = long_value.or(body).or_else(|| tree.inside_from(node));
    let end_tokens: Vec<Node> = match (stop, long_value) {
        (Some(stop), None) => tokens_before(tree, stop, rows),
        _ => Vec::new(),
    };
    let mut line = Line { tree, text: String::new(), at: tree.span(first).start(), gap: Gap::None, last: None };
    let mut skip_to = first.index();
    // A body that begins with a word, as Go's `interface {`, is written up to its opening bracket.
    let opening = stop.filter(|&stop| Some(stop) == body).and_then(|stop| opening_in(tree, stop));
    let stop = opening.or(stop);
    for place in table.range(first.index(), table.subtree_end(unit)) {
        if Some(place) == stop {
            break;
        }
        if place.index() < skip_to {
            continue;
        }
        let type_id = table.type_id(place);
        let role = tree.language().role(type_id);
        let is_end = end_tokens.contains(&place) && rows.is_end(type_id);
        let is_other = role.decorator && !decorators.contains(place);
        // Attributes without any of the shown decorators are omitted.
        let is_idle = role.leading && !decorators.iter_range(place.index(), table.subtree_end(place)).any(|_| true);
        if is_end || role.comment || is_other || is_idle || rows.is_left_out(type_id) {
            line.skip(tree.span(place));
        } else if folded(place) && !is_short(tree, place) {
            line.fold(place);
        } else if role.string || table.subtree_end(place) == place.index() + 1 {
            line.push(place);
        } else {
            continue;
        }
        skip_to = table.subtree_end(place);
    }
    let end = stop.map_or(tree.span(unit).end(), |stop| tree.span(stop).start());
    line.reach(end);
    if long_value.is_some() {
        line.text.push_str(" …");
        return line.text;
    }
    let mut text = line.text;
    while let Some((head, last)) = text.rsplit_once(' ').or_else(|| text.split_at_checked(text.len().saturating_sub(1)))
    {
        let sign = last.chars().next_back().map(String::from).unwrap_or_default();
        if rows.is_tail(last) {
            text = head.trim_end().to_owned();
        } else if rows.is_tail(&sign) && !sign.chars().all(char::is_alphanumeric) {
            text.truncate(text.len() - sign.len());
            text.truncate(text.trim_end().len());
        } else {
            break;
        }
    }
    text
}

/// Whether only tokens and comments follow a node in a unit.
fn is_last(tree: &Tree, unit: Node, body: Node) -> bool {
    let rest = tree.table().range(tree.table().subtree_end(body), tree.table().subtree_end(unit));
    rest.into_iter().all(|node| !tree.table().is_named(node) || tree.is_comment(node))
}

/// The opening bracket of a body that begins with something else.
fn opening_in(tree: &Tree, body: Node) -> Option<Node> {
    let mut children = tree.table().children(body);
    let first = children.next()?;
    let opens = |node: Node| Some(tree.table().type_id(node)) == tree.language().spec().punctuation.brace;
    if opens(first) { None } else { children.find(|&child| opens(child)) }
}

/// Whether a value is on one line and short enough to show.
fn is_short(tree: &Tree, value: Node) -> bool {
    let text = tree.node_text(value);
    text.chars().nth(LONGEST_VALUE).is_none() && !text.contains(['\n', '\r'])
}

/// The tokens right before a node, and nodes that an outline treats as such; comments are skipped.
fn tokens_before(tree: &Tree, node: Node, rows: &Rows) -> Vec<Node> {
    let table = tree.table();
    let is_token = |before: Node| !table.is_named(before) || rows.is_end(table.type_id(before));
    std::iter::successors(table.previous_sibling(node), |&before| table.previous_sibling(before))
        .take_while(|&before| tree.is_comment(before) || is_token(before))
        .filter(|&before| is_token(before))
        .collect()
}

/// What is between two words of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    /// Whitespace with a line end.
    Break,
}

/// The words of a source, joined on one line.
struct Line<'a> {
    tree: &'a Tree,
    text: String,
    /// The source up to here is written or skipped.
    at: usize,
    gap: Gap,
    last: Option<Node>,
}

impl Line<'_> {
    /// Skips bytes.
    fn skip(&mut self, span: Span) {
        self.reach(span.start());
        self.gap = self.gap.max(Gap::Space);
        self.at = self.at.max(span.end());
    }

    /// Writes a word.
    fn push(&mut self, word: Node) {
        let span = self.tree.span(word);
        self.reach(span.start());
        let text = self.tree.node_text(word);
        // Whitespace in a string on one line is part of its value.
        let text = if text.contains(['\n', '\r']) { fold(&text) } else { text.into_owned() };
        if text.is_empty() {
            return;
        }
        let closes = matches!(text.as_str(), ")" | "]" | "}") || text == ">" && self.is_bracket(word);
        let opened = self.text.ends_with(['(', '[', '{'])
            || self.text.ends_with('<') && self.last.is_some_and(|last| self.is_bracket(last));
        if self.gap == Gap::Break && closes && self.last.is_some_and(|last| self.is_idle_separator(last)) {
            self.text.pop();
        }
        if self.gap != Gap::None && !(self.gap == Gap::Break && (opened || closes)) && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&text);
        (self.at, self.gap, self.last) = (span.end(), Gap::None, Some(word));
    }

    /// Writes a pair of brackets for a node with its content.
    fn fold(&mut self, node: Node) {
        let span = self.tree.span(node);
        self.reach(span.start());
        let text = self.tree.node_text(node);
        let ends = text.chars().next().zip(text.chars().next_back());
        let (open, close) = ends.filter(|(open, _)| "{[(".contains(*open)).unwrap_or(('{', '}'));
        if self.gap != Gap::None && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.extend([open, '…', close]);
        (self.at, self.gap, self.last) = (span.end(), Gap::None, Some(node));
    }

    /// Handles the source up to `offset`: whitespace, or text that no node of the tree contains.
    fn reach(&mut self, offset: usize) {
        if offset <= self.at {
            return;
        }
        let between = self.tree.text().slice(Span::new(self.at, offset));
        let words = fold(&between);
        if words.is_empty() {
            let gap = if between.contains(['\n', '\r']) { Gap::Break } else { Gap::Space };
            self.gap = self.gap.max(gap);
        } else {
            let apart = self.gap != Gap::None || between.starts_with(char::is_whitespace);
            self.text.push_str(if apart && !self.text.is_empty() { " " } else { "" });
            self.text.push_str(&words);
            self.gap = if between.ends_with(char::is_whitespace) { Gap::Space } else { Gap::None };
            self.last = None;
        }
        self.at = offset;
    }

    /// Whether a word is the first or last of a list, around its elements.
    fn is_bracket(&self, word: Node) -> bool {
        let table = self.tree.table();
        let Some(list) = table.parent(word).filter(|&list| self.tree.language().role(table.type_id(list)).list) else {
            return false;
        };
        word.index() == list.index() + 1 || table.subtree_end(word) == table.subtree_end(list)
    }

    /// Whether a word is an optional separator after the last element of a list.
    fn is_idle_separator(&self, word: Node) -> bool {
        let Some(list) = self.tree.table().parent(word) else { return false };
        let rule = self.tree.language().spec().lists.of(self.tree.table().type_id(list));
        rule.is_some_and(|rule| {
            rule.trailing && !rule.single && rule.separator.len() == 1 && *self.tree.node_text(word) == *rule.separator
        })
    }
}

/// Folds each run of whitespace to one space, and trims; a backslash that joins two lines is whitespace.
fn fold(text: &str) -> String {
    let joined = text.replace("\\\n", "\n").replace("\\\r\n", "\n");
    joined.split_whitespace().collect::<Vec<_>>().join(" ")
}
