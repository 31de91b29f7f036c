//! Embeds lines of standard input, one JSON list of numbers each: what `symbols/embeddings.py` compares with its own reckoning.
//!
//! `cargo bench --features semantic --bench embed -- MODEL < TEXTS`

use std::io::{Read, Write};

use cst::embedding::{Purpose, open_folder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder =
        std::env::args().skip(1).find(|argument| !argument.starts_with("--")).ok_or("name the folder of a model")?;
    let model = open_folder(std::path::Path::new(&folder))?;
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let lines: Vec<&str> = input.lines().collect();
    let mut output = std::io::stdout().lock();
    for part in lines.chunks(model.batch()) {
        for vector in model.embed(part, Purpose::Passage)? {
            serde_json::to_writer(&mut output, &vector)?;
            writeln!(output)?;
        }
    }
    Ok(())
}
