//! What files have to change when definitions move to another module.

use crate::edit::{Op, Position, TextChange};
use crate::language::Language;
use crate::modules::FileId;
use crate::risks::StringKind;
use crate::symbols::{ImportedName, Project, Resolver, Thing};
use crate::text::Span;
use crate::transfer::changes::{FileChanges, with_commas};
use crate::tree::{Node, Tree};

/// Definitions that move from one module to another.
#[derive(Debug)]
pub struct Transfer<'a> {
    /// The module that has them.
    pub from: FileId,
    /// The module that gets them, and its path from the root.
    pub to: FileId,
    /// Their names.
    pub names: Vec<String>,
    /// The project with both modules.
    pub after: &'a Project,
    /// Whether the old module exports them under their names, too.
    pub keeps_names: bool,
}

/// A certain reference to one of the definitions.
#[derive(Debug, Clone)]
pub struct Use {
    /// The name.
    pub node: Node,
    /// Its text where the definition has it.
    pub name: String,
    /// Whether it is in a type annotation.
    pub is_type: bool,
}

/// The text of an import.
#[derive(Debug, Clone, Copy)]
pub struct ImportText<'a> {
    /// The module.
    pub module: &'a str,
    /// The name in it, or the path of a module.
    pub name: &'a str,
    /// The alias, if there is one.
    pub alias: Option<&'a str>,
    /// The words before: `type `.
    pub variety: &'a str,
    /// Whether it exports the name.
    pub is_export: bool,
}

impl ImportText<'_> {
    /// The statement; `None` if the language has no form for it. Quotes and the end are those of another import of the file, if there
    /// is one.
    pub fn write(&self, language: &Language, manner: Option<&str>) -> Option<String> {
        let rules = &language.spec().symbols;
        let kind = match (self.module.is_empty(), self.name) {
            (true, _) if self.alias.is_some() => "path_alias",
            (true, _) => "path",
            (false, name) if rules.default_exports.name.as_deref() == Some(name) && !self.is_export => "default",
            (false, name) if rules.module_words.whole.iter().any(|word| word == name) && self.alias.is_some() => {
                "whole"
            }
            _ if self.alias.is_some() && self.is_export => "export_alias",
            _ if self.is_export => "export",
            _ if self.alias.is_some() => "alias",
            _ => "name",
        };
        let form = rules.import_forms.get(kind)?;
        let module = if self.module.is_empty() { self.name } else { self.module };
        let mut text = form
            .replace("$variety", self.variety)
            .replace("$name", self.name)
            .replace("$alias", self.alias.unwrap_or(self.name));
        if let Some(manner) = manner {
            if manner.contains('"') && !manner.contains('\'') {
                text = text.replace('\'', "\"");
            }
            if !manner.trim_end().ends_with(';') && text.ends_with(';') {
                text.pop();
            }
        }
        Some(text.replace("$module", module))
    }
}

/// The first import of a file, in whose manner others are written.
pub fn manner_of(resolver: &Resolver<'_>, file: FileId) -> Option<String> {
    let tree = resolver.tree(file)?;
    let imports = resolver.imported_names(file);
    let first = imports.iter().find(|import| import.source_span.is_some() && !import.is_export)?;
    Some(tree.node_text(first.statement).into_owned())
}

/// The name of a module as another file of the project would import it: in the manner in which that, or a second one, imports modules
/// already.
pub fn spell_for(
    resolver: &Resolver<'_>,
    after: &Project,
    (from, second): (FileId, FileId),
    to: &str,
) -> Option<String> {
    let project = resolver.project();
    let language = after.file(from).language;
    let path = after.file(from).path.clone();
    for file in [from, second].into_iter().filter(|file| (file.0 as usize) < project.files().len()) {
        let uses = resolver.imported_names(file);
        let from_modules = uses.iter().filter(|one| !one.source.is_empty()).map(|one| one.source.as_str());
        // `import a.b`
        let whole = uses.iter().filter(|one| one.source.is_empty()).map(|one| one.name.as_str());
        let own = from_modules.chain(whole).find_map(|source| {
            let target = resolver.imported_module(file, source)?;
            Some((source, project.path_of(target)?))
        });
        if let Some(manner) = own {
            return after.spell(&path, to, language, manner);
        }
    }
    let known = name_in_new_folder(project, &path, to);
    after.spell(&path, to, language, known.as_ref().map_or(("_", ""), |name| (name, path.as_str())))
}

