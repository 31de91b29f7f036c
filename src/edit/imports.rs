//! `ensure_import`: an import, unless it is there.

use super::error::{BadRequest, EditError};
use super::fragment::Fragment;
use super::insert::{self, Slot};
use super::plan::{Item, Plan};
use super::reading::Reading;
use super::{extent, layout, list};
use crate::tree::{Node, Tree};

/// What an import brings: its type, where from, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Brought {
    type_name: &'static str,
    module: String,
    what: String,
}

/// Plans the import of what isn't imported yet.
pub(super) fn plan(plan: &mut Plan<'_>, operation: usize, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let no_import = || EditError::BadRequest { operation, problem: BadRequest::NoImport };
    let source = Fragment::from_code(tree, code, "", "    ", plan.limits).source();
    let reading = Reading::any(tree.language(), &source, plan.limits).ok_or_else(no_import)?;
    let (parsed, asked) = (reading.tree, reading.units);
    if asked.is_empty() || !parsed.is_sound() || asked.iter().any(|&node| !is_import(&parsed, node)) {
        return Err(no_import());
    }
    let top: Vec<Node> = extent::units(tree, Node::ROOT);
    let imports: Vec<Node> = top.iter().copied().filter(|&unit| is_import(tree, unit)).collect();
    for import in asked {
        if let Some(done) = into_group(plan, operation, (&parsed, import), &imports) {
            done.into_iter().for_each(|there| plan.makes(operation, there));
            continue;
        }
        let wanted = brought(&parsed, import);
        let has = |import: &Node, wanted: &Brought| brought(tree, *import).contains(wanted);
        let missing: Vec<&Brought> =
            wanted.iter().filter(|&wanted| !imports.iter().any(|import| has(import, wanted))).collect();
        if missing.is_empty() {
            let there = imports.iter().find(|&import| wanted.iter().any(|wanted| has(import, wanted)));
            there.into_iter().for_each(|&import| plan.makes(operation, import));
            continue;
        }
        let line = if missing.len() == wanted.len() {
            parsed.node_text(import).into_owned()
        } else {
            only(&parsed, import, &missing)
        };
        let slot = slot(tree, &top, &imports, &wanted[0]);
        // The first imports of a file stand apart from its code.
        let apart = imports.is_empty();
        let fragment = insert::fragment(plan, Node::ROOT, &line);
        insert::place_at(plan, operation, slot, Item { fragment, apart, attached: false, node: None });
    }
    Ok(())
}

/// Puts what an import brings into a group of such, as `import ( … )` is; `None` where there is no group. What is there already
/// is returned.
fn into_group(
    plan: &mut Plan<'_>,
    operation: usize,
    (parsed, import): (&Tree, Node),
    imports: &[Node],
) -> Option<Option<Node>> {
    let tree = plan.tree;
    let mut inside = parsed.named_children(import);
    let only = inside.next().filter(|_| inside.next().is_none())?;
    let like = |spec: &Node| tree.table().type_id(*spec) == parsed.table().type_id(only);
    let specs = |import: Node| tree.table().descendants(import).filter(|&node| tree.table().is_named(node));
    let same = imports.iter().flat_map(|&import| specs(import)).filter(like);
    let group = imports.iter().rev().find_map(|&import| {
        let block = tree.table().children(import).find(|&child| layout::is_block(tree, child))?;
        extent::units(tree, block).last().copied().filter(like).map(|last| (block, last))
    });
    let (holder, last) = group?;
    if let Some(there) = same.into_iter().find(|&spec| tree.node_text(spec) == parsed.node_text(only)) {
        return Some(Some(there));
    }
    let fragment = insert::fragment(plan, holder, &parsed.node_text(only));
    let index = extent::units(tree, holder).len();
    let slot = Slot { holder, index, below: Some(last), above: None, beside: extent::place(tree, last) };
    insert::place_at(plan, operation, slot, Item { fragment, apart: false, attached: false, node: None });
    Some(None)
}

fn is_import(tree: &Tree, node: Node) -> bool {
    tree.language().data().imports.types.iter().any(|name| name == tree.type_name(node))
}

fn is_first(tree: &Tree, type_name: &str) -> bool {
    tree.language().data().imports.first.iter().any(|name| name == type_name)
}

