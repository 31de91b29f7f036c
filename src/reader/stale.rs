//! What became of a node that is gone: which operation of which revision removed it, and what is nearest to it now.

use crate::reader::core::Reader;
use crate::reader::document::Document;
use crate::reader::rows::candidates;
use crate::request::error::{EngineError, ErrorCode};
use crate::store::{RevisionRow, TreeRow};
use crate::tree::{Node, NodeId, Tree};

/// The least likeness of a qualname that counts as near.
const LIKENESS: f64 = 0.75;

impl Reader {
    /// The error for an id that was given and names nothing now.
    pub(crate) fn stale_node(
        &self,
        document: &Document,
        row: &TreeRow,
        id: NodeId,
    ) -> Result<EngineError, EngineError> {
        // From the current revision back to the first: the one that removed it is on the way, or it was undone.
        let way = self.store()?.read(|session| {
            let mut way = vec![session.revision(&row.id, row.head)?];
            while let Some(parent) = way.last().and_then(|revision| revision.parent) {
                way.push(session.revision(&row.id, parent)?);
            }
            Ok(way)
        })?;
        let removed = way.iter().find_map(|revision| removed_by(revision, id));
        let stale = |message: String| EngineError::new(ErrorCode::StaleNode, message);
        let Some((revision, op, operation, within)) = removed else {
            let made = way.iter().any(|revision| (revision.first_id..revision.next_id).contains(&id.number()));
            let why = if made { "the tree was numbered anew since" } else { "the revision that made it was undone" };
            return Ok(stale(format!("`{id}` is gone: {why}")).hint("find the node again"));
        };
        let place = if within.is_empty() { String::new() } else { format!(" in `{within}`") };
        let error =
            stale(format!("`{id}`{place} is gone: `{op}` (operation {operation}) of revision {revision} removed it"));
        let Some(survivor) = nearest(&document.tree, &within) else { return Ok(error.hint("find the node again")) };
        let qualname = document.tree.qualname(survivor).unwrap_or_default();
        let mut error = error.hint(format!("the nearest now is `{qualname}`, `{}`", document.tree.id(survivor)));
        error.details.candidates = candidates(&document.tree, &[survivor]);
        Ok(error)
    }
}

/// The operation of a revision that removed a node.
fn removed_by(revision: &RevisionRow, id: NodeId) -> Option<(u32, String, usize, String)> {
    let by = |removed: &crate::store::Removed| {
        removed.within(id).map(|within| (revision.number, removed.op.clone(), removed.operation, within.to_owned()))
    };
    revision.removed.iter().find_map(by)
}

/// The definition of that qualname, else the one most like it in the same scope, else the scope.
fn nearest(tree: &Tree, qualname: &str) -> Option<Node> {
    if qualname.is_empty() {
        return None;
    }
    let scopes: Vec<(Node, String)> = tree
        .table()
        .nodes()
        .filter(|&node| tree.is_scope(node))
        .filter_map(|node| tree.qualname(node).map(|qualname| (node, qualname)))
        .collect();
    if let Some((node, _)) = scopes.iter().find(|(_, known)| known == qualname) {
        return Some(*node);
    }
    let (scope, name) = qualname.rsplit_once('.').unwrap_or(("", qualname));
    let beside = scopes.iter().filter_map(|(node, known)| {
        let (known_scope, known_name) = known.rsplit_once('.').unwrap_or(("", known));
        let likeness = strsim::jaro_winkler(known_name, name);
        (known_scope == scope && likeness >= LIKENESS).then_some((*node, likeness))
    });
    let likest = beside.max_by(|first, second| first.1.total_cmp(&second.1));
    likest.map(|(node, _)| node).or_else(|| nearest(tree, scope))
}
