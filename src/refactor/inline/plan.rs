//! What is inlined: a variable or a function, in all its uses.

use crate::reader::document::limits;
use crate::refactor::plan::{OneStep, Planned};
use crate::refactor::{Extracted, inline};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{Inline, RefactorOptions};
use crate::request::symbol_messages::{Confidence, Role};
use crate::risks::{StringKind, StringUse};
use crate::symbols::Thing;
use crate::text::Span;
use crate::workspace::files::Workspace;

impl OneStep for Inline {
    fn step(&self, workspace: &Workspace<'_>, options: &RefactorOptions) -> Result<Planned, EngineError> {
        workspace.plan_inline(self, options)
    }
}

impl Workspace<'_> {
    /// Plans to put a variable or a function in place of its uses.
    ///
    /// # Errors
    /// If no symbol fits, uses are uncertain, or the program would not do the same.
    pub(crate) fn plan_inline(&self, request: &Inline, options: &RefactorOptions) -> Result<Planned, EngineError> {
        let symbol = request.symbol.as_str();
        if symbol.is_empty() {
            return Err(EngineError::bad_request("inlining takes a symbol"));
        }
        let found = self.find(symbol, false)?;
        let Thing::Symbol(site) = found[0].thing else {
            let error = EngineError::bad_request(format!("`{symbol}` is a module, not a symbol in one"));
            return Err(error.hint("name a variable or a function"));
        };
        let family = self.overriding(site)?;
        if let Some(other) = family.get(1) {
            let start =
                self.resolve(|resolver| resolver.tree(other.file).map_or(0, |tree| tree.span(other.name).start()));
            let row = self.place_row(other.file, start, "this method overrides it, or is overridden by it".to_owned());
            return Err(undetermined(symbol, vec![row]));
        }
        let tree = self.whole_tree(site.file)?;
        let name_span = tree.span(site.name);
        let text = tree.node_text(site.name).into_owned();
        let mut uses = Vec::new();
        let mut doubts: Vec<PlaceRow> = Vec::new();
        for reference in self.references(&[Thing::Symbol(site)])? {
            let span = Span::new(reference.start, reference.start + text.len());
            let row = |why: &str| self.place_row(reference.file, reference.start, why.to_owned());
            if reference.file == site.file && span == name_span || reference.row.confidence == Confidence::Elsewhere {
                continue;
            }
            if reference.row.confidence != Confidence::Certain {
                doubts.push(row("this may not refer to it"));
            } else if reference.is_alias || matches!(reference.row.role, Role::Import | Role::Export) {
                doubts.push(row("it is imported or exported here, and other code may use it"));
            } else if reference.file != site.file {
                doubts.push(row("it is used in another file"));
            } else {
                uses.push(span);
            }
        }
        if self.resolve(|resolver| resolver.is_lasting(site)) {
            let subject = self.subject(vec![site], &self.references(&[Thing::Symbol(site)])?)?;
            for (file, span) in self.computed_accesses(&subject)? {
                doubts.push(self.place_row(file, span.start(), "accesses members by a computed name".to_owned()));
            }
            for (file, StringUse { span, kind, .. }) in self.strings(&text)? {
                let why = match kind {
                    StringKind::Listed(_) => "it is in a list of names",
                    StringKind::Access => "a call names a member by this string",
                    StringKind::Callable { .. } => "a string that may name it for a call",
                    StringKind::Name if options.strings => "a string equal to the name",
                    StringKind::Path(_) | StringKind::Head | StringKind::Argument(_) | StringKind::Name => continue,
                };
                doubts.push(self.place_row(file, span.start(), why.to_owned()));
            }
        }
        if !doubts.is_empty() && !options.force {
            return Err(undetermined(symbol, doubts));
        }
        let done = inline(&tree, site.file, site.name, &uses, &limits(&options.reading));
        let Extracted { outcome, followed, notes, places, .. } =
            done.map_err(|refusal| self.refused(site.file, refusal))?;
        Ok(Planned {
            definitions: found,
            files: vec![(site.file, tree, outcome)],
            words: vec![text],
            followed: vec![followed],
            counts: (places, 0),
            notes,
            ..Planned::default()
        })
    }
}

fn undetermined(symbol: &str, places: Vec<PlaceRow>) -> EngineError {
    let first = &places[0];
    let message = format!("cannot inline `{symbol}`: {}:{}:{}: {}", first.path, first.line, first.col, first.why);
    let mut error = EngineError::new(ErrorCode::Undetermined, message);
    error.details.places = places;
    error
}
