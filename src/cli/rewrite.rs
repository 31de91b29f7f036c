//! `rewrite`: its arguments.

use clap::Args;

use crate::edit::Gate;
use crate::request::{OnError, RewriteRequest};

use super::caller::Caller;
use super::changes;
use super::exit::Exit;
use super::failure::Failure;
use super::targets::{Changed, Reading, Walking, refuse_place};

/// Replaces what a selector or a code pattern finds
///
/// TEMPLATE is code: `$NAME` and `$$$NAME` are replaced by what the pattern's holes or `@name` captured, `$0` by the whole match;
/// `${NAME|snake}` converts it (camel, pascal, upper, lower, kebab, trim, unquote, s/regex/new/). With -p the words are TEMPLATE and
/// TARGETs.
///
/// All matches are rewritten in one pass, nested ones too. Captured code keeps its comments and line breaks; parentheses are added
/// where precedence requires them. Without --write, only the diff is shown. With --write, all files are written or none, and
/// `cst undo --transaction ID` restores them. A file whose syntax would break stops the whole rewrite.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE)]
pub(super) struct Rewrite {
    /// The selector, the template, then where to search
    #[arg(value_names = ["SELECTOR", "TEMPLATE", "TARGET"], required = true)]
    words: Vec<String>,
    /// Find code by a pattern: 'assertEquals($$$ARGS)'
    #[arg(short, long, value_name = "CODE")]
    pattern: Option<String>,
    /// Write the files
    #[arg(short = 'U', long)]
    write: bool,
    /// Write nothing; exit status 1 if anything would change, 0 if not
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Show the diff and change nothing, not even trees
    #[arg(long, visible_alias = "preview", conflicts_with = "write")]
    dry_run: bool,
    /// Refuse unless there are exactly N matches
    #[arg(long, value_name = "N")]
    expect: Option<usize>,
    /// Run a command in a copy of the working tree, before and after; refuse if it newly complains
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// Ask about each match; with --write, what you accept is written
    #[arg(short, long, conflicts_with = "until_stable")]
    interactive: bool,
    /// Repeat until nothing changes, at most 100 times
    #[arg(long)]
    until_stable: bool,
    /// What to do with files that cannot be rewritten
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnError,
    /// Checks to disable
    #[arg(long, value_name = "GATES", value_delimiter = ',')]
    allow: Vec<Gate>,
    /// Define a named selector: ':route = function:has(> decorator)'
    #[arg(long, value_name = "DEFINITION")]
    define: Vec<String>,
    /// The file name of standard input, which decides its language
    #[arg(long = "stdin-filename", value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    changed: Changed,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    reading: Reading,
}

const USAGE: &str = "\
cst rewrite [OPTIONS] <SELECTOR> <TEMPLATE> [TARGET]...
       cst rewrite [OPTIONS] -p <CODE> <TEMPLATE> [TARGET]...";

const EXAMPLES: &str = r#"Examples:
  cst rewrite -p 'self.assertEqual($$$A)' 'self.assert_equal($$$A)' tests/
  cst rewrite -p 'assertEquals($A, $B)' 'assert $A == $B' tests/ --write
  cst rewrite 'call:like("print($X)")[$X.kind="string"]:not(:in(function#main))' 'log.info($X)' src/
  cst rewrite 'function@f[name=/[A-Z]/] > identifier.name' '${0|snake}' app.py
  cst rewrite -p 'if $C: return True
  else: return False' 'return bool($C)' src/ --interactive

Exit status: 0 something changes or was written, 1 nothing does, 2 an error or a file that could not be read.
With --check: 1 something would change, 0 nothing would."#;

impl Rewrite {
    pub(super) fn run(self, caller: &mut Caller) -> Result<Exit, Failure> {
        let mut words = self.words.iter();
        let (selector, template) = match &self.pattern {
            Some(_) => (None, words.next()),
            None => (words.next().cloned(), words.next()),
        };
        let Some(template) = template else {
            let hint = "`cst rewrite -p 'f($X)' 'g($X)' src/`; `cst help rewrite` has more";
            return Err(Failure::usage("the template is missing: the code that replaces each match", hint));
        };
        let template = caller.input.code(template)?;
        let words: Vec<String> = words.cloned().collect();
        if self.write && words.iter().any(|word| word == "-") {
            return Err(Failure::usage(
                "standard input is not a file that can be written",
                "leave --write out to see the diff",
            ));
        }
        refuse_place(&words, &caller.input)?;
        let targets = self.reading.any_targets(&words, self.name.as_deref(), &mut caller.input)?;
        let request = RewriteRequest {
            selector,
            pattern: self.pattern,
            template,
            targets,
            expect_count: self.expect,
            on_error: self.on_error,
            until_stable: self.until_stable,
            interactive: self.interactive,
            dry_run: self.dry_run,
            write: self.write,
            verify: self.verify,
            allow: self.allow,
            define: self.define,
            reading: self.changed.limit(self.reading.request(Some(&self.walking))),
            ..RewriteRequest::default()
        };
        if self.interactive && !self.write {
            caller
                .console
                .printer()
                .note("preview only: answers choose what the summary counts; add --write to apply")?;
        }
        let changed = caller.ask(&request)?;
        Ok(changes::print(&changed, self.check, &mut caller.console.printer())?)
    }
}
