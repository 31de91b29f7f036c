//! `ensure_import`: adds an import unless it exists.

use super::batch::{Nested, Plan};
use super::error::{BadRequest, EditError};
use super::fragment::Fragment;
use super::insert::{self, Slot};
use super::pieces::Item;
use super::snippet::ParsedSnippet;
use super::{Extent, Op, extent, structure};
use crate::language::TypeSet;
use crate::scopes::imported::{self, Imported, is_first};
use crate::tree::{Node, ParseLimits, Tree};

/// The import statements at the top of a file, or of the block that contains the whole file.
struct Imports {
    holder: Node,
    units: Vec<Node>,
    /// The indices of the imports among the units, and their names.
    there: Vec<(usize, Vec<Imported>)>,
}

impl Imports {
    fn of(tree: &Tree) -> Imports {
        let mut scope = Imports::within(tree, Node::ROOT);
        while let Some(inner) = container(tree, &scope.units) {
            let inner = Imports::within(tree, inner);
            if inner.there.is_empty() && !scope.there.is_empty() {
                break;
            }
            scope = inner;
        }
        scope
    }

    fn within(tree: &Tree, holder: Node) -> Imports {
        let units = extent::units(tree, holder);
        let imports = units.iter().enumerate().filter(|&(_, &unit)| imported::is_import(tree, unit));
        let there = imports.map(|(index, &unit)| (index, imported::read(tree, unit))).collect();
        Imports { holder, units, there }
    }

    /// The statement that already has the wanted import.
    fn covering(&self, tree: &Tree, wanted: &Imported) -> Option<Node> {
        let covers = |(_, found): &&(usize, Vec<Imported>)| found.iter().any(|one| one.covers(tree, wanted));
        self.there.iter().find(covers).map(|&(index, _)| self.units[index])
    }

    /// A node that binds the wanted name to something else.
    fn clashing(&self, tree: &Tree, wanted: &Imported) -> Option<Node> {
        let rule = &tree.language().spec().imports;
        let clashes = |(_, found): &&(usize, Vec<Imported>)| found.iter().any(|one| one.clashes(tree, wanted));
        if let Some(&(index, _)) = self.there.iter().find(clashes) {
            return Some(self.units[index]);
        }
        let name = wanted.bound(tree)?;
        let binds = |unit: &Node| {
            let inside: Vec<Node> = std::iter::successors(Some(*unit), |&node| tree.inner(node)).collect();
            let is_any = |types: &TypeSet| inside.iter().any(|&node| types.contains(tree.table().type_id(node)));
            let declares = extent::is_definition(tree, *unit) || is_any(&rule.declares);
            let has_name = |&node: &Node| tree.names(node).iter().any(|other| other == name);
            declares && !is_any(&rule.free) && inside.iter().any(has_name)
        };
        self.units.iter().copied().find(binds)
    }
}

/// The block that contains the whole file and its imports: a namespace, an include guard.
fn container(tree: &Tree, units: &[Node]) -> Option<Node> {
    let rule = &tree.language().spec().imports;
    let mut code = units.iter().copied().filter(|&unit| {
        let first = rule.containers.of(tree.table().type_id(unit)).is_some() || !is_first(tree, unit);
        first && !imported::is_import(tree, unit)
    });
    let (outer, None) = (code.next()?, code.next()) else { return None };
    let first = *rule.containers.of(tree.table().type_id(outer))?;
    let holder = if structure::holds_statements(tree, outer) { outer } else { tree.body(outer)? };
    let holder = Some(holder).filter(|&holder| structure::holds_statements(tree, holder))?;
    let guards = |unit: &Node| Some(tree.table().type_id(*unit)) == first && tree.name(*unit) == tree.name(outer);
    (first.is_none() || extent::units(tree, holder).first().is_some_and(guards)).then_some(holder)
}

