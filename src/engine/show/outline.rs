//! `outline`: definitions with their signatures.

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::index::Entry;
use crate::outline::{self, Options};
use crate::project::Sink;
use crate::reader::noted::Noted;
use crate::reader::rows::{definition_rows, listed, outline_error};
use crate::reader::scan::{FileVisitor, ParsedFile, syntax_errors};
use crate::request::error::EngineError;
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::{OutlineFormat, OutlineRequest};
use crate::request::responses::{OutlineResponse, OutlinedFile};

/// Lists the definitions of one file.
struct Outliner {
    options: Options,
    format: OutlineFormat,
    revisions: bool,
}

impl Method for OutlineRequest {
    const NAME: &'static str = "outline";
    const READS: bool = true;
    type Result = OutlineResponse;

    /// Lists the definitions of trees, files, folders and texts.
    ///
    /// # Errors
    /// When a target or a kind is wrong.
    fn run(&self, engine: &Begun<'_>) -> Result<OutlineResponse, EngineError> {
        let options = Options { kinds: self.kinds.clone(), depth: self.depth, docs: self.docs };
        options.check().map_err(outline_error)?;
        let outliner = Outliner { options, format: self.format.unwrap_or_default(), revisions: self.revisions };
        let mut report = FilesReport::default();
        let mut searched = engine.resolve_targets(&self.targets, &self.reading, &mut report)?;
        searched.put_code_first();
        let limit = self.limit.unwrap_or(usize::MAX);
        let (mut files, mut count) = (Vec::new(), 0);
        let mut more_files = 0;
        let take = |file: OutlinedFile, _: &mut FilesReport| {
            // Without room for any, files are counted all the same.
            if limit == 0 {
                more_files += 1;
                return Ok(false);
            }
            count += 1;
            if !engine.host.observer.outlined(&file) {
                files.push(file);
            }
            Ok(count < limit)
        };
        let left = engine.visit(&searched, &self.reading, &outliner, &mut report, take)?;
        more_files += engine.left_over(&searched, left, &self.reading);
        let FilesReport { skipped, unknown_language, .. } = report;
        Ok(OutlineResponse { files, truncated: more_files > 0, more_files, skipped, unknown_language })
    }

    fn name_skips(answer: &mut OutlineResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl OutlinedFile {
    /// What the first line of its outline says beside its path: language, lines and syntax errors.
    pub fn about(&self) -> String {
        let places: Vec<String> = self.errors.iter().map(|error| format!("{}:{}", error.line, error.col)).collect();
        outline::about(&self.language, self.lines, &places)
    }
}

impl FileVisitor for Outliner {
    type Found = OutlinedFile;

    fn found_in(&self, entry: &Entry, path: &str) -> Option<(OutlinedFile, usize)> {
        if self.revisions || self.format != OutlineFormat::Text || self.options != Options::default() {
            return None;
        }
        let (noted, text) = entry.note()?.split_once('\n')?;
        let Noted { lines, errors } = serde_json::from_str(noted).ok()?;
        let file = OutlinedFile {
            tree_id: None,
            path: Some(path.to_owned()),
            revision: None,
            language: entry.language().name().to_owned(),
            lines,
            errors,
            definitions: Vec::new(),
            text: Some(format!("{path}{text}")),
        };
        Some((file, path.len() + text.len()))
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, OutlinedFile>) -> Result<(), EngineError> {
        // About what a definition takes beside its texts.
        const DEFINITION: usize = 400;
        let tree = &seen.document.tree;
        let own = if seen.is_wanted { listed(tree, &self.options)? } else { Vec::new() };
        let inside: Result<Vec<_>, EngineError> =
            seen.inside.iter().map(|inside| listed(&inside.tree, &self.options)).collect();
        let definitions = outline::merge(own, inside?.concat(), self.options.depth);
        let header = seen.path.as_deref().unwrap_or("-");
        let errors = syntax_errors(seen);
        let about = || {
            let places: Vec<String> = errors.iter().map(|error| format!("{}:{}", error.line, error.col)).collect();
            outline::about(tree.language().name(), tree.text().line_count(), &places)
        };
        let text = match self.format {
            OutlineFormat::Text => Some(outline::text_below(&format!("{header}  {}", about()), &definitions, true)),
            OutlineFormat::Cline => Some(outline::cline(header, tree, &definitions)),
            OutlineFormat::Json => None,
        };
        // Who asks for text reads that.
        let rows = if text.is_some() { Vec::new() } else { definition_rows(&definitions) };
        let weight = rows.len() * DEFINITION + text.as_ref().map_or(0, String::len);
        let file = OutlinedFile {
            tree_id: seen.document.tree_id(),
            path: seen.path.clone(),
            revision: self.revisions.then(|| seen.document.revision()),
            language: tree.language().name().to_owned(),
            lines: tree.text().line_count(),
            errors,
            definitions: rows,
            text,
        };
        send(file, weight);
        Ok(())
    }
}
