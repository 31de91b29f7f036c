//! Errors in arguments: clap's messages, made shorter and more useful.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::arguments::Arguments;
use super::exit::Exit;
use super::failure::Failure;
use super::printer::{Color, Format, Printer, Volume};
use crate::edit::OperationKind;
use crate::request::{EngineError, Versioned};

/// Renamed options: the command (`None` for all), the old option, and what to write now.
const RENAMED: &[(Option<&str>, &str, &str)] = &[
    (Some("outline"), "--kinds", "`--kind class,function` chooses kinds, as in `cst find`"),
    (Some("outline"), "--format", "`--as text|cline` chooses the form, as in `cst show`"),
    (Some("outline"), "--limit", "`--max-files N` limits the files; `--limit` counts matches, in `cst find`"),
    (Some("chunk"), "--count", "`--unit tokens|bytes` chooses the unit; `--count` counts matches, in `cst find`"),
    (None, "--name", "`--stdin-filename app.py` says what standard input is"),
    (None, "--lang", "`-t python` or `--language python` chooses the language"),
    (None, "--include", "`-g GLOB` chooses files by name: -g '*.py', -g '!tests/**'"),
    (None, "--exclude", "`-g '!GLOB'` leaves files out"),
    (None, "-A", "`--code` shows the code of each match"),
    (None, "-C", "`--code` shows the code of each match"),
    (None, "-r", "the template is a word: cst rewrite -p PATTERN TEMPLATE TARGET"),
    (None, "--rewrite", "`cst rewrite` replaces what is found: cst rewrite -p PATTERN TEMPLATE TARGET"),
    (None, "--format", "`--json` prints one object, `--jsonl` one a line; `cst show` and `cst outline` have `--as`"),
    (None, "-w", WRITES),
    (None, "--apply", WRITES),
    (None, "--fix", WRITES),
    (None, "--in-place", WRITES),
    (None, "--inplace", WRITES),
];

/// The option that applies changes.
const WRITES: &str =
    "without `--write` only the diff is shown; `--write` writes the files, and `cst undo` takes it back";

/// Names of refactors in other tools, and the ones here.
const REFACTORS: &[(&[&str], &str)] = &[
    (&["change-signature", "add-parameter", "remove-parameter"], "`signature` changes parameters, and the calls"),
    (&["extract-method", "extract"], "`extract-function` and `extract-variable` extract code"),
    (&["extract-class"], "`split-class` moves methods of a class to a new one"),
    (&["extract-superclass", "extract-interface", "pull-up"], "`extract-base` moves members to a base class"),
    (&["rename-file", "move-module"], "`move-file` moves a file, and updates imports"),
    (&["safe-delete", "remove-unused"], "`delete-unused` deletes what nothing uses, `delete-file` a file"),
    (&["fix-imports", "optimize-imports", "sort-imports"], "`organize-imports` sorts and removes imports"),
];

/// Names of commands in other tools, and what does the same here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("grep", "`cst find` searches code by its syntax: cst find -p 'print($X)' src/"),
    ("query", "`cst find` searches code by its syntax: cst find 'class > method' src/"),
    ("scan", "`cst find` searches code by its syntax: cst find -p 'print($X)' src/"),
    ("sed", "`cst rewrite` replaces code: cst rewrite -p 'old($X)' 'new($X)' src/"),
    ("replace", "`cst rewrite` replaces code: cst rewrite -p 'old($X)' 'new($X)' src/"),
    (
        "rename",
        "`cst refactor rename` renames a symbol and all references to it: cst refactor rename Server.handle respond",
    ),
    (
        "move",
        "`cst refactor move` moves a definition to another file, `cst refactor move-file` a file; `cst modify FILE move` moves a \
         node in its file",
    ),
    ("mv", "`cst refactor move-file OLD NEW` moves a file, and updates the imports of it"),
    ("tree", "`cst show FILE --as tree` prints the nodes of a file; `cst trees` lists the loaded trees"),
    ("ast", "`cst show FILE --as tree` prints the nodes of a file"),
    ("parse", "`cst show FILE --as tree` prints the nodes of a file; `cst check` lists syntax errors"),
    ("inspect", "`cst show FILE --as tree` prints the nodes of a file"),
    ("edit", "`cst modify` changes a file by its syntax"),
    ("delete", "`cst modify FILE delete NODE` deletes a node"),
    ("insert", "`cst modify FILE insert after NODE CODE` inserts code"),
    ("references", "`cst refs` lists who refers to a symbol"),
    ("usages", "`cst refs` lists who refers to a symbol"),
    ("definition", "`cst symbols` lists definitions by name"),
    ("imports", "`cst deps` lists which files import which; `cst refactor organize-imports` sorts imports"),
    ("revert", "`cst undo --last` undoes the last write of files"),
    ("lsp", "`cst mcp` and `cst rpc` serve programs; there is no language server"),
];

