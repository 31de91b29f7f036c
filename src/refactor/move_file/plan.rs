//! What changes when a file or a folder moves.

use std::collections::BTreeMap;

use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::refactor::move_file::relocated::Relocated;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::refactor::{Redirected, Relocation, changes_of_move};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{MoveFile, RefactorOptions};
use crate::request::symbol_messages::Role;
use crate::symbols::{ImportedName, Project, Thing};
use crate::transfer::computed::computed_loads;
use crate::workspace::files::Workspace;

impl Plan for MoveFile {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        let relocation = workspace.relocation(&self.symbol, &self.to)?;
        workspace.move_file_in_steps(relocation, options, done)
    }
}

impl Workspace<'_> {
    /// Gives a file or folder another path, in as many steps as that takes.
    ///
    /// # Errors
    /// If it cannot be moved there, or references are uncertain.
    pub(crate) fn move_file_in_steps(
        &mut self,
        relocation: Relocation,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        for step in self.steps_of_move(relocation)? {
            let planned = self.plan_relocation(options, step)?;
            done.add(self.apply_checked(planned)?);
        }
        Ok(())
    }

    /// Plans that a file or folder gets another path.
    ///
    /// # Errors
    /// If it cannot be moved, or references are uncertain.
    pub(crate) fn plan_relocation(
        &self,
        options: &RefactorOptions,
        relocation: Relocation,
    ) -> Result<Planned, EngineError> {
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        let is_shared = |&file: &FileId| {
            let scheme = self.project.file(file).language.spec().symbols.modules;
            matches!(scheme, Some(ModuleScheme::PackageFolders | ModuleScheme::Packages))
        };
        if moved.iter().any(is_shared) {
            return self.plan_package_file(options, relocation);
        }
        let is_declared =
            |&file: &FileId| self.project.file(file).language.spec().symbols.modules == Some(ModuleScheme::ModuleTree);
        if moved.iter().any(is_declared) {
            return self.plan_module_file(options, relocation);
        }
        let follows = |file: &FileId| {
            let scheme = self.project.file(*file).language.spec().symbols.modules;
            match scheme {
                None | Some(ModuleScheme::Dotted | ModuleScheme::Relative) => true,
                Some(_) => false,
            }
        };
        if let Some(&other) = moved.iter().find(|file| !follows(file)) {
            let language = self.project.file(other).language.name();
            let message = format!("moving files of {language} is not supported yet: `{}`", self.shown(other));
            return Err(EngineError::new(ErrorCode::UnsupportedLanguage, message));
        }
        let after = self.project.relocated(|path| relocation.new_path(path), Vec::new());
        let found = self.look("", None, |resolver, file| {
            let spec = resolver.project().file(file).language.spec();
            if spec.symbols.modules.is_none() && spec.injections.is_empty() {
                return Vec::new();
            }
            let mut found = changes_of_move(resolver, &after, file, &relocation);
            computed_loads(resolver, file, &relocation, &mut found);
            vec![(file, found)]
        })?;
        let redirected: BTreeMap<FileId, Redirected> =
            found.into_iter().map(|(file, changes)| (file, Redirected { changes, ..Redirected::default() })).collect();
        let own = self.own_paths(&moved, &relocation, &after)?;
        let mut risks = self.cycles_through_packages(&moved, &after)?;
        risks.extend(own.risks);
        let mut words: Vec<String> = Vec::new();
        for &file in &moved {
            for path in [&self.project.file(file).path, &after.file(file).path] {
                let mut parts = path.rsplit('/');
                let stem = parts.next().and_then(|name| name.split('.').next());
                words.extend(stem.into_iter().chain(parts.next()).map(str::to_owned));
            }
        }
        words.sort_unstable();
        words.dedup();
        let shown = format!("`{}`", relocation.old());
        let relocated = Relocated { relocation, redirected, risks, left: Vec::new(), words };
        let mut planned = self.finish_relocation(options, relocated, &shown)?;
        planned.notes.extend(own.notes);
        Ok(planned)
    }

    /// The cycles of imports that there would be because an import of what moves loads the packages around its new place first.
    fn cycles_through_packages(&self, moved: &[FileId], after: &Project) -> Result<Vec<PlaceRow>, EngineError> {
        let mut rows = Vec::new();
        for &file in moved {
            if self.project.file(file).language.spec().symbols.modules != Some(ModuleScheme::Dotted) {
                continue;
            }
            let packages: Vec<FileId> = self
                .project
                .ids()
                .filter(|&other| !moved.contains(&other) && after.is_package_around(other, file))
                .filter(|&other| !self.project.is_package_around(other, file))
                .collect();
            if packages.is_empty() {
                continue;
            }
            let references = self.references(&[Thing::Module(file)])?;
            let importers = references.iter().filter(|one| one.row.role == Role::Import).filter(|one| {
                self.resolve(|resolver| {
                    let imports = resolver.imported_names(one.file);
                    let is_around = |import: &ImportedName| {
                        resolver.tree(one.file).is_some_and(|tree| tree.table().is_within(one.node, import.statement))
                    };
                    imports.iter().any(|import| import.is_at_top && is_around(import))
                })
            });
            let mut edges: Vec<(FileId, FileId)> = importers
                .flat_map(|one| packages.iter().map(|&package| (one.file, package)))
                .filter(|&(importer, package)| !self.project.is_package_around(package, importer))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            rows.extend(self.new_cycles(file, &edges));
        }
        Ok(rows)
    }

    /// Where a file or folder goes.
    pub(crate) fn relocation(&self, from: &str, to: &str) -> Result<Relocation, EngineError> {
        let bad = EngineError::bad_request;
        if from.is_empty() || to.is_empty() {
            return Err(bad("moving a file takes its path and the new one".to_owned()));
        }
        let old = self.path_from_root(from)?;
        let files = self.below(from)?;
        let is_folder = self.project.at(&old).is_none();
        let mut new = self.path_from_root(to)?;
        if to.ends_with('/') || self.project.folder_at(&new).is_some() {
            let name = old.rsplit('/').next().unwrap_or(&old);
            new = if new.is_empty() { name.to_owned() } else { format!("{new}/{name}") };
        }
        if new == old {
            return Err(bad(format!("`{from}` is already in that place")));
        }
        if is_folder && new.starts_with(&format!("{old}/")) {
            return Err(bad(format!("`{from}` cannot move into itself")));
        }
        if !is_folder {
            let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_owned());
            let language = files.iter().next().map(|&file| self.project.file(file).language);
            let fits = language.is_some_and(|language| {
                language.extensions().iter().any(|known| Some(known.as_str()) == ending(&new).as_deref())
            });
            if !fits {
                let error = bad(format!("`{to}` is not a file of the same language"));
                return Err(error.hint("give the new name with its ending, or a folder with `/` at its end"));
            }
        }
        if self.engine.files().facts(&self.root().join(&new)).is_ok() {
            return Err(bad(format!("`{new}` already exists")).hint("choose another path"));
        }
        Ok(Relocation::new(old, new, is_folder))
    }

    /// A path, as a person gives it, from the root of the project.
    pub(crate) fn path_from_root(&self, path: &str) -> Result<String, EngineError> {
        let absolute = self.engine.absolute(std::path::Path::new(path));
        let mut parts: Vec<String> = Vec::new();
        let below = absolute.strip_prefix(self.root()).map_err(|_| {
            let message = format!("`{path}` is not in the project");
            EngineError::bad_request(message).hint("the project is the working directory unless a folder is named")
        })?;
        for part in below.iter().map(|part| part.to_string_lossy()) {
            match &*part {
                "." => {}
                ".." => _ = parts.pop(),
                name => parts.push(name.to_owned()),
            }
        }
        Ok(parts.join("/"))
    }
}
