//! A flag that always has one value: what its conditions decide is left, and its definition goes.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::{self, Allow, EditError, Op, Outcome, TextChange, change_texts};
use crate::flow::{Flow, Refusal};
use crate::gates::Followed;
use crate::language::Choice;
use crate::modules::FileId;
use crate::refactor::remove_flag::decided::{Value, Values};
use crate::scopes::Symbol;
use crate::text::{EditSet, Span};
use crate::tree::{Node, ParseLimits, Tree};

/// What a file has of a flag.
#[derive(Debug, Default)]
pub struct FlagUses {
    /// Names of the flag that are read.
    pub reads: Vec<Node>,
    /// Names in imports, exports and lists of names, which go.
    pub listed: Vec<Node>,
    /// The name that is defined, if the definition is in this file.
    pub definition: Option<Node>,
    /// Whether its value is a literal that is neither true nor false, such as 1.
    pub is_inexact: bool,
}

/// A file without a flag.
#[derive(Debug)]
pub struct Removed {
    /// The file after it.
    pub outcome: Outcome,
    /// What binds names whose first binding is gone.
    pub followed: Followed,
    /// Names of bindings that are gone and that other files may use.
    pub names: Vec<String>,
}

/// Makes a flag a literal in a file, with all that its conditions decide, and deletes its imports and its definition.
///
/// # Errors
/// If the program would not do the same, or a gate refuses the result.
pub fn remove_flag(
    tree: &Tree,
    file: FileId,
    uses: &FlagUses,
    value: bool,
    limits: &ParseLimits,
) -> Result<Removed, Refusal> {
    let flow = Flow::new(tree);
    if let Some(error) = tree.errors().first() {
        return Err(Refusal::request(error.span.start(), "the file has a syntax error"));
    }
    let flags = uses.reads.iter().map(|&name| whole(&flow, name)).collect::<Result<Vec<Node>, Refusal>>()?;
    let mut grouped = FxHashSet::default();
    loop {
        let mut plan = Plan::new(&flow, &flags, value, &grouped);
        plan.is_inexact = uses.is_inexact;
        plan.walk(Node::ROOT)?;
        for &name in &uses.listed {
            plan.delete(listed(&flow, name));
        }
        if let Some(name) = uses.definition {
            plan.delete(definition(&flow, name)?);
        }
        let again: Vec<Node> = match plan.apply(limits) {
            Ok((lost, outcome)) if lost.is_empty() => {
                check_generators(&flow, &outcome)?;
                return Ok(removed(&flow, file, outcome));
            }
            Ok((lost, _)) => lost,
            Err(error) => match plan.kept.iter().copied().filter(|node| !grouped.contains(node)).collect::<Vec<_>>() {
                kept if kept.is_empty() || !grouped.is_empty() => return Err(error.into()),
                kept => kept,
            },
        };
        if let Some(&node) = again.iter().find(|node| grouped.contains(*node)) {
            return Err(Refusal::unsafe_at(tree.span(node).start(), "the code would be parsed differently here"));
        }
        grouped.extend(again);
    }
}

/// Refuses a function that is a generator only by what is gone.
fn check_generators(flow: &Flow<'_>, outcome: &Outcome) -> Result<(), Refusal> {
    if !flow.rules.generators_by_yield {
        return Ok(());
    }
    let (tree, table) = (flow.tree, flow.tree.table());
    let after = Flow::new(&outcome.tree);
    let functions_with = |flow: &Flow<'_>| -> FxHashSet<Node> {
        let yields = flow.tree.table().nodes().filter(|&node| flow.is(node, &flow.rules.yields));
        yields.map(|node| flow.function_of(node)).collect()
    };
    let now: FxHashSet<usize> = functions_with(&after).iter().map(|&node| outcome.tree.span(node).start()).collect();
    let is_there = |start: usize| {
        let mut nodes = outcome.tree.table().nodes().filter(|&node| after.is(node, &after.rules.functions));
        nodes.any(|node| outcome.tree.span(node).start() == start)
    };
    let mut functions: Vec<Node> = functions_with(flow).into_iter().collect();
    functions.sort_unstable();
    for function in functions.into_iter().filter(|&node| table.is_named(node)) {
        let start = moved(tree.span(function).start(), &outcome.edits);
        if is_there(start) && !now.contains(&start) {
            let why = "the function would not be a generator any more";
            return Err(Refusal::unsafe_at(tree.span(function).start(), why));
        }
    }
    Ok(())
}

