//! The command line: words to a [`Request`](crate::engine::Request), a
//! [`Response`](crate::engine::Response) to text.
//!
//! A command's file holds its words and options, the request that they make, and how the answer is printed; what a request
//! means is the engine's. The definitions that parse the command line also write its help, completions and manual page.
//! Nothing is read, opened or started before the words are parsed: `cst --version` is as fast as a process starts.

mod agent;
mod arguments;
mod caller;
mod changes;
mod check;
mod chunk;
mod console;
mod definitions;
mod deps;
mod duplicates;
mod exit;
mod explain;
mod failure;
mod filters;
mod find;
mod findings;
mod folders;
mod generate;
mod graph;
mod hook;
mod impact;
mod index;
mod input;
mod journal;
mod junit;
mod languages;
mod lazy;
mod load;
mod map;
mod matches;
mod metrics;
mod modify;
mod operation;
mod outline;
mod pipe;
mod printer;
mod process;
mod progress;
mod project;
mod proposal;
mod refactor;
mod refs;
mod report;
mod rewrite;
mod rules;
mod run;
mod scan;
mod search;
mod serve;
mod session;
mod show;
mod signals;
mod targets;
mod test;
mod trust;
#[cfg(feature = "ui")]
mod ui;
mod unused;
mod usage;

#[doc(hidden)]
pub use arguments::Arguments;
pub use folders::{cache, configuration, state};
#[doc(hidden)]
pub use operation::{ROWS, Row, Word};
pub use process::{run, run_words};
