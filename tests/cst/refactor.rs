//! Refactors over a project: what changes, what is refused, and that every name means what it did.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Files, Memory, Request};
use serde_json::{Value, json};

/// A project in memory, and an engine on it.
struct Code {
    memory: Arc<Memory>,
    engine: Engine,
}

impl Code {
    fn new(files: &[(&str, &str)]) -> Code {
        let memory = Arc::new(Memory::default());
        for (path, text) in files {
            memory.write(format!("/p/{path}"), *text);
        }
        let engine = Engine::new(Host { files: memory.clone(), ..Host::at("/p") });
        Code { memory, engine }
    }

    fn ask(&self, params: &Value) -> Result<Value, Value> {
        let request = json!({"method": "refactor", "params": params});
        let request: Request = serde_json::from_value(request).expect("well formed");
        let response = self.engine.handle(request).map_err(|error| error.to_json())?;
        Ok(serde_json::to_value(response).expect("a response is plain data"))
    }

    /// The new lines of a rename, each with its file.
    #[track_caller]
    fn rename(&self, symbol: &str, to: &str) -> Vec<String> {
        let answer = self.ask(&json!({"kind": "rename", "symbol": symbol, "to": to}));
        added(&answer.unwrap_or_else(|error| panic!("{symbol}: {error:#}")))
    }

    /// The code of an error, and the places that prevent the rename with their reasons.
    #[track_caller]
    fn refused(&self, symbol: &str, to: &str) -> (String, Vec<String>) {
        let error = self.ask(&json!({"kind": "rename", "symbol": symbol, "to": to})).expect_err(symbol);
        let places = error["error"]["places"].as_array().cloned().unwrap_or_default();
        let place = |place: &Value| {
            let word = |key: &str| place[key].as_str().expect("text").to_owned();
            format!("{}:{} {}", word("path"), place["line"], word("why"))
        };
        (error["error"]["code"].as_str().expect("a code").to_owned(), places.iter().map(place).collect())
    }

    fn text(&self, path: &str) -> String {
        let bytes = self.memory.read(format!("/p/{path}").as_ref(), u64::MAX).expect("the file");
        String::from_utf8(bytes).expect("text")
    }
}

/// The added lines of the diffs of an answer.
fn added(answer: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for file in answer["files"].as_array().expect("a list") {
        let path = file["path"].as_str().expect("a path");
        let diff = file["diff"].as_str().unwrap_or_default();
        let new = diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
        lines.extend(new.map(|line| format!("{path}: {}", line[1..].trim())));
    }
    lines
}

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .stock import Stock as Store, size\n\n__all__ = [\"Store\", \"size\"]\n"),
    (
        "shop/stock.py",
        "size = 3\n\n\nclass Base:\n    def count(self, more=0):\n        return more\n\n\nclass Stock(Base):\n    def __init__(self, boxes):\n        self.boxes = boxes\n\n    def count(self, more=0):\n        return super().count(more=more) + self.boxes\n",
    ),
    (
        "main.py",
        "import shop\nfrom shop import Store, size\nfrom shop.stock import Stock\n\nstore = Store(boxes=3)\nstore.count(more=1)\n\n\ndef fill(stock: \"Stock\", other):\n    stock.boxes = size\n    return shop.size\n",
    ),
];

