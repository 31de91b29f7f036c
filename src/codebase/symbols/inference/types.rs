//! Type annotations: the classes that an annotation, a base or a cast names.

use super::resolver::{Resolver, View};
use crate::language::{ModuleScheme, Spaces, SymbolRules};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::model::{Meaning, MemberName, Site, Thing, Value, Values};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The values that a type annotation allows.
    pub(crate) fn type_values(&self, file: FileId, written: Node) -> Values {
        let Some(view) = self.view(file) else { return Values::unknown() };
        self.nested(Values::unknown(), || self.find_type(&view, written))
    }

    fn find_type(&self, view: &View<'_>, written: Node) -> Values {
        let table = view.tree.table();
        let id = table.type_id(written);
        let rules = view.rules;
        if rules.type_checking.strings.contains(id) {
            let text = view.tree.node_text(written);
            return self.quoted_type(view, written, text.trim_matches(['"', '\'']));
        }
        let text = view.tree.node_text(written);
        if rules.type_words.none.iter().any(|word| *word == *text) {
            return Values { known: Vec::new(), is_complete: true };
        }
        if rules.type_words.any.iter().any(|word| word == last_part(&text)) {
            return Values::unknown();
        }
        let has_head = rules.written_types.arguments.of(id).is_some();
        if !has_head && rules.elements.types.of(id).is_some() || rules.written_types.functions.of(id).is_some() {
            return Values::one(Value::Written(Site { file: view.file, name: written }));
        }
        if let Some(class) = self.class_written_at(view, written) {
            return Values::one(Value::Instance { class, is_own: false });
        }
        let arguments = rules.written_types.arguments.of(id).into_iter().flatten();
        let arguments: Vec<Node> = arguments.flat_map(|path| view.tree.reached(written, path)).collect();
        let heads = rules.written_types.heads.of(id).into_iter().flatten();
        let heads: Vec<Node> = heads.flat_map(|path| view.tree.reached(written, path)).collect();
        if !arguments.is_empty()
            && let Some(&head) = heads.first()
        {
            let word = view.tree.node_text(head);
            let word = last_part(&word);
            if rules.type_words.wrappers.iter().any(|wrapper| wrapper == word) {
                return Values::union(arguments.into_iter().map(|argument| self.type_values(view.file, argument)));
            }
            if rules.type_words.parts.iter().any(|part| part == word) {
                return self.type_values(view.file, arguments[0]);
            }
            if rules.class_objects.types.iter().any(|name| name == word) {
                return self.type_values(view.file, arguments[0]).into_classes();
            }
            let values = self.type_values(view.file, head);
            // A container from outside the project.
            let containers = &rules.elements.containers;
            let may_contain = containers.is_empty() || containers.iter().any(|container| container == word);
            if may_contain && rules.elements.types.of(id).is_some() && values.known == [Value::Foreign] {
                return Values::one(Value::Written(Site { file: view.file, name: written }));
            }
            return values;
        }
        if !heads.is_empty() {
            return Values::union(heads.into_iter().map(|head| self.type_values(view.file, head)));
        }
        if is_own_type(rules, &text) {
            return match self.class_around(view, written) {
                Some(class) => Values::one(Value::Instance { class, is_own: true }),
                None => Values::unknown(),
            };
        }
        let name = match rules.objects.of(id) {
            Some(_) => self.member_name(view, written),
            None => Some(written),
        };
        let Some(name) = name else { return Values::unknown() };
        self.instances(self.meaning(view.file, name))
    }

    /// Whether the type of an object is from outside and never one of the project: a literal, a text, a list.
    pub(in crate::symbols) fn is_closed_object(&self, view: &View<'_>, object: Node, depth: usize) -> bool {
        let rules = &view.rules.closed_types;
        let table = view.tree.table();
        let id = table.type_id(object);
        if rules.names.is_empty() || depth == 0 {
            return false;
        }
        if view.rules.literals.contains(id) {
            return true;
        }
        let is_in = |words: &[String], text: &str| words.iter().any(|word| word == text);
        if let Some(paths) = rules.macros.of(id) {
            let name = paths.iter().flat_map(|path| view.tree.reached(object, path)).next();
            return name.is_some_and(|name| is_in(&rules.made_by, &view.tree.node_text(name)));
        }
        if let Some(callee) = self.called(view, object) {
            // `String::new()`
            let text = view.tree.node_text(callee);
            let separator = view.tree.language().spec().imports.separator.as_str();
            if let Some((head, function)) = text.rsplit_once(separator)
                && is_in(&rules.names, head)
            {
                return is_in(&rules.constructors, function) && self.is_unbound(view, callee, head);
            }
            let Some(method) = self.member_name(view, callee) else { return false };
            let inner = self.object_of(view, method);
            return is_in(&rules.results, &view.tree.node_text(method))
                && inner.is_some_and(|inner| self.is_closed_object(view, inner, depth - 1));
        }
        let name = match self.member_name(view, object) {
            Some(name) => name,
            None if view.scopes.is_identifier(object) => object,
            None => return false,
        };
        // The type itself.
        let text = view.tree.node_text(name);
        if name == object && is_in(&rules.names, &text) && self.is_unbound(view, object, &text) {
            return true;
        }
        let Meaning::Known(things) = self.meaning(view.file, name) else { return false };
        let [Thing::Symbol(site)] = things.as_slice() else { return false };
        let Some(other) = self.view(site.file) else { return false };
        let binders = self.binders(&other, *site);
        let ([binder], Some(holder)) = (binders.as_slice(), other.tree.table().parent(site.name)) else { return false };
        let id = other.tree.table().type_id(holder);
        let first = |paths: Option<&Vec<crate::language::Path>>| {
            paths.into_iter().flatten().flat_map(|path| other.tree.reached(holder, path)).next()
        };
        if let Some(written) = first(other.rules.written_types.annotations.of(id)) {
            return *binder != written && self.is_closed_type(&other, written);
        }
        let value = first(other.rules.values.of(id)).filter(|value| value != binder);
        value.is_some_and(|value| self.is_closed_object(&other, value, depth - 1))
    }

    /// Whether a written type is from outside and never one of the project.
    fn is_closed_type(&self, view: &View<'_>, written: Node) -> bool {
        let rules = &view.rules.closed_types;
        let id = view.tree.table().type_id(written);
        if rules.nodes.contains(id) {
            return true;
        }
        let heads = view.rules.written_types.heads.of(id).into_iter().flatten();
        let heads: Vec<Node> = heads.flat_map(|path| view.tree.reached(written, path)).collect();
        if let [head] = heads[..] {
            return self.is_closed_type(view, head);
        }
        let text = view.tree.node_text(written);
        let head = text.split('<').next().unwrap_or(&text).trim();
        let separator = view.tree.language().spec().imports.separator.as_str();
        let (path, last) = head.rsplit_once(separator).unwrap_or(("", head));
        let libraries = &view.rules.module_tree.alike_libraries;
        let is_of_library = libraries.iter().any(|library| path.split(separator).next() == Some(library.as_str()));
        rules.names.iter().any(|name| name == last)
            && (is_of_library || path.is_empty() && self.is_unbound(view, written, last))
    }

    /// Whether no definition of the project has a name in a node.
    fn is_unbound(&self, view: &View<'_>, within: Node, name: &str) -> bool {
        let table = view.tree.table();
        let mut uses = view.scopes.nodes_of(name).iter().filter(|&&node| table.is_within(node, within));
        uses.all(|&node| !matches!(self.meaning(view.file, node), Meaning::Known(_)))
    }

    /// Whether a trait of the project has a member with a name, which any type may have then.
    pub(in crate::symbols) fn is_member_of_traits(&self, view: &View<'_>, name: &str) -> bool {
        let language = view.tree.language();
        let files = self.project().ids().filter(|&file| self.project().file(file).language == language);
        let names = |file| self.view(file).map(|view| self.names_in_traits(&view));
        files
            .filter(|&file| self.may_contain(file, name))
            .any(|file| self.project().may_be_in_trait(file, name, || names(file)))
    }

    /// The names of what traits of a file define.
    fn names_in_traits(&self, view: &View<'_>) -> Vec<String> {
        let kinds = Kinds::new(view.tree);
        let table = view.tree.table();
        let is_trait = |&node: &Node| view.tree.is_scope(node) && kinds.is(node, "trait");
        let is_name = |&node: &Node| view.scopes.is_identifier(node) && self.definition_of(view, node).is_some();
        let in_traits = table.nodes().filter(is_trait).flat_map(|node| table.descendants(node));
        in_traits.filter(is_name).map(|name| view.tree.node_text(name).into_owned()).collect()
    }

    /// The name of a member in the access to it.
    pub(crate) fn member_name(&self, view: &View<'_>, access: Node) -> Option<Node> {
        let attributes = &view.scopes.rules.attributes;
        let table = view.tree.table();
        let is_member = |&child: &Node| table.is_named(child) && view.scopes.fits(child, attributes).is_some();
        let is_name = |child: &Node| view.scopes.is_identifier(*child) && is_member(child);
        let name = table.children(access).find(is_name);
        let found = name.or_else(|| table.children(access).find(is_member))?;
        // A name with type arguments.
        let has_arguments = view.rules.written_types.arguments.of(table.type_id(found)).is_some();
        let inner = || table.children(found).find(|&child| view.scopes.is_identifier(child));
        if has_arguments { inner().or(Some(found)) } else { Some(found) }
    }

    /// The instances of what a type's name means.
    fn instances(&self, meaning: Meaning) -> Values {
        let of_thing = |thing| match thing {
            Thing::Symbol(site) => self.instance(site),
            Thing::Module(_) | Thing::Folder(_) | Thing::Package(_) => Values::unknown(),
        };
        match meaning {
            Meaning::Known(things) => Values::union(things.into_iter().map(of_thing)),
            Meaning::External => Values::one(Value::Foreign),
            Meaning::Unknown(_) => Values::unknown(),
        }
    }

    fn instance(&self, site: Site) -> Values {
        let Some(view) = self.view(site.file) else { return Values::unknown() };
        if self.is_class_name(&view, site.name) {
            return Values::one(Value::Instance { class: site, is_own: false });
        }
        // An alias of a type: the value that is bound to it is a type.
        let binders = self.binders(&view, site);
        let [binder] = binders.as_slice() else { return Values::unknown() };
        let holder = self.definition_of(&view, *binder).or_else(|| view.tree.table().parent(*binder));
        let Some(holder) = holder else { return Values::unknown() };
        let paths = view.rules.values.of(view.tree.table().type_id(holder)).into_iter().flatten();
        let values: Vec<Node> = paths.flat_map(|path| view.tree.reached(holder, path)).collect();
        let [value] = values.as_slice() else { return Values::unknown() };
        // A call that makes a type, such as `TypeVar("T")`, is not one of the project's.
        if view.tree.callee(*value).is_some() {
            return Values::unknown();
        }
        self.guarded(Site { file: site.file, name: *value }, || self.type_values(site.file, *value))
    }

    /// A type that is written in a string: names, unions and generic types.
    fn quoted_type(&self, view: &View<'_>, place: Node, text: &str) -> Values {
        let text = text.trim();
        let rules = view.rules;
        if let Some(parts) = split_outside_brackets(text, '|') {
            return Values::union(parts.into_iter().map(|part| self.quoted_type(view, place, part)));
        }
        if rules.type_words.none.iter().any(|word| word == text) {
            return Values { known: Vec::new(), is_complete: true };
        }
        if rules.type_words.any.iter().any(|word| word == last_part(text)) {
            return Values::unknown();
        }
        if let Some((head, rest)) = text.split_once('[') {
            let arguments = rest.trim_end().strip_suffix(']').unwrap_or(rest);
            let word = last_part(head);
            if rules.type_words.wrappers.iter().any(|wrapper| wrapper == word) {
                let parts = split_outside_brackets(arguments, ',').unwrap_or_else(|| vec![arguments]);
                return Values::union(parts.into_iter().map(|part| self.quoted_type(view, place, part)));
            }
            let is_class = rules.class_objects.types.iter().any(|name| name == word);
            let inner = if is_class { arguments } else { head };
            let values = self.quoted_type(view, place, inner);
            return if is_class { values.into_classes() } else { values };
        }
        if is_own_type(rules, text) {
            let class = self.class_around(view, place);
            return class.map_or_else(Values::unknown, |class| Values::one(Value::Instance { class, is_own: true }));
        }
        self.instances(self.path_at(view, place, text))
    }

    /// The meaning that the last of several names joined by dots would have at a place.
    pub(in crate::symbols) fn path_at(&self, view: &View<'_>, place: Node, path: &str) -> Meaning {
        self.path_in_spaces(view, place, path, Spaces::ALL)
    }

    /// The same where the last name is looked up in these name spaces.
    pub(in crate::symbols) fn path_in_spaces(&self, view: &View<'_>, place: Node, path: &str, last: Spaces) -> Meaning {
        let mut parts = path.split('.').map(str::trim).peekable();
        let Some(first) = parts.next().filter(|name| !name.is_empty()) else { return Meaning::Unknown(Vec::new()) };
        let mut meaning = self.name_at(view, place, first);
        while let Some(part) = parts.next() {
            let Meaning::Known(things) = &meaning else { break };
            let values = Values::union(things.iter().map(|&thing| self.thing_value(thing)));
            let spaces = if parts.peek().is_none() { last } else { Spaces::ALL };
            let name = MemberName { text: part, spaces };
            meaning = Meaning::union(values.known.iter().map(|value| self.member_of(value, name)));
        }
        meaning
    }

    /// Whether a node is a type annotation, or part of one.
    pub(in crate::symbols) fn is_written_type(&self, view: &View<'_>, node: Node) -> bool {
        /// How deep a string is inside a type annotation.
        const REACH: usize = 12;
        let table = view.tree.table();
        let mut inner = node;
        table.ancestors(node).take(REACH).any(|holder| {
            let annotation = view.rules.written_types.annotations.of(table.type_id(holder)).into_iter().flatten();
            let is_annotation = annotation.flat_map(|path| view.tree.reached(holder, path)).any(|node| node == inner);
            let is_result = view.tree.return_type(holder).is_some_and(|written| table.is_within(node, written));
            let found = is_annotation || is_result;
            inner = holder;
            found
        })
    }

    /// The meaning that a word would have as a name at a place.
    fn name_at(&self, view: &View<'_>, place: Node, word: &str) -> Meaning {
        let names = view.scopes.names(word);
        let mut scope = view.scopes.around(place);
        loop {
            let is_seen = scope == view.scopes.around(place) || !view.scopes.is_unseen(scope);
            let binders = names.found.iter().filter(|found| found.does.is_binding() && found.scope == scope);
            let binders: Vec<Node> = binders.map(|found| found.name).collect();
            // What a namespace binds is not only in this file.
            if scope == Node::ROOT && view.is(ModuleScheme::Namespaces) {
                break;
            }
            if is_seen && !binders.is_empty() {
                return self.bound_by(view, &binders);
            }
            if scope == Node::ROOT {
                break;
            }
            scope = view.scopes.around(scope);
        }
        self.free_name(view, place, word)
    }
}

