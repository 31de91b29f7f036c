//! `hierarchy`: the classes above and below a class.

use crate::reader::core::Reader;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::symbol_messages::*;
use crate::symbols::{Resolver, Site, Thing};

/// Lists the classes above and below a class.
///
/// # Errors
/// If no class fits, or several.
pub(crate) fn hierarchy(request: &HierarchyRequest, reader: &Reader) -> Result<HierarchyResponse, EngineError> {
    let mut workspace = reader.workspace(&request.targets, &request.reading)?;
    workspace.keep_trees();
    let found = workspace.find(&request.symbol, false)?;
    let definition = &found[0];
    let Thing::Symbol(class) = definition.thing else {
        return Err(EngineError::bad_request(format!("`{}` is a module, not a class", request.symbol)));
    };
    if !workspace.resolve(|resolver| resolver.is_class(class)) {
        let message = format!("`{}` is a {}, not a class", definition.qualname, definition.kind);
        let error = EngineError::bad_request(message);
        return Err(error.hint("`calls` and `refs` say who uses it"));
    }
    let row = |resolver: &Resolver<'_>, site: Site| {
        let definition = resolver.describe(Thing::Symbol(site))?;
        workspace.symbol_row(resolver, &definition)
    };
    let related = |resolver: &Resolver<'_>, class: Site, via: Site, depth: usize| {
        let line = |name: &String| {
            let member = resolver.member_of_class(class, name)?;
            Some(resolver.tree(member.file)?.start(member.name).line)
        };
        let method_line = request.method.as_ref().and_then(line);
        let via = resolver.describe(Thing::Symbol(via)).map(|via| via.qualname).unwrap_or_default();
        Some(RelatedClass { symbol: row(resolver, class)?, depth, via, method_line })
    };
    let below = workspace.classes_below(&[class])?;
    let answer = workspace.resolve(|resolver| {
        let (above, is_complete) = resolver.superclasses(class);
        let above = above.into_iter().map(|base| related(resolver, base, class, 1));
        let below = below.iter().map(|below| related(resolver, below.class, below.base, below.depth));
        let (above, below) = (above.flatten().collect(), below.flatten().collect());
        workspace.symbol_row(resolver, definition).map(|symbol| (symbol, above, !is_complete, below))
    });
    let Some((symbol, above, has_external_bases, below)) = answer else {
        return Err(EngineError::new(ErrorCode::NotFound, "the file of the class is gone"));
    };
    Ok(HierarchyResponse {
        symbol,
        above,
        has_external_bases,
        below,
        project: workspace.report(),
        unsaved: workspace.unsaved.len(),
        skipped: workspace.take_skipped(),
    })
}
