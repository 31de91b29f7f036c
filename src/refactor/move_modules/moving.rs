//! A move of a module, with its changes so far.

use rustc_hash::FxHashSet;

use crate::edit::TextChange;
use crate::modules::FileId;
use crate::refactor::move_modules::route::ModuleRoute;
use crate::symbols::{Reach, Resolver, Site, Thing};
use crate::text::Span;
use crate::tree::{Node, Tree};

/// A place that is in the way, or uncertain.
pub(super) struct Obstacle {
    pub file: FileId,
    pub start: usize,
    pub why: String,
}

/// A move of a module, with its changes so far.
pub(super) struct ModuleMove<'a, 'r> {
    pub resolver: &'a Resolver<'r>,
    pub route: &'a ModuleRoute,
    /// The names of the module from the root on, after the move.
    pub names: Vec<String>,
    /// The modules that use it, besides itself and those inside it.
    pub users: Vec<Thing>,
    /// Changes besides that of its declaration.
    pub changes: Vec<(FileId, TextChange)>,
    /// How many references change.
    pub count: usize,
    /// Places that refuse the move unless they are left so.
    pub left: Vec<Obstacle>,
    /// Those that refuse it unless it is forced.
    pub risks: Vec<Obstacle>,
    pub opened: FxHashSet<(FileId, usize)>,
    /// Definitions whose types can be used.
    pub looked_at: FxHashSet<(FileId, usize)>,
    /// Imports that go.
    pub dropped: Vec<(FileId, Node)>,
}

impl ModuleMove<'_, '_> {
    pub(super) fn leave(&mut self, file: FileId, start: usize, why: impl Into<String>) {
        self.left.push(Obstacle { file, start, why: why.into() });
    }

    pub(super) fn risk(&mut self, file: FileId, start: usize, why: impl Into<String>) {
        self.risks.push(Obstacle { file, start, why: why.into() });
    }

    /// Changes a text, unless it is part of what changes already.
    pub(super) fn change(&mut self, file: FileId, tree: &Tree, span: Span, text: String) {
        if self.changes.iter().any(|(other, change)| *other == file && change.span.contains(span) && !span.is_empty()) {
            return;
        }
        let around = tree.table().smallest_around(span);
        let up = std::iter::once(around).chain(tree.table().ancestors(around));
        let extent = up.take_while(|&node| node != Node::ROOT).last();
        let extent = extent.map_or(span, |unit| tree.span(unit));
        self.changes.push((file, TextChange { span, text, extent }));
    }

    pub(super) fn separator(&self, file: FileId) -> &'static str {
        &self.resolver.project().file(file).language.spec().imports.separator
    }

    /// A path from the root of the library or program on.
    pub(super) fn absolute(&self, names: &[String]) -> String {
        let rules = &self.resolver.project().file(self.route.module).language.spec().symbols.module_words;
        let root = rules.root.first().map_or("", String::as_str);
        let names = std::iter::once(root).chain(names.iter().map(String::as_str));
        names.collect::<Vec<&str>>().join(self.separator(self.route.module))
    }

    /// Whether a module moves.
    pub(super) fn moves(&self, module: Thing) -> bool {
        match module {
            Thing::Module(file) | Thing::Symbol(Site { file, .. }) => self.route.moved.contains(&file),
            Thing::Folder(_) | Thing::Package(_) => false,
        }
    }

    /// Whether what moves can still use something with a reach.
    pub(super) fn is_seen(&self, reach: Reach) -> bool {
        match reach {
            Reach::Everywhere | Reach::Library => true,
            Reach::Module(module) => {
                self.moves(module) || self.resolver.is_module_within(Thing::Module(self.route.home), module)
            }
        }
    }

    /// Whether a module is in the new module around, or moves there.
    pub(super) fn is_at_home(&self, module: Thing) -> bool {
        self.moves(module) || self.resolver.is_module_within(module, Thing::Module(self.route.home))
    }
}
