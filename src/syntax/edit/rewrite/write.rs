//! Writes pieces one after the other, as edits.
//!
//! There is no recursion, however deeply matches nest. Bytes in the order of the text are left in place; only what
//! comes between them is an edit.

use super::RewriteError;
use super::compose::{ComposedBatch, Composer, Mark, Parens, Piece};
use crate::edit::{EditError, lines};
use crate::limits;
use crate::text::{Span, TextEdit};
use crate::tree::{Moved, ParseError};

/// The edits of a rewrite; an error if they would write more than the maximum size of a text.
pub(super) fn compose(composer: &Composer<'_>, parens: &Parens) -> Result<ComposedBatch, RewriteError> {
    let mut writer = Writer::new(composer, parens);
    let mut at = 0;
    while at < composer.sites.len() {
        let span = composer.spans[at];
        writer.copy_to(span.start());
        writer.stand_at(span.start());
        writer.run(Task::Site(at))?;
        at = composer.after(at, span.end());
    }
    writer.copy_to(composer.tree.text().len());
    Ok(writer.finish())
}

/// The text of a capture for a filter, with its inner sites rewritten.
fn text_of(composer: &Composer<'_>, number: usize, name: &str) -> Option<String> {
    let Some(span) = composer.bytes_of(number, name)? else { return Some(String::new()) };
    let parens = Parens::default();
    let mut writer = Writer::new(composer, &parens);
    writer.detach();
    // If this cannot be written, the whole is refused.
    writer.run(Task::Text { span, from: number + 1 }).ok()?;
    Some(writer.pending)
}

/// A writing task.
pub(super) enum Task {
    Piece(usize, Piece),
    /// Bytes with the sites in them, from the given one on.
    Text {
        span: Span,
        from: usize,
    },
    Site(usize),
    /// Shifts the indentation of lines from here on.
    Shift {
        from: String,
        to: String,
    },
    Unshift,
    /// The end of a capture's text, and of its parentheses.
    Close(usize),
    /// The end of a site's text.
    End(usize),
}

/// Executes tasks.
pub(super) struct Writer<'a> {
    composer: &'a Composer<'a>,
    parens: &'a Parens,
    composed: ComposedBatch,
    /// The old text up to here is done.
    cursor: usize,
    /// The replacement of the old text from `cursor` on.
    pub pending: String,
    /// The size of the new text.
    written: usize,
    /// The whitespace at the start of the current line; complete once something else is on the line.
    indentation: String,
    at_line_start: bool,
    /// Where the word of the match ends that was written last.
    source_end: Option<usize>,
    shifts: Vec<(String, String)>,
    /// The starts of open captures and sites.
    open: Vec<usize>,
    /// The indentations of the lines on which the open sites begin, and whether each is written in place.
    bases: Vec<(String, bool)>,
    /// The start of the line above which displaced comments go, in the old and in the new text.
    home: (usize, usize),
    /// Displaced comments: their place in the old and the new text, and their text.
    orphaned_comments: Vec<(usize, usize, String)>,
    /// Nothing is left in place: everything is written to `pending`.
    detached: bool,
}

impl<'a> Writer<'a> {
    pub fn new(composer: &'a Composer<'a>, parens: &'a Parens) -> Writer<'a> {
        Writer {
            composer,
            parens,
            composed: ComposedBatch {
                written: vec![false; composer.sites.len()],
                changed: vec![false; composer.sites.len()],
                ..ComposedBatch::default()
            },
            cursor: 0,
            pending: String::new(),
            written: 0,
            indentation: String::new(),
            at_line_start: false,
            source_end: None,
            shifts: Vec::new(),
            open: Vec::new(),
            bases: Vec::new(),
            home: (0, 0),
            orphaned_comments: Vec::new(),
            detached: false,
        }
    }

    pub fn detach(&mut self) {
        self.detached = true;
        self.cursor = usize::MAX;
    }

    /// Leaves the text up to an offset as it is, and starts writing there.
    pub fn copy_to(&mut self, offset: usize) {
        self.flush(self.cursor);
        let line = lines::line_start(self.composer.tree.text(), offset);
        self.written += offset - self.cursor;
        if line >= self.cursor {
            self.home = (line, self.written - (offset - line));
        }
        self.cursor = offset;
    }

    /// Takes the indentation of the line of an offset.
    pub fn stand_at(&mut self, offset: usize) {
        self.indentation = lines::indentation(self.composer.tree.text(), offset);
        self.at_line_start = false;
    }

    /// Replaces the old text up to `offset` by the pending text.
    fn flush(&mut self, offset: usize) {
        let span = Span::new(self.cursor, offset);
        if span.is_empty() && self.pending.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.pending);
        let old = self.composer.tree.text().slice(span);
        // Common beginnings and ends need no edit.
        let front = common_front(&old, &text);
        let back = common_back(&old[front..], &text[front..]);
        let edit = TextEdit::new(Span::new(span.start() + front, span.end() - back), &text[front..text.len() - back]);
        drop(old);
        if !edit.span.is_empty() || !edit.text.is_empty() {
            self.composed.edits.push(edit);
        }
        self.cursor = offset;
    }

