//! Cycles of imports that a refactor would make.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::request::error::PlaceRow;
use crate::symbols::{Project, dependencies};
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The cycles of imports that there would be with some more imports, each from the first file to the second. A new file is shown as
    /// the file `old`.
    pub(crate) fn new_cycles(&self, old: FileId, all: &[(FileId, FileId)]) -> Vec<PlaceRow> {
        let language = self.project.file(old).language;
        let is_dotted = language.spec().symbols.modules == Some(ModuleScheme::Dotted);
        self.resolve(|resolver| {
            let count = self.project.files().len();
            let mut imports: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
            let mut of = |file: FileId, with_new: bool| {
                let known = imports.entry(file).or_insert_with(|| match (file.0 as usize) < count {
                    true => {
                        let top = resolver.imported_names(file);
                        let top =
                            top.iter().filter(|import| import.is_at_top && !resolver.is_erased_import(file, import));
                        let lines: FxHashSet<usize> =
                            top.filter_map(|import| Some(resolver.tree(file)?.start(import.statement).line)).collect();
                        let all = dependencies(resolver, file).into_iter();
                        // A package around the file is loaded before it anyway.
                        let is_around = |other: &FileId| is_dotted && self.project.is_package_around(*other, file);
                        let files = all.filter(|one| lines.contains(&one.line)).flat_map(|one| one.files);
                        files.filter(|other| !is_around(other)).collect()
                    }
                    false => Vec::new(),
                });
                let mut found = known.clone();
                if with_new {
                    found.extend(all.iter().filter(|(from, _)| *from == file).map(|(_, to)| *to));
                }
                found
            };
            let mut reaches = |from: FileId, to: FileId, with_new: bool| {
                let (mut seen, mut waiting) = (FxHashSet::default(), vec![from]);
                while let Some(file) = waiting.pop() {
                    for next in of(file, with_new) {
                        if next == to {
                            return true;
                        }
                        if seen.insert(next) {
                            waiting.push(next);
                        }
                    }
                }
                false
            };
            let mut rows = Vec::new();
            for &(from, to) in all {
                let is_cyclic = !is_dotted && reaches(to, from, false) && reaches(from, to, false);
                if from != to && reaches(to, from, true) && !is_cyclic {
                    let why =
                        format!("its import of {} would be part of an import cycle", path_in_words(&self.project, to));
                    let file = if (from.0 as usize) < count { from } else { old };
                    let start = resolver
                        .imported_names(file)
                        .iter()
                        .find_map(|import| Some(resolver.tree(file)?.span(import.statement).start()));
                    rows.push((file, start.unwrap_or(0), why));
                }
            }
            rows.sort_unstable_by(|one, other| one.2.cmp(&other.2));
            rows.dedup();
            rows.truncate(4);
            rows
        })
        .into_iter()
        .map(|(file, start, why)| self.place_row(file, start, why))
        .collect()
    }
}

/// The path of a file, or words for one that is not there yet.
fn path_in_words(project: &Project, file: FileId) -> String {
    project.files().get(file.0 as usize).map_or_else(|| "the new module".to_owned(), |file| format!("`{}`", file.path))
}
