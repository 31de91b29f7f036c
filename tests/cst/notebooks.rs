//! Code in the cells of notebooks: it is found, listed, changed and followed like other code, and all other bytes of the file stay.

use crate::cli::Place;

/// A notebook as programs write it: each line of code on a line of its own.
const BY_LINES: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "call old(0)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "%matplotlib inline\n",
    "import os\n",
    "def old(a):\n",
    "    if a:\n",
    "        !ls\n",
    "    return \"caf\u00e9\" + a"
   ]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["old(1)"]}],
   "source": [
    "%%bash\n",
    "old(9)"
   ]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": [
    "x = old(\"a\\tb\")\n",
    "old(2)"
   ]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// The same code on one line.
const ON_A_LINE: &str = r#"{"cells":[{"cell_type":"code","source":"def old(a):\n    return a","outputs":[]},{"cell_type":"code","source":["old(1)\n","old(2)"],"outputs":[]}],"nbformat":4,"nbformat_minor":5,"metadata":{}}"#;

fn place(text: &str) -> Place {
    let place = Place::new();
    place.write("a.ipynb", text);
    place
}

fn lines(place: &Place, words: &[&str]) -> Vec<String> {
    let answer = place.run(words);
    assert_eq!(answer.status, 0, "{words:?}: {}", answer.stderr);
    answer.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn code_is_found_in_the_lines_of_the_file() {
    let place = place(BY_LINES);
    let found = lines(&place, &["find", "call", ".", "--vimgrep"]);
    assert_eq!(found, ["a.ipynb:38:5:x = old(\"a\\tb\")", "a.ipynb:39:1:old(2)"]);
    assert_eq!(lines(&place, &["find", "function#old", "a.ipynb", "-l"]), ["a.ipynb"]);
    assert_eq!(place.run(&["check", "a.ipynb"]).status, 0);
    assert_eq!(place.run(&["find", "call", ".", "-t", "javascript"]).status, 1);
    let line = BY_LINES.lines().position(|line| line.contains("old(2)")).expect("a line") + 1;
    assert_eq!(line, 39, "the line of the file");
    let outline = lines(&place, &["outline", "a.ipynb"]).join("\n");
    assert!(outline.contains("old"), "{outline}");
}

#[test]
fn an_edit_changes_the_lines_that_it_says_and_no_other_byte() {
    let place = place(BY_LINES);
    lines(&place, &["rewrite", "-p", "old($A)", "new($A, \"é\")", ".", "--write"]);
    let expected = BY_LINES
        .replace(r#"x = old(\"a\\tb\")\n"#, r#"x = new(\"a\\tb\", \"\u00e9\")\n"#)
        .replace(r#""old(2)""#, r#""new(2, \"\u00e9\")""#);
    assert_eq!(place.read("a.ipynb"), expected);
    lines(&place, &["undo", "--last"]);
    assert_eq!(place.read("a.ipynb"), BY_LINES);

    lines(&place, &["modify", "a.ipynb", "delete", "import", "--write"]);
    assert_eq!(place.read("a.ipynb"), BY_LINES.replace("    \"import os\\n\",\n", ""));
    lines(&place, &["modify", "a.ipynb", "delete", "function#old", "--write"]);
    assert!(place.read("a.ipynb").contains("    \"%matplotlib inline\\n\"\n   ]"), "{}", place.read("a.ipynb"));
    serde_json::from_str::<serde_json::Value>(&place.read("a.ipynb")).expect("JSON");
}

#[test]
fn a_file_on_one_line_keeps_its_form() {
    let place = place(ON_A_LINE);
    lines(&place, &["refactor", "rename", "old", "new", "--write"]);
    assert_eq!(place.read("a.ipynb"), ON_A_LINE.replace("old", "new"));
    lines(&place, &["modify", "a.ipynb", "insert", "after", "call:last", "new(3)", "--write"]);
    assert_eq!(
        place.read("a.ipynb"),
        ON_A_LINE.replace("old", "new").replace("\"new(2)\"", "\"new(2)\\n\",\"new(3)\"")
    );
}

#[test]
fn names_of_modules_are_followed_into_cells() {
    let place = place(ON_A_LINE);
    place.write("shop.py", "def total(x):\n    return x\n");
    place.write("a.ipynb", &ON_A_LINE.replace("old(1)", "from shop import total; total(1)"));
    lines(&place, &["refactor", "rename", "shop.py::total", "sum_of", "--write"]);
    assert_eq!(place.read("a.ipynb"), ON_A_LINE.replace("old(1)", "from shop import sum_of; sum_of(1)"));
}

#[test]
fn a_held_tree_is_saved_as_the_file_was() {
    let place = place(BY_LINES);
    lines(&place, &["load", "a.ipynb"]);
    lines(&place, &["modify", "--tree", "a.ipynb", "replace", "call:last", "old(3)"]);
    lines(&place, &["save", "a.ipynb"]);
    assert_eq!(place.read("a.ipynb"), BY_LINES.replace("\"old(2)\"", "\"old(3)\""));
}

#[test]
fn what_is_not_read_is_said() {
    for (text, part) in [
        (BY_LINES.replace("\"language\": \"python\"", "\"language\": \"R\""), "its code is in `R`"),
        (BY_LINES.replace("\"nbformat\": 4", "\"nbformat\": 3"), "its format is 3"),
        ("{".to_owned(), "not a notebook"),
    ] {
        let place = place(&text);
        let answer = place.run(&["find", "call", "a.ipynb"]);
        assert!(answer.status == 2 && answer.stderr.contains(part), "{}", answer.stderr);
        let answer = place.run(&["find", "call", "."]);
        assert!(answer.stderr.contains("skipped 1 file") && answer.stderr.contains("a.ipynb"), "{}", answer.stderr);
    }
    let place = place(BY_LINES);
    let answer = place.run(&["rewrite", "module", "x = 1", "a.ipynb", "--write"]);
    assert_eq!(answer.status, 2, "{}", answer.stdout);
    assert!(answer.stderr.contains("not inside of one cell"), "{}", answer.stderr);
    assert_eq!(place.read("a.ipynb"), BY_LINES);
    assert_eq!(place.run(&["find", "pair", "a.ipynb", "--language", "json"]).status, 0, "it is JSON, too");
}
