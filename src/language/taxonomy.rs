//! The language-neutral kinds and how they stand to each other, from `selectors/kinds.toml`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// All kinds, in the order of the file.
#[derive(Debug)]
pub struct Taxonomy {
    kinds: Vec<KindEntry>,
    places: FxHashMap<String, usize>,
    depths: Vec<usize>,
    ranks: Vec<usize>,
    /// For each kind itself and all above it, as bits.
    above: Vec<u128>,
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
        let file: File = serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/kinds.json")))
            .expect("selectors/kinds.toml parses");
        Taxonomy::new(file.kind)
    });
    &TAXONOMY
}

impl Taxonomy {
    /// A kind stands after those right above it.
    fn new(kinds: Vec<KindEntry>) -> Taxonomy {
        assert!(kinds.len() <= 128, "kinds are told by 128 bits");
        let mut taxonomy =
            Taxonomy { kinds, places: FxHashMap::default(), depths: Vec::new(), ranks: Vec::new(), above: Vec::new() };
        for (place, kind) in taxonomy.kinds.iter().enumerate() {
            let known = |name: &String| taxonomy.places.get(name).copied().expect("a kind stands after those above it");
            let above: Vec<usize> = kind.under.iter().map(known).collect();
            let depth = above.iter().map(|&upper| taxonomy.depths[upper] + 1).max();
            let depth = depth.unwrap_or(usize::from(kind.name != "node"));
            taxonomy.depths.push(depth);
            taxonomy.ranks.push(kind.rank.unwrap_or(depth));
            let bits = above.iter().map(|&upper| taxonomy.above[upper]).fold(1 << place, |bits, upper| bits | upper);
            taxonomy.above.push(bits);
            taxonomy.places.insert(kind.name.clone(), place);
        }
        taxonomy
    }

    /// The kinds in order.
    pub fn kinds(&self) -> &[KindEntry] {
        &self.kinds
    }

    /// The place of a kind in that order.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Whether there is such a kind.
    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Whether a node of kind `lower` is of kind `upper` too: the same, or anywhere above it.
    pub fn is_a(&self, lower: &str, upper: &str) -> bool {
        if upper == "node" || lower == upper {
            return true;
        }
        match (self.place(lower), self.place(upper)) {
            (Some(lower), Some(upper)) => self.is_place_a(lower, upper),
            _ => false,
        }
    }

    /// The same for places.
    pub fn is_place_a(&self, lower: usize, upper: usize) -> bool {
        self.above[lower] >> upper & 1 != 0
    }

    /// How specific a kind is: how far below `node` it stands, unless the file says otherwise. Of several kinds of a node the
    /// most specific is shown.
    pub fn rank(&self, name: &str) -> usize {
        self.place(name).map_or(0, |place| self.ranks[place])
    }
}
