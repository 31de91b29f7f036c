//! `show`: nodes with their code, as trees, as signatures; what is around a place.

use serde_json::{Value, json};

use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::outline::signature;
use crate::reader::document::{Document, limits};
use crate::reader::inside::document_at;
use crate::reader::reference::{Choice, place_named};
use crate::reader::rows::{Rows, Shown, indent_of};
use crate::request::error::{EngineError, ErrorCode};
use crate::request::node_row::NodeRow;
use crate::request::requests::{Form, ShowRequest};
use crate::request::responses::ShowResponse;
use crate::selector::Kinds;
use crate::text::Span;
use crate::tree::{Node, NodeId, Tree};

/// How many levels of a tree are shown.
const DEPTH: usize = 4;
/// How many levels are shown whatever is asked for; JSON nested deeper is not read by most programs.
const DEEPEST: usize = 100;
/// How many children are listed at once.
const CHILDREN: usize = 100;
/// How many characters of a leaf are shown in a tree.
const LEAF: usize = 60;

/// What is shown: a node, or whole lines with the smallest node around them.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The number of the document that it is of.
    document: usize,
    node: Node,
    lines: Option<Span>,
}

impl Piece {
    fn of(document: usize, node: Node) -> Piece {
        Piece { document, node, lines: None }
    }
}

/// How far an answer may go, and where it starts.
struct Budget {
    /// Characters left.
    left: usize,
    /// Where to start.
    from: Cursor,
    /// Where the next answer starts.
    next: Option<Cursor>,
    /// Whether something is shown less deep than was asked for.
    shallow: bool,
}

/// A node, by its place in the request, and what of it comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    place: usize,
    part: Part,
}

/// What of a node comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Its text from this character on, and then all else.
    Text(usize),
    /// Its children from this one on.
    Children(usize),
}

/// Whether a word of `show` means a place of one file, unlike a selector: a node's id, or lines as `10-20`.
pub fn is_of_one_file(word: &str) -> bool {
    let id = word.split(['.', '@']).next().unwrap_or(word);
    read_lines(word).is_some() || NodeId::parse(id).is_some()
}

impl Method for ShowRequest {
    const NAME: &'static str = "show";
    const READS: bool = true;
    type Result = ShowResponse;

    /// Shows nodes.
    ///
    /// # Errors
    /// When the target, a node or the place is wrong.
    fn run(&self, engine: &Begun<'_>) -> Result<ShowResponse, EngineError> {
        engine.interruptible(|| engine.rows_of(self))
    }
}

impl Begun<'_> {
    fn rows_of(&self, request: &ShowRequest) -> Result<ShowResponse, EngineError> {
        let document = self.document(&request.target, &request.reading)?;
        let shown = Shown { ids: true, anchors: request.anchors, ..Shown::default() };
        let path = self.shown_path(&document);
        let documents = self.with_inside(document, &limits(&request.reading))?;
        let rows: Vec<Rows<'_>> =
            documents.iter().map(|document| Rows::new(&document.tree, path.clone(), shown)).collect();
        let nodes = self.shown_nodes(request, &documents, &rows)?;
        let mut budget = Budget {
            left: request.max_chars.unwrap_or(usize::MAX),
            from: request.cursor.as_deref().map_or(Ok(Cursor { place: 0, part: Part::Text(0) }), Cursor::read)?,
            next: None,
            shallow: false,
        };
        let mut response = Vec::new();
        for (place, &piece) in nodes.iter().enumerate() {
            if place < budget.from.place || budget.next.is_some() {
                continue;
            }
            let (tree, rows, node) = (&documents[piece.document].tree, &rows[piece.document], piece.node);
            let mut row = rows.of(node);
            match piece.lines.filter(|_| request.form.unwrap_or_default() == Form::Code) {
                Some(span) => row = lines_row(rows, tree, span, &mut budget, place),
                None => fill(&mut row, tree, node, request, &mut budget, place)?,
            }
            if request.parents || request.at.is_some() {
                row.parents = Some(tree.table().ancestors(node).map(|ancestor| rows.of(ancestor)).collect());
            }
            if request.children {
                row.children = Some(children(rows, tree, node, &mut budget, place));
            }
            response.push(row);
        }
        Ok(ShowResponse {
            tree_id: documents[0].tree_id(),
            revision: documents[0].revision(),
            nodes: response,
            truncated: budget.next.is_some() || budget.shallow,
            cursor: budget.next.map(Cursor::to_text),
        })
    }

    fn shown_nodes(
        &self,
        request: &ShowRequest,
        documents: &[Document],
        rows: &[Rows<'_>],
    ) -> Result<Vec<Piece>, EngineError> {
        let names = self.names(&[])?;
        let mut pieces: Vec<Piece> = Vec::new();
        for word in &request.nodes {
            if let Some((first, last)) = read_lines(word) {
                pieces.push(lines_named(&documents[0].tree, first, last)?);
                continue;
            }
            let (document, found) = self.named_inside(documents, word, Choice::Only, &names)?;
            pieces.extend(found.into_iter().map(|found| Piece::of(document, found.node)));
        }
        if let Some(place) = &request.at {
            pieces.push(match read_lines(place).filter(|_| place.contains('-')) {
                Some((first, last)) => lines_named(&documents[0].tree, first, last)?,
                None => {
                    let document = document_at(documents, place_named(&documents[0].tree, place)?.0);
                    Piece::of(document, statement_at(&documents[document].tree, rows[document].kinds(), place)?)
                }
            });
        }
        if pieces.is_empty() {
            pieces.push(Piece::of(0, Node::ROOT));
        }
        Ok(pieces)
    }
}

