//! `export`: the symbols of a project as a file that other programs read.

use std::io;
use std::path::Path;

use crate::language::ByName;
use crate::modules::FileId;
use crate::outline;
use crate::project::Kind;
use crate::reader::core::Reader;
use crate::request::error::EngineError;
use crate::request::requests::Reading;
use crate::request::symbol_messages::{ExportFormat, ExportRequest, ExportResponse};
use crate::symbols::{Meaning, Resolver, Thing, names, scip_document, scip_head};

/// What the first lines of a file of tags say about it.
const TAGS_HEAD: &str = "!_TAG_FILE_FORMAT\t2\t//\n!_TAG_FILE_SORTED\t1\t//\n!_TAG_PROGRAM_NAME\tcst\t//\n";

/// Writes the symbols of a project to a file.
///
/// # Errors
/// If the target is not a folder, or the file cannot be written.
pub(crate) fn export(request: &ExportRequest, reader: &Reader) -> Result<ExportResponse, EngineError> {
    // What is written outlives the session.
    let reading = Reading { saved: true, ..request.reading.clone() };
    let workspace = reader.workspace(&request.targets, &reading)?;
    let path = reader.absolute(&request.output);
    let chosen = workspace.chosen(None)?;
    let parts: Vec<Vec<u8>> = workspace.look("", chosen.as_ref(), |resolver, file| {
        let part = match request.format {
            ExportFormat::Scip => scip_document(resolver, file),
            ExportFormat::Jsonl => json_lines(resolver, file),
            ExportFormat::Tags => tags(resolver, file),
        };
        vec![part]
    })?;
    let files = parts.len();
    let bytes = match request.format {
        ExportFormat::Scip => {
            let mut bytes = scip_head(&format!("file://{}", workspace.root().display()));
            parts.iter().for_each(|part| bytes.extend_from_slice(part));
            bytes
        }
        ExportFormat::Jsonl => parts.concat(),
        ExportFormat::Tags => {
            let text = String::from_utf8_lossy(&parts.concat()).into_owned();
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            format!("{TAGS_HEAD}{}\n", lines.join("\n")).into_bytes()
        }
    };
    write(reader, &path, &bytes, request.format).map_err(|error| match error.kind() {
        // Anything that it cannot be written to is a fault of the place.
        io::ErrorKind::InvalidInput => EngineError::bad_request(error.to_string()).path(reader.shown(&path)),
        _ => reader.unwritable(&path, &error),
    })?;
    let (path, bytes) = (reader.shown(&path), bytes.len() as u64);
    Ok(ExportResponse { path, files, bytes, skipped: workspace.take_skipped() })
}

/// With what all exports in a format begin, where they may have the name of a file in a language.
fn head(format: ExportFormat) -> Option<&'static [u8]> {
    match format {
        ExportFormat::Scip => None,
        ExportFormat::Tags => Some(TAGS_HEAD.as_bytes()),
        ExportFormat::Jsonl => Some(b"{\"path\":"),
    }
}

/// Writes an export: over an older one, through a link, or into a pipe or device. Source code is not overwritten.
fn write(reader: &Reader, path: &Path, bytes: &[u8], format: ExportFormat) -> io::Result<()> {
    let files = reader.files();
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    let shown = reader.shown(path);
    let facts = files.facts(path);
    // Of `/dev/stdout` and the like, what the link leads to need not have a name.
    if facts.as_ref().is_ok_and(|facts| matches!(facts.kind, Kind::Other(_))) {
        return files.write_into(path, bytes);
    }
    let path = if files.is_link(path) { files.resolve(path)? } else { path.to_owned() };
    match facts {
        Ok(facts) if facts.kind == Kind::Folder => refused(format!("`{shown}` is a folder, not a file")),
        Ok(facts) if facts.bytes > 0 => {
            let known = reader.detector().detect_by_name(&reader.detected_as(&path));
            let is_source = !matches!(known, Ok(ByName::Unknown));
            let is_older =
                head(format).is_some_and(|head| files.head(&path, head.len()).is_ok_and(|begin| begin == head));
            if is_source && !is_older {
                return refused(format!("`{shown}` is source code, and no older export: it is not overwritten"));
            }
            files.replace(&path, bytes, &|_| Ok(()))
        }
        Ok(_) => files.replace(&path, bytes, &|_| Ok(())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => files.replace(&path, bytes, &|_| Ok(())),
        Err(error) => Err(error),
    }
}

/// A line for each name of a file: where it is, and what it means.
fn json_lines(resolver: &Resolver<'_>, file: FileId) -> Vec<u8> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let path = &resolver.project().file(file).path;
    let mut lines = Vec::new();
    for name in names(resolver, file) {
        let start = tree.text().position(name.span.start());
        let (is, things) = match &name.meaning {
            Meaning::Known(things) => ("known", things.as_slice()),
            Meaning::External => ("external", &[][..]),
            Meaning::Unknown(_) => ("undetermined", &[][..]),
        };
        let to = things.iter().filter_map(|thing| {
            let project = resolver.project();
            match *thing {
                Thing::Symbol(site) => {
                    let start = resolver.tree(site.file)?.start(site.name);
                    Some(serde_json::json!({"path": project.file(site.file).path, "line": start.line, "col": start.col()}))
                }
                Thing::Module(module) => Some(serde_json::json!({"path": project.file(module).path})),
                Thing::Folder(_) | Thing::Package(_) => None,
            }
        });
        let to: Vec<serde_json::Value> = to.collect();
        let line = serde_json::json!({
            "path": path, "line": start.line, "col": start.col(), "name": tree.text().slice(name.span), "is": is, "to": to,
        });
        lines.extend_from_slice(line.to_string().as_bytes());
        lines.push(b'\n');
    }
    lines
}

/// A line for each definition of a file, as ctags writes them.
fn tags(resolver: &Resolver<'_>, file: FileId) -> Vec<u8> {
    let Some(tree) = resolver.tree(file) else { return Vec::new() };
    let path = &resolver.project().file(file).path;
    let definitions = outline::outline(tree, &outline::Options::default()).unwrap_or_default();
    let mut lines = String::new();
    for definition in definitions {
        let name = tree.name_node(definition.node).unwrap_or(definition.node);
        let line = tree.start(name).line;
        let scope = definition.qualname.strip_suffix(&definition.name).map(|scope| scope.trim_end_matches('.'));
        let scope = scope.filter(|scope| !scope.is_empty()).map(|scope| format!("\tscope:{scope}")).unwrap_or_default();
        let name = definition.name.replace(['\t', '\n'], " ");
        lines.push_str(&format!("{name}\t{path}\t{line};\"\tkind:{}\tline:{line}{scope}\n", definition.kind));
    }
    lines.into_bytes()
}
