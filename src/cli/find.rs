//! `find`: its arguments, and how matches are printed.

use std::io;

use clap::Args;
use serde_json::json;

use crate::engine::{self};
use crate::language::{Detection, detect};
use crate::request::{EngineError, ErrorCode, FilesReport, FindRequest, FindResponse, Target};
use crate::selector::{Selector, like};

use super::caller::Caller;
use super::console::Streaming;
use super::exit::Exit;
use super::failure::Failure;
use super::filters::Filters;
use super::input::Input;
use super::matches::{Excerpt, MatchStyle, print_path};
use super::printer::{Format, Printer, QUIET};
use super::report::{in_unrecognised_language, named_selectors, plural, print_read, print_with_errors};
use super::targets::{Changed, Reading, Walking, is_glob, refuse_place};

/// Finds code by its syntax
///
/// A SELECTOR is written as in CSS or XPath, for syntax nodes: `class > function[name^="get"]:first` is the first method of
/// each class whose name starts with `get`. Quote it to protect it from the shell.
///
/// A TARGET is a file, a folder, a tree id from `cst load`, or `-` for standard input; the default is the working directory.
/// With simple filters (--kind, --name, …), -p or -f there is no SELECTOR, and every word is a TARGET.
///
/// A code pattern is code in the language of the file, with holes: `$NAME` matches one node, `$$$NAME` any number of siblings;
/// `$_` and `$$$` do so without a name. A name used twice must match the same code twice. In a selector, write `:like("CODE")`.
///
/// Prints one line per match, `path:line:col: kind  qualname  node_id`; lines and columns count from 1. A match without a name
/// shows the start of its code. Counts and warnings go to standard error, so `cst find … | wc -l` counts matches.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Find {
    /// The selector, then where to search
    #[arg(value_names = ["SELECTOR", "TARGET"])]
    words: Vec<String>,
    /// Find code by a pattern: 'requests.get($URL, $$$REST)'
    #[arg(short, long, value_name = "CODE")]
    pattern: Option<String>,
    /// Read the selector from a file
    #[arg(short, long, value_name = "FILE")]
    file: Option<String>,
    /// Find what a query of tree-sitter captures, in FILE or on standard input (`-`)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pattern", "file"])]
    query: Option<String>,
    /// Define a named selector: ':route = function:has(> decorator)'
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
    /// Print only the number of matches
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["files", "code", "vimgrep"])]
    count: bool,
    /// Print only the paths of files with matches
    #[arg(short = 'l', long, alias = "files-with-matches", help_heading = "Output", conflicts_with_all = ["code", "vimgrep"])]
    files: bool,
    /// End each path with a NUL byte instead of a line end, for `xargs -0`
    #[arg(short = '0', long, help_heading = "Output", requires = "files", conflicts_with_all = ["json", "jsonl"])]
    null: bool,
    /// Print `path:line:col:source line`, for editors
    #[arg(long, help_heading = "Output", conflicts_with_all = ["code", "json", "jsonl"])]
    vimgrep: bool,
    /// Print at most N matches and stop searching
    #[arg(long, value_name = "N", help_heading = "Output")]
    limit: Option<usize>,
    /// Parse every file, even those that cannot match; the results are the same
    #[arg(long, help_heading = "Walking folders")]
    no_prefilter: bool,
    /// Print node ids for matches in folders, too
    #[arg(long, help_heading = "Output")]
    ids: bool,
    /// Print anchors, which stay valid when the file changes elsewhere
    #[arg(long, help_heading = "Output")]
    anchors: bool,
    /// If the selector asks about the project: read files even where the session has unsaved trees of them
    #[arg(long, help_heading = "Reading")]
    saved: bool,
    /// The file name of standard input, which decides its language
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    stdin_filename: Option<String>,
    /// Search the files that FILE lists, each path ended by a NUL byte; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    from0: Option<String>,
    #[command(flatten)]
    changed: Changed,
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
  cst find --query queries/tags.scm src/
  cst find 'class' --since main -l
  git ls-files -z | cst find 'class' --from0 -
  cst find 'ClassDef' - --stdin-filename app.py < app.py

Exit status: 0 something was found, 1 nothing was found, 2 an error or a file that could not be read."#;

