//! TARGET arguments: a tree, a file, a folder or standard input, and the options for reading them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};

use crate::engine::{self};
use crate::request::{Target, TextTarget, TreeTarget};

use super::failure::Failure;
use super::input::Input;

/// How files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct Reading {
    /// Language of the TARGETs; in folders, only files in that language
    #[arg(short = 't', long, global = true, value_name = "LANGUAGE", value_parser = LanguageName, hide_possible_values = true)]
    pub(super) language: Option<String>,
    /// Encoding of files that are neither UTF-8 nor UTF-16 with a byte order mark
    #[arg(long, global = true, value_name = "NAME")]
    encoding: Option<String>,
    /// Skip larger files: 1000000, 500K, 64M
    #[arg(long, global = true, value_name = "BYTES", value_parser = size)]
    max_size: Option<u64>,
    /// Treat TARGETs as tree ids even if files of that name exist
    #[arg(long, global = true)]
    tree: bool,
}

/// Which files of a folder are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Walking folders")]
pub(super) struct Walking {
    /// Include files that .gitignore excludes
    #[arg(long)]
    no_ignore: bool,
    /// Include hidden files and folders
    #[arg(long)]
    hidden: bool,
    /// Only files that match, as in .gitignore; `!GLOB` excludes those that match
    #[arg(short, long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Number of threads; default: one per processor
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Print results as they are found instead of sorted by path
    #[arg(long)]
    unordered: bool,
    /// Update the folder's index while searching
    #[arg(long)]
    cache: bool,
    /// Ignore the folder's index
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl Walking {
    /// The first given option that has no effect with an index.
    pub(super) fn inert_in_index(&self) -> Option<&'static str> {
        let given = [("--unordered", self.unordered), ("--cache", self.cache), ("--no-cache", self.no_cache)];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// Which files of a git repository are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Changed files, by git")]
pub(super) struct Changed {
    /// Only files with staged changes; their working tree version is read
    #[arg(long, conflicts_with = "since")]
    staged: bool,
    /// Only files that differ from a revision: HEAD, main, v1.2; untracked files count
    #[arg(long, value_name = "REV")]
    since: Option<String>,
}

impl Changed {
    /// The options for reading, limited to changed files.
    pub(super) fn limit(&self, reading: engine::Reading) -> engine::Reading {
        engine::Reading { staged: self.staged, since: self.since.clone(), ..reading }
    }
}

/// The name of a language. Every name is accepted, since users may add languages; known ones are completed.
#[derive(Debug, Clone)]
pub(super) struct LanguageName;

impl TypedValueParser for LanguageName {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(crate::language::Languages::built_in().names().into_iter().map(PossibleValue::new)))
    }
}

impl Reading {
    /// The options of a request.
    pub(super) fn request(&self, walking: Option<&Walking>) -> engine::Reading {
        engine::Reading {
            language: self.language.clone(),
            encoding: self.encoding.clone(),
            max_size: self.max_size,
            glob: walking.map(|walking| walking.glob.clone()).unwrap_or_default(),
            hidden: walking.is_some_and(|walking| walking.hidden),
            no_ignore: walking.is_some_and(|walking| walking.no_ignore),
            threads: walking.and_then(|walking| walking.threads),
            unordered: walking.is_some_and(|walking| walking.unordered),
            cache: walking.is_some_and(|walking| walking.cache),
            no_cache: walking.is_some_and(|walking| walking.no_cache),
            ..engine::Reading::default()
        }
    }

    /// Whether every TARGET is a tree.
    pub(super) fn names_trees(&self) -> bool {
        self.tree
    }

    /// The target of a TARGET argument; `name` is the file name of standard input.
    pub(super) fn target(&self, word: &str, name: Option<&str>, input: &mut Input) -> Result<Target, Failure> {
        if word == "-" {
            return Ok(Target::Text(TextTarget {
                text: self.standard_input(input)?,
                name: name.map(str::to_owned),
                language: self.language.clone(),
            }));
        }
        if self.tree {
            return Ok(Target::Tree(TreeTarget { tree_id: word.to_owned() }));
        }
        Ok(Target::Named(input.place(word).map_or(word, |(file, _)| file).to_owned()))
    }

    /// The targets of all TARGET arguments.
    pub(super) fn targets(
        &self,
        words: &[String],
        name: Option<&str>,
        input: &mut Input,
    ) -> Result<Vec<Target>, Failure> {
        words.iter().map(|word| self.target(word, name, input)).collect()
    }

    /// The targets of a command that takes any number of them; without one, it works on the working directory.
    ///
    /// # Errors
    /// If `xargs` runs the command and adds no target: an empty list of files is not the working directory.
    pub(super) fn any_targets(
        &self,
        words: &[String],
        name: Option<&str>,
        input: &mut Input,
    ) -> Result<Vec<Target>, Failure> {
        if words.is_empty() && input.is_run_by_xargs() {
            let hint = "`xargs -r` runs nothing if its list is empty; `.` names the working directory";
            return Err(Failure::usage("xargs has named no file", hint));
        }
        if let Some(glob) = words.iter().find(|word| is_glob(word) && !input.exists(word)) {
            let hint = format!("`-g '{glob}'` chooses the files of a folder by their names");
            return Err(Failure::usage(format!("no file or folder `{glob}`"), hint));
        }
        if words.is_empty() {
            input.mention_unread();
        }
        self.targets(words, name, input)
    }

    /// Standard input as source text.
    pub(super) fn standard_input(&self, input: &mut Input) -> Result<String, Failure> {
        input.take("the source", self.encoding.as_deref())
    }
}

/// Whether a word is for files with such names: `*.py`, `src/**/*.py`.
pub(super) fn is_glob(word: &str) -> bool {
    word.contains(['*', '?']) && (word.contains('/') || word.contains("*."))
}

/// Refuses places of files where all of a file is searched or changed.
pub(super) fn refuse_place<'w>(words: impl IntoIterator<Item = &'w String>, input: &Input) -> Result<(), Failure> {
    let mut places = words.into_iter().filter_map(|word| Some((word, input.place(word)?)));
    let Some((word, (file, at))) = places.next() else { return Ok(()) };
    let line = at.split(':').next().unwrap_or(at);
    let hint = format!(
        "`cst show {word}` shows what is there; the file is `{file}`, and `:lines({line}-{line})` in a selector keeps what is in the line"
    );
    Err(Failure::usage(format!("`{word}` is a place in a file"), hint))
}

/// A size in bytes, or in units of 1,024 (K), 1,024² (M) or 1,024³ (G).
pub(super) fn size(word: &str) -> Result<u64, String> {
    let digits = word.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match word[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        other => return Err(format!("`{other}` is not a unit; K, M and G are")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{digits}` is not a number of bytes"))?;
    number.checked_mul(unit).ok_or_else(|| "too large".to_owned())
}
