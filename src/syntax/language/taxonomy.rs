//! The language-neutral kinds and their hierarchy, from `selectors/kinds.toml`.

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
    /// For each kind, the bits of itself and of all kinds above it.
    above: Vec<u128>,
}

/// One kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindEntry {
    /// Its name in selectors.
    pub name: String,
    /// The kinds directly above it.
    #[serde(default)]
    pub under: Vec<String>,
    /// How specific it is, if its depth in the taxonomy is not enough: a parameter that is a plain name is a parameter
    /// first.
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
        let file: File = serde_json::from_str(cst_languages::KINDS).expect("selectors/kinds.toml parses");
        Taxonomy::new(file.kind)
    });
    &TAXONOMY
}

impl Taxonomy {
    /// A kind comes after those directly above it.
    fn new(kinds: Vec<KindEntry>) -> Taxonomy {
        assert!(kinds.len() <= 128, "a set of kinds has 128 bits");
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

    /// The index of a kind.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Whether there is such a kind.
    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Whether a node of kind `lower` also has the kind `upper`: the same, or one above it.
    pub fn is_a(&self, lower: &str, upper: &str) -> bool {
        if upper == "node" || lower == upper {
            return true;
        }
        match (self.place(lower), self.place(upper)) {
            (Some(lower), Some(upper)) => self.is_place_a(lower, upper),
            _ => false,
        }
    }

    /// The same for indices.
    pub fn is_place_a(&self, lower: usize, upper: usize) -> bool {
        self.above[lower] >> upper & 1 != 0
    }

    /// How specific a kind is: its depth below `node`, unless the file says otherwise. Results show the most specific
    /// kind of a node.
    pub fn rank(&self, name: &str) -> usize {
        self.place(name).map_or(0, |place| self.ranks[place])
    }
}
