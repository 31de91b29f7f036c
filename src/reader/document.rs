//! Documents: a tree to look at, from wherever the target said.

use crate::limits;
use std::path::{Path, PathBuf};

use tracing::debug;

use crate::language::{ByName, HEAD, Language};
use crate::project::Prefilter;
use crate::reader::core::Reader;
use crate::reader::languages::unknown_language;
use crate::reader::target::Source;
use crate::request::error::{EngineError, ErrorCode};
use crate::request::hint::Hint;
use crate::request::node_row::SyntaxErrorRow;
use crate::request::requests::{Reading, Target};
use crate::request::responses::Revision;
use crate::store::{Session, TreeRow};
use crate::text::{EncodingError, Text};
use crate::tree::{IdRuns, ParseError, ParseLimits, SyntaxError, Tree};

/// How many digits of a content hash a revision shows.
const SHOWN_HASH: usize = 8;
/// After how many seconds a use is noted again.
const USE_GRAIN: i64 = 3600;

/// A tree and where it is from.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// The tree.
    pub tree: Tree,
    /// Where it is from.
    pub origin: Origin,
}

/// Where a tree is from.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// The store.
    Held(TreeRow),
    /// A file, read for this request.
    File {
        /// The file, absolute.
        path: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
        /// The hash of its bytes.
        hash: String,
    },
    /// A file of a folder that is searched.
    Walked {
        /// The file, absolute.
        path: PathBuf,
    },
    /// A text that came with the request.
    Text {
        /// Its name.
        name: Option<String>,
        /// The hash of its bytes.
        hash: String,
    },
}

/// A file that was read and is not parsed yet.
pub(crate) struct ReadFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its text.
    pub text: Text,
    /// Its language.
    pub language: &'static Language,
}

impl Document {
    /// A file that a walk found.
    pub fn walked(tree: Tree, path: &Path) -> Document {
        Document { tree, origin: Origin::Walked { path: path.to_owned() } }
    }

    /// A file that was named, whose tree is from an index.
    pub fn indexed(tree: Tree, path: &Path) -> Option<Document> {
        let bytes = tree.text().encode().ok()?;
        let hash = content_hash(&bytes);
        Some(Document { tree, origin: Origin::File { path: path.to_owned(), bytes, hash } })
    }

    /// The same, with the path that results show, which selectors may ask for: `[path$="_test.py"]`.
    pub fn at_path(self, path: Option<&str>) -> Document {
        match path {
            Some(path) => Document { tree: self.tree.with_path(path), origin: self.origin },
            None => self,
        }
    }

    /// The same file with another tree of its text.
    pub fn with_tree(&self, tree: Tree) -> Document {
        Document { tree, origin: self.origin.clone() }
    }

    /// The id of a tree that is held.
    pub fn tree_id(&self) -> Option<String> {
        match &self.origin {
            Origin::Held(row) => Some(row.id.clone()),
            _ => None,
        }
    }

    /// The revision as results show it.
    pub fn revision(&self) -> Revision {
        match &self.origin {
            Origin::Held(row) => Revision::Number(row.head),
            Origin::File { hash, .. } | Origin::Text { hash, .. } => Revision::Hash(short(hash)),
            Origin::Walked { .. } => Revision::Hash(short(&self.hash_now().unwrap_or_default())),
        }
    }

    /// Whether a content hash, or the start of one, is of the text that the ids are good for.
    pub fn is_of(&self, hash: &str) -> bool {
        match &self.origin {
            // Ids live on through a tree's revisions, so those of the text as loaded are good for ever.
            Origin::Held(row) => {
                row.loaded_hash.starts_with(hash)
                    || row.base_hash.starts_with(hash)
                    || self.hash_now().is_some_and(|known| known.starts_with(hash))
            }
            Origin::Walked { .. } => self.hash_now().is_some_and(|known| known.starts_with(hash)),
            Origin::File { hash: known, .. } | Origin::Text { hash: known, .. } => known.starts_with(hash),
        }
    }
}

impl Document {
    /// The hash of the bytes that the text is on disk.
    fn hash_now(&self) -> Option<String> {
        self.tree.text().encode().ok().map(|bytes| content_hash(&bytes))
    }
}

/// The hash of a file's bytes.
pub(crate) fn content_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// A content hash as results show it.
pub(crate) fn short(hash: &str) -> String {
    hash[..SHOWN_HASH.min(hash.len())].to_owned()
}

