//! `./a/b`: a path from the importing file.

use super::{Modules, folder_of, walk};
use crate::language::Language;
use crate::symbols::model::Thing;

impl Modules {
    pub(super) fn relative(&self, path: &str, language: &Language, source: &str) -> Option<Thing> {
        if !source.starts_with('.') {
            return None;
        }
        let whole = walk(folder_of(path), source)?;
        if let Some(file) = self.file_at(&whole) {
            return Some(Thing::Module(file));
        }
        self.module_at(&whole, language).or_else(|| {
            // `./a.js` may be the file `a.ts`.
            let stem = whole.rsplit_once('.')?.0;
            self.module_at(stem, language)
        })
    }
}
