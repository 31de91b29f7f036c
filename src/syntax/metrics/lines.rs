//! Which lines of a file hold code, and which hold comments.

use crate::language::TypeSet;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// How many lines hold code and comments, up to each line. A line may hold both; a blank line holds neither. Documentation in a
/// string is a comment.
#[derive(Debug)]
pub struct Lines {
    /// For each line, how many before it hold code.
    code: Vec<u32>,
    /// The same for comments.
    comments: Vec<u32>,
}

impl Lines {
    /// Reads all lines of a tree.
    pub fn new(tree: &Tree) -> Lines {
        let mut comments = comments(tree).into_iter().peekable();
        let mut lines = Lines { code: vec![0], comments: vec![0] };
        let (mut has_code, mut has_comment) = (false, false);
        for (at, byte) in tree.text().chunks().flat_map(str::bytes).enumerate() {
            if byte == b'\n' {
                lines.end(has_code, has_comment);
                (has_code, has_comment) = (false, false);
                continue;
            }
            if byte.is_ascii_whitespace() {
                continue;
            }
            while comments.next_if(|comment| comment.end() <= at).is_some() {}
            match comments.peek() {
                Some(comment) if comment.start() <= at => has_comment = true,
                _ => has_code = true,
            }
        }
        lines.end(has_code, has_comment);
        lines
    }

    fn end(&mut self, has_code: bool, has_comment: bool) {
        let last = |counts: &[u32]| counts.last().copied().unwrap_or_default();
        self.code.push(last(&self.code) + u32::from(has_code));
        self.comments.push(last(&self.comments) + u32::from(has_comment));
    }

    /// How many of the lines from `first` to `last`, counted from 1, hold code.
    pub fn code(&self, first: usize, last: usize) -> usize {
        between(&self.code, first, last)
    }

    /// How many of the lines from `first` to `last`, counted from 1, hold a comment.
    pub fn comments(&self, first: usize, last: usize) -> usize {
        between(&self.comments, first, last)
    }
}

fn between(counts: &[u32], first: usize, last: usize) -> usize {
    let before = |line: usize| counts.get(line).or(counts.last()).copied().unwrap_or_default();
    (before(last) - before(first.saturating_sub(1)).min(before(last))) as usize
}

/// The spans of comments and of documentation in strings, in order.
fn comments(tree: &Tree) -> Vec<Span> {
    let types: TypeSet = tree.language().spec().types_of_kind("comment");
    let table = tree.table();
    let strings = super::counts::docstrings(tree);
    let is_comment = |&node: &Node| types.contains(table.type_id(node)) || strings.binary_search(&node).is_ok();
    table.nodes().filter(is_comment).map(|node| table.span(node)).collect()
}
