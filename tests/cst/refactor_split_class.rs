//! Methods of a class that go to a class of their own.

use serde_json::{Value, json};

use crate::refactored::{check, refused, run};

const SERVER: &str = "import time\n\n\nclass Server:\n    \"\"\"Serves.\"\"\"\n\n    def __init__(self, port: int, limit: int = 10):\n        \"\"\"Makes it.\"\"\"\n        self.port = port\n        # What was written.\n        self.lines = []\n        self.limit = limit\n        self.started = time.time()\n\n    def log(self, line, *parts, end=\"\\n\", **more) -> int:\n        if len(self.lines) >= self.limit:\n            self.flush()\n        self.lines.append(line % parts + end)\n        return len(self.lines)\n\n    def flush(self):\n        self.lines.clear()\n\n    async def drain(self, n=1):\n        return self.lines[:n]\n\n    def run(self):\n        self.log(\"port %d\", self.port)\n        for line in self.lines:\n            print(line)\n";

fn split(members: &[&str]) -> Value {
    json!({"kind": "split_class", "symbol": "Server", "members": members, "to": "Journal"})
}

#[test]
fn methods_go_with_the_state_that_they_need() {
    check(
        &[
            ("server.py", SERVER),
            (
                "main.py",
                "from server import Server\n\ndef main(server: Server):\n    server.log(\"x\")\n    print(server.lines)\n",
            ),
        ],
        &split(&["log", "flush", "drain"]),
        &[
            (
                "main.py",
                "from server import Server\n\ndef main(server: Server):\n    server.log(\"x\")\n    print(server._journal.lines)\n",
            ),
            (
                "server.py",
                "import time\n\n\nclass Journal:\n    def __init__(self, limit: int):\n        # What was written.\n        self.lines = []\n        self.limit = limit\n\n    def log(self, line, *parts, end=\"\\n\", **more) -> int:\n        if len(self.lines) >= self.limit:\n            self.flush()\n        self.lines.append(line % parts + end)\n        return len(self.lines)\n\n    def flush(self):\n        self.lines.clear()\n\n    async def drain(self, n=1):\n        return self.lines[:n]\n\n\nclass Server:\n    \"\"\"Serves.\"\"\"\n\n    def __init__(self, port: int, limit: int = 10):\n        \"\"\"Makes it.\"\"\"\n        self.port = port\n        self._journal = Journal(limit)\n        self.started = time.time()\n\n    def log(self, line, *parts, end=\"\\n\", **more) -> int:\n        return self._journal.log(line, *parts, end=end, **more)\n\n    def flush(self):\n        return self._journal.flush()\n\n    async def drain(self, n=1):\n        return await self._journal.drain(n)\n\n    def run(self):\n        self.log(\"port %d\", self.port)\n        for line in self._journal.lines:\n            print(line)\n",
            ),
        ],
    );
}

#[test]
fn what_would_change_the_program_is_refused() {
    // The text of the class, the methods, and a part of the reason.
    let cases = [
        (
            "    def __init__(self):\n        self.a = 1\n    def f(self):\n        return g(self)\n",
            "f",
            "the object itself",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n    def f(self):\n        return self.g()\n    def g(self): pass\n",
            "f",
            "stays in `Server`",
        ),
        (
            "    def __init__(self):\n        self.a = self.b\n        self.b = 1\n    def f(self):\n        return self.a\n",
            "f",
            "in a way that cannot move",
        ),
        (
            "    def __init__(self):\n        if x:\n            self.a = 1\n    def f(self):\n        return self.a\n",
            "f",
            "in a way that cannot move",
        ),
        (
            "    def __init__(self):\n        self.f()\n        self.a = 1\n    def f(self):\n        return self.a\n",
            "f",
            "is called before",
        ),
        (
            "    def __init__(self, a):\n        self.a = a\n        a = 2\n        self.b = a\n    def f(self):\n        return self.a + self.b\n",
            "f",
            "in a way that cannot move",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n        go()\n        self.b = go()\n    def f(self):\n        return self.a + self.b\n",
            "f",
            "in a way that cannot move",
        ),
        (
            "    a = 1\n    def __init__(self):\n        pass\n    def f(self):\n        return self.a\n",
            "f",
            "stays in `Server`",
        ),
        ("    def f(self):\n        return 1\n", "f", "no constructor"),
        (
            "    def __init__(self):\n        self.a = 1\n    @property\n    def f(self):\n        return self.a\n",
            "f",
            "without decorators",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n    def __len__(self):\n        return self.a\n",
            "__len__",
            "that can be passed on",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n    def f(self):\n        return super().f() + self.a\n",
            "f",
            "the object itself",
        ),
        (
            "    def __init__(self):\n        self.__a = 1\n    def f(self):\n        return self.__a\n",
            "f",
            "private to its class",
        ),
        (
            "    def __init__(self):\n        self._journal = 1\n        self.a = 1\n    def f(self):\n        return self.a\n",
            "f",
            "is a member already",
        ),
        (
            "    __slots__ = ('a',)\n    def __init__(self):\n        self.a = 1\n    def f(self):\n        return self.a\n",
            "f",
            "without a receiver",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n    def f(self):\n        return self.a\n\nclass Other(Server):\n    def f(self):\n        return 2\n",
            "f",
            "overrides `f`",
        ),
        (
            "    def __init__(self):\n        self.a = 1\n    def f(self):\n        return self.a\n\ndef use(o):\n    return o.a\n",
            "f",
            "receiver is unknown",
        ),
    ];
    for (body, method, reason) in cases {
        let text = format!("class Server:\n{body}");
        let error = run(&[("a.py", &text)], &split(&[method])).expect_err(&text);
        let found = error.to_string();
        assert!(found.contains(reason), "{text}\n{found}\n{reason}");
    }
}

#[test]
fn other_languages_are_refused() {
    let class = "class Server {\n  a = 1;\n  f() { return this.a; }\n}\n";
    let (code, _) = refused(&[("a.ts", class)], &split(&["f"]));
    assert_eq!(code, "unsupported_language");
}
