//! Code patterns in the languages that are compiled.

use crate::patterns_languages::check;

#[test]
fn rust() {
    check(
        "rust",
        r#"use std::io::{self, Read};
#[derive(Debug, Clone)]
pub struct S { a: u8, pub b: Vec<String> }
enum E { A(u8), B }
trait T { fn t(&self) -> u8; }
impl T for S { fn t(&self) -> u8 { self.a } }
fn f(x: Option<u8>) -> Result<u8, E> {
    let y = x.unwrap();
    match x {
        Some(n) if n > 1 => Ok(n),
        _ => Err(E::B),
    }
}
fn g() { println!("{} {}", f(None)?, 2); let s = S { a: 1, b: vec![] }; if let Some(z) = h() { unsafe { z } } }
"#,
        &[
            ("use $A::{$$$B};", &[1]),
            ("#[derive($$$D)]", &[2]),
            ("pub struct $S { $$$ }", &[3]),
            ("enum $E { $$$ }", &[4]),
            ("impl $T for $S { $$$ }", &[6]),
            ("trait $T { $$$ }", &[5]),
            ("fn $F($$$A) -> $T { $$$B }", &[6, 7]),
            ("fn $F($$$A) -> $T;", &[5]),
            ("$X.unwrap()", &[8]),
            ("match $X { $$$ARMS }", &[9]),
            ("$P if $G => $E", &[10]),
            ("_ => $E", &[11]),
            ("Some($X)", &[]),
            ("println!($$$A)", &[14]),
            ("$S { a: $V, $$$ }", &[14]),
            ("if let Some($X) = $Y { $$$ }", &[14]),
            ("$N: u8", &[3]),
            ("let $X = $Y;", &[8, 14]),
            ("Vec<$T>", &[3]),
        ],
    );
}

