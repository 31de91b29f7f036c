//! Names among tokens, as in the arguments of a macro: what is before them says what they are.

use super::resolver::{Resolver, View};
use crate::language::Spaces;
use crate::symbols::model::{Meaning, MemberName, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// The meaning of a name among tokens; `None` if it is not among tokens, or a variable there.
    pub(in crate::symbols) fn loose_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        if view.rules.loose.types.is_empty() {
            return None;
        }
        let table = view.tree.table();
        let parent = table.parent(name)?;
        if !view.rules.loose.types.contains(table.type_id(parent)) {
            return None;
        }
        let unknown = Some(Meaning::Unknown(Vec::new()));
        if table.ancestors(name).any(|around| view.rules.loose.opaque.contains(table.type_id(around))) {
            return unknown;
        }
        let text = |node: Node| view.tree.node_text(node);
        let separator = view.rules.loose.separator.as_str();
        if let Some(sign) = table.previous_sibling(name) {
            match &*text(sign) {
                "." => {
                    let object = table.previous_sibling(sign)?;
                    let values = self.loose_value(view, object);
                    let rules = view.scopes.rules;
                    let is_called = table.next_sibling(name).is_some_and(|next| text(next).starts_with('('));
                    let spaces = if is_called { rules.method_space } else { rules.field_space };
                    let member = text(name);
                    let member = MemberName { text: &member, spaces: spaces.unwrap_or(Spaces::ALL) };
                    return Some(self.member_of_values(view, &values, member));
                }
                sign_text if !separator.is_empty() && sign_text == separator => {
                    let mut parts = vec![text(name).into_owned()];
                    let mut at = sign;
                    while let Some(before) = table.previous_sibling(at) {
                        parts.push(text(before).into_owned());
                        match table.previous_sibling(before) {
                            Some(sign) if text(sign) == separator => at = sign,
                            _ => break,
                        }
                    }
                    parts.reverse();
                    let is_path =
                        parts.iter().all(|part| part.chars().all(|sign| sign.is_alphanumeric() || sign == '_'));
                    return if is_path {
                        Some(self.scheme(view).path(self, view, name, &parts.join(separator)))
                    } else {
                        unknown
                    };
                }
                "$" => return unknown,
                _ => {}
            }
        }
        if self.is_text_argument(view, name) {
            return Some(Meaning::External);
        }
        // `name = value` and `name: value` may be anything.
        let next = table.next_sibling(name).map(text);
        if self.is_loose_shorthand(view, name) {
            return unknown;
        }
        if next.is_some_and(|next| next == "=" || next == ":" || next == "=>") {
            return unknown;
        }
        let names = view.scopes.names(&text(name));
        match names.at(name).and_then(|found| names.resolve(&view.scopes, found)) {
            Some(_) => None,
            None => match self.free_name(view, name, &text(name)) {
                Meaning::Known(things) => Some(Meaning::Known(things)),
                _ if view.rules.type_words.own.iter().any(|own| *own == *text(name)) => None,
                _ => unknown,
            },
        }
    }

    /// Whether a name among tokens may be that of a field and of a variable: `A { x }`, where `A` is or may be a type.
    fn is_loose_shorthand(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let is_sign =
            |node: Option<Node>, signs: &[&str]| node.is_some_and(|node| signs.contains(&&*view.tree.node_text(node)));
        let list = table.parent(name).filter(|&list| view.tree.node_text(list).starts_with('{'));
        let is_alone =
            is_sign(table.previous_sibling(name), &["{", ","]) && is_sign(table.next_sibling(name), &["}", ","]);
        let class = list.filter(|_| is_alone).and_then(|list| table.previous_sibling(list));
        class.filter(|&class| view.scopes.is_identifier(class)).is_some_and(|class| {
            match self.meaning(view.file, class) {
                Meaning::Known(things) => things.iter().any(|thing| match *thing {
                    Thing::Symbol(site) => {
                        self.view(site.file).is_some_and(|view| self.is_class_name(&view, site.name))
                    }
                    _ => false,
                }),
                Meaning::External | Meaning::Unknown(_) => true,
            }
        })
    }

    /// The value of a token, or of the call that ends with it.
    fn loose_value(&self, view: &View<'_>, token: Node) -> Values {
        let table = view.tree.table();
        if view.rules.loose.types.contains(table.type_id(token)) {
            let is_call = view.tree.node_text(token).starts_with('(');
            let Some(callee) =
                table.previous_sibling(token).filter(|&callee| is_call && view.scopes.is_identifier(callee))
            else {
                return Values::unknown();
            };
            let values = self.loose_value(view, callee);
            let is_complete = values.is_complete;
            let mut found = Values::union(values.known.into_iter().map(|value| match value {
                Value::Function { function, of } => self.result(function, of),
                Value::Class { class, is_own } if view.rules.made_objects.classes => {
                    Values::one(Value::Instance { class, is_own })
                }
                _ => Values::unknown(),
            }));
            found.is_complete &= is_complete;
            return found;
        }
        self.nested(Values::unknown(), || {
            let is_member = table.previous_sibling(token).is_some_and(|sign| view.tree.node_text(sign) == ".");
            if !view.scopes.is_identifier(token) && is_member {
                return Values::unknown();
            }
            self.value(view.file, token)
        })
    }
}
