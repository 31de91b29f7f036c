//! The language-neutral kinds and how they stand to each other, from `selectors/kinds.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// All kinds, in the order of the file.
#[derive(Debug)]
pub struct Taxonomy {
    kinds: Vec<KindEntry>,
}

/// One kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindEntry {
    /// Its name, as a selector writes it.
    pub name: String,
    /// The kinds right above it.
    #[serde(default)]
    pub under: Vec<String>,
    /// How specific it is, where its place in the taxonomy says too little: a parameter that is a plain name is a
    /// parameter first.
    rank: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: Vec<KindEntry>,
}

/// The one taxonomy.
pub fn taxonomy() -> &'static Taxonomy {
    static TAXONOMY: LazyLock<Taxonomy> = LazyLock::new(|| {
        let file: File =
            toml::from_str(include_str!("../../selectors/kinds.toml")).expect("selectors/kinds.toml parses");
        Taxonomy { kinds: file.kind }
    });
    &TAXONOMY
}

impl Taxonomy {
    /// The kinds in order.
    pub fn kinds(&self) -> &[KindEntry] {
        &self.kinds
    }

    /// Whether there is such a kind.
    pub fn contains(&self, name: &str) -> bool {
        self.kinds.iter().any(|kind| kind.name == name)
    }

    /// Whether a node of kind `lower` is of kind `upper` too: the same, or anywhere above it.
    pub fn is_a(&self, lower: &str, upper: &str) -> bool {
        let above = |name: &str| self.kinds.iter().find(|kind| kind.name == name).map(|kind| &kind.under);
        upper == "node"
            || lower == upper
            || above(lower).is_some_and(|under| under.iter().any(|kind| self.is_a(kind, upper)))
    }

    /// How specific a kind is: how far below `node` it stands, unless the file says otherwise. Of several kinds of a node the
    /// most specific is shown.
    pub fn rank(&self, name: &str) -> usize {
        let Some(entry) = self.kinds.iter().find(|kind| kind.name == name) else { return 0 };
        let depth = || entry.under.iter().map(|kind| self.rank(kind) + 1).max().unwrap_or(usize::from(name != "node"));
        entry.rank.unwrap_or_else(depth)
    }
}