#[test]
fn a_rename_follows_the_name_everywhere() {
    let code = Code::new(SHOP);
    // Imports, exports, the list of public names, and a member of the module.
    assert_eq!(
        code.rename("shop.stock.size", "length"),
        [
            "main.py: from shop import Store, length",
            "main.py: stock.boxes = length",
            "main.py: return shop.length",
            "shop/__init__.py: from .stock import Stock as Store, length",
            "shop/__init__.py: __all__ = [\"Store\", \"length\"]",
            "shop/stock.py: length = 3",
        ]
    );
    // A type in a string; not the other names of an import.
    assert_eq!(
        code.rename("Stock", "Shelf"),
        [
            "main.py: from shop.stock import Shelf",
            "main.py: def fill(stock: \"Shelf\", other):",
            "shop/__init__.py: from .stock import Shelf as Store, size",
            "shop/stock.py: class Shelf(Base):",
        ]
    );
    // Overrides, and calls by `super()`.
    assert_eq!(
        code.rename("Base.count", "number"),
        [
            "main.py: store.number(more=1)",
            "shop/stock.py: def number(self, more=0):",
            "shop/stock.py: def number(self, more=0):",
            "shop/stock.py: return super().number(more=more) + self.boxes",
        ]
    );
    // A parameter with the arguments that name it, in overrides, too.
    assert_eq!(
        code.rename("shop/stock.py:5:21", "extra"),
        [
            "main.py: store.count(extra=1)",
            "shop/stock.py: def count(self, extra=0):",
            "shop/stock.py: return extra",
            "shop/stock.py: def count(self, extra=0):",
            "shop/stock.py: return super().count(extra=extra) + self.boxes",
        ]
    );
    assert_eq!(
        code.rename("shop/stock.py:11:14", "crates"),
        [
            "main.py: stock.crates = size",
            "shop/stock.py: self.crates = boxes",
            "shop/stock.py: return super().count(more=more) + self.crates"
        ]
    );
}

#[test]
fn it_is_written_whole_and_undone() {
    let code = Code::new(SHOP);
    let before: Vec<String> = SHOP.iter().map(|(path, _)| code.text(path)).collect();
    let rename = |symbol: &str, to: &str| {
        code.ask(&json!({"kind": "rename", "symbol": symbol, "to": to, "write": true})).expect("certain")
    };
    let answer = rename("Base.count", "number");
    assert_eq!((answer["certain"].as_u64(), answer["written"].as_bool()), (Some(4), Some(true)));
    assert!(code.text("main.py").contains("store.number(more=1)"));
    rename("Base.number", "count");
    let after: Vec<String> = SHOP.iter().map(|(path, _)| code.text(path)).collect();
    assert_eq!(before, after);
}

#[test]
fn lists_of_names_change_with_the_names() {
    let code = Code::new(&[(
        "a.py",
        "class A:\n    __slots__ = (\"size\", \"other\")\n\n    def __init__(self, size):\n        self.size = size\n\n\nclass B:\n    __slots__ = [\"size\"]\n\n    def __init__(self):\n        self.size = 1\n",
    )]);
    assert_eq!(
        code.rename("a.py:5:14", "length"),
        ["a.py: __slots__ = (\"length\", \"other\")", "a.py: self.length = size"]
    );
}

#[test]
fn what_is_not_certain_is_refused_or_chosen() {
    let code = Code::new(&[
        (
            "a.py",
            "class A:\n    def run(self):\n        pass\n\n\ndef use(x):\n    x.run()\n    getattr(x, \"run\")\n    A().run()\n",
        ),
        ("b.py", "def other(y):\n    y.run()\n"),
    ]);
    let unknown = "the type of the receiver is unknown";
    let (error, places) = code.refused("A.run", "go");
    assert_eq!(error, "undetermined");
    assert_eq!(
        places,
        [
            format!("a.py:7 {unknown}"),
            format!("b.py:2 {unknown}"),
            "a.py:8 a call names a member by this string".to_owned()
        ]
    );
    let choose = |include: &[&str], leave: bool| {
        code.ask(&json!({
            "kind": "rename", "symbol": "A.run", "to": "go", "include": include, "leave_undetermined": leave,
        }))
    };
    assert_eq!(
        choose(&["a.py:7", "a.py:8"], false).expect_err("one is left")["error"]["places"].as_array().map(Vec::len),
        Some(1)
    );
    let answer = choose(&["a.py:7", "a.py:8"], true).expect("chosen");
    assert_eq!(added(&answer), ["a.py: def go(self):", "a.py: x.go()", "a.py: getattr(x, \"go\")", "a.py: A().go()"]);
    assert_eq!((answer["certain"].as_u64(), answer["included"].as_u64()), (Some(2), Some(2)));
    assert_eq!(answer["left"][0]["path"], "b.py");
}

