//! `modify`: a batch of operations on a tree or a file, all or nothing.

use crate::edit::{self, Allow, EditError, Gate, OperationKind, Outcome};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::engine::session::batch::{Batch, batch};
use crate::engine::session::removed::by_operations;
use crate::engine::session::saving::{NewFile, Saved};
use crate::engine::session::undo::ranges;
use crate::reader::document::{Document, Origin, content_hash, limits, short};
use crate::reader::rows::made_node;
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::Hint;
use crate::request::requests::ModifyRequest;
use crate::request::responses::{Carried, KeptNodes, ModifyResponse, OperationRow, Revision};
use crate::selector::Kinds;
use crate::store::{NewRevision, Session};
use crate::text::{changed_lines, unified};
use crate::tree::{Node, NodeMap, Tree};

impl Method for ModifyRequest {
    const NAME: &'static str = "modify";
    const READS: bool = false;
    type Result = ModifyResponse;

    /// Applies a batch: to a tree as its next revision; to a file only as a diff, unless `write` says to write it.
    ///
    /// # Errors
    /// When an operation can't be done or a gate refuses the result; tree, store and disk are as before then.
    fn run(&self, engine: &Begun<'_>) -> Result<ModifyResponse, EngineError> {
        if self.write && !self.dry_run {
            engine.writer().recover()?;
        }
        engine.modify_impl(self).map_err(EngineError::not_applied)
    }
}

/// A batch that was applied to a document.
pub(crate) struct Applied {
    /// The batch.
    pub batch: Batch,
    /// Its outcome for the whole file.
    pub outcome: Outcome,
    /// The tree of the new nodes, with the ids that they have from now on.
    made_in: Tree,
}