/// The name of a file where files outside of packages name it, if another file is the first one in its folder: that is named from the
/// same folder.
fn name_in_new_folder(project: &Project, path: &str, to: &str) -> Option<String> {
    let folder_of = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let folder = folder_of(to);
    if project.files().iter().any(|file| file.path != to && folder_of(&file.path) == folder) {
        return None;
    }
    let language = project.files().iter().find(|file| file.path == path)?.language;
    let packages = &language.spec().symbols.module_files.packages;
    let is_package = |folder: &str| {
        let mut files = packages
            .iter()
            .flat_map(|name| language.extensions().iter().map(move |ending| format!("{folder}/{name}.{ending}")));
        files.any(|file| project.at(&file).is_some())
    };
    let mut root = folder_of(path);
    while !root.is_empty() && is_package(&root) {
        root = folder_of(&root);
    }
    let own = path.strip_prefix(&root)?.trim_start_matches('/');
    Some(Project::module_path(own, language).replace('/', "."))
}

/// What a file other than the two modules has to change.
pub fn redirect(resolver: &Resolver<'_>, transfer: &Transfer<'_>, file: FileId, uses: &[Use]) -> Redirected {
    let mut done = Redirected::default();
    let Some(tree) = resolver.tree(file) else { return done };
    let language = tree.language();
    let to = transfer.after.file(transfer.to).path.clone();
    let from = resolver.project().file(transfer.from).path.clone();
    let imports = resolver.imported_names(file);
    let is_from = |import: &ImportedName| {
        !import.source.is_empty()
            && !import.is_glob
            && transfer.names.contains(&import.name)
            && resolver.imported_module(file, &import.source) == Some(Thing::Module(transfer.from))
    };
    let is_to = |import: &&ImportedName| {
        !import.source.is_empty()
            && import.is_at_top
            && !import.is_export
            && resolver.imported_module(file, &import.source) == Some(Thing::Module(transfer.to))
    };
    let joins = imports.iter().any(|import| is_to(&import));
    let mut statements: Vec<Node> = Vec::new();
    for import in imports.iter().filter(|import| is_from(import)) {
        if !statements.contains(&import.statement) {
            statements.push(import.statement);
        }
    }
    for statement in statements {
        let extent = tree.span(statement);
        let all: Vec<&ImportedName> = imports.iter().filter(|import| import.statement == statement).collect();
        let moved: Vec<&ImportedName> = all.iter().copied().filter(|import| is_from(import)).collect();
        let Some(first) = moved.first() else { continue };
        let spelled = transfer.after.spell(&transfer.after.file(file).path, &to, language, (&first.source, &from));
        let Some(module) = spelled else {
            done.changes.doubt(extent, None, "the module has no name there");
            continue;
        };
        done.changes.count += moved.len();
        done.imports_at_once |= first.is_at_top;
        let merges = joins && first.is_at_top && !first.is_export;
        if let Some(span) = first.source_span.filter(|_| moved.len() == all.len() && !merges) {
            done.changes.changes.push(TextChange { span, text: module, extent });
            continue;
        }
        let manner = tree.node_text(statement).into_owned();
        let mut written = Vec::new();
        for import in &moved {
            let text = ImportText {
                module: &module,
                name: &import.name,
                alias: import.alias.as_deref(),
                variety: &import.variety,
                is_export: import.is_export,
            };
            written.extend(text.write(language, Some(&manner)));
        }
        if written.len() < moved.len() {
            done.changes.doubt(extent, None, "an import of its own cannot be written");
            continue;
        }
        if moved.len() == all.len() {
            done.ops.push(Op::Delete { target: statement, extent: None });
        } else {
            let nodes: Vec<Node> = moved.iter().map(|import| import.node).collect();
            for span in with_commas(tree, &nodes) {
                done.changes.changes.push(TextChange { span, text: String::new(), extent });
            }
        }
        if merges || first.is_at_top && !first.is_export && moved.len() == all.len() {
            done.ops.extend(written.into_iter().map(|code| Op::EnsureImport { code }));
        } else {
            let newline = tree.text().newline();
            let line = tree.text().slice(tree.text().line_around(extent.start())).into_owned();
            let indent: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
            let text: String = written.iter().map(|code| format!("{newline}{indent}{code}")).collect();
            done.changes.changes.push(TextChange { span: Span::at(extent.end()), text, extent });
        }
    }
    // Members of the module as a whole, and names that an import of everything binds.
    let in_import = |node: Node| imports.iter().any(|import| tree.table().is_within(node, import.statement));
    let mut needed: Vec<&str> = Vec::new();
    for one in uses.iter().filter(|one| !in_import(one.node)) {
        let span = tree.span(one.node);
        if resolver.object_module(file, one.node) == Some(Thing::Module(transfer.from)) {
            let Some(whole) = tree.table().parent(one.node) else { continue };
            // The name that it is imported by.
            let own: Vec<Node> = imports
                .iter()
                .filter(|import| is_from(import) && import.is_at_top && import.alias.is_none() && !import.is_export)
                .map(|import| import.node)
                .collect();
            if resolver.has_binding(file, &one.name, &own) {
                done.changes.doubt(span, None, "the file has another name like it");
                continue;
            }
            let extent = tree.span(whole);
            done.changes.change(TextChange { span: extent, text: one.name.clone(), extent });
            if !resolver.has_binding(file, &one.name, &[]) {
                needed.push(&one.name);
            }
        } else if resolver.object_module(file, one.node).is_none()
            && tree.span(one.node).len() == one.name.len()
            && !resolver.is_bound_in_file(file, one.node)
            && resolver.is_plain_name(file, one.node)
        {
            needed.push(&one.name);
        }
    }
    needed.sort_unstable();
    needed.dedup();
    let manner = manner_of(resolver, file);
    for name in needed {
        let module = spell_for(resolver, transfer.after, (file, transfer.from), &to);
        let text = module.as_deref().and_then(|module| {
            let text = ImportText { module, name, alias: None, variety: "", is_export: false };
            text.write(language, manner.as_deref())
        });
        match text {
            Some(code) => {
                done.changes.count += 1;
                done.imports_at_once = true;
                done.ops.push(Op::EnsureImport { code });
            }
            None => done.changes.doubt(Span::at(0), None, "an import of it cannot be written"),
        }
    }
    path_strings(resolver, transfer, (file, tree), &mut done.changes);
    done
}

