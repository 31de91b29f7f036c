//! Rules of a language about names that a rename would break.

use std::collections::BTreeMap;
use std::path::Path;

use crate::modules::FileId;
use crate::question::references::Reference;
use crate::question::subject::risks::rule_reason;
use crate::request::error::PlaceRow;
use crate::request::symbol_messages::Confidence;
use crate::risks::{Clash, ClashKind, NameRisk, loses_capital};
use crate::symbols::Site;
use crate::text::Span;
use crate::workspace::files::Workspace;

impl Workspace<'_> {
    /// The rules of the language about the name of a symbol and its new one.
    pub(super) fn rule_rows(&self, family: &[Site], to: &str) -> Vec<PlaceRow> {
        let risks: Vec<(FileId, usize, NameRisk)> = self.resolve(|resolver| {
            let of_site = family.iter().flat_map(|&site| {
                let start = resolver.tree(site.file).map_or(0, |tree| tree.span(site.name).start());
                resolver.name_risks(site, to).into_iter().map(move |risk| (site.file, start, risk))
            });
            of_site.collect()
        });
        let row = |(file, start, risk): (FileId, usize, NameRisk)| self.place_row(file, start, rule_reason(risk, to));
        let mut rows: Vec<PlaceRow> = risks.into_iter().map(row).collect();
        let packages = self.resolve(|resolver| {
            family.iter().flat_map(|&site| resolver.packages_with_module(site, to)).collect::<Vec<_>>()
        });
        let why = format!("the package has a module `{to}`, which the new name would hide");
        rows.extend(packages.into_iter().map(|file| self.place_row(file, 0, why.clone())));
        rows
    }

    /// The files that keep the old name for what they import, as they have another one with the new name: the places that change
    /// then, of which some import it.
    pub(super) fn keep_imports(
        &self,
        family: &[Site],
        to: &str,
        places: &mut BTreeMap<FileId, Vec<Span>>,
    ) -> BTreeMap<FileId, Vec<Span>> {
        let mut kept = BTreeMap::new();
        for (&file, spans) in places.iter_mut().filter(|(file, _)| family.iter().all(|site| site.file != **file)) {
            let found = self.resolve(|resolver| {
                let clashes = resolver.clashes(family, file, spans, to);
                let is_import = |clash: &Clash| clash.kind == ClashKind::Imported;
                let all = !clashes.is_empty() && clashes.iter().all(is_import);
                all.then(|| resolver.kept_names(file, spans)).flatten()
            });
            if let Some(found) = found {
                *spans = found.changed;
                kept.insert(file, found.imports);
            }
        }
        kept
    }

    /// The code that has the new name already, and prevents the symbol from getting it.
    pub(super) fn clash_rows(&self, family: &[Site], to: &str, places: &BTreeMap<FileId, Vec<Span>>) -> Vec<PlaceRow> {
        let clashes: Vec<Clash> = self.resolve(|resolver| {
            places.iter().flat_map(|(&file, spans)| resolver.clashes(family, file, spans, to)).collect()
        });
        let row = |clash: Clash| {
            let why = match clash.kind {
                ClashKind::Macro => format!("`{to}` is a macro, which would replace the new name"),
                ClashKind::Replaced => format!("a macro `{to}` would replace this word"),
                ClashKind::Linked => format!("another file has this `{to}`, and a linker would take both for one"),
                ClashKind::OfBase => {
                    format!("a base of the class around it, outside of the project, has a member `{to}`")
                }
                ClashKind::Pattern => format!("a pattern cannot bind `{to}` where a constant has this name"),
                ClashKind::Exported => format!("the module already exports something as `{to}`"),
                ClashKind::Imported => {
                    format!("the file already has a name `{to}`, beside which an import cannot have it")
                }
                ClashKind::Hidden => {
                    format!("one of both is found by its type, and not where another `{to}` hides it")
                }
                ClashKind::Redeclared => format!("the function already has a variable `{to}`"),
            };
            self.place_row(clash.file, clash.start, why)
        };
        clashes.into_iter().map(row).collect()
    }

    /// The uses in other packages, where these see just the names that begin with a capital letter and the new one does not.
    pub(super) fn hidden_rows(&self, family: &[Site], to: &str, references: &[Reference]) -> Vec<PlaceRow> {
        let old = self.resolve(|resolver| resolver.name_of(family[0])).unwrap_or_default();
        let in_classes = self.resolve(|resolver| {
            let found = references.iter().filter(|reference| {
                reference.row.confidence == Confidence::Certain
                    && resolver.is_mangled_at(reference.file, reference.node, &old, to)
            });
            found.map(|reference| (reference.file, reference.start)).collect::<Vec<_>>()
        });
        if !in_classes.is_empty() && self.resolve(|resolver| resolver.class_of_member(family[0]).is_none()) {
            let why = format!("in a class, `{to}` means a hidden member of it");
            return in_classes.into_iter().map(|(file, start)| self.place_row(file, start, why.clone())).collect();
        }
        if !loses_capital(&old, to) || !self.resolve(|resolver| resolver.has_capital_exports(family[0])) {
            return Vec::new();
        }
        let folder = |file: FileId| self.path(file).parent().map(Path::to_owned);
        let own: Vec<_> = family.iter().map(|site| folder(site.file)).collect();
        let hidden = references.iter().filter(|reference| {
            matches!(reference.row.confidence, Confidence::Certain | Confidence::Candidate)
                && !own.contains(&folder(reference.file))
        });
        let why = format!("another package, which cannot see `{to}`, as it does not begin with a capital letter");
        hidden.map(|reference| self.place_row(reference.file, reference.start, why.clone())).collect()
    }
}
