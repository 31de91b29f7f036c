//! What surrounds a chunk: the definitions that had to be cut, and their lines in the context.

use super::options::{Context, Options};
use crate::outline::definitions::Definition;
use crate::text::Span;

/// A definition that is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// Its span, with everything that belongs to it.
    pub span: Span,
    /// The index of the definition.
    pub definition: usize,
    /// The enclosing one.
    outer: Option<usize>,
    depth: usize,
    room: usize,
    /// The tokens of its line in a context.
    line: usize,
}

impl Open {
    pub fn new(span: Span, definition: usize, outer: Option<usize>) -> Open {
        Open { span, definition, outer, depth: 0, room: 0, line: 0 }
    }
}

/// The definitions that are cut, and the contexts inside them.
#[derive(Debug)]
pub(super) struct Around<'a> {
    options: &'a Options,
    path: &'a str,
    definitions: &'a [Definition],
    opened: Vec<Open>,
    /// The indices of the cut definitions, in order of their starts, outer ones first.
    order: Vec<usize>,
    /// The available size outside all of them.
    room: usize,
    /// The tokens of the path's line in a context.
    path_line: usize,
}

impl<'a> Around<'a> {
    pub fn new(options: &'a Options, path: &'a str, definitions: &'a [Definition]) -> Around<'a> {
        let mut around =
            Around { options, path, definitions, opened: Vec::new(), order: Vec::new(), room: 0, path_line: 0 };
        around.path_line = options.count.of(&around.line_of_path());
        around.room = around.room_beside(None);
        around
    }

    /// Adds a definition that is cut.
    pub fn open(&mut self, mut open: Open) -> usize {
        open.depth = open.outer.map_or(0, |outer| self.opened[outer].depth + 1);
        self.opened.push(open);
        let place = self.opened.len() - 1;
        self.opened[place].line = self.options.count.of(&self.line_of(place));
        self.opened[place].room = self.room_beside(Some(place));
        place
    }

    /// Sorts them, after all have been added.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.opened.len()).collect();
        order.sort_by_key(|&place| (self.opened[place].span.start(), std::cmp::Reverse(self.opened[place].span.end())));
        self.order = order;
    }

    /// Whether `open` is this definition.
    pub fn is_of(&self, open: Option<usize>, definition: usize) -> bool {
        open.is_some_and(|open| self.opened[open].definition == definition)
    }

    /// One of the cut definitions.
    pub fn get(&self, open: usize) -> &Open {
        &self.opened[open]
    }

    /// The definition and the enclosing ones, innermost first.
    pub fn chain(&self, open: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(open, |&place| self.opened[place].outer)
    }

    /// The nesting depth, including the definition itself.
    pub fn depth(&self, open: Option<usize>) -> usize {
        open.map_or(0, |open| self.opened[open].depth + 1)
    }

    /// The available size for the first chunk of the text, which has no overlap.
    pub fn room_at_start(&self) -> usize {
        self.room(None) + self.options.overlap
    }

    /// The available size for text next to the context inside a definition.
    pub fn room(&self, open: Option<usize>) -> usize {
        open.map_or(self.room, |open| self.opened[open].room)
    }

    fn room_beside(&self, open: Option<usize>) -> usize {
        let context = match self.options.context {
            Context::None => 0,
            Context::Path => self.context(open).iter().map(|line| self.options.count.of(line)).sum(),
            Context::Full => self.choose_lines(open).tokens,
        };
        self.options.max_tokens.saturating_sub(context + self.options.overlap).max(1)
    }

    /// The maximum size of a context in tokens: half of the total.
    fn most_of_context(&self) -> usize {
        self.options.max_tokens.saturating_sub(self.options.overlap) / 2
    }

