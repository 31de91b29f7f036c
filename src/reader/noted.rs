//! What the index keeps of an outline as text.

use serde::{Deserialize, Serialize};

use crate::outline::{self, Options};
use crate::reader::document::error_rows;
use crate::request::node_row::SyntaxErrorRow;
use crate::tree::Tree;

/// What the index keeps of an outline as text: the usual one of all that a language lists.
#[derive(Serialize, Deserialize)]
pub(crate) struct Noted {
    pub lines: usize,
    pub errors: Vec<SyntaxErrorRow>,
}

/// The usual outline of a tree, as the index keeps it: a line of JSON, then the text without the path before it.
pub(crate) fn noted(tree: &Tree) -> Option<String> {
    let definitions = outline::outline(tree, &Options::default()).ok()?;
    let noted = Noted { lines: tree.text().line_count(), errors: error_rows(tree) };
    let text = outline::text("", tree, &definitions, true);
    Some(format!("{}\n{text}", serde_json::to_string(&noted).ok()?))
}
