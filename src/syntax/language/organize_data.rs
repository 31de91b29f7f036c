//! `[imports.organize]` as it is written in a language's data.

use std::collections::BTreeMap;

use serde::Deserialize;

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

/// How imports are organized, as written in the data.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OrganizeRule {
    /// How statements are ordered.
    pub order: ImportOrder,
    /// How the uses of names are found.
    pub uses: ImportUses,
    /// Types besides blocks of statements that contain imports: `import_spec_list`.
    pub blocks: Vec<String>,
    /// Types with imported names between separators: `named_imports`.
    pub lists: Vec<String>,
    /// Types with single names next to such a list: `import_clause`.
    pub clauses: Vec<String>,
    /// What opens and closes a list.
    pub brackets: Vec<String>,
    /// Whether a list needs its brackets on one line, too.
    pub always_brackets: bool,
    /// Types of statements that become one for each name: `import a, b`.
    pub single: Vec<String>,
    /// Whether other modules can import what a file imports.
    pub exposed: bool,
    /// Whether the name that a path binds is a guess, so that only an alias or a module of the standard library is certain.
    pub guessed: bool,
    /// Whether a parameter may get what an import of the same name binds: a test's fixture.
    pub parameters: bool,
    /// Stems of files whose imports tools use: `conftest`.
    pub open_files: Vec<String>,
    /// Node patterns; an import inside one of them is never removed: `try_statement`.
    pub kept_in: Vec<String>,
    /// Modules of the standard library: the first part of their paths, or with a `*` at the end, how they begin.
    pub standard: Vec<String>,
    /// Calls that may use any name: `eval`.
    pub dynamic: Vec<String>,
    /// Names that are in use where one of these types occurs.
    pub implied: BTreeMap<String, Vec<String>>,
    /// A regex for a comment that leaves the whole file as it is.
    pub skip_file: String,
    /// A regex for a comment that leaves a statement, on its line or below it, where it is.
    pub skip: String,
    /// A regex for a comment after which statements are left as they are.
    pub off: String,
    /// A regex for a comment after which they are not any more.
    pub on: String,
    /// A regex for a comment that divides a block.
    pub split: String,
    /// A regex for a comment on a statement whose names are not removed.
    pub keep: String,
    /// A regex for a comment of a file in which no name is removed.
    pub keep_file: String,
    /// A regex for the parts of comments and documentation that may use names.
    pub mentions: String,
    /// Where a project says how imports are sorted, the first that is there counts.
    pub settings: Vec<SettingRule>,
    /// Where a project says how long lines may be.
    pub line_settings: Vec<SettingRule>,
    /// The length of a line otherwise; 88 if it is 0.
    pub line_length: usize,
}

/// A table of a file that has settings of a project.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingRule {
    /// The name of the file.
    pub file: String,
    /// The path of the table in it, with dots; empty for the file as a whole.
    pub table: String,
    /// Whether its tool writes every statement anew.
    pub rewrites: bool,
    /// The rule that has to be selected in the table, if that is all that counts.
    pub selected: String,
}
