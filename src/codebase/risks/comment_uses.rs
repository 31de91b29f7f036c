//! Uses of a name in comments for tools.

use crate::modules::FileId;
use crate::symbols::Resolver;
use crate::text::Span;

impl Resolver<'_> {
    /// Where a comment of a file names a definition for a tool: `//go:linkname run pkg.run`, `@dataProvider rows`.
    pub fn uses_in_comments(&self, file: FileId, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.hidden_uses;
        let mut found = Vec::new();
        if rules.naming_comments.is_empty() || !view.rules.run_documentation.marks.is_empty() {
            return found;
        }
        for comment in view.tree.table().nodes().filter(|&node| view.tree.is_comment(node)) {
            let (text, start) = (view.tree.node_text(comment), view.tree.span(comment).start());
            let mut at = start;
            for line in text.split_inclusive('\n') {
                if rules.naming_comments.values().any(|regex| regex.get().is_match(line)) {
                    found.extend(super::made::words_in(line, name, at));
                }
                at += line.len();
            }
        }
        found
    }
}