    /// The lines of the context inside a definition. They take at most half of the total; the outermost are dropped
    /// first.
    pub fn context(&self, open: Option<usize>) -> Vec<String> {
        match self.options.context {
            Context::None => Vec::new(),
            Context::Path => {
                let definition = open.map(|open| &self.definitions[self.opened[open].definition]);
                let qualname = definition.map_or("", |definition| definition.qualname.as_str());
                let gap = if self.path.is_empty() || qualname.is_empty() { "" } else { ": " };
                let line = format!("{}{gap}{qualname}\n", self.path);
                let fits = line.len() > 1 && self.options.count.of(&line) <= self.most_of_context();
                if fits { vec![line] } else { Vec::new() }
            }
            Context::Full => {
                let chosen = self.choose_lines(open);
                let path = chosen.path.then(|| self.line_of_path());
                path.into_iter().chain(chosen.places.iter().rev().map(|&place| self.line_of(place))).collect()
            }
        }
    }

    /// Chooses the lines of a full context: the nearest definition takes precedence over the path, and the path over
    /// the outer definitions.
    fn choose_lines(&self, open: Option<usize>) -> Lines {
        let most = self.most_of_context();
        let mut lines = Lines { path: false, places: Vec::new(), tokens: 0 };
        let mut chain = self.chain(open);
        let mut goes_on = true;
        if let Some(nearest) = chain.next() {
            goes_on = lines.takes(self.opened[nearest].line, most);
            lines.places.extend(goes_on.then_some(nearest));
        }
        lines.path = !self.path.is_empty() && lines.takes(self.path_line, most);
        while goes_on && let Some(place) = chain.next().filter(|&place| lines.takes(self.opened[place].line, most)) {
            lines.places.push(place);
        }
        lines
    }

    fn line_of_path(&self) -> String {
        format!("{}\n", self.path)
    }

    /// The line of a definition in a context: its signature, indented by its depth.
    fn line_of(&self, place: usize) -> String {
        let open = &self.opened[place];
        let indent = "  ".repeat(open.depth.min(DEEPEST_INDENT));
        format!("{indent}{}\n", self.definitions[open.definition].signature)
    }

    /// An iterator-like walk through the text that knows what surrounds each place.
    pub fn walk(&self) -> Walk<'_> {
        Walk { opened: &self.opened, order: &self.order, stack: Vec::new() }
    }
}

/// The lines chosen for a full context.
#[derive(Debug)]
struct Lines {
    /// Whether the path is the first line.
    path: bool,
    /// The definitions, innermost first.
    places: Vec<usize>,
    /// The tokens of all lines.
    tokens: usize,
}

impl Lines {
    /// Adds a line if the total stays within `most` tokens.
    fn takes(&mut self, tokens: usize, most: usize) -> bool {
        let fits = self.tokens + tokens <= most;
        self.tokens += if fits { tokens } else { 0 };
        fits
    }
}

/// The maximum number of levels that are indented in a context.
const DEEPEST_INDENT: usize = 16;

/// Walks through a text from its start and keeps track of open definitions.
pub(super) struct Walk<'a> {
    opened: &'a [Open],
    order: &'a [usize],
    stack: Vec<usize>,
}

impl Walk<'_> {
    /// The innermost cut definition that contains the byte at a place. Places must be passed in order.
    pub fn holding(&mut self, at: usize) -> Option<usize> {
        while let Some((&place, rest)) =
            self.order.split_first().filter(|(place, _)| self.opened[**place].span.start() <= at)
        {
            self.leave(self.opened[place].span.start());
            self.stack.push(place);
            self.order = rest;
        }
        self.leave(at);
        self.stack.last().copied()
    }

    /// The innermost cut definition that extends over a place, so that a cut there cuts it. Places must be passed in
    /// order.
    pub fn cut_at(&mut self, at: usize) -> Option<usize> {
        while let Some((&place, rest)) =
            self.order.split_first().filter(|(place, _)| self.opened[**place].span.start() < at)
        {
            self.leave(self.opened[place].span.start());
            self.stack.push(place);
            self.order = rest;
        }
        self.leave(at);
        self.stack.last().copied()
    }

    fn leave(&mut self, at: usize) {
        while self.stack.last().is_some_and(|&place| self.opened[place].span.end() <= at) {
            self.stack.pop();
        }
    }
}