/// The syntax errors of a tree as results show them.
pub(crate) fn error_rows(tree: &Tree) -> Vec<SyntaxErrorRow> {
    tree.errors().into_iter().map(SyntaxErrorRow::from).collect()
}

impl From<SyntaxError> for SyntaxErrorRow {
    fn from(error: SyntaxError) -> SyntaxErrorRow {
        SyntaxErrorRow {
            line: error.position.line,
            col: error.position.col(),
            start_byte: error.span.start(),
            end_byte: error.span.end(),
            kind: error.kind,
            what: error.what,
            within: error.within,
        }
    }
}

impl Reader {
    pub(crate) fn encode(&self, document: &Document, text: &Text) -> Result<Vec<u8>, EngineError> {
        let path = self.shown_path(document).unwrap_or_default();
        text.encode().map_err(|error| decode_error(&error, &path))
    }

    /// The tree of a target that is a tree, a file or a text.
    pub(crate) fn document(&self, target: &Target, reading: &Reading) -> Result<Document, EngineError> {
        let source = self.source(target)?;
        self.document_of(source, reading)
    }

    /// The tree of a source that isn't a folder.
    pub(crate) fn document_of(&self, source: Source, reading: &Reading) -> Result<Document, EngineError> {
        let document = self.read_document(source, reading)?;
        let path = self.shown_path(&document);
        Ok(document.at_path(path.as_deref()))
    }

    fn read_document(&self, source: Source, reading: &Reading) -> Result<Document, EngineError> {
        match source {
            Source::Tree(id) => self.session_document(&id),
            Source::File(path) => self.file_document(path, reading),
            Source::Folder(path) => {
                let shown = self.shown(&path);
                let error = EngineError::bad_request(format!("`{shown}` is a folder, not a file"));
                Err(error.path(shown).hint("name a file, or a tree"))
            }
            Source::Text(target) => {
                let language = target.language.as_deref().or(reading.language.as_deref());
                let name = target.name.as_deref().unwrap_or("");
                let language = self.language_of(name, target.text.as_bytes(), language, "the text")?;
                let hash = content_hash(target.text.as_bytes());
                // A mark that was read as text is one again.
                let text = match language.stored_as(name) {
                    Some(stored) => Text::decode(target.text.as_bytes(), Some(stored))
                        .map_err(|error| decode_error(&error, name))?,
                    None => Text::decode(target.text.as_bytes(), None).unwrap_or_else(|_| Text::new(&target.text)),
                };
                let tree = Tree::parse(text, language, &limits(reading))
                    .map_err(|error| parse_error(&error, target.name.as_deref()))?;
                Ok(Document { tree, origin: Origin::Text { name: target.name, hash } })
            }
        }
    }

    /// The same of a source that is to be edited. A file whose encoding only a declaration names is refused, so that whoever edits
    /// it names the encoding that new code is written in.
    pub(crate) fn document_to_edit(&self, source: Source, reading: &Reading) -> Result<Document, EngineError> {
        let document = self.document_of(source, reading)?;
        match &document.origin {
            Origin::File { path, bytes, .. } if !document.tree.text().encoding().is_self_describing() => {
                self.decode(path, document.tree.language(), bytes, reading)?;
            }
            _ => {}
        }
        Ok(document)
    }

    fn file_document(&self, path: PathBuf, reading: &Reading) -> Result<Document, EngineError> {
        let bytes = self.read_bytes(&path, reading)?;
        let language = self.file_language(&path, &bytes, reading)?;
        let text = self.decode_by_declaration(&path, Some(language), bytes.clone(), reading)?;
        let tree = Tree::parse(text, language, &limits(reading))
            .map_err(|error| parse_error(&error, Some(&self.shown(&path))))?;
        let hash = content_hash(&bytes);
        Ok(Document { tree, origin: Origin::File { path, bytes, hash } })
    }