/// Whether the value of a flag is a literal that is neither true nor false.
pub(crate) fn is_inexact(tree: &Tree, name: Node) -> bool {
    let flow = Flow::new(tree);
    let table = tree.table();
    let rules = &flow.rules.decided;
    let value = table.ancestors(name).find_map(|holder| {
        let rule = flow.rules.declares.of(table.type_id(holder))?;
        tree.reached(holder, &rule.value).first().copied()
    });
    value.is_some_and(|value| {
        let text = tree.node_text(value);
        flow.traits(value).is_literal && *text != *rules.literal_true && *text != *rules.literal_false
    })
}

/// The result, with what became of names that deleted code has bound.
fn removed(flow: &Flow<'_>, file: FileId, outcome: Outcome) -> Removed {
    let (tree, scopes) = (flow.tree, &flow.scopes);
    let mut followed = Followed::default();
    let mut lost = Vec::new();
    let start = |node: Node| tree.span(node).start();
    let is_gone =
        |node: Node| outcome.edits.iter().any(|edit| edit.span.start() <= start(node) && start(node) < edit.span.end());
    for edit in outcome.edits.iter().filter(|edit| !edit.span.is_empty()) {
        let table = tree.table();
        for name in table.range(table.first_from(edit.span.start()), table.len()) {
            if start(name) >= edit.span.end() {
                break;
            }
            if !scopes.is_identifier(name) || start(name) < edit.span.start() {
                continue;
            }
            let names = scopes.names_like(name);
            let Some(found) = names.at(name).filter(|found| found.does.is_binding()) else { continue };
            let Some(symbol) = names.resolve(scopes, found) else { continue };
            let is_same = |other: Node| {
                let other = names.at(other).filter(|other| other.does.is_binding());
                other.and_then(|other| names.resolve(scopes, other)).is_some_and(|other| other.is(symbol))
            };
            match names.found.iter().map(|found| found.name).find(|&other| !is_gone(other) && is_same(other)) {
                Some(other) => {
                    let now = (file, moved(start(other), &outcome.edits));
                    followed.outside.insert((file, start(name)), now);
                }
                None if symbol.scope == Node::ROOT || scopes.is_unseen(symbol.scope) => {
                    lost.push(tree.node_text(name).into_owned());
                }
                None => {}
            }
        }
    }
    lost.sort_unstable();
    lost.dedup();
    Removed { outcome, followed, names: lost }
}

/// The expression that is the flag: `config.FLAG` around its name.
fn whole(flow: &Flow<'_>, name: Node) -> Result<Node, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let start = tree.span(name).start();
    let mut node = name;
    if flow.scopes.fits(name, &flow.scopes.rules.attributes).is_some() {
        node = table.parent(name).unwrap_or(name);
        if flow.first_effect(node).is_some() {
            return Err(Refusal::unsafe_at(start, "the object that has it is made here"));
        }
    }
    let is_written = flow.fits(node, &flow.rules.writes) || flow.fits(node, &flow.rules.updates);
    if is_written || flow.scopes.reaches(node, &flow.rules.unbinds).is_some() {
        return Err(Refusal::unsafe_at(start, "it is reassigned here"));
    }
    Ok(node)
}

/// What is deleted with a name in an import, an export or a list of names.
fn listed(flow: &Flow<'_>, name: Node) -> Node {
    let (tree, table) = (flow.tree, flow.tree.table());
    let imports = &tree.language().spec().imports.types;
    let is_list = |node: Node| tree.language().role(table.type_id(node)).list || flow.is(node, imports);
    flow.path(name).find(|&node| table.parent(node).is_some_and(is_list)).unwrap_or(name)
}

