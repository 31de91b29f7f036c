//! Where a file names modules: in imports, exports, calls that load one, and paths in strings.

use super::inference::resolver::{Resolver, View};
use super::model::{Meaning, Thing};
use super::project::Project;
use super::schemes::loaded;
use crate::language::{Language, Languages, ModuleScheme};
use crate::modules::FileId;
use crate::modules::{Written, folder_of, is_below, join, relative_path, walk, without_extension};
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Part, Tree};

/// The longest string that may be a path, in bytes.
const LONGEST_PATH: usize = 512;

/// A place where a file names a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleUse {
    /// The import or export; otherwise the string or the path.
    pub statement: Node,
    /// Where the name is.
    pub span: Span,
    /// The name.
    pub text: String,
    /// The module that it means; `None` for one outside of the project, or a path to something else.
    pub target: Option<Thing>,
    /// How it is named.
    pub kind: ModuleUseKind,
    /// The language of the code that names it: of the file, or of code inside of it.
    pub language: &'static Language,
}

/// How a module is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleUseKind {
    /// As that from which names are imported or exported: `from a.b import c`, `export * from "./b"`, `require("./b")`.
    Source,
    /// As a path that an import binds: `import a.b`, or with an alias `import a.b as c`.
    Path {
        /// Whether it has an alias.
        has_alias: bool,
    },
    /// As one of the names imported from a package: `from a import b`.
    Member(ModuleMember),
    /// By a path in code: `a.b.c`.
    Expression,
    /// By a string that is a path to it.
    String,
    /// By a string or a value of a page that is the path of a file: `open("a.py")`, `src="a.js"`.
    Value,
}

/// A module that is imported as a name from a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleMember {
    /// The part of the import with the name.
    pub node: Node,
    /// The package, as it is written.
    pub package: String,
    /// Where the package is written.
    pub package_span: Span,
    /// The name by which the file calls it.
    pub alias: Option<String>,
    /// Whether the statement imports nothing else.
    pub is_alone: bool,
}

