//! Parts of a text in another language: the script of a page, a block of code.
//!
//! A part is a tree of its own with the text of the whole file, so that its places and its edits are the file's. It is read from the
//! bytes of the part alone, joined, as if they were a file.

use std::sync::Arc;

use super::ids::Ids;
use super::paths::Paths;
use super::{Node, ParseError, ParseLimits, Table, Tree, parse, table_of};
use crate::language::{Injection, Language, Languages, LazyRegex, TypeSet};
use crate::text::{EditSet, Span, Text};

/// Where a part of a text is, and its language.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its language.
    pub language: &'static Language,
    /// Its bytes, in order; several where something is between them that is no code.
    pub spans: Vec<Span>,
    /// The bytes in them in whose place there is a value when the program runs.
    pub holes: Vec<Span>,
    /// Whether it is shown, not run.
    pub is_shown: bool,
    /// Whether a syntax error in it is none of the file's.
    pub is_fragment: bool,
    /// Whether it is code of documentation that is run: a program of its own, in which arguments are expressions where they are tokens.
    pub is_program: bool,
}

impl Part {
    /// All bytes from its first to its last.
    pub fn span(&self) -> Span {
        let start = self.spans.first().map_or(0, |span| span.start());
        Span::new(start, self.spans.last().map_or(start, |span| span.end()))
    }

    /// As much of the part as is in another one, which it was found in; `None` if nothing is.
    #[must_use]
    pub fn inside(self, outer: &Part) -> Option<Part> {
        let common = |span: Span, other: &Span| {
            let (start, end) = (span.start().max(other.start()), span.end().min(other.end()));
            (start < end).then(|| Span::new(start, end))
        };
        let spans = self.spans.iter().flat_map(|&span| outer.spans.iter().filter_map(move |other| common(span, other)));
        let spans: Vec<Span> = spans.collect();
        let (is_shown, is_fragment) = (self.is_shown || outer.is_shown, self.is_fragment || outer.is_fragment);
        (!spans.is_empty()).then_some(Part { spans, is_shown, is_fragment, ..self })
    }

    /// Whether both are code of one language between the same two places.
    pub fn is_at(&self, other: &Part) -> bool {
        self.language.name() == other.language.name() && self.span() == other.span()
    }

    /// Whether both are code of one language from the same place on.
    pub fn starts_with(&self, other: &Part) -> bool {
        self.language.name() == other.language.name() && self.span().start() == other.span().start()
    }

    /// The code as the grammar reads it.
    pub(super) fn source(&self, text: &Text) -> String {
        let mut source = String::new();
        for span in &self.spans {
            let mut at = span.start();
            for hole in self.holes.iter().filter(|hole| span.start() <= hole.start() && hole.end() <= span.end()) {
                source.push_str(&text.slice(Span::new(at, hole.start())));
                let filled = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { 'a' };
                source.extend(text.slice(*hole).bytes().map(filled));
                at = hole.end();
            }
            source.push_str(&text.slice(Span::new(at, span.end())));
        }
        source
    }

    /// The part after edits of the whole text; `None` if one of them is not inside of it.
    fn edited(&self, edits: &EditSet) -> Option<Part> {
        let is_inside =
            |edit: Span| self.spans.iter().any(|span| span.start() <= edit.start() && edit.end() <= span.end());
        edits.iter().all(|edit| is_inside(edit.span)).then(|| self.after(edits))
    }

    /// The part where it is after edits of the whole text, in it or not.
    #[must_use]
    pub fn after(&self, edits: &EditSet) -> Part {
        // What is inserted at an edge of the part belongs to it.
        let moved = |at: usize, is_end: bool| {
            let before = |edit: Span| {
                if is_end { edit.end() <= at } else { edit.end() < at || edit.end() == at && !edit.is_empty() }
            };
            edits.iter().filter(|edit| before(edit.span)).fold(at, |at, edit| at + edit.text.len() - edit.span.len())
        };
        let is_kept =
            |hole: &&Span| edits.iter().all(|edit| edit.span.end() <= hole.start() || hole.end() <= edit.span.start());
        Part {
            spans: self
                .spans
                .iter()
                .map(|span| Span::new(moved(span.start(), false), moved(span.end(), true)))
                .collect(),
            holes: self
                .holes
                .iter()
                .filter(is_kept)
                .map(|hole| Span::new(moved(hole.start(), true), moved(hole.end(), false)))
                .collect(),
            ..self.clone()
        }
    }
}

