//! Code in documentation that tools run, as files of a project while a question or a refactor is about names in it.

use std::path::{Path, PathBuf};

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::edit::{Outcome, TextChange, apply_texts};
use crate::facts::has_word;
use crate::language::Language;
use crate::modules::{FileId, ProjectFile};
use crate::request::error::{EngineError, ErrorCode};
use crate::symbols::{DocumentFile, Resolver};
use crate::text::{EditSet, Span, Text};
use crate::tree::{ParseLimits, Part, Tree, run_documentation_in};
use crate::workspace::files::Workspace;

/// A file that documents what is in another one, as that says.
struct Included {
    file: FileId,
    from: FileId,
}

/// Code in the documentation of a file.
struct Document {
    /// The file with the documentation.
    host: FileId,
    /// The file that it documents.
    of: FileId,
    text: Text,
    part: Part,
}

/// Files and the code in their documentation after edits.
#[derive(Default)]
pub(crate) struct Documented {
    /// The files before and after.
    pub(crate) files: Vec<(FileId, Tree, Outcome)>,
    /// The code in documentation before, and after the edits of the files that have it.
    pub(crate) documents: Vec<DocumentChange>,
}

/// Code in the documentation of a file before and after edits of the file.
pub(crate) struct DocumentChange {
    pub(crate) file: FileId,
    pub(crate) new: Tree,
    /// The edits of the file.
    pub(crate) edits: EditSet,
}

impl Documented {
    /// The edits of a file, or of the file that has it in its documentation.
    pub(crate) fn edits_of(&self, file: FileId) -> Option<&EditSet> {
        let of_file = self.files.iter().find(|(known, ..)| *known == file).map(|(.., outcome)| &outcome.edits);
        of_file.or_else(|| self.documents.iter().find(|change| change.file == file).map(|change| &change.edits))
    }
}

