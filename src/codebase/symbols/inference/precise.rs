//! Names whose meaning an index by another program knows. It counts as long as the line is what it was.

use std::rc::Rc;

use super::resolver::{Resolver, View};
use crate::modules::FileId;
use crate::symbols::model::{Meaning, PreciseFile, PreciseName, PrecisePlace, PreciseSpan, Site, Thing};
use crate::text::Span;
use crate::tree::Node;

/// The hash of a line and the one before it, without their ends. Equal lines often follow each other, so one alone could have moved
/// unnoticed.
pub fn line_hash(before: &str, line: &str) -> u32 {
    let plain = |line: &'_ str| line.trim_end_matches(['\n', '\r']).len();
    let bytes = before[..plain(before)].bytes().chain([b'\n']).chain(line[..plain(line)].bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    u32::from_le_bytes([a ^ e, b ^ f, c ^ g, d ^ h])
}

impl Resolver<'_> {
    /// The meaning of a name by an index; `None` if that says nothing that still counts.
    pub(in crate::symbols) fn precise_meaning(&self, view: &View<'_>, name: Node) -> Option<Meaning> {
        self.trees.precise()?;
        let names = self.precise_names(view);
        let mut things: Vec<Thing> = Vec::new();
        for &symbol in names.get(&view.tree.span(name))? {
            things.extend(self.precise_things(symbol));
        }
        things.sort_unstable();
        things.dedup();
        (!things.is_empty()).then_some(Meaning::Known(things))
    }

    fn precise_names(&self, view: &View<'_>) -> Rc<PreciseFile> {
        if let Some(known) = self.precise_files.borrow().get(&view.file) {
            return Rc::clone(known);
        }
        let mut found = PreciseFile::default();
        if let Some(precise) = self.trees.precise() {
            for PreciseName { span, symbol } in precise.names(&self.project().file(view.file).path) {
                if let Some(span) = still_there(view, span) {
                    found.entry(span).or_default().push(symbol);
                }
            }
        }
        let found = Rc::new(found);
        self.precise_files.borrow_mut().insert(view.file, Rc::clone(&found));
        found
    }

    /// What a symbol of the index is, as the files have it now.
    fn precise_things(&self, symbol: u32) -> Vec<Thing> {
        if let Some(known) = self.precise_symbols.borrow().get(&symbol) {
            return known.clone();
        }
        let places = self.trees.precise().map(|precise| precise.places(symbol)).unwrap_or_default();
        let mut found = Vec::new();
        for PrecisePlace { path, span } in places {
            let Some(file) = self.project().at(&path) else { continue };
            let Some(name) = self.precise_node(file, span) else { continue };
            match self.own_meaning(file, name) {
                Meaning::Known(mut things) => found.append(&mut things),
                _ => found.push(Thing::Symbol(Site { file, name })),
            }
        }
        self.precise_symbols.borrow_mut().insert(symbol, found.clone());
        found
    }

    fn precise_node(&self, file: FileId, span: PreciseSpan) -> Option<Node> {
        let view = self.view(file)?;
        let span = still_there(&view, span)?;
        let text = view.tree.text().slice(span);
        view.scopes.nodes_of(&text).iter().copied().find(|&node| view.tree.span(node) == span)
    }
}

/// Where a name is now: where it was, if its line is the same.
fn still_there(view: &View<'_>, span: PreciseSpan) -> Option<Span> {
    let text = view.tree.text();
    let line = span.line as usize + 1;
    if line > text.line_count() {
        return None;
    }
    let around = text.line_span(line);
    let before = text.slice(if line > 1 { text.line_span(line - 1) } else { Span::at(0) });
    if line_hash(&before, &text.slice(around)) != span.line_hash {
        return None;
    }
    let start = around.start() + span.start as usize;
    let end = start + span.length as usize;
    (end <= around.end()).then(|| Span::new(start, end))
}