impl Resolver<'_> {
    /// Where a file names modules. Names that are imported from a package are listed besides the package.
    pub fn module_uses(&self, file: FileId) -> Vec<ModuleUse> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let mut uses = self.uses_in_code(&view);
        uses.extend(self.uses_inside(&view));
        uses.extend(self.uses_as_values(&view));
        let unread = self.uses_in_text(&view, &uses);
        uses.extend(unread);
        uses.sort_by_key(|one| one.span.start());
        uses
    }

    /// Where code names modules.
    fn uses_in_code(&self, view: &View<'_>) -> Vec<ModuleUse> {
        let (file, language) = (view.file, view.tree.language());
        let mut uses: Vec<ModuleUse> = Vec::new();
        let imports = view.imports().iter().map(|found| (found, false));
        let exports = view.exports().iter().map(|found| (found, true));
        for ((statement, part), is_export) in imports.chain(exports) {
            let import = |text: &str| self.project().imported_module(file, language, text);
            let (statement, places) = (*statement, part.places);
            if part.source.is_empty() {
                let Some(span) = places.name.filter(|_| !part.name.is_empty() && !is_export) else { continue };
                let kind = ModuleUseKind::Path { has_alias: part.alias.is_some() };
                let (text, target) = (part.name.clone(), import(&part.name));
                uses.push(ModuleUse { statement, span, text, target, kind, language });
                continue;
            }
            let Some(span) = places.source else { continue };
            let target = import(&part.source);
            if !uses.iter().any(|known| known.span == span) {
                let (text, kind) = (part.source.clone(), ModuleUseKind::Source);
                uses.push(ModuleUse { statement, span, text, target, kind, language });
            }
            let is_whole = part.is_glob || view.rules.module_words.whole.contains(&part.name);
            // Where modules are named by paths, a module that another one exports goes by the name that it gets there.
            let has_own_name = view.is(ModuleScheme::Relative);
            let (Some(package), Some(name)) = (target.filter(|_| !is_whole && !has_own_name), places.name) else {
                continue;
            };
            if let Meaning::Known(things) = self.member_of_module(package, &part.name)
                && let [thing @ (Thing::Module(_) | Thing::Folder(_))] = things[..]
            {
                let parts = view.imports().iter().chain(view.exports());
                let member = ModuleMember {
                    node: part.node,
                    package: part.source.clone(),
                    package_span: span,
                    alias: part.alias.clone(),
                    is_alone: parts.filter(|(other, _)| *other == statement).count() == 1,
                };
                let kind = ModuleUseKind::Member(member);
                let (text, target) = (part.name.clone(), Some(thing));
                uses.push(ModuleUse { statement, span: name, text, target, kind, language });
            }
        }
        uses.extend(self.module_strings(view));
        uses.extend(self.module_paths(view));
        uses
    }

    /// Where code inside of a file names modules by their paths.
    pub(in crate::symbols) fn uses_inside(&self, view: &View<'_>) -> Vec<ModuleUse> {
        let table = view.tree.table();
        let is_by_path =
            |part: &&Part| !part.is_shown && part.language.spec().symbols.modules == Some(ModuleScheme::Relative);
        let mut found = Vec::new();
        for part in view.tree.parts(Languages::built_in()).iter().filter(is_by_path) {
            let Ok(code) = Tree::parse_part(view.tree.text().clone(), part, &ParseLimits::default()) else { continue };
            let uses = self.uses_in_code(&View::new(view.file, &code)).into_iter();
            found.extend(uses.map(|one| ModuleUse { statement: table.smallest_around(one.span), ..one }));
        }
        found
    }

    /// The paths of modules in text that the grammar does not read as that, besides those that are known.
    fn uses_in_text(&self, view: &View<'_>, known: &[ModuleUse]) -> Vec<ModuleUse> {
        let (table, language) = (view.tree.table(), view.tree.language());
        let rule = &view.rules.loaded_modules.path_text;
        let mut found = Vec::new();
        if !view.is(ModuleScheme::Relative) {
            return found;
        }
        let text = view.tree.text().to_string();
        for captures in rule.get().captures_iter(&text) {
            let Some(path) = captures.get(1) else { continue };
            let span = Span::new(path.start(), path.end());
            if known.iter().any(|one| one.span == span) {
                continue;
            }
            let statement = table.smallest_around(span);
            let is_text = view.tree.is_comment(statement) || language.role(table.type_id(statement)).string;
            let kind = if is_text { ModuleUseKind::String } else { ModuleUseKind::Source };
            let target = self.project().imported_module(view.file, language, path.as_str());
            let target = target.filter(|thing| matches!(thing, Thing::Module(_)));
            found.push(ModuleUse { statement, span, text: path.as_str().to_owned(), target, kind, language });
        }
        found
    }

    /// The strings, and the values of a page, that are paths to files of the project: from the folder of the file, or from the root.
    fn uses_as_values(&self, view: &View<'_>) -> Vec<ModuleUse> {
        let (table, language) = (view.tree.table(), view.tree.language());
        let values = &view.rules.loaded_modules.path_values;
        let is_by_path = view.is(ModuleScheme::Relative);
        let (project, folder) = (self.project(), folder_of(&self.project().file(view.file).path));
        let mut found = Vec::new();
        let mut skip_to = 0;
        for node in table.nodes() {
            let is_value = values.contains(table.type_id(node));
            if node.index() < skip_to || !is_value && !language.role(table.type_id(node)).string {
                continue;
            }
            let whole = view.tree.node_text(node);
            let (text, at) = match loaded::plain_string(&whole) {
                Some(text) => (text, 1),
                None if is_value => (whole.split(['?', '#']).next().unwrap_or_default(), 0),
                None => continue,
            };
            skip_to = table.subtree_end(node);
            // Those are paths of modules.
            if text.len() > LONGEST_PATH || is_by_path && (text.starts_with("./") || text.starts_with("../")) {
                continue;
            }
            let path = text.trim_start_matches('/');
            let from_here = || walk(folder, path).and_then(|path| project.at(&path));
            let from_root = || walk("", path).and_then(|path| project.at(&path)).filter(|_| path.contains('/'));
            let other = from_here().or_else(from_root).filter(|&other| other != view.file && !path.is_empty());
            let Some(other) = other else { continue };
            let start = table.span(node).start() + at;
            let (statement, span) = (node, Span::new(start, start + text.len()));
            let (text, target) = (text.to_owned(), Some(Thing::Module(other)));
            found.push(ModuleUse { statement, span, text, target, kind: ModuleUseKind::Value, language });
        }
        let is_import = |one: &ModuleUse| {
            view.imports().iter().chain(view.exports()).any(|(whole, _)| table.is_within(one.statement, *whole))
        };
        // What an import means is known where imports are followed.
        found.retain(|one| view.rules.modules.is_none() || !is_import(one));
        found
    }

    /// The strings that are paths to modules: of calls that load them, and others.
    fn module_strings(&self, view: &View<'_>) -> Vec<ModuleUse> {
        let mut found = Vec::new();
        if view.rules.modules != Some(ModuleScheme::Relative) {
            return found;
        }
        let (table, language) = (view.tree.table(), view.tree.language());
        let is_loaded = |node: Node| {
            table.ancestors(node).take(2).any(|call| {
                let callee = view.tree.callee_text(call);
                callee.is_some_and(|callee| view.rules.loaded_modules.path_calls.iter().any(|known| *known == *callee))
            })
        };
        let is_in_import =
            |node: Node| view.imports().iter().chain(view.exports()).any(|(whole, _)| table.is_within(node, *whole));
        let mut skip_to = 0;
        for node in table.nodes() {
            if node.index() < skip_to || !view.tree.language().role(table.type_id(node)).string {
                continue;
            }
            skip_to = table.subtree_end(node);
            let text = view.tree.node_text(node);
            let Some(path) = loaded::plain_string(&text) else { continue };
            if !path.starts_with("./") && !path.starts_with("../") {
                continue;
            }
            let is_loaded = is_loaded(node);
            let target = self.project().imported_module(view.file, language, path);
            let target = target.filter(|thing| matches!(thing, Thing::Module(_)));
            if is_in_import(node) || !is_loaded && target.is_none() {
                continue;
            }
            let start = table.span(node).start() + 1;
            let span = Span::new(start, start + path.len());
            let kind = if is_loaded { ModuleUseKind::Source } else { ModuleUseKind::String };
            found.push(ModuleUse { statement: node, span, text: path.to_owned(), target, kind, language });
        }
        found
    }

    /// The paths in code that mean modules; of `a.b.c`, the whole.
    fn module_paths(&self, view: &View<'_>) -> Vec<ModuleUse> {
        let mut found: Vec<ModuleUse> = Vec::new();
        if view.rules.modules != Some(ModuleScheme::Dotted) {
            return found;
        }
        let table = view.tree.table();
        let is_import = |node: Node| self.import_around(view, node).is_some();
        for name in table.nodes().filter(|&node| view.scopes.is_identifier(node)) {
            if view.scopes.fits(name, &view.scopes.rules.attributes).is_none() || is_import(name) {
                continue;
            }
            let Meaning::Known(things) = self.meaning(view.file, name) else { continue };
            let [thing @ (Thing::Module(_) | Thing::Folder(_))] = things[..] else { continue };
            let Some(whole) = table.parent(name) else { continue };
            let span = table.span(whole);
            found.retain(|inner| !table.is_within(inner.statement, whole));
            let text: String = view.tree.node_text(whole).split_whitespace().collect();
            let kind = ModuleUseKind::Expression;
            let (target, language) = (Some(thing), view.tree.language());
            found.push(ModuleUse { statement: whole, span, text, target, kind, language });
        }
        found
    }

    /// Whether a name is bound or used in a file.
    pub fn has_name(&self, file: FileId, name: &str) -> bool {
        self.view(file).is_some_and(|view| !view.scopes.nodes_of(name).is_empty())
    }

    /// The places where a file uses the name that an import binds, besides the import.
    pub fn uses_of_import(&self, file: FileId, part: Node, name: &str) -> Vec<Span> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let table = view.tree.table();
        let names = view.scopes.names(name);
        let binder = names.found.iter().find(|found| table.is_within(found.name, part));
        let Some(symbol) = binder.and_then(|binder| names.resolve(&view.scopes, binder)) else { return Vec::new() };
        let own = names.found.iter().filter(|found| {
            !table.is_within(found.name, part)
                && names.resolve(&view.scopes, found).is_some_and(|other| other.is(symbol))
        });
        own.map(|found| table.span(found.name)).collect()
    }
}

