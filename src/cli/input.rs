//! Arguments that refer to input: standard input (`-`), a file (`@FILE`), or plain text.

use crate::limits;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::Files;
use crate::project::{Kind, has_unread_input, unquoted};
use crate::request::{EngineError, ErrorCode};
use crate::text::Text;

use super::failure::Failure;

/// How much of what Linux says of a process is read, in bytes.
const PROCESS_STATE: usize = 4096;

/// Input besides the command line: standard input, which can be read once, and files.
pub(super) struct Input {
    files: Arc<dyn Files>,
    taken_by: Option<&'static str>,
}

impl Input {
    /// Nothing read yet.
    pub(super) fn new(files: Arc<dyn Files>) -> Input {
        Input { files, taken_by: None }
    }

    /// Whether `xargs` runs the program. GNU's does so once even if it has read no word at all. Known on Linux alone.
    pub(super) fn is_run_by_xargs(&self) -> bool {
        let first_line = |path: &str| {
            let bytes = self.files.head(Path::new(path), PROCESS_STATE).ok()?;
            Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
        };
        // `PID (NAME) STATE PARENT …`; the name may have any character.
        let state = first_line("/proc/self/stat").unwrap_or_default();
        let parent = state.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        parent.and_then(|parent| first_line(&format!("/proc/{parent}/comm"))).is_some_and(|name| name == "xargs")
    }

    /// Says that standard input has text that a command over the working directory does not read.
    pub(super) fn mention_unread(&self) {
        if self.taken_by.is_none() && has_unread_input(&std::io::stdin()) {
            // If standard error is closed, the message is lost.
            let _ = writeln!(std::io::stderr(), "standard input is not read; `-` names it");
        }
    }

    /// All of standard input, for `purpose`. Without an `encoding` it must be UTF-8, or UTF-16 with a byte order mark.
    pub(super) fn take(&mut self, purpose: &'static str, encoding: Option<&str>) -> Result<String, Failure> {
        decode(&self.bytes(purpose)?, "standard input", encoding)
    }

    /// All bytes of standard input, for `purpose`.
    fn bytes(&mut self, purpose: &'static str) -> Result<Vec<u8>, Failure> {
        if let Some(earlier) = self.taken_by.replace(purpose) {
            let message = format!("standard input cannot be both {earlier} and {purpose}");
            return Err(Failure::usage(message, "give one of them as a file"));
        }
        if std::io::stdin().is_terminal() {
            // If standard error is closed, the message is lost.
            let _ = writeln!(std::io::stderr(), "reading {purpose} from the terminal; Ctrl-D ends it");
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}"), ""))?;
        Ok(bytes)
    }

    /// The code of a CODE argument.
    pub(super) fn code(&mut self, word: &str) -> Result<String, Failure> {
        if word == "-" {
            return self.take("the code", None);
        }
        match word.strip_prefix('@') {
            // A decorator with its definition is not a file name.
            Some(path) if !path.contains('\n') => {
                let hint = "`@FILE` reads a file; put a space before code that begins with `@`";
                self.file(path).map_err(|failure| failure.hinting(hint))
            }
            _ => Ok(word.to_owned()),
        }
    }

    /// The text of a file, or of standard input for `-`.
    pub(super) fn file_or_stdin(&mut self, word: &str, purpose: &'static str) -> Result<String, Failure> {
        if word == "-" { self.take(purpose, None) } else { self.file(word) }
    }

    /// The paths that a file lists, or standard input for `-`, each ended by a NUL byte.
    pub(super) fn paths(&mut self, word: &str) -> Result<Vec<PathBuf>, Failure> {
        let bytes = if word == "-" {
            self.bytes("the list of files")?
        } else {
            let read = self.files.read_stream(&self.named(word), limits::INPUT_BYTES);
            read.map_err(|error| Failure::unreadable(word, &error))?
        };
        let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        paths.map(|path| path_of(path, word)).collect()
    }

    /// The next line of standard input; `None` at its end.
    pub(super) fn line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let bytes = read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}"), ""))?;
        Ok((bytes > 0).then_some(line))
    }

    /// Writes a file atomically.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.files.replace(path, bytes, &|_| Ok(())).map_err(|error| {
            let shown = path.display().to_string();
            Failure::usage(format!("`{shown}` cannot be written: {error}"), "is there such a folder?")
        })
    }

    /// Whether anything exists at a path.
    pub(super) fn exists(&self, path: &str) -> bool {
        self.files.facts(&self.named(path)).is_ok()
    }

    /// The path that an argument means: a quoted path is unquoted, unless there is a file of that very name.
    fn named(&self, word: &str) -> PathBuf {
        let literal = Path::new(word);
        let quoted = unquoted(word).filter(|_| self.files.facts(literal).is_err());
        quoted.unwrap_or_else(|| literal.to_owned())
    }

    /// Whether a file is at a path.
    pub(super) fn is_file(&self, path: &str) -> bool {
        self.files.facts(Path::new(path)).is_ok_and(|facts| facts.kind == Kind::File)
    }

    /// The file, line and column of a place as answers print it, `app.py:78:5`, if there is such a file and none of the whole name.
    pub(super) fn place<'w>(&self, word: &'w str) -> Option<(&'w str, &'w str)> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (head, last) = word.trim_end_matches(':').rsplit_once(':').filter(|(_, last)| is_number(last))?;
        let longer = head.rsplit_once(':').filter(|(path, line)| is_number(line) && self.is_file(path));
        let place = longer.map_or((head, last), |(path, _)| (path, &word[path.len() + 1..head.len() + 1 + last.len()]));
        (self.is_file(place.0) && !self.exists(word)).then_some(place)
    }

    /// The file and the lines of `app.py:5-7`, if there is such a file and none of the whole name.
    pub(super) fn lines<'w>(&self, word: &'w str) -> Option<(&'w str, &'w str)> {
        let (path, lines) = word.rsplit_once(':')?;
        let (first, last) = lines.split_once('-')?;
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(first) && is_number(last) && self.is_file(path) && !self.exists(word)).then_some((path, lines))
    }

    /// Whether a folder is at a path.
    pub(super) fn is_folder(&self, path: &str) -> bool {
        self.files.facts(Path::new(path)).is_ok_and(|facts| facts.kind == Kind::Folder)
    }

    fn file(&self, path: &str) -> Result<String, Failure> {
        let bytes = self
            .files
            .read_stream(&self.named(path), limits::INPUT_BYTES)
            .map_err(|error| Failure::unreadable(path, &error))?;
        decode(&bytes, path, None)
    }
}

/// The path that bytes of a list are.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a path")]
fn path_of(bytes: &[u8], _list: &str) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

/// The path that bytes of a list are.
#[cfg(not(unix))]
fn path_of(bytes: &[u8], list: &str) -> Result<PathBuf, Failure> {
    decode(bytes, list, None).map(PathBuf::from)
}

fn decode(bytes: &[u8], what: &str, encoding: Option<&str>) -> Result<String, Failure> {
    let text = Text::decode(bytes, encoding);
    let refused = |error| EngineError::new(ErrorCode::UnsupportedEncoding, format!("{what} is {error}"));
    Ok(text.map_err(refused)?.to_string())
}
