//! Python's data: names, qualified names, counts, documentation, kinds, compatibility names, named selectors.

use crate::finding::{check, check_count, nodes, python};

/// The names of the nodes that a selector finds, several of one node joined by `, `.
#[track_caller]
fn check_names(source: &str, selector: &str, expected: &[&str]) {
    let tree = python(source);
    let found = nodes(&tree, selector).unwrap_or_else(|error| panic!("{selector}\n{error}"));
    let names: Vec<String> = found.into_iter().map(|node| tree.name(node).unwrap_or_else(|| "-".to_owned())).collect();
    assert_eq!(names, expected, "\nselector: {selector}\nsource:\n{source}");
}

#[test]
fn names_of_calls_and_decorators() {
    check_names("f(); a.b.f(); (f)(); (a.f)(); super().f()\n", "call", &["f", "f", "f", "f", "f", "super"]);
    // What a call returns, an element and a literal have no name.
    check_names("f()(); (g())(); h[0](); (lambda: 0)()\n", "call", &["-", "f", "-", "g", "-", "-"]);
    check_names("@a\n@a.b\n@a.b(1)\n@(c)\n@ \\\n  d\ndef f(): 0\n", "decorator", &["a", "b", "b", "c", "d"]);
}

#[test]
fn names_of_parameters() {
    let source = "def f(a, b: int, c=1, d: int = 1, /, *e: int, g, **h): 0\nlambda a, *b, c=1, **d: 0\n";
    check_names(source, "parameter", &["a", "b", "c", "d", "e", "g", "h", "a", "b", "c", "d"]);
    check_names("def f(*, a): 0\n", "parameter", &["a"]);
}

#[test]
fn names_of_imports() {
    let source = "import a.b as c, d\nfrom e import f as g, h\nfrom i import *\nfrom __future__ import j\n";
    check_names(source, "import", &["a.b, d", "f, h", "*", "j"]);
    check_names(source, "aliased_import", &["a.b", "f"]);
    for name in ["a.b", "c", "d"] {
        check(source, &format!("import[name=\"{name}\"]"), "1 import a.b as c, d");
    }
    check(
        source,
        "import[module=\"a.b\"], import[module=__future__]",
        "1 import a.b as c, d\n4 from __future__ import j",
    );
    check(source, "import[module=c]", "");
}

#[test]
fn names_of_assignments() {
    check_names("a = 1; self.b = 1; c: int = 1; d: int; e += 1\n", "assign", &["a", "b", "c", "d", "e"]);
    check_names("a, (b, *c) = d; [e, f] = g; h[0] = 1\n", "assign", &["a, b, c", "e, f", "-"]);
    check_names("a = b = 1\n", "variable", &["a", "b"]);
    check_names("a = b = 1\n", "assign", &["a"]);
    check_names("if (n := 1): 0\n", "named_expression", &["n"]);
    check_names("type A = int\ntype B[T] = list[T]\n", "type", &["A", "B"]);
}

#[test]
fn names_of_the_rest() {
    check_names("f(a, b=1, *c)\n", "keyword_argument", &["b"]);
    check_names("try: 0\nexcept A as e: 0\nexcept B: 0\n", "except_clause", &["e", "-"]);
    check_names("try: 0\nexcept* A as e: 0\n", "except_clause", &["e"]);
    check_names("with a as b, c: 0\n", "with_item", &["b", "-"]);
    check_names("def f():\n  global a, b\n  nonlocal c\n", "global", &["a, b", "c"]);
    check_names(
        "match a:\n  case b.C(d=1) as e: 0\n",
        "class_pattern, keyword_pattern, as_pattern",
        &["e", "b.C", "d"],
    );
    check_names("(a)\nif b: 0\nreturn c\n", "stmt, parenthesized_expression", &["-", "-", "-", "-", "-"]);
}

#[test]
fn qualnames() {
    let source = "\
class A:
    x = 1
    def m(self):
        def inner(): pass
        class B:
            if x:
                def deep(self): call(y)
";
    for qualname in ["A", "A.x", "A.m", "A.m.inner", "A.m.B", "A.m.B.deep"] {
        check_count(source, &format!("definition[qualname=\"{qualname}\"]"), 1);
    }
    check(source, "call[qualname=\"A.m.B.deep.call\"]", "7 call(y)");
}

