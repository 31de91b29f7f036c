//! Parameters that arguments name where the call does not name a function: constructors of classes, and copies of objects.

use super::resolver::{Resolver, View};
use crate::scopes::VariableName;
use crate::selector::Kinds;
use crate::symbols::model::{Meaning, Member, Site, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of the name of an argument for a constructor of the class around, of a base of it, or of a class that is named with
    /// arguments: `this(x = 1)`, `class A : B(x = 1)`; `None` for arguments of other calls.
    pub(in crate::symbols) fn constructor_argument(&self, view: &View<'_>, name: Node, text: &str) -> Option<Meaning> {
        /// How far the name is from what has the arguments.
        const REACH: usize = 4;
        let rules = &view.rules.constructions;
        let table = view.tree.table();
        for around in table.ancestors(name).take(REACH) {
            if table.fits_any(around, &rules.own_calls) {
                let class = self.class_around(view, around)?;
                return Some(self.constructor_parameter(class, text));
            }
            if table.fits_any(around, &rules.base_calls) {
                let bases = self.bases(self.class_around(view, around)?);
                let found = bases.known.iter().map(|&base| self.constructor_parameter(base, text));
                return Some(only_if(bases.is_complete, Meaning::union(found)));
            }
            if let Some(paths) = rules.named.of(table.type_id(around)) {
                let written = paths.iter().flat_map(|path| view.tree.reached(around, path)).next()?;
                let values = self.type_values(view.file, written);
                let found = values.known.iter().map(|value| match *value {
                    Value::Instance { class, .. } => self.constructor_parameter(class, text),
                    Value::Foreign | Value::Plain => Meaning::External,
                    _ => Meaning::Unknown(Vec::new()),
                });
                return Some(only_if(values.is_complete, Meaning::union(found)));
            }
            if view.tree.callee(around).is_some() {
                return None;
            }
        }
        None
    }

    /// The class of which a word in the place of a function calls another constructor: `this` of Scala.
    pub(in crate::symbols) fn class_called_by_word(&self, view: &View<'_>, callee: Node) -> Option<Site> {
        let words = &view.rules.object_words.own;
        let is_word = view.scopes.is_identifier(callee)
            && !view.rules.companions.calls.is_empty()
            && words.iter().any(|word| **word == *view.tree.node_text(callee));
        is_word.then(|| self.class_around(view, callee)).flatten()
    }

    /// The parameter with a name of the constructors of a class, in a language where these have no name.
    pub(in crate::symbols) fn parameter_of_class(&self, class: Site, name: &str) -> Option<Meaning> {
        let view = self.view(class.file)?;
        if !view.scopes.rules.constructors.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for part in std::iter::once(class).chain(self.scheme(&view).other_bodies(self, &view, class)) {
            let Some(view) = self.view(part.file) else { continue };
            found.extend(
                self.parameters_in_class(&view, part, name)
                    .into_iter()
                    .map(|name| Thing::Symbol(Site { file: part.file, name })),
            );
        }
        match found.len() {
            0 => None,
            1 => Some(Meaning::Known(found)),
            // Which of the constructors is called is not known.
            _ => Some(Meaning::Unknown(found)),
        }
    }

    fn parameters_in_class(&self, view: &View<'_>, class: Site, name: &str) -> Vec<Node> {
        let Some(definition) = self.definition_of(view, class.name) else { return Vec::new() };
        let table = view.tree.table();
        let (kinds, scope) = (Kinds::new(view.tree), self.class_scope(view, class.name));
        let is_its = |function: Node| {
            let is_of_it = || Some(view.scopes.around(function)) == scope;
            function == definition || Some(function) == scope || kinds.is(function, "constructor") && is_of_it()
        };
        let names = view.scopes.names(name);
        let is_parameter = |found: &&VariableName| {
            found.does.is_binding()
                && table.is_within(found.name, definition)
                && view.scopes.is_named_parameter(found.name)
                && is_its(found.scope)
        };
        names.found.iter().filter(is_parameter).map(|found| found.name).collect()
    }

    /// The object that a call copies, with other values for the parameters of its class: `a` of `a.copy(x = 1)`. `None` for other calls.
    pub(in crate::symbols) fn copied(&self, view: &View<'_>, callee: Node) -> Option<Values> {
        let rules = view.rules;
        if rules.constructions.copied.is_empty() {
            return None;
        }
        let name = self.member_name(view, callee).unwrap_or(callee);
        let text = view.tree.node_text(name);
        if !view.scopes.is_identifier(name) || !rules.hidden_uses.copiers.iter().any(|copier| *copier == *text) {
            return None;
        }
        let values = match self.object_of(view, name) {
            Some(object) => self.value(view.file, object),
            None => {
                let is_complete = match self.meaning(view.file, name) {
                    Meaning::Known(_) => return None,
                    Meaning::External => true,
                    // It may be a member of an object that is not written.
                    Meaning::Unknown(_) => rules.implicit_objects.scopes.is_empty(),
                };
                let class = self.class_around(view, name)?;
                Values { known: vec![Value::Instance { class, is_own: true }], is_complete }
            }
        };
        let is_copied = |value: &Value| match *value {
            Value::Instance { class, .. } => self.is_copied(class) && self.member(class, &*text) == Member::Missing,
            _ => false,
        };
        (!values.known.is_empty() && values.known.iter().all(is_copied)).then_some(values)
    }

    fn is_copied(&self, class: Site) -> bool {
        let is_one = |view: &View<'_>| {
            let words = &view.rules.constructions.copied;
            let modifiers = self.definition_of(view, class.name).map(|definition| view.tree.modifiers(definition));
            modifiers.is_some_and(|all| all.iter().any(|word| words.iter().any(|known| **known == **word)))
        };
        self.view(class.file).is_some_and(|view| is_one(&view))
    }
}

/// A meaning that is known only if all is known on which it depends.
fn only_if(is_complete: bool, meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Known(things) if !is_complete => Meaning::Unknown(things),
        Meaning::External if !is_complete => Meaning::Unknown(Vec::new()),
        meaning => meaning,
    }
}
