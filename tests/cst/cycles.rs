//! No two files of the source use each other, directly or by way of others.
//!
//! Read from the paths in the source: `use` and paths written out. A path that goes through a `pub use` counts for the file that
//! defines the name.
//!
//! Inherent methods of one type may be in several files, and their calls name no path. So a file also uses another one if it calls a
//! method that is defined there, of a type with methods in several files: `self.m()` and `Self::m()` in an `impl` of the type, and `x.m()`
//! in a file that names the type, if no other method of the source has that name. The circles that this finds today are listed in [`KNOWN`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use super::style::pattern;

type Module = Vec<String>;

/// The circles by calls of methods. A file leaves the list when it has left its circle; none is added.
const KNOWN: &[&[&str]] = &[
    &["selector/bind", "selector/evaluate", "selector/evaluate_attribute", "selector/kinds", "selector/query"],
    &["selector/resolve", "selector/resolve_attribute"],
    &["serve/mcp/symbol_text", "serve/mcp/text"],
    // The uses of a method say what its arguments are, and these say what may be a use of another.
    &["question/subject/callers", "question/subject/doubts", "question/subject/join", "question/subject/uses"],
    &[
        "symbols/inference/anonymous",
        "symbols/inference/attached",
        "symbols/inference/classes",
        "symbols/inference/constructed",
        "symbols/inference/containers",
        "symbols/inference/errors",
        "symbols/inference/extended",
        "symbols/inference/find",
        "symbols/inference/free_names",
        "symbols/inference/hierarchy",
        "symbols/inference/import",
        "symbols/inference/labels",
        "symbols/inference/loose",
        "symbols/inference/macro_text",
        "symbols/inference/meaning",
        "symbols/inference/opened",
        "symbols/inference/paths",
        "symbols/inference/precise",
        "symbols/inference/rebound",
        "symbols/inference/tested",
        "symbols/inference/text_names",
        "symbols/inference/types",
        "symbols/inference/value",
    ],
];

/// A file's module, what it re-exports by name, and the paths in it.
#[derive(Debug, Default)]
struct File {
    exports: BTreeMap<String, Vec<Module>>,
    paths: BTreeSet<Module>,
    /// The names of all methods that it defines, those of traits included.
    methods: BTreeSet<String>,
    /// The inherent `impl` blocks.
    impls: Vec<Impl>,
    /// The names of methods that it calls.
    calls: BTreeSet<String>,
    /// The words with a capital letter: names of types, among others.
    names: BTreeSet<String>,
}

/// An inherent `impl` block: the name of its type, the methods that it defines, and those that it calls of the same type.
#[derive(Debug, Default)]
struct Impl {
    name: String,
    methods: BTreeSet<String>,
    calls: BTreeSet<String>,
}

/// The inherent `impl` blocks of a source in the layout of rustfmt: a block ends with a brace at the indentation of its first line.
fn impls(source: &str) -> Vec<Impl> {
    let head = pattern(r"^( *)impl(?:<.*?>)? (?:\w+::)*(\w+)(?:<.*>)? (?:where .*)?\{$");
    let method = pattern(r"\bfn (\w+)");
    let call = pattern(r"\b(?:self\s*\.|Self::)(\w+)\(");
    let mut found = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let Some(captures) = head.captures(line).filter(|_| !line.contains(" for ")) else { continue };
        let end = format!("{}}}", &captures[1]);
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
        let body = body.join("\n");
        let names = |pattern: &Regex| pattern.captures_iter(&body).map(|name| name[1].to_owned()).collect();
        found.push(Impl { name: captures[2].to_owned(), methods: names(&method), calls: names(&call) });
    }
    found
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
    let source = pattern(r"(?m)^\s*//.*$").replace_all(source, "");
    let source = pattern(r"pub\(in [\w:]+\)").replace_all(&source, "pub(super)");
    let imports = pattern(r"(?m)^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);");
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
    file.impls = impls(&source);
    let method = pattern(r"(?m)^ +(?:pub(?:\([^)]*\))? )?(?:const |unsafe |async )*fn (\w+)");
    file.methods = method.captures_iter(&source).map(|name| name[1].to_owned()).collect();
    file.calls = pattern(r"\.(\w+)\(").captures_iter(&source).map(|name| name[1].to_owned()).collect();
    file.names = pattern(r"\b[A-Z]\w*").find_iter(&source).map(|name| name.as_str().to_owned()).collect();
    let absolute = pattern(r"\b(?:crate|super|self)(?:::\w+)+");
    file.paths.extend(absolute.find_iter(&body).map(|path| words(path.as_str())));
    let child = pattern(r"(?:^|[^\w:])([a-z_]+)::(\w+)");
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

