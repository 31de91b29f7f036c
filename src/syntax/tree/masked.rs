//! Parts of a text that the grammar does not read, because the data of the language masks them, always or only in code that it takes for an error.

use super::Tree;
use super::unread::masked_in;
use crate::text::Span;

impl Tree {
    /// The parts of the text that the grammar does not read.
    pub fn masked(&self) -> Vec<Span> {
        let rules = self.language().mask_rules();
        let mut spans = self.unread.to_vec();
        if rules.is_empty() {
            return spans;
        }
        let text = self.text().to_string();
        for rule in rules {
            for captures in rule.find.get().captures_iter(&text) {
                spans.extend(
                    masked_in(&captures).filter(|part| !part.is_empty()).map(|part| Span::new(part.start, part.end)),
                );
            }
        }
        spans.sort_unstable_by_key(|span| span.start());
        spans.dedup();
        spans
    }
}
