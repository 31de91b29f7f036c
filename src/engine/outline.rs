//! `outline`: definitions with their signatures.

use super::document::error_rows;
use super::rows::{definition_rows, listed};
use super::{Engine, EngineError, FilesReport, OutlineFormat, OutlineRequest, OutlineResponse, OutlinedFile};
use crate::outline::{self, Options};

impl Engine {
    /// Lists the definitions of trees, files, folders and texts.
    ///
    /// # Errors
    /// When a target or a kind is wrong.
    pub fn outline(&self, request: &OutlineRequest) -> Result<OutlineResponse, EngineError> {
        let options = Options { kinds: request.kinds.clone(), depth: request.depth, docs: request.docs };
        let mut report = FilesReport::default();
        let searched = self.searched(&request.targets, &request.reading, &mut report)?;
        let limit = request.limit.unwrap_or(usize::MAX);
        let (mut files, mut more_files) = (Vec::new(), 0);
        self.each_document(searched, &request.reading, &mut report, |document, _, _| {
            let tree = &document.tree;
            if files.len() == limit {
                more_files += 1;
                return Ok(true);
            }
            let definitions = listed(tree, &options)?;
            let path = self.shown_path(&document);
            let header = path.as_deref().unwrap_or("-");
            let text = match request.format {
                Some(OutlineFormat::Text) => Some(outline::text(header, tree, &definitions, true)),
                Some(OutlineFormat::Cline) => Some(outline::cline(header, tree, &definitions)),
                Some(OutlineFormat::Json) | None => None,
            };
            files.push(OutlinedFile {
                tree_id: document.tree_id(),
                path,
                language: tree.language().name().to_owned(),
                lines: tree.text().line_count(),
                errors: error_rows(tree),
                definitions: definition_rows(&definitions),
                text,
            });
            Ok(true)
        })?;
        let FilesReport { skipped, unknown_language, .. } = report;
        Ok(OutlineResponse { files, truncated: more_files > 0, more_files, skipped, unknown_language })
    }
}
