//! What `package.json`, `tsconfig.json` and the like say about the names of modules.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::paths::{folder_of, is_below, join, walk};
use crate::project::Globs;

/// The manifest of a package. Others are `compilerOptions` or, in YAML, lists of folders.
const PACKAGE: &str = "package.json";
/// The files whose options count for the folder that they are in, the first that there is.
const OPTIONS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
/// How many files an option file extends, one after the other.
const MOST_EXTENDED: usize = 16;

/// A package, its folder and its manifest.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) manifest: Value,
}

/// The folders whose packages see each other.
#[derive(Debug)]
struct Workspace {
    folder: String,
    members: Globs,
    excluded: Globs,
}

/// What a written path means: `@app/*` to `src/app/*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PathOptions {
    /// The folder of names that are no paths.
    pub(super) base: Option<String>,
    /// Patterns, each with paths from the project's folder, in order.
    pub(super) paths: Vec<(String, Vec<String>)>,
}

/// What the manifests say.
#[derive(Debug, Default)]
pub(super) struct PackageManifests {
    /// Option files by path.
    options: FxHashMap<String, Value>,
    packages: Vec<Package>,
    workspaces: Vec<Workspace>,
    /// What counts in the folders that have an option file.
    resolved: FxHashMap<String, PathOptions>,
    seen: FxHashSet<String>,
}

impl PackageManifests {
    /// Takes in a manifest. One that cannot be read says nothing.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let folder = folder_of(path).to_owned();
        if path.ends_with(".yaml") || path.ends_with(".yml") {
            self.workspaces.extend(Workspace::new(folder, &listed_folders(text)));
            return;
        }
        let Ok(manifest) = serde_json::from_str::<Value>(&without_comments(text)) else { return };
        if path.rsplit('/').next() != Some(PACKAGE) {
            self.options.insert(path.to_owned(), manifest);
            return;
        }
        let listed = manifest.get("workspaces");
        let listed = listed.and_then(|listed| listed.as_array().or_else(|| listed.get("packages")?.as_array()));
        let members: Vec<String> =
            listed.into_iter().flatten().filter_map(|glob| Some(glob.as_str()?.to_owned())).collect();
        self.workspaces.extend(Workspace::new(folder.clone(), &members));
        let name = manifest.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.packages.push(Package { name, folder, manifest });
    }

    /// Whether the package of a file says that its files are modules.
    pub(super) fn is_of_modules(&self, file: &str) -> bool {
        let package = self.packages.iter().find(|package| is_below(file, &package.folder));
        package.and_then(|package| package.manifest.get("type")).and_then(Value::as_str) == Some("module")
    }

    /// Works out which options count where, once all manifests are known.
    pub(super) fn settle(&mut self) {
        let mut resolved = FxHashMap::default();
        for path in self.options.keys() {
            let folder = folder_of(path);
            if resolved.contains_key(folder) {
                continue;
            }
            let first = OPTIONS.iter().map(|name| join(folder, name)).find(|path| self.options.contains_key(path));
            let Some(first) = first else { continue };
            let mut found = self.options_of(&first, folder, 0);
            if found == PathOptions::default() {
                // A file of references: the options are in the files that it refers to.
                let references = self.options[&first].get("references").and_then(Value::as_array).into_iter().flatten();
                let beside = references.filter_map(|reference| walk(folder, reference.get("path")?.as_str()?));
                let others = beside.filter(|path| folder_of(path) == folder && self.options.contains_key(path));
                let mut options = others.map(|path| self.options_of(&path, folder, 0));
                found = options.find(|options| *options != PathOptions::default()).unwrap_or_default();
            }
            resolved.insert(folder.to_owned(), found);
        }
        self.resolved = resolved;
        // Inner packages before those around them.
        self.packages.sort_by(|one, other| {
            other.folder.len().cmp(&one.folder.len()).then_with(|| one.folder.cmp(&other.folder))
        });
    }

    /// What an option file says, with what it extends.
    fn options_of(&self, path: &str, top: &str, depth: usize) -> PathOptions {
        let Some(file) = self.options.get(path).filter(|_| depth < MOST_EXTENDED) else {
            return PathOptions::default();
        };
        let folder = folder_of(path);
        let mut found = PathOptions::default();
        let extended = match file.get("extends") {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![one.as_str()],
            _ => Vec::new(),
        };
        for extended in extended {
            let Some(other) = self.extended(folder, extended) else { continue };
            let more = self.options_of(&other, top, depth + 1);
            found.base = more.base.or(found.base);
            if !more.paths.is_empty() {
                found.paths = more.paths;
            }
        }
        let options = file.get("compilerOptions");
        let from = |path: &str| match path.strip_prefix("${configDir}") {
            Some(rest) => walk(top, rest.trim_start_matches('/')),
            None => walk(folder, path),
        };
        let base = options.and_then(|options| options.get("baseUrl")).and_then(Value::as_str).and_then(from);
        found.base = base.or(found.base);
        if let Some(paths) = options.and_then(|options| options.get("paths")).and_then(Value::as_object) {
            let root = found.base.clone().unwrap_or_else(|| folder.to_owned());
            let to = |path: &str| if path.starts_with("${") { from(path) } else { walk(&root, path) };
            let listed = |targets: &Value| {
                let targets = targets.as_array().into_iter().flatten();
                targets.filter_map(|target| to(target.as_str()?)).collect::<Vec<String>>()
            };
            found.paths = paths.iter().map(|(pattern, targets)| (pattern.clone(), listed(targets))).collect();
        }
        found
    }

    /// The option file that another one extends: a path, or one of a package in the project.
    fn extended(&self, folder: &str, extended: &str) -> Option<String> {
        let path = match extended.starts_with('.') {
            true => walk(folder, extended)?,
            false => {
                let (name, rest) = package_and_rest(extended)?;
                let package = self.packages.iter().find(|package| package.name == name)?;
                join(&package.folder, if rest.is_empty() { OPTIONS[0] } else { rest })
            }
        };
        let paths = [path.clone(), format!("{path}.json"), join(&path, OPTIONS[0])];
        paths.into_iter().find(|path| self.options.contains_key(path))
    }

    /// The options that count for a file: those of the nearest folder that has some.
    pub(super) fn options_for(&self, path: &str) -> Option<&PathOptions> {
        around(path).find_map(|folder| self.resolved.get(folder))
    }

    /// The package that a file is in.
    pub(super) fn package_around(&self, path: &str) -> Option<&Package> {
        self.packages.iter().find(|package| is_below(path, &package.folder))
    }

    /// The package in a folder.
    pub(super) fn package_at(&self, folder: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.folder == folder)
    }

    /// The package of the project that a file sees under a name: its own, one of the same workspace, or one that its package
    /// depends on by a path.
    pub(super) fn package_seen(&self, path: &str, name: &str) -> Option<&Package> {
        let own = self.package_around(path);
        if let Some(own) = own.filter(|own| own.name == name) {
            return Some(own);
        }
        let groups = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
        let written = |package: &Package| {
            let found = groups.iter().find_map(|group| package.manifest.get(*group)?.get(name)?.as_str());
            let path = found
                .and_then(|found| found.split_once(':'))
                .filter(|(how, _)| ["file", "link", "portal"].contains(how));
            path.and_then(|(_, path)| walk(&package.folder, path))
        };
        if let Some(folder) = own.and_then(written) {
            return self.package_at(&folder);
        }
        let mut named = self.packages.iter().filter(|package| package.name == name);
        named.find(|package| {
            self.workspaces.iter().any(|workspace| is_below(path, &workspace.folder) && workspace.has(&package.folder))
        })
    }
}

