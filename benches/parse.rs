//! The wall that every search without a prefilter runs into: each file below a folder, read and parsed by tree-sitter, on one
//! thread, and nothing else.
//!
//! `cargo bench --bench parse -- FOLDER LANGUAGE` prints how many files and bytes there were and the seconds that passed.
//! `benches/run.py measure` runs the program itself, to take its CPU seconds beside those of the tools.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cst::language::Language;

// As in `cst`: with the C library's allocator parsing is slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // Cargo adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [folder, name] = words.as_slice() else {
        println!("cargo bench --bench parse -- FOLDER LANGUAGE");
        return;
    };
    let language = Language::named(name).expect("the language is built in");
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar()).expect("a built-in grammar fits");

    let start = Instant::now();
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is readable").flatten() {
            let kind = entry.file_type().expect("the file system says what a file is");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && is_in(&entry.path(), language) {
                let source = std::fs::read(entry.path()).expect("the file is readable");
                drop(parser.parse(&source, None));
                files += 1;
                bytes += source.len();
            }
        }
    }
    println!("{files} files, {bytes} bytes, {:.3} s", start.elapsed().as_secs_f64());
}

fn is_in(path: &Path, language: &Language) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| language.extensions().iter().any(|known| known == extension))
}
