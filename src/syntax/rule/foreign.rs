//! Rules of ast-grep as rules like others.

use super::ast_grep::AstGrepRule;
use super::model::{Finder, Rule};
use crate::edit::Template;
use crate::script::Placed;
use crate::text::{Span, Text};

impl Rule {
    /// The rule that one of ast-grep is; `source` is the text of its file.
    pub fn of_ast_grep(read: AstGrepRule, source: &str) -> Rule {
        let text = Text::new(source);
        let start = text.line_span(read.line.clamp(1, text.line_count())).start();
        let span = Span::new(start, start);
        let plain = Template::parse("").unwrap_or_else(|_| unreachable!("an empty template has no filter"));
        Rule {
            id: read.id,
            languages: vec![read.language],
            severity: read.severity,
            message: read.message,
            note: read.note,
            url: read.url,
            files: read.files,
            ignore: read.ignores,
            is_safe: false,
            tests: Vec::new(),
            finder: Finder::AstGrep(Box::new(read.config)),
            around: Vec::new(),
            fix: None,
            definitions: Vec::new(),
            template: Placed { value: plain, span },
            span,
        }
    }
}