/// Plans the import of missing names.
pub(super) fn plan(plan: &mut Plan<'_>, operation: usize, code: &str) -> Result<(), EditError> {
    let tree = plan.tree;
    let no_import = || EditError::BadRequest { operation, problem: BadRequest::NoImport };
    let source = Fragment::from_code(tree, code, "", "    ", plan.limits).source();
    let reading = ParsedSnippet::any(tree.language(), &source, plan.limits).ok_or_else(no_import)?;
    let (parsed, asked) = (reading.tree, reading.units);
    if asked.is_empty() || !parsed.is_sound() || asked.iter().any(|&node| !imported::is_import(&parsed, node)) {
        return Err(no_import());
    }
    let imports = Imports::of(tree);
    for import in asked {
        let wanted = imported::read(&parsed, import);
        let mut missing = Vec::new();
        for one in &wanted {
            if plan.imports.iter().any(|planned| planned.covers(tree, one)) {
                continue;
            }
            if let Some(there) = imports.covering(tree, one) {
                plan.makes(operation, there);
                // No other operation may remove it.
                plan.claim_point(operation, tree.span(there).start(), there);
                continue;
            }
            let taken = |line| {
                let problem = BadRequest::ImportTaken { name: one.bound(tree).unwrap_or_default().to_owned(), line };
                EditError::BadRequest { operation, problem }
            };
            if let Some(other) = imports.clashing(tree, one) {
                return Err(taken(Some(tree.text().line_at(tree.span(other).start()))));
            }
            if plan.imports.iter().any(|planned| planned.clashes(tree, one)) {
                return Err(taken(None));
            }
            plan.imports.push(one.clone());
            missing.push(one.clone());
        }
        if missing.is_empty() {
            continue;
        }
        if missing.len() == wanted.len() && into_group(plan, operation, (&parsed, &missing), &imports) {
            continue;
        }
        let present: Vec<Node> =
            wanted.iter().map(|one| one.node).filter(|&node| missing.iter().all(|other| other.node != node)).collect();
        let line = without(&parsed, import, &present, (plan.nested, plan.limits))
            .ok_or(EditError::BadRequest { operation, problem: BadRequest::ImportPartly })?;
        let fragment = insert::fragment(plan, imports.holder, &line);
        let (slot, apart) = slot(tree, &imports, (&parsed, import), &missing[0]);
        insert::place_at(plan, operation, slot, Item { fragment, is_import: true, apart, ..Item::default() });
    }
    Ok(())
}

/// Adds the missing import to a group, as in `import ( … )`, if there is one; returns whether it did.
fn into_group(
    plan: &mut Plan<'_>,
    operation: usize,
    (parsed, missing): (&Tree, &[Imported]),
    imports: &Imports,
) -> bool {
    let tree = plan.tree;
    let like = |spec: Node| missing.iter().all(|one| parsed.table().type_id(one.node) == tree.table().type_id(spec));
    let groups = imports.there.iter().rev().filter_map(|&(index, _)| {
        let block = tree.table().children(imports.units[index]).find(|&child| structure::is_block(tree, child))?;
        let units = extent::units(tree, block);
        (!units.is_empty() && units.iter().all(|&unit| like(unit))).then_some((block, units))
    });
    let Some((block, units)) = groups.max_by_key(|(_, units)| units.len()) else { return false };
    let specs: Vec<(usize, Vec<Imported>)> =
        units.iter().enumerate().map(|(index, &unit)| (index, imported::read(tree, unit))).collect();
    let group = Imports { holder: block, units, there: specs };
    for one in missing {
        // Packages of the standard library have no dot in the first part of their paths.
        let is_foreign = |key: &str| key.split('/').next().is_some_and(|first| first.contains('.'));
        let first_part = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
        let likeness = |other: &Imported| {
            (is_foreign(other.key()) == is_foreign(one.key()), first_part(other.key()) == first_part(one.key()))
        };
        let best = group.there.iter().max_by_key(|(index, found)| (found.first().map(likeness), *index));
        let best = best.map_or(0, |&(index, _)| index);
        let slot = sorted_slot(tree, &group, best, one, 1);
        let fragment = insert::fragment(plan, group.holder, &parsed.node_text(one.node));
        insert::place_at(plan, operation, slot, Item { fragment, is_import: true, ..Item::default() });
    }
    true
}

/// An import statement without some of its parts; `None` if the rest is not an import.
fn without(parsed: &Tree, import: Node, parts: &[Node], (nested, limits): (Nested, &ParseLimits)) -> Option<String> {
    let first = extent::first_attached(parsed, import);
    let span = parsed.span(first).join(extent::span_with_terminator(parsed, import));
    if parts.is_empty() {
        return Some(parsed.text().slice(span).into_owned());
    }
    let delete = |&part: &Node| Op::Delete { target: part, extent: Some(Extent::Node) };
    let ops: Vec<Op> = parts.iter().map(delete).collect();
    let after = nested(parsed, &ops, limits)?;
    // The text around the import is the same.
    let end = after.len().checked_sub(parsed.text().len() - span.end())?;
    (span.start() < end).then(|| after.slice(crate::text::Span::new(span.start(), end)).into_owned())
}

