//! The paths of a module that moves that begin at the modules around it: `super::x`, `pub(super)`.

use crate::modules::FileId;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::symbols::{Meaning, Thing};
use crate::text::Span;
use crate::transfer::module_text::{leaves, relative_words};
use crate::tree::{Node, Tree};

impl ModuleMove<'_, '_> {
    /// Writes the paths that leave the module from the root on.
    pub(super) fn respell_own_paths(&mut self) {
        let mut files: Vec<FileId> = self.route.moved.iter().copied().collect();
        files.sort_unstable();
        for file in files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let reaches = self.respell_reaches(file, tree);
            self.respell_relative_paths(file, tree, &reaches);
        }
    }

    /// Whether a node is in the definition of a macro.
    fn is_in_macro(&self, tree: &Tree, node: Node) -> bool {
        let opaque = &tree.language().spec().symbols.loose.opaque;
        tree.table().ancestors(node).any(|up| opaque.contains(tree.table().type_id(up)))
    }

    /// The module outside of what moves that a path at a place leads to; `Err` if it is not known.
    fn module_outside(&self, file: FileId, node: Node, path: &str) -> Result<Option<Thing>, ()> {
        match self.resolver.path_means(file, node, path) {
            Meaning::Known(things) => match things[..] {
                [module] if self.moves(module) => Ok(None),
                [module] => Ok(Some(module)),
                _ => Err(()),
            },
            _ => Err(()),
        }
    }

    fn respell_relative_paths(&mut self, file: FileId, tree: &Tree, reaches: &[Span]) {
        let leaves = leaves(tree);
        let text = |at: usize| leaves.get(at).map(|&node| tree.node_text(node).into_owned()).unwrap_or_default();
        for words in relative_words(tree, &leaves) {
            let (first, end) = words.into_inner();
            let node = leaves[first];
            let span = Span::new(tree.span(node).start(), tree.span(leaves[end]).end());
            if reaches.iter().any(|reach| reach.contains(span)) {
                continue;
            }
            let path = (first..=end).map(text).collect::<String>();
            match self.module_outside(file, node, &path) {
                Ok(None) => {}
                Ok(Some(_)) if self.is_in_macro(tree, node) => {
                    self.leave(
                        file,
                        span.start(),
                        "a path in a macro that begins at the module where the macro is used",
                    );
                }
                Ok(Some(module)) => {
                    let names = self.resolver.names_of_module(module);
                    let own = &tree.language().spec().symbols.module_words.own;
                    // `use crate::{self}` is not allowed.
                    let is_itself =
                        text(end + 2) == "{" && own.contains(&text(end + 3)) && text(end + 4) != self.separator(file);
                    match names.is_empty() && is_itself {
                        true => self.leave(file, span.start(), "an import of the root itself"),
                        false => self.change(file, tree, span, self.absolute(&names)),
                    }
                }
                Err(()) => self.leave(file, span.start(), "the path is not known"),
            }
        }
    }

    /// Writes the words that say from where definitions can be used, if they name modules that are left. Returns where such words are.
    fn respell_reaches(&mut self, file: FileId, tree: &Tree) -> Vec<Span> {
        let spec = tree.language().spec();
        let rules = &spec.symbols.module_tree;
        let table = tree.table();
        let opened = spec.symbols.import_forms.get("opened").cloned().unwrap_or_default();
        let mut found = Vec::new();
        for node in table.nodes() {
            if table.subtree_end(node) == node.index() + 1 {
                continue;
            }
            let span = table.span(node);
            let text = tree.node_text(node);
            let inner = rules.open_words.iter().find_map(|word| text.strip_prefix(word.as_str()));
            let inner = inner.and_then(|rest| rest.trim_start().strip_prefix('(')?.strip_suffix(')'));
            let Some(inner) = inner.filter(|inner| !inner.contains(['(', ')', '{', '}', '<', ','])) else { continue };
            found.push(span);
            let path: String = inner.rsplit(char::is_whitespace).next().unwrap_or(inner).to_owned();
            match self.module_outside(file, node, path.trim()) {
                Ok(None) => {}
                Ok(Some(module)) => {
                    let names = self.resolver.names_of_module(module);
                    let is_around = self.resolver.is_module_within(Thing::Module(self.route.home), module);
                    let is_root = spec.symbols.module_words.root.contains(&path);
                    if is_root || is_around && path == self.absolute(&names) {
                        continue;
                    }
                    let word = rules.open_words.first().map_or("", String::as_str);
                    let new = match is_around && !names.is_empty() {
                        true => format!("{word}(in {})", self.absolute(&names)),
                        false => opened.clone(),
                    };
                    self.change(file, tree, span, new);
                }
                Err(()) => self.leave(file, span.start(), "the module that it names is not known"),
            }
        }
        found
    }
}
