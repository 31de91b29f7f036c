//! The modules that an import loads: those of the project, those that they load in turn, and which of them do something then.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Flow;
use crate::imports::import_key;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::symbols::{ImportedName, Meaning, Resolver, Thing};
use crate::tree::{Node, Tree};

/// A file, with the modules that it loads when it is loaded.
#[derive(Debug, Default)]
pub(crate) struct LoadedFile {
    /// Whether it does something then, beyond definitions.
    acts: bool,
    /// Whether it adds to the types of other modules.
    adds: bool,
    imports: Vec<LoadedImport>,
}

/// A name that a file imports when it is loaded.
#[derive(Debug)]
struct LoadedImport {
    /// The module and the name, as the file has them.
    key: String,
    /// The files that this loads first, those of packages included.
    modules: Vec<FileId>,
    /// Whether it is loaded with the file, and not when a function is called.
    is_now: bool,
    /// Whether it is loaded in any case, and not under a condition.
    is_always: bool,
}

/// Modules that do something when they are loaded.
pub(crate) type Acting = Arc<FxHashSet<FileId>>;

/// The modules that all files load.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    files: FxHashMap<FileId, LoadedFile>,
    /// The modules that a file loads and that act, with those under conditions or without.
    known: Mutex<FxHashMap<(FileId, bool), Acting>>,
}

/// The modules that the imports of a file load.
#[derive(Debug, Default)]
pub(crate) struct FileLoading {
    /// The modules that act and that an import may load, by its key.
    pub(crate) acting: FxHashMap<String, FxHashSet<FileId>>,
    /// The modules that act and that an import loads in any case, by its key.
    pub(crate) loaded: FxHashMap<String, FxHashSet<FileId>>,
    /// The keys of imports whose module adds to the types of others.
    pub(crate) adding: FxHashSet<String>,
    /// The files that an import may load, by its key.
    pub(crate) reached: FxHashMap<String, FxHashSet<FileId>>,
    /// The keys of imports whose module loads the file itself, or another one that the file imports and that loads it in turn.
    pub(crate) circular: FxHashSet<String>,
}

/// The modules that a file loads.
pub(crate) fn loaded_file(resolver: &Resolver<'_>, file: FileId) -> LoadedFile {
    let Some(tree) = resolver.tree(file) else { return LoadedFile::default() };
    let flow = Flow::new(tree);
    let acts = flow.effect_of_loading(&[]).is_some()
        || calls_project(resolver, file, tree)
        || resolver.runs_code_of_bases(file);
    let names = resolver.imported_names(file);
    let names = names.iter().filter(|import| import.type_block.is_none());
    let imports = names.map(|import| {
        let is_now = flow.function_of(import.statement) == Node::ROOT;
        let modules = modules_of(resolver, file, import);
        let key = import_key(&import.source, &import.name);
        LoadedImport { key, modules, is_now, is_always: is_now && import.is_at_top }
    });
    let additions = &tree.language().spec().symbols.hidden_uses.additions;
    let table = tree.table();
    let has_name = |node: Node| table.children(node).any(|child| tree.language().role(table.type_id(child)).string);
    let adds = table.nodes().any(|node| additions.contains(table.type_id(node)) && has_name(node));
    LoadedFile { acts, adds, imports: imports.filter(|import| !import.modules.is_empty()).collect() }
}

/// The modules of the project that a file imports and that call something when they are loaded, as the file names them.
pub(super) fn modules_with_effects(resolver: &Resolver<'_>, file: FileId) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for import in resolver.imported_names(file) {
        let name = if import.source.is_empty() { import.name } else { import.source };
        let Some(Thing::Module(module)) = resolver.imported_module(file, &name) else { continue };
        let Some(tree) = resolver.tree(module).filter(|_| module != file) else { continue };
        if Flow::new(tree).effect_of_loading(&[]).is_some() || calls_project(resolver, module, tree) {
            found.insert(name.trim_matches(['"', '\'', '`']).to_owned());
        }
    }
    found
}

/// Whether a module calls a function or a class of the project when it is loaded: for a variable, a default value, a base, a decorator.
fn calls_project(resolver: &Resolver<'_>, module: FileId, tree: &Tree) -> bool {
    let (flow, table) = (Flow::new(tree), tree.table());
    let calls = table.nodes().filter_map(|node| Some((node, tree.callee(node)?)));
    let in_program =
        |call: Node| table.ancestors(call).any(|around| around != Node::ROOT && flow.is_of_program(around));
    let mut loading = calls.filter(|(call, _)| flow.function_of(*call) == Node::ROOT && !in_program(*call));
    let is_own = |callee: Node| {
        let names =
            table.range(callee.index(), table.subtree_end(callee)).filter(|&node| flow.scopes.is_identifier(node));
        let names: Vec<Node> = names.collect();
        // `registry.append(f)`
        let is_elsewhere = |name: &&Node| {
            let Meaning::Known(things) = resolver.meaning(module, **name) else { return false };
            things.iter().any(|thing| matches!(thing, Thing::Symbol(site) if site.file != module))
        };
        let is_known = |name: &Node| matches!(resolver.meaning(module, *name), Meaning::Known(_));
        names.last().is_some_and(is_known) || names.iter().any(|name| is_elsewhere(&name))
    };
    loading.any(|(_, callee)| is_own(callee))
}