/// What is deleted with the definition.
fn definition(flow: &Flow<'_>, name: Node) -> Result<Node, Refusal> {
    let (tree, table) = (flow.tree, flow.tree.table());
    let start = tree.span(name).start();
    let holder = table.ancestors(name).find_map(|holder| {
        let rule = flow.rules.declares.of(table.type_id(holder))?;
        tree.reached(holder, &rule.name).contains(&name).then_some((holder, rule))
    });
    let Some((holder, rule)) = holder else {
        return Err(Refusal::unsafe_at(start, "it is not defined by an assignment"));
    };
    if tree.reached(holder, &rule.value).is_empty() {
        return Err(Refusal::unsafe_at(start, "it is assigned elsewhere"));
    }
    if tree.reached(holder, &rule.name).len() > 1 {
        // One of several: `const a = 1, FLAG = true`.
        let own = flow.path(name).find(|&node| table.parent(node) == Some(holder));
        return Ok(own.unwrap_or(name));
    }
    // `A = B = True` and `for (let a = true;;)`.
    let value = tree.reached(holder, &rule.value);
    let is_chain = value.first().is_some_and(|&value| flow.rules.declares.of(table.type_id(value)).is_some());
    let statement = flow.statement(name).filter(|_| !is_chain);
    let statement = statement.filter(|&statement| {
        tree.outermost_wrapper(holder) == statement || {
            table
                .ancestors(holder)
                .take_while(|&node| node != statement)
                .all(|node| table.span(node) == table.span(holder))
        }
    });
    statement.ok_or_else(|| Refusal::unsafe_at(start, "the statement does more than to define it"))
}

/// A part of a statement with what decides about it.
struct Clause {
    node: Node,
    condition: Option<Node>,
    content: Node,
    /// The content with its comments.
    span: Span,
}

/// The changes of a file.
struct Plan<'f, 't> {
    flow: &'f Flow<'t>,
    values: Values<'f, 't>,
    /// Expressions that get parentheses in their new place.
    grouped: &'f FxHashSet<Node>,
    changes: Vec<TextChange>,
    /// How much indentation lines lose, by their start, with the statement around them.
    dedents: BTreeMap<usize, (usize, Span)>,
    deleted: Vec<Node>,
    /// What has another parent then.
    relocated: Vec<Node>,
    /// Expressions in place of others.
    kept: Vec<Node>,
    /// What blocks have bound whose braces are gone.
    opened: Vec<(Node, String)>,
    /// Whether the flag is a literal that is neither true nor false.
    is_inexact: bool,
}

impl<'f, 't> Plan<'f, 't> {
    fn new(flow: &'f Flow<'t>, flags: &[Node], value: bool, grouped: &'f FxHashSet<Node>) -> Plan<'f, 't> {
        Plan {
            flow,
            values: Values::new(flow, flags, value),
            grouped,
            changes: Vec::new(),
            dedents: BTreeMap::new(),
            deleted: Vec::new(),
            relocated: Vec::new(),
            kept: Vec::new(),
            opened: Vec::new(),
            is_inexact: false,
        }
    }

