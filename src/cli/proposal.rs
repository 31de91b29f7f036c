//! Shows a match of `rewrite --interactive` and asks what to do with it.

use std::io;

use super::printer::{NUMBER, PATH, Printer, QUIET};
use crate::request::{Decision, Proposal};

/// Shows a match and asks what to do with it; at the end of the input, the rest stays unchanged.
pub(super) fn ask(proposal: &Proposal, printer: &mut Printer) -> io::Result<Decision> {
    let Proposal { path, line, number: (number, count), diff } = proposal;
    if diff.is_empty() {
        printer.note(format!("{path}:{line}: nothing changes by itself"))?;
    } else {
        printer.diff(diff)?;
    }
    printer.flush()?;
    loop {
        let place = printer.paint_error(PATH, format!("{path}:{line}"));
        let count = printer.paint_error(NUMBER, format!("{number}/{count}"));
        printer.ask(&format!("{place}  {count}  rewrite? [y/n/a/q/?] "))?;
        let mut answer = String::new();
        // What cannot be read ends the questions as the end of the input does.
        if io::stdin().read_line(&mut answer).unwrap_or(0) == 0 {
            return Ok(Decision::Quit);
        }
        match answer.trim() {
            "y" | "yes" => return Ok(Decision::Yes),
            "n" | "no" => return Ok(Decision::No),
            "a" | "all" => return Ok(Decision::All),
            "q" | "quit" => return Ok(Decision::Quit),
            _ => {
                let help = "y: rewrite it, n: leave it, a: rewrite it and all after it, q: leave it and all after it";
                let help = printer.paint_error(QUIET, help);
                printer.note(help)?;
            }
        }
    }
}
