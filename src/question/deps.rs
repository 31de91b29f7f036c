//! `deps`: which files of a project import which.

use rustc_hash::FxHashMap;

use crate::modules::FileId;
use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::symbol_messages::{DependencyRow, DepsRequest, DepsResponse, FileDeps};
use crate::symbols::{dependencies, import_cycles};

/// Lists which files import which.
///
/// # Errors
/// If the target is not a folder, or the file is not one of its files.
pub(crate) fn deps(request: &DepsRequest, reader: &Reader) -> Result<DepsResponse, EngineError> {
    let workspace = reader.workspace(&request.targets, &request.reading)?;
    let only = match &request.path {
        Some(path) => Some(workspace.file_at(path).ok_or_else(|| {
            let message = format!("`{path}` is not a file of the project");
            EngineError::new(ErrorCode::NotFound, message).hint("paths are relative to the working directory")
        })?),
        None => None,
    };
    let chosen = if only.is_some() { None } else { workspace.chosen(None)? };
    let is_chosen = |file: FileId| chosen.as_ref().is_none_or(|chosen| chosen.contains(&file));
    let all = workspace.look("", None, |resolver, file| {
        workspace.note_errors(resolver, file);
        vec![(file, dependencies(resolver, file))]
    })?;
    let mut imported_by: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); workspace.project.files().len()];
    for (file, dependencies) in &all {
        for &other in dependencies.iter().flat_map(|dependency| &dependency.files) {
            let importers = imported_by.entry(other).or_default();
            if importers.last() != Some(file) {
                importers.push(*file);
            }
            edges[file.0 as usize].push(other.0 as usize);
        }
    }
    let mut files = Vec::new();
    for (file, dependencies) in all {
        let importers = imported_by.get(&file).map(Vec::as_slice).unwrap_or_default();
        if only.is_some_and(|only| only != file)
            || !is_chosen(file)
            || only.is_none() && dependencies.is_empty() && importers.is_empty()
        {
            continue;
        }
        let (mut imports, mut external, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for dependency in dependencies {
            let row = |path| DependencyRow { path, line: dependency.line };
            if dependency.is_missing {
                missing.push(row(dependency.source.clone()));
            } else if dependency.is_external {
                external.push(row(dependency.source.clone()));
            }
            imports.extend(dependency.files.iter().map(|&other| row(workspace.shown(other))));
        }
        imports.sort_by(|one: &DependencyRow, other| one.path.cmp(&other.path));
        imports.dedup_by(|one, other| one.path == other.path);
        external.retain(|_| request.external);
        let imported_by = importers.iter().map(|&other| workspace.shown(other)).collect();
        files.push(FileDeps { path: workspace.shown(file), imports, imported_by, external, missing });
    }
    let number = only.map(|file| file.0 as usize);
    let cycles = import_cycles(&edges).into_iter();
    let cycles = cycles.filter(|group| number.is_none_or(|number| group.contains(&number)));
    let id = |number: usize| FileId(u32::try_from(number).unwrap_or(u32::MAX));
    let cycles = cycles.filter(|group| group.iter().any(|&number| is_chosen(id(number))));
    let shown = |number: usize| workspace.shown(id(number));
    let cycles = cycles.map(|group| group.into_iter().map(shown).collect()).collect();
    let (project, unsaved) = (workspace.report(), workspace.unsaved.len());
    Ok(DepsResponse { files, cycles, project, unsaved, skipped: workspace.take_skipped() })
}
