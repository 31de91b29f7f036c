//! Words: a match and a template, split into comparable pieces.
//!
//! The content of a capture is one word. Other code is split into names, numbers, strings and punctuation, without
//! knowledge of the language: both sides are split the same way, and the result only decides which bytes of the match
//! may stay.

use crate::edit::lines;
use crate::edit::template::{Part, Template};
use crate::text::Span;
use crate::tree::{Captured, Node, Tree};

use super::Site;

/// A word of a match.
#[derive(Debug, Clone)]
pub(super) struct MatchWord {
    pub span: Span,
    /// The capture, by its index among those of the site.
    pub capture: Option<usize>,
    pub text: String,
}

/// A word of a template.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The text before it in the template.
    pub gap: String,
    pub what: What,
}

/// The kind of a template's word.
#[derive(Debug, Clone)]
pub(super) enum What {
    Code(String),
    /// A placeholder, by its index in the template.
    Placeholder(usize),
    /// A part of a string that the match has, too: its bytes there.
    Shared(Span),
}

/// A string of the template, and the bytes of the same string in a match.
#[derive(Debug, Clone)]
pub(super) struct SharedString {
    /// Its bytes in the template.
    pub template: Span,
    /// The bytes of the match up to its first capture; the whole string if it has none.
    pub opening: Span,
    pub captures: Vec<CaptureInString>,
}

/// A capture in a string.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaptureInString {
    /// The placeholder, by its index in the template.
    pub place: usize,
    /// The bytes of the match between it and the next capture, or the end of the string.
    pub after: Span,
}

impl SharedString {
    /// The bytes of the match outside captures.
    pub fn parts(&self) -> impl Iterator<Item = Span> {
        let after = self.captures.iter().map(|capture| capture.after);
        std::iter::once(self.opening).chain(after).filter(|part| !part.is_empty())
    }
}

/// A match, split into words.
#[derive(Debug)]
pub(super) struct Words {
    pub found: Vec<MatchWord>,
    /// The comments between them.
    pub comments: Vec<Span>,
}

/// A template, split into words.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub words: Vec<Wanted>,
    /// The text after the last word.
    pub tail: String,
}

/// The kind of a word of a match that is no plain code.
#[derive(Clone, Copy)]
enum Stop {
    Capture(usize),
    Comment,
    Shared,
}

/// Splits a match. If captures share bytes, the first one counts; the whole match is one word if the template uses it.
/// The parts of a shared string are a word each.
pub(super) fn of_site(tree: &Tree, site: &Site, template: &Template, strings: &[SharedString]) -> Words {
    let whole = of_match(tree, site, template);
    let names = template.names();
    let mut captures: Vec<(Span, usize)> = Vec::new();
    if names.contains(&"0") {
        captures.push((whole, site.captures.len()));
    }
    for (place, (name, captured)) in site.captures.iter().enumerate() {
        let span = of_capture(tree, *captured);
        let span = span.filter(|span| whole.contains(*span) && !span.is_empty());
        if let Some(span) = span.filter(|_| names.contains(&name.as_str()))
            && !captures.iter().any(|(known, _)| known.overlaps(span))
        {
            captures.push((span, place));
        }
    }
    captures.sort_by_key(|(span, _)| span.start());
    let mut shared: Vec<Span> = strings.iter().flat_map(SharedString::parts).collect();
    shared.sort_by_key(|part| part.start());
    shared.dedup();
    let mut comments = comments(tree, site.node, &captures);
    comments.retain(|comment| !shared.iter().any(|part| part.contains(*comment)));
    let mut stops: Vec<(Span, Stop)> = captures.iter().map(|&(span, place)| (span, Stop::Capture(place))).collect();
    stops.extend(comments.iter().map(|&span| (span, Stop::Comment)));
    stops.extend(shared.into_iter().map(|span| (span, Stop::Shared)));
    stops.sort_by_key(|(span, _)| span.start());
    let mut found = Vec::new();
    let mut at = whole.start();
    for (span, stop) in stops.into_iter().chain([(Span::at(whole.end()), Stop::Comment)]) {
        let code = tree.text().slice(Span::new(at, span.start().max(at)));
        for word in cut(&code) {
            let text = code[word.start()..word.end()].to_owned();
            found.push(MatchWord { span: Span::new(at + word.start(), at + word.end()), capture: None, text });
        }
        match stop {
            Stop::Capture(place) => found.push(MatchWord { span, capture: Some(place), text: String::new() }),
            Stop::Shared => found.push(MatchWord { span, capture: None, text: String::new() }),
            Stop::Comment => {}
        }
        at = span.end().max(at);
    }
    Words { found, comments }
}

