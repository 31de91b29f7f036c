//! `rewrite`: matches replaced by a template, in trees, files and folders; all of them or none.
//!
//! Each file is rewritten on its own, several at once; when all are known, and only then, anything is written. Who looks on may
//! be asked of each match whether it is to be changed: then files are found first, and rewritten one after the other.

use std::collections::HashSet;
use std::sync::Arc;

use crate::edit::{self, Allow, EditError, Gate, RewriteError, Site, Template};
use crate::engine::change::changes::{Change, Changes, MatchCounts, WriteOptions};
use crate::engine::core::Begun;
use crate::engine::method::Method;
use crate::language::Language;
use crate::project::{Prefilter, Sink};
use crate::question::project_answers::ProjectScope;
use crate::reader::document::{Document, limits, parse_error};
use crate::reader::queries::Queries;
use crate::reader::reference::selector_of;
use crate::reader::scan::{FileVisitor, ParsedFile};
use crate::reader::versions::ProjectVersions;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::proposal::{Decision, Proposal};
use crate::request::report::{FilesReport, Skipped};
use crate::request::requests::RewriteRequest;
use crate::request::responses::{Carried, ChangesResponse, KeptNodes, Revision};
use crate::selector::{Match, Query};
use crate::text::{EditSet, unified};
use crate::tree::{ParseLimits, Tree};

/// How often a rewrite is repeated until nothing changes.
const MOST_PASSES: usize = 100;

/// By how much a repeated rewrite may let a text grow, beside four times what it was.
const MOST_GROWTH: usize = 256 * 1024;

impl Method for RewriteRequest {
    const NAME: &'static str = "rewrite";
    const READS: bool = false;
    type Result = ChangesResponse;

    /// Rewrites matches: in files as a diff, unless `write` says to write them; in trees as their next revisions.
    ///
    /// # Errors
    /// When selector or template are wrong, a file can't be changed and may not be left out, or there is another number of matches
    /// than expected. Nothing is written then.
    fn run(&self, engine: &Begun<'_>) -> Result<ChangesResponse, EngineError> {
        if self.write && !self.dry_run {
            engine.writer().recover()?;
        }
        engine.rewrite_targets(self).map_err(EngineError::not_applied)
    }

    fn name_skips(answer: &mut ChangesResponse) -> &mut [Skipped] {
        &mut answer.skipped
    }
}

impl Begun<'_> {
    fn rewrite_targets(&self, request: &RewriteRequest) -> Result<ChangesResponse, EngineError> {
        let selector = selector_of(request.selector.as_deref(), request.pattern.as_deref())?;
        let template = Template::parse(&request.template).map_err(|error| untemplated(&error))?;
        // A named selector may capture, too.
        if request.define.is_empty() {
            let captured = selector.captures();
            template.check_names(captured.iter().map(String::as_str)).map_err(|error| untemplated(&error))?;
        }
        let names = self.names(&request.define)?;
        let mut report = FilesReport::default();
        let searched = self.resolve_targets(&request.targets, &request.reading, &mut report)?;
        let is_strict = self.is_in_one_language(&searched, &request.reading);
        let queries = if is_strict {
            Queries::new(self.languages_known(), &selector, &names)
        } else {
            Queries::mixed(self.languages_known(), &selector, &names)
        };
        let mut met = Vec::new();
        if !is_strict {
            met = self.languages_in_play(&searched, &request.reading);
            queries.check(&met, || self.hidden_languages(&searched, &request.reading))?;
        }
        let write_options = WriteOptions {
            request: "rewrite",
            write: request.write,
            dry_run: request.dry_run,
            unchecked: request.allow.contains(&Gate::Syntax),
            on_error: request.on_error,
            expect_count: request.expect_count,
        };
        let renames = request.pattern.as_deref().is_some_and(|pattern| edit::renames(pattern, &template))
            && !(request.until_stable || request.interactive);
        let project = ProjectScope::new(self, &request.targets, &request.reading).rewriting();
        project.prepare(&queries, &met)?;
        let rewriter = Rewriter {
            engine: self,
            request,
            queries,
            project,
            versions: ProjectVersions::default(),
            template,
            write_options,
            renames,
        };
        let mut changes = Changes::default();
        changes.expected = request.expect_revisions.clone();
        let mut asking = Asking { all: false, quit: false };
        let take = |found: FileRewrite, report: &mut FilesReport| {
            let change = match found {
                FileRewrite::Change(change) => *change,
                FileRewrite::Asked(document, sites) => rewriter.ask_matches(&document, &sites, &mut asking),
            };
            report.matched += usize::from(changes.add(self, change));
            Ok(!asking.quit)
        };
        self.visit(&searched, &request.reading, &rewriter, &mut report, take)?;
        self.check_cancelled()?;
        let done = changes.verify_and_finish(self, write_options, report, request.verify.as_deref())?;
        let near = match done.matches {
            0 => self.near(&rewriter.queries, &met, &searched, &request.reading, done.searched)?,
            _ => Vec::new(),
        };
        Ok(ChangesResponse { near, selectors: names.used(), ..done })
    }
}

