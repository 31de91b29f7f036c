//! What the fuzzers left behind: every input is gone through again by each run of the suite.

use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};

#[path = "../fuzz/edits.rs"]
mod edits;
#[path = "../fuzz/selector.rs"]
mod selector;

/// The inputs kept for a target; there are always some.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).expect("the corpus is part of the project");
    let inputs: Vec<Vec<u8>> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    assert!(inputs.len() >= 100, "{}: {} inputs", folder.display(), inputs.len());
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