#[test]
fn numbers_of_parameters_and_arguments() {
    let params = |list: &str, count: usize| {
        check_count(&format!("def f({list}): 0\n"), &format!("function[params={count}]"), 1);
    };
    params("", 0);
    params("self", 1);
    params("a, /, b, *, c", 3);
    params("*a, **b", 2);
    params("a: int, b: int = 1, c=2", 3);
    params("a, # c\n  b \\\n  ,", 2);
    check_count("lambda: 0\n", "lambda[params=0]", 1);
    check_count("lambda a, *, b: 0\n", "lambda[params=2]", 1);
    let args = |list: &str, count: usize| check_count(&format!("f({list})\n"), &format!("call[args={count}]"), 1);
    args("", 0);
    args("a, *b, c=1, **d", 4);
    args("x for x in y", 1);
    args("(x for x in y), 1", 2);
    args("a, # c\n  b \\\n  ,", 2);
}

#[test]
fn documentation() {
    let doc = |source: &str, expected: Option<&str>| {
        let tree = python(source);
        let node = nodes(&tree, "function, class").expect("the selector is sound").first().copied();
        assert_eq!(tree.doc(node.unwrap_or(tree.root())).as_deref(), expected, "{source}");
    };
    doc("def f():\n  '''A.\n\n  B.\n  '''\n", Some("A.\n\n  B."));
    doc("class A:\n  # c\n  r'a\\b'\n", Some("a\\b"));
    doc("def f(): u'x'\n", Some("x"));
    doc("def f():\n  ('x')\n", Some("x"));
    doc("def f():\n  'x' \\\n  'y'\n", Some("xy"));
    doc("def f():\n  'x' f'y'\n", None);
    doc("#!/bin/sh\n# c\n'x'\n", Some("x"));
    doc("def f():\n  b'x'\n", None);
    doc("def f():\n  f'{x}'\n", None);
    doc("def f():\n  rb'x'\n", None);
    doc("def f():\n  1\n  'x'\n", None);
    doc("def f():\n  x = 'x'\n", None);
    doc("def f(): ''\n", None);
    check("if a:\n  'x'\n", "[doc]", "");
}

#[test]
fn visibility_modifiers_and_returns() {
    let source = "class A:\n  def _a(self): 0\n  def __b(self): 0\n  def __c__(self): 0\n  async def d(self) -> int: 0\n  _e = 1\n";
    check(source, "definition[visibility=private]", "2 def _a(self): 0\n3 def __b(self): 0\n6 _e = 1");
    check(source, "method[visibility=public]", "5 async def d(self) -> int: 0");
    check(source, "method[visibility=special]", "4 def __c__(self): 0");
    check(source, "[modifiers=async]", "5 async def d(self) -> int: 0");
    check(source, "[returns=int]", "5 async def d(self) -> int: 0");
}

#[test]
fn what_a_method_is() {
    let source = "\
class A:
    try:
        def a(self): 0
    except E:
        def b(self): 0
    @d
    def c(self):
        def e(): 0
        return lambda: 0
def f():
    class B:
        def g(self): 0
";
    check(source, "method", "3 def a(self): 0\n5 def b(self): 0\n7 def c(self):\n12 def g(self): 0");
}

#[test]
fn fields_and_variables() {
    let source = "\
a = 1
class A:
    b: int
    c, d = 1, 2
    c += 1
    e[0] = 1
    if a:
        f = 1
    def m(self):
        self.g = 1
        h = 1
";
    check(source, "field", "3 b: int\n4 c, d = 1, 2\n8 f = 1");
    check(source, "variable", "1 a = 1\n11 h = 1");
    check_count(source, "assign", 8);
}

#[test]
fn the_seven_classic_kinds() {
    let source = "class A:\n  def m(self): return 1\ndef f():\n  import a\n  f(); x = 1\n  if x: pass\n";
    check(source, "class", "1 class A:");
    check(source, "function", "2 def m(self): return 1\n3 def f():");
    check(source, "method", "2 def m(self): return 1");
    check(source, "import", "4 import a");
    check(source, "smallstmt", "2 return 1\n4 import a\n5 f()\n5 x = 1\n6 pass");
    check(source, "stmt:not(smallstmt)", "1 class A:\n2 def m(self): return 1\n3 def f():\n6 if x: pass");
    check_count("x\n", "node", 3);
}

