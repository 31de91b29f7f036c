//! Paths in a project, with `/` between their parts.

/// The folder of a path.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(super) fn stem_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path in a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (false, true) => folder.to_owned(),
        (false, false) => format!("{folder}/{name}"),
    }
}

/// The path to which a relative path leads from a folder; `None` if that is outside the project.
pub(crate) fn walk(folder: &str, path: &str) -> Option<String> {
    let mut folder = folder.to_owned();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => folder = (!folder.is_empty()).then(|| folder_of(&folder).to_owned())?,
            name => folder = join(&folder, name),
        }
    }
    Some(folder)
}

/// Whether a path is in a folder.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// How many parts of their paths are the same.
pub(super) fn shared(one: &str, other: &str) -> usize {
    one.split('/').zip(other.split('/')).take_while(|(one, other)| one == other).count()
}
