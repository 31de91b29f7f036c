//! What the fuzzers left behind: every input is gone through again by each run of the suite.

use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};

#[path = "../fuzz/edits.rs"]
mod edits;
#[path = "../fuzz/selector.rs"]
mod selector;

/// The inputs kept for a target: the archive, a line of hexadecimal digits for each, and those that once failed, as files.
/// `fuzz/corpus.py` packs and unpacks the archive.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let archive = folder.join("corpus").join(target).with_extension("hex");
    let archive = std::fs::read_to_string(archive).expect("the corpus is part of the project");
    let byte = |line: &str, at: usize| u8::from_str_radix(&line[at..at + 2], 16).expect("hexadecimal digits in pairs");
    let mut inputs: Vec<Vec<u8>> =
        archive.lines().map(|line| (0..line.len()).step_by(2).map(|at| byte(line, at)).collect()).collect();
    assert!(inputs.len() >= 100, "{target}: {} inputs", inputs.len());
    if let Ok(failed) = std::fs::read_dir(folder.join("regressions").join(target)) {
        inputs.extend(failed.map(|file| std::fs::read(file.unwrap().path()).unwrap()));
    }
    inputs
}

#[test]
fn selectors() {
    for input in corpus("selector") {
        // As in the fuzzer: the part of the input that is text.
        let text = std::str::from_utf8(&input).map_or_else(|error| &input[..error.valid_up_to()], str::as_bytes);
        selector::check(std::str::from_utf8(text).expect("cut where text ends"));
    }
}

#[test]
fn edits() {
    for input in corpus("edits") {
        if let Ok(input) = edits::Input::arbitrary_take_rest(Unstructured::new(&input)) {
            edits::check(input);
        }
    }
}
