//! Names in code with syntax errors: what they mean cannot be said with certainty.

use super::resolver::{Resolver, View};
use crate::language::Spaces;
use crate::modules::FileId;
use crate::scopes::VariableName;
use crate::symbols::model::{ErrorScopes, HiddenWord, Meaning, Site};
use crate::text::Span;
use crate::tree::Node;

/// The words of a text, by their offsets.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(move |letter| !is_letter(letter))
        .filter(|word| word.starts_with(|first: char| !first.is_numeric()))
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Whether the brackets that stand in an error, outside of sound code, do not match, or it goes over several lines.
fn is_open(view: &View<'_>, error: Node) -> bool {
    let table = view.tree.table();
    let mut depth = 0_i64;
    let mut is_unmatched = false;
    let text = view.tree.node_text(error);
    if table.is_missing(error) {
        return view.tree.type_name(error).contains(['(', ')', '[', ']', '{', '}', '"', '\'', '`']);
    }
    if text.trim().contains('\n') {
        return true;
    }
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '"' | '\'' | '`' => return true,
            _ => {}
        }
        is_unmatched |= depth < 0;
    }
    is_unmatched || depth != 0
}

/// Whether a name may be in a scope that ends before it, because an error ended that too early: no other definition is between them.
fn is_behind(view: &View<'_>, scope: Node, name: Node) -> bool {
    let table = view.tree.table();
    let (end, start) = (table.span(scope).end(), table.span(name).start());
    let mut between = table.children(Node::ROOT).filter(|&node| {
        let span = table.span(node);
        span.start() >= end && span.end() <= start
    });
    end <= start && view.scopes.around(name) == Node::ROOT && !between.any(|node| view.tree.is_scope(node))
}

