//! The import statements of a file, in blocks: what stands between two of them is blank, or a comment.

use std::ops::Range;

use crate::language::{LazyRegex, Organize};
use crate::scopes::imported::{self, Imported};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A name in an import statement.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) node: Node,
    pub(crate) span: Span,
    pub(crate) text: String,
    /// What is imported.
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    /// The name that it binds.
    pub(crate) bound: Option<String>,
    pub(crate) is_glob: bool,
    /// Whether its alias is its own name, which exports it.
    pub(crate) renames_itself: bool,
    /// Comments on lines of their own above it, and after it.
    pub(crate) above: Vec<String>,
    pub(crate) after: Vec<String>,
}

/// How the list of a statement is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListLayout {
    pub(crate) has_brackets: bool,
    /// Whether it has several lines.
    pub(crate) is_wrapped: bool,
    /// Whether its first name is on the line of the bracket, though it has several lines.
    pub(crate) is_grid: bool,
    pub(crate) has_trailing_comma: bool,
    /// Whether a blank is inside the brackets of one line.
    pub(crate) is_spaced: Option<bool>,
    /// The indentation of names on lines of their own, after that of the statement.
    pub(crate) indent: Option<String>,
}

/// An import statement.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) node: Node,
    pub(crate) span: Span,
    /// As it is written.
    pub(crate) text: String,
    /// Whether it is to be written anew.
    pub(crate) is_changed: bool,
    /// The module, for names from one.
    pub(crate) source: String,
    /// What is before the names, and where.
    pub(crate) prefix: String,
    pub(crate) prefix_span: Span,
    /// What is after them.
    pub(crate) suffix: String,
    /// Names that are not in a list: a default import, a namespace.
    pub(crate) alone: Vec<Member>,
    pub(crate) list: Vec<Member>,
    pub(crate) has_list: bool,
    /// Whether it imports names from a module.
    pub(crate) is_from: bool,
    /// Whether it is written as one statement for each name.
    pub(crate) is_single: bool,
    /// Whether it must come first.
    pub(crate) is_first: bool,
    /// Whether names of another statement may be added.
    pub(crate) is_open: bool,
    pub(crate) layout: ListLayout,
    /// Comments above it, on its first line, and at the end of its list.
    pub(crate) above: Vec<String>,
    pub(crate) inline: Vec<String>,
    pub(crate) tail: Vec<String>,
    /// How many of the comments on its line come after it.
    pub(crate) outside: usize,
    /// How many line ends are before it and its comments, if it is not the first.
    pub(crate) breaks: usize,
    /// Whether a blank line is before it, or among its comments.
    pub(crate) begins_group: bool,
    /// Whether its names are not removed.
    pub(crate) keeps_names: bool,
}

impl Statement {
    /// All names, in order.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        self.alone.iter().chain(&self.list)
    }

    /// The module, or what stands for it where there is none.
    pub(crate) fn module(&self) -> &str {
        match self.source.is_empty() {
            true => self.members().next().map_or("", |member| &member.name),
            false => &self.source,
        }
    }
}

/// Import statements with nothing but comments between them.
#[derive(Debug)]
pub(crate) struct Block {
    /// The node with the statements.
    pub(crate) holder: Node,
    /// From the first statement to the end of the last one's line.
    pub(crate) span: Span,
    /// The indentation of its lines.
    pub(crate) indent: String,
    pub(crate) statements: Vec<Statement>,
    /// How many statements and other nodes the holder has beside these.
    pub(crate) others: usize,
}