impl Workspace<'_> {
    /// Does work with the code in documentation that has one of some names, which are files then.
    ///
    /// # Errors
    /// Those of the work; if the request is stopped.
    pub(crate) fn with_documentation<T>(
        &mut self,
        names: &[String],
        work: impl FnOnce(&mut Self) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.add_documentation(names)?;
        let done = work(self);
        self.remove_documentation();
        done
    }

    /// Adds the code in documentation that has one of some words, as files.
    ///
    /// # Errors
    /// If the request is stopped.
    pub(crate) fn add_documentation(&mut self, words: &[String]) -> Result<(), EngineError> {
        self.remove_documentation();
        let documents = self.documents_with(words)?;
        if documents.is_empty() {
            return Ok(());
        }
        let (mut files, mut trees) = (Vec::new(), Vec::new());
        let first = self.project.files().len();
        for Document { host, of, text, part } in documents {
            let Ok(tree) = Tree::parse_part(text, &part, &ParseLimits::default()) else { continue };
            let number = u32::try_from(first + files.len()).unwrap_or(u32::MAX);
            let file = ProjectFile { path: self.path_of_document(of, number), language: part.language };
            files.push(DocumentFile { file, host });
            self.paths.push(self.paths[host.0 as usize].clone());
            trees.push((FileId(number), tree));
        }
        self.project.add_documents(files);
        self.edited.extend(trees);
        Ok(())
    }

    /// Removes the code in documentation.
    pub(crate) fn remove_documentation(&mut self) {
        let documents: Vec<FileId> = self.project.documents().map(|(document, _)| document).collect();
        let Some(first) = documents.first() else { return };
        self.paths.truncate(first.0 as usize);
        documents.iter().for_each(|document| _ = self.edited.remove(document));
        self.project.remove_documents();
    }

    /// Whether a file may have documentation that is run.
    pub(crate) fn may_run_documentation(&self) -> bool {
        self.project.files().iter().any(|file| !file.language.spec().symbols.run_documentation.marks.is_empty())
    }

    /// Whether a file is code in documentation.
    pub(crate) fn is_documentation(&self, file: FileId) -> bool {
        self.project.host_of(file).is_some()
    }

    /// The code in documentation that has one of some words.
    fn documents_with(&self, words: &[String]) -> Result<Vec<Document>, EngineError> {
        let rules = |file: FileId| &self.project.file(file).language.spec().symbols.run_documentation;
        let all: Vec<FileId> = self.project.ids().filter(|&file| !rules(file).marks.is_empty()).collect();
        if all.is_empty() || words.is_empty() {
            return Ok(Vec::new());
        }
        let has_one = |text: &[u8]| words.iter().any(|word| has_word(text, word.as_bytes()));
        let has_mark = |marks: &[String], text: &[u8]| {
            has_one(text) && marks.iter().any(|mark| memmem::find(text, mark.as_bytes()).is_some())
        };
        let may_have =
            |language: &Language, text: &[u8]| has_mark(&language.spec().symbols.run_documentation.marks, text);
        let files: FxHashSet<FileId> = self.files_with(&all, &may_have)?.into_iter().collect();
        let mut documents = match files.is_empty() {
            true => Vec::new(),
            false => self.look("", Some(&files), own_documents)?,
        };
        // Files in no language of code may be included.
        let is_text = |file: &FileId| self.project.file(*file).language.spec().symbols.modules.is_none();
        let texts: Vec<FileId> = self.project.ids().filter(is_text).collect();
        let including: Vec<FileId> = all.into_iter().filter(|&file| rules(file).included.is_some()).collect();
        if let Some(&first) = including.first()
            && !self.files_with(&texts, &|_, text| has_mark(&rules(first).marks, text))?.is_empty()
        {
            documents.extend(self.included_documents(&including)?);
        }
        let has_word = |document: &Document| {
            let outputs = document.part.outputs(&document.text);
            let lines = document.part.spans.iter().chain(&outputs);
            let code: String = lines.map(|&span| document.text.slice(span)).collect();
            has_one(code.as_bytes())
        };
        documents.retain(has_word);
        Ok(documents)
    }

    /// The code in files that the documentation of some files includes.
    fn included_documents(&self, including: &[FileId]) -> Result<Vec<Document>, EngineError> {
        let may_include = |language: &Language, text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            let rule = language.spec().symbols.run_documentation.included.as_ref();
            rule.is_some_and(|rule| rule.may_match_outside_groups(&text) && rule.get().is_match(&text))
        };
        let including = self.files_with(including, &may_include)?;
        let found = including.into_iter().flat_map(|file| self.included_by(file));
        let mut documents = Vec::new();
        for Included { file, from } in found {
            let Some(tree) = self.tree_at(file) else { continue };
            let parts = run_documentation_in(tree.text(), self.project.file(from).language);
            let document = |part| Document { host: file, of: from, text: tree.text().clone(), part };
            documents.extend(parts.into_iter().map(document));
        }
        Ok(documents)
    }

    /// The files that the documentation of a file includes.
    fn included_by(&self, from: FileId) -> Vec<Included> {
        let rules = &self.project.file(from).language.spec().symbols.run_documentation;
        let (Some(rule), Some(bytes)) = (&rules.included, self.bytes_of(from)) else { return Vec::new() };
        let text = String::from_utf8_lossy(&bytes);
        let folder = self.paths[from.0 as usize].parent().unwrap_or(Path::new(""));
        let paths = rule.get().captures_iter(&text).filter_map(|found| found.iter().skip(1).flatten().next());
        let files = paths.filter_map(|path| self.file_of(&plain(&folder.join(path.as_str()))));
        files.map(|file| Included { file, from }).collect()
    }

    /// Where the code in the documentation of a file would be as a file. No module has such a name.
    fn path_of_document(&self, of: FileId, number: u32) -> String {
        let ProjectFile { path, language } = self.project.file(of);
        let rules = &language.spec().symbols.run_documentation;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let folder = match rules.folder.as_str() {
            "" => folder.to_owned(),
            inner => {
                let folders = self.project.manifests().iter().filter(|manifest| manifest.language == *language);
                let folders = folders.map(|manifest| manifest.path.rsplit_once('/').map_or("", |(folder, _)| folder));
                let around = folders.filter(|around| {
                    around.is_empty() || path.strip_prefix(around).is_some_and(|rest| rest.starts_with('/'))
                });
                match around.max_by_key(|around| around.len()).unwrap_or(folder) {
                    "" => inner.to_owned(),
                    around => format!("{around}/{inner}"),
                }
            }
        };
        let name = format!("{stem} {number}.{extension}");
        if folder.is_empty() { name } else { format!("{folder}/{name}") }
    }

    /// Files after edits of them and of the code in their documentation, which is where the files say then.
    ///
    /// # Errors
    /// If a gate refuses the edits.
    pub(crate) fn merge_documentation(
        &self,
        changed: Vec<(FileId, Tree, Outcome)>,
        limits: &ParseLimits,
    ) -> Result<Documented, EngineError> {
        let (documents, files): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|(file, ..)| self.is_documentation(*file));
        let mut merged = Documented { files, ..Documented::default() };
        for (document, _, outcome) in documents {
            let Some(host) = self.project.host_of(document) else { continue };
            let at = merged.files.iter().position(|(file, ..)| *file == host);
            let known = at.map(|at| merged.files.swap_remove(at));
            let Some(tree) = known.as_ref().map(|(_, tree, _)| tree.clone()).or_else(|| self.tree_at(host)) else {
                continue;
            };
            let outcome = add_edits(&tree, known.map(|(.., outcome)| outcome), &outcome.edits, limits)
                .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(host)))?;
            merged.files.push((host, tree, outcome));
        }
        merged.files.sort_by_key(|(file, ..)| *file);
        for (document, host) in self.project.documents() {
            let Some((.., outcome)) = merged.files.iter().find(|(file, ..)| *file == host) else { continue };
            let part = self.edited.get(&document).and_then(|tree| tree.part());
            let Some(part) = part.map(|part| part.after(&outcome.edits)) else { continue };
            let new = Tree::parse_part(outcome.tree.text().clone(), &part, limits);
            let new = new.map_err(|error| EngineError::new(ErrorCode::Internal, error.to_string()))?;
            merged.documents.push(DocumentChange { file: document, new, edits: outcome.edits.clone() });
        }
        Ok(merged)
    }

    fn tree_at(&self, file: FileId) -> Option<Tree> {
        self.resolve(|resolver| resolver.tree(file).cloned())
    }
}

