//! `show`: looking at nodes.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::engine::{self, NodeRow, Request, Response, ShowRequest};

use super::failure::Failure;
use super::matches::{self, Excerpt};
use super::printer::{Format, Printer};
use super::targets::Reading;
use super::{Caller, Exit};

/// Shows nodes: code, structure, signature
///
/// Without a NODE, the whole file. --at names a place instead: the innermost statement there, with what stands around it.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Show {
    /// The tree or file; `-` with --stdin-filename or -t for standard input
    target: String,
    /// Node ids, or selectors that match one node each
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,
    /// In which form
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t)]
    form: Form,
    /// The innermost statement at a line, or a line and a column
    #[arg(long, value_name = "LINE[:COL]", conflicts_with = "nodes")]
    at: Option<String>,
    /// How many levels of a tree
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// List the nodes around it
    #[arg(long)]
    parents: bool,
    /// List its children
    #[arg(long)]
    children: bool,
    /// Give anchors, which outlive a change of the file
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
  cst show app.py --at 120 --parents";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The text, with line numbers
    #[default]
    Code,
    /// Types, fields and ids, a line a node
    Tree,
    /// A definition without its body
    Signature,
    /// The nodes below as JSON
    Json,
    /// A graph for Graphviz
    Dot,
}

impl From<Form> for engine::Form {
    fn from(form: Form) -> engine::Form {
        match form {
            Form::Code => engine::Form::Code,
            Form::Tree => engine::Form::Tree,
            Form::Signature => engine::Form::Signature,
            Form::Json => engine::Form::Json,
            Form::Dot => engine::Form::Dot,
        }
    }
}

impl Show {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let target = self.reading.target(&self.target, self.name.as_deref(), &mut caller.input)?;
        let request = ShowRequest {
            nodes: self.nodes,
            at: self.at,
            form: Some(self.form.into()),
            depth: self.depth,
            parents: self.parents,
            children: self.children,
            anchors: self.anchors,
            reading: self.reading.request(None),
            ..ShowRequest::new(target)
        };
        let answer = caller.ask(Request::Show(request)).map_err(Failure::of_one_node);
        let Response::Show(shown) = answer? else { return Err(Failure::mismatched()) };
        let mut printer = caller.console.printer();
        match printer.format() {
            Format::Json => printer.answer(&shown)?,
            Format::JsonLines => shown.nodes.iter().try_for_each(|row| printer.json(row))?,
            Format::Text => {
                shown.nodes.iter().try_for_each(|row| print(row, self.form, &mut printer))?;
                if shown.truncated {
                    printer.note("cut here: show less at a time, by node or with --depth")?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn print(row: &NodeRow, form: Form, printer: &mut Printer) -> io::Result<()> {
    // What another program reads stands alone.
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

/// The nodes below, as the engine wrote them.
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