/// The paths from each file to the files that it names.
fn uses_by_paths(
    files: &BTreeMap<Module, File>,
    modules: &BTreeMap<Module, String>,
) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in files {
        let targets = file.paths.iter().filter_map(|path| {
            let target = resolve(&absolute(module, path, modules)?, files, modules, 0)?;
            (target != *module && !target.is_empty()).then_some(target)
        });
        uses.insert(module.clone(), targets.collect());
    }
    uses
}

/// The files with inherent methods, by the file that defines the type and its name.
fn methods_of_types<'f>(
    files: &'f BTreeMap<Module, File>,
    modules: &BTreeMap<Module, String>,
) -> BTreeMap<(Module, String), Vec<(&'f Module, &'f Impl)>> {
    let mut types: BTreeMap<(Module, String), Vec<(&Module, &Impl)>> = BTreeMap::new();
    for (module, file) in files {
        for block in &file.impls {
            let imported = file.paths.iter().filter(|path| path.last() == Some(&block.name));
            let home = imported.filter_map(|path| resolve(&absolute(module, path, modules)?, files, modules, 0)).next();
            let home = home.unwrap_or_else(|| module.clone());
            types.entry((home, block.name.clone())).or_default().push((module, block));
        }
    }
    types.retain(|_, blocks| blocks.iter().any(|(module, _)| *module != blocks[0].0));
    types
}

/// Adds the uses of files by calls of methods.
fn add_calls(
    uses: &mut BTreeMap<Module, BTreeSet<Module>>,
    files: &BTreeMap<Module, File>,
    modules: &BTreeMap<Module, String>,
) {
    let mut defined: BTreeMap<&String, usize> = BTreeMap::new();
    files.values().flat_map(|file| &file.methods).for_each(|name| *defined.entry(name).or_default() += 1);
    for ((_, name), blocks) in &methods_of_types(files, modules) {
        for (home, block) in blocks {
            for (caller, calling) in blocks.iter().filter(|(caller, _)| caller != home) {
                if !calling.calls.is_disjoint(&block.methods) {
                    uses.entry((*caller).clone()).or_default().insert((*home).clone());
                }
            }
            let own: BTreeSet<String> =
                block.methods.iter().filter(|name| defined.get(name) == Some(&1)).cloned().collect();
            let naming = files.iter().filter(|(caller, file)| caller != home && file.names.contains(name));
            for (caller, file) in naming {
                if !file.calls.is_disjoint(&own) {
                    uses.entry(caller.clone()).or_default().insert((*home).clone());
                }
            }
        }
    }
}

/// The files of a source on circles: those by paths alone, each with the files that it uses on its circle, and all circles, with calls
/// of methods.
struct Circles {
    files: usize,
    uses: usize,
    by_paths: BTreeMap<String, Vec<String>>,
    with_calls: BTreeSet<BTreeSet<String>>,
}

