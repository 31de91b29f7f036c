//! Names among tokens, as in the arguments of a macro: what is before them says what they are.

use super::resolver::{Resolver, View};
use crate::language::Spaces;
use crate::symbols::model::{Meaning, MemberName, Value, Values};
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
                    let meaning = Meaning::union(values.known.iter().map(|value| self.member_of(value, member)));
                    return Some(match meaning {
                        Meaning::Known(things) if values.is_complete => Meaning::Known(things),
                        Meaning::External if values.is_complete => Meaning::External,
                        Meaning::Known(things) => Meaning::Unknown(things),
                        _ => Meaning::Unknown(Vec::new()),
                    });
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
