//! What names mean, as plain places that can be compared with those of another revision.

use super::inference::find::names_at;
use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Thing};
use crate::modules::FileId;
use crate::scopes::{Names, Use};
use crate::text::Span;
use crate::tree::Node;

/// A name and what it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundName {
    /// Its file.
    pub file: FileId,
    /// Where it is.
    pub span: Span,
    /// What it is bound to.
    pub bound: Bound,
}

/// What a name is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// These, and nothing else.
    Known(Vec<Place>),
    /// Something outside of the project.
    External,
    /// It is not known; perhaps one of these.
    Unknown(Vec<Place>),
}

/// Where a symbol is defined, or a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A symbol: its file, and the offset of the name that binds it first.
    Symbol(FileId, usize),
    /// A module.
    Module(FileId),
    /// A package without a file of its own.
    Folder(u32),
    /// A package that files declare.
    Package(u32),
}

/// What the names of a file are bound to: all, or those with some texts.
pub fn bindings(resolver: &Resolver<'_>, file: FileId, only: Option<&[&str]>) -> Vec<BoundName> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let place = |thing: Thing| match thing {
        Thing::Symbol(site) => {
            let start = resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
            Place::Symbol(site.file, start)
        }
        Thing::Module(file) => Place::Module(file),
        Thing::Folder(folder) => Place::Folder(folder),
        Thing::Package(package) => Place::Package(package),
    };
    let places = |things: Vec<Thing>| {
        let mut places: Vec<Place> = things.into_iter().map(place).collect();
        places.sort_unstable();
        places
    };
    // `import("./a")` as a type is read as a name, and is none.
    let is_path = |text: &str| text.contains('(') && text.contains(['"', '\'']);
    let is_wanted = |text: &str| only.is_none_or(|only| only.contains(&text)) && !is_path(text);
    let found = names_at(resolver, file, &|span| is_wanted(&tree.text().slice(span)));
    let bound = found.into_iter().map(|name| {
        let bound = match name.meaning {
            Meaning::Known(things) => Bound::Known(places(things)),
            Meaning::External => Bound::External,
            Meaning::Unknown(things) => Bound::Unknown(places(things)),
        };
        BoundName { file, span: name.span, bound }
    });
    bound.collect()
}

/// The names in some code of a file that nothing binds and the language does not have either, if its data lists those that it has.
pub fn unbound(resolver: &Resolver<'_>, file: FileId, code: Span) -> Vec<Span> {
    match resolver.view(file).filter(|view| !view.rules.builtins.is_empty()) {
        Some(_) => unbound_unlike(resolver, file, code, &|_, _| false),
        None => Vec::new(),
    }
}

/// The same for new code: a name that other code of the file, outside of `new`, uses without a definition in sight is known there.
pub fn unbound_in_new(resolver: &Resolver<'_>, file: FileId, code: Span, new: &[Span]) -> Vec<Span> {
    let is_used = |view: &View<'_>, names: &Names| {
        names.found.iter().any(|other| {
            let is_new = || new.iter().any(|new| new.contains(view.tree.span(other.name)));
            let symbol = names.resolve(&view.scopes, other);
            let is_bound = symbol.is_some_and(|symbol| names.binders(&view.scopes, symbol).next().is_some());
            other.does == Use::Refers && !is_bound && !is_new()
        })
    };
    unbound_unlike(resolver, file, code, &is_used)
}

/// Whether a name is known by its other uses in a file.
type IsKnown<'k> = &'k dyn Fn(&View<'_>, &Names) -> bool;

fn unbound_unlike(resolver: &Resolver<'_>, file: FileId, code: Span, is_known: IsKnown<'_>) -> Vec<Span> {
    let Some(view) = resolver.view(file).filter(|view| view.globs().is_empty()) else { return Vec::new() };
    let table = view.tree.table();
    let is_unbound = |name: Node| {
        let text = view.tree.node_text(name);
        let names = view.scopes.names(&text);
        let Some(found) = names.at(name).filter(|found| found.does == Use::Refers) else { return false };
        let symbol = names.resolve(&view.scopes, found);
        // A scope may declare that a name is the file's, where nothing binds it.
        let is_bound = symbol.is_some_and(|symbol| names.binders(&view.scopes, symbol).next().is_some());
        !is_bound
            && !view.rules.builtins.contains(&text)
            && !view.rules.language_names.contains(&text)
            && !matches!(resolver.meaning(file, name), Meaning::Known(_))
            && (!view.rules.members.structural || !resolver.is_written_type(&view, name))
            && !is_known(&view, &names)
    };
    let own = table.nodes().filter(|&node| code.contains(table.span(node)) && view.scopes.is_identifier(node));
    own.filter(|&name| is_unbound(name)).map(|name| table.span(name)).collect()
}
