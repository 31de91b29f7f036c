//! Uses of a symbol in code inside of files in other languages: the script of a page or of a component, what its template evaluates.
//!
//! Such code is read, but what its names mean is not followed: a name that the code does not bind itself may be the symbol.

use crate::language::Languages;
use crate::modules::FileId;
use crate::scopes::Scopes;
use crate::symbols::{Confidence, Occurrence, Reason, Resolver, Role, Target};
use crate::text::Span;
use crate::tree::{Node, ParseLimits, Part, Tree};

impl Resolver<'_> {
    /// The occurrences of a name in code inside of a file, of which any language in `languages` can use the symbol.
    pub fn embedded_occurrences(
        &self,
        target: &Target,
        file: FileId,
        text: &str,
        languages: &[String],
    ) -> Vec<Occurrence> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let can_use = |part: &&Part| !part.is_shown && languages.iter().any(|name| name == part.language.name());
        let parts = view.tree.parts(Languages::built_in());
        let mut found = Vec::new();
        // The scripts of a page share the names of files that it runs, which is a risk of its own; others are imported.
        let mut is_imported = view.rules.hidden_uses.page_code.is_empty() || target.is_member;
        for part in parts.iter().filter(can_use) {
            let holds = |span: &Span| view.tree.text().slice(*span).contains(text);
            if !part.spans.iter().any(holds) {
                continue;
            }
            let Ok(code) = Tree::parse_part(view.tree.text().clone(), part, &ParseLimits::default()) else { continue };
            let node = view.tree.table().smallest_around(part.span());
            let scopes = Scopes::new(&code);
            let names = scopes.names(text);
            let imports = |scope: Node| names.found.iter().any(|found| found.scope == scope && found.is_import());
            for &name in scopes.nodes_of(text) {
                let bound = names.at(name).and_then(|found| names.resolve(&scopes, found));
                if bound.is_some_and(|bound| !imports(bound.scope)) {
                    continue;
                }
                is_imported |= bound.is_some();
                found.push(occurrence(target, file, node, code.span(name)));
            }
        }
        if !is_imported {
            found.clear();
        }
        found
    }
}

fn occurrence(target: &Target, file: FileId, node: Node, span: Span) -> Occurrence {
    Occurrence {
        file,
        node,
        span,
        role: Role::Read,
        confidence: if target.is_member { Confidence::Candidate } else { Confidence::Undetermined },
        is_override: false,
        alias: None,
        reason: Reason::Scope,
        without_index: None,
        without_error: None,
    }
}
