//! Members that classes have in common, in a base of their own.

use crate::edit::{Op, Position, TextChange, attached_comments};
use crate::language::Language;
use crate::text::Span;
use crate::transfer::changes::FileChanges;
use crate::tree::{Node, Tree};

/// A class, and the statements of its body that define the members, in the order in which they are asked for.
#[derive(Debug, Clone)]
pub struct Heir {
    /// The definition.
    pub definition: Node,
    /// Its name.
    pub name: Node,
    /// The statements.
    pub members: Vec<Node>,
}

/// A base for members of some classes of one file.
#[derive(Debug, Default)]
pub struct ExtractedBase {
    /// Changes of the heads of the classes.
    pub changes: FileChanges,
    /// Deletions, and the insertion of the base.
    pub ops: Vec<Op>,
    /// The text of the base.
    pub code: String,
    /// The members of the first class, and where each is in that text.
    pub moved: Vec<(Span, usize)>,
}

/// Whether bases are made for classes of a language.
pub fn makes_bases(language: &Language) -> bool {
    !language.spec().flow.code.base.is_empty()
}

/// Makes a base of members that classes of a file have in common; the first class is the first one of the file.
///
/// # Errors
/// A place, and why the members are not the same there.
pub fn extract_base(tree: &Tree, heirs: &[Heir], name: &str) -> Result<ExtractedBase, (Node, &'static str)> {
    let code = &tree.language().spec().flow.code;
    let mut done = ExtractedBase::default();
    let Some((first, others)) = heirs.split_first() else { return Ok(done) };
    for heir in others {
        for (&own, &other) in first.members.iter().zip(&heir.members) {
            if text_with_comments(tree, own).1 != text_with_comments(tree, other).1 {
                return Err((other, "it is not the same in the first class"));
            }
        }
    }
    // The bases that all have are those of the new one.
    let bases_of = |heir: &Heir| -> Vec<Node> { tree.base_nodes(heir.definition).collect() };
    let texts_of = |heir: &Heir| -> Vec<String> {
        bases_of(heir).into_iter().map(|base| tree.node_text(base).into_owned()).collect()
    };
    let common = texts_of(first);
    // What a class passes to its bases stays with it: `metaclass=`.
    let passes = |heir: &Heir| texts_of(heir).iter().any(|base| base.contains('='));
    let is_common =
        !common.is_empty() && !heirs.iter().any(passes) && others.iter().all(|heir| texts_of(heir) == common);
    for heir in heirs {
        let bases = bases_of(heir);
        let head = Span::new(tree.span(heir.definition).start(), tree.span(heir.name).end());
        let change = match (bases.first(), bases.last()) {
            (Some(&one), Some(&last)) if is_common => {
                let span = tree.span(one).join(tree.span(last));
                TextChange { span, text: name.to_owned(), extent: span }
            }
            (Some(&one), _) => {
                let span = Span::at(tree.span(one).start());
                TextChange { span, text: format!("{name}, "), extent: tree.span(one) }
            }
            _ => {
                let list = tree
                    .table()
                    .children(heir.definition)
                    .find(|&node| tree.span(node).start() >= head.end() && tree.node_text(node).starts_with('('));
                match list {
                    Some(list) => {
                        let inner = Span::at(tree.span(list).start() + 1);
                        let has_more = tree.named_children(list).next().is_some();
                        let text = if has_more { format!("{name}, ") } else { name.to_owned() };
                        TextChange { span: inner, text, extent: tree.span(list) }
                    }
                    None => {
                        let text = code.inherits.replace("$bases", name);
                        TextChange { span: Span::at(head.end()), text, extent: Span::at(head.end()) }
                    }
                }
            }
        };
        done.changes.count += heir.members.len();
        done.changes.changes.push(change);
        done.ops.extend(heir.members.iter().map(|&target| Op::Delete { target, extent: None }));
    }
    let newline = tree.text().newline();
    let mut members = first.members.clone();
    members.sort_unstable();
    let mut body = String::new();
    let head = code.base.replace("$name", name).replace(
        "$inherits",
        &if is_common { code.inherits.replace("$bases", &common.join(", ")) } else { String::new() },
    );
    let before = head.split("$body").next().unwrap_or_default().replace('\n', newline);
    let mut was_scope = false;
    for &member in &members {
        let (span, text) = text_with_comments(tree, member);
        let is_scope =
            std::iter::once(member).chain(tree.table().descendants(member).take(3)).any(|node| tree.is_scope(node));
        if !body.is_empty() {
            body.push_str(newline);
            if is_scope || was_scope {
                body.push_str(newline);
            }
        }
        was_scope = is_scope;
        done.moved.push((span, before.len() + body.len()));
        body.push_str(&text);
    }
    done.code = format!("{before}{body}");
    let table = tree.table();
    let unit = table.ancestors(first.definition).take_while(|&node| node != Node::ROOT).last();
    let target = unit.unwrap_or(first.definition);
    done.ops.push(Op::Insert { target, position: Position::Before, code: done.code.clone(), extent: None });
    Ok(done)
}

/// A statement with the comments directly above it, from the beginning of its line.
fn text_with_comments(tree: &Tree, node: Node) -> (Span, String) {
    let first = attached_comments(tree, node).first().copied().unwrap_or(node);
    let start = tree.text().line_around(tree.span(first).start()).start();
    let span = Span::new(start, tree.span(node).end());
    (span, tree.text().slice(span).trim_end().to_owned())
}
