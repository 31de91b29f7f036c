//! Names in strings that the grammar takes for text: `"{x}"` in Rust's format macros, Kotlin's `"$x"`.

use super::resolver::{Resolver, View};
use crate::language::{Spaces, TextNames, TokenArguments};
use crate::scopes::VariableName;
use crate::symbols::model::{Meaning, TextName, Thing, Values};
use crate::text::Span;
use crate::tree::Node;

impl Resolver<'_> {
    /// The names in the strings of a file that the grammar takes for text.
    pub(in crate::symbols) fn text_names<'v>(&self, view: &'v View<'_>) -> &'v [TextName] {
        view.text_names.get_or_init(|| {
            let rules = &view.rules.text_names;
            if rules.strings.is_empty() {
                return Vec::new();
            }
            let table = view.tree.table();
            let mut found: Vec<TextName> = Vec::new();
            for string in table.nodes().filter(|&node| rules.strings.contains(table.type_id(node))) {
                let Some(is_certain) = reads_names(view, rules, string) else { continue };
                let text = view.tree.node_text(string);
                let start = table.span(string).start();
                if !text.starts_with(rules.opening.as_str()) {
                    continue;
                }
                for names in rules.parameters.iter().flat_map(|regex| regex.get().captures_iter(&text)) {
                    let found_here = names.iter().skip(1).flatten().map(|name| {
                        let span = Span::new(start + name.start(), start + name.end());
                        TextName { string, span, is_certain, is_parameter: true }
                    });
                    found.extend(found_here);
                }
                for hole in rules.holes.get().find_iter(&text) {
                    for names in rules.names.get().captures_iter(hole.as_str()) {
                        for name in names.iter().skip(1).flatten() {
                            let at = start + hole.start() + name.start();
                            let span = Span::new(at, at + name.len());
                            let is_name = |node: Node| view.scopes.is_identifier(node) && view.tree.span(node) == span;
                            if found.iter().rev().all(|known| known.span != span)
                                && !is_name(table.smallest_around(span))
                            {
                                found.push(TextName { string, span, is_certain, is_parameter: false });
                            }
                        }
                    }
                }
            }
            found
        })
    }

    /// Where each of them is, the string around it, and its values.
    pub(crate) fn values_in_text(&self, view: &View<'_>) -> Vec<(Span, Node, Values)> {
        let values = |name: &TextName| {
            let meaning = self.text_meaning(view, name.string, name.span)?;
            Some(self.meaning_value(meaning, None, &view.tree.text().slice(name.span)))
        };
        self.text_names(view).iter().filter_map(|name| Some((name.span, name.string, values(name)?))).collect()
    }

    /// The meaning of such a name; `None` if there is none at a place.
    pub(crate) fn text_meaning(&self, view: &View<'_>, string: Node, span: Span) -> Option<Meaning> {
        let known = self.text_names(view).iter().find(|name| name.string == string && name.span == span)?;
        let text = view.tree.text().slice(span).into_owned();
        if names_argument(view, string, &text) {
            return Some(Meaning::External);
        }
        if known.is_parameter {
            return Some(self.documented_parameter(view, string, &text).unwrap_or(Meaning::External));
        }
        if let Some(module) = self.module_before(view, string, span) {
            return Some(match module {
                Some(module) => self.member_of_module(module, &text),
                None => Meaning::External,
            });
        }
        let scope = view.scopes.around(string);
        let found =
            VariableName::reference(string, scope, span.start(), view.scopes.rules.text_space.unwrap_or(Spaces::ALL));
        let names = view.scopes.names(&text);
        let meaning = self.nested(Meaning::Unknown(Vec::new()), || self.variable(view, &names, &found, &text));
        Some(match meaning {
            Meaning::Unknown(things) if things.is_empty() && is_mention(view, string, span) => Meaning::External,
            Meaning::Known(things) if !known.is_certain => Meaning::Unknown(things),
            Meaning::External if !known.is_certain => Meaning::Unknown(Vec::new()),
            meaning => meaning,
        })
    }

    /// The parameter of the function after a comment.
    fn documented_parameter(&self, view: &View<'_>, comment: Node, text: &str) -> Option<Meaning> {
        let table = view.tree.table();
        let params = &view.tree.language().spec().params;
        let mut next = table.next_sibling(comment)?;
        while view.tree.is_comment(next) || view.tree.language().role(table.type_id(next)).decorator {
            next = table.next_sibling(next)?;
        }
        let mut nodes = std::iter::once(next).chain(table.descendants(next));
        let function = nodes.find(|&node| params.of(table.type_id(node)).is_some())?;
        let paths = params.of(table.type_id(function)).map(|rule| &rule.at).into_iter().flatten();
        let lists: Vec<Node> = paths.flat_map(|path| view.tree.reached(function, path)).collect();
        let names = view.scopes.names(text);
        let is_its = |found: &&VariableName| {
            let is_in_list = lists.iter().any(|&list| table.is_within(found.name, list));
            found.does.is_binding() && found.scope == function && is_in_list
        };
        let own = names.found.iter().find(is_its)?;
        Some(self.meaning(view.file, own.name))
    }

    /// The module whose name a text has before another name: `import("./x").T`; `None` inside if it is one from outside.
    fn module_before(&self, view: &View<'_>, string: Node, span: Span) -> Option<Option<Thing>> {
        let regex = view.rules.text_names.modules.as_ref()?;
        let start = view.tree.span(string).start();
        let before = view.tree.text().slice(Span::new(start, span.start())).into_owned();
        let source = regex.get().captures(&before)?.get(1)?;
        let found = self.project().modules.import(view.file, view.tree.language(), source.as_str());
        Some(found.map(Thing::from))
    }

    /// Whether a place in a string is such a name.
    pub(in crate::symbols) fn is_text_name(&self, view: &View<'_>, string: Node, span: Span) -> bool {
        self.text_names(view).iter().any(|name| name.string == string && name.span == span)
    }

    /// Whether a name among tokens is that of an argument of what reads names in strings: `x` of `println!("{x}", x = 1)`.
    pub(in crate::symbols) fn is_text_argument(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let is_sign = |node: Option<Node>, sign: &str| node.is_some_and(|node| view.tree.node_text(node) == sign);
        let rules = &view.rules.text_names;
        is_sign(table.previous_sibling(name), ",")
            && is_sign(table.next_sibling(name), "=")
            && table.parent(name).is_some_and(|list| caller_position(view, rules, list).is_some())
    }
}

