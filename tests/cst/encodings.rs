//! Files that are neither UTF-8 nor have a byte order mark: in a folder they are read in the encoding that they
//! declare, and so are named ones, unless they are edited. Files with a wrong declaration are skipped and reported.

use cst::text::Text;
use serde_json::{Value, json};

use super::cli::Place;

/// Looks for the leaf with `wanted` in a folder with one file, with and without the prefilter and the index, and in the file
/// alone with its encoding named.
#[track_caller]
fn check(name: &str, label: &str, bytes: &[u8], wanted: &str) {
    let place = Place::new();
    std::fs::write(place.path(name), bytes).expect("the file can be written");
    let selector = format!("*:leaf[text*={wanted:?}]");
    let find = |words: &[&str]| {
        let found = place.run(&[&["find", &selector, "--ids", "--code", "--json"], words].concat()).expect(0).json();
        assert_eq!(found["files"]["skipped"], json!([]), "{found}");
        found["matches"].clone()
    };
    let expected = find(&[name, "--encoding", label]);
    assert_eq!(expected.as_array().map(Vec::len), Some(1), "{expected}");
    assert!(expected[0]["code"].as_str().is_some_and(|code| code.contains(wanted)), "{expected}");
    let modes = [&[][..], &["--no-prefilter"], &["--cache"], &["--cache"], &["--cache", "--no-prefilter"]];
    for words in modes {
        assert_eq!(find(words), expected, "{words:?}");
    }
    place.run(&["check"]).expect(0);
    let outlined = place.run(&["outline", "--json"]).expect(0).json();
    assert_eq!(outlined["files"].as_array().map(Vec::len), Some(1), "{outlined}");

    // Who follows a hit to its file finds it there, too. Whoever edits the file names its encoding.
    assert_eq!(find(&[name]), expected);
    let refused = place.run(&["modify", name, "delete", &selector, "--json"]).expect(2).json()["error"].clone();
    assert_eq!(refused["code"], "unsupported_encoding");
    let hint = refused["hint"].as_str().unwrap_or_default();
    assert!(hint.to_lowercase().contains(&format!("`{label}`")) && hint.contains("`--encoding`"), "{refused}");
    assert_eq!(std::fs::read(place.path(name)).expect("it is there"), bytes, "nothing is written");
}

/// A file that can't be read in the encoding that it declares, if it does.
#[track_caller]
fn refuse(bytes: &[u8]) {
    let place = Place::new();
    place.write("b.py", "x = 'found'\n");
    std::fs::write(place.path("a.py"), bytes).expect("the file can be written");
    for words in [&[][..], &["--no-prefilter"], &["--cache"], &["--cache"]] {
        let found = place.run(&[&["find", "string", "--json"], words].concat()).expect(0).json();
        assert_eq!(found["matches"][0]["path"], "b.py", "{found}");
        let skipped = &found["files"]["skipped"][0];
        assert_eq!((&skipped["path"], found["total"].as_u64()), (&json!("a.py"), Some(1)), "{found}");
        let error = &skipped["error"];
        let hint = match bytes.contains(&0) {
            true => "if it is UTF-16 without a byte order mark, name the encoding with `--encoding`: utf-16le",
            false => "name its encoding with `--encoding`",
        };
        assert!(error["code"] == "unsupported_encoding" && error["hint"] == hint, "{skipped}");
    }
    let error = place.run(&["load", "a.py", "--json"]).expect(2).error();
    assert_eq!(error, "unsupported_encoding");
}

#[test]
fn comments() {
    check("a.py", "latin-1", b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "\u{e9}");
    check("a.py", "latin-1", b"#!/usr/bin/python\n# coding: latin-1\nx = '\xe9'\n", "\u{e9}");
    check("a.py", "euc_jp", b"# coding: euc_jp\nx = '\xa4\xa2'\n", "\u{3042}");
    check("a.py", "shift_jis", b"# coding: shift_jis\r\nx = '\x82\xa0'\r\n", "\u{3042}");
    check("a.py", "koi8-r", b"# coding=koi8-r\rx = '\xc1'\r", "\u{430}");
    check("a.py", "gbk", b"# coding: gbk\nx = '\xc4\xe3'\n", "\u{4f60}");
    check("a.py", "big5", b"# coding: big5\nx = '\xa7\x41'\n", "\u{4f60}");
    check("a.rb", "iso-8859-7", b"# encoding: ISO-8859-7\nx = '\xe1'\n", "\u{3b1}");
    check("a.c", "cp1252", b"/* -*- mode: c; coding: cp1252 -*- */\nchar *x = \"\x80\";\n", "\u{20ac}");
}

