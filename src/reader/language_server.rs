//! A client of language servers that waits for each answer.
//!
//! The server is a program that the user configured. It gets the files as they are, and what it asks for is answered: settings,
//! folders, progress. Edits that it wants to make itself are refused.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lsp_types::{
    AnnotatedTextEdit, ClientCapabilities, ClientInfo, ConfigurationParams, DidOpenTextDocumentParams,
    DocumentChangeOperation, DocumentChanges, GeneralClientCapabilities, InitializeParams, InitializedParams, Location,
    NumberOrString, OneOf, PartialResultParams, PositionEncodingKind, ProgressParams, ProgressParamsValue,
    ReferenceContext, ReferenceParams, RenameClientCapabilities, RenameParams, TextDocumentClientCapabilities,
    TextDocumentEdit, TextDocumentIdentifier, TextDocumentItem, TextDocumentPositionParams, Uri,
    WindowClientCapabilities, WorkDoneProgress, WorkDoneProgressParams, WorkspaceClientCapabilities, WorkspaceEdit,
    WorkspaceEditClientCapabilities, WorkspaceFolder,
};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Value, json};

use crate::limits;
use crate::reader::configuration::ServerCommand;
use crate::reader::programs::{CommandRunner, Conversation};
use crate::text::Text;

/// The longest header of a message, in bytes.
const HEADER: usize = 4 << 10;
/// How much of a text that is not a message an error shows.
const EXCERPT: usize = 80;
/// The version under which files are opened.
const VERSION: i32 = 1;

/// Why a language server gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// It cannot be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// It ended.
    #[error("ended without an answer{}", quoted(.0))]
    Ended(String),
    /// It wrote something that is not a message of the protocol.
    #[error("does not speak the language server protocol: {0}")]
    Garbage(String),
    /// Its time is over.
    #[error("gave no settled answer in {} seconds", .0.as_secs())]
    TimedOut(Duration),
    /// It wrote too much.
    #[error("writes more than {} MiB", .0 >> 20)]
    TooMuch(usize),
    /// Its answer has another form than the protocol says.
    #[error("gave an answer that is not valid: {0}")]
    Invalid(String),
    /// The request was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// The last line of a text, in parentheses.
fn quoted(text: &str) -> String {
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or_else(String::new, |line| format!(" (it says: {})", line.chars().take(2 * EXCERPT).collect::<String>()))
}

/// A place in a file, as the server counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ServerRange {
    /// The path; a text that is not the address of a file stays as it is.
    pub path: PathBuf,
    start: (u32, u32),
    end: (u32, u32),
}

impl ServerRange {
    /// The line and the column of its start, both from 1.
    pub(crate) fn shown_start(&self) -> (usize, usize) {
        (self.start.0 as usize + 1, self.start.1 as usize + 1)
    }
}

/// What a server would write at a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ServerEdit {
    pub range: ServerRange,
    pub text: String,
}

/// An answer, or why the server has none, in its words.
pub(crate) type Answer<T> = Result<T, String>;

/// A language server that runs. It is killed when this is dropped.
pub(crate) struct LanguageServer<'a> {
    conversation: Box<dyn Conversation>,
    is_cancelled: &'a dyn Fn() -> bool,
    folder: WorkspaceFolder,
    settings: Value,
    unit: PositionEncodingKind,
    /// What it does in the background.
    progress: FxHashSet<NumberOrString>,
    /// Bytes that are not a whole message yet.
    received: Vec<u8>,
    received_in_all: usize,
    last_id: i64,
    time: Duration,
    end: Instant,
}

