//! Extraction of functions and variables, and inlining: what is written, and what is refused.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Request};
use serde_json::{Value, json};

/// A project with one file, in memory.
struct Code {
    path: &'static str,
    memory: Arc<Memory>,
    engine: Engine,
}

impl Code {
    fn new(path: &'static str, text: &str) -> Code {
        let memory = Arc::new(Memory::default());
        memory.write(format!("/p/{path}"), text);
        let engine = Engine::new(Host { files: memory.clone(), ..Host::at("/p") });
        Code { path, memory, engine }
    }

    fn ask(&self, params: &Value) -> Result<Value, Value> {
        let request = json!({"method": "refactor", "params": params});
        let request: Request = serde_json::from_value(request).expect("well formed");
        let response = self.engine.handle(request).map_err(|error| error.to_json())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    fn extract(&self, kind: &str, range: &str, all: bool) -> Result<Value, Value> {
        let range = format!("{}:{range}", self.path);
        self.ask(&json!({"kind": format!("extract_{kind}"), "to": "made", "range": range, "all": all, "write": true}))
    }

    fn text(&self) -> String {
        let bytes = self.memory.read(format!("/p/{}", self.path).as_ref(), u64::MAX).expect("the file");
        String::from_utf8(bytes).expect("text")
    }
}

/// The text after an extraction.
#[track_caller]
fn extracted(path: &'static str, kind: &str, range: &str, text: &str) -> String {
    let code = Code::new(path, text);
    code.extract(kind, range, false).unwrap_or_else(|error| panic!("{range}: {error:#}"));
    code.text()
}

/// The code of a refusal, and its first place with the reason.
#[track_caller]
fn refused(path: &'static str, kind: &str, range: &str, text: &str) -> String {
    let code = Code::new(path, text);
    let error = match kind {
        "inline" => code.ask(&json!({"kind": "inline", "symbol": range, "write": true})),
        _ => code.extract(kind, range, false),
    };
    let error = error.expect_err(&code.text());
    assert_eq!(code.text(), text, "nothing is written");
    let place = &error["error"]["places"][0];
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    format!("{} {}: {}", word(&error["error"]["code"]), place["line"], word(&place["why"]))
}

/// The text after an inlining.
#[track_caller]
fn inlined(path: &'static str, symbol: &str, text: &str) -> String {
    let code = Code::new(path, text);
    let answer = code.ask(&json!({"kind": "inline", "symbol": symbol, "write": true}));
    answer.unwrap_or_else(|error| panic!("{symbol}: {error:#}"));
    code.text()
}

const PYTHON: &str = "\
class Shop:
    def total(self, items, rate):
        result = 0
        # all of them
        for item in items:
            text = \"\"\"a
  b\"\"\"
            result += item + len(text)
        if rate:
            return result * rate
        print(self.name, result)
        return result


def main(a, b):
    x = a + b
    y = x * 2
    z = [y for _ in range(x)]
    return y, z
";

#[test]
fn statements_become_a_function() {
    // Before a class, whose body may call it; comments and strings move as they are.
    let new = extracted("a.py", "function", "3-8", PYTHON);
    let head = "\
def made(items):
    result = 0
    # all of them
    for item in items:
        text = \"\"\"a
  b\"\"\"
        result += item + len(text)
    return result


class Shop:
    def total(self, items, rate):
        result = made(items)
        if rate:
";
    assert!(new.starts_with(head), "{new}");
    // A range that begins with a comment, and a value from before it.
    let new = extracted("a.py", "function", "4-8", PYTHON);
    assert!(new.starts_with("def made(items, result):\n    # all of them\n    for item in items:\n"), "{new}");
    assert!(new.contains("        result = 0\n        result = made(items, result)\n"), "{new}");
    // The object of a method, and returns on all paths.
    let new = extracted("a.py", "function", "9-12", PYTHON);
    let method = "\
        return self.made(rate, result)

    def made(self, rate, result):
        if rate:
            return result * rate
        print(self.name, result)
        return result
";
    assert!(new.contains(method), "{new}");
    let new = extracted("a.py", "function", "16-18", PYTHON);
    let end = "\
def main(a, b):
    y, z = made(a, b)
    return y, z


def made(a, b):
    x = a + b
    y = x * 2
    z = [y for _ in range(x)]
    return y, z
";
    assert!(new.ends_with(end), "{new}");
    let new = extracted("a.py", "function", "17:9-17:14", PYTHON);
    assert!(new.contains("    y = made(x)\n") && new.ends_with("def made(x):\n    return x * 2\n"), "{new}");
    let new =
        extracted("a.py", "function", "2-3", "import os\nvalue = os.getcwd()\nother = value + \"x\"\nprint(other)\n");
    let whole = "\
import os
def made():
    value = os.getcwd()
    other = value + \"x\"
    return value, other


value, other = made()
print(other)
";
    assert_eq!(new.replace("import os\n\n\n", "import os\n"), whole);
    let new =
        extracted("a.py", "function", "2-3", "async def f(x):\r\n    y = await x\r\n    print(y)\r\n    return y\r\n");
    assert!(
        new.starts_with("async def f(x):\r\n    y = await made(x)\r\n    return y\r\n\r\n\r\nasync def made(x):\r\n"),
        "{new}"
    );
}

#[test]
fn what_would_not_do_the_same_is_refused() {
    for (range, text, why) in [
        (
            "2-3",
            "def f(a):\n    if a:\n        return 1\n    return 2\n",
            "undetermined 3: only some paths through the range return",
        ),
        ("3", "def f(a):\n    for x in a:\n        break\n", "undetermined 3: `break` leaves the range"),
        ("2", "def f(a):\n    yield a\n", "undetermined 2: a generator yields here"),
        ("3", "def f():\n    global n\n    n = 1\n", "undetermined 3: `n` is a variable outside of the function"),
        ("2-3", "def f():\n    global n\n    n = 1\n", "undetermined 2: the declaration applies to the whole function"),
        (
            "4",
            "def f():\n    n = 0\n    def g(): return n\n    n = 1\n    return g\n",
            "undetermined 3: another function sees `n`, which the range changes",
        ),
        (
            "2",
            "def f():\n    g = lambda: n\n    n = 1\n    return g\n",
            "undetermined 3: a function in line 2 would not see this value of `n`",
        ),
        (
            "4",
            "def f(a):\n    if a:\n        n = 1\n    a = a and n\n    return a\n",
            "undetermined 4: `n` may have no value before the range",
        ),
        (
            "2-3",
            "def f(a):\n    if a:\n        n = 1\n    return n\n",
            "undetermined 3: `n` may have no value at the end of the range",
        ),
        (
            "3-4",
            "def f(a):\n    try:\n        n = a\n        a()\n    except E:\n        return n\n",
            "undetermined 6: `n` is used here, perhaps after an exception in the middle of the range",
        ),
        ("2", "def f():\n    return locals()\n", "undetermined 2: `locals` depends on the enclosing function"),
        ("2", "class A:\n    x = 1\n", "undetermined 2: the code is a part of a class, whose names are members"),
        (
            "3",
            "class A:\n    def f(a):\n        return __x\n",
            "undetermined 3: `__x` means something only in the class, and the range does not use the object",
        ),
        (
            "2-3",
            "def f(a):\n    if a:\n        pass\n    else:\n        pass\n",
            "bad_request 2: the range is neither whole statements of one block nor one expression",
        ),
        ("2", "def f(a):\n    made = a\n    return made\n", "would_rebind 2: `made` is already a name here"),
    ] {
        assert_eq!(refused("a.py", "function", range, text), why, "{text}");
    }
    for (range, text, why) in [
        (
            "2",
            "function f() { x();\n  return arguments[0];\n}\n",
            "undetermined 2: `arguments` depends on the enclosing function",
        ),
        (
            "2",
            "function f() {\n  this.x = 1;\n}\n",
            "undetermined 2: `this` is the object of a function that is not a method",
        ),
        (
            "3",
            "function f() {\n  let n = 0;\n  n = g();\n  return () => n++;\n}\n",
            "undetermined 4: a function inside changes `n`",
        ),
    ] {
        assert_eq!(refused("a.js", "function", range, text), why, "{text}");
    }
    assert_eq!(
        refused("a.ts", "function", "2", "function f<T>(x: T) {\n  g(x);\n}\n"),
        "undetermined 1: the type `T` of `x` is known only around the range"
    );
    assert!(
        refused("a.c", "function", "2", "void f() {\n    g();\n}\n").ends_with("this refactor is not supported in c")
    );
}

#[test]
fn javascript_and_typescript() {
    let text = "\
class A {
  add(x: number, all: string[]) {
    let total = 0;
    const n = x * 2;
    for (const one of all) {
      total += one.length + n;
    }
    const first = all[0];
    const rest = all.slice(1);
    this.count += total;
    return [first, rest];
  }
}
";
    let new = extracted("a.ts", "function", "4-7", text);
    let end = "\
function made(x: number, all: string[], total: number) {
  const n = x * 2;
  for (const one of all) {
    total += one.length + n;
  }
  return total;
}
";
    assert!(new.contains("    let total = 0;\n    total = made(x, all, total);\n") && new.ends_with(&end), "{new}");
}