/// Rewrites one file after another.
struct Rewriter<'a> {
    engine: &'a Begun<'a>,
    request: &'a RewriteRequest,
    queries: Queries<'a>,
    project: ProjectScope<'a>,
    versions: ProjectVersions,
    template: Template,
    write_options: WriteOptions,
    /// It may be that only names change: then parts of files are enough to see it.
    renames: bool,
}

/// What comes of a file.
enum FileRewrite {
    Change(Box<Change>),
    /// It has matches that are asked about.
    Asked(Box<Document>, Vec<Site>),
}

/// How far asking has come.
struct Asking {
    all: bool,
    quit: bool,
}

/// A tree after all passes.
struct Passes {
    tree: Tree,
    /// The edits, where there was one pass.
    edits: Option<EditSet>,
    counts: MatchCounts,
}

impl FileVisitor for Rewriter<'_> {
    type Found = FileRewrite;

    fn prefilter(&self, language: &'static Language) -> Option<Arc<Prefilter>> {
        let prefilter = self.queries.prefilter(language)?;
        // What is parsed again is read as a whole.
        Some(if self.renames { prefilter } else { Arc::new(prefilter.of_whole_files()) })
    }

    fn edits(&self) -> bool {
        !self.renames
    }

    fn visit(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileRewrite>) -> Result<(), EngineError> {
        if !seen.inside.is_empty() {
            return self.visit_with_inside(seen, send);
        }
        if !seen.is_wanted {
            return Ok(());
        }
        let document = seen.document;
        let query = self.queries.of(document.tree.language())?;
        let sites = sites(self.project.select(&query, document, seen.path.as_deref())?);
        if sites.is_empty() {
            return Ok(());
        }
        if self.request.interactive {
            let weight = document.tree.memory();
            send(FileRewrite::Asked(Box::new(document.clone()), sites), weight);
            return Ok(());
        }
        let change = match self.rename_in_place(document, &sites)? {
            Some(change) => change,
            None if self.renames && seen.walked => {
                let tree = &document.tree;
                let tree = Tree::parse(tree.text().clone(), tree.language(), &limits(&self.request.reading));
                let tree = tree.map_err(|error| parse_error(&error, seen.path.as_deref()))?;
                let whole = document.with_tree(tree);
                let sites = self::sites(self.project.select(&query, &whole, seen.path.as_deref())?);
                self.change(&whole, &query, sites)
            }
            None => self.change(document, &query, sites),
        };
        let weight = change.weight();
        send(FileRewrite::Change(Box::new(change)), weight);
        Ok(())
    }
}

