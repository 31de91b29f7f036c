//! Code that goes from one package to another, and the two packages.

use rustc_hash::FxHashMap;

use crate::language::{Language, ModuleScheme};
use crate::modules::FileId;
use crate::refactor::Piece;
use crate::refactor::move_symbols::packages::{folder, stem};
use crate::request::error::EngineError;
use crate::symbols::{ImportedName, Resolver, Site};
use crate::text::Span;
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// A package.
#[derive(Debug, Clone)]
pub(super) struct Package {
    /// The number of the folder, if it has files.
    pub number: Option<u32>,
    /// The name that its files declare.
    pub name: String,
    /// The path by which others import it.
    pub path: String,
    /// Its files, and their paths.
    pub files: Vec<FileId>,
    pub paths: Vec<String>,
}

/// Some code of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub file: FileId,
    pub span: Span,
}

/// A place in a file.
pub(super) type Start = (FileId, usize);

/// Code that goes from one package to another.
pub(super) struct Parcel {
    pub language: &'static Language,
    pub old: Package,
    pub new: Package,
    pub parts: Vec<Part>,
    /// The file that goes as a whole.
    pub whole: Option<FileId>,
    /// The file that gets the code, if it is there, or goes.
    pub home: Option<FileId>,
    /// The definitions at the top of the old package's files that move, and those that stay, by the places of their names.
    pub moving: FxHashMap<Start, Site>,
    pub staying: FxHashMap<Start, Site>,
}

impl Parcel {
    /// Whether other packages use a name with that of its package, and do not import it.
    pub(super) fn is_qualified(&self) -> bool {
        self.language.spec().symbols.modules == Some(ModuleScheme::PackageFolders)
    }

    /// Whether no file is left in the old package, but perhaps tests.
    pub(super) fn empties(&self) -> bool {
        let private = &self.language.spec().symbols.module_files.private;
        let is_test = |path: &str| private.iter().any(|ending| stem(path).ends_with(ending.as_str()));
        self.whole.is_some_and(|whole| {
            self.old.files.iter().zip(&self.old.paths).all(|(&file, path)| file == whole || is_test(path))
        })
    }

    /// Whether code moves.
    pub(super) fn has(&self, file: FileId, span: Span) -> bool {
        self.parts.iter().any(|part| part.file == file && part.span.contains(span))
    }

    /// Whether a name cannot be one at the top of the old package where it is: after the dot of a value, or in a file that sees no such
    /// names without that of their package.
    pub(super) fn is_out_of_reach(&self, resolver: &Resolver<'_>, file: FileId, node: Node) -> bool {
        if !self.is_qualified() || resolver.project().file(file).language != self.language {
            return false;
        }
        let Some(tree) = resolver.tree(file).filter(|tree| resolver.is_name(file, node) && tree.is_sound()) else {
            return false;
        };
        if let Some(object) = resolver.object_before(file, node) {
            let is_package = |import: &ImportedName| {
                let bound = import.alias.as_deref().unwrap_or(&self.old.name);
                bound == tree.node_text(object)
            };
            return !resolver.imported_names(file).iter().any(is_package);
        }
        let is_glob = |import: &ImportedName| import.is_glob;
        !self.old.files.contains(&file) && !resolver.imported_names(file).iter().any(is_glob)
    }