impl Find {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let style = self.style(&caller.console.printer());
        let format = caller.console.format();
        let is_quiet = caller.console.printer().is_quiet();
        let listed = !self.count && !self.require_one && format != Format::Json && !is_quiet;
        let (request, first) = self.request(style, is_quiet, caller)?;
        if listed && self.files {
            caller.console.stream(Streaming::Paths { null: self.null });
        } else if listed {
            caller.console.stream(Streaming::Matches(style));
        }
        let targets = request.targets.len();
        let answer = caller.ask(&request);
        let answer = answer.map_err(|failure| self.advise(failure, first.as_deref(), targets, &caller.input));
        let found = answer?;
        self.print(&found, style, caller.console.streamed(), &mut caller.console.printer())?;
        Ok(Exit::when(found.total > 0).unless_failed(&found.files.skipped))
    }

    /// How matches are printed; on a terminal with the source line of each.
    fn style(&self, printer: &Printer) -> MatchStyle {
        let excerpt = match (self.code, self.vimgrep, printer.is_terminal()) {
            (true, ..) => Excerpt::Whole,
            (_, true, _) => Excerpt::Vimgrep,
            (.., true) => Excerpt::FirstLine,
            _ => Excerpt::None,
        };
        MatchStyle { excerpt, at_once: printer.format() == Format::JsonLines || printer.is_terminal() }
    }

    /// The request, and the selector if it came first among the arguments.
    fn request(
        &self,
        style: MatchStyle,
        is_quiet: bool,
        caller: &mut Caller,
    ) -> Result<(FindRequest, Option<String>), Failure> {
        let mut words = self.words.as_slice();
        let filter = self.filters.selector()?;
        let query = match &self.query {
            Some(_) if filter.is_some() => {
                let hint = "write `#eq?` or `#match?` into the query";
                return Err(Failure::usage("a query of tree-sitter takes no simple filters", hint));
            }
            Some(file) => Some(caller.input.file_or_stdin(file, "the query")?),
            None => None,
        };
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
            (None, None) if query.is_some() => String::new(),
            (None, None) => {
                let Some((selector, rest)) = words.split_first() else {
                    let hint = "`cst find 'class > function' src/`; `cst help find` has more";
                    return Err(Failure::usage("what to find is missing: a selector or a pattern", hint));
                };
                words = rest;
                first.insert(selector.clone()).clone()
            }
        };
        self.refuse_name_of_input()?;
        self.refuse_path_in_front(first.as_deref(), words, &caller.input)?;
        if query.is_none() {
            self.refuse_split_selector(&selector, words, &caller.input)?;
        }
        refuse_place(words, &caller.input)?;
        let mut targets = match &self.from0 {
            Some(_) => Vec::new(),
            None => self.reading.any_targets(words, self.stdin_filename.as_deref(), &mut caller.input)?,
        };
        if let Some(list) = &self.from0 {
            if !words.is_empty() {
                return Err(Failure::usage("TARGETs and --from0 exclude each other", "add the paths to the list"));
            }
            targets = caller.input.paths(list)?.into_iter().map(Target::path).collect();
        }
        let in_text = caller.console.format() == Format::Text;
        let is_listed = !self.files && !self.count && !is_quiet;
        let request = FindRequest {
            selector: Some(selector).filter(|_| query.is_none()),
            query,
            targets,
            limit: match (self.count, is_quiet && !self.require_one) {
                // For a count, no matches are needed.
                (true, _) => Some(0),
                (_, true) => Some(1),
                _ => self.limit,
            },
            code: is_listed && self.code,
            source_lines: is_listed && in_text && style.excerpt != Excerpt::Whole,
            require_one: self.require_one,
            ids: self.ids,
            no_prefilter: self.no_prefilter,
            anchors: self.anchors,
            define: self.define.clone(),
            reading: engine::Reading {
                saved: self.saved,
                as_in_folders: self.from0.is_some(),
                ..self.changed.limit(self.reading.request(Some(&self.walking)))
            },
            ..FindRequest::default()
        };
        Ok((request, first))
    }

    /// `--name` filters nodes; earlier it also named standard input.
    fn refuse_name_of_input(&self) -> Result<(), Failure> {
        let Some(name) = &self.filters.name else { return Ok(()) };
        let reads_input = self.words.iter().any(|word| word == "-");
        let says_nothing_else = self.stdin_filename.is_none() && self.reading.language.is_none();
        let is_file_name = matches!(detect(Detection { path: name, head: "" }), Ok(Some(_)));
        if reads_input && says_nothing_else && is_file_name {
            let hint = format!("`--stdin-filename {name}` says what standard input is");
            return Err(Failure::usage("`--name` filters nodes by name", hint));
        }
        Ok(())
    }

    /// A path in front of the selector.
    fn refuse_path_in_front(&self, first: Option<&str>, words: &[String], input: &Input) -> Result<(), Failure> {
        match (first, words) {
            (Some(path), [selector]) if input.exists(path) && !input.exists(selector) && !is_glob(selector) => {
                let hint = format!("the selector comes first: cst find '{selector}' {path}");
                Err(Failure::usage(format!("`{path}` is a path, not a selector"), hint))
            }
            _ => Ok(()),
        }
    }

    /// Detects a selector that the shell split at its spaces: its parts look like targets that do not exist.
    fn refuse_split_selector(&self, selector: &str, targets: &[String], input: &Input) -> Result<(), Failure> {
        let is_part = |word: &&String| {
            let is_of_selector = word.contains([':', '[', '>', '#', '*']) && !is_glob(word);
            is_of_selector && !input.exists(word) && Selector::parse(word).is_ok()
        };
        let Some(part) = targets.iter().find(is_part) else { return Ok(()) };
        let end = targets.iter().rposition(|word| !input.exists(word)).map_or(0, |last| last + 1);
        let (rest, targets) = targets.split_at(end);
        let rest: String = rest.iter().map(|word| format!(" {word}")).collect();
        let targets: String = targets.iter().map(|word| format!(" {word}")).collect();
        let error = EngineError::new(ErrorCode::NotFound, format!("no file or folder `{part}`")).path(part);
        Err(error.hint(format!("quote the whole selector: cst find '{selector}{rest}'{targets}")).into())
    }

    /// Adds hints for common mistakes.
    fn advise(&self, failure: Failure, first: Option<&str>, targets: usize, input: &Input) -> Failure {
        let Some(selector) = first else { return failure };
        if input.exists(selector) && (failure.is_about_the_selector() || failure.missing_path().is_some()) {
            let place = if targets == 0 { "SELECTOR" } else { &self.words[1] };
            return failure
                .hinting(format!("`{selector}` is a path; the selector comes first: cst find '{place}' {selector}"));
        }
        failure
    }

    fn print(
        &self,
        found: &FindResponse,
        style: MatchStyle,
        streamed: usize,
        printer: &mut Printer,
    ) -> Result<(), Failure> {
        let rows = &found.matches;
        match (printer.format(), self.count, self.files) {
            (Format::Json, true, _) => {
                return Ok(printer.answer(&json!({"total": found.total, "files": found.files}))?);
            }
            (Format::Json, _, true) => {
                let mut paths: Vec<&str> = rows.iter().filter_map(|row| row.path.as_deref()).collect();
                paths.dedup();
                let FindResponse { total, truncated, files, .. } = found;
                let answer = json!({"paths": paths, "total": total, "truncated": truncated, "files": files});
                return Ok(printer.answer(&answer)?);
            }
            (Format::Json, ..) => return Ok(printer.answer(found)?),
            (Format::JsonLines, true, _) => printer.json(&json!({"total": found.total}))?,
            (Format::Text, true, _) => printer.line(found.total)?,
            (_, _, true) => {
                let mut paths: Vec<&str> = rows.iter().filter_map(|row| row.path.as_deref()).collect();
                paths.dedup();
                paths.into_iter().try_for_each(|path| print_path(path, self.null, printer))?;
            }
            _ => rows.iter().try_for_each(|row| style.print(row, printer))?,
        }
        let listed = if self.count || self.files { None } else { Some(rows.len() + streamed) };
        summary(found, listed, printer)?;
        Ok(())
    }
}

