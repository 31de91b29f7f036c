//! `[imports.organize]`: how a file's imports are sorted, and which of them may be removed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::form::{Brackets, LineLength, Types, as_written, plain, rules};
use super::lazy_regex::LazyRegex;
use super::place::NodePatterns;

rules! {
    /// How imports are organized.
    Organize from OrganizeRule {
        /// How statements are ordered.
        order: ImportOrder,
        /// How the uses of names are found.
        uses: ImportUses,
        /// Types besides blocks of statements that contain imports: `import_spec_list`.
        blocks: Types,
        /// Types with imported names between separators: `named_imports`.
        lists: Types,
        /// Types with single names next to such a list: `import_clause`.
        clauses: Types,
        /// What opens and closes a list.
        brackets: Brackets,
        /// Whether a list needs its brackets on one line, too.
        always_brackets: bool,
        /// Types of statements that become one for each name: `import a, b`.
        single: Types,
        /// Whether other modules can import what a file imports.
        exposed: bool,
        /// Whether compilers refuse an import that nothing uses.
        refuses_unused: bool,
        /// Whether the name that a path binds is a guess, so that only an alias or a module of the standard library is certain.
        guessed: bool,
        /// Whether a parameter may get what an import of the same name binds: a test's fixture.
        parameters: bool,
        /// Stems of files whose imports tools use: `conftest`.
        open_files: Vec<String>,
        /// Node patterns; an import inside one of them is never removed: `try_statement`.
        kept_in: NodePatterns,
        /// Modules of the standard library: the first part of their paths, or with a `*` at the end, how they begin.
        standard: Vec<String>,
        /// Calls that may use any name: `eval`.
        dynamic: Vec<String>,
        /// The same for calls without arguments: `dir`.
        dynamic_alone: Vec<String>,
        /// Modules of the standard library that do something when they are loaded.
        effects: Vec<String>,
        /// Names that are in use where one of these types occurs.
        implied: BTreeMap<String, Types>,
        /// A regex for a comment that leaves the whole file as it is.
        skip_file: Option<LazyRegex>,
        /// A regex for a comment that leaves a statement, on its line or below it, where it is.
        skip: Option<LazyRegex>,
        /// A regex for a comment after which statements are left as they are.
        off: Option<LazyRegex>,
        /// A regex for a comment after which they are not any more.
        on: Option<LazyRegex>,
        /// A regex for a comment that divides a block.
        split: Option<LazyRegex>,
        /// A regex for a comment on a statement whose names are not removed.
        keep: Option<LazyRegex>,
        /// A regex for a comment of a file in which no name is removed.
        keep_file: Option<LazyRegex>,
        /// A regex for the parts of comments and documentation that may use names.
        mentions: Option<LazyRegex>,
        /// Where a project says how imports are sorted, the first that is there counts.
        settings: Vec<SettingRule>,
        /// The options that a profile of the sorting tool sets, by its name; `rewrites` for one whose statements are written anew.
        profiles: BTreeMap<String, Vec<String>>,
        /// Where a project says how long lines may be.
        line_settings: Vec<SettingRule>,
        /// The length of a line otherwise; 88 if it is 0.
        line_length: LineLength,
    }
}

as_written!(ImportOrder, ImportUses);

/// How import statements are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportOrder {
    /// By section, with a blank line between two: the standard library, packages, the project, relative imports.
    Sections,
    /// By module, inside the groups that blank lines make.
    Groups,
    /// As they are.
    #[default]
    Kept,
}

/// How the names of a language that have no use are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportUses {
    /// By the scopes of `[references]`.
    #[default]
    Scopes,
    /// A name that occurs anywhere else in the file is in use.
    Words,
}

plain! {
    /// A table of a file that has settings of a project.
    SettingRule {
        /// The name of the file.
        file: String,
        /// The path of the table in it, with dots; empty for the file as a whole.
        table: String,
        /// Whether its tool writes every statement anew.
        rewrites: bool,
        /// The length of a line for its tool, if nothing else says one; 0 for the usual one.
        line_length: usize,
        /// The rule that has to be selected in the table, if that is all that counts.
        selected: String,
    }
}