impl Begun<'_> {
    fn modify_impl(&self, request: &ModifyRequest) -> Result<ModifyResponse, EngineError> {
        match self.source(&request.target)? {
            Source::Tree(id) => {
                if request.write {
                    let message = "`write` is for files named by path";
                    return Err(EngineError::bad_request(message).hint("{save} writes a tree's file"));
                }
                self.modified_tree(&id, request)
            }
            source => self.modified_source(source, request),
        }
    }

    /// Works on the tree without holding the store. If another process edited it meanwhile, the batch is resolved and applied
    /// again to what it is now, so that neither edit is lost.
    fn modified_tree(&self, id: &str, request: &ModifyRequest) -> Result<ModifyResponse, EngineError> {
        loop {
            self.check_cancelled()?;
            let document = self.session_document(id)?;
            let (batch, outcome, mut response) = self.interruptible(|| {
                let applied = self.apply_batch(&document, request)?;
                let response = self.response(&document, request, &applied);
                Ok((applied.batch, applied.outcome, response))
            })?;
            if request.dry_run || outcome.edits.is_empty() {
                return Ok(response);
            }
            response.notes.extend(self.check_edit(&document, request, &outcome)?);
            let tree = outcome.tree.clone();
            let revision = self.next_revision(&document, &batch, outcome)?;
            if let Some(number) = self.store()?.write(|session| stage_revision(session, &document, &revision))? {
                self.sessions.keep_tree(id, number, &tree);
                response.revision = Revision::Number(number);
                return Ok(response);
            }
        }
    }

    /// What the store keeps of an edit.
    fn next_revision(&self, document: &Document, batch: &Batch, outcome: Outcome) -> Result<NewRevision, EngineError> {
        let old = &document.tree;
        let bytes = self.encode(document, outcome.tree.text())?;
        let unsaved = match &document.origin {
            Origin::Held(row) => content_hash(&bytes) != row.base_hash,
            _ => true,
        };
        let operation_of = |node| batch.operation_at(old.span(node));
        let names: Vec<&str> = batch.kinds.iter().map(|kind| kind.as_str()).collect();
        Ok(NewRevision {
            inverse: outcome.edits.inverse(old.text()),
            forward: outcome.edits,
            source: outcome.tree.text().to_string(),
            ids: outcome.tree.id_runs(),
            shape: outcome.tree.table().shape(),
            removed: by_operations(old, &outcome.node_map, &names, operation_of),
            unsaved,
        })
    }

    fn modified_source(&self, source: Source, request: &ModifyRequest) -> Result<ModifyResponse, EngineError> {
        let (document, outcome, mut response) = self.interruptible(|| {
            let document = self.document_to_edit(source, &request.reading)?;
            let applied = self.apply_batch(&document, request)?;
            let response = self.response(&document, request, &applied);
            Ok((document, applied.outcome, response))
        })?;
        let bytes = self.encode(&document, outcome.tree.text())?;
        let Origin::File { path, bytes: old, .. } = &document.origin else { return Ok(response) };
        if !request.write || request.dry_run {
            return Ok(response);
        }
        response.notes.extend(self.check_edit(&document, request, &outcome)?);
        response.revision = Revision::Hash(short(&content_hash(&bytes)));
        if bytes != *old {
            response.carried = carried(&document, &outcome);
            response.backup = request.backup.then(|| uuid::Uuid::now_v7().to_string());
            let file = NewFile { backup: response.backup.clone(), ..NewFile::new(path.clone(), old.clone(), bytes) };
            let Saved { transaction, notes } = self.writer().write_files(vec![file], "modify")?;
            response.transaction = Some(transaction);
            response.notes.extend(notes);
            response.written = true;
        }
        Ok(response)
    }

    /// Looks every target up and applies the batch to the tree in memory.
    pub(crate) fn apply_batch(&self, document: &Document, request: &ModifyRequest) -> Result<Applied, EngineError> {
        let path = self.shown_path(document);
        let limits = limits(&request.reading);
        let documents = self.with_inside(document.clone(), &limits)?;
        let batch = batch(self, &documents, request).map_err(|mut error| {
            error.details.path = error.details.path.take().or_else(|| path.clone());
            error
        })?;
        if let Some(expected) = request.expect_count
            && expected != batch.ops.len()
        {
            let count = batch.ops.len();
            let message = format!("the operations apply to {count} nodes, {expected} were expected");
            return Err(EngineError::new(ErrorCode::ExpectCount, message).hint("{dry_run} shows what would change"));
        }
        let tree = &documents[batch.document].tree;
        let outcome = edit::apply(tree, &batch.ops, Allow::from(&*request.allow), &limits);
        let outcome = outcome.map_err(|error| edit_error(&error, &batch, tree, path))?;
        if tree.part().is_none() {
            // A file isn't held: who reads it next counts its nodes anew.
            let renumbered = document.tree_id().is_none().then(|| outcome.tree.clone().renumber());
            let made_in = renumbered.unwrap_or_else(|| outcome.tree.clone());
            return Ok(Applied { batch, outcome, made_in });
        }
        let whole = self.edited_around(document, &outcome.tree, &outcome.edits, &limits)?;
        let new = document.with_tree(if document.tree_id().is_none() {
            whole.tree.clone().renumber()
        } else {
            whole.tree.clone()
        });
        let made_in = self.with_inside(new, &limits)?.swap_remove(batch.document).tree;
        Ok(Applied { batch, outcome: Outcome { tree: whole.tree, node_map: whole.node_map, ..outcome }, made_in })
    }

    /// What the configured check says of an edit that is about to be made.
    fn check_edit(
        &self,
        document: &Document,
        request: &ModifyRequest,
        outcome: &Outcome,
    ) -> Result<Option<String>, EngineError> {
        if request.allow.contains(&Gate::Syntax) || outcome.edits.is_empty() {
            return Ok(None);
        }
        self.check_externally(document, outcome.tree.text())
    }

    fn response(
        &self,
        document: &Document,
        request: &ModifyRequest,
        Applied { batch, outcome, made_in: new }: &Applied,
    ) -> ModifyResponse {
        let kinds = Kinds::new(new);
        let row = |(&op, target): (&OperationKind, &Option<String>)| OperationRow {
            op,
            target: target.clone(),
            nodes: Vec::new(),
            notes: Vec::new(),
        };
        let mut operations: Vec<OperationRow> = batch.kinds.iter().zip(&batch.targets).map(row).collect();
        for (made, &operation) in outcome.operations.iter().zip(&batch.origins) {
            operations[operation].nodes.extend(made.nodes.iter().map(|&node| made_node(new, &kinds, node)));
            operations[operation].notes.extend(made.notes.iter().cloned());
        }
        let path = self.shown_path(document);
        let staged = document.tree_id().is_some();
        let wants_diff = request.diff || request.dry_run || (!staged && !request.write);
        let header = path.as_deref().unwrap_or("text");
        let is_broken = !document.tree.is_sound() && !new.is_sound();
        ModifyResponse {
            with_errors: path.iter().filter(|_| is_broken).cloned().collect(),
            tree_id: document.tree_id(),
            revision: document.revision(),
            applied: batch.ops.len(),
            written: false,
            operations,
            removed: removed_ids(&document.tree, &outcome.node_map),
            changed_ranges: ranges(&changed_lines(new.text(), &outcome.edits)),
            diff: wants_diff.then(|| unified(header, document.tree.text(), new.text())),
            path,
            backup: None,
            carried: None,
            transaction: None,
            notes: Vec::new(),
            selectors: batch.selectors.clone(),
        }
    }
}

