//! Code that a grammar takes for an error, and that is none: parsed once more with signs that it knows.
//!
//! A language's data says what is replaced by what, byte for byte, so that no place changes. It is tried only where there are errors,
//! and it counts only if it leaves fewer: a replacement around which no fewer are left is taken back.

use std::cell::Cell;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::same_length::with_changes;
use super::unread::masked_in;
use crate::language::Unread;

/// How often the rules of a stage are tried, each time on what the others have left.
const ROUNDS: usize = 3;

/// How many lines above an error may have what is wrong.
const ABOVE: usize = 2;

/// How far from the lines of an error a match may begin and end.
const AROUND: usize = 4096;

/// How often a text is parsed again: as often as this many bytes are, and a few times more.
const PARSED_BYTES: usize = 2_000_000;
const LEAST: usize = 4;

/// In an error that takes up more bytes, what is wrong is looked for at its tokens.
const LONG: usize = 2000;

/// Parses a text with what is known of the tree of another one of the same length.
pub(super) type Parse<'a> = dyn Fn(&str, &Tree) -> Option<Tree> + 'a;

/// A text that is parsed in place of another one.
pub(super) struct Rescued {
    pub tree: Tree,
    pub source: String,
}

/// A match of a rule.
struct Match {
    whole: Range<usize>,
    parts: Vec<Part>,
}

/// The bytes that are read at a place.
struct Part {
    at: usize,
    bytes: Vec<u8>,
}

impl Part {
    fn range(&self) -> Range<usize> {
        self.at..self.at + self.bytes.len()
    }
}

/// A tree with fewer errors of a text in which signs are replaced, and that text; `None` if none of these helps.
pub(super) fn rescue(tree: &Tree, source: &str, rules: &[Unread], parse: &Parse<'_>) -> Option<Rescued> {
    let mut best: Option<Rescued> = None;
    let mut errors = errors_of(tree);
    let parses = Cell::new(LEAST + PARSED_BYTES / source.len().max(1));
    let parse = &|source: &str, tree: &Tree| {
        parses.set(parses.get().checked_sub(1)?);
        parse(source, tree)
    };
    let last = rules.iter().map(|rule| rule.stage).max().unwrap_or(0);
    for stage in 0..=last {
        let rules: Vec<&Unread> = rules.iter().filter(|rule| rule.stage <= stage).collect();
        for _ in 0..ROUNDS {
            let (known, text) = best.as_ref().map_or((tree, source), |best| (&best.tree, &best.source));
            let Some(better) = round(known, text, &rules, &errors, parse) else { break };
            errors = errors_of(&better.tree);
            best = Some(better);
            if errors.is_empty() {
                return best;
            }
        }
    }
    best
}

/// Tries all rules at once, and then only those that help; `None` if none does.
fn round(tree: &Tree, source: &str, rules: &[&Unread], errors: &[Range<usize>], parse: &Parse<'_>) -> Option<Rescued> {
    let mut matches = matches_at(source, rules, errors);
    for attempt in 1..=ROUNDS {
        let changed = replaced(source, &matches)?;
        let next = parse(&changed, &with_changes(tree, source, &changed))?;
        let left = errors_of(&next);
        let count = matches.len();
        if !left.is_empty() {
            matches.retain(|found| {
                let lines = lines_of(source, &found.whole);
                let (before, after) = (count_in(errors, &lines), count_in(&left, &lines));
                after == 0 || after < before
            });
        }
        if matches.len() == count || attempt == ROUNDS || (matches.is_empty() && left.len() < errors.len()) {
            return (left.len() < errors.len()).then_some(Rescued { tree: next, source: changed });
        }
    }
    None
}

/// The matches of rules on lines with errors. Only the text around these is searched.
fn matches_at(source: &str, rules: &[&Unread], errors: &[Range<usize>]) -> Vec<Match> {
    let lines = lines_with(source, errors);
    let is_on = |range: &Range<usize>| {
        let next = lines.partition_point(|line| line.end <= range.start);
        lines.get(next).is_some_and(|line| line.start < range.end)
    };
    let regions = around(source, &lines);
    let mut matches = Vec::new();
    let mut claimed = Claims::default();
    for rule in rules {
        let regex = rule.find.get();
        let mut claims = Vec::new();
        for region in &regions {
            let text = &source[..region.end];
            let mut from = region.start;
            while let Some(whole) = regex.find_at(text, from).map(|found| found.range()) {
                // Where groups are is looked at only near errors: that takes longer.
                if !is_on(&lines_of(source, &whole)) {
                    from = whole.end.max(whole.start + 1);
                } else {
                    let Some(captures) = regex.captures_at(text, from) else { break };
                    let last = captures.iter().skip(1).flatten().last();
                    from = last.map_or(whole.end, |last| last.start()).max(whole.start + 1);
                    let is_on = is_on(&whole);
                    let parts = is_on.then(|| parts_of(rule, masked_in(&captures))).flatten().unwrap_or_default();
                    if !parts.is_empty() && !parts.iter().any(|part| claimed.overlaps(&part.range())) {
                        claims.push(parts[0].at..parts[parts.len() - 1].range().end);
                        matches.push(Match { whole, parts });
                    }
                }
                match (from..text.len()).find(|&at| text.is_char_boundary(at)) {
                    Some(next) => from = next,
                    None => break,
                }
            }
        }
        claimed.add(claims);
    }
    matches
}

