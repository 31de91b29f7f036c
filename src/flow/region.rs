//! Which statements or which expression a range of a text means.

use super::{Flow, Refusal, Region};
use crate::selector::Kinds;
use crate::text::Span;
use crate::tree::{Node, Tree};

/// The kinds of expressions.
const EXPRESSIONS: &[&str] = &["expr", "call", "lambda", "string", "number", "name", "collection", "await"];

impl Flow<'_> {
    /// The whole statements, or the expression, with exactly this text; white space at its ends does not count.
    ///
    /// # Errors
    /// If the text is neither.
    pub(crate) fn region(&self, span: Span, wants_expression: bool) -> Result<Region, Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        let span = trimmed(tree, span);
        if span.is_empty() {
            return Err(Refusal::request(span.start(), "the range is empty"));
        }
        if wants_expression {
            return self.expression(span);
        }
        let inner = table.smallest_around(span);
        let same: Vec<Node> = self.path(inner).take_while(|&node| tree.span(node) == span).collect();
        let is_statement = |node: Node| table.parent(node).is_some_and(|parent| self.holds_statements(parent));
        if let Some(&only) = same.iter().find(|&&node| is_statement(node) && !tree.is_comment(node)) {
            return Ok(Region { first: only, last: only, span, is_expression: false });
        }
        if !same.is_empty()
            && !self.holds_statements(inner)
            && let Ok(region) = self.expression(span)
        {
            return Ok(region);
        }
        let holder = self.path(inner).find(|&node| self.holds_statements(node)).unwrap_or(Node::ROOT);
        let children = table.children(holder).filter(|&child| table.is_named(child) && !tree.span(child).is_empty());
        let units: Vec<Node> = children.filter(|&child| tree.span(child).overlaps(span)).collect();
        let (Some(&first), Some(&last)) = (units.first(), units.last()) else {
            return Err(self.not_whole(span));
        };
        let covered = tree.span(first).join(trimmed(tree, tree.span(last)));
        let whole = trimmed(tree, Span::new(covered.start(), covered.end()));
        // A separator after the last statement may be part of the range.
        let rest = span.end() > whole.end() && tree.text().slice(Span::new(whole.end(), span.end())).trim() == ";";
        if span.start() > whole.start()
            || span.end() < whole.end()
            || span.start() < whole.start()
            || (span.end() > whole.end() && !rest)
        {
            return Err(self.not_whole(span));
        }
        let is_code = |&unit: &Node| !tree.is_comment(unit);
        if !units.iter().any(is_code) {
            return Err(Refusal::request(span.start(), "the range has only comments"));
        }
        let role = |unit: Node| tree.language().role(table.type_id(unit));
        if let Some(&clause) = units.iter().find(|&&unit| role(unit).clause || role(unit).label || role(unit).section) {
            return Err(Refusal::request(tree.span(clause).start(), "a part of a statement is in the range"));
        }
        let last = if is_code(&last) { last } else { *units.iter().rev().find(|unit| is_code(unit)).unwrap_or(&last) };
        // Comments after the last statement stay where they are.
        let end = trimmed(tree, tree.span(last)).end();
        Ok(Region { first, last, span: Span::new(whole.start(), end), is_expression: false })
    }

    fn expression(&self, span: Span) -> Result<Region, Refusal> {
        let (tree, table) = (self.tree, self.tree.table());
        let inner = table.smallest_around(span);
        let inner = self.inside_plain(inner);
        let kinds = Kinds::new(tree);
        let mut same = self
            .path(inner)
            .filter(|&node| table.is_named(node))
            .take_while(|&node| trimmed(tree, tree.span(node)) == trimmed(tree, tree.span(inner)));
        let is_exact = trimmed(tree, tree.span(inner)) == span
            || self.holder_of(inner).is_some_and(|holder| trimmed(tree, tree.span(holder)) == span);
        let is_value = |node: Node| {
            EXPRESSIONS.iter().any(|kind| kinds.is(node, kind)) && !self.is(node, &self.rules.not_expressions)
        };
        let found = same.find(|&node| is_value(node) && !self.is(node, &self.rules.plain));
        let Some(node) = found.filter(|_| is_exact) else {
            let error = Refusal::request(span.start(), "the range is not exactly one expression");
            return Err(error.hint("give its first and last character as `PATH:LINE:COL-LINE:COL`"));
        };
        let around =
            self.path(node).take_while(|&at| !table.parent(at).is_some_and(|parent| self.holds_statements(parent)));
        for at in around {
            let is_place = self.fits(at, &self.rules.not_values)
                || self.scopes.fits(at, &self.scopes.rules.patterns).is_some()
                    && self.scopes.reaches(at, &self.scopes.rules.bindings).is_some();
            if is_place {
                return Err(Refusal::request(span.start(), "the expression is not a value at this place"));
            }
            // What is inside of a function or a value of its own is a value there.
            if self.is(at, &self.rules.functions) {
                break;
            }
        }
        Ok(Region { first: node, last: node, span: trimmed(tree, tree.span(node)), is_expression: true })
    }

    /// The expression that is a whole statement.
    fn inside_plain(&self, node: Node) -> Node {
        let mut node = node;
        while self.is(node, &self.rules.plain)
            && let Some(only) = self.tree.named_children(node).next()
        {
            node = only;
        }
        node
    }

    fn holder_of(&self, node: Node) -> Option<Node> {
        self.tree.table().parent(node).filter(|&parent| self.is(parent, &self.rules.plain))
    }

    fn not_whole(&self, span: Span) -> Refusal {
        let error =
            Refusal::request(span.start(), "the range is neither whole statements of one block nor one expression");
        error.hint("give the first and the last line of the statements, or the columns of an expression")
    }
}

/// A span without the white space at its ends.
pub(crate) fn trimmed(tree: &Tree, span: Span) -> Span {
    let text = tree.text().slice(span);
    let start = span.start() + (text.len() - text.trim_start().len());
    Span::new(start.min(span.end()), (span.start() + text.trim_end().len()).max(start.min(span.end())))
}
