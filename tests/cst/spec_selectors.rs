//! The page on selectors, sections 1 to 4: shape, kinds, wrappers, attributes. Every example and every claim.

use crate::finding::{check, check_count, check_error};

const SERVER: &str = "\
class Server(Base):
    limit = 3

    def get(self): return self.client.get(1, 2)

    @cache
    def get_all(self):
        def inner(): pass
        return [inner]

    async def handle(self, req):
        # nothing yet
        if req:
            return None

def free(a, *, b=1): return a
";

#[test]
fn a_selector_reads_as_css() {
    check(SERVER, "class > function[name^=\"get\"]:first", "4 def get(self): return self.client.get(1, 2)");
    check(
        "class A:\n def get_a(self): 0\n def get_b(self): 0\nclass B:\n def x(self): 0\n def get_c(self): 0\n",
        "class > function[name^=\"get\"]:first",
        "2 def get_a(self): 0
         6 def get_c(self): 0",
    );
}

#[test]
fn a_union_is_in_document_order_without_duplicates() {
    check("a = 1\nb()\n", "call, assign", "1 a = 1\n2 b()");
    check("def f(): 0\n", "function, function_definition, FunctionDef, #f:is(function)", "1 def f(): 0");
}

#[test]
fn each_part_of_a_step() {
    check("f(1)\n", "argument_list > *", "1 1");
    check_count("async def f(): pass\ndef g(): pass\n", "'async'", 1);
    check("async def f(): pass\ndef g(): pass\n", "'async' < function", "1 async def f(): pass");
    check("def f(a) -> int: pass\n", ".return_type", "1 int");
    check("x = y\n", "identifier.left", "1 x");
    check("x = y\n", "*.right", "1 y");
    check(SERVER, "function#free", "16 def free(a, *, b=1): return a");
    check(SERVER, "function[@name=\"free\"]", "16 def free(a, *, b=1): return a");
    check(SERVER, "[name=free]:is(function)", "16 def free(a, *, b=1): return a");
    check("def f(): 0\n", "function@f", "1 def f(): 0");
}

#[test]
fn alternatives_may_be_tokens() {
    let code = "a == 1\nb != 2\nc < 3\n";
    check_count(code, "comparison_operator > :is('==', '!=')", 2);
    check_count(code, ":is('==', '!=')", 2);
    check(code, "comparison_operator:has(> :is('==', '!='))", "1 a == 1\n2 b != 2");
    check(code, "comparison_operator > :is('<', identifier)", "1 a\n2 b\n3 c\n3 <");
    check(code, "comparison_operator > :is('==', identifier):first", "1 a\n2 b\n3 c");
    check_count(code, ":is('==', [text=b])", 2);
    check_count(code, "*:is('==', '!=')", 0);
}

#[test]
fn the_subject_is_the_last_step() {
    check("def f():\n  return 1\n", "function return integer", "2 1");
}

#[test]
fn combinators() {
    let nested = "class A:\n  def m(self):\n    return 1\n";
    check(nested, "class return", "3 return 1");
    check(nested, "class//return", "3 return 1");
    check(nested, "class > function", "2 def m(self):");
    check(nested, "class/function", "2 def m(self):");
    check(nested, "class > return", "");
    check(nested, "class >> function", "");
    check(nested, "class >> block >> function", "2 def m(self):");
    check(nested, "function < class", "1 class A:");
    check(nested, "return < class", "");
    check(nested, "return << class", "1 class A:");
    check(nested, "return << node", "1 class A:\n1 class A:\n2 def m(self):\n2 def m(self):\n3 return 1");
    let row = "a = 1\n# note\nb()\nreturn 2\nc = 3\n";
    check(row, "assign + smallstmt", "3 b()");
    check(row, "assign + comment", "2 # note");
    check(row, "assign ~ assign", "5 c = 3");
    check(row, "assign ~ return", "4 return 2");
}

