//! Loads a language: the data of its row is read, checked and resolved against the grammar on first use.

use std::sync::OnceLock;

use super::ast_grep_words::AstGrepWordsRule;
use super::error::LanguageError;
use super::head::{Head, Source, first_paragraph};
use super::languages::Languages;
use super::lazy_regex::LazyRegex;
use super::memo::Memos;
use super::node_types::NodeTypes;
use super::notation::in_key;
use super::regex_parts::insert_parts;
use super::resolved::Language;
use super::role::roles;
use super::row::Row;
use super::spec::{Data, Spec};
use super::symbols::Symbols;
use super::written;

impl Row {
    /// The language, loaded on first use.
    pub fn language(&'static self) -> Result<&'static Language, LanguageError> {
        let load = || {
            let head = self.read_head_once().as_ref().map_err(Clone::clone)?;
            Language::new(self, head).map(Box::new)
        };
        self.cell.get_or_init(load).as_deref().map_err(Clone::clone)
    }
}

impl Language {
    /// The built-in language that goes by `name`; see [`Languages::named`].
    ///
    /// # Errors
    /// As [`Languages::named`].
    pub fn named(name: &str) -> Result<&'static Language, LanguageError> {
        Languages::built_in().named(name)
    }

    /// Every built-in language, in order of name.
    pub fn all() -> Vec<&'static Language> {
        Languages::built_in().all()
    }

    /// The data of the built-in language of its name as written, for tests of the data: the engine asks [`spec`](Language::spec). Read again on first use.
    #[doc(hidden)]
    pub fn data(&self) -> &Data {
        let read = || Languages::built_in().find(self.name).and_then(|row| read_data(row).ok());
        self.data.get_or_init(|| Box::new(read().unwrap_or_default()))
    }

    /// Resolves a language's data against its grammar.
    fn new(row: &'static Row, head: &'static Head) -> Result<Language, LanguageError> {
        let wrong = |message: String| LanguageError::of_file(row.name, "language.toml", message);
        let grammar = row.load_grammar()?;
        let data = read_data(row)?;
        if row.is_own {
            NodeTypes::check(row.node_types)
                .map_err(|message| LanguageError::of_file(row.name, "node-types.json", message))?;
        }
        // Built-in data has that of its base in it already; selectors and outlines are joined here.
        let base = row.base.or_else(|| Languages::built_in().find(&head.extends).map(Row::as_base));
        let symbols = Symbols::new(grammar);
        let checks = row.is_own;
        for (extension, regex) in &head.claims {
            LazyRegex::new(regex, checks).map_err(in_key(&format!("claims.{extension}"))).map_err(wrong)?;
        }
        let spec = Spec::new(data, &symbols, checks).map_err(wrong)?;
        let roles = roles(&spec, &symbols).map_err(wrong)?;
        let outline = match base {
            Some(base) if row.outline.trim().is_empty() => base.outline,
            _ => row.outline,
        };
        let base_files = base.as_ref().map_or(&[][..], |base| base.named);
        let named_selectors = join_named(&texts(base_files), &texts(row.named));
        let named_files = row.named.iter().chain(base_files).copied().collect();
        let parts = [row.data.text(), base.map_or("", |base| base.data.text()), &named_selectors, outline];
        let fingerprint = blake3::hash([&parts.concat(), row.node_types].concat().as_bytes()).to_hex()[..16].to_owned();
        Ok(Language {
            name: row.name,
            head,
            symbols,
            node_types_source: row.node_types,
            named_selectors,
            named_files,
            is_built_in: !row.is_own,
            outline,
            roles,
            spec,
            node_types: OnceLock::new(),
            fingerprint,
            data: OnceLock::new(),
            memos: Memos::default(),
            for_ast_grep: OnceLock::new(),
        })
    }

    /// The language as ast-grep reads it: with its grammar, nothing masked that the grammar cannot read, and nodes that end where the grammar
    /// ends them.
    pub fn for_ast_grep(&'static self) -> &'static Language {
        self.for_ast_grep.get_or_init(|| self.read_for_ast_grep().map(Box::new)).as_deref().unwrap_or(self)
    }

    fn read_for_ast_grep(&self) -> Option<Language> {
        let row = Languages::built_in().find(self.name).filter(|_| self.is_built_in)?;
        let Spec { unread, unread_in_errors, ends_by_indentation, ends_before_comments, .. } = &self.spec;
        let is_masked = !unread.is_empty() || !unread_in_errors.is_empty();
        let is_cut = !ends_by_indentation.is_empty() || !ends_before_comments.is_empty();
        let (grammar, data) = match row.ast_grep {
            Some(grammar) => {
                let AstGrepWordsRule { sign, comments, .. } = read_data(row).ok()?.ast_grep;
                let ast_grep = AstGrepWordsRule { sign, ..AstGrepWordsRule::default() };
                (grammar.into(), Data { comments, ast_grep, ..Data::default() })
            }
            None if is_masked || is_cut => {
                let mut data = read_data(row).ok()?;
                data.unread.clear();
                data.unread_in_errors.clear();
                data.own_unread_in_errors.clear();
                data.ends_by_indentation.clear();
                data.ends_before_comments.clear();
                (self.grammar().clone(), data)
            }
            None => return None,
        };
        let symbols = Symbols::new(grammar);
        let spec = Spec::new(data, &symbols, false).ok()?;
        let roles = roles(&spec, &symbols).ok()?;
        Some(Language {
            name: self.name,
            head: self.head,
            symbols,
            node_types_source: self.node_types_source,
            named_selectors: String::new(),
            named_files: Vec::new(),
            is_built_in: true,
            outline: "",
            roles,
            spec,
            node_types: OnceLock::new(),
            fingerprint: format!("{}-ast-grep", self.fingerprint),
            data: OnceLock::new(),
            memos: Memos::default(),
            for_ast_grep: OnceLock::from(None),
        })
    }
}

