//! Names that are made of another one by a rule of the language or of its tools: `My` for `MyAttribute`, `v_=` for `v`, `ExampleT_M`.

use crate::modules::FileId;
use crate::symbols::{Resolver, Site};
use crate::text::Span;

/// A name that means a symbol by a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedName {
    /// The name.
    pub word: String,
    /// Whether more may follow after `_`.
    pub has_more: bool,
    /// Whether that may begin with a capital letter, and so be the name of a member.
    pub has_members: bool,
}

impl DerivedName {
    fn fits(&self, text: &str) -> bool {
        let rest = text.strip_prefix(self.word.as_str());
        rest.is_some_and(|rest| {
            let more = rest.strip_prefix('_').and_then(|more| more.chars().next());
            rest.is_empty() || self.has_more && more.is_some_and(|first| self.has_members || !first.is_uppercase())
        })
    }
}

impl Resolver<'_> {
    /// The names that mean a symbol by a rule of its language.
    pub fn derived_names(&self, site: Site) -> Vec<DerivedName> {
        let Some(view) = self.view(site.file) else { return Vec::new() };
        let rules = &view.rules.derived_names;
        if rules.forms.is_empty() || !crate::symbols::is_lasting(self, &view, site.name) {
            return Vec::new();
        }
        let text = view.tree.node_text(site.name);
        let class = self.class_of_member(site).and_then(|class| self.name_of(class));
        let derived = |(form, name): (&String, &crate::language::LazyRegex)| {
            let captures = name.get().captures(&text)?;
            let (form, has_more) = form.strip_suffix('*').map_or((form.as_str(), false), |form| (form, true));
            let name = captures.get(1).map_or("", |name| name.as_str());
            let word = match (form.contains("$class"), &class) {
                (true, Some(class)) => form.replace("$class", class),
                (false, None) => form.to_owned(),
                (false, Some(_)) if rules.of_members => form.to_owned(),
                _ => return None,
            };
            Some(DerivedName { word: word.replace("$name", name), has_more, has_members: class.is_none() })
        };
        rules.forms.iter().filter_map(derived).collect()
    }

    /// Where a file has such a name.
    pub fn spans_of_derived(&self, file: FileId, name: &DerivedName) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.derived_names;
        let table = view.tree.table();
        let is_it = |&node: &crate::tree::Node| {
            let is_there = || {
                rules.within.is_empty()
                    || table.ancestors(node).take(2).any(|around| rules.within.contains(table.type_id(around)))
            };
            let text = view.tree.node_text(node);
            let is_name = view.scopes.is_identifier(node) && name.fits(&text);
            let is_string = rules.in_strings && view.tree.language().role(table.type_id(node)).string;
            (is_name || is_string && name.fits(text.trim_matches(['"', '\'']))) && is_there()
        };
        table.nodes().filter(is_it).map(|node| table.span(node)).collect()
    }
}