#[test]
fn white_space_and_comments() {
    let nested = "class A:\n  def m(self):\n    return 1\n";
    check(nested, "class>function", "2 def m(self):");
    check(nested, "class /* of any name */ >\n\tfunction", "2 def m(self):");
    check(nested, "class/*a comment*/return", "3 return 1");
    check(nested, "class/*a comment*/ > return", "");
    check("def f(): 0\ndef g(): 0\n", "#f:is(function),#g:is(function)", "1 def f(): 0\n2 def g(): 0");
    check("def f(): 0\n", "module / *", "1 def f(): 0");
    check("a = 1\nb = 2\nc = 3\n", "assign+assign", "2 b = 2\n3 c = 3");
    check("a = 1\nb = 2\nc = 3\n", "assign~assign", "2 b = 2\n3 c = 3");
}

#[test]
fn xpath_axes() {
    let source = "class A:\n  def f(self): return 1\n  def g(self): return 2\n";
    check(source, "//function[@name='f']/ancestor::class", "1 class A:");
    check(source, "//function", "2 def f(self): return 1\n3 def g(self): return 2");
    check(source, "function/parent::class", "1 class A:");
    check(source, "class/child::function[name=f]", "2 def f(self): return 1");
    check(source, "class/descendant::return", "2 return 1\n3 return 2");
    check(source, "function/self::function[name=g]", "3 def g(self): return 2");
    check(source, "function[name=f]/following-sibling::function", "3 def g(self): return 2");
    check(source, "function[name=g]/preceding-sibling::function", "2 def f(self): return 1");
}

#[test]
fn a_word_is_a_kind_first() {
    check(SERVER, "function[name=free]", "16 def free(a, *, b=1): return a");
    check_count(SERVER, "function_definition", 5);
    // `string` is a kind, which takes in concatenated strings; `type=` asks for the grammar's.
    check("'a' 'b'\n", "string", "1 'a' 'b'\n1 'a'\n1 'b'");
    check("'a' 'b'\n", "[type=string]", "1 'a'\n1 'b'");
    check("x = 1\n", "[type=\"module\"]", "1 x = 1");
    check("x = 1\n", "[type=\"Module\"]", "1 x = 1");
}

#[test]
fn compatibility_names() {
    check_count(SERVER, "ClassDef", 1);
    check_count(SERVER, "FunctionDef", 5);
    check_count(SERVER, "Return", 4);
    check("if a: 1\nelif b: 2\nelse: 3\n", "If", "1 if a: 1\n2 elif b: 2");
    check("if a: 1\nelif b: 2\nelse: 3\n", "if", "1 if a: 1");
    check("f(g())\n", "Call", "1 f(g())\n1 g()");
    check(
        "import a\nfrom b import c\nfrom __future__ import d\n",
        "ImportFrom",
        "2 from b import c\n3 from __future__ import d",
    );
    check("a = 1\nb: int = 2\nc: int\n", "AnnAssign", "2 b: int = 2\n3 c: int");
    check("-a\nnot b\n", "UnaryOperation", "1 -a\n2 not b");
}

#[test]
fn case_matters_and_unknown_words_are_errors() {
    check_error("Function", "unknown_type", "Function", "`function`");
    check_error("class > fucntion", "unknown_type", "fucntion", "`function`");
    check_error("[kind=fucntion]", "unknown_type", "fucntion", "`function`");
    check_error("[type=fucntion_definition]", "unknown_type", "fucntion_definition", "`function_definition`");
}

#[test]
fn kinds_form_a_taxonomy() {
    let source = "\
class A:
    x = 1
    def __init__(self): pass
    if x:
        def m(self):
            def inner(): pass
            class B:
                def deep(self): pass
def f(): pass
";
    check(
        source,
        "method",
        "3 def __init__(self): pass
         5 def m(self):
         8 def deep(self): pass",
    );
    check(source, "constructor", "3 def __init__(self): pass");
    check(source, "function:not(method)", "6 def inner(): pass\n9 def f(): pass");
    check_count(source, "function", 5);
    check_count(source, "[kind=\"function\"]", 5);
    check(source, "class", "1 class A:\n7 class B:");
    check(source, "field", "2 x = 1");
    check_count(source, "definition", 8);
    check(source, "module", "1 class A:");
    check("a: int = 1\n", "variable", "1 a: int = 1");
    check("type A = int\n", "type", "1 type A = int");
    check_error("[kind=function_definition]", "unknown_type", "function_definition", "");
}

