//! Modules that export everything of another one: when a definition moves, they have to export it from its new place.

use super::definitions::Piece;
use super::redirect::{ImportText, Redirected, Transfer};
use crate::edit::{Op, Position};
use crate::modules::FileId;
use crate::selector::Kinds;
use crate::symbols::{Resolver, Thing};

/// The changes of a file that exports everything of the old module: after them it exports the definitions from the new one.
///
/// `types` are those of the names that are only types.
pub(crate) fn reexport(resolver: &Resolver<'_>, transfer: &Transfer<'_>, file: FileId, types: &[&str]) -> Redirected {
    let mut done = Redirected::default();
    let Some(tree) = resolver.tree(file) else { return done };
    let imports = resolver.imported_names(file);
    let exports_all_of = |wanted: FileId| {
        imports.iter().find(|import| {
            import.is_export
                && import.is_glob
                && import.alias.is_none()
                && resolver.imported_module(file, &import.source) == Some(Thing::Module(wanted))
        })
    };
    let Some(old) = exports_all_of(transfer.from).filter(|_| exports_all_of(transfer.to).is_none()) else {
        return done;
    };
    let path = |file: FileId| transfer.after.file(file).path.clone();
    let extent = tree.span(old.statement);
    let spelled =
        transfer.after.spell(&path(file), &path(transfer.to), tree.language(), (&old.source, &path(transfer.from)));
    let manner = tree.node_text(old.statement).into_owned();
    let mut code: Vec<String> = Vec::new();
    for name in &transfer.names {
        let variety = if types.contains(&name.as_str()) { "type " } else { "" };
        let written = spelled.as_ref().and_then(|module| {
            let text = ImportText { module, name, alias: None, variety, is_export: true };
            text.write(tree.language(), Some(&manner))
        });
        let Some(written) = written else {
            done.changes.doubt(extent, None, "it exports all of the old module, and cannot name the new one");
            return done;
        };
        code.push(written);
    }
    done.changes.count += 1;
    done.imports_at_once = true;
    let (target, position) = (old.statement, Position::After);
    done.ops.push(Op::Insert { target, position, code: code.join("\n"), extent: None });
    done
}

/// The names of definitions that their file exports, and those of them that are only types.
pub(crate) fn exported_names(resolver: &Resolver<'_>, pieces: &[Piece]) -> (Vec<String>, Vec<String>) {
    let (mut exported, mut types) = (Vec::new(), Vec::new());
    for piece in pieces {
        let Some(tree) = resolver.tree(piece.site.file) else { continue };
        let table = tree.table();
        let rules = &tree.language().spec().symbols.exports;
        let is_within = table.ancestors(piece.site.name).any(|node| rules.types.contains(table.type_id(node)));
        let lists = || {
            resolver.imported_names(piece.site.file).into_iter().filter(|one| one.is_export && one.source.is_empty())
        };
        if !is_within && !lists().any(|one| one.name == piece.name && one.alias.is_none()) {
            continue;
        }
        exported.push(piece.name.clone());
        let kinds = Kinds::new(tree);
        let definition = table.ancestors(piece.site.name).find(|&node| tree.name_node(node) == Some(piece.site.name));
        if definition.is_some_and(|node| kinds.is(node, "interface") || kinds.is(node, "type")) {
            types.push(piece.name.clone());
        }
    }
    (exported, types)
}
