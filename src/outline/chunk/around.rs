//! What is around a chunk: the definitions that had to be cut, and what is told of them before the text.

use super::{Context, Options};
use crate::outline::Definition;
use crate::text::Span;

/// A definition that is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// All of it, with what belongs to it.
    pub span: Span,
    /// Which definition it is.
    pub definition: usize,
    /// The one around it.
    outer: Option<usize>,
    depth: usize,
    room: usize,
}

impl Open {
    pub fn new(span: Span, definition: usize, outer: Option<usize>) -> Open {
        Open { span, definition, outer, depth: 0, room: 0 }
    }
}

/// The definitions that are cut, and the contexts of what is in them.
#[derive(Debug)]
pub(super) struct Around<'a> {
    options: &'a Options,
    path: &'a str,
    definitions: &'a [Definition],
    opened: Vec<Open>,
    /// The places of those opened, in order of their starts, the outer ones first.
    order: Vec<usize>,
    /// How much room there is outside of all of them.
    room: usize,
}

impl<'a> Around<'a> {
    pub fn new(options: &'a Options, path: &'a str, definitions: &'a [Definition]) -> Around<'a> {
        let mut around = Around { options, path, definitions, opened: Vec::new(), order: Vec::new(), room: 0 };
        around.room = around.room_beside(None);
        around
    }

    /// Notes a definition that is cut.
    pub fn open(&mut self, mut open: Open) -> usize {
        open.depth = open.outer.map_or(0, |outer| self.opened[outer].depth + 1);
        self.opened.push(open);
        let place = self.opened.len() - 1;
        self.opened[place].room = self.room_beside(Some(place));
        place
    }

    /// Puts them in order, once all are known.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.opened.len()).collect();
        order.sort_by_key(|&place| (self.opened[place].span.start(), std::cmp::Reverse(self.opened[place].span.end())));
        self.order = order;
    }

    /// Whether a definition is the one that is cut there.
    pub fn is_of(&self, open: Option<usize>, definition: usize) -> bool {
        open.is_some_and(|open| self.opened[open].definition == definition)
    }

    /// One of those opened.
    pub fn get(&self, open: usize) -> &Open {
        &self.opened[open]
    }

    /// It and those around it, the innermost first.
    pub fn chain(&self, open: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(open, |&place| self.opened[place].outer)
    }

    /// How many are around a place in it, itself counted.
    pub fn depth(&self, open: Option<usize>) -> usize {
        open.map_or(0, |open| self.opened[open].depth + 1)
    }

    /// How much fits that begins the text, before which there is none to tell again.
    pub fn room_at_start(&self) -> usize {
        self.room(None) + self.options.overlap
    }

    /// How much text fits beside the context of what is in it.
    pub fn room(&self, open: Option<usize>) -> usize {
        open.map_or(self.room, |open| self.opened[open].room)
    }

    fn room_beside(&self, open: Option<usize>) -> usize {
        let context: usize = self.context(open).iter().map(|line| self.options.count.of(line)).sum();
        self.options.max_tokens.saturating_sub(context + self.options.overlap).max(1)
    }

    /// The lines of the context of what stands in a definition. They take half of the room at most; what is farthest goes first.
    pub fn context(&self, open: Option<usize>) -> Vec<String> {
        let mut left = self.options.max_tokens.saturating_sub(self.options.overlap) / 2;
        let mut takes = |line: &str| {
            let size = self.options.count.of(line);
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        };
        match self.options.context {
            Context::None => Vec::new(),
            Context::Path => {
                let definition = open.map(|open| &self.definitions[self.opened[open].definition]);
                let qualname = definition.map_or("", |definition| definition.qualname.as_str());
                let gap = if self.path.is_empty() || qualname.is_empty() { "" } else { ": " };
                let line = format!("{}{gap}{qualname}\n", self.path);
                if line.len() > 1 && takes(&line) { vec![line] } else { Vec::new() }
            }
            Context::Full => {
                let mut chain = self.chain(open);
                let signature = |place: usize| {
                    let open = &self.opened[place];
                    let indent = "  ".repeat(open.depth.min(DEEPEST_INDENT));
                    format!("{indent}{}\n", self.definitions[open.definition].signature)
                };
                let mut lines = Vec::new();
                let mut going_on = true;
                if let Some(nearest) = chain.next().map(signature) {
                    going_on = takes(&nearest);
                    lines.extend(going_on.then_some(nearest));
                }
                let path = Some(format!("{}\n", self.path)).filter(|line| line.len() > 1 && takes(line));
                while going_on && let Some(line) = chain.next().map(signature).filter(|line| takes(line)) {
                    lines.push(line);
                }
                lines.extend(path);
                lines.reverse();
                lines
            }
        }
    }

    /// A way through the text that tells what is around each place.
    pub fn walk(&self) -> Walk<'_> {
        Walk { opened: &self.opened, order: &self.order, stack: Vec::new() }
    }
}

/// How many levels of definitions are indented in a context.
const DEEPEST_INDENT: usize = 16;

/// Goes through a text from its start on, and knows what is open.
pub(super) struct Walk<'a> {
    opened: &'a [Open],
    order: &'a [usize],
    stack: Vec<usize>,
}

impl Walk<'_> {
    /// The innermost one that holds the byte at a place. Asked for in order.
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

    /// The innermost one that goes over a place, so that a cut there cuts it. Asked for in order.
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