/// The bytes that the template replaces at a site.
pub(super) fn of_match(tree: &Tree, site: &Site, template: &Template) -> Span {
    if is_in_string(tree, site.node) {
        return tree.span(site.node);
    }
    let span = lines::trim_end(tree.text(), tree.span(site.node));
    // A statement that the template uses keeps its own terminator.
    let names = template.names();
    let ends_in_capture = site.captures.iter().any(|(name, captured)| {
        names.contains(&name.as_str())
            && captured.span(tree).is_some_and(|inner| lines::trim_end(tree.text(), inner).end() == span.end())
    });
    let ends = template.omits_terminator()
        && !ends_in_capture
        && span.len() > 1
        && tree.text().byte(span.end() - 1) == Some(b';');
    if ends { lines::trim_end(tree.text(), Span::new(span.start(), span.end() - 1)) } else { span }
}

/// The content of a capture: its bytes without a line end that some nodes include; in a string, all bytes.
pub(super) fn of_capture(tree: &Tree, captured: Captured) -> Option<Span> {
    let span = captured.span(tree)?;
    let is_text = captured.first().is_some_and(|first| is_in_string(tree, first));
    Some(if is_text { span } else { lines::trim_end(tree.text(), span) })
}

/// Whether a node is a part of a string.
fn is_in_string(tree: &Tree, node: Node) -> bool {
    let table = tree.table();
    table.parent(node).is_some_and(|parent| tree.language().role(table.type_id(parent)).string)
}

/// The comments of a match outside its captures.
fn comments(tree: &Tree, node: Node, captures: &[(Span, usize)]) -> Vec<Span> {
    let table = tree.table();
    let mut comments = Vec::new();
    let mut place = node.index() + 1;
    let end = table.subtree_end(node);
    while place < end {
        let Some(inner) = table.range(place, place + 1).next() else { break };
        let span = table.span(inner);
        let in_capture = captures.iter().any(|(capture, _)| capture.contains(span) && !span.is_empty());
        if in_capture {
            place = table.subtree_end(inner);
            continue;
        }
        // A line continuation is not a comment, although it is ignored like one.
        if tree.is_comment(inner) && !tree.node_text(inner).starts_with('\\') {
            comments.push(span);
            place = table.subtree_end(inner);
            continue;
        }
        place += 1;
    }
    comments
}

/// Splits a template for a site: `empty` says of a placeholder whether its capture is empty. The strings are those that the site
/// has, too.
pub(super) fn of_template(
    template: &Template,
    separators: &[&str],
    empty: &dyn Fn(usize) -> bool,
    strings: &[SharedString],
) -> Script {
    let mut words: Vec<Wanted> = Vec::new();
    let mut gap = String::new();
    let (mut place, mut offset) = (0, 0);
    let around = |offset: usize| {
        strings.iter().find(|string| string.template.start() <= offset && offset < string.template.end())
    };
    for part in &template.parts {
        match part {
            Part::Code(code) => {
                let end = offset + code.len();
                let mut from = offset;
                while from < end {
                    if let Some(string) = around(from) {
                        if from == string.template.start() {
                            let what = What::Shared(string.opening);
                            words.push(Wanted { gap: std::mem::take(&mut gap), what });
                        }
                        from = string.template.end().min(end);
                        continue;
                    }
                    let starts = strings.iter().map(|string| string.template.start()).filter(|&start| start > from);
                    let to = starts.min().unwrap_or(end).min(end);
                    let code = &code[from - offset..to - offset];
                    let mut at = 0;
                    for word in cut(code) {
                        gap.push_str(&code[at..word.start()]);
                        let what = What::Code(code[word.start()..word.end()].to_owned());
                        words.push(Wanted { gap: std::mem::take(&mut gap), what });
                        at = word.end();
                    }
                    gap.push_str(&code[at..]);
                    from = to;
                }
                offset = end;
            }
            Part::Placeholder(written) => {
                let what = What::Placeholder(place);
                match around(offset) {
                    None => words.push(Wanted { gap: std::mem::take(&mut gap), what }),
                    Some(string) => {
                        if let Some(capture) = string.captures.iter().find(|capture| capture.place == place) {
                            words.push(Wanted { gap: String::new(), what });
                            let after = Some(capture.after).filter(|after| !after.is_empty()).map(What::Shared);
                            words.extend(after.map(|what| Wanted { gap: String::new(), what }));
                        }
                    }
                }
                place += 1;
                offset += written.text.len();
            }
        }
    }
    let mut script = Script { words, tail: gap };
    script.drop_empty(separators, empty);
    script
}

