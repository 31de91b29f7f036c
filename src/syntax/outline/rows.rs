//! The rows of a language's outline, read from its `outline.toml` once.

use serde::Deserialize;

use super::error::OutlineError;
use crate::language::{Language, Memo, Path, TypeId, TypeSet, read_path, taxonomy};
use crate::selector::{Definitions, Query, Selector};
use crate::tree::{NodeSet, Tree};

/// The rows of a language's outline, resolved.
#[derive(Debug)]
pub(super) struct Rows {
    rows: Vec<Row>,
    decorators: Option<Query>,
    ends: TypeSet,
    tails: Vec<String>,
    folds: Vec<TypeId>,
    leaves_out: Vec<TypeId>,
}

/// One row: its selector, and how its matches are shown.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) query: Query,
    /// The kind to show; otherwise the node's own.
    pub(super) kind: Option<&'static str>,
    /// The path to a value that is shown only if it is short.
    pub(super) value: Option<Path>,
    /// Text to write before the signature, if the signature does not begin with it.
    pub(super) before: String,
    /// Whether it is listed only if requested by its kind.
    pub(super) on_request: bool,
}

/// The shape of `outline.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The selector of the decorators that a signature shows.
    #[serde(default)]
    decorators: Option<String>,
    /// Tokens and types between a signature and the body, omitted from the signature.
    #[serde(default)]
    ends: Vec<String>,
    /// Tokens omitted at the end of a signature: `;`.
    #[serde(default)]
    tails: Vec<String>,
    /// Types written as `{…}` or `[…]` in a signature that continues after them.
    #[serde(default)]
    folds: Vec<String>,
    /// Types that no signature shows.
    #[serde(default)]
    leaves_out: Vec<String>,
    #[serde(default)]
    row: Vec<FileRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRow {
    select: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    before: String,
    #[serde(default)]
    on_request: bool,
}

impl Rows {
    /// The rows of a language. Resolved on first use, and kept as long as the program runs.
    pub(super) fn of(language: &'static Language) -> Result<&'static Rows, OutlineError> {
        language.memo(Memo::Outline, || Rows::new(language)).as_ref().map_err(Clone::clone)
    }

    fn new(language: &'static Language) -> Result<Rows, OutlineError> {
        let wrong = |message: String| OutlineError::Data { language: language.name().to_owned(), message };
        let file: File = toml::from_str(language.outline()).map_err(|error| wrong(error.to_string()))?;
        let query = |place: &str, selector: &str| {
            let parsed = Selector::parse(selector);
            let query = parsed.and_then(|parsed| Query::new(&parsed, language, &Definitions::default()));
            query.map_err(|error| error.in_data(language, &format!("outline.toml: {place}")))
        };
        let mut rows = Vec::with_capacity(file.row.len());
        for row in &file.row {
            let known = |kind: &String| {
                let entry = taxonomy().kinds().iter().find(|entry| entry.name == *kind);
                entry.map(|entry| entry.name.as_str()).ok_or_else(|| wrong(format!("unknown kind `{kind}`")))
            };
            rows.push(Row {
                query: query("row.select", &row.select)?,
                kind: row.kind.as_ref().map(known).transpose()?,
                value: row.value.as_ref().map(|path| read_path(language, path)).transpose().map_err(wrong)?,
                before: row.before.clone(),
                on_request: row.on_request,
            });
        }
        let is_known = |word: &&String| language.token_id(word).is_some() || language.type_id(word).is_some();
        if let Some(token) = file.ends.iter().chain(&file.tails).find(|word| !is_known(word)) {
            return Err(wrong(format!("the grammar has no token or type `{token}`")));
        }
        let types = |names: &[String]| -> Result<Vec<TypeId>, OutlineError> {
            let id = |name: &String| {
                language.type_id(name).ok_or_else(|| wrong(format!("the grammar has no type `{name}`")))
            };
            names.iter().map(id).collect()
        };
        let decorators = file.decorators.as_deref().map(|selector| query("decorators", selector)).transpose()?;
        let (folds, leaves_out) = (types(&file.folds)?, types(&file.leaves_out)?);
        let ends =
            file.ends.iter().flat_map(|word| [language.token_id(word), language.type_id(word)]).flatten().collect();
        Ok(Rows { rows, decorators, ends, tails: file.tails, folds, leaves_out })
    }

    /// The rows in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// The decorators of a tree that signatures show.
    pub(super) fn decorators(&self, tree: &Tree) -> Result<NodeSet, OutlineError> {
        match &self.decorators {
            Some(query) => Ok(query.nodes(tree)?),
            None => Ok(NodeSet::empty(tree.table().len())),
        }
    }

    /// Whether a token is omitted at the end of a signature.
    pub(super) fn is_tail(&self, token: &str) -> bool {
        self.tails.iter().any(|tail| tail == token)
    }

    /// Whether a node is written as `{…}`.
    pub(super) fn is_folded(&self, id: TypeId) -> bool {
        self.folds.contains(&id)
    }

    /// Whether a node is omitted from signatures.
    pub(super) fn is_left_out(&self, id: TypeId) -> bool {
        self.leaves_out.contains(&id)
    }

    /// Whether a token is between signature and body and belongs to neither.
    pub(super) fn is_end(&self, token: TypeId) -> bool {
        self.ends.contains(token)
    }
}
