//! The files that an installation touches: their old and their new content.
//!
//! Changes by several agents, or by several parts of one, to the same file are combined before anything is written.
//! Each file is written once and on its own: new bytes next to it, synced, renamed over it.

use crate::limits;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::project::{Files, Kind};
use crate::text::{Text, unified};

/// Files with unwritten changes.
pub(super) struct Drafts<'a> {
    files: &'a dyn Files,
    open: BTreeMap<PathBuf, Draft>,
}

/// The old and the new content of a file.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The folder that is never removed with it.
    root: PathBuf,
    /// The old bytes; `None` if there is no file.
    old: Option<Vec<u8>>,
    /// The old text.
    pub old_text: Option<Text>,
    /// The new text; `None` if the file will be deleted.
    pub new_text: Option<Text>,
    /// Whether it will be made executable.
    pub executable: bool,
}

/// Why a file cannot be edited at all.
#[derive(Debug, thiserror::Error)]
pub(super) enum Closed {
    /// It is not a valid config.
    #[error("{0}")]
    NoConfig(String),
    /// An error of the system.
    #[error("{0}")]
    System(#[from] io::Error),
}

impl Draft {
    /// Whether the content changes.
    pub fn is_changed(&self) -> bool {
        let text = |text: &Option<Text>| text.as_ref().map(ToString::to_string);
        self.executable || text(&self.old_text) != text(&self.new_text)
    }

    /// The change as a diff.
    pub fn diff(&self, shown: &str) -> String {
        let empty = Text::new("");
        unified(shown, self.old_text.as_ref().unwrap_or(&empty), self.new_text.as_ref().unwrap_or(&empty))
    }

    /// Whether the file did not exist.
    pub fn is_new(&self) -> bool {
        self.old.is_none()
    }

    /// Sets the new text.
    pub fn set(&mut self, text: Option<String>) {
        self.new_text = text.map(|text| match &self.old_text {
            Some(old) => old.with_source(&text),
            None => Text::new(&text),
        });
    }
}

impl<'a> Drafts<'a> {
    pub fn new(files: &'a dyn Files) -> Drafts<'a> {
        Drafts { files, open: BTreeMap::new() }
    }

    /// A file with the changes so far.
    pub fn open(&mut self, path: &Path, root: &Path) -> Result<&mut Draft, Closed> {
        if !self.open.contains_key(path) {
            let draft = self.read(path, root)?;
            self.open.insert(path.to_owned(), draft);
        }
        Ok(self.open.get_mut(path).expect("it was just put there"))
    }

    /// The files that change.
    pub fn changed(&self) -> impl Iterator<Item = (&Path, &Draft)> {
        self.open.iter().filter(|(_, draft)| draft.is_changed()).map(|(path, draft)| (path.as_path(), draft))
    }

    fn read(&self, path: &Path, root: &Path) -> Result<Draft, Closed> {
        let root = root.to_owned();
        let facts = match self.files.facts(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.files.is_link(path) {
                    return Err(Closed::NoConfig("it is a symbolic link that leads nowhere".to_owned()));
                }
                return Ok(Draft { root, old: None, old_text: None, new_text: None, executable: false });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Closed::NoConfig("a file is where its folder should be".to_owned()));
            }
            facts => facts?,
        };
        match facts.kind {
            Kind::File => {}
            Kind::Folder => return Err(Closed::NoConfig("it is a folder".to_owned())),
            Kind::Other(what) => return Err(Closed::NoConfig(format!("it is {what}"))),
        }
        let bytes = self.files.read(path, limits::AGENT_CONFIGURATION_BYTES)?;
        let text = Text::decode(&bytes, None).map_err(|error| Closed::NoConfig(error.to_string()))?;
        Ok(Draft { root, old: Some(bytes), old_text: Some(text.clone()), new_text: Some(text), executable: false })
    }

    /// Writes the changes of one file.
    ///
    /// # Errors
    /// Errors of the system; then the file is unchanged.
    pub fn write(&self, path: &Path, draft: &Draft) -> io::Result<()> {
        match &draft.new_text {
            Some(text) => self.replace(path, draft, text),
            None => self.remove(path, draft),
        }
    }

    fn replace(&self, path: &Path, draft: &Draft, text: &Text) -> io::Result<()> {
        let bytes = text.encode().map_err(io::Error::other)?;
        let real = if draft.old.is_some() { self.files.resolve(path)? } else { path.to_owned() };
        self.check_writable(&real)?;
        let folder = real.parent().unwrap_or(&draft.root);
        self.files.create_dir_all(folder)?;
        let written = self.files.replace(&real, &bytes, &|beside| {
            if draft.executable {
                self.files.make_executable(beside)?;
            }
            self.check_unchanged(&real, draft)
        });
        if written.is_err() {
            // Only the first error counts.
            let _ = self.remove_empty_folders(&real, &draft.root);
        }
        written
    }

    fn remove(&self, path: &Path, draft: &Draft) -> io::Result<()> {
        if draft.old.is_none() {
            return Ok(());
        }
        self.check_writable(path)?;
        self.check_unchanged(path, draft)?;
        self.files.discard(path)?;
        self.remove_empty_folders(path, &draft.root)
    }

    /// Removes empty folders above a file, below `root`.
    fn remove_empty_folders(&self, path: &Path, root: &Path) -> io::Result<()> {
        for folder in path.ancestors().skip(1).take_while(|folder| *folder != root && folder.starts_with(root)) {
            if !self.files.remove_empty_folder(folder)? {
                break;
            }
        }
        Ok(())
    }

    fn check_writable(&self, path: &Path) -> io::Result<()> {
        match self.files.facts(path) {
            Ok(facts) if facts.read_only => Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")),
            _ => Ok(()),
        }
    }

    /// Fails if the file changed since it was read.
    fn check_unchanged(&self, path: &Path, draft: &Draft) -> io::Result<()> {
        let now = self.files.read(path, limits::AGENT_CONFIGURATION_BYTES).ok();
        if now == draft.old { Ok(()) } else { Err(io::Error::other("another program has changed it in the meantime")) }
    }
}
