//! Which references certainly mean a module that moves.

use crate::modules::FileId;
use crate::question::references::Reference;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::request::symbol_messages::Confidence;
use crate::symbols::{ImportedName, Meaning, Thing};
use crate::transfer::module_text::{line_after, line_before, path_before};
use crate::tree::{Node, Tree};

/// The path before a name, in an import with the names before the lists that it is in.
pub(super) struct WrittenPath {
    /// The lists, the inner ones first.
    pub lists: Vec<Node>,
    /// The path before the inner list.
    pub outer: String,
    /// The path in the inner list, or without one.
    pub own: String,
    /// Where that begins.
    pub start: usize,
}

impl WrittenPath {
    /// All names before the name.
    pub(super) fn whole(&self, separator: &str) -> String {
        WrittenPath::join(&self.outer, &self.own, separator)
    }

    pub(super) fn join(outer: &str, own: &str, separator: &str) -> String {
        let parts: Vec<&str> = [outer, own].into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(separator)
    }
}

impl ModuleMove<'_, '_> {
    /// The path before a name.
    pub(super) fn written_path(
        &self,
        file: FileId,
        tree: &Tree,
        node: Node,
        import: Option<&ImportedName>,
    ) -> WrittenPath {
        let is_list = |node: &Node| tree.node_text(*node).starts_with('{');
        let lists: Vec<Node> = match import {
            Some(import) => {
                let up = tree.table().ancestors(node).take_while(|&node| node != import.statement);
                up.filter(is_list).collect()
            }
            None => Vec::new(),
        };
        let before = |start: usize| path_before(tree, start).map(|(span, path)| (span.start(), path));
        let outer: Vec<String> =
            lists.iter().rev().filter_map(|&list| before(tree.span(list).start())).map(|(_, path)| path).collect();
        let start = tree.span(node).start();
        let (start, own) = before(start).unwrap_or((start, String::new()));
        WrittenPath { lists, outer: outer.join(self.separator(file)), own, start }
    }

    /// Whether a reference certainly means the module. Lists one that may.
    pub(super) fn is_certain(&mut self, one: &Reference, tree: &Tree) -> bool {
        if one.row.confidence == Confidence::Certain {
            return true;
        }
        let is_uncertain = matches!(one.row.confidence, Confidence::Candidate | Confidence::Undetermined);
        let is_alike = tree.language() == self.resolver.project().file(self.route.module).language;
        if !is_uncertain || !is_alike || !self.may_be_module(one, tree) {
            return false;
        }
        let imports = self.resolver.imported_names(one.file);
        let import = imports.iter().find(|import| tree.table().is_within(one.node, import.statement));
        let path = self.written_path(one.file, tree, one.node, import);
        let whole = path.whole(self.separator(one.file));
        if whole.is_empty() && self.is_bound_to_other(one.file, one.node, &imports) {
            return false;
        }
        if !whole.is_empty() {
            let at = import.map_or(one.node, |import| import.statement);
            match self.resolver.path_means(one.file, at, whole.trim_start_matches('$')) {
                Meaning::External => return false,
                // What is in the module is not the module.
                Meaning::Known(things) if things == [Thing::Module(self.route.module)] => return false,
                // A name before a separator is that of a module or a type, and there is one of them.
                Meaning::Known(things)
                    if things == [Thing::Module(self.route.from)] && self.is_before_separator(tree, one.node) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        self.leave(one.file, one.start, "it may refer to the module");
        false
    }

    pub(super) fn is_before_separator(&self, tree: &Tree, node: Node) -> bool {
        let after = line_after(tree, tree.span(node).end());
        after.trim_start().starts_with(tree.language().spec().imports.separator.as_str())
    }

    /// Whether a name is where that of a module can be: before a separator, in an import, alone among the tokens of a macro.
    fn may_be_module(&self, one: &Reference, tree: &Tree) -> bool {
        let span = tree.span(one.node);
        let (before, after) = (line_before(tree, span.start()), line_after(tree, span.end()));
        let (before, after) = (before.trim_end(), after.trim_start());
        // A member; two signs are a range.
        if before.len() - before.trim_end_matches('.').len() == 1 {
            return false;
        }
        let table = tree.table();
        let spec = tree.language().spec();
        let is_tokens = |node: Node| spec.references.token_lists.contains(table.type_id(node));
        let imports = self.resolver.imported_names(one.file);
        let in_import = imports.iter().any(|import| table.is_within(one.node, import.statement));
        let is_alone = after.is_empty() || after.starts_with([',', ')', ']', '}', ';']);
        self.is_before_separator(tree, one.node) || in_import || is_alone && table.ancestors(one.node).any(is_tokens)
    }

    /// Whether an import binds the name that the module has before the move.
    pub(super) fn binds_name(&self, file: FileId, import: &ImportedName) -> bool {
        let separator = self.separator(file);
        let own = &self.resolver.project().file(file).language.spec().symbols.module_words.own;
        let mut names = import.name.rsplit(separator).filter(|name| !own.iter().any(|word| word == name));
        !import.is_glob && import.alias.as_deref().or(names.next()) == Some(self.route.old_name.as_str())
    }

    /// Whether an import in the module of a place binds the name to something outside of the project.
    fn is_bound_to_other(&self, file: FileId, node: Node, imports: &[ImportedName]) -> bool {
        let module = self.resolver.module_of(file, node);
        let is_other = |import: &&ImportedName| {
            self.binds_name(file, import)
                && self.resolver.module_of(file, import.statement) == module
                && self.resolver.path_means(file, import.statement, &import.name) == Meaning::External
        };
        imports.iter().any(|import| is_other(&import))
    }
}
