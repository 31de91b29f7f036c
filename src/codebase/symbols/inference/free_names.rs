//! Names that nothing in the scopes around them binds: of bases, of the package, of imports of everything.

use super::resolver::{Resolver, View};
use crate::scopes::VariableName;
use crate::symbols::model::{Meaning, Member, MemberName, Site, Thing};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of a name that nothing in its file binds.
    pub(in crate::symbols) fn free_name<'n>(
        &self,
        view: &View<'_>,
        at: Node,
        name: impl Into<MemberName<'n>>,
    ) -> Meaning {
        let member = name.into();
        let name = member.text;
        let scheme = self.scheme(view);
        if let Some(found) = scheme.free_name(self, view, at, name) {
            return found;
        }
        let from_globs = self.find_in_globs_at(view, at, member);
        if let Meaning::Known(_) = from_globs {
            return from_globs;
        }
        // The code in the documentation of a module sees its names.
        if view.rules.run_documentation.sees_module
            && let Some(host) = self.project().host_of(view.file)
            && let found @ Meaning::Known(_) = self.member_of_module(Thing::Module(host), member)
        {
            return found;
        }
        if let Some(found) = scheme.shared_name(self, view, at, name) {
            return found;
        }
        match from_globs {
            // Near a syntax error, a name may be bound in what the parser could not read.
            Meaning::Unknown(_)
                if view.rules.builtins.contains(name)
                    || view.rules.imports_are_complete && !view.tree.table().has_error(Node::ROOT) =>
            {
                Meaning::External
            }
            meaning => meaning,
        }
    }

    /// The meaning of an inherited member by its name alone, in a class inside the scope of a binding; `None` if there is none.
    pub(in crate::symbols) fn implicit_member(
        &self,
        view: &View<'_>,
        found: &VariableName,
        text: &str,
        bound: Option<Node>,
    ) -> Option<Meaning> {
        if !view.rules.members.implicit || found.does.is_binding() {
            return None;
        }
        let table = view.tree.table();
        let mut scope = found.scope;
        while scope != Node::ROOT && Some(scope) != bound {
            if view.scopes.rules.members.contains(table.type_id(scope))
                && let Some(class) = self.class_at(view, scope)
            {
                let name = MemberName { text, spaces: found.spaces };
                let is_part = !view.rules.class_parts.words.is_empty()
                    && view.rules.companions.types.is_empty()
                    && self.view(class.file).is_some_and(|view| !self.other_bodies(&view, class).is_empty());
                let own = view.tree.name_node(scope).map(|name| Site { file: view.file, name });
                let search = || match own.filter(|_| !view.rules.companions.types.is_empty()) {
                    Some(part) => self.inherited(part, name),
                    None if is_part => self.member(class, name),
                    None => self.inherited(class, name),
                };
                if let Member::Found(sites) = self.nested(Member::Missing, search) {
                    return Some(Meaning::Known(sites.into_iter().map(Thing::Symbol).collect()));
                }
            }
            scope = view.scopes.around(scope);
        }
        None
    }

    /// The other definitions of a class, in its own file and in others.
    pub(in crate::symbols) fn other_bodies(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        self.scheme(view).other_bodies(self, view, class)
    }
}
