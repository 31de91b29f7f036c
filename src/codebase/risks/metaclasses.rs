//! Classes of classes that read the names of the members: `metaclass=M`.

use std::collections::BTreeMap;

use crate::symbols::{Resolver, Site, Value};
use crate::tree::Node;

impl Resolver<'_> {
    /// The class of a class that does something with the names of its members when it is made: `M` of `metaclass=M`, whose `__new__` goes
    /// through the members.
    pub(super) fn reader_of_members(&self, class: Site) -> Option<String> {
        let (above, _) = self.superclasses(class);
        std::iter::once(class).chain(above).find_map(|class| {
            let view = self.view(class.file)?;
            let hooks = &view.rules.members.namespace_hooks;
            let definition = self.definition_of(&view, class.name).filter(|_| !hooks.is_empty())?;
            let arguments = view.tree.base_nodes(definition).filter(|&base| self.is_class_argument(&view, base));
            let values = arguments.filter_map(|base| view.tree.named_children(base).last());
            let makers = values.flat_map(|value| self.value(view.file, value).known).filter_map(|value| match value {
                Value::Class { class, .. } => Some(class),
                _ => None,
            });
            let mut makers = makers.filter(|&maker| {
                let own = |(hook, place): (&String, &usize)| Some((self.found_member(maker, hook.as_str())?, *place));
                hooks.iter().filter_map(own).any(|(function, place)| self.reads_parameter(function, place, hooks))
            });
            makers.next().and_then(|maker| self.name_of(maker))
        })
    }

    /// Whether a method does more with one of its parameters than to pass it on to the same methods of its base.
    fn reads_parameter(&self, method: Site, place: usize, hooks: &BTreeMap<String, usize>) -> bool {
        let Some(view) = self.view(method.file) else { return true };
        let Some(definition) = self.definition_of(&view, method.name) else { return true };
        let table = view.tree.table();
        let list = table.children(definition).find(|&child| view.tree.holds_parameters(child));
        let parameter = list.and_then(|list| view.tree.named_children(list).nth(place));
        let names = |node: Node| std::iter::once(node).chain(table.descendants(node));
        let Some(name) = parameter.and_then(|node| names(node).find(|&name| view.scopes.is_identifier(name))) else {
            return true;
        };
        let found = view.scopes.names_like(name);
        let Some(symbol) = found.at(name).and_then(|own| found.resolve(&view.scopes, own)) else { return true };
        let is_passed_on = |name: Node| {
            let call = table.parent(name).and_then(|list| table.parent(list));
            let callee = call.and_then(|call| view.tree.callee_text(call));
            callee.is_some_and(|callee| hooks.contains_key(callee.rsplit('.').next().unwrap_or(&callee)))
        };
        let mut uses = found.meaning(&view.scopes, symbol).filter(|other| other.name != name);
        uses.any(|other| !is_passed_on(other.name))
    }
}