/// Lines with those around them, in which matches may begin and end.
fn around(source: &str, lines: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    for line in lines {
        let start = lines_of(source, &(line.start.saturating_sub(AROUND)..line.start)).start;
        let end = lines_of(source, &(line.end..(line.end + AROUND).min(source.len()))).end;
        match regions.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => regions.push(start..end),
        }
    }
    regions
}

/// The parts of a text that rules have already changed, from the first change of each match to its last: later rules leave them alone.
#[derive(Default)]
struct Claims(Vec<Range<usize>>);

impl Claims {
    /// Whether one of them has bytes of a part.
    fn overlaps(&self, part: &Range<usize>) -> bool {
        let next = self.0.partition_point(|claim| claim.end <= part.start);
        self.0.get(next).is_some_and(|claim| claim.start < part.end)
    }

    /// Adds those of another rule.
    fn add(&mut self, claims: Vec<Range<usize>>) {
        self.0.extend(claims);
        self.0.sort_unstable_by_key(|claim| claim.start);
        self.0.dedup_by(|next, last| {
            let is_joined = next.start <= last.end;
            last.end = if is_joined { last.end.max(next.end) } else { last.end };
            is_joined
        });
    }
}

/// The bytes that are read in place of the parts of a match; `None` if there is no room for it.
fn parts_of(rule: &Unread, masked: impl Iterator<Item = Range<usize>>) -> Option<Vec<Part>> {
    let mut texts = rule.parts.iter();
    let mut parts = Vec::new();
    for part in masked.filter(|part| !part.is_empty()) {
        let text = texts.next().map_or("", String::as_str);
        let mut bytes = vec![rule.fill; part.len()];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        parts.push(Part { at: part.start, bytes });
    }
    Some(parts)
}

/// A text with what is read in place of matches; `None` if that is the text.
fn replaced(source: &str, matches: &[Match]) -> Option<String> {
    let mut bytes = source.as_bytes().to_vec();
    for part in matches.iter().flat_map(|found| &found.parts) {
        bytes[part.range()].copy_from_slice(&part.bytes);
    }
    // Groups end at character boundaries, and what is read in place of others is ASCII.
    String::from_utf8(bytes).ok().filter(|changed| changed != source)
}

/// The lines of a part of a text.
fn lines_of(source: &str, part: &Range<usize>) -> Range<usize> {
    let text = source.as_bytes();
    let start = memchr::memrchr(b'\n', &text[..part.start.min(text.len())]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text[part.end.min(text.len())..]).map_or(text.len(), |end| part.end + end + 1);
    start..end
}

/// The lines with errors, in order and without any twice. What is missing may be so because of the line
/// after it.
fn lines_with(source: &str, errors: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for error in errors {
        let mut line = lines_of(source, error);
        if error.is_empty() {
            line.end = lines_of(source, &(line.end..line.end)).end;
        }
        for _ in 0..ABOVE {
            line.start = lines_of(source, &(line.start.saturating_sub(1)..line.start)).start;
        }
        match lines.last_mut() {
            Some(last) if line.start <= last.end => last.end = last.end.max(line.end),
            _ => lines.push(line),
        }
    }
    lines
}

/// How many errors begin in a part of a text.
fn count_in(errors: &[Range<usize>], part: &Range<usize>) -> usize {
    let before = |at: usize| errors.partition_point(|error| error.start < at);
    before(part.end) - before(part.start)
}

/// The bytes of what a tree has no place for: short errors, and the tokens in each; and where it misses some. In order; where no node shows an
/// error, the whole text.
fn errors_of(tree: &Tree) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    if !tree.root_node().has_error() {
        return found;
    }
    // Whether each node that the cursor is in is an error.
    let mut inside = vec![false];
    loop {
        let node = cursor.node();
        let is_in_error = inside.last() == Some(&true);
        found.extend(error_at(&node, is_in_error));
        if (node.has_error() || node.is_error()) && cursor.goto_first_child() {
            inside.push(node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            inside.pop();
            if !cursor.goto_parent() {
                return if found.is_empty() { vec![tree.root_node().byte_range()] } else { found };
            }
        }
    }
}

/// The bytes of a node, if it is an error or missing, or a token in an error. Those of a long error are only its beginning.
fn error_at(node: &Node<'_>, is_in_error: bool) -> Option<Range<usize>> {
    let range = node.byte_range();
    let is_token = is_in_error && node.child_count() == 0 && !node.is_extra();
    match node.is_error() {
        true if range.len() > LONG => Some(range.start..range.start + 1),
        true => Some(range),
        false => (is_token || node.is_missing()).then_some(range),
    }
}
