//! Opens a workspace: lists the files of a project, and finds those that a request names.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::{ByName, Detector, ModuleScheme};
use crate::modules::{FileId, Manifest, ProjectFile};
use crate::project::{Globs, Kind};
use crate::reader::cached::Extent;
use crate::reader::core::Reader;
use crate::reader::languages::unknown_language;
use crate::reader::project_part::{ProjectFolder, ProjectPart};
use crate::request::error::EngineError;
use crate::request::report::FilesReport;
use crate::request::requests::{Reading, Target};
use crate::symbols::Project;
use crate::workspace::files::{Workspace, below, languages_of};

impl Reader {
    /// The whole project around what a request names, or around the working directory. What is named, and what chooses files in
    /// `reading`, is a part of it: [`Workspace::chosen`].
    ///
    /// # Errors
    /// If a target is not a file or a folder, or if they are in several projects.
    pub(crate) fn workspace(&self, targets: &[Target], reading: &Reading) -> Result<Workspace<'_>, EngineError> {
        self.workspace_with(targets, reading, false)
    }

    /// The same; its database is made if there is none.
    pub(crate) fn workspace_with(
        &self,
        targets: &[Target],
        reading: &Reading,
        create: bool,
    ) -> Result<Workspace<'_>, EngineError> {
        let ProjectPart { folder, paths: parts, is_named } = self.project_part(targets)?;
        let whole = Reading { language: None, glob: Vec::new(), staged: false, since: None, ..reading.clone() };
        let mut report = FilesReport::default();
        let mut indexes = Vec::new();
        let indexed = self.index_of(&folder.path, &whole, Extent::Part, &mut indexes);
        let listed = self.listed_with(&folder.path, &parts, &whole, &mut report)?;
        let detector = Detector::new(self.languages_known());
        let (mut files, mut paths) = (Vec::new(), Vec::new());
        for path in &listed {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let detected = detector.detect_by_name(&name);
            let detected = detected.map_err(|error| unknown_language(&error, self.languages_known()))?;
            let (ByName::Certain(language) | ByName::Ambiguous(language)) = detected else { continue };
            files.push(ProjectFile { path: below(path, &folder.path), language });
            paths.push(path.clone());
        }
        let manifests = self.manifests(&files, &listed, &folder.path, &whole);
        let chosen = self.chosen_files(&files, &paths, (&folder, &parts), reading)?;
        let is_named = is_named || chosen.as_ref().is_some_and(|_| has_filter(reading));
        let project = Project::new(files, manifests);
        let skipped = Mutex::new(report.skipped);
        let (facts, precise, unsaved, edited) = (None, None, FxHashMap::default(), FxHashMap::default());
        let mut workspace = Workspace {
            engine: self,
            reading: whole,
            project,
            facts,
            precise,
            folder,
            parts,
            chosen,
            is_named,
            listed,
            paths,
            indexes,
            indexed,
            unsaved,
            skipped,
            edited,
            remembered: None,
            deleted: FxHashSet::default(),
            refactors: false,
            included: Mutex::default(),
            changeable: Mutex::default(),
            misread: Mutex::default(),
            undecided: Mutex::default(),
        };
        // The database has what is on the disk.
        workspace.know(create)?;
        workspace.find_precise()?;
        if !reading.saved {
            workspace.overlay(self.unsaved_trees());
        }
        Ok(workspace)
    }

    /// The files of a project, and those of folders and files in it that are named although the repository ignores them.
    fn listed_with(
        &self,
        root: &Path,
        parts: &[PathBuf],
        reading: &Reading,
        report: &mut FilesReport,
    ) -> Result<Vec<PathBuf>, EngineError> {
        let mut listed = self.walk_folder(root, reading, &[], report)?;
        let is_there = |part: &Path| listed.iter().any(|path| path.starts_with(part));
        let missing: Vec<&PathBuf> = parts.iter().filter(|part| *part != root && !is_there(part)).collect();
        for part in missing {
            match self.files().facts(part).map(|facts| facts.kind) {
                Ok(Kind::Folder) => listed.extend(self.walk_folder(part, reading, &[], report)?),
                _ => listed.push(part.clone()),
            }
        }
        listed.sort_unstable();
        listed.dedup();
        Ok(listed)
    }

    /// The files that a request means: in the folders and files that it names, and as its options choose them. `None` for all.
    fn chosen_files(
        &self,
        files: &[ProjectFile],
        paths: &[PathBuf],
        (folder, parts): (&ProjectFolder, &[PathBuf]),
        reading: &Reading,
    ) -> Result<Option<FxHashSet<FileId>>, EngineError> {
        if parts.contains(&folder.path) && !has_filter(reading) {
            return Ok(None);
        }
        let changed = self.changed_files(reading)?;
        let matched = match reading.glob.is_empty() {
            true => None,
            false => {
                let mut matched = FxHashSet::default();
                for part in parts {
                    // A glob chooses among the files of a folder, not among those that are named.
                    match self.files().facts(part).map(|facts| facts.kind) {
                        Ok(Kind::Folder) => {
                            matched.extend(self.walk_folder(part, reading, &[], &mut FilesReport::default())?);
                        }
                        _ => _ = matched.insert(part.clone()),
                    }
                }
                Some(matched)
            }
        };
        let language = reading.language.as_deref().map(|name| self.languages_known().named(name)).transpose();
        let language = language.map_err(|error| unknown_language(&error, self.languages_known()))?;
        let is_chosen = |file: &ProjectFile, path: &PathBuf| {
            parts.iter().any(|part| path.starts_with(part))
                && changed.as_ref().is_none_or(|changed| changed.contains(path))
                && matched.as_ref().is_none_or(|matched| matched.contains(path))
                && language.is_none_or(|language| file.language == language)
        };
        let numbered = (0u32..).zip(files.iter().zip(paths));
        Ok(Some(numbered.filter(|(_, (file, path))| is_chosen(file, path)).map(|(number, _)| FileId(number)).collect()))
    }
}

impl Reader {
    /// The files that name modules, for the languages of these files.
    fn manifests(&self, files: &[ProjectFile], listed: &[PathBuf], root: &Path, reading: &Reading) -> Vec<Manifest> {
        let (mut manifests, mut seen) = (Vec::new(), FxHashSet::default());
        for language in languages_of(files) {
            let names = &language.spec().symbols.manifests.files;
            // Languages with the same modules have the same manifests.
            if language.spec().symbols.modules == Some(ModuleScheme::Relative) && !seen.insert(names) {
                continue;
            }
            let globs = Globs::new(names.iter().map(String::as_str));
            let is_one = |path: &&PathBuf| globs.matches(&path.file_name().unwrap_or_default().to_string_lossy());
            for path in listed.iter().filter(is_one) {
                if let Ok(bytes) = self.walked_bytes(path, reading) {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    manifests.push(Manifest { path: below(path, root), language, text });
                }
            }
        }
        manifests
    }
}

/// Whether options choose among the files of a folder.
fn has_filter(reading: &Reading) -> bool {
    let Reading { language, glob, staged, since, .. } = reading;
    language.is_some() || !glob.is_empty() || *staged || since.is_some()
}
