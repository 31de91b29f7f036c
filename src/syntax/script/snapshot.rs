//! Snapshots of tests: the result of a script, in a file of its own, in the format of `insta`.

/// A snapshot: a header between lines `---`, then the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The script.
    pub source: String,
    /// The test.
    pub expression: String,
    /// The result of the script.
    pub text: String,
}

impl Snapshot {
    /// The file name for a test, without characters that file systems do not allow.
    pub fn file_name(name: &str) -> String {
        let fits = |letter: char| !(letter.is_control() || "/\\:*?\"<>|".contains(letter));
        let name: String = name.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
        // Neither hidden nor one of the names of folders.
        match name.trim().trim_end_matches('.') {
            name if name.starts_with('.') || name.is_empty() => format!("_{name}"),
            name => name.to_owned(),
        }
    }

    /// The content of the file.
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let end = if self.text.ends_with('\n') { "" } else { "\n" };
        let Snapshot { source, expression, text } = self;
        format!("---\nsource: {}\nexpression: {}\n---\n{text}{end}", quoted(source), quoted(expression))
    }

    /// The text in a snapshot file; `None` if it is not one.
    pub fn text_of(file: &str) -> Option<&str> {
        let rest = file.strip_prefix("---\n").or_else(|| file.strip_prefix("---\r\n"))?;
        if let Some(text) = rest.strip_prefix("---\n") {
            return Some(text);
        }
        let end = rest.find("\n---\n").map(|at| at + "\n---\n".len());
        let end = end.or_else(|| rest.find("\n---\r\n").map(|at| at + "\n---\r\n".len()));
        end.map(|end| &rest[end..])
    }

    /// Whether a snapshot has this result. The file ends with a line end even if the result does not.
    pub fn is_of(text: &str, result: &str) -> bool {
        text == result || text.strip_suffix('\n') == Some(result)
    }
}