/// The files that an import loads first.
fn modules_of(resolver: &Resolver<'_>, file: FileId, import: &ImportedName) -> Vec<FileId> {
    let name = if import.source.is_empty() { &import.name } else { &import.source };
    let Some(thing) = resolver.imported_module(file, name) else { return Vec::new() };
    let child = (!import.source.is_empty()).then(|| resolver.child_module(file, thing, &import.name)).flatten();
    let modules = [Some(thing), child].into_iter().flatten().filter_map(|thing| match thing {
        Thing::Module(module) => Some(module),
        _ => None,
    });
    let mut found = Vec::new();
    for module in modules {
        found.extend(packages_around(resolver, module));
        found.push(module);
    }
    found.retain(|module| *module != file);
    found
}

/// The files of the packages around a module, which are loaded before it.
fn packages_around(resolver: &Resolver<'_>, module: FileId) -> Vec<FileId> {
    let project = resolver.project();
    let (path, language) = (Path::new(&project.file(module).path), project.file(module).language);
    if language.spec().symbols.modules != Some(ModuleScheme::Dotted) {
        return Vec::new();
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let folders = path.ancestors().skip(1).filter_map(Path::to_str);
    let files = folders.map_while(|folder| {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut stems = language.spec().symbols.module_files.packages.iter();
        stems.find_map(|stem| project.at(&format!("{start}{stem}.{ending}")))
    });
    files.filter(|&package| package != module).collect()
}

impl Loading {
    pub(crate) fn add(&mut self, file: FileId, loaded: LoadedFile) {
        self.files.insert(file, loaded);
    }

    /// The modules that the imports of a file load.
    pub(crate) fn of_file(&self, resolver: &Resolver<'_>, file: FileId) -> FileLoading {
        let mut found = FileLoading::default();
        let Some(own) = self.files.get(&file) else { return found };
        // They are loaded before the file in any case.
        let mut before: FxHashSet<FileId> = FxHashSet::from_iter([file]);
        for package in packages_around(resolver, file) {
            before.extend(self.acting(package, false).iter());
        }
        for import in &own.imports {
            let acting = |may: bool| {
                let modules =
                    import.modules.iter().flat_map(|&module| Vec::from_iter(self.acting(module, may).iter().copied()));
                modules.filter(|module| !before.contains(module)).collect::<FxHashSet<FileId>>()
            };
            found.acting.entry(import.key.clone()).or_default().extend(acting(true));
            if import.is_always {
                found.loaded.entry(import.key.clone()).or_default().extend(acting(false));
            }
            let is_in_circle = |module: FileId| {
                let reached = self.reached(module, true);
                let others = own.imports.iter().flat_map(|other| &other.modules);
                let mut others = others.filter(|other| **other != module && reached.contains(other));
                reached.contains(&file) || others.any(|&other| self.reached(other, true).contains(&module))
            };
            if import.modules.iter().any(|&module| is_in_circle(module)) {
                found.circular.insert(import.key.clone());
            }
            if import.modules.iter().any(|module| self.files.get(module).is_some_and(|loaded| loaded.adds)) {
                found.adding.insert(import.key.clone());
            }
            let reached = import.modules.iter().flat_map(|&module| self.reached(module, true));
            found.reached.entry(import.key.clone()).or_default().extend(reached);
        }
        found
    }

    /// The modules that act among those that a module loads, itself included; with those that it `may` load, under a condition.
    fn acting(&self, module: FileId, may: bool) -> Acting {
        let mut known = self.known.lock().expect("nothing panics while they are held");
        let acting = || {
            let reached = self.reached(module, may).into_iter();
            Arc::new(reached.filter(|file| self.files.get(file).is_some_and(|loaded| loaded.acts)).collect())
        };
        Arc::clone(known.entry((module, may)).or_insert_with(acting))
    }

    /// The files that a module loads, itself included.
    fn reached(&self, module: FileId, may: bool) -> FxHashSet<FileId> {
        let mut reached = FxHashSet::from_iter([module]);
        let mut waiting = vec![module];
        while let Some(next) = waiting.pop() {
            let imports = self.files.get(&next).into_iter().flat_map(|loaded| &loaded.imports);
            for import in imports.filter(|import| import.is_always || may && import.is_now) {
                waiting.extend(import.modules.iter().copied().filter(|module| reached.insert(*module)));
            }
        }
        reached
    }
}