/// How a module is named when files have moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Respelled {
    /// As before.
    Same,
    /// By this text.
    Text(String),
    /// It cannot be named.
    Impossible,
}

impl Project {
    /// How a file names a module when files have moved; `after` is the project then.
    pub fn respelled(&self, after: &Project, file: FileId, named: &ModuleUse) -> Respelled {
        let paths = (self.file(file).path.as_str(), after.file(file).path.as_str());
        if named.kind == ModuleUseKind::Value {
            return self.respelled_value(after, file, named);
        }
        self.respelled_at(after, named.language, paths, (&named.text, named.target))
    }

    /// The value that is the path of a file when files have moved.
    fn respelled_value(&self, after: &Project, file: FileId, named: &ModuleUse) -> Respelled {
        let (from, from_now) = (self.file(file).path.as_str(), after.file(file).path.as_str());
        let (path, now) = match named.target.map(|thing| (self.path_of(thing), self.path_after(after, thing))) {
            Some((Some(path), Some(now))) => (path, now),
            _ => return Respelled::Impossible,
        };
        let bare = named.text.trim_start_matches('/');
        let is_from_here = walk(folder_of(from), bare).as_deref() == Some(path);
        let spelled = match is_from_here {
            true => relative_path(folder_of(from_now), &now),
            false => now,
        };
        let spelled = if bare.starts_with('.') { &spelled } else { spelled.strip_prefix("./").unwrap_or(&spelled) };
        let text = format!("{}{spelled}", &named.text[..named.text.len() - bare.len()]);
        if text == named.text { Respelled::Same } else { Respelled::Text(text) }
    }

