//! Results as a model reads them: in few words, and of limited length.
//!
//! A page holds a limited number of characters. What does not fit is cut at the end of a line, and the last line says how much is
//! missing and how to get it.

use std::fmt::Write;

use serde_json::Value;

use super::arguments::Arguments;
use super::revisions::{Mark, Revisions};
use super::terms::name;
use crate::engine::*;

/// Room for the line that says what was cut.
const CLOSING: usize = 600;
/// How many of a kind of trouble are named.
const NAMED: usize = 5;
/// How much of a line is shown where it is not code.
const LONGEST: usize = 500;
/// How much of a capture is shown.
const CAPTURE: usize = 80;
/// How much of a name is shown.
pub(super) const NAME: usize = 200;
/// How much of a page a file of an outline has at least.
const SHARE: usize = 400;
/// How much of a match's code is shown in a list.
const EXCERPT: usize = 2000;

/// What to do where nothing was found.
fn nothing_found(searched: usize, near: &[String]) -> &'static str {
    match (searched, near) {
        (0, _) => "; no file was searched: look at path, glob and language",
        (_, []) => "; explain shows what each step found",
        _ => "",
    }
}

/// A result's text, as long as it may be.
pub(super) struct Page {
    text: String,
    /// How many characters are left.
    left: usize,
    /// Whether something did not fit.
    pub(super) is_full: bool,
    /// How many characters are left for the closing lines.
    closing: usize,
    /// Lines dropped and not yet reported.
    pub(super) dropped: usize,
}

impl Page {
    /// An empty page.
    pub fn new(max_chars: usize) -> Page {
        let left = max_chars.saturating_sub(CLOSING);
        Page { text: String::new(), left, is_full: false, closing: CLOSING, dropped: 0 }
    }

    /// The page with a result on it.
    pub fn shown(mut self, response: &Response, arguments: &Arguments, revisions: &mut Revisions) -> String {
        self.named_selectors(response);
        match response {
            Response::Find(found) => self.found(found, arguments, revisions),
            Response::Outline(outlined) => self.render_outline(outlined, arguments, revisions),
            Response::Show(shown) => self.nodes(shown, arguments, revisions),
            Response::Modify(modified) => self.render_modify(modified, arguments.is_preview, revisions),
            Response::Rewrite(changes) | Response::Run(changes) => self.render_changes(changes, arguments.is_preview),
            Response::Refactor(done) => self.render_refactor(done, arguments.is_preview),
            Response::Explain(explained) => self.render_explain(explained, arguments.asks_for_words()),
            Response::Refs(found) => self.references(found),
            Response::Calls(found) => self.calls(found),
            Response::Hierarchy(found) => self.hierarchy(found),
            Response::Symbols(found) => self.symbols(found),
            Response::Search(found) => self.search_results(found),
            Response::Map(found) => self.map(found),
            Response::Unused(found) => self.unused(found),
            Response::Impact(found) => self.impact(found),
            Response::Undo(step) | Response::Redo(step) => self.render_step(step, revisions),
            Response::Load(loaded) => self.render_load(loaded),
            Response::Diff(differences) => self.differences(differences),
            Response::Save(saved) => self.render_save(saved),
            Response::Trees(held) => self.render_trees(held),
            Response::Drop(dropped) => {
                dropped.dropped.iter().for_each(|id| _ = self.line(&format!("{id}  dropped")));
            }
            other => _ = self.lines(&serde_json::to_string(other).unwrap_or_default()),
        }
        self.finish()
    }

    /// What a step back or forward did.
    fn render_step(&mut self, step: &StepResponse, revisions: &mut Revisions) {
        match step {
            StepResponse::One(tree) => self.render_modify(tree, false, revisions),
            StepResponse::Many { trees } => trees.iter().for_each(|tree| self.render_modify(tree, false, revisions)),
            StepResponse::Transaction { restored, .. } => {
                restored.iter().for_each(|path| _ = self.line(&format!("{path}  restored")));
            }
        }
    }

    /// The project's named selectors that a request used: who asks may not know what they mean.
    fn named_selectors(&mut self, response: &Response) {
        const LONGEST: usize = 200;
        let used = match response {
            Response::Find(found) => &found.selectors,
            Response::Explain(explained) => &explained.selectors,
            Response::Modify(modified) => &modified.selectors,
            Response::Rewrite(changes) | Response::Run(changes) => &changes.selectors,
            _ => return,
        };
        for used in used.iter().take(NAMED) {
            let definition: String = used.definition.chars().take(LONGEST).collect();
            self.line(&format!("{} defines {definition}", used.path));
        }
    }