#[test]
fn javascript_methods_and_several_results() {
    let text = "class A {\n  add(x) {\n    const y = x + 1;\n    this.count += y;\n    return this.count;\n  }\n}\n";
    let new = extracted("a.js", "function", "3-4", text);
    assert!(new.contains("    this.made(x);\n    return this.count;\n  }\n"), "{new}");
    assert!(new.contains("  made(x) {\n    const y = x + 1;\n    this.count += y;\n  }\n"), "{new}");
    let text = "function f(all) {\n  const first = all[0];\n  const rest = all.slice(1);\n  g(first, rest);\n}\n";
    let new = extracted("a.js", "function", "2-3", text);
    assert!(
        new.starts_with("function f(all) {\n  const { first, rest } = made(all);\n  g(first, rest);\n}\n"),
        "{new}"
    );
    assert!(new.contains("function made(all) {\n  const first = all[0];\n  const rest = all.slice(1);\n  return { first, rest };\n}\n"), "{new}");
    let text = "async function f(x) {\n  const y = await x;\n  return y;\n}\n";
    let new = extracted("a.tsx", "function", "2", text);
    assert!(new.contains("  const y = await made(x);\n") && new.contains("async function made(x: any) {\n"), "{new}");
}

#[test]
fn expressions_become_variables() {
    let text = "def f(a, b):\n    if a + b > 1:\n        print(a + b)\n    c = a + b\n    a = 2\n    return a + b\n";
    let code = Code::new("a.py", text);
    let answer = code.extract("variable", "2:8-2:13", true).expect("it is simple");
    let new = "def f(a, b):\n    made = a + b\n    if made > 1:\n        print(made)\n    c = made\n    a = 2\n    return a + b\n";
    assert_eq!(code.text(), new);
    assert_eq!(answer["certain"], 3);
    assert_eq!(answer["notes"][0], "left 1 equal expression whose value may differ");
    let text = "function f(a: number) {\n  return g(a * 2, 1);\n}\n";
    let new = "function f(a: number) {\n  const made = a * 2;\n  return g(made, 1);\n}\n";
    for path in ["a.ts", "a.tsx", "a.js"] {
        let text = text.replace(": number", if path == "a.js" { "" } else { ": number" });
        let new = new.replace(": number", if path == "a.js" { "" } else { ": number" });
        assert_eq!(extracted(path, "variable", "2:12-2:17", &text), new);
    }
    let text = "function f(a) {\n  return { b: [a + 1] };\n}\n";
    let new = "function f(a) {\n  const made = a + 1;\n  return { b: [made] };\n}\n";
    assert_eq!(extracted("a.js", "variable", "2:16-2:21", text), new);
    for (range, text, why) in [
        (
            "2:11-2:14",
            "def f(a):\n    while a():\n        pass\n",
            "undetermined 2: the expression is evaluated again on each turn of the loop",
        ),
        (
            "2:18-2:21",
            "def f(a):\n    return a and a()\n",
            "undetermined 2: the expression may not be evaluated when the statement is",
        ),
        (
            "2:13-2:18",
            "def f(a):\n    return [x + 1 for x in a]\n",
            "undetermined 2: the expression is evaluated once for each element",
        ),
        (
            "2:22-2:27",
            "def f(a):\n    return lambda x: x + 1\n",
            "undetermined 2: the expression is evaluated in a function inside of the statement",
        ),
        (
            "2:17-2:20",
            "def f(a):\n    return a(), a.b\n",
            "undetermined 2: `a()` in line 2 is evaluated before it, and may change something",
        ),
        (
            "2:17-2:20",
            "def f(a):\n    return a.b, a()\n",
            "undetermined 2: `a.b` is read before it, and it may change that",
        ),
        (
            "2:5-2:8",
            "def f(a):\n    a()\n",
            "bad_request 2: the expression is a whole statement, whose value is not used",
        ),
        ("1:9-1:12", "def f(a=b()):\n    pass\n", "bad_request 1: the expression is not a value at this place"),
        ("2:9-2:12", "class A:\n    x = y()\n", "undetermined 2: a variable of a class is a member"),
    ] {
        assert_eq!(refused("a.py", "variable", range, text), why, "{text}");
    }
    assert_eq!(
        refused("a.js", "variable", "1:6-1:9", "x?.f(b());\n"),
        "undetermined 1: the expression may not be evaluated when the statement is"
    );
}

