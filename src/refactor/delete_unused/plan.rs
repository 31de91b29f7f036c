//! What is deleted because nothing refers to it.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::{self, Allow, EditError, Op, Outcome};
use crate::flow::Flow;
use crate::modules::FileId;
use crate::question::unused::Judge;
use crate::reader::document::limits;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::request::error::{EngineError, ErrorCode, PlaceRow};
use crate::request::refactor::{DeleteUnused, RefactorOptions};
use crate::symbols::{Site, Thing};
use crate::tree::{Node, Tree};
use crate::workspace::files::Workspace;

impl Plan for DeleteUnused {
    fn plan(
        &self,
        workspace: &mut Workspace<'_>,
        options: &RefactorOptions,
        done: &mut Done,
    ) -> Result<(), EngineError> {
        loop {
            let (planned, left) = workspace.plan_deletion(self, options)?;
            let Some(planned) = planned else {
                done.left.extend(left);
                return Ok(());
            };
            done.add(workspace.apply_checked(planned)?);
        }
    }
}

impl Workspace<'_> {
    /// Plans to delete the functions and classes that certainly nothing refers to; `None` if there are none. With the unused ones that
    /// stay, since they do something when they are defined.
    ///
    /// # Errors
    /// If the part of the project has no files, or a deletion is refused.
    pub(crate) fn plan_deletion(
        &self,
        request: &DeleteUnused,
        options: &RefactorOptions,
    ) -> Result<(Option<Planned>, Vec<PlaceRow>), EngineError> {
        let within = self.chosen(request.path.as_deref())?;
        let all = self.all_uses()?;
        let judge = Judge::new(&all);
        let mut unused: BTreeMap<FileId, Vec<Site>> = BTreeMap::new();
        let mut words = FxHashSet::default();
        for (file, uses) in &all.files {
            let follows = self.project.file(*file).language.spec().symbols.modules.is_some();
            if !follows || within.as_ref().is_some_and(|within| !within.contains(file)) {
                continue;
            }
            for definition in &uses.definitions {
                if judge.is_unused(definition) {
                    words.insert(definition.name.clone());
                    unused.entry(*file).or_default().push(definition.site);
                }
            }
        }
        let files: FxHashSet<FileId> = unused.keys().copied().collect();
        let limits = limits(&options.reading);
        struct Deleted {
            file: FileId,
            tree: Tree,
            gone: Vec<Site>,
            /// Offsets of what definitions do that stay.
            acting: Vec<usize>,
            outcome: Option<Result<Outcome, EditError>>,
        }
        let deleted: Vec<Deleted> = self.look("", Some(&files), |resolver, file| {
            let (Some(tree), Some(sites)) = (resolver.tree(file), unused.get(&file)) else { return Vec::new() };
            let table = tree.table();
            let flow = Flow::new(tree);
            let mut acting = Vec::new();
            let mut last: Option<Node> = None;
            let mut ops = Vec::new();
            let mut gone = Vec::new();
            let mut definitions: Vec<(Node, Site)> = sites
                .iter()
                .filter_map(|&site| Some((resolver.definition_node(site)?, site)))
                .filter(|(node, _)| tree.is_scope(*node))
                .collect();
            definitions.sort_by_key(|(node, _)| *node);
            for (node, site) in definitions {
                // What is inside goes with it.
                if last.is_some_and(|last| table.is_within(node, last)) {
                    continue;
                }
                if let Some(effect) = flow.effect_of_defining(node) {
                    acting.push(tree.span(effect).start());
                    continue;
                }
                last = Some(node);
                gone.push(site);
                ops.push(Op::Delete { target: node, extent: None });
            }
            let outcome = (!ops.is_empty()).then(|| edit::apply(tree, &ops, Allow::default(), &limits));
            vec![Deleted { file, tree: tree.clone(), gone, acting, outcome }]
        })?;
        let mut left = Vec::new();
        let mut planned = Planned { words: words.into_iter().collect(), deletes: true, ..Planned::default() };
        planned.words.sort_unstable();
        for Deleted { file, tree, gone: sites, acting, outcome } in deleted {
            let why = "nothing refers to the definition, but this runs when it is reached";
            left.extend(acting.into_iter().map(|start| self.place_row(file, start, why.to_owned())));
            let Some(outcome) = outcome else { continue };
            let outcome = outcome
                .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(file)))?;
            planned.counts.0 += sites.len();
            let things = sites.into_iter().map(Thing::Symbol);
            let described =
                self.resolve(|resolver| things.filter_map(|thing| resolver.describe(thing)).collect::<Vec<_>>());
            planned.definitions.extend(described);
            planned.files.push((file, tree, outcome));
        }
        Ok((Some(planned).filter(|planned| !planned.files.is_empty()), left))
    }
}
