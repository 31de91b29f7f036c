//! `find`: its words and options, and how matches are shown.

use std::io;

use clap::Args;

use crate::engine::{FilesReport, FindRequest, FindResponse, Request, Response, Skipped};
use crate::language::{Detection, detect};
use crate::selector::{Selector, like};

use super::check::plural;
use super::console::Streaming;
use super::failure::{Failure, in_command_words};
use super::filters::Filters;
use super::input::Input;
use super::matches::{Excerpt, MatchStyle};
use super::printer::{Format, PATH, Printer, QUIET};
use super::targets::{Reading, Walking};
use super::{Caller, Exit};

/// Finds code by its syntax
///
/// A SELECTOR is written as in CSS or XPath, about syntax nodes: `class > function[name^="get"]:first` is the first method of
/// each class whose name starts with `get`. Quote it, so that the shell leaves it alone.
///
/// A TARGET is a file, a folder, a tree's id from `cst load`, or `-` for standard input; the working directory otherwise.
/// Simple filters (--kind, --name, …), -p or -f stand for the selector, and then every word is a TARGET.
///
/// A code pattern is code in the file's language with holes: `$NAME` is one node, `$$$NAME` any number of siblings, `$_` and `$$$`
/// the same without a name; the same name twice is the same code. `:like("CODE")` in a selector goes with everything else.
///
/// Prints a line a match, `path:line:col: kind  qualname  node_id`, lines and columns from 1; how many were found
/// in how many files goes to standard error, so that `cst find … | wc -l` counts matches.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Find {
    /// The selector, then where to look
    #[arg(value_names = ["SELECTOR", "TARGET"])]
    words: Vec<String>,
    /// Code with holes in place of a selector: 'requests.get($URL, $$$REST)'
    #[arg(short, long, value_name = "CODE")]
    pattern: Option<String>,
    /// Read the selector from a file
    #[arg(short, long, value_name = "FILE")]
    file: Option<String>,
    /// A named selector of your own: ':route = function:has(> decorator)'
    #[arg(long, value_name = "DEFINITION")]
    define: Vec<String>,
    /// Fail unless exactly one node matches
    #[arg(long)]
    require_one: bool,
    #[command(flatten)]
    filters: Filters,
    /// Show the code of each match
    #[arg(long, help_heading = "Output")]
    code: bool,
    /// Print only how many there are
    #[arg(long, help_heading = "Output", conflicts_with_all = ["files", "code"])]
    count: bool,
    /// Print only the files that have one
    #[arg(long, help_heading = "Output", conflicts_with = "code")]
    files: bool,
    /// Print N matches at most; a folder's further files aren't searched then
    #[arg(long, value_name = "N", help_heading = "Output")]
    limit: Option<usize>,
    /// Parse all files of folders, those too that can't match by what stands in them
    #[arg(long)]
    no_prefilter: bool,
    /// Give node ids in folders too, which reads files with matches as a whole
    #[arg(long, help_heading = "Output")]
    ids: bool,
    /// Give anchors, which outlive a change of the file
    #[arg(long, help_heading = "Output")]
    anchors: bool,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = r#"Examples:
  cst find 'class > function[name^="get"]:first' src/
  cst find 'function:not(:has-own(return))' app.py
  cst find 'call[callee="print"]' --count
  cst find 'try:has(> except_clause:has(> block > pass))' --code
  cst find -p 'requests.get($URL, $$$REST)' src/
  cst find 'class#Api :like("self.$M($$$A)"):not(:in(try))' src/
  cst find --kind function --name handle src/
  cst find 'ClassDef' - --name app.py < app.py

Exit status: 0 something was found, 1 nothing was found, 2 an error."#;

