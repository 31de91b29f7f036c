//! Members of classes and interfaces of standard libraries: those that a base has are not the project's to rename, and all others are.

use serde_json::json;

use crate::refactored::refused;
use crate::symbols::Project;

#[track_caller]
fn check(path: &str, text: &str, own: &[&str], theirs: &[&str]) {
    let files = [(path, text)];
    for symbol in own {
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "otherName"});
        Project::new(&files).ask("refactor", &rename).unwrap_or_else(|error| panic!("{symbol}: {error}"));
    }
    for symbol in theirs {
        let (code, _) = refused(&files, &json!({"kind": "rename", "symbol": symbol, "to": "otherName"}));
        assert_eq!(code, "undetermined", "{symbol}");
    }
}

#[test]
fn python() {
    let text = "import threading\nimport json as j\nfrom datetime import tzinfo\nfrom threading import Thread as Base\nimport enum\nimport cmd\nimport other\n\n\n\
        class T(Base):\n    def _work(self): return 1\n    def run(self): return self._work()\n    def _target(self): return 1\n\n\n\
        class Z(tzinfo):\n    _fname = 1\n    def utcoffset(self, d): return self._fname\n\n\n\
        class C(enum.Enum):\n    RED = 1\n\n\nprint(C.RED.value)\n\n\n\
        class J(j.JSONEncoder):\n    def default(self, o): return self._enc(o)\n    def _enc(self, o): return 1\n\n\n\
        class S(cmd.Cmd):\n    def do_x(self, a): return 1\n    def help_me(self): return 1\n    def own(self): return 1\n\n\n\
        class O(other.Thread):\n    def own2(self): return 1\n\n\n\
        class Unbound(Missing):\n    def own3(self): return 1\n";
    check(
        "a.py",
        text,
        &["T._work", "Z._fname", "C.RED", "J._enc", "S.own"],
        &["T.run", "T._target", "Z.utcoffset", "J.default", "S.do_x", "S.help_me", "O.own2", "Unbound.own3"],
    );
    // It may be asked for its name.
    check("a.py", "import enum\n\n\nclass C(enum.Enum):\n    RED = 1\n\n\nprint(C.RED.name)\n", &[], &["C.RED"]);
    // A key may name an enum's member.
    let text = "import enum\n\n\nclass C(enum.Enum):\n    RED = 1\n\n\nprint(C[\"RED\"])\n";
    check("a.py", text, &[], &["C.RED"]);
}

#[test]
fn a_new_name_may_be_one_of_the_base() {
    let files = [("a.py", "from threading import Thread\n\n\nclass T(Thread):\n    def work(self): return 1\n")];
    let (code, why) = refused(&files, &json!({"kind": "rename", "symbol": "T.work", "to": "_target"}));
    assert_eq!(code, "undetermined", "{why:?}");
}

#[test]
fn java() {
    let text = "import java.util.*;\nimport java.util.concurrent.RecursiveTask;\n\nclass W extends Thread {\n  private int work() { return 1; }\n  public void run() { work(); }\n  int more() { return work(); }\n}\n\
        class R extends RecursiveTask<Integer> {\n  protected Integer compute() { return 1; }\n  int own() { return 1; }\n}\n\
        class L extends AbstractList<String> {\n  public String get(int i) { return null; }\n  public int size() { return 0; }\n  int own() { return 1; }\n}\n";
    check("A.java", text, &["W.work", "W.more", "R.own", "L.own"], &["W.run", "R.compute", "L.get", "L.size"]);
}

#[test]
fn javascript() {
    let text = "import { EventEmitter } from \"node:events\";\nimport { Base } from \"other\";\n\
        export class E extends EventEmitter { go() { return 1; } emit(x) { return x; } _events() {} }\n\
        export class X extends Error { get code2() { return 1; } get message() { return 2; } }\n\
        export class B extends Base { go2() { return 1; } }\n";
    check("a.mjs", text, &["E.go", "X.code2"], &["E.emit", "E._events", "X.message", "B.go2"]);
}

