//! What reads and writes variables, and what is certainly evaluated before what: the analysis for code that moves.

use crate::language::{self, Places, TypeSet};
use crate::scopes::{Scopes, Symbol};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// How deeply statements are followed.
const DEPTH: usize = 200;

/// Consecutive statements, or one expression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region {
    pub(crate) first: Node,
    pub(crate) last: Node,
    pub(crate) span: Span,
    pub(crate) is_expression: bool,
}

/// A variable with all its uses in the file.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) symbol: Symbol,
    pub(crate) uses: Vec<VariableUse>,
}

/// A place where a variable is read or written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VariableUse {
    pub(crate) node: Node,
    pub(crate) span: Span,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// It is written by a binding, which may be the first one.
    pub(crate) binds: bool,
    pub(crate) unbinds: bool,
    /// The function that it is evaluated in.
    pub(crate) function: Node,
}

/// What evaluating a node to its end does.
#[derive(Debug, Clone, Copy)]
struct Done {
    writes: bool,
    completes: bool,
}

/// The flow of control and values in a file.
pub(crate) struct Flow<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) rules: &'static language::Flow,
    pub(crate) scopes: Scopes<'t>,
}

impl<'t> Flow<'t> {
    pub(crate) fn new(tree: &'t Tree) -> Flow<'t> {
        Flow { tree, rules: &tree.language().spec().flow, scopes: Scopes::new(tree) }
    }

    pub(crate) fn is(&self, node: Node, types: &TypeSet) -> bool {
        types.contains(self.tree.table().type_id(node))
    }

    pub(crate) fn fits(&self, node: Node, places: &Places) -> bool {
        self.tree.table().place_of(node, places).is_some()
    }

    /// Whether the children of a node are statements.
    pub(crate) fn holds_statements(&self, node: Node) -> bool {
        let role = self.tree.language().role(self.tree.table().type_id(node));
        node == Node::ROOT || role.section || role.body && !role.list && !role.outer_body
    }

    /// The nodes of a region, from the first to the end of the last.
    pub(crate) fn nodes(&self, region: Region) -> impl Iterator<Item = Node> + use<> {
        let table = self.tree.table();
        table.range(region.first.index(), table.subtree_end(region.last))
    }

    /// A node and those around it.
    pub(crate) fn path(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::once(node).chain(self.tree.table().ancestors(node))
    }

    /// The function whose evaluation evaluates a scope; the file, if there is none.
    pub(crate) fn function_of_scope(&self, scope: Node) -> Node {
        let mut at = scope;
        while at != Node::ROOT && !self.is(at, &self.rules.functions) {
            at = self.scopes.around(at);
        }
        at
    }

    /// The function that evaluates a node.
    pub(crate) fn function_of(&self, node: Node) -> Node {
        self.function_of_scope(self.scopes.around(node))
    }

    /// Whether a node is in another function inside of a region.
    pub(crate) fn is_in_nested(&self, node: Node, region: Region) -> bool {
        let mut functions = self.path(node).take_while(|&at| region.span.contains(self.tree.span(at)));
        functions.any(|at| self.is(at, &self.rules.functions) && at != node)
    }

    /// The variables that are used in some nodes, each once, in the order of their first use, without a look at parts.
    pub(super) fn plain_variables(&self, nodes: impl Iterator<Item = Node>) -> Vec<Variable> {
        let mut all: Vec<Variable> = Vec::new();
        for node in nodes.filter(|&node| self.scopes.is_identifier(node)) {
            let names = self.scopes.names_like(node);
            let Some(symbol) = names.at(node).and_then(|found| names.resolve(&self.scopes, found)) else { continue };
            let name = self.tree.node_text(node).into_owned();
            if all.iter().any(|known| known.name == name && known.symbol.is(symbol)) {
                continue;
            }
            let uses = names.meaning(&self.scopes, symbol);
            let uses = uses.map(|found| self.used(found.name, found.does.is_binding())).collect();
            all.push(Variable { name, symbol, uses });
        }
        all
    }

    fn used(&self, node: Node, binds: bool) -> VariableUse {
        let is_update = self.scopes.reaches(node, &self.rules.updates).is_some();
        let unbinds = self.scopes.reaches(node, &self.rules.unbinds).is_some();
        let parent = self.tree.table().parent(node);
        let is_unset = binds && parent.is_some_and(|parent| self.tree.table().fits_any(parent, &self.rules.unset));
        let writes = binds && !is_unset || is_update || self.scopes.reaches(node, &self.rules.writes).is_some();
        let function = self.function_of(node);
        let span = self.tree.span(node);
        VariableUse { node, span, reads: !writes && !binds || is_update || unbinds, writes, binds, unbinds, function }
    }

    /// Whether a part of a node may be left out when the node is evaluated.
    fn is_skipped(&self, node: Node, lenient: bool) -> bool {
        self.fits(node, &self.rules.maybe)
            || self.fits(node, &self.rules.guarded)
            || self.is(node, &self.rules.handlers)
            || !lenient && self.fits(node, &self.rules.entered)
    }

    /// Whether some of these places are written whenever a node is evaluated to its end.
    pub(crate) fn surely_writes(&self, node: Node, writes: &[Node], lenient: bool) -> bool {
        self.done(node, writes, lenient, 0).writes
    }

    /// Whether the statement after these is not reached.
    pub(crate) fn never_ends(&self, node: Node) -> bool {
        !self.done(node, &[], false, 0).completes
    }

    fn done(&self, node: Node, writes: &[Node], lenient: bool, depth: usize) -> Done {
        let table = self.tree.table();
        if self.is(node, &self.rules.functions) {
            let names = writes.iter().any(|&write| table.parent(write) == Some(node));
            return Done { writes: names, completes: true };
        }
        if self.is(node, &self.rules.exits) {
            return Done { writes: true, completes: false };
        }
        let is_part = |child: Node| {
            self.is_skipped(child, false)
                || self.holds_statements(child)
                || table.children(child).any(|inner| self.holds_statements(inner))
        };
        let is_compound = self.holds_statements(node) || table.children(node).any(is_part);
        if !is_compound || depth > DEPTH {
            return Done { writes: self.writes_inside(node, writes), completes: true };
        }
        let is_complete = table.fits_any(node, &self.rules.complete);
        let (mut done, mut completes) = (false, true);
        let (mut arms, mut handlers, mut guarded) = (Vec::new(), Vec::new(), None);
        for child in table.children(node).filter(|&child| table.is_named(child)) {
            let part = || self.done(child, writes, lenient, depth + 1);
            if self.is(child, &self.rules.handlers) {
                handlers.push(self.done_whole(child, writes, lenient, depth + 1));
            } else if self.fits(child, &self.rules.maybe) {
                if is_complete {
                    arms.push(self.done_whole(child, writes, lenient, depth + 1));
                }
            } else if self.fits(child, &self.rules.guarded) {
                guarded = Some(part());
            } else if lenient || !self.fits(child, &self.rules.entered) {
                let part = part();
                done |= part.writes;
                if !part.completes {
                    completes = false;
                    break;
                }
            }
        }
        let writes_or_leaves = |part: &Done| part.writes || !part.completes;
        if !arms.is_empty() {
            done |= arms.iter().all(writes_or_leaves);
            completes &= arms.iter().any(|arm| arm.completes);
        }
        if let Some(guarded) = guarded {
            done |= writes_or_leaves(&guarded) && handlers.iter().all(writes_or_leaves);
            completes &= guarded.completes || handlers.iter().any(|handler| handler.completes);
        }
        Done { writes: done || !completes, completes }
    }

    /// The same for a branch, or a clause around one.
    fn done_whole(&self, node: Node, writes: &[Node], lenient: bool, depth: usize) -> Done {
        if self.holds_statements(node) || !self.tree.table().children(node).any(|child| self.holds_statements(child)) {
            return self.done(node, writes, lenient, depth);
        }
        let mut whole = Done { writes: false, completes: true };
        for child in self.tree.named_children(node) {
            let part = self.done_whole(child, writes, lenient, depth + 1);
            whole.writes |= part.writes;
            whole.completes &= part.completes;
        }
        whole
    }

    /// Whether an expression, or a statement without others, writes one of the places whenever it is evaluated.
    fn writes_inside(&self, node: Node, writes: &[Node]) -> bool {
        let table = self.tree.table();
        writes.iter().filter(|&&write| table.is_within(write, node)).any(|&write| {
            let mut around = self.path(write).take_while(|&at| at != node);
            around.all(|at| !self.fits(at, &self.rules.maybe) && (at == write || !self.is(at, &self.rules.functions)))
        })
    }

    /// Whether one of the places is certainly written before a node is evaluated, by something inside of `top` that begins at
    /// `from` or later.
    pub(crate) fn written_before(&self, node: Node, top: Node, from: usize, writes: &[Node], lenient: bool) -> bool {
        let table = self.tree.table();
        let mut child = node;
        while child != top {
            let Some(parent) = table.parent(child) else { return false };
            let is_body = self.is_skipped(child, false)
                || self.fits(child, &self.rules.entered)
                || self.holds_statements(child)
                || self.holds_statements(parent)
                || self.is(parent, &self.rules.functions);
            if is_body {
                let before = table.children(parent).take_while(|&sibling| sibling != child);
                let mut before =
                    before.filter(|&sibling| table.is_named(sibling) && self.tree.span(sibling).start() >= from);
                if before
                    .any(|sibling| !self.is_skipped(sibling, lenient) && self.surely_writes(sibling, writes, lenient))
                {
                    return true;
                }
            }
            child = parent;
        }
        false
    }

    /// The loops of a function around a node.
    pub(crate) fn loops(&self, node: Node, function: Node) -> Vec<Node> {
        let around = self.tree.table().ancestors(node).take_while(|&at| at != function);
        around.filter(|&at| self.is(at, &self.rules.loops)).collect()
    }

    /// Whether only one of two nodes is evaluated, as they are in different branches.
    pub(crate) fn are_exclusive(&self, one: Node, other: Node) -> bool {
        let table = self.tree.table();
        let mut child = one;
        while let Some(parent) = table.parent(child) {
            if table.is_within(other, parent) {
                let arm = self.path(other).find(|&at| table.parent(at) == Some(parent));
                let Some(arm) = arm.filter(|&arm| arm != child) else { return false };
                return !self.is(parent, &self.rules.loops)
                    && self.fits(child, &self.rules.maybe)
                    && self.fits(arm, &self.rules.maybe);
            }
            child = parent;
        }
        false
    }

    /// The statement around a node, and the node that has the statement as a child.
    pub(crate) fn statement(&self, node: Node) -> Option<Node> {
        let table = self.tree.table();
        self.path(node).find(|&at| table.parent(at).is_some_and(|parent| self.holds_statements(parent)))
    }

    /// Whether evaluating some nodes may change something; what only makes a function does not.
    pub(crate) fn first_effect(&self, node: Node) -> Option<Node> {
        self.first_of(node, &self.rules.effects)
    }

    /// The first node of some types that is evaluated with a node, functions left out.
    pub(crate) fn first_of(&self, node: Node, types: &TypeSet) -> Option<Node> {
        let table = self.tree.table();
        let mut at = node.index();
        while at < table.subtree_end(node) {
            let inner = table.range(at, at + 1).next()?;
            if self.is(inner, types) {
                return Some(inner);
            }
            let is_function = self.is(inner, &self.rules.functions);
            at = if is_function { table.subtree_end(inner) } else { at + 1 };
        }
        None
    }

    /// The first statement that does something when the file is loaded as a module, and is no definition; or the decorator of one. What
    /// belongs to the definitions in `without` does not count.
    pub(crate) fn effect_of_loading(&self, without: &[String]) -> Option<Node> {
        let is_left_out = |statement: &Node| {
            let definition = self.tree.inner(*statement).unwrap_or(*statement);
            let name = self.tree.name_node(definition).map(|name| self.tree.node_text(name));
            name.is_some_and(|name| without.iter().any(|one| *one == *name))
        };
        let mut statements = self.tree.named_children(Node::ROOT).filter(|statement| !is_left_out(statement));
        statements.find_map(|statement| self.effect_of_statement(statement, 0))
    }

    fn effect_of_block(&self, block: Node, depth: usize) -> Option<Node> {
        self.tree.named_children(block).find_map(|statement| self.effect_of_statement(statement, depth))
    }

    fn effect_of_statement(&self, statement: Node, depth: usize) -> Option<Node> {
        let (tree, table, rules) = (self.tree, self.tree.table(), self.rules);
        let symbols = &tree.language().spec().symbols;
        let does = |node: Node| self.is(node, &rules.effects);
        if does(statement) {
            return Some(statement);
        }
        if self.is(statement, &rules.plain) {
            let inner = || table.range(statement.index(), table.subtree_end(statement));
            let is_target = |node: Node| self.fits(node, &rules.writes) || self.fits(node, &rules.not_values);
            let is_callee = |node: Node| table.parent(node).is_some_and(|parent| tree.callee(parent).is_some());
            let is_changed = |node: Node| self.is(node, &rules.states) && is_target(node) && !is_callee(node);
            let acts = tree.named_children(statement).any(does) || inner().any(is_changed);
            return acts.then_some(statement);
        }
        let definition = tree.inner(statement).unwrap_or(statement);
        let is_class_code = symbols.hidden_uses.class_code.contains(table.type_id(definition));
        let is_function = !is_class_code && self.is(definition, &rules.functions);
        if is_function || tree.is_scope(definition) {
            let decorators = &symbols.decorators;
            let acts = |decorator: &Node| {
                let word = tree.decorator_word(*decorator);
                !decorators.plain.iter().chain(&decorators.properties).any(|known| *known == *word)
            };
            let decorator = tree.decorators(definition).into_iter().find(acts);
            if decorator.is_some() || is_function {
                return decorator;
            }
        }
        if depth > DEPTH || self.is_of_program(definition) {
            return None;
        }
        // `export const x = await y`, `let x = globalThis.n ??= 4`
        let is_outside = |node: Node| self.function_of(node) == Node::ROOT;
        let acts = |&node: &Node| does(node) && tree.callee(node).is_none() && is_outside(node);
        if tree.table().range(definition.index(), table.subtree_end(definition)).any(|node| acts(&node)) {
            return Some(statement);
        }
        let holds_inside =
            |node: Node| table.range(node.index(), table.subtree_end(node)).any(|inner| self.holds_statements(inner));
        tree.named_children(definition).find_map(|child| match self.holds_statements(child) {
            true => self.effect_of_block(child, depth + 1),
            false if self.is(child, &rules.plain) || holds_inside(child) => self.effect_of_statement(child, depth + 1),
            false => None,
        })
    }

    /// Whether a statement runs its blocks only if its file is the program, not a module: `if __name__ == "__main__"`.
    pub(crate) fn is_of_program(&self, statement: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let programs = &tree.language().spec().symbols.hidden_uses.programs;
        let names_it = |node: Node| {
            let text = tree.node_text(node);
            tree.language().role(table.type_id(node)).string
                && programs.iter().any(|word| *word == *text.trim_matches(['"', '\'']))
        };
        let head = tree.named_children(statement).take_while(|&child| !self.holds_statements(child));
        head.flat_map(|child| table.range(child.index(), table.subtree_end(child))).any(names_it)
    }

    /// Code that runs when a definition is reached, and may do something: code in the body of a class, a default value.
    pub(crate) fn effect_of_defining(&self, definition: Node) -> Option<Node> {
        if !self.rules.runs_classes {
            return None;
        }
        let table = self.tree.table();
        let inside = table.range(definition.index(), table.subtree_end(definition));
        inside.filter(|&node| self.is(node, &self.rules.effects)).find(|&effect| self.runs_with(definition, effect))
    }

    /// Whether a node in a definition runs when that is reached, and not when something calls it.
    fn runs_with(&self, definition: Node, node: Node) -> bool {
        let (tree, table) = (self.tree, self.tree.table());
        let spec = tree.language().spec();
        let hidden = &spec.symbols.hidden_uses;
        let mut part = node;
        for around in table.ancestors(node) {
            let is_static = || {
                let marks = &self.scopes.rules.static_marks;
                spec.params.of(table.type_id(around)).is_none()
                    && (hidden.class_code.contains(table.type_id(around))
                        || table.children(around).any(|child| marks.contains(table.type_id(child))))
            };
            let is_head = tree.name_node(around) == Some(part)
                || self.fits(part, &self.scopes.rules.outside)
                || self.is_outside_in(part, node);
            if self.is(around, &self.rules.functions) && !is_head && !is_static() {
                return false;
            }
            if around == definition {
                return true;
            }
            part = around;
        }
        true
    }

    /// Whether a node in a list of parameters belongs to the scope outside of the function.
    fn is_outside_in(&self, list: Node, node: Node) -> bool {
        let mut around = self.path(node).take_while(|&at| at != list);
        around.any(|at| self.fits(at, &self.scopes.rules.outside))
    }

    /// The leaves of some nodes that have text.
    pub(crate) fn leaves(&self, nodes: impl Iterator<Item = Node>) -> Vec<Node> {
        let table = self.tree.table();
        nodes.filter(|&node| table.subtree_end(node) == node.index() + 1 && !table.span(node).is_empty()).collect()
    }
}
