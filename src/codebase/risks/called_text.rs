//! Text that code makes and calls, or makes objects of: `("do_" . $name)(3)`, `new $class`.

use super::made::{Key, MadeName, Making, NamedSymbol};
use super::shown::is_callee;
use crate::symbols::{Resolver, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Where a file whose code calls what text says makes a text that may be the name of a function or a class.
    pub(super) fn made_callables(&self, view: &View<'_>, symbol: &NamedSymbol<'_>) -> Vec<MadeName> {
        /// A shorter part is in too many names.
        const LEAST: usize = 2;
        let rules = &view.rules.hidden_uses;
        if !rules.callable_strings || symbol.is_member || symbol.local.is_some() {
            return Vec::new();
        }
        let table = view.tree.table();
        if !table.nodes().any(|node| self.calls_text(view, node)) {
            return Vec::new();
        }
        let is_made = |node: Node| {
            let callee = view.tree.callee_text(node);
            table.fits_any(node, &rules.text_sums)
                || callee.is_some_and(|callee| is_callee(&rules.text_formats, &callee))
        };
        let made = table.nodes().filter(|&node| is_made(node)).filter_map(|node| {
            let key = Key::of(view, node).of_last_name();
            let is_it = !key.is_whole && key.start.len() + key.end.len() >= LEAST && key.may_be(symbol.name);
            is_it.then(|| MadeName { span: table.span(node), how: Making::Callable })
        });
        made.collect()
    }

    /// Whether a node calls what a text says, or makes an object of it.
    fn calls_text(&self, view: &View<'_>, node: Node) -> bool {
        let (rules, table) = (&view.rules.hidden_uses, view.tree.table());
        match self.called(view, node) {
            Some(callee) => {
                let is_text = rules.text_callees.contains(table.type_id(callee));
                is_text && self.member_name(view, callee).is_none()
                    || is_callee(&rules.named_access, &view.tree.node_text(callee))
            }
            None => table.fits_any(node, &rules.text_makers),
        }
    }
}
