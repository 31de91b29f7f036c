//! Names in the bodies of macros, which are text for the grammar: `helper` in `#define CALL(x) helper(x)`.

use rustc_hash::FxHashSet;

use super::find::is_lasting;
use super::resolver::{Resolver, View};
use crate::language::{Items, Macros};
use crate::symbols::model::{MacroWord, Meaning, Thing};
use crate::text::Span;
use crate::tree::Node;

/// Whether a macro makes a text or another name of a parameter.
fn makes_text(rules: &Macros, body: &str, parameter: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    body.match_indices(parameter).any(|(at, _)| {
        let (before, after) = (&body[..at], &body[at + parameter.len()..]);
        let is_whole = !before.ends_with(is_letter) && !after.starts_with(is_letter);
        let mut signs = [&rules.text_sign, &rules.join_sign].into_iter().flatten();
        let is_joined = rules.join_sign.as_ref().is_some_and(|sign| after.trim_start().starts_with(sign.as_str()));
        is_whole && (is_joined || signs.any(|sign| before.trim_end().ends_with(sign.as_str())))
    })
}

/// The words of a macro's body that are code, by their offsets.
fn words_of<'b>(comments: Option<&Items>, body: &'b str) -> Vec<(usize, &'b str)> {
    let lines = || comments.into_iter().flat_map(|signs| &signs.line_comments);
    let blocks = || comments.into_iter().flat_map(|signs| &signs.block_comments);
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(letter) = body[at..].chars().next() {
        let rest = &body[at..];
        let length = if letter == '"' || letter == '\'' {
            let mut is_escaped = false;
            let end = rest[1..].find(|other: char| {
                let ends = other == letter && !is_escaped;
                is_escaped = other == '\\' && !is_escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if lines().any(|sign| rest.starts_with(sign.as_str())) {
            rest.len()
        } else if let Some([start, end]) = blocks().find(|[start, _]| rest.starts_with(start.as_str())) {
            rest[start.len()..].find(end.as_str()).map_or(rest.len(), |at| start.len() + at + end.len())
        } else if is_letter(letter) {
            let length = rest.find(|other: char| !is_letter(other)).unwrap_or(rest.len());
            if !letter.is_numeric() {
                words.push((at, &rest[..length]));
            }
            length
        } else {
            letter.len_utf8()
        };
        at += length;
    }
    words
}

impl Resolver<'_> {
    /// The names in the bodies of the macros of a file.
    pub(in crate::symbols) fn macro_words<'v>(&self, view: &'v View<'_>) -> &'v [MacroWord] {
        view.macro_words.get_or_init(|| {
            let rules = &view.rules.macros;
            if rules.bodies.is_empty() {
                return Vec::new();
            }
            let table = view.tree.table();
            let mut found = Vec::new();
            for body in table.nodes().filter(|&node| rules.bodies.contains(table.type_id(node))) {
                let Some(definition) = table.parent(body).filter(|&node| rules.types.contains(table.type_id(node)))
                else {
                    continue;
                };
                let parameters = macro_parameters(view, definition);
                let (text, start) = (view.tree.node_text(body), table.span(body).start());
                for (at, word) in words_of(view.tree.language().spec().items.as_ref(), &text) {
                    let before = text[..at].trim_end();
                    let is_member = rules.member_signs.iter().any(|sign| before.ends_with(sign.as_str()));
                    if !parameters.iter().any(|known| known == word) {
                        let span = Span::new(start + at, start + at + word.len());
                        found.push(MacroWord { body, span, is_member });
                    }
                }
            }
            found
        })
    }

    /// Whether a place is a name in the body of a macro.
    pub(in crate::symbols) fn macro_word(&self, view: &View<'_>, body: Node, span: Span) -> Option<MacroWord> {
        self.macro_words(view).iter().find(|word| word.body == body && word.span == span).copied()
    }

    /// The meaning of a name in the body of a macro: a symbol that has this name where the macro is used.
    pub(in crate::symbols) fn macro_meaning(&self, view: &View<'_>, word: MacroWord) -> Meaning {
        if word.is_member {
            return Meaning::Unknown(Vec::new());
        }
        let table = view.tree.table();
        let definition = table.parent(word.body).and_then(|definition| view.tree.name_node(definition));
        let Some(own) = definition.map(|name| view.tree.node_text(name).into_owned()) else {
            return Meaning::Unknown(Vec::new());
        };
        let text = view.tree.text().slice(word.span).into_owned();
        let mut things: FxHashSet<Thing> = FxHashSet::default();
        let mut is_certain = true;
        // What the file sees as it is.
        if let Meaning::Known(known) = self.free_name(view, word.body, &text) {
            things.extend(known);
        }
        for file in self.project().ids() {
            let is_like = !self.project().file(file).language.spec().symbols.macros.bodies.is_empty();
            let is_near = file == view.file || self.trees.may_have(file, &own);
            if !is_like || !is_near || !self.trees.may_have(file, &text) {
                continue;
            }
            let Some(other) = self.view(file) else { continue };
            let names = other.scopes.names(&text);
            for found in names.found.iter().filter(|found| found.does.is_binding()) {
                if other.scopes.is_member(found.scope, found.spaces) {
                    continue;
                }
                if found.scope != Node::ROOT && !has_word(&other.tree.node_text(found.scope), &own) {
                    continue;
                }
                if is_lasting(self, &other, found.name) && found.scope == Node::ROOT {
                    match self.meaning(file, found.name) {
                        Meaning::Known(known) => things.extend(known),
                        _ => is_certain = false,
                    }
                } else {
                    is_certain = false;
                    let known = match self.meaning(file, found.name) {
                        Meaning::Known(known) | Meaning::Unknown(known) => known,
                        Meaning::External => Vec::new(),
                    };
                    things.extend(known);
                }
            }
        }
        let mut things: Vec<Thing> = things.into_iter().collect();
        things.sort_unstable();
        match things.len() {
            0 => Meaning::External,
            1 if is_certain => Meaning::Known(things),
            _ => Meaning::Unknown(things),
        }
    }

    /// Whether a name is an argument of a macro that makes a text or another name of it: `#x`, `do_##x`.
    pub(in crate::symbols) fn is_text_for_macro(&self, view: &View<'_>, name: Node) -> bool {
        /// How deep a name is in an argument.
        const REACH: usize = 12;
        let table = view.tree.table();
        if !view.rules.macros.text_makers.is_empty() {
            return table.ancestors(name).any(|list| self.is_text_made_of(view, list));
        }
        if view.rules.macros.bodies.is_empty() {
            return false;
        }
        let mut inner = name;
        for around in table.ancestors(name).take(REACH) {
            if let Some(callee) = self.called(view, around).filter(|&callee| !table.is_within(name, callee)) {
                let Meaning::Known(things) = self.meaning(view.file, callee) else { return false };
                return things.iter().any(|thing| {
                    let Thing::Symbol(site) = *thing else { return false };
                    let Some(other) = self.view(site.file) else { return false };
                    let Some(definition) = other.tree.table().parent(site.name) else { return false };
                    let rules = &other.rules.macros;
                    if !rules.types.contains(other.tree.table().type_id(definition)) {
                        return false;
                    }
                    let position = view.tree.named_children(table.parent(inner).unwrap_or(around));
                    let position = position.take_while(|&argument| argument != inner).count();
                    let parameters = macro_parameters(&other, definition);
                    let parameter = parameters.get(position).or(parameters.last());
                    let mut bodies = other.tree.table().children(definition);
                    let body = bodies.find(|&node| rules.bodies.contains(other.tree.table().type_id(node)));
                    body.zip(parameter).is_some_and(|(body, parameter)| {
                        let text = other.tree.node_text(body);
                        let named = rules.rest.get(parameter).unwrap_or(parameter);
                        makes_text(rules, &text, named)
                    })
                });
            }
            if view.tree.callee(table.parent(around).unwrap_or(around)).is_none() {
                inner = around;
            }
        }
        false
    }

    /// Whether a list of tokens is what a macro gets that makes a text of it, or one of the project that passes it to such a macro.
    fn is_text_made_of(&self, view: &View<'_>, list: Node) -> bool {
        let (table, rules) = (view.tree.table(), view.scopes.rules);
        if !rules.token_lists.contains(table.type_id(list)) {
            return false;
        }
        let is_sign = |&sign: &Node| rules.sign_after.as_deref() == Some(&*view.tree.node_text(sign));
        let sign = table.previous_sibling(list).filter(is_sign);
        let Some(called) = sign.and_then(|sign| table.previous_sibling(sign)) else { return false };
        let last = table.descendants(called).filter(|&inner| view.scopes.is_identifier(inner)).last().unwrap_or(called);
        let makers = &view.rules.macros.text_makers;
        let Meaning::Known(things) = self.meaning(view.file, last) else {
            return makers.iter().any(|maker| *maker == *view.tree.node_text(last));
        };
        things.iter().any(|thing| {
            let Thing::Symbol(site) = *thing else { return false };
            let Some(other) = self.view(site.file) else { return false };
            let definition = self.definition_of(&other, site.name);
            definition.is_some_and(|definition| {
                let text = other.tree.node_text(definition);
                makers.iter().any(|maker| has_word(&text, maker))
            })
        })
    }

    /// Whether a name is that of a parameter of a macro.
    pub(in crate::symbols) fn is_macro_parameter(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        table.parent(name).is_some_and(|list| view.rules.macros.parameters.contains(table.type_id(list)))
    }
}

/// The words in the body of a macro that are code.
pub(in crate::symbols) fn macro_words_of(view: &View<'_>, body: Node) -> Vec<(Span, String)> {
    let (text, start) = (view.tree.node_text(body), view.tree.table().span(body).start());
    let words = words_of(view.tree.language().spec().items.as_ref(), &text);
    words.into_iter().map(|(at, word)| (Span::new(start + at, start + at + word.len()), word.to_owned())).collect()
}

/// The parameters of a macro.
pub(crate) fn macro_parameters(view: &View<'_>, definition: Node) -> Vec<String> {
    let table = view.tree.table();
    let list = table.children(definition).find(|&node| view.rules.macros.parameters.contains(table.type_id(node)));
    let names = list.into_iter().flat_map(|list| table.children(list));
    let is_sign = |text: &str| matches!(text, "(" | ")" | ",");
    names.map(|name| view.tree.node_text(name).into_owned()).filter(|text| !is_sign(text)).collect()
}

/// Whether a text has a word.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter))
}
