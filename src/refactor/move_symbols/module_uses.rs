//! Who uses what moves to another module: paths and imports follow.

use std::collections::{BTreeMap, BTreeSet};

use crate::edit::TextChange;
use crate::modules::FileId;
use crate::refactor::move_symbols::modules::Mover;
use crate::symbols::{Bound, BoundName, ImportedName, Meaning, Place, Reach, Site, Thing};
use crate::text::Span;
use crate::transfer::changes::with_commas;
use crate::transfer::module_text::{has_number_access, is_value, line_before};
use crate::tree::{Node, Tree};

/// A name without a path, and the module that uses it.
struct Plain {
    file: FileId,
    module: Thing,
    name: String,
}

impl Mover<'_, '_> {
    /// Makes paths and imports lead to what moves. `importing`: files that may import the old module.
    pub(super) fn follow(&mut self, names: &[BoundName], importing: &[FileId], uncertain: &[(FileId, Node)]) {
        let mut files: BTreeSet<FileId> = importing.iter().copied().collect();
        files.insert(self.from);
        for &(file, node) in uncertain {
            files.insert(file);
            self.follow_uncertain(file, node);
        }
        let mut plain: Vec<Plain> = Vec::new();
        for name in names {
            let moving = self.moving_among(&name.bound);
            if let Bound::Unknown(_) = &name.bound
                && moving.is_some_and(|(_, is_top)| is_top)
            {
                continue;
            }
            let Some((start, is_top)) = moving else {
                self.note_same_members(name);
                continue;
            };
            files.insert(name.file);
            let Some(tree) = self.resolver.tree(name.file) else { continue };
            let node = tree.table().smallest_around(name.span);
            let is_inside = self.is_inside(name.file, name.span);
            let module = self.resolver.module_of(name.file, node);
            if !is_inside {
                self.users.entry(start).or_default().push(module);
                if !is_top {
                    self.note_same_members(name);
                }
                self.open_unnamed_fields(start, tree, name);
            }
            if !is_top || self.import_at(name.file, tree, node).is_some() {
                continue;
            }
            match self.path_before(tree, name.span.start()) {
                Some((span, path)) => self.redirect_path(name.file, node, span, &path),
                None if is_inside || self.is_definition(start, name) => {}
                None => {
                    let name_text = tree.text().slice(name.span).into_owned();
                    plain.push(Plain { file: name.file, module, name: name_text });
                }
            }
        }
        self.redirect_plain(&plain);
        for file in files {
            self.redirect_imports(file);
            self.export_again(file);
        }
    }

    /// Redirects a path that is not certain for other reasons than the module that it begins with.
    fn follow_uncertain(&mut self, file: FileId, node: Node) {
        let Some(tree) = self.resolver.tree(file) else { return };
        let start = tree.span(node).start();
        let before = self.path_before(tree, start);
        let in_import = self.import_at(file, tree, node).is_some();
        let leads = before.as_ref().is_some_and(|(_, path)| self.means_old_module(file, node, path));
        match before {
            Some((span, path)) if leads && !in_import => {
                let module = self.resolver.module_of(file, node);
                let name = tree.node_text(node).into_owned();
                if let Some(piece) = self.pieces.iter().find(|piece| piece.name == name) {
                    let own = self.tree.span(piece.site.name).start();
                    self.users.entry(own).or_default().push(module);
                }
                self.redirect_path(file, node, span, &path);
            }
            _ if in_import => {}
            // A path to something else, or a member of an object.
            Some((_, path)) if !matches!(self.resolver.path_means(file, node, &path), Meaning::Unknown(_)) => {}
            None if self.is_after_dot(tree, start) => {}
            _ => self.block(file, start, "it may refer to what moves"),
        }
    }

    /// Whether the last sign before an offset is a dot, on a line above perhaps.
    fn is_after_dot(&self, tree: &Tree, start: usize) -> bool {
        let before = tree.text().slice(Span::new(0, start)).into_owned();
        before.trim_end().ends_with('.')
    }