#[test]
fn modelines() {
    check("a.py", "cp1252", b"# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "\u{20ac}");
    check("a.js", "latin2", b"// vim: fenc=latin2\nx = '\xb1'\n", "\u{105}");
}

#[test]
fn web_pages_and_their_styles() {
    check("a.css", "windows-1251", b"@charset \"windows-1251\";\na { content: '\xe0' }\n", "\u{430}");
    check("a.html", "latin1", b"<html><head>\n\n<META Charset=latin1></head>\n<p>\xe9</p></html>\n", "\u{e9}");
    let meta = b"<html>\n<head>\n<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>\n</head><p>\xc1</p></html>\n";
    check("a.html", "koi8-r", meta, "\u{430}");
}

#[test]
fn bytes_come_back_as_they_were_read() {
    let cases: [(&[u8], &str); 6] = [
        (b"<?xml version='1.0' encoding='iso-8859-15'?>\n<p>\xa4</p>\n", "iso-8859-15"),
        (b"// -*- coding: sjis-dos -*-\r\n\x82\xa0\r\n", "shift_jis"),
        (b"# coding: latin-1\n\x80\x81\x8d\x8f\x90\x9d\xff", "windows-1252"),
        (b"# coding: euc-kr\n\xb0\xa1", "euc-kr"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "utf-8"),
        (b"\xff\xfe#\0", "utf-16le"),
    ];
    for (bytes, name) in cases {
        let text = Text::decode_declared(bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(text.encoding().name(), name);
        assert_eq!(text.encode().as_deref(), Ok(bytes));
    }
}

#[test]
fn what_declares_nothing_or_wrongly() {
    // Nothing, too late, in code, in a text.
    refuse(b"x = '\xe9'\n");
    refuse(b"\n\n# coding: latin-1\nx = '\xe9'\n");
    refuse(b"encoding = None # coding: latin-1\nx = '\xe9'\n");
    refuse(b"'coding: latin-1'\nx = '\xe9'\n");
    // No encoding known, or one that isn't so.
    refuse(b"# coding: klingon\nx = '\xe9'\n");
    refuse(b"# coding: utf-8\nx = '\xe9'\n");
    refuse(b"# coding: ascii\nx = '\xe9'\n");
    refuse(b"# coding: euc-jp\nx = '\xe9'\n");
    // One in which the words that name it would be others.
    refuse(b"# coding: utf-16\nx = '\xe9'\n\n");
    refuse(b"# coding: iso-2022-jp\nx = '\xe9'\n");
    // Text, but written with other bytes: the character has two places there.
    refuse(b"# coding: shift_jis\nx = '\xfa\x4a'\n");
    // A byte order mark says something else, or nothing declares the encoding.
    refuse(b"\xef\xbb\xbf# coding: latin-1\nx = '\xe9'\n");
    refuse(&"# coding: utf-16\nx = '\u{e9}'\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
}

#[test]
fn what_is_utf8_is_read_as_that() {
    let place = Place::new();
    place.write("a.py", "# coding: latin-1\nx = '\u{e9}'\n");
    let found: Value = place.run(&["find", "string", "--code", "--json"]).expect(0).json();
    assert_eq!(found["matches"][0]["code"], "'\u{e9}'");
}

#[test]
fn a_rewrite_over_a_folder_writes_them_as_they_are() {
    let place = Place::new();
    let before = b"# coding: latin-1\nprint('caf\xe9',  end='') # \xe9\n";
    std::fs::write(place.path("a.py"), before).expect("the file can be written");
    let bytes = || std::fs::read(place.path("a.py")).expect("it is there");
    let rewrite = |template: &str| place.run(&["rewrite", "-p", "print($$$A)", template, ".", "--write", "--json"]);
    assert_eq!(rewrite("print('\u{4e2d}', $$$A)").expect(2).error(), "unsupported_encoding");
    assert_eq!(bytes(), before);
    let transaction = rewrite("log('\u{e8}', $$$A)").expect(0).json()["transaction"].clone();
    assert_eq!(bytes(), b"# coding: latin-1\nlog('\xe8', 'caf\xe9',  end='') # \xe9\n");
    place.run(&["undo", "--transaction", transaction.as_str().expect("it has an id")]).expect(0);
    assert_eq!(bytes(), before);
}

#[test]
fn utf_32_is_not_taken_for_utf_16() {
    let place = Place::new();
    let bytes = |mark: &[u8], big: bool| {
        let units = "f(1)\n".chars().flat_map(|letter| {
            let unit = u32::from(letter);
            if big { unit.to_be_bytes() } else { unit.to_le_bytes() }
        });
        mark.iter().copied().chain(units).collect::<Vec<u8>>()
    };
    std::fs::write(place.path("a.py"), bytes(&[0xff, 0xfe, 0, 0], false)).expect("a file");
    std::fs::write(place.path("b.py"), bytes(&[0, 0, 0xfe, 0xff], true)).expect("a file");
    for file in ["a.py", "b.py"] {
        for words in [&["find", "call", file][..], &["check", file], &["modify", file, "replace", "module", "x"]] {
            let run = place.run(words);
            assert!(run.status == 2 && run.stderr.contains("UTF-32"), "{words:?} {}", run.stderr);
        }
    }
    let run = place.run(&["find", "call", "."]);
    assert!(run.stderr.contains("a.py") && run.stderr.contains("b.py"), "{}", run.stderr);
}