/// Prints help, the version, or an error.
pub(super) fn show(error: clap::Error, words: &[OsString]) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return asked(error.print()),
        // `cst` without arguments asks for help.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if words.len() <= 1 => {
            return asked(Arguments::command().print_help());
        }
        _ => {}
    }
    let error = improve(error, words);
    let for_programs = words.iter().take_while(|word| *word != "--").any(|word| word == "--json" || word == "--jsonl");
    if for_programs {
        let error = Versioned::new(for_program(&error).to_json());
        let shown = serde_json::to_string(&error).unwrap_or_default();
        _ = asked(writeln!(io::stdout(), "{shown}"));
    } else {
        // A closed standard error is ignored.
        let _ = error.print();
    }
    Exit::Failed
}

/// The end of a process that had nothing to do but to write this to standard output.
fn asked(written: io::Result<()>) -> Exit {
    match written.and_then(|()| io::stdout().flush()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            Exit::failed(Failure::Output(error).end(&mut Printer::new(Color::Auto, Format::Text, Volume::Normal)))
        }
    }
}

/// The same error with a useful tip.
fn improve(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return suggest_command(error, words);
    }
    let known = Arguments::command();
    let command =
        words.iter().skip(1).filter_map(|word| word.to_str()).find(|word| known.find_subcommand(word).is_some());
    let missing = match command {
        Some("undo") => {
            Some("`cst undo --last` undoes the last write of files; `cst undo --list` lists what can be undone")
        }
        Some("redo") => Some(
            "a loaded tree takes back its `undo`: `cst trees` lists the trees; a write of files that was undone is written again \
             by the command that wrote it",
        ),
        _ => None,
    };
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(tip) = missing.map(str::to_owned)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let option = option.clone();
    let is_it = |(of, old, _): &&(Option<&str>, &str, &str)| *old == option && of.is_none_or(|of| command == Some(of));
    let renamed = RENAMED.iter().find(is_it).map(|(_, _, tip)| (*tip).to_owned());
    let tip = match renamed.or_else(|| misplaced(&option, command, words)) {
        Some(tip) => tip,
        // If clap suggests a similar option, keep that. Its other tip, that the word may be a value, does not help.
        None if suggests_well(&error, &option) => return error,
        None => format!("`cst help{}` lists the options", command.map(|name| format!(" {name}")).unwrap_or_default()),
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The tip for a word that is not an option: code that begins with `-`, an operation behind its node.
fn misplaced(word: &str, command: Option<&str>, words: &[OsString]) -> Option<String> {
    /// How much of the code is repeated, in characters.
    const SHOWN: usize = 40;
    let whole = words.iter().filter_map(|given| given.to_str()).find(|given| given.starts_with(word)).unwrap_or(word);
    let is_number =
        whole.len() > 1 && whole[1..].starts_with(|second: char| second.is_ascii_digit() || "({.$".contains(second));
    if is_number || ["- ", "-\n", "---\n"].iter().any(|start| whole.starts_with(start)) {
        let shown: String = whole.lines().next().unwrap_or_default().chars().take(SHOWN).collect();
        return Some(format!("`--` before code that begins with `-`: … -- '{shown}'"));
    }
    if let Some(meant) = operation_meant(word).filter(|_| command == Some("modify")) {
        return Some(meant);
    }
    let operations = ["delete", "replace", "insert", "move", "wrap", "unwrap", "rename", "copy"];
    let known = Arguments::command();
    let modify = known.find_subcommand("modify")?;
    let is_operation = |given: &str| operations.contains(&given) && modify.find_subcommand(given).is_some();
    let operation = words.iter().filter_map(|given| given.to_str()).find(|given| is_operation(given));
    match (command, operation) {
        (Some("modify"), Some(operation)) if !word.starts_with('-') => {
            Some(format!("the operation comes before the node: cst modify FILE {operation} '{word}'"))
        }
        _ => None,
    }
}

/// The operation that another tool calls so.
fn operation_meant(word: &str) -> Option<String> {
    OperationKind::called_elsewhere(word).map(|kind| format!("it is `{0}` here: `cst help modify {0}`", kind.as_str()))
}

/// Whether clap suggests an option with a similar spelling: `--since` does not help someone who wrote `--include`.
fn suggests_well(error: &clap::Error, option: &str) -> bool {
    let suggested = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(suggested)) => suggested.clone(),
        Some(ContextValue::Strings(suggested)) => suggested.join(" "),
        _ => return false,
    };
    strsim::jaro_winkler(suggested.trim_start_matches('-'), option.trim_start_matches('-')) > 0.8
}

