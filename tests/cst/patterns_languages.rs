//! Code patterns in each language, in the contexts of its data. Scripts and data formats come here.

use cst::language::Language;
use cst::selector::{Definitions, Query, Selector, like};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};

/// Each pattern finds the nodes that begin in these lines, and no others. A language that isn't built in is left out.
#[track_caller]
pub fn check(language: &str, source: &str, patterns: &[(&str, &[usize])]) {
    let Ok(language) = Language::named(language) else { return };
    let tree = Tree::parse(Text::new(source), language, &ParseLimits::default()).expect("the source is small");
    assert!(tree.is_sound(), "{}: the source has errors", language.name());
    for (pattern, expected) in patterns {
        let selector = Selector::parse(&like(pattern)).unwrap_or_else(|error| panic!("{pattern}\n{error}"));
        let query = Query::new(&selector, language, &Definitions::default());
        let found = query.and_then(|query| query.select(&tree)).unwrap_or_else(|error| panic!("{pattern}\n{error}"));
        let lines: Vec<usize> = found.iter().map(|found| tree.text().line_at(tree.span(found.node).start())).collect();
        assert_eq!(lines, *expected, "\n{}: {pattern}", language.name());
    }
}

#[test]
fn python() {
    check(
        "python",
        r#"import os.path as path
from a import b, c

@cache(1)
class A(Base):
    x: int = 1

    def f(self, n: int = 2, *rest):
        try:
            return g(n, k=3)  # why
        except Error as e:
            raise Wrong(e) from e

async def h(a):
    with open(a) as file:
        x = {"k": [y for y in file if y]}
    match x:
        case Point(a, b): pass
    for i in x:
        pass
"#,
        &[
            ("$N: int = $V", &[6, 8]),
            ("$A = $B", &[16]),
            ("g($$$A)", &[10]),
            ("g($X)", &[]),
            ("except $E as $N: $$$", &[11]),
            ("@$D($X)", &[4]),
            ("class $C($B): $$$M", &[5]),
            ("def $F($$$A): $$$B", &[8]),
            ("async def $F($$$A): $$$B", &[14]),
            ("case $P: $$$", &[18]),
            ("match $X:\n    $$$ARMS", &[17]),
            (r#""k": $V"#, &[16]),
            ("from $M import $$$N", &[2]),
            ("$A as $B", &[1, 11, 15]),
            ("raise $E from $C", &[12]),
            ("for $I in $X: $$$", &[19]),
            ("k=$V", &[]),
        ],
    );
}

#[test]
fn an_argument_list_without_brackets_is_no_argument() {
    check(
        "ruby",
        "puts 1, 2\nputs 3\nraise E, \"m\"\nraise E\nraise E.new(1)\nputs(4)\nvalidates :a, presence: true\n",
        &[
            ("puts $A", &[2]),
            ("puts $A, $B", &[1]),
            ("puts $$$A", &[1, 2, 6]),
            ("puts($A)", &[6]),
            ("raise $A", &[4, 5]),
            ("raise $A, $B", &[3]),
            ("raise $$$A", &[3, 4, 5]),
            ("validates $$$A", &[7]),
        ],
    );
}

#[test]
fn javascript() {
    check(
        "javascript",
        r#"import React, { useState } from 'react';
import fs from "fs";

class A extends B {
  static count = 0;
  get size() { return this.#n; }
  load(url, ...rest) {
    try {
      fetch(url).then(x => x.json());
    } catch (error) {
      console.log(`no ${url}`, error);
    }
  }
}
const f = async (a, b = 1) => { await a };
function g(a) {
  switch (a) {
    case 1: return 2;
    default: h({ a: 1, b });
  }
}
for (let i = 0; i < n; i++) { a.b = i }
x = <Foo onClick={f} className="a">{y}</Foo>;
"#,
        &[
            ("import { $$$N } from $M", &[]),
            ("import $X from $M", &[1, 2]),
            (r#"import React, { $$$N } from "react""#, &[1]),
            ("class $C extends $B { $$$M }", &[4]),
            ("static $X = $V", &[5]),
            ("get $M() { $$$B }", &[6]),
            ("$M($$$A) { $$$B }", &[7]),
            ("catch ($E) { $$$ }", &[10]),
            ("console.log($$$A)", &[11]),
            ("$A => $B", &[9]),
            ("async ($$$A) => { $$$B }", &[15]),
            ("function $F($$$A) { $$$B }", &[16]),
            ("switch ($X) { $$$ }", &[17]),
            ("case $X: $$$", &[18]),
            ("a: $V", &[19]),
            ("for ($A; $B; $C) { $$$ }", &[22]),
            ("$A = $B", &[22, 23]),
            ("onClick={$F}", &[23]),
            ("<$T $$$A>$$$C</$T>", &[23]),
            ("const $A = $B", &[15]),
        ],
    );
}

#[test]
fn typescript() {
    check(
        "typescript",
        "import { a, b } from './m';
export interface I extends J { name: string; run(x: any): Promise<void> }
enum E { A = 1, B }
type T<K extends string> = K | undefined;
abstract class C<X> extends D implements I {
  private readonly n: number = 1;
  @Input() name?: string;
  run(x: any): Promise<void> { return this.go(x as any)! }
}
function f(this: C, y: any) { y = <T>x; }
",
        &[
            ("import { $$$N } from $M", &[1]),
            ("interface $I extends $J { $$$ }", &[2]),
            ("$A | undefined", &[4]),
            ("$K extends string", &[4]),
            ("enum $E { $$$ }", &[3]),
            ("abstract class $C { $$$ }", &[]),
            ("$N: any", &[2, 8, 10]),
            ("$X as any", &[8]),
            ("$X!", &[8]),
            ("Promise<$T>", &[2, 8]),
            ("private readonly $N: $T = $V", &[6]),
            ("@$D() $N?: $T", &[7]),
            ("$A = $B", &[10]),
            ("$M($$$A): $T { $$$B }", &[8]),
            ("<$T>$X", &[10]),
            ("type $T<$$$P> = $U", &[4]),
        ],
    );
}

#[test]
fn tsx() {
    check(
        "tsx",
        r#"const a = <Foo a={1} {...rest}>text</Foo>;
function G({ x }: P) { return <div className="b" onClick={() => x!} /> }
let y = z as any;
"#,
        &[
            ("<$T $$$A>$$$C</$T>", &[1]),
            ("<$T $$$A />", &[2]),
            (r#"className="b""#, &[2]),
            ("onClick={$F}", &[2]),
            ("() => $X", &[2]),
            ("$X as any", &[3]),
            ("function $F($$$A) { $$$B }", &[2]),
        ],
    );
}

#[test]
fn php() {
    check(
        "php",
        r#"<?php
namespace N;
use A\B;
#[Route('/x')]
final class C extends D implements I {
    use T;
    private int $n = 1;
    const K = 2;
    public function run(string $s, ?int $x = null): int {
        foreach ($s as $key => $v) { echo $v; }
        $r = match ($x) { 1 => 'a', default => 'b' };
        try { $this->go($s); } catch (E $e) { throw new F("x"); }
        return array_map(fn($a) => $a, [1, 'k' => 2]);
    }
}
interface I { public function run(); }
function f($a) { if (isset($a)) { return $a ?? 1; } else { g(name: 1); } }
"#,
        &[
            ("#[$A($$$)]", &[4]),
            ("private int $x = $V;", &[]),
            ("private int $n = $V;", &[7]),
            ("const $N = $V;", &[8]),
            ("public function $F($$$A): $T { $$$B }", &[9]),
            ("public function $F($$$A);", &[16]),
            ("foreach ($A as $K => $V) { $$$ }", &[10]),
            ("echo $X;", &[10]),
            ("match ($X) { $$$ }", &[11]),
            ("$A->$M($$$)", &[12]),
            ("catch ($E $e) { $$$ }", &[12]),
            ("throw new $E($$$A);", &[12]),
            ("fn($A) => $B", &[13]),
            ("isset($X)", &[17]),
            ("$A ?? $B", &[17]),
            ("name: $V", &[17]),
            ("function $F($$$A) { $$$B }", &[17]),
            ("interface $I { $$$ }", &[16]),
            ("else { $$$ }", &[17]),
            ("new F('x')", &[12]),
        ],
    );
}

#[test]
fn ruby() {
    check(
        "ruby",
        r#"require 'json'
module M
  class A < B
    attr_reader :a, :b
    def run(x, y = 1, *z, k: 2)
      return x if y.nil?
      list.each do |item|
        puts item
      end
      list.map { |i| i.go(a: 1, "b" => 2) }
      begin
        go
      rescue Error => e
        raise Wrong, e.message
      ensure
        stop
      end
      case x
      when 1 then @y ||= 2
      else z
      end
    end
    def self.make
      Foo::Bar.new
    end
  end
end
"#,
        &[
            ("require $X", &[1]),
            (r#"require "json""#, &[1]),
            ("class $C < $B\n  $$$\nend", &[3]),
            ("attr_reader $$$A", &[4]),
            ("def $M($$$A)\n  $$$B\nend", &[5]),
            ("def self.$M\n  $$$\nend", &[23]),
            ("return $X if $C", &[6]),
            ("$X.nil?", &[6]),
            ("$O.each do |$V| $$$B end", &[7]),
            ("$O.map { |$V| $$$ }", &[10]),
            ("puts $X", &[8]),
            ("rescue $E => $V\n  $$$", &[13]),
            ("raise $E, $M", &[14]),
            ("ensure\n  $$$", &[15]),
            ("when $X then $Y", &[19]),
            ("$A ||= $B", &[19]),
            ("a: $V", &[10]),
            ("$K => $V", &[10]),
            ("case $X\n$$$\nend", &[18]),
        ],
    );
}

#[test]
fn lua() {
    check(
        "lua",
        r#"local m = require("m")
function m.f(a, b)
  if a == nil then return b end
  for k, v in pairs(b) do print(k, v) end
  t = { x = 1, ["y"] = 2 }
end
"#,
        &[
            ("require($X)", &[1]),
            ("local $A = $B", &[1]),
            ("function $M.$F($$$A) $$$B end", &[2]),
            ("if $C then $$$ end", &[3]),
            ("for $K, $V in pairs($T) do $$$ end", &[4]),
            ("print($$$A)", &[4]),
            ("$A = $B", &[1, 5]),
        ],
    );
}

#[test]
fn bash() {
    check(
        "bash",
        r#"set -e
if [ -n "$1" ]; then
  echo "a" b | sort
fi
f() {
  rm -rf dir
}
case $x in
  a) f ;;
esac
"#,
        &[
            ("echo $$$A", &[3]),
            ("if $C; then\n$$$\nfi", &[2]),
            ("$A | $B", &[3]),
            ("rm -rf $X", &[6]),
            ("$F() {\n$$$\n}", &[5]),
            ("case $X in\n$$$\nesac", &[8]),
        ],
    );
}

#[test]
fn json() {
    check(
        "json",
        r#"{ "name": "x", "list": [1, 2],
  "deep": { "name": "y", "z": null } }
"#,
        &[(r#""name": $V"#, &[1, 2]), ("[$A, $B]", &[1]), (r#"{ "name": $N, $$$ }"#, &[1, 2]), ("$K: null", &[2])],
    );
}

#[test]
fn yaml() {
    check(
        "yaml",
        "name: x
jobs:
  - uses: a/b
    with: { c: 1 }
  - uses: d
",
        &[("uses: $X", &[3, 5]), ("name: $V", &[1]), ("{ c: $V }", &[4])],
    );
}

#[test]
fn toml() {
    check(
        "toml",
        r#"name = "x"
[dependencies]
serde = { version = "1", features = ["a"] }
regex = "1"
"#,
        &[(r#"$K = "1""#, &[3, 4]), ("$K = { version = $V, $$$ }", &[3]), ("[$X]", &[3])],
    );
}

#[test]
fn css() {
    check(
        "css",
        ".a > b { color: red; margin: 0 1px; }
@media print { .a { color: blue !important } }
",
        &[("color: $X", &[1]), (".a > $S { $$$ }", &[1]), (".a { $$$ }", &[2]), ("@media $Q { $$$ }", &[2])],
    );
}

#[test]
fn html() {
    check(
        "html",
        r#"<div class="a"><a href="x">y</a></div>
<img src="z">
"#,
        &[("<a $$$>$$$</a>", &[1]), ("<$T $$$A>$$$C</$T>", &[1, 1]), ("<img $$$>", &[2]), ("href=$X", &[1])],
    );
}

#[test]
fn several_statements_get_one_answer() {
    for (language, pattern, text) in [
        ("python", "a($X)\nb($X)", "def f():\n    a(1)\n    b(1)\n    c(2)\n"),
        ("javascript", "a($X);\nb($X);", "function f() {\n  a(1);\n  b(1);\n}\n"),
        ("typescript", "a($X)\nb($X)", "function f() {\n  a(1);\n  b(1);\n}\n"),
        ("rust", "a($X);\nb($X);", "fn f() {\n    a(1);\n    b(1);\n    c(2);\n}\n"),
        ("java", "a($X); b($X);", "class A { void f() {\n  a(1);\n  b(1);\n} }\n"),
        ("php", "a($X);\nb($X);", "<?php\nfunction f() {\n  a(1);\n  b(1);\n}\n"),
        ("go", "a($X)\nb($X)", "package a\n\nfunc f() {\n\ta(1)\n\tb(1)\n\tc(2)\n}\n"),
        ("ruby", "a($X)\nb($X)", "def f\n  a(1)\n  b(1)\nend\n"),
        ("kotlin", "a($X)\nb($X)", "fun f() {\n    a(1)\n    b(1)\n}\n"),
        ("swift", "a($X)\nb($X)", "func f() {\n    a(1)\n    b(1)\n}\n"),
        ("scala", "a($X)\nb($X)", "object A {\n  def f() = {\n    a(1)\n    b(1)\n  }\n}\n"),
        ("c", "a($X);\nb($X);", "void f() {\n  a(1);\n  b(1);\n}\n"),
        ("cpp", "a($X);\nb($X);", "void f() {\n  a(1);\n  b(1);\n}\n"),
        ("csharp", "a($X);\nb($X);", "class A { void F() {\n  a(1);\n  b(1);\n} }\n"),
        ("lua", "a($X)\nb($X)", "a(1)\nb(1)\n"),
        ("bash", "a $X\nb $X", "a 1\nb 1\n"),
    ] {
        let known = Language::named(language).unwrap();
        let query = |source: &str| Query::new(&Selector::parse(source).unwrap(), known, &Definitions::default());
        let error = query(&like(pattern)).err().unwrap_or_else(|| panic!("{language} reads {pattern}"));
        assert!(error.message.contains("2 statements"), "{language}: {error}");
        // What the hint says finds them.
        let hint = error.hint.unwrap();
        let selector = hint.split_once(": ").unwrap().1;
        let tree = crate::rewriting::parsed(text, language);
        let found = query(selector).unwrap_or_else(|error| panic!("{error}")).select(&tree).unwrap();
        assert_eq!(found.len(), 1, "{language}: {selector}");
    }
    // One statement, in several lines.
    for (language, pattern) in [
        ("python", "if $A:\n    $B\nelse:\n    $C"),
        ("python", "@d\ndef f():\n    $$$"),
        ("javascript", "a\n  .b($X)"),
        ("ruby", "if $A\n  $B\nend"),
        ("go", "for {\n\ta()\n\tb()\n}"),
    ] {
        let known = Language::named(language).unwrap();
        let selector = Selector::parse(&like(pattern)).unwrap();
        assert!(Query::new(&selector, known, &Definitions::default()).is_ok(), "{language}: {pattern}");
    }
}
