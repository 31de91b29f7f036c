//! Names that other packages import one by one: `import a.b.Name;`.

use crate::edit::Op;
use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::symbols::{Bound, BoundName, ImportedName, Place, Site};
use crate::text::Span;
use crate::transfer::import_parts::{FileTree, parts};
use crate::tree::{Node, Tree};

/// A definition at a border, and on which side it is.
#[derive(Clone, Copy)]
struct Crosser {
    site: Site,
    moves: bool,
}

impl Crossing<'_, '_> {
    /// Makes imports and whole names lead to what moves, and imports names where they cross the border.
    pub(super) fn import_names(&mut self, names: &[BoundName]) {
        for name in names {
            let Some(tree) = self.resolver.tree(name.file) else { continue };
            let is_inside = self.parcel.has(name.file, name.span);
            match &name.bound {
                Bound::Known(places) => {
                    let Some(crosser) = self.crosser(places) else { continue };
                    let node = tree.table().smallest_around(name.span);
                    self.import_known(name.file, node, crosser, is_inside);
                }
                Bound::Unknown(places) => match self.crosser(places) {
                    Some(crosser) if crosser.moves != is_inside => {
                        self.doubt(name.file, name.span.start(), "it may refer to a class on the other side");
                    }
                    _ => {}
                },
                Bound::External => {}
            }
        }
    }

    fn crosser(&self, places: &[Place]) -> Option<Crosser> {
        places.iter().find_map(|place| {
            let Place::Symbol(file, start) = place else { return None };
            let moving = self.parcel.moving.get(&(*file, *start)).map(|&site| Crosser { site, moves: true });
            moving.or_else(|| self.parcel.staying.get(&(*file, *start)).map(|&site| Crosser { site, moves: false }))
        })
    }

    fn import_known(&mut self, file: FileId, node: Node, crosser: Crosser, is_inside: bool) {
        let Some(tree) = self.resolver.tree(file) else { return };
        let Crosser { site, moves } = crosser;
        let span = tree.span(node);
        let text = tree.node_text(node).into_owned();
        if (file, span.start()) == (site.file, self.start_of(site)) {
            return;
        }
        let is_open = self.resolver.is_open_to_packages(site);
        let import = self.resolver.imported_names(file).into_iter();
        let import = import.into_iter().find(|import| tree.table().is_within(node, import.statement));
        let is_home = self.parcel.new.files.contains(&file);
        match self.package_before(tree, span.start()) {
            Some((before, package)) if package == self.parcel.old.name => {
                if moves && let Some(import) = import.filter(|import| is_home && self.is_plain_import(import, &text)) {
                    return self.drop_import(file, tree, &import);
                }
                if !is_open && moves != is_inside {
                    return self.hide(&text, file, span.start());
                }
                if moves {
                    let path = format!("{}{}", self.parcel.new.name, self.separator());
                    self.change(tree, file, before, path);
                }
            }
            // The name of a member, or a path that is not that of the package.
            Some(_) => {}
            None if import.is_some() || moves == is_inside => {}
            None if moves && is_home => {}
            None if !is_open => self.hide(&text, file, span.start()),
            None => {
                let package = if moves { &self.parcel.new.name } else { &self.parcel.old.name };
                let path = format!("{package}{}{text}", self.separator());
                let code = self.import_text(&path, None);
                let is_there = self.imports_plainly(file, &text);
                if moves || Some(file) == self.parcel.whole {
                    if !is_there {
                        self.import(file, code, &path);
                    }
                } else {
                    self.needs.insert(code);
                }
            }
        }
    }

    fn start_of(&self, site: Site) -> usize {
        self.resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start())
    }

    fn separator(&self) -> &'static str {
        &self.parcel.language.spec().imports.separator
    }

    /// Whether an import names a class at the top of the old package, and nothing in it.
    fn is_plain_import(&self, import: &ImportedName, name: &str) -> bool {
        !import.is_glob
            && import.variety.is_empty()
            && import.name == format!("{}{}{name}", self.parcel.old.name, self.separator())
    }

    fn imports_plainly(&self, file: FileId, name: &str) -> bool {
        self.resolver.imported_names(file).iter().any(|import| self.is_plain_import(import, name))
    }

    /// The path before a name, as far as it is on the same line.
    fn package_before(&self, tree: &Tree, start: usize) -> Option<(Span, String)> {
        let separator = self.separator();
        let line = tree.text().slice(Span::new(tree.text().line_around(start).start(), start)).into_owned();
        let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let mut names: Vec<String> = Vec::new();
        let mut at = line.len();
        while let Some(rest) = line[..at].strip_suffix(separator) {
            let name = rest.trim_end_matches(is_letter);
            if name.len() == rest.len() {
                return Some((Span::at(start), String::new()));
            }
            names.push(rest[name.len()..].to_owned());
            at = name.len();
        }
        if line.trim().is_empty() {
            let before = tree.text().slice(Span::new(0, start)).into_owned();
            if before.trim_end().ends_with(separator) {
                return Some((Span::at(start), String::new()));
            }
        }
        names.reverse();
        (!names.is_empty()).then(|| (Span::new(start - (line.len() - at), start), names.join(separator)))
    }

    fn drop_import(&mut self, file: FileId, tree: &Tree, import: &ImportedName) {
        let all = parts(self.resolver, FileTree { file, tree }, &[]);
        if let Some(part) = all.iter().find(|part| part.statement == import.statement) {
            self.drop_part(file, tree, &all, part);
        }
    }

    /// Drops the imports of all of the old package, if that is empty then.
    pub(super) fn drop_globs_of_old(&mut self, files: &[FileId]) {
        let form = format!("{}{}", self.parcel.old.name, self.separator());
        for &file in files {
            for import in self.resolver.imported_names(file) {
                let is_its = import.is_glob
                    && import.variety.is_empty()
                    && import.name.strip_prefix(form.as_str()).is_some_and(|rest| !rest.contains(self.separator()));
                if is_its {
                    let op = Op::Delete { target: import.statement, extent: None };
                    let ops = &mut self.redirected.entry(file).or_default().ops;
                    if !ops.contains(&op) {
                        ops.push(op);
                    }
                }
            }
        }
    }
}