/// The same error with the commands that may have been meant, or how to list them. clap suggests none for `help`, and
/// otherwise only similar spellings.
fn suggest_command(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let wrong = wrong.clone();
    let mut command = Arguments::command();
    let mut listed = "cst help".to_owned();
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        let Some(inner) = command.find_subcommand(word).filter(|_| word != "help").cloned() else { continue };
        listed.push_str(&format!(" {word}"));
        command = inner;
    }
    let names = command.get_subcommands().filter(|known| known.get_name() != "help" && !known.is_hide_set());
    let likeness = |name: &str| strsim::jaro_winkler(name, &wrong);
    let nearest = names.map(|known| known.get_name()).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == wrong && listed == "cst help");
    let inner = match listed.as_str() {
        "cst help modify" => operation_meant(&wrong),
        "cst help refactor" => REFACTORS
            .iter()
            .find(|(names, _)| names.contains(&wrong.as_str()))
            .map(|(_, tip)| format!("{tip}: `{listed}` lists all")),
        _ => None,
    };
    let tip = inner.or_else(|| elsewhere.map(|(_, tip)| (*tip).to_owned())).unwrap_or_else(|| {
        match nearest.filter(|name| likeness(name) > 0.8) {
            None => format!("`{listed}` lists the commands"),
            Some(name) => format!("did you mean `{name}`?"),
        }
    });
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The error for programs.
fn for_program(error: &clap::Error) -> EngineError {
    let hint = tip(error).unwrap_or_else(|| "`cst help COMMAND` has examples".to_owned());
    EngineError::bad_request(message(error)).hint(hint)
}

/// The message for an error of clap.
fn message(error: &clap::Error) -> String {
    let one = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => word.as_str(),
        _ => "",
    };
    let many = |kind| match error.get(kind) {
        Some(ContextValue::Strings(words)) => words.join(", "),
        Some(ContextValue::String(word)) => word.clone(),
        _ => String::new(),
    };
    let number = |kind| match error.get(kind) {
        Some(ContextValue::Number(number)) => *number,
        _ => 0,
    };
    let listed = |title: &str, kind| match many(kind) {
        words if words.is_empty() => words,
        words => format!(" [{title}: {words}]"),
    };
    let (argument, value) = (one(ContextKind::InvalidArg), one(ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument => format!("unexpected argument '{argument}' found"),
        ErrorKind::InvalidSubcommand => {
            format!("unrecognized subcommand '{}'", one(ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            let values = listed("possible values", ContextKind::ValidValue);
            format!("a value is required for '{argument}' but none was supplied{values}")
        }
        ErrorKind::InvalidValue => {
            let values = listed("possible values", ContextKind::ValidValue);
            format!("invalid value '{value}' for '{argument}'{values}")
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
            format!("invalid value '{value}' for '{argument}'{reason}")
        }
        ErrorKind::MissingRequiredArgument => {
            format!("the following required arguments were not provided: {}", many(ContextKind::InvalidArg))
        }
        ErrorKind::MissingSubcommand => {
            let command = one(ContextKind::InvalidSubcommand);
            format!("'{command}' requires a subcommand{}", listed("subcommands", ContextKind::ValidSubcommand))
        }
        ErrorKind::ArgumentConflict => match many(ContextKind::PriorArg) {
            prior if prior.is_empty() || prior == argument => {
                format!("the argument '{argument}' cannot be used multiple times")
            }
            prior => format!("the argument '{argument}' cannot be used with '{prior}'"),
        },
        ErrorKind::NoEquals => format!("equal sign is needed when assigning values to '{argument}'"),
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for '{argument}' found"),
        ErrorKind::TooFewValues => {
            format!("'{argument}' requires at least {} values", number(ContextKind::MinValues))
        }
        ErrorKind::WrongNumberOfValues => {
            format!("'{argument}' requires {} values", number(ContextKind::ExpectedNumValues))
        }
        kind => kind.as_str().unwrap_or("the arguments are not valid").to_owned(),
    }
}

/// A suggestion for an error of clap.
fn tip(error: &clap::Error) -> Option<String> {
    let similar = [
        (ContextKind::SuggestedSubcommand, "subcommand"),
        (ContextKind::SuggestedArg, "argument"),
        (ContextKind::SuggestedValue, "value"),
    ];
    let quoted = |words: &[String]| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    let found = similar.into_iter().find_map(|(kind, what)| match error.get(kind)? {
        ContextValue::String(word) => Some(format!("a similar {what} exists: '{word}'")),
        ContextValue::Strings(words) if words.len() == 1 => Some(format!("a similar {what} exists: {}", quoted(words))),
        ContextValue::Strings(words) => Some(format!("some similar {what}s exist: {}", quoted(words))),
        _ => None,
    });
    found.or_else(|| match error.get(ContextKind::Suggested)? {
        ContextValue::StyledStrs(tips) => tips.first().map(ToString::to_string),
        _ => None,
    })
}
