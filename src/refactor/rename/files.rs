//! Files that have the name of a definition, and get its new name.

use heck::{ToKebabCase, ToSnakeCase};
use memchr::memmem;

use crate::language::Autoload;
use crate::limits;
use crate::modules::{FileId, ProjectFile};
use crate::refactor::Relocation;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::{RefactorEngine, Rename};
use crate::risks::Risk;
use crate::symbols::{Definition, Meaning, Project, Site, Thing};
use crate::tree::Node;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// Where the file of a module goes whose declaration gets another name; `None` for other symbols.
    ///
    /// # Errors
    /// If no symbol fits, or there is a file already.
    pub(crate) fn file_of_module(&self, request: &Rename) -> Result<Option<Relocation>, EngineError> {
        if request.keep_alias || request.engine == RefactorEngine::Lsp {
            return Ok(None);
        }
        let Ok(found) = self.find(&request.symbol, false) else { return Ok(None) };
        let [Definition { thing: Thing::Symbol(site), .. }] = found[..] else { return Ok(None) };
        let module = self.resolve(|resolver| {
            let declared = resolver.declares_module(site).then(|| resolver.name_means(site.file, site.name));
            match declared {
                Some(Meaning::Known(things)) => match things[..] {
                    [Thing::Module(file)] if file != site.file => Some(file),
                    _ => None,
                },
                _ => None,
            }
        });
        let Some(module) = module else { return Ok(None) };
        let ProjectFile { path, language } = self.project.file(module);
        let old = Project::module_path(path, language);
        let (folder, rest) = (old.rsplit_once('/').map_or("", |(folder, _)| folder), &path[old.len()..]);
        let new =
            if folder.is_empty() { format!("{}{rest}", request.to) } else { format!("{folder}/{}{rest}", request.to) };
        self.free_path(&new)?;
        Ok(Some(Relocation::new(path.clone(), new, false)))
    }

    /// Where the file of a definition goes that has to have the name of the definition.
    ///
    /// # Errors
    /// If there is a file already.
    pub(crate) fn required_file(&self, site: Site, to: &str) -> Result<Option<Relocation>, EngineError> {
        let is_required =
            self.resolve(|resolver| resolver.risks(site, to).into_iter().any(|risk| matches!(risk, Risk::File)));
        if !is_required {
            return Ok(None);
        }
        let path = self.project.file(site.file).path.clone();
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let ending = name.split_once('.').map_or("", |(_, ending)| ending);
        let new = if folder.is_empty() { format!("{to}.{ending}") } else { format!("{folder}/{to}.{ending}") };
        self.free_path(&new)?;
        Ok(Some(Relocation::new(path, new, false)))
    }

    /// Where the file of a class goes that a loader finds by the name of the class, and what is uncertain about it.
    ///
    /// # Errors
    /// If there is a file already, or files cannot be read.
    pub(crate) fn autoloaded_file(
        &self,
        site: Site,
        to: &str,
    ) -> Result<(Option<Relocation>, Vec<PlaceRow>), EngineError> {
        let nothing = || Ok((None, Vec::new()));
        let ProjectFile { path, language } = self.project.file(site.file);
        let rules = &language.spec().symbols.autoload;
        let (is_class, old) = self.resolve(|resolver| {
            let is_class = resolver.is_class(site) && resolver.class_of_member(site).is_none();
            (is_class && resolver.is_lasting(site), resolver.name_of(site).unwrap_or_default())
        });
        if !is_class || !self.has_loader(site.file, rules)? {
            return nothing();
        }
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let start = self.resolve(|resolver| resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start()));
        let found_so = |why: &str| vec![self.place_row(site.file, start, why.to_owned())];
        let Some(new_stem) = renamed_stem(stem, &old, to) else {
            let words = stem.split(['-', '_', '.']).filter(|word| !rules.extra.iter().any(|extra| extra == word));
            let plain = |text: &str| text.replace('_', "").to_lowercase();
            let is_like = plain(&words.collect::<String>()) == plain(&old);
            // `A_B_C` may be in `A/B/C.php`.
            let is_last = old.rsplit_once('_').is_some_and(|(_, last)| last.eq_ignore_ascii_case(stem));
            return match is_like || is_last {
                true => Ok((None, found_so("a loader may find the class by the name of its file"))),
                false => nothing(),
            };
        };
        let tree = self.whole_tree(site.file)?;
        let runs = |node| rules.code.contains(tree.table().type_id(node));
        if tree.named_children(Node::ROOT).any(runs) {
            return Ok((None, found_so("a loader may find the class by the name of its file, which has other code")));
        }
        let new =
            if folder.is_empty() { format!("{new_stem}.{ending}") } else { format!("{folder}/{new_stem}.{ending}") };
        if new == *path {
            return nothing();
        }
        self.free_path(&new)?;
        let mentions: Vec<String> =
            rules.mentions.iter().map(|text| text.replace("$stem", stem).replace("$ending", ending)).collect();
        let mut rows = Vec::new();
        let first = |text: &[u8]| mentions.iter().filter_map(|path| memmem::find(text, path.as_bytes())).min();
        let files: Vec<FileId> = self.project.ids().collect();
        for file in self.files_with(&files, &|_, text| first(text).is_some())? {
            if let Some(start) = self.bytes_of(file).and_then(|text| first(&text)) {
                rows.push(self.place_row(file, start, "a path to the file, which gets another name".to_owned()));
            }
        }
        Ok((Some(Relocation::new(path.clone(), new, false)), rows))
    }

    /// Whether a loader finds the files of classes by their names.
    fn has_loader(&self, file: FileId, rules: &Autoload) -> Result<bool, EngineError> {
        let language = self.project.file(file).language;
        let path = self.path(file);
        let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(self.root()));
        for folder in folders {
            for (name, says) in &rules.manifests {
                let bytes = self.engine.files().read(&folder.join(name), limits::CONFIGURATION_BYTES);
                if bytes.is_ok_and(|bytes| says.get().is_match(&String::from_utf8_lossy(&bytes))) {
                    return Ok(true);
                }
            }
        }
        if rules.words.is_empty() {
            return Ok(false);
        }
        let files: Vec<FileId> = self.project.ids().collect();
        let has_word = |text: &[u8]| rules.words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some());
        let found = self.files_with(&files, &|other, text| other == language && has_word(text))?;
        Ok(!found.is_empty())
    }

    /// Where the file of a definition goes that is named after it: `server.py` with `Server`.
    ///
    /// # Errors
    /// If the file has another name, or there is a file already.
    pub(crate) fn file_named_after(&self, request: &Rename) -> Result<Relocation, EngineError> {
        let bad = EngineError::bad_request;
        let Thing::Symbol(site) = self.find(&request.symbol, false)?[0].thing else {
            return Err(bad(format!("`{}` is a module, not a symbol in one", request.symbol)));
        };
        let old = self.resolve(|resolver| resolver.name_of(site)).unwrap_or_default();
        let path = self.project.file(site.file).path.clone();
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let new_stem = renamed_stem(stem, &old, &request.to).ok_or_else(|| {
            let error = bad(format!("`{path}` is not named after `{old}`"));
            error.hint("rename the symbol alone, and move the file by itself")
        })?;
        let new =
            if folder.is_empty() { format!("{new_stem}.{ending}") } else { format!("{folder}/{new_stem}.{ending}") };
        self.free_path(&new)?;
        Ok(Relocation::new(path, new, false))
    }

    fn free_path(&self, path: &str) -> Result<(), EngineError> {
        if self.project.at(path).is_none() && self.engine.files().facts(&self.root().join(path)).is_err() {
            return Ok(());
        }
        let error = EngineError::bad_request(format!("`{path}` already exists"));
        Err(error.hint("choose another name"))
    }
}

/// The stem of a file that is named after a definition, with its new name; `None` if it is not named after it.
fn renamed_stem(stem: &str, old: &str, to: &str) -> Option<String> {
    match stem {
        stem if stem == old => Some(to.to_owned()),
        stem if stem == old.to_snake_case() => Some(to.to_snake_case()),
        stem if stem == old.to_kebab_case() => Some(to.to_kebab_case()),
        stem if stem == old.to_lowercase() => Some(to.to_lowercase()),
        _ => None,
    }
}
