//! Drafts: new text during planning, and replacements of old text.

use crate::text::Span;
use crate::tree::Node;

/// New text, with the places of moved text and of the code of operations.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) text: String,
    /// Stretches of the old text, each with its start in the draft.
    pub(super) moved: Vec<(Span, usize)>,
    pub(super) marks: Vec<Mark>,
}

/// The place of an operation's code in a draft.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) operation: usize,
    pub(super) span: Span,
    pub(super) claim: Option<(Node, Span)>,
}

impl Draft {
    pub(super) fn new(text: &str) -> Draft {
        Draft { text: text.to_owned(), ..Draft::default() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends text that is at `from` in the old tree. Stretches that touch in both texts are joined.
    pub(super) fn push_moved(&mut self, text: &str, from: usize) {
        let at = self.text.len();
        self.text.push_str(text);
        if let Some((span, start)) = self.moved.last_mut()
            && span.end() == from
            && *start + span.len() == at
        {
            *span = Span::new(span.start(), from + text.len());
        } else {
            self.moved.push((Span::new(from, from + text.len()), at));
        }
    }

    pub(super) fn append(&mut self, other: Draft) {
        let at = self.text.len();
        self.text.push_str(&other.text);
        self.moved.extend(other.moved.into_iter().map(|(span, start)| (span, start + at)));
        self.marks.extend(
            other
                .marks
                .into_iter()
                .map(|mark| Mark { span: Span::new(mark.span.start() + at, mark.span.end() + at), ..mark }),
        );
    }

    /// Marks the whole draft as an operation's code.
    pub(super) fn marked(mut self, operation: usize) -> Draft {
        self.marks.push(Mark { operation, span: Span::new(0, self.text.len()), claim: None });
        self
    }

    /// Marks the whole draft as the replacement of `node`; `extent` is the replaced text.
    pub(super) fn claimed(mut self, operation: usize, node: Node, extent: Span) -> Draft {
        self.marks.push(Mark { operation, span: Span::new(0, self.text.len()), claim: Some((node, extent)) });
        self
    }
}

/// A replacement in the old text. An empty span inserts.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) span: Span,
    pub(super) draft: Draft,
    pub(super) operation: usize,
    pub(super) rank: Rank,
}

/// The order of inserts at one place: closing tokens around the node before it, other code, opening tokens around the
/// node after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Closing,
    Between,
    Opening,
}