impl<'a> LanguageServer<'a> {
    /// Starts a server for the files in a folder.
    ///
    /// # Errors
    /// If it does not start, or does not answer.
    pub(crate) fn start(
        programs: &dyn CommandRunner,
        command: &ServerCommand,
        folder: &Path,
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> Result<LanguageServer<'a>, ServerError> {
        let conversation = programs.start(&command.words, folder).map_err(ServerError::Start)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut server = LanguageServer {
            conversation,
            is_cancelled,
            folder: WorkspaceFolder { uri: uri_of(folder)?, name },
            settings: command.settings.clone(),
            unit: PositionEncodingKind::UTF16,
            progress: FxHashSet::default(),
            received: Vec::new(),
            received_in_all: 0,
            last_id: 0,
            time: command.time,
            end: Instant::now() + command.time,
        };
        let options = Some(command.options.clone()).filter(|options| !options.is_null());
        let parameters = server.introduction(options);
        let answer = server.ask("initialize", parameters)?.map_err(ServerError::Invalid)?;
        if let Some(unit) = answer.pointer("/capabilities/positionEncoding").filter(|unit| !unit.is_null()) {
            server.unit = serde_json::from_value(unit.clone()).map_err(|error| invalid(&error))?;
            if ![PositionEncodingKind::UTF8, PositionEncodingKind::UTF16, PositionEncodingKind::UTF32]
                .contains(&server.unit)
            {
                return Err(ServerError::Invalid(format!("positions in {}", server.unit.as_str())));
            }
        }
        server.notify("initialized", InitializedParams {})?;
        if !server.settings.is_null() {
            let settings = json!({ "settings": server.settings });
            server.notify("workspace/didChangeConfiguration", settings)?;
        }
        Ok(server)
    }

    fn introduction(&self, options: Option<Value>) -> InitializeParams {
        let edits = WorkspaceEditClientCapabilities {
            document_changes: Some(true),
            resource_operations: Some(Vec::new()),
            ..WorkspaceEditClientCapabilities::default()
        };
        let workspace = WorkspaceClientCapabilities {
            workspace_edit: Some(edits),
            configuration: Some(true),
            workspace_folders: Some(true),
            ..WorkspaceClientCapabilities::default()
        };
        let text_document = TextDocumentClientCapabilities {
            rename: Some(RenameClientCapabilities::default()),
            ..TextDocumentClientCapabilities::default()
        };
        let units = vec![PositionEncodingKind::UTF8, PositionEncodingKind::UTF16, PositionEncodingKind::UTF32];
        let capabilities = ClientCapabilities {
            workspace: Some(workspace),
            text_document: Some(text_document),
            window: Some(WindowClientCapabilities {
                work_done_progress: Some(true),
                ..WindowClientCapabilities::default()
            }),
            general: Some(GeneralClientCapabilities {
                position_encodings: Some(units),
                ..GeneralClientCapabilities::default()
            }),
            ..ClientCapabilities::default()
        };
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        #[expect(deprecated, reason = "some servers read only `rootUri`")]
        InitializeParams {
            root_uri: Some(self.folder.uri.clone()),
            initialization_options: options,
            capabilities,
            workspace_folders: Some(vec![self.folder.clone()]),
            client_info: Some(ClientInfo { name: "cst".to_owned(), version }),
            ..InitializeParams::default()
        }
    }

    /// Opens a file with its text.
    ///
    /// # Errors
    /// If the server reads no more.
    pub(crate) fn open(&mut self, path: &Path, language: &str, text: &Text) -> Result<(), ServerError> {
        let text = text.slice(text.span()).into_owned();
        let text_document =
            TextDocumentItem { uri: uri_of(path)?, language_id: language.to_owned(), version: VERSION, text };
        self.notify("textDocument/didOpen", DidOpenTextDocumentParams { text_document })
    }

    /// The edits with which the server would rename what is at an offset.
    ///
    /// # Errors
    /// If it does not answer, or its answer is not valid.
    pub(crate) fn rename(
        &mut self,
        (path, text, offset): (&Path, &Text, usize),
        new_name: &str,
    ) -> Result<Answer<Vec<ServerEdit>>, ServerError> {
        let parameters = RenameParams {
            text_document_position: self.place(path, text, offset)?,
            new_name: new_name.to_owned(),
            work_done_progress_params: WorkDoneProgressParams::default(),
        };
        let answer = match self.ask("textDocument/rename", parameters)? {
            Ok(Value::Null) => return Ok(Ok(Vec::new())),
            Ok(answer) => answer,
            Err(why) => return Ok(Err(why)),
        };
        let edit: WorkspaceEdit = serde_json::from_value(answer).map_err(|error| invalid(&error))?;
        edits_of(edit).map(Ok)
    }

