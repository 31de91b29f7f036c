//! Classes above and below others, and methods that override each other.

use rustc_hash::FxHashSet;

use super::find::{Definition, describe};
use super::resolver::{Resolver, View};
use crate::language::Spaces;
use crate::modules::FileId;
use crate::symbols::model::{Meaning, Member, MemberName, Site, Thing};
use crate::tree::Node;

/// The name of a member, with its name spaces: a field and a method may have the same text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedName {
    /// Its text.
    pub text: String,
    /// Its name spaces.
    pub spaces: Spaces,
}

impl<'n> From<&'n OwnedName> for MemberName<'n> {
    fn from(name: &'n OwnedName) -> MemberName<'n> {
        MemberName { text: &name.text, spaces: name.spaces }
    }
}

/// What a function calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callees {
    /// Symbols, each with the call.
    pub known: Vec<(Thing, Node)>,
    /// How many calls call something outside the project.
    pub external: usize,
    /// How many calls call something that is not known.
    pub undetermined: usize,
}

impl Resolver<'_> {
    /// The class that extends the type at a node.
    pub(in crate::symbols) fn extended_by(&self, file: FileId, base: Node) -> Option<Site> {
        let view = self.view(file)?;
        let table = view.tree.table();
        let class = table.ancestors(base).find(|&node| {
            view.tree.name_node(node).is_some_and(|name| self.class_scope(&view, name).is_some())
                && view.tree.base_nodes(node).any(|written| table.is_within(base, written))
        })?;
        Some(Site { file, name: view.tree.name_node(class)? })
    }

    /// The class of which a symbol is a member.
    pub fn class_of_member(&self, member: Site) -> Option<Site> {
        let view = self.view(member.file)?;
        if let Some(scope) = self.own_class(&view, member.name) {
            return self.class_at(&view, scope);
        }
        if let Some(class) = self.scheme(&view).class_of_member(self, &view, member.name) {
            return class;
        }
        if self.attached_to(&view, member.name).is_some() {
            return self.class_of_attached(&view, member.name);
        }
        if view.scopes.fits(member.name, &view.scopes.rules.promoted).is_some() {
            return self.class_around(&view, member.name);
        }
        let names = view.scopes.names(&view.tree.node_text(member.name));
        let found = names.at(member.name)?;
        view.scopes.is_member(found.scope, found.spaces).then(|| self.class_at(&view, found.scope)).flatten()
    }

    /// Whether a base of the class with a member, whatever is made of it there, names one of some classes: `implements Part<A>`.
    pub fn names_in_bases(&self, member: Site, classes: &FxHashSet<Site>) -> bool {
        let Some(class) = self.class_of_member(member) else { return false };
        let (above, _) = self.superclasses(class);
        std::iter::once(class).chain(above).any(|class| {
            let Some(view) = self.view(class.file) else { return false };
            let Some(definition) = self.definition_of(&view, class.name) else { return false };
            let table = view.tree.table();
            let names =
                view.tree.base_nodes(definition).flat_map(|base| std::iter::once(base).chain(table.descendants(base)));
            let names = names.filter(|&name| view.scopes.is_identifier(name));
            let is_one = |thing: &Thing| matches!(thing, Thing::Symbol(site) if classes.contains(site));
            let mut meanings = names.map(|name| self.meaning(class.file, name));
            meanings.any(|meaning| matches!(meaning, Meaning::Known(things) if things.iter().any(is_one)))
        })
    }

    /// Whether a symbol is a class.
    pub fn is_class(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name))
    }

    /// The classes above a class, the nearest first, and whether all of them are known.
    pub fn superclasses(&self, class: Site) -> (Vec<Site>, bool) {
        let mut is_complete = true;
        let mut seen: FxHashSet<Site> = FxHashSet::from_iter([class]);
        let (mut found, mut waiting) = (Vec::new(), vec![class]);
        while let Some(next) = waiting.pop() {
            let bases = self.bases(next);
            is_complete &= bases.is_complete;
            for base in bases.known {
                if seen.insert(base) {
                    found.push(base);
                    waiting.push(base);
                }
            }
        }
        (found, is_complete)
    }

    /// Whether the attributes of a class are its objects: it is below `Enum`.
    pub(crate) fn is_enumeration(&self, class: Site) -> bool {
        let extends = |class: Site| {
            let Some(view) = self.view(class.file) else { return false };
            let Some(definition) = self.definition_of(&view, class.name) else { return false };
            view.tree.base_nodes(definition).any(|base| {
                let text = view.tree.node_text(base);
                view.rules.members.enumerations.iter().any(|known| text.rsplit('.').next() == Some(known.as_str()))
            })
        };
        extends(class) || self.superclasses(class).0.into_iter().any(extends)
    }

    /// The members with a name of all classes above one, if they are one member in it.
    pub fn joined_members(&self, class: Site, name: &OwnedName) -> Vec<Site> {
        let is_joining = self.view(class.file).is_some_and(|view| !view.rules.members.separate_bases);
        let above = if is_joining { self.superclasses(class).0 } else { Vec::new() };
        above.into_iter().filter_map(|base| self.member_of_class(base, name)).collect()
    }

    /// The name of a member, with its name spaces.
    pub fn name_of_member(&self, member: Site) -> Option<OwnedName> {
        let view = self.view(member.file)?;
        let text = view.tree.node_text(member.name).into_owned();
        let promoted = view.scopes.fits(member.name, &view.scopes.rules.promoted).flatten();
        let bound = || view.scopes.names(&text).at(member.name).map_or(Spaces::ALL, |found| found.spaces);
        let spaces = promoted.unwrap_or_else(bound);
        Some(OwnedName { text, spaces })
    }

    /// The member that a class has itself under a name.
    pub fn member_of_class<'n>(&self, class: Site, name: impl Into<MemberName<'n>>) -> Option<Site> {
        let name = name.into();
        let view = self.view(class.file)?;
        let own = self.member_binders(&view, class, name).first().map(|&name| Site { file: class.file, name });
        let attached = || self.attached_members(&view, class, name).first().copied();
        own.or_else(attached).or_else(|| self.promoted_parameter(&view, class, name))
    }

    /// The parameter of a class's constructor that is a member of the class at once.
    pub(super) fn promoted_parameter(&self, view: &View<'_>, class: Site, name: MemberName<'_>) -> Option<Site> {
        let promoted = &view.scopes.rules.promoted;
        let scope = if promoted.is_empty() { None } else { self.class_scope(view, class.name) }?;
        let is_its = |&&node: &&Node| {
            view.scopes.fits(node, promoted).is_some_and(|spaces| spaces.is_none_or(|own| own.meets(name.spaces)))
                && self
                    .class_around(view, node)
                    .is_some_and(|around| self.class_scope(view, around.name) == Some(scope))
        };
        view.scopes.nodes_of(name.text).iter().find(is_its).map(|&name| Site { file: class.file, name })
    }

    /// The member that a class has under a name, its own or a base's.
    pub fn found_member<'n>(&self, class: Site, name: impl Into<MemberName<'n>>) -> Option<Site> {
        match self.member(class, name) {
            Member::Found(sites) => sites.first().copied(),
            Member::External | Member::Unknown | Member::Missing => None,
        }
    }

    /// The name spaces of members, in a language where a class may have a field and a method of one name; all in others.
    pub fn member_spaces(&self, members: &[Site]) -> Spaces {
        let of = |site: &Site| {
            let view = self.view(site.file)?;
            if view.scopes.rules.static_space.is_some() {
                return None;
            }
            let names = view.scopes.names(&view.tree.node_text(site.name));
            names.at(site.name).map(|found| found.spaces)
        };
        members.iter().try_fold(Spaces::default(), |all, site| Some(all.union(of(site)?))).unwrap_or(Spaces::ALL)
    }

    /// The function or class around a node; the module, if there is none.
    pub fn owner(&self, file: FileId, node: Node) -> Thing {
        let owner = self.tree(file).and_then(|tree| {
            let mut owner = tree.owner(node);
            if tree.name_node(owner) == Some(node) && owner != Node::ROOT {
                owner = tree.owner(owner);
            }
            tree.name_node(owner).filter(|_| owner != Node::ROOT)
        });
        owner.map_or(Thing::Module(file), |name| Thing::Symbol(Site { file, name }))
    }

    /// What the calls in a function call, each with its place: known symbols, and how many calls are not determined.
    pub fn callees(&self, function: Site) -> Callees {
        let mut callees = Callees { known: Vec::new(), external: 0, undetermined: 0 };
        let Some(view) = self.view(function.file) else { return callees };
        let Some(definition) = self.definition_of(&view, function.name) else { return callees };
        let table = view.tree.table();
        for call in table.descendants(definition) {
            let Some(callee) = self.called(&view, call) else { continue };
            let name = match view.rules.objects.of(table.type_id(callee)) {
                Some(_) => self.member_name(&view, callee),
                None => Some(callee).filter(|&callee| view.scopes.is_identifier(callee)),
            };
            let meaning = name.map(|name| self.meaning(function.file, name));
            match meaning {
                Some(Meaning::Known(things)) => {
                    callees.known.extend(things.into_iter().map(|thing| (thing, call)));
                }
                Some(Meaning::External) => callees.external += 1,
                Some(Meaning::Unknown(_)) | None => callees.undetermined += 1,
            }
        }
        callees
    }

    /// Where a file has a word as a name.
    pub fn spans_of(&self, file: FileId, word: &str) -> Vec<crate::text::Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        view.scopes.nodes_of(word).iter().map(|&node| view.tree.span(node)).collect()
    }

    /// The text of a symbol's name.
    pub fn name_of(&self, site: Site) -> Option<String> {
        let view = self.view(site.file)?;
        Some(view.scopes.rules.plain(&view.tree.node_text(site.name)).to_owned())
    }

    /// What a symbol or module is.
    pub fn describe(&self, thing: Thing) -> Option<Definition> {
        describe(self, thing)
    }
}