    /// Notes that a member that moves may be used where the receiver is not known.
    fn note_same_members(&mut self, name: &BoundName) {
        let is_elsewhere = matches!(name.bound, Bound::Known(_)) && self.moving_among(&name.bound).is_none();
        if is_elsewhere || self.is_inside(name.file, name.span) {
            return;
        }
        let Some(tree) = self.resolver.tree(name.file) else { return };
        let text = tree.text().slice(name.span).into_owned();
        let module = self.resolver.module_of(name.file, tree.table().smallest_around(name.span));
        let is_member = |site: Site| {
            self.resolver.name_of(site).as_deref() == Some(&*text) && self.resolver.class_of_member(site).is_some()
        };
        let members: Vec<usize> =
            self.moving.iter().filter(|(_, site)| is_member(**site)).map(|(&start, _)| start).collect();
        for start in members {
            self.users.entry(start).or_default().push(module);
        }
    }

    fn is_definition(&self, start: usize, name: &BoundName) -> bool {
        name.file == self.from && name.span.start() == start
    }

    /// The definition that moves and that a name may mean, and whether it is at the top of its file.
    fn moving_among(&self, bound: &Bound) -> Option<(usize, bool)> {
        let places = match bound {
            Bound::Known(places) | Bound::Unknown(places) => places,
            Bound::External => return None,
        };
        places.iter().find_map(|place| match place {
            Place::Symbol(file, start) if *file == self.from => {
                let site = self.moving.get(start)?;
                let is_top = self.pieces.iter().any(|piece| piece.site == *site);
                Some((*start, is_top))
            }
            _ => None,
        })
    }

    fn import_at(&self, file: FileId, tree: &Tree, node: Node) -> Option<ImportedName> {
        let imports = self.resolver.imported_names(file).into_iter();
        let mut around = imports.filter(|import| tree.table().is_within(node, import.statement));
        around.next()
    }

    /// Replaces a path to the old module before a name.
    fn redirect_path(&mut self, file: FileId, node: Node, span: Span, path: &str) {
        let Some(tree) = self.resolver.tree(file) else { return };
        if !self.means_old_module(file, node, path) {
            return;
        }
        let extent = tree.span(tree.table().parent(node).unwrap_or(node));
        let extent = Span::new(extent.start().min(span.start()), extent.end());
        let is_at_home =
            !self.home.is_new && file == self.home.to && self.resolver.module_of(file, node) == self.home.module;
        let text = match self.way_to_home(file, path) {
            _ if is_at_home => String::new(),
            Some(way) => format!("{way}{}", self.separator()),
            None => return self.block(file, span.start(), "the new module has no path there"),
        };
        self.change(file, TextChange { span, text, extent });
    }

    /// Whether a path means the old module.
    fn means_old_module(&self, file: FileId, node: Node, path: &str) -> bool {
        let path = path.trim_start_matches('$');
        self.resolver.path_means(file, node, path) == Meaning::Known(vec![Thing::Module(self.from)])
    }

    /// The path of the new module in a file, in place of a path to the old one.
    fn way_to_home(&self, file: FileId, old: &str) -> Option<String> {
        let own = self.resolver.root_of_module(file);
        let root = self.resolver.root_of_module(self.from);
        let separator = self.separator();
        if old.starts_with('$') {
            return Some(format!("${}", self.new_path()));
        }
        if own == root {
            return Some(self.new_path());
        }
        // The name of the library.
        let tree = self.resolver.tree(file)?;
        let first = old.split(separator).next()?;
        let is_library = self.resolver.path_means(file, tree.root(), first) == Meaning::Known(vec![root]);
        let names = std::iter::once(first).chain(self.home.names.iter().map(String::as_str));
        is_library.then(|| names.collect::<Vec<&str>>().join(separator))
    }

