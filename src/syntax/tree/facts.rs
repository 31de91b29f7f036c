//! Properties of nodes, from the data of the language: names, qualified names, documentation, counts.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::paths::{PathResult, Paths};
use super::{Node, Tree};
use crate::language::{ByType, Count, Path, ReferenceRules, Step, TypeId};
use crate::text::Span;

/// How often a name may be taken from an inner node: `(((f)))()`.
const NAME_HOPS: usize = 64;
/// How many wrappers around a definition may hold its modifiers.
const MODIFIED_WRAPPERS: usize = 8;

impl Tree {
    /// The name as people write it; for an import of several names, all of them joined by `, `. `None` for a node
    /// without a name.
    pub fn name(&self, node: Node) -> Option<String> {
        if let Some(joined) = self.joined_name(node) {
            return Some(joined);
        }
        match self.found_names(node).as_slice() {
            [] => None,
            [one] => Some(self.found_text(one).into_owned()),
            several => Some(several.iter().map(|found| self.found_text(found)).collect::<Vec<_>>().join(", ")),
        }
    }

    fn found_text<'a>(&'a self, found: &PathResult<'a>) -> Cow<'a, str> {
        match *found {
            PathResult::Literal(word) => Cow::Borrowed(word),
            PathResult::Node(other) => self.node_text(other),
            PathResult::Prefixed(word, other) => Cow::Owned(format!("{word}{}", self.node_text(other))),
        }
    }

