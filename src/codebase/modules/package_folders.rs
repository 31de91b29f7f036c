//! `example.org/a/b`: a package is a folder, below that of the manifest with the start of its name.

use super::files::Modules;
use super::model::Module;
use super::paths::{is_below, join};

/// The folder of copies of other modules.
const VENDOR: &str = "vendor";

/// The folder below which folders have the names of their packages, in projects without a manifest.
const SOURCES: &str = "src";

impl Modules {
    /// The path by which files import the package in a folder, and the folder of the manifest that names the module around it.
    pub(crate) fn path_of_package_folder(&self, folder: &str) -> Option<(String, String)> {
        let around = self.named.iter().filter(|module| is_below(folder, &module.folder));
        let module = around.max_by_key(|module| module.folder.len())?;
        let rest = folder[module.folder.len()..].trim_start_matches('/');
        Some((join(&module.name, rest), module.folder.clone()))
    }

    pub(super) fn package_folder(&self, path: &str, source: &str) -> Option<Module> {
        let known = |folder: &str| self.folder_ids.get(folder).copied().map(Module::Folder);
        for module in self.named.iter().filter(|module| is_below(path, &module.seen_from)) {
            let Some(rest) = source.strip_prefix(&module.name) else { continue };
            if let Some(found) = rest.strip_prefix('/').or(rest.is_empty().then_some(""))
                && let Some(folder) = known(&join(&module.folder, found))
            {
                return Some(folder);
            }
        }
        // A copy of it, in one of the folders around.
        let mut around = path;
        while let Some((folder, _)) = around.rsplit_once('/') {
            let below = |name: &str| known(&join(&join(folder, name), source));
            if let Some(found) = below(VENDOR) {
                return Some(found);
            }
            if folder.rsplit('/').next() == Some(SOURCES)
                && let Some(found) = known(&join(folder, source))
            {
                return Some(found);
            }
            around = folder;
        }
        known(&join(VENDOR, source)).or_else(|| known(&join(SOURCES, source)))
    }
}
