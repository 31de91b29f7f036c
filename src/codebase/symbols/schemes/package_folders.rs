//! Packages that are folders: their files share one scope, and imports bind them to names that are not written.

use crate::language::Language;
use crate::modules::FileId;
use crate::symbols::inference::resolver::{Resolver, View};
use crate::symbols::model::{Meaning, Thing};

impl Resolver<'_> {
    /// The meaning of a name in the other files of the package, or as a package that is imported.
    pub(in crate::symbols) fn name_in_folder(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        self.name_in_own_folder(view, name).or_else(|| self.imported_package(view, name))
    }

    /// The meaning of a name in the files of the package.
    pub(in crate::symbols) fn name_in_own_folder(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        let package = self.package_of(view)?;
        let folder = self.project().modules.folder_of(view.file);
        let found = self.in_folder(folder, view.tree.language(), Some(package), name);
        matches!(found, Meaning::Known(_)).then_some(found)
    }

    /// The package that an import binds to a name without writing it: the last part of `example.org/a/b`, or what its
    /// files declare.
    fn imported_package(&self, view: &View<'_>, name: &str) -> Option<Meaning> {
        if view.rules.packages.is_empty() {
            return None;
        }
        let language = view.tree.language();
        for (_, part) in view.imports().iter().filter(|(_, part)| !part.is_glob && part.alias.is_none()) {
            let module = self.project().imported_module(view.file, language, &part.name);
            let is_it = match module {
                Some(Thing::Folder(folder)) => self.declares(folder, language, name),
                _ => part.bound.as_deref() == Some(name),
            };
            if is_it {
                return Some(module.map_or(Meaning::External, |module| Meaning::Known(vec![module])));
            }
        }
        None
    }

    /// Whether one of the first files of a folder declares a package with this name.
    pub(in crate::symbols) fn declares(&self, folder: u32, language: &'static Language, name: &str) -> bool {
        /// How many files are looked at: those of a program beside the package come first, if at all.
        const MOST_FILES: usize = 12;
        let private = &language.spec().symbols.module_files.private;
        let is_seen = |&&file: &&FileId| {
            let file = self.project().file(file);
            let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
            file.language == language && !private.iter().any(|end| stem.ends_with(end.as_str()))
        };
        let files = self.project().modules.files_in(folder).iter().filter(is_seen).take(MOST_FILES);
        let mut views = files.filter_map(|&file| self.view(file));
        views.any(|view| self.package_of(&view) == Some(name))
    }
}
