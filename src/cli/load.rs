//! `load`: holding trees.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::request::{LoadRequest, LoadedTree};

use super::caller::Caller;
use super::check;
use super::definitions;
use super::exit::Exit;
use super::failure::Failure;
use super::outline;
use super::printer::{Format, KIND, NUMBER, Printer, QUIET};
use super::targets::Reading;

/// Loads files as trees, to inspect and edit them
///
/// Prints `tree_id  path  language  lines  nodes  errors` for each. Other commands take the tree_id, or its first 6 or more
/// characters, instead of a path. Trees are kept in your session store and outlive the command; files are only read.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, mut_arg("tree", |arg| arg.hide(true)))]
pub(super) struct Load {
    /// The files; `-` with --stdin-filename or -t for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    /// Print the definitions too
    #[arg(long)]
    outline: bool,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst load src/app.py
  cst load src/*.py --json
  cst find 'function' 019abc
  cst modify 019abc rename 'function#get' fetch
  cst save 019abc";

/// How many syntax errors are listed for a tree; `cst check` lists them all.
const ERRORS_SHOWN: usize = 10;

impl Load {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let outline = self.outline;
        let request = self.request(caller)?;
        let loaded = caller.ask(&request)?;
        let ids = loaded.trees.iter().map(|tree| tree.tree_id.clone()).collect();
        let text = caller.console.format() == Format::Text;
        let outlined = if outline && text { Some(outline::of_trees(ids, caller)?) } else { None };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&loaded)?,
            Format::JsonLines => loaded.trees.iter().try_for_each(|tree| printer.json(tree))?,
            Format::Text => {
                printer.columns("tree_id  path  language  lines  nodes  errors")?;
                loaded.trees.iter().try_for_each(|tree| print(tree, &mut printer))?;
                let files = outlined.iter().flat_map(|outlined| &outlined.files);
                files.into_iter().try_for_each(|file| definitions::print(file, true, &mut printer))?;
            }
        }
        Ok(Exit::Done)
    }

    fn request(self, caller: &mut Caller) -> Result<LoadRequest, Failure> {
        if self.reading.names_trees() {
            return Err(Failure::usage("`cst load` does not take --tree: it takes files", "leave it out"));
        }
        let reading = self.reading.request(None);
        if !self.files.iter().any(|file| file == "-") {
            let paths = self.files.into_iter().map(PathBuf::from).collect();
            return Ok(LoadRequest { paths, outline: self.outline, reading, ..LoadRequest::default() });
        }
        if self.files.len() > 1 {
            return Err(Failure::usage(
                "`-` cannot be combined with files",
                "load files and standard input one after the other",
            ));
        }
        let text = Some(self.reading.standard_input(&mut caller.input)?);
        let language = self.reading.language.clone();
        Ok(LoadRequest { text, language, name: self.name, outline: self.outline, reading, ..LoadRequest::default() })
    }
}

fn print(tree: &LoadedTree, printer: &mut Printer) -> io::Result<()> {
    let path = tree.path.as_deref().map_or("-".to_owned(), |path| printer.link(path));
    let language = printer.paint(KIND, &tree.language);
    let numbers = [tree.lines, tree.nodes, tree.errors.len()].map(|number| printer.paint(NUMBER, number));
    printer.line(format!("{}  {path}  {language}  {}", tree.tree_id, numbers.join("  ")))?;
    let path = tree.path.as_deref().unwrap_or("-");
    for error in tree.errors.iter().take(ERRORS_SHOWN) {
        let error = check::row(path, error, printer);
        printer.note(error)?;
    }
    if tree.errors.len() > ERRORS_SHOWN {
        let more = format!("{} more: cst check {}", tree.errors.len() - ERRORS_SHOWN, tree.tree_id);
        let more = printer.paint_error(QUIET, more);
        printer.note(more)?;
    }
    Ok(())
}
