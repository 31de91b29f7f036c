//! Calls that may load what moves by a path or a name that code puts together.

use crate::edit::TextChange;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::risks::ComputedLoad;
use crate::symbols::{Project, Resolver};
use crate::text::Span;
use crate::transfer::changes::FileChanges;
use crate::workspace::relocation::Relocation;

/// Adds the calls of a file that may load what moves.
pub(crate) fn computed_loads(resolver: &Resolver<'_>, file: FileId, relocation: &Relocation, found: &mut FileChanges) {
    let Some(tree) = resolver.tree(file) else { return };
    let path = resolver.project().file(file).path.as_str();
    let language = tree.language();
    let is_dotted = language.spec().symbols.modules == Some(ModuleScheme::Dotted);
    let (old, new) = (relocation.old(), relocation.new.as_str());
    for load in resolver.computed_loads(file) {
        let moves = relocation.new_path(path);
        let is_relative = load.head.starts_with('.');
        if let Some(moved) = &moves {
            // The file goes somewhere else, and the path begins there.
            if load.is_computed && is_relative && folder_of(moved) != folder_of(path) {
                found.doubt(load.span, None, "a path that is put together begins at this file");
            }
            continue;
        }
        let may_be = match is_dotted {
            true => names_dotted(&load, path, Project::module_path(old, language), language),
            false => load.is_computed && names_path(&load, path, old),
        };
        if !may_be {
            continue;
        }
        if load.is_computed {
            found.doubt(load.span, None, "a name that is put together may be that of the module");
            continue;
        }
        let (old, new) = (Project::module_path(old, language), Project::module_path(new, language));
        let name = new.rsplit('/').next().unwrap_or(new);
        let text = tree.text().slice(load.span).into_owned();
        let change = (folder_of(old) == folder_of(new)).then(|| text.rfind(stem_of(old))).flatten().map(|at| {
            let start = load.span.start() + at;
            let span = Span::new(start, start + stem_of(old).len());
            TextChange { span, text: name.to_owned(), extent: load.span }
        });
        found.doubt(load.span, change, "a string that is a path to it");
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a dotted name may be that of a module, by its path without an extension.
fn names_dotted(load: &ComputedLoad, from: &str, old: &str, language: &crate::language::Language) -> bool {
    let names = load.head.trim_start_matches('.').replace('.', "/");
    let dots = load.head.len() - load.head.trim_start_matches('.').len();
    if dots == 0 {
        // Other names than relative ones are found as strings.
        return load.is_computed && names.len() > 1 && format!("/{old}").contains(&format!("/{names}"));
    }
    // The package of the file, and those around it.
    let own = Project::module_path(from, language);
    let is_package = own != from.rsplit_once('.').map_or(from, |(stem, _)| stem);
    let mut folder = if is_package { own } else { folder_of(own) };
    for _ in 1..dots {
        folder = folder_of(folder);
    }
    let prefix = if folder.is_empty() { names } else { format!("{folder}/{names}") };
    match load.is_computed {
        true => old.starts_with(&prefix),
        false => old == prefix || prefix.starts_with(&format!("{old}/")),
    }
}

/// Whether a path from a file may be another path.
fn names_path(load: &ComputedLoad, from: &str, old: &str) -> bool {
    if !load.head.starts_with('.') {
        return false;
    }
    let mut parts: Vec<&str> = folder_of(from).split('/').filter(|part| !part.is_empty()).collect();
    let (folders, start) = load.head.rsplit_once('/').unwrap_or(("", load.head.as_str()));
    for part in folders.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            name => parts.push(name),
        }
    }
    parts.push(start);
    let prefix = parts.join("/");
    let ending = load.tail.rsplit('/').next().unwrap_or_default();
    old.starts_with(&prefix) && (ending.is_empty() || old.ends_with(ending) || stem_of(old).split('.').count() == 1)
}