    pub fn finish(mut self) -> ComposedBatch {
        if self.orphaned_comments.is_empty() {
            return self.composed;
        }
        // Text after such comments moves down.
        let mut added = Vec::with_capacity(self.orphaned_comments.len());
        let mut sum = 0;
        for (_, place, text) in &self.orphaned_comments {
            sum += text.len();
            added.push((*place, sum));
        }
        let moved = |offset: usize| {
            let before = added.partition_point(|(place, _)| *place <= offset);
            offset + before.checked_sub(1).map_or(0, |last| added[last].1)
        };
        for mark in &mut self.composed.marks {
            mark.new =
                Span::new(moved(mark.new.start()), moved(mark.new.end().max(1) - 1) + usize::from(mark.new.end() > 0));
        }
        for part in &mut self.composed.moved {
            part.to = moved(part.to);
        }
        let orphaned_comments =
            self.orphaned_comments.into_iter().map(|(at, _, text)| TextEdit::new(Span::at(at), text));
        let mut edits: Vec<TextEdit> = orphaned_comments.collect();
        edits.append(&mut self.composed.edits);
        edits.sort_by_key(|edit| (edit.span.start(), edit.span.end()));
        ComposedBatch { edits, ..self.composed }
    }

    pub fn run(&mut self, first: Task) -> Result<(), RewriteError> {
        let mut tasks = vec![first];
        while let Some(task) = tasks.pop() {
            if self.written > self.composer.longest {
                let (bytes, limit) = (self.written, self.composer.longest);
                return Err(EditError::Parse(ParseError::TooLarge { bytes, limit }).into());
            }
            // Short captures take more memory to keep track of than their text does.
            if self.composed.marks.len() + self.composed.moved.len() > limits::REWRITE_PIECES {
                return Err(EditError::TooManyPieces { limit: limits::REWRITE_PIECES }.into());
            }
            match task {
                Task::Site(number) => self.site(number, &mut tasks),
                Task::Piece(site, piece) => self.piece(site, piece, &mut tasks),
                Task::Text { span, from } => self.text(span, from, &mut tasks),
                Task::Shift { from, to } => self.shifts.push((from, to)),
                Task::Unshift => drop(self.shifts.pop()),
                Task::Close(place) => {
                    let start = self.open.pop().unwrap_or(self.written);
                    let site = self.open.pop().unwrap_or(0);
                    let new = Span::new(start, self.written);
                    self.composed.marks.push(Mark { site, place: Some(place), new });
                    if self.parens.contains(&(site, Some(place))) {
                        self.write(&self.composer.parens.1);
                    }
                }
                Task::End(site) => {
                    let start = self.open.pop().unwrap_or(self.written);
                    self.composed.marks.push(Mark { site, place: None, new: Span::new(start, self.written) });
                    if self.parens.contains(&(site, None)) {
                        self.write(&self.composer.parens.1);
                    }
                    let end = self.composer.spans[site].end();
                    if self.bases.pop().is_some_and(|(_, in_place)| in_place) && self.cursor <= end {
                        self.flush(end);
                    }
                }
            }
        }
        Ok(())
    }

