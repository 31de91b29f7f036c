//! Classes with an object of the same name: both are one symbol, and each has members of its own.

use crate::symbols::inference::resolver::{Resolver, View, Work};
use crate::symbols::model::{Member, MemberName, Site};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a definition is an object that may belong to a class of the same name.
    fn is_companion(view: &View<'_>, definition: Node) -> bool {
        view.rules.companions.types.contains(view.tree.table().type_id(definition))
    }

    /// Whether the code at a node belongs to such an object.
    pub(in crate::symbols) fn is_in_companion(&self, view: &View<'_>, node: Node) -> bool {
        let table = view.tree.table();
        let mut around = table.ancestors(node).filter(|&scope| view.rules.classes.contains(table.type_id(scope)));
        around.next().is_some_and(|scope| Self::is_companion(view, scope))
    }

    /// A member of the object of a class, or of its instances.
    pub(in crate::symbols) fn companion_member(&self, class: Site, name: MemberName<'_>, of_object: bool) -> Member {
        let Some(view) = self.view(class.file) else { return Member::Missing };
        let mut parts = vec![class];
        parts.extend(self.other_parts(&view, class));
        let is_fitting = |part: &Site| {
            self.view(part.file).is_some_and(|view| {
                let definition = self.definition_of(&view, part.name);
                definition.is_some_and(|definition| Self::is_companion(&view, definition) == of_object)
            })
        };
        // The cases of a class without an object are made by its name.
        let own: Vec<Site> = parts.iter().copied().filter(is_fitting).collect();
        if own.is_empty() {
            return Member::Missing;
        }
        for part in &own {
            let Some(view) = self.view(part.file) else { continue };
            if let Some(&found) = self.body_binders(&view, *part, name).first() {
                return Member::Found(vec![Site { file: part.file, name: found }]);
            }
        }
        let mut is_external = false;
        for part in own {
            match self.inherited_by_part(part, name) {
                Member::Missing => {}
                Member::External | Member::Unknown => is_external = true,
                found => return found,
            }
        }
        if is_external { Member::External } else { Member::Missing }
    }

    /// A member of the bases of one of the definitions of a class.
    pub(in crate::symbols) fn inherited_by_part(&self, part: Site, name: MemberName<'_>) -> Member {
        // The names of bases are looked up in the class, too.
        let key = Work::Member(part.file, format!("{}^{}", part.name.index(), name.text), name.spaces);
        if !self.open.enter(&key) {
            return Member::Missing;
        }
        let found = self.search_bases_of_part(part, name);
        self.open.leave(&key);
        found
    }

    fn search_bases_of_part(&self, part: Site, name: MemberName<'_>) -> Member {
        let bases = self.bases(part);
        let mut is_external = !bases.is_complete;
        for base in bases.known {
            match self.nested(Member::Missing, || self.companion_member(base, name, false)) {
                Member::Missing => {}
                Member::External | Member::Unknown => is_external = true,
                found => return found,
            }
        }
        if is_external { Member::External } else { Member::Missing }
    }

    /// The method of the object of a class that a call of its name calls.
    pub(in crate::symbols) fn companion_call(&self, view: &View<'_>, class: Site) -> Option<Site> {
        let members = view.rules.companions.calls.iter().map(|name| self.companion_member(class, name.into(), true));
        members.into_iter().find_map(|member| match member {
            Member::Found(sites) => sites.first().copied(),
            Member::External | Member::Unknown | Member::Missing => None,
        })
    }
}