/// Reads the data of a language after its first paragraph, merged with that of the language it extends.
fn read_data(row: &Row) -> Result<Data, LanguageError> {
    let mut data = read_table(row)?;
    insert_parts(&mut data);
    Ok(data)
}

/// The data of a row as it is written.
fn read_table(row: &Row) -> Result<Data, LanguageError> {
    let wrong = |message: String| LanguageError::of_file(row.name, "language.toml", message);
    let text = match row.data {
        Source::Compiled { whole, .. } => {
            return serde_json::from_str(whole).map_err(|error| wrong(error.to_string()));
        }
        Source::Written(text) => text,
    };
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
    let extended = table.get("extends").and_then(toml::Value::as_str).map(str::to_owned);
    let is_head = |key: &str| cst_languages::HEAD.contains(&key);
    let first: toml::Table = first_paragraph(text).parse().unwrap_or_default();
    if let Some(key) = table.keys().find(|key| is_head(key) && !first.contains_key(*key)) {
        return Err(wrong(format!("{key}: it belongs to the first paragraph")));
    }
    table.retain(|key, _| !is_head(key));
    let Some(name) = extended else {
        return written::read(&table, text).map_err(wrong);
    };
    let base = row.base.ok_or_else(|| wrong(format!("extends: unknown language `{name}`")))?;
    // Files of the other language are recognised by its own keys.
    let inherited = base.data.table().map_err(wrong)?.into_iter().filter(|(key, _)| !is_head(key));
    cst_languages::lay_under(&mut table, inherited.collect());
    written::read(&table, text).map_err(wrong)
}

/// The texts of files, one after the other.
fn texts(files: &[(&str, &str)]) -> String {
    files.iter().map(|(_, text)| format!("{text}\n")).collect()
}

/// The named selectors of a language and of the one it extends; its own take precedence.
fn join_named(base: &str, own: &str) -> String {
    fn name(line: &str) -> Option<&str> {
        line.strip_prefix(':').and_then(|rest| rest.split_once('=')).map(|(name, _)| name.trim())
    }
    let names: Vec<&str> = own.lines().filter_map(name).collect();
    let kept = base.lines().filter(|line| name(line).is_none_or(|name| !names.contains(&name)));
    kept.chain(own.lines()).map(|line| format!("{line}\n")).collect()
}
