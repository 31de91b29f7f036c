//! The files of a search: targets made a list of documents, one after the other, whatever trouble single files give.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::document::{Document, unknown_language};
use super::files::{Listing, Walk};
use super::target::Source;
use super::{Engine, EngineError, ErrorCode, FilesReport, Reading, Skipped, Target};
use crate::language::{Detection, Language, detect};

/// How many documents go by between two reports of progress.
const PROGRESS_STEP: usize = 16;

/// What is to be searched: each source, and whether a walk found it.
pub(super) struct Searched {
    sources: Vec<(Source, bool)>,
    /// The whole search is about one tree, file or text.
    pub single: bool,
}

impl Engine {
    /// Finds out what targets are, and lists the files of folders. No targets are the working directory.
    pub(super) fn searched(
        &self,
        targets: &[Target],
        reading: &Reading,
        report: &mut FilesReport,
    ) -> Result<Searched, EngineError> {
        let here = [Target::Named(".".to_owned())];
        let targets = if targets.is_empty() { &here } else { targets };
        let mut sources = Vec::new();
        let mut folders = false;
        for target in targets {
            match self.source(target)? {
                Source::Folder(path) => {
                    folders = true;
                    let files = self.listed(&path, reading, report)?;
                    sources.extend(files.into_iter().map(|path| (Source::File(path), true)));
                }
                source => sources.push((source, false)),
            }
        }
        Ok(Searched { single: !folders && sources.len() == 1, sources })
    }

    /// The files of a folder.
    fn listed(&self, folder: &Path, reading: &Reading, report: &mut FilesReport) -> Result<Vec<PathBuf>, EngineError> {
        let walk = Walk { globs: reading.glob.clone(), hidden: reading.hidden, no_ignore: reading.no_ignore };
        let Listing { files, unlisted } = self.files().list(folder, &walk).map_err(|error| {
            EngineError::new(ErrorCode::BadRequest, format!("the folder can't be walked: {error}"))
                .path(self.shown(folder))
        })?;
        let skipped = unlisted.into_iter().map(|unlisted| Skipped {
            path: self.shown(&unlisted.path),
            why: format!("{}: {}", ErrorCode::NotFound.as_str(), unlisted.why),
        });
        report.skipped.extend(skipped);
        Ok(files)
    }

    /// Gives each document to `visit`, in order; whatever a file of several can't do is written into the report.
    /// `visit` returns whether to go on.
    pub(super) fn each_document(
        &self,
        searched: Searched,
        reading: &Reading,
        report: &mut FilesReport,
        mut visit: impl FnMut(Document, bool, &mut FilesReport) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let total = searched.sources.len();
        let wanted = match reading.language.as_deref() {
            Some(name) => Some(Language::named(name).map_err(|error| unknown_language(&error))?),
            None => None,
        };
        for (done, (source, walked)) in searched.sources.into_iter().enumerate() {
            self.check_cancelled()?;
            if done % PROGRESS_STEP == 0 {
                self.surroundings.observer.progress(done, Some(total), "searching");
            }
            if let (Source::File(path), true) = (&source, walked)
                && !is_wanted(path, wanted, report)
            {
                continue;
            }
            let shown = self.shown_source(&source);
            // What a walk found says itself what it is; a language asked for only chooses among them.
            let opened = if walked {
                self.opened(source, &Reading { language: None, ..reading.clone() }, true)
            } else {
                self.opened(source, reading, total > 1)
            };
            match opened {
                Ok(document) if walked && wanted.is_some_and(|wanted| wanted != document.tree.language()) => {}
                Ok(document) => {
                    report.searched += 1;
                    if !document.tree.is_sound() {
                        report.with_errors.extend(self.shown_path(&document));
                    }
                    if !visit(document, walked, report)? {
                        return Ok(());
                    }
                }
                Err(error) if walked && error.code == ErrorCode::UnsupportedLanguage => report.unknown_language += 1,
                Err(error) if total > 1 || walked => {
                    let hint = error.details.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
                    let why = format!("{}: {}{hint}", error.code.as_str(), error.message);
                    report.skipped.push(Skipped { path: shown, why });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A document; a mistake in reading one of several files is no reason to stop.
    fn opened(&self, source: Source, reading: &Reading, guarded: bool) -> Result<Document, EngineError> {
        if !guarded {
            return self.document_of(source, reading);
        }
        catch_unwind(AssertUnwindSafe(|| self.document_of(source, reading))).unwrap_or_else(|_| {
            Err(EngineError::new(ErrorCode::Internal, "reading it failed by a mistake of the program"))
        })
    }

    fn shown_source(&self, source: &Source) -> String {
        match source {
            Source::Tree(id) => id.clone(),
            Source::File(path) | Source::Folder(path) => self.shown(path),
            Source::Text(text) => text.name.clone().unwrap_or_else(|| "-".to_owned()),
        }
    }

    /// Stops a request that nobody waits for any more.
    pub(super) fn check_cancelled(&self) -> Result<(), EngineError> {
        if self.surroundings.observer.is_cancelled() {
            return Err(EngineError::new(ErrorCode::Budget, "cancelled"));
        }
        Ok(())
    }
}

/// Whether a file that a walk found may be in a language wanted, by its name.
fn is_wanted(path: &Path, wanted: Option<&'static Language>, report: &mut FilesReport) -> bool {
    let shown = path.to_string_lossy();
    match detect(Detection { path: &shown, head: "" }) {
        Ok(Some(language)) => wanted.is_none_or(|wanted| wanted == language),
        // It is told when the file is read.
        Err(_) => true,
        // Without an extension the first line may tell.
        Ok(None) if path.extension().is_none() => true,
        Ok(None) => {
            report.unknown_language += 1;
            false
        }
    }
}
