//! Patches of `apply_patch`: only their file names are read. Their effect is seen on disk.

use super::event::Touched;

/// The first line of such a patch.
pub(super) const BEGIN: &str = "*** Begin Patch";

/// The files of a patch in order, each once.
pub(super) fn files(patch: &str) -> Vec<Touched> {
    let mut files: Vec<Touched> = Vec::new();
    for line in patch.lines() {
        let line = line.trim_end();
        if let Some(to) = line.strip_prefix("*** Move to: ") {
            if let Some(last) = files.last_mut() {
                last.moved_from = Some(std::mem::replace(&mut last.path, to.trim().to_owned()));
            }
            continue;
        }
        let added = line.strip_prefix("*** Add File: ");
        let named =
            added.or_else(|| line.strip_prefix("*** Update File: ")).or_else(|| line.strip_prefix("*** Delete File: "));
        let Some(path) = named.map(str::trim).filter(|path| !path.is_empty()) else { continue };
        if files.iter().all(|file| file.path != path) {
            files.push(Touched::new(path));
        }
    }
    files
}
