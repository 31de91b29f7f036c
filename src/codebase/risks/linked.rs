//! Names that a linker makes one: functions and variables of files that do not include each other.

use super::uses::definitions_of;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Meaning, Resolver, Site, Thing, View, describe};
use crate::tree::Node;

/// How a name in another file may be one with a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// Where the program is linked.
    Linker,
    /// It may declare the class of the other file.
    Declared,
    /// One file runs the other.
    Run,
    /// The object has the names of scripts as members: `window.f`.
    Global,
}

impl Resolver<'_> {
    /// How a name in another file may be one with some symbols: both are functions or variables that no file keeps to itself, and at
    /// most one of them is defined with a body; or both are structs, and one has no body; or variables of files that run each other. In a file of
    /// its own, too, it may be a member of the object that has the names of scripts.
    pub fn may_be_linked(&self, symbols: &[Site], file: FileId, name: Node) -> Option<Linking> {
        let view = self.view(file)?;
        if self.is_of_global_object(symbols, file, name) {
            return Some(Linking::Global);
        }
        if symbols.iter().any(|site| site.file == file) {
            return None;
        }
        if self.is_in_augmentation(&view, name) {
            return Some(Linking::Declared);
        }
        if !view.rules.includes.expressions.is_empty() {
            return symbols.iter().any(|&site| self.shares_variables(site, &view, name)).then_some(Linking::Run);
        }
        if view.rules.modules != Some(ModuleScheme::Includes) {
            return None;
        }
        let Meaning::Known(things) = self.meaning(view.file, name) else { return None };
        let others = things.iter().filter_map(|thing| match thing {
            Thing::Symbol(site) => Some(*site),
            _ => None,
        });
        let has_body = symbols.iter().any(|&site| self.has_body(site));
        let is_weak = |site: Site| {
            self.view(site.file).is_some_and(|view| {
                let word = view.rules.macros.weak_word.as_deref();
                let definition = self.definition_of(&view, site.name);
                definition.zip(word).is_some_and(|(definition, word)| view.tree.node_text(definition).contains(word))
            })
        };
        let may_be_both = |site: Site| is_weak(site) || symbols.iter().any(|&own| is_weak(own));
        let is_linked =
            |site: Site| (!(has_body && self.has_body(site)) || may_be_both(site)) && self.is_shared_by_linking(site);
        let mut others = others.into_iter().peekable();
        let is_class = |site: Site| self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name));
        if others.peek().is_some_and(|&other| is_class(other)) {
            let is_declared = |other: Site| {
                let is_whole = has_body && self.has_body(other);
                is_class(other)
                    && !is_whole
                    && symbols.iter().any(|&site| is_class(site) && self.is_named_like(site, other))
            };
            return others.any(is_declared).then_some(Linking::Declared);
        }
        let may_be = others.any(is_linked) && symbols.iter().any(|&site| self.is_shared_by_linking(site));
        may_be.then_some(Linking::Linker)
    }

    /// Whether a name may mean a symbol in a language whose names are not followed, so that nobody knows which class has a member: the
    /// symbol is not of one function, and the name is no variable of one.
    pub fn may_be_unfollowed(&self, symbol: Site, file: FileId, name: Node) -> bool {
        /// Kinds of what has members.
        const HOLDERS: [&str; 4] = ["class", "struct", "interface", "enum"];
        let (Some(own), Some(view)) = (self.view(symbol.file), self.view(file)) else { return false };
        if view.rules.modules.is_some() || own.rules.modules.is_some() {
            return false;
        }
        let is_of_function = |view: &View<'_>, name: Node| {
            let names = view.scopes.names(&view.tree.node_text(name));
            let bound = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
            let kinds = Kinds::new(view.tree);
            let holds_members = |scope: Node| HOLDERS.iter().any(|kind| kinds.is(scope, kind));
            bound.is_some_and(|bound| bound.scope != Node::ROOT && !holds_members(bound.scope))
        };
        !is_of_function(&own, symbol.name) && !is_of_function(&view, name)
    }

    /// Whether a name is a variable outside of functions as a symbol is, in another file, and one of the two files is run by code that
    /// has its name.
    fn shares_variables(&self, symbol: Site, view: &View<'_>, name: Node) -> bool {
        let is_variable = |view: &View<'_>, name: Node| {
            let names = view.scopes.names_like(name);
            let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
            view.scopes.fits(name, &view.rules.namespaces.file_names).is_some()
                && symbol.is_some_and(|symbol| symbol.scope == Node::ROOT)
        };
        let Some(own) = self.view(symbol.file) else { return false };
        is_variable(&own, symbol.name)
            && is_variable(view, name)
            && [symbol.file, view.file].into_iter().any(|file| self.is_run_by_another(file))
    }

    /// Whether code of the project runs a file: an expression that does has the last part of its path.
    fn is_run_by_another(&self, file: FileId) -> bool {
        if let Some(&known) = self.run_files.borrow().get(&file) {
            return known;
        }
        let path = &self.project().file(file).path;
        let last = path.rsplit('/').next().unwrap_or(path);
        let word = last.split('.').next().unwrap_or(last);
        let runs = |other: FileId| {
            self.view(other).is_some_and(|view| {
                let table = view.tree.table();
                let expressions = &view.rules.includes.expressions;
                let mut nodes = table.nodes().filter(|&node| expressions.contains(table.type_id(node)));
                nodes.any(|node| view.tree.node_text(node).contains(last))
            })
        };
        let found = self.project().ids().filter(|&other| self.may_contain(other, word)).any(runs);
        self.run_files.borrow_mut().insert(file, found);
        found
    }

    /// Whether two symbols are in the same namespaces.
    fn is_named_like(&self, one: Site, other: Site) -> bool {
        let around = |site: Site| {
            let view = self.view(site.file)?;
            let kinds = Kinds::new(view.tree);
            let around = view.tree.table().ancestors(site.name).filter(|&node| kinds.is(node, "namespace"));
            let name = |node: Node| view.tree.name_node(node).map(|name| view.tree.node_text(name).into_owned());
            Some(around.map(name).collect::<Vec<_>>())
        };
        around(one) == around(other)
    }

    fn has_body(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| {
            let definition = self.definition_of(&view, site.name);
            definition.is_some_and(|definition| view.tree.body(definition).is_some())
        })
    }

    /// Whether a symbol is a function or a variable at the top of its file that other files can use.
    pub(super) fn is_shared_by_linking(&self, site: Site) -> bool {
        let Some(view) = self.view(site.file) else { return false };
        let found = view.scopes.names(&view.tree.node_text(site.name)).at(site.name).map(|found| found.scope);
        if found != Some(Node::ROOT) {
            return false;
        }
        let kind = describe(self, Thing::Symbol(site)).map(|definition| definition.kind);
        let hidden = definitions_of(&view, "private");
        let mut around = std::iter::once(site.name).chain(view.tree.table().ancestors(site.name));
        matches!(kind, Some("function" | "variable")) && !around.any(|node| hidden.contains(node))
    }
}
