//! Members that definitions outside of a class add to its objects: extensions.

use super::resolver::{Resolver, View};
use crate::language::Path;
use crate::scopes::VariableName;
use crate::symbols::model::{Meaning, Member, Site, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The extensions that a name may mean in a file: those of that name, and those that it imports under it.
    pub(in crate::symbols) fn extensions_named(&self, view: &View<'_>, name: &str) -> Vec<Thing> {
        let scheme = self.scheme(view);
        if view.rules.members.extensions.is_empty() {
            return Vec::new();
        }
        let mut found = scheme.extensions(self, view, name).to_vec();
        let names = view.scopes.names(name);
        for import in names.found.iter().filter(|found| found.is_import()) {
            let Meaning::Known(things) = self.meaning(view.file, import.name) else { continue };
            let is_extension = |thing: &Thing| match *thing {
                Thing::Symbol(site) => self.view(site.file).is_some_and(|view| {
                    let definition = self.definition_of(&view, site.name);
                    definition.is_some_and(|_| self.scheme(&view).is_member(self, &view, site.name))
                }),
                _ => false,
            };
            found.extend(things.into_iter().filter(is_extension));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The nodes that make a definition such a method.
    pub(in crate::symbols) fn signs_of_extension(
        &self,
        view: &View<'_>,
        definition: Node,
        paths: &[Path],
    ) -> Vec<Node> {
        let words = &view.rules.members.extension_words;
        let mut signs: Vec<Node> = paths.iter().flat_map(|path| view.tree.reached(definition, path)).collect();
        signs.retain(|&sign| words.is_empty() || words.iter().any(|word| **word == *view.tree.node_text(sign)));
        signs
    }

    /// The classes whose objects have the method that a definition adds; `None` if they are not known.
    fn extended(&self, view: &View<'_>, name: Node) -> Option<Vec<Site>> {
        let definition = self.definition_of(view, name)?;
        let table = view.tree.table();
        let patterns = view.rules.members.extensions.iter().filter(|(pattern, _)| table.fits(definition, pattern));
        let sign = patterns.flat_map(|(_, paths)| self.signs_of_extension(view, definition, paths)).next()?;
        // The type itself, or a word beside it.
        let parameter = table.parent(sign)?;
        let beside = view.rules.written_types.annotations.of(table.type_id(parameter));
        let beside = beside.into_iter().flatten().flat_map(|path| view.tree.reached(parameter, path)).next();
        let written = beside.filter(|_| !view.rules.members.extension_words.is_empty()).unwrap_or(sign);
        let values = self.type_values(view.file, written);
        let class = |value: &Value| match *value {
            Value::Instance { class, .. } => Some(class),
            _ => None,
        };
        let classes: Vec<Site> = values.known.iter().filter_map(class).collect();
        (values.is_complete && classes.len() == values.known.len() && !classes.is_empty()).then_some(classes)
    }

    /// Whether values have no member with a name, and a definition is the only one that adds it to their classes.
    pub(in crate::symbols) fn is_only_extension(
        &self,
        view: &View<'_>,
        values: &Values,
        extension: Site,
        name: &str,
    ) -> bool {
        let rules = &view.rules.members;
        let is_in = |words: &[String]| words.iter().any(|word| word == name);
        if !values.is_complete || values.known.is_empty() || is_in(&rules.of_all) || is_in(&rules.library_extensions) {
            return false;
        }
        let Some(own) = self.view(extension.file) else { return false };
        let extended: Option<Vec<Vec<Site>>> =
            self.binders(&own, extension).into_iter().map(|binder| self.extended(&own, binder)).collect();
        let Some(extended) = extended else { return false };
        let is_of_it = |value: &Value| match *value {
            Value::Instance { class, .. } => {
                let (above, is_complete) = self.superclasses(class);
                is_complete
                    && self.member(class, name) == Member::Missing
                    && extended
                        .iter()
                        .all(|classes| classes.iter().any(|extended| *extended == class || above.contains(extended)))
            }
            _ => false,
        };
        let names = view.scopes.names(name);
        let is_it = |found: &VariableName| {
            self.meaning(view.file, found.name) == Meaning::Known(vec![Thing::Symbol(extension)])
        };
        values.known.iter().all(is_of_it) && names.found.iter().filter(|found| found.is_import()).all(is_it)
    }

    /// The value of a member of values that a definition outside of their classes may add; `None` if none does.
    pub(in crate::symbols) fn extension_value(&self, view: &View<'_>, values: &Values, name: &str) -> Option<Values> {
        let extensions = self.extensions_named(view, name);
        if extensions.is_empty() {
            return None;
        }
        let functions = |things: Vec<Thing>| Values::union(things.into_iter().map(|thing| self.thing_value(thing)));
        match self.member_of_values(view, values, name.into()) {
            Meaning::Known(things) if things.iter().all(|thing| extensions.contains(thing)) => Some(functions(things)),
            Meaning::Unknown(things) => Some(Values { is_complete: false, ..functions(things) }),
            _ => None,
        }
    }
}
