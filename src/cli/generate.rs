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
        if self.shell == Shell::Fish {
            script = complete_fish(&String::from_utf8_lossy(&script), &command).into_bytes();
        }
        printer.bytes(&script)?;
        Ok(Exit::Done)
    }
}

/// How the script for fish reads the words before the cursor; it gives up where an option before the command lacks its value.
const READ_WORDS: &str = "    argparse -s (__fish_cst_global_optspecs) -- $cmd 2>/dev/null\n    or return\n";
/// The same, and once more without that option: its value is what is completed.
const READ_WORDS_BEFORE_VALUE: &str = "    argparse -s (__fish_cst_global_optspecs) -- $cmd 2>/dev/null
    or begin
        set -e cmd[-1]
        argparse -s (__fish_cst_global_optspecs) -- $cmd 2>/dev/null
    end
    or return
";

/// The script for fish, in which the values of arguments without a name, and of options before the command, are completed too.
fn complete_fish(script: &str, command: &Command) -> String {
    debug_assert!(script.contains(READ_WORDS), "the script is as it was");
    let mut script = script.replace(READ_WORDS, READ_WORDS_BEFORE_VALUE);
    for outer in command.get_subcommands() {
        let condition = format!("__fish_cst_using_subcommand {}", outer.get_name());
        let nested = outer
            .get_subcommands()
            .map(|inner| (format!("{condition}; and __fish_seen_subcommand_from {}", inner.get_name()), inner));
        let mut all = vec![(condition.clone(), outer)];
        all.extend(nested);
        for (condition, of) in all {
            for value in of.get_positionals().flat_map(|argument| argument.get_possible_values()) {
                let help = value.get_help().map(|help| help.to_string().replace('\'', "\\'")).unwrap_or_default();
                script.push_str(&format!(
                    "complete -c cst -n \"{condition}\" -f -a \"{}\" -d '{help}'\n",
                    value.get_name()
                ));
            }
        }
    }
    for named in command.get_subcommands() {
        let name = named.get_name();
        script.push_str(&format!("complete -c cst -n \"__fish_cst_using_subcommand man\" -f -a \"{name}\"\n"));
    }
    script
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