impl Workspace {
    /// A workspace with the packages that globs name; `None` if there are no globs. A glob after `!` excludes packages.
    fn new(folder: String, globs: &[String]) -> Option<Workspace> {
        // A package is a folder with a manifest, so `packages/**` includes `packages` itself.
        let of_manifest = |glob: &str| format!("{}/{PACKAGE}", glob.trim_start_matches("./").trim_end_matches('/'));
        let (excluded, members): (Vec<&String>, Vec<&String>) = globs.iter().partition(|glob| glob.starts_with('!'));
        let members: Vec<String> = members.into_iter().map(|glob| of_manifest(glob)).collect();
        let excluded: Vec<String> = excluded.into_iter().map(|glob| of_manifest(&glob[1..])).collect();
        let globs = |globs: &[String]| Globs::new(globs.iter().map(String::as_str));
        (!members.is_empty()).then(|| Workspace { folder, members: globs(&members), excluded: globs(&excluded) })
    }

    fn has(&self, folder: &str) -> bool {
        let Some(below) = folder.strip_prefix(self.folder.as_str()) else { return false };
        let manifest = join(below.trim_start_matches('/'), PACKAGE);
        self.members.matches(&manifest) && !self.excluded.matches(&manifest)
    }
}

/// What the `*` of a pattern is in a text; empty if the pattern has none.
pub(super) fn fill<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((head, tail)) => {
            let rest = text.strip_prefix(head)?;
            rest.strip_suffix(tail)
        }
    }
}

/// The package that a name begins with, and the rest: `@a/b` and `c` of `@a/b/c`.
pub(super) fn package_and_rest(source: &str) -> Option<(&str, &str)> {
    let end = match source.starts_with('@') {
        true => {
            let slash = source.find('/')?;
            source[slash + 1..].find('/').map_or(source.len(), |next| slash + 1 + next)
        }
        false => source.find('/').unwrap_or(source.len()),
    };
    let (name, rest) = source.split_at(end);
    (!name.is_empty()).then_some((name, rest.trim_start_matches('/')))
}

/// The folders around a path, the nearest first.
fn around(path: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder_of(path));
    std::iter::from_fn(move || {
        let folder = next?;
        next = (!folder.is_empty()).then(|| folder_of(folder));
        Some(folder)
    })
}

/// The list `packages` of a YAML file.
fn listed_folders(text: &str) -> Vec<String> {
    let mut listed = Vec::new();
    let mut is_inside = false;
    let plain = |word: &str| word.trim().trim_matches(['"', '\'']).to_owned();
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or(line);
        if let Some(rest) = line.strip_prefix("packages:") {
            is_inside = true;
            let inline = rest.trim().trim_start_matches('[').trim_end_matches(']');
            listed.extend(inline.split(',').map(plain).filter(|word| !word.is_empty()));
        } else if let Some(item) = line.trim_start().strip_prefix("- ").filter(|_| is_inside) {
            listed.push(plain(item));
        } else if !line.trim().is_empty() && !line.starts_with([' ', '#']) {
            is_inside = false;
        }
    }
    listed
}

/// A JSON text with blanks for its comments and its trailing commas.
fn without_comments(text: &str) -> String {
    let mut bytes = text.trim_start_matches('\u{feff}').as_bytes().to_vec();
    let mut comma = None;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => {
                comma = None;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            (b'/', Some(b'/')) => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    bytes[at] = b' ';
                    at += 1;
                }
            }
            (b'/', Some(b'*')) => {
                let end =
                    bytes[at + 2..].windows(2).position(|two| two == b"*/").map_or(bytes.len(), |end| at + end + 4);
                bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
                at = end - 1;
            }
            (b',', _) => comma = Some(at),
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            (other, _) if !other.is_ascii_whitespace() => comma = None,
            _ => {}
        }
        at += 1;
    }
    String::from_utf8(bytes).unwrap_or_default()
}
