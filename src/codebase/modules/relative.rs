//! `./a/b`: a path from the importing file; `@app/b`, `package/b`: what the project's manifests make of it.

use serde_json::Value;

use super::files::Modules;
use super::model::{FileId, Module};
use super::package_manifests::{Package, fill, package_and_rest};
use super::paths::{folder_of, join, walk};
use crate::language::Language;

/// How deep conditions are nested in a manifest.
const DEPTH: usize = 8;
/// The fields of a manifest that name the file of a package, the best first.
const MAIN_FIELDS: [&str; 6] = ["source", "module", "main", "types", "typings", "browser"];

impl Modules {
    pub(super) fn relative(&self, path: &str, language: &Language, source: &str) -> Option<Module> {
        let source = source.split_once('?').map_or(source, |(source, _)| source);
        if source.starts_with('.') {
            return self.file_or_folder(&walk(folder_of(path), source)?, language);
        }
        if source.starts_with('#') {
            let package = self.manifests.package_around(path)?;
            let found = self.mapped(package, "imports", source, language);
            return found.or_else(|| self.by_options(path, language, source));
        }
        self.by_options(path, language, source).or_else(|| self.in_package(path, language, source))
    }

    /// What the options of the compiler make of a name.
    fn by_options(&self, path: &str, language: &Language, source: &str) -> Option<Module> {
        let options = self.manifests.options_for(path)?;
        let fitting =
            options.paths.iter().filter_map(|(pattern, targets)| Some((pattern, targets, fill(pattern, source)?)));
        // A name as it is comes first, then the longest beginning.
        let best = fitting.max_by_key(|(pattern, ..)| pattern.find('*').unwrap_or(usize::MAX));
        let mapped = best.and_then(|(_, targets, filling)| {
            targets.iter().find_map(|target| self.file_or_folder(&target.replacen('*', filling, 1), language))
        });
        let from_base = || self.file_or_folder(&join(options.base.as_ref()?, source), language);
        mapped.or_else(from_base).filter(|thing| !matches!(thing, Module::Folder(_)))
    }

    /// The module of a package in the project.
    fn in_package(&self, path: &str, language: &Language, source: &str) -> Option<Module> {
        let (name, rest) = package_and_rest(source)?;
        let package = self.manifests.package_seen(path, name)?;
        let found = match package.manifest.get("exports") {
            Some(_) => {
                let entry = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
                self.mapped(package, "exports", &entry, language)
            }
            None if rest.is_empty() => self.main_file(package, language),
            None => self.target(package, rest, language),
        };
        // Its files may be made by a build: then nothing is known, but nothing outside is meant.
        found.or_else(|| self.folder_ids.get(&package.folder).copied().map(Module::Folder))
    }

    /// The file that a package is as a whole.
    fn main_file(&self, package: &Package, language: &Language) -> Option<Module> {
        let fields = MAIN_FIELDS.iter().filter_map(|field| package.manifest.get(*field)?.as_str());
        let exact = |path: &str| self.file_or_folder(&walk(&package.folder, path)?, language).filter(is_file);
        let index = || language.spec().symbols.module_files.packages.iter().map(String::as_str);
        let mut written = fields.clone().filter_map(exact).chain(index().filter_map(exact));
        written.next().or_else(|| fields.chain(index()).find_map(|path| self.target(package, path, language)))
    }

    /// What a map of a manifest makes of a name: a path, or conditions with a path each.
    fn mapped(&self, package: &Package, field: &str, entry: &str, language: &Language) -> Option<Module> {
        let map = package.manifest.get(field)?;
        let mut targets = Vec::new();
        let is_map = map.as_object().is_some_and(|map| map.keys().any(|key| key.starts_with(['.', '#'])));
        match map.as_object().filter(|_| is_map) {
            None if entry == "." => leaves(map, DEPTH, &mut targets),
            None => return None,
            Some(map) => {
                let fitting = map.iter().filter_map(|(pattern, target)| Some((pattern, target, fill(pattern, entry)?)));
                let (_, target, filling) =
                    fitting.max_by_key(|(pattern, ..)| pattern.find('*').unwrap_or(usize::MAX))?;
                leaves(target, DEPTH, &mut targets);
                targets.iter_mut().for_each(|target| *target = target.replace('*', filling));
            }
        }
        let exact = |path: &String| self.file_or_folder(&walk(&package.folder, path)?, language).filter(is_file);
        let own = targets.iter().filter(|target| target.starts_with('.'));
        let found =
            own.clone().find_map(exact).or_else(|| own.clone().find_map(|path| self.target(package, path, language)));
        // `#name` may mean a package.
        let other = || targets.iter().find(|target| field == "imports" && !target.starts_with(['.', '#']));
        found.or_else(|| self.in_package(&join(&package.folder, "package.json"), language, other()?))
    }

