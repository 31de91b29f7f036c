//! `move-file` of a module that another file declares: Rust.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

const CARGO: (&str, &str) = ("Cargo.toml", "[package]\nname = \"kit\"\nversion = \"1.0.0\"\nedition = \"2021\"\n");

fn to(from: &str, to: &str) -> Value {
    json!({"kind": "move_file", "symbol": from, "to": to})
}

/// The files after a move, in one text.
#[track_caller]
fn moved(files: &[(&str, &str)], from: &str, new: &str) -> String {
    let files = [&[CARGO], files].concat();
    let changed = run(&files, &to(from, new)).unwrap_or_else(|error| panic!("{error:#}"));
    changed.iter().map(|(path, text)| format!("{path}\n{}", text.as_deref().unwrap_or("(gone)\n"))).collect()
}

/// The reasons of a refusal.
#[track_caller]
fn places(files: &[(&str, &str)], from: &str, new: &str) -> Vec<String> {
    refused(&[&[CARGO], files].concat(), &to(from, new)).1
}

/// The message of a refusal.
#[track_caller]
fn message(files: &[(&str, &str)], from: &str, new: &str) -> String {
    let error = run(&[&[CARGO], files].concat(), &to(from, new)).expect_err("refused");
    format!("{}; {}", error["error"]["message"].as_str().unwrap_or(""), error["error"]["hint"].as_str().unwrap_or(""))
}

#[test]
fn a_module_gets_another_name() {
    let files = [
        (
            "src/lib.rs",
            "/// About a.\n#[allow(dead_code)]\nmod a;\nmod b;\npub use a::f;\nuse crate::{a::{self as q, g}, b::k};\npub fn z() { a::f(); q::g(); g(); k(); println!(\"{}\", self::a::h()) }\n",
        ),
        ("src/a.rs", "pub fn f() {}\npub fn g() {}\npub fn h() -> u8 { super::b::one() }\n"),
        ("src/b.rs", "pub fn k() { super::a::f(); use crate::a; a::g() }\npub fn one() -> u8 { 1 }\n"),
    ];
    check(
        &[&[CARGO], &files[..]].concat(),
        &to("src/a.rs", "src/c.rs"),
        &[
            ("src/b.rs", "pub fn k() { super::c::f(); use crate::c; c::g() }\npub fn one() -> u8 { 1 }\n"),
            ("src/c.rs", files[1].1),
            (
                "src/lib.rs",
                "/// About a.\n#[allow(dead_code)]\nmod c;\nmod b;\npub use c::f;\nuse crate::{c::{self as q, g}, b::k};\npub fn z() { c::f(); q::g(); g(); k(); println!(\"{}\", self::c::h()) }\n",
            ),
        ],
    );
}

#[test]
fn a_module_goes_below_another_one() {
    let files = [
        (
            "src/lib.rs",
            "mod b;\n\n/// About a.\n#[allow(dead_code)]\nmod a;\n\npub fn z() { a::f() }\nuse crate::{a::g, b::k};\npub fn y() { g(); k() }\n",
        ),
        ("src/a.rs", "use super::b::one;\npub fn f() { one(); super::z() }\npub fn g() {}\n"),
        ("src/b.rs", "pub fn k() { super::a::f(); crate::a::g() }\npub fn one() {}\n"),
    ];
    check(
        &[&[CARGO], &files[..]].concat(),
        &to("src/a.rs", "src/b/"),
        &[
            (
                "src/b.rs",
                "/// About a.\n#[allow(dead_code)]\npub(crate) mod a;\n\npub fn k() { crate::b::a::f(); crate::b::a::g() }\npub fn one() {}\n",
            ),
            ("src/b/a.rs", "use crate::b::one;\npub fn f() { one(); crate::z() }\npub fn g() {}\n"),
            (
                "src/lib.rs",
                "mod b;\n\npub fn z() { crate::b::a::f() }\nuse crate::{b::a::g, b::k};\npub fn y() { g(); k() }\n",
            ),
        ],
    );
}

