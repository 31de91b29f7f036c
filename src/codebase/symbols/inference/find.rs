//! Definitions by name or by place.

use super::resolver::{Resolver, View};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::model::{Meaning, Site, Thing};
use crate::symbols::project::Project;
use crate::text::Span;
use crate::tree::Node;

/// How a symbol is named: `handle`, `Server.handle`, `PATH::Server.handle`, `PATH:LINE[:COL]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// A name, or the end of a qualified name; in one file if there is a path.
    Name {
        /// The file.
        path: Option<String>,
        /// The name, its parts separated by dots.
        name: String,
    },
    /// The symbol at a place.
    Place {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        col: Option<usize>,
    },
}

impl Query {
    /// Reads one of these forms.
    pub fn parse(text: &str) -> Query {
        if let Some((path, name)) = text.split_once("::")
            && (path.contains('/') || path.contains('.'))
        {
            return Query::Name { path: Some(path.to_owned()), name: name.replace("::", ".") };
        }
        let mut parts = text.rsplitn(3, ':');
        let last = parts.next().and_then(|part| part.parse().ok());
        let middle = parts.next();
        let first = parts.next();
        match (first, middle.and_then(|part| part.parse().ok()), last) {
            (Some(path), Some(line), Some(col)) => Query::Place { path: path.to_owned(), line, col: Some(col) },
            (None, None, Some(line)) if middle.is_some() => {
                Query::Place { path: middle.unwrap_or_default().to_owned(), line, col: None }
            }
            (Some(first), None, Some(line)) => {
                Query::Place { path: format!("{first}:{}", middle.unwrap_or_default()), line, col: None }
            }
            _ => Query::Name { path: None, name: text.replace("::", ".").replace('#', ".") },
        }
    }

    /// The word that a file must contain to have the definition; `None` for a place.
    pub fn word(&self) -> Option<&str> {
        match self {
            Query::Name { name, .. } => name.rsplit('.').next(),
            Query::Place { .. } => None,
        }
    }
}

/// A definition of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The symbol, or the module.
    pub thing: Thing,
    /// The qualified name in its file; of a module, its dotted path.
    pub qualname: String,
    /// Its kind.
    pub kind: &'static str,
}

/// The definitions of a file that a name fits: functions, classes, and variables of a module or a class.
pub fn find_definitions(resolver: &Resolver<'_>, file: FileId, name: &str) -> Vec<Definition> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let Some(word) = name.rsplit('.').next() else { return Vec::new() };
    let module = module_name(resolver.project(), file);
    let mut found: Vec<Definition> = Vec::new();
    for &node in view.scopes.nodes_of(word) {
        let Meaning::Known(things) = resolver.meaning(file, node) else { continue };
        let own = Thing::Symbol(Site { file, name: node });
        let is_first = things.contains(&own);
        let continued = || resolver.continued(&view, node, &things);
        let other = if is_first { None } else { continued() };
        if !is_first && other.is_none() || !is_lasting(resolver, &view, node) {
            continue;
        }
        let mut definition = definition(resolver, &view, node);
        definition.thing = other.unwrap_or(definition.thing);
        let whole = format!("{module}.{}", definition.qualname);
        let fits = whole == name || whole.strip_suffix(name).is_some_and(|head| head.ends_with('.'));
        if fits && !found.iter().any(|known| known.thing == definition.thing) {
            found.push(definition);
        }
    }
    found
}

/// Whether a symbol outlives the call of a function: it is one of a module or a class, or a definition.
pub(crate) fn is_lasting(resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
    is_found(resolver, view, name)
        || resolver.definition_of(view, name).is_some_and(|definition| {
            view.tree.is_scope(definition) && view.scopes.reaches(name, &view.scopes.rules.parameters).is_none()
        })
}

