//! Code of other languages that can use a symbol.

use crate::symbols::{Resolver, Site, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// The names of the languages whose code can use a symbol; `None` if any may.
    pub fn languages_that_use(&self, symbol: Site) -> Option<Vec<String>> {
        let view = self.view(symbol.file)?;
        let own = || vec![view.tree.language().name().to_owned()];
        if self.is_bound_elsewhere(&view, symbol.name) {
            return None;
        }
        let is_parameter = view.scopes.reaches(symbol.name, &view.scopes.rules.parameters).is_some();
        let is_member = self.is_member(&view, symbol.name);
        if self.is_hidden(&view, symbol.name) || !is_parameter && !is_member && !self.is_lasting(symbol) {
            return Some(own());
        }
        let rules = &view.rules.used_from;
        let languages = if is_member || is_parameter { &rules.members } else { &rules.others };
        (!languages.is_empty()).then(|| languages.iter().cloned().chain(own()).collect())
    }

    /// Whether a decorator of a definition, or of one around it, may give it to other languages.
    fn is_bound_elsewhere(&self, view: &View<'_>, name: Node) -> bool {
        let own = &view.rules.used_from.own_decorators;
        let gives = |node: Node| {
            let decorators = view.tree.decorators(node).into_iter();
            decorators
                .map(|decorator| view.tree.decorator_word(decorator))
                .any(|word| !own.iter().any(|own| *own == *word))
        };
        !own.is_empty() && view.tree.table().ancestors(name).any(gives)
    }
}
