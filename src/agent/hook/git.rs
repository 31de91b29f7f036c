//! What git knows: which files differ from the last commit, and what they held there.
//!
//! Nothing that an agent does at the same time may fail for it: no lock is taken, and no program but git is run.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::payload::LARGEST;
use super::setting::Setting;
use crate::engine::ProgramCall;

/// How long git may take: in a repository where it needs longer, every call would wait for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most that git may say: a file as large as hooks look at, and what goes with it.
const MOST: usize = LARGEST + (1 << 20);

/// Asks git in a folder.
fn ask(words: &[&str], folder: &Path, input: &str, setting: &Setting<'_>) -> io::Result<Vec<u8>> {
    let fixed = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false"];
    let words: Vec<String> = fixed.iter().chain(words).map(|&word| word.to_owned()).collect();
    let call = ProgramCall::new(&words, folder, setting.left().min(PATIENCE));
    let said = setting.programs.run(&call.with_input(input.as_bytes()).with_most_output(MOST))?;
    if said.status == Some(0) { Ok(said.output) } else { Err(io::Error::other("git failed")) }
}

/// The files that differ from the last commit or aren't known to git, seen from the repository.
pub(super) fn changed(repository: &Path, setting: &Setting<'_>) -> io::Result<Vec<String>> {
    let output = ask(&["status", "--porcelain", "-z", "--untracked-files=all"], repository, "", setting)?;
    let output = String::from_utf8_lossy(&output);
    let mut files = Vec::new();
    // What git says on standard error stands at the end, and isn't ended so.
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

/// What a file held at the last commit; `None` where it wasn't there, or there is no commit.
///
/// # Errors
/// When git doesn't answer in time, or can't be run.
pub(super) fn committed(repository: &Path, path: &str, setting: &Setting<'_>) -> io::Result<Option<Vec<u8>>> {
    if path.contains(['\n', '\r']) {
        return Ok(None);
    }
    // It says how many bytes there are, so that what else git has to say isn't taken for the file's.
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