    /// Imports what moves where it is used without a path.
    fn redirect_plain(&mut self, plain: &[Plain]) {
        let old = Thing::Module(self.from);
        self.still =
            plain.iter().filter(|one| one.file == self.from && one.module == old).map(|one| one.name.clone()).collect();
        self.still.sort_unstable();
        self.still.dedup();
        let mut needed: BTreeMap<(FileId, usize), (Span, BTreeSet<String>)> = BTreeMap::new();
        for one in plain.iter().filter(|one| one.file != self.from || one.module != old) {
            let is_below = self.resolver.is_module_within(one.module, old);
            if is_below && self.still.contains(&one.name) || self.is_at_home(one) {
                continue;
            }
            let Some(tree) = self.resolver.tree(one.file) else { continue };
            let imports = self.resolver.imported_names(one.file);
            let in_module = |import: &&ImportedName| {
                self.resolver.module_of(one.file, import.statement) == one.module
                    && !self.is_inside(one.file, tree.span(import.statement))
            };
            let bound = |import: &ImportedName| import.alias.clone().or_else(|| self.last_name(&import.name));
            if imports
                .iter()
                .filter(in_module)
                .any(|import| !import.is_glob && bound(import).as_ref() == Some(&one.name))
            {
                continue;
            }
            let separator = self.separator();
            let from_old = |import: &&ImportedName| {
                let path = import.name.rsplit_once(separator).map_or("", |(path, _)| path);
                import.is_glob && self.means_old_module(one.file, import.statement, path)
            };
            if let Some(glob) = imports.iter().filter(in_module).find(from_old) {
                let span = tree.span(glob.statement);
                let entry = needed.entry((one.file, span.start())).or_insert_with(|| (span, BTreeSet::new()));
                entry.1.insert(one.name.clone());
            }
        }
        for ((file, _), (span, names)) in needed {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let Some(way) = self.way_to_home(file, self.separator()) else { continue };
            let codes = names.iter().map(|name| self.import_text(&format!("{way}{}{name}", self.separator()), None));
            let codes: Vec<String> = codes.collect();
            self.add_after(file, tree, span, &codes, "");
        }
    }

    fn is_at_home(&self, one: &Plain) -> bool {
        !self.home.is_new && one.module == self.home.module
    }

    pub(super) fn last_name(&self, path: &str) -> Option<String> {
        path.rsplit(self.separator()).next().map(str::to_owned)
    }

    /// The text of an import of a path.
    pub(super) fn import_text(&self, path: &str, alias: Option<&str>) -> String {
        let forms = &self.tree.language().spec().symbols.import_forms;
        let key = if alias.is_some() { "path_alias" } else { "path" };
        let form = forms.get(key).cloned().unwrap_or_default();
        form.replace("$name", path).replace("$alias", alias.unwrap_or_default())
    }

    /// Adds statements after another one.
    fn add_after(&mut self, file: FileId, tree: &Tree, span: Span, codes: &[String], attributes: &str) {
        let newline = tree.text().newline();
        let line = tree.text().slice(tree.text().line_around(span.start())).into_owned();
        let indent: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
        let text: String = codes.iter().map(|code| format!("{newline}{indent}{attributes}{code}")).collect();
        self.change(file, TextChange { span: Span::at(span.end()), text, extent: span });
    }

    /// The attributes above a statement, each with a line break after it.
    pub(super) fn attributes_of(&self, tree: &Tree, statement: Node) -> String {
        let newline = tree.text().newline();
        let leading = tree.attachments().leading(tree.table(), statement);
        let written = leading.filter(|&node| !tree.is_comment(node)).map(|node| tree.node_text(node).into_owned());
        written.map(|text| format!("{text}{newline}")).collect()
    }