fn own_documents(resolver: &Resolver<'_>, file: FileId) -> Vec<Document> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let document = |part| Document { host: file, of: file, text: tree.text().clone(), part };
    tree.run_documentation().into_iter().map(document).collect()
}

/// The edits of a file and of a part of it, as one.
fn add_edits(
    tree: &Tree,
    known: Option<Outcome>,
    more: &EditSet,
    limits: &ParseLimits,
) -> Result<Outcome, crate::edit::EditError> {
    let before = known.as_ref().map_or(tree, |known| &known.tree);
    let moved = |span: Span| match &known {
        Some(known) => {
            let earlier = known.edits.iter().filter(|edit| edit.span.end() <= span.start());
            let shift = |at: usize| earlier.clone().fold(at, |at, edit| at + edit.text.len() - edit.span.len());
            Span::new(shift(span.start()), shift(span.end()))
        }
        None => span,
    };
    let is_done = |span: Span| known.as_ref().is_some_and(|known| known.edits.iter().any(|edit| edit.span == span));
    let changes = more.iter().filter(|edit| !is_done(edit.span)).map(|edit| {
        let span = moved(edit.span);
        let extent = before.span(before.table().smallest_around(span));
        TextChange { span, text: edit.text.clone(), extent }
    });
    let changes: Vec<TextChange> = changes.collect();
    let outcome = apply_texts(before, &[], &changes, limits)?;
    Ok(match &known {
        Some(known) => Outcome { edits: known.edits.then(before.text(), &outcome.edits), ..outcome },
        None => outcome,
    })
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => _ = plain.pop(),
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