    /// The places that refer to what is at an offset, its definition among them.
    ///
    /// # Errors
    /// If it does not answer, or its answer is not valid.
    pub(crate) fn references(
        &mut self,
        (path, text, offset): (&Path, &Text, usize),
    ) -> Result<Answer<Vec<ServerRange>>, ServerError> {
        let parameters = ReferenceParams {
            text_document_position: self.place(path, text, offset)?,
            context: ReferenceContext { include_declaration: true },
            work_done_progress_params: WorkDoneProgressParams::default(),
            partial_result_params: PartialResultParams::default(),
        };
        let answer = match self.ask("textDocument/references", parameters)? {
            Ok(answer) => answer,
            Err(why) => return Ok(Err(why)),
        };
        let places: Option<Vec<Location>> = serde_json::from_value(answer).map_err(|error| invalid(&error))?;
        Ok(Ok(places.unwrap_or_default().iter().map(|place| range(&place.uri, place.range)).collect()))
    }

    /// Whether it works in the background, so that its answers are not final.
    pub(crate) fn is_busy(&self) -> bool {
        !self.progress.is_empty()
    }

    /// Listens for a while.
    ///
    /// # Errors
    /// If the server ends, or its time is over.
    pub(crate) fn listen(&mut self, time: Duration) -> Result<(), ServerError> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            if let Some(message) = self.receive()? {
                self.react(&message)?;
            }
        }
        Ok(())
    }

    /// Shuts the server down, as the protocol says; one that does not answer is killed.
    pub(crate) fn finish(mut self) {
        self.end = Instant::now() + limits::SERVER_FAREWELL;
        if self.ask("shutdown", Value::Null).is_err() || self.notify("exit", Value::Null).is_err() {
            return;
        }
        while self.receive().is_ok() {}
    }

    /// Where a span is in a text; `None` if there is no such place.
    pub(crate) fn span_in(&self, range: &ServerRange, text: &Text) -> Option<crate::text::Span> {
        let (start, end) = (self.offset(range.start, text)?, self.offset(range.end, text)?);
        (start <= end).then(|| crate::text::Span::new(start, end))
    }

    fn offset(&self, (line, character): (u32, u32), text: &Text) -> Option<usize> {
        let number = line as usize + 1;
        if number > text.line_count().max(text.line_at(text.len())) {
            return None;
        }
        let span = text.line_span(number);
        let line = text.slice(span);
        let mut left = character as usize;
        let mut offset = span.start();
        for character in line.chars() {
            if left == 0 {
                break;
            }
            left = left.checked_sub(self.width(character))?;
            offset += character.len_utf8();
        }
        (left == 0).then_some(offset)
    }

    /// How many units a character is.
    fn width(&self, character: char) -> usize {
        if self.unit == PositionEncodingKind::UTF8 {
            character.len_utf8()
        } else if self.unit == PositionEncodingKind::UTF32 {
            1
        } else {
            character.len_utf16()
        }
    }

    fn place(&self, path: &Path, text: &Text, offset: usize) -> Result<TextDocumentPositionParams, ServerError> {
        let line = text.line_around(offset);
        let before = text.slice(crate::text::Span::new(line.start(), offset));
        let character = before.chars().map(|character| self.width(character)).sum::<usize>();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let position = lsp_types::Position::new(number(text.line_at(offset) - 1), number(character));
        Ok(TextDocumentPositionParams { text_document: TextDocumentIdentifier { uri: uri_of(path)? }, position })
    }

    /// Asks, and waits for the answer: a value, or why there is none.
    fn ask(&mut self, method: &str, parameters: impl Serialize) -> Result<Answer<Value>, ServerError> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        add_parameters(&mut message, parameters);
        self.send(&message)?;
        loop {
            let Some(message) = self.receive()? else { continue };
            if message.get("method").is_some() {
                self.react(&message)?;
                continue;
            }
            if message.get("id").and_then(Value::as_i64) != Some(id) {
                continue;
            }
            if let Some(error) = message.get("error") {
                let why = error.get("message").and_then(Value::as_str).unwrap_or("an error without a message");
                return Ok(Err(why.chars().take(2 * EXCERPT).collect()));
            }
            return Ok(Ok(message.get("result").cloned().unwrap_or_default()));
        }
    }

    fn notify(&mut self, method: &str, parameters: impl Serialize) -> Result<(), ServerError> {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        add_parameters(&mut message, parameters);
        self.send(&message)
    }

    fn send(&mut self, message: &Value) -> Result<(), ServerError> {
        let body = message.to_string();
        let bytes = format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes();
        self.conversation.send(bytes).map_err(|_| ServerError::Ended(self.conversation.complaints()))
    }

    /// Answers what the server asks, and notes what it does.
    fn react(&mut self, message: &Value) -> Result<(), ServerError> {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let parameters = message.get("params").cloned().unwrap_or_default();
        let Some(id) = message.get("id") else {
            if method == "$/progress"
                && let Ok(ProgressParams { token, value }) = serde_json::from_value(parameters)
            {
                let ProgressParamsValue::WorkDone(value) = value;
                match value {
                    WorkDoneProgress::Begin(_) => _ = self.progress.insert(token),
                    WorkDoneProgress::Report(_) => {}
                    WorkDoneProgress::End(_) => _ = self.progress.remove(&token),
                }
            }
            return Ok(());
        };
        let result = match method {
            "workspace/configuration" => {
                let asked: ConfigurationParams = serde_json::from_value(parameters).map_err(|error| invalid(&error))?;
                asked.items.iter().map(|item| self.setting(item.section.as_deref().unwrap_or_default())).collect()
            }
            "workspace/workspaceFolders" => json!([self.folder]),
            "workspace/applyEdit" => {
                json!({"applied": false, "failureReason": "cst asks for edits, and applies them itself"})
            }
            "window/showDocument" => json!({"success": false}),
            "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "client/registerCapability"
            | "client/unregisterCapability" => Value::Null,
            _ => {
                let error = json!({"code": -32601, "message": format!("`{method}` is not known")});
                return self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
            }
        };
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    /// The settings of a section: `python.analysis`.
    fn setting(&self, section: &str) -> Value {
        let mut parts = section.split('.').filter(|part| !part.is_empty());
        let found = parts.try_fold(&self.settings, |value, part| value.get(part));
        found.cloned().unwrap_or_default()
    }

    /// The next message, if it is there soon.
    fn receive(&mut self) -> Result<Option<Value>, ServerError> {
        if let Some(message) = self.cut_message()? {
            return Ok(Some(message));
        }
        if (self.is_cancelled)() {
            return Err(ServerError::Cancelled);
        }
        if Instant::now() >= self.end {
            return Err(ServerError::TimedOut(self.time));
        }
        let bytes = self.conversation.receive();
        let bytes = bytes.map_err(|_| ServerError::Ended(self.conversation.complaints()))?;
        self.received_in_all += bytes.len();
        if self.received_in_all > limits::SERVER_OUTPUT {
            return Err(ServerError::TooMuch(limits::SERVER_OUTPUT));
        }
        self.received.extend(bytes);
        self.cut_message()
    }

    /// Takes a whole message from what was received.
    fn cut_message(&mut self) -> Result<Option<Value>, ServerError> {
        const FIRST: &[u8] = b"content-";
        let begins = self.received.iter().zip(FIRST).all(|(byte, first)| byte.to_ascii_lowercase() == *first);
        let end = self.received.windows(4).take(HEADER).position(|bytes| bytes == b"\r\n\r\n");
        if !begins || end.is_none() && self.received.len() > HEADER {
            let text = String::from_utf8_lossy(&self.received).chars().take(EXCERPT).collect::<String>();
            return Err(ServerError::Garbage(format!("it writes `{}`", text.trim_end())));
        }
        let Some(end) = end else { return Ok(None) };
        let header = String::from_utf8_lossy(&self.received[..end]).into_owned();
        let fields = header.lines().filter_map(|line| line.split_once(':'));
        let mut lengths = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = lengths.next().and_then(|(_, value)| value.trim().parse::<usize>().ok());
        let length = length.ok_or_else(|| ServerError::Garbage(format!("a header without a length, `{header}`")))?;
        if length > limits::SERVER_MESSAGE {
            return Err(ServerError::TooMuch(limits::SERVER_MESSAGE));
        }
        let start = end + 4;
        if self.received.len() < start + length {
            return Ok(None);
        }
        let message = serde_json::from_slice(&self.received[start..start + length]);
        self.received.drain(..start + length);
        message.map(Some).map_err(|error| ServerError::Garbage(format!("a message that is not JSON, {error}")))
    }
}