/// Whether a symbol is one of a module, a name space or a class, where code outside of functions finds it.
pub(crate) fn is_found(resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> bool {
    let scope = view.scopes.names(&view.tree.node_text(name)).at(name).map(|found| found.scope);
    let table = view.tree.table();
    let is_namespace = |scope: Node| {
        let holder = table.parent(scope).filter(|&holder| view.tree.body(holder) == Some(scope));
        holder.is_some_and(|holder| view.rules.members.namespaces.contains(table.type_id(holder)))
    };
    scope.is_some_and(is_namespace) || scope == Some(Node::ROOT) || resolver.is_member(view, name)
}

fn definition(resolver: &Resolver<'_>, view: &View<'_>, name: Node) -> Definition {
    let tree = view.tree;
    let node = resolver.definition_of(view, name);
    let written = tree.node_text(name);
    let text = view.scopes.rules.plain(&written);
    let is_promoted = view.scopes.fits(name, &view.scopes.rules.promoted).is_some();
    let qualname = match node {
        // `x` of `x, y int`
        Some(node) if tree.names(node).len() > 1 => Some(tree.qualify(node, text.to_owned())),
        Some(node) => tree.qualname(node),
        None => tree.scope_qualname(name).map(|scope| format!("{scope}.{text}")),
    };
    let qualname = match resolver.own_class(view, name) {
        // `self.x = 1` in a method is a member of the class.
        Some(scope) => tree.qualname(view.scopes.class_of(scope)).map(|class| format!("{class}.{text}")),
        // A parameter that is a member at once is known as that.
        None if is_promoted => {
            let class = resolver.class_around(view, name).filter(|class| class.file == view.file);
            let class = class.and_then(|class| resolver.definition_of(view, class.name));
            class.and_then(|class| tree.qualname(class)).map(|class| format!("{class}.{text}"))
        }
        None => qualname,
    };
    let kinds = Kinds::new(tree);
    let kind = match node {
        _ if is_promoted => "field",
        Some(node) if kinds.kind(node) != "name" => kinds.kind(node),
        _ if resolver.is_member(view, name) => "field",
        _ if view.scopes.reaches(name, &view.scopes.rules.parameters).is_some() => "parameter",
        _ => "variable",
    };
    Definition {
        thing: Thing::Symbol(Site { file: view.file, name }),
        qualname: qualname.unwrap_or_else(|| text.to_owned()),
        kind,
    }
}

/// The definition of a symbol or a module.
pub(crate) fn describe(resolver: &Resolver<'_>, thing: Thing) -> Option<Definition> {
    match thing {
        Thing::Symbol(site) => Some(definition(resolver, &*resolver.view(site.file)?, site.name)),
        Thing::Module(file) => {
            Some(Definition { thing, qualname: module_name(resolver.project(), file), kind: "module" })
        }
        Thing::Folder(_) | Thing::Package(_) => None,
    }
}

/// The dotted name of a file's module, from the root of the project.
pub fn module_name(project: &Project, file: FileId) -> String {
    let file = project.file(file);
    let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let packages = &file.language.spec().symbols.module_files.packages;
    if parts.len() > 1 && parts.last().is_some_and(|last| packages.iter().any(|name| name == last)) {
        parts.pop();
    }
    parts.join(".")
}

/// A name of a file, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name, or the string with a type annotation that contains it.
    pub node: Node,
    /// Where it is.
    pub span: Span,
    /// What it means.
    pub meaning: Meaning,
}

/// All names of a file and what they mean.
pub fn names(resolver: &Resolver<'_>, file: FileId) -> Vec<Named> {
    names_at(resolver, file, &|_| true)
}

/// The names of a file at the places that are wanted, and what they mean.
pub(in crate::symbols) fn names_at(
    resolver: &Resolver<'_>,
    file: FileId,
    is_wanted: &dyn Fn(Span) -> bool,
) -> Vec<Named> {
    let Some(view) = resolver.view(file) else { return Vec::new() };
    let is_name = |&node: &Node| view.scopes.is_identifier(node) && is_wanted(view.tree.span(node));
    let identifiers = view.tree.table().nodes().filter(is_name);
    let named = |node| Named { node, span: view.tree.span(node), meaning: resolver.meaning(file, node) };
    let mut names: Vec<Named> = identifiers.map(named).collect();
    for (node, span) in resolver.quoted_words(&view).into_iter().filter(|(_, span)| is_wanted(*span)) {
        names.push(Named { node, span, meaning: resolver.quoted_meaning(&view, node, span) });
    }
    names.sort_by_key(|name| name.span.start());
    names
}

impl Resolver<'_> {
    /// The first part of a class, if a name is that of another part; or the declaration in a header, if a name is that of the definition.
    pub(in crate::symbols) fn continued(&self, view: &View<'_>, name: Node, things: &[Thing]) -> Option<Thing> {
        match things {
            &[Thing::Symbol(site)] if site.file != view.file && self.scheme(view).is_continuation(self, view, name) => {
                Some(Thing::Symbol(site))
            }
            _ => None,
        }
    }
}