/// Whether a name is where a comment only points to what it names: `{@link a}`.
fn is_mention(view: &View<'_>, string: Node, span: Span) -> bool {
    let Some(regex) = view.rules.text_names.mentions.as_ref() else { return false };
    let start = view.tree.span(string).start();
    regex.get().is_match(&view.tree.text().slice(Span::new(start, span.start())))
}

/// Whether what is around a string reads names in it: certainly, or perhaps; `None` if it does not.
fn reads_names(view: &View<'_>, rules: &TextNames, string: Node) -> Option<bool> {
    if rules.arguments.is_empty() {
        return Some(true);
    }
    let table = view.tree.table();
    let list = table.parent(string).filter(|&list| rules.arguments.contains(table.type_id(list)))?;
    let is_read = |rule: &TokenArguments| rule.read_as.contains(table.type_id(list));
    let is_read = view.tree.language().spec().token_arguments.iter().any(is_read);
    let Some(position) = caller_position(view, rules, list) else { return (!is_read).then_some(false) };
    let before = table.children(list).take_while(|&node| node != string);
    let commas = before.filter(|&node| view.tree.node_text(node) == ",").count();
    (commas == position).then_some(true)
}

/// The number of the argument in which what is before a list of arguments reads names.
fn caller_position(view: &View<'_>, rules: &TextNames, list: Node) -> Option<usize> {
    let start = view.tree.span(list).start();
    let line = view.tree.text().line_span(view.tree.text().position(start).line);
    let before = view.tree.text().slice(Span::new(line.start(), start)).into_owned();
    let before = before.trim_end().strip_suffix(rules.mark.as_str())?.trim_end();
    let word = before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    let known = rules.callers.iter().find(|(_, names)| names.iter().any(|name| name == word));
    known.and_then(|(position, _)| position.parse().ok())
}

/// Whether an argument beside a string has this name.
fn names_argument(view: &View<'_>, string: Node, text: &str) -> bool {
    let table = view.tree.table();
    let Some(list) = table.parent(string).filter(|_| !view.rules.text_names.arguments.is_empty()) else { return false };
    table.children(list).any(|node| {
        view.tree.node_text(node) == text
            && table.next_sibling(node).is_some_and(|next| *view.tree.node_text(next) == *view.rules.loose.value_mark)
    })
}
