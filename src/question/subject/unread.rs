//! Files that were not read, and may refer to a symbol.

use crate::request::error::PlaceRow;
use crate::workspace::files::Workspace;
use crate::workspace::unsearched::words;

impl Workspace<'_> {
    /// The files that could not be read: they may refer to anything.
    pub(crate) fn unread(&self) -> Vec<PlaceRow> {
        let failed = self.skipped_files().into_iter().filter(|skipped| !skipped.by_rule);
        let row = failed.map(|skipped| PlaceRow {
            path: skipped.path,
            line: 1,
            col: 1,
            why: format!("the file cannot be read: {}", skipped.error.message),
            text: String::new(),
        });
        row.collect()
    }

    /// The files that are too large to be looked at, and contain one of these names: they may refer to it.
    pub(crate) fn unread_with(&self, names: &[&str]) -> Vec<PlaceRow> {
        let row = |path: String| PlaceRow {
            path,
            line: 1,
            col: 1,
            why: "the file is too large to be looked at, and contains the name".to_owned(),
            text: String::new(),
        };
        let large = self.too_large_texts().into_iter();
        let large = large.filter(|(_, text)| words(text).any(|word| names.contains(&word)));
        self.unread().into_iter().chain(large.map(|(path, _)| row(path))).collect()
    }
}
