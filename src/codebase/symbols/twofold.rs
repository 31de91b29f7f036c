//! Names that mean two symbols at once: a variable, and the field of that name.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning that a name has besides that of the variable: the `x` of `A { x }` is a field of `A`, too.
    pub(super) fn second_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        view.scopes.fits(name, &view.rules.made_objects.shorthand)?;
        let made: Values = self.made(view, name);
        let text = view.tree.node_text(name);
        let meaning = self.nested(Meaning::Unknown(Vec::new()), || {
            Meaning::union(made.known.iter().map(|value| self.member_of(value, &*text)))
        });
        Some(match meaning {
            Meaning::Known(things) if !made.is_complete => Meaning::Unknown(things),
            Meaning::External if !made.is_complete => Meaning::Unknown(Vec::new()),
            meaning => meaning,
        })
    }
}
