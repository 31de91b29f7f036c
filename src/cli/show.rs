//! `show`: nodes in several forms.

use std::io;

use clap::Args;
use serde_json::Value;

use crate::engine::{self};
use crate::request::{FilesReport, FindRequest, Form, NodeRow, ShowRequest, ShowResponse, Target};

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::matches::{self, Excerpt};
use super::printer::{Format, Printer};
use super::report;
use super::targets::Reading;

/// Shows nodes: code, structure, signature
///
/// Without a NODE, shows the whole file. A NODE may be lines: 10-20. --at shows the innermost statement at a
/// place instead, with the code around it. Several files, or a folder with a selector, show every match.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Show {
    /// The tree or file, or a place in one such as `app.py:78`; `-` with --stdin-filename or -t for standard input
    target: String,
    /// Node ids, selectors that match one node each, or lines such as 10-20; more files
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,
    /// Output form
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t)]
    form: Form,
    /// Print the code alone: no line numbers, no headings
    #[arg(short = 'N', long)]
    no_line_number: bool,
    /// Show the innermost statement at a line, or a line and a column
    #[arg(long, value_name = "LINE[:COL]", conflicts_with = "nodes")]
    at: Option<String>,
    /// Number of levels of a tree
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// List the enclosing nodes
    #[arg(long)]
    parents: bool,
    /// List the children
    #[arg(long)]
    children: bool,
    /// Print anchors, which stay valid when the file changes elsewhere
    #[arg(long)]
    anchors: bool,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  cst show app.py 'class#Server > method:first'
  cst show 019abc n31 --as tree --depth 3
  cst show app.py --at 120 --parents
  cst show app.py 10-20
  cst show -N app.py function#main > main.py
  cst show src 'class#Server > method'";

impl Show {
    pub(super) fn run(mut self, caller: &mut Caller) -> Result<Exit, Failure> {
        // A place as answers print it.
        if self.nodes.is_empty()
            && self.at.is_none()
            && let Some((file, at)) = caller.input.place(&self.target)
        {
            (self.at, self.target) = (Some(at.to_owned()), file.to_owned());
        }
        if self.nodes.is_empty()
            && self.at.is_none()
            && let Some((file, lines)) = caller.input.lines(&self.target)
        {
            (self.nodes, self.target) = (vec![lines.to_owned()], file.to_owned());
        }
        let (files, nodes): (Vec<String>, Vec<String>) =
            std::mem::take(&mut self.nodes).into_iter().partition(|word| caller.input.is_file(word));
        self.nodes = nodes;
        if !files.is_empty() || (caller.input.is_folder(&self.target) && !self.nodes.is_empty()) {
            return self.run_over(files, caller);
        }
        let target = self.reading.target(&self.target, self.name.as_deref(), &mut caller.input)?;
        let request = self.request(target, self.nodes.clone());
        let shown = caller.ask(&request).map_err(Failure::of_one_node)?;
        self.print_all(&shown, &mut caller.console.printer())?;
        Ok(Exit::Done)
    }

    /// The request for nodes of a target.
    fn request(&self, target: Target, nodes: Vec<String>) -> ShowRequest {
        ShowRequest {
            nodes,
            at: self.at.clone(),
            form: Some(self.form),
            depth: self.depth,
            parents: self.parents,
            children: self.children,
            anchors: self.anchors,
            reading: self.reading.request(None),
            ..ShowRequest::new(target)
        }
    }

    /// Prints nodes in the form that was asked for.
    fn print_all(&self, shown: &ShowResponse, printer: &mut Printer) -> io::Result<()> {
        match printer.format() {
            Format::Json => printer.answer(shown),
            Format::JsonLines => shown.nodes.iter().try_for_each(|row| printer.json(row)),
            Format::Text => {
                shown.nodes.iter().enumerate().try_for_each(|(place, row)| self.print(place, row, printer))?;
                if shown.truncated {
                    printer.note("cut here: show less at a time, by node or with --depth")?;
                }
                Ok(())
            }
        }
    }

