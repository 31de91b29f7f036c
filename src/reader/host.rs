//! Where an engine works: what it reaches the rest of the world by.

use std::path::PathBuf;
use std::sync::Arc;

use crate::project::{Disk, Files};
use crate::reader::observer::{Observer, Silent};
use crate::reader::programs::{CommandRunner, SystemCommands};

/// Which commands `verify` may run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Commands {
    /// Those of the user's own configuration, by their names, and command lines of the caller, who is the user.
    #[default]
    Any,
    /// Only those of the user's own configuration. With a [root](Host::root) it is these, too: a command reaches what is outside of it.
    Named,
}

/// Where an engine works.
pub struct Host {
    /// The way to files.
    pub files: Arc<dyn Files>,
    /// The way to other programs.
    pub programs: Arc<dyn CommandRunner>,
    /// What relative paths are relative to.
    pub working_directory: PathBuf,
    /// The folder that requests may read and write in, symbolic links followed; trees of files elsewhere aren't seen either. `None`
    /// for everything that the process may read and write.
    pub root: Option<PathBuf>,
    /// The folder of the session store, made when it is first needed. `None` keeps sessions in memory.
    pub state: Option<PathBuf>,
    /// The folder of the user's own configuration.
    pub configuration: Option<PathBuf>,
    /// The folder of indexes. `None` keeps none.
    pub cache: Option<PathBuf>,
    /// What all indexes together may take, in bytes; 8 GiB by default. Those used longest ago go first.
    pub cache_limit: Option<u64>,
    /// Which commands `verify` may run.
    pub commands: Commands,
    /// Who gets the progress.
    pub observer: Arc<dyn Observer>,
}

impl Host {
    /// A folder on the disk, and nothing else: no configuration of the user's, no index, trees held as long as the engine is there,
    /// and no observer. To change that, name the fields that differ: `Host { state: Some(folder), ..Host::at(".") }`.
    pub fn at(folder: impl Into<PathBuf>) -> Host {
        let folder = folder.into();
        Host {
            files: Arc::new(Disk),
            programs: Arc::new(SystemCommands),
            working_directory: std::path::absolute(&folder).unwrap_or(folder),
            root: None,
            state: None,
            configuration: None,
            cache: None,
            cache_limit: None,
            commands: Commands::Any,
            observer: Arc::new(Silent),
        }
    }
}
