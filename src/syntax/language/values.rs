//! A word or several, as the data has them.

use serde::Deserialize;

/// One word or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Values {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Default for Values {
    fn default() -> Values {
        Values::Many(Vec::new())
    }
}

impl Values {
    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let words = match self {
            Values::One(word) => std::slice::from_ref(word),
            Values::Many(words) => words,
        };
        words.iter().map(String::as_str)
    }
}
