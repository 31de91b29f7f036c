//! Code that means the file that it is in: its path, its name, what a program that starts with it runs.

use crate::modules::FileId;
use crate::refactor::Piece;
use crate::request::error::{EngineError, PlaceRow};
use crate::risks::{OwnWord, OwnWordKind};
use crate::selector::Kinds;
use crate::symbols::{Site, unbound};
use crate::text::Span;
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Where definitions that move say something about their file.
    pub(crate) fn words_of_the_file(&self, from: FileId, pieces: &[Piece]) -> Vec<PlaceRow> {
        let spans: Vec<Span> = pieces.iter().map(|piece| piece.span).collect();
        let found = self.resolve(|resolver| resolver.own_words(from, &spans));
        found.into_iter().map(|word| self.place_row(from, word.start, why_another(&word))).collect()
    }

    /// Where code asks definitions that move for their module.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn module_readers(&self, sites: &[Site]) -> Result<Vec<PlaceRow>, EngineError> {
        let Some(first) = sites.first() else { return Ok(Vec::new()) };
        let rules = &self.project.file(first.file).language.spec().symbols.hidden_uses;
        let mut found = Vec::new();
        let mut rows = Vec::new();
        for word in &rules.reloaders {
            let again = self.look(word, None, |resolver, file| {
                resolver.reloads(file, first.file).into_iter().map(|span| (file, span)).collect()
            })?;
            let why = "this would not run its code again";
            rows.extend(
                again
                    .into_iter()
                    .map(|(file, span): (FileId, Span)| self.place_row(file, span.start(), why.to_owned())),
            );
        }
        for word in &rules.module_readers {
            found.extend(self.look(word, None, |resolver, file| {
                resolver.asked_modules(file, sites).into_iter().map(|span| (file, span)).collect()
            })?);
        }
        let why = "it is asked for its module here";
        rows.extend(
            found.into_iter().map(|(file, span): (FileId, Span)| self.place_row(file, span.start(), why.to_owned())),
        );
        Ok(rows)
    }

    /// Names in some code that the module defines by code that puts them together, perhaps.
    pub(crate) fn computed_definitions(&self, from: FileId, spans: &[Span]) -> Vec<PlaceRow> {
        let calls = &self.project.file(from).language.spec().references.dynamic_calls;
        if !calls.iter().any(|call| self.resolve(|resolver| resolver.has_name(from, call))) {
            return Vec::new();
        }
        let why = "the module defines this name in a way that is not seen, or not at all";
        let first = |span: &Span| self.resolve(|resolver| unbound(resolver, from, *span).first().copied());
        let found: Vec<Span> = spans.iter().filter_map(first).collect();
        found.into_iter().map(|name| self.place_row(from, name.start(), why.to_owned())).collect()
    }

    /// The part of a file that runs only if a program starts with it.
    pub(crate) fn program_of(&self, file: FileId) -> Option<PlaceRow> {
        let words = &self.project.file(file).language.spec().symbols.hidden_uses.own_modules;
        let start = self.resolve(|resolver| {
            let tree = resolver.tree(file)?;
            let kinds = Kinds::new(tree);
            let asks = |node: Node| kinds.is(node, "if") && has_word(tree, node, words);
            tree.named_children(Node::ROOT).find(|&node| asks(node)).map(|node| tree.span(node).start())
        })?;
        let why = "a program that starts with this file would not run this any more";
        Some(self.place_row(file, start, why.to_owned()))
    }
}

/// The meaning of a word after a move.
pub(crate) fn why_another(found: &OwnWord) -> String {
    let OwnWord { word, kind, .. } = found;
    match kind {
        OwnWordKind::File => format!("`{word}` means another file after the move"),
        OwnWordKind::Module => format!("`{word}` is another name after the move"),
        OwnWordKind::Logger => format!("`{word}` is another name after the move, and the logger is called so"),
        OwnWordKind::Names => format!("`{word}` reads the names of another module after the move"),
    }
}

/// Whether the head of a statement has one of some words.
fn has_word(tree: &Tree, statement: Node, words: &[String]) -> bool {
    let table = tree.table();
    let body = table.children(statement).find(|&child| tree.body(child) == Some(child));
    let end = body.map_or(table.subtree_end(statement), Node::index);
    table.range(statement.index(), end).any(|node| words.iter().any(|word| *word == *tree.node_text(node)))
}
