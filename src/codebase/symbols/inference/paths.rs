//! Paths in code and in imports: `a.b.C`, `a::b::{c, d}`.

use super::resolver::{Resolver, View};
use crate::language::{ModuleScheme, Spaces};
use crate::scopes::VariableName;
use crate::symbols::model::{Meaning, MemberName, Site};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of a name in a written path: `Entry` of `Map.Entry`; `None` if it is in none, or the first one.
    pub(in crate::symbols) fn in_written_path(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let table = view.tree.table();
        let mut top = table.parent(name)?;
        if !view.rules.written_types.paths.contains(table.type_id(top)) {
            return None;
        }
        while let Some(parent) =
            table.parent(top).filter(|&parent| view.rules.written_types.paths.contains(table.type_id(parent)))
        {
            top = parent;
        }
        if table.span(top).start() == table.span(name).start() {
            return None;
        }
        // `this.field::run`, `Outer.this::run`
        if let Some(object) = table.children(top).next()
            && !table.is_within(name, object)
            && table.descendants(object).any(|node| view.scopes.class_of_self(node).is_some())
        {
            let spaces = self.spaces_of_member(view, name);
            let text = view.tree.node_text(name);
            return Some(self.member_of_values(
                view,
                &self.value(view.file, object),
                MemberName { text: &text, spaces },
            ));
        }
        let path = self.text_up_to(view, top, name);
        let is_plain = path.chars().all(|sign| sign.is_alphanumeric() || "_.:$\\".contains(sign));
        if !is_plain {
            return Some(Meaning::Unknown(Vec::new()));
        }
        let path = path.replace("::", ".").replace('\\', ".");
        let last = view.tree.node_text(name);
        let spaces = view.scopes.names(&last).at(name).map_or(Spaces::ALL, |found| found.spaces);
        let parts: Vec<&str> = path.split('.').collect();
        let scheme = self.scheme(view);
        if let Some(rooted) = scheme.rooted_path(self, view, name, &parts) {
            return Some(rooted);
        }
        match self.nested(Meaning::Unknown(Vec::new()), || self.path_in_spaces(view, top, &path, spaces)) {
            Meaning::Known(things) => Some(Meaning::Known(things)),
            other if view.is(ModuleScheme::Namespaces) => Some(other),
            other => match scheme.class_path(self, view, &parts) {
                Meaning::Known(things) => Some(Meaning::Known(things)),
                _ => Some(other),
            },
        }
    }

    /// The meaning of a name in a module that is a part of a file.
    pub(in crate::symbols) fn find_in_part(&self, site: Site, name: MemberName<'_>) -> Meaning {
        let Some(view) = self.view(site.file) else { return Meaning::Unknown(Vec::new()) };
        let Some(scope) = view.tree.table().parent(site.name) else { return Meaning::Unknown(Vec::new()) };
        let names = view.scopes.names(name.text);
        let body = view.tree.body(scope);
        let is_own = |found: &&VariableName| {
            found.does.is_binding()
                && (found.scope == scope || Some(found.scope) == body)
                && (name.spaces == Spaces::ALL || found.spaces.meets(name.spaces))
        };
        let binders: Vec<Node> = names.found.iter().filter(is_own).map(|found| found.name).collect();
        if !binders.is_empty() {
            return self.bound_by(&view, &binders);
        }
        self.find_in_globs(&view, name)
    }

    /// The first part of a path whose parts are side by side.
    pub(in crate::symbols) fn path_start(&self, view: &View<'_>, part: Node, separator: &str) -> Node {
        let table = view.tree.table();
        let Some(parent) = table.parent(part) else { return part };
        let children: Vec<Node> = table.children(parent).collect();
        let Some(mut at) = children.iter().position(|&child| child == part) else { return part };
        while at >= 2 && view.tree.node_text(children[at - 1]) == separator {
            at -= 2;
        }
        children[at]
    }

    /// Whether a name in an import is only the beginning of a path whose parts are side by side.
    pub(in crate::symbols) fn is_path_beginning(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let separator = &view.tree.language().spec().imports.separator;
        let next = table.next_sibling(name);
        !view.rules.companions.types.is_empty() && next.is_some_and(|next| view.tree.node_text(next) == *separator)
    }

    /// The name that a name inside an import has as a path, from the start of the path.
    pub(in crate::symbols) fn whole_path(&self, view: &View<'_>, import: Node, name: Node) -> String {
        let table = view.tree.table();
        let rules = &view.tree.language().spec().imports;
        let separator = &rules.separator;
        let (mut heads, mut top) = (Vec::new(), None);
        let mut inner = name;
        for around in table.ancestors(name) {
            let parent = table.parent(around).map(|parent| table.type_id(parent));
            if let Some(part) = rules.part(parent, table.type_id(around)) {
                top = top.or(Some(inner));
                let sources = part.source.iter().flat_map(|path| view.tree.reached(around, path));
                let mut sources: Vec<Node> = sources.collect();
                // The parts of a path may be side by side, and several paths, too.
                let has_run = sources.len() > 1;
                if has_run && sources.contains(&name) {
                    return self.text_up_to(view, self.path_start(view, name, separator), name);
                }
                if has_run {
                    sources.retain(|&source| source < inner);
                    let last = sources.last().copied();
                    heads.extend(last.map(|last| self.text_up_to(view, self.path_start(view, last, separator), last)));
                } else if !sources.is_empty() && !sources.iter().any(|&source| table.is_within(name, source)) {
                    let texts = sources.iter().map(|&source| self.text_up_to(view, source, source));
                    heads.push(texts.collect::<Vec<_>>().join(separator));
                }
            }
            inner = around;
            if around == import {
                break;
            }
        }
        heads.reverse();
        heads.push(self.text_up_to(view, top.unwrap_or(name), name));
        let path = heads.join(separator);
        path.trim_start_matches(separator.as_str()).to_owned()
    }
}