#[test]
fn a_module_that_is_used_inside_its_new_place_alone_stays_private() {
    let files = [
        ("src/lib.rs", "mod b;\nmod a;\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/b.rs", "mod c;\npub fn k() { crate::a::f() }\n"),
        ("src/b/c.rs", "use crate::a::f;\nfn g() { f() }\n"),
    ];
    let text = moved(&files, "src/a.rs", "src/b/a.rs");
    assert!(text.contains("mod c;\nmod a;\npub fn k() { crate::b::a::f() }"), "{text}");
    assert!(text.contains("use crate::b::a::f;"), "{text}");
}

#[test]
fn the_modules_inside_go_along() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nuse a::inner::X;\n"),
        (
            "src/a.rs",
            "pub mod inner;\nconst T: &str = include_str!(\"a/t.txt\");\nconst U: &str = include_str!(\"../u.txt\");\n",
        ),
        ("src/a/inner.rs", "pub struct X;\nuse super::super::b::f;\nuse super::T;\n"),
        ("src/a/t.txt", "text"),
        ("u.txt", "text"),
        ("src/b.rs", "pub fn f() {}\n"),
    ];
    let text = moved(&files, "src/a.rs", "src/b/c.rs");
    assert!(text.contains("include_str!(\"c/t.txt\")"), "{text}");
    assert!(text.contains("include_str!(\"../../u.txt\")"), "{text}");
    assert!(text.contains("src/b/c/inner.rs\npub struct X;\nuse crate::b::f;\nuse super::T;\n"), "{text}");
    assert!(text.contains("use crate::b::c::inner::X;"), "{text}");
    // By its folder, as `mod.rs`.
    let folder = [
        ("src/lib.rs", "mod a;\nuse a::inner::X;\n"),
        ("src/a/mod.rs", "pub mod inner;\n"),
        ("src/a/inner.rs", "pub struct X;\n"),
    ];
    let text = moved(&folder, "src/a", "src/c");
    assert!(
        text.contains("src/c/inner.rs\n")
            && text.contains("src/c/mod.rs\n")
            && text.contains("mod c;\nuse c::inner::X;"),
        "{text}"
    );
    // The folder of `a.rs` means the module, too.
    let text = moved(&files, "src/a", "src/c");
    assert!(text.contains("src/c.rs\n") && text.contains("src/c/inner.rs\n"), "{text}");
    // `mod.rs` becomes a file of the module's name, and its folder stays.
    let text = moved(&folder, "src/a/mod.rs", "src/a.rs");
    assert_eq!(text, "src/a.rs\npub mod inner;\n");
    let text = moved(&folder, "src/a/mod.rs", "src/c.rs");
    assert!(text.contains("src/c.rs\n") && text.contains("src/c/inner.rs\n"), "{text}");
}