impl Find {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let style = self.style(&caller.console.printer());
        let listed = !self.count && !self.require_one && caller.console.format() != Format::Json;
        let (request, first) = self.request(style, caller)?;
        if listed && self.files && caller.console.format() == Format::Text {
            caller.console.stream(Streaming::Paths);
        } else if listed && !self.files {
            caller.console.stream(Streaming::Matches(style));
        }
        let targets = request.targets.len();
        let answer = caller.ask(Request::Find(request));
        let answer = answer.map_err(|failure| self.advise(failure, first.as_deref(), targets, &caller.input));
        let Response::Find(found) = answer? else { return Err(Failure::mismatched()) };
        self.print(&found, style, &mut caller.console.printer())?;
        Ok(Exit::when(found.total > 0))
    }

    /// How matches are printed; who watches sees the first line of each.
    fn style(&self, printer: &Printer) -> MatchStyle {
        let excerpt = match (self.code, printer.is_terminal()) {
            (true, _) => Excerpt::Whole,
            (false, true) => Excerpt::FirstLine,
            (false, false) => Excerpt::None,
        };
        MatchStyle { excerpt, at_once: printer.format() == Format::JsonLines || printer.is_terminal() }
    }

    /// The request, and the selector where it stood first among the words.
    fn request(&self, style: MatchStyle, caller: &mut Caller) -> Result<(FindRequest, Option<String>), Failure> {
        let (file_names, names) = self.names();
        let mut words = self.words.as_slice();
        let filter = self.filters.selector(&names)?;
        let filter = match &self.pattern {
            Some(pattern) => Some(filter.unwrap_or_default() + &like(pattern)),
            None => filter,
        };
        let mut first = None;
        let selector = match (&self.file, filter) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage("-f and simple filters or -p are two selectors", "give one"));
            }
            (Some(file), None) => caller.input.file_or_stdin(file, "the selector")?,
            (None, Some(filter)) => filter,
            (None, None) => {
                let Some((selector, rest)) = words.split_first() else {
                    let hint = "`cst find 'class > function' src/`; `cst help find` has more";
                    return Err(Failure::usage("what to find is missing: a selector or a pattern", hint));
                };
                words = rest;
                first.insert(selector.clone()).clone()
            }
        };
        let targets = self.reading.targets(words, file_names.first().map(String::as_str), &mut caller.input)?;
        let request = FindRequest {
            selector: Some(selector),
            targets,
            // What is only counted needn't be listed.
            limit: if self.count { Some(0) } else { self.limit },
            code: !self.files && (self.code || style.excerpt != Excerpt::None),
            require_one: self.require_one,
            ids: self.ids,
            no_prefilter: self.no_prefilter,
            anchors: self.anchors,
            define: self.define.clone(),
            reading: self.reading.request(Some(&self.walking)),
            ..FindRequest::default()
        };
        Ok((request, first))
    }

    /// The names given with --name: those that say what standard input is, and those that nodes are filtered by.
    fn names(&self) -> (Vec<String>, Vec<String>) {
        let reads_standard_input = self.words.iter().any(|word| word == "-");
        let is_file_name =
            |name: &String| reads_standard_input && matches!(detect(Detection { path: name, head: "" }), Ok(Some(_)));
        self.filters.name.iter().cloned().partition(is_file_name)
    }

    /// What a newcomer may have meant.
    fn advise(&self, failure: Failure, first: Option<&str>, targets: usize, input: &Input) -> Failure {
        let Some(selector) = first else { return failure };
        if input.exists(selector) && (failure.is_about_the_selector() || failure.missing_path().is_some()) {
            let place = if targets == 0 { "SELECTOR" } else { &self.words[1] };
            return failure
                .hinting(format!("`{selector}` is a path; the selector comes first: cst find '{place}' {selector}"));
        }
        let missing = failure.missing_path().map(str::to_owned);
        let selector_like = |word: &String| word.contains([':', '[', '>', '#', '*']) && Selector::parse(word).is_ok();
        match missing.filter(selector_like) {
            Some(_) => {
                let end = self.words.iter().rposition(|word| !input.exists(word)).map_or(0, |last| last + 1);
                let (selector, targets) = self.words.split_at(end);
                let targets: String = targets.iter().map(|word| format!(" {word}")).collect();
                failure.hinting(format!("quote the whole selector: cst find '{}'{targets}", selector.join(" ")))
            }
            None => failure,
        }
    }

    fn print(&self, found: &FindResponse, style: MatchStyle, printer: &mut Printer) -> Result<(), Failure> {
        if printer.format() == Format::Json {
            return Ok(printer.json(found)?);
        }
        if self.count {
            printer.line(found.total)?;
        } else if self.files {
            let mut last = None;
            for path in found.matches.iter().filter_map(|row| row.path.as_deref()) {
                if last.replace(path) != Some(path) {
                    let link = printer.link(path);
                    printer.line(link)?;
                }
            }
        } else {
            found.matches.iter().try_for_each(|row| style.print(row, printer))?;
        }
        summary(found, self.count, printer)?;
        Ok(())
    }
}

/// How many were found where, and what couldn't be searched; for people, on standard error.
fn summary(found: &FindResponse, counted: bool, printer: &mut Printer) -> io::Result<()> {
    let FilesReport { searched, matched, with_errors, skipped: left_out, unknown_language, unsearched, .. } =
        &found.files;
    skipped(left_out, printer)?;
    for path in with_errors {
        let path = printer.paint_error(PATH, path);
        printer.note(format!("{path}: has syntax errors, was searched all the same"))?;
    }
    let mut line = match (found.total, searched) {
        (0, _) => format!("nothing found in {}", plural(*searched, "file")),
        (total, 1) => plural(total, "match"),
        (total, _) => format!("{} in {matched} of {}", plural(total, "match"), plural(*searched, "file")),
    };
    if found.truncated && !counted && *unsearched == 0 {
        line.push_str(", not all are listed");
    }
    if *unsearched > 0 {
        // Where it broke off, the answer says how many were listed.
        let limit = found.cursor.as_deref().unwrap_or_default();
        line.push_str(&format!("; {} not searched (limit {limit} reached)", plural(*unsearched, "more file")));
    }
    if *unknown_language > 0 {
        line.push_str(&format!("; {} in no language known", plural(*unknown_language, "file")));
    }
    let line = printer.paint_error(QUIET, line);
    printer.note(line)?;
    found.near.iter().try_for_each(|near| printer.note(format!("near: {near}")))
}

/// Files that were left out, and why.
pub(super) fn skipped(files: &[Skipped], printer: &mut Printer) -> io::Result<()> {
    for file in files {
        let path = printer.paint_error(PATH, &file.path);
        let hint = file.hint.as_ref().map(|hint| format!("; {}", in_command_words(hint))).unwrap_or_default();
        printer.note(format!("{path}: left out: {}{hint}", file.why))?;
    }
    Ok(())
}
