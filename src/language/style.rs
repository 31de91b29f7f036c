//! How code of a language is usually laid out.

use serde::Deserialize;

/// The usual indentation of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Indent {
    /// Width of a level in columns.
    pub width: usize,
    /// Whether it is written with tabs.
    #[serde(default)]
    pub tabs: bool,
}

impl Default for Indent {
    fn default() -> Indent {
        Indent { width: 4, tabs: false }
    }
}

/// Blank lines around definitions, where the neighbours don't show a habit.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlankLines {
    /// At the file's top level.
    #[serde(default)]
    pub top: usize,
    /// Inside of another definition.
    #[serde(default)]
    pub nested: usize,
}
