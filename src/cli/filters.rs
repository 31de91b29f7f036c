//! The simple filters of `find`: alternatives to a selector.

use clap::Args;

use crate::language::Languages;

use super::failure::Failure;

/// Conditions for a node; all must be met.
#[derive(Debug, Args)]
#[command(next_help_heading = "Simple filters, in place of a selector")]
pub(super) struct Filters {
    /// Nodes of a kind: function, class, call, import, …
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Nodes of a grammar type: `function_definition`
    #[arg(long = "type", value_name = "TYPE")]
    node_type: Option<String>,
    /// Nodes with that name
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Nodes with that qualified name: `Server.handle`
    #[arg(long, value_name = "NAME")]
    qualname: Option<String>,
    /// Nodes within these lines
    #[arg(long, value_name = "A-B")]
    lines: Option<String>,
}

impl Filters {
    /// The equivalent selector; `None` if no filter is given.
    pub(super) fn selector(&self) -> Result<Option<String>, Failure> {
        let mut selector = match &self.kind {
            Some(kind) if !is_word(kind) => {
                return Err(Failure::usage(
                    format!("`{kind}` is not a kind"),
                    "write a selector instead of --kind for more",
                ));
            }
            Some(kind) => kind.clone(),
            None => String::from("*"),
        };
        if let Some(language) = self.node_type.as_deref().filter(|name| Languages::built_in().names().contains(name)) {
            let hint = format!("`-t {language}` chooses the language");
            return Err(Failure::usage(format!("`{language}` is not a type of nodes"), hint));
        }
        for (attribute, value) in self.attributes() {
            selector.push_str(&format!("[{attribute}=\"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\"")));
        }
        if let Some(lines) = &self.lines {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number(first) || !is_number(last) {
                return Err(Failure::usage(
                    format!("`{lines}` is not a range of lines"),
                    "--lines takes `12` or `12-40`",
                ));
            }
            selector.push_str(&format!(":lines({first}-{last})"));
        }
        Ok((selector != "*").then_some(selector))
    }

    fn attributes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let node_type = self.node_type.iter().map(|value| ("type", value.as_str()));
        let names = self.name.iter().map(|value| ("name", value.as_str()));
        let qualname = self.qualname.iter().map(|value| ("qualname", value.as_str()));
        node_type.chain(names).chain(qualname)
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
