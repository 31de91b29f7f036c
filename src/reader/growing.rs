//! The files of a folder that is searched while it is walked.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use tracing::debug;

use crate::interrupt::Reason;
use crate::language::{ByName, Detector, Language};
use crate::locks::IgnorePoison;
use crate::project::{Announce, Files, Walk, WalkError};

/// How long to wait at once, so that a request can be cancelled.
const WAIT: Duration = Duration::from_millis(50);

/// A folder, and the files of it that the walk has found so far.
pub(crate) struct Growing {
    /// The folder.
    pub folder: PathBuf,
    walk: Walk,
    grown: Mutex<Grown>,
    /// How many files are in an unrecognised language by their names.
    unknown: AtomicUsize,
    /// Signals that there is a further language, or that the walk has ended.
    changed: Condvar,
}

/// What the walk has found so far.
#[derive(Default)]
struct Grown {
    /// Those that may be searched.
    files: Vec<PathBuf>,
    unlisted: Vec<WalkError>,
    languages: Vec<&'static Language>,
    is_done: bool,
    failure: Option<io::Error>,
    left: Option<Reason>,
}

/// Which files of a walk are of interest.
pub(crate) struct Interest {
    /// The only language that counts, if there is one.
    pub wanted: Option<&'static Language>,
    /// Whether files in an unrecognised language count.
    pub unknown: bool,
}

impl Interest {
    /// Whether files in a language count, or may have code in the one that does.
    fn may_have(&self, language: &'static Language) -> bool {
        self.wanted.is_none_or(|wanted| wanted == language || language.may_hold(wanted.name()))
    }
}

/// What a walk found.
pub(crate) struct Walked {
    /// Plain files that may be searched, in any order.
    pub files: Vec<PathBuf>,
    /// What could not be listed.
    pub unlisted: Vec<WalkError>,
}

/// The languages of the files found so far.
pub(crate) struct Met {
    /// The languages.
    pub languages: Vec<&'static Language>,
    /// Whether these are all.
    pub is_done: bool,
}

impl Growing {
    /// A folder that is not walked yet.
    pub fn new(folder: PathBuf, walk: Walk) -> Growing {
        Growing { folder, walk, grown: Mutex::default(), unknown: AtomicUsize::new(0), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Grown> {
        self.grown.lock().ignore_poison()
    }

    /// Walks the folder and announces each file that may be searched; ends early if no more is wanted. Files whose names say that they
    /// are of no interest are left out here, since most files of a folder may be such ones.
    pub fn walk(&self, files: &dyn Files, detector: &Detector, interest: &Interest, announce: Announce<'_>) {
        let walked = files.walk(&self.folder, &self.walk, &|found| {
            let path = match found {
                Ok(path) => path,
                Err(unlisted) => {
                    self.lock().unlisted.push(unlisted);
                    return true;
                }
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let detected = detector.detect_by_name(&name);
            drop(name);
            let is_unknown = matches!(detected, Ok(ByName::Unknown)) && path.extension().is_some();
            if is_unknown && !interest.unknown {
                debug!(path = %path.display(), "skipped: in an unrecognised language");
                self.unknown.fetch_add(1, Ordering::Relaxed);
                return true;
            }
            let language = match detected {
                Ok(ByName::Certain(language)) if !interest.may_have(language) => {
                    return true;
                }
                Ok(ByName::Certain(language) | ByName::Ambiguous(language)) => Some(language),
                _ => None,
            };
            let mut grown = self.lock();
            if let Some(language) = language.filter(|language| interest.wanted.is_none_or(|wanted| wanted == *language))
                && !grown.languages.contains(&language)
            {
                grown.languages.push(language);
                self.changed.notify_all();
            }
            grown.files.push(path);
            drop(grown);
            announce()
        });
        self.lock().failure = walked.err();
    }

    /// Notes that no further file will be found, or why the walk was left.
    pub fn close(&self, left: Option<Reason>) {
        let mut grown = self.lock();
        (grown.is_done, grown.left) = (true, left);
        self.changed.notify_all();
    }

    /// Why the walk was left before its end.
    pub fn left(&self) -> Option<Reason> {
        self.lock().left
    }

    /// Whether no further file will be found.
    pub fn is_done(&self) -> bool {
        self.lock().is_done
    }

    /// Waits a little for more than `count` languages, or for the end of the walk.
    pub fn wait(&self, count: usize) {
        let is_same = |grown: &mut Grown| grown.languages.len() <= count && !grown.is_done;
        let _ = self.changed.wait_timeout_while(self.lock(), WAIT, is_same);
    }

    /// How many files in an unrecognised language were left out so far.
    pub fn unknown(&self) -> usize {
        self.unknown.load(Ordering::Relaxed)
    }

    /// How many files that may be searched were found so far.
    pub fn count(&self) -> usize {
        self.lock().files.len()
    }

    /// A file that was found.
    pub fn file(&self, number: usize) -> PathBuf {
        self.lock().files.get(number).cloned().unwrap_or_default()
    }

    /// The languages of the files found so far.
    pub fn met(&self) -> Met {
        let grown = self.lock();
        Met { languages: grown.languages.clone(), is_done: grown.is_done }
    }

    /// All that the walk found.
    ///
    /// # Errors
    /// If it failed as a whole.
    pub fn take(&self) -> io::Result<Walked> {
        let mut grown = self.lock();
        match grown.failure.take() {
            Some(error) => Err(error),
            None => {
                Ok(Walked { files: std::mem::take(&mut grown.files), unlisted: std::mem::take(&mut grown.unlisted) })
            }
        }
    }
}