#[test]
fn a_name_that_would_mean_something_else_is_refused() {
    let code = Code::new(&[
        (
            "a.py",
            "total = 1\n\n\ndef f(size):\n    total_here = 2\n    return total + size + total_here\n\n\nclass A:\n    def one(self):\n        return len([])\n\n    def two(self):\n        return self.one()\n\n\nclass B(A):\n    def three(self):\n        return 3\n",
        ),
        ("b.py", "from a import *\nfrom a import f as g\n\n\ndef h(one):\n    return total + one\n"),
    ]);
    // Captured by a variable in between, shadowing a built-in name, and the other way round.
    for (symbol, to) in
        [("a.total", "size"), ("a.total", "total_here"), ("a.total", "len"), ("a.total", "one"), ("a.py:4:7", "total")]
    {
        let (error, places) = code.refused(symbol, to);
        assert_eq!(error, "would_rebind", "{symbol} to {to}");
        assert!(!places.is_empty(), "{symbol} to {to}");
    }
    // A member of the class, of one above it, and of one below it.
    for (symbol, to) in [("A.one", "two"), ("B.three", "one"), ("A.one", "three")] {
        let (error, places) = code.refused(symbol, to);
        assert_eq!((error.as_str(), places.len()), ("would_rebind", 1), "{symbol} to {to}");
    }
    for to in ["class", "1x", "a b", "", "x.y"] {
        let error = code.ask(&json!({"kind": "rename", "symbol": "a.total", "to": to})).expect_err(to);
        assert_eq!(error["error"]["code"], "bad_request", "{to}");
    }
    let error = code.ask(&json!({"kind": "rename", "symbol": "a.total", "to": "total"})).expect_err("the same");
    assert_eq!(error["error"]["message"], "not applied: `a.total` already has this name");
}

#[test]
fn what_is_not_seen_may_use_a_name() {
    let code = Code::new(&[(
        "app.py",
        "import enum\n\n\n@register\ndef command(name):\n    pass\n\n\nclass Color(enum.Enum):\n    RED = 1\n\n\nclass Wrong(ValueError):\n    def show(self):\n        return self.args\n\n\ndef test_it(client):\n    pass\n\n\nclass Shape(shapes.Shape):\n    ROUND = 1\n",
    )]);
    for (symbol, to, why) in [
        ("command", "order", "app.py:5 the decorator `register` may use the name"),
        ("app.py:5:13", "title", "app.py:5 the decorator `register` may use the name"),
        ("Color.RED", "name", "app.py:10 the base `enum.Enum` outside of the project has or may have a member `name`"),
        (
            "Shape.ROUND",
            "SQUARE",
            "app.py:23 the base `shapes.Shape` outside of the project may have or use this member",
        ),
        ("test_it", "check_it", "app.py:18 the name has a special meaning: test function"),
        ("app.py:18:13", "server", "app.py:18 the name has a special meaning: test function"),
    ] {
        assert_eq!(code.refused(symbol, to), ("undetermined".to_owned(), vec![why.to_owned()]), "{symbol}");
        let forced = code.ask(&json!({"kind": "rename", "symbol": symbol, "to": to, "force": true}));
        assert!(forced.is_ok(), "{symbol}: {forced:?}");
    }
    // Known bases, and another name with the same meaning.
    assert_eq!(code.rename("Color.RED", "BLUE"), ["app.py: BLUE = 1"]);
    assert_eq!(code.rename("Wrong.show", "display"), ["app.py: def display(self):"]);
    assert_eq!(code.rename("test_it", "test_that"), ["app.py: def test_that(client):"]);
    assert_eq!(code.refused("Wrong.show", "args").0, "undetermined");
}

#[test]
fn arguments_may_take_a_detour() {
    let code = Code::new(&[
        (
            "a.py",
            "from functools import partial\n\n\ndef draw(size, color=1):\n    return size\n\n\ndef wrap(**kw):\n    return draw(**kw)\n\n\nwrap(size=1)\nhalf = partial(draw, size=2)\n",
        ),
        ("b.py", "from a import draw\n\noptions = {\"color\": 2}\ndraw(1, **options)\n"),
    ]);
    let (error, places) = code.refused("a.py:4:10", "width");
    assert_eq!(error, "undetermined");
    assert_eq!(
        places,
        // What `partial` gets is an argument of `draw`.
        ["b.py:4 may pass an argument of this name", "a.py:12 the called function may pass the argument on"]
    );
    let (_, places) = code.refused("a.py:4:16", "paint");
    assert_eq!(places, ["b.py:4 may pass an argument of this name", "b.py:3 a string that may name an argument"]);
}

