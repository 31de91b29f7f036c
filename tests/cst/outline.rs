//! Outlines of Python.

use cst::outline::{Options, OutlineError, cline, outline, text};
use insta::assert_snapshot;

use crate::finding::python;

const SERVER: &str = "\
import abc

LIMIT = 10
limit = 20

@dataclass(
    order=True,
)
class Server(Base):
    name: str
    TABLE = {
        1: 2,
    }

    @property
    @traced
    async def handle(
        self,
        # what was asked
        request: Request, *, retries: int = 3,
    ) -> Response:  # soon
        \"\"\"
        Answers a request.

        At once.
        \"\"\"
        local = 1
        def once(): pass
        return once

    def close(self): pass; self.closed = True
";

/// The outline of a source as a text without ids.
fn shown(source: &str, options: &Options) -> String {
    let tree = python(source);
    let definitions = outline(&tree, options).expect("the options are sound");
    text("app.py", &tree, &definitions, false)
}

fn kinds(words: &[&str]) -> Options {
    Options { kinds: words.iter().map(|&word| word.to_owned()).collect(), ..Options::default() }
}

#[test]
fn definitions_stand_on_a_line_each() {
    assert_snapshot!(shown(SERVER, &Options::default()), @r"
    app.py  (python, 31 lines)
         3-3  LIMIT = 10
        9-31  @dataclass(order=True) class Server(Base)
       17-29    @property async def handle(self, request: Request, *, retries: int = 3) -> Response
       28-28      def once()
       31-31    def close(self)
    ");
}

#[test]
fn ids_are_those_of_the_nodes() {
    let tree = python("class A:\n    def m(self): pass\n");
    let definitions = outline(&tree, &Options::default()).expect("no options");
    assert_snapshot!(text("a.py", &tree, &definitions, true), @r"
    a.py  (python, 2 lines)
         1-2  class A                                    n1
         2-2    def m(self)                              n6
    ");
    assert!(definitions.iter().all(|definition| tree.node(definition.id) == Some(definition.node)));
}

#[test]
fn kinds_are_asked_for() {
    assert_snapshot!(shown(SERVER, &kinds(&["method"])), @r"
    app.py  (python, 31 lines)
       17-29    @property async def handle(self, request: Request, *, retries: int = 3) -> Response
       31-31    def close(self)
    ");
    assert_snapshot!(shown(SERVER, &kinds(&["function"])), @r"
    app.py  (python, 31 lines)
       17-29    @property async def handle(self, request: Request, *, retries: int = 3) -> Response
       28-28      def once()
       31-31    def close(self)
    ");
    assert_snapshot!(shown(SERVER, &kinds(&["class", "field"])), @r"
    app.py  (python, 31 lines)
        9-31  @dataclass(order=True) class Server(Base)
       10-10    name: str
       11-13    TABLE = …
    ");
    assert_snapshot!(shown(SERVER, &kinds(&["variable"])), @r"
    app.py  (python, 31 lines)
         3-3  LIMIT = 10
         4-4  limit = 20
    ");
    let unknown = outline(&python(SERVER), &kinds(&["functoin"]));
    assert!(matches!(unknown, Err(OutlineError::UnknownKind { nearest: Some("function"), .. })));
}

#[test]
fn depth_and_documentation() {
    assert_snapshot!(shown(SERVER, &Options { depth: Some(1), ..Options::default() }), @r"
    app.py  (python, 31 lines)
         3-3  LIMIT = 10
        9-31  @dataclass(order=True) class Server(Base)
    ");
    assert_snapshot!(shown(SERVER, &Options { docs: true, ..kinds(&["method"]) }), @r"
    app.py  (python, 31 lines)
       17-29    @property async def handle(self, request: Request, *, retries: int = 3) -> Response
                  Answers a request.
       31-31    def close(self)
    ");
}

#[test]
fn one_definition_a_name() {
    let source = "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n";
    assert_snapshot!(shown(source, &Options::default()), @r"
    app.py  (python, 5 lines)
         2-2  @overload def f(a: int)
         4-4  @overload def f(a: str)
         5-5  def f(a)
    ");
}

#[test]
fn broken_files_have_outlines() {
    assert_snapshot!(shown("def f(:\n    pass\n\ndef g(): pass\n", &Options::default()), @r"
    app.py  (python, 4 lines, 1 syntax error: 1:7)
         1-2  def f(
         4-4  def g()
    ");
    assert_snapshot!(shown("", &Options::default()), @r"
    app.py  (python, 0 lines)
    ");
}

#[test]
fn signatures_on_one_line() {
    let source = "def f(\n    a=(\n        1,\n    ),\n    b='''x\n   y''', \\\n    c='  ', *d\n): pass\nclass A(\n  # c\n  B): pass\n";
    assert_snapshot!(shown(source, &Options::default()), @r"
    app.py  (python, 11 lines)
         1-8  def f(a=(1,), b='''x y''', c='  ', *d)
        9-11  class A(B)
    ");
}

#[test]
fn source_lines_of_names() {
    let show = |source: &str| {
        let tree = python(source);
        cline("src/app.py", &tree, &outline(&tree, &Options::default()).expect("no options"))
    };
    assert_snapshot!(show("class Server(Base):\n    x = 1\n    @d\n    async def handle(self, req):\n        def f(): pass\n"), @r"
    src/app.py
    |----
    │class Server(Base):
    |----
    │    async def handle(self, req):
    │        def f(): pass
    |----
    ");
    assert_snapshot!(show("import a\n"), @r"
    src/app.py
    (no definitions)
    ");
}

#[test]
fn the_first_definition_of_a_body_has_its_documentation() {
    use crate::cli::Place;
    let cases = [
        ("a.rb", "class A\n  # About f.\n  def f\n  end\n\n  # About g.\n  def g\n  end\nend\n"),
        ("a.java", "class A {\n  /** About f. */\n  void f() {}\n\n  /** About g. */\n  void g() {}\n}\n"),
        ("a.scala", "object A:\n  /** About f. */\n  def f() = 1\n\n  /** About g. */\n  def g() = 2\n"),
    ];
    for (file, source) in cases {
        let place = Place::new();
        place.write(file, source);
        let shown = place.run(&["outline", file, "--docs"]).expect(0).stdout;
        assert!(shown.contains("About f.") && shown.contains("About g."), "{file}: {shown}");
    }
}