#[test]
fn php() {
    let text = "<?php\nnamespace App;\nuse Exception;\nuse ArrayObject as Base;\n\
        class E extends \\RuntimeException { public function own() { return $this->getMessage(); } protected $message = 'x'; }\n\
        class F extends Exception { public function reason() { return 1; } protected $code = 2; }\n\
        class C implements \\Countable, \\JsonSerializable { public function count(): int { return 1; } public function size() { return 2; }\n\
        public function jsonSerialize(): mixed { return 3; } }\n\
        class O extends Base { public function more() { return 1; } public function offsetGet($k): mixed { return 2; } }\n\
        class X extends Error { public function text() { return 1; } }\n";
    let own = ["E.own", "F.reason", "C.size", "O.more"];
    // A class of this name in the package is another one.
    let theirs = ["E.message", "F.code", "C.count", "C.jsonSerialize", "O.offsetGet", "X.text"];
    check("a.php", text, &own, &theirs);
}

#[test]
fn ruby() {
    let text = "require 'logger'\n\nclass E < StandardError\n  def code; 1; end\n  def message; 'x'; end\nend\n\n\
        class V\n  include Comparable\n  def <=>(other) = 0\n  def size_of; 3; end\n  def clamp; 4; end\nend\n\n\
        class L < Logger\n  def loud; @level; end\n  def level; 1; end\nend\n\n\
        class O < Other::Error\n  def code2; 1; end\nend\n";
    check("a.rb", text, &["E.code", "V.size_of", "L.loud"], &["E.message", "L.level", "O.code2"]);
}

#[test]
fn rust() {
    let text = "use std::fmt;\nuse other::Outer;\n\npub trait Shown: fmt::Display + ToOwned {\n    fn show(&self) -> String;\n    fn fmt(&self);\n}\n\n\
        pub trait Fails: std::error::Error {\n    fn why(&self) -> String;\n    fn source(&self);\n}\n\n\
        pub trait Other: Outer {\n    fn more(&self);\n}\n\n\
        struct A;\n\nimpl fmt::Display for A {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }\n}\n";
    // A trait declares its own members, whatever those above it have.
    let own = ["Shown.show", "Shown.fmt", "Fails.why", "Fails.source", "Other.more"];
    check("src/lib.rs", text, &own, &["A.fmt"]);
}

#[test]
fn go() {
    let text = "package main\n\nimport \"flag\"\n\ntype V struct{ n int }\n\nfunc (v *V) Set(s string) error { v.n++; return nil }\nfunc (v *V) String() string { return \"v\" }\n\n\
        type N struct{}\n\nfunc (n N) Set(s string) error { return nil }\nfunc (n N) Len() int { return 1 }\nfunc (n N) Own() int { return 1 }\n\n\
        type S []int\n\nfunc (s S) Len() int { return 1 }\nfunc (s S) Less(i, j int) bool { return true }\nfunc (s S) Swap(i, j int) {}\n\n\
        func main() { flag.Var(&V{}, \"a\", \"b\") }\n";
    let renamed = |symbol: &str| {
        let rename = json!({"kind": "rename", "symbol": symbol, "to": "Other"});
        Project::new(&[("go.mod", "module m\n"), ("main.go", text)]).ask("refactor", &rename).is_ok()
    };
    for symbol in ["N.Set", "N.Len", "N.Own"] {
        assert!(renamed(symbol), "{symbol}");
    }
    for symbol in ["V.Set", "V.String", "S.Len", "S.Less", "S.Swap"] {
        assert!(!renamed(symbol), "{symbol}");
    }
}

#[test]
fn the_lists_are_sorted() {
    for language in ["go", "java", "javascript", "python"] {
        let text = cst::language::library(language);
        let keys: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(keys.len() > 100, "{language}");
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{language}");
    }
}
