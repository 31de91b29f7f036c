//! What files have to change when a file or a folder moves.

use crate::edit::TextChange;
use crate::modules::FileId;
use crate::risks::StringKind;
use crate::symbols::{ModuleMember, ModuleUse, ModuleUseKind, Project, Resolver, Respelled, Thing};
use crate::text::Span;
use crate::tree::{Node, Tree};
use crate::workspace::relocation::Relocation;

/// The changes of a file, and its uncertain references.
#[derive(Debug, Default)]
pub struct FileChanges {
    /// What certainly changes.
    pub changes: Vec<TextChange>,
    /// How many places that are.
    pub count: usize,
    /// Uncertain references.
    pub doubts: Vec<Doubt>,
}

/// An uncertain reference.
#[derive(Debug, Clone)]
pub struct Doubt {
    /// Where it is.
    pub span: Span,
    /// How it changes if that is asked for.
    pub change: Option<TextChange>,
    /// What is not known.
    pub why: &'static str,
}

impl FileChanges {
    pub(crate) fn doubt(&mut self, span: Span, change: Option<TextChange>, why: &'static str) {
        self.doubts.push(Doubt { span, change, why });
    }

    /// Adds a change that is not counted as a place, unless it is there.
    pub fn change_once(&mut self, change: TextChange) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn change(&mut self, change: TextChange) {
        self.count += 1;
        self.changes.push(change);
    }
}

/// What a file has to change when files move.
pub fn changes_of_move(resolver: &Resolver<'_>, after: &Project, file: FileId, relocation: &Relocation) -> FileChanges {
    let mut found = FileChanges::default();
    let Some(tree) = resolver.tree(file) else { return found };
    let project = resolver.project();
    let uses = resolver.module_uses(file);
    let is_moved = |thing: Option<Thing>| {
        let path = thing.and_then(|thing| project.path_of(thing));
        path.is_some_and(|path| relocation.new_path(path).is_some())
    };
    let mut done: Vec<Span> = Vec::new();
    for named in uses.iter().filter(|named| matches!(named.kind, ModuleUseKind::Member(_))) {
        if let ModuleUseKind::Member(member) = &named.kind
            && is_moved(named.target)
        {
            change_member(resolver, after, (file, tree), (named, member), &mut found, &mut done);
        }
    }
    let roots = change_roots(resolver, after, (file, tree), &uses, &mut found);
    for named in &uses {
        let spelled = match &named.kind {
            ModuleUseKind::Member(_) => continue,
            _ if done.contains(&named.span) => continue,
            // Names in code change only if what they name moves.
            ModuleUseKind::Expression if !is_moved(named.target) => continue,
            _ => project.respelled(after, file, named),
        };
        let extent = tree.span(named.statement);
        let is_by_root =
            |text: &str| roots.iter().any(|(old, new)| swap_root(&named.text, old, new).as_deref() == Some(text));
        match (spelled, &named.kind) {
            (Respelled::Text(text), ModuleUseKind::Expression) if is_by_root(&text) => {}
            (Respelled::Same, _) => {}
            (Respelled::Impossible, _) => found.doubt(named.span, None, "the module has no name there"),
            (Respelled::Text(text), ModuleUseKind::Path { has_alias: false })
                if named.text.contains('.') != text.contains('.') =>
            {
                // It binds another name than before.
                let text = format!("{text} as {}", named.text);
                if named.text.contains('.') {
                    found.doubt(named.span, None, "the import binds another name then");
                    continue;
                }
                found.change(TextChange { span: named.span, text, extent });
            }
            (Respelled::Text(text), ModuleUseKind::String | ModuleUseKind::Value) => {
                let change = TextChange { span: named.span, text, extent };
                found.doubt(named.span, Some(change), "a string that is a path to it");
            }
            (Respelled::Text(text), _) => {
                found.change(TextChange { span: named.span, text, extent });
            }
        }
    }
    path_strings(resolver, after, (file, tree), relocation, &mut found);
    found
}

