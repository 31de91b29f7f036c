//! What is deleted because nothing refers to it.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::edit::{self, Allow, EditError, Op, Outcome};
use crate::modules::FileId;
use crate::question::unused::Judge;
use crate::reader::document::limits;
use crate::refactor::plan::{Done, Plan, Planned};
use crate::request::error::{EngineError, ErrorCode};
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
        while let Some(planned) = workspace.plan_deletion(self, options)? {
            done.add(workspace.apply_checked(planned)?);
        }
        Ok(())
    }
}

impl Workspace<'_> {
    /// Plans to delete the functions and classes that certainly nothing refers to; `None` if there are none.
    ///
    /// # Errors
    /// If the part of the project has no files, or a deletion is refused.
    pub(crate) fn plan_deletion(
        &self,
        request: &DeleteUnused,
        options: &RefactorOptions,
    ) -> Result<Option<Planned>, EngineError> {
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
        type Deleted = (FileId, Tree, Vec<Site>, Result<Outcome, EditError>);
        let deleted: Vec<Deleted> = self.look("", Some(&files), |resolver, file| {
            let (Some(tree), Some(sites)) = (resolver.tree(file), unused.get(&file)) else { return Vec::new() };
            let table = tree.table();
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
                last = Some(node);
                gone.push(site);
                ops.push(Op::Delete { target: node, extent: None });
            }
            if ops.is_empty() {
                return Vec::new();
            }
            vec![(file, tree.clone(), gone, edit::apply(tree, &ops, Allow::default(), &limits))]
        })?;
        let mut planned = Planned { words: words.into_iter().collect(), deletes: true, ..Planned::default() };
        planned.words.sort_unstable();
        for (file, tree, sites, outcome) in deleted {
            let outcome = outcome
                .map_err(|error| EngineError::new(ErrorCode::from(&error), error.to_string()).path(self.shown(file)))?;
            planned.counts.0 += sites.len();
            let things = sites.into_iter().map(Thing::Symbol);
            let described =
                self.resolve(|resolver| things.filter_map(|thing| resolver.describe(thing)).collect::<Vec<_>>());
            planned.definitions.extend(described);
            planned.files.push((file, tree, outcome));
        }
        Ok(Some(planned).filter(|planned| !planned.files.is_empty()))
    }
}
