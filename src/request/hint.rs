//! Hints: what to do about an error, in words that each front end completes with its own names.
//!
//! The engine knows no option and no command. Where a hint names one it holds a [`Term`], and whoever shows the hint says what
//! that is called there: `save` in a request is `cst save` on the command line, and `session save` in a tool.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::language::{LanguageError, Languages};

/// Where to read on when a language's data is wrong.
pub(crate) const DATA_HINT: &str = "docs/adding-a-language.md says what a language's folder holds";

/// What to do about an error. In JSON it is a text, in the words of requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Hint(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(Cow<'static, str>),
    Term(Term),
    /// A term, and the words for front ends that have no name for it.
    Listed(Term, String),
}

/// Something that every front end has a name of its own for, if it has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Term {
    /// The request that lists the loaded trees.
    Trees,
    /// The request that holds a tree.
    Load,
    /// The request that finds nodes.
    Find,
    /// The request that shows nodes.
    Show,
    /// The request that writes trees to their files.
    Save,
    /// The request that explains a selector.
    Explain,
    /// The request that lists backups.
    Backups,
    /// The request that rewrites what matches.
    Rewrite,
    /// What says which of several matches are meant.
    All,
    /// What shows the outcome and changes nothing.
    DryRun,
    /// What leaves out files that cannot be changed.
    SkipErrors,
    /// What lets an edit pass that changes what is around it.
    AllowStructure,
    /// What leaves the check for syntax errors out.
    AllowSyntax,
    /// The limit of a file's size.
    MaxSize,
    /// The option that overwrites another program's change.
    Force,
    /// What takes both changes.
    Merge,
    /// The option that proceeds even if something unseen may use the old name.
    ForceRefactor,
    /// The option that changes an uncertain reference.
    Include,
    /// The option that leaves uncertain references unchanged.
    Leave,
    /// A file of a module that is split, and its definitions.
    Part,
    /// The encoding of a file.
    Encoding,
    /// The language of a file.
    Language,
    /// What leaves out files that changed since.
    SkipChanged,
    /// The request that lists what was written.
    Transactions,
    /// The folder of the session store.
    State,
    /// What lists the names of all languages; where there is nothing, the hint has them.
    LanguageNames,
    /// The option that has a command decide about uncertain references.
    Decide,
    /// The request that makes the vectors for a search by meaning.
    Embed,
}

/// The terms as hints in the source name them, and their names in requests.
pub const TERMS: [(&str, Term, &str); 27] = [
    ("{trees}", Term::Trees, "`trees`"),
    ("{load}", Term::Load, "`load`"),
    ("{find}", Term::Find, "`find`"),
    ("{show}", Term::Show, "`show`"),
    ("{save}", Term::Save, "`save`"),
    ("{explain}", Term::Explain, "`explain`"),
    ("{backups}", Term::Backups, "`backups`"),
    ("{rewrite}", Term::Rewrite, "`rewrite`"),
    ("{all}", Term::All, "`all` or `match_index`"),
    ("{dry_run}", Term::DryRun, "`dry_run`"),
    ("{skip}", Term::SkipErrors, "`on_error: \"skip\"`"),
    ("{structure}", Term::AllowStructure, "`allow: [\"structure\"]`"),
    ("{syntax}", Term::AllowSyntax, "`allow: [\"syntax\"]`"),
    ("{max_size}", Term::MaxSize, "`reading.max_size`"),
    ("{force}", Term::Force, "`force`"),
    ("{merge}", Term::Merge, "`merge`"),
    ("{force_refactor}", Term::ForceRefactor, "`force`"),
    ("{include}", Term::Include, "`include`"),
    ("{leave}", Term::Leave, "`leave_undetermined`"),
    ("{part}", Term::Part, "`parts`"),
    ("{encoding}", Term::Encoding, "`reading.encoding`"),
    ("{language}", Term::Language, "`language`"),
    ("{skip_changed}", Term::SkipChanged, "`skip_changed`"),
    ("{transactions}", Term::Transactions, "`transactions`"),
    ("{state}", Term::State, "`CST_STATE`"),
    ("{decide}", Term::Decide, "`verify` with `decide`"),
    ("{embed}", Term::Embed, "`index` with `embed`"),
];

impl Hint {
    /// The hint with the names that a front end has; `None` where it lacks one of them.
    pub fn worded(&self, name: impl Fn(Term) -> Option<&'static str>) -> Option<String> {
        fn word(part: &Part, name: impl Fn(Term) -> Option<&'static str>) -> Option<&str> {
            match part {
                Part::Text(text) => Some(text),
                Part::Term(term) => name(*term),
                Part::Listed(term, words) => Some(name(*term).unwrap_or(words)),
            }
        }
        self.0.iter().map(|part| word(part, &name)).collect()
    }

    /// The names of languages, where a front end has nothing that lists them.
    #[doc(hidden)]
    pub fn languages(languages: &Languages) -> Hint {
        let names = languages.names().join("`, `");
        Hint(vec![Part::Listed(Term::LanguageNames, format!("known: `{names}`"))])
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Text(text) if text.is_empty()))
    }

    /// The hint with more behind it.
    #[must_use]
    pub fn and(mut self, other: impl Into<Hint>) -> Hint {
        self.0.extend(other.into().0);
        self
    }
}

/// A hint of the source, whose `{terms}` are read.
impl From<&'static str> for Hint {
    fn from(words: &'static str) -> Hint {
        let mut parts = Vec::new();
        let mut rest = words;
        while let Some((at, name, term)) = next_term(rest) {
            debug_assert!(!names_a_term(&rest[..at]), "no term is called so: {words}");
            parts.push(Part::Text(Cow::Borrowed(&rest[..at])));
            parts.push(Part::Term(term));
            rest = &rest[at + name.len()..];
        }
        debug_assert!(!names_a_term(rest), "no term is called so: {words}");
        parts.push(Part::Text(Cow::Borrowed(rest)));
        Hint(parts)
    }
}

fn next_term(words: &str) -> Option<(usize, &'static str, Term)> {
    TERMS.iter().filter_map(|&(name, term, _)| Some((words.find(name)?, name, term))).min_by_key(|found| found.0)
}

/// Whether a text has a word in braces, as terms are written.
fn names_a_term(words: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    words.split('{').skip(1).any(|rest| rest.split_once('}').is_some_and(|(name, _)| is_name(name)))
}

/// A hint with words from elsewhere, in which nothing is read.
impl From<String> for Hint {
    fn from(words: String) -> Hint {
        Hint(vec![Part::Text(Cow::Owned(words))])
    }
}

impl From<Hint> for String {
    fn from(hint: Hint) -> String {
        hint.to_string()
    }
}

/// In the words of requests.
impl fmt::Display for Hint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |term: Term| TERMS.iter().find(|(_, known, _)| *known == term).map(|(_, _, name)| *name);
        formatter.write_str(&self.worded(name).unwrap_or_default())
    }
}

impl JsonSchema for Hint {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// What to do about a language's error.
pub(crate) fn language_hint(error: &LanguageError, known: &Languages) -> Hint {
    match error {
        LanguageError::Unknown { nearest: Some(name), .. } => format!("did you mean `{name}`?").into(),
        LanguageError::Unknown { nearest: None, .. } => Hint::languages(known),
        LanguageError::NoGrammar { .. } | LanguageError::Data { .. } | LanguageError::Library { .. } => {
            DATA_HINT.into()
        }
    }
}
