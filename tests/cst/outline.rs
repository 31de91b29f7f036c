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
    assert_snapshot!(shown(SERVER, &Options::default()), @"");
}

#[test]
fn ids_are_those_of_the_nodes() {
    let tree = python("class A:\n    def m(self): pass\n");
    let definitions = outline(&tree, &Options::default()).expect("no options");
    assert_snapshot!(text("a.py", &tree, &definitions, true), @"");
    assert!(definitions.iter().all(|definition| tree.node(definition.id) == Some(definition.node)));
}

#[test]
fn kinds_are_asked_for() {
    assert_snapshot!(shown(SERVER, &kinds(&["method"])), @"");
    assert_snapshot!(shown(SERVER, &kinds(&["function"])), @"");
    assert_snapshot!(shown(SERVER, &kinds(&["class", "field"])), @"");
    assert_snapshot!(shown(SERVER, &kinds(&["variable"])), @"");
    let unknown = outline(&python(SERVER), &kinds(&["functoin"]));
    assert!(matches!(unknown, Err(OutlineError::UnknownKind { nearest: Some("function"), .. })));
}

#[test]
fn depth_and_documentation() {
    assert_snapshot!(shown(SERVER, &Options { depth: Some(1), ..Options::default() }), @"");
    assert_snapshot!(shown(SERVER, &Options { docs: true, ..kinds(&["method"]) }), @"");
}

#[test]
fn one_definition_a_name() {
    let source = "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n";
    assert_snapshot!(shown(source, &Options::default()), @"");
}

#[test]
fn broken_files_have_outlines() {
    assert_snapshot!(shown("def f(:\n    pass\n\ndef g(): pass\n", &Options::default()), @"");
    assert_snapshot!(shown("", &Options::default()), @"");
}

#[test]
fn signatures_on_one_line() {
    let source =
        "def f(\n    a=(\n        1,\n    ),\n    b='''x\n   y''', \\\n    *c\n): pass\nclass A(\n  # c\n  B): pass\n";
    assert_snapshot!(shown(source, &Options::default()), @"");
}

#[test]
fn source_lines_of_names() {
    let show = |source: &str| {
        let tree = python(source);
        cline("src/app.py", &tree, &outline(&tree, &Options::default()).expect("no options"))
    };
    assert_snapshot!(show("class Server(Base):\n    x = 1\n    @d\n    async def handle(self, req):\n        def f(): pass\n"), @"");
    assert_snapshot!(show("import a\n"), @"");
}