impl Cursor {
    /// `2.150`: the third node, from its 151st character; `2.c100`: from its 101st child.
    fn read(cursor: &str) -> Result<Cursor, EngineError> {
        let read = || {
            let (place, rest) = cursor.split_once('.')?;
            let part = match rest.strip_prefix('c') {
                Some(child) => Part::Children(child.parse().ok()?),
                None => Part::Text(rest.parse().ok()?),
            };
            Some(Cursor { place: place.parse().ok()?, part })
        };
        let message = || format!("`{cursor}` is not a valid cursor");
        read().ok_or_else(|| EngineError::bad_request(message()))
    }

    fn to_text(self) -> String {
        match self.part {
            Part::Text(offset) => format!("{}.{offset}", self.place),
            Part::Children(child) => format!("{}.c{child}", self.place),
        }
    }
}

/// `10-20`, or `10` for one line.
fn read_lines(word: &str) -> Option<(usize, usize)> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Whole lines; as many as there are.
fn lines_named(tree: &Tree, first: usize, last: usize) -> Result<Piece, EngineError> {
    let text = tree.text();
    let count = text.line_count().max(1);
    if first == 0 || first > last || first > count {
        let message = format!("there are no lines {first}-{last}");
        return Err(EngineError::new(ErrorCode::NoMatch, message).hint(format!("lines go from 1 to {count}")));
    }
    let span = Span::new(text.line_span(first).start(), text.line_span(last.min(count)).end());
    Ok(Piece { document: 0, node: tree.table().smallest_around(span), lines: Some(span) })
}

/// The row of whole lines: no node, so without id, name and type.
fn lines_row(rows: &Rows<'_>, tree: &Tree, span: Span, budget: &mut Budget, place: usize) -> NodeRow {
    let (start, end) = (tree.text().position(span.start()), tree.text().position(span.end()));
    NodeRow {
        path: rows.of(Node::ROOT).path,
        kind: "lines".to_owned(),
        start_line: start.line,
        start_col: start.col(),
        end_line: end.line,
        end_col: end.col(),
        start_byte: span.start(),
        end_byte: span.end(),
        code: Some(budget.take(&tree.text().slice(span), place)),
        ..NodeRow::default()
    }
}