    fn site(&mut self, number: usize, tasks: &mut Vec<Task>) {
        let mut comments = Vec::new();
        let plan = self.composer.pieces(number, &mut comments);
        self.composed.written[number] = true;
        let in_place = !self.detached && self.composer.spans[number].start() >= self.cursor;
        self.bases.push((self.indentation.clone(), in_place));
        if self.parens.contains(&(number, None)) {
            self.write(&self.composer.parens.0);
        }
        self.composed.changed[number] |= !plan.is_same;
        self.place_orphans(comments);
        self.open.push(self.written);
        tasks.push(Task::End(number));
        tasks.extend(plan.pieces.into_iter().rev().map(|piece| Task::Piece(number, piece)));
    }

    /// Puts displaced comments above the line in which the outermost site begins.
    fn place_orphans(&mut self, comments: Vec<String>) {
        if comments.is_empty() || self.detached {
            return;
        }
        let text = self.composer.tree.text();
        let (line, place) = self.home;
        let (indentation, newline) = (lines::indentation(text, line), self.composer.newline);
        let lines = comments.iter().map(|comment| format!("{indentation}{comment}{newline}")).collect();
        self.orphaned_comments.push((line, place, lines));
    }

    fn piece(&mut self, site: usize, piece: Piece, tasks: &mut Vec<Task>) {
        match piece {
            Piece::Source(span) => {
                let moved = self.moved_line(span);
                self.shifts.extend(moved.clone());
                self.source(span);
                self.shifts.truncate(self.shifts.len() - usize::from(moved.is_some()));
                self.source_end = Some(span.end());
            }
            Piece::Code(code) => {
                self.source_end = None;
                self.code(&code);
            }
            Piece::Filtered(place) => {
                let text = self.composer.filter(site, place, &|name| text_of(self.composer, site, name));
                self.write(&text);
            }
            Piece::Capture { span, place } => {
                self.source_end = Some(span.end());
                if self.parens.contains(&(site, Some(place))) {
                    self.write(&self.composer.parens.0);
                }
                self.open.push(site);
                self.open.push(self.written);
                let text = self.composer.tree.text();
                let from = lines::indentation(text, span.start());
                let is_one_line = !lines::breaks(text, span);
                tasks.push(Task::Close(place));
                let within = self.composer.spans[site].contains(span);
                let number = if within { site + 1 } else { self.composer.spans.len() };
                let mut to = self.indentation.clone();
                // Code in parentheses because of its line ends goes after the opening one.
                let is_first = lines::line_start(text, span.start()) + from.len() == span.start();
                if is_first && self.parens.contains(&(site, Some(place))) && !self.at_line_start {
                    to.push_str(&self.composer.units.0);
                }
                if is_one_line || from == to {
                    tasks.push(Task::Text { span, from: number });
                    return;
                }
                tasks.push(Task::Unshift);
                tasks.push(Task::Text { span, from: number });
                tasks.push(Task::Shift { from, to });
            }
        }
    }

    /// By how much the lines in the bytes after a word of the match move, where the template has its line deeper or less deep.
    fn moved_line(&self, span: Span) -> Option<(String, String)> {
        let text = self.composer.tree.text();
        let goes_on = self.source_end == Some(span.start()) && self.shifts.is_empty() && !self.at_line_start;
        if !goes_on || !lines::breaks(text, span) {
            return None;
        }
        let from = lines::indentation(text, span.start());
        let to = &self.indentation;
        match (to.strip_suffix(from.as_str()), from.strip_suffix(to.as_str())) {
            (Some(""), _) => None,
            (Some(more), _) => Some((String::new(), more.to_owned())),
            (None, Some(less)) => Some((less.to_owned(), String::new())),
            (None, None) => Some((from, to.clone())),
        }
    }

    /// Writes bytes with the sites in them.
    fn text(&mut self, span: Span, from: usize, tasks: &mut Vec<Task>) {
        let spans = &self.composer.spans;
        let from = from.min(spans.len());
        let first = from + spans[from..].partition_point(|site| site.start() < span.start());
        match spans.get(first) {
            Some(site) if site.end() <= span.end() => {
                self.source(Span::new(span.start(), site.start()));
                let next = self.composer.after(first, site.end());
                tasks.push(Task::Text { span: Span::new(site.end(), span.end()), from: next });
                tasks.push(Task::Site(first));
            }
            _ => self.source(span),
        }
    }

