//! All that may mean a symbol, with how sure that is: the list behind `refs`, `callers` and `impact`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::doubt::Doubt;
use super::join::Family;
use crate::modules::FileId;
use crate::question::references::Reference;
use crate::request::error::{EngineError, PlaceRow};
use crate::request::symbol_messages::{Confidence, ReferenceRow, Role};
use crate::symbols::{Resolver, Thing};
use crate::text::Span;
use crate::workspace::files::Workspace;

/// All that may mean a symbol.
pub(crate) struct UseList {
    pub(crate) references: Vec<Reference>,
    /// Files that were not read and may refer to it.
    pub(crate) unread: Vec<PlaceRow>,
    /// How many files access members by computed names and were not looked at.
    pub(crate) unseen: usize,
}

impl Workspace<'_> {
    /// All places that may mean symbols or modules, in the order of the files. A place that a rename of one would doubt is uncertain
    /// here, and no other is: those that cannot mean it are elsewhere.
    ///
    /// # Errors
    /// If files cannot be read.
    pub(crate) fn uses_of(&self, things: &[Thing]) -> Result<UseList, EngineError> {
        let mut families: Vec<Family> = Vec::new();
        for thing in things {
            if let Thing::Symbol(site) = *thing
                && !families.iter().any(|family| family.sites.contains(&site))
            {
                families.push(self.whole_family(site)?);
            }
        }
        let related = families.iter().flat_map(|family| &family.sites).copied().map(Thing::Symbol);
        let related: Vec<Thing> = related.filter(|thing| !things.contains(thing)).collect();
        let mut references = self.references_beside(things, &related)?;
        let (mut doubts, mut lists, mut names, mut unseen) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut named = Vec::new();
        let mut joined = FxHashSet::default();
        for family in families {
            let mut subject = self.subject(family.sites, &references)?;
            subject.joined = family.joined;
            let uses = self.subject_uses(false, &subject, &references)?;
            doubts.extend(uses.doubts);
            lists.extend(uses.listed.into_iter().map(|place| (place, Role::Export)));
            lists.extend(uses.read.into_iter().map(|place| (place, Role::Read)));
            unseen = unseen.max(uses.unseen);
            doubts.extend(self.risk_doubts(&subject));
            doubts.extend(self.unresolved_doubts(&subject)?);
            named.extend(self.named_in_files(&subject));
            names.push(subject.old);
            joined.extend(subject.joined.places);
        }
        let mut by_place: FxHashMap<(FileId, usize), Doubt> = FxHashMap::default();
        let mut hidden = Vec::new();
        for doubt in doubts {
            match doubt.span.is_empty() {
                true => hidden.push(doubt),
                false => _ = by_place.entry((doubt.file, doubt.span.start())).or_insert(doubt),
            }
        }
        for reference in &mut references {
            let doubt = by_place.remove(&(reference.file, reference.start));
            reference.row.confidence = match (reference.row.confidence, &doubt) {
                (Confidence::Certain, _) => Confidence::Certain,
                _ if joined.contains(&(reference.file, reference.node)) => Confidence::Certain,
                (_, None) => Confidence::Elsewhere,
                (Confidence::Undetermined, Some(_)) => Confidence::Undetermined,
                (_, Some(_)) => Confidence::Candidate,
            };
            reference.row.doubt = doubt.map(|doubt| doubt.row.why);
        }
        let listed = lists.into_iter().map(|((file, span), role)| {
            let place = self.place_row(file, span.start(), String::new());
            Place { file, span, role, confidence: Confidence::Certain, row: place }
        });
        let hidden = by_place.into_values().chain(hidden).map(|Doubt { file, span, row, .. }| Place {
            file,
            span,
            role: Role::Dynamic,
            confidence: Confidence::Undetermined,
            row,
        });
        let mut places: Vec<Place> = listed.chain(hidden).collect();
        places.sort_by_key(|place| place.file);
        for of_file in places.chunk_by(|one, other| one.file == other.file) {
            references.extend(self.uses_at(of_file));
        }
        let key = |reference: &Reference| (reference.file, reference.start, reference.row.role == Role::Dynamic);
        references.sort_by_key(key);
        references.dedup_by(|one, other| key(one) == key(other) && one.row.doubt == other.row.doubt);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut unread = self.unread_with(&names);
        unread.extend(named);
        Ok(UseList { references, unread, unseen })
    }

    /// The names of what a text names, under which it may be in documentation that is run.
    pub(crate) fn documented_names_of(&self, symbol: &str) -> Vec<String> {
        if !self.may_run_documentation() {
            return Vec::new();
        }
        let found = self.find_or_follow(symbol, false).unwrap_or_default();
        let things: Vec<Thing> = found.iter().map(|definition| definition.thing).collect();
        self.documented_names(&things)
    }

    /// The same, with code in documentation as places of the files that have it.
    ///
    /// # Errors
    /// As [`Self::uses_of`].
    pub(crate) fn listed_uses(&self, things: &[Thing]) -> Result<UseList, EngineError> {
        let mut uses = self.uses_of(things)?;
        for reference in &mut uses.references {
            let Some(host) = self.project.host_of(reference.file) else { continue };
            reference.file = host;
            reference.row.in_documentation = true;
            let within = |resolver: &Resolver<'_>| {
                let tree = resolver.tree(host)?;
                tree.scope_qualname(tree.table().smallest_around(Span::new(reference.start, reference.start)))
            };
            reference.row.within = self.resolve(within).unwrap_or_default();
        }
        uses.references.sort_by_key(|reference| (reference.file, reference.start));
        Ok(uses)
    }

    /// The uses at places of one file.
    fn uses_at(&self, places: &[Place]) -> Vec<Reference> {
        self.resolve(|resolver| places.iter().map(|place| use_at(resolver, place)).collect())
    }
}

/// A place that means a symbol, or may.
struct Place {
    file: FileId,
    span: Span,
    role: Role,
    confidence: Confidence,
    row: PlaceRow,
}

fn use_at(resolver: &Resolver<'_>, place: &Place) -> Reference {
    let Place { file, span, role, confidence, ref row } = *place;
    let node = resolver.tree(file).map_or(crate::tree::Node::ROOT, |tree| tree.table().smallest_around(span));
    let within = resolver.tree(file).and_then(|tree| tree.scope_qualname(node)).unwrap_or_default();
    let owner = resolver.owner(file, node);
    let doubt = (confidence == Confidence::Undetermined).then(|| row.why.clone());
    let row = ReferenceRow {
        path: row.path.clone(),
        line: row.line,
        col: row.col,
        role,
        confidence,
        within,
        is_override: false,
        doubt,
        why: None,
        without_index: None,
        in_documentation: false,
        text: row.text.clone(),
    };
    Reference { file, node, start: span.start(), is_alias: false, row, alias: None, without_error: None, owner }
}