/// What an import brings, element by element.
fn brought(tree: &Tree, import: Node) -> Vec<Brought> {
    let type_name = tree.type_name(import);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let elements: Vec<Node> = list::elements(tree, import).iter().filter_map(list::Element::node).collect();
    if elements.is_empty() {
        // `*`, or what else stands alone.
        return vec![Brought {
            type_name,
            module: tree.modules(import).join(","),
            what: words(&tree.node_text(import)),
        }];
    }
    let whole = |element: &Node| words(&tree.node_text(*element));
    let module = |element: &Node| {
        let modules = tree.modules(import);
        if modules.len() == 1 && elements.len() != 1 { modules[0].to_string() } else { single(tree, import, *element) }
    };
    elements.iter().map(|element| Brought { type_name, module: module(element), what: whole(element) }).collect()
}

/// Where one element is imported from.
fn single(tree: &Tree, import: Node, element: Node) -> String {
    let modules = tree.modules(import);
    let elements = list::elements(tree, import);
    let index = elements.iter().position(|other| other.is(tree, element)).unwrap_or(0);
    let module = if modules.len() == elements.len() { modules.get(index) } else { modules.first() };
    module.map(|module| module.to_string()).unwrap_or_default()
}

/// An import of some of its elements alone.
fn only(parsed: &Tree, import: Node, missing: &[&Brought]) -> String {
    let elements = list::elements(parsed, import);
    let start = elements.first().map_or(0, |first| first.start());
    let head = parsed.text().slice(crate::text::Span::new(parsed.span(import).start(), start)).into_owned();
    let head = head.trim_end_matches(|character: char| character == '(' || character.is_whitespace()).to_owned();
    let names: Vec<&str> = missing.iter().map(|missing| missing.what.as_str()).collect();
    format!("{head} {}", names.join(", "))
}

/// Beside the import most like it; else below the last import, or where imports begin.
fn slot(tree: &Tree, top: &[Node], imports: &[Node], wanted: &Brought) -> Slot {
    let head = insert::head_length(tree, Node::ROOT, Node::ROOT, top);
    let index_of = |unit: Node| top.iter().position(|&other| other == unit).unwrap_or(0);
    let below = |index: usize| Slot {
        holder: Node::ROOT,
        index: index + 1,
        below: Some(top[index]),
        above: None,
        beside: extent::place(tree, top[index]),
    };
    if !is_first(tree, wanted.type_name) {
        // A module that is only named is no code yet.
        let has_body = |unit: Node| tree.body(tree.held(unit).unwrap_or(unit)).is_some();
        let is_code = |&unit: &Node| extent::is_definition(tree, unit) && has_body(unit);
        let definition = top.iter().skip(head).position(is_code).map_or(top.len(), |index| index + head);
        let ahead = imports.iter().copied().filter(|&import| !is_first(tree, tree.type_name(import)));
        let ahead: Vec<Node> = ahead.filter(|&import| index_of(import) < definition).collect();
        let package = |module: &str| module.split('.').next().unwrap_or("").to_owned();
        let likeness = |import: &Node| {
            let modules = tree.modules(*import);
            let same_package = modules.iter().any(|module| package(module) == package(&wanted.module));
            let same_module = modules.iter().any(|module| **module == *wanted.module);
            let same_type = tree.type_name(*import) == wanted.type_name;
            let relative = modules.iter().any(|module| module.starts_with('.')) == wanted.module.starts_with('.');
            (same_module, same_package, relative, same_type)
        };
        if let Some(best) = ahead.iter().copied().max_by_key(|import| (likeness(import), index_of(*import))) {
            let mut index = index_of(best);
            while top.get(index + 1).is_some_and(|&next| !tree.starts_its_line(next)) {
                index += 1;
            }
            return below(index);
        }
    }
    match head.checked_sub(1) {
        Some(above) => below(above),
        None => {
            let comments = tree.table().children(Node::ROOT).take_while(|&child| tree.is_comment(child));
            let last = comments.filter(|&comment| extent::is_file_header(tree, comment)).last();
            Slot { holder: Node::ROOT, index: 0, below: last.filter(|_| !top.is_empty()), above: None, beside: None }
        }
    }
}
