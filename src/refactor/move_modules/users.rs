//! Who refers to a module that moves: paths and imports lead to its new place.

use std::collections::BTreeMap;

use crate::modules::FileId;
use crate::question::references::Reference;
use crate::refactor::move_modules::certain::WrittenPath;
use crate::refactor::move_modules::moving::ModuleMove;
use crate::symbols::{ImportedName, Meaning, Site, Thing};
use crate::text::Span;
use crate::transfer::changes::with_commas;
use crate::transfer::module_text::path_before;
use crate::tree::{Node, Tree};

/// Elements of the list of an import that get imports of their own.
struct Apart {
    statement: Node,
    list: Node,
    elements: Vec<Node>,
    paths: Vec<String>,
}

impl ModuleMove<'_, '_> {
    /// Makes all paths lead to the new place.
    pub(super) fn follow(&mut self, declared: Site, references: &[Reference]) {
        let mut apart: BTreeMap<(FileId, usize), Apart> = BTreeMap::new();
        for one in references {
            let Some(tree) = self.resolver.tree(one.file) else { continue };
            let span = tree.span(one.node);
            let is_declaration = one.file == declared.file && one.node == declared.name;
            if is_declaration || *tree.text().slice(span) != *self.route.old_name {
                continue;
            }
            if !self.is_certain(one, tree) {
                continue;
            }
            let imports = self.resolver.imported_names(one.file);
            let import = imports.iter().find(|import| tree.table().is_within(one.node, import.statement));
            match import {
                Some(import) => self.redirect_import(one, tree, import, &imports, &mut apart),
                None => self.redirect_path(one, tree, &imports),
            }
        }
        for ((file, _), apart) in apart {
            self.import_apart(file, &apart);
        }
    }

    /// Whether a path means the module around the old place.
    fn leads_through_declaration(&self, file: FileId, at: Node, path: &str) -> Option<bool> {
        match self.resolver.path_means(file, at, path.trim_start_matches('$')) {
            Meaning::Known(things) => Some(things == [Thing::Module(self.route.from)]),
            Meaning::External | Meaning::Unknown(_) => None,
        }
    }

    /// The path to the new place in a file, where a path to the old one is written.
    fn way(&self, file: FileId, old: &str) -> Option<String> {
        if old.starts_with('$') {
            return Some(format!("${}", self.absolute(&self.names)));
        }
        let root = self.resolver.root_of_module(self.route.module);
        if self.resolver.root_of_module(file) == root {
            return Some(self.absolute(&self.names));
        }
        let separator = self.separator(file);
        let tree = self.resolver.tree(file)?;
        let first = old.split(separator).next().filter(|first| !first.is_empty())?;
        let is_library = self.resolver.path_means(file, tree.root(), first) == Meaning::Known(vec![root]);
        let names = std::iter::once(first).chain(self.names.iter().map(String::as_str));
        is_library.then(|| names.collect::<Vec<&str>>().join(separator))
    }

    fn note_user(&mut self, file: FileId, node: Node) {
        let module = self.resolver.module_of(file, node);
        if !self.moves(module) && !self.users.contains(&module) {
            self.users.push(module);
        }
    }

    fn redirect_path(&mut self, one: &Reference, tree: &Tree, imports: &[ImportedName]) {
        let (file, span) = (one.file, tree.span(one.node));
        let (start, old) = match path_before(tree, span.start()) {
            Some((before, path)) => match self.leads_through_declaration(file, one.node, &path) {
                Some(true) => (before.start(), path),
                Some(false) => return,
                None => return self.leave(file, span.start(), "the path before it is not known"),
            },
            None => {
                if self.is_imported(file, one.node, imports) {
                    return;
                }
                let lists = &tree.language().spec().references.token_lists;
                let mut around = tree.table().ancestors(one.node);
                if !self.is_before_separator(tree, one.node)
                    && around.any(|up| lists.contains(tree.table().type_id(up)))
                {
                    return self.leave(file, span.start(), "a macro gets the name alone, and may need a name");
                }
                (span.start(), String::new())
            }
        };
        let Some(way) = self.way(file, &old) else {
            return self.leave(file, span.start(), "the new module has no path there");
        };
        self.note_user(file, one.node);
        self.count += 1;
        self.change(file, tree, Span::new(start, span.end()), way);
    }