impl Rewriter<'_> {
    /// Rewrites a file with code in other languages in it: that code first, then what is around it.
    fn visit_with_inside(&self, seen: &ParsedFile<'_>, send: Sink<'_, FileRewrite>) -> Result<(), EngineError> {
        let path = seen.path.as_deref();
        let mut found = Vec::new();
        for document in seen.documents() {
            let query = self.queries.of(document.tree.language())?;
            found.push(self.project.select(&query, document, path)?.len());
        }
        let matches: usize = found.iter().sum();
        if matches == 0 {
            return Ok(());
        }
        if self.request.interactive {
            let message = "matches in code inside of another language cannot be asked about one by one";
            let error = EngineError::bad_request(message).hint("change it without questions, or leave the file out");
            let change = Change::refused(path, MatchCounts { matches, ..MatchCounts::default() }, error);
            send(FileRewrite::Change(Box::new(change)), 0);
            return Ok(());
        }
        let change = match self.passes_with_inside(seen) {
            Ok((tree, mut counts)) => {
                counts.matches = matches;
                let change = self.engine.change(seen.document, &tree, counts, self.write_options);
                self.node_map(change, seen.document, |old| KeptNodes::by_ids(old, &tree))
            }
            Err(error) => Change::refused(path, MatchCounts { matches, ..MatchCounts::default() }, error),
        };
        let weight = change.weight();
        send(FileRewrite::Change(Box::new(change)), weight);
        Ok(())
    }

    /// The tree of the whole file after all passes.
    fn passes_with_inside(&self, seen: &ParsedFile<'_>) -> Result<(Tree, MatchCounts), EngineError> {
        let limits = limits(&self.request.reading);
        let mut counts = MatchCounts::default();
        let mut run = |document: &Document| {
            let query = self.queries.of(document.tree.language())?;
            let sites = sites(self.project.select(&query, document, document.tree.path())?);
            if sites.is_empty() {
                return Ok(None);
            }
            let passes = self.passes(document, &query, sites)?;
            counts.applied += passes.counts.applied;
            counts.notes.extend(passes.counts.notes);
            Ok(Some(passes.tree))
        };
        let mut edit = |_, document: Document| run(&document);
        let tree = self.engine.with_edited_parts(seen.document, &seen.inside, &limits, &mut edit)?;
        let document = seen.document.with_tree(tree);
        let host = if seen.is_wanted { run(&document)? } else { None };
        Ok((host.unwrap_or(document.tree), counts))
    }

    /// The change of a file where only names change.
    fn rename_in_place(&self, document: &Document, sites: &[Site]) -> Result<Option<Change>, EngineError> {
        if !self.renames || document.tree_id().is_some() {
            return Ok(None);
        }
        let tree = &document.tree;
        let renamed = edit::rename_in_place(
            tree,
            sites,
            &self.template_of(tree)?,
            self.allow(document),
            &limits(&self.request.reading),
        );
        let Some(renamed) = renamed.map_err(|error| rewrite_error(&error, tree, sites))? else { return Ok(None) };
        let counts = MatchCounts { matches: sites.len(), applied: renamed.changed, ..MatchCounts::default() };
        let change = self.engine.change_by(document, renamed.edits, counts, self.write_options);
        Ok(Some(self.node_map(change, document, |_| KeptNodes::All)))
    }

    /// The template for the matches in a tree.
    fn template_of(&self, tree: &Tree) -> Result<Template, EngineError> {
        let query = self.queries.of(tree.language())?;
        Ok(self.template.clone().for_query(&query))
    }

    fn allow(&self, document: &Document) -> Allow {
        let quotes = self.versions.allows_quotes(self.engine, document);
        Allow { quotes, ..Allow::from(&*self.request.allow) }
    }

    /// The change with what became of the file's nodes, if the request asks for that.
    fn node_map(&self, change: Change, document: &Document, kept: impl FnOnce(&Tree) -> KeptNodes) -> Change {
        let asked = self.engine.shown_path(document).is_some_and(|path| self.request.carried_paths.contains(&path));
        match document.revision() {
            Revision::Hash(from) if asked => change.carrying(Carried { from, kept: kept(&document.tree) }),
            _ => change,
        }
    }

    fn change(&self, document: &Document, query: &Query, sites: Vec<Site>) -> Change {
        let matches = sites.len();
        match self.passes(document, query, sites) {
            Ok(Passes { tree, edits, counts }) => {
                let change = match edits {
                    Some(edits) => self.engine.change_edited(document, &tree, edits, counts, self.write_options),
                    None => self.engine.change(document, &tree, counts, self.write_options),
                };
                self.node_map(change, document, |old| KeptNodes::by_ids(old, &tree))
            }
            Err(error) => {
                let path = self.engine.shown_path(document);
                Change::refused(path.as_deref(), MatchCounts { matches, ..MatchCounts::default() }, error)
            }
        }
    }

    /// The tree that one pass leaves, or as many as it takes.
    fn passes(&self, document: &Document, query: &Query, sites: Vec<Site>) -> Result<Passes, EngineError> {
        let mut tree = document.tree.clone();
        let allow = self.allow(document);
        let mut counts = MatchCounts { matches: sites.len(), ..MatchCounts::default() };
        let mut sites = sites;
        let mut seen: HashSet<String> = HashSet::new();
        let mut limits = limits(&self.request.reading);
        if self.request.until_stable {
            limits.bytes = limits.bytes.min(tree.text().len().saturating_mul(4).saturating_add(MOST_GROWTH));
        }
        for passes in 0..MOST_PASSES {
            let pass = self.pass(&tree, &sites, &limits, allow).map_err(|error| {
                if passes > 0 && error.code == ErrorCode::TooLarge { growing(passes, limits.bytes) } else { error }
            })?;
            if pass.outcome.edits.is_empty() {
                return Ok(Passes { tree, edits: None, counts });
            }
            counts.applied += pass.changed;
            if !pass.overlapping.is_empty() {
                let lines: Vec<String> =
                    pass.overlapping.iter().map(|&node| tree.start(node).line.to_string()).take(5).collect();
                let (count, lines) = (pass.overlapping.len(), lines.join(", "));
                let what = if count == 1 { "1 match overlaps".to_owned() } else { format!("{count} matches overlap") };
                counts.notes.push(format!("{what} another and went with it, in line {lines}"));
            }
            if !self.request.until_stable {
                return Ok(Passes { tree: pass.outcome.tree, edits: Some(pass.outcome.edits), counts });
            }
            if !seen.insert(tree.text().to_string()) || seen.contains(&pass.outcome.tree.text().to_string()) {
                let message =
                    format!("it never ends: after {} passes the text is one that was there before", seen.len());
                return Err(endless(message));
            }
            tree = pass.outcome.tree;
            sites = self::sites(query.select(&tree)?);
            counts.matches += sites.len();
            if sites.is_empty() {
                return Ok(Passes { tree, edits: None, counts });
            }
        }
        Err(endless(format!("it still changes the text after {MOST_PASSES} passes")))
    }

    fn pass(
        &self,
        tree: &Tree,
        sites: &[Site],
        limits: &ParseLimits,
        allow: Allow,
    ) -> Result<edit::Rewritten, EngineError> {
        let rewritten = edit::rewrite(tree, sites, &self.template_of(tree)?, allow, limits);
        rewritten.map_err(|error| rewrite_error(&error, tree, sites))
    }

    /// A file whose matches are asked about one after the other.
    fn ask_matches(&self, document: &Document, sites: &[Site], asking: &mut Asking) -> Change {
        let tree = &document.tree;
        let path = self.engine.shown_path(document).unwrap_or_else(|| "-".to_owned());
        let allow = self.allow(document);
        let mut chosen = Vec::new();
        for (place, site) in sites.iter().enumerate() {
            if asking.quit {
                break;
            }
            if !asking.all {
                let alone = self.pass(tree, std::slice::from_ref(site), &limits(&self.request.reading), allow);
                let diff = alone
                    .map_or_else(|_| String::new(), |alone| unified(&path, tree.text(), alone.outcome.tree.text()));
                let line = tree.start(site.node).line;
                let proposal = Proposal { path: path.clone(), line, number: (place + 1, sites.len()), diff };
                match self.engine.host.observer.decide(&proposal) {
                    Decision::Yes => {}
                    Decision::No => continue,
                    Decision::All => asking.all = true,
                    Decision::Quit => {
                        asking.quit = true;
                        break;
                    }
                }
            }
            chosen.push(site.clone());
        }
        let counts = MatchCounts { matches: sites.len(), ..MatchCounts::default() };
        if chosen.is_empty() {
            return self.engine.change(document, tree, counts, self.write_options);
        }
        match self.pass(tree, &chosen, &limits(&self.request.reading), allow) {
            Ok(pass) => {
                let counts = MatchCounts { applied: pass.changed, ..counts };
                self.engine.change(document, &pass.outcome.tree, counts, self.write_options)
            }
            Err(error) => Change::refused(Some(&path), counts, error),
        }
    }
}

