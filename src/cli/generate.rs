//! `completions` and `man`: written from the same definitions that parse the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Exit;
use super::failure::Failure;
use super::printer::Printer;

/// Prints completions for a shell
///
/// Prints a script that completes commands and options. Where it goes differs by shell:
///
///   bash:  cst completions bash > ~/.local/share/bash-completion/completions/cst
///   zsh:   cst completions zsh > "${fpath[1]}/_cst"
///   fish:  cst completions fish > ~/.config/fish/completions/cst.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Prints the manual page
///
/// Prints the manual page of cst, or of one of its commands, for man(1):
///
///   cst man > ~/.local/share/man/man1/cst.1
///   cst man find | man -l -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Man {
    /// The command to describe; cst itself without one
    command: Option<String>,
}

impl Completions {
    /// Prints the script for `command`.
    pub(super) fn run(&self, mut command: Command, printer: &mut Printer) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "cst", &mut script);
        printer.bytes(&script)?;
        Ok(Exit::Done)
    }
}

impl Man {
    /// Prints the page of `command`, or of one of its own.
    pub(super) fn run(&self, mut command: Command, printer: &mut Printer) -> Result<Exit, Failure> {
        command.build();
        let page = match &self.command {
            None => command,
            Some(name) => match command.find_subcommand(name) {
                Some(found) => found.clone().display_name(format!("cst-{name}")),
                None => {
                    return Err(Failure::usage(format!("unknown command `{name}`"), "`cst help` lists the commands"));
                }
            },
        };
        let mut bytes = Vec::new();
        clap_mangen::Man::new(page).render(&mut bytes)?;
        printer.bytes(&bytes)?;
        Ok(Exit::Done)
    }
}