    /// All names of a node, in order.
    pub fn names(&self, node: Node) -> Vec<Cow<'_, str>> {
        if let Some(joined) = self.joined_name(node) {
            return vec![Cow::Owned(joined)];
        }
        self.found_names(node).iter().map(|found| self.found_text(found)).collect()
    }

    /// A name in parts, each followed by a certain node, as `initWithName:count:`.
    fn joined_name(&self, node: Node) -> Option<String> {
        let rules = &self.language.spec().joined_names;
        let mark = if rules.is_empty() { return None } else { *rules.of(self.table.type_id(node))? };
        let mut parts = String::new();
        let mut first = None;
        for found in self.found_names(node) {
            let PathResult::Node(part) = found else { continue };
            first = first.or(Some(part));
            let mut next = self.table.next_sibling(part);
            while next.is_some_and(|next| self.is_comment(next)) {
                next = next.and_then(|next| self.table.next_sibling(next));
            }
            if next.is_some_and(|next| self.table.type_id(next) == mark) {
                parts.push_str(&self.node_text(part));
                parts.push(':');
            }
        }
        if parts.is_empty() { first.map(|part| self.node_text(part).into_owned()) } else { Some(parts) }
    }

    /// The node with the name of a definition: the identifier after `def`. The first one if there are several.
    pub fn name_node(&self, node: Node) -> Option<Node> {
        self.found_names(node).into_iter().find_map(|found| match found {
            PathResult::Literal(_) | PathResult::Prefixed(..) => None,
            PathResult::Node(other) => Some(other),
        })
    }

    /// The nodes with the names of a definition.
    pub fn name_nodes(&self, node: Node) -> Vec<Node> {
        let nodes = self.found_names(node).into_iter();
        nodes.filter_map(|found| if let PathResult::Node(other) = found { Some(other) } else { None }).collect()
    }

    /// The nodes with its other names.
    pub fn other_name_nodes(&self, node: Node) -> Vec<Node> {
        let rules = &self.language.spec().other_names;
        let nodes = self.nodes_of_rule(rules, node);
        let nodes = nodes.map(|other| {
            let is_known = rules.of(self.table.type_id(other)).is_some();
            if is_known { self.other_name_nodes(other) } else { vec![other] }
        });
        nodes.flatten().collect()
    }

    fn found_names(&self, node: Node) -> Vec<PathResult<'_>> {
        let mut names = Vec::new();
        self.collect_names(node, &mut names, NAME_HOPS);
        names
    }

    /// Other names of a node: an import's aliases.
    pub fn other_names(&self, node: Node) -> Vec<Cow<'_, str>> {
        let rules = &self.language.spec().other_names;
        let mut names = Vec::new();
        for found in self.follow_rule(rules, node) {
            match found {
                PathResult::Node(other) if rules.of(self.table.type_id(other)).is_some() => {
                    names.extend(self.other_names(other));
                }
                // The plain names of an import are among its names.
                PathResult::Node(other) => names.push(self.node_text(other)),
                PathResult::Literal(_) | PathResult::Prefixed(..) => {}
            }
        }
        names
    }

    /// Collects the names of a node, except one that is joined from parts.
    fn collect_names<'a>(&'a self, node: Node, names: &mut Vec<PathResult<'a>>, hops: usize) {
        let mut take = |found| {
            match found {
                PathResult::Node(other) if other != node => {
                    let other = self.unwrap_node(other);
                    // The result of a call has no name: `f()()` calls `f` once.
                    let is_call_of_call = self.is_call(node) && self.is_call(other);
                    if hops > 0 && !is_call_of_call {
                        self.collect_names(other, names, hops - 1);
                    }
                }
                found => names.push(found),
            }
            ControlFlow::Continue(())
        };
        for path in self.language.spec().names.of(self.table.type_id(node)).into_iter().flatten() {
            _ = self.paths().visit(node, path, &mut take);
        }
    }

    fn is_call(&self, node: Node) -> bool {
        self.language.spec().callees.of(self.table.type_id(node)).is_some()
    }

    /// The node inside wrappers: `f` of `((f))`.
    fn unwrap_node(&self, node: Node) -> Node {
        std::iter::successors(Some(node), |&wrapper| self.inner(wrapper)).last().unwrap_or(node)
    }

    /// The results of the paths that the data has for the type of a node.
    fn follow_rule<'a>(&'a self, rules: &'a ByType<Vec<Path>>, node: Node) -> impl Iterator<Item = PathResult<'a>> {
        let paths = rules.of(self.table.type_id(node)).into_iter().flatten();
        paths.flat_map(move |path| self.follow(node, path))
    }

    /// The nodes among the results of a rule, without words.
    fn nodes_of_rule<'a>(&'a self, rules: &'a ByType<Vec<Path>>, node: Node) -> impl Iterator<Item = Node> {
        self.follow_rule(rules, node).filter_map(|found| match found {
            PathResult::Node(other) => Some(other),
            PathResult::Literal(_) | PathResult::Prefixed(..) => None,
        })
    }

    /// The evaluator for the paths of the data, on this tree.
    pub(super) fn paths(&self) -> Paths<'_> {
        Paths { table: &self.table, language: self.language }
    }

    fn follow<'a>(&self, node: Node, path: &'a Path) -> Vec<PathResult<'a>> {
        self.paths().follow(node, path)
    }

    /// The nodes that a path leads to.
    pub fn reached(&self, node: Node, path: &Path) -> Vec<Node> {
        let found = self.follow(node, path).into_iter();
        found.filter_map(|found| if let PathResult::Node(node) = found { Some(node) } else { None }).collect()
    }

    /// The names of the enclosing scopes, outermost first, and the node's own, joined by dots. `None` for a node
    /// without a name.
    pub fn qualname(&self, node: Node) -> Option<String> {
        Some(self.qualify(node, self.plain_name(node)?))
    }

    /// The name of a node without the signs that only let it be written: `type` of `r#type`.
    pub fn plain_name(&self, node: Node) -> Option<String> {
        let name = self.name(node)?;
        let plain = |rules: &ReferenceRules| rules.plain(&name).to_owned();
        Some(self.language.spec().symbols.references.as_ref().map_or_else(|| name.clone(), plain))
    }

    /// The qualified name of a node with this name.
    pub fn qualify(&self, node: Node, name: String) -> String {
        match self.scope_qualname(node) {
            Some(scope) => format!("{scope}.{name}"),
            None => name,
        }
    }

    /// The qualified name of the nearest enclosing scope. `None` at top level. If a program nests more than some
    /// hundred scopes, the outer ones are `…`.
    pub fn scope_qualname(&self, node: Node) -> Option<String> {
        const MOST_SCOPES: usize = 200;
        let mut names: Vec<String> = Vec::new();
        let mut scopes = 0;
        let mut inner = node;
        // The name of a definition belongs to the definition, not to something inside it.
        let owner = self.owner(node);
        if owner != Node::ROOT && self.name_node(owner) == Some(node) {
            inner = owner;
        }
        names.extend(self.receiver(inner));
        while inner != Node::ROOT {
            let outer = self.owner(inner);
            scopes += 1;
            if scopes > MOST_SCOPES {
                names.push("…".to_owned());
                break;
            }
            for holder in self.naming_holders(inner, outer) {
                scopes += 1;
                if scopes > MOST_SCOPES {
                    break;
                }
                names.extend(self.plain_name(holder));
                names.extend(self.receiver(holder));
            }
            // A decorator belongs to the definition below it, but its names are outside the definition.
            if outer < inner && outer != Node::ROOT && !self.language.role(self.table.type_id(outer)).nameless {
                names.extend(self.plain_name(outer));
                names.extend(self.receiver(outer));
            }
            inner = outer;
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// What precedes the definition's own name in its qualified name: the type of a Go method's receiver, `A.B` of
    /// `class A::B::C`.
    fn receiver(&self, node: Node) -> Option<String> {
        let mut names = Vec::new();
        self.collect_receivers(node, &mut names, NAME_HOPS);
        Some(names.join(".")).filter(|names| !names.is_empty())
    }

    fn collect_receivers(&self, node: Node, names: &mut Vec<String>, hops: usize) {
        let rules = &self.language.spec().receivers;
        for found in self.nodes_of_rule(rules, node) {
            if rules.of(self.table.type_id(found)).is_none() {
                names.push(self.name(found).unwrap_or_else(|| self.node_text(found).into_owned()));
            } else if let Some(hops) = hops.checked_sub(1) {
                self.collect_receivers(found, names, hops);
            }
        }
    }

    /// Whether a node adds its name to the qualified names inside it and ends `:has-own`: because of its type, or
    /// because an anonymous function or class is bound to it. That function or class is then not a scope itself.
    pub fn is_scope(&self, node: Node) -> bool {
        let role = self.language.role(self.table.type_id(node));
        if self.language.spec().holders.is_empty() {
            return role.scope;
        }
        if role.value && self.binding_of(node).is_some() {
            return false;
        }
        role.scope || self.bound_value(node).is_some()
    }

    /// The anonymous function or class bound to a definition: the arrow function of `const f = () => {}`.
    pub fn bound_value(&self, node: Node) -> Option<Node> {
        let value = self.given_value(node)?;
        self.language.role(self.table.type_id(value)).value.then_some(value)
    }

    /// The value bound to a definition, without wrappers.
    fn given_value(&self, node: Node) -> Option<Node> {
        let path = self.language.spec().holders.of(self.table.type_id(node))?;
        self.paths().first(node, path).map(|value| self.unwrap_node(value))
    }

    /// The definitions between a node and its scope that give their name to what is inside their value without being
    /// scopes, innermost first: `api` of `const api = { get() {} }`.
    fn naming_holders(&self, node: Node, scope: Node) -> impl Iterator<Item = Node> {
        let any = !self.language.spec().named_values.is_empty();
        let above = move |node: Node| self.attachments().naming_holder(self, node, scope).filter(|_| any);
        let nearest = if any { above(node) } else { None };
        std::iter::successors(nearest, move |&holder| above(holder))
    }

    /// The value of a definition that gives its name to what is inside without being a scope: the object of `const api
    /// = { get() {} }`.
    pub fn named_value(&self, holder: Node) -> Option<Node> {
        let any = !self.language.spec().named_values.is_empty();
        let value = self.given_value(holder).filter(|_| any)?;
        self.language.role(self.table.type_id(value)).named_value.then_some(value)
    }

    /// Whether `>` looks through a node: a body, a wrapper, or the anonymous function bound to a definition.
    pub fn is_transparent(&self, node: Node) -> bool {
        let role = self.language.role(self.table.type_id(node));
        role.body || role.wrapper || role.modifier_holder || role.value && self.binding_of(node).is_some()
    }

    /// The definition to which this anonymous function or class is bound.
    pub(super) fn binding_of(&self, value: Node) -> Option<Node> {
        if self.language.spec().holders.is_empty() {
            return None;
        }
        let unit = std::iter::successors(Some(value), |&node| {
            self.table.parent(node).filter(|&parent| self.inner(parent) == Some(node))
        });
        let mut around = self.table.ancestors(unit.last()?).take(self.language.spec().holder_reach);
        around.find(|&holder| self.given_value(holder) == Some(value))
    }

    /// The nearest enclosing scope as a person sees it. The owner of a decorator is its definition. The root if there
    /// is none.
    pub fn owner(&self, node: Node) -> Node {
        self.attachments().owner(self, node)
    }

    /// The node that a call calls. If the grammar keeps `object.method` in two nodes, the last one.
    pub fn callee(&self, node: Node) -> Option<Node> {
        self.nodes_of_rule(&self.language.spec().callees, node).last()
    }

    /// The whole called expression: `console.log`.
    pub fn callee_text(&self, node: Node) -> Option<Cow<'_, str>> {
        let mut nodes = self.nodes_of_rule(&self.language.spec().callees, node);
        let first = self.span(nodes.next()?);
        let last = nodes.last().map_or(first, |last| self.span(last));
        Some(self.text.slice(Span::new(first.start(), last.end().max(first.end()))))
    }

    /// The modules that a node imports from.
    pub fn modules(&self, node: Node) -> Vec<Cow<'_, str>> {
        let text = |found| match found {
            PathResult::Literal(word) => vec![Cow::Borrowed(word)],
            PathResult::Prefixed(word, other) => vec![Cow::Owned(format!("{word}{}", self.node_text(other)))],
            // `a as b` imports from `a`; a plain name from itself.
            PathResult::Node(other) => {
                let names = self.names(other);
                let names = if names.is_empty() { vec![self.node_text(other)] } else { names };
                names.into_iter().map(without_quotes).collect()
            }
        };
        self.follow_rule(&self.language.spec().modules, node).flat_map(text).collect()
    }

    /// How many parameters a function has.
    pub fn params(&self, node: Node) -> Option<usize> {
        let function = self.bound_value(node).unwrap_or(node);
        self.count(&self.language.spec().params, function, NAME_HOPS)
    }

    /// Whether a node is a function's list of parameters.
    pub fn holds_parameters(&self, list: Node) -> bool {
        let function =
            self.table.parent(list).and_then(|parent| self.language.spec().params.of(self.table.type_id(parent)));
        let field = self.table.field(list);
        let Some(rule) = function else { return false };
        // Most are in a field.
        rule.at.contains(&Path::Steps(vec![Step::Field(field)]))
            || self.table.parent(list).is_some_and(|function| {
                let by_type = rule
                    .at
                    .iter()
                    .filter(|path| !matches!(path, Path::Steps(steps) if matches!(steps[..], [Step::Field(_)])));
                by_type.flat_map(|path| self.reached(function, path)).any(|found| found == list)
            })
    }

    /// How many arguments a call has.
    pub fn args(&self, node: Node) -> Option<usize> {
        self.count(&self.language.spec().args, node, NAME_HOPS)
    }

    fn count(&self, rules: &ByType<Count>, node: Node, hops: usize) -> Option<usize> {
        let rule = rules.of(self.table.type_id(node))?;
        let nodes = rule.at.iter().flat_map(|path| self.follow(node, path));
        let counts = nodes.map(|found| match found {
            PathResult::Literal(_) | PathResult::Prefixed(..) => 0,
            PathResult::Node(list) => match hops.checked_sub(1).and_then(|hops| self.count(rules, list, hops)) {
                Some(count) => count,
                None => self.count_children(rule, list),
            },
        });
        Some(counts.sum())
    }

    fn count_children(&self, rule: &Count, list: Node) -> usize {
        let type_of = |node: Node| -> TypeId { self.table.type_id(node) };
        if rule.single.contains(type_of(list)) {
            return 1;
        }
        let is_left_out = |child: Node| rule.except_text.iter().any(|text| *text == *self.node_text(child));
        let counts = |child: &Node| {
            let id = type_of(*child);
            (rule.only.is_empty() || rule.only.contains(id)) && !rule.except.contains(id) && !is_left_out(*child)
        };
        let times = |child: Node| match rule.each {
            Some(field) => self.paths().count(child, Step::Field(field)).max(1),
            None => 1,
        };
        self.named_children(list).filter(counts).map(times).sum()
    }

    /// The texts of the types that a class extends.
    pub fn bases(&self, node: Node) -> Vec<Cow<'_, str>> {
        self.base_nodes(node).map(|base| self.node_text(base)).collect()
    }

    /// The types that a class extends.
    pub fn base_nodes(&self, node: Node) -> impl Iterator<Item = Node> {
        let class = self.bound_value(node).unwrap_or(node);
        self.nodes_of_rule(&self.language.spec().bases, class)
    }

    /// The return type of a function, as in its signature.
    pub fn returns(&self, node: Node) -> Option<Cow<'_, str>> {
        self.return_type(node).map(|child| self.node_text(child))
    }

    /// The node of a function's return type.
    pub fn return_type(&self, node: Node) -> Option<Node> {
        let function = self.bound_value(node).unwrap_or(node);
        self.nodes_of_rule(&self.language.spec().returns, function).next()
    }

    /// The modifiers of a definition: `async`, `static`.
    pub fn modifiers(&self, node: Node) -> Vec<Cow<'_, str>> {
        let is_modifier = |child: Node| self.language.role(self.table.type_id(child)).modifier;
        let mut found = Vec::new();
        let mut around = Vec::new();
        let mut inner = node;
        while let Some(wrapper) = self.table.parent(inner).filter(|&parent| self.inner(parent) == Some(inner)) {
            if around.len() == MODIFIED_WRAPPERS {
                break;
            }
            around.push(wrapper);
            inner = wrapper;
        }
        around.reverse();
        for unit in around.into_iter().chain([node]).chain(self.bound_value(node)) {
            self.collect_attached(unit, &is_modifier, &mut found);
        }
        found.into_iter().map(|child| self.node_text(child)).collect()
    }

    /// The decorators of a definition, in order.
    pub fn decorators(&self, node: Node) -> Vec<Node> {
        let is_decorator = |child: Node| self.language.role(self.table.type_id(child)).decorator;
        let mut found = Vec::new();
        for leading in self.attachments().leading(&self.table, self.outermost_wrapper(node)) {
            if is_decorator(leading) {
                found.push(leading);
            } else {
                self.collect_attached(leading, &is_decorator, &mut found);
            }
        }
        for unit in self.wrapping(node) {
            self.collect_attached(unit, &is_decorator, &mut found);
        }
        found
    }

    /// The wrapper whose other children belong to a node, if there is one, and the node.
    fn wrapping(&self, node: Node) -> impl Iterator<Item = Node> {
        self.attachments().adopting_wrapper(node).into_iter().chain([node])
    }

    /// Collects the children of a definition, and of the nodes with its modifiers, for which `is_one` is true.
    fn collect_attached(&self, node: Node, is_one: &impl Fn(Node) -> bool, found: &mut Vec<Node>) {
        for child in self.table.children(node) {
            if is_one(child) {
                found.push(child);
            } else if self.language.role(self.table.type_id(child)).modifier_holder {
                self.collect_attached(child, is_one, found);
            }
        }
    }

    /// A decorator's text without the sign before it and without arguments.
    pub fn decorator_word(&self, decorator: Node) -> Cow<'_, str> {
        let Some(inner) = self.named_children(decorator).next() else { return self.node_text(decorator) };
        match self.callee(inner) {
            Some(callee) => self.node_text(callee),
            None => self.node_text(inner),
        }
    }

    /// The body of a definition or block statement.
    pub fn body(&self, node: Node) -> Option<Node> {
        let type_id = self.table.type_id(node);
        if self.language.role(type_id).body || node == Node::ROOT {
            return Some(node);
        }
        if let Some(value) = self.bound_value(node) {
            return self.body(value);
        }
        let role = |child: Node| self.language.role(self.table.type_id(child));
        let of_types = |node: Node| self.table.children(node).find(|&child| role(child).body_type);
        let field = self
            .language
            .spec()
            .body_field
            .and_then(|field| self.child_in_field(node, field))
            .or_else(|| of_types(node));
        // The grammar may keep the block of a block statement in another field, or in none.
        let has_marks = self.language.spec().body_after.of(type_id).is_some();
        let is_body = |&child: &Node| !has_marks && role(child).body && !role(child).list;
        let found = field.or_else(|| self.table.children(node).find(is_body))?;
        let inner = if role(found).body_type { of_types(found) } else { None };
        Some(inner.unwrap_or(found))
    }

    /// The first child inside a definition that has no node for its body.
    pub fn inside_from(&self, node: Node) -> Option<Node> {
        let marks = self.language.spec().body_after.of(self.table.type_id(node))?;
        let is_mark = |child: &Node| marks.contains(self.table.type_id(*child));
        let last = self.table.children(node).filter(is_mark).last()?;
        self.table.next_sibling(last)
    }

    /// The string that documents a module, class or function: the first statement of its body.
    pub fn docstring(&self, node: Node) -> Option<Node> {
        let rule = &self.language.spec().docs;
        if rule.statement.is_none() || !(node == Node::ROOT || self.is_scope(node)) {
            return None;
        }
        let statement = self.named_children(self.body(node)?).next()?;
        if Some(self.table.type_id(statement)) != rule.statement {
            return None;
        }
        let string = self.unwrap_node(statement);
        let is_plain = |part: &Node| {
            let text = self.node_text(*part);
            let mut opening = text.chars().take_while(|letter| letter.is_alphabetic());
            Some(self.table.type_id(*part)) == rule.string && !opening.any(|letter| rule.not_with.contains(letter))
        };
        self.string_parts(string).iter().all(is_plain).then_some(string)
    }

    /// The strings of an implicit concatenation; otherwise the node itself.
    fn string_parts(&self, node: Node) -> Vec<Node> {
        let is_joined = Some(self.table.type_id(node)) == self.language.spec().docs.joined;
        if is_joined { self.named_children(node).collect() } else { vec![node] }
    }

    /// The documentation of a definition, trimmed: its docstring without quotes, or the comments attached above it.
    pub fn doc(&self, node: Node) -> Option<String> {
        let rule = &self.language.spec().docs;
        if let Some(string) = self.docstring(node) {
            let is_content = |child: &Node| Some(self.table.type_id(*child)) == rule.content;
            let parts = self.string_parts(string).into_iter();
            let contents = parts.flat_map(|part| self.table.children(part)).filter(is_content);
            let doc: String = contents.map(|content| self.node_text(content)).collect();
            return Some(doc.trim().to_owned()).filter(|doc| !doc.is_empty());
        }
        let mut lines: Vec<String> = Vec::new();
        for text in self.doc_comments(node).into_iter().map(|comment| self.node_text(comment)) {
            lines.extend(text.lines().map(|line| without_markers(line, &rule.markers).to_owned()));
        }
        let doc = lines.join("\n");
        Some(doc.trim().to_owned()).filter(|doc| !doc.is_empty())
    }

    /// The comments above a definition that document it, in order.
    pub fn doc_comments(&self, node: Node) -> Vec<Node> {
        let rule = &self.language.spec().docs;
        if !rule.comments_above {
            return Vec::new();
        }
        let unit = self.outermost_wrapper(node);
        let first = self.attachments().leading(&self.table, unit).next().unwrap_or(unit);
        let mut comments = self.comments_above(first);
        if unit != first {
            comments.extend(self.comments_above(unit));
            comments.sort();
            comments.dedup();
        }
        let begins = |text: &str| rule.begins.is_empty() || rule.begins.iter().any(|begin| text.starts_with(begin));
        if rule.apart && !comments.iter().any(|&comment| begins(&self.node_text(comment))) {
            comments = self.comments_apart(first, &begins);
        }
        comments.retain(|&comment| begins(&self.node_text(comment)));
        comments
    }

    /// The last documentation comment above a node with only comments and blank lines in between, and the comments
    /// directly above that one.
    fn comments_apart(&self, node: Node, begins: &dyn Fn(&str) -> bool) -> Vec<Node> {
        let above = |node: &Node| {
            let previous = self.table.previous_sibling(*node)?;
            (self.is_comment(previous) && self.starts_its_line(previous)).then_some(previous)
        };
        let mut comments = std::iter::successors(above(&node), above);
        let Some(last) = comments.find(|&comment| begins(&self.node_text(comment))) else { return Vec::new() };
        let mut found = self.comments_above(last);
        found.push(last);
        found
    }

    /// The comments attached above a node, in order: on their own lines, without a blank line in between.
    pub fn comments_above(&self, node: Node) -> Vec<Node> {
        let mut comments = Vec::new();
        let mut below = node;
        // If a body has no brackets, the comments before its first statement come before the body.
        let is_block = |node: Node| {
            let role = self.language.role(self.table.type_id(node));
            node != Node::ROOT && role.body && !role.list && !role.section && !role.outer_body
        };
        let previous = |node: Node| {
            let body = || self.table.parent(node).filter(|&parent| is_block(parent));
            self.table.previous_sibling(node).or_else(|| self.table.previous_sibling(body()?))
        };
        while let Some(previous) = previous(below) {
            let first_line = self.text.line_at(self.span(below).start());
            let end = self.span(previous).end();
            // A comment that includes its line end stops on the next line.
            let ends_on_break = end > 0 && matches!(self.text.byte(end - 1), Some(b'\n' | b'\r'));
            let last_line = self.text.line_at(end) - usize::from(ends_on_break);
            let alone = self.starts_its_line(previous);
            if !self.is_comment(previous) || !alone || last_line + 1 != first_line {
                break;
            }
            comments.push(previous);
            below = previous;
        }
        comments.reverse();
        comments
    }

    /// Whether there is only whitespace before a node on its line.
    pub fn starts_its_line(&self, node: Node) -> bool {
        let start = self.span(node).start();
        let line = self.text.line_around(start);
        self.text.slice(crate::text::Span::new(line.start(), start)).chars().all(char::is_whitespace)
    }
}

/// The module of an import without quotes or angle brackets.
fn without_quotes(word: Cow<'_, str>) -> Cow<'_, str> {
    let inner = [('"', '"'), ('\'', '\''), ('`', '`'), ('<', '>')]
        .into_iter()
        .find_map(|(open, close)| word.strip_prefix(open)?.strip_suffix(close).map(str::to_owned));
    inner.map_or(word, Cow::Owned)
}

/// A line of documentation without the markers of the comment.
fn without_markers<'a>(line: &'a str, markers: &[String]) -> &'a str {
    let line = line.trim();
    let line = markers.iter().find_map(|marker| line.strip_prefix(marker.as_str())).unwrap_or(line);
    let end = markers.iter().find_map(|marker| line.strip_suffix(marker.as_str()));
    let line = end.unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line).trim_end()
}
