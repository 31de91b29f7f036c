//! What methods do with their own object.

use super::inference::resolver::Resolver;
use super::model::Site;
use crate::modules::FileId;
use crate::tree::Node;

/// A use of the object of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnUse {
    /// The object: `self`; or what finds it without a name, `super`.
    pub object: Node,
    /// The name of the member that is accessed; `None` if the object itself is used.
    pub member: Option<Node>,
}

/// A variable of a function that code in it uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalUse {
    /// Its name.
    pub name: String,
    /// Where it is bound, in the order of the text.
    pub binders: Vec<Node>,
}

impl Resolver<'_> {
    /// Whether a place is in the scope of one of these variables, or is no variable itself.
    pub fn is_seen_from(&self, variables: &[Site], file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return true };
        view.scopes.classify(name).is_none()
            || variables.iter().any(|variable| {
                variable.file == file && {
                    let scope = view
                        .scopes
                        .names(&view.tree.node_text(variable.name))
                        .at(variable.name)
                        .map(|found| found.scope);
                    scope.is_none_or(|scope| scope == Node::ROOT || view.tree.table().is_within(name, scope))
                }
            })
    }

    /// What some code of a class does with the object of the method around it.
    pub fn own_uses(&self, file: FileId, code: Node) -> Vec<OwnUse> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let words = [&view.rules.object_words.base_calls, &view.rules.class_objects.attributes];
        let is_word = |node: Node| {
            let text = view.tree.node_text(node);
            view.scopes.is_identifier(node) && words.iter().any(|words| words.iter().any(|word| *word == *text))
        };
        let is_own = |&node: &Node| view.scopes.class_of_self(node).is_some() || is_word(node);
        let own = table.descendants(code).filter(is_own);
        let uses = own.filter(|&node| !view.scopes.binds(node)).map(|object| {
            let access = table.parent(object);
            let member = access
                .filter(|_| !is_word(object))
                .filter(|&access| view.tree.named_children(access).next() == Some(object))
                .and_then(|access| self.member_name(&view, access))
                .filter(|&member| member != object);
            OwnUse { object, member }
        });
        uses.collect()
    }

    /// Whether a name is that of a member in an access to it: `b` in `a.b`.
    pub fn is_accessed(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let access = view.tree.table().parent(name);
            access.is_some_and(|access| self.member_name(&view, access) == Some(name))
        })
    }

    /// The variables of a function that code in it uses, without its object; in the order of their uses.
    pub fn local_uses(&self, file: FileId, function: Node, code: Node) -> Vec<LocalUse> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let mut found: Vec<LocalUse> = Vec::new();
        for node in table.descendants(code).filter(|&node| view.scopes.is_identifier(node)) {
            if view.scopes.class_of_self(node).is_some() {
                continue;
            }
            let names = view.scopes.names_like(node);
            let symbol = names.at(node).and_then(|found| names.resolve(&view.scopes, found));
            let Some(symbol) = symbol.filter(|symbol| symbol.scope == function) else { continue };
            let name = view.tree.node_text(node).into_owned();
            if found.iter().any(|known| known.name == name) {
                continue;
            }
            let mut binders: Vec<Node> = names.binders(&view.scopes, symbol).map(|other| other.name).collect();
            binders.sort_by_key(|&binder| view.tree.span(binder).start());
            found.push(LocalUse { name, binders });
        }
        found
    }
}