impl Tree {
    /// The parts of the text in other languages, in order, as far as `languages` has them.
    pub fn parts(&self, languages: &Languages) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for rule in &self.language.spec().injections {
            let mut found = self.parts_by(rule, languages);
            if rule.joined {
                found = joined(found);
            }
            parts.extend(found);
        }
        parts.sort_by_key(|part| part.span().start());
        parts
    }

    fn parts_by(&self, rule: &Injection, languages: &Languages) -> Vec<Part> {
        let table = &*self.table;
        let content = table.nodes().filter(|&node| rule.content.contains(table.type_id(node)));
        content.filter_map(|content| self.part_at(content, rule, languages)).collect()
    }

    fn part_at(&self, content: Node, rule: &Injection, languages: &Languages) -> Option<Part> {
        let table = &*self.table;
        let outer =
            table.parent(content).filter(|&outer| rule.within.is_empty() || rule.within.contains(table.type_id(outer)));
        let is_around = |&around: &Node| rule.around.contains(table.type_id(around));
        if !rule.around.is_empty() && outer.and_then(|outer| table.parent(outer)).filter(is_around).is_none() {
            return None;
        }
        let outer = outer.or(Some(content).filter(|_| rule.within.is_empty()))?;
        let paths = Paths { table, language: self.language };
        let saying = rule.said_by.iter().find_map(|path| paths.first(outer, path)).map(|node| self.node_text(node));
        let said = saying.as_deref().and_then(|text| {
            let captures = rule.said.as_ref()?.get().captures(text)?;
            captures.iter().skip(1).flatten().next().map(|name| name.as_str())
        });
        let language = rule.language_of(said, languages)?;
        let whole = table.span(content);
        let text = self.text.slice(whole);
        let code = match &rule.inside {
            Some(inside) => {
                let code = inside.get().captures(&text)?.get(1)?;
                Span::new(whole.start() + code.start(), whole.start() + code.end())
            }
            None => whole,
        };
        let outermost = |types: &TypeSet| {
            let mut spans: Vec<Span> = Vec::new();
            for node in table.descendants(content).filter(|&node| types.contains(table.type_id(node))) {
                let span = table.span(node);
                if code.start() <= span.start()
                    && span.end() <= code.end()
                    && spans.last().is_none_or(|last| last.end() <= span.start())
                {
                    spans.push(span);
                }
            }
            spans
        };
        let matches = |regex: &Option<LazyRegex>| -> Vec<Span> {
            let found = regex.iter().flat_map(|regex| regex.get().find_iter(&text));
            let found = found.map(|found| Span::new(whole.start() + found.start(), whole.start() + found.end()));
            found.filter(|span| code.start() <= span.start() && span.end() <= code.end()).collect()
        };
        let mut spans = Vec::new();
        let mut at = code.start();
        for other in in_order(outermost(&rule.without), matches(&rule.tags)) {
            spans.push(Span::new(at, other.start()));
            at = other.end();
        }
        spans.push(Span::new(at, code.end()));
        spans.retain(|span| !span.is_empty());
        let is_empty = spans.iter().all(|&span| self.text.slice(span).trim().is_empty());
        let holes = in_order(outermost(&rule.holes), matches(&rule.values));
        (!is_empty).then_some(Part {
            language,
            spans,
            holes,
            is_shown: rule.shown,
            is_fragment: rule.fragments,
            is_program: false,
        })
    }

    /// Reads a part of a text. The tree has the text of the whole file.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse_part(text: Text, part: &Part, limits: &ParseLimits) -> Result<Tree, ParseError> {
        let table = part_table(&text, part, limits)?;
        let mut tree = Tree::from_table(text, part.language, table);
        tree.part = Some(Arc::new(part.clone()));
        Ok(tree)
    }

    /// The part of the text that this is the tree of; `None` for the tree of all of it.
    pub fn part(&self) -> Option<&Part> {
        self.part.as_deref()
    }

    /// The same tree of a part, with ids that begin at `first`.
    #[must_use]
    pub fn with_ids_from(mut self, first: u32) -> Tree {
        self.ids = Ids::from(first, self.table.len());
        self
    }

    /// The table of the next revision of a part.
    ///
    /// # Errors
    /// As [`Tree::parse`]; if an edit is outside of the part.
    pub(super) fn edited_part(
        &self,
        part: &Part,
        text: &Text,
        edits: &EditSet,
        limits: &ParseLimits,
    ) -> Result<(Part, Table), ParseError> {
        let part = part.edited(edits).ok_or(ParseError::OutsidePart)?;
        let table = part_table(text, &part, limits)?;
        Ok((part, table))
    }
}

fn part_table(text: &Text, part: &Part, limits: &ParseLimits) -> Result<Table, ParseError> {
    let source = Text::new(&part.source(text));
    if part.is_program {
        return Ok(program_table(&source, part, limits)?.relocate_pieces(&part.spans, part.span()));
    }
    let fresh = parse::parse(&source, part.language, None, limits)?;
    let table = table_of(&fresh, part.language, &source, limits)?;
    Ok(table.relocate_pieces(&part.spans, part.span()))
}

/// The table of a program in documentation, whose end may be missing.
fn program_table(source: &Text, part: &Part, limits: &ParseLimits) -> Result<Table, ParseError> {
    let tail = &part.language.spec().symbols.run_documentation.tail;
    let mut tree = Tree::parse(source.clone(), part.language, limits)?;
    if !tree.is_sound() && !tail.is_empty() {
        let whole = Text::new(&format!("{source}{tail}"));
        let ended = Tree::parse(whole, part.language, limits)?;
        tree = if ended.is_sound() { ended } else { tree };
    }
    let tree = tree.with_token_arguments();
    Ok(Arc::try_unwrap(tree.table).unwrap_or_default())
}

/// Two lists of spans as one, without those that begin in another.
fn in_order(one: Vec<Span>, other: Vec<Span>) -> Vec<Span> {
    let mut all = one;
    all.extend(other);
    all.sort_by_key(|span| span.start());
    let mut end = 0;
    all.retain(|span| {
        let is_apart = span.start() >= end;
        end = end.max(span.end());
        is_apart
    });
    all
}

/// Parts of one language as one.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match all.iter_mut().find(|known| known.language.name() == part.language.name()) {
            Some(known) => {
                known.spans.extend(part.spans);
                known.holes.extend(part.holes);
            }
            None => all.push(part),
        }
    }
    all
}
