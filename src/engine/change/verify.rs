//! `verify`: a command of the user's has the last word about a change.
//!
//! It runs in a copy of the working tree, before the change and with it; what it newly complains of refuses the change. Then it runs once
//! more with every changed file made unreadable for any language: a command that says the same then does not look at these files
//! (it is not there, it fails before it comes to them, or it reads those of the user's working tree), and shows nothing about them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::engine::change::complaints::{Reading, changed_words, excerpt};
use crate::engine::core::Engine;
use crate::limits;
use crate::project::Scratch;
use crate::reader::configuration::VerifyCommand;
use crate::reader::programs::{CommandOutput, ProgramCall};
use crate::request::error::{EngineError, ErrorCode, cancelled};
use crate::request::verify::{CommandRun, Verified};

/// A text that no language takes.
const BROKEN: &[u8] = b"<?php <<<<<<< )]} ;;; (((\n";
/// The status of a shell that does not find a program.
const NO_PROGRAM: i32 = 127;

/// A file as a change leaves it.
#[derive(Debug, Clone)]
pub(crate) struct NewContent {
    /// The file, absolute.
    pub path: PathBuf,
    /// Its bytes before; none of a new file.
    pub old: Option<Vec<u8>>,
    /// Its bytes after; none of a file that is removed.
    pub new: Option<Vec<u8>>,
}

/// A command, and the copy of the working tree that it runs in.
pub(crate) struct Verifier<'a> {
    engine: &'a Engine,
    command: VerifyCommand,
    scratch: Scratch,
    /// The folder of the copy that the command runs in.
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
    before: Heard,
}

/// A run, and what was said.
struct Heard {
    run: CommandRun,
    output: Vec<u8>,
}

/// A run with a change.
pub(crate) struct Trial {
    pub verified: Verified,
    /// The lines that the command newly says; none if it passes.
    pub fresh: Vec<String>,
}

impl Trial {
    /// Whether the command says no more than before.
    pub(crate) fn passes(&self) -> bool {
        self.fresh.is_empty()
    }

    /// The refusal of a change that does not pass.
    pub(crate) fn refusal(&self) -> EngineError {
        let Verified { command, before, after, .. } = &self.verified;
        let (before, after) = (before.outcome(), after.outcome());
        let lines = excerpt(&self.fresh).join("\n");
        let message = match before == after {
            true => format!("with the change, `{command}` (exit status {after}, as before) newly says:\n{lines}"),
            false => format!("with the change, `{command}` fails (before: {before}, after: {after}):\n{lines}"),
        };
        EngineError::new(ErrorCode::VerifyFailed, message)
    }
}

impl Engine {
    /// A copy of a working tree, with the command that `verify` names, after its run before the change.
    ///
    /// # Errors
    /// If there is no such command, the tree cannot be copied, or the command does not end.
    pub(crate) fn verifier(&self, asked: &str, root: &Path) -> Result<Verifier<'_>, EngineError> {
        let command = self.verify_command(asked)?;
        let observer = &self.host.observer;
        observer.progress(0, None, "verify: copying the working tree");
        let is_cancelled = || observer.is_cancelled();
        let scratch = Scratch::of(root, self.host.cache.as_deref(), &is_cancelled);
        let scratch = scratch.map_err(|error| self.uncopied(root, &error))?;
        tracing::debug!(root = %scratch.root().display(), "the working tree is copied");
        let here = self.own_files().resolve(&self.host.working_directory);
        let here = here.unwrap_or_else(|_| self.host.working_directory.clone());
        let below = here.strip_prefix(scratch.source()).map(Path::to_owned).unwrap_or_default();
        let folder = scratch.root().join(below).components().collect::<PathBuf>();
        // The working directory may be an ignored one.
        let folder = if folder.is_dir() { folder } else { scratch.root().to_owned() };
        let environment = scratch.environment();
        let before = Heard { run: CommandRun::default(), output: Vec::new() };
        let mut verifier = Verifier { engine: self, command, scratch, folder, environment, before };
        verifier.before = verifier.run("before the change")?;
        let line = &verifier.command.name;
        match verifier.before.run {
            CommandRun { timed_out: true, .. } => {
                let seconds = verifier.command.time.as_secs();
                let message = format!("`{line}` takes longer than {seconds} seconds, without the change, too");
                Err(EngineError::new(ErrorCode::Budget, message).hint("name a command that takes less time"))
            }
            CommandRun { status: Some(NO_PROGRAM), .. } => {
                let said = String::from_utf8_lossy(&verifier.before.output).trim().to_owned();
                Err(EngineError::bad_request(format!("`{line}` cannot be run: {said}")))
            }
            _ => Ok(verifier),
        }
    }

    /// The error of a tree that cannot be copied.
    fn uncopied(&self, root: &Path, error: &io::Error) -> EngineError {
        let shown = self.shown(root);
        match error.kind() {
            io::ErrorKind::Interrupted => cancelled(),
            io::ErrorKind::FileTooLarge => {
                let (files, bytes) = (limits::SCRATCH_FILES, limits::SCRATCH_BYTES >> 30);
                let message = format!(
                    "`{shown}` is too large to be copied for `verify`: it has more than {files} files or {bytes} GiB that git does not ignore"
                );
                EngineError::new(ErrorCode::TooLarge, message).path(shown)
            }
            _ => EngineError::bad_request(format!("`{shown}` cannot be copied for `verify`: {error}")).path(shown),
        }
    }
}