    /// The names of the definitions that move.
    pub(super) fn names(&self, resolver: &Resolver<'_>) -> Vec<String> {
        let mut names: Vec<String> = self.moving.values().filter_map(|&site| resolver.name_of(site)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Sorts the definitions of the old package.
    pub(super) fn sort_definitions(&mut self, resolver: &Resolver<'_>) {
        for &file in &self.old.files {
            let Some(tree) = resolver.tree(file) else { continue };
            for top in resolver.top_definitions(file) {
                let span = tree.span(top.site.name);
                let side = if self.has(file, span) { &mut self.moving } else { &mut self.staying };
                side.insert((file, span.start()), top.site);
            }
        }
    }
}

/// The spans of definitions as they are taken out of their files.
pub(super) fn parts_of(pieces: &[Piece]) -> Vec<Part> {
    pieces
        .iter()
        .map(|piece| Part { file: piece.file, span: Span::new(piece.start, piece.start + piece.text.len()) })
        .collect()
}

impl Workspace<'_> {
    /// The package of a file, and the one in the folder of a path.
    ///
    /// # Errors
    /// If one of them has no name, or nothing can import it.
    pub(super) fn packages(&self, from: FileId, path: &str) -> Result<(Package, Package), EngineError> {
        match self.project.file(from).language.spec().symbols.modules {
            Some(ModuleScheme::Packages) => self.named_packages(from, path),
            _ => self.imported_packages(from, path),
        }
    }

    /// The same, where the name of a package is the path of its folder below one for sources.
    fn named_packages(&self, from: FileId, path: &str) -> Result<(Package, Package), EngineError> {
        let bad = EngineError::bad_request;
        let spec = self.project.file(from).language.spec();
        let separator = spec.imports.separator.as_str();
        let (old_folder, new_folder) = (folder(&self.project.file(from).path).to_owned(), folder(path).to_owned());
        let Some(name) = self.resolve(|resolver| resolver.declared_package(from)).map(|package| package.name) else {
            let error = bad(format!("`{}` is in the package without a name", self.shown(from)));
            return Err(error.hint("other packages cannot import from there"));
        };
        let below = name.replace(separator, "/");
        let root = old_folder.strip_suffix(below.as_str()).filter(|root| root.is_empty() || root.ends_with('/'));
        let Some(root) = root else {
            return Err(bad(format!("the folder of `{}` is not named as its package `{name}`", self.shown(from))));
        };
        let Some(rest) = new_folder.strip_prefix(root).filter(|rest| !rest.is_empty()) else {
            let message = format!("`{path}` is not below `{root}`, the folder of the package `{name}`");
            return Err(bad(message).hint("choose a folder beside those of the other packages"));
        };
        let is_name = |part: &str| {
            part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
                && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                && !spec.reserved.iter().chain(&spec.keywords).any(|word| word == part)
        };
        if let Some(part) = rest.split('/').find(|part| !is_name(part)) {
            return Err(bad(format!("`{part}` cannot be the name of a package")));
        }
        let new_name = rest.replace('/', separator);
        let language = self.project.file(from).language;
        let last = new_name.rsplit(separator).next().unwrap_or_default().to_owned();
        let found = self.look_at_text(&last, |resolver, file| {
            let is_its = resolver.project().file(file).language == language
                && resolver.declared_package(file).is_some_and(|package| package.name == new_name);
            if is_its { vec![file] } else { Vec::new() }
        })?;
        let beside = self.project.ids().filter(|&file| {
            self.project.file(file).language == language && folder(&self.project.file(file).path) == new_folder
        });
        let beside: Vec<FileId> = beside.collect();
        if let Some(&other) = beside.iter().find(|file| !found.contains(file)) {
            let declares = self.resolve(|resolver| resolver.declared_package(other)).is_some();
            if declares {
                return Err(bad(format!("`{}` declares another package than `{new_name}`", self.shown(other))));
            }
        }
        let old_files = self.resolve(|resolver| resolver.files_of_package(from));
        let package = |folder: &str, name: String, files: Vec<FileId>| Package {
            number: self.project.folder_at(folder),
            path: name.clone(),
            name,
            paths: self.paths_of(&files),
            files,
        };
        Ok((package(&old_folder, name, old_files), package(&new_folder, new_name, found)))
    }

    /// The same, where a manifest says by which paths packages are imported.
    fn imported_packages(&self, from: FileId, path: &str) -> Result<(Package, Package), EngineError> {
        let bad = EngineError::bad_request;
        let language = self.project.file(from).language;
        let (old_folder, new_folder) = (folder(&self.project.file(from).path).to_owned(), folder(path).to_owned());
        let paths = (self.project.package_path(&old_folder), self.project.package_path(&new_folder));
        let (Some(old_path), Some(new_path)) = paths else {
            let message = format!("no manifest says how `{}` is imported", self.shown(from));
            return Err(bad(message).hint("a package moves in a project with a manifest: `go.mod`"));
        };
        if old_path.module != new_path.module {
            let message = format!("`{path}` is in another module than `{}`", self.shown(from));
            return Err(bad(message).hint("a definition moves between packages of one module"));
        }
        let number = self.project.folder_at(&new_folder);
        let private = &language.spec().symbols.module_files.private;
        let (old_name, found) = self.resolve(|resolver| {
            let own = resolver.declared_package(from).map(|package| package.name);
            let files = self.project.ids().filter(|&file| {
                let file = self.project.file(file);
                file.language == language && folder(&file.path) == new_folder
            });
            let is_seen = |file: &FileId| {
                let stem = stem(&self.project.file(*file).path);
                !private.iter().any(|ending| stem.ends_with(ending.as_str()))
            };
            let files: Vec<FileId> = files.collect();
            let first = files.iter().copied().find(is_seen).or_else(|| files.first().copied());
            let found = first.and_then(|first| {
                let name = resolver.declared_package(first)?.name;
                Some((name, resolver.files_of_package(first), files.iter().all(|file| !is_seen(file))))
            });
            (own.map(|name| (name, resolver.files_of_package(from))), found)
        });
        let Some((old_name, old_files)) = old_name else {
            return Err(bad(format!("`{}` declares no package", self.shown(from))));
        };
        let (new_name, new_files) = match found {
            Some((name, files, false)) => (name, files),
            Some((_, _, true)) => {
                let message = format!("`{new_folder}` has only tests");
                return Err(bad(message).hint("create a file of the package there first"));
            }
            None => {
                let name = new_folder.rsplit('/').next().unwrap_or_default().to_owned();
                let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
                    && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                    && !language.spec().reserved.contains(&name)
                    && !language.spec().keywords.contains(&name);
                if !is_name {
                    let message = format!("`{new_folder}` has no name that a package could have");
                    return Err(bad(message).hint("create a file of the package there first"));
                }
                (name, Vec::new())
            }
        };
        let old_number = self.project.folder_at(&old_folder);
        let package = |number: Option<u32>, name: String, path: String, files: Vec<FileId>| {
            let paths = self.paths_of(&files);
            Package { number, name, path, files, paths }
        };
        Ok((
            package(old_number, old_name, old_path.path, old_files),
            package(number, new_name, new_path.path, new_files),
        ))
    }

    fn paths_of(&self, files: &[FileId]) -> Vec<String> {
        files.iter().map(|&file| self.project.file(file).path.clone()).collect()
    }
}