#[test]
fn statements_and_expressions() {
    let source = "\
import a
x = y = 1
f(1)
if x: pass
for i in x: break
while x: continue
try: raise E
finally: assert x
with x: del x
match x:
    case 1: global z
def g(): return lambda: [1, 's']
class C: x += 1
a; b
";
    check_count(source, "stmt", 22);
    check(
        source,
        "smallstmt",
        "1 import a
         2 x = y = 1
         3 f(1)
         4 pass
         5 break
         6 continue
         7 raise E
         8 assert x
         9 del x
         11 global z
         12 return lambda: [1, 's']
         13 x += 1
         14 a
         14 b",
    );
    check(
        source,
        "import, return, raise, assert, pass, break, continue, delete, global",
        "1 import a\n4 pass\n5 break\n6 continue\n7 raise E\n8 assert x\n9 del x\n11 global z\n12 return lambda: [1, 's']",
    );
    check(source, "assign", "2 x = y = 1\n13 x += 1");
    check(source, "loop", "5 for i in x: break\n6 while x: continue");
    check(source, "if, try, with, match", "4 if x: pass\n7 try: raise E\n9 with x: del x\n10 match x:");
    check(source, "stmt:not(smallstmt):is(definition)", "12 def g(): return lambda: [1, 's']\n13 class C: x += 1");
    check(source, "lambda > collection", "12 [1, 's']");
    check(source, "lambda number, lambda string", "12 1\n12 's'");
    check("f(a, b=1)\n", "argument", "1 a\n1 b=1");
    check("def f(a, b=1, *c, **d): pass\n", "parameter", "1 a\n1 b=1\n1 *c\n1 **d");
    check("@d\ndef f(): pass # c\n", "decorator, comment, block", "1 @d\n2 pass # c\n2 # c");
    check("f(-1)\n", "expr", "1 f(-1)\n1 f\n1 -1\n1 1");
}

#[test]
fn bodies_and_wrappers_are_looked_through() {
    let source = "class A:\n  @d(x)\n  def m(self): pass\n";
    check(source, "class > function", "3 def m(self): pass");
    check(source, "class > block", "2 @d(x)");
    check(source, "class > block > function", "3 def m(self): pass");
    check(source, "decorated_definition > function", "3 def m(self): pass");
    check("f((a))\n", "call > identifier", "1 f\n1 a");
    check("def f():\n  'doc'\n", "function > string", "2 'doc'");
}

#[test]
fn places_are_those_of_the_outermost_wrapper() {
    let source = "a()\n@d\ndef f(): pass\n# c\nb = 1\n";
    check(source, "call + function", "3 def f(): pass");
    check(source, "function + assign", "5 b = 1");
    check(source, "call ~ assign", "5 b = 1");
    check(source, "function:precedes(assign)", "3 def f(): pass");
    check(source, "function:follows(call)", "3 def f(): pass");
    check(source, "function:nth-child(2)", "3 def f(): pass");
    check(source, "function[index=1]", "3 def f(): pass");
    check(source, "call[index=0]", "1 a()");
    check(source, "assign[index=2]", "5 b = 1");
    check(source, "assign:last-child", "5 b = 1");
}

