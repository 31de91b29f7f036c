//! Name resolution: scopes, bindings and name spaces, from the language's data.
//!
//! The place of a name determines its role: it binds, it refers, it declares where another binding is, or it is not a
//! variable (`.name`, `name=`). A reference is looked up from scope to scope, among the bindings of its name spaces.
//! All names of a file are indexed once; the data about names with the same text is computed on demand.

mod bindings;
mod cases;
mod counting;
pub mod imported;
mod members;
mod resolution;

pub use bindings::{Names, Symbol, Use, VariableName};

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::language::{Places, ReferenceRules, Spaces};
use crate::text::Span;
use crate::tree::{NamedNodes, Node, Tree};

/// The scopes of a tree.
pub struct Scopes<'a> {
    pub tree: &'a Tree,
    pub rules: &'a ReferenceRules,
    /// Whether the names that only symbols need are among them.
    has_members: bool,
    index: OnceCell<NamedNodes>,
    is_counted: Cell<bool>,
    names: RefCell<FxHashMap<String, Rc<Names>>>,
    around: RefCell<FxHashMap<Node, Node>>,
    steps: Cell<usize>,
}

impl<'a> Scopes<'a> {
    pub fn new(tree: &'a Tree) -> Scopes<'a> {
        Scopes::by(tree, &tree.language().spec().references, false)
    }

    /// The scopes with the names that only symbols need: fields, methods.
    #[cfg_attr(not(feature = "schema"), allow(dead_code, reason = "only symbols of a project need it"))]
    pub fn with_members(tree: &'a Tree) -> Scopes<'a> {
        let spec = tree.language().spec();
        Scopes::by(tree, spec.symbols.references.as_ref().unwrap_or(&spec.references), true)
    }

    fn by(tree: &'a Tree, rules: &'a ReferenceRules, has_members: bool) -> Scopes<'a> {
        Scopes {
            tree,
            rules,
            has_members,
            index: OnceCell::new(),
            is_counted: Cell::new(false),
            names: RefCell::default(),
            around: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    /// Whether a name binds something.
    pub fn binds(&self, name: Node) -> bool {
        matches!(self.classify(name), Some((Use::Binds | Use::Imports, _)))
    }

    /// How many nodes were visited so far: the cost of the work.
    pub fn steps(&self) -> usize {
        self.steps.get()
    }

    pub fn count(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps);
    }

    /// The nodes with a name, in order.
    pub fn nodes_of(&self, text: &str) -> &[Node] {
        let (index, text) = (self.index(), self.rules.plain(text));
        let found = index.get(text);
        let alike = || self.rules.any_case.and_then(|_| index.get(cases::key(text).as_str()));
        found.or_else(alike).map_or(&[], Vec::as_slice)
    }

    /// The nodes of each name. Names are followed with new scopes of the same file many times, so the tree keeps the index of
    /// those with members. Its cost is counted each time: a budget does not depend on earlier work.
    fn index(&self) -> &NamedNodes {
        if !self.is_counted.replace(true) {
            self.count(self.tree.table().len());
        }
        match self.has_members {
            true => self.tree.names_once(|| self.find_names()),
            false => self.index.get_or_init(|| self.find_names()),
        }
    }

    fn find_names(&self) -> NamedNodes {
        let mut index = NamedNodes::default();
        for node in self.tree.table().nodes().filter(|&node| self.is_identifier(node)) {
            let text = self.tree.node_text(node);
            let text = self.rules.plain(&text);
            match index.get_mut(text) {
                Some(nodes) => nodes.push(node),
                None => {
                    index.insert(text.into(), vec![node]);
                }
            }
        }
        if self.rules.any_case.is_some() {
            cases::join(&mut index, &|node| self.any_case_of(node));
        }
        index
    }

    /// The variables with a name, and what binds them.
    pub fn names(&self, text: &str) -> Rc<Names> {
        if let Some(names) = self.names.borrow().get(text) {
            return Rc::clone(names);
        }
        let found = self.nodes_of(text).iter().filter_map(|&name| self.found(name)).collect();
        let names = Rc::new(Names::new(found, self.rules.shared_spaces));
        self.names.borrow_mut().insert(text.to_owned(), Rc::clone(&names));
        names
    }

    pub fn names_like(&self, node: Node) -> Rc<Names> {
        self.names(&self.tree.node_text(node))
    }

    /// The variable at a name, if it is one.
    pub fn found(&self, name: Node) -> Option<VariableName> {
        self.count(1);
        let (does, spaces) = self.classify(name)?;
        if self.rules.blank.iter().any(|word| *word == *self.tree.node_text(name)) {
            return None;
        }
        let inner = self.around(name);
        let mut scope = inner;
        if self.reaches(name, &self.rules.bindings_beyond).is_some() {
            while self.rules.expressions.contains(self.tree.table().type_id(scope))
                && scope != Node::ROOT
                && !self.is_kept(name, scope)
            {
                scope = self.around(scope);
            }
        }
        let (type_of, rules) = (|scope: Node| self.tree.table().type_id(scope), self.rules);
        if self.fits(name, &rules.function_wide).is_some() {
            let functions = &self.tree.language().spec().flow.functions;
            while !functions.contains(type_of(scope)) && scope != Node::ROOT {
                scope = self.around(scope);
            }
        }
        scope = self.beyond_members(name, scope);
        let leaks = self.fits(name, &self.rules.leaking).is_some()
            && self.rules.expressions.contains(self.tree.table().type_id(scope));
        let is_own = self.fits(name, &self.rules.own_names).is_some();
        let from = self.bound_from(name, scope);
        let is_new = from > 0 && self.reaches(name, &self.rules.shadowing).is_some();
        Some(VariableName {
            is_new,
            name,
            does,
            spaces,
            inner,
            scope,
            from,
            leaks,
            is_own,
            at: self.tree.span(name).start(),
        })
    }

    /// The scope of a name that is none of the members of the class around: that outside of it.
    fn beyond_members(&self, name: Node, mut scope: Node) -> Node {
        if self.fits(name, &self.rules.beyond_members).is_some() {
            while self.rules.members.contains(self.tree.table().type_id(scope)) && scope != Node::ROOT {
                scope = self.around(scope);
            }
        }
        scope
    }

    /// Whether a scope has, before a name, what keeps names like it: an assignment to a parameter of a block is one to that parameter.
    fn is_kept(&self, name: Node, scope: Node) -> bool {
        let keeping = &self.rules.kept_by;
        let is_its = |&other: &Node| {
            other < name
                && self.reaches(other, keeping).is_some()
                && self.beyond_members(other, self.around(other)) == scope
        };
        !keeping.is_empty() && self.nodes_of(&self.tree.node_text(name)).iter().any(is_its)
    }

    /// The offset from which a binding counts.
    pub fn bound_from(&self, name: Node, scope: Node) -> usize {
        let table = self.tree.table();
        if scope == Node::ROOT || self.reaches(name, &self.rules.delayed).is_none() {
            let from = counting::counts_from(self.tree, self.rules, name, scope);
            // The defaults of parameters do not see the names of the body.
            let is_function = from == 0 && self.tree.language().spec().flow.functions.contains(table.type_id(scope));
            let body = self.tree.body(scope).filter(|&body| is_function && table.is_within(name, body));
            return body.map_or(from, |body| table.span(body).start());
        }
        let mut holder = name;
        while let Some(parent) = table.parent(holder) {
            if self.fits(holder, &self.rules.delayed).is_some() {
                // If the parent is the whole scope of the names, they bind after their value.
                let next = std::iter::successors(table.next_sibling(holder), |&next| table.next_sibling(next));
                let value = next.filter(|_| self.is_scope(parent)).find(|&next| table.is_named(next));
                return table.span(value.unwrap_or(parent)).end();
            }
            holder = parent;
        }
        0
    }

    pub fn is_identifier(&self, node: Node) -> bool {
        let table = self.tree.table();
        table.is_named(node)
            && self.rules.identifiers.contains(table.type_id(node))
            && table.subtree_end(node) == node.index() + 1
    }

    /// The role and the name spaces of a name; `None` for a name that is not a variable.
    pub fn classify(&self, name: Node) -> Option<(Use, Spaces)> {
        if !self.is_identifier(name) {
            return None;
        }
        let rules = self.rules;
        let table = self.tree.table();
        let id = table.type_id(name);
        let of_type = rules.spaces.of(id).copied().unwrap_or(Spaces::ALL);
        let is_lexical = rules.lexical.contains(id);
        let spaces = |place: Option<Spaces>| if is_lexical { of_type } else { place.unwrap_or(of_type) };
        let elsewhere = [&rules.not_names, &rules.attributes, &rules.keys];
        let is_import = || self.fits(name, &rules.imports).is_some();
        if !is_lexical && elsewhere.iter().any(|places| self.fits(name, places).is_some()) && !is_import() {
            return None;
        }
        if self.fits(name, &rules.elements).is_some() && !is_component(&self.tree.node_text(name)) {
            return None;
        }
        let parent = table.parent(name)?;
        let is_head = rules.heads.contains(table.type_id(parent));
        if is_head && self.tree.named_children(parent).next() != Some(name) {
            return None;
        }
        let is_whole = !is_head || self.tree.named_children(parent).nth(1).is_none();
        let in_space = |place: Option<Spaces>| spaces(place.or_else(|| self.fits(name, &rules.refers).flatten()));
        if let Some(place) = self.fits(name, &rules.globals) {
            return Some((Use::Global, in_space(place)));
        }
        if let Some(place) = self.fits(name, &rules.outers) {
            return Some((Use::Outer, in_space(place)));
        }
        let is_head_of_import = || {
            let (sign, next) = (rules.sign_of_import_heads.as_deref(), table.next_sibling(name));
            sign.zip(next).is_some_and(|(sign, next)| self.tree.node_text(next) == sign)
        };
        if let Some(place) = self.reaches(name, &rules.imports).filter(|_| !is_head_of_import()) {
            return Some((Use::Imports, spaces(place)));
        }
        let is_capital = || {
            self.fits(name, &rules.capitals).is_some()
                && self.tree.node_text(name).starts_with(|first: char| first.is_uppercase() || first == '`')
        };
        if let Some(place) = self.reaches(name, &rules.bindings).filter(|_| is_whole && !is_capital()) {
            return Some((Use::Binds, spaces(place)));
        }
        if is_head && self.fits(parent, &rules.not_names).is_some() {
            return None;
        }
        let spaces = spaces(self.fits(name, &rules.refers).flatten());
        let is_token = rules.token_lists.contains(table.type_id(parent));
        Some((Use::Refers, if is_token { self.spaces_of_token(name, spaces) } else { spaces }))
    }

    /// The name spaces of a name among tokens, by the signs beside it.
    fn spaces_of_token(&self, name: Node, mut spaces: Spaces) -> Spaces {
        let table = self.tree.table();
        let has = |beside: Option<Node>, sign: &Option<String>| {
            beside.zip(sign.as_deref()).is_some_and(|(beside, sign)| self.tree.node_text(beside) == sign)
        };
        let before = has(table.previous_sibling(name), &self.rules.sign_before);
        let after = has(table.next_sibling(name), &self.rules.sign_after);
        for (is_its, own) in [(before, self.rules.spaces_after_sign), (after, self.rules.space_before_sign)] {
            let Some(own) = own else { continue };
            if is_its {
                return own;
            }
            spaces = spaces.without(own);
        }
        spaces
    }

    /// The text of a name with two meanings.
    pub fn shorthand(&self, name: Node) -> Option<&str> {
        let found = self.rules.shorthand.iter().find(|(places, _)| self.fits(name, places).is_some());
        found.map(|(_, to)| to.as_str())
    }

    /// Whether a node is at one of the places, and the name spaces that the place gives it.
    pub fn fits(&self, node: Node, places: &Places) -> Option<Option<Spaces>> {
        self.tree.table().place_of(node, places).map(|place| place.spaces)
    }

    /// The same, but patterns around a node count as the node.
    pub fn reaches(&self, node: Node, places: &Places) -> Option<Option<Spaces>> {
        let mut node = node;
        loop {
            if let Some(spaces) = self.fits(node, places) {
                return Some(spaces);
            }
            self.fits(node, &self.rules.patterns)?;
            node = self.tree.table().parent(node)?;
        }
    }

    pub fn is_scope(&self, node: Node) -> bool {
        self.rules.scopes.contains(self.tree.table().type_id(node)) && self.fits(node, &self.rules.merged).is_none()
    }

    /// Whether the names of a scope are invisible in the scopes inside it.
    pub fn is_unseen(&self, scope: Node) -> bool {
        self.rules.unseen.contains(self.tree.table().type_id(scope))
    }

    /// Whether no name in a scope is looked up outside of it.
    pub fn is_barrier(&self, scope: Node) -> bool {
        self.rules.barriers.contains(self.tree.table().type_id(scope))
    }

    /// The innermost such scope around a node.
    pub fn barrier_around(&self, node: Node) -> Option<Node> {
        self.tree.table().ancestors(node).find(|&around| self.is_barrier(around))
    }

    /// Where a name is, without the signs that only let it be written.
    pub fn plain_span(&self, name: Node) -> Span {
        let (part, start) = (self.rules.plain_part(&self.tree.node_text(name)), self.tree.span(name).start());
        Span::new(start + part.start, start + part.end)
    }

    /// Whether a name is the same in any case.
    pub fn any_case_of(&self, name: Node) -> bool {
        let Some(any) = self.rules.any_case else { return false };
        let of_member = self.fits(name, &self.rules.attributes).flatten();
        let spaces = of_member.or_else(|| self.classify(name).map(|(_, spaces)| spaces));
        spaces.is_some_and(|spaces| spaces.meets(any))
    }

    /// Whether no bare name means a name of a scope.
    pub fn is_sealed(&self, scope: Node) -> bool {
        self.rules.sealed.contains(self.tree.table().type_id(scope))
    }

    /// The nearest enclosing scope of a node; parts of a scope's node that are evaluated outside it do not count as
    /// inside.
    pub fn around(&self, node: Node) -> Node {
        if let Some(&scope) = self.around.borrow().get(&node) {
            return scope;
        }
        let scope = self.find_around(node);
        self.around.borrow_mut().insert(node, scope);
        scope
    }

    pub fn find_around(&self, node: Node) -> Node {
        let table = self.tree.table();
        let (mut is_outside, mut left) = (false, 0);
        let mut child = node;
        for ancestor in table.ancestors(node) {
            self.count(1);
            let is_first = || {
                let like = |&other: &Node| table.type_id(other) == table.type_id(ancestor);
                let first = table.parent(ancestor).and_then(|parent| table.children(parent).find(like));
                first == Some(ancestor)
            };
            let leaves = self.fits(child, &self.rules.outside).is_some();
            if self.fits(child, &self.rules.twice_outside).is_some() {
                left = 2;
            }
            if self.is_scope(ancestor) && left > 0 {
                left -= 1;
            } else if self.is_scope(ancestor) {
                if !is_outside && !leaves {
                    return ancestor;
                }
                is_outside = false;
            } else if leaves || (self.fits(child, &self.rules.first_outside).is_some() && is_first()) {
                is_outside = true;
            }
            child = ancestor;
        }
        Node::ROOT
    }
}

/// Whether the name of an element's tag is a variable, as in `<Item>` and unlike `<p>`.
pub fn is_component(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_lowercase())
}