#[test]
fn values_and_bodies_take_the_place_of_names() {
    let text = "def f(a, b):\n    c = a + b\n    return c * 2, -c, f\"{c}\"\n";
    assert_eq!(inlined("a.py", "a.py:2:5", text), "def f(a, b):\n    return (a + b) * 2, -(a + b), f\"{(a + b)}\"\n");
    let text = "function f(a, b) {\n  const c = a + b;\n  return { c, d: c * 2 };\n}\n";
    let new = "function f(a, b) {\n  return { c: a + b, d: (a + b) * 2 };\n}\n";
    assert_eq!(inlined("a.js", "a.js:2:9", text), new);
    let text =
        "def double(x):\n    \"\"\"Twice.\"\"\"\n    return x + x\n\n\ndef f(a):\n    return double(a) * double(3)\n";
    assert_eq!(inlined("a.py", "double", text), "def f(a):\n    return (a + a) * (3 + 3)\n");
    let text = "def show(x, y):\n    z = x + y\n    print(z)\n\n\ndef f(a):\n    show(y=a, x=1)\n";
    assert_eq!(inlined("a.py", "show", text), "def f(a):\n    z = 1 + a\n    print(z)\n");
    for (symbol, text, why) in [
        (
            "a.py:2:5",
            "def f(a):\n    c = a()\n    return c + c\n",
            "undetermined 2: the value may differ each time it is evaluated, and it is used more than once",
        ),
        (
            "a.py:2:5",
            "def f(a):\n    c = a.b\n    a.go()\n    return c\n",
            "undetermined 3: this may change the value, or depend on it",
        ),
        ("a.py:2:5", "def f(a):\n    c = 1\n    c = 2\n    return c\n", "undetermined 3: `c` is reassigned"),
        ("g", "def g(n):\n    return g(n - 1)\n\n\ng(1)\n", "undetermined 2: it calls itself"),
        (
            "g",
            "def g(n):\n    if n:\n        return 1\n    print(n)\n\n\ng(1)\n",
            "undetermined 3: only some paths through it return",
        ),
        (
            "g",
            "def g(n):\n    return n + n\n\n\ng(h())\n",
            "undetermined 5: the argument `h()` would be evaluated more or less often, or later",
        ),
        ("g", "def g(n=1):\n    return n\n\n\ng()\n", "undetermined 5: the call leaves `n` to its default value"),
        ("g", "def g(*n):\n    return n\n\n\ng()\n", "undetermined 1: it takes any number of arguments"),
        (
            "g",
            "@cache\ndef g(n):\n    return n\n\n\ng(1)\n",
            "undetermined 1: the decorator may change what a call does",
        ),
        ("g", "def g(n):\n    return n\n\n\nmap(g, x)\n", "undetermined 5: it is used here without being called"),
        (
            "A.g",
            "class A:\n    def g(self):\n        return 1\n\n\nclass B(A):\n    def g(self):\n        return 2\n",
            "undetermined 7: this method overrides it, or is overridden by it",
        ),
    ] {
        assert_eq!(refused("a.py", "inline", symbol, text), why, "{text}");
    }
    // A name of the body that means something else at the place of the call.
    let text = "n = 1\n\n\ndef g():\n    return n\n\n\ndef f(n):\n    return g() + n\n";
    assert!(refused("a.py", "inline", "g", text).starts_with("would_rebind "));
}

