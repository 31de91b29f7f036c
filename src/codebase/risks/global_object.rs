//! The object that has the names of scripts as its members: `globalThis`, `window`, `this` outside of methods.

use super::made::words_in;
use crate::modules::FileId;
use crate::symbols::{Meaning, Resolver, Site, View};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether all that a file defines at its top may be members of the global object: it neither imports nor exports anything, so that
    /// it may be run as a script.
    pub fn may_be_script(&self, file: FileId) -> bool {
        let Some(view) = self.view(file) else { return false };
        if view.tree.language().spec().references.global_objects.is_empty() {
            return false;
        }
        let table = view.tree.table();
        let loaded = &view.rules.loaded_modules;
        let loads = |node: Node| {
            view.tree.callee_text(node).is_some_and(|callee| loaded.calls.iter().any(|word| *word == *callee))
        };
        view.imports().is_empty() && !self.exports_from(file, file) && !table.nodes().any(loads)
    }

    /// Whether a symbol is at the top of a file that may be a script.
    pub fn is_global_in_script(&self, symbol: Site) -> bool {
        self.view(symbol.file).is_some_and(|view| view.scopes.around(symbol.name) == Node::ROOT)
            && self.may_be_script(symbol.file)
    }

    /// Whether a symbol is such a name, and a member of the global object: a `let`, a `const` and a class are none.
    pub fn is_member_of_global(&self, symbol: Site) -> bool {
        self.is_global_in_script(symbol)
            && self.view(symbol.file).is_some_and(|view| {
                let rules = view.scopes.rules;
                view.scopes.reaches(symbol.name, &rules.bindings_beyond).is_some()
                    || view.scopes.fits(symbol.name, &rules.leaking).is_some()
            })
    }

    /// Whether a name is a member of the global object, which has the names of scripts: of some symbols, one is such a name.
    pub fn is_of_global_object(&self, symbols: &[Site], file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        // `const { name } = window`
        let taken = || {
            let pattern = self.pattern_around(&view, name)?;
            let holder = view.tree.table().parent(pattern)?;
            view.tree.named_children(holder).find(|&value| value != pattern)
        };
        self.object_of(&view, name).or_else(taken).is_some_and(|object| self.is_global_object(&view, object))
            && symbols.iter().any(|&site| self.is_member_of_global(site))
    }

    /// Whether a file passes the global object on: `(function (root) { … })(this)`.
    pub fn passes_global_object(&self, file: FileId) -> bool {
        let Some(view) = self.view(file) else { return false };
        let ends = &view.rules.escapes.ends;
        let table = view.tree.table();
        table.nodes().any(|node| {
            self.is_global_object(&view, node)
                && self.is_passed_on(file, node)
                && !table.parent(node).is_some_and(|around| table.fits_any(around, ends))
        })
    }

    /// Where the code of a page may use a name of a script.
    pub fn page_uses(&self, file: FileId, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.hidden_uses;
        let table = view.tree.table();
        let mut found = Vec::new();
        for node in table.nodes() {
            let id = table.type_id(node);
            let is_code = rules.page_code.contains(id);
            if !is_code && !rules.page_calls.contains(id) {
                continue;
            }
            let (text, start) = (view.tree.node_text(node), table.span(node).start());
            let calls = |word: &Span| is_code || text[word.end() - start..].trim_start().starts_with('(');
            found.extend(words_in(&text, name, start).filter(calls));
        }
        found
    }

    /// Whether an expression is the global object, by a name of it that the project does not bind, or `this` that no class or literal has.
    fn is_global_object(&self, view: &View<'_>, object: Node) -> bool {
        let table = view.tree.table();
        if view.scopes.rules.self_types.contains(table.type_id(object)) {
            let literals = &view.rules.members.literals;
            let is_function = |&around: &Node| view.scopes.rules.self_scopes.contains(table.type_id(around));
            let function = table.ancestors(object).find(is_function);
            let holder = function.and_then(|function| table.parent(function));
            return view.scopes.class_of_self(object).is_none()
                && !holder.is_some_and(|holder| literals.contains(table.type_id(holder)));
        }
        let objects = &view.tree.language().spec().references.global_objects;
        view.scopes.is_identifier(object)
            && objects.iter().any(|word| *word == *view.tree.node_text(object))
            && self.object_of(view, object).is_none_or(|before| before == object)
            && !matches!(self.meaning(view.file, object), Meaning::Known(_))
    }
}