#[test]
fn statements_of_libcst() {
    let source = "a = b = 1\nc: int\nc += 1\nf()\n'doc'\ndel a, b\nfor i in x: 0\nelse: 1\n";
    check(source, "Assign", "1 a = b = 1");
    check(source, "AssignTarget", "1 a\n1 b");
    check(source, "AugAssign, AnnAssign", "2 c: int\n3 c += 1");
    check(source, "Expr", "4 f()\n5 'doc'\n7 0\n8 1");
    check(source, "Del, Else", "6 del a, b\n8 else: 1");
    let tries = "try: 0\nexcept A: 0\nfinally: 0\ntry: 1\nexcept* B: 1\n";
    check(tries, "Try, TryStar", "1 try: 0\n4 try: 1");
    check(tries, "TryStar", "4 try: 1");
    check(tries, "ExceptHandler", "2 except A: 0");
    check(tries, "ExceptStarHandler, Finally", "3 finally: 0\n5 except* B: 1");
    check("import a as b, c\nfrom d import *\n", "ImportAlias, AsName, ImportStar", "1 a as b\n1 b\n1 c\n2 *");
    check("raise A from b\n", "From", "1 b");
    check("global a, b\n", "NameItem", "1 a\n1 b");
    check("with a as b, c: 0\n", "WithItem", "1 a as b\n1 c");
}

#[test]
fn expressions_of_libcst() {
    check("1; 2.0; 3j; 4.0J; ...\n", "Integer", "1 1");
    check("1; 2.0; 3j; 4.0J; ...\n", "Float", "1 2.0");
    check("1; 2.0; 3j; 4.0J; ...\n", "Imaginary", "1 3j\n1 4.0J");
    check("1; 2.0; 3j; 4.0J; ...\n", "Ellipsis", "1 ...");
    check("'a'; f'b{c}'; rF''; 'd' f'e'\n", "SimpleString", "1 'a'\n1 'd'");
    check("'a'; f'b{c}'; rF''; 'd' f'e'\n", "FormattedString", "1 f'b{c}'\n1 rF''\n1 f'e'");
    check("f'b{c}'\n", "FormattedStringText, FormattedStringExpression", "1 b\n1 {c}");
    check("'d' f'e'\n", "ConcatenatedString", "1 'd' f'e'");
    check("a, b = [1, *c], {**d, 'e': 2}\n", "Tuple", "1 a, b\n1 [1, *c], {**d, 'e': 2}");
    check("[1, *c]\n", "StarredElement, Element", "1 1\n1 *c");
    check("{**d, 'e': 2}\n", "StarredDictElement, DictElement, Dict", "1 {**d, 'e': 2}\n1 **d\n1 'e': 2");
    check("a[1:2, b]\n", "Slice", "1 1:2");
    check("a[1:2, b]\n", "Index", "1 b");
    check("x: list[int]\n", "Subscript", "1 list[int]");
    check("x = not a\ny = -b\n", "Not, Minus", "1 not\n2 -");
    check("a is not b\na not in b\na <= b\n", "IsNot, NotIn, LessThanEqual", "1 is not\n2 not in\n3 <=");
    check("a + b * c\n", "Add, Multiply, BinaryOperation", "1 a + b * c\n1 +\n1 b * c\n1 *");
    check("[a for b in c if d]\n", "CompFor, CompIf", "1 for b in c\n1 if d");
    check("(yield from a)\n", "From", "1 a");
}

#[test]
fn functions_and_types_of_libcst() {
    let source = "def f[T: int, *V, **P](a, /, b: int = 1, *, c, **d) -> str: 0\n";
    check(source, "Param", "1 a\n1 b: int = 1\n1 c\n1 **d");
    check(source, "ParamSlash, ParamStar", "1 /\n1 *");
    check(source, "Annotation", "1 int\n1 str");
    check(source, "TypeVar", "1 T: int");
    check(source, "TypeVarTuple", "1 *V");
    check(source, "ParamSpec", "1 **P");
    check("type A[T] = B[T]\n", "TypeParam", "1 T");
    check("type A[T] = B[T]\n", "Subscript", "1 B[T]");
    check("class A(B, c=1): f(d, *e)\n", "Arg", "1 B\n1 c=1\n1 d\n1 *e");
    check("async def f(): 0\n", "Asynchronous", "1 async");
}

#[test]
fn match_statements_of_libcst() {
    let source = "\
match a:
    case [b, *_]: 0
    case {'c': 1, **d}: 0
    case E(f, g=None): 0
    case 1 | -2: 0
    case h.i: 0
    case _: 0
";
    check(source, "Match", "1 match a:");
    check_count(source, "MatchCase", 6);
    check(source, "MatchList, MatchStar, MatchMapping", "2 [b, *_]\n2 *_\n3 {'c': 1, **d}");
    check(source, "MatchClass, MatchKeywordElement, MatchSingleton", "4 E(f, g=None)\n4 g=None\n4 None");
    check(source, "MatchOr, MatchOrElement", "5 1 | -2\n5 1\n5 2");
    check(source, "MatchAs", "2 b\n4 f\n7 _");
    check(source, "MatchValue", "3 1\n5 1\n5 2\n6 h.i");
}

