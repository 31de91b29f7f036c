//! The packs of rules that are shipped.

/// The name of a pack, and its rules.
pub(super) struct Pack {
    pub name: &'static str,
    pub source: &'static str,
}

/// All packs.
pub(super) const PACKS: [Pack; 7] = [
    Pack { name: "quality", source: include_str!("packs/quality.toml") },
    Pack { name: "python", source: include_str!("packs/python.toml") },
    Pack { name: "javascript", source: include_str!("packs/javascript.toml") },
    Pack { name: "go", source: include_str!("packs/go.toml") },
    Pack { name: "rust", source: include_str!("packs/rust.toml") },
    Pack { name: "java", source: include_str!("packs/java.toml") },
    Pack { name: "security", source: include_str!("packs/security.toml") },
];

/// The pack of that name.
pub(super) fn named(name: &str) -> Option<&'static Pack> {
    PACKS.iter().find(|pack| pack.name == name)
}
