//! Finds the nodes of a Python file that match a selector: `cargo run --example find -- 'class > function' app.py`.

use cst::language::Language;
use cst::selector::{Definitions, Kinds, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(selector), Some(path)) = (words.next(), words.next()) else {
        return Err("usage: find SELECTOR FILE".into());
    };
    let python = Language::named("python")?;
    let selector = Selector::parse(&selector)?;
    let query = Query::new(&selector, python, &Definitions::default())?;
    let tree = Tree::parse(Text::decode(&std::fs::read(&path)?, None)?, python, &ParseLimits::default())?;
    let kinds = Kinds::new(&tree);
    for found in query.select(&tree)? {
        let start = tree.start(found.node);
        let name = tree.qualname(found.node).unwrap_or_default();
        println!("{path}:{start}  {}  {name}  {}", kinds.kind(found.node), tree.id(found.node));
        for (name, captured) in &found.captures {
            println!("  @{name} = {}", captured.text(&tree));
        }
    }
    Ok(())
}
