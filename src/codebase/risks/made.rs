//! Names that code makes of text, by what is known of the text.

use rustc_hash::FxHashSet;

use super::shown::is_callee;
use crate::modules::FileId;
use crate::symbols::{Site, View};
use crate::text::Span;
use crate::tree::Node;

/// A symbol whose name code may make.
#[derive(Debug, Clone, Copy)]
pub struct NamedSymbol<'a> {
    /// The symbol.
    pub site: Site,
    /// Its name.
    pub name: &'a str,
    /// The classes that have it as a member, and those above and below them.
    pub classes: &'a FxHashSet<Site>,
    /// The modules that have it at their top.
    pub modules: &'a [FileId],
    /// Whether it is a member of a class.
    pub is_member: bool,
    /// Where it is bound, if only code of that function can use it.
    pub local: Option<Site>,
}

/// A place where code may make a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MadeName {
    /// Where it is.
    pub span: Span,
    /// How the name is made.
    pub how: Making,
}

/// How code makes a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Making {
    /// A member is accessed by a name that is computed from parts, or that is not known.
    Computed,
    /// A table of names is read with this one.
    Table,
    /// A format puts in what has the name.
    Format,
    /// A string that is run as code.
    Code,
    /// A text binds a variable of the name.
    Bound,
    /// A text that code may call, or make objects of.
    Callable,
    /// The names of all members of what has it are gone through.
    Listing,
    /// A member that knows its name is asked for it: `C.RED.name`.
    Told,
    /// A class is made by a call, with members whose names are strings.
    Class,
    /// Any member of an object that is not known is accessed: a string elsewhere may be its name.
    Open,
    /// The same by a name that code makes of others: strings elsewhere may be its parts.
    Pieces,
    /// The same by a name that code puts in another case: strings elsewhere may be the name in small letters or capitals.
    Recased,
    /// The name of a member may be made of that of a class: `"visit_" + type(x).__name__`.
    Part,
    /// Objects are written or read as data, by the names of their members.
    Shown,
    /// An object is asked for the name of its class.
    Asked,
}

/// Whether an object may have a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Having {
    /// It is, or may be, one that has it.
    Yes,
    /// Nothing is known of it.
    Perhaps,
    /// It is something else.
    No,
}

/// The known parts of a name that code computes.
pub(super) struct Key {
    /// How it begins, and how it ends.
    pub(super) start: String,
    pub(super) end: String,
    /// Whether it is a string as a whole.
    pub(super) is_whole: bool,
    /// Whether it can be a name at all.
    is_name: bool,
}

impl Key {
    /// The fixed parts of an expression: the string that it begins with, and the one that it ends with.
    pub(super) fn of(view: &View<'_>, node: Node) -> Key {
        let table = view.tree.table();
        let span = table.span(node);
        let strings = strings_in(view, node);
        let plain = |node: Node| view.tree.node_text(node).into_owned();
        let rules = &view.rules.hidden_uses;
        let is_element =
            [&rules.table_accesses, &rules.dynamic_accesses].iter().any(|types| types.contains(table.type_id(node)));
        let text = plain(node);
        let is_list = text.starts_with('[') && text.ends_with(']');
        let is_name = is_element || !is_list && !matches!(text.chars().next(), Some('0'..='9' | '-'));
        if is_element {
            return Key { start: String::new(), end: String::new(), is_whole: false, is_name };
        }
        let (mut start, mut end) = (String::new(), String::new());
        let callee = view.tree.callee_text(node).filter(|callee| is_callee(&rules.text_formats, callee));
        if let Some(&first) = callee.and(strings.first()) {
            // `format("do_%s", name)`
            let text = plain(first);
            let content = content(&text);
            content[..content.find(['{', '%', '$', '#']).unwrap_or(content.len())].clone_into(&mut start);
            return Key { start, end, is_whole: false, is_name };
        }
        if let Some(&first) = strings.first().filter(|&&first| table.span(first).start() == span.start()) {
            let text = plain(first);
            let content = content(&text);
            let stop = content.find(['{', '%', '$', '#']).unwrap_or(content.len());
            // The text of `"_".join(parts)` does not begin with the string.
            let is_joined = |callee: &str| is_callee(&rules.text_joins, callee);
            if table.span(first) == span
                || stop < content.len()
                || view.tree.callee_text(node).is_none_or(|callee| is_joined(&callee))
            {
                content[..stop].clone_into(&mut start);
            }
            if strings.len() == 1 && table.span(first) == span && stop == content.len() {
                return Key { end: String::new(), start, is_whole: true, is_name };
            }
        }
        if let Some(&last) = strings.last().filter(|&&last| table.span(last).end() == span.end()) {
            let text = plain(last);
            let content = content(&text);
            let from = match content.rfind(['}', '%']) {
                // `%s`
                Some(at) if content[at..].starts_with('%') => content.len().min(at + 2),
                Some(at) => at + 1,
                None if strings.len() == 1 && !start.is_empty() => content.len(),
                None => 0,
            };
            content[from..].clone_into(&mut end);
        }
        Key { start, end, is_whole: false, is_name }
    }

    pub(super) fn is_open(&self) -> bool {
        self.start.is_empty() && self.end.is_empty()
    }

    /// The same for the last name of a path: `LEVEL_` of `"self::LEVEL_" . $level`.
    pub(super) fn of_last_name(mut self) -> Key {
        if let Some(at) = self.start.rfind([':', '\\', '.', '/']) {
            self.start.drain(..=at);
        }
        self
    }

    pub(super) fn may_be(&self, name: &str) -> bool {
        let fits = match self.is_whole {
            true => self.start == name,
            false => {
                self.start.len() + self.end.len() <= name.len()
                    && name.starts_with(&self.start)
                    && name.ends_with(&self.end)
            }
        };
        self.is_name && fits
    }
}

/// The outermost strings in a node.
pub(super) fn strings_in(view: &View<'_>, node: Node) -> Vec<Node> {
    let table = view.tree.table();
    let mut found = Vec::new();
    let mut skip_to = 0;
    for inner in std::iter::once(node).chain(table.descendants(node)) {
        if inner.index() >= skip_to && view.tree.language().role(table.type_id(inner)).string {
            found.push(inner);
            skip_to = table.subtree_end(inner);
        }
    }
    found
}

/// The text of a string without its quotes and what is before them.
pub(super) fn content(text: &str) -> &str {
    let quotes = ['"', '\'', '`'];
    match text.find(quotes) {
        Some(open) => text[open..].trim_matches(quotes),
        None => text.trim_start_matches(':'),
    }
}

/// Where a text has a name as a word.
pub(super) fn word_in(text: &str, name: &str, start: usize) -> Option<Span> {
    words_in(text, name, start).next()
}

/// The places where a text has a name as a word.
pub fn words_in(text: &str, name: &str, start: usize) -> impl Iterator<Item = Span> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    // `"\nname"`
    let is_escape = move |at: usize| at > 1 && text.as_bytes()[at - 2] == b'\\';
    let length = name.len();
    let is_word = move |&at: &usize| {
        (is_escape(at) || !text[..at].ends_with(is_part)) && !text[at + length..].starts_with(is_part)
    };
    let at = text.match_indices(name).map(|(at, _)| at).filter(is_word);
    at.map(move |at| Span::new(start + at, start + at + length))
}
