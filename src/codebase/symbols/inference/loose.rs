//! Names among tokens, as in the arguments of a macro: what is before them says what they are.

use super::resolver::{Resolver, View};
use crate::language::Spaces;
use crate::modules::FileId;
use crate::symbols::model::{Meaning, MemberName, Site, Thing, Value, Values};
use crate::tree::Node;

impl Resolver<'_> {
    /// Whether a name is among tokens.
    pub fn is_among_tokens(&self, file: FileId, name: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let table = view.tree.table();
            table.parent(name).is_some_and(|parent| view.rules.loose.types.contains(table.type_id(parent)))
        })
    }

    /// The parts of the path among tokens that ends with a name.
    fn loose_path(view: &View<'_>, name: Node) -> Vec<String> {
        let table = view.tree.table();
        let text = |node: Node| view.tree.node_text(node);
        let separator = view.rules.loose.separator.as_str();
        let mut parts = vec![text(name).into_owned()];
        let mut first = name;
        while let Some(sign) = table.previous_sibling(first).filter(|&sign| text(sign) == separator)
            && let Some(before) = table.previous_sibling(sign)
        {
            parts.push(text(before).into_owned());
            first = before;
        }
        parts.reverse();
        parts
    }

    /// The meaning of a name in a path of a macro's body that begins at the root of the library: `$crate::a::b`.
    fn rooted_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        let rules = &view.rules.loose;
        let mut parts = Self::loose_path(view, name);
        let root = view.rules.module_words.root.first()?;
        if parts.len() < 2 || rules.root.as_deref() != Some(parts[0].as_str()) {
            return None;
        }
        // A macro is not found by its path.
        let next = view.tree.table().next_sibling(name).map(|next| view.tree.node_text(next));
        if next.is_some_and(|next| view.scopes.rules.sign_after.as_deref() == Some(&*next)) {
            return None;
        }
        parts[0].clone_from(root);
        let found = self.scheme(view).path(self, view, name, &parts.join(&rules.separator));
        matches!(found, Meaning::Known(_)).then_some(found)
    }

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
        let text = |node: Node| view.tree.node_text(node);
        let separator = view.rules.loose.separator.as_str();
        if table.ancestors(name).any(|around| view.rules.loose.opaque.contains(table.type_id(around))) {
            return Some(self.rooted_meaning(view, name).unwrap_or(Meaning::Unknown(Vec::new())));
        }
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
                    let parts = Self::loose_path(view, name);
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
        if self.is_loose_shorthand(view, name) {
            return unknown;
        }
        if let Some(class) = self.loose_object(view, name) {
            let field = text(name);
            let field = MemberName { text: &field, spaces: view.scopes.rules.field_space.unwrap_or(Spaces::ALL) };
            return Some(match self.member_of(&Value::Instance { class, is_own: false }, field) {
                Meaning::Known(things) => Meaning::Known(things),
                _ => Meaning::Unknown(Vec::new()),
            });
        }
        // `name = value` and `name: value` may be anything.
        let next = table.next_sibling(name).map(text);
        if self.is_loose_shorthand(view, name) {
            return unknown;
        }
        let rules = &view.rules.loose;
        let marks = [&rules.field_mark, &rules.value_mark, &rules.arm_mark];
        let is_mark = |next: &str| marks.iter().any(|mark| !mark.is_empty() && mark.as_str() == next);
        if next.is_some_and(|next| is_mark(&next)) || Self::is_bound_loosely(view, name) {
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

    /// The class of the object that tokens make, if a name among them is the key of one of its fields: `x` of `A { x: 1 }`.
    fn loose_object(&self, view: &View<'_>, name: Node) -> Option<Site> {
        let table = view.tree.table();
        let text = |node: Node| view.tree.node_text(node);
        let is_key = table.next_sibling(name).is_some_and(|next| *text(next) == *view.rules.loose.field_mark)
            && table
                .previous_sibling(name)
                .is_some_and(|sign| *text(sign) == *"," || view.rules.loose.fields.starts_with(&*text(sign)));
        if !is_key {
            return None;
        }
        match self.made_loosely(view, table.parent(name)?).known.as_slice() {
            &[Value::Instance { class, .. }] => Some(class),
            _ => None,
        }
    }

    /// The object that tokens make, by the node with those of its fields: `{ x: 1 }` of `A { x: 1 }`.
    fn made_loosely(&self, view: &View<'_>, fields: Node) -> Values {
        let text = view.tree.node_text(fields);
        let has_fields = view.rules.loose.fields.chars().next().is_some_and(|bracket| text.starts_with(bracket));
        let class = view.tree.table().previous_sibling(fields).filter(|&class| view.scopes.is_identifier(class));
        let Some(class) = class.filter(|_| has_fields) else { return Values::unknown() };
        let values = self.loose_value(view, class);
        let is_class = |value: &Value| matches!(value, Value::Class { .. });
        if values.known.iter().all(is_class) { values.into_instances() } else { Values::unknown() }
    }

    /// Whether the tokens of the outermost list around a name bind one like it: by `let`, as a parameter, or in a pattern.
    fn is_bound_loosely(view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let rules = &view.rules.loose;
        let is_loose = |&node: &Node| rules.types.contains(table.type_id(node));
        let Some(outermost) = table.ancestors(name).take_while(is_loose).last() else { return false };
        let text = |node: Node| view.tree.node_text(node);
        let word = text(name);
        let is_alike = |&&node: &&Node| view.scopes.is_identifier(node) && text(node) == word;
        let lists = std::iter::once(outermost).chain(table.descendants(outermost)).filter(is_loose);
        lists.into_iter().any(|list| {
            let tokens: Vec<Node> = table.children(list).collect();
            let is_mark = |at: usize, mark: &str| !mark.is_empty() && *text(tokens[at]) == *mark;
            let mut is_open = false;
            let mut from = 0;
            for at in 0..tokens.len() {
                let ends = rules.binding_ends.iter().any(|end| is_mark(at, end));
                if rules.binding_words.iter().any(|word| is_mark(at, word)) {
                    (is_open, from) = (true, at);
                } else if is_mark(at, &rules.parameter_mark) {
                    // Between two of these there are parameters, or what is combined: both count.
                    if tokens[from..at].iter().any(|token| is_alike(&token)) && is_mark(from, &rules.parameter_mark) {
                        return true;
                    }
                    from = at;
                } else if is_mark(at, &rules.arm_mark) {
                    let pattern = tokens[..at]
                        .iter()
                        .rposition(|&token| *text(token) == *"," || rules.fields.starts_with(&*text(token)));
                    let pattern = pattern.map_or(0, |start| start + 1);
                    let names = tokens[pattern..at]
                        .iter()
                        .flat_map(|&token| std::iter::once(token).chain(table.descendants(token)));
                    if names.collect::<Vec<_>>().iter().any(|node| is_alike(&node)) {
                        return true;
                    }
                } else if is_open && ends {
                    is_open = false;
                } else if is_open {
                    let inside = std::iter::once(tokens[at]).chain(table.descendants(tokens[at]));
                    if inside.collect::<Vec<_>>().iter().any(|node| is_alike(&node)) {
                        return true;
                    }
                }
            }
            false
        })
    }

    /// The value of a token, or of the call or object that ends with it.
    fn loose_value(&self, view: &View<'_>, token: Node) -> Values {
        let table = view.tree.table();
        if view.rules.loose.types.contains(table.type_id(token)) {
            let is_call = view.tree.node_text(token).starts_with('(');
            let before = table.previous_sibling(token);
            let Some(callee) = before.filter(|&callee| is_call && view.scopes.is_identifier(callee)) else {
                // `(A { x: 1 })`
                let inner = table.children(token).filter(|&child| table.is_named(child)).last();
                let is_inner = |&inner: &Node| is_call && view.rules.loose.types.contains(table.type_id(inner));
                let ends = |inner: Node| table.next_sibling(inner).is_some_and(|end| view.tree.node_text(end) == ")");
                let begins = |inner: Node| {
                    let class = table.previous_sibling(inner);
                    let before = class.and_then(|class| table.previous_sibling(class));
                    before.is_some_and(|before| view.tree.node_text(before) == "(")
                };
                return match inner.filter(is_inner).filter(|&inner| ends(inner) && begins(inner)) {
                    Some(inner) => self.made_loosely(view, inner),
                    None => self.made_loosely(view, token),
                };
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