    /// Writes bytes of the old text, with shifted lines.
    fn source(&mut self, span: Span) {
        if self.shifts.is_empty() {
            self.keep(span);
            return;
        }
        let text = self.composer.tree.text();
        let fixed = &self.composer.fixed;
        let mut at = span.start();
        for line in text.line_at(span.start()) + 1..=text.line_at(span.end()) {
            let start = text.line_span(line).start();
            if start <= at || start > span.end() {
                continue;
            }
            let before = fixed.partition_point(|string| string.start() < start);
            let in_string = before.checked_sub(1).is_some_and(|string| start <= fixed[string].end());
            let here = lines::indentation(text, start);
            let moved = self.shifts.iter().rev().fold(here.clone(), |line, (from, to)| {
                match line.strip_prefix(from.as_str()) {
                    Some(rest) => format!("{to}{rest}"),
                    None => line,
                }
            });
            let is_blank = text.slice(text.line_span(line)).chars().all(lines::is_blank);
            if in_string || is_blank || moved == here || start + here.len() > span.end() {
                continue;
            }
            self.keep(Span::new(at, start));
            self.write(&moved);
            at = start + here.len();
        }
        self.keep(Span::new(at, span.end().max(at)));
    }

    /// Writes bytes of the old text unchanged: in place if they come next, else as a copy.
    fn keep(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        let text = self.composer.tree.text();
        if !self.detached && span.start() >= self.cursor {
            self.flush(span.start());
            self.cursor = span.end();
        } else {
            if !self.detached {
                self.composed.moved.push(Moved { from: span, to: self.written });
            }
            let copied = text.slice(span).into_owned();
            self.pending.push_str(&copied);
        }
        self.written += span.len();
        if lines::breaks(text, span) {
            let start = lines::line_start(text, span.end()).max(span.start());
            let line = text.slice(Span::new(start, span.end())).into_owned();
            self.begin_line(&line);
        } else if self.at_line_start {
            let line = text.slice(span).into_owned();
            self.go_on_line(&line);
        }
    }

    /// Writes code of the template. Its lines are indented relative to the line on which it begins, in the file's own
    /// style.
    fn code(&mut self, code: &str) {
        if !code.contains('\n') {
            self.write(code);
            return;
        }
        let base = self.bases.last().map_or(String::new(), |(base, _)| base.clone());
        let newline = self.composer.newline;
        let mut lines = code.split('\n');
        let mut text = lines.next().unwrap_or("").trim_end_matches('\r').to_owned();
        for line in lines {
            let content = line.trim_end_matches('\r').trim_start_matches(lines::is_blank);
            let indentation = &line[..line.len() - line.trim_start_matches(lines::is_blank).len()];
            text.push_str(newline);
            text.push_str(&base);
            text.push_str(&self.composer.convert(indentation));
            text.push_str(content);
        }
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        self.pending.push_str(text);
        self.written += text.len();
        match text.rfind(['\n', '\r']) {
            Some(end) => self.begin_line(&text[end + 1..]),
            None if self.at_line_start => self.go_on_line(text),
            None => {}
        }
    }

    fn begin_line(&mut self, line: &str) {
        self.indentation.clear();
        self.at_line_start = true;
        self.go_on_line(line);
    }

    fn go_on_line(&mut self, text: &str) {
        let blank = text.len() - text.trim_start_matches(lines::is_blank).len();
        self.indentation.push_str(&text[..blank]);
        self.at_line_start = blank == text.len();
    }
}

fn common_front(old: &str, new: &str) -> usize {
    let length = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    (0..=length).rev().find(|&at| old.is_char_boundary(at) && new.is_char_boundary(at)).unwrap_or(0)
}

fn common_back(old: &str, new: &str) -> usize {
    let length = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    let is_whole = |&back: &usize| old.is_char_boundary(old.len() - back) && new.is_char_boundary(new.len() - back);
    (0..=length).rev().find(is_whole).unwrap_or(0)
}
