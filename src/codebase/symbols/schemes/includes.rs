//! Files that are included as they are: what they declare is one symbol with what other files define.

use crate::language::Spaces;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, MemberName, Site, Thing};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of a name in the files that a file includes, directly or through others, in their order.
    pub(in crate::symbols) fn find_in_includes(&self, view: &View<'_>, name: MemberName<'_>) -> Option<Meaning> {
        let MemberName { text: name, spaces } = name;
        let key = (view.file, name.to_owned(), spaces);
        if let Some(known) = self.included.borrow().get(&key) {
            return known.clone();
        }
        let mut found = None;
        for &file in self.trees.includes(view.file).iter().filter(|&&file| self.trees.may_have(file, name)) {
            let Some(other) = self.view(file) else { continue };
            // Name spaces are those of one language.
            let is_like = other.tree.language() == view.tree.language();
            let fits =
                |&binder: &Node| !is_like || other.scopes.classify(binder).is_none_or(|(_, bound)| bound.meets(spaces));
            if let Some(binder) = self.top_binders(&other, name).into_iter().find(fits) {
                found = Some(Meaning::site(file, binder));
                break;
            }
        }
        self.included.borrow_mut().insert(key, found.clone());
        found
    }

    /// The functions with a name in files that a file does not include: the header that declares them may be missing, so
    /// they are only possible.
    pub(in crate::symbols) fn defined_elsewhere(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        /// In how many files a name is looked for.
        const MOST_FILES: usize = 64;
        let key = (view.file, format!("*{name}"), Spaces::ALL);
        if let Some(known) = self.included.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        for file in self.files_around(view, &[name]).into_iter().filter(|&file| file != view.file).take(MOST_FILES) {
            let Some(other) = self.view(file) else { continue };
            let is_function = |&binder: &Node| {
                let definition = self.definition_of(&other, binder);
                definition.is_some_and(|definition| other.tree.body(definition).is_some())
            };
            let binder = self.top_binders(&other, name).into_iter().find(is_function);
            found.extend(binder.map(|name| Thing::Symbol(Site { file, name })));
        }
        let found = (!found.is_empty()).then_some(Meaning::Unknown(found));
        self.included.borrow_mut().insert(key, found.clone());
        found
    }

    /// The name that binds a class in other files if this one only mentions it: the one with a body.
    pub(in crate::symbols) fn bodies_elsewhere(&self, view: &View<'_>, class: Site) -> Vec<Site> {
        if !view.scopes.is_identifier(class.name) {
            return Vec::new();
        }
        let word = view.tree.node_text(class.name);
        let key = (class, String::new(), Spaces::ALL);
        if let Some(known) = self.attached.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        for file in self.files_around(view, &[&word]) {
            let Some(other) = self.view(file) else { continue };
            for binder in self.top_binders(&other, &word) {
                let is_it = || self.meaning(file, binder) == Meaning::site(class.file, class.name);
                let definition = self.definition_of(&other, binder);
                let has_body = definition.is_some_and(|definition| other.tree.body(definition).is_some());
                if has_body && (file, binder) != (class.file, class.name) && is_it() {
                    found.push(Site { file, name: binder });
                }
            }
        }
        self.attached.borrow_mut().insert(key, found.clone());
        found
    }
}