impl Script {
    /// Removes empty placeholders, each with its separator.
    fn drop_empty(&mut self, separators: &[&str], empty: &dyn Fn(usize) -> bool) {
        let mut at = 0;
        while at < self.words.len() {
            let is_empty = matches!(self.words[at].what, What::Placeholder(place) if empty(place));
            if !is_empty {
                at += 1;
                continue;
            }
            let separates = |word: Option<&Wanted>| {
                word.is_some_and(|word| matches!(&word.what, What::Code(code) if separators.contains(&code.as_str())))
            };
            let before = at.checked_sub(1).and_then(|before| self.words.get(before));
            if separates(before) {
                // `f(a, $$$R)` becomes `f(a)`: the text after it stays.
                self.words.drain(at - 1..=at);
                at -= 1;
            } else if separates(self.words.get(at + 1)) {
                let gap = self.words[at].gap.clone();
                self.words.drain(at..=at + 1);
                self.set_gap(at, gap);
            } else {
                // A placeholder on a line of its own is removed with the line.
                let own = self.words[at].gap.clone();
                let behind = self.words.get(at + 1).map_or(&self.tail, |next| &next.gap).clone();
                self.words.remove(at);
                let gap = if own.contains('\n') && (behind.contains('\n') || at == self.words.len()) {
                    behind
                } else if own.is_empty() || behind.is_empty() {
                    own + &behind
                } else {
                    own
                };
                self.set_gap(at, gap);
            }
        }
    }

    fn set_gap(&mut self, at: usize, gap: String) {
        match self.words.get_mut(at) {
            Some(word) => word.gap = gap,
            None => self.tail = gap,
        }
    }
}

/// The words of code: names and numbers, strings on one line, runs of punctuation, and other characters one by one.
fn cut(code: &str) -> Vec<Span> {
    const SIGNS: &str = "=<>!+-*/%&|^~?:";
    let mut words = Vec::new();
    let mut letters = code.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        let mut end = start + letter.len_utf8();
        let mut take_while = |is_in: &dyn Fn(char) -> bool| {
            while let Some((at, next)) = letters.next_if(|(_, next)| is_in(*next)) {
                end = at + next.len_utf8();
            }
        };
        if letter.is_alphanumeric() || letter == '_' {
            take_while(&|next| next.is_alphanumeric() || next == '_');
        } else if SIGNS.contains(letter) {
            take_while(&|next| SIGNS.contains(next));
        } else if matches!(letter, '"' | '\'' | '`')
            && let Some(length) = string(&code[start..], letter)
        {
            end = start + length;
            while letters.next_if(|(at, _)| *at < end).is_some() {}
        }
        words.push(Span::new(start, end));
    }
    words
}

/// The length of a string at the start of a text, if it ends on the same line.
fn string(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return None,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The value of a placeholder: a capture of the site, or the whole match.
pub(super) fn captured(site: &Site, name: &str) -> Option<(usize, Captured)> {
    if name == "0" {
        return Some((site.captures.len(), Captured::Node(site.node)));
    }
    let place = site.captures.iter().position(|(known, _)| known == name)?;
    Some((place, site.captures[place].1))
}