/// Prints the counts and what could not be searched to standard error. `listed` is the number of printed matches, if
/// matches are printed.
fn summary(found: &FindResponse, listed: Option<usize>, printer: &mut Printer) -> io::Result<()> {
    let FilesReport { searched, matched, with_errors, skipped: left_out, unknown_language, unsearched, .. } =
        &found.files;
    print_read(found.unsaved, left_out, printer)?;
    named_selectors(&found.selectors, printer)?;
    print_with_errors(with_errors, printer)?;
    let files = plural(*searched, "file");
    let mut line = match (found.total, searched, listed.filter(|_| found.truncated)) {
        (0, ..) => format!("nothing found in {files}"),
        (_, _, Some(listed)) if *unsearched > 0 => format!("{} listed, --limit reached", plural(listed, "match")),
        (total, _, Some(listed)) => format!("{listed} of {} listed, --limit reached", plural(total, "match")),
        (total, 1, _) => plural(total, "match"),
        (total, ..) => format!("{} in {matched} of {files}", plural(total, "match")),
    };
    if *unsearched > 0 {
        line.push_str(&format!("; {} not searched", plural(*unsearched, "file")));
    }
    if *unknown_language > 0 {
        line.push_str(&format!("; {}", in_unrecognised_language(*unknown_language)));
    }
    let line = printer.paint_error(QUIET, line);
    printer.note(line)?;
    found.near.iter().try_for_each(|near| printer.note(format!("near: {near}")))
}
