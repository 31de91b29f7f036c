//! The way of a module's file: the files that go along, the modules around it before and after, the steps.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::refactor::Relocation;
use crate::request::error::{EngineError, PlaceRow};
use crate::symbols::{Project, Thing};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// A module that gets another path.
pub(super) struct ModuleRoute {
    /// Its file.
    pub module: FileId,
    /// All files that move: its own, and those of the modules inside it.
    pub moved: FxHashSet<FileId>,
    /// The file that declares it, and that which will.
    pub from: FileId,
    pub home: FileId,
    /// Where the name is in its declaration.
    pub declared: Span,
    pub old_name: String,
    pub new_name: String,
    pub relocation: Relocation,
}

impl Workspace<'_> {
    /// The steps of a move: a module that gets another name and another module around it does one after the other.
    ///
    /// # Errors
    /// If a folder is no module.
    pub(crate) fn steps_of_move(&self, relocation: Relocation) -> Result<Vec<Relocation>, EngineError> {
        let Some(relocation) = self.module_with_its_folder(&relocation)? else { return Ok(vec![relocation]) };
        let (old, new) = (relocation.old.clone(), relocation.new.clone());
        let Some(file) = self.project.at(&old) else { return Ok(vec![relocation]) };
        let language = self.project.file(file).language;
        let whole = |path: &str| {
            let module = Project::module_path(path, language);
            let (folder, name) = module.rsplit_once('/').unwrap_or(("", module));
            (folder.to_owned(), name.to_owned())
        };
        let ((old_folder, old_name), (new_folder, new_name)) = (whole(&old), whole(&new));
        if old_folder == new_folder || old_name == new_name {
            return Ok(vec![relocation]);
        }
        let between = |path: &str, name: &str| {
            let module = Project::module_path(path, language);
            let (folder, rest) = (module.rsplit_once('/').map_or("", |(folder, _)| folder), &path[module.len()..]);
            if folder.is_empty() { format!("{name}{rest}") } else { format!("{folder}/{name}{rest}") }
        };
        let renamed_first = between(&old, &new_name);
        let is_free = |path: &str| {
            let module = Project::module_path(path, language);
            let is_there = |other: &str| Project::module_path(other, language) == module;
            !self.project.files().iter().any(|file| is_there(&file.path))
        };
        let middle = if is_free(&renamed_first) { renamed_first } else { between(&new, &old_name) };
        Ok(vec![self.with_folder(&old, &middle, file)?, self.with_moved_folder(&old, &middle, &new, file)?])
    }

    /// A relocation of the file of a module with the folder of the modules inside it; `None` if nothing that moves is such a module.
    fn module_with_its_folder(&self, relocation: &Relocation) -> Result<Option<Relocation>, EngineError> {
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        let scheme = |file: FileId| self.project.file(file).language.spec().symbols.modules;
        let Some(&first) = moved.iter().find(|&&file| scheme(file) == Some(ModuleScheme::ModuleTree)) else {
            return Ok(None);
        };
        if self.project.at(&relocation.old).is_some() {
            return self.with_folder(&relocation.old, &relocation.new, first).map(Some);
        }
        let language = self.project.file(first).language;
        let packages = &language.spec().symbols.module_files.packages;
        for ending in language.extensions() {
            for stem in packages {
                let below = format!("/{stem}.{ending}");
                let old = format!("{}{below}", relocation.old);
                if self.project.at(&old).is_some() {
                    return self.with_folder(&old, &format!("{}{below}", relocation.new), first).map(Some);
                }
            }
            let old = format!("{}.{ending}", relocation.old);
            if self.project.at(&old).is_some() {
                return self.with_folder(&old, &format!("{}.{ending}", relocation.new), first).map(Some);
            }
        }
        let error = EngineError::bad_request(format!("`{}` is not the folder of a module", relocation.old));
        Err(error.hint("move the files of its modules one by one"))
    }

    /// A file that moves with the folder of the modules inside its own.
    fn with_folder(&self, old: &str, new: &str, file: FileId) -> Result<Relocation, EngineError> {
        self.with_moved_folder(old, old, new, file)
    }

    /// The same for a file that an earlier step brings from `first` to `old`.
    fn with_moved_folder(&self, first: &str, old: &str, new: &str, file: FileId) -> Result<Relocation, EngineError> {
        let language = self.project.file(file).language;
        let inner = |path: &str| Project::module_path(path, language).to_owned();
        let (start, from, to) = (inner(first), inner(old), inner(new));
        let relocation = Relocation::new(old.to_owned(), new.to_owned(), false);
        let folder = format!("{start}/");
        let relative =
            |path: &PathBuf| path.strip_prefix(self.root()).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
        let inside: Vec<String> =
            self.listed().iter().filter_map(relative).filter(|path| path.starts_with(&folder)).collect();
        let others: Vec<&String> = inside.iter().filter(|path| *path != first).collect();
        if from == to || others.is_empty() {
            return Ok(relocation);
        }
        for path in others {
            let target = format!("{to}{}", &path[start.len()..]);
            if self.engine.files().facts(&self.root().join(&target)).is_ok() && !inside.contains(&target) {
                let message = format!("`{target}` already exists, and `{path}` would move there");
                return Err(EngineError::bad_request(message).hint("choose another path"));
            }
        }
        Ok(relocation.with_inner(from, to))
    }

    /// Finds the modules around a module before and after.
    ///
    /// # Errors
    /// If it has none, or several, or they are of two libraries or programs.
    pub(super) fn module_route(&self, relocation: Relocation) -> Result<ModuleRoute, EngineError> {
        let bad = EngineError::bad_request;
        let (old, new) = (relocation.old.clone(), relocation.new.clone());
        let Some(module) = self.project.at(&old) else {
            return Err(bad(format!("`{old}` is not a file of the project")));
        };
        let moved: FxHashSet<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        let after = self.project.relocated(|path| relocation.new_path(path), Vec::new());
        let (Some(old_name), Some(new_name)) = (self.project.name_in_tree(module), after.name_in_tree(module)) else {
            return Err(self.root_error(&old));
        };
        let (old_name, new_name) = (old_name.to_owned(), new_name.to_owned());
        let declarations = self.look(&old_name, None, |resolver, file| {
            let found = resolver.module_declarations(file, module).into_iter();
            found.map(|span| (file, span)).collect()
        })?;
        let parent = self.resolve(|resolver| resolver.outer_module(Thing::Module(module)));
        let (Some(Thing::Module(from)), [(file, declared)]) = (parent, &declarations[..]) else {
            return Err(match declarations.is_empty() {
                true => self.root_error(&old),
                false => {
                    let row = |&(file, span): &(FileId, Span)| {
                        self.place_row(file, span.start(), "it is declared here".to_owned())
                    };
                    let rows: Vec<PlaceRow> = declarations.iter().map(row).collect();
                    let why = if rows.len() > 1 {
                        "more than one place declares it"
                    } else {
                        "its declaration is in another place than its path says"
                    };
                    let mut error = bad(format!("cannot move `{old}`: {why}, e.g. {}:{}", rows[0].path, rows[0].line));
                    error.details.places = rows;
                    error
                }
            });
        };
        let (declaring, declared) = (*file, *declared);
        let name = self.resolve(|resolver| {
            let tree = resolver.tree(declaring)?;
            let name = tree.table().smallest_around(declared);
            let is_plain = *tree.node_text(name) == *old_name
                && resolver.module_of(declaring, tree.table().parent(name)?) == Thing::Module(declaring);
            Some(is_plain && declaring == from)
        });
        if name != Some(true) {
            let row = self.place_row(declaring, declared.start(), "it is declared here".to_owned());
            let mut error = bad(format!(
                "cannot move `{old}`: its declaration is not a plain one at the top of a file, {}:{}",
                row.path, row.line
            ));
            error.details.places = vec![row];
            return Err(error);
        }
        let home = self.home_of_module(module, &moved, &after, &new)?;
        Ok(ModuleRoute { module, moved, from, home, declared, old_name, new_name, relocation })
    }

    fn root_error(&self, path: &str) -> EngineError {
        let message = format!("cannot move `{path}`: no file declares it as a module");
        EngineError::bad_request(message)
            .hint("the first file of a library, a program or a test is found by its path; the build has to be changed with it")
    }

    /// The file that will declare the module.
    fn home_of_module(
        &self,
        module: FileId,
        moved: &FxHashSet<FileId>,
        after: &Project,
        new: &str,
    ) -> Result<FileId, EngineError> {
        let bad = EngineError::bad_request;
        let above = after.files_above(module);
        if above.iter().any(|file| moved.contains(file)) {
            return Err(bad(format!("`{new}` would be inside of the module itself")));
        }
        let same =
            |&file: &FileId| self.resolve(|resolver| resolver.root_of_module(file) == resolver.root_of_module(module));
        if let Some(home) = above.iter().copied().find(same) {
            return Ok(home);
        }
        let language = self.project.file(module).language;
        let own = Project::module_path(&self.project.file(module).path, language);
        if new.strip_prefix(own).is_some_and(|rest| rest.starts_with('/')) {
            return Err(bad(format!("`{new}` would be inside of the module itself")));
        }
        let folder = Project::module_path(new, language);
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        Err(match above.first() {
            Some(&other) => {
                let message =
                    format!("`{}` and the place of `{new}` are not in one library or program", self.shown(module));
                bad(message).hint(format!("`{}` would declare it", self.shown(other)))
            }
            None => {
                let ending = new.rsplit_once('.').map_or("", |(_, ending)| ending);
                let message = format!("no file declares the modules in `{folder}`");
                bad(message).hint(format!("create the module around it first: `{folder}.{ending}`"))
            }
        })
    }
}
