//! Functions that implement the method of an interface without saying so: lambdas, and methods of the same name.

use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::{Confidence, Role};
use crate::symbols::{Resolver, Site, Thing};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

/// The one method that an interface demands.
struct Demanded {
    interface: String,
    parameters: Option<usize>,
}

impl Workspace<'_> {
    /// Lambdas and references to methods that may implement one of the functions, which an interface demands.
    pub(crate) fn nameless_implementations(&self, family: &[Site]) -> Result<Vec<PlaceRow>, EngineError> {
        let demanded: Vec<Demanded> =
            family.iter().filter_map(|&function| self.resolve(|resolver| demanded(resolver, function))).collect();
        let Some(first) = family.first().filter(|_| !demanded.is_empty()) else { return Ok(Vec::new()) };
        let language = self.project.file(first.file).language;
        let found = self.look_at_text("", |resolver, file| {
            if resolver.project().file(file).language != language {
                return Vec::new();
            }
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let may_be = |&node: &Node| demanded.iter().any(|demanded| may_implement(tree, node, demanded));
            tree.table().nodes().filter(may_be).map(|node| (file, tree.span(node).start())).collect()
        })?;
        let why = "this may implement the method of the interface; its parameters do not change";
        Ok(found.into_iter().map(|(file, start)| self.place_row(file, start, why.to_owned())).collect())
    }
}

impl Workspace<'_> {
    /// Methods of the same name, where a type with the same members may be used in place of another one.
    pub(crate) fn methods_alike(&self, family: &[Site]) -> Result<Vec<PlaceRow>, EngineError> {
        let Some(first) = family.first() else { return Ok(Vec::new()) };
        let Some(own) = self.resolve(|resolver| resolver.holder_of_member(first.file, first.name)) else {
            return Ok(Vec::new());
        };
        let things: Vec<Thing> = family.iter().copied().map(Thing::Symbol).collect();
        let (mut rows, mut methods) = (Vec::new(), None);
        for reference in self.references(&things)? {
            if reference.row.confidence == Confidence::Certain || reference.row.role != Role::Definition {
                continue;
            }
            let other = self.resolve(|resolver| resolver.holder_of_member(reference.file, reference.node));
            let site = Site { file: reference.file, name: reference.node };
            if other.is_some_and(|other| own.may_be(&other))
                && !self.is_known_other(family, site, own.is_function, &mut methods)?
            {
                let why = "one type may be used in place of the other, which has a method of this name".to_owned();
                rows.push(self.place_row(reference.file, reference.start, why));
            }
        }
        Ok(rows)
    }
}

impl Workspace<'_> {
    /// Methods that implement one of a trait that is not among the others.
    pub(crate) fn unknown_traits(&self, family: &[Site]) -> Vec<PlaceRow> {
        let mut known: Vec<String> = Vec::new();
        for &function in family {
            known.extend(self.resolve(|resolver| resolver.name_of(resolver.class_of_member(function)?)));
        }
        let mut rows = Vec::new();
        for &function in family {
            let found = self.resolve(|resolver| {
                let tree = resolver.tree(function.file)?;
                let rules = &tree.language().spec().symbols.members.attached_bases;
                let table = tree.table();
                let holder = table.ancestors(function.name).find(|&at| rules.of(table.type_id(at)).is_some())?;
                let base =
                    rules.of(table.type_id(holder))?.iter().flat_map(|path| tree.reached(holder, path)).next()?;
                let text = tree.node_text(base).into_owned();
                let separator = tree.language().spec().imports.separator.as_str();
                let head = text.split('<').next().unwrap_or_default();
                let last = head.rsplit_once(separator).filter(|_| !separator.is_empty());
                let head = last.map_or(head, |(_, last)| last).to_owned();
                Some((tree.span(function.name).start(), text, head))
            });
            if let Some((start, text, _)) = found.filter(|(_, _, head)| !known.contains(head)) {
                rows.push(self.place_row(function.file, start, format!("it implements a method of `{text}`")));
            }
        }
        rows
    }
}

/// The interface of a method without a body, if it has no other one.
fn demanded(resolver: &Resolver<'_>, function: Site) -> Option<Demanded> {
    let tree = resolver.tree(function.file)?;
    let table = tree.table();
    if tree.language().spec().symbols.members.lambdas.is_empty() {
        return None;
    }
    let method = resolver.definition_node(function)?;
    let class = resolver.definition_node(resolver.class_of_member(function)?)?;
    let is_demanded = |node: Node| table.type_id(node) == table.type_id(method) && tree.body(node).is_none();
    let holder = table.parent(method)?;
    let others = table.children(holder).filter(|&node| node != method && is_demanded(node)).count();
    let demanded = Demanded { interface: tree.name(class)?, parameters: tree.params(method) };
    (is_demanded(method) && others == 0).then_some(demanded)
}

/// Whether an expression may implement the interface: it has as many parameters, and its place does not name another type.
fn may_implement(tree: &Tree, node: Node, demanded: &Demanded) -> bool {
    let (table, spec) = (tree.table(), tree.language().spec());
    if !spec.symbols.members.lambdas.contains(table.type_id(node)) {
        return false;
    }
    let fits = match (tree.params(node), demanded.parameters) {
        (Some(own), Some(other)) => own == other,
        _ => true,
    };
    let written = table.parent(node).and_then(|parent| {
        let paths = spec.symbols.written_types.annotations.of(table.type_id(parent))?;
        paths.iter().find_map(|path| tree.reached(parent, path).first().copied())
    });
    let is_other = written.is_some_and(|written| {
        let text = tree.node_text(written);
        !spec.symbols.type_words.inferred.iter().any(|word| *word == *text)
            && !text
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == demanded.interface)
    });
    fits && !is_other
}
