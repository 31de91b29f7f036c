//! Functions without a name that only one call can call, which is where they are: `(lambda x: x)(x=1)`.

use super::splats::Splat;
use crate::symbols::{Meaning, Resolver, Site, View};
use crate::tree::Node;

/// The only caller of the function of a parameter.
enum Caller {
    /// A call around it.
    Call(Node),
    /// A function from outside that it is given to, which passes arguments by their places: `map`.
    ByPlace,
}

impl Resolver<'_> {
    /// Whether nothing but the call around a function without a name can pass an argument to one of its parameters by its name.
    pub fn is_called_in_place(&self, parameter: Site) -> bool {
        self.view(parameter.file).is_some_and(|view| self.caller(&view, parameter.name).is_some())
    }

    /// The arguments of that call that pass any number of named ones.
    pub fn splats_in_place(&self, parameter: Site) -> Vec<Splat> {
        let Some(view) = self.view(parameter.file) else { return Vec::new() };
        match self.caller(&view, parameter.name) {
            Some(Caller::Call(call)) => self.splats_of_call(&view, call),
            _ => Vec::new(),
        }
    }

    fn caller(&self, view: &View<'_>, parameter: Node) -> Option<Caller> {
        /// How far a function is from the call that it is given to.
        const REACH: usize = 3;
        let table = view.tree.table();
        view.scopes.reaches(parameter, &view.scopes.rules.parameters)?;
        let names = view.scopes.names(&view.tree.node_text(parameter));
        let function = names.at(parameter)?.scope;
        let mut whole = self.function_at(view, function)?;
        while let Some(outer) = table.parent(whole).filter(|&outer| view.rules.same.of(table.type_id(outer)).is_some())
        {
            whole = outer;
        }
        let parent = table.parent(whole)?;
        if self.called(view, parent) == Some(whole) {
            return Some(Caller::Call(parent));
        }
        let call = table.ancestors(whole).take(REACH).find(|&node| view.tree.callee(node).is_some())?;
        let callee = self.called(view, call)?;
        // An argument, or the value of one with a name.
        let has_name =
            table.children(parent).any(|name| view.scopes.fits(name, &view.scopes.rules.arguments).is_some());
        let is_argument = table.parent(parent) == Some(call) || has_name;
        let word = view.tree.node_text(self.member_name(view, callee).unwrap_or(callee)).into_owned();
        let calls_by_place = view.rules.known_calls.by_place.contains(&word);
        let name = self.member_name(view, callee).unwrap_or(callee);
        let is_outside = || !matches!(self.meaning(view.file, name), Meaning::Known(_));
        (is_argument && calls_by_place && is_outside()).then_some(Caller::ByPlace)
    }
}