    /// How a module is named from another path than before; `after` is the project then.
    pub fn respelled_at(
        &self,
        after: &Project,
        language: &Language,
        (from, from_now): (&str, &str),
        (text, target): (&str, Option<Thing>),
    ) -> Respelled {
        let is_relative = text.starts_with('.');
        let (path, now) = match target {
            Some(thing) => match (self.path_of(thing), self.path_after(after, thing)) {
                (Some(path), Some(now)) => (path.to_owned(), now),
                _ => return Respelled::Impossible,
            },
            // A path to something else stays a path to that.
            None if is_relative && from != from_now => match relative_target(from, text, language) {
                Some(path) => (path.clone(), path),
                None => return Respelled::Impossible,
            },
            None => return Respelled::Same,
        };
        if path == now && (!is_relative || folder_of(from) == folder_of(from_now)) {
            return Respelled::Same;
        }
        match after.modules.spell(from_now, &now, language, Written { text, path: &path }) {
            Some(spelled) if spelled == text => Respelled::Same,
            Some(spelled) => Respelled::Text(spelled),
            None => Respelled::Impossible,
        }
    }

    /// The path of a module when files have moved.
    pub fn path_after(&self, after: &Project, thing: Thing) -> Option<String> {
        match thing {
            Thing::Module(file) => Some(after.file(file).path.clone()),
            Thing::Folder(folder) => {
                // Where its first file is now.
                let path = self.modules.folder(folder);
                let first = self.ids().find(|&file| is_below(&self.file(file).path, path));
                let moved = first.and_then(|file| {
                    let rest = &self.file(file).path[path.len()..];
                    after.file(file).path.strip_suffix(rest).map(str::to_owned)
                });
                Some(moved.unwrap_or_else(|| path.to_owned()))
            }
            Thing::Symbol(_) | Thing::Package(_) => None,
        }
    }

    /// The name of the module at a path as a file would write it, in the manner of another name and the path of that; `None` if
    /// it has none.
    pub fn spell(&self, from: &str, to: &str, language: &Language, (text, path): (&str, &str)) -> Option<String> {
        self.modules.spell(from, to, language, Written { text, path })
    }

    /// Whether a file is that of a package which contains another file.
    pub fn is_package_around(&self, package: FileId, file: FileId) -> bool {
        let (package, path) = (self.file(package), &self.file(file).path);
        let whole = without_extension(&package.path, package.language);
        whole != package.path.rsplit_once('.').map_or(package.path.as_str(), |(stem, _)| stem) && is_below(path, whole)
    }

    /// A path without its ending; of the file of a package, the folder.
    pub fn module_path<'p>(path: &'p str, language: &Language) -> &'p str {
        without_extension(path, language)
    }

    /// The path of a module: of a package without a file of its own, the folder.
    pub fn path_of(&self, thing: Thing) -> Option<&str> {
        match thing {
            Thing::Module(file) => Some(&self.file(file).path),
            Thing::Folder(folder) => Some(self.modules.folder(folder)),
            Thing::Symbol(_) | Thing::Package(_) => None,
        }
    }
}

/// The path to which a relative name leads.
fn relative_target(from: &str, text: &str, language: &Language) -> Option<String> {
    if language.spec().symbols.modules == Some(ModuleScheme::Relative) {
        return walk(folder_of(from), text.split_once('?').map_or(text, |(path, _)| path));
    }
    let names = text.trim_start_matches('.');
    let mut folder = folder_of(from);
    for _ in 1..text.len() - names.len() {
        folder = (!folder.is_empty()).then(|| folder_of(folder))?;
    }
    Some(join(folder, &names.replace('.', "/")))
}
