//! Code in documentation that tools run: references in it are listed, and refactors change it.

use serde_json::json;

use crate::cli::Place;
use crate::refactored::{check, refused};

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"my-crate\"\nversion = \"0.1.0\"\n");

/// The rename of what is at a place of `src/lib.rs` to `zebra` gives this text.
#[track_caller]
fn renamed(text: &str, place: &str, expected: &str) {
    let rename = json!({"kind": "rename", "symbol": format!("src/lib.rs:{place}"), "to": "zebra"});
    check(&[MANIFEST, ("src/lib.rs", text)], &rename, &[("src/lib.rs", expected)]);
}

#[test]
fn blocks_of_comments_are_programs_that_use_the_library() {
    let text = "\
//! ```
//! use my_crate::{other,
//!     add};
//! assert_eq!(
//!     add(1),
//!     my_crate::add(1),
//! );
//! ```
//! The function add is not `add` in a text.
//! ```text
//! add(1)
//! ```

/// ```no_run
/// # use my_crate::add;
/// # fn main() {
/// add(1)
/// # }
/// ```
/// ```
/// fn add() {}
/// add();
/// ```
/// ```ignore
/// my_crate::add(1)
/// ```
pub fn add(x: u8) -> u8 { x }
pub fn other() {}
";
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in [2, 4, 5, 14, 16, 26] {
        let line = &mut lines[line];
        *line = line.replace("add", "zebra");
    }
    renamed(text, "27:8", &(lines.join("\n") + "\n"));
}

#[test]
fn every_form_of_documentation_is_read() {
    for (old, new) in [
        ("/// ~~~rust\n/// my_crate::ox();\n/// ~~~\n", "/// ~~~rust\n/// my_crate::zebra();\n/// ~~~\n"),
        ("/** ```\n * my_crate::ox();\n * ``` */\n", "/** ```\n * my_crate::zebra();\n * ``` */\n"),
        ("/**\n```\nmy_crate::ox();\n```\n*/\n", "/**\n```\nmy_crate::zebra();\n```\n*/\n"),
        ("#[doc = \"```\nmy_crate::ox();\n```\"]\n", "#[doc = \"```\nmy_crate::zebra();\n```\"]\n"),
        ("#[doc = r#\"```\nmy_crate::ox();\n```\"#]\n", "#[doc = r#\"```\nmy_crate::zebra();\n```\"#]\n"),
        ("/// ```\n/// use my_crate::*;\n/// ox()\n/// ```\n", "/// ```\n/// use my_crate::*;\n/// zebra()\n/// ```\n"),
        ("/// ```\n/// ##[x]\n/// my_crate::ox();\n", "/// ```\n/// ##[x]\n/// my_crate::zebra();\n"),
        // A comment that is none of the documentation, a block in another language, and one that does not compile.
        ("// ```\n// my_crate::ox();\n// ```\n", "// ```\n// my_crate::ox();\n// ```\n"),
        ("/// ```python\n/// my_crate::ox()\n/// ```\n", "/// ```python\n/// my_crate::ox()\n/// ```\n"),
        ("/// ```compile_fail\n/// my_crate::ox();\n/// ```\n", "/// ```compile_fail\n/// my_crate::ox();\n/// ```\n"),
    ] {
        let (before, after) = (format!("{old}pub fn ox() {{}}\n"), format!("{new}pub fn zebra() {{}}\n"));
        renamed(&before, &format!("{}:8", old.matches('\n').count() + 1), &after);
    }
}

#[test]
fn a_text_that_the_documentation_includes_is_read() {
    let lib = "#![doc = include_str!(\"../README.md\")]\npub fn ox() {}\n";
    let readme = "# Ox\n\nThe ox.\n\n```rust\nmy_crate::ox();\n```\n";
    let rename = json!({"kind": "rename", "symbol": "src/lib.rs:2:8", "to": "zebra"});
    check(
        &[MANIFEST, ("README.md", readme), ("src/lib.rs", lib)],
        &rename,
        &[("README.md", &readme.replace("::ox", "::zebra")), ("src/lib.rs", &lib.replace("ox", "zebra"))],
    );
    let lib = "pub fn ox() {}\n";
    let rename = json!({"kind": "rename", "symbol": "src/lib.rs:1:8", "to": "zebra"});
    let expected = lib.replace("ox", "zebra");
    check(&[MANIFEST, ("README.md", readme), ("src/lib.rs", lib)], &rename, &[("src/lib.rs", &expected)]);
}

#[test]
fn members_are_followed_as_in_other_code() {
    let text = "\
/// ```
/// let a = my_crate::A::make();
/// a.size();
/// \"x\".chars().size();
/// ```
pub struct A;
impl A {
    pub fn make() -> A { A }
    pub fn size(&self) {}
}
";
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in [2, 8] {
        lines[line] = lines[line].replace("size", "zebra");
    }
    renamed(text, "9:12", &(lines.join("\n") + "\n"));
    let text = text.replace("my_crate::A::make()", "unknown(my_crate::A::make())");
    let rename = json!({"kind": "rename", "symbol": "src/lib.rs:9:12", "to": "zebra"});
    let (error, places) = refused(&[MANIFEST, ("src/lib.rs", &text)], &rename);
    assert_eq!(error, "undetermined");
    assert!(places.iter().any(|place| place.starts_with("src/lib.rs:3 ")), "{places:?}");
}

