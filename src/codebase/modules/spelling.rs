//! How a file names a module: the way back from a path to the text of an import.

use super::files::{Modules, is_package_file};
use super::paths::{folder_of, is_below, join, shared, stem_of};
use crate::language::{Language, ModuleScheme};

/// The name of a module as it is written now, which says in what manner it is written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The text.
    pub text: &'a str,
    /// The path of the file or folder that it names.
    pub path: &'a str,
}

impl Modules {
    /// The name of the file or folder at a path as a file would write it, in the manner of another name; `None` if it has none.
    pub(crate) fn spell(&self, from: &str, to: &str, language: &Language, written: Written<'_>) -> Option<String> {
        match language.spec().symbols.modules? {
            ModuleScheme::Dotted => self.spell_dotted(from, to, language, written),
            ModuleScheme::Relative => {
                let spelled = spell_relative(from, to, language, written);
                let is_new_path = spelled.starts_with('.') && !written.text.starts_with('.');
                match to.rsplit_once('.').filter(|_| is_new_path && self.names_whole_files(from, language)) {
                    Some((_, extension)) => {
                        let path = format!("./_.{extension}");
                        Some(spell_relative(from, to, language, Written { text: &path, path: &path[2..] }))
                    }
                    None => Some(spelled),
                }
            }
            _ => None,
        }
    }

    /// Whether the paths in a file have to have extensions, where nothing is known from paths in it.
    fn names_whole_files(&self, file: &str, language: &Language) -> bool {
        let rules = &language.spec().symbols.module_files;
        let has = |extensions: &[String]| extensions.iter().any(|extension| file.ends_with(&format!(".{extension}")));
        has(&rules.whole_names) || has(&rules.whole_names_in_modules) && self.manifests.is_of_modules(file)
    }

    fn spell_dotted(&self, from: &str, to: &str, language: &Language, written: Written<'_>) -> Option<String> {
        let (module, old) = (without_extension(to, language), without_extension(written.path, language));
        if written.text.starts_with('.') {
            let mut folder = folder_of(from);
            let top = self.root_of(folder);
            let mut dots = ".".to_owned();
            // The folder that the dots of the name mean: a package, though perhaps one without a file of its own.
            let names = written.text.trim_start_matches('.').replace('.', "/");
            let base = old.strip_suffix(names.as_str()).map(|base| base.trim_end_matches('/'));
            let is_package = |folder: &str| base.is_some_and(|base| strip_folder(folder, base).is_some());
            // Up to the package that contains both, and not out of the outermost one.
            while folder != top && self.packages.contains(folder) || is_package(folder) {
                if let Some(rest) = strip_folder(module, folder) {
                    return Some(format!("{dots}{}", rest.replace('/', ".")));
                }
                folder = folder_of(folder);
                dots.push('.');
            }
            if top == folder_of(from)
                && let Some(rest) = strip_folder(module, top)
            {
                return Some(format!(".{}", rest.replace('/', ".")));
            }
        } else {
            // From the folder from which it is named now.
            let names = written.text.replace('.', "/");
            if let Some(root) = old.strip_suffix(names.as_str()).filter(|root| root.is_empty() || root.ends_with('/'))
                && let Some(rest) = strip_folder(module, root.trim_end_matches('/'))
            {
                return Some(rest.replace('/', "."));
            }
        }
        let root = self.root_of(if is_package_file(to, language) { module } else { folder_of(to) });
        let rest = strip_folder(module, root)?;
        Some(rest.replace('/', ".")).filter(|name| !name.is_empty())
    }

    /// The folder that contains the outermost package around a folder.
    fn root_of<'p>(&self, folder: &'p str) -> &'p str {
        let mut root = folder;
        while self.packages.contains(root) && !root.is_empty() {
            root = folder_of(root);
        }
        root
    }
}

/// The name of the file at a path as a file would write it, in the manner of another name: a relative path, or one that begins as
/// that name does.
pub fn spell_relative(from: &str, to: &str, language: &Language, written: Written<'_>) -> String {
    let (text, query) = match written.text.split_once('?') {
        Some((text, query)) => (text, Some(query)),
        None => (written.text, None),
    };
    let rules = &language.spec().symbols;
    let extensions = &rules.module_files.extensions;
    let extension_of = |path: &str| {
        let fitting = extensions.iter().filter(|extension| {
            let stem = path.strip_suffix(extension.as_str()).and_then(|stem| stem.strip_suffix('.'));
            stem.is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/') && !stem.ends_with('.'))
        });
        fitting.max_by_key(|extension| extension.len()).cloned()
    };
    let cut = |path: &str| match extension_of(path) {
        Some(extension) => path[..path.len() - extension.len() - 1].to_owned(),
        None => path.to_owned(),
    };
    let is_index = |path: &str| rules.module_files.packages.iter().any(|name| name == stem_of(path));
    // Without extensions.
    let (new, old, base) = (cut(to), cut(written.path), cut(text));
    let names_index = is_index(&base) && is_index(&old);
    // The folder in place of its file, unless the text names the file.
    let is_short = is_index(&new) && (!is_index(&old) || !names_index) && extension_of(text).is_none();
    let target = if is_short { folder_of(&new).to_owned() } else { new.clone() };
    let written_target = if is_index(&old) && !names_index { folder_of(&old).to_owned() } else { old.clone() };
    let aliased = || {
        // The longest end that the name and the path share; what is before it is the same as before.
        let count = base.rsplit('/').zip(written_target.rsplit('/')).take_while(|(one, other)| one == other).count();
        let head = |path: &str| {
            let parts: Vec<&str> = path.split('/').collect();
            parts[..parts.len() - count].join("/")
        };
        let (name, folder) = (head(&base), head(&written_target));
        let rest = strip_folder(&target, &folder).filter(|rest| !rest.is_empty())?;
        (count > 0 && !name.is_empty()).then(|| join(&name, rest))
    };
    let spelled = match text.starts_with('.') {
        true => None,
        false => aliased(),
    };
    let spelled = spelled.unwrap_or_else(|| relative_path(folder_of(from), &target));
    let extension = match extension_of(text) {
        // A file of the sources may be named by what it is compiled to.
        Some(extension) if extension_of(written.path).as_ref() == Some(&extension) => extension_of(to),
        other => other,
    };
    let extension = extension.map(|extension| format!(".{extension}")).unwrap_or_default();
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{spelled}{extension}{query}")
}

/// The path from a folder to a file or another folder, which begins with a dot.
pub fn relative_path(folder: &str, path: &str) -> String {
    let same = shared(folder, path);
    let common: Vec<&str> = folder.split('/').take(same).collect();
    let common = common.join("/");
    let below = strip_folder(folder, &common).unwrap_or(folder);
    let ups = if below.is_empty() { 0 } else { below.split('/').count() };
    let rest = strip_folder(path, &common).unwrap_or(path);
    let start = if ups == 0 { ".".to_owned() } else { vec![".."; ups].join("/") };
    join(&start, rest)
}

/// The rest of a path below a folder; empty for the folder itself.
fn strip_folder<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    is_below(path, folder).then(|| path[folder.len()..].trim_start_matches('/'))
}

/// A path without the extension of its language; of the file of a package, the folder.
pub(crate) fn without_extension<'p>(path: &'p str, language: &Language) -> &'p str {
    if is_package_file(path, language) {
        return folder_of(path);
    }
    let mut extensions = language.extensions().iter();
    let cut = extensions.find_map(|extension| path.strip_suffix(extension.as_str())?.strip_suffix('.'));
    cut.unwrap_or(path)
}