/// The innermost statement or definition at a place.
fn statement_at(tree: &Tree, kinds: &Kinds<'_>, place: &str) -> Result<Node, EngineError> {
    let (span, has_code) = place_named(tree, place)?;
    let table = tree.table();
    let mut node = table.smallest_around(span);
    // At the end of a line the node that ends there is meant, not what is around both.
    if has_code && table.children(node).any(|child| tree.span(child).end() == span.start()) {
        let before = crate::text::Span::new(span.start() - 1, span.start());
        if tree.text().slice(before).trim().len() == 1 {
            node = table.smallest_around(before);
        }
    }
    let is_statement = |node: &Node| kinds.is(*node, "stmt") || kinds.is(*node, "definition");
    let around = std::iter::once(node).chain(table.ancestors(node));
    Ok(around.into_iter().find(is_statement).unwrap_or(if table.is_named(node) { node } else { Node::ROOT }))
}

/// Puts into a row what the form asks for.
fn fill(
    row: &mut NodeRow,
    tree: &Tree,
    node: Node,
    request: &ShowRequest,
    budget: &mut Budget,
    place: usize,
) -> Result<(), EngineError> {
    // A list of children goes on where it stopped; the node itself was shown then.
    if budget.child(place).is_some() {
        return Ok(());
    }
    let depth = request.depth.unwrap_or(DEPTH).min(DEEPEST);
    match request.form.unwrap_or_default() {
        Form::Code => {
            row.code = Some(budget.take(&tree.node_text(node), place));
            if budget.offset(place) == 0 {
                row.indent = indent_of(tree, node);
            }
        }
        Form::Tree => row.tree = Some(Value::from(budget.take(&tree_text(tree, node, depth), place))),
        Form::Dot => row.tree = Some(Value::from(budget.take(&dot(tree, node, depth), place))),
        Form::Signature => {
            let signature = signature(tree, node);
            let signature = signature.map_err(|error| EngineError::new(ErrorCode::Internal, error.to_string()))?;
            row.signature = Some(budget.take(&signature, place));
        }
        Form::Json => {
            // As deep as fits.
            let deepest = |depth: &usize| object(tree, node, *depth).to_string().len() <= budget.left;
            let fitting = (0..=depth).rev().find(deepest).unwrap_or(0);
            budget.shallow |= fitting < depth && object(tree, node, fitting) != object(tree, node, fitting + 1);
            row.tree = Some(object(tree, node, fitting));
        }
    }
    Ok(())
}

impl Budget {
    /// As much of a node's text as there is room for; where it is cut, the next answer goes on.
    fn take(&mut self, text: &str, place: usize) -> String {
        let skip = self.offset(place);
        let mut rest = text.chars().skip(skip);
        let taken: String = rest.by_ref().take(self.left).collect();
        let count = taken.chars().count();
        self.left -= count;
        if rest.next().is_some() {
            self.next = Some(Cursor { place, part: Part::Text(skip + count) });
        }
        taken
    }

    /// The character of a node's text at which to start.
    fn offset(&self, place: usize) -> usize {
        match self.from {
            Cursor { place: first, part: Part::Text(offset) } if first == place => offset,
            _ => 0,
        }
    }

    /// The child of a node at which to start, where only children are left.
    fn child(&self, place: usize) -> Option<usize> {
        match self.from {
            Cursor { place: first, part: Part::Children(child) } if first == place => Some(child),
            _ => None,
        }
    }
}

/// The named children of a node, a page at a time. They come when its text is shown to the end.
fn children(rows: &Rows<'_>, tree: &Tree, node: Node, budget: &mut Budget, place: usize) -> Vec<NodeRow> {
    if budget.next.is_some() {
        return Vec::new();
    }
    let skip = budget.child(place).unwrap_or(0);
    let table = tree.table();
    let mut rest = table.children(node).filter(|&child| table.is_named(child)).skip(skip);
    let page: Vec<NodeRow> = rest.by_ref().take(CHILDREN).map(|child| rows.of(child)).collect();
    if rest.next().is_some() {
        budget.next = Some(Cursor { place, part: Part::Children(skip + page.len()) });
    }
    page
}