#[test]
fn named_selectors_of_functions() {
    let source = "\
class A:
    @property
    def a(self): 0
    @a.setter
    def a(self, value): 0
    @classmethod
    def b(cls): 0
    @abc.abstractmethod
    def c(self): ...
    @overload
    def d(self): pass
async def e(): await f()
async def g(): yield 1
def h(n): return h(n - 1)
@deprecated('no')
def i(x: int): return lambda: (yield)
@functools.lru_cache(1)
def j():
    warnings.warn('x', DeprecationWarning)
    def k(): 0
";
    check(source, ":property", "3 def a(self): 0");
    check(source, ":setter", "5 def a(self, value): 0");
    check(source, ":classmethod", "7 def b(cls): 0");
    check(source, ":abstract", "1 class A:\n9 def c(self): ...");
    check(source, ":overload", "11 def d(self): pass");
    check(source, ":stub", "9 def c(self): ...\n11 def d(self): pass");
    check(source, "function:async", "12 async def e(): await f()\n13 async def g(): yield 1");
    check(source, ":coroutine", "12 async def e(): await f()");
    check(source, "function:generator:async", "13 async def g(): yield 1");
    check(source, ":recursive", "14 def h(n): return h(n - 1)");
    check(source, ":deprecated", "16 def i(x: int): return lambda: (yield)\n18 def j():");
    check(source, ":typed", "16 def i(x: int): return lambda: (yield)");
    check(source, ":cached", "18 def j():");
    check(source, ":nested", "20 def k(): 0");
    check_count(source, ":decorated", 7);
}

#[test]
fn named_selectors_of_classes() {
    let source = "\
@dataclass(frozen=True)
class A: 0
class B(enum.Enum): 0
class C(ValueError): 0
class D(Protocol[T]): 0
class E(abc.ABC): 0
class F(NamedTuple): 0
class G(unittest.TestCase):
    def test_a(self): 0
    def helper(self): 0
class TestH: 0
";
    check(source, ":dataclass", "2 class A: 0");
    check(source, ":enum", "3 class B(enum.Enum): 0");
    check(source, ":exception", "4 class C(ValueError): 0");
    check(source, ":protocol", "5 class D(Protocol[T]): 0");
    check(source, ":abstract", "6 class E(abc.ABC): 0");
    check(source, ":namedtuple", "7 class F(NamedTuple): 0");
    check(source, ":test", "8 class G(unittest.TestCase):\n9 def test_a(self): 0\n11 class TestH: 0");
}

#[test]
fn named_selectors_of_names() {
    let source = "\
LIMIT = 1
_CACHE: Final = 2
other = 3
class A:
    __slots__ = ()
    RED = 1
    def _m(self):
        LOCAL = 1
def _f(): 0
def g(): 0
";
    check(source, ":constant", "1 LIMIT = 1\n2 _CACHE: Final = 2\n6 RED = 1");
    check(source, ":final", "2 _CACHE: Final = 2");
    check(source, ":dunder", "5 __slots__ = ()");
    check(source, ":exported", "1 LIMIT = 1\n3 other = 3\n4 class A:\n10 def g(): 0");
    check(source, "function:private", "7 def _m(self):\n9 def _f(): 0");
}

#[test]
fn named_selectors_of_statements_and_strings() {
    let source = "\
'''module'''
from . import a
from b import *
import c as d
try: 0
except: 1
except Exception: 2
except (KeyError, E): 3
def f():
    'doc'
    return b'x', rf'y{z}'
x: int = 1
if __name__ == '__main__':
    f()
";
    check(source, ":relative, :star, :aliased", "2 from . import a\n3 from b import *\n4 import c as d");
    check(source, ":bare", "6 except: 1");
    check(source, ":broad", "6 except: 1\n7 except Exception: 2");
    check(source, "string:docstring", "1 '''module'''\n10 'doc'");
    check(source, "function:has-own(:docstring)", "9 def f():");
    check(source, ":bytes, :fstring", "11 b'x'\n11 rf'y{z}'");
    check(source, ":annotated", "12 x: int = 1");
    check(source, ":main", "13 if __name__ == '__main__':");
}
