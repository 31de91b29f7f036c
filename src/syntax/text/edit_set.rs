//! Sets of replacements: sorted, disjoint, applied at once.

use super::Span;

/// One replacement: the bytes of `span` become `text`. An empty span inserts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextEdit {
    /// The bytes replaced.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl TextEdit {
    /// The replacement of `span` by `text`.
    pub fn new(span: Span, text: impl Into<String>) -> TextEdit {
        TextEdit { span, text: text.into() }
    }
}

/// Two edits, by their indices in the given list, that change the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("edits {first} and {second} change the same bytes")]
pub struct Overlap {
    /// The earlier one in the text.
    pub first: usize,
    /// The later one in the text.
    pub second: usize,
}

/// Edits sorted by place, no two of which share a byte. Inserts at the same place keep the order in which they were
/// given.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Edits")]
pub struct EditSet {
    edits: Vec<TextEdit>,
}

/// Edits as they are serialised, in any order.
#[derive(serde::Deserialize)]
struct Edits {
    edits: Vec<TextEdit>,
}

impl TryFrom<Edits> for EditSet {
    type Error = Overlap;

    fn try_from(Edits { edits }: Edits) -> Result<EditSet, Overlap> {
        EditSet::new(edits)
    }
}

impl EditSet {
    /// Sorts the edits.
    ///
    /// # Errors
    /// If two of them overlap: they share a byte, or one inserts inside the other.
    pub fn new(edits: Vec<TextEdit>) -> Result<EditSet, Overlap> {
        let mut order: Vec<usize> = (0..edits.len()).collect();
        // The sort is stable. An insert goes before a replacement that starts at the same place.
        order.sort_by_key(|&index| (edits[index].span.start(), edits[index].span.end()));
        for pair in order.windows(2) {
            if edits[pair[1]].span.start() < edits[pair[0]].span.end() {
                return Err(Overlap { first: pair[0], second: pair[1] });
            }
        }
        let mut slots: Vec<Option<TextEdit>> = edits.into_iter().map(Some).collect();
        let edits = order.into_iter().filter_map(|index| slots[index].take()).collect();
        Ok(EditSet { edits })
    }

    /// The edits, in order of their place.
    pub fn iter(&self) -> std::slice::Iter<'_, TextEdit> {
        self.edits.iter()
    }

    /// How many edits.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether nothing is edited.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The span of each edit's text after all edits are applied, in order.
    pub fn new_spans(&self) -> Vec<Span> {
        let (mut removed, mut added) = (0, 0);
        self.edits
            .iter()
            .map(|edit| {
                let start = edit.span.start() - removed + added;
                removed += edit.span.len();
                added += edit.text.len();
                Span::new(start, start + edit.text.len())
            })
            .collect()
    }

    /// The edits that make of the old text what these and then others make of it; `middle` is the text between.
    #[must_use]
    pub fn then(&self, middle: &super::Text, next: &EditSet) -> EditSet {
        let new_spans = self.new_spans();
        let mut touched: Vec<Span> = new_spans.iter().copied().chain(next.edits.iter().map(|edit| edit.span)).collect();
        touched.sort_by_key(|span| (span.start(), span.end()));
        let mut pieces: Vec<Span> = Vec::new();
        for span in touched {
            match pieces.last_mut() {
                Some(last) if span.start() <= last.end() => *last = last.join(span),
                _ => pieces.push(span),
            }
        }
        // Neither end of a piece is inside of what these edits wrote.
        let before = |offset: usize, is_end: bool| {
            let passed =
                self.edits.iter().zip(&new_spans).take_while(|(_, new)| {
                    new.end() < offset || new.end() == offset && (is_end || new.start() < offset)
                });
            passed.last().map_or(offset, |(edit, new)| edit.span.end() + (offset - new.end()))
        };
        let edits = pieces.into_iter().map(|piece| {
            let mut text = String::new();
            let mut at = piece.start();
            for edit in next.edits.iter().filter(|edit| piece.contains(edit.span)) {
                text.push_str(&middle.slice(Span::new(at, edit.span.start())));
                text.push_str(&edit.text);
                at = edit.span.end();
            }
            text.push_str(&middle.slice(Span::new(at, piece.end())));
            TextEdit::new(Span::new(before(piece.start(), false), before(piece.end(), true)), text)
        });
        EditSet { edits: edits.collect() }
    }

    /// The edits that turn the result back into `old`.
    #[must_use]
    pub fn inverse(&self, old: &super::Text) -> EditSet {
        let edits = self
            .edits
            .iter()
            .zip(self.new_spans())
            .map(|(edit, span)| TextEdit::new(span, old.slice(edit.span).into_owned()))
            .collect();
        EditSet { edits }
    }
}
