//! Paths to other files that code has from its own file on: `include_str!("x.txt")`, `#[path = "x.rs"]`.

use crate::modules::{FileId, relative_path};
use crate::refactor::move_modules::moving::ModuleMove;
use crate::refactor::move_modules::route::ModuleRoute;
use crate::request::error::EngineError;
use crate::symbols::Resolver;
use crate::text::Span;
use crate::transfer::module_text::leaves;
use crate::tree::Tree;
use crate::workspace::files::Workspace;

/// A path to a file in code.
pub(super) struct IncludedFile {
    file: FileId,
    /// Where it is written; without quotes, if it is one string.
    span: Span,
    /// The path; none if it is put together.
    path: Option<String>,
}

impl Workspace<'_> {
    /// The paths to files in the code of what moves, and those that may lead to it elsewhere.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn included_files(&self, route: &ModuleRoute) -> Result<Vec<IncludedFile>, EngineError> {
        let words = self.project.file(route.module).language.spec().symbols.module_tree.includes.iter();
        let mut found = Vec::new();
        for word in words {
            found.extend(self.look(word, None, |resolver, file| included(resolver, file, word))?);
        }
        found.extend(self.look("path", Some(&route.moved), declared_by_paths)?);
        Ok(found)
    }
}

/// The files that code includes after a word.
fn included(resolver: &Resolver<'_>, file: FileId, word: &str) -> Vec<IncludedFile> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let spec = tree.language().spec();
    if !spec.symbols.module_tree.includes.iter().any(|known| known == word) {
        return Vec::new();
    }
    let leaves = leaves(tree);
    let text = |at: usize| leaves.get(at).map(|&leaf| tree.node_text(leaf)).unwrap_or_default();
    let mut found = Vec::new();
    for at in 0..leaves.len() {
        if *text(at) != *word || text(at + 1) != spec.symbols.text_names.mark || text(at + 2) != "(" {
            continue;
        }
        let Some(&first) = leaves.get(at + 3) else { continue };
        let end = (at + 3..leaves.len()).find(|&end| text(end) == ")").unwrap_or(leaves.len() - 1);
        let argument = Span::new(tree.span(first).start(), tree.span(leaves[end]).start());
        if let Some((span, path)) = string_in(tree, argument) {
            found.push(IncludedFile { file, span, path: Some(path) });
            continue;
        }
        let is_fixed =
            (at + 3..end + 1).any(|at| spec.symbols.module_tree.fixed_paths.iter().any(|word| **word == *text(at)));
        if !is_fixed {
            found.push(IncludedFile { file, span: argument, path: None });
        }
    }
    found
}

/// The string that a span is, without its quotes.
fn string_in(tree: &Tree, span: Span) -> Option<(Span, String)> {
    let text = tree.text().slice(span).into_owned();
    let trimmed = text.trim().trim_end_matches(',').trim_end();
    let inner = trimmed.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains(['"', '\\']) {
        return None;
    }
    let start = span.start() + (text.len() - text.trim_start().len()) + 1;
    Some((Span::new(start, start + inner.len()), inner.to_owned()))
}

/// The paths that declarations of modules have.
fn declared_by_paths(resolver: &Resolver<'_>, file: FileId) -> Vec<IncludedFile> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let regex = tree.language().spec().symbols.module_tree.path.get();
    let mut found = Vec::new();
    for node in tree.table().nodes() {
        let text = tree.node_text(node);
        if text.starts_with('#')
            && let Some(path) = regex.captures(&text).and_then(|found| found.get(1))
            && !path.as_str().is_empty()
        {
            let start = tree.span(node).start() + path.start();
            let span = Span::new(start, start + path.len());
            let is_known = found.iter().any(|one: &IncludedFile| one.span == span);
            if !is_known {
                found.push(IncludedFile { file, span, path: Some(path.as_str().to_owned()) });
            }
        }
    }
    found
}

impl ModuleMove<'_, '_> {
    /// Writes the paths to files as they are from the new places.
    pub(super) fn respell_includes(&mut self, includes: &[IncludedFile]) {
        let relocation = &self.route.relocation;
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        for IncludedFile { file, span, path } in includes {
            let Some(tree) = self.resolver.tree(*file) else { continue };
            let own = self.resolver.project().file(*file).path.clone();
            let new = relocation.new_path(&own).unwrap_or_else(|| own.clone());
            let is_same_folder = folder(&own) == folder(&new);
            let Some(path) = path else {
                if !is_same_folder {
                    self.leave(*file, span.start(), "a path to a file that is put together");
                }
                continue;
            };
            let Some(old_target) = joined(&folder(&own), path) else { continue };
            let target = relocation.new_path(&old_target).unwrap_or_else(|| old_target.clone());
            if path.starts_with('/') || is_same_folder && target == old_target {
                continue;
            }
            let text = relative_path(&folder(&new), &target);
            let text = match text.strip_prefix("./") {
                Some(rest) if !path.starts_with("./") => rest.to_owned(),
                _ => text,
            };
            if text != *path {
                self.change(*file, tree, *span, text);
            }
        }
    }
}

/// A path from a folder on; `None` if it leads out of the project.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}