    /// The file that a path in a package means. If it is made by a build, the file that it is made from: that with the same end
    /// of its path in a folder of sources, or in the package.
    fn target(&self, package: &Package, path: &str, language: &Language) -> Option<Module> {
        let whole = walk("", path)?;
        let exact = self.file_or_folder(&join(&package.folder, &whole), language).filter(is_file);
        if exact.is_some() {
            return exact;
        }
        let folders = language.spec().symbols.module_files.sources.iter().map(String::as_str).chain([""]);
        let mut rest = whole.as_str();
        loop {
            let found = folders.clone().find_map(|folder| {
                let path = join(&join(&package.folder, folder), rest);
                self.file_or_folder(&path, language).filter(is_file)
            });
            if found.is_some() {
                return found;
            }
            rest = rest.split_once('/')?.1;
        }
    }

    /// The module at a path: a file with or without its extension, what a folder's manifest names, the file of a folder, or the
    /// folder.
    fn file_or_folder(&self, whole: &str, language: &Language) -> Option<Module> {
        let rules = &language.spec().symbols;
        if let Some(file) = self.file_with_extension(whole, language) {
            return Some(Module::File(file));
        }
        if let Some(package) = self.manifests.package_at(whole) {
            let fields = MAIN_FIELDS.iter().filter_map(|field| package.manifest.get(*field)?.as_str());
            let mut files = fields.filter_map(|path| self.file_with_extension(&walk(whole, path)?, language));
            if let Some(file) = files.next() {
                return Some(Module::File(file));
            }
        }
        let mut of_folder = rules.module_files.packages.iter();
        let of_folder = of_folder.find_map(|name| self.file_with_extension(&join(whole, name), language));
        of_folder.map(Module::File).or_else(|| self.folder_ids.get(whole).copied().map(Module::Folder))
    }

    /// The file at a path with or without its extension.
    fn file_with_extension(&self, whole: &str, language: &Language) -> Option<FileId> {
        let rules = &language.spec().symbols;
        let exact = self.file_at(whole);
        let extensions = rules.module_files.extensions.iter();
        let with = |stem: &str| extensions.clone().find_map(|extension| self.file_at(&format!("{stem}.{extension}")));
        // `./a.js` may be the file `a.ts`; `d.ts` is longer than `ts`.
        let written = rules.module_files.extensions.iter().filter(|extension| ends_with(whole, extension));
        let stem = written
            .max_by_key(|extension| extension.len())
            .map(|extension| &whole[..whole.len() - extension.len() - 1]);
        let is_own = language.extensions().iter().any(|extension| ends_with(whole, extension));
        if exact.is_some() && (is_own || stem.is_none()) {
            return exact;
        }
        stem.and_then(with).or(exact).or_else(|| with(whole))
    }
}

fn is_file(thing: &Module) -> bool {
    matches!(thing, Module::File(_))
}

/// Whether a path has an extension.
fn ends_with(path: &str, extension: &str) -> bool {
    path.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.') && !stem.ends_with("/."))
}

/// All paths in a value of a manifest, in order.
fn leaves(value: &Value, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::String(path) => found.push(path.clone()),
        Value::Array(all) if depth > 0 => all.iter().for_each(|value| leaves(value, depth - 1, found)),
        Value::Object(all) if depth > 0 => all.values().for_each(|value| leaves(value, depth - 1, found)),
        _ => {}
    }
}
