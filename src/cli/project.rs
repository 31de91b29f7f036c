//! The project that a question is about.

use clap::Args;

use crate::request::{Reading as ReadingFields, Target};

use super::caller::Caller;
use super::failure::Failure;
use super::targets::{Reading, Walking};

/// How the files of a project are chosen and read.
#[derive(Debug, Args)]
pub(super) struct ProjectArgs {
    #[command(flatten)]
    walking: Walking,
    /// Read files even where the session has unsaved trees of them
    #[arg(long, help_heading = "Walking folders")]
    saved: bool,
    #[command(flatten)]
    reading: Reading,
}

/// The same, with the folder as the last argument.
#[derive(Debug, Args)]
pub(super) struct FolderArgs {
    /// A file or folder that has the symbol; all files of the project around it are searched
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    project: ProjectArgs,
}

impl ProjectArgs {
    /// The folder as a target.
    pub(super) fn targets(&self, folder: Option<&String>, caller: &mut Caller) -> Result<Vec<Target>, Failure> {
        let folders: Vec<String> = folder.cloned().into_iter().collect();
        self.reading.targets(&folders, None, &mut caller.input)
    }

    /// The fields of a request.
    pub(super) fn reading(&self) -> ReadingFields {
        ReadingFields { saved: self.saved, ..self.reading.request(Some(&self.walking)) }
    }
}

impl FolderArgs {
    /// The folder as a target.
    pub(super) fn targets(&self, caller: &mut Caller) -> Result<Vec<Target>, Failure> {
        self.project.targets(self.folder.as_ref(), caller)
    }

    /// The fields of a request.
    pub(super) fn reading(&self) -> ReadingFields {
        self.project.reading()
    }
}
