//! What the command line shows: code as it is in the file, lines, several files; outlines with documentation.

use crate::cli::Place;

const SHOP: &str =
    "class Shop:\n    def open(self):\n        return 1\n\n    def close(self):\n        \"\"\"1-2 is foo bar\"\"\"\n";

fn place() -> Place {
    let place = Place::new();
    place.write("src/shop.py", SHOP);
    place.write("src/other.py", "def main():\n    pass\n");
    place.write("src/data.json", "{\"a\": 1}\n");
    place
}

#[test]
fn code_alone_goes_back_as_it_was_shown() {
    let place = place();
    let shown = place.run(&["show", "-N", "src/shop.py", "method#open"]).expect(0).stdout;
    assert_eq!(shown, "    def open(self):\n        return 1\n");
    place.run(&["modify", "src/shop.py", "replace", "method#open", &shown.replace('1', "2"), "--write"]).expect(0);
    let expected = SHOP.replace("return 1", "return 2");
    assert_eq!(std::fs::read_to_string(place.path("src/shop.py")).unwrap(), expected);
    // What JSON gives goes back too.
    let row = place.run(&["show", "src/shop.py", "method#open", "--json"]).expect(0).json()["nodes"][0].clone();
    assert_eq!(
        (row["indent"].as_str(), row["code"].as_str()),
        (Some("    "), Some("def open(self):\n        return 2"))
    );
    let code = row["code"].as_str().unwrap().replace('2', "3");
    place.run(&["modify", "src/shop.py", "replace", "method#open", &code, "--write"]).expect(0);
    assert_eq!(std::fs::read_to_string(place.path("src/shop.py")).unwrap(), SHOP.replace("return 1", "return 3"));
}

#[test]
fn lines_and_several_files_are_shown() {
    let place = place();
    let lines = place.run(&["show", "src/shop.py", "2-3"]).expect(0).stdout;
    assert_eq!(lines, "src/shop.py:2:1: lines  -\n   2      def open(self):\n   3          return 1\n");
    let lines = place.run(&["show", "-N", "src/shop.py", "2-3"]).expect(0).stdout;
    assert_eq!(lines, "    def open(self):\n        return 1\n");
    assert_eq!(place.run(&["show", "src/shop.py", "9-12", "--json"]).expect(2).error(), "no_match");
    let found = place.run(&["show", "src", "function#main"]).expect(0).stdout;
    assert!(found.starts_with("src/other.py:1:1: function  main"), "{found}");
    let both = place.run(&["show", "-N", "src/shop.py", "src/other.py"]).expect(0).stdout;
    assert_eq!(both, format!("{SHOP}\ndef main():\n    pass\n"));
}

#[test]
fn an_outline_loses_no_word_of_the_documentation() {
    let place = place();
    let outline = place.run(&["outline", "src/shop.py", "--docs", "--no-ids"]).expect(0).stdout;
    assert!(outline.contains("1-2 is foo bar\n"), "{outline}");
    assert!(!outline.contains("n1"), "{outline}");
    // Code comes before data.
    let outline = place.run(&["outline", "src", "--no-ids"]).expect(0).stdout;
    let at = |name: &str| outline.find(name).unwrap_or(usize::MAX);
    assert!(at("other.py") < at("shop.py") && at("shop.py") < at("data.json"), "{outline}");
}

#[test]
fn an_empty_answer_says_what_came_nearest() {
    let run = place().run(&["find", "method#opem", "src"]).expect(1);
    assert!(run.stderr.contains("near: src/shop.py:2: "), "{}", run.stderr);
}
