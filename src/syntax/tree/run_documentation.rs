//! Code in documentation that tools run, as parts of the text in its own language.

use super::{Node, Part, Tree};
use crate::language::{Language, LazyRegex, RunDocumentation};
use crate::text::{Span, Text};

impl Tree {
    /// The code in the documentation of a file that tools run, in order: each part is a program of its own.
    pub fn run_documentation(&self) -> Vec<Part> {
        let rules = &self.language.spec().symbols.run_documentation;
        let mut parts = Vec::new();
        if rules.marks.is_empty() {
            return parts;
        }
        if rules.prompt.is_some() {
            let strings = self.table.nodes().filter_map(|node| self.docstring(node));
            for string in strings {
                parts.extend(prompted(&self.text, self.content_of(string), self.language));
            }
        }
        if rules.fence.is_some() {
            for lines in self.documents(rules) {
                parts.extend(fenced(&self.text, &lines, self.language));
            }
        }
        parts.sort_by_key(|part| part.span().start());
        parts.dedup_by_key(|part| part.span());
        parts
    }

    /// The text of a string, without its quotes.
    fn content_of(&self, string: Node) -> Span {
        let content = self.language.spec().docs.content;
        let is_content = |node: &Node| Some(self.table.type_id(*node)) == content;
        let mut contents = self.table.descendants(string).filter(is_content).map(|node| self.table.span(node));
        let first = contents.next();
        let last = contents.last().or(first);
        match (first, last) {
            (Some(first), Some(last)) => Span::new(first.start(), last.end()),
            _ => self.table.span(string),
        }
    }

    /// The lines of each text in comments and attributes that document, without what is before their text.
    fn documents(&self, rules: &RunDocumentation) -> Vec<Vec<Span>> {
        let mut documents: Vec<Vec<Span>> = Vec::new();
        // What the last one was, and where it ended.
        let mut last: Option<(usize, usize)> = None;
        for node in self.table.nodes() {
            let span = self.table.span(node);
            let found = match () {
                () if self.is_comment(node) => self.comment_lines(span, rules),
                () if rules.attributes.contains(self.table.type_id(node)) => self.attribute_lines(span, rules),
                () => continue,
            };
            let Some((kind, lines)) = found else { continue };
            // Lines of one text follow each other.
            let is_next = last.is_some_and(|(other, end)| {
                other == kind && end <= span.start() && self.text.slice(Span::new(end, span.start())).trim().is_empty()
            });
            match documents.last_mut().filter(|_| is_next) {
                Some(document) => document.extend(lines),
                None => documents.push(lines),
            }
            last = Some((kind, span.end()));
        }
        documents
    }

    /// Which beginning a comment has, and its lines; `None` if it documents nothing.
    fn comment_lines(&self, span: Span, rules: &RunDocumentation) -> Option<(usize, Vec<Span>)> {
        let text = self.text.slice(span);
        let is_other = rules.not_begins.iter().any(|begin| text.starts_with(begin.as_str()));
        let kind = rules.begins.iter().position(|begin| text.starts_with(begin.as_str()) && !is_other)?;
        let whole = match text.trim_end().strip_suffix(rules.end.as_str()).filter(|_| !rules.end.is_empty()) {
            Some(text) => Span::new(span.start(), span.start() + text.len()),
            // The end of its last line belongs to the code.
            None if self.text.byte(span.end()) == Some(b'\n') => Span::new(span.start(), span.end() + 1),
            None => span,
        };
        let lines = lines_in(&self.text, whole).into_iter();
        let lines = lines.map(|line| Span::new(line.start() + matched(&rules.line, &self.text, line), line.end()));
        Some((kind, lines.collect()))
    }

    fn attribute_lines(&self, span: Span, rules: &RunDocumentation) -> Option<(usize, Vec<Span>)> {
        let text = self.text.slice(span);
        let found = rules.attribute.as_ref()?.get().captures(&text)?;
        let content = found.iter().skip(1).flatten().next()?;
        let content = Span::new(span.start() + content.start(), span.start() + content.end());
        Some((rules.begins.len(), lines_in(&self.text, content)))
    }
}

/// The code in a text that documents something in a language: a file that its documentation includes.
pub fn run_documentation_in(text: &Text, language: &'static Language) -> Vec<Part> {
    fenced(text, &lines_in(text, Span::new(0, text.len())), language)
}

