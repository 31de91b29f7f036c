//! Files that get other paths, when all changes are known: the new trees, and the files that are not read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::modules::{FileId, relative_path};
use crate::reader::document::limits;
use crate::refactor::plan::Planned;
use crate::refactor::{Redirected, Relocation};
use crate::request::error::{EngineError, PlaceRow};
use crate::request::refactor::RefactorOptions;
use crate::symbols::Thing;
use crate::workspace::files::Workspace;

/// Files that get other paths, with all changes.
pub(crate) struct Relocated {
    pub relocation: Relocation,
    pub redirected: BTreeMap<FileId, Redirected>,
    pub risks: Vec<PlaceRow>,
    pub left: Vec<PlaceRow>,
    /// Names that must mean what they did in all files.
    pub words: Vec<String>,
}

impl Workspace<'_> {
    /// Makes the new trees of files that get other paths, if nothing is uncertain.
    ///
    /// # Errors
    /// If references are uncertain, or a file could not be changed.
    pub(crate) fn finish_relocation(
        &self,
        options: &RefactorOptions,
        relocated: Relocated,
        shown: &str,
    ) -> Result<Planned, EngineError> {
        let Relocated { relocation, mut redirected, risks, mut left, words } = relocated;
        let counts = self.decide_all(options, &mut redirected, &mut left);
        left.extend(self.unread());
        self.refuse_uncertain(options, &format!("cannot move {shown}"), risks, &left)?;
        let files = self.changed_files(&redirected, &limits(&options.reading))?;
        let moved: Vec<FileId> =
            self.project.ids().filter(|&file| relocation.new_path(&self.project.file(file).path).is_some()).collect();
        let changed: Vec<FileId> = files.iter().map(|(file, ..)| *file).collect();
        let notes = self.notes_of_move(&relocation, &changed);
        let definitions = self.described(moved.first().map(|&file| Thing::Module(file)));
        Ok(Planned {
            definitions,
            files,
            words,
            deletes: true,
            counts,
            left,
            notes,
            moved: moved.iter().map(|&file| (file, self.path(file).to_owned())).collect(),
            others: self.moved_as_they_are(&relocation),
            relocation: Some(relocation),
            ..Planned::default()
        })
    }

    /// The files without code that name what moves or goes, besides those that change with it.
    pub(crate) fn notes_of_move(&self, relocation: &Relocation, changed: &[FileId]) -> Vec<String> {
        const SHOWN: usize = 5;
        const LARGEST: u64 = 1 << 20;
        let dotted = relocation.old().rsplit_once('.').map_or(relocation.old(), |(stem, _)| stem).replace('/', ".");
        let names: Vec<&str> = [relocation.old(), dotted.as_str()].into_iter().filter(|name| name.len() > 3).collect();
        let is_code =
            |file: FileId| changed.contains(&file) || self.project.file(file).language.spec().symbols.modules.is_some();
        let code: FxHashSet<&std::path::Path> =
            self.project.ids().filter(|&file| is_code(file)).map(|file| self.path(file)).collect();
        let mut found = Vec::new();
        for path in self.listed().iter().filter(|path| !code.contains(path.as_path())) {
            let Ok(bytes) = self.engine.files().read(path, LARGEST) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            if names.iter().any(|name| text.contains(name)) || self.names_from_its_folder(path, &text, relocation.old())
            {
                found.push(format!("`{}`", self.engine.shown(path)));
            }
        }
        let count = found.len();
        found.truncate(SHOWN);
        let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
        match count {
            0 => Vec::new(),
            _ => vec![format!("not changed, and may name it: {}{more}", found.join(", "))],
        }
    }

    /// Whether the text of a file has the path of another one from its folder.
    fn names_from_its_folder(&self, path: &Path, text: &str, other: &str) -> bool {
        let own = path.strip_prefix(self.root()).map(|path| path.to_string_lossy().replace('\\', "/"));
        let Some((folder, _)) = own.as_deref().ok().and_then(|own| own.rsplit_once('/')) else { return false };
        let relative = relative_path(folder, other);
        let name = relative.strip_prefix("./").unwrap_or(&relative);
        let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/');
        let is_whole = |at: usize| {
            let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
            !before.ends_with(is_of_word) && !text[at + name.len()..].starts_with(is_of_word)
        };
        name.contains('.') && text.match_indices(name).any(|(at, _)| is_whole(at))
    }

    /// Files that move as they are.
    pub(crate) fn moved_as_they_are(&self, relocation: &Relocation) -> Vec<(PathBuf, PathBuf)> {
        let known: FxHashSet<&std::path::Path> = self.project.ids().map(|file| self.path(file)).collect();
        let others = self.listed().iter().filter(|path| !known.contains(path.as_path()));
        let moved = others.filter_map(|path| {
            let below: Vec<_> =
                path.strip_prefix(self.root()).ok()?.iter().map(|part| part.to_string_lossy()).collect();
            let new = relocation.new_path(&below.join("/"))?;
            Some((path.clone(), self.root().join(new)))
        });
        moved.collect()
    }
}