    /// Whether an import in the module of a place binds the module by its own name.
    fn is_imported(&self, file: FileId, node: Node, imports: &[ImportedName]) -> bool {
        let module = self.resolver.module_of(file, node);
        let is_its = |import: &&ImportedName| {
            self.binds_name(file, import)
                && self.resolver.module_of(file, import.statement) == module
                && self.resolver.tree(file).is_some_and(|tree| !tree.table().is_within(node, import.statement))
        };
        imports.iter().any(|import| is_its(&import))
    }

    /// Refuses imports in the new module around that have the name for something else.
    pub(super) fn check_imports_at_home(&mut self) {
        let home = self.route.home;
        let Some(tree) = self.resolver.tree(home) else { return };
        for import in self.resolver.imported_names(home) {
            let is_own = self.resolver.module_of(home, import.statement) == Thing::Module(home);
            let is_gone =
                self.dropped.contains(&(home, import.statement)) || self.dropped.contains(&(home, import.node));
            if !is_own || is_gone || !self.binds_name(home, &import) {
                continue;
            }
            let is_no_module = match self.resolver.path_means(home, import.statement, &import.name) {
                Meaning::Known(things) => things.iter().all(|&thing| match thing {
                    Thing::Symbol(site) => !self.resolver.is_class(site) && !self.resolver.declares_module(site),
                    _ => false,
                }),
                _ => false,
            };
            let is_dropped = self.changes.iter().any(|(file, change)| {
                *file == home && change.text.is_empty() && change.span.contains(tree.span(import.node))
            });
            if !is_no_module && !is_dropped {
                let name = &self.route.old_name;
                let why = format!("the new module around imports the name `{name}`");
                self.leave(home, tree.span(import.node).start(), why);
            }
        }
    }

    /// Drops an import of the module by itself where it is declared then. Returns whether it did.
    fn drop_import_at_home(&mut self, tree: &Tree, import: &ImportedName, node: Node, lists: &[Node]) -> bool {
        let home = self.route.home;
        let table = tree.table();
        let is_plain = import.alias.is_none() && import.variety.is_empty() && !import.is_glob;
        if !is_plain || self.resolver.module_of(home, import.statement) != Thing::Module(home) {
            return false;
        }
        let end = tree.span(node).end();
        let Some(&list) = lists.first() else {
            let rest = tree.text().slice(Span::new(end, tree.span(import.statement).end()));
            let is_last = !rest.contains(tree.language().spec().imports.separator.as_str()) && !rest.contains('{');
            if is_last {
                self.dropped.push((home, import.statement));
            }
            return is_last;
        };
        let element = std::iter::once(node).chain(table.ancestors(node));
        let Some(element) = element.into_iter().find(|&node| table.parent(node) == Some(list)) else { return false };
        let others = tree.named_children(list).filter(|&node| !tree.is_comment(node)).count();
        if others < 2 || tree.span(element).end() != end {
            return false;
        }
        for gone in with_commas(tree, &[element]) {
            self.change(home, tree, gone, String::new());
        }
        true
    }