#[test]
fn modules_that_are_values_make_members_uncertain() {
    let module = ("tools.py", "def work():\n    pass\n");
    let code = Code::new(&[module, ("a.py", "import tools\n\n\ndef f(x):\n    x.work()\n    tools.work()\n")]);
    assert_eq!(code.rename("tools.work", "play"), ["a.py: tools.play()", "tools.py: def play():"]);
    let code = Code::new(&[module, ("a.py", "import tools\n\n\ndef f(x):\n    x.work()\n\n\nf(tools)\n")]);
    assert_eq!(code.refused("tools.work", "play").1, ["a.py:5 the type of the receiver is unknown"]);
    let code = Code::new(&[
        module,
        ("a.py", "from unittest import mock\n\nmock.patch(\"tools.work\")\nmock.patch(\"other.work\")\n"),
    ]);
    assert_eq!(code.refused("tools.work", "play").1, ["a.py:3 a path in a string"]);
}

#[test]
fn typescript_keeps_both_sides_of_a_shorthand() {
    let code = Code::new(&[
        (
            "a.ts",
            "export interface Opts { size: number }\nexport function make(opts: Opts, extra = 1) {\n  const { size } = opts;\n  return { size, extra };\n}\nexport default class Shop {\n  count = 0;\n  open(size: number) { this.count += size; return { size }; }\n}\n",
        ),
        (
            "b.ts",
            "import Shop, { make, type Opts } from './a';\nexport { make as build } from './a';\nexport * from './a';\nconst shop: Shop = new Shop();\nshop.open(1);\nclass Sub extends Shop { open(size: number) { return super.open(size + 1); } }\nnew Sub().open(2);\n",
        ),
        ("c.ts", "import * as all from './b';\nall.make({ size: 2 });\nall.build({ size: 2 });\n"),
    ]);
    assert_eq!(
        code.rename("make", "produce"),
        [
            "a.ts: export function produce(opts: Opts, extra = 1) {",
            "b.ts: import Shop, { produce, type Opts } from './a';",
            "b.ts: export { produce as build } from './a';",
            "c.ts: all.produce({ size: 2 });",
        ]
    );
    assert_eq!(
        code.rename("Shop.open", "unlock"),
        [
            "a.ts: unlock(size: number) { this.count += size; return { size }; }",
            "b.ts: shop.unlock(1);",
            "b.ts: class Sub extends Shop { unlock(size: number) { return super.unlock(size + 1); } }",
            "b.ts: new Sub().unlock(2);",
        ]
    );
    assert_eq!(
        code.rename("a.ts:8:8", "amount"),
        ["a.ts: open(amount: number) { this.count += amount; return { size: amount }; }"]
    );
    assert_eq!(
        code.rename("a.ts:3:11", "width"),
        ["a.ts: const { size: width } = opts;", "a.ts: return { size: width, extra };"]
    );
}

#[test]
fn types_are_used_without_being_named_in_typescript() {
    let code = Code::new(&[(
        "a.ts",
        "declare global { interface Ctor { readonly mark: symbol } }\ninterface Timer { start(): void }\nexport class Clock { start() {} }\nfunction run(timer: Timer) { timer.start(); }\nrun({ start: () => {} });\nrun(new Clock());\nconst other = { start: () => {} };\nrun(other);\n",
    )]);
    for (symbol, why) in [
        ("Clock.start", "a.ts:2 one type may be used in place of the other"),
        ("Timer.start", "a.ts:3 one type may be used in place of the other"),
        ("Ctor.mark", "a.ts:1 it declares something that is defined outside of the project"),
    ] {
        let (error, places) = code.refused(symbol, "other");
        assert_eq!(error, "undetermined", "{symbol}");
        assert!(places.iter().any(|place| place == why), "{symbol}: {places:?}");
    }
    let (_, places) = code.refused("Timer.start", "other");
    assert!(places.iter().any(|place| place.starts_with("a.ts:7 ")), "{places:?}");
    // The literal of line 5 has the type of the parameter that it is given to.
    assert!(!places.iter().any(|place| place.starts_with("a.ts:5 ")), "{places:?}");
    // The key of line 5 is the member of the type, that of line 7 is one of its own.
    for (symbol, line) in [("a.ts:5:7", 3), ("a.ts:7:17", 2)] {
        let (error, places) = code.refused(symbol, "other");
        assert_eq!(error, "undetermined", "{symbol}");
        assert!(
            places.contains(&format!("a.ts:{line} one type may be used in place of the other")),
            "{symbol}: {places:?}"
        );
    }
}

