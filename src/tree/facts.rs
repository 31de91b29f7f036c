//! What a node says of itself, by its language's data: names, qualnames, documentation, counts.

use std::borrow::Cow;

use super::{Node, Tree};
use crate::language::CountRule;

/// How far a name may be passed on from node to node: `(((f)))()`.
const NAME_HOPS: usize = 64;

impl Tree {
    /// The name as a person would say it; several, joined by `, `, for an import of several. `None` for a node without one.
    pub fn name(&self, node: Node) -> Option<String> {
        let names = self.names(node);
        match names.len() {
            0 => None,
            1 => names.into_iter().next().map(Cow::into_owned),
            _ => Some(names.join(", ")),
        }
    }

    /// All names of a node, in order.
    pub fn names(&self, node: Node) -> Vec<Cow<'_, str>> {
        let text = |found| match found {
            Found::Literal(word) => Cow::Borrowed(word),
            Found::Node(other) => self.node_text(other),
        };
        self.found_names(node).into_iter().map(text).collect()
    }

    /// The node that says the name of a definition: the identifier after `def`. Of several the first.
    pub fn name_node(&self, node: Node) -> Option<Node> {
        self.found_names(node).into_iter().find_map(|found| match found {
            Found::Literal(_) => None,
            Found::Node(other) => Some(other),
        })
    }

    fn found_names(&self, node: Node) -> Vec<Found<'_>> {
        let mut names = Vec::new();
        self.collect_names(node, &mut names, NAME_HOPS);
        names
    }

    /// Further names that a node is known by: an import's aliases.
    pub fn other_names(&self, node: Node) -> Vec<Cow<'_, str>> {
        let rules = &self.language.data().other_names;
        let mut names = Vec::new();
        if let Some(paths) = self.language.rule(rules, self.table.type_id(node)) {
            for found in paths.iter().flat_map(|path| self.follow(node, path)) {
                match found {
                    Found::Node(other) if self.language.rule(rules, self.table.type_id(other)).is_some() => {
                        names.extend(self.other_names(other));
                    }
                    // An import's plain names are its names already.
                    Found::Node(other) if self.language.rule(rules, self.table.type_id(node)).is_some() => {
                        names.push(self.node_text(other));
                    }
                    _ => {}
                }
            }
        }
        names
    }

    fn collect_names<'a>(&'a self, node: Node, names: &mut Vec<Found<'a>>, hops: usize) {
        let rules = &self.language.data().names;
        let Some(paths) = self.language.rule(rules, self.table.type_id(node)) else { return };
        for found in paths.iter().flat_map(|path| self.follow(node, path)) {
            match found {
                Found::Node(other) if other != node => {
                    let other = self.unwrapped(other);
                    // What a call returns has no name: `f()()` calls `f` once.
                    let is_call_of_call = self.callee(node).is_some() && self.callee(other).is_some();
                    if hops > 0 && !is_call_of_call {
                        self.collect_names(other, names, hops - 1);
                    }
                }
                found => names.push(found),
            }
        }
    }

    /// What stands in wrappers: `f` of `((f))`.
    fn unwrapped(&self, node: Node) -> Node {
        std::iter::successors(Some(node), |&wrapper| self.held(wrapper)).last().unwrap_or(node)
    }

    /// The nodes that a path of the data leads to: through fields, to all that the last step finds.
    fn follow<'a>(&'a self, node: Node, path: &'a str) -> Vec<Found<'a>> {
        if let Some(word) = path.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            return vec![Found::Literal(word)];
        }
        if path == "." {
            return vec![Found::Node(node)];
        }
        let mut nodes = vec![node];
        for step in path.split('.') {
            let table = &self.table;
            nodes = nodes
                .into_iter()
                .flat_map(|node| -> Vec<Node> {
                    if step == "*" || step == "**" {
                        let count = if step == "*" { 1 } else { usize::MAX };
                        return self.named_children(node).take(count).collect();
                    }
                    let field = self.language.field_id(step);
                    let type_id = self.language.type_id(step);
                    let fits = |&child: &Node| match field {
                        Some(field) => table.field(child) == field && table.is_named(child),
                        None => Some(table.type_id(child)) == type_id,
                    };
                    table.children(node).filter(fits).collect()
                })
                .collect();
        }
        nodes.into_iter().map(Found::Node).collect()
    }

    /// The names of the scopes around a node, outermost first, and its own, joined by dots. `None` for a node without a name.
    pub fn qualname(&self, node: Node) -> Option<String> {
        let name = self.name(node)?;
        Some(match self.scope_qualname(node) {
            Some(scope) => format!("{scope}.{name}"),
            None => name,
        })
    }

    /// The qualname of the nearest scope around a node. `None` at top level.
    pub fn scope_qualname(&self, node: Node) -> Option<String> {
        let owners = self.logical().owners(self);
        let mut names: Vec<String> = Vec::new();
        let mut inner = node;
        // The name of a definition stands for the definition, not for something in it.
        let owner = owners[node.index()];
        if owner != Node::ROOT && self.name_node(owner) == Some(node) {
            inner = owner;
        }
        while inner != Node::ROOT {
            let outer = owners[inner.index()];
            // A decorator belongs to the definition below it, but what it names stands outside of that.
            if outer < inner && outer != Node::ROOT {
                names.extend(self.name(outer));
            }
            inner = outer;
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// Whether a node adds to the qualnames inside and ends `:has-own`.
    pub fn is_scope(&self, node: Node) -> bool {
        self.language.role(self.table.type_id(node)).scope
    }

    /// The nearest scope around a node, as a person sees it: a decorator's is its definition. Else the root.
    pub fn owner(&self, node: Node) -> Node {
        self.logical().owners(self)[node.index()]
    }

    /// The node that a call calls.
    pub fn callee(&self, node: Node) -> Option<Node> {
        let field = self.language.rule(&self.language.data().callees, self.table.type_id(node))?;
        self.child_by_field(node, field)
    }

    /// What an import imports from.
    pub fn modules(&self, node: Node) -> Vec<Cow<'_, str>> {
        let Some(paths) = self.language.rule(&self.language.data().modules, self.table.type_id(node)) else {
            return Vec::new();
        };
        let text = |found| match found {
            Found::Literal(word) => vec![Cow::Borrowed(word)],
            // `a as b` is from `a`; a plain name is its own.
            Found::Node(other) => {
                let names = self.names(other);
                if names.is_empty() { vec![self.node_text(other)] } else { names }
            }
        };
        paths.iter().flat_map(|path| self.follow(node, path)).flat_map(text).collect()
    }

    /// How many parameters a function has.
    pub fn params(&self, node: Node) -> Option<usize> {
        self.count(node, self.language.rule(&self.language.data().params, self.table.type_id(node))?)
    }

    /// How many arguments a call has.
    pub fn args(&self, node: Node) -> Option<usize> {
        self.count(node, self.language.rule(&self.language.data().args, self.table.type_id(node))?)
    }

    fn count(&self, node: Node, rule: &CountRule) -> Option<usize> {
        let Some(list) = self.child_by_field(node, &rule.field) else { return Some(0) };
        let type_name = self.type_name(list);
        if rule.single.iter().any(|single| single == type_name) {
            return Some(1);
        }
        let counts = |child: &Node| !rule.except.iter().any(|except| except == self.type_name(*child));
        Some(self.named_children(list).filter(counts).count())
    }

    /// The texts of what a class is based on.
    pub fn bases(&self, node: Node) -> Vec<Cow<'_, str>> {
        let field = self.language.rule(&self.language.data().bases, self.table.type_id(node));
        let list = field.and_then(|field| self.child_by_field(node, field));
        list.into_iter().flat_map(|list| self.named_children(list)).map(|base| self.node_text(base)).collect()
    }

    /// The text of what a function returns, as its signature says.
    pub fn returns(&self, node: Node) -> Option<Cow<'_, str>> {
        let field = self.language.rule(&self.language.data().returns, self.table.type_id(node))?;
        self.child_by_field(node, field).map(|child| self.node_text(child))
    }

    /// The modifiers of a definition: `async`, `static`.
    pub fn modifiers(&self, node: Node) -> Vec<Cow<'_, str>> {
        let words = &self.language.data().modifiers;
        let table = &self.table;
        let is_modifier = |child: &Node| words.iter().any(|word| word == self.type_name(*child));
        let holder = self.logical().adopting_wrapper(node);
        let children = table.children(node).chain(holder.into_iter().flat_map(|wrapper| table.children(wrapper)));
        children
            .filter(|child| !table.is_named(*child))
            .filter(is_modifier)
            .map(|child| self.node_text(child))
            .collect()
    }

    /// The decorators of a definition, in order.
    pub fn decorators(&self, node: Node) -> Vec<Node> {
        let Some(wrapper) = self.logical().adopting_wrapper(node) else { return Vec::new() };
        let is_decorator = |&child: &Node| self.language.role(self.table.type_id(child)).decorator;
        self.table.children(wrapper).filter(is_decorator).collect()
    }

    /// What a decorator says: its text without the sign before it and without arguments.
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
        let field = self.child_by_field(node, &self.language.data().body_field);
        field.or_else(|| {
            // A block statement may keep its block in another field, or in none.
            let role = |child: Node| self.language.role(self.table.type_id(child));
            self.table.children(node).find(|&child| role(child).body && !role(child).list)
        })
    }

    /// The string that documents a module, class or function from inside: the first statement of its body.
    pub fn docstring(&self, node: Node) -> Option<Node> {
        let rule = &self.language.data().docs;
        if rule.statement.is_empty() || !(node == Node::ROOT || self.is_scope(node)) {
            return None;
        }
        let statement = self.named_children(self.body(node)?).next()?;
        if self.type_name(statement) != rule.statement {
            return None;
        }
        let string = self.unwrapped(statement);
        let is_plain = |part: &Node| {
            let text = self.node_text(*part);
            let mut opening = text.chars().take_while(|letter| letter.is_alphabetic());
            self.type_name(*part) == rule.string && !opening.any(|letter| rule.not_with.contains(letter))
        };
        self.string_parts(string).iter().all(is_plain).then_some(string)
    }

    /// The strings that stand side by side in one; the node itself where there is no such.
    fn string_parts(&self, node: Node) -> Vec<Node> {
        let is_joined = self.type_name(node) == self.language.data().docs.joined;
        if is_joined { self.named_children(node).collect() } else { vec![node] }
    }

    /// The documentation of a definition: its docstring without quotes, or the comments attached above it; white space at
    /// the ends left out.
    pub fn doc(&self, node: Node) -> Option<String> {
        let rule = &self.language.data().docs;
        if let Some(string) = self.docstring(node) {
            let is_content = |child: &Node| self.type_name(*child) == rule.content;
            let parts = self.string_parts(string).into_iter();
            let contents = parts.flat_map(|part| self.table.children(part)).filter(is_content);
            let doc: String = contents.map(|content| self.node_text(content)).collect();
            return Some(doc.trim().to_owned()).filter(|doc| !doc.is_empty());
        }
        if !rule.comments_above {
            return None;
        }
        let comments = self.comments_above(self.unit(node));
        let lines: Vec<String> = comments.iter().map(|&comment| self.node_text(comment).into_owned()).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The comments attached above a node: on lines of their own, no blank line between, in order.
    pub fn comments_above(&self, node: Node) -> Vec<Node> {
        let mut comments = Vec::new();
        let mut below = node;
        while let Some(previous) = self.table.previous_sibling(below) {
            let first_line = self.text.line_at(self.span(below).start());
            let end = self.span(previous).end();
            // A comment that takes in its line's end stops on the line below.
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

    /// Whether only white space stands before a node on its line.
    pub fn starts_its_line(&self, node: Node) -> bool {
        let start = self.span(node).start();
        let line = self.text.line_around(start);
        self.text.slice(crate::text::Span::new(line.start(), start)).chars().all(char::is_whitespace)
    }
}

/// What a path leads to.
enum Found<'a> {
    Node(Node),
    Literal(&'a str),
}