impl Verifier<'_> {
    /// Runs the command with a change; the copy is left with it.
    ///
    /// # Errors
    /// If a file is not in the copy, or the command cannot be run.
    pub(crate) fn check_change(&mut self, change: &[NewContent]) -> Result<Trial, EngineError> {
        self.scratch.reset().map_err(|error| unwritten(&error))?;
        self.put(change, |file| file.new.as_deref())?;
        let after = self.run("with the change")?;
        let fresh = self.fresh(&self.reading(change), &after);
        let mut verified = Verified::new(self.command.name.clone(), self.before.run, after.run);
        verified.left_out = self.scratch.left_out().iter().map(|path| path.display().to_string()).collect();
        Ok(Trial { verified, fresh })
    }

    /// Refuses a command that says the same whatever is in the changed files.
    ///
    /// # Errors
    /// If it does, or cannot be run.
    pub(crate) fn check_notice(&mut self, change: &[NewContent]) -> Result<(), EngineError> {
        self.scratch.reset().map_err(|error| unwritten(&error))?;
        self.put(change, |_| Some(BROKEN))?;
        let broken = self.run("with the changed files broken")?;
        let is_other = broken.run.outcome() != self.before.run.outcome();
        if is_other || !self.fresh(&Reading { words: Default::default(), ..self.reading(change) }, &broken).is_empty() {
            return Ok(());
        }
        let paths: BTreeSet<String> = change.iter().map(|file| self.engine.shown(&file.path)).collect();
        let first = paths.first().cloned().unwrap_or_default();
        let files = if paths.len() == 1 { format!("`{first}`") } else { format!("the changed files (`{first}` …)") };
        let line = &self.command.name;
        let message = format!("`{line}` does not look at {files}: it says the same if they cannot be read");
        let error = EngineError::new(ErrorCode::VerifyFailed, message);
        Err(error.hint(match self.before.run.status {
            Some(0) => {
                "name a command that reads them; a path in it, an installed package or a build folder may lead to the working tree \
                 in place of the copy"
            }
            _ => "it fails without the change, too, and perhaps before it comes to them",
        }))
    }

    /// The lines that a run newly says; all that it says, if it ended worse.
    fn fresh(&self, reading: &Reading, after: &Heard) -> Vec<String> {
        let is_worse = after.run.status != Some(0) && self.before.run.status == Some(0)
            || after.run.status.is_none() && self.before.run.status.is_some();
        if after.run.status == Some(0) && self.before.run.status != Some(0) {
            return Vec::new();
        }
        let (before, now) = (reading.lines(&self.before.output), reading.lines(&after.output));
        let mut fresh = reading.fresh(&before, &now, is_worse);
        if is_worse && fresh.is_empty() {
            fresh = match after.run.timed_out {
                true => vec![format!("it takes longer than {} seconds", self.command.time.as_secs())],
                false => now,
            };
        }
        if is_worse && fresh.is_empty() {
            fresh.push("(it says nothing)".to_owned());
        }
        fresh
    }

    /// How the output of a run with a change is read.
    fn reading(&self, change: &[NewContent]) -> Reading {
        let text = |bytes: &Option<Vec<u8>>| {
            bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
        };
        let texts: Vec<(String, String)> = change.iter().map(|file| (text(&file.old), text(&file.new))).collect();
        let paths = change.iter().filter_map(|file| self.below(&file.path)).map(|path| path.display().to_string());
        let root = self.scratch.root();
        let folders = self.folder.ancestors().take_while(|above| above.starts_with(root));
        let folders = folders.map(|folder| format!("{}/", folder.display())).collect();
        Reading { folders, paths: paths.collect(), words: changed_words(&texts) }
    }

    /// Writes the files of a change into the copy.
    fn put<'c>(
        &mut self,
        change: &'c [NewContent],
        content: impl Fn(&'c NewContent) -> Option<&'c [u8]>,
    ) -> Result<(), EngineError> {
        self.scratch.settle();
        // A file may get the path that another one leaves.
        let (removed, written): (Vec<_>, Vec<_>) = change.iter().partition(|file| content(file).is_none());
        for file in removed.into_iter().chain(written) {
            let Some(below) = self.below(&file.path) else {
                let (shown, root) = (self.engine.shown(&file.path), self.engine.shown(self.scratch.source()));
                let message = format!("`{shown}` is not in `{root}`, of which `verify` makes a copy");
                return Err(EngineError::bad_request(message).path(shown).hint("change it on its own"));
            };
            self.scratch.put(&below, content(file)).map_err(|error| match error.kind() {
                io::ErrorKind::Unsupported => {
                    let shown = self.engine.shown(&file.path);
                    let message = format!("`{shown}` is in a folder of dependencies, which `verify` does not copy");
                    EngineError::bad_request(message).path(shown)
                }
                _ => unwritten(&error),
            })?;
        }
        Ok(())
    }

    /// The path of a file from the root, links followed.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        let files = self.engine.own_files();
        let resolved = match (files.resolve(path), path.parent(), path.file_name()) {
            (Ok(resolved), ..) => resolved,
            // A new file; its folder may be new, too.
            (Err(_), Some(folder), Some(_)) => {
                let there = folder.ancestors().find_map(|above| Some((above, files.resolve(above).ok()?)));
                let (above, resolved) = there?;
                resolved.join(path.strip_prefix(above).ok()?)
            }
            _ => return None,
        };
        resolved.strip_prefix(self.scratch.source()).ok().map(Path::to_owned)
    }

    fn run(&self, when: &str) -> Result<Heard, EngineError> {
        let host = &self.engine.host;
        if host.observer.is_cancelled() {
            return Err(cancelled());
        }
        let VerifyCommand { name, line, time } = &self.command;
        host.observer.progress(0, None, &format!("verify: `{name}` {when}"));
        let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["/bin/sh", "-c"] };
        let words: Vec<String> = shell.into_iter().chain([line.as_str()]).map(str::to_owned).collect();
        let is_cancelled = || host.observer.is_cancelled();
        let call = ProgramCall::new(&words, &self.folder, *time).with_most_output(limits::VERIFY_OUTPUT);
        let call = call.with_environment(&self.environment).cancelled_by(&is_cancelled);
        let started = Instant::now();
        let said = host.programs.run(&call);
        let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let problem = match said {
            Ok(CommandOutput { output, status }) => {
                tracing::debug!(command = %line, when, status, took, "verify");
                return Ok(Heard { run: CommandRun::ended(status, took), output });
            }
            Err(error) => match error.kind() {
                io::ErrorKind::TimedOut => return Ok(Heard { run: CommandRun::stopped(took), output: Vec::new() }),
                io::ErrorKind::Interrupted => return Err(cancelled()),
                io::ErrorKind::FileTooLarge => {
                    let message = format!("`{name}` says more than {} MiB {when}", limits::VERIFY_OUTPUT >> 20);
                    return Err(EngineError::new(ErrorCode::TooLarge, message).hint("have it say less: `-q`"));
                }
                _ => error,
            },
        };
        Err(EngineError::bad_request(format!("`{name}` cannot be run: {problem}")))
    }
}

fn unwritten(error: &io::Error) -> EngineError {
    EngineError::bad_request(format!("the copy of the working tree cannot be written: {error}"))
}