/// The blocks of a file, in order of the text.
pub(crate) fn blocks(tree: &Tree, rule: &Organize) -> Vec<Block> {
    let table = tree.table();
    let types = &tree.language().spec().imports.types;
    let mut holders: Vec<(Node, Vec<Node>)> = Vec::new();
    for node in table.nodes() {
        let Some(parent) = table.parent(node) else { continue };
        let in_block = rule.blocks.contains(table.type_id(parent)) && table.is_named(node) && !tree.is_comment(node);
        let is_import = || types.contains(table.type_id(node)) && imported::is_import(tree, node);
        let has_block = || table.descendants(node).any(|inner| rule.blocks.contains(table.type_id(inner)));
        if !in_block && (!is_import() || has_block()) {
            continue;
        }
        match holders.iter_mut().rev().find(|(holder, _)| *holder == parent) {
            Some((_, units)) => units.push(node),
            None => holders.push((parent, vec![node])),
        }
    }
    let comments: Vec<Span> =
        table.nodes().filter(|&node| is_comment(tree, node)).map(|node| table.span(node)).collect();
    let mut found = Vec::new();
    for (holder, units) in holders {
        let named = table.children(holder).filter(|&child| table.is_named(child) && !tree.is_comment(child)).count();
        let reader = Reader { tree, rule, comments: &comments };
        reader.read(holder, &units, named, &mut found);
    }
    found.sort_by_key(|block: &Block| block.span.start());
    found
}

/// Whether a node is a comment, and not the mark that continues a line.
pub(crate) fn is_comment(tree: &Tree, node: Node) -> bool {
    tree.is_comment(node) && !tree.node_text(node).starts_with('\\')
}

struct Reader<'a> {
    tree: &'a Tree,
    rule: &'a Organize,
    comments: &'a [Span],
}

/// A statement with the places around it.
struct Placed {
    statement: Statement,
    /// The end of its line, with a comment.
    end: usize,
}

