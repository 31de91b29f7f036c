//! Finds code in a folder: `cargo run --example find -- FOLDER SELECTOR`.
//!
//! ```sh
//! cargo run --example find -- src 'function[params>5]'
//! cargo run --example find -- . 'class@outer > method:not([doc])'
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use cst::engine::FindRequest;
use cst::{Engine, Host};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("find: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a line for each match, those of its captures below it.
pub fn run(words: &[String], output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let [folder, selector] = words else { return Err("usage: find FOLDER SELECTOR".into()) };
    let engine = Engine::new(Host::at(folder));
    let request = FindRequest::new(selector);
    let found = engine.find(&request).map_err(|error| match &error.details.hint {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    })?;
    for row in &found.matches {
        let path = row.path.as_deref().unwrap_or("-");
        let name = row.qualname.as_deref().unwrap_or("-");
        writeln!(output, "{path}:{}:{}: {}  {name}", row.start_line, row.start_col, row.kind)?;
        for (capture, node) in row.captures.iter() {
            writeln!(output, "    @{capture} = {}", node.text.lines().next().unwrap_or_default())?;
        }
    }
    let files = &found.files;
    files.skipped.iter().try_for_each(|file| writeln!(output, "{}: left out: {}", file.path, file.error))?;
    writeln!(output, "{} matches in {} of {} files", found.total, files.matched, files.searched)?;
    Ok(())
}
