//! Files in memory that tests look behind.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cst::engine::{Files, Listing, Memory, Metadata, Walk};
use cst::project::OnWalked;

/// Files in memory that record which of them are opened.
#[derive(Default)]
pub struct Recorded {
    pub files: Memory,
    opened: Mutex<Vec<PathBuf>>,
    /// Called after a walk has passed on its first file.
    pub pause: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Recorded {
    fn note(&self, path: &Path) {
        self.opened.lock().expect("nobody panics with it").push(path.to_owned());
    }

    /// The files that were opened since the last call, sorted, each once.
    pub fn take(&self) -> Vec<String> {
        let mut opened = std::mem::take(&mut *self.opened.lock().expect("nobody panics with it"));
        opened.sort();
        opened.dedup();
        let shown = |path: &PathBuf| path.strip_prefix("/p").unwrap_or(path).to_string_lossy().into_owned();
        opened.iter().map(shown).collect()
    }
}

impl Files for Recorded {
    fn facts(&self, path: &Path) -> io::Result<Metadata> {
        self.files.facts(path)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let is_code = path.extension().is_some_and(|extension| extension == "py");
        if is_code {
            self.note(path);
        }
        self.files.read(path, limit)
    }

    fn head(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        self.files.head(path, most)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn list(&self, folder: &Path, walk: &Walk) -> io::Result<Listing> {
        self.files.list(folder, walk)
    }

    fn walk(&self, folder: &Path, walk: &Walk, take: OnWalked<'_>) -> io::Result<()> {
        for (number, path) in self.files.list(folder, walk)?.files.into_iter().enumerate() {
            if number == 1 {
                self.pause.iter().for_each(|pause| pause());
            }
            if !take(Ok(path)) {
                break;
            }
        }
        Ok(())
    }

    fn stage(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.stage(path, beside, bytes)
    }

    fn commit(&self, beside: &Path, path: &Path) -> io::Result<()> {
        self.files.commit(beside, path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.files.sync_folder(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir_all(path)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.append(path, bytes)
    }

    fn discard(&self, beside: &Path) -> io::Result<()> {
        self.files.discard(beside)
    }

    fn remove_empty_folder(&self, path: &Path) -> io::Result<bool> {
        self.files.remove_empty_folder(path)
    }

    fn make_executable(&self, path: &Path) -> io::Result<()> {
        self.files.make_executable(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.files.is_executable(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.files.is_link(path)
    }
}