/// What a file changes: texts, and operations.
#[derive(Debug, Default)]
pub struct Redirected {
    /// Changes of texts, and uncertain references.
    pub changes: FileChanges,
    /// Operations.
    pub ops: Vec<Op>,
    /// Whether the file imports the new module as soon as it is loaded, and not only in a block.
    pub imports_at_once: bool,
}

impl Redirected {
    /// Adds what the same file has to change besides.
    pub fn add(&mut self, more: Redirected) {
        self.changes.changes.extend(more.changes.changes);
        self.changes.doubts.extend(more.changes.doubts);
        self.changes.count += more.changes.count;
        self.ops.extend(more.ops);
        self.imports_at_once |= more.imports_at_once;
    }

    /// Takes the statements of a definition out of the file, with the comments above them.
    pub fn take(&mut self, comments: Option<Span>, statements: &[Node]) {
        if let Some(span) = comments {
            self.changes.changes.push(TextChange { span, text: String::new(), extent: span });
        }
        self.ops.extend(statements.iter().map(|&target| Op::Delete { target, extent: None }));
    }

    /// Adds code at the end of the file, and the imports that it needs.
    pub fn append(&mut self, tree: &Tree, imports: impl IntoIterator<Item = String>, code: String) {
        self.ops.extend(imports.into_iter().map(|code| Op::EnsureImport { code }));
        let last = tree.named_children(Node::ROOT).last();
        let (target, position) = last.map_or((Node::ROOT, Position::Last), |last| (last, Position::After));
        self.ops.push(Op::Insert { target, position, code, extent: None });
    }
}

/// The strings of a file that are paths to what moves: `"package.module.name"`.
pub fn path_strings(
    resolver: &Resolver<'_>,
    transfer: &Transfer<'_>,
    (file, tree): (FileId, &Tree),
    found: &mut FileChanges,
) {
    let language = tree.language();
    let path = |file: FileId| transfer.after.file(file).path.clone();
    let old = Project::module_path(&path(transfer.from), language).to_owned();
    let Some(stem) = old.rsplit('/').next().filter(|stem| !stem.is_empty()) else { return };
    for name in &transfer.names {
        for string in resolver.strings_with(file, name) {
            let StringKind::Path(before) = &string.kind else { continue };
            if before.rsplit(['.', ':']).next() != Some(stem) {
                continue;
            }
            // A member of a definition is reached by the old path, too, as long as that has the name.
            let rest = tree.text().slice(Span::new(string.span.end(), tree.span(string.node).end()));
            if transfer.keeps_names && rest.starts_with('.') {
                continue;
            }
            let end = string.span.start().saturating_sub(1);
            let span = Span::new(end - before.len(), end);
            let from = resolver.project().file(file).path.as_str();
            let new = transfer.after.spell(from, &path(transfer.to), language, (before, &path(transfer.from)));
            let change = new.map(|text| TextChange { span, text, extent: tree.span(string.node) });
            found.doubt(string.span, change, "a path in a string");
        }
    }
}