    /// Shows what selectors match in several files or below a folder.
    fn run_over(self, files: Vec<String>, caller: &mut Caller) -> Result<Exit, Failure> {
        let words: Vec<String> = std::iter::once(self.target.clone()).chain(files).collect();
        let has_form = self.form != Form::Code || self.depth.is_some() || self.parents || self.children;
        let of_one_file = self.nodes.iter().any(|word| engine::is_of_one_file(word));
        let selector = if self.nodes.is_empty() { ":root".to_owned() } else { self.nodes.join(", ") };
        let request = FindRequest {
            targets: self.reading.targets(&words, self.name.as_deref(), &mut caller.input)?,
            selector: Some(selector),
            code: true,
            ids: true,
            anchors: self.anchors,
            reading: self.reading.request(None),
            ..FindRequest::default()
        };
        if of_one_file {
            let each = words.iter().map(|word| (word.clone(), self.nodes.clone())).collect();
            return self.run_each(each, caller);
        }
        let found = caller.ask(&request)?;
        if has_form && found.matches.iter().all(|row| row.path.is_some() && row.node_id.is_some()) {
            let mut each: Vec<(String, Vec<String>)> = Vec::new();
            for row in &found.matches {
                let (path, id) = (row.path.clone().unwrap_or_default(), row.node_id.clone().unwrap_or_default());
                match each.last_mut().filter(|(last, _)| *last == path) {
                    Some((_, ids)) => ids.push(id),
                    None => each.push((path, vec![id])),
                }
            }
            let done = self.run_each(each, caller)?;
            print_left_out(&found.files, &mut caller.console.printer())?;
            let done = if found.matches.is_empty() { Exit::when(false) } else { done };
            return Ok(done.unless_failed(&found.files.skipped));
        }
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&found)?,
            Format::JsonLines => found.matches.iter().try_for_each(|row| printer.json(row))?,
            Format::Text => {
                found.matches.iter().enumerate().try_for_each(|(place, row)| self.print(place, row, &mut printer))?;
                print_left_out(&found.files, &mut printer)?;
            }
        }
        Ok(Exit::when(!found.matches.is_empty()).unless_failed(&found.files.skipped))
    }

    /// Shows nodes of each file, by their ids or lines.
    fn run_each(&self, files: Vec<(String, Vec<String>)>, caller: &mut Caller) -> Result<Exit, Failure> {
        let mut all: Option<ShowResponse> = None;
        for (file, nodes) in files {
            let request = self.request(self.reading.target(&file, None, &mut caller.input)?, nodes);
            let shown = caller.ask(&request).map_err(Failure::of_one_node)?;
            match &mut all {
                Some(all) => {
                    all.nodes.extend(shown.nodes);
                    all.truncated |= shown.truncated;
                }
                None => all = Some(shown),
            }
        }
        if let Some(shown) = all {
            self.print_all(&shown, &mut caller.console.printer())?;
        }
        Ok(Exit::Done)
    }

    fn print(&self, place: usize, row: &NodeRow, printer: &mut Printer) -> io::Result<()> {
        if !self.no_line_number || self.form != Form::Code {
            return print(row, self.form, printer);
        }
        let Some(code) = &row.code else { return Ok(()) };
        if place > 0 {
            printer.line("")?;
        }
        let shown = printer.source_block(&format!("{}{code}", row.indent));
        printer.line(shown.strip_suffix('\n').unwrap_or(&shown))
    }
}

fn print(row: &NodeRow, form: Form, printer: &mut Printer) -> io::Result<()> {
    // Output for another program has no heading.
    if matches!(form, Form::Json | Form::Dot) {
        return structure(row, printer);
    }
    printer.line(matches::heading(row, false, printer))?;
    match form {
        Form::Signature => {
            if let Some(signature) = &row.signature {
                printer.line(format!("  {}", printer.source(signature)))?;
            }
        }
        Form::Tree => structure(row, printer)?,
        _ => matches::code(row, Excerpt::Whole, printer)?,
    }
    for (title, rows) in [("parents", &row.parents), ("children", &row.children)] {
        let Some(rows) = rows else { continue };
        printer.line(format!("{title}:"))?;
        for row in rows {
            printer.line(format!("  {}", matches::heading(row, false, printer)))?;
        }
    }
    Ok(())
}

/// The JSON or Graphviz output of the engine.
fn structure(row: &NodeRow, printer: &mut Printer) -> io::Result<()> {
    match &row.tree {
        None => Ok(()),
        Some(Value::String(text)) => {
            let text = printer.source_block(text);
            printer.line(text.trim_end_matches('\n'))
        }
        Some(value) => {
            let pretty = serde_json::to_string_pretty(value)?;
            printer.line(pretty)
        }
    }
}

/// Says which files were not looked at.
fn print_left_out(files: &FilesReport, printer: &mut Printer) -> io::Result<()> {
    report::print_left_out(&files.skipped, &files.with_errors, files.unknown_language, printer)
}