#[test]
fn go() {
    check(
        "go",
        r#"package p

import (
	"fmt"
	x "os"
)

type S struct {
	A int `json:"a"`
	b *S
}

type I interface{ Do(a int) error }

func (s *S) Do(a int) error {
	if err := run(a); err != nil {
		return fmt.Errorf("no: %w", err)
	}
	for i, v := range list {
	}
	switch a {
	case 1:
		a++
	default:
	}
	select {
	case v := <-c:
		go func() { done(v) }()
	}
	return nil
}

var m = map[string]int{"a": 1}
"#,
        &[
            ("fmt.Errorf($$$A)", &[17]),
            (r#"$X "os""#, &[5]),
            ("func ($R *$T) $M($$$A) error { $$$B }", &[15]),
            ("if err := $F; err != nil { $$$ }", &[16]),
            ("for $K, $V := range $X { $$$ }", &[19]),
            ("switch $X { $$$ }", &[21]),
            ("case $X: $$$", &[22, 27]),
            ("go $F($$$)", &[28]),
            ("func() { $$$B }", &[28]),
            ("$A := $B", &[16]),
            ("return $X", &[17, 30]),
            ("type $S struct { $$$ }", &[8]),
            ("type $I interface { $$$ }", &[13]),
            ("$N int", &[13, 15]),
            (r#""a": $V"#, &[33]),
            ("map[$K]$V", &[33]),
            ("$M($$$A) error", &[13]),
        ],
    );
}

#[test]
fn c() {
    check(
        "c",
        "#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct point { int x; char *name; };
enum e { A = 1, B };
static int f(struct point *p, int n)
{
	int i = n * 2;
	if (!p)
		return -1; /* none */
	for (i = 0; i < n; i++) { kfree(p->name); }
	switch (n) { case 1: goto out; default: break; }
	do { p->x = 3; } while (n--);
out:
	return sizeof(*p);
}
struct point o = { .x = 1 };
",
        &[
            ("kfree($A)", &[10]),
            ("$A * $B", &[7]),
            ("int $X = $V;", &[7]),
            ("if (!$A) return $B;", &[8]),
            ("for ($A; $B; $C) { $$$ }", &[10]),
            ("switch ($X) { $$$ }", &[11]),
            ("case $X: $$$", &[11]),
            ("goto $L;", &[11]),
            ("$A->$B = $C", &[12]),
            ("do { $$$ } while ($C)", &[12]),
            ("struct $S { $$$ };", &[3]),
            ("static int $F($$$A) { $$$B }", &[5]),
            ("#include $X", &[1]),
            ("sizeof(*$X)", &[14]),
            (".$F = $V", &[16]),
            ("enum $E { $$$ }", &[4]),
            ("int $X;", &[3, 7]),
        ],
    );
}

#[test]
fn cpp() {
    check(
        "cpp",
        "#include <vector>
using namespace std;
namespace n {
template <typename T> class A : public B {
 public:
  explicit A(int x) : x_(x) {}
  virtual void f(const T &t) const = 0;
 private:
  int x_ = 0;
};
enum class E { A, B };
}
void A::g() {
  std::vector<int> v;
  for (auto x : v) { v.push_back(std::move(x)); }
  auto l = [&](int a) { return static_cast<long>(a); };
  try { throw E(1); } catch (const E &e) { delete p; }
  a * b;
  EXPECT_EQ(1, 2);
}
",
        &[
            ("std::move($X)", &[15]),
            ("using namespace $X;", &[2]),
            ("namespace $N { $$$ }", &[3]),
            ("class $C : public $B { $$$ }", &[4]),
            ("enum class $E { $$$ };", &[11]),
            ("std::vector<$T> $X;", &[14]),
            ("for (auto $X : $Y) { $$$ }", &[15]),
            ("static_cast<$T>($X)", &[16]),
            ("[&]($$$A) { $$$B }", &[16]),
            ("catch (const $T &$E) { $$$ }", &[17]),
            ("throw $E($$$);", &[17]),
            ("delete $X;", &[17]),
            ("EXPECT_EQ($A, $B)", &[19]),
            ("$A * $B", &[]),
            ("auto $X = $V;", &[16]),
            ("void $C::$F($$$A) { $$$ }", &[13]),
        ],
    );
}

#[test]
fn java() {
    check(
        "java",
        r#"package p;
import java.util.List;
import static a.B.*;

@Entity(name = "x")
public class A<T extends C> extends B implements I, J {
    private static final Logger LOG = log();
    public A(int a) { super(a); }
    @Override
    public void run(String s, List<T> l) throws E {
        int n = 1;
        for (int i = 0; i < n; i++) { n += i; }
        try { go(); } catch (IOException e) { LOG.warn(e); } finally { n = 0; }
        switch (n) { case 1: break; default: go(); }
        l.forEach(x -> x.go());
        if (s == null) return; // none
        String t = (String) new Object() { int y; };
    }
}
interface I { void run(); }
enum E { A(1), B }
record R(int a) {}
"#,
        &[
            ("import $M.$N;", &[2]),
            ("@$A($K = $V)", &[5]),
            ("public class $C<$T> extends $B implements $$$I { $$$ }", &[]),
            ("private static final Logger $L = $X;", &[7]),
            ("public $C($$$A) { $$$ }", &[8]),
            ("super($X);", &[8]),
            ("@Override public void $F($$$A) throws $E { $$$ }", &[9]),
            ("int $X = $V;", &[11, 12]),
            ("for ($A; $B; $C) { $$$ }", &[12]),
            ("catch ($T $E) { $$$ }", &[13]),
            ("try { $$$ } catch ($E) { $$$ } finally { $$$ }", &[13]),
            ("catch ($E) { $$$ }", &[13]),
            ("finally { $$$ }", &[13]),
            ("switch ($X) { $$$ }", &[14]),
            ("case $X: $$$", &[14]),
            ("$A -> $B", &[15]),
            ("if ($X == null) return;", &[16]),
            ("($T) $X", &[17]),
            ("new $C($$$) { $$$ }", &[17]),
            ("interface $I { $$$ }", &[20]),
            ("void $F($$$A);", &[20]),
            ("enum $E { $$$ }", &[21]),
            ("record $R($$$P) { $$$ }", &[22]),
            ("List<$T>", &[10]),
            ("$T extends $U", &[6]),
        ],
    );
}

#[test]
fn csharp() {
    check(
        "csharp",
        r#"using System;
namespace N {
  [Serializable]
  public class A : B {
    private readonly int n = 1;
    public string Name { get; set; }
    public A(int a) { }
    public async Task<int> Run(string s) {
      foreach (var x in s) { await Go(x); }
      using (var f = Open(s)) { }
      try { n = s ?? null; } catch (IOException e) { throw new E(e); }
      switch (n) { case 1: break; default: return 2; }
      var y = n switch { 1 => "a", _ => "b" };
      if (s is string t) return f(a: 1, out var z);
      return s?.Length;
    }
  }
  interface I { void Run(); }
  enum E { A = 1 }
}
"#,
        &[
            ("using $X;", &[1]),
            ("namespace $N { $$$ }", &[2]),
            ("[$A]", &[3]),
            ("public string $N { get; set; }", &[6]),
            ("public $C($$$A) { $$$ }", &[7]),
            ("public async Task<$T> $F($$$A) { $$$ }", &[8]),
            ("foreach (var $X in $Y) { $$$ }", &[9]),
            ("await $X", &[9]),
            ("using (var $X = $Y) { $$$ }", &[10]),
            ("catch ($T $E) { $$$ }", &[11]),
            ("throw new $E($$$A);", &[11]),
            ("$A ?? $B", &[11]),
            ("switch ($X) { $$$ }", &[12]),
            ("case $X: $$$", &[12]),
            ("var $X = $Y;", &[13]),
            ("$X switch { $$$ }", &[13]),
            ("_ => $E", &[13]),
            ("a: $V", &[14]),
            ("interface $I { $$$ }", &[18]),
            ("void $F();", &[18]),
            ("enum $E { $$$ }", &[19]),
        ],
    );
}

#[test]
fn swift() {
    check(
        "swift",
        r#"import UIKit
class A: B, P {
  @objc private var n: Int = 1
  init(a: Int) { self.n = a }
  override func run(x: String) -> Int {
    guard let y = x.first else { return 1 }
    if let z = try? go(y) { print("a", z as? Int ?? 2) }
    for i in 0..<n { list.map { $0 } }
    switch n {
    case 1: break
    default: fatalError()
    }
    do { try go() } catch { stop() }
    return n
  }
}
enum E { case a, b(Int) }
protocol P { func run() -> Int }
extension A: Q { }
"#,
        &[
            ("import $M", &[1]),
            ("class $C: $$$B { $$$ }", &[2]),
            ("override func $F($$$A) -> $T { $$$B }", &[5]),
            ("guard let $X = $Y else { $$$ }", &[6]),
            ("if let $X = $Y { $$$ }", &[7]),
            ("try? $X", &[7]),
            ("$X as? $T", &[7]),
            ("$A ?? $B", &[7]),
            ("print($$$A)", &[7]),
            ("for $X in $Y { $$$ }", &[8]),
            ("switch $X { $$$ }", &[9]),
            ("case $X: $$$", &[10]),
            ("self.$X = $Y", &[4]),
            ("catch { $$$ }", &[13]),
            ("enum $E { $$$ }", &[17]),
            ("protocol $P { $$$ }", &[18]),
            ("extension $T: $P { $$$ }", &[19]),
            ("func $F() -> $T", &[18]),
        ],
    );
}

#[test]
fn kotlin() {
    check(
        "kotlin",
        r#"package p
import a.B

@Serializable
data class C(val a: Int, b: String) : D(b) {
    private val n: Int = 1
    init {
        go()
    }
    override fun run(x: String?): Int {
        val y = x ?: return 1
        x?.let { it.go() }
        when (n) {
            1 -> go(a = 2)
            is Int -> y!!
            else -> throw E("x")
        }
        for (i in 0..n) { println(i) }
        try { go() } catch (e: E) { stop() } finally { n }
        return if (x == null) 1 else list.map { it as Int }
    }
    companion object {
        const val K = 1
    }
}
fun String.f() = 1
interface I {
    fun run(): Int
}
"#,
        &[
            ("import $M", &[2]),
            ("@Serializable", &[4]),
            ("val $X = $Y", &[11]),
            ("private val $X: $T = $V", &[6]),
            ("init { $$$ }", &[7]),
            ("override fun $F($$$A): $T { $$$B }", &[10]),
            ("$A ?: $B", &[11]),
            ("$A?.let { $$$B }", &[12]),
            ("when ($X) { $$$ }", &[13]),
            ("else -> $E", &[16]),
            ("is $T -> $E", &[15]),
            ("$X!!", &[15]),
            ("throw $E($$$A)", &[16]),
            ("for ($X in $Y) { $$$ }", &[18]),
            ("catch ($E: $T) { $$$ }", &[19]),
            ("if ($C) $A else $B", &[20]),
            ("$X as $T", &[20]),
            ("fun String.$F() = $E", &[26]),
            ("interface $I {\n    $$$\n}", &[27]),
            ("companion object {\n    $$$\n}", &[22]),
            ("a = $V", &[]),
        ],
    );
}

#[test]
fn scala() {
    check(
        "scala",
        r#"package p
import a.B

case class C(a: Int, b: String)
class A(x: Int) extends B {
  private val n: Int = 1
  def f(a: Int): Int = { g(a) }
  def h = x match {
    case Some(y) if y > 1 => y
    case _ => throw new E("x")
  }
  val l = for { i <- list } yield i
  val m = list.map(z => z + 1)
  if (a == null) b else c
  try { g(1) } catch { case e: E => stop(e) } finally { done() }
}
object O extends T { val k = Option(1).getOrElse(2) }
trait T { def t(a: Int): Int }
"#,
        &[
            ("import a.$M", &[2]),
            ("case class $C($$$P)", &[4]),
            ("class $C($$$P) extends $B { $$$ }", &[5]),
            ("private val $X: $T = $V", &[6]),
            ("def $F($$$A): $T = $E", &[7]),
            ("def $F($$$A): $T", &[18]),
            ("$X match { $$$ }", &[8]),
            ("case $P if $G => $E", &[9]),
            ("case _ => $E", &[10]),
            ("throw new $E($$$A)", &[10]),
            ("for { $X <- $Y } yield $Z", &[12]),
            ("$X => $Y", &[13]),
            ("$X.map($F)", &[13]),
            ("if ($C) $A else $B", &[14]),
            ("finally { $$$ }", &[15]),
            ("object $O extends $T { $$$ }", &[17]),
            ("$A.getOrElse($B)", &[17]),
            ("trait $T { $$$ }", &[18]),
            ("val $X = $V", &[12, 13, 17]),
        ],
    );
}

#[test]
fn objc() {
    check(
        "objc",
        r#"#import "A.h"
@interface A : B <P>
@property (nonatomic, strong) NSString *name;
- (void)run:(int)x;
@end
@implementation A
- (void)run:(int)x {
  NSString *s = [NSString stringWithFormat:@"%d", x];
  if (!s) { return; }
  for (id y in list) { [y go]; }
  @try { [self go]; } @catch (NSException *e) { NSLog(@"%@", e); }
  self.name = s;
}
@end
"#,
        &[
            ("[$A go]", &[10, 11]),
            ("[NSString stringWithFormat:$F, $$$A]", &[8]),
            (r#"[$C stringWithFormat:@"%d", $X]"#, &[8]),
            ("NSString *$X = $V;", &[8]),
            ("- (void)$M:($T)$A { $$$ }", &[7]),
            ("@catch ($T *$E) { $$$ }", &[11]),
            ("NSLog($$$A);", &[11]),
            ("self.$P = $V", &[12]),
            ("if ($C) { $$$ }", &[9]),
            ("@property ($$$A) $T *$N;", &[3]),
            ("@implementation $C\n$$$\n@end", &[6]),
            ("#import $X", &[1]),
        ],
    );
}
