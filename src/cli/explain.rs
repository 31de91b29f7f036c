//! `explain`: how a selector was read, and where it lost its matches.

use clap::Args;

use crate::request::ExplainRequest;

use super::caller::Caller;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Format, NAME, NUMBER, QUIET};
use super::report::print_left_out;
use super::targets::{Reading, Walking, refuse_place};

/// Explains how a selector was read, and what each step found
///
/// With a TARGET, prints how many nodes survived each step and what nearly matched; use it when a selector finds nothing.
/// Named selectors such as `:test` are shown with their definitions.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Explain {
    /// The selector, then what to search: a tree, a file, a folder; `-` with --stdin-filename or -t for standard input
    #[arg(value_names = ["SELECTOR", "TARGET"], num_args = 0..=2)]
    words: Vec<String>,
    /// A code pattern instead of a selector: 'requests.get($URL, $$$REST)'
    #[arg(short, long, value_name = "CODE")]
    pattern: Option<String>,
    /// Define a named selector: ':route = function:has(> decorator)'
    #[arg(long, value_name = "DEFINITION")]
    define: Vec<String>,
    /// List the words that a selector may use: kinds, types, attributes, pseudo-classes, fields
    #[arg(long = "words")]
    lists_words: bool,
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
  cst explain '*' --words -t python
  cst explain 'class > function[name^=\"get\"]:first' app.py
  cst explain 'ClassDef' --language python
  cst explain ':test' -t rust
  cst explain -p 'kfree($X)' --language c";

impl Explain {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let mut words = self.words.iter();
        let selector = if self.pattern.is_some() { None } else { words.next().cloned() };
        if selector.is_none() && self.pattern.is_none() {
            let hint = "`cst explain 'class > function'`, or `-p CODE`";
            return Err(Failure::usage("what to explain is missing: a selector or a pattern", hint));
        }
        let target = match words.next() {
            Some(word) => {
                refuse_place([word], &caller.input)?;
                Some(self.reading.target(word, self.name.as_deref(), &mut caller.input)?)
            }
            None => None,
        };
        let request = ExplainRequest {
            selector,
            pattern: self.pattern,
            target,
            define: self.define,
            reading: self.reading.request(Some(&self.walking)),
        };
        let explained = caller.ask(&request)?;
        let mut printer = caller.console.printer();
        if printer.format() != Format::Text {
            printer.answer(&explained)?;
            return Ok(Exit::Done.unless_failed(&explained.skipped));
        }
        printer.line(format!("read as: {}", explained.read_as))?;
        for named in &explained.named {
            let language = printer.paint(QUIET, format!("({})", named.language));
            printer.line(format!("  {}  {language}", named.definition))?;
        }
        let widest = explained.steps.iter().map(|step| step.step.chars().count()).max().unwrap_or(0);
        // Without counts, the steps repeat what was just printed.
        for step in explained.steps.iter().filter(|step| step.nodes.is_some()) {
            let name = printer.paint(NAME, format!("{:<widest$}", step.step));
            let line = match step.nodes {
                Some(nodes) => format!("  {name}  {}", printer.paint(NUMBER, nodes)),
                None => format!("  {}", name.trim_end()),
            };
            printer.line(line)?;
        }
        for used in &explained.selectors {
            let path = printer.link(&used.path);
            printer.line(format!("{}: {} in {path}", used.name, used.definition))?;
        }
        for near in &explained.near {
            printer.line(format!("near: {near}"))?;
        }
        for (purpose, words) in explained.words.iter().filter(|_| self.lists_words) {
            printer.line(format!("{purpose}: {}", words.join(" ")))?;
        }
        print_left_out(&explained.skipped, &explained.with_errors, explained.unknown_language, &mut printer)?;
        Ok(Exit::Done.unless_failed(&explained.skipped))
    }
}