/// Renames the first name of the modules that a file imports by a path, where that changes: `a` of `import a.b`. Returns the old and new
/// names.
fn change_roots(
    resolver: &Resolver<'_>,
    after: &Project,
    (file, tree): (FileId, &Tree),
    uses: &[ModuleUse],
    found: &mut FileChanges,
) -> Vec<(String, String)> {
    let root = |text: &str| text.split('.').next().unwrap_or(text).to_owned();
    let paths = uses.iter().filter(|named| named.kind == ModuleUseKind::Path { has_alias: false });
    let mut roots: Vec<(String, String)> = Vec::new();
    for named in paths.clone() {
        let Respelled::Text(text) = resolver.project().respelled(after, file, named) else { continue };
        let (old, new) = (root(&named.text), root(&text));
        let is_known = roots.iter().any(|(known, _)| *known == old);
        if old == new || is_known || named.text.contains('.') != text.contains('.') {
            continue;
        }
        let is_kept = |other: &&ModuleUse| {
            root(&other.text) == old
                && !matches!(resolver.project().respelled(after, file, other), Respelled::Text(text) if root(&text) == new)
        };
        if resolver.has_name(file, &new) || paths.clone().any(|other| is_kept(&other)) {
            found.doubt(named.span, None, "the import binds another name then");
            continue;
        }
        for span in resolver.uses_of_import(file, named.statement, &old) {
            if !uses
                .iter()
                .any(|other| other.kind != ModuleUseKind::Expression && tree.span(other.statement).contains(span))
            {
                found.change(TextChange { span, text: new.clone(), extent: span });
            }
        }
        roots.push((old, new));
    }
    roots
}

/// A path with another first name.
fn swap_root(text: &str, old: &str, new: &str) -> Option<String> {
    let rest = text.strip_prefix(old).filter(|rest| rest.is_empty() || rest.starts_with('.'))?;
    Some(format!("{new}{rest}"))
}

/// Changes a module that is imported as a name of its package: `from a import b`.
fn change_member(
    resolver: &Resolver<'_>,
    after: &Project,
    (file, tree): (FileId, &Tree),
    (named, member): (&ModuleUse, &ModuleMember),
    found: &mut FileChanges,
    done: &mut Vec<Span>,
) {
    let project = resolver.project();
    let language = tree.language();
    let extent = tree.span(named.statement);
    let Some(thing) = named.target else { return };
    let (Some(old), Some(new)) = (project.path_of(thing), project.path_after(after, thing)) else { return };
    let package_of = |path: &str| {
        let whole = Project::module_path(path, language);
        let (package, name) = whole.rsplit_once('/').unwrap_or(("", whole));
        (package.to_owned(), name.to_owned())
    };
    let ((old_package, _), (new_package, new_name)) = (package_of(old), package_of(&new));
    // The package moves with it.
    let package = resolver.imported_module(file, &member.package).and_then(|thing| project.path_after(after, thing));
    let is_together = package.is_some_and(|path| Project::module_path(&path, language) == new_package);
    if is_together && named.text == new_name {
        return;
    }
    let from = after.file(file).path.as_str();
    let package_text = if old_package == new_package && from == project.file(file).path {
        Some(member.package.clone())
    } else {
        after.spell(from, &new_package, language, (&member.package, &old_package))
    };
    let Some(package_text) = package_text else {
        found.doubt(named.span, None, "the module has no name there");
        return;
    };
    let old_name = named.text.as_str();
    let is_renamed = old_name != new_name;
    // Uses get the new name, unless the file has it already.
    let uses = if member.alias.is_none() && is_renamed {
        resolver.uses_of_import(file, member.node, old_name)
    } else {
        Vec::new()
    };
    let needs_alias = is_renamed && member.alias.is_none() && resolver.has_name(file, &new_name);
    if is_renamed && !needs_alias {
        for span in uses {
            found.change(TextChange { span, text: new_name.clone(), extent: span });
        }
    }
    let alias = member.alias.clone().or_else(|| needs_alias.then(|| old_name.to_owned()));
    found.count += 1;
    let name_text = if needs_alias { format!("{new_name} as {old_name}") } else { new_name.clone() };
    if member.is_alone || package_text == member.package {
        if package_text != member.package {
            found.changes.push(TextChange { span: member.package_span, text: package_text, extent });
        }
        done.push(member.package_span);
        if is_renamed {
            found.changes.push(TextChange { span: named.span, text: name_text, extent });
        }
        return;
    }
    let forms = &language.spec().symbols.import_forms;
    let form = forms.get(if alias.is_some() { "alias" } else { "name" });
    let Some(form) = form else {
        found.doubt(named.span, None, "a statement of its own for it cannot be written");
        return;
    };
    let statement = form
        .replace("$module", &package_text)
        .replace("$name", &new_name)
        .replace("$alias", alias.as_deref().unwrap_or_default())
        .replace("$variety", "");
    let newline = tree.text().newline();
    let line = tree.text().slice(tree.text().line_around(extent.start())).into_owned();
    let indent: String = line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
    let end = Span::new(extent.end(), extent.end());
    found.changes.push(TextChange { span: end, text: format!("{newline}{indent}{statement}"), extent });
    found.changes.push(TextChange { span: with_comma(tree, member.node), text: String::new(), extent });
}