    /// A file that a walk found, parsed as far as a prefilter says; one alone of many may not take long. `None` where nothing
    /// can be found in it.
    pub(crate) fn walked_document(
        &self,
        path: &Path,
        bytes: Vec<u8>,
        language: &'static Language,
        (prefilter, edited): (Option<&Prefilter>, bool),
        reading: &Reading,
    ) -> Result<Option<Document>, EngineError> {
        let shown = self.shown(path);
        let text = self.decode_by_declaration(path, Some(language), bytes, reading)?;
        // The limit is for the file, which was read; decoded it may be longer.
        let limits = walked_limits();
        let prefilter = prefilter.filter(|_| text.as_str().is_some());
        let tree = match prefilter {
            Some(prefilter) if !prefilter.may_match(text.as_str().unwrap_or_default().as_bytes()) => {
                debug!("cannot match: not parsed");
                return Ok(None);
            }
            Some(prefilter) => prefilter.parse(text, language, &limits),
            None => Tree::parse(text, language, &limits),
        };
        let tree = tree.map_err(|error| parse_error(&error, Some(&shown)))?;
        // Where nothing is edited the parser's own tree, which is by far the largest, needn't wait for the look.
        let tree = if edited { tree } else { tree.without_parse() };
        Ok(Some(Document::walked(tree, path)))
    }

    /// Reads a file and finds out its language.
    pub(crate) fn read_file(&self, path: &Path, reading: &Reading) -> Result<ReadFile, EngineError> {
        let bytes = self.read_bytes(path, reading)?;
        let language = self.file_language(path, &bytes, reading)?;
        let text = self.decode(path, language, &bytes, reading)?;
        Ok(ReadFile { bytes, text, language })
    }

