//! `run`: its arguments.

use clap::Args;

use crate::request::{OnError, RunRequest, ScriptSource};

use super::caller::Caller;
use super::changes;
use super::exit::Exit;
use super::failure::Failure;
use super::targets::{Reading, Walking, refuse_place};

/// Runs a refactor script
///
/// A script is a TOML file of steps; each finds nodes by a selector and says how they change. docs/scripts.md describes the format,
/// and `cst test` runs the tests of a script.
///
/// Without --write, only the diff is shown. With --write, all files are written or none, and one undo restores them all.
/// A tree (an id from `cst load`) takes the changes as its next revision.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Run {
    /// The script; `-` for standard input
    #[arg(value_name = "SCRIPT")]
    script: String,
    /// Files, folders, trees, or `-` with --stdin-filename or -t for standard input; default: the working directory
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Write the files
    #[arg(short = 'U', long)]
    write: bool,
    /// Write nothing; exit status 1 if anything would change, 0 if not
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Show the diffs and change nothing, not even trees
    #[arg(long, visible_alias = "preview", conflicts_with = "write")]
    dry_run: bool,
    /// Fail unless all steps together match exactly N nodes
    #[arg(long, value_name = "N")]
    expect: Option<usize>,
    /// Run a command in a copy of the working tree, before and after; refuse if it newly complains
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// What to do with files that cannot be changed
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnError,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst run refactors/assert-equals.toml
  cst run refactors/assert-equals.toml tests/ --write
  cst run refactors/assert-equals.toml --expect 12 --on-error skip
  cst undo --transaction 019abc…

Exit status: 0 something changes or was written, 1 nothing does, 2 an error or a file that could not be read.
With --check: 1 something would change, 0 nothing would.";

impl Run {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        if self.write && self.targets.iter().any(|word| word == "-") {
            return Err(Failure::usage(
                "standard input is not a file that can be written",
                "leave --write out to see the diff",
            ));
        }
        let script = match self.script.as_str() {
            "-" => ScriptSource::Text { text: caller.input.take("the script", None)? },
            path => ScriptSource::Path(path.to_owned()),
        };
        refuse_place(&self.targets, &caller.input)?;
        let targets = self.reading.any_targets(&self.targets, self.name.as_deref(), &mut caller.input)?;
        let request = RunRequest {
            expect_count: self.expect,
            on_error: self.on_error,
            dry_run: self.dry_run,
            write: self.write,
            verify: self.verify,
            reading: self.reading.request(Some(&self.walking)),
            ..RunRequest::new(script, targets)
        };
        let ran = caller.ask(&request)?;
        Ok(changes::print(&ran, self.check, &mut caller.console.printer())?)
    }
}