/// The named nodes from `node` down to `depth` levels below, with their level; the levels are those of named nodes.
fn below(tree: &Tree, node: Node, depth: usize) -> Vec<(Node, usize)> {
    let table = tree.table();
    let mut ends: Vec<usize> = Vec::new();
    let mut nodes = Vec::new();
    for inner in std::iter::once(node).chain(table.descendants(node)) {
        while ends.last().is_some_and(|&end| end <= inner.index()) {
            ends.pop();
        }
        if !table.is_named(inner) {
            continue;
        }
        if ends.len() <= depth {
            nodes.push((inner, ends.len()));
        }
        ends.push(table.subtree_end(inner));
    }
    nodes
}

/// The text of a node that has no named child.
fn leaf_text(tree: &Tree, node: Node) -> Option<String> {
    let table = tree.table();
    let is_leaf = !table.children(node).any(|child| table.is_named(child));
    is_leaf.then(|| crate::text::cut(&tree.node_text(node), LEAF).0)
}

/// A line a node: `body: block n12 [3:4-5:9]`, children indented; `…` where deeper ones are left out.
fn tree_text(tree: &Tree, node: Node, depth: usize) -> String {
    let table = tree.table();
    let mut output = String::new();
    for (inner, level) in below(tree, node, depth) {
        let span = tree.span(inner);
        let (start, end) = (tree.text().position(span.start()), tree.text().position(span.end()));
        let field = tree.field_name(inner);
        let field = if field.is_empty() { String::new() } else { format!("{field}: ") };
        let missing = if table.is_missing(inner) { "MISSING " } else { "" };
        let indent = "  ".repeat(level);
        let line = format!("{indent}{field}{missing}{} {} [{start}-{end}]", tree.type_name(inner), tree.id(inner));
        output.push_str(&line);
        match leaf_text(tree, inner) {
            Some(text) => output.push_str(&format!(" {text:?}")),
            None if level == depth => output.push_str(" …"),
            None => {}
        }
        output.push('\n');
    }
    output
}

/// A graph for Graphviz: the types as nodes, the fields on the edges.
fn dot(tree: &Tree, node: Node, depth: usize) -> String {
    let mut output = String::from("digraph tree {\n  node [shape=box];\n");
    let mut around: Vec<Node> = Vec::new();
    for (inner, level) in below(tree, node, depth) {
        around.truncate(level);
        let id = tree.id(inner);
        let text = leaf_text(tree, inner).map(|text| format!("\n{text}")).unwrap_or_default();
        output.push_str(&format!("  {id} [label={:?}];\n", format!("{}{text}", tree.type_name(inner))));
        if let Some(&parent) = around.last() {
            let field = tree.field_name(inner);
            let label = if field.is_empty() { String::new() } else { format!(" [label={field:?}]") };
            output.push_str(&format!("  {} -> {id}{label};\n", tree.id(parent)));
        }
        around.push(inner);
    }
    output.push_str("}\n");
    output
}

/// A node as JSON, with what is below it. Built from the end to the front, since trees nest deeper than a stack.
fn object(tree: &Tree, node: Node, depth: usize) -> Value {
    let mut waiting: Vec<(usize, Vec<Value>)> = Vec::new();
    let mut root = Value::Null;
    for (inner, level) in below(tree, node, depth).into_iter().rev() {
        let mut children = match waiting.last() {
            Some((below, _)) if *below == level + 1 => waiting.pop().map(|(_, children)| children).unwrap_or_default(),
            _ => Vec::new(),
        };
        children.reverse();
        let span = tree.span(inner);
        let (start, end) = (tree.text().position(span.start()), tree.text().position(span.end()));
        let mut object = json!({
            "node_id": tree.id(inner).to_string(), "type": tree.type_name(inner),
            "start_line": start.line, "start_col": start.col(), "end_line": end.line, "end_col": end.col(),
            "start_byte": span.start(), "end_byte": span.end(),
        });
        let field = tree.field_name(inner);
        if !field.is_empty() {
            object["field"] = Value::from(field);
        }
        if let Some(text) = leaf_text(tree, inner) {
            object["text"] = Value::from(text);
        } else {
            object["children"] = Value::from(children);
        }
        match waiting.last_mut() {
            Some((known, siblings)) if *known == level => siblings.push(object),
            _ if level == 0 => root = object,
            _ => waiting.push((level, vec![object])),
        }
    }
    root
}
