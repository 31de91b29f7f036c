//! Members that are written outside their class: methods with a receiver, and fields whose members count as those of the
//! class.

use super::resolver::{Resolver, View};
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::symbols::model::{Member, MemberName, Site, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The type of which a definition outside a class is a member, as it is written there; by the definition's name.
    pub(in crate::symbols) fn attached_to(&self, view: &View<'_>, name: Node) -> Option<Node> {
        if view.rules.members.attached.is_empty() {
            return None;
        }
        let definition = self.definition_of(view, name)?;
        let paths = view.rules.members.attached.of(view.tree.table().type_id(definition))?;
        let written = paths.iter().flat_map(|path| view.tree.reached(definition, path)).next()?;
        (!view.tree.table().is_within(name, written)).then_some(written)
    }

    /// The type to which the members of a scope belong, if it is not the one that the scope defines.
    pub(in crate::symbols) fn attachment_of(&self, view: &View<'_>, scope: Node) -> Option<Node> {
        let holder = view.tree.table().parent(scope)?;
        let paths = view.rules.members.attached.of(view.tree.table().type_id(holder))?;
        paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()
    }

    /// The class of which such a definition is a member.
    pub(in crate::symbols) fn class_of_attached(&self, view: &View<'_>, name: Node) -> Option<Site> {
        let written = self.attached_to(view, name)?;
        self.only_class(&self.type_values(view.file, written))
    }

    /// The class of an instance, if values are that and nothing else.
    pub(crate) fn only_class(&self, values: &Values) -> Option<Site> {
        match values.known.as_slice() {
            &[Value::Instance { class, .. }] if values.is_complete => Some(class),
            _ => None,
        }
    }

    /// The members of a class with a name that are written outside it.
    pub(in crate::symbols) fn attached_members(&self, view: &View<'_>, class: Site, name: MemberName<'_>) -> Vec<Site> {
        if view.rules.members.attached.is_empty() || !view.scopes.is_identifier(class.name) {
            return Vec::new();
        }
        let key = (class, name.text.to_owned(), name.spaces);
        if let Some(known) = self.attached.borrow().get(&key) {
            return known.clone();
        }
        let word = view.tree.node_text(class.name);
        let mut found = Vec::new();
        for file in self.files_around(view, &[name.text, &word]) {
            let Some(other) = self.view(file) else { continue };
            let names = other.scopes.names(name.text);
            for &node in other.scopes.nodes_of(name.text) {
                let written = match names.at(node) {
                    Some(bound) if bound.does.is_binding() && bound.spaces.meets(name.spaces) => {
                        self.attachment_of(&other, bound.scope)
                    }
                    Some(_) => None,
                    None => self.attached_to(&other, node),
                };
                let Some(written) = written.filter(|&written| other.tree.node_text(written).contains(&*word)) else {
                    continue;
                };
                if self.only_class(&self.type_values(file, written)) == Some(class) {
                    found.push(self.member_of_trait(&other, node, written, name).unwrap_or(Site { file, name: node }));
                }
            }
        }
        self.attached.borrow_mut().insert(key, found.clone());
        found
    }

    /// The member of a trait that an implementation gives a value, if it counts as the trait's.
    fn member_of_trait(&self, view: &View<'_>, node: Node, written: Node, name: MemberName<'_>) -> Option<Site> {
        let table = view.tree.table();
        let definition = self.definition_of(view, node)?;
        if !view.rules.members.of_traits.contains(table.type_id(definition)) {
            return None;
        }
        let holder = table.parent(written)?;
        let paths = view.rules.members.attached_bases.of(table.type_id(holder))?;
        let base = paths.iter().flat_map(|path| view.tree.reached(holder, path)).next()?;
        let base = self.only_class(&self.nested(Values::unknown(), || self.type_values(view.file, base)))?;
        match self.member(base, name) {
            Member::Found(sites) => sites.first().copied(),
            Member::External | Member::Missing | Member::Unknown => None,
        }
    }

    /// The files that may say something about the definitions of a file, and that contain these words: the package's, or
    /// all of the language.
    pub(crate) fn files_around(&self, view: &View<'_>, words: &[&str]) -> Vec<FileId> {
        let project = self.project();
        let is_near = |&file: &FileId| {
            project.file(file).language == view.tree.language()
                && words.iter().all(|word| self.trees.may_have(file, word))
        };
        if view.rules.modules == Some(ModuleScheme::PackageFolders) {
            let folder = project.modules.folder_of(view.file);
            return project.modules.files_in(folder).iter().copied().filter(is_near).collect();
        }
        project.ids().filter(is_near).collect()
    }

    /// The bases that a class gets outside its definition: the traits that are implemented for it.
    pub(in crate::symbols) fn attached_traits(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        if view.rules.members.attached_bases.is_empty() {
            return Vec::new();
        }
        if let Some(known) = self.traits.borrow().get(&class) {
            return known.clone();
        }
        self.traits.borrow_mut().insert(class, Vec::new());
        let word = view.tree.node_text(class.name);
        let mut found = Vec::new();
        for file in self.files_around(view, &[&word]) {
            let Some(other) = self.view(file) else { continue };
            let table = other.tree.table();
            for &node in other.scopes.nodes_of(&word) {
                let holder = table
                    .ancestors(node)
                    .take(4)
                    .find_map(|holder| Some((holder, other.rules.members.attached_bases.of(table.type_id(holder))?)));
                let Some((holder, paths)) = holder else { continue };
                let base = paths.iter().flat_map(|path| other.tree.reached(holder, path)).next();
                let written = other.rules.members.attached.of(table.type_id(holder)).into_iter().flatten();
                let written = written.flat_map(|path| other.tree.reached(holder, path)).next();
                let (Some(base), Some(written)) = (base, written) else { continue };
                if !table.is_within(node, written) || self.only_class(&self.type_values(file, written)) != Some(class) {
                    continue;
                }
                found.extend(self.only_class(&self.type_values(file, base)).filter(|&base| base != class));
            }
        }
        found.sort_unstable();
        found.dedup();
        self.traits.borrow_mut().insert(class, found.clone());
        found
    }

    /// The fields of a class whose members count as those of the class, with their types as they are written.
    pub(in crate::symbols) fn embedded(&self, view: &View<'_>, scope: Node) -> Vec<(Node, Node)> {
        let table = view.tree.table();
        let mut found = Vec::new();
        if view.rules.members.embedded.is_empty() {
            return found;
        }
        for field in table.children(scope) {
            let mut fitting = view.rules.members.embedded.iter().filter(|(pattern, _)| table.fits(field, pattern));
            let Some((_, paths)) = fitting.next() else { continue };
            let written = paths.iter().flat_map(|path| view.tree.reached(field, path)).next();
            found.extend(written.map(|written| (field, written)));
        }
        found
    }

    /// Such a field of a class, by its name, which is that of its type.
    pub(in crate::symbols) fn embedded_field(&self, view: &View<'_>, class: Site, name: &str) -> Option<Site> {
        let scope = (class.file == view.file).then(|| self.class_scope(view, class.name)).flatten()?;
        let names = self.embedded(view, scope).into_iter().filter_map(|(field, _)| view.tree.name_node(field));
        let mut fitting = names.filter(|&node| view.tree.node_text(node) == name);
        fitting.next().map(|name| Site { file: class.file, name })
    }

    /// The type of such a field, by its name.
    pub(in crate::symbols) fn embedded_type(&self, view: &View<'_>, name: Node) -> Option<Node> {
        /// How deep the name is in the field.
        const REACH: usize = 4;
        if view.rules.members.embedded.is_empty() {
            return None;
        }
        let table = view.tree.table();
        let is_field = |&node: &Node| view.rules.members.embedded.iter().any(|(pattern, _)| table.fits(node, pattern));
        let field = table.ancestors(name).take(REACH).find(is_field)?;
        let fields = self.embedded(view, table.parent(field)?);
        let own = fields.into_iter().find(|&(other, _)| other == field);
        own.map(|(_, written)| written).filter(|_| view.tree.name_node(field) == Some(name))
    }

    /// The type annotation that a class is made of.
    pub(in crate::symbols) fn underlying(&self, class: Site) -> Option<Site> {
        let view = self.view(class.file)?;
        let definition = self.definition_of(&view, class.name)?;
        let paths = view.rules.written_types.underlying.of(view.tree.table().type_id(definition))?;
        let written = paths.iter().flat_map(|path| view.tree.reached(definition, path)).next()?;
        Some(Site { file: class.file, name: written })
    }

    /// Whether a name that binds is a member of a class.
    pub(crate) fn is_member(&self, view: &View<'_>, name: Node) -> bool {
        if view.scopes.fits(name, &view.scopes.rules.attributes).is_some()
            || view.scopes.fits(name, &view.scopes.rules.promoted).is_some()
            || self.attached_to(view, name).is_some()
        {
            return true;
        }
        if self.scheme(view).is_member(self, view, name) {
            return true;
        }
        let names = view.scopes.names(&view.tree.node_text(name));
        names.at(name).is_some_and(|found| found.does.is_binding() && view.scopes.is_member(found.scope, found.spaces))
    }
}