    /// Makes the imports of a file lead to what moves.
    fn redirect_imports(&mut self, file: FileId) {
        let Some(tree) = self.resolver.tree(file) else { return };
        let imports = self.resolver.imported_names(file);
        let mut statements: Vec<Node> = Vec::new();
        for import in &imports {
            if !statements.contains(&import.statement) {
                statements.push(import.statement);
            }
        }
        for statement in statements {
            let parts: Vec<&ImportedName> = imports.iter().filter(|import| import.statement == statement).collect();
            let moved: Vec<(&ImportedName, String)> =
                parts.iter().filter_map(|part| Some((*part, self.redirected_path(file, part)?))).collect();
            if moved.is_empty() {
                continue;
            }
            let span = tree.span(statement);
            let is_at_home = !self.home.is_new
                && file == self.home.to
                && self.resolver.module_of(file, statement) == self.home.module;
            let codes: Vec<String> = moved
                .iter()
                .filter(|(part, _)| !(is_at_home && part.alias.is_none() && self.names_piece(part)))
                .map(|(part, path)| format!("{}{}", part.variety, self.import_text(path, part.alias.as_deref())))
                .collect();
            let attributes = self.attributes_of(tree, statement).trim_end().to_owned();
            if moved.len() < parts.len() {
                let nodes: Vec<Node> = moved.iter().map(|(part, _)| part.node).collect();
                let separate = nodes.iter().any(|&node| tree.table().parent(node) != tree.table().parent(nodes[0]));
                let spans = match separate {
                    true => nodes.iter().flat_map(|&node| with_commas(tree, &[node])).collect(),
                    false => with_commas(tree, &nodes),
                };
                for gone in spans {
                    self.change(file, TextChange { span: gone, text: String::new(), extent: span });
                }
                let attributes = if attributes.is_empty() { attributes } else { format!("{attributes} ") };
                if !codes.is_empty() {
                    self.add_after(file, tree, span, &codes, &attributes);
                }
                continue;
            }
            if codes.is_empty() {
                self.redirected
                    .entry(file)
                    .or_default()
                    .ops
                    .push(crate::edit::Op::Delete { target: statement, extent: None });
                continue;
            }
            // The first one takes the place of all, so that what is above the statement stays with it.
            let table = tree.table();
            let first = moved[0].0.node;
            let argument = std::iter::once(first).chain(table.ancestors(first));
            let argument = argument.into_iter().find(|&node| table.parent(node) == Some(statement));
            let own =
                moved.iter().position(|(part, _)| !(is_at_home && part.alias.is_none() && self.names_piece(part)));
            let (Some(argument), Some(own)) = (argument, own) else { continue };
            let (part, path) = &moved[own];
            let written = self.import_text(path, part.alias.as_deref());
            let form = self.import_text("$", None);
            let (head, tail) = form.split_once('$').unwrap_or_default();
            let text =
                written.strip_prefix(head).and_then(|text| text.strip_suffix(tail)).unwrap_or(&written).to_owned();
            self.change(file, TextChange { span: tree.span(argument), text, extent: span });
            let attributes = if attributes.is_empty() { attributes } else { format!("{attributes} ") };
            if codes.len() > 1 {
                self.add_after(file, tree, span, &codes[1..], &attributes);
            }
        }
    }

    /// Whether an import names what moves, and not something in it.
    fn names_piece(&self, part: &ImportedName) -> bool {
        self.last_name(&part.name).is_some_and(|name| self.pieces.iter().any(|piece| piece.name == name))
    }

    /// The new path of an import that leads to what moves, or through it; `None` if it does not.
    fn redirected_path(&self, file: FileId, part: &ImportedName) -> Option<String> {
        let separator = self.separator();
        let names: Vec<&str> = part.name.split(separator).collect();
        let is_piece = |name: &str| self.pieces.iter().any(|piece| piece.name == name);
        let is_at_home = !self.home.is_new
            && file == self.home.to
            && self.resolver.module_of(file, part.statement) == self.home.module;
        if is_at_home && part.alias.is_none() && names.last().is_some_and(|name| is_piece(name)) {
            let means = self.resolver.path_means(file, part.statement, &part.name);
            let moves = |thing: &Thing| matches!(thing, Thing::Symbol(site) if self.pieces.iter().any(|piece| piece.site == *site));
            if matches!(&means, Meaning::Known(things) if things.iter().any(moves)) {
                return Some(part.name.clone());
            }
        }
        let at = (0..names.len()).find(|&at| {
            is_piece(names[at])
                && match at {
                    0 => {
                        file == self.from
                            && names.len() > 1
                            && self.resolver.module_of(file, part.statement) == Thing::Module(file)
                    }
                    _ => self.means_old_module(file, part.statement, &names[..at].join(separator)),
                }
        })?;
        let way = self.way_to_home(file, &part.name)?;
        let path = std::iter::once(way.as_str()).chain(names[at..].iter().copied());
        Some(path.collect::<Vec<&str>>().join(separator))
    }

