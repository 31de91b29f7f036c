//! Applies the fixes of rules, file by file, in passes until nothing changes.

use std::sync::Arc;

use super::ready::{ReadyRule, ReadyRules};
use crate::edit::Allow;
use crate::engine::change::changes::{Change, MatchCounts, WriteOptions};
use crate::engine::core::Begun;
use crate::language::Language;
use crate::limits::FIX_PASSES;
use crate::project::{Prefilter, Sink};
use crate::reader::document::{Document, limits};
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::scan_settings::ScanSettings;
use crate::reader::versions::ProjectVersions;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::{FixKind, RuleProblem, ScanRequest};
use crate::rule::ast_grep::read_as_ast_grep;
use crate::rule::{Evaluation, FixError, Ignores, Rule};
use crate::selector::Match;
use crate::tree::{ParseLimits, Tree};

/// Applies fixes to one file after another.
pub(super) struct Fixer<'a> {
    pub engine: &'a Begun<'a>,
    pub request: &'a ScanRequest,
    pub rules: &'a ReadyRules<'a>,
    pub settings: &'a ScanSettings,
    pub kind: FixKind,
    pub write_options: WriteOptions,
    pub versions: ProjectVersions,
}

/// A file after fixes.
pub(super) struct FileFixes {
    pub change: Change,
    pub problems: Vec<RuleProblem>,
}

/// One rule whose fixes are applied one after the other.
struct SinglePass<'p> {
    ready: &'p ReadyRule<'p>,
    name: &'p str,
    /// How many findings there are.
    most: usize,
    path: Option<&'p str>,
    allow: Allow,
    parse: &'p ParseLimits,
}

/// A tree after fixes.
struct Fixed {
    tree: Tree,
    applied: usize,
}

impl FileVisitor for Fixer<'_> {
    type Found = FileFixes;

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        self.rules
            .by_language
            .get(language.name())?
            .prefilter
            .clone()
            .map(|prefilter| Arc::new(prefilter.of_whole_files()))
    }

    fn wants(&self, language: &'static Language) -> bool {
        self.rules.by_language.get(language.name()).is_none_or(|rules| !rules.rules.is_empty())
    }

    fn edits(&self) -> bool {
        true
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileFixes>) -> Result<(), EngineError> {
        let parse = limits(&self.request.reading);
        let mut problems = Vec::new();
        let mut applied = 0;
        let path = seen.path.as_deref();
        let mut run = |tree: &Tree| {
            let quotes = self.versions.allows_quotes(self.engine, &seen.document.with_tree(tree.clone()));
            let allow = Allow { quotes, ..Allow::default() };
            let fixed = self.fix(tree, path, allow, &parse, &mut problems)?;
            applied += fixed.applied;
            Ok(Some(fixed.tree))
        };
        let mut edit = |_, document: Document| run(&document.tree);
        let whole = self.engine.with_edited_parts(seen.document, &seen.inside, &parse, &mut edit);
        let whole = whole.and_then(|tree| Ok(if seen.is_wanted { run(&tree)? } else { None }.unwrap_or(tree)));
        let change = match whole {
            Ok(_) if applied == 0 && problems.is_empty() => return Ok(()),
            Ok(tree) => {
                let counts = MatchCounts { matches: applied, applied, notes: Vec::new() };
                self.engine.change(seen.document, &tree, counts, self.write_options)
            }
            Err(error) => Change::refused(path, MatchCounts::default(), error),
        };
        let weight = change.weight();
        send(FileFixes { change, problems }, weight);
        Ok(())
    }
}

