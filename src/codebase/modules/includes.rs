//! Files that others include: by a path from the including file, or by the end of the path.

use super::files::Modules;
use super::model::FileId;
use super::paths::{folder_of, shared, stem_of, walk};

impl Modules {
    /// The file that a file includes under a path; the nearest one, if it is not relative to the file and several fit.
    pub(crate) fn included(&self, from: FileId, written: &str) -> Option<FileId> {
        let path = self.path(from);
        let beside = walk(folder_of(path), written).and_then(|beside| self.file_at(&beside));
        if beside.is_some() {
            return beside;
        }
        let written = written.trim_start_matches("./").trim_start_matches("../");
        let fits = |&&file: &&FileId| {
            let rest = self.path(file).strip_suffix(written);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let files = self.files_by_name.get(stem_of(written))?.iter().filter(fits);
        files.copied().max_by_key(|&file| (shared(self.path(file), path), std::cmp::Reverse(file)))
    }
}
