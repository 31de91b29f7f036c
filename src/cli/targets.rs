//! TARGET words: a tree, a file, a folder or standard input, and the options that say how they are read.

use clap::Args;

use crate::engine::{self, Target, TextTarget, TreeTarget};

use super::failure::Failure;
use super::input::Input;

/// How files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct Reading {
    /// The language, by name; of a folder's files, those in it
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// The encoding of files that are neither UTF-8 nor UTF-16 with a mark; a folder's may declare theirs
    #[arg(long, global = true, value_name = "NAME")]
    encoding: Option<String>,
    /// The largest file to read: 1000000, 500K, 64M
    #[arg(long, global = true, value_name = "BYTES", value_parser = size)]
    max_size: Option<u64>,
    /// Take TARGETs for trees even where a file has such a name
    #[arg(long, global = true)]
    tree: bool,
}

/// Which files of a folder are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Walking folders")]
pub(super) struct Walking {
    /// Also files that .gitignore leaves out
    #[arg(long)]
    no_ignore: bool,
    /// Also hidden files and folders
    #[arg(long)]
    hidden: bool,
    /// Only files that match, as in .gitignore; with `!` in front, none that match
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// How many files at once; as many as there are processors otherwise
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print results as they are found, not in order of path
    #[arg(long)]
    unordered: bool,
    /// Keep what parsing the folder gives in its index, for the next time
    #[arg(long)]
    cache: bool,
    /// Don't use the index that `cst index` or --cache made
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl Reading {
    /// As a request has it.
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
        }
    }

    /// Whether every TARGET is a tree.
    pub(super) fn names_trees(&self) -> bool {
        self.tree
    }

    /// What a TARGET word means; `name` says what standard input is.
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
        Ok(Target::Named(word.to_owned()))
    }

    /// What all the TARGET words mean.
    pub(super) fn targets(
        &self,
        words: &[String],
        name: Option<&str>,
        input: &mut Input,
    ) -> Result<Vec<Target>, Failure> {
        words.iter().map(|word| self.target(word, name, input)).collect()
    }

    /// Standard input as source text.
    pub(super) fn standard_input(&self, input: &mut Input) -> Result<String, Failure> {
        input.take("the source", self.encoding.as_deref())
    }
}

/// Bytes, or thousands (K, M, G) of 1,024.
fn size(word: &str) -> Result<u64, String> {
    let digits = word.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match word[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        other => return Err(format!("`{other}` is no unit: K, M or G")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{digits}` is no number of bytes"))?;
    number.checked_mul(unit).ok_or_else(|| "too large".to_owned())
}