impl Reader<'_> {
    fn read(&self, holder: Node, units: &[Node], named: usize, found: &mut Vec<Block>) {
        let mut run: Vec<Placed> = Vec::new();
        let mut is_off = false;
        let mut last_end = None;
        let finish = |run: &mut Vec<Placed>, found: &mut Vec<Block>| {
            let Some((first, last)) = run.first().zip(run.last()) else { return };
            let span = Span::new(first.statement.span.start(), last.end);
            let line = self.tree.text().line_around(span.start());
            let indent = self.text(Span::new(line.start(), span.start()));
            let others = named.saturating_sub(run.len());
            let statements = run.drain(..).map(|placed| placed.statement).collect();
            found.push(Block { holder, span, indent, statements, others });
        };
        for &unit in units {
            let span = self.tree.span(unit);
            // A comment anywhere above the first statement counts.
            let from = last_end.unwrap_or(0);
            let gap = Span::new(from.min(span.start()), span.start());
            let between: Vec<Span> = self.comments_in(gap).map(|index| self.comments[index]).collect();
            for comment in &between {
                let text = self.text(*comment);
                is_off = (is_off || is_match(&self.rule.off, &text)) && !is_match(&self.rule.on, &text);
                if is_match(&self.rule.split, &text)
                    || is_match(&self.rule.off, &text)
                    || is_match(&self.rule.on, &text)
                {
                    finish(&mut run, found);
                }
            }
            if !self.is_blank_but(gap, &between) {
                finish(&mut run, found);
            }
            let placed = self.statement(unit);
            let end = placed.as_ref().map_or(span.end(), |placed| placed.end);
            last_end = Some(end);
            let above: Vec<String> = between.iter().map(|&comment| self.text(comment)).collect();
            let is_skipped = above.last().is_some_and(|above| is_match(&self.rule.skip, above));
            let Some(mut placed) = placed.filter(|_| !is_off && !is_skipped) else {
                finish(&mut run, found);
                continue;
            };
            let is_next = !run.is_empty();
            if let Some(before) = run.last()
                && self.indent_of(before.statement.span) != self.indent_of(span)
            {
                finish(&mut run, found);
            } else if is_next {
                let gap = self.text(gap);
                let breaks = gap.matches('\n').count();
                let is_empty = |(at, line): (usize, &str)| at > 0 && at < breaks && line.trim().is_empty();
                placed.statement.breaks = breaks.saturating_sub(above.len()).max(1);
                placed.statement.begins_group = gap.split('\n').enumerate().any(is_empty);
                placed.statement.above = above;
            }
            run.push(placed);
        }
        finish(&mut run, found);
    }

    fn text(&self, span: Span) -> String {
        self.tree.text().slice(span).into_owned()
    }

    fn indent_of(&self, span: Span) -> String {
        let line = self.tree.text().line_around(span.start());
        self.text(Span::new(line.start(), span.start()))
    }

    fn comments_in(&self, span: Span) -> Range<usize> {
        let from = self.comments.partition_point(|comment| comment.start() < span.start());
        let to = self.comments.partition_point(|comment| comment.start() < span.end());
        from..to.max(from)
    }

    /// Whether a span is blank without some comments in it.
    fn is_blank_but(&self, span: Span, comments: &[Span]) -> bool {
        let mut at = span.start();
        for comment in comments {
            if comment.end() > span.end() || !self.text(Span::new(at, comment.start())).trim().is_empty() {
                return false;
            }
            at = comment.end();
        }
        self.text(Span::new(at, span.end())).trim().is_empty()
    }

    /// Reads a statement; `None` if it is to be left where it is.
    fn statement(&self, unit: Node) -> Option<Placed> {
        let (tree, table, rule) = (self.tree, self.tree.table(), self.rule);
        let imports = &tree.language().spec().imports;
        if table.has_error(unit) {
            return None;
        }
        // Some grammars include the end of the line.
        let whole = tree.span(unit);
        let text = self.text(whole);
        let span = Span::new(whole.start(), whole.start() + text.trim_end().len());
        let text = text.trim_end().to_owned();
        let line = tree.text().line_around(span.end());
        let before = self.indent_of(span);
        let mut inline = Vec::new();
        let mut end = span.end();
        for index in self.comments_in(Span::new(span.end(), line.end().max(span.end()))) {
            let comment = self.comments[index];
            if !self.text(Span::new(end, comment.start())).trim().is_empty() || self.text(comment).contains('\n') {
                return None;
            }
            inline.push(self.text(comment));
            end = comment.end();
        }
        let rest = self.text(Span::new(end, line.end().max(end)));
        if !before.trim().is_empty() || !rest.trim().is_empty() {
            return None;
        }
        if inline.iter().any(|comment| is_match(&rule.skip, comment)) {
            return None;
        }
        let outside = inline.len();
        let read = imported::read(tree, unit);
        let is_bare = read.iter().any(|one| one.node == unit);
        if is_bare && !rule.lists.is_empty() && read.iter().all(|one| one.bound.is_none() && !one.is_glob) {
            // It is there for its effects.
            return None;
        }
        let holder_of = |node: Node| table.parent(node).map(|parent| table.type_id(parent));
        let in_list =
            |one: &Imported| one.node != unit && holder_of(one.node).is_some_and(|id| rule.lists.contains(id));
        let list_node = read.iter().find(|one| in_list(one)).and_then(|one| table.parent(one.node));
        let list_node = list_node
            .or_else(|| table.descendants(unit).find(|&node| node != unit && rule.lists.contains(table.type_id(node))));
        let is_clause =
            |one: &Imported| one.node != unit && holder_of(one.node).is_some_and(|id| rule.clauses.contains(id));
        let is_open = read.iter().all(|one| in_list(one) || is_clause(one)) && !read.iter().any(|one| one.is_glob);
        let (list, alone): (Vec<&Imported>, Vec<&Imported>) = read.iter().partition(|one| in_list(one));
        let member = |one: &Imported| self.member(one);
        let mut alone: Vec<Member> = alone.into_iter().map(member).collect();
        let mut list: Vec<Member> = list.into_iter().map(member).collect();
        if alone.iter().chain(&list).any(|member| member.text.contains('\n')) {
            return None;
        }
        // The brackets, if there are any.
        let bracket = |index: usize| {
            let text = rule.brackets.get(index)?;
            let mut tokens = table.children(list_node?).filter(|&child| !table.is_named(child));
            tokens.find(|&child| *tree.node_text(child) == **text)
        };
        let (open, close) = (bracket(0), bracket(1));
        let first = alone
            .iter()
            .chain(&list)
            .map(|member| member.span.start())
            .chain(open.map(|open| tree.span(open).start()))
            .min();
        let last = alone
            .iter()
            .chain(&list)
            .map(|member| member.span.end())
            .chain(close.map(|close| tree.span(close).end()))
            .max();
        let (prefix_span, suffix_span) =
            (Span::new(span.start(), first?), Span::new(last?.min(span.end()), span.end()));
        let mut layout = ListLayout { has_brackets: open.is_some(), ..ListLayout::default() };
        let mut tail = Vec::new();
        for index in self.comments_in(span) {
            let comment = self.comments[index];
            let (open, close) = (open?, close?);
            if comment.start() < tree.span(open).end() || comment.end() > tree.span(close).start() {
                return None;
            }
            let text = self.text(comment);
            if text.contains('\n') {
                return None;
            }
            let is_own = self.indent_of(comment).trim().is_empty();
            let next = list.iter().position(|member| member.span.start() > comment.start());
            match (is_own, next) {
                (true, Some(next)) => list[next].above.push(text),
                (true, None) => tail.push(text),
                (false, Some(0)) => inline.push(text),
                (false, Some(next)) => list[next - 1].after.push(text),
                (false, None) => list.last_mut()?.after.push(text),
            }
        }
        if let (Some(open), Some(close)) = (open, close) {
            let (open, close) = (tree.span(open), tree.span(close));
            let inside = self.text(Span::new(open.end(), close.start()));
            layout.is_wrapped = inside.contains('\n');
            let first_line = inside.lines().next().unwrap_or_default();
            layout.is_grid = layout.is_wrapped
                && !first_line.trim().is_empty()
                && self
                    .comments_in(Span::new(open.end(), list.first().map_or(close.start(), |first| first.span.start())))
                    .is_empty();
            layout.has_trailing_comma = list
                .last()
                .is_some_and(|last| self.text(Span::new(last.span.end(), close.start())).trim_start().starts_with(','));
            if !layout.is_wrapped && !list.is_empty() {
                layout.is_spaced = Some(inside.starts_with(' '));
            }
            if layout.is_wrapped
                && !layout.is_grid
                && let Some(first) = list.first()
            {
                let indent = self.indent_of(first.span);
                layout.indent = indent.strip_prefix(&before).filter(|rest| rest.trim().is_empty()).map(str::to_owned);
            }
        } else if list_node.is_some() {
            layout.is_wrapped = text.contains('\n');
        }
        alone.iter_mut().for_each(|member| member.above.clear());
        let keeps_names = inline
            .iter()
            .chain(list.iter().flat_map(|member| &member.after))
            .any(|comment| is_match(&rule.keep, comment));
        let has_list = list_node.is_some();
        let is_single = rule.single.contains(table.type_id(unit));
        let source = read.iter().map(|one| one.source.clone()).next().unwrap_or_default();
        let head = self.text(prefix_span);
        let prefix_span = Span::new(prefix_span.start(), prefix_span.start() + head.trim_end().len());
        let prefix = collapse(&head);
        let suffix = self.text(suffix_span).trim_start().to_owned();
        if prefix.contains('\n') || suffix.contains('\n') {
            return None;
        }
        let statement = Statement {
            node: unit,
            span,
            text,
            is_changed: false,
            is_from: has_list && !is_single,
            source,
            prefix,
            prefix_span,
            suffix,
            alone,
            list,
            has_list,
            is_single,
            is_first: table.fits_any(unit, &imports.first),
            is_open,
            layout,
            above: Vec::new(),
            inline,
            tail,
            outside,
            breaks: 1,
            begins_group: false,
            keeps_names,
        };
        Some(Placed { statement, end })
    }

    fn member(&self, one: &Imported) -> Member {
        let span = self.tree.span(one.node);
        let text = self.text(span);
        let span = Span::new(span.start(), span.start() + text.trim_end().len());
        Member {
            node: one.node,
            span,
            text: text.trim_end().to_owned(),
            name: one.name.clone(),
            alias: one.alias.clone(),
            bound: one.bound.clone(),
            is_glob: one.is_glob,
            renames_itself: one.renames_itself,
            above: Vec::new(),
            after: Vec::new(),
        }
    }
}

/// A text with one blank for each space, and without marks that continue a line.
fn collapse(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    words.join(" ")
}

pub(crate) fn is_match(regex: &Option<LazyRegex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.get().is_match(text))
}