/// For each language: its files, a symbol, a new name, and the lines that change.
type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str, &'static [&'static str]);

#[test]
fn overrides_have_the_same_name_in_every_language() {
    let cases: &[Case] = &[
        (
            &[
                ("shop/Counter.java", "package shop;\n\npublic interface Counter {\n    int count();\n}\n"),
                (
                    "shop/Stock.java",
                    "package shop;\n\npublic class Stock implements Counter {\n    @Override\n    public int count() { return 1; }\n    public int count(int more) { return count() + more; }\n}\n",
                ),
                (
                    "Main.java",
                    "import shop.*;\n\nclass Main {\n    int all(Stock stock, Counter counter) {\n        return stock.count() + counter.count();\n    }\n}\n",
                ),
            ],
            // Overloads are one symbol.
            "shop/Counter.java::Counter.count",
            "number",
            &[
                "Main.java: return stock.number() + counter.number();",
                "shop/Counter.java: int number();",
                "shop/Stock.java: public int number() { return 1; }",
                "shop/Stock.java: public int number(int more) { return number() + more; }",
            ],
        ),
        (
            &[
                ("Cargo.toml", "[package]\nname = \"shop\"\n"),
                (
                    "src/lib.rs",
                    "pub trait Count {\n    fn count(&self) -> usize;\n}\n\npub struct Stock;\n\nimpl Count for Stock {\n    fn count(&self) -> usize {\n        1\n    }\n}\n\npub fn all(stock: &Stock) -> usize {\n    stock.count()\n}\n",
                ),
            ],
            "Count.count",
            "number",
            &[
                "src/lib.rs: fn number(&self) -> usize;",
                "src/lib.rs: fn number(&self) -> usize {",
                "src/lib.rs: stock.number()",
            ],
        ),
    ];
    for (files, symbol, to, expected) in cases {
        assert_eq!(Code::new(files).rename(symbol, to), *expected, "{symbol}");
    }
}

#[test]
fn methods_implement_interfaces_without_saying_so_in_go() {
    let code = Code::new(&[
        ("go.mod", "module example.org/shop\n"),
        (
            "stock/stock.go",
            "package stock\n\ntype Item struct{ Name string }\n\ntype Counter interface{ Count() int }\n\ntype Stock struct{ Items []Item }\n\nfunc (s *Stock) Count() int { return len(s.Items) }\n\nfunc Total(c Counter) int { return c.Count() }\n",
        ),
        (
            "main.go",
            "package main\n\nimport \"example.org/shop/stock\"\n\nfunc main() {\n\ts := &stock.Stock{Items: nil}\n\tprintln(s.Count(), stock.Total(s))\n\tfor _, item := range s.Items {\n\t\tprintln(item.Name)\n\t}\n}\n",
        ),
    ]);
    assert_eq!(
        code.rename("Stock.Count", "Number"),
        [
            "main.go: println(s.Number(), stock.Total(s))",
            "stock/stock.go: type Counter interface{ Number() int }",
            "stock/stock.go: func (s *Stock) Number() int { return len(s.Items) }",
            "stock/stock.go: func Total(c Counter) int { return c.Number() }",
        ]
    );
    assert_eq!(
        code.rename("Item.Name", "Title"),
        ["main.go: println(item.Title)", "stock/stock.go: type Item struct{ Title string }"]
    );
    assert_eq!(
        code.rename("Total", "Sum"),
        ["main.go: println(s.Count(), stock.Sum(s))", "stock/stock.go: func Sum(c Counter) int { return c.Count() }"]
    );
}

