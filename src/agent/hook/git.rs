//! Questions to git: which files differ from the last commit, and their content there.
//!
//! These must not disturb what the agent does at the same time: no lock is taken, and no other program is run.

use crate::limits;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::setting::Setting;
use crate::engine::ProgramCall;

/// The time limit for git: in a repository where it needs longer, every call would wait for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The limit for git's output: the largest file that hooks read, with its headers.
const MOST: usize = limits::HOOK_EVENT_BYTES + (1 << 20);

/// Runs git in a folder.
fn ask(words: &[&str], folder: &Path, input: &str, setting: &Setting<'_>) -> io::Result<Vec<u8>> {
    let fixed = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false"];
    let words: Vec<String> = fixed.iter().chain(words).map(|&word| word.to_owned()).collect();
    let call = ProgramCall::new(&words, folder, setting.left().min(PATIENCE));
    let said = setting.programs.run(&call.with_input(input.as_bytes()).with_most_output(MOST))?;
    if said.status == Some(0) { Ok(said.output) } else { Err(io::Error::other("git failed")) }
}

/// The files that differ from the last commit or are untracked, relative to the repository.
pub(super) fn changed(repository: &Path, setting: &Setting<'_>) -> io::Result<Vec<String>> {
    let output = ask(&["status", "--porcelain", "-z", "--untracked-files=all"], repository, "", setting)?;
    let output = String::from_utf8_lossy(&output);
    let mut files = Vec::new();
    // git's messages on standard error come last and are not terminated like this.
    let (entries, _) = output.rsplit_once('\0').unwrap_or_default();
    let mut entries = entries.split('\0');
    while let Some(entry) = entries.next() {
        let Some((state, path)) = entry.split_at_checked(3) else { continue };
        files.push(path.to_owned());
        if state.starts_with(['R', 'C']) {
            files.extend(entries.next().map(str::to_owned));
        }
    }
    Ok(files)
}

/// The content of a file at the last commit; `None` if it was not there, or there is no commit.
///
/// # Errors
/// If git does not answer in time, or cannot be run.
pub(super) fn committed(repository: &Path, path: &str, setting: &Setting<'_>) -> io::Result<Option<Vec<u8>>> {
    if path.contains(['\n', '\r']) {
        return Ok(None);
    }
    // The output states the number of bytes, so that nothing else is taken for the content.
    let asked = ask(&["cat-file", "--batch"], repository, &format!("HEAD:{path}\n"), setting);
    let output = match asked {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(error),
        Err(_) => return Ok(None),
    };
    let Some(end) = output.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
    let head = String::from_utf8_lossy(&output[..end]);
    let mut words = head.split(' ').skip(1);
    let (Some("blob"), Some(size)) = (words.next(), words.next().and_then(|size| size.parse::<usize>().ok())) else {
        return Ok(None);
    };
    Ok(output.get(end + 1..end + 1 + size).map(<[u8]>::to_vec))
}