#[test]
fn a_name_that_the_documentation_has_is_not_taken() {
    let text = "/// ```\n/// use my_crate::*;\n/// let zebra = 1;\n/// ox(zebra);\n/// ```\npub fn ox(x: u8) {}\n";
    let rename = json!({"kind": "rename", "symbol": "src/lib.rs:6:8", "to": "zebra"});
    let (error, places) = refused(&[MANIFEST, ("src/lib.rs", text)], &rename);
    assert!(error == "would_rebind" || error == "undetermined", "{error}: {places:?}");
}

#[test]
fn calls_in_documentation_get_the_arguments() {
    let text = "/// Adds.\n///\n/// ```\n/// let y = my_crate::add(1, 2);\n/// ```\npub fn add(a: u8, b: u8) -> u8 { a - b }\n\nfn run() { add(3, 4); }\n";
    let reorder = json!({"kind": "change_signature", "symbol": "src/lib.rs::add", "reorder": ["b"]});
    let expected =
        text.replace("add(1, 2)", "add(2, 1)").replace("a: u8, b: u8", "b: u8, a: u8").replace("(3, 4)", "(4, 3)");
    check(&[MANIFEST, ("src/lib.rs", text)], &reorder, &[("src/lib.rs", &expected)]);
    let text = "class A:\n    \"\"\"An A.\n\n    >>> A(1, 2).b\n    2\n    \"\"\"\n\n    def __init__(self, a, b):\n        self.b = b\n";
    let remove = json!({"kind": "change_signature", "symbol": "A.__init__", "remove": "a", "force": true});
    let expected = text.replace("A(1, 2)", "A(2)").replace("a, b", "b");
    check(&[("a.py", text)], &remove, &[("a.py", &expected)]);
    let text = "def add(a, b):\n    \"\"\"\n    >>> add(1,\n    ...     2)\n    \"\"\"\n    return a - b\n";
    let add = json!({"kind": "change_signature", "symbol": "add", "add": "c", "at": 1, "value": "0"});
    let expected = text.replace("add(1,", "add(0, 1,").replace("(a, b)", "(c, a, b)");
    check(&[("a.py", text)], &add, &[("a.py", &expected)]);
}

#[test]
fn what_an_example_prints_may_have_the_name() {
    for (text, place) in [
        ("class Ox:\n    \"\"\"\n    >>> Ox()\n    Ox(1)\n    \"\"\"\n", "1:7"),
        (
            "class Ox(Exception):\n    \"\"\"\n    >>> fail()\n    Traceback (most recent call last):\n    a.Ox: it failed\n    \"\"\"\n",
            "1:7",
        ),
        ("def ox():\n    \"\"\"\n    >>> print(1)\n    <function ox at 0x7f>\n    \"\"\"\n", "1:5"),
        (
            "class A:\n    ox = 1\n    def b(self):\n        \"\"\"\n        >>> A()\n        A(ox=1)\n        \"\"\"\n",
            "2:5",
        ),
    ] {
        let rename = json!({"kind": "rename", "symbol": format!("a.py:{place}"), "to": "zebra"});
        let (error, places) = refused(&[("a.py", text)], &rename);
        assert_eq!(error, "undetermined", "{text}");
        assert!(
            places.iter().any(|place| place.ends_with("documentation that is run has it in its output")),
            "{places:?}"
        );
    }
    let text = "def ox():\n    \"\"\"\n    >>> ox()\n    'an ox'\n\n    ox(1) is no output.\n    \"\"\"\n";
    let expected = text.replace("def ox", "def zebra").replace(">> ox", ">> zebra");
    let rename = json!({"kind": "rename", "symbol": "a.py:1:5", "to": "zebra"});
    check(&[("a.py", text)], &rename, &[("a.py", &expected)]);
}

#[test]
fn references_in_documentation_are_listed() {
    let place = Place::new();
    place.write("Cargo.toml", MANIFEST.1);
    place.write("src/lib.rs", "/// ```\n/// my_crate::ox();\n/// ```\npub fn ox() {}\n");
    place.write("a.py", "def bee():\n    \"\"\"\n    >>> bee()\n    \"\"\"\n");
    let out = place.run(&["refs", "ox"]).expect(0).stdout;
    assert!(out.contains("src/lib.rs:2:15  call  in documentation that is run\n    /// my_crate::ox();\n"), "{out}");
    let out = place.run(&["refs", "bee"]).expect(0).stdout;
    assert!(out.contains("a.py:3:9  call  in bee  in documentation that is run\n"), "{out}");
}
