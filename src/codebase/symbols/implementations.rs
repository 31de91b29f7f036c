//! Types that implement an interface by having its methods, without naming it.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Member, Site};
use crate::modules::FileId;
use crate::tree::Node;

/// A method, or one that an interface demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMethod {
    /// Its place.
    pub site: Site,
    /// The type that has it.
    pub class: Site,
    /// The names of all methods of the interface that demands it; `None` for a method with a body.
    pub demanded: Option<Vec<String>>,
    /// Whether all of them are known.
    pub is_complete: bool,
    /// How many parameters it has, and whether the last takes any number of arguments.
    pub parameters: Option<(usize, bool)>,
}

/// Whether a type has some methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Implementing {
    /// It lacks one.
    No,
    /// It has a type from outside, which may have them.
    Perhaps,
    /// It has all.
    Yes,
}

impl NamedMethod {
    /// Whether one type cannot have both in the place of each other, as they have other parameters.
    pub fn has_other_parameters(&self, other: &NamedMethod) -> bool {
        self.parameters.zip(other.parameters).is_some_and(|(one, two)| one != two)
    }
}

impl Resolver<'_> {
    /// The methods of a file with a name.
    pub fn methods_with_name(&self, file: FileId, name: &str) -> Vec<NamedMethod> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.package_borders;
        let named = |&node: &Node| {
            let is_demanded = view.scopes.fits(node, &rules.asked_for).is_some();
            let is_method = || view.scopes.fits(node, &rules.members).is_some() && self.defines_scope(&view, node);
            if !is_demanded && !is_method() {
                return None;
            }
            let site = Site { file, name: node };
            let class = self.class_of_member(site)?;
            let (mut demanded, mut is_complete) = (None, true);
            if is_demanded {
                let (names, all) = self.demanded_methods(class);
                (demanded, is_complete) = (Some(names), all);
            }
            let parameters = self.parameters(site);
            let parameters =
                parameters.map(|list| (list.all.len(), list.all.last().is_some_and(|parameter| parameter.is_rest)));
            Some(NamedMethod { site, class, demanded, is_complete, parameters })
        };
        view.scopes.nodes_of(name).iter().filter_map(named).collect()
    }

    fn defines_scope(&self, view: &View<'_>, name: Node) -> bool {
        self.definition_of(view, name).is_some_and(|definition| view.tree.is_scope(definition))
    }

    /// The names of the methods that an interface demands with those that it takes in, and whether all of these are known.
    fn demanded_methods(&self, interface: Site) -> (Vec<String>, bool) {
        let (above, is_complete) = self.superclasses(interface);
        let mut names = Vec::new();
        for class in above.into_iter().chain([interface]) {
            let Some(view) = self.view(class.file) else { continue };
            let Some(scope) = self.class_scope(&view, class.name) else { continue };
            let table = view.tree.table();
            let own = table.descendants(scope).filter(|&node| {
                view.scopes.is_identifier(node)
                    && view.scopes.fits(node, &view.rules.package_borders.asked_for).is_some()
                    && view.scopes.around(node) == scope
            });
            names.extend(own.map(|node| view.tree.node_text(node).into_owned()));
        }
        names.sort_unstable();
        names.dedup();
        (names, is_complete)
    }

    /// Whether a type has methods with all these names.
    pub fn has_methods(&self, class: Site, names: &[String]) -> Implementing {
        let has = |name: &String| match self.member(class, name.as_str()) {
            Member::Found(_) => Implementing::Yes,
            Member::External | Member::Unknown => Implementing::Perhaps,
            Member::Missing => Implementing::No,
        };
        names.iter().map(has).min().unwrap_or(Implementing::Yes)
    }

    /// The types of a file that take in the members of another one.
    pub fn types_with(&self, file: FileId, class: Site, name: &str) -> Vec<Site> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let means = |node: Node| self.meaning(file, node) == Meaning::site(class.file, class.name);
        let holder = |&node: &Node| {
            let takes_in = self.is_embedded_name(&view, node) && means(node);
            takes_in.then(|| self.class_at(&view, view.scopes.around(node))).flatten()
        };
        view.scopes.nodes_of(name).iter().filter_map(holder).collect()
    }
}