#[test]
fn what_the_module_uses_becomes_visible_to_it() {
    let files = [
        ("src/lib.rs", "mod p;\nmod q;\n"),
        (
            "src/p.rs",
            "mod a;\nfn secret() {}\nstruct S { x: u8 }\nstruct T(u8);\nimpl S { fn m(&self) -> u8 { self.x } }\nconst K: u8 = 1;\npub fn z() { a::f() }\n",
        ),
        (
            "src/p/a.rs",
            "use super::{S, T};\npub(super) fn f() { super::secret(); let s = S { x: super::K }; s.m(); let t = T(1); }\n",
        ),
        ("src/q.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    for part in [
        "pub(crate) fn secret()",
        "pub(crate) struct S { pub(crate) x: u8 }",
        "pub(crate) struct T(pub(crate) u8);",
        "pub(crate) fn m(&self)",
        "pub(crate) const K",
        "pub fn z() { crate::q::a::f() }",
        "use crate::p::{S, T};\npub(crate) fn f() { crate::p::secret(); let s = S { x: crate::p::K }",
        "pub(crate) mod a;\n\npub fn k()",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn words_of_visibility_keep_the_modules_that_they_name() {
    let files = [
        ("src/lib.rs", "mod p;\n"),
        ("src/p.rs", "mod a;\nmod q;\npub fn z() { a::f(); a::g(); a::h() }\n"),
        (
            "src/p/a.rs",
            "pub(super) fn f() {}\npub(in crate::p) fn g() {}\npub(crate) fn h() {}\nmod own { pub(super) fn i() {} }\n",
        ),
        ("src/p/q.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/p/q/a.rs");
    let own = "pub(in crate::p) fn f() {}\npub(in crate::p) fn g() {}\npub(crate) fn h() {}\nmod own { pub(super) fn i() {} }\n";
    assert!(text.contains(own), "{text}");
}

#[test]
fn imports_that_only_the_old_module_around_has_become_visible() {
    let files = [
        ("src/lib.rs", "mod p;\nmod q;\n"),
        ("src/p.rs", "mod a;\nuse std::fmt;\nuse crate::q::k;\npub fn z() { a::f() }\n"),
        ("src/p/a.rs", "use super::*;\npub fn f() { k() }\npub fn g(_: &fmt::Arguments) {}\n"),
        ("src/q.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    assert!(text.contains("pub(crate) use std::fmt;\npub(crate) use crate::q::k;"), "{text}");
    assert!(text.contains("use crate::p::*;"), "{text}");
    let hidden = [
        files[0],
        ("src/p.rs", "mod a;\nmod r { pub(super) fn k() {} }\nuse r::k;\npub fn z() { a::f() }\n"),
        ("src/p/a.rs", "use super::k;\npub fn f() { k() }\n"),
        files[3],
    ];
    assert_eq!(
        places(&hidden, "src/p/a.rs", "src/q/a.rs"),
        ["src/p/a.rs:1 `k` is imported for the old module around it alone"]
    );
}

#[test]
fn parts_of_an_import_get_one_of_their_own() {
    let files = [
        ("src/lib.rs", "pub mod p;\npub mod q;\n"),
        ("src/p.rs", "pub mod a;\npub mod r;\n"),
        ("src/p/a.rs", "pub struct A;\npub struct B;\n"),
        (
            "src/p/r.rs",
            "#[cfg(unix)]\npub use super::{a::{A, B}, s};\nuse super::{a::A as C};\npub fn f(_: super::a::A) {}\n",
        ),
        ("src/p/s.rs", ""),
        ("src/q.rs", ""),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    let expected = "#[cfg(unix)]\npub use super::{s};\n#[cfg(unix)] pub use crate::q::a::{A, B};\nuse crate::q::a::A as C;\npub fn f(_: crate::q::a::A) {}\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("src/q.rs\npub mod a;"), "{text}");
}

#[test]
fn paths_through_other_modules_stay() {
    let files = [
        ("src/lib.rs", "mod p;\npub use p::a;\nmod user;\n"),
        ("src/p.rs", "pub mod a;\n"),
        ("src/p/a.rs", "pub fn f() {}\n"),
        ("src/user.rs", "pub fn g() { crate::a::f(); crate::p::a::f() }\n"),
        ("src/q.rs", "pub fn k() {}\n"),
    ];
    let lib = ("src/lib.rs", "mod p;\npub use p::a;\nmod user;\nmod q;\n");
    let text = moved(&[lib, files[1], files[2], files[3], files[4]], "src/p/a.rs", "src/q/a.rs");
    assert!(text.contains("pub fn g() { crate::a::f(); crate::q::a::f() }"), "{text}");
    assert!(text.contains("pub use crate::q::a;"), "{text}");
    // `pub use` of the module needs it to be public.
    assert!(text.contains("src/q.rs\npub mod a;"), "{text}");
}

#[test]
fn other_programs_and_macros_follow() {
    let files = [
        ("src/lib.rs", "pub mod a;\npub mod b;\n#[macro_export]\nmacro_rules! call { () => { $crate::a::f() } }\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/b.rs", "pub fn k() {}\n"),
        ("src/main.rs", "use kit::a;\nfn main() { kit::a::f(); a::f() }\n"),
        ("tests/t.rs", "use kit::{a::f, b};\n#[test]\nfn t() { f(); b::k() }\n"),
    ];
    let text = moved(&files, "src/a.rs", "src/b/a.rs");
    assert!(text.contains("{ $crate::b::a::f() }"), "{text}");
    assert!(text.contains("use kit::b::a;\nfn main() { kit::b::a::f(); a::f() }"), "{text}");
    assert!(text.contains("use kit::{b::a::f, b};"), "{text}");
    let text = moved(&files, "src/a.rs", "src/c.rs");
    assert!(text.contains("$crate::c::f()") && text.contains("fn main() { kit::c::f(); c::f() }"), "{text}");
}

#[test]
fn a_public_module_does_not_become_private() {
    let files =
        [("src/lib.rs", "pub mod a;\nmod b;\n"), ("src/a.rs", "pub fn f() {}\n"), ("src/b.rs", "pub fn k() {}\n")];
    assert_eq!(
        places(&files, "src/a.rs", "src/b/a.rs"),
        ["src/lib.rs:1 the module is public, and its new place is private"]
    );
    let test = [&files[..], &[("tests/t.rs", "#[test]\nfn t() { kit::a::f() }\n")]].concat();
    let found = places(&test, "src/a.rs", "src/b/a.rs");
    assert_eq!(found, ["src/lib.rs:1 code outside of the library uses the module, and its new place is private"]);
    // A module that nobody outside could reach does not become public.
    let files = [
        ("src/lib.rs", "mod a;\npub mod b;\n"),
        ("src/a.rs", "pub mod c;\n"),
        ("src/a/c.rs", "pub fn f() {}\n"),
        ("src/b.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/a/c.rs", "src/b/c.rs");
    assert!(text.contains("pub(crate) mod c;"), "{text}");
}

#[test]
fn macros_that_are_known_after_their_definition_stay_known() {
    let before = [
        ("src/lib.rs", "macro_rules! m { () => { 1 } }\nmod a;\nmod b;\n"),
        ("src/a.rs", "pub fn f() -> u8 { m!() }\n"),
        ("src/b.rs", "pub fn k() {}\n"),
    ];
    assert!(moved(&before, "src/a.rs", "src/b/a.rs").contains("src/b/a.rs\npub fn f() -> u8 { m!() }"));
    let after = [("src/lib.rs", "mod b;\nmacro_rules! m { () => { 1 } }\nmod a;\n"), before[1], before[2]];
    assert_eq!(places(&after, "src/a.rs", "src/b/a.rs"), ["src/a.rs:1 the macro `m` is not known in the new place"]);
    let inside = [
        ("src/lib.rs", "mod p;\nmod b;\n"),
        ("src/p.rs", "macro_rules! m { () => { 1 } }\nmod a;\n"),
        ("src/p/a.rs", "pub fn f() -> u8 { m!() }\n"),
        before[2],
    ];
    assert_eq!(
        places(&inside, "src/p/a.rs", "src/b/a.rs"),
        ["src/p/a.rs:1 the macro `m` is not known in the new place"]
    );
    // A module of macros for what follows.
    let shared = [
        ("src/lib.rs", "#[macro_use]\nmod p;\nmod a;\nmod b;\n"),
        ("src/p.rs", "macro_rules! m { () => { 1 } }\n"),
        before[1],
        before[2],
    ];
    assert!(moved(&shared, "src/a.rs", "src/b/a.rs").contains("m!()"));
    assert_eq!(
        places(&shared, "src/p.rs", "src/b/p.rs"),
        ["src/lib.rs:2 code after the declaration may use the macros of the module"]
    );
    assert!(moved(&shared, "src/p.rs", "src/q.rs").contains("#[macro_use]\nmod q;"));
    let of_macro = [
        ("src/lib.rs", "mod p;\nmod b;\n"),
        ("src/p.rs", "mod a;\npub fn g() {}\n"),
        ("src/p/a.rs", "macro_rules! n { () => { super::g() } }\npub fn f() { n!() }\n"),
        before[2],
    ];
    assert_eq!(
        places(&of_macro, "src/p/a.rs", "src/b/a.rs"),
        ["src/p/a.rs:1 a path in a macro that begins at the module where the macro is used"]
    );
}

#[test]
fn conditions_go_along_or_refuse() {
    let files = [
        ("src/lib.rs", "#[cfg(unix)]\nmod p;\nmod q;\n#[cfg(windows)]\nmod w;\n"),
        ("src/p.rs", "mod a;\n"),
        ("src/p/a.rs", "fn f() {}\n"),
        ("src/q.rs", "fn k() {}\n"),
        ("src/w.rs", "fn k() {}\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    assert!(text.contains("src/q.rs\n#[cfg(unix)]\nmod a;\n\nfn k() {}"), "{text}");
    assert_eq!(
        places(&files, "src/p/a.rs", "src/w/a.rs"),
        ["src/w.rs:1 the two modules are compiled under different conditions"]
    );
    let strict = [
        ("src/lib.rs", "mod a;\nmod q;\n"),
        ("src/a.rs", "fn f() {}\n"),
        ("src/q.rs", "#![deny(dead_code)]\npub fn k() {}\n"),
    ];
    assert_eq!(
        places(&strict, "src/a.rs", "src/q/a.rs"),
        ["src/q.rs:1 code that is correct may be refused there, and is not in its old place"]
    );
}

#[test]
fn files_without_one_plain_declaration_do_not_move() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nmod o { mod i; }\n#[path = \"odd.rs\"]\nmod even;\n"),
        ("src/main.rs", "mod a;\nfn main() {}\n"),
        ("src/a.rs", "fn f() {}\n"),
        ("src/b.rs", "fn f() {}\n"),
        ("src/o/i.rs", "fn f() {}\n"),
        ("src/odd.rs", "fn f() {}\n"),
        ("src/alone.rs", "fn f() {}\n"),
        ("tests/t.rs", "fn f() {}\n"),
        ("build.rs", "fn main() {}\n"),
    ];
    for (from, new, why) in [
        ("src/a.rs", "src/c.rs", "more than one place declares it, e.g. src/lib.rs:1"),
        ("src/lib.rs", "src/kit.rs", "no file declares it as a module; the first file of a library"),
        ("src/main.rs", "src/b/main.rs", "no file declares it as a module"),
        ("tests/t.rs", "tests/u.rs", "no file declares it as a module"),
        ("build.rs", "make.rs", "no file declares it as a module"),
        ("src/alone.rs", "src/b/alone.rs", "no file declares it as a module"),
        ("src/odd.rs", "src/even.rs", "its declaration is"),
        ("src/o/i.rs", "src/b/i.rs", "its declaration is"),
        (
            "src/b.rs",
            "src/none/b.rs",
            "no file declares the modules in `src/none`; create the module around it first: `src/none.rs`",
        ),
        ("src/b.rs", "src/b/b.rs", "would be inside of the module itself"),
        ("src/b.rs", "src/fn.rs", "`fn` is not a name that a module can have"),
        ("src/b.rs", "src/b-b.rs", "is not a name that a module can have"),
        ("src/b.rs", "src/o.rs", "src/lib.rs` has another `o`"),
        ("src/b.rs", "tests/b.rs", "no file declares the modules in `tests`"),
    ] {
        let said = message(&files, from, new);
        assert!(said.contains(why), "{from} to {new}: {said}");
    }
    let taken = [
        ("src/lib.rs", "mod a;\nmod b;\nmod t { pub fn g() {} }\npub fn z() { a::f(); t::g() }\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/b.rs", "pub mod a { }\n"),
    ];
    assert!(message(&taken, "src/a.rs", "src/b/a.rs").contains("src/b.rs` has another `a`"));
}

#[test]
fn uncertain_references_refuse() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nmacro_rules! path { ($m:ident) => { $m::f() } }\npub fn z() { path!(a) }\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/b.rs", "pub fn k() {}\n"),
    ];
    let found = places(&files, "src/a.rs", "src/b/a.rs");
    assert_eq!(found, ["src/lib.rs:4 a macro gets the name alone, and may need a name"]);
    assert!(moved(&files, "src/a.rs", "src/c.rs").contains("path!(c)"));
    // Names after a dot, and those of other libraries, are none of a module.
    let files = [
        (
            "src/lib.rs",
            "mod iter;\nmod b;\nuse std::iter::once;\npub fn z(v: &[u8]) { let x = unknown!().iter(); v.iter().count(); once(1); assert!(v.iter().any(|_| true)); iter::f() }\n",
        ),
        ("src/iter.rs", "pub fn f() {}\n"),
        ("src/b.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/iter.rs", "src/b/iter.rs");
    assert!(text.contains("use std::iter::once;") && text.contains("crate::b::iter::f() }"), "{text}");
}

#[test]
fn a_new_name_for_a_module_is_one_for_its_file() {
    let files = [
        (
            "src/lib.rs",
            "mod a;\npub fn z() { a::f(); a::inner::g() }\nmod own { pub fn h() {} }\npub fn y() { own::h() }\n",
        ),
        ("src/a.rs", "pub mod inner;\npub fn f() {}\n"),
        ("src/a/inner.rs", "pub fn g() {}\n"),
    ];
    let rename = |symbol: &str, new: &str| json!({"kind": "rename", "symbol": symbol, "to": new});
    let all = [&[CARGO], &files[..]].concat();
    let lib = "mod c;\npub fn z() { c::f(); c::inner::g() }\nmod own { pub fn h() {} }\npub fn y() { own::h() }\n";
    check(
        &all,
        &rename("src/lib.rs::a", "c"),
        &[("src/c.rs", files[1].1), ("src/c/inner.rs", files[2].1), ("src/lib.rs", lib)],
    );
    let lib = files[0].1.replace("own", "mine");
    check(&all, &rename("src/lib.rs::own", "mine"), &[("src/lib.rs", &lib)]);
}

#[test]
fn types_that_are_used_without_a_name_become_visible() {
    let files = [
        ("src/lib.rs", "mod p;\nmod q;\n"),
        ("src/p.rs", "mod a;\nmod u;\npub fn z() { a::f() }\n"),
        (
            "src/p/u.rs",
            "pub(super) struct Flags(u8);\npub(super) fn flags() -> Flags { Flags(1) }\nimpl Flags { pub(super) fn show(&self) {} }\n",
        ),
        ("src/p/a.rs", "use super::u;\npub fn f() { u::flags().show() }\n"),
        ("src/q.rs", "pub fn k() {}\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    assert!(text.contains("pub(crate) struct Flags(u8);\npub(crate) fn flags() -> Flags"), "{text}");
    assert!(text.contains("pub(crate) fn show(&self)"), "{text}");
}

#[test]
fn the_new_module_around_does_not_import_what_it_declares() {
    let files = [
        ("src/lib.rs", "mod a;\nmod q;\nmod r;\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/q.rs", "use crate::{a, r::k};\npub fn g() { a::f(); k() }\n"),
        ("src/r.rs", "use crate::a;\npub fn k() { a::f() }\n"),
    ];
    let text = moved(&files, "src/a.rs", "src/q/a.rs");
    assert!(text.contains("use crate::{r::k};\npub fn g() { a::f(); k() }"), "{text}");
    let text = moved(&files, "src/a.rs", "src/r/a.rs");
    assert!(
        text.contains("mod a;\n") && !text.contains("use crate::a;") && text.contains("pub fn k() { a::f() }"),
        "{text}"
    );
    let taken = [files[0], files[1], ("src/q.rs", "use std::fmt as a;\npub fn g(_: a::Error) {}\n"), files[3]];
    assert_eq!(places(&taken, "src/a.rs", "src/q/a.rs"), ["src/q.rs:1 the new module around imports the name `a`"]);
}

#[test]
fn the_declaration_comes_before_a_documented_definition() {
    let files = [
        ("src/lib.rs", "mod p;\nmod q;\n"),
        ("src/p.rs", "mod a;\npub fn z() { a::f() }\n\nmod own {\n    pub trait T {}\n}\n"),
        ("src/p/a.rs", "pub fn f() {}\nstruct S;\nimpl super::own::T for S {}\n"),
        ("src/q.rs", "/// About it.\n#[derive(Debug)]\npub struct Q;\n"),
    ];
    let text = moved(&files, "src/p/a.rs", "src/q/a.rs");
    assert!(text.contains("src/q.rs\npub(crate) mod a;\n\n/// About it.\n#[derive(Debug)]\npub struct Q;"), "{text}");
    assert!(text.contains("pub(crate) mod own {"), "{text}");
}
