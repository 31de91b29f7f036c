//! `a.b.c`: folders and files under a root.

use super::files::Modules;
use super::model::Module;
use super::paths::{folder_of, shared};
use crate::language::Language;

impl Modules {
    pub(super) fn dotted(&self, path: &str, language: &Language, source: &str) -> Option<Module> {
        let names = source.trim_start_matches('.');
        let level = source.len() - names.len();
        let names: Vec<&str> = names.split('.').filter(|name| !name.is_empty()).collect();
        let mut folder = folder_of(path);
        if level > 0 {
            for _ in 1..level {
                folder = (!folder.is_empty()).then(|| folder_of(folder))?;
            }
            return self.below(folder, &names, language);
        }
        let first = *names.first()?;
        let mut root = folder;
        while self.packages.contains(root) && !root.is_empty() {
            root = folder_of(root);
        }
        let rules = &language.spec().symbols;
        let mut roots = vec![root.to_owned(), String::new()];
        roots.extend(rules.module_files.sources.iter().cloned());
        if let Some(found) = roots.iter().find_map(|root| self.below(root, &names, language)) {
            return Some(found);
        }
        // Another package of the same repository, the nearest one if there are several.
        let tops = self.tops.get(first)?.iter().filter(|top| is_open_to(top, path, &rules.module_files.tests));
        let nearest = tops.max_by_key(|top| shared(top, path))?;
        self.below(nearest, &names, language)
    }
}

/// Whether the packages in a folder are meant for a file: those of tests are not meant for other code.
fn is_open_to(folder: &str, path: &str, tests: &[String]) -> bool {
    let mut end = 0;
    folder.split('/').all(|part| {
        end += part.len() + 1;
        !tests.iter().any(|test| test == part) || path.starts_with(folder.get(..end - 1).unwrap_or(folder))
    })
}
