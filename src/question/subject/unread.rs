//! Files that were not read, and may refer to a symbol.

use crate::request::error::PlaceRow;
use crate::workspace::files::Workspace;
use crate::workspace::unsearched::Unparsed;

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

    /// The files that are not looked at, and contain one of these names or cannot be read: they may refer to it.
    pub(crate) fn unread_with(&self, names: &[&str]) -> Vec<PlaceRow> {
        let unread = self.unparsed().into_iter().filter(|file| file.may_use(names));
        let row = |Unparsed { path, why, text }| {
            let why = match text {
                Some(_) => format!("the file is not looked at, and contains the name: {why}"),
                None => format!("the file cannot be read: {why}"),
            };
            PlaceRow { path, line: 1, col: 1, why, text: String::new() }
        };
        unread.map(row).collect()
    }
}