#[test]
fn decorators_belong_to_the_definition() {
    let source = "@outer\nclass A:\n  @cache\n  def m(self): pass\n  def n(self): pass\n";
    check(source, "function > decorator", "3 @cache");
    check(source, "class > decorator", "1 @outer");
    check(source, "function decorator", "3 @cache");
    check(source, "function:has(decorator#cache)", "4 def m(self): pass");
    check(source, "function:has-own(decorator#cache)", "4 def m(self): pass");
    check(source, "class:has-own(decorator#cache)", "");
    check(source, "class:has(decorator#cache)", "2 class A:");
    check(source, "function[count(decorator) > 0]", "4 def m(self): pass");
    check(source, "class[count(> decorator) = 1]", "2 class A:");
    check(source, "decorator < function", "4 def m(self): pass");
}

#[test]
fn attribute_values_and_operators() {
    let source = "def get_a(): 0\ndef get_b(): 0\ndef Set(): 0\nx = lambda: 0\n";
    check(source, "function[name=\"get_a\"], function[name='get_b']", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name=Set]", "3 def Set(): 0");
    check(source, "function[name!=Set]", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name=/^get_.$/]", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name=/et/]", "1 def get_a(): 0\n2 def get_b(): 0\n3 def Set(): 0");
    check(source, "function[name!=/^get/]", "3 def Set(): 0");
    check(source, "function[name=/^GET_A/i]", "1 def get_a(): 0");
    check(source, "function[name^=get]", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name$=_b]", "2 def get_b(): 0");
    check(source, "function[name*=t_]", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name~=t_]", "1 def get_a(): 0\n2 def get_b(): 0");
    check(source, "function[name=\"set\" i]", "3 def Set(): 0");
    check("def get(): 0\n", "function[name=\"GET\" i]", "1 def get(): 0");
    check("'it\\'s'\n", "[type=string][text='\\'it\\\\\\'s\\'']", "1 'it\\'s'");
    check("x = 'a/b'\n", "string[text=/a\\/b/]", "1 'a/b'");
    check(source, "function[start_line>2]", "3 def Set(): 0");
    check(source, "function[start_line>=2]", "2 def get_b(): 0\n3 def Set(): 0");
    check(source, "function[start_line<2]", "1 def get_a(): 0");
    check(source, "function[start_line<=2]", "1 def get_a(): 0\n2 def get_b(): 0");
}

#[test]
fn an_absent_attribute() {
    check("x = lambda: 0\n", "lambda[name!=\"x\"]", "1 lambda: 0");
    check("x = lambda: 0\n", "lambda[name]", "");
    check("def f(): 0\n", "function[name]", "1 def f(): 0");
    check("def f() -> int: 0\ndef g(): 0\n", "function[returns]", "1 def f() -> int: 0");
}

#[test]
fn attributes_of_every_node() {
    check(SERVER, "[type=class_definition]", "1 class Server(Base):");
    check(SERVER, "return[text=\"return None\"]", "14 return None");
    check_count(SERVER, "function[language=python]", 5);
    check("x = y\n", "[field=left]", "1 x");
    check("x = 1\ny = (2,\n 3)\n", "assign[lines=2]", "2 y = (2,");
    check("x = 1\ny = (2,\n 3)\n", "assign[end_line=3]", "2 y = (2,");
    check("def f():\n  é = x\n", "identifier[start_col=7]", "2 x");
    check("def f():\n  é = x\n", "assign[end_col=8]", "2 é = x");
    check("é\nxy\n", "identifier[length=2]", "1 é\n2 xy");
    check("a\n# c\nb\nf(1, 2)\n", "call[index=2]", "4 f(1, 2)");
    check("f(1, # c\n 2)\n", "argument_list[children=2]", "1 (1, # c");
    check("a\n", "module[depth=0]", "1 a");
    check("a\n", "identifier[depth=2]", "1 a");
}

#[test]
fn names() {
    check(SERVER, "[name=get]:is(call)", "4 self.client.get(1, 2)");
    check(SERVER, "call[callee=\"self.client.get\"]", "4 self.client.get(1, 2)");
    check(SERVER, "call[name=get]", "4 self.client.get(1, 2)");
    check(SERVER, "function[qualname=\"Server.get_all.inner\"]", "8 def inner(): pass");
    check("from a import b as c\n", "import[name=b]", "1 from a import b as c");
    check("import numpy as np\n", "import[name=np], import[name=numpy]", "1 import numpy as np");
    check("f(x, key=1)\n", "argument[name=key]", "1 key=1");
    check("def f(a: int = 1): 0\n", "parameter[name=a]", "1 a: int = 1");
    check("@a.b(1)\ndef f(): 0\n", "decorator[name=b]", "1 @a.b(1)");
}