    fn tree(&self) -> &'t Tree {
        self.flow.tree
    }

    fn span(&self, node: Node) -> Span {
        self.flow.tree.span(node)
    }

    fn replace(&mut self, span: Span, text: &str, extent: Span) {
        if !span.is_empty() || !text.is_empty() {
            self.changes.push(TextChange { span, text: text.to_owned(), extent });
        }
    }

    fn delete(&mut self, node: Node) {
        if !self.is_deleted(node) {
            self.deleted.push(node);
        }
    }

    fn is_deleted(&self, node: Node) -> bool {
        self.deleted.iter().any(|&deleted| self.tree().table().is_within(node, deleted))
    }

    fn is_in_list(&self, node: Node) -> bool {
        self.tree().table().parent(node).is_some_and(|parent| self.flow.holds_statements(parent))
    }

    fn walk(&mut self, node: Node) -> Result<(), Refusal> {
        let table = self.tree().table();
        if self.is_deleted(node) || !self.values.is_active(node) {
            return Ok(());
        }
        match self.values.of(node) {
            Some(Value::Literal(value)) => {
                let inner = self.values.grouped(node).filter(|_| !self.is_operand(node));
                return self.literal(inner.unwrap_or(node), value);
            }
            Some(Value::Part(part)) => return self.part(node, part),
            None => {}
        }
        if self.flow.is(node, &self.flow.rules.plain)
            && self.is_in_list(node)
            && let [only] = self.values.parts(node)[..]
            && self.values.literal(only).is_some()
        {
            self.delete(node);
            return Ok(());
        }
        if let Some(choice) = self.values.rules.branches.of(table.type_id(node))
            && let Some(clauses) = self.clauses(node, choice)
            && clauses.iter().any(|clause| self.decided(clause).is_some())
        {
            return self.branch(node, choice, clauses);
        }
        if let Some(inner) = self.values.grouped(node)
            && let Some(Value::Part(_)) = self.values.of(inner)
        {
            return self.group(node, inner);
        }
        let children: Vec<Node> = table.children(node).collect();
        children.into_iter().try_for_each(|child| self.walk(child))
    }

    /// Whether an expression is a part of an operator or a choice, or alone in parentheses.
    fn is_operand(&self, node: Node) -> bool {
        let table = self.tree().table();
        table.parent(node).is_some_and(|parent| {
            let is_choice = self.values.rules.choices.of(table.type_id(parent)).is_some();
            is_choice || self.values.is_operator(parent) || self.values.grouped(parent).is_some()
        })
    }

    /// An expression whose value is known, in the place of something that it does not decide.
    fn literal(&mut self, node: Node, value: bool) -> Result<(), Refusal> {
        let start = self.span(node).start();
        let is_repeated = self.flow.path(node).take(2).any(|node| self.flow.fits(node, &self.flow.rules.repeated));
        if value && is_repeated {
            return Err(Refusal::unsafe_at(start, "the loop would not end"));
        }
        if self.is_inexact {
            let why = "the value of the flag is neither true nor false, and more than a condition uses it here";
            return Err(Refusal::unsafe_at(start, why));
        }
        let literal = self.values.rules.literal(value);
        let text = match self.flow.scopes.shorthand(node).filter(|template| template.contains(':')) {
            Some(template) => template.replace("$old", &self.tree().node_text(node)).replace("$new", literal),
            None => literal.to_owned(),
        };
        self.replace(self.span(node), &text, self.around(node));
        Ok(())
    }

    /// The bytes of what is around an expression that may become something else with it.
    fn around(&self, node: Node) -> Span {
        let statement = self.flow.statement(node).unwrap_or(node);
        let parent = self.tree().table().parent(node).filter(|_| node != statement);
        self.span(parent.unwrap_or(node))
    }

    /// An expression that is the same as a part of it.
    fn part(&mut self, node: Node, part: Node) -> Result<(), Refusal> {
        let mut last = part;
        while let Some(Value::Part(inner)) = self.values.of(last) {
            last = inner;
        }
        self.keep(node, last)
    }

    /// Parentheses around an expression of which a part is left.
    fn group(&mut self, node: Node, inner: Node) -> Result<(), Refusal> {
        let table = self.tree().table();
        let mut last = inner;
        while let Some(Value::Part(part)) = self.values.of(last) {
            last = part;
        }
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        let is_needed = !self.is_operand(node) && self.tree().callee(parent) != Some(node);
        let spec = self.tree().language().spec();
        let is_member = spec.symbols.objects.of(table.type_id(last)).is_some();
        if is_member && self.tree().callee(parent) == Some(node) {
            let why = "the call would get another receiver";
            return Err(Refusal::unsafe_at(self.span(node).start(), why));
        }
        let is_atom = table.subtree_end(last) == last.index() + 1
            || is_member
            || self.tree().callee(last).is_some()
            || self.values.grouped(last).is_some();
        if is_atom && !is_needed { self.keep(node, last) } else { self.keep(inner, last) }
    }

    /// Leaves a part of an expression in its place.
    fn keep(&mut self, node: Node, part: Node) -> Result<(), Refusal> {
        let table = self.tree().table();
        let mut part = part;
        // Parentheses in parentheses, or around a whole condition.
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        let rules = self.values.rules;
        let choice = rules.branches.of(table.type_id(parent)).or(rules.choices.of(table.type_id(parent)));
        let is_condition = choice.is_some_and(|choice| self.values.condition(parent, choice) == Some(node));
        let is_group = self.values.grouped(node).is_none() && self.values.grouped(parent).is_some();
        let is_broken = self.tree().node_text(part).contains('\n');
        if (is_group || is_condition && rules.choices.of(table.type_id(parent)).is_none())
            && !is_broken
            && let Some(inner) = self.values.grouped(part)
            && self.values.grouped(node).is_none()
        {
            part = inner;
        }
        let (outer, inner, around) = (self.span(node), self.span(part), self.around(node));
        let parens = &self.tree().language().spec().parens;
        // The body of an arrow function would be a block.
        let is_body = self.tree().language().spec().flow.functions.contains(table.type_id(parent));
        let is_like_block = is_body && self.tree().node_text(part).starts_with('{');
        let (open, close) = if is_like_block || self.grouped.contains(&part) {
            parens.split_once("$0").unwrap_or_default()
        } else {
            ("", "")
        };
        self.kept.push(part);
        self.relocated.push(part);
        self.replace(Span::new(outer.start(), inner.start()), open, around);
        self.replace(Span::new(inner.end(), outer.end()), close, around);
        self.walk(part)
    }

    /// The clauses of a statement, in order.
    fn clauses(&self, whole: Node, choice: &Choice) -> Option<Vec<Clause>> {
        let (tree, table, rules) = (self.tree(), self.tree().table(), self.values.rules);
        let first = |of: Node, path| tree.reached(of, path).into_iter().find(|&node| !tree.is_comment(node));
        let clause = |node: Node, condition: Option<Node>, content: Node| {
            let is_open = tree.language().spec().indentation_is_syntax;
            let is_comment = |child: &Node| is_open && tree.is_comment(*child);
            let parts = table.children(node).skip_while(|&child| condition.is_some_and(|condition| child <= condition));
            let start = parts.take_while(|&child| child != content).find(is_comment).unwrap_or(content);
            // Comments in its lines, or below it with its indentation.
            let after = |node: Node| std::iter::successors(table.next_sibling(node), |&next| table.next_sibling(next));
            let is_its = |comment: &Node| {
                is_comment(comment)
                    && (tree.start(*comment).line == tree.end(content).line
                        || tree.start(*comment).col() >= tree.start(content).col())
            };
            let mut last = after(content).take_while(is_its).last();
            if node != whole && table.last_child(node) == Some(last.unwrap_or(content)) {
                last = after(node).take_while(is_its).last().or(last);
            }
            let span = Span::new(tree.span(start).start(), tree.span(last.unwrap_or(content)).end());
            Clause { node, condition, content, span }
        };
        let mut clauses = vec![clause(whole, self.values.condition(whole, choice), first(whole, &choice.then)?)];
        let others = choice.otherwise.as_ref().map(|path| tree.reached(whole, path)).unwrap_or_default();
        for other in others.into_iter().filter(|&other| !tree.is_comment(other)) {
            let type_id = table.type_id(other);
            let one = match (rules.clauses.of(type_id), rules.branches.of(type_id)) {
                (Some(path), _) => clause(other, None, first(other, path)?),
                (None, Some(choice)) if !self.is_statement(other) => {
                    clause(other, self.values.condition(other, choice), first(other, &choice.then)?)
                }
                _ => clause(other, None, other),
            };
            clauses.push(one);
        }
        Some(clauses)
    }

    /// Whether a branch is a statement of its own, not a clause of another one.
    fn is_statement(&self, node: Node) -> bool {
        let choice = self.values.rules.branches.of(self.tree().table().type_id(node));
        choice.is_some_and(|choice| choice.otherwise.is_some())
    }

    /// The value of the condition of a clause.
    fn decided(&self, clause: &Clause) -> Option<bool> {
        self.values.literal(clause.condition?)
    }

    /// A statement of which conditions are known.
    fn branch(&mut self, node: Node, choice: &Choice, clauses: Vec<Clause>) -> Result<(), Refusal> {
        let span = self.span(node);
        if choice.repeats && self.decided(&clauses[0]) == Some(true) {
            return Err(Refusal::unsafe_at(span.start(), "the loop would not end"));
        }
        let mut kept: Vec<&Clause> = Vec::new();
        for clause in &clauses {
            match self.decided(clause) {
                Some(false) => {}
                Some(true) => {
                    kept.push(clause);
                    break;
                }
                None => kept.push(clause),
            }
        }
        let is_open = |clause: &Clause| clause.condition.is_none() || self.decided(clause) == Some(true);
        match kept[..] {
            [] => self.remove(node),
            [only] if is_open(only) => self.unwrap(node, only),
            _ => self.promote(node, &clauses, &kept),
        }
    }

    /// A statement of which nothing is executed.
    fn remove(&mut self, node: Node) -> Result<(), Refusal> {
        let table = self.tree().table();
        let parent = table.parent(node).unwrap_or(Node::ROOT);
        if self.is_in_list(node) || !self.flow_clause(parent) {
            self.delete(node);
            return Ok(());
        }
        let before = table.previous_sibling(parent).map_or(self.span(parent).start(), |before| self.span(before).end());
        let around = self.span(table.parent(parent).unwrap_or(parent));
        self.replace(Span::new(before, self.span(parent).end()), "", around);
        Ok(())
    }

    fn flow_clause(&self, node: Node) -> bool {
        self.values.rules.clauses.of(self.tree().table().type_id(node)).is_some()
    }

    /// A statement of which one part is always executed.
    fn unwrap(&mut self, node: Node, clause: &Clause) -> Result<(), Refusal> {
        let tree = self.tree();
        let (span, content) = (self.span(node), clause.content);
        let is_block = self.flow.holds_statements(content);
        if self.is_in_list(node) && is_block {
            let inside: Vec<Node> = tree.named_children(content).collect();
            let text = tree.node_text(content);
            if inside.is_empty() || text.trim() == tree.language().spec().empty_statement {
                self.delete(node);
                return Ok(());
            }
            if self.collides(node, content) {
                self.relocated.push(content);
                self.replace(Span::new(span.start(), self.span(content).start()), "", span);
                self.replace(Span::new(self.span(content).end(), span.end()), "", span);
            } else {
                let is_open = tree.language().spec().indentation_is_syntax;
                let within = self.span(inside[0]).join(self.span(inside[inside.len() - 1]));
                let kept = if is_open { clause.span } else { within };
                let (start, end) = (kept.start(), kept.end());
                self.dedent(node, kept, &inside);
                self.relocated.extend(tree.table().children(content));
                self.replace(Span::new(span.start(), start), "", span);
                self.replace(Span::new(end, span.end()), "", span);
            }
            if self.flow.never_ends(content) {
                self.delete_after(node);
            }
            return self.walk_into(content);
        }
        let kept = self.span(content);
        self.relocated.push(content);
        if self.is_in_list(node) {
            self.dedent(node, kept, &[content]);
        }
        self.replace(Span::new(span.start(), kept.start()), "", span);
        self.replace(Span::new(kept.end(), span.end()), "", span);
        if self.is_in_list(node) && self.flow.never_ends(content) {
            self.delete_after(node);
        }
        self.walk_into(content)
    }

    fn walk_into(&mut self, content: Node) -> Result<(), Refusal> {
        if !self.flow.holds_statements(content) {
            return self.walk(content);
        }
        let children: Vec<Node> = self.tree().table().children(content).collect();
        children.into_iter().try_for_each(|child| self.walk(child))
    }

    /// What is not reached after a statement goes, unless it means something where it is not executed.
    fn delete_after(&mut self, node: Node) {
        let (tree, table, rules) = (self.tree(), self.tree().table(), self.flow.rules);
        let after = std::iter::successors(table.next_sibling(node), |&next| table.next_sibling(next));
        let after: Vec<Node> = after.filter(|&next| table.is_named(next) && !tree.is_comment(next)).collect();
        let has_meaning = |next: Node| {
            let mut inside = table.range(next.index(), table.subtree_end(next));
            inside.any(|inner| self.flow.is(inner, &rules.hoisted) || self.flow.is(inner, &rules.yields))
        };
        if !after.iter().any(|&next| has_meaning(next)) {
            after.into_iter().for_each(|next| self.delete(next));
        }
    }

    /// Whether the names of a block are not free where its braces would be gone.
    fn collides(&mut self, node: Node, block: Node) -> bool {
        let (flow, table) = (self.flow, self.flow.tree.table());
        if !flow.scopes.is_scope(block) {
            return false;
        }
        let around = flow.scopes.around(node);
        let mut bound: Vec<String> = Vec::new();
        for name in table.range(block.index(), table.subtree_end(block)) {
            if !flow.scopes.is_identifier(name) || !flow.scopes.binds(name) {
                continue;
            }
            let names = flow.scopes.names_like(name);
            let symbol = names.at(name).and_then(|found| names.resolve(&flow.scopes, found));
            if symbol.is_some_and(|symbol| symbol.scope == block) {
                let text = flow.tree.node_text(name).into_owned();
                // The same name outside, of this scope or one around it.
                let is_outer = |symbol: Option<Symbol>| {
                    symbol.is_none_or(|symbol| symbol.scope == around || table.is_within(around, symbol.scope))
                };
                let is_used = names.found.iter().any(|found| {
                    !table.is_within(found.name, block)
                        && table.is_within(found.name, around)
                        && is_outer(names.resolve(&flow.scopes, found))
                });
                if is_used || self.opened.contains(&(around, text.clone())) {
                    return true;
                }
                bound.push(text);
            }
        }
        self.opened.extend(bound.into_iter().map(|text| (around, text)));
        false
    }

    /// Moves lines to the indentation of a statement.
    fn dedent(&mut self, node: Node, kept: Span, parts: &[Node]) {
        let (tree, text) = (self.tree(), self.tree().text());
        let indentation = |offset: usize| {
            let line = text.slice(text.line_around(offset)).into_owned();
            line.len() - line.trim_start_matches([' ', '\t']).len()
        };
        let base = indentation(self.span(node).start());
        let lines = text.line_at(kept.start())..=text.line_at(kept.end().saturating_sub(1).max(kept.start()));
        let starts: Vec<usize> = lines.map(|line| text.line_span(line).start()).collect();
        let own = |&&start: &&usize| parts.iter().any(|&part| self.span(part).start() == start + indentation(start));
        let Some(own) = starts.iter().find(own).map(|&start| indentation(start)) else { return };
        let (width, around) = (own.saturating_sub(base), self.span(node));
        for &start in starts.iter().filter(|&&start| start > kept.start() && width > 0) {
            let inside = tree.table().smallest_around(Span::at(start));
            let is_string =
                |node: Node| tree.language().role(tree.table().type_id(node)).string && self.span(node).start() < start;
            if self.flow.path(inside).any(is_string) {
                continue;
            }
            let line = self.dedents.entry(start).or_insert((0, around));
            line.0 += width;
            line.1 = line.1.join(around);
        }
    }

    /// A statement of which the clauses that are left have conditions; the last one may be always executed.
    fn promote(&mut self, node: Node, clauses: &[Clause], kept: &[&Clause]) -> Result<(), Refusal> {
        let (tree, table) = (self.tree(), self.tree().table());
        let span = self.span(node);
        let end_of = |clause: &Clause| {
            let last = if clause.node == node { clause.content } else { clause.node };
            table.span(last).end()
        };
        let mut end = span.start();
        for (number, clause) in kept.iter().enumerate() {
            let start = self.span(clause.node).start();
            let is_gone = |gone: &Clause| {
                let at = self.span(gone.node).start();
                gone.node != clause.node && end <= at && at < start && !kept.iter().any(|kept| kept.node == gone.node)
            };
            let from = if number == 0 { span.start() } else { end };
            let is_removed = clauses.iter().any(is_gone);
            if number == 0 && clause.node != node {
                // `elif` becomes `if`.
                let (Some(first), Some(own)) = (table.children(node).next(), table.children(clause.node).next()) else {
                    return Err(Refusal::unsafe_at(span.start(), "the statement has no first word"));
                };
                let word = tree.node_text(first).into_owned();
                let (from, to) = (Span::new(from, start), self.span(own));
                self.replace(Span::new(from.start(), to.end()), &word, span);
                self.relocated.extend(table.children(clause.node));
            } else if is_removed {
                let before = table.previous_sibling(clause.node).map_or(start, |before| self.span(before).end());
                self.replace(Span::new(from, before.max(from)), "", span);
            }
            let is_true = self.decided(clause) == Some(true);
            if let Some(condition) = clause.condition.filter(|_| is_true) {
                let header = Span::new(start, self.span(condition).end());
                let otherwise = self.values.rules.otherwise.clone();
                self.replace(header, &otherwise, span);
                self.relocated.push(clause.content);
            }
            end = end_of(clause);
        }
        self.replace(Span::new(end, span.end()), "", span);
        for clause in kept {
            let parts: Vec<Node> = match clause.node == node {
                true => clause.condition.into_iter().chain([clause.content]).collect(),
                false => vec![clause.node],
            };
            for part in parts {
                match clause.condition.is_some() && self.decided(clause) == Some(true) {
                    true => self.walk_into(clause.content)?,
                    false if clause.node == node => self.walk(part)?,
                    false => {
                        let children: Vec<Node> = table.children(part).collect();
                        children.into_iter().try_for_each(|child| self.walk(child))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The file after all changes, and the expressions that are something else in their new place.
    fn apply(&self, limits: &ParseLimits) -> Result<(Vec<Node>, Outcome), EditError> {
        let tree = self.tree();
        let mut changes = self.changes.clone();
        let gone: Vec<Span> = changes.iter().map(|change| change.span).collect();
        for (&start, &(width, extent)) in &self.dedents {
            let line = tree.text().slice(tree.text().line_around(start));
            let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
            let span = Span::new(start, start + blank.min(width));
            if !span.is_empty() && !gone.iter().any(|gone| gone.start() <= start && start < gone.end()) {
                changes.push(TextChange { span, text: String::new(), extent });
            }
        }
        let first = change_texts(tree, &changes, &self.relocated, limits)?;
        let mut ops = Vec::new();
        for &node in &self.deleted {
            let target = found_again(tree, node, &first.edits, &first.tree);
            let target = target.ok_or(EditError::Conflict { first: 0, second: 1, span: tree.span(node) })?;
            ops.push(Op::Delete { target, extent: None });
        }
        let lost = self.lost(&first);
        if ops.is_empty() || !lost.is_empty() {
            return Ok((lost, first));
        }
        let next = edit::apply(&first.tree, &ops, Allow::default(), limits)?;
        let edits = first.edits.then(first.tree.text(), &next.edits);
        Ok((lost, Outcome { edits, ..next }))
    }

    /// The expressions that are something else in their new place.
    fn lost(&self, outcome: &Outcome) -> Vec<Node> {
        let kept = self.kept.iter().copied().filter(|node| !self.grouped.contains(node));
        kept.filter(|&node| found_again(self.tree(), node, &outcome.edits, &outcome.tree).is_none()).collect()
    }
}

/// Where an offset is after edits before it.
fn moved(offset: usize, edits: &EditSet) -> usize {
    let before = edits.iter().filter(|edit| edit.span.end() <= offset && edit.span.start() < offset);
    before.fold(offset, |at, edit| at + edit.text.len() - edit.span.len())
}

/// Where a node is after edits outside of its ends.
fn found_again(old: &Tree, node: Node, edits: &EditSet, new: &Tree) -> Option<Node> {
    let span = old.span(node);
    let start = moved(span.start(), edits);
    let end = edits.iter().filter(|edit| edit.span.start() < span.end() && edit.span.end() <= span.end());
    let end = end.fold(span.end(), |at, edit| at + edit.text.len() - edit.span.len());
    let span = Span::new(start, end);
    let around = new.table().smallest_around(span);
    let path = std::iter::once(around).chain(new.table().ancestors(around));
    let type_id = old.table().type_id(node);
    path.take_while(|&at| new.span(at) == span).find(|&at| new.table().type_id(at) == type_id)
}
