//! The lines that changed since a git revision.

use std::collections::HashMap;

use crate::engine::core::Begun;
use crate::reader::changed_files::ChangedSince;
use crate::request::error::EngineError;
use crate::text::{Text, changed_lines, difference};

/// The changed lines of files, by path as results show it; all lines of a new file.
pub(super) struct ChangedLines {
    files: HashMap<String, Option<Vec<(usize, usize)>>>,
}

impl ChangedLines {
    /// Whether one of some lines, from 1, has changed.
    pub fn touch(&self, path: Option<&str>, first: usize, last: usize) -> bool {
        match path.and_then(|path| self.files.get(path)) {
            None => false,
            Some(None) => true,
            Some(Some(ranges)) => ranges.iter().any(|(from, to)| *from <= last && first <= *to),
        }
    }
}

impl Begun<'_> {
    /// The lines that changed since a revision; `merge_base` takes its last ancestor that `HEAD` has, too.
    ///
    /// # Errors
    /// When git, the repository or the revision is missing.
    pub(super) fn changed_lines_since(&self, revision: &str, merge_base: bool) -> Result<ChangedLines, EngineError> {
        let base = if merge_base { self.merge_base(revision)? } else { revision.to_owned() };
        let mut files = HashMap::new();
        for ChangedSince { path, old } in self.changes_since(&base)? {
            let Ok(new) = self.files().read(&path, crate::limits::TEXT_BYTES as u64) else { continue };
            let ranges = old.map(|old| {
                let text = |bytes: &[u8]| Text::new(&String::from_utf8_lossy(bytes));
                let (old, new) = (text(&old), text(&new));
                changed_lines(&new, &difference(&old, &new))
            });
            files.insert(self.shown(&path), ranges);
        }
        Ok(ChangedLines { files })
    }
}