#[test]
fn c_headers_change_with_their_sources() {
    let code = Code::new(&[
        ("a.h", "struct item { int size; };\nint total(struct item *items, int count);\n#define LIMIT 3\n"),
        (
            "a.c",
            "#include \"a.h\"\nint total(struct item *items, int count) {\n    int sum = 0;\n    for (int i = 0; i < count && i < LIMIT; i++) sum += items[i].size;\n    return sum;\n}\n",
        ),
        (
            "main.c",
            "#include \"a.h\"\nint main(void) {\n    struct item it = { .size = 1 };\n    return total(&it, it.size);\n}\n",
        ),
    ]);
    assert_eq!(
        code.rename("total", "sum_up"),
        [
            "a.c: int sum_up(struct item *items, int count) {",
            "a.h: int sum_up(struct item *items, int count);",
            "main.c: return sum_up(&it, it.size);"
        ]
    );
    assert_eq!(
        code.rename("item.size", "width"),
        [
            "a.c: for (int i = 0; i < count && i < LIMIT; i++) sum += items[i].width;",
            "a.h: struct item { int width; };",
            "main.c: struct item it = { .width = 1 };",
            "main.c: return total(&it, it.width);",
        ]
    );
}

#[test]
fn unused_definitions_are_deleted_until_none_is_left() {
    let code = Code::new(&[
        (
            "a.py",
            "def _one():\n    return _two()\n\n\ndef _two():\n    return 2\n\n\nclass _Old:\n    def run(self):\n        return _one()\n\n\ndef used():\n    return 3\n",
        ),
        ("b.py", "from a import used\n\nprint(used())\n"),
    ]);
    let answer = code.ask(&json!({"kind": "delete_unused", "write": true})).expect("certain");
    let names: Vec<&str> =
        answer["symbols"].as_array().expect("a list").iter().filter_map(|row| row["qualname"].as_str()).collect();
    assert_eq!(names, ["_Old", "_one", "_two"]);
    assert_eq!(code.text("a.py"), "def used():\n    return 3\n");
    let none = code.ask(&json!({"kind": "delete_unused"})).expect("nothing to do");
    assert_eq!(none["files"], json!([]));
}

#[test]
fn classes_that_any_file_opens_are_renamed_in_all_of_them() {
    let code = Code::new(&[
        (
            "lib/shop.rb",
            "module Shop\n  class Item\n    LIMIT = 1\n    def size = LIMIT\n    def again = size + other\n    def odd = 1\n  end\nend\n",
        ),
        (
            "lib/more.rb",
            "class Shop::Item\n  def other\n    size + Shop::Item::LIMIT\n  end\nend\nShop::Item.new.size\nunknown.odd\n",
        ),
    ]);
    assert_eq!(
        code.rename("Shop.Item", "Thing"),
        [
            "lib/more.rb: class Shop::Thing",
            "lib/more.rb: size + Shop::Thing::LIMIT",
            "lib/more.rb: Shop::Thing.new.size",
            "lib/shop.rb: class Thing"
        ]
    );
    assert_eq!(
        code.rename("Item.size", "length"),
        [
            "lib/more.rb: length + Shop::Item::LIMIT",
            "lib/more.rb: Shop::Item.new.length",
            "lib/shop.rb: def length = LIMIT",
            "lib/shop.rb: def again = length + other",
        ]
    );
    assert_eq!(code.refused("Item.odd", "even").0, "undetermined");
}

#[test]
fn a_class_is_renamed_with_the_object_of_its_name() {
    let code = Code::new(&[
        ("a.scala", "package a\n\nclass Item(val size: Int)\n\nobject Item {\n  def make: Item = new Item(1)\n}\n"),
        (
            "b.scala",
            "package b\n\nimport a.Item\n\nobject Use {\n  def all(item: Item) = {\n    item.size\n    Item.make\n    unknown.make\n  }\n}\n",
        ),
    ]);
    assert_eq!(
        code.rename("a.scala::Item", "Thing"),
        [
            "a.scala: class Thing(val size: Int)",
            "a.scala: object Thing {",
            "a.scala: def make: Thing = new Thing(1)",
            "b.scala: import a.Thing",
            "b.scala: def all(item: Thing) = {",
            "b.scala: Thing.make",
        ]
    );
    assert_eq!(code.refused("Item.make", "build").0, "undetermined");
}
