//! The programs in `examples/`, run as anyone would.

use std::error::Error;

use super::cli::Place;

#[path = "../../examples/find.rs"]
#[expect(dead_code, reason = "a program's `main` is not called here")]
mod find;
#[path = "../../examples/modify.rs"]
#[expect(dead_code, reason = "a program's `main` is not called here")]
mod modify;

/// The output of a program, or its error.
fn said(run: impl Fn(&[String], &mut Vec<u8>) -> Result<(), Box<dyn Error>>, words: &[&str]) -> Result<String, String> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut output = Vec::new();
    run(&words, &mut output).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(output).expect("it writes text"))
}

#[test]
fn find_lists_the_matches_of_a_folder() {
    let place = Place::new();
    place.write("shop.py", "class Shop:\n    def sold(self):\n        return 1\n");
    place.write("inner/shop.rs", "impl Shop { fn sold(&self) -> u8 { 1 } }\nfn free() {}\n");
    std::fs::write(place.path("wrong.py"), b"x = '\xff'\n").expect("the file can be written");
    let folder = place.path("");
    let folder = folder.to_str().expect("it is text");
    let found = said(find::run, &[folder, "class@outer > method"]);
    insta::assert_snapshot!(found.expect("it is found"), @r"
    inner/shop.rs:1:13: method  Shop.sold
        @outer = impl Shop { fn sold(&self) -> u8 { 1 } }
    shop.py:2:5: method  Shop.sold
        @outer = class Shop:
    wrong.py: left out: not utf-8: byte 5 has no meaning there
    2 matches in 2 of 2 files
    ");
    let wrong = said(find::run, &[folder, "fucntion > method"]);
    assert_eq!(wrong, Err("unknown type or kind `fucntion`; did you mean `function`?".to_owned()));
    assert_eq!(said(find::run, &[folder]), Err("usage: find FOLDER SELECTOR".to_owned()));
}

#[test]
fn modify_shows_the_diff_and_writes_when_told() {
    let place = Place::new();
    let source = "def f():\r\n\tprint( 'a',  b )  # why\r\n\tlog.print(c)\r\n";
    place.write("app.py", source);
    let path = place.path("app.py");
    let words = [path.to_str().expect("it is text"), ":like(\"print($$$ARGS)\")", "log.info($$$ARGS)"];
    let diff = said(modify::run, &words).expect("it is rewritten");
    assert!(diff.contains("\n-\tprint( 'a',  b )  # why\r\n+\tlog.info( 'a',  b )  # why\r\n"), "{diff}");
    let now = || std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(now(), source);
    assert_eq!(said(modify::run, &[&words[..], &["--write"]].concat()), Ok(diff));
    assert_eq!(now(), source.replace("print( 'a',  b )", "log.info( 'a',  b )"));
    let broken = said(modify::run, &[words[0], "function#f", "def f(:"]);
    assert!(broken.expect_err("it is no function").contains("`)` expected in line "));
    assert!(said(modify::run, &[&words[..], &["--now"]].concat()).is_err());
}