    fn redirect_import(
        &mut self,
        one: &Reference,
        tree: &Tree,
        import: &ImportedName,
        imports: &[ImportedName],
        apart: &mut BTreeMap<(FileId, usize), Apart>,
    ) {
        let (file, table, span) = (one.file, tree.table(), tree.span(one.node));
        let WrittenPath { lists, outer, own, start } = self.written_path(file, tree, one.node, Some(import));
        let whole = WrittenPath::join(&outer, &own, self.separator(file));
        if whole.is_empty() {
            if self.is_imported(file, one.node, imports) {
                return;
            }
        } else {
            match self.leads_through_declaration(file, import.statement, &whole) {
                Some(true) => {}
                Some(false) => return,
                None => return self.leave(file, span.start(), "the path before it is not known"),
            }
        }
        let Some(way) = self.way(file, &whole) else {
            return self.leave(file, span.start(), "the new module has no path there");
        };
        self.note_user(file, import.statement);
        self.count += 1;
        if file == self.route.home && self.drop_import_at_home(tree, import, one.node, &lists) {
            return;
        }
        let Some(&list) = lists.first() else {
            return self.change(file, tree, Span::new(start, span.end()), way);
        };
        if let Some(inside) = self.path_from(file, import.statement, &outer) {
            return self.change(file, tree, Span::new(start, span.end()), inside);
        }
        let element = std::iter::once(one.node).chain(table.ancestors(one.node));
        let Some(element) = element.into_iter().find(|&node| table.parent(node) == Some(list)) else { return };
        let rest = tree.text().slice(Span::new(span.end(), tree.span(element).end())).into_owned();
        let new = Apart { statement: import.statement, list, elements: Vec::new(), paths: Vec::new() };
        let found = apart.entry((file, tree.span(list).start())).or_insert(new);
        found.elements.push(element);
        found.paths.push(format!("{way}{rest}"));
    }

    /// The path to the new place from the module that a path means; `None` if that is not around it.
    fn path_from(&self, file: FileId, at: Node, outer: &str) -> Option<String> {
        let found = match outer.is_empty() {
            true => return None,
            false => self.resolver.path_means(file, at, outer),
        };
        let Meaning::Known(things) = found else { return None };
        let &[module] = &things[..] else { return None };
        let is_around = self.resolver.is_module_within(Thing::Module(self.route.home), module);
        if !is_around || self.moves(module) {
            return None;
        }
        let around = self.resolver.names_of_module(module);
        Some(self.names[around.len()..].join(self.separator(file)))
    }

    /// Takes elements out of the list of an import, and imports them in statements of their own.
    fn import_apart(&mut self, file: FileId, apart: &Apart) {
        let Some(tree) = self.resolver.tree(file) else { return };
        let Apart { statement, list, elements, paths } = apart;
        let newline = tree.text().newline();
        let span = tree.span(*statement);
        let imports = self.resolver.imported_names(file);
        let variety = imports.iter().find(|import| import.statement == *statement).map(|import| import.variety.clone());
        let variety = variety.unwrap_or_default();
        let form = tree.language().spec().symbols.import_forms.get("path").cloned().unwrap_or_default();
        let leading = tree.attachments().leading(tree.table(), *statement).filter(|&node| !tree.is_comment(node));
        let attributes: String = leading.map(|node| format!("{} ", tree.node_text(node))).collect();
        let codes = paths.iter().map(|path| format!("{variety}{}", form.replace("$name", path)));
        let codes: Vec<String> = codes.collect();
        let line = tree.text().slice(tree.text().line_around(span.start())).into_owned();
        let indent: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
        let written = |codes: &[String]| -> String {
            codes.iter().map(|code| format!("{newline}{indent}{attributes}{code}")).collect()
        };
        let all = tree.named_children(*list).filter(|&node| !tree.is_comment(node)).count();
        if all > elements.len() {
            for gone in with_commas(tree, elements) {
                self.change(file, tree, gone, String::new());
            }
            self.change(file, tree, Span::at(span.end()), written(&codes));
            return;
        }
        let is_outermost = !tree
            .table()
            .ancestors(*list)
            .take_while(|node| node != statement)
            .any(|node| tree.node_text(node).starts_with('{'));
        match is_outermost {
            true => self.change(file, tree, span, format!("{}{}", codes[0], written(&codes[1..]))),
            false => self.leave(file, tree.span(*list).start(), "an import with nothing else in its list"),
        }
    }
}