impl Resolver<'_> {
    /// The words in type annotations that are strings: each string with the word's span.
    pub(crate) fn quoted_words(&self, view: &View<'_>) -> Vec<(Node, Span)> {
        let table = view.tree.table();
        let strings = view.quoted.get_or_init(|| {
            let types = &view.rules.type_checking.strings;
            let is_quoted = |&node: &Node| types.contains(table.type_id(node)) && self.is_written_type(view, node);
            if types.is_empty() { Vec::new() } else { table.nodes().filter(is_quoted).collect() }
        });
        if let Some(mut words) = self.scheme(view).words(view) {
            words.extend(self.hidden_words(view).iter().map(|word| (word.node, word.span)));
            return words;
        }
        let of_text = self.text_names(view).iter().map(|name| (name.string, name.span));
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let of_macros = self.macro_words(view).iter().map(|word| (word.body, word.span));
        let hidden = self.hidden_words(view).iter().map(|word| (word.node, word.span));
        let mut found: Vec<(Node, Span)> = of_text.chain(of_macros).chain(hidden).collect();
        for &string in strings {
            let text = view.tree.node_text(string);
            let start = view.tree.span(string).start();
            let mut at = 0;
            for word in text.split(|letter| !is_letter(letter)) {
                if word.starts_with(|first: char| !first.is_numeric()) {
                    found.push((string, Span::new(start + at, start + at + word.len())));
                }
                at += word.len();
                at += text[at..].chars().next().map_or(0, char::len_utf8);
            }
        }
        found
    }

    /// Where a file has a word in a string with a type annotation.
    pub fn quoted_uses(&self, file: FileId, word: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let words = self.quoted_words(&view).into_iter().map(|(_, span)| span);
        words.filter(|&span| view.tree.text().slice(span) == word).collect()
    }

    /// The meaning of a word in a string with a type annotation.
    pub(crate) fn quoted_meaning(&self, view: &View<'_>, string: Node, word: Span) -> Meaning {
        if let Some(meaning) = self.hidden_meaning(view, string, word) {
            return meaning;
        }
        if !view.rules.open_classes.symbol_types.is_empty() {
            return Meaning::Unknown(Vec::new());
        }
        if let Some(word) = self.macro_word(view, string, word) {
            return self.nested(Meaning::Unknown(Vec::new()), || self.macro_meaning(view, word));
        }
        if let Some(meaning) = self.text_meaning(view, string, word) {
            return meaning;
        }
        let head = view.tree.text().slice(Span::new(view.tree.span(string).start(), word.end()));
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let start = head.rfind(|letter| !is_part(letter)).map_or(0, |at| at + 1);
        self.path_at(view, string, &head[start..])
    }
}

fn is_own_type(rules: &SymbolRules, text: &str) -> bool {
    let word = last_part(text);
    rules.type_words.own.iter().any(|own| own == word)
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// The parts of a text between separators that are in no brackets; `None` if there is only one.
fn split_outside_brackets(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            letter if letter == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (parts.len() > 1).then_some(parts)
}
