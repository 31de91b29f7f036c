//! Names that are made of another one by a rule of the language or of its tools: `My` for `MyAttribute`, `v_=` for `v`, `ExampleT_M`.

use crate::modules::FileId;
use crate::symbols::{Meaning, Resolver, Site, Thing, View};
use crate::text::Span;
use crate::tree::Node;

/// A name that means a symbol by a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedName {
    /// The name.
    pub word: String,
    /// Whether more may follow after `_`.
    pub has_more: bool,
    /// Whether that may begin with a capital letter, and so be the name of a member.
    pub has_members: bool,
    /// The languages in whose code it is; any, if there are none.
    languages: &'static [String],
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
            let mut letters = name.chars();
            let first = letters.next().unwrap_or('_');
            let (capital, small) = (first.to_uppercase(), first.to_lowercase());
            let word = word.replace("$Name", &format!("{capital}{}", letters.as_str()));
            let word = word.replace("$lower", &format!("{small}{}", letters.as_str())).replace("$name", name);
            Some(DerivedName { word, has_more, has_members: class.is_none(), languages: &rules.languages })
        };
        rules.forms.iter().filter_map(derived).collect()
    }

    /// Where a file has such a name.
    pub fn spans_of_derived(&self, file: FileId, name: &DerivedName) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        if !name.languages.is_empty() {
            let is_one = name.languages.iter().any(|language| language == view.tree.language().name());
            let nodes = view.scopes.nodes_of(&name.word).iter().filter(|_| is_one);
            let may_be = nodes.filter(|&&node| !self.is_of_language(&view, node));
            return may_be.map(|&node| table.span(node)).collect();
        }
        let rules = &view.rules.derived_names;
        let is_it = |&node: &Node| {
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

    /// Whether a name is known to mean something in its own language.
    fn is_of_language(&self, view: &View<'_>, name: Node) -> bool {
        let is_own = |thing: Thing| match thing {
            Thing::Symbol(site) => {
                self.view(site.file).is_some_and(|other| other.tree.language() == view.tree.language())
            }
            _ => true,
        };
        match self.meaning(view.file, name) {
            Meaning::Known(things) => things.into_iter().all(is_own),
            Meaning::Unknown(_) | Meaning::External => false,
        }
    }

    /// Whether a name in another language, which uses the definitions of that of a symbol or the other way round, may mean the symbol: what
    /// it means is not known in its own language.
    pub fn may_be_of_neighbour(&self, symbol: Site, file: FileId, name: Node) -> bool {
        let (Some(own), Some(other)) = (self.view(symbol.file), self.view(file)) else { return false };
        let (one, two) = (own.tree.language(), other.tree.language());
        let has =
            |view: &View<'_>, language: &str| view.rules.namespaces.neighbours.iter().any(|near| near == language);
        one != two
            && (has(&own, two.name()) || has(&other, one.name()))
            && !other.scopes.binds(name)
            && !matches!(self.meaning(file, name), Meaning::Known(_))
            && self.languages_that_use(symbol).is_none_or(|languages| languages.iter().any(|name| name == two.name()))
    }
}
