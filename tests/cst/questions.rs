//! The same questions put to a repository in several languages at once: one word means one thing in all of them.

use super::cli::Place;

const FILES: &[(&str, &str)] = &[
    (
        "shop.py",
        "class Shop:
    def get(self):
        return 1

    def log(self):
        print(\"py\")

    def deep(self):
        def inner():
            return 2
        inner()


def wide(a, b, c, d, e, f):
    return a


def test_wide():
    wide(1, 2, 3, 4, 5, 6)
",
    ),
    (
        "shop.js",
        "class Shop {
  get() { return 1; }
  log() { console.log(\"js\"); }
  deep() {
    const inner = () => { return 2; };
    inner();
  }
}
function wide(a, b, c, d, e, f) { return a; }
",
    ),
    (
        "shop.ts",
        "class Shop {
  get(): number { return 1; }
  log(): void { console.log(\"ts\"); }
}
function wide(a: number, b: number, c: number, d: number, e: number, f?: number) { return a; }
",
    ),
    (
        "Shop.java",
        "class Shop {
    int get() { return 1; }
    void log() { System.out.println(\"java\"); }
    int wide(int a, int b, int c, int d, int e, int f) { return a; }
    @Test
    void works() { get(); }
}
",
    ),
    (
        "shop.go",
        "package shop

import \"fmt\"

type Shop struct{}

func (s Shop) Get() int { return 1 }
func (s Shop) Log()     { fmt.Println(\"go\"); println(\"go\") }
func wide(a, b, c, d, e, f int) int { return a }
",
    ),
    (
        "shop.rs",
        "struct Shop;

impl Shop {
    fn get(&self) -> i32 { return 1; }
    fn log(&self) { println!(\"rs\"); print(1); }
}

fn wide(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32) -> i32 { return a; }

#[test]
fn works() { wide(1, 2, 3, 4, 5, 6); }
",
    ),
    (
        "shop.rb",
        "class Shop
  def get
    return 1
  end

  def log
    print \"rb\"
  end
end

def wide(a, b, c, d, e, f)
  a
end
",
    ),
    (
        "shop.php",
        "<?php
class Shop {
    function get() { return 1; }
    function log() { println(\"php\"); }
}
function wide($a, $b, $c, $d, $e, $f) { return $a; }
",
    ),
    ("style.css", ".test { color: red; }\n"),
];

fn repository() -> Place {
    let place = Place::new();
    FILES.iter().for_each(|(name, text)| place.write(name, text));
    place
}

/// Finds exactly these, as `path:line name`: with the prefilter, without it, and with an index that has been made.
#[track_caller]
fn check(selector: &str, expected: &[&str]) {
    let place = repository();
    let ask = |options: &[&str]| {
        let words = [&["find", selector, "--json"], options].concat();
        let run = place.run(&words);
        let found = run.json();
        let rows = found["matches"].as_array().unwrap_or_else(|| panic!("{found}")).iter();
        let text = |word: &serde_json::Value| word.as_str().unwrap_or("-").to_owned();
        let rows = rows.map(|row| format!("{}:{} {}", text(&row["path"]), row["start_line"], text(&row["name"])));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(ask(&[]), expected, "{selector}");
    for options in [&["--no-prefilter"][..], &["--cache"], &["--cache"], &[]] {
        assert_eq!(ask(options), expected, "{selector} {options:?}");
    }
}

#[test]
fn methods_that_return_nothing() {
    // A nested function's `return` is not the method's. Go's methods are not in a class.
    check(
        "class > method:not(:has-own(return))",
        &[
            "Shop.java:3 log",
            "Shop.java:5 works",
            "shop.js:3 log",
            "shop.js:4 deep",
            "shop.php:4 log",
            "shop.py:5 log",
            "shop.py:8 deep",
            "shop.rb:6 log",
            "shop.rs:5 log",
            "shop.ts:3 log",
        ],
    );
}

#[test]
fn functions_of_many_parameters() {
    check(
        "function[params>5]",
        &[
            "Shop.java:4 wide",
            "shop.go:9 wide",
            "shop.js:9 wide",
            "shop.php:6 wide",
            "shop.py:14 wide",
            "shop.rb:11 wide",
            "shop.rs:8 wide",
            "shop.ts:5 wide",
        ],
    );
}

#[test]
fn what_is_printed() {
    // Names are compared letter by letter: `fmt.Println` is another.
    check(
        "call#print, call#println, call[callee=\"console.log\"]",
        &[
            "Shop.java:3 println",
            "shop.go:8 println",
            "shop.js:3 log",
            "shop.php:4 println",
            "shop.py:6 print",
            "shop.rb:7 print",
            "shop.rs:5 println",
            "shop.rs:5 print",
            "shop.ts:3 log",
        ],
    );
    check("call#Println", &["shop.go:8 Println"]);
}

#[test]
fn a_branch_for_one_of_them() {
    check("macro_invocation, call#inner", &["shop.js:6 inner", "shop.py:11 inner", "shop.rs:5 println"]);
    check(
        "method_declaration:has(return)",
        &["Shop.java:2 get", "Shop.java:4 wide", "shop.go:7 Get", "shop.php:3 get"],
    );
    check("class_selector, call#get", &["Shop.java:6 get", "style.css:1 test"]);
}

#[test]
fn a_named_selector_that_some_lack() {
    check(":test", &["Shop.java:1 Shop", "Shop.java:5 works", "shop.py:18 test_wide", "shop.rs:11 works"]);
    check("function:test", &["Shop.java:5 works", "shop.py:18 test_wide", "shop.rs:11 works"]);
}

#[test]
fn a_word_that_none_knows() {
    let place = repository();
    for (selector, hint) in [(":tset", ":test"), ("functoin[params>5]", "function"), ("call#print, clas", "class")] {
        let run = place.run(&["find", selector]).expect(2);
        assert_eq!(run.stdout, "", "{selector}");
        assert!(run.stderr.contains(hint), "{selector}: {}", run.stderr);
    }
}
