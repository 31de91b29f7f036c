//! Uses of a name in documentation that tools run as code: `>>> add(1, 2)`.

use crate::modules::FileId;
use crate::symbols::Resolver;
use crate::text::Span;

/// A name in code of documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentedUse {
    /// Where it is.
    pub span: Span,
    /// Whether it is a member of something: `a.size`.
    pub is_member: bool,
    /// Whether it is the name of an argument: `f(size=2)`.
    pub is_argument: bool,
    /// Whether the documentation may give the name another meaning.
    pub is_bound: bool,
}

impl Resolver<'_> {
    /// Where a comment of a file names a definition for a tool: `//go:linkname run pkg.run`, `@dataProvider rows`.
    pub fn uses_in_comments(&self, file: FileId, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.hidden_uses;
        let mut found = Vec::new();
        if rules.naming_comments.is_empty() || !rules.run_documentation.is_empty() {
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

    /// Where the documentation of a file has a name in code that tools run.
    pub fn documented_uses(&self, file: FileId, name: &str) -> Vec<DocumentedUse> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.hidden_uses.run_documentation;
        let mut found = Vec::new();
        for string in self.documentation(&view).into_iter().filter(|_| !rules.is_empty()) {
            let text = view.tree.node_text(string);
            if !text.contains(name) {
                continue;
            }
            let start = view.tree.span(string).start();
            let mut uses: Vec<DocumentedUse> = Vec::new();
            let (mut at, mut is_bound) = (0, false);
            for line in text.split_inclusive('\n') {
                let line_start = at;
                at += line.len();
                let Some(sign) = rules.values().find_map(|regex| regex.get().find(line)) else { continue };
                for span in super::made::words_in(&line[sign.end()..], name, 0) {
                    let code = &line[sign.end()..];
                    let (before, after) = (&code[..span.start()], code[span.end()..].trim_start());
                    let is_member = before.ends_with('.');
                    let is_assigned = after.strip_prefix('=').is_some_and(|rest| !rest.starts_with('='));
                    let is_argument = is_assigned && before.contains('(');
                    let head = before.trim_end();
                    let is_defined =
                        ["def", "class", "for", "as", "import", "lambda", ","].iter().any(|word| head.ends_with(word))
                            && !before.contains('(');
                    is_bound |= !is_member && !is_argument && (is_assigned || is_defined);
                    let from = start + line_start + sign.end();
                    let span = Span::new(from + span.start(), from + span.end());
                    uses.push(DocumentedUse { span, is_member, is_argument, is_bound: false });
                }
            }
            found.extend(uses.into_iter().map(|used| DocumentedUse { is_bound, ..used }));
        }
        found.sort_by_key(|used| used.span.start());
        found
    }
}