    /// Exports what moves where a file exports all of the old module.
    fn export_again(&mut self, file: FileId) {
        let Some(tree) = self.resolver.tree(file) else { return };
        let separator = self.separator();
        let exports_all = |import: &&ImportedName| {
            let path = import.name.rsplit_once(separator).map_or("", |(path, _)| path);
            import.is_glob
                && !import.variety.is_empty()
                && !self.is_inside(file, tree.span(import.statement))
                && self.means_old_module(file, import.statement, path)
        };
        let imports = self.resolver.imported_names(file);
        let Some(glob) = imports.iter().find(exports_all) else { return };
        let Some(way) = self.way_to_home(file, &glob.name) else { return };
        let mut codes: Vec<String> = Vec::new();
        for piece in self.pieces {
            let words = match self.resolver.reach_of(piece.site) {
                Reach::Everywhere => glob.variety.clone(),
                Reach::Library => {
                    let forms = &self.tree.language().spec().symbols.import_forms;
                    format!("{} ", forms.get("opened").map_or("", String::as_str))
                }
                Reach::Module(_) => continue,
            };
            let code = format!("{words}{}", self.import_text(&format!("{way}{separator}{}", piece.name), None));
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        if codes.is_empty() {
            return;
        }
        let attributes = self.attributes_of(tree, glob.statement).trim_end().to_owned();
        let attributes = if attributes.is_empty() { attributes } else { format!("{attributes} ") };
        let module = self.resolver.module_of(file, glob.statement);
        if !self.home.is_new && file == self.home.to && module == self.home.module {
            return;
        }
        for piece in self.pieces {
            let start = self.tree.span(piece.site.name).start();
            self.users.entry(start).or_default().push(module);
        }
        self.add_after(file, tree, tree.span(glob.statement), &codes, &attributes);
    }

    /// Lets others make an object that moves, or take it apart, if its fields have no names.
    fn open_unnamed_fields(&mut self, start: usize, tree: &Tree, name: &BoundName) {
        let Some(&site) = self.moving.get(&start) else { return };
        if name.file == self.from && name.span.start() == start {
            // `.0` of a value that is not seen here may be its field.
            let outside = self.text_outside();
            if !has_number_access(&outside) {
                return;
            }
        } else if !is_value(tree, name.span) {
            return;
        }
        self.open_fields(site);
    }

    /// Lets the whole library use the fields of a class that have no names.
    pub(super) fn open_fields(&mut self, class: Site) {
        let Some(tree) = self.resolver.tree(class.file) else { return };
        let language = tree.language().spec();
        let opened = language.symbols.import_forms.get("opened").cloned().unwrap_or_default();
        let words = &language.symbols.module_tree.open_words;
        for span in self.resolver.unnamed_fields(class) {
            let before = line_before(tree, span.start());
            let own = before.rsplit(['(', ',']).next().unwrap_or_default().trim();
            let is_open = words.iter().any(|word| own.contains(word.as_str())) || before.trim_end().ends_with(')');
            if !is_open {
                let change = TextChange { span: Span::at(span.start()), text: format!("{opened} "), extent: span };
                let extent = tree.table().ancestors(class.name).take_while(|&node| node != Node::ROOT).last();
                let extent = extent.map_or(span, |unit| tree.span(unit));
                self.change(class.file, TextChange { extent, ..change });
            }
        }
    }

    /// The text of the old file without what moves.
    pub(super) fn text_outside(&self) -> String {
        let (mut text, mut at) = (String::new(), 0);
        for piece in self.pieces {
            text.push_str(&self.tree.text().slice(Span::new(at, piece.span.start().max(at))));
            at = piece.span.end().max(at);
        }
        text.push_str(&self.tree.text().slice(Span::new(at, self.tree.text().len())));
        text
    }
}
