//! Graphs for Graphviz and Mermaid.

use std::collections::HashMap;

use clap::ValueEnum;

/// The form of the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A list.
    #[default]
    Text,
    /// A graph for Graphviz.
    Dot,
    /// A graph for Mermaid.
    Mermaid,
}

/// Edges from name to name, each once, as Graphviz reads them.
pub(super) fn dot(name: &str, edges: &[(&str, &str)]) -> String {
    let mut text = format!("digraph {name} {{\n");
    for (from, to) in edges {
        text.push_str(&format!("  {from:?} -> {to:?};\n"));
    }
    text + "}\n"
}

/// The same as Mermaid reads them.
pub(super) fn mermaid(edges: &[(&str, &str)]) -> String {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut text = String::from("graph LR\n");
    for (from, to) in edges {
        let [from, to] = [from, to].map(|name| {
            let count = known.len();
            let number = *known.entry(name).or_insert(count);
            format!("n{number}[\"{}\"]", name.replace('"', "#quot;"))
        });
        text.push_str(&format!("  {from} --> {to}\n"));
    }
    text
}
