//! Uses of the parameters of a function by other than its calls: words that read all its arguments, documentation that is run.

use crate::modules::FileId;
use crate::symbols::{Meaning, Resolver, Site, View};
use crate::tree::Node;

impl Resolver<'_> {
    /// Where a function reads its arguments other than by its parameters, and the word for it: `arguments`, `locals`. What reads the
    /// arguments of a call by their places counts only if `calls_change`.
    pub fn reader_of_arguments(&self, function: Site, calls_change: bool) -> Option<(usize, String)> {
        let view = self.view(function.file)?;
        let (tree, table) = (view.tree, view.tree.table());
        let definition = self.definition_node(function)?;
        let own = tree.bound_value(definition).unwrap_or(definition);
        let rules = &view.rules.hidden_uses;
        let by_place = &tree.language().spec().flow.argument_words;
        let is_in = |words: &[String], node: Node| words.iter().any(|word| *word == *tree.node_text(node));
        // Another function inside has arguments of its own.
        let is_own = |node: Node| {
            let scopes = &view.scopes.rules.self_scopes;
            let around = table.ancestors(node).find(|&around| scopes.contains(table.type_id(around)));
            around.is_none_or(|around| around == own || !table.is_within(around, own))
        };
        let reads = |&node: &Node| {
            if !view.scopes.is_identifier(node) || view.scopes.fits(node, &view.scopes.rules.attributes).is_some() {
                return false;
            }
            let is_word = match () {
                () if is_in(by_place, node) => calls_change && is_own(node),
                () if is_in(&rules.scope_readers, node) => true,
                () => self.reads_frame_in_call(&view, node),
            };
            is_word && !matches!(self.meaning(function.file, node), Meaning::Known(_))
        };
        let node = table.descendants(own).find(reads)?;
        Some((tree.span(node).start(), tree.node_text(node).into_owned()))
    }

    /// Whether a name is called, and reads the variables of the function around: `locals()`, `eval(code)`.
    pub(super) fn reads_frame_in_call(&self, view: &View<'_>, name: Node) -> bool {
        let (tree, table) = (view.tree, view.tree.table());
        let text = tree.node_text(name);
        let is_in = |words: &[String]| words.iter().any(|word| *word == *text);
        if !is_in(&tree.language().spec().flow.frame_words) {
            return false;
        }
        let call = table.ancestors(name).take(2).find(|&call| self.called(view, call) == Some(name));
        let list = call.and_then(|call| tree.named_children(call).find(|&child| child != name));
        let Some(list) = list else { return false };
        match tree.named_children(list).filter(|&child| !tree.is_comment(child)).count() {
            0 => true,
            1 => is_in(&view.rules.hidden_uses.code_calls),
            _ => false,
        }
    }

    /// Whether a reference is no name in code but a text: Ruby's `:run`.
    pub fn is_symbol_of_text(&self, file: FileId, node: Node) -> bool {
        self.view(file).is_some_and(|view| {
            let mut nodes = view.tree.table().range(node.index(), view.tree.table().subtree_end(node));
            !nodes.any(|node| view.scopes.is_identifier(node))
        })
    }

    /// Lines of comments and documentation for tools that have a name, each with the tool; none where documentation is read as code.
    pub fn run_documentation(&self, file: FileId, name: &str) -> Vec<(usize, String)> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let rules = &view.rules.hidden_uses.naming_comments;
        if rules.is_empty() || !view.rules.run_documentation.marks.is_empty() {
            return Vec::new();
        }
        let documentation = self.documentation(&view);
        let is_text = |node: &Node| view.tree.is_comment(*node) || documentation.contains(node);
        let mut found = Vec::new();
        for node in view.tree.table().nodes().filter(is_text) {
            let text = view.tree.node_text(node);
            let mut start = view.tree.span(node).start();
            for line in text.split_inclusive('\n') {
                let what = rules.iter().find(|(_, regex)| regex.get().is_match(line)).map(|(what, _)| what);
                let at = what.and_then(|_| word_at(line, name));
                found.extend(what.zip(at).map(|(what, at)| (start + at, what.clone())));
                start += line.len();
            }
        }
        found
    }
}

/// Where a line has a word.
fn word_at(line: &str, word: &str) -> Option<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_whole = |at: &usize| !line[..*at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part);
    line.match_indices(word).map(|(at, _)| at).find(is_whole)
}