impl Resolver<'_> {
    /// Whether the grammar of a file's language takes calls of macros for definitions.
    pub fn may_misread(&self, file: FileId) -> bool {
        self.view(file).is_some_and(|view| !view.rules.misread.types.is_empty())
    }

    /// Where a file has syntax errors, or was misread; `None` if nowhere.
    fn error_scopes<'v>(&self, view: &'v View<'_>) -> Option<&'v ErrorScopes> {
        let found = view.errors.get_or_init(|| {
            let table = view.tree.table();
            let rules = view.rules;
            let misread = &rules.misread.types;
            if view.tree.is_sound() && misread.is_empty() {
                return None;
            }
            let is_misread = |node: Node| {
                misread.contains(table.type_id(node))
                    && table
                        .ancestors(node)
                        .take_while(|&around| !rules.misread.holders.contains(table.type_id(around)))
                        .any(|around| misread.contains(table.type_id(around)))
            };
            // Without a mark at its end a statement is what it is.
            let is_missing =
                |node: Node| table.is_missing(node) && !rules.misread.harmless.contains(table.type_id(node));
            let is_error = |&node: &Node| table.is_error(node) || is_missing(node) || is_misread(node);
            let mut errors: Vec<Node> = table.nodes().filter(is_error).collect();
            let has_missing = || table.nodes().any(|node| table.is_missing(node));
            if errors.is_empty() && !view.tree.is_sound() && !has_missing() {
                errors.extend(view.tree.errors().into_iter().map(|error| error.node));
            }
            let mut found = ErrorScopes::default();
            for &error in &errors {
                if is_misread(error) {
                    found.scopes.insert(error);
                }
                let scope = view.scopes.around(error);
                if scope == Node::ROOT || error == Node::ROOT {
                    found.is_open |= error == Node::ROOT || is_open(view, error);
                    found.top.push(error);
                } else {
                    found.scopes.insert(scope);
                }
            }
            (!errors.is_empty()).then_some(found)
        });
        found.as_ref()
    }

    /// Whether a name is in an error, or in a scope that holds one, up to the scope that binds it: it may mean something else.
    pub(crate) fn is_in_error(&self, view: &View<'_>, name: Node) -> bool {
        let Some(errors) = self.error_scopes(view) else { return false };
        let table = view.tree.table();
        let names = view.scopes.names(&view.tree.node_text(name));
        let symbol = names.at(name).and_then(|found| names.resolve(&view.scopes, found));
        let bound = symbol.map_or(Node::ROOT, |symbol| symbol.scope);
        let mut scope = view.scopes.around(name);
        while scope != Node::ROOT {
            if errors.scopes.contains(&scope) {
                return true;
            }
            if scope == bound {
                return false;
            }
            scope = view.scopes.around(scope);
        }
        errors.is_open || errors.top.iter().any(|&error| error != Node::ROOT && table.is_within(name, error))
    }

    /// Whether a symbol is defined in an error, or in a scope that holds one.
    pub fn is_defined_in_error(&self, site: Site) -> bool {
        self.view(site.file).is_some_and(|view| self.is_in_error(&view, site.name))
    }

    /// Whether a name in an error may mean one of some symbols of its file: local ones only in their scopes, or where nothing binds it.
    pub fn may_mean_in_error(&self, sites: &[Site], is_local: bool, file: FileId, name: Node) -> bool {
        let Some(view) = self.view(file) else { return false };
        let table = view.tree.table();
        let names = view.scopes.names(&view.tree.node_text(name));
        let is_bound = names
            .at(name)
            .and_then(|found| names.resolve(&view.scopes, found))
            .is_some_and(|symbol| names.binders(&view.scopes, symbol).next().is_some());
        let is_open = self.error_scopes(&view).is_some_and(|errors| errors.is_open);
        let in_scope = |site: &Site| {
            let own = view.scopes.around(site.name);
            table.is_within(name, own) || !is_bound && is_open && is_behind(&view, own, name)
        };
        sites.iter().filter(|site| site.file == file).any(|site| !is_local || in_scope(site))
    }

    /// The words that the grammar did not read as names: those that are left out before the parse, and those in errors.
    pub(in crate::symbols) fn hidden_words<'v>(&self, view: &'v View<'_>) -> &'v [HiddenWord] {
        view.hidden_words.get_or_init(|| {
            let table = view.tree.table();
            let role = |node: Node| view.tree.language().role(table.type_id(node));
            let is_text = |node: Node| role(node).string || role(node).comment;
            let mut found = Vec::new();
            // The text of a string that has lost its quotes may be code.
            let is_stray = |node: Node| {
                table.is_named(node)
                    && table.children(node).next().is_none()
                    && !view.scopes.is_identifier(node)
                    && table.parent(node).is_some_and(|parent| table.is_error(parent))
            };
            let mut add = |span: Span, is_masked: bool| {
                let text = view.tree.text().slice(span);
                for (at, word) in words_of(&text) {
                    let span = Span::new(span.start() + at, span.start() + at + word.len());
                    let node = table.smallest_around(span);
                    let is_read = view.scopes.is_identifier(node) && table.span(node) == span;
                    let is_token = !is_masked && !table.is_error(node) && !is_stray(node);
                    let is_quoted = is_text(node) || table.ancestors(node).any(is_text);
                    if !is_read && !is_token && !is_quoted {
                        found.push(HiddenWord { node, span, is_masked });
                    }
                }
            };
            view.tree.masked().into_iter().for_each(|span| add(span, true));
            if !view.tree.is_sound() {
                for error in table.nodes().filter(|&node| table.is_error(node)) {
                    // What is in a child is that child's.
                    let mut start = table.span(error).start();
                    for child in table.children(error) {
                        add(Span::new(start, table.span(child).start().max(start)), false);
                        if is_stray(child) {
                            add(table.span(child), false);
                        }
                        start = table.span(child).end();
                    }
                    add(Span::new(start, table.span(error).end().max(start)), false);
                }
            }
            found
        })
    }

    /// The meaning of such a word; `None` if there is none at a place.
    pub(in crate::symbols) fn hidden_meaning(&self, view: &View<'_>, node: Node, span: Span) -> Option<Meaning> {
        let word = self.hidden_words(view).iter().find(|word| word.node == node && word.span == span)?;
        if !word.is_masked {
            return Some(Meaning::Unknown(Vec::new()));
        }
        let text = view.tree.text().slice(span).into_owned();
        let scope = if view.scopes.is_scope(node) { node } else { view.scopes.around(node) };
        let found = VariableName::reference(node, scope, span.start(), Spaces::ALL);
        let names = view.scopes.names(&text);
        Some(self.nested(Meaning::Unknown(Vec::new()), || self.variable(view, &names, &found, &text)))
    }
}