/// The slot next to the most similar import, or else where imports begin; and whether it is the first of its kind
/// there.
fn slot(tree: &Tree, imports: &Imports, (parsed, import): (&Tree, Node), wanted: &Imported) -> (Slot, bool) {
    let (top, holder) = (&imports.units, imports.holder);
    let head = insert::head_length(tree, holder, holder, top);
    let goes_first = is_first(parsed, import);
    let others = imports.there.iter().filter(|&&(index, _)| is_first(tree, top[index]) == goes_first);
    let others: Vec<usize> = others.map(|&(index, _)| index).collect();
    if !goes_first {
        // A module declaration without a body is not code.
        let has_body = |unit: Node| tree.body(tree.inner(unit).unwrap_or(unit)).is_some();
        let is_code = |&unit: &Node| extent::is_definition(tree, unit) && has_body(unit);
        let definition = top.iter().skip(head).position(is_code).map_or(top.len(), |index| index + head);
        let module = parsed.modules(import).first().map(|module| module.to_string()).unwrap_or_default();
        let package = |module: &str| module.split('.').next().unwrap_or("").to_owned();
        let likeness = |index: usize| {
            let modules = tree.modules(top[index]);
            let same_package = modules.iter().any(|other| package(other) == package(&module));
            let same_module = modules.iter().any(|other| **other == *module);
            let same_type = tree.table().type_id(top[index]) == parsed.table().type_id(import);
            let relative = modules.iter().any(|other| other.starts_with('.')) == module.starts_with('.');
            (same_module, same_package, relative, same_type)
        };
        let ahead = others.iter().copied().filter(|&index| index < definition);
        if let Some(best) = ahead.max_by_key(|&index| (likeness(index), index)) {
            let alike =
                tree.table().type_id(top[best]) == parsed.table().type_id(import) && parsed.modules(import).len() <= 1;
            return (
                if alike { sorted_slot(tree, imports, best, wanted, 2) } else { below(tree, imports, best) },
                false,
            );
        }
    }
    let apart = if goes_first { imports.there.is_empty() } else { others.is_empty() };
    let beside = |index: usize| extent::place(tree, top[index]);
    let slot = match (insert::head_comment(tree, holder, top, head), head.checked_sub(1)) {
        (Some(comment), _) => Slot { holder, index: head, below: Some(comment), above: None, beside: None },
        (None, Some(above)) => Slot { beside: beside(above), ..below(tree, imports, above) },
        // Also above the comments of the first unit.
        (None, None) => {
            let first = top.first().map(|&unit| extent::first_attached(tree, unit));
            let comments = first.map(|first| extent::attached_comments(tree, first)).unwrap_or_default();
            Slot { holder, index: 0, below: None, above: comments.first().copied().or(first), beside: None }
        }
    };
    (slot, apart)
}

/// Below the line of a unit.
fn below(tree: &Tree, imports: &Imports, index: usize) -> Slot {
    let units = &imports.units;
    let mut index = index;
    while units.get(index + 1).is_some_and(|&next| !tree.starts_its_line(next)) {
        index += 1;
    }
    let (below, beside) = (Some(units[index]), extent::place(tree, units[index]));
    Slot { holder: imports.holder, index: index + 1, below, above: None, beside }
}

/// The slot of an import among those on the lines around another: in order if they are in order, else below it. `least`
/// is the number of imports that show an order.
fn sorted_slot(tree: &Tree, imports: &Imports, best: usize, wanted: &Imported, least: usize) -> Slot {
    let (text, units) = (tree.text(), &imports.units);
    let key = |index: usize| {
        let found = imports.there.iter().find(|(other, _)| *other == index);
        found.and_then(|(_, found)| found.first()).map(|first| first.key().to_owned())
    };
    let lines = |index: usize| {
        let span = extent::trimmed_span(tree, units[index]);
        (text.line_at(span.start()), text.line_at(span.end()))
    };
    let touches = |above: usize| {
        let same = tree.table().type_id(units[above]) == tree.table().type_id(units[above + 1]);
        same && key(above).is_some() && key(above + 1).is_some() && lines(above).1 + 1 == lines(above + 1).0
    };
    let first = (0..best).rev().take_while(|&above| touches(above)).last().unwrap_or(best);
    let last = (best..units.len().saturating_sub(1))
        .take_while(|&above| touches(above))
        .last()
        .map_or(best, |above| above + 1);
    let keys: Vec<String> = (first..=last).filter_map(key).collect();
    let lower: Vec<String> = keys.iter().map(|key| key.to_lowercase()).collect();
    let place = if keys.len() >= least && keys.is_sorted() {
        keys.iter().position(|key| key.as_str() > wanted.key())
    } else if keys.len() >= least && lower.is_sorted() {
        lower.iter().position(|key| *key > wanted.key().to_lowercase())
    } else {
        return below(tree, imports, best);
    };
    match place {
        None => below(tree, imports, last),
        Some(0) => {
            // Comments above the first import are about all of them.
            let (above, beside) = (Some(extent::first_attached(tree, units[first])), extent::place(tree, units[first]));
            Slot { holder: imports.holder, index: first, below: None, above, beside }
        }
        Some(place) => below(tree, imports, first + place - 1),
    }
}
