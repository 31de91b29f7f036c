//! What configured checks said of texts, so that a text is checked once.

use std::sync::Mutex;

use crate::locks::IgnorePoison;
use crate::reader::configuration::CheckCommand;
use crate::reader::programs::CommandOutput;

/// How many answers are kept, so that a text is checked once.
const KEPT: usize = 64;
/// The longest answer kept.
const LONGEST_KEPT: usize = 64 << 10;

/// What checks printed: the hash of command and text, and the answer; least recently asked first.
#[derive(Default)]
pub(crate) struct Checks(Mutex<Vec<(blake3::Hash, CommandOutput)>>);

impl Checks {
    /// What a command said of a text, if it was asked lately.
    pub(crate) fn kept_answer(&self, command: &CheckCommand, bytes: &[u8]) -> Option<CommandOutput> {
        let key = key(command, bytes);
        let mut answers = self.0.lock().ignore_poison();
        let place = answers.iter().position(|(known, _)| *known == key)?;
        let answer = answers.remove(place);
        let said = answer.1.clone();
        answers.push(answer);
        Some(said)
    }

    /// Keeps what a command said of a text, if it is short.
    pub(crate) fn keep_answer(&self, command: &CheckCommand, bytes: &[u8], said: &CommandOutput) {
        if said.output.len() > LONGEST_KEPT {
            return;
        }
        let key = key(command, bytes);
        let mut answers = self.0.lock().ignore_poison();
        answers.retain(|(known, _)| *known != key);
        answers.push((key, said.clone()));
        if answers.len() > KEPT {
            answers.remove(0);
        }
    }
}

/// What a command's answer to a text is kept under.
fn key(command: &CheckCommand, bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for part in [command.line.as_bytes(), command.folder.as_os_str().as_encoded_bytes(), bytes] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}