/// What became of the nodes of a file.
fn carried(document: &Document, outcome: &Outcome) -> Option<Carried> {
    let Revision::Hash(from) = document.revision() else { return None };
    Some(Carried { from, kept: KeptNodes::by_ids(&document.tree, &outcome.tree) })
}

/// Makes an edit the current revision, unless the tree isn't any more what the edit was made for.
pub(crate) fn stage_revision(
    session: &Session<'_>,
    document: &Document,
    revision: &NewRevision,
) -> Result<Option<u32>, EngineError> {
    let Origin::Held(row) = &document.origin else { return Ok(None) };
    let now = session.tree(&row.id)?;
    // An edit that was undone leaves the head as it was, but its ids are given.
    let is_same = (now.head, now.next_revision, now.next_id) == (row.head, row.next_revision, row.next_id);
    if is_same { session.put_revision(&now, revision).map(Some) } else { Ok(None) }
}

/// The ids that died, as far as anybody may have noted them: those of outermost nodes, and of definitions inside.
pub(crate) fn removed_ids(old: &Tree, node_map: &NodeMap) -> Vec<String> {
    let table = old.table();
    let is_gone = |node: Node| node_map.image(node).is_none();
    let counts = |&node: &Node| {
        let is_outermost = table.parent(node).is_none_or(|parent| !is_gone(parent));
        table.is_named(node) && (is_outermost || old.is_scope(node))
    };
    node_map.removed().filter(counts).map(|node| old.id(node).to_string()).collect()
}

/// Why a batch was refused, as the engine's error.
fn edit_error(error: &EditError, batch: &Batch, tree: &Tree, path: Option<String>) -> EngineError {
    let code = ErrorCode::from(error);
    let mut refused = EngineError::new(code, error.to_string());
    refused.details.hint = error.hint().map(Hint::from);
    refused.details.path = path;
    refused.details.line = error.line();
    refused.details.operation = error.operation().and_then(|op| batch.origins.get(op).copied());
    match error {
        EditError::WouldRestructure { node, .. } => {
            refused.details.candidates = crate::reader::rows::candidates(tree, &[*node]);
        }
        EditError::Conflict { first, second, span } => {
            let name = |op: usize| batch.origins.get(op).copied().unwrap_or(op);
            refused.message = format!("operations {} and {} overlap", name(*first), name(*second));
            refused.details.line = Some(tree.text().line_at(span.start()));
        }
        _ => {}
    }
    refused
}
