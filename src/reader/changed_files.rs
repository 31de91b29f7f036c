//! Which files git says have changed: those staged, or those that differ from a revision.

use crate::limits;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::reader::core::Reader;
use crate::reader::programs::ProgramCall;
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::request::requests::Reading;

/// A file that differs from a revision.
pub(crate) struct ChangedSince {
    /// The file, absolute.
    pub path: PathBuf,
    /// Its bytes at the revision.
    pub old: Option<Vec<u8>>,
}

impl Reader {
    /// The files that a request is limited to, absolute; `None` when it is not limited. Deleted files are left out.
    ///
    /// # Errors
    /// When git, the repository or the revision is missing.
    pub(crate) fn changed_files(&self, reading: &Reading) -> Result<Option<FxHashSet<PathBuf>>, EngineError> {
        let from = match (&reading.since, reading.staged) {
            (Some(_), true) => {
                return Err(EngineError::bad_request("`staged` and `since` exclude each other"));
            }
            (None, false) => return Ok(None),
            (None, true) => "--cached".to_owned(),
            (Some(revision), false) => self.resolve_commit(revision)?,
        };
        let top = self.run_git(&["rev-parse", "--show-cdup"])?;
        let top = self.absolute(Path::new(String::from_utf8_lossy(&top).trim_end()));
        let mut output = self.run_git(&[
            "diff",
            "--no-ext-diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--diff-filter=d",
            &from,
            "--",
        ])?;
        if !reading.staged {
            output.extend(self.run_git(&["ls-files", "--others", "--exclude-standard", "-z", "--full-name", ":/"])?);
        }
        // What git writes to standard error comes last, and does not end with a NUL.
        let end = output.iter().rposition(|&byte| byte == 0).unwrap_or(0);
        let paths = output[..end].split(|&byte| byte == 0).filter(|path| !path.is_empty());
        Ok(Some(paths.map(|path| top.join(String::from_utf8_lossy(path).as_ref())).collect()))
    }

    /// The files that differ from a revision, each with its bytes there; `None` for a new one. Files of both are listed once.
    ///
    /// # Errors
    /// When git, the repository or the revision is missing.
    pub(crate) fn changes_since(&self, revision: &str) -> Result<Vec<ChangedSince>, EngineError> {
        let commit = self.resolve_commit(revision)?;
        let reading = Reading { since: Some(commit.clone()), ..Reading::default() };
        let mut paths: Vec<PathBuf> = self.changed_files(&reading)?.into_iter().flatten().collect();
        let top = self.run_git(&["rev-parse", "--show-cdup"])?;
        let top = self.absolute(Path::new(String::from_utf8_lossy(&top).trim_end()));
        let gone = ["diff", "--no-ext-diff", "--name-only", "-z", "--no-renames", "--diff-filter=D", &commit, "--"];
        let output = self.run_git(&gone)?;
        let gone = output.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        paths.extend(gone.map(|path| top.join(String::from_utf8_lossy(path).as_ref())));
        paths.sort_unstable();
        paths.dedup();
        let old = |path: &Path| {
            let below = path.strip_prefix(&top).ok()?.to_str()?.replace('\\', "/");
            self.run_git(&["cat-file", "blob", &format!("{commit}:{below}")]).ok()
        };
        Ok(paths.into_iter().map(|path| ChangedSince { old: old(&path), path }).collect())
    }

    /// The last commit that both a revision and `HEAD` come from.
    ///
    /// # Errors
    /// When git, the repository or the revision is missing, or there is none.
    pub(crate) fn merge_base(&self, revision: &str) -> Result<String, EngineError> {
        let commit = self.resolve_commit(revision)?;
        let base = self.run_git(&["merge-base", &commit, "HEAD"])?;
        Ok(String::from_utf8_lossy(&base).lines().next().unwrap_or_default().trim().to_owned())
    }

    /// The commit that a revision names. Resolved first, so that no revision is taken for an option.
    fn resolve_commit(&self, revision: &str) -> Result<String, EngineError> {
        let named = format!("{revision}^{{commit}}");
        let commit = self.run_git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &named]);
        let commit = commit.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
        match commit {
            Ok(commit) if commit.bytes().all(|byte| byte.is_ascii_hexdigit()) && !commit.is_empty() => Ok(commit),
            Err(error) if error.code == ErrorCode::NotFound => Err(error),
            _ => {
                let error = EngineError::bad_request(format!("git knows no revision `{revision}`"));
                Err(error.hint("a commit, a branch or a tag: `HEAD~3`, `origin/main`, `v1.2`"))
            }
        }
    }

    /// Asks git in the working directory. No lock is taken, and no program but git is run.
    fn run_git(&self, words: &[&str]) -> Result<Vec<u8>, EngineError> {
        let fixed = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false"];
        let words: Vec<String> = fixed.iter().chain(words).map(|&word| word.to_owned()).collect();
        let folder = &self.host.working_directory;
        let is_cancelled = || self.host.observer.is_cancelled();
        let call = ProgramCall::new(&words, folder, limits::GIT_TIME)
            .with_most_output(limits::GIT_OUTPUT)
            .cancelled_by(&is_cancelled);
        match self.host.programs.run(&call) {
            Ok(said) if said.status == Some(0) => Ok(said.output),
            Ok(said) => {
                let said = String::from_utf8_lossy(&said.output);
                let why = said.lines().last().unwrap_or("no reason given").trim_start_matches("fatal: ").to_owned();
                Err(EngineError::bad_request(format!("git failed: {why}")))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(EngineError::new(ErrorCode::NotFound, "git is not installed, or not in PATH"))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(cancelled()),
            Err(error) => Err(EngineError::new(ErrorCode::NotFound, format!("git cannot be run: {error}"))),
        }
    }
}
