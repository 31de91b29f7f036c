//! No two files of the source use each other, directly or by way of others.
//!
//! Read from the paths in the source: `use` and paths written out. A path that goes through a `pub use` counts for the file that
//! defines the name. Calls of methods aren't seen: `impl` blocks of one type may be in several files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

type Module = Vec<String>;

/// A file's module, what it re-exports by name, and the paths in it.
#[derive(Debug, Default)]
struct File {
    exports: BTreeMap<String, Vec<Module>>,
    paths: BTreeSet<Module>,
}

fn words(path: &str) -> Module {
    path.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The paths of a `use`: `a::{b, c::{d, self}}`; names given by `as` are left out.
fn expand(tree: &str, before: &[String], found: &mut Vec<Module>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree);
        found.push([before, &words(path)[..]].concat());
        return;
    };
    let before = [before, &words(head)[..]].concat();
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut start) = (0, 0);
    for (at, sign) in inner.char_indices().chain([(inner.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..at].trim().is_empty() {
                    expand(&inner[start..at], &before, found);
                }
                start = (at + 1).min(inner.len());
            }
            _ => {}
        }
    }
}

fn read(folder: &Path, module: &[String], modules: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of the source").flatten() {
        let path = entry.path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let inner = [module, std::slice::from_ref(&name)].concat();
        let is_package = module.is_empty() && path.join("lib.rs").is_file();
        if path.is_dir() {
            // The modules of a package in the source are modules of the program like the others.
            read(&path, if is_package { module } else { &inner }, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
            let module = if matches!(name.as_str(), "mod" | "lib") { module.to_vec() } else { inner };
            modules.entry(module).or_default().push_str(&fs::read_to_string(&path).expect("source is text"));
        }
    }
}

fn parse(module: &[String], source: &str, modules: &BTreeMap<Module, String>) -> File {
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern of ours");
    let source = regex(r"(?m)^\s*//.*$").replace_all(source, "");
    let source = regex(r"pub\(in [\w:]+\)").replace_all(&source, "pub(super)");
    let imports = regex(r"(?m)^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);");
    let mut file = File::default();
    for found in imports.captures_iter(&source) {
        let mut paths = Vec::new();
        expand(&found[2], &[], &mut paths);
        for path in paths {
            if found.get(1).is_none() {
                file.paths.insert(path);
                continue;
            }
            let own = path.iter().rev().find(|word| *word != "self").cloned().unwrap_or_default();
            file.exports.entry(own).or_default().push(path);
        }
    }
    let body = imports.replace_all(&source, "");
    let absolute = regex(r"\b(?:crate|super|self)(?:::\w+)+");
    file.paths.extend(absolute.find_iter(&body).map(|path| words(path.as_str())));
    let child = regex(r"(?:^|[^\w:])([a-z_]+)::(\w+)");
    for found in child.captures_iter(&body) {
        if modules.contains_key(&[module, &[found[1].to_owned()]].concat()) {
            file.paths.insert(vec!["self".to_owned(), found[1].to_owned(), found[2].to_owned()]);
        }
    }
    file
}

/// An absolute path in the crate; `None` for paths of other crates.
fn absolute(module: &[String], path: &[String], modules: &BTreeMap<Module, String>) -> Option<Module> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|word| *word == "super").count();
            Some([module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat())
        }
        first => {
            let inner = [module, &[first.to_owned()]].concat();
            modules.contains_key(&inner).then(|| [module, path].concat())
        }
    }
}

/// The file that defines what a path names.
fn resolve(
    path: &[String],
    files: &BTreeMap<Module, File>,
    modules: &BTreeMap<Module, String>,
    hops: usize,
) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|&length| files.contains_key(&path[..length]))?;
    let module = path[..length].to_vec();
    let exported = path.get(length).filter(|_| hops < 6).and_then(|name| files[&module].exports.get(name));
    let through = exported
        .into_iter()
        .flatten()
        .find_map(|path| resolve(&absolute(&module, path, modules)?, files, modules, hops + 1));
    Some(through.unwrap_or(module))
}

/// The modules that can be reached from one.
fn reached(from: &Module, uses: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&Module> = uses.get(from).into_iter().flatten().collect();
    while let Some(module) = waiting.pop() {
        if reached.insert(module.clone()) {
            waiting.extend(uses.get(module).into_iter().flatten());
        }
    }
    reached
}

/// The modules of a source that are on a circle, each with those that it uses on it.
fn circles(folder: &Path) -> (usize, usize, BTreeMap<String, Vec<String>>) {
    let mut modules = BTreeMap::new();
    read(folder, &[], &mut modules);
    let files: BTreeMap<Module, File> =
        modules.iter().map(|(module, source)| (module.clone(), parse(module, source, &modules))).collect();
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in &files {
        let targets = file.paths.iter().filter_map(|path| {
            let target = resolve(&absolute(module, path, &modules)?, &files, &modules, 0)?;
            (target != *module && !target.is_empty()).then_some(target)
        });
        uses.insert(module.clone(), targets.collect());
    }
    let all: BTreeMap<&Module, BTreeSet<Module>> =
        files.keys().map(|module| (module, reached(module, &uses))).collect();
    let mut found = BTreeMap::new();
    for (module, reached) in all.iter().filter(|(module, reached)| reached.contains(**module)) {
        let on_circle = |other: &&Module| reached.contains(*other) && all[other].contains(*module);
        let next = uses[*module].iter().filter(on_circle).map(|other| other.join("/"));
        found.insert(module.join("/"), next.collect());
    }
    (files.len(), uses.values().map(BTreeSet::len).sum(), found)
}

#[test]
fn no_files_use_each_other() {
    let (files, uses, found) = circles(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files > 200 && uses > 800, "{files} files with {uses} uses are read");
    assert!(found.is_empty(), "{} files are on circles: {found:#?}", found.len());
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    write("lib.rs", "mod a;\nmod b;\n");
    write("a/mod.rs", "mod one;\nmod two;\npub use one::One;\n");
    write("a/one.rs", "use super::two::Two;\npub struct One(Two);\n");
    write("a/two.rs", "pub struct Two;\n");
    write("b.rs", "use crate::a::{One as First, two::{self, Two}};\n");
    assert!(circles(folder.path()).2.is_empty());
    // By way of what the folder's own file hands on.
    write("a/two.rs", "pub struct Two;\nfn f(one: &super::One) {}\n");
    let found = circles(folder.path()).2;
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["a/one", "a/two"]);
}
