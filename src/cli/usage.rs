//! Wrong words on the command line: what clap says of them, made shorter and more useful.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Arguments;
use crate::engine::{EngineError, ErrorCode, Versioned};

/// Options that had another name: the command, or none for all; the old option; what to write now.
const RENAMED: &[(Option<&str>, &str, &str)] = &[
    (Some("outline"), "--kinds", "`--kind class,function` chooses kinds, as in `cst find`"),
    (Some("outline"), "--format", "`--as text|cline` chooses the form, as in `cst show`"),
    (Some("outline"), "--limit", "`--max-files N` limits the files; `--limit` counts matches, in `cst find`"),
    (Some("chunk"), "--count", "`--unit tokens|bytes` chooses the unit; `--count` counts matches, in `cst find`"),
    (None, "--name", "`--stdin-filename app.py` says what standard input is"),
    (None, "--lang", "`-t python` or `--language python` chooses the language"),
    (None, "-r", "the template is a word: cst rewrite -p PATTERN TEMPLATE TARGET"),
];

/// Shows help and version, or what is wrong with the words.
pub(super) fn show(error: clap::Error, words: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        // `cst` alone asks how it goes.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if words.len() <= 1 => {
            let _ = Arguments::command().print_help();
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let error = improve(error, words);
    let for_programs = words.iter().take_while(|word| *word != "--").any(|word| word == "--json" || word == "--jsonl");
    if for_programs {
        let error = Versioned::new(for_program(&error.render().to_string()).to_json());
        // Whoever closed standard output doesn't want to know.
        let _ = writeln!(std::io::stdout(), "{}", serde_json::to_string(&error).unwrap_or_default());
    } else {
        let _ = error.print();
    }
    ExitCode::from(2)
}

/// The same error with a tip that helps.
fn improve(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let word = |at: usize| words.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    // `help` itself suggests no command; the command alone does.
    if word(1) == "help" && error.kind() == ErrorKind::InvalidSubcommand {
        let again = Arguments::command().try_get_matches_from([words[0].clone(), words[2].clone()]);
        return again.err().filter(|again| again.kind() == ErrorKind::InvalidSubcommand).unwrap_or(error);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let option = option.clone();
    let known = Arguments::command();
    let command =
        words.iter().skip(1).filter_map(|word| word.to_str()).find(|word| known.find_subcommand(word).is_some());
    let is_it = |(of, old, _): &&(Option<&str>, &str, &str)| *old == option && of.is_none_or(|of| command == Some(of));
    let tip = match RENAMED.iter().find(is_it) {
        Some((_, _, tip)) => (*tip).to_owned(),
        // Where clap knows a similar option it says so; that a word may be a value helps nobody who meant an option.
        None if error.get(ContextKind::SuggestedArg).is_some() => return error,
        None => format!("`cst help{}` lists the options", command.map(|name| format!(" {name}")).unwrap_or_default()),
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// What is wrong with the words, for programs: clap's paragraphs as message and hint.
fn for_program(rendered: &str) -> EngineError {
    let paragraphs: Vec<String> =
        rendered.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let message = paragraphs.first().map_or("", |first| first.trim_start_matches("error: "));
    let tip = paragraphs.iter().find_map(|paragraph| paragraph.strip_prefix("tip: "));
    EngineError::new(ErrorCode::BadRequest, message).hint(tip.unwrap_or("`cst help COMMAND` has examples").to_owned())
}