#[test]
fn what_is_extracted_and_inlined_again_is_the_same() {
    let script = "\
function sum(all, limit) {
  let total = 0;
  for (const one of all) {
    if (one > limit) continue;
    total += one * 2;
  }
  const text = `a
  ${total}`;
  console.log(text.length, total + limit);
  return total;
}
";
    let typed = script.replace("all, limit", "all: number[], limit: number");
    let mut count = 0;
    for (path, text, function, variable) in [
        (
            "a.py",
            PYTHON,
            &["3-8", "4-8", "3", "9-12", "11", "11-12", "16-18", "17", "17:9-17:14", "8:23-8:40"][..],
            &["8:23-8:40", "17:9-17:14", "11:15-11:24"][..],
        ),
        ("a.js", script, &["2-6", "3-6", "5", "7-9", "9", "9-10", "9:28-9:41"], &["9:28-9:41", "5:14-5:21"]),
        ("a.ts", &typed, &["2-6", "3-6", "5", "7-9", "9", "9-10", "9:28-9:41"], &["9:28-9:41", "5:14-5:21"]),
    ] {
        for (kind, range) in
            function.iter().map(|range| ("function", range)).chain(variable.iter().map(|range| ("variable", range)))
        {
            let code = Code::new(path, text);
            code.extract(kind, range, false).unwrap_or_else(|error| panic!("{path}:{range}: {error:#}"));
            let new = code.text();
            assert_ne!(new, text, "{path}:{range}");
            let is_definition = |line: &&str| {
                line.contains("def made(")
                    || line.contains("function made(")
                    || line.trim_start().starts_with("made(") && line.ends_with('{')
                    || line.trim_start().starts_with("made = ")
                    || line.contains("const made =")
            };
            let line = new.lines().position(|line| is_definition(&line)).expect("a definition");
            let column = new.lines().nth(line).and_then(|line| line.find("made")).expect("its name");
            let symbol = format!("{path}:{}:{}", line + 1, column + 1);
            let back = code.ask(&json!({"kind": "inline", "symbol": symbol, "write": true}));
            back.unwrap_or_else(|error| panic!("{path}:{range}: {error:#}\n{new}"));
            assert_eq!(code.text(), text, "{path}:{range}\n{new}");
            count += 1;
        }
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn arguments_in_operators_get_parentheses() {
    for (path, symbol, text, expected) in [
        ("a.py", "f", "def f(x):\n    return x * 2\nprint(f(3 + 1))\n", "print((3 + 1) * 2)\n"),
        ("a.py", "f", "def f(x):\n    return -x\nprint(f(3 + 1), f(-3))\n", "print(-(3 + 1), -(-3))\n"),
        ("a.py", "f", "def f(x):\n    return not x\nprint(f(0 or 1))\n", "print(not (0 or 1))\n"),
        ("a.py", "f", "def f(x):\n    return x ** 2\nprint(f(-3))\n", "print((-3) ** 2)\n"),
        ("a.py", "f", "def f(x, y):\n    return x - y\nprint(f(y=3 - 1, x=4 - 1))\n", "print(4 - 1 - (3 - 1))\n"),
        ("a.py", "f", "def f(x):\n    return x()\nprint(f(lambda: 1))\n", "print((lambda: 1)())\n"),
        ("a.py", "f", "def f(x):\n    return g(x, [x])\nprint(f(3 + 1))\n", "print(g(3 + 1, [3 + 1]))\n"),
        ("a.py", "f", "def f(x):\n    y = x * 2\n    return y\ny = f(3 + 1)\n", "y = (3 + 1) * 2\n"),
        (
            "a.py",
            "A.f",
            "class A:\n    def f(self, x):\n        return x * 2\n\n    def g(self):\n        return self.f(1 + 2)\n",
            "class A:\n    def g(self):\n        return (1 + 2) * 2\n",
        ),
        ("a.js", "f", "function f(x) { return x * x; }\nlog(f(3 + 1));\n", "log((3 + 1) * (3 + 1));\n"),
        ("a.js", "f", "function f(x) { return -x; }\nlog(f(-1), f(a ? 1 : 2));\n", "log(-(-1), -(a ? 1 : 2));\n"),
        ("a.ts", "f", "function f(x: number) { return x ** 2; }\nlog(f(-1));\n", "log((-1) ** 2);\n"),
    ] {
        assert_eq!(inlined(path, symbol, text), expected, "{text}");
    }
    let shown = "def f(a):\n    b = 1\n    return f\"{b + 1=}\"\n";
    assert!(refused("a.py", "inline", "a.py:2:5", shown).contains("the string shows the code"));
}

#[test]
fn functions_with_types_are_extracted_in_go_java_and_rust() {
    let go = "package a\n\nfunc f(a, b int, xs ...string) (int, error) {\n\tn, err := g(a)\n\tfor i, x := range xs {\n\t\tn += len(x) + i*b\n\t}\n\treturn n, err\n}\n\nfunc g(a int) (int, error) { return a, nil }\n";
    let made = extracted("a.go", "function", "5-7", go);
    assert!(made.contains("\tn = made(xs, n, b)\n"), "{made}");
    assert!(made.contains("func made(xs []string, n int, b int) int {\n"), "{made}");
    let made = extracted("a.go", "function", "4", go);
    assert!(made.contains("\tn, err := made(a)\n"), "{made}");
    assert!(made.contains("func made(a int) (int, error) {\n\tn, err := g(a)\n\treturn n, err\n}\n"), "{made}");
    let java = "class A {\n    int k;\n    int f(String s, int n) throws E {\n        int m = n * k;\n        g(s, m);\n        return m;\n    }\n    static void h(long x) {\n        p(x);\n    }\n}\n";
    let made = extracted("A.java", "function", "4-5", java);
    assert!(made.contains("        int m = made(n, s);\n"), "{made}");
    assert!(made.contains("    private int made(int n, String s) throws E {\n"), "{made}");
    let made = extracted("A.java", "function", "9", java);
    assert!(made.contains("    private static void made(long x) {\n"), "{made}");
    let rust = "struct A { k: u32 }\n\nimpl A {\n    fn f(&self, n: u32, v: Vec<u32>) -> u32 {\n        let m: u32 = self.k * n;\n        g(v.len());\n        m + v.len() as u32\n    }\n}\n\nfn g(n: usize) {}\n";
    let made = extracted("a.rs", "function", "5", rust);
    assert!(made.contains("        let m = self.made(n);\n"), "{made}");
    assert!(
        made.contains("    fn made(&self, n: u32) -> u32 {\n        let m: u32 = self.k * n;\n        m\n    }\n"),
        "{made}"
    );
    let made = extracted("a.rs", "function", "6", rust);
    assert!(made.contains("        made(&v);\n"), "{made}");
    assert!(made.contains("fn made(v: &Vec<u32>) {\n    g(v.len());\n}\n"), "{made}");
}

#[test]
fn types_that_are_not_known_are_refused() {
    let go = "package a\n\nfunc f() {\n\tx := other.Get()\n\tg(x)\n}\n";
    assert_eq!(
        refused("a.go", "function", "5", go),
        "undetermined 5: the type of `x` is not written where it is declared"
    );
    let named = "package a\n\nfunc f() (n int) {\n\tn = 1\n\tif n > 0 {\n\t\treturn\n\t}\n\tn = 2\n\treturn\n}\n";
    assert!(extracted("a.go", "function", "8", named).contains("n = made("), "a bare `return` reads it");
    let two = "package a\n\nfunc f() {\n\tx, y := g()\n\th(x, y)\n}\n";
    assert_eq!(refused("a.go", "variable", "4:10-4:12", two), "undetermined 4: the expression gives several values");
    let java =
        "class A {\n    int f(int a) {\n        int b = a;\n        int c = a + 1;\n        return b * c;\n    }\n}\n";
    assert!(
        refused("A.java", "function", "3-4", java).starts_with("undetermined 3: `b` and `c` are used after the range")
    );
    let field = "class A {\n    private final int k;\n    A(int k) {\n        this.k = k;\n    }\n}\n";
    assert!(refused("A.java", "function", "4", field).starts_with("undetermined 4: only a constructor"));
    let pointer = "package a\n\nfunc f() {\n\tx := &T{}\n\tg(x)\n}\n";
    assert!(extracted("a.go", "function", "5", pointer).contains("func made(x *T) {"));
    let rust = "fn f(s: String) -> usize {\n    take(s);\n    1\n}\n\nfn g(a: Option<u8>) -> Option<u8> {\n    let b: u8 = a? + 1;\n    Some(b)\n}\n";
    assert_eq!(refused("a.rs", "function", "7", rust), "undetermined 7: only some paths through the range return");
    assert_eq!(
        refused("a.rs", "function", "2-3", rust),
        "undetermined 3: the last expression is the value of its block"
    );
}

#[test]
fn expressions_become_variables_in_go_java_and_rust() {
    let go = "package a\n\nfunc f(a float64) float64 {\n\treturn a * 2\n}\n";
    let made = extracted("a.go", "variable", "4:13-4:13", go);
    assert!(made.contains("\tconst made = 2\n\treturn a * made\n"), "{made}");
    let java = "class A {\n    long f(int a) {\n        return g(a * 2);\n    }\n}\n";
    let made = extracted("A.java", "variable", "3:18-3:22", java);
    assert!(made.contains("        int made = a * 2;\n        return g(made);\n"), "{made}");
    let rust = "fn f(a: u8) -> u8 {\n    g(a + 1)\n}\n";
    let made = extracted("a.rs", "variable", "2:7-2:11", rust);
    assert!(made.contains("    let made = a + 1;\n    g(made)\n"), "{made}");
    let moved = "fn f(a: &A) {\n    g(a.name);\n}\n";
    let why = refused("a.rs", "variable", "2:7-2:12", moved);
    assert_eq!(why, "undetermined 2: a variable may move this value out of its place");
}

#[test]
fn values_keep_their_types_where_they_are_inlined() {
    let go = "package a\n\nfunc double(n int) int { return n * 2 }\n\nfunc half(n float64) float64 { return n / 2 }\n\nfunc f() {\n\tg(double(1+2), half(5))\n}\n";
    assert!(inlined("a.go", "double", go).contains("\tg((1+2) * 2, half(5))\n"), "{}", inlined("a.go", "double", go));
    assert!(refused("a.go", "inline", "half", go).starts_with("undetermined 8: `n` has the type `float64`"));
    let java = "class A {\n    void f() {\n        long x = 1;\n        int y = 2;\n        g(x * 1000000000);\n        g(y * 3);\n    }\n}\n";
    assert!(refused("A.java", "inline", "A.java:3:14", java).starts_with("undetermined 3: `x` has the type `long`"));
    assert!(inlined("A.java", "A.java:4:13", java).contains("g(2 * 3);"));
    let rust = "fn f(v: &[u8]) {\n    let n = v.len();\n    let k: u64 = 1;\n    g(n);\n    h(k << 40);\n}\n";
    assert!(inlined("a.rs", "a.rs:2:9", rust).contains("    g(v.len());\n"));
    assert!(refused("a.rs", "inline", "a.rs:3:9", rust).starts_with("undetermined 3: `k` has the type `u64`"));
}
