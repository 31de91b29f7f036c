//! The whole names of what moves in strings, comments and files without code.

use crate::edit::TextChange;
use crate::modules::FileId;
use crate::refactor::move_packages::crossing::Crossing;
use crate::refactor::move_packages::parcel::Parcel;
use crate::request::error::{EngineError, PlaceRow};
use crate::text::Span;
use crate::tree::Node;
use crate::workspace::files::Workspace;

/// The largest file without code that is read, in bytes.
const LARGEST: u64 = 1 << 20;

impl Crossing<'_, '_> {
    /// Refuses a move that leaves nothing in a package that is still imported.
    pub(super) fn check_empty(&mut self, mentioning: &[FileId]) {
        let is_empty = self.parcel.is_qualified()
            && self
                .parcel
                .whole
                .is_some_and(|whole| self.parcel.old.files.iter().all(|&file| file == whole || self.is_test(file)));
        if !is_empty {
            return;
        }
        for &file in mentioning.iter().filter(|&&file| Some(file) != self.parcel.whole) {
            let Some(tree) = self.resolver.tree(file) else { continue };
            for (node, folder) in self.resolver.imported_folders(file) {
                let is_dropped = self.dropped.iter().any(|(other, part)| {
                    *other == file && (tree.table().is_within(node, *part) || tree.table().is_within(*part, node))
                });
                if Some(folder) == self.parcel.old.number && !is_dropped {
                    let start = tree.span(node).start();
                    self.block(file, start, "nothing would be left of the package that it imports: move the folder");
                }
            }
        }
        let uses_old = self.new_imports.iter().any(|import| import.path == self.parcel.old.path);
        if uses_old && let Some(whole) = self.parcel.whole {
            self.block(whole, 0, "it needs its old package, of which only tests would be left");
        }
    }

    /// Rewrites whole names in comments.
    pub(super) fn rename_in_comments(&mut self, files: &[FileId]) {
        if self.parcel.is_qualified() {
            return;
        }
        let names = self.parcel.names(self.resolver);
        for &file in files {
            let Some(tree) = self.resolver.tree(file) else { continue };
            let comments: Vec<Node> = tree.table().nodes().filter(|&node| tree.is_comment(node)).collect();
            for comment in comments {
                let text = tree.node_text(comment).into_owned();
                for name in &names {
                    let full = format!("{}.{name}", self.parcel.old.name);
                    for at in places_of(&text, &full) {
                        let start = tree.span(comment).start() + at;
                        let span = Span::new(start, start + self.parcel.old.name.len());
                        let text = self.parcel.new.name.clone();
                        let extent = tree.span(comment);
                        let change = TextChange { span, text, extent };
                        if self.parcel.whole.is_none() && self.parcel.has(file, span) {
                            self.inner.push((file, change));
                        } else {
                            self.redirected.entry(file).or_default().changes.change_once(change);
                        }
                    }
                }
            }
        }
    }
}

impl Workspace<'_> {
    /// Strings, and lines of files without code, with the whole names of what moves.
    ///
    /// # Errors
    /// If the request is stopped.
    pub(super) fn full_names(&self, parcel: &Parcel) -> Result<Vec<PlaceRow>, EngineError> {
        let mut rows = Vec::new();
        if parcel.is_qualified() {
            return Ok(rows);
        }
        for name in self.resolve(|resolver| parcel.names(resolver)) {
            let dotted = format!("{}.{name}", parcel.old.name);
            let slashed = dotted.replace('.', "/");
            let found = self.look_at_text(&name, |resolver, file| {
                let Some(tree) = resolver.tree(file) else { return Vec::new() };
                let text = tree.text().to_string();
                let all = places_of(&text, &dotted).into_iter().chain(places_of(&text, &slashed));
                let is_text = |&at: &usize| {
                    let node = tree.table().smallest_around(Span::new(at, at + 1));
                    let mut around = std::iter::once(node).chain(tree.table().ancestors(node));
                    let language = resolver.project().file(file).language;
                    language != parcel.language
                        || around.any(|node| tree.language().role(tree.table().type_id(node)).string)
                };
                all.filter(is_text).map(|at| (file, at)).collect::<Vec<(FileId, usize)>>()
            })?;
            let why = "it names the class by its package";
            rows.extend(found.into_iter().map(|(file, at)| self.place_row(file, at, why.to_owned())));
            for path in self.listed() {
                if self.file_of(path).is_some() {
                    continue;
                }
                let is_named = path.file_name().is_some_and(|file| *file.to_string_lossy() == *dotted);
                let Ok(bytes) = self.engine.files().read(path, LARGEST) else { continue };
                let text = String::from_utf8_lossy(&bytes);
                let first = places_of(&text, &dotted).into_iter().chain(places_of(&text, &slashed)).min();
                if let Some(at) = first.or(is_named.then_some(0)) {
                    let before = &text[..at];
                    let line = before.matches('\n').count() + 1;
                    let col = at - before.rfind('\n').map_or(0, |end| end + 1) + 1;
                    let shown = text.lines().nth(line - 1).unwrap_or_default().trim().chars().take(160).collect();
                    let path = self.engine.shown(path);
                    rows.push(PlaceRow { path, line, col, why: why.to_owned(), text: shown });
                }
            }
        }
        Ok(rows)
    }
}

/// Where a whole name is in a text.
fn places_of(text: &str, name: &str) -> Vec<usize> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let found = text.match_indices(name).map(|(at, _)| at);
    let is_whole = |&at: &usize| {
        let before =
            text[..at].chars().next_back().is_none_or(|letter| !is_letter(letter) && letter != '.' && letter != '/');
        before && text[at + name.len()..].chars().next().is_none_or(|letter| !is_letter(letter) || letter == '$')
    };
    found.filter(is_whole).collect()
}