    fn file_language(&self, path: &Path, bytes: &[u8], reading: &Reading) -> Result<&'static Language, EngineError> {
        let shown = self.shown(path);
        let name = self.detected_as(path);
        let language = self.language_of(&name, bytes, reading.language.as_deref(), &format!("`{shown}`"));
        language.map_err(|error| error.path(&shown))
    }

    fn decode(&self, path: &Path, language: &Language, bytes: &[u8], reading: &Reading) -> Result<Text, EngineError> {
        let decoded = Text::decode(bytes, label(&self.detected_as(path), Some(language), bytes, reading));
        decoded.map_err(|error| decode_error(&error, &self.shown(path)))
    }

    /// The text of a file in the encoding that the request names, or else in the one that the file declares.
    fn decode_by_declaration(
        &self,
        path: &Path,
        language: Option<&Language>,
        bytes: Vec<u8>,
        reading: &Reading,
    ) -> Result<Text, EngineError> {
        let decoded = match label(&self.detected_as(path), language, &bytes, reading) {
            Some(label) => Text::decode(&bytes, Some(label)),
            None => Text::decode_declared(bytes),
        };
        decoded.map_err(|error| decode_error(&error, &self.shown(path)))
    }

    /// The text of a source in an unrecognised language; `None` where one is known, or said.
    pub(crate) fn plain_text(&self, source: &Source, reading: &Reading) -> Option<Result<Text, EngineError>> {
        if reading.language.is_some() {
            return None;
        }
        let is_unknown = |name: &str, text: &[u8]| matches!(self.detector().detect(name, text), Ok(None));
        match source {
            Source::File(path) => {
                if matches!(self.detector().detect_by_name(&self.detected_as(path)), Ok(ByName::Certain(_))) {
                    return None;
                }
                let bytes = self.read_bytes(path, reading).ok()?;
                let is_unknown = is_unknown(&self.detected_as(path), &bytes);
                is_unknown.then(|| self.plain_file(path, bytes, reading))
            }
            Source::Text(target) if target.language.is_none() => {
                let name = target.name.as_deref().unwrap_or_default();
                let text = || Text::decode(target.text.as_bytes(), None).unwrap_or_else(|_| Text::new(&target.text));
                is_unknown(name, target.text.as_bytes()).then(|| Ok(text()))
            }
            _ => None,
        }
    }

    /// The text of a file in an unrecognised language, unless it is none.
    pub(crate) fn plain_file(&self, path: &Path, bytes: Vec<u8>, reading: &Reading) -> Result<Text, EngineError> {
        let text = self.decode_by_declaration(path, None, bytes, reading)?;
        let head = text.chunk_from(0);
        if head.as_bytes()[..head.len().min(HEAD)].contains(&0) {
            return Err(EngineError::new(ErrorCode::UnsupportedEncoding, "binary").path(self.shown(path)));
        }
        Ok(text)
    }

    /// All bytes of a plain file that was named, if they aren't too many.
    pub(crate) fn read_bytes(&self, path: &Path, reading: &Reading) -> Result<Vec<u8>, EngineError> {
        self.bytes_up_to(path, named_limit(reading), "")
    }

    /// All bytes of a file that a walk found: fewer than of one that was named, since there may be many such files.
    pub(crate) fn walked_bytes(&self, path: &Path, reading: &Reading) -> Result<Vec<u8>, EngineError> {
        self.bytes_up_to(path, walked_limit(reading), " for files that are not named")
    }

    fn bytes_up_to(&self, path: &Path, limit: u64, which: &str) -> Result<Vec<u8>, EngineError> {
        self.files().read(path, limit).map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => {
                let bytes = self.files().facts(path).map_or(0, |facts| facts.bytes).max(limit + 1);
                let shown = self.shown(path);
                let message = format!("`{shown}` has {bytes} bytes, more than the limit of {limit}{which}");
                EngineError::new(ErrorCode::TooLarge, message).path(shown).hint("{max_size} sets the limit")
            }
            _ => self.unreadable(path, &error),
        })
    }

    /// The language that was named, else the one that the file shows.
    pub(crate) fn language_of(
        &self,
        path: &str,
        text: &[u8],
        named: Option<&str>,
        what: &str,
    ) -> Result<&'static Language, EngineError> {
        if let Some(name) = named {
            return self
                .languages_known()
                .named(name)
                .map_err(|error| unknown_language(&error, self.languages_known()));
        }
        let detected =
            self.detector().detect(path, text).map_err(|error| unknown_language(&error, self.languages_known()))?;
        detected.ok_or_else(|| {
            let error =
                EngineError::new(ErrorCode::UnsupportedLanguage, format!("the language of {what} is not known"));
            let error =
                error.hint(Hint::from("name it with {language}; ").and(Hint::languages(self.languages_known())));
            if path.is_empty() { error } else { error.path(path) }
        })
    }

    /// A tree of the store in its current revision.
    pub(crate) fn session_document(&self, id: &str) -> Result<Document, EngineError> {
        let store = self.store()?;
        let document = store.read(|session| self.held_in(session, id));
        let document = match document {
            Ok((document, false)) => document,
            // Its ids must be written down anew, which a reader may not do.
            Ok((_, true)) => store.write(|session| self.held_for_writing(session, id))?,
            Err(error) => return Err(error),
        };
        if let Origin::Held(row) = &document.origin
            && crate::store::seconds_now() - row.used > USE_GRAIN
        {
            store.write_lightly(|session| session.touch(id))?;
        }
        Ok(document)
    }

    /// A tree in a session that may write.
    pub(crate) fn held_for_writing(&self, session: &Session<'_>, id: &str) -> Result<Document, EngineError> {
        let (mut document, renumbered) = self.held_in(session, id)?;
        if let (true, Origin::Held(row)) = (renumbered, &mut document.origin) {
            let ids = document.tree.id_runs();
            session.renumber(id, row.head, &ids, &document.tree.table().shape())?;
            row.next_id = row.next_id.max(ids.next);
        }
        Ok(document)
    }

    /// A tree, and whether its nodes had to be numbered anew since the parse gave others than it once did.
    fn held_in(&self, session: &Session<'_>, id: &str) -> Result<(Document, bool), EngineError> {
        let row = session.tree(id)?;
        if let Some(tree) = self.sessions.kept_tree(id, row.head) {
            return Ok((Document { tree, origin: Origin::Held(row) }, false));
        }
        let source = session.source(id)?;
        let revision = session.revision(id, row.head)?;
        let (tree, renumbered) = self.rebuilt(session, &row, &source, &revision.ids, &revision.shape)?;
        if !renumbered {
            self.sessions.keep_tree(id, row.head, &tree);
        }
        Ok((Document { tree, origin: Origin::Held(row) }, renumbered))
    }

    /// Parses a text of a tree and gives its nodes their ids.
    pub(crate) fn rebuilt(
        &self,
        session: &Session<'_>,
        row: &TreeRow,
        source: &str,
        ids: &IdRuns,
        shape: &str,
    ) -> Result<(Tree, bool), EngineError> {
        let base = Text::decode(&session.base(&row.id)?, row.label.as_deref());
        let base = base.map_err(|error| decode_error(&error, row.path.as_deref().map_or("", |_| "the tree's file")))?;
        let language = self
            .languages_known()
            .named(&row.language)
            .map_err(|error| unknown_language(&error, self.languages_known()))?;
        let limits = ParseLimits { bytes: usize::MAX, ..ParseLimits::default() };
        let tree =
            Tree::parse(base.with_source(source), language, &limits).map_err(|error| parse_error(&error, None))?;
        if tree.table().shape() == shape
            && let Some(tree) = tree.clone().with_ids(ids)
        {
            return Ok((tree.reserve_ids_below(row.next_id), false));
        }
        // Another grammar than the one the ids were given with: none of them may name a node again.
        let count = u32::try_from(tree.table().len()).expect("a table has fewer than 2^32 nodes");
        let fresh = IdRuns { runs: vec![(row.next_id, count)], next: row.next_id + count };
        let tree = tree.with_ids(&fresh).expect("one run as long as the table");
        Ok((tree, true))
    }
}

