//! Uses of the path or the name of a file that moves, other than imports.

use std::path::Path;

use crate::imports::unused::is_standard;
use crate::language::ModuleScheme;
use crate::modules::FileId;
use crate::refactor::Relocation;
use crate::refactor::move_symbols::own_file::why_another;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::Confidence;
use crate::risks::{ModuleAccess, OwnWord, OwnWordKind};
use crate::symbols::{Project, Thing, module_name};
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// Places where something may go wrong when files move.
#[derive(Default)]
pub(super) struct OwnPath {
    pub risks: Vec<PlaceRow>,
    pub notes: Vec<String>,
}

impl Workspace<'_> {
    /// Where files that move depend on their paths, and code depends on theirs.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(super) fn own_paths(
        &self,
        moved: &[FileId],
        relocation: &Relocation,
        after: &Project,
    ) -> Result<OwnPath, EngineError> {
        let mut found = OwnPath::default();
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let is_beside = folder(relocation.old()) == folder(&relocation.new);
        for &file in moved {
            let (old, new) = (module_name(&self.project, file), module_name(after, file));
            self.add_paths(file, is_beside, &mut found);
            if old == new {
                continue;
            }
            self.add_names(file, &mut found);
            if let Some(why) = self.bad_place(file, &after.file(file).path, &new) {
                found.risks.push(self.place_row(file, 0, why));
            }
            if moved.len() == 1 {
                found.risks.extend(self.started_programs(&old)?);
                found.risks.extend(self.listed_modules(file)?);
            }
        }
        Ok(found)
    }

    /// Adds words in a file for its path, which is another one after the move.
    fn add_paths(&self, file: FileId, is_beside: bool, found: &mut OwnPath) {
        let words =
            self.words_of_whole_file(file).into_iter().filter(|word| word.kind == OwnWordKind::File && !is_beside);
        found.risks.extend(words.map(|word| self.place_row(file, word.start, why_another(&word))));
    }

    /// Adds words in a file for the name of its module, which is another one after the move.
    fn add_names(&self, file: FileId, found: &mut OwnPath) {
        for word in self.words_of_whole_file(file) {
            match word.kind {
                OwnWordKind::Names | OwnWordKind::File => {}
                OwnWordKind::Logger => {
                    found.notes.push(format!("the loggers of `{}` have another name then", self.shown(file)));
                }
                OwnWordKind::Module => found.risks.push(self.place_row(file, word.start, why_another(&word))),
            }
        }
        found.notes.dedup();
    }

    fn words_of_whole_file(&self, file: FileId) -> Vec<OwnWord> {
        self.resolve(|resolver| {
            let whole = resolver.tree(file).map(|tree| tree.span(Node::ROOT));
            whole.map(|whole| resolver.own_words(file, &[whole])).unwrap_or_default()
        })
    }

    /// Why a file should not have its new name, or should keep its old one.
    fn bad_place(&self, file: FileId, new_path: &str, name: &str) -> Option<String> {
        let spec = self.project.file(file).language.spec();
        if spec.symbols.modules != Some(ModuleScheme::Dotted) {
            return None;
        }
        let stem = Path::new(&self.project.file(file).path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let Some(stem) = stem.filter(|stem| spec.symbols.hidden_uses.programs.contains(stem)) {
            return Some(format!("a file named `{stem}` is started by the name of its folder"));
        }
        self.hides_standard(new_path, name, spec)
    }

    /// Why a module would hide one of the standard library.
    pub(crate) fn hides_standard(&self, path: &str, name: &str, spec: &crate::language::Spec) -> Option<String> {
        let rule = spec.imports.organize.as_ref()?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let packages = &spec.symbols.module_files.packages;
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_in_package = packages.iter().any(|stem| {
            let file = format!("{stem}.{ending}");
            self.project.at(&if folder.is_empty() { file } else { format!("{folder}/{stem}.{ending}") }).is_some()
        });
        let last = name.rsplit('.').next().unwrap_or(name);
        (!is_in_package && is_standard(rule, last))
            .then(|| format!("a module `{last}` would hide that of the standard library"))
    }

    /// Commands in lists of strings that start a module by its name: `[python, "-m", "a.b"]`.
    fn started_programs(&self, module: &str) -> Result<Vec<PlaceRow>, EngineError> {
        let found = self.look_at_text(module, |resolver, file| {
            let places = resolver.started_modules(file, module);
            places.into_iter().map(|start| (file, start)).collect()
        })?;
        let why = "a command starts the module by this name";
        Ok(found.into_iter().map(|(file, start)| self.place_row(file, start, why.to_owned())).collect())
    }

    /// Where the modules of the package around a file are listed, or reached by strings.
    fn listed_modules(&self, file: FileId) -> Result<Vec<PlaceRow>, EngineError> {
        let mut rows = Vec::new();
        let stem = module_name(&self.project, file);
        let Some((_, stem)) = stem.rsplit_once('.') else { return Ok(rows) };
        let around = self.project.ids().find(|&other| {
            let path =
                |file: FileId| self.project.file(file).path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
            other != file && self.project.is_package_around(other, file) && path(other) == path(file)
        });
        let listers = &self.project.file(file).language.spec().symbols.hidden_uses.module_listers;
        for word in listers.iter().filter(|_| around.is_some()) {
            let found = self.look(word, None, |resolver, file| {
                resolver.spans_of(file, word).into_iter().map(|span| (file, span)).collect()
            })?;
            let why = format!("`{word}` may list the module in its package");
            rows.extend(found.into_iter().map(|(file, span)| self.place_row(file, span.start(), why.clone())));
        }
        let Some(package) = around else { return Ok(rows) };
        for reference in self.references(&[Thing::Module(package)])? {
            if reference.row.confidence != Confidence::Certain {
                continue;
            }
            let access = self.resolve(|resolver| resolver.module_access(reference.file, reference.node));
            if let ModuleAccess::Named { names, .. } = access
                && names.iter().any(|name| name == stem)
            {
                let why = "a call names the module by a string".to_owned();
                rows.push(self.place_row(reference.file, reference.start, why));
            }
        }
        Ok(rows)
    }
}
