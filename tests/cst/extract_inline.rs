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
    let new = extracted("a.py", "function", "2-3", "import os\nvalue = os.getcwd()\nother = value + \"x\"\nprint(other)\n");
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
    let new = extracted("a.py", "function", "2-3", "async def f(x):\r\n    y = await x\r\n    print(y)\r\n    return y\r\n");
    assert!(new.starts_with("async def f(x):\r\n    y = await made(x)\r\n    return y\r\n\r\n\r\nasync def made(x):\r\n"), "{new}");
}

#[test]
fn what_would_not_do_the_same_is_refused() {
    for (range, text, why) in [
        ("2-3", "def f(a):\n    if a:\n        return 1\n    return 2\n", "undetermined 3: only some paths through the range return"),
        ("3", "def f(a):\n    for x in a:\n        break\n", "undetermined 3: `break` leaves the range"),
        ("2", "def f(a):\n    yield a\n", "undetermined 2: a generator yields here"),
        ("3", "def f():\n    global n\n    n = 1\n", "undetermined 3: `n` is a variable outside of the function"),
        ("2-3", "def f():\n    global n\n    n = 1\n", "undetermined 2: the declaration is for the whole function"),
        ("4", "def f():\n    n = 0\n    def g(): return n\n    n = 1\n    return g\n", "undetermined 3: another function sees `n`, which the range changes"),
        ("2", "def f():\n    g = lambda: n\n    n = 1\n    return g\n", "undetermined 3: a function in line 2 would not see this value of `n`"),
        ("4", "def f(a):\n    if a:\n        n = 1\n    a = a and n\n    return a\n", "undetermined 4: `n` may have no value before the range"),
        ("2-3", "def f(a):\n    if a:\n        n = 1\n    return n\n", "undetermined 3: `n` may have no value at the end of the range"),
        ("3-4", "def f(a):\n    try:\n        n = a\n        a()\n    except E:\n        return n\n", "undetermined 6: `n` is used here, perhaps after an exception in the middle of the range"),
        ("2", "def f():\n    return locals()\n", "undetermined 2: `locals` depends on the function that it is in"),
        ("2", "class A:\n    x = 1\n", "undetermined 2: the code is a part of a class, whose names are members"),
        ("3", "class A:\n    def f(a):\n        return __x\n", "undetermined 3: `__x` means something only in the class, and the range does not use the object"),
        ("2-3", "def f(a):\n    if a:\n        pass\n    else:\n        pass\n", "bad_request 2: the range is neither whole statements of one block nor one expression"),
        ("2", "def f(a):\n    made = a\n    return made\n", "would_rebind 2: `made` is already a name here"),
    ] {
        assert_eq!(refused("a.py", "function", range, text), why, "{text}");
    }
    for (range, text, why) in [
        ("2", "function f() { x();\n  return arguments[0];\n}\n", "undetermined 2: `arguments` depends on the function that it is in"),
        ("2", "function f() {\n  this.x = 1;\n}\n", "undetermined 2: `this` is the object of a function that is not a method"),
        ("3", "function f() {\n  let n = 0;\n  n = g();\n  return () => n++;\n}\n", "undetermined 4: a function inside changes `n`"),
    ] {
        assert_eq!(refused("a.js", "function", range, text), why, "{text}");
    }
    assert_eq!(
        refused("a.ts", "function", "2", "function f<T>(x: T) {\n  g(x);\n}\n"),
        "undetermined 1: the type `T` of `x` is known only around the range"
    );
    assert!(refused("a.go", "function", "4", "package a\n\nfunc f() {\n\tg()\n}\n").ends_with("this refactor is not known for go"));
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
"
    ;
    assert!(new.contains("    let total = 0;\n    total = made(x, all, total);\n") && new.ends_with(&end), "{new}");
}