/// The encoding of a file by its name and language, or else the one that was named, for a file that doesn't tell its own by a byte order
/// mark.
pub(crate) fn label<'a>(
    path: &str,
    language: Option<&'a Language>,
    bytes: &[u8],
    reading: &'a Reading,
) -> Option<&'a str> {
    if let Some(stored) = language.and_then(|language| language.stored_as(path)) {
        return Some(stored);
    }
    let marks = [&[0xef, 0xbb, 0xbf][..], &[0xff, 0xfe], &[0xfe, 0xff]];
    let is_marked = marks.iter().any(|mark| bytes.starts_with(mark)) && Text::decode(bytes, None).is_ok();
    reading.encoding.as_deref().filter(|_| !is_marked)
}

/// What a parse may cost.
pub(crate) fn limits(reading: &Reading) -> ParseLimits {
    let usual = ParseLimits::default();
    let bytes = reading.max_size.map_or(usual.bytes, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    ParseLimits { bytes, ..usual }
}

/// The limits of a parse of a file of a folder, whose size is known to be within limits.
pub(crate) fn walked_limits() -> ParseLimits {
    ParseLimits { time: limits::FOLDER_FILE_TIME, bytes: usize::MAX }
}

/// The largest file that is read if it is named.
pub(crate) fn named_limit(reading: &Reading) -> u64 {
    limits(reading).bytes as u64
}

/// The largest file of a folder that is read.
pub(crate) fn walked_limit(reading: &Reading) -> u64 {
    reading.max_size.unwrap_or(limits::FOLDER_FILE_BYTES)
}

/// A parser's error as the engine's.
pub(crate) fn parse_error(error: &ParseError, path: Option<&str>) -> EngineError {
    let engine_error = EngineError::new(ErrorCode::from(error), error.to_string());
    match path {
        Some(path) => engine_error.path(path),
        None => engine_error,
    }
}

/// An encoding's error as the engine's.
pub(crate) fn decode_error(error: &EncodingError, path: &str) -> EngineError {
    let hint = match error {
        EncodingError::Unknown { .. } => Hint::from("such as `latin1`, `shift_jis`"),
        EncodingError::Undecodable { declared: Some(name), .. } => {
            Hint::from(format!("the file declares `{name}`: ")).and("name it with {encoding}")
        }
        EncodingError::Undecodable { .. } => Hint::from("name its encoding with {encoding}"),
        EncodingError::Binary { .. } => {
            Hint::from("if it is UTF-16 without a byte order mark, name the encoding with {encoding}: utf-16le")
        }
        EncodingError::NoNotebook { .. } => Hint::from("as JSON it can be read with {language}"),
        EncodingError::Utf32 => Hint::from("convert it to UTF-8"),
        EncodingError::OutsideCells => Hint::from("change one cell at a time"),
        EncodingError::Lossy { .. } => Hint::from("name another encoding with {encoding}"),
        EncodingError::Unencodable { .. } => Hint::from("write it with an escape, or in ASCII"),
    };
    EngineError::new(ErrorCode::from(error), error.to_string()).hint(hint).path(path)
}

impl Reader {
    /// A document's file as results show it.
    pub(crate) fn shown_path(&self, document: &Document) -> Option<String> {
        match &document.origin {
            Origin::Held(row) => row.path.as_deref().map(|path| self.shown(path)).or_else(|| row.name.clone()),
            Origin::File { path, .. } | Origin::Walked { path } => Some(self.shown(path)),
            Origin::Text { name, .. } => name.clone(),
        }
    }
}
