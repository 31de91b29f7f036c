//! Words in code that mean something else in another file: `__file__`, `__name__`, `globals()`.

use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Resolver, View};
use crate::text::Span;
use crate::tree::Node;

/// A word in some code that means something else in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnWord {
    /// Where it begins.
    pub start: usize,
    /// The word.
    pub word: String,
    /// Its meaning.
    pub kind: OwnWordKind,
}

/// The meaning of such a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnWordKind {
    /// The file, or its path.
    File,
    /// The name of the module.
    Module,
    /// The name of the module as the name of a logger.
    Logger,
    /// The names that the module has: `globals()`, `eval("K")`.
    Names,
}

impl Resolver<'_> {
    /// The words in parts of a file that mean something else in another one.
    pub fn own_words(&self, file: FileId, parts: &[Span]) -> Vec<OwnWord> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let (tree, table) = (view.tree, view.tree.table());
        let inside = table.nodes().filter(|&node| parts.iter().any(|part| part.contains(table.span(node))));
        let word = |node: Node| {
            let kind = self.own_word(&view, node)?;
            Some(OwnWord { start: tree.span(node).start(), word: tree.node_text(node).into_owned(), kind })
        };
        inside.filter_map(word).collect()
    }

    /// Whether code in a module asks for the name of it: `module_path!()` in `mod a { … }`.
    pub(super) fn asks_inside(&self, view: &View<'_>, name: Node) -> bool {
        let Some(definition) =
            self.definition_of(view, name).filter(|_| !view.rules.hidden_uses.own_modules.is_empty())
        else {
            return false;
        };
        let is_one = |node: Node| matches!(self.own_word(view, node), Some(OwnWordKind::Module | OwnWordKind::Logger));
        let kinds = Kinds::new(view.tree);
        ["module", "namespace"].iter().any(|kind| kinds.is(definition, kind))
            && view.tree.table().descendants(definition).any(is_one)
    }

    fn own_word(&self, view: &View<'_>, node: Node) -> Option<OwnWordKind> {
        /// How long these words are at most.
        const LONGEST: usize = 24;
        let (tree, table) = (view.tree, view.tree.table());
        let rules = &view.rules.hidden_uses;
        if tree.span(node).len() > LONGEST {
            return None;
        }
        let text = tree.node_text(node);
        let is_in = |words: &[String]| words.iter().any(|word| *word == *text);
        if table.children(node).next().is_some() {
            // A word of several parts: `import.meta`.
            return (text.contains('.') && is_in(&rules.file_words)).then_some(OwnWordKind::File);
        }
        if view.scopes.fits(node, &view.scopes.rules.attributes).is_some() {
            return is_in(&rules.frame_modules).then_some(OwnWordKind::Names);
        }
        if is_in(&rules.file_words) {
            return Some(OwnWordKind::File);
        }
        if is_in(&rules.own_modules) {
            return match () {
                () if self.is_compared_with_program(view, node) => None,
                () if self.names_logger(view, node) => Some(OwnWordKind::Logger),
                () => Some(OwnWordKind::Module),
            };
        }
        let is_call = || table.ancestors(node).take(2).any(|call| self.called(view, call) == Some(node));
        let reads = is_in(&rules.own_tables) && is_call()
            || is_in(&rules.code_calls) && view.scopes.is_identifier(node) && self.reads_frame_in_call(view, node);
        reads.then_some(OwnWordKind::Names)
    }

    /// Whether a name is compared with that of a program that starts: `__name__ == "__main__"`.
    fn is_compared_with_program(&self, view: &View<'_>, name: Node) -> bool {
        let table = view.tree.table();
        let is_program = |node: Node| {
            let text = view.tree.node_text(node);
            view.rules.hidden_uses.programs.iter().any(|word| *word == *text.trim_matches(['"', '\'']))
        };
        table.parent(name).is_some_and(|around| view.tree.named_children(around).any(is_program))
    }

    /// Whether a name is what a logger is called: `getLogger(__name__)`.
    fn names_logger(&self, view: &View<'_>, name: Node) -> bool {
        let call = view.tree.table().ancestors(name).take(2).find_map(|call| view.tree.callee_text(call));
        let makers = &view.rules.hidden_uses.logger_makers;
        call.is_some_and(|callee| makers.iter().any(|maker| callee.rsplit('.').next() == Some(maker.as_str())))
    }

    /// Where a list of strings has the name of a module after a word that starts it as a program: `"-m", "a.b"`.
    pub fn started_modules(&self, file: FileId, module: &str) -> Vec<usize> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let (tree, table) = (view.tree, view.tree.table());
        let options = &view.rules.hidden_uses.program_options;
        let inner = |node: Node| tree.node_text(node).trim_matches(['"', '\'']).to_owned();
        let is_string = |node: Node| tree.language().role(table.type_id(node)).string;
        let starts = |&node: &Node| {
            let before = std::iter::successors(table.previous_sibling(node), |&node| table.previous_sibling(node));
            is_string(node)
                && inner(node) == module
                && before
                    .into_iter()
                    .find(|&node| table.is_named(node))
                    .is_some_and(|before| is_string(before) && options.iter().any(|option| *option == inner(before)))
        };
        if options.is_empty() {
            return Vec::new();
        }
        table.nodes().filter(starts).map(|node| tree.span(node).start()).collect()
    }
}