fn circles(folder: &Path) -> Circles {
    let mut modules = BTreeMap::new();
    read(folder, &[], &mut modules);
    let files: BTreeMap<Module, File> =
        modules.iter().map(|(module, source)| (module.clone(), parse(module, source, &modules))).collect();
    let mut uses = uses_by_paths(&files, &modules);
    let count = uses.values().map(BTreeSet::len).sum();
    let name = |module: &Module| module.join("/");
    let mut by_paths = BTreeMap::new();
    for circle in on_circles(&uses) {
        let next = |module: &Module| uses[module].intersection(&circle).map(name).collect();
        by_paths.extend(circle.iter().map(|module| (name(module), next(module))));
    }
    add_calls(&mut uses, &files, &modules);
    let with_calls = on_circles(&uses).iter().map(|circle| circle.iter().map(name).collect()).collect();
    Circles { files: files.len(), uses: count, by_paths, with_calls }
}

/// The sets of files that all use each other, directly or by way of others.
fn on_circles(uses: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let all: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|module| (module, reached(module, uses))).collect();
    let mut circles: Vec<BTreeSet<Module>> = Vec::new();
    for (module, reached) in all.iter().filter(|(module, reached)| reached.contains(**module)) {
        if circles.iter().all(|circle| !circle.contains(*module)) {
            circles.push(reached.iter().filter(|other| all[other].contains(*module)).cloned().collect());
        }
    }
    circles
}

#[test]
fn no_files_use_each_other() {
    let found = circles(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(found.files > 200 && found.uses > 800, "{} files with {} uses are read", found.files, found.uses);
    assert!(found.by_paths.is_empty(), "{} files are on circles: {:#?}", found.by_paths.len(), found.by_paths);
    let known: BTreeSet<BTreeSet<String>> =
        KNOWN.iter().map(|circle| circle.iter().map(|file| (*file).to_owned()).collect()).collect();
    let new: Vec<_> =
        found.with_calls.iter().filter(|circle| !known.iter().any(|known| circle.is_subset(known))).collect();
    assert!(new.is_empty(), "files that use each other by calls of methods: {new:#?}");
    let left: BTreeSet<&String> = known.iter().flatten().collect();
    let left: Vec<_> = left.difference(&found.with_calls.iter().flatten().collect()).copied().cloned().collect();
    assert!(left.is_empty(), "on no circle any more, so take them out of `KNOWN`: {left:#?}");
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
    assert!(circles(folder.path()).by_paths.is_empty());
    // By way of what the folder's own file hands on.
    write("a/two.rs", "pub struct Two;\nfn f(one: &super::One) {}\n");
    let found = circles(folder.path()).by_paths;
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["a/one", "a/two"]);
}

#[test]
fn a_circle_by_calls_of_methods_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod one;\nmod three;\nmod two;\n");
    write("one.rs", "pub struct One;\nimpl One {\n    fn first(&self) {}\n}\n");
    write("two.rs", "use crate::one::One;\nimpl One {\n    fn second(&self) {\n        self.first();\n    }\n}\n");
    write("three.rs", "use crate::one::One;\nimpl One {\n    fn third(&self) {\n        self.second();\n    }\n}\n");
    assert!(circles(folder.path()).with_calls.is_empty());
    // A call of its own method leads to the file where that is defined.
    write("one.rs", "pub struct One;\nimpl One {\n    fn first(&self) {\n        self.second();\n    }\n}\n");
    let named =
        |circle: &[&str]| BTreeSet::from([circle.iter().map(|file| (*file).to_owned()).collect::<BTreeSet<_>>()]);
    assert_eq!(circles(folder.path()).with_calls, named(&["one", "two"]));
    // Another type's method of that name does not count, and neither does the caller's own.
    write(
        "one.rs",
        "pub struct One;\nstruct Two;\nimpl Two {\n    fn second(&self) {}\n    fn f(&self) {\n        self.second();\n    }\n}\n",
    );
    assert!(circles(folder.path()).with_calls.is_empty());
    // Any object, if the name is that of one method alone.
    write("one.rs", "pub struct One;\nfn f(one: &One) {\n    one.third();\n}\n");
    assert_eq!(circles(folder.path()).with_calls, named(&["one", "three", "two"]));
}