impl Fixer<'_> {
    /// The tree after all fixes, in passes: what a fix made may be a finding of another rule.
    fn fix(
        &self,
        tree: &Tree,
        path: Option<&str>,
        allow: Allow,
        parse: &ParseLimits,
        problems: &mut Vec<RuleProblem>,
    ) -> Result<Fixed, EngineError> {
        let mut fixed = Fixed { tree: tree.clone(), applied: 0 };
        let rules = self.rules.looking_at(tree.language(), path, self.settings).map(|(ready, _)| ready);
        let usable: Vec<&ReadyRule<'_>> = rules.filter(|ready| self.fixes_by(ready.plan.rule())).collect();
        let mut counts = vec![usize::MAX; usable.len()];
        for _ in 0..FIX_PASSES {
            let before = fixed.applied;
            for (ready, count) in usable.iter().zip(&mut counts) {
                self.engine.check_cancelled()?;
                let name = &self.rules.active[ready.number].name;
                if fixed.tree.text().as_str().is_some_and(|text| !ready.prefilter.may_match(text.as_bytes())) {
                    continue;
                }
                let read = read_for(ready, &fixed.tree, parse);
                let tree = read.as_ref().unwrap_or(&fixed.tree);
                let found = match ready.plan.find(&Evaluation::new(tree)) {
                    Ok(found) => found,
                    // The scan that follows reports it.
                    Err(_) => continue,
                };
                let ignores = Ignores::of(tree);
                let is_open = |found: &Match| ignores.silencing(name, tree, found.node).is_none();
                let found: Vec<Match> = found.into_iter().filter(is_open).collect();
                // A fix that makes as many findings as it mends never ends.
                if found.is_empty() || found.len() >= *count {
                    continue;
                }
                *count = found.len();
                match ready.plan.mend(&fixed.tree, found.clone(), allow, parse) {
                    Ok(mended) => {
                        fixed.applied += mended.applied;
                        fixed.tree = mended.tree;
                    }
                    // Together they break something: one after the other, without those that do.
                    Err(_) => {
                        let pass = SinglePass { ready, name, most: found.len(), path, allow, parse };
                        self.fix_singly(&pass, &mut fixed, problems);
                    }
                }
            }
            if fixed.applied == before {
                break;
            }
        }
        Ok(fixed)
    }

    fn fix_singly(&self, pass: &SinglePass<'_>, fixed: &mut Fixed, problems: &mut Vec<RuleProblem>) {
        let SinglePass { ready, name, most, path, allow, parse } = *pass;
        let mut passed_over = 0;
        for _ in 0..most {
            let read = read_for(ready, &fixed.tree, parse);
            let tree = read.as_ref().unwrap_or(&fixed.tree);
            let Ok(found) = ready.plan.find(&Evaluation::new(tree)) else { return };
            let ignores = Ignores::of(tree);
            let is_open = |found: &&Match| ignores.silencing(name, tree, found.node).is_none();
            let Some(one) = found.iter().filter(is_open).nth(passed_over) else { return };
            match ready.plan.mend(&fixed.tree, vec![one.clone()], allow, parse) {
                Ok(mended) if mended.applied > 0 => {
                    fixed.applied += mended.applied;
                    fixed.tree = mended.tree;
                }
                Ok(_) => passed_over += 1,
                Err(error) => {
                    let problem = RuleProblem { rule: name.to_owned(), error: refusal(&error, path) };
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                    passed_over += 1;
                }
            }
        }
    }

    /// Whether a rule's fix is to be applied.
    fn fixes_by(&self, rule: &Rule) -> bool {
        rule.has_fix() && (rule.is_safe || self.kind == FixKind::All)
    }
}

/// The tree in which a rule of ast-grep looks, if it is another one.
fn read_for(ready: &ReadyRule<'_>, tree: &Tree, parse: &ParseLimits) -> Option<Tree> {
    if ready.plan.rule().is_foreign() { read_as_ast_grep(tree, parse) } else { None }
}

/// Why a fix was not applied, as the engine's error.
fn refusal(error: &FixError, path: Option<&str>) -> EngineError {
    let mut refused = EngineError::new(ErrorCode::from(&*error.cause), format!("its fix is refused: {}", error.cause));
    refused.details.line = error.line;
    match path {
        Some(path) => refused.path(path),
        None => refused,
    }
}
