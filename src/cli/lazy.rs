//! Commands whose arguments are defined when they are asked for.

use std::cell::Cell;
use std::ffi::OsString;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

thread_local! {
    static DEFERS: Cell<bool> = const { Cell::new(false) };
}

/// The arguments of one of many commands. A process needs those of one; to define all takes longer than most of what else
/// happens before the command runs.
#[derive(Debug)]
pub(super) struct Lazy<A>(pub(super) A);

/// Makes a command line in which the arguments of each [`Lazy`] command are defined when its name is read, if `words` do not
/// ask for help: help lists what the commands are about, which their arguments define.
pub(super) fn for_words(words: &[OsString], make: fn() -> Command) -> Command {
    let asks_for_help = |word: &OsString| word == "help" || word == "--help" || word == "-h";
    DEFERS.set(words.len() > 1 && !words.iter().any(asks_for_help));
    let made = make();
    DEFERS.set(false);
    made
}

impl<A: Args> Args for Lazy<A> {
    fn augment_args(command: Command) -> Command {
        match DEFERS.get() {
            true => command.defer(deferred::<A>),
            false => A::augment_args(command),
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        A::augment_args_for_update(command)
    }
}

/// Commands within this one are deferred, too.
fn deferred<A: Args>(command: Command) -> Command {
    DEFERS.set(true);
    let made = A::augment_args(command);
    DEFERS.set(false);
    made
}

impl<A: FromArgMatches> FromArgMatches for Lazy<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(Lazy)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches_mut(matches).map(Lazy)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}