    /// Adds a line, if it fits; whether it did.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let length = line.chars().count() + 1;
        if self.is_full || length > self.left {
            self.is_full = true;
            self.dropped += 1;
            return false;
        }
        self.left -= length;
        self.text.push_str(line);
        self.text.push('\n');
        true
    }

    /// Adds lines, all or none; whether they fitted.
    fn block(&mut self, block: &str) -> bool {
        if self.is_full || block.chars().count() + 1 > self.left {
            self.is_full = true;
            return false;
        }
        self.lines(block) == 0
    }

    /// Adds the lines that fit; how many did not.
    fn lines(&mut self, text: &str) -> usize {
        text.lines().filter(|line| !self.line(line)).count()
    }

    /// Says how to get what did not fit, for which room was kept.
    pub(super) fn close(&mut self, line: &str) {
        self.dropped = 0;
        let before = self.text.len();
        self.text.extend(line.chars().take(self.closing.saturating_sub(1)));
        self.closing -= self.text[before..].chars().count();
        if self.closing > 0 {
            self.text.push('\n');
            self.closing -= 1;
        }
    }

    fn finish(mut self) -> String {
        if self.dropped > 0 {
            self.close(&format!("… {}: ask for less at once", count(self.dropped, "more line")));
        }
        let end = self.text.trim_end_matches('\n').len();
        self.text.truncate(end);
        if self.text.is_empty() { "done".to_owned() } else { self.text }
    }

    fn found(&mut self, found: &FindResponse, arguments: &Arguments, revisions: &mut Revisions) {
        // A cursor that is cut is useless. Besides it the closing line has some hundred characters.
        let more = (found.longest_cursor() + CLOSING / 2).saturating_sub(CLOSING).min(self.left / 2);
        self.left -= more;
        self.closing += more;
        let mut listed = 0;
        for row in &found.matches {
            let revision = revision_of(row, found);
            let mark = revisions.show(row.path.as_deref(), revision.as_ref());
            let mut lines = heading(row, &mark);
            if let Some(code) = &row.code {
                let most = if arguments.shows_code { self.left.saturating_sub(NAME * 2).max(EXCERPT) } else { EXCERPT };
                let _ = write!(lines, "\n{}", excerpt(row, code, most));
            }
            // All of a match or nothing of it.
            if !self.block(&lines) {
                break;
            }
            listed += 1;
        }
        let FilesReport { searched, matched, unsearched, unknown_language, .. } = &found.files;
        let total = found.total;
        let mut summary = match (*searched, *unsearched) {
            (searched, 0) => format!("{} in {matched} of {}", count(total, "match"), count(searched, "file")),
            (searched, left) => {
                format!(
                    "{} in {matched} of {}; {left} not searched yet",
                    count(total, "match"),
                    count(searched, "file")
                )
            }
        };
        if *unknown_language > 0 {
            let _ = write!(summary, ", {} in an unrecognised language", count(*unknown_language, "file"));
        }
        let is_continued = matches!(&arguments.request, Request::Find(FindRequest { cursor: Some(_), .. }));
        if is_continued {
            summary.insert_str(0, "after the cursor: ");
        }
        if let Some(path) = &found.relisted {
            let _ = write!(summary, "; {path} changed since the cursor, so its matches are listed again");
        }
        if listed < total || *unsearched > 0 {
            let cursor = found.cursor_after(listed).map(|cursor| format!("go on with cursor \"{cursor}\", or "));
            let _ = write!(summary, "; {listed} listed: {}narrow the selector", cursor.unwrap_or_default());
        } else if total == 0 && !is_continued {
            summary.push_str(nothing_found(*searched, &found.near));
        }
        self.close(&summary);
        found.near.iter().for_each(|near| _ = self.line(&format!("near: {near}")));
        self.trouble(&found.files.with_errors, &found.files.skipped);
    }

    /// Files that weren't what they should be.
    pub(super) fn trouble(&mut self, with_errors: &[String], skipped: &[Skipped]) {
        if !with_errors.is_empty() {
            let named = with_errors.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if with_errors.len() > NAMED { ", …" } else { "" };
            self.line(&format!("{} with syntax errors: {named}{more}", count(with_errors.len(), "file")));
        }
        for skipped in skipped.iter().take(NAMED) {
            let EngineError { code, message, details } = &skipped.error;
            let hint = details.hint.as_ref().and_then(|hint| hint.worded(name));
            let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            self.line(&format!("skipped {}: {code}: {message}{hint}", skipped.path));
        }
        if skipped.len() > NAMED {
            self.line(&format!("{} more skipped", skipped.len() - NAMED));
        }
    }

    fn render_outline(&mut self, outlined: &OutlineResponse, arguments: &Arguments, revisions: &mut Revisions) {
        let (mut place, mut rest) = (0, Vec::new());
        let texts: Vec<Vec<String>> = outlined
            .files
            .iter()
            .map(|file| outline_lines(file, &revisions.show(file.path.as_deref(), file.revision.as_ref())))
            .collect();
        let length = |lines: &Vec<String>| lines.iter().map(|line| line.chars().count() + 1).sum::<usize>();
        let shares = texts.len() > 1 && texts.iter().map(length).sum::<usize>() > self.left;
        for (number, (file, text)) in outlined.files.iter().zip(&texts).enumerate() {
            if shares && place >= arguments.skipped && !self.is_full {
                // Each file that is left has as much of the page, as long as that is some lines.
                let left = (texts.len() - number).min((self.left / SHARE).max(1));
                let most = self.left / left;
                if length(text) > most && left > 1 {
                    self.part_of_outline(text, most);
                    place += text.len();
                    continue;
                }
            }
            let is_cut = self.is_full;
            let lines = text.len();
            if place < arguments.skipped && arguments.skipped < place + lines {
                self.line(&format!("{} (continued)", file.path.as_deref().unwrap_or("-")));
            }
            for line in text {
                // A page has to move on, whatever a line holds.
                let is_shown = place < arguments.skipped || self.line(&shorten(line, LONGEST));
                place += usize::from(is_shown);
            }
            if is_cut {
                rest.extend(file.path.as_deref());
            }
        }
        if self.is_full {
            let closing = format!("… go on with cursor \"{place}\", or narrow by path, kinds or depth");
            let more = if rest.is_empty() { String::new() } else { format!("; not shown yet: {}", rest.join(" ")) };
            self.close(&shorten(&format!("{closing}{more}"), CLOSING / 2));
        }
        if outlined.more_files > 0 {
            let more = count(outlined.more_files, "more file");
            self.close(&format!("{more} (limit reached: narrow the path, or limit)"));
        }
        if outlined.unknown_language > 0 {
            self.close(&format!("{} in an unrecognised language", count(outlined.unknown_language, "file")));
        }
        self.trouble(&[], &outlined.skipped);
        if outlined.files.is_empty() && outlined.more_files == 0 {
            self.line("no files with definitions");
        }
    }

    /// As many lines of an outline as its share of the page holds, and how many there are more.
    fn part_of_outline(&mut self, lines: &[String], most: usize) {
        const MORE: usize = 60;
        let mut left = most.saturating_sub(MORE);
        let mut shown = 0;
        for line in lines {
            let line = shorten(line, LONGEST);
            let length = line.chars().count() + 1;
            if shown > 0 && length > left {
                break;
            }
            left = left.saturating_sub(length);
            if !self.line(&line) {
                break;
            }
            shown += 1;
        }
        self.line(&format!("          … {}: outline this file", count(lines.len() - shown, "more line")));
    }

    /// Nodes with what was asked of them. Where the page is full, the cursor leads to the first character that is not on it.
    fn nodes(&mut self, shown: &ShowResponse, arguments: &Arguments, revisions: &mut Revisions) {
        let (first, offset) = arguments.node_cursor();
        for (row, place) in shown.nodes.iter().zip(first..) {
            let mark = revisions.show(row.path.as_deref(), Some(&shown.revision));
            if !self.line(&heading(row, &mark)) {
                self.close(&format!("… cut: go on with cursor \"{place}.0\""));
                return;
            }
            let start = if place == first { offset } else { 0 };
            let tree = row.tree.as_ref().and_then(Value::as_str).map(str::to_owned);
            // The code as it is in the file: its first line with the indentation that it has there.
            let code = row.code.as_ref().map(|code| format!("{}{code}", row.indent));
            let indent = if code.is_some() { row.indent.chars().count() } else { 0 };
            for text in [&code, &row.signature, &tree].into_iter().flatten() {
                let fitting = self.fitting(text);
                self.block(&text[..fitting]);
                if fitting < text.len() {
                    let next = start + text[..fitting].chars().count().saturating_sub(indent);
                    self.close(&format!("… cut: go on with cursor \"{place}.{next}\""));
                    return;
                }
            }
            if let Some(tree) = row.tree.as_ref().filter(|tree| !tree.is_string()) {
                self.line(&tree.to_string());
            }
            for outer in row.parents.iter().flatten() {
                self.line(&format!("in {}", heading(outer, &mark)));
            }
            let first_child = arguments.child_cursor(place);
            for (child, number) in row.children.iter().flatten().zip(first_child..) {
                if !self.line(&format!("has {}", heading(child, &mark))) {
                    self.close(&format!("… cut: go on with cursor \"{place}.c{number}\""));
                    return;
                }
            }
        }
        if shown.truncated && shown.cursor.is_none() {
            self.close("… shown less deep than asked for: show the nodes inside of it");
        }
        if let Some(cursor) = &shown.cursor {
            self.close(&format!("… cut: go on with cursor \"{cursor}\""));
        }
    }

    /// How many bytes of a text fit: all of it, or up to the end of a line, or if not even one fits, as much of that as there is
    /// room for.
    fn fitting(&self, text: &str) -> usize {
        let room = self.left.saturating_sub(1);
        let Some((end, _)) = text.char_indices().nth(room) else { return text.len() };
        text[..end].rfind('\n').map_or(end, |line_end| line_end + 1)
    }

    fn render_modify(&mut self, modified: &ModifyResponse, is_preview: bool, revisions: &mut Revisions) {
        let path = modified.path.as_deref();
        let state = match (&modified.tree_id, path) {
            _ if is_preview => "nothing is written (dry_run)".to_owned(),
            (_, Some(path)) if modified.written => format!("written: {path}"),
            (Some(tree), _) => format!("staged in {tree}: session save writes it"),
            _ => "nothing changes".to_owned(),
        };
        let mut summary = format!("{} applied", count(modified.applied, "operation"));
        if let Revision::Number(number) = modified.revision {
            let _ = write!(summary, ", revision {number}");
        }
        self.line(&format!("{summary}, {state}"));
        modified.notes.iter().for_each(|note| _ = self.line(&format!("note: {note}")));
        self.trouble(&modified.with_errors, &[]);
        // What a preview made isn't there.
        let mark = match modified.written {
            true => revisions.edited(path, &modified.revision, modified.carried.as_ref()),
            false => Mark::default(),
        };
        for operation in &modified.operations {
            for node in &operation.nodes {
                // A definition's own name stands with the definition.
                let holds = |other: &MadeNode| other.qualname == node.qualname && other.node_id != node.node_id;
                if node.kind == "name" && operation.nodes.iter().any(holds) {
                    continue;
                }
                let name = node.qualname.as_deref().unwrap_or("-");
                let (start, end) = (node.start_line, node.end_line);
                let id = if is_preview { String::new() } else { format!("  {}", mark.on(&node.node_id)) };
                self.line(&format!("{}  {}  {name}  {start}-{end}{id}", operation.op, node.kind));
            }
            operation.notes.iter().for_each(|note| _ = self.line(&format!("note: {note}")));
        }
        if !modified.removed.is_empty() && modified.tree_id.is_some() {
            let gone = modified.removed.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = if modified.removed.len() > 20 { " …" } else { "" };
            self.line(&format!("gone: {gone}{more}"));
        }
        if let Some(backup) = &modified.backup {
            self.line(&format!("backup {backup}"));
        }
        self.diff(modified.diff.as_deref());
    }

    fn diff(&mut self, diff: Option<&str>) {
        let missing = self.lines(diff.unwrap_or_default());
        if missing > 0 {
            self.close(&format!("… {missing} more lines of the diff: change less at once, or show the nodes"));
        }
    }

    fn render_changes(&mut self, changes: &ChangesResponse, is_preview: bool) {
        let changed = changes.files.iter().filter(|file| file.is_changed()).count();
        let mut summary = format!(
            "{}, {} changed in {changed} of {}",
            count(changes.matches, "match"),
            changes.applied,
            count(changes.searched, "file")
        );
        let is_staged = changes.files.iter().any(|file| file.tree_id.is_some());
        match &changes.transaction {
            Some(transaction) => {
                let _ = write!(summary, "; written: session undo with transaction {transaction} takes it back");
            }
            None if changes.matches == 0 => summary.push_str(nothing_found(changes.searched, &changes.near)),
            None if is_preview => summary.push_str("; nothing is written (dry_run)"),
            None if is_staged => summary.push_str("; staged: session save writes it"),
            None => summary.push_str("; nothing is written"),
        }
        self.line(&summary);
        if let Some(verified) = &changes.verified {
            self.line(&shorten(&verified.sentence(), LONGEST));
        }
        changes.near.iter().for_each(|near| _ = self.line(&format!("near: {near}")));
        for file in &changes.files {
            if let Some(error) = &file.error {
                let line = error.details.line.map(|line| format!(":{line}")).unwrap_or_default();
                self.line(&format!("left out {}{line}: {}: {}", file.path, error.code.as_str(), error.message));
            }
            file.notes.iter().for_each(|note| _ = self.line(&format!("{}: {note}", file.path)));
        }
        changes.notes.iter().for_each(|note| _ = self.line(note));
        self.trouble(&changes.with_errors, &changes.skipped);
        let mut unlisted = 0;
        for file in changes.files.iter().filter(|file| file.is_changed()) {
            let fits = match &file.diff {
                Some(diff) => self.lines(diff) == 0,
                None => {
                    let lines = file.changed_ranges.iter().take(NAMED);
                    let lines: Vec<String> =
                        lines.map(|lines| format!("{}-{}", lines.start_line, lines.end_line)).collect();
                    let more = if file.changed_ranges.len() > NAMED { ", …" } else { "" };
                    self.line(&format!("{}  {} changed  {}{more}", file.path, file.applied, lines.join(", ")))
                }
            };
            unlisted += usize::from(!fits);
        }
        if unlisted > 0 {
            self.close(&format!("… {} not shown whole: name fewer to see them", count(unlisted, "changed file")));
        }
    }

    fn render_refactor(&mut self, done: &RefactorResponse, is_preview: bool) {
        let names: Vec<&str> = done.symbols.iter().map(|symbol| symbol.qualname.as_str()).take(NAMED).collect();
        let included = if done.included == 0 { String::new() } else { format!(", {} included", done.included) };
        let second = done.second_opinion.as_ref().map_or_else(String::new, |second| {
            format!(", all confirmed by the language server; {} more found only by it", second.only_server)
        });
        let counts = format!("{} certain{second}{included}, {} left", done.certain, done.left.len());
        self.line(&format!("{}: {counts}", names.join(", ")));
        if let Some(notice) = done.project.notice() {
            self.line(&notice);
        }
        for (round, number) in done.decided.iter().zip(1..) {
            self.line(&shorten(&format!("run {number}, {}", round.sentence()), LONGEST));
        }
        self.render_changes(&done.changes, is_preview);
        for place in &done.left {
            let line = shorten(&place.text, NAME);
            if !self.line(&format!("left {}:{}:{}  {}: {line}", place.path, place.line, place.col, place.why)) {
                self.close("… more places are left");
                return;
            }
        }
    }

    fn render_explain(&mut self, explained: &ExplainResponse, lists_words: bool) {
        self.line(&format!("read as: {}", explained.read_as));
        for step in &explained.steps {
            let nodes = step.nodes.map(|nodes| format!("  {}", count(nodes, "node"))).unwrap_or_default();
            self.line(&format!("  {}{nodes}", step.step));
        }
        explained.near.iter().for_each(|near| _ = self.line(&format!("near: {near}")));
        if !lists_words {
            self.line("the words there are: explain `*`");
        }
        for (purpose, words) in explained.words.iter().filter(|_| lists_words) {
            self.line(&format!("{purpose}: {}", words.join(" ")));
        }
        if self.is_full {
            self.close("… more words do not fit");
        }
    }

    fn render_load(&mut self, loaded: &LoadResponse) {
        for tree in &loaded.trees {
            let path = tree.path.as_deref().unwrap_or("-");
            let errors = match tree.errors.as_slice() {
                [] => String::new(),
                errors => format!("  {}", count(errors.len(), "syntax error")),
            };
            self.line(&format!("{}  {path}  {}  {}{errors}", tree.tree_id, tree.language, count(tree.lines, "line")));
            for definition in tree.outline.iter().flatten() {
                let indent = "  ".repeat(definition.depth + 1);
                let DefinitionRow { start_line, end_line, signature, node_id, .. } = definition;
                self.line(&format!("{indent}{start_line}-{end_line}  {signature}  {node_id}"));
            }
        }
        if self.is_full {
            let more = count(self.dropped, "more line");
            self.close(&format!(
                "… {more} of {}: load fewer at once, or session list",
                count(loaded.trees.len(), "tree")
            ));
        }
    }

    fn differences(&mut self, differences: &DiffResponse) {
        for (tree, place) in differences.trees.iter().zip(0..) {
            if tree.diff.is_empty() {
                self.line(&format!("{}  no difference", tree.tree_id));
            }
            self.diff(Some(&tree.diff));
            let left = differences.trees.len() - place - 1;
            if self.is_full && left > 0 {
                self.close(&format!("… the diffs of {} do not fit: name fewer at once", count(left, "more tree")));
                return;
            }
        }
    }

    fn render_save(&mut self, saved: &SaveResponse) {
        for tree in &saved.saved {
            let what = match (tree.written, tree.merged) {
                (false, _) => "unchanged",
                (true, false) => "written",
                (true, true) => "merged and written",
            };
            let backup = tree.backup.as_ref().map(|id| format!("  backup {id}")).unwrap_or_default();
            self.line(&format!("{}  {}  {what}{backup}", tree.tree_id, tree.path));
        }
    }

    fn render_trees(&mut self, held: &TreesResponse) {
        // The last one loaded is the one that is looked for.
        for tree in held.trees.iter().rev() {
            let state = if tree.unsaved { "unsaved" } else { "saved" };
            let path = tree.path.as_deref().unwrap_or("-");
            self.line(&format!("{}  {path}  {}  revision {}  {state}", tree.tree_id, tree.language, tree.revision));
        }
        if held.trees.is_empty() {
            self.line("no trees are loaded: session load with path");
        }
        if self.is_full {
            let more = count(self.dropped, "more tree");
            self.close(&format!("… {more}, older ones: drop those that are not needed"));
        }
    }
}