fn invalid(error: &serde_json::Error) -> ServerError {
    ServerError::Invalid(error.to_string())
}

/// Adds parameters to a message; nothing where there are none.
fn add_parameters(message: &mut Value, parameters: impl Serialize) {
    let parameters = serde_json::to_value(parameters).expect("parameters are plain data");
    if !parameters.is_null() {
        message["params"] = parameters;
    }
}

/// All edits of a rename, in order.
fn edits_of(edit: WorkspaceEdit) -> Result<Vec<ServerEdit>, ServerError> {
    let mut edits = Vec::new();
    let mut add = |uri: &Uri, edit: lsp_types::TextEdit| {
        edits.push(ServerEdit { range: range(uri, edit.range), text: edit.new_text });
    };
    let changed = match edit.document_changes {
        // With both, `changes` is for clients that do not know the other.
        None => {
            for (uri, changes) in edit.changes.unwrap_or_default() {
                changes.into_iter().for_each(|edit| add(&uri, edit));
            }
            Vec::new()
        }
        Some(DocumentChanges::Edits(files)) => files,
        Some(DocumentChanges::Operations(operations)) => {
            let file = |operation| match operation {
                DocumentChangeOperation::Edit(file) => Ok(file),
                DocumentChangeOperation::Op(_) => {
                    let why = "it makes, moves or deletes files, which the rename of a symbol does not do";
                    Err(ServerError::Invalid(why.to_owned()))
                }
            };
            operations.into_iter().map(file).collect::<Result<_, _>>()?
        }
    };
    for TextDocumentEdit { text_document, edits } in changed {
        if text_document.version.is_some_and(|version| version != VERSION && version != 0) {
            return Err(ServerError::Invalid("it edits another version of a file".to_owned()));
        }
        for edit in edits {
            let (OneOf::Left(text_edit) | OneOf::Right(AnnotatedTextEdit { text_edit, .. })) = edit;
            add(&text_document.uri, text_edit);
        }
    }
    edits.sort();
    edits.dedup();
    Ok(edits)
}

fn range(uri: &Uri, range: lsp_types::Range) -> ServerRange {
    let lsp_types::Range { start, end } = range;
    ServerRange { path: path_of(uri.as_str()), start: (start.line, start.character), end: (end.line, end.character) }
}

/// The address of a file.
fn uri_of(path: &Path) -> Result<Uri, ServerError> {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for &byte in text.as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.parse().map_err(|_| ServerError::Invalid(format!("`{text}` has no address")))
}

/// The path of a file with this address; another address stays as it is.
fn path_of(uri: &str) -> PathBuf {
    let Some(encoded) = uri.strip_prefix("file://") else { return uri.into() };
    let encoded = encoded.strip_prefix("localhost").unwrap_or(encoded).as_bytes();
    let mut path = Vec::new();
    let mut at = 0;
    while at < encoded.len() {
        let digits = encoded.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match (encoded[at], digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                path.push(byte);
                at += 3;
            }
            (byte, _) => {
                path.push(byte);
                at += 1;
            }
        }
    }
    let path = String::from_utf8_lossy(&path);
    // `/C:/folder`
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    let path: Cow<'_, str> = if has_drive { path[1..].replace('/', "\\").into() } else { path };
    path.into_owned().into()
}
