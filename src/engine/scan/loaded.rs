//! Files of rules that were read, and what is wrong with others.

use std::path::PathBuf;

use crate::language::NamedFiles;
use crate::request::RuleProblem;
use crate::rule::Rule;
use crate::rule::ast_grep::AstGrepUtilities;

/// A file of rules.
pub(crate) struct RuleFile {
    /// Its path as results show it.
    pub path: String,
    /// The name of the pack that its rules belong to.
    pub pack: String,
    pub source: String,
    pub rules: Vec<Rule>,
    /// The folder of the project of ast-grep that it belongs to.
    pub project: Option<PathBuf>,
}

impl RuleFile {
    /// The name of one of its rules, with its pack.
    pub fn name_of(&self, rule: &Rule) -> String {
        if self.pack.is_empty() { rule.id.clone() } else { format!("{}/{}", self.pack, rule.id) }
    }
}

/// The rules of a request, and what is wrong with others.
#[derive(Default)]
pub(crate) struct LoadedRules {
    pub files: Vec<RuleFile>,
    pub problems: Vec<RuleProblem>,
    /// Rules of ast-grep that others may name.
    pub(super) utilities: AstGrepUtilities,
    /// The folder of the project of ast-grep whose rules are read.
    pub(super) project: Option<PathBuf>,
    /// Files that the project reads in another language than their names show.
    pub named_files: Vec<NamedFiles>,
}