/// `path:line:col  kind  qualname  node_id`, and what captures hold.
fn heading(row: &NodeRow, mark: &Mark) -> String {
    let path = row.path.as_deref().unwrap_or("-");
    let name = shorten(row.qualname.as_deref().or(row.name.as_deref()).unwrap_or("-"), NAME);
    let mut heading = format!("{path}:{}:{}: {}  {name}", row.start_line, row.start_col, row.kind);
    if let Some(id) = &row.node_id {
        let _ = write!(heading, "  {}", mark.on(id));
    }
    for (name, capture) in row.captures.iter() {
        let short = shorten(&capture.text.replace('\n', " "), CAPTURE);
        let _ = write!(heading, "  {name}=`{short}`");
    }
    heading
}

/// A line, cut where it is too long.
pub(super) fn shorten(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}

/// The lines of a file's outline.
fn outline_lines(file: &OutlinedFile, mark: &Mark) -> Vec<String> {
    let mut lines = vec![format!("{}  {}", file.path.as_deref().unwrap_or("-"), file.about())];
    for row in &file.definitions {
        let indent = "  ".repeat(row.depth);
        let range = format!("{}-{}", row.start_line, row.end_line);
        lines.push(format!("{range:>8}  {indent}{}  {}", row.signature, mark.on(&row.node_id)));
        lines.extend(row.doc.iter().map(|doc| format!("{:>8}  {indent}  {doc}", "")));
    }
    lines
}

/// Code below a heading, as it is in the file.
fn excerpt(row: &NodeRow, code: &str, most: usize) -> String {
    let mut shown = row.indent.clone();
    match code.char_indices().nth(most) {
        Some((end, _)) => {
            shown.push_str(&code[..end]);
            shown.push_str("\n… (show the node for the rest)");
        }
        None => shown.push_str(code),
    }
    shown
}

/// The content of its file that a match is of.
fn revision_of(row: &NodeRow, found: &FindResponse) -> Option<Revision> {
    let of_folder = row.path.as_ref().and_then(|path| found.files.revisions.get(path));
    of_folder.map(|hash| Revision::Hash(hash.clone())).or_else(|| found.revision.clone())
}

pub(super) fn count(number: usize, what: &str) -> String {
    let ending = match what {
        _ if number == 1 => "",
        what if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {what}{ending}")
}