#[test]
fn modules_of_imports() {
    let source = "import a, b.c\nfrom d import e\nfrom . import f\nfrom ..g.h import i\n";
    check(source, "import[module=a]", "1 import a, b.c");
    check(source, "import[module=\"b.c\"]", "1 import a, b.c");
    check(source, "import[module=d]", "2 from d import e");
    check(source, "import[module=\".\"]", "3 from . import f");
    check(source, "import[module=\"..g.h\"]", "4 from ..g.h import i");
    check(source, "import[module^=\".\"]", "3 from . import f\n4 from ..g.h import i");
}

#[test]
fn counts() {
    check(
        "class A:\n def f(self, a, *, b): 0\n def g(self, a, /): 0\n",
        "function[params=3]",
        "2 def f(self, a, *, b): 0",
    );
    check("def g(self, a, /): 0\n", "function[params=2]", "1 def g(self, a, /): 0");
    check("def f(): 0\n", "function[params=0]", "1 def f(): 0");
    check("f(x for x in y)\n", "call[args=1]", "1 f(x for x in y)");
    check("f(a, *b, c=1, **d)\n", "call[args=4]", "1 f(a, *b, c=1, **d)");
    check("f()\n", "call[args=0]", "1 f()");
}

#[test]
fn attributes_of_definitions() {
    check("def f():\n  \"\"\"Says hello.\"\"\"\ndef g(): 0\n", "function[doc=\"Says hello.\"]", "1 def f():");
    check("def f():\n  'x'\ndef g(): 0\n", "function:not([doc])", "3 def g(): 0");
    check("@a.cache(1)\n@b\ndef f(): 0\n", "function[decorators=\"a.cache\"]", "3 def f(): 0");
    check("@a.cache(1)\n@b\ndef f(): 0\n", "function[decorators=b]", "3 def f(): 0");
    check("async def f(): 0\ndef g(): 0\n", "function[modifiers=async]", "1 async def f(): 0");
    check("def f() -> int: 0\n", "function[returns=int]", "1 def f() -> int: 0");
    check("def _f(): 0\ndef g(): 0\n", "function[visibility=private]", "1 def _f(): 0");
    check("def _f(): 0\ndef g(): 0\ndef __h__(): 0\n", "function[visibility=public]", "2 def g(): 0");
    check("def g(): 0\ndef __h__(): 0\n", "function[visibility=special]", "2 def __h__(): 0");
}

#[test]
fn paths_go_through_fields() {
    check("requests.get(1)\nother.get(2)\n", "call[function.object.name=\"requests\"]", "1 requests.get(1)");
    check("def f():\n  a\n  b\n  c\ndef g(): 0\n", "function[body.lines>2]", "1 def f():");
    check("a = f()\nb = 1\n", "assignment[right.kind=\"call\"]", "1 a = f()");
    check_error("function[bdy.lines>50]", "unknown_field", "bdy", "`body`");
    check_error("function[superclasses.lines>50]", "unknown_field", "superclasses", "");
    check("class A(B): 0\n", "[superclasses.lines=1]", "1 class A(B): 0");
    check_error("function[nme=f]", "unknown_attribute", "nme", "`name`");
}

#[test]
fn counts_stand_for_numbers() {
    let source = "def f():\n  if a: return 1\n  if b: return 2\n  return 3\ndef g(): return 4\n";
    check(source, "function[count(return) > 2]", "1 def f():");
    check(source, "function[count(return) = 1]", "5 def g(): return 4");
    check(source, "function[count(return) > 3]", "");
}
