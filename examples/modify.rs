//! Rewrites what a selector finds in a file: `cargo run --example modify -- FILE SELECTOR TEMPLATE [--write]`.
//!
//! It shows the diff, and with `--write` writes the file. Other bytes stay what they were, and a result with a new syntax
//! error is refused.
//!
//! ```sh
//! cargo run --example modify -- app.py ':like("print($$$ARGS)")' 'log.info($$$ARGS)'
//! cargo run --example modify -- app.py 'call#open@call:not(:in(with))' 'closing($call)' --write
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("modify: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the diff, and the file where that is asked for.
pub fn run(words: &[String], output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (path, selector, template, write) = match words {
        [path, selector, template] => (path, selector, template, false),
        [path, selector, template, flag] if flag == "--write" => (path, selector, template, true),
        _ => return Err("usage: modify FILE SELECTOR TEMPLATE [--write]".into()),
    };
    let tree = cst::parse_file(path, &std::fs::read(path)?)?;
    let new = cst::rewrite(&tree, selector, template)?.outcome.tree;
    write!(output, "{}", cst::diff(path, &tree, &new))?;
    if write {
        std::fs::write(path, new.text().encode()?)?;
    }
    Ok(())
}
