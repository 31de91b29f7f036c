//! `move-file` of a file, or of a whole package, where the files of a package share one scope.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::edit::TextChange;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::refactor::Redirected;
use crate::refactor::Relocation;
use crate::refactor::move_file::relocated::Relocated;
use crate::refactor::move_packages::crossing::Crossing;
use crate::refactor::move_packages::parcel::{Parcel, Part};
use crate::refactor::move_symbols::packages::{folder, stem};
use crate::refactor::plan::Planned;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::symbols::Thing;
use crate::text::Span;
use crate::transfer::import_parts::FileTree;
use crate::tree::Node;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Plans that a file of a package, or a folder with packages, gets another path.
    ///
    /// # Errors
    /// If it cannot move there.
    pub(crate) fn plan_package_file(
        &self,
        options: &RefactorOptions,
        relocation: Relocation,
    ) -> Result<Planned, EngineError> {
        match self.project.at(relocation.old()) {
            Some(file) => self.plan_file_to_package(options, relocation, file),
            None => self.plan_package_folder(options, relocation),
        }
    }

    /// Plans that a file goes to another package, or gets another name in its own.
    fn plan_file_to_package(
        &self,
        options: &RefactorOptions,
        relocation: Relocation,
        file: FileId,
    ) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let path = relocation.new_path(relocation.old()).unwrap_or_default();
        let shown = format!("`{}`", relocation.old());
        let language = self.project.file(file).language;
        let Some(tree) = self.resolve(|resolver| resolver.tree(file).cloned()) else {
            return Err(bad(format!("{shown} cannot be read")));
        };
        self.check_file_name(file, &path)?;
        let mut risks = self.other_conditions(FileTree { file, tree: &tree }, None, &path);
        if folder(relocation.old()) == folder(&path) {
            let relocated =
                Relocated { relocation, redirected: BTreeMap::new(), risks, left: Vec::new(), words: Vec::new() };
            return self.finish_relocation(options, relocated, &shown);
        }
        let (old, new) = self.packages(file, &path)?;
        let mut parcel = Parcel {
            language,
            old,
            new,
            parts: vec![Part { file, span: Span::new(0, tree.text().len()) }],
            whole: Some(file),
            home: Some(file),
            moving: FxHashMap::default(),
            staying: FxHashMap::default(),
        };
        self.resolve(|resolver| parcel.sort_definitions(resolver));
        risks.extend(self.names_of_package_file(&parcel, file));
        let (names, mut left) = self.names_across(&parcel)?;
        let mentioning = self.mentioning(&parcel)?;
        let declared = self.resolve(|resolver| resolver.declared_package(file));
        let crossed = self.resolve(|resolver| {
            let mut crossing = Crossing::new(resolver, &parcel);
            if let Some(declared) = declared.filter(|declared| declared.name != parcel.new.name) {
                crossing.change(&tree, file, declared.span, parcel.new.name.clone());
            }
            crossing.cross(&names, &mentioning);
            crossing.check_empty(&mentioning);
            crossing.finish()
        });
        crossed.check(self, &shown)?;
        left.extend(crossed.uncertain(self));
        left.extend(self.full_names(&parcel)?);
        let words = self.resolve(|resolver| parcel.names(resolver));
        let relocated = Relocated { relocation, redirected: crossed.redirected, risks, left, words };
        self.finish_relocation(options, relocated, &shown)
    }

    /// Refuses a file whose public class would not have its name.
    fn check_file_name(&self, file: FileId, path: &str) -> Result<(), EngineError> {
        let named = &self.project.file(file).language.spec().symbols.module_files.named_after;
        let found = self.resolve(|resolver| {
            let tree = resolver.tree(file)?;
            let is_named = |unit: &Node| {
                let mut words = tree.modifiers(*unit).into_iter();
                words.any(|word| named.iter().any(|known| *known == *word))
                    && tree.name(*unit).as_deref() != Some(stem(path))
            };
            let unit = tree.named_children(Node::ROOT).find(|unit| tree.is_scope(*unit) && is_named(unit))?;
            tree.name(unit)
        });
        let Some(name) = found else { return Ok(()) };
        let message = format!("a public class has a file of its name, and `{name}` is not `{path}`");
        Err(EngineError::bad_request(message).hint("`rename` gives the class and its file another name"))
    }

    /// Definitions and comments that mean something in their own package.
    fn names_of_package_file(&self, parcel: &Parcel, file: FileId) -> Vec<PlaceRow> {
        let spec = parcel.language.spec();
        let regex = spec.symbols.module_files.directives.as_ref();
        let found = self.resolve(|resolver| {
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let mut found = Vec::new();
            for unit in tree.named_children(Node::ROOT) {
                let name = tree.name(unit).unwrap_or_default();
                if spec.references.fixed.contains(&name) {
                    found.push((tree.span(unit).start(), "it would run with another package".to_owned()));
                }
                if tree.is_comment(unit) && regex.is_some_and(|regex| regex.get().is_match(&tree.node_text(unit))) {
                    found.push((tree.span(unit).start(), "the comment is for the compiler".to_owned()));
                }
            }
            found
        });
        found.into_iter().map(|(start, why)| self.place_row(file, start, why)).collect()
    }

    /// Plans that a whole package, with those in it, gets another folder.
    fn plan_package_folder(&self, options: &RefactorOptions, relocation: Relocation) -> Result<Planned, EngineError> {
        let bad = EngineError::bad_request;
        let shown = format!("`{}`", relocation.old());
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        let language = moved.iter().map(|&file| self.project.file(file).language).next();
        let Some(language) = language else { return Err(bad(format!("{shown} has no files"))) };
        if language.spec().symbols.modules != Some(ModuleScheme::PackageFolders) {
            let message = format!("moving folders of {} is not supported yet: {shown}", language.name());
            return Err(bad(message).hint("move its files one by one"));
        }
        let has_manifest = |path: &str| relocation.new_path(path).is_some();
        if self.project.manifests().iter().any(|manifest| has_manifest(&manifest.path)) {
            return Err(bad(format!("{shown} has a module of its own")).hint("change its manifest instead"));
        }
        let new = relocation.new_path(relocation.old()).unwrap_or_default();
        let path_of = |folder: &str| self.project.package_path(folder);
        let (Some(old_path), Some(new_path)) = (path_of(relocation.old()), path_of(&new)) else {
            return Err(bad(format!("no manifest says how {shown} is imported")));
        };
        if old_path.module != new_path.module {
            return Err(bad(format!("`{new}` is in another module than {shown}")));
        }
        let mut redirected: BTreeMap<FileId, Redirected> = BTreeMap::new();
        let found = self.look("", None, |resolver, file| {
            if resolver.project().file(file).language != language {
                return Vec::new();
            }
            let Some(tree) = resolver.tree(file) else { return Vec::new() };
            let project = resolver.project();
            let mut found = Vec::new();
            for import in resolver.imported_names(file) {
                let Some(Thing::Folder(number)) = resolver.imported_module(file, &import.name) else { continue };
                let Some(folder) = project.path_of(Thing::Folder(number)) else { continue };
                let own = folder == relocation.old() || relocation.new_path(folder).is_some();
                let importer = &project.file(file).path;
                let importer = relocation.new_path(importer).unwrap_or_else(|| importer.clone());
                let target = relocation.new_path(folder).unwrap_or_else(|| folder.to_owned());
                let paths = (project.package_path(self::folder(&importer)), project.package_path(&target));
                let (Some(importer), Some(target)) = paths else { continue };
                let hidden = &language.spec().symbols.package_borders.hidden_folders;
                let is_hidden = super::cycles::is_hidden(hidden, &target.path, &importer.path);
                let text = tree.node_text(import.node).into_owned();
                let at = text.find(&import.name).map(|at| tree.span(import.node).start() + at);
                let Some(at) = at.filter(|_| own || is_hidden) else { continue };
                let span = Span::new(at, at + import.name.len());
                found.push((
                    file,
                    TextChange { span, text: target.path, extent: tree.span(import.statement) },
                    is_hidden,
                ));
            }
            found
        })?;
        let mut risks = Vec::new();
        for (file, change, is_hidden) in found {
            if is_hidden {
                let why = format!("`{}` cannot be imported from here", change.text);
                risks.push(self.place_row(file, change.span.start(), why));
            }
            redirected.entry(file).or_default().changes.change(change);
        }
        let relocated = Relocated { relocation, redirected, risks, left: Vec::new(), words: Vec::new() };
        self.finish_relocation(options, relocated, &shown)
    }
}
