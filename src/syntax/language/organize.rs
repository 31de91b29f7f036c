//! The rules of `[imports.organize]` in a language's data: how a file's imports are sorted, and which of them may be removed.

use super::lazy_regex::LazyRegex;
use super::notation::{Notation, in_key};
use super::organize_data::{ImportOrder, ImportUses, OrganizeRule, SettingRule};
use super::place::NodePatterns;
use super::type_set::TypeSet;

/// How imports are organized. `OrganizeRule` describes each field.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Organize {
    pub order: ImportOrder,
    pub uses: ImportUses,
    pub blocks: TypeSet,
    pub lists: TypeSet,
    pub clauses: TypeSet,
    pub brackets: Vec<String>,
    pub always_brackets: bool,
    pub single: TypeSet,
    pub exposed: bool,
    pub guessed: bool,
    pub parameters: bool,
    pub open_files: Vec<String>,
    pub kept_in: NodePatterns,
    pub standard: Vec<String>,
    pub dynamic: Vec<String>,
    pub implied: Vec<(String, TypeSet)>,
    pub skip_file: Option<LazyRegex>,
    pub skip: Option<LazyRegex>,
    pub off: Option<LazyRegex>,
    pub on: Option<LazyRegex>,
    pub split: Option<LazyRegex>,
    pub keep: Option<LazyRegex>,
    pub keep_file: Option<LazyRegex>,
    pub mentions: Option<LazyRegex>,
    pub settings: Vec<SettingRule>,
    pub line_settings: Vec<SettingRule>,
    pub line_length: usize,
}

impl Organize {
    /// Looks up the words of the rule.
    ///
    /// # Errors
    /// At a word that the grammar does not have, a wrong regex, or brackets that are not a pair.
    pub(super) fn new(rule: &OrganizeRule, section: &str, notation: Notation<'_>) -> Result<Organize, String> {
        /// The length of a line, if nothing else is known.
        const LINE_LENGTH: usize = 88;
        let key = |name: &str| format!("{section}.organize.{name}");
        let types = |name: &str, words: &[String]| notation.types(&key(name), words);
        let regex = |name: &str, source: &str| match source {
            "" => Ok(None),
            source => notation.regex(&key(name), source).map(Some),
        };
        if !matches!(rule.brackets.len(), 0 | 2) {
            return Err(format!(
                "{}: `{}` is not what opens a list and what closes it",
                key("brackets"),
                rule.brackets.join(" ")
            ));
        }
        let implied = rule.implied.iter().map(|(name, words)| {
            let types = words.iter().map(|word| notation.type_id(word)).collect::<Result<TypeSet, String>>();
            types.map(|types| (name.clone(), types)).map_err(in_key(&key("implied")))
        });
        Ok(Organize {
            order: rule.order,
            uses: rule.uses,
            blocks: types("blocks", &rule.blocks)?,
            lists: types("lists", &rule.lists)?,
            clauses: types("clauses", &rule.clauses)?,
            brackets: rule.brackets.clone(),
            always_brackets: rule.always_brackets,
            single: types("single", &rule.single)?,
            exposed: rule.exposed,
            guessed: rule.guessed,
            parameters: rule.parameters,
            open_files: rule.open_files.clone(),
            kept_in: notation.patterns(&key("kept_in"), rule.kept_in.iter().map(String::as_str))?,
            standard: rule.standard.clone(),
            dynamic: rule.dynamic.clone(),
            implied: implied.collect::<Result<_, String>>()?,
            skip_file: regex("skip_file", &rule.skip_file)?,
            skip: regex("skip", &rule.skip)?,
            off: regex("off", &rule.off)?,
            on: regex("on", &rule.on)?,
            split: regex("split", &rule.split)?,
            keep: regex("keep", &rule.keep)?,
            keep_file: regex("keep_file", &rule.keep_file)?,
            mentions: regex("mentions", &rule.mentions)?,
            settings: rule.settings.clone(),
            line_settings: rule.line_settings.clone(),
            line_length: if rule.line_length == 0 { LINE_LENGTH } else { rule.line_length },
        })
    }
}
