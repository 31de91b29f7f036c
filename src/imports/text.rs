//! The text of import statements.

use super::block::{Member, Statement};
use super::style::ImportStyle;
use crate::language::Organize;
use crate::text::Span;

/// New text, and where in it old bytes are now.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Spans of the old text, with their new offsets.
    pub(crate) moved: Vec<(Span, usize)>,
}

impl Written {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_old(&mut self, text: &str, span: Span) {
        if text.len() == span.len() {
            self.moved.push((span, self.text.len()));
        }
        self.text.push_str(text);
    }

    fn push_written(&mut self, other: Written) {
        let start = self.text.len();
        self.moved.extend(other.moved.into_iter().map(|(span, at)| (span, start + at)));
        self.text.push_str(&other.text);
    }
}

/// How the statements of a file are written.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    pub(crate) rule: &'a Organize,
    pub(crate) style: &'a ImportStyle,
    /// What is before each line of the block.
    pub(crate) indent: &'a str,
    /// One level more.
    pub(crate) step: String,
    /// Whether brackets on one line have a blank inside.
    pub(crate) is_spaced: bool,
    pub(crate) newline: &'a str,
}

impl Layout<'_> {
    /// Adds a statement with the comments above it; the first line is indented already.
    pub(crate) fn add(&self, statement: &Statement, written: &mut Written) {
        for comment in &statement.above {
            written.push(comment);
            self.next_line(written, "");
        }
        if !self.style.is_rewriting && !statement.is_changed {
            written.push_old(&statement.text, statement.span);
            let after = statement.inline.iter().take(statement.outside);
            after.for_each(|comment| written.push(&format!("  {comment}")));
            return;
        }
        let is_star = statement.members().any(|member| member.is_glob);
        let is_plain = !statement.has_list || statement.is_single || is_star;
        let is_kept = match self.style.is_rewriting {
            true => self.style.keeps_trailing_comma && statement.layout.has_trailing_comma,
            false => statement.layout.is_wrapped && !statement.layout.is_grid && statement.layout.has_trailing_comma,
        };
        let members = &statement.list;
        let has_above = members.iter().any(|member| !member.above.is_empty()) || !statement.tail.is_empty();
        let has_after = members.len() > 1 && members.iter().any(|member| !member.after.is_empty());
        let has_alias =
            members.len() > 1 && self.style.wraps_aliases && members.iter().any(|member| member.alias.is_some());
        if is_plain || !is_kept && !has_above && !has_after && !has_alias {
            let (line, width) = self.one_line(statement);
            if is_plain || members.is_empty() || width <= self.style.line_length {
                written.push_written(line);
                return;
            }
        }
        let is_grid = !self.style.is_rewriting
            && statement.layout.is_grid
            && !has_above
            && !has_after
            && statement.inline.is_empty();
        if is_grid {
            self.grid(statement, written);
        } else {
            self.lines(statement, written);
        }
    }

    fn next_line(&self, written: &mut Written, more: &str) {
        written.push(self.newline);
        written.push(self.indent);
        written.push(more);
    }

    /// Adds what is before the list, with a blank at its end.
    fn head(&self, statement: &Statement, written: &mut Written) {
        written.push_old(&statement.prefix, statement.prefix_span);
        // Where the names are all there is, nothing is before them.
        if !statement.prefix.is_empty() {
            written.push(" ");
        }
        for (index, member) in statement.alone.iter().enumerate() {
            if index > 0 {
                written.push(", ");
            }
            push_member(member, written);
        }
        if !statement.alone.is_empty() && (!statement.list.is_empty()) {
            written.push(", ");
        }
    }

    fn foot(statement: &Statement, written: &mut Written) {
        let is_word = |letter: char| letter.is_alphanumeric() || "\"'".contains(letter);
        if statement.suffix.starts_with(is_word) {
            written.push(" ");
        }
        written.push(&statement.suffix);
    }

    /// A statement on one line, and its width.
    fn one_line(&self, statement: &Statement) -> (Written, usize) {
        let mut written = Written::default();
        self.head(statement, &mut written);
        let has_brackets = self.rule.always_brackets
            && (!statement.list.is_empty() || statement.alone.is_empty())
            && statement.has_list;
        let blank = if self.is_spaced && !statement.list.is_empty() { " " } else { "" };
        if has_brackets {
            written.push(&format!("{}{blank}", self.rule.brackets[0]));
        }
        for (index, member) in statement.list.iter().enumerate() {
            if index > 0 {
                written.push(", ");
            }
            push_member(member, &mut written);
        }
        if has_brackets {
            written.push(&format!("{blank}{}", self.rule.brackets[1]));
        }
        Layout::foot(statement, &mut written);
        let comments = statement.inline.iter().chain(statement.list.iter().flat_map(|member| &member.after));
        comments.for_each(|comment| written.push(&format!("  {comment}")));
        let width = self.indent.chars().count() + written.text.chars().count();
        (written, width)
    }

    /// A statement with a line for each name.
    fn lines(&self, statement: &Statement, written: &mut Written) {
        let step = statement.layout.indent.as_ref().filter(|_| !self.style.is_rewriting).unwrap_or(&self.step);
        let has_comma = self.style.is_rewriting || !statement.layout.is_wrapped || statement.layout.has_trailing_comma;
        self.head(statement, written);
        written.push(&self.rule.brackets[0]);
        statement.inline.iter().for_each(|comment| written.push(&format!("  {comment}")));
        for (index, member) in statement.list.iter().enumerate() {
            for comment in &member.above {
                self.next_line(written, step);
                written.push(comment);
            }
            self.next_line(written, step);
            push_member(member, written);
            if has_comma || index + 1 < statement.list.len() {
                written.push(",");
            }
            member.after.iter().for_each(|comment| written.push(&format!("  {comment}")));
        }
        for comment in &statement.tail {
            self.next_line(written, step);
            written.push(comment);
        }
        self.next_line(written, "");
        written.push(&self.rule.brackets[1]);
        Layout::foot(statement, written);
    }

    /// A statement with as many names on a line as fit, below the first.
    fn grid(&self, statement: &Statement, written: &mut Written) {
        let start = written.text.len();
        self.head(statement, written);
        written.push(&self.rule.brackets[0]);
        let column = written.text[start..].chars().count();
        let mut width = self.indent.chars().count() + column;
        for (index, member) in statement.list.iter().enumerate() {
            let length = member.text.chars().count() + 1;
            if index > 0 && width + 1 + length > self.style.line_length {
                self.next_line(written, &" ".repeat(column));
                width = self.indent.chars().count() + column;
            } else if index > 0 {
                written.push(" ");
                width += 1;
            }
            push_member(member, written);
            if index + 1 < statement.list.len() {
                written.push(",");
            }
            width += length;
        }
        written.push(&self.rule.brackets[1]);
        Layout::foot(statement, written);
    }
}

fn push_member(member: &Member, written: &mut Written) {
    written.push_old(&member.text, member.span);
}
