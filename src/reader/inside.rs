//! Code in other languages in the files of a search.

use crate::language::Language;
use crate::reader::core::Reader;
use crate::reader::document::{Document, Origin, parse_error};
use crate::request::error::{EngineError, ErrorCode};
use crate::text::{EditSet, Span};
use crate::tree::{EditIntent, Edited, ParseLimits, Part, Tree};

/// The first id of the parts of a tree that is held. They are good for one revision, and none is ever an id of the tree itself or of
/// the parts of another one.
const HELD_PARTS: u32 = 1 << 31;

/// How many parts of a file are looked at for parts of their own.
const MOST_PARTS: usize = 10_000;

/// Of how many revisions one after the other the ids of parts differ.
const HELD_REVISIONS: u32 = 1 << 11;

impl Reader {
    /// A document, and all code in other languages in it, in order.
    pub(crate) fn with_inside(&self, document: Document, limits: &ParseLimits) -> Result<Vec<Document>, EngineError> {
        let inside = self.parts_of(&document, limits, &|_, _| true)?;
        Ok(std::iter::once(document).chain(inside).collect())
    }

    /// The languages of code inside of a text in `host`: all that there are, or more.
    pub(crate) fn languages_inside(&self, host: &'static Language, text: &str) -> Vec<&'static Language> {
        let mut found: Vec<&'static Language> = Vec::new();
        for rule in &host.spec().injections {
            for language in rule.languages_in(text, self.languages_known()) {
                if !found.iter().any(|known| known.name() == language.name()) {
                    found.push(language);
                }
            }
        }
        found
    }

    /// The parts of a document in other languages for whose language and code `is_wanted` holds, in order. Their ids follow those of the
    /// document and of the parts before them.
    pub(crate) fn parts_of(
        &self,
        document: &Document,
        limits: &ParseLimits,
        is_wanted: &dyn Fn(&'static Language, &str) -> bool,
    ) -> Result<Vec<Document>, EngineError> {
        let host = &document.tree;
        if host.language().spec().injections.is_empty() {
            return Ok(Vec::new());
        }
        let shown = self.shown_path(document);
        let mut first = match &document.origin {
            Origin::Held(row) => HELD_PARTS + row.head % HELD_REVISIONS * (HELD_PARTS / HELD_REVISIONS),
            _ => host.id_runs().next,
        };
        let mut documents = Vec::new();
        for part in self.parts_inside(host, limits)? {
            let code: String = part.spans.iter().map(|&span| host.text().slice(span)).collect();
            if !is_wanted(part.language, &code) {
                continue;
            }
            let tree = Tree::parse_part(host.text().clone(), &part, limits);
            let tree = tree.map_err(|error| parse_error(&error, shown.as_deref()))?.with_ids_from(first);
            first = tree.id_runs().next;
            documents.push(document.with_tree(tree).at_path(shown.as_deref()));
        }
        Ok(documents)
    }

    /// The parts of a tree in other languages, and the parts of those: the script of a page in a file of PHP. In order.
    fn parts_inside(&self, host: &Tree, limits: &ParseLimits) -> Result<Vec<Part>, EngineError> {
        let mut found = host.parts(self.languages_known());
        let mut next = 0;
        while let Some(part) = found.get(next) {
            next += 1;
            let language = part.language;
            if language.spec().injections.is_empty() || next > MOST_PARTS {
                continue;
            }
            let code: String = part.spans.iter().map(|&span| host.text().slice(span)).collect();
            if !self.languages_inside(language, &code).is_empty() {
                let tree = Tree::parse_part(host.text().clone(), part, limits);
                let inner = tree.map_err(|error| parse_error(&error, None))?.parts(self.languages_known());
                // A part is never a part of itself.
                let is_smaller = |inner: &Part, part: &Part| inner.span().len() < part.span().len();
                let part = found[next - 1].clone();
                let inner: Vec<Part> = inner
                    .into_iter()
                    .filter(|inner| is_smaller(inner, &part))
                    .filter_map(|inner| inner.inside(&part))
                    .collect();
                found.extend(inner);
            }
        }
        found.sort_by_key(|part| (part.span().start(), std::cmp::Reverse(part.span().end())));
        Ok(found)
    }

    /// The whole document after edits of code in it, if the code is the same part of it as before.
    ///
    /// # Errors
    /// If it is not, or the whole has a syntax error that it had not.
    pub(crate) fn edited_around(
        &self,
        document: &Document,
        edited: &Tree,
        edits: &EditSet,
        limits: &ParseLimits,
    ) -> Result<Edited, EngineError> {
        let whole = document.tree.edit(edits, &EditIntent::default(), limits);
        let whole = whole.map_err(|error| parse_error(&error, None))?;
        let parts = self.parts_inside(&whole.tree, limits)?;
        match edited.part() {
            Some(part)
                if !parts.iter().any(|now| now.is_at(part)) || document.tree.is_sound() && !whole.tree.is_sound() =>
            {
                Err(left_its_part(part, whole.tree.text().line_at(part.span().start())))
            }
            _ => Ok(whole),
        }
    }

    /// The tree of a whole file after `edit` has changed the code in other languages in it: each part in `inside`, with its number, from
    /// the last to the first, becomes the tree that it returns.
    ///
    /// # Errors
    /// The first of `edit`; if the edited code ends its part of the file, or begins another.
    pub(crate) fn with_edited_parts(
        &self,
        document: &Document,
        inside: &[Document],
        limits: &ParseLimits,
        edit: &mut dyn FnMut(usize, Document) -> Result<Option<Tree>, EngineError>,
    ) -> Result<Tree, EngineError> {
        let mut host = document.tree.clone();
        for (number, part) in inside.iter().enumerate().rev() {
            let Some(old) = part.tree.part() else { continue };
            let now = self.parts_inside(&host, limits)?;
            // What was changed before comes later in the text, or is inside of a hole of this part.
            let Some(part_now) = now.iter().find(|now| now.starts_with(old)) else {
                return Err(left_its_part(old, document.tree.text().line_at(old.span().start())));
            };
            let tree = Tree::parse_part(host.text().clone(), part_now, limits);
            let tree = tree.map_err(|error| parse_error(&error, None))?;
            let tree = part.with_tree(tree).at_path(part.tree.path());
            let Some(edited) = edit(number, tree)? else { continue };
            let whole = Tree::parse(edited.text().clone(), host.language(), limits);
            let whole = whole.map_err(|error| parse_error(&error, None))?;
            let parts = self.parts_inside(&whole, limits)?;
            if !edited.part().is_some_and(|new| parts.iter().any(|now| now.is_at(new))) {
                return Err(left_its_part(old, document.tree.text().line_at(old.span().start())));
            }
            host = match host.path() {
                Some(path) => whole.with_path(path),
                None => whole,
            };
        }
        Ok(host)
    }
}

/// Code that would no longer be all of its part of a file, and nothing else: a `</script>` in a string of a script.
fn left_its_part(part: &Part, line: usize) -> EngineError {
    let language = part.language.name();
    let message =
        format!("the `{language}` code that begins in line {line} would end elsewhere in the file than before");
    EngineError::new(ErrorCode::WouldBreakSyntax, message)
        .hint("what ends such code may not be in it, not even in a string: write it in two pieces")
}

/// The number of the document in whose code a place is: of a document and the code in it, the innermost.
pub(crate) fn document_at(documents: &[Document], place: Span) -> usize {
    let holds = |document: &Document| {
        let part = document.tree.part();
        part.is_some_and(|part| {
            part.spans.iter().any(|span| span.start() <= place.start() && place.end() <= span.end())
        })
    };
    documents.iter().rposition(holds).unwrap_or(0)
}