/// What a query finds, as what is rewritten; by place, outer ones first, as the edits count them.
fn sites(found: Vec<Match>) -> Vec<Site> {
    found.into_iter().map(|found| Site { node: found.node, captures: found.captures }).collect()
}

/// The error of a rewrite that makes the text longer with each pass.
fn growing(passes: usize, limit: usize) -> EngineError {
    endless(format!("each pass makes the text longer: more than {limit} bytes after {passes} passes"))
}

fn endless(message: String) -> EngineError {
    EngineError::new(ErrorCode::Budget, message)
        .hint("narrow the selector so that it does not match what the template makes")
}

/// Why a template can't be read or filled, as the engine's error.
pub(crate) fn untemplated(error: &edit::TemplateError) -> EngineError {
    use edit::TemplateError as Wrong;
    let hint = match error {
        Wrong::UnknownCapture { known, .. } => {
            let names: Vec<String> = known.iter().map(|name| format!("`${name}`")).collect();
            let known = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            format!("captured are: {known}; `$0` is the whole match, `@name` behind a step captures more")
        }
        Wrong::UnknownFilter { .. } => format!("one of `{}`", edit::FILTERS.join("`, `")),
        Wrong::BadRegex { .. } => "`s/re/to/` takes a regular expression".to_owned(),
    };
    EngineError::new(ErrorCode::from(error), error.to_string()).hint(hint)
}

/// Why a file wasn't rewritten, as the engine's error.
pub(crate) fn rewrite_error(error: &RewriteError, tree: &Tree, sites: &[Site]) -> EngineError {
    let error = match error {
        RewriteError::Template(error) => return untemplated(error),
        RewriteError::Edit(error) => error,
    };
    let code = ErrorCode::from(error);
    let site = error.operation().and_then(|site| sites.get(site));
    let line = site.map(|site| tree.start(site.node).line);
    let message = match line {
        Some(line) => format!("rewriting the match in line {line}: {error}"),
        None => error.to_string(),
    };
    let mut refused = EngineError::new(code, message);
    refused.details.line = line.or_else(|| error.line());
    refused.details.hint = match error {
        EditError::WouldBreakSyntax { .. } | EditError::WouldRestructure { .. } => {
            Some("narrow the selector so that it leaves this match out, or look at the template".into())
        }
        error => error.hint().map(Into::into),
    };
    refused
}