impl Part {
    /// The lines after the code of a part that say what it prints: each up to the next code or an empty line.
    pub fn outputs(&self, text: &Text) -> Vec<Span> {
        if self.language.spec().symbols.run_documentation.prompt.is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let ends = self.spans.iter().skip(1).map(|span| Some(span.start())).chain([None]);
        for (code, next) in self.spans.iter().zip(ends) {
            // The line of the next code begins before the code.
            let end = next.map_or(text.len(), |next| text.line_around(next).start());
            let lines = lines_in(text, Span::new(code.end().min(end), end)).into_iter();
            let is_last = next.is_none();
            let is_output = |line: &Span| {
                let line = text.slice(*line);
                !(line.trim().is_empty() || is_last && (line.contains("\"\"\"") || line.contains("'''")))
            };
            found.extend(lines.take_while(is_output));
        }
        found
    }
}

/// The lines of a span, each with its end.
fn lines_in(text: &Text, span: Span) -> Vec<Span> {
    let (mut lines, mut at) = (Vec::new(), span.start());
    for line in text.slice(span).split_inclusive('\n') {
        lines.push(Span::new(at, at + line.len()));
        at += line.len();
    }
    lines
}

/// How long the beginning of a line is that a regex finds.
fn matched(regex: &Option<LazyRegex>, text: &Text, line: Span) -> usize {
    let line = text.slice(line);
    let line = line.trim_end_matches(['\n', '\r']);
    regex.as_ref().and_then(|regex| regex.get().find(line)).map_or(0, |found| found.end())
}

fn part_of(language: &'static Language, spans: Vec<Span>, text: &Text) -> Option<Part> {
    let is_empty = spans.iter().all(|&span| text.slice(span).trim().is_empty());
    let (is_shown, is_fragment, is_program) = (false, true, true);
    (!is_empty).then_some(Part { language, spans, holes: Vec::new(), is_shown, is_fragment, is_program })
}

/// The lines of a string after prompts.
fn prompted(text: &Text, content: Span, language: &'static Language) -> Option<Part> {
    let prompt = language.spec().symbols.run_documentation.prompt.as_ref()?;
    let code = lines_in(text, content).into_iter().filter_map(|line| {
        let written = text.slice(line);
        let found = prompt.get().find(written.trim_end_matches(['\n', '\r']))?;
        Some(Span::new(line.start() + found.end(), line.end()))
    });
    part_of(language, code.flat_map(|line| without_escapes(text, line)).collect(), text)
}

/// A line of code in a string without the signs before its quotes: `f(\"\"\"a\"\"\")` is `f("""a""")`.
fn without_escapes(text: &Text, line: Span) -> Vec<Span> {
    let written = text.slice(line);
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, _) in written.match_indices('\\') {
        let is_quote = written[at + 1..].starts_with(['"', '\'']);
        if is_quote && at >= start {
            spans.push(Span::new(line.start() + start, line.start() + at));
            start = at + 1;
        }
    }
    spans.push(Span::new(line.start() + start, line.end()));
    spans.retain(|span| !span.is_empty());
    spans
}

/// The blocks of code among some lines.
fn fenced(text: &Text, lines: &[Span], language: &'static Language) -> Vec<Part> {
    let rules = &language.spec().symbols.run_documentation;
    let (Some(fence), Some(run)) = (&rules.fence, &rules.run) else { return Vec::new() };
    let mut parts = Vec::new();
    // The sign of the block, and its code if it is run.
    let mut block: Option<(String, Option<Vec<Span>>)> = None;
    for &line in lines {
        let written = text.slice(line);
        let written = written.trim_end();
        match &mut block {
            Some((sign, code)) if is_end(written.trim_start(), sign) => {
                parts.extend(code.take().and_then(|code| part_of(language, code, text)));
                block = None;
            }
            Some((_, code)) => {
                let Some(code) = code else { continue };
                let found = rules.hidden.as_ref().and_then(|hidden| hidden.get().captures(written));
                let hidden = found.and_then(|found| found.get(1)).map_or(0, |found| found.end());
                code.push(Span::new(line.start() + hidden, line.end()));
            }
            None => {
                let Some(found) = fence.get().captures(written) else { continue };
                let group = |number: usize| found.get(number).map_or("", |found| found.as_str());
                let is_run = run.get().is_match(group(2));
                block = Some((group(1).to_owned(), is_run.then(Vec::new)));
            }
        }
    }
    parts.extend(block.and_then(|(_, code)| part_of(language, code?, text)));
    parts
}

/// Whether a line ends the block that a sign began: it has nothing but the sign, as long or longer.
fn is_end(line: &str, sign: &str) -> bool {
    let Some(letter) = sign.chars().next() else { return true };
    line.starts_with(sign) && line.chars().all(|other| other == letter)
}
