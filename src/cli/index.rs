//! `index`: search indexes of folders.

use std::path::PathBuf;

use clap::Args;

use crate::request::{ExportFormat, ExportRequest, IndexRequest, Target, VectorCounts};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::Format;
use super::report::{self, plural};
use super::targets::{Reading, Walking};

/// Builds a search index for folders
///
/// `find`, `outline` and `check` over the folder, or one inside it, then read only files that changed; `--cache` updates the index
/// while they search. Answers are the same with and without an index. It is in CST_CACHE, else in the user's cache folder.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXAMPLES,
    mut_arg("cache", |arg| arg.hide(true)),
    mut_arg("no_cache", |arg| arg.hide(true)),
    mut_arg("unordered", |arg| arg.hide(true)),
    mut_arg("tree", |arg| arg.hide(true))
)]
pub(super) struct Index {
    /// Folders; default: the working directory
    #[arg(value_name = "FOLDER")]
    targets: Vec<String>,
    /// Also import a SCIP index of the folder, made by another program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clear", "export"])]
    scip: Option<PathBuf>,
    /// Remove the index of each folder instead
    #[arg(long)]
    clear: bool,
    /// Also make vectors of all definitions, for `cst search` by meaning: MODEL is the folder of an embedding model (safetensors), or
    /// the name of an endpoint in your `config.toml`
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["clear", "export"])]
    embed: Option<String>,
    /// Write the symbols of the folder to a file instead: definitions and references
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "clear", requires = "output")]
    export: Option<ExportFormat>,
    /// The file for --export
    #[arg(short, long, value_name = "FILE", requires = "export")]
    output: Option<PathBuf>,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst index src/
  cst index --clear src/
  cst index --scip target/index.scip
  cst index --embed models/all-MiniLM-L6-v2
  cst index --export scip --output index.scip";

impl Index {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        if let Some(option) = self.walking.inert_in_index().or(self.reading.names_trees().then_some("--tree")) {
            return Err(Failure::usage(format!("`cst index` does not take {option}"), "leave it out"));
        }
        let targets = if self.targets.is_empty() { vec![".".to_owned()] } else { self.targets.clone() };
        let only = targets.len() == 1;
        if let Some((format, output)) = self.export.zip(self.output.clone()) {
            return self.export(format, output, caller);
        }
        let mut exit = Exit::Done;
        for target in targets {
            let request = IndexRequest {
                targets: vec![Target::Named(target)],
                scip: self.scip.clone(),
                clear: self.clear,
                embed: self.embed.clone(),
                reading: self.reading.request(Some(&self.walking)),
            };
            let made = match caller.ask(&request) {
                Ok(made) => made,
                // A missing folder does not stop the others.
                Err(failure) if !only => {
                    failure.show(&mut caller.console.printer())?;
                    exit = Exit::Failed;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let mut printer = caller.console.printer();
            match printer.format() {
                Format::Json | Format::JsonLines => printer.answer(&made)?,
                Format::Text => {
                    report::print_skipped(&made.skipped, &mut printer)?;
                    let size = size(made.bytes);
                    if let Some(scip) = &made.scip {
                        let files = plural(scip.files, "file");
                        printer.note(format!("{} names in {files} are as {} says", scip.names, scip.tool))?;
                    }
                    printer.note(match made.cleared {
                        true => format!("index removed, {size}"),
                        false => {
                            let parsed = plural(made.indexed, "file");
                            format!("{parsed} parsed, {} unchanged; the index takes {size}", made.kept)
                        }
                    })?;
                    if let Some(VectorCounts { made, kept, bytes, .. }) = made.vectors {
                        let (made, size) = (plural(made, "vector"), self::size(bytes));
                        printer.note(format!("{made} made, {kept} kept; they take {size}"))?;
                    }
                }
            }
            if report::has_failed(&made.skipped) {
                exit = Exit::Failed;
            }
        }
        Ok(exit)
    }
}

impl Index {
    fn export(self, format: ExportFormat, output: PathBuf, caller: &mut Caller) -> Result<Exit, Failure> {
        let targets = self.targets.into_iter().map(Target::Named).collect();
        let reading = self.reading.request(Some(&self.walking));
        let written = caller.ask(&ExportRequest { format, output, targets, reading })?;
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json | Format::JsonLines => printer.answer(&written)?,
            Format::Text => {
                report::print_skipped(&written.skipped, &mut printer)?;
                let (files, size) = (plural(written.files, "file"), size(written.bytes));
                printer.note(format!("{}: symbols of {files}, {size}", written.path))?;
            }
        }
        Ok(Exit::Done.unless_failed(&written.skipped))
    }
}

/// A size for people: `620.1 MB`.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "kB", "MB", "GB"];
    let mut unit = 0;
    let mut rest = bytes;
    let mut tenths = 0;
    while rest >= 1000 && unit + 1 < UNITS.len() {
        tenths = rest % 1000 / 100;
        rest /= 1000;
        unit += 1;
    }
    if unit == 0 { format!("{rest} bytes") } else { format!("{rest}.{tenths} {}", UNITS[unit]) }
}
