//! Rules of ast-grep as rules like others.

use super::ast_grep::{AstGrepRule, FileGlob};
use super::model::{Finder, Rule};
use crate::edit::Template;
use crate::script::Placed;
use crate::text::{Span, Text};

/// The globs of a rule, for those who show it.
fn texts(globs: &[FileGlob]) -> Vec<String> {
    globs.iter().map(|glob| glob.glob.clone()).collect()
}

impl Rule {
    /// Whether it is one of ast-grep.
    pub fn is_foreign(&self) -> bool {
        matches!(self.finder, Finder::AstGrep(_))
    }

    /// The globs of the files that a rule of ast-grep looks at, if it says so, and of those that it leaves out. They are about paths in
    /// its project, and `*` does not end at a `/` in them.
    pub fn foreign_globs(&self) -> Option<(Option<&[FileGlob]>, &[FileGlob])> {
        match &self.finder {
            Finder::AstGrep(config) => Some((config.files.as_deref(), &config.ignores)),
            Finder::Selector { .. } | Finder::TreeSitter(_) => None,
        }
    }

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
            files: texts(read.config.files.as_deref().unwrap_or_default()),
            ignore: texts(&read.config.ignores),
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
