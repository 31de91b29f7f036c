//! The module that an import names, by the scheme of its language.

use super::files::Modules;
use super::model::{FileId, Module};
use crate::language::{Language, ModuleScheme};

impl Modules {
    /// The module that an import names, as the file `from` sees it; `None` if it is not one of the project's.
    pub(crate) fn import(&self, from: FileId, language: &Language, source: &str) -> Option<Module> {
        let path = self.path(from);
        match language.spec().symbols.modules? {
            ModuleScheme::Dotted => self.dotted(path, language, source),
            ModuleScheme::Relative => self.relative(path, language, source),
            ModuleScheme::PackageFolders => self.package_folder(path, source),
            ModuleScheme::ModuleTree => self.library(path, language, source),
            ModuleScheme::Packages | ModuleScheme::Namespaces | ModuleScheme::Unsupported => None,
            ModuleScheme::OpenClasses => {
                let mut paths = language.extensions().iter().map(|extension| format!("{source}.{extension}"));
                paths.find_map(|path| self.included(from, &path)).map(Module::File)
            }
            ModuleScheme::Includes => self.included(from, source.trim_matches(['"', '<', '>'])).map(Module::File),
        }
    }
}