/// The spans of some elements of one list, with the commas that go with them.
pub(crate) fn with_commas(tree: &Tree, nodes: &[Node]) -> Vec<Span> {
    let [first, _, ..] = nodes else { return nodes.iter().map(|&node| with_comma(tree, node)).collect() };
    let Some(list) = tree.table().parent(*first) else { return Vec::new() };
    let elements: Vec<Node> = tree.named_children(list).filter(|&node| !tree.is_comment(node)).collect();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < elements.len() {
        if !nodes.contains(&elements[at]) {
            at += 1;
            continue;
        }
        let end = (at..elements.len()).find(|&next| !nodes.contains(&elements[next]));
        let last = tree.span(elements[end.unwrap_or(elements.len()) - 1]);
        spans.push(match (end, at.checked_sub(1)) {
            (Some(next), _) => Span::new(tree.span(elements[at]).start(), tree.span(elements[next]).start()),
            (None, Some(before)) => Span::new(tree.span(elements[before]).end(), last.end()),
            (None, None) => Span::new(tree.span(elements[at]).start(), last.end()),
        });
        at = end.unwrap_or(elements.len());
    }
    spans
}

/// The span of an element of a list with the comma and the space that go with it.
pub fn with_comma(tree: &Tree, node: Node) -> Span {
    let table = tree.table();
    let comma = tree.language().spec().punctuation.comma;
    let siblings: Vec<Node> = table.parent(node).map(|parent| table.children(parent).collect()).unwrap_or_default();
    let at = siblings.iter().position(|&sibling| sibling == node).unwrap_or(0);
    let is_comma = |sibling: Option<&&Node>| sibling.is_some_and(|&&sibling| Some(table.type_id(sibling)) == comma);
    let span = tree.span(node);
    let (before, after) = (at.checked_sub(1).and_then(|at| siblings.get(at)), siblings.get(at + 1));
    let next = siblings.get(at + 2);
    let is_last = !siblings.iter().skip(at + 1).any(|&next| table.is_named(next) && !tree.is_comment(next));
    if let (Some(&comma_before), Some(&comma_after), true) = (before, after, is_last)
        && is_comma(before.as_ref())
        && is_comma(after.as_ref())
    {
        // The last one of a list that ends with a comma.
        return Span::new(tree.span(comma_before).end(), tree.span(comma_after).end());
    }
    if is_comma(after.as_ref()) {
        let end = next.map_or(tree.span(*after.unwrap_or(&node)).end(), |&next| tree.span(next).start());
        return Span::new(span.start(), end);
    }
    match before {
        Some(&comma_node) if is_comma(before.as_ref()) => Span::new(tree.span(comma_node).start(), span.end()),
        _ => span,
    }
}

/// The strings of a file that are paths to what moves: `"package.module.name"`.
fn path_strings(
    resolver: &Resolver<'_>,
    after: &Project,
    (file, tree): (FileId, &Tree),
    relocation: &Relocation,
    found: &mut FileChanges,
) {
    let language = tree.language();
    let old = Project::module_path(&relocation.old, language).to_owned();
    let Some(stem) = old.rsplit('/').next().filter(|stem| !stem.is_empty()) else { return };
    let package = old.rsplit('/').nth(1);
    for string in resolver.strings_with(file, stem) {
        let StringKind::Path(before) = &string.kind else {
            if string.kind == StringKind::Head {
                let from = resolver.project().file(file).path.as_str();
                let new = after.spell(from, &relocation.new, language, (stem, &relocation.old));
                if new.as_deref() == Some(stem) {
                    continue;
                }
                let extent = tree.span(string.node);
                let change = new.map(|text| TextChange { span: string.span, text, extent });
                found.doubt(string.span, change, "a path in a string");
            }
            continue;
        };
        if package.is_none_or(|package| before.rsplit(['.', ':']).next() != Some(package)) {
            continue;
        }
        let head = string.span.start() - before.len() - 1;
        let span = Span::new(head, string.span.end());
        let text = format!("{before}.{stem}");
        let from = resolver.project().file(file).path.as_str();
        let new = after.spell(from, &relocation.new, language, (&text, &relocation.old));
        if new.as_ref() == Some(&text) {
            continue;
        }
        let change = new.map(|text| TextChange { span, text, extent: tree.span(string.node) });
        found.doubt(string.span, change, "a path in a string");
    }
}
