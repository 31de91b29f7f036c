//! References across files, language by language; and a law over all samples.

use std::collections::BTreeSet;

use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use serde_json::{Value, json};

use crate::chunk_laws::samples;
use crate::symbols::Project;

#[test]
fn go_follows_packages_that_are_folders() {
    let project = Project::new(&[
        ("go.mod", "module example.org/shop\n"),
        (
            "stock/stock.go",
            "package stock\n\ntype Base struct{ size int }\n\nfunc (b *Base) Count() int { return b.size }\n\ntype Stock struct {\n\t*Base\n\tItems []Item\n}\n\nfunc New() (*Stock, error) { return &Stock{Items: nil}, nil }\n",
        ),
        (
            "stock/item.go",
            "package stock\n\ntype Item struct{ Name string }\n\nfunc (i Item) Count() int { return len(i.Name) }\n",
        ),
        ("stock/item_test.go", "package stock_test\n\ntype Item struct{ Name string }\n"),
        (
            "main.go",
            "package main\n\nimport \"example.org/shop/stock\"\n\nfunc main() {\n\ts, err := stock.New()\n\tif err == nil {\n\t\ts.Count()\n\t}\n\tfor _, item := range s.Items {\n\t\titem.Count()\n\t}\n\tvar any interface{} = s\n\tswitch known := any.(type) {\n\tcase *stock.Item:\n\t\tknown.Count()\n\t}\n\tunknown().Count()\n}\n",
        ),
    ]);
    project.check(
        "stock/stock.go::Base.Count",
        &["main.go:8:5 call", "main.go:18:12 call candidate", "stock/stock.go:5:16 definition"],
    );
    project.check(
        "stock/item.go::Item.Count",
        &["main.go:11:8 call", "main.go:16:9 call", "main.go:18:12 call candidate", "stock/item.go:5:15 definition"],
    );
    project.check(
        "stock/item.go::Item",
        &["main.go:15:14 read", "stock/item.go:3:6 definition", "stock/item.go:5:9 type", "stock/stock.go:9:10 type"],
    );
    project.check("Stock.Items", &["main.go:10:25 read", "stock/stock.go:9:2 definition", "stock/stock.go:12:44 read"]);
}

#[test]
fn rust_follows_modules_and_impl_blocks() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"my-shop\"\n"),
        ("src/lib.rs", "mod stock;\npub mod tools;\npub use stock::{Item as Thing, Stock};\n"),
        (
            "src/stock.rs",
            "use super::tools::Count;\n\npub struct Item {\n    pub size: usize,\n}\n\npub struct Stock {\n    pub item: Item,\n}\n\nimpl Stock {\n    pub fn new(size: usize) -> Self {\n        Self { item: Item { size } }\n    }\n\n    pub fn size(&self) -> usize {\n        let item = &self.item;\n        let item = item.size;\n        item\n    }\n}\n\nimpl Count for Item {\n    fn count(&self) -> usize {\n        self.size\n    }\n}\n",
        ),
        (
            "src/tools.rs",
            "pub trait Count {\n    fn count(&self) -> usize;\n\n    fn twice(&self) -> usize {\n        self.count() * 2\n    }\n}\n",
        ),
        (
            "tests/all.rs",
            "use my_shop::tools::Count;\nuse my_shop::{Stock, Thing};\n\n#[test]\nfn all() {\n    let stock = Stock::new(1);\n    assert_eq!(stock.size(), stock.item.size);\n    let thing: Thing = stock.item;\n    thing.count();\n    thing.twice();\n    other().size();\n}\n",
        ),
    ]);
    project.check(
        "src/stock.rs:16:12",
        &["src/stock.rs:16:12 definition", "tests/all.rs:7:22 call", "tests/all.rs:11:13 call candidate"],
    );
    project.check("Count.twice", &["src/tools.rs:4:8 definition", "tests/all.rs:10:11 call"]);
    project.check(
        "src/stock.rs::Item",
        &[
            "src/lib.rs:3:17 import",
            "src/lib.rs:3:25 import",
            "src/stock.rs:3:12 definition",
            "src/stock.rs:8:15 type",
            "src/stock.rs:13:22 read",
            "src/stock.rs:23:16 definition",
            "tests/all.rs:2:22 import",
            "tests/all.rs:8:16 type",
        ],
    );
}

#[test]
fn java_follows_packages_and_inherited_names() {
    let project = Project::new(&[
        (
            "src/shop/Stock.java",
            "package shop;\n\npublic class Stock extends Base {\n    public int count() { return size() + size; }\n    public int count(int more) { return this.count() + more; }\n    static Stock of() { return new Stock(); }\n}\n",
        ),
        (
            "src/shop/Base.java",
            "package shop;\n\nclass Base {\n    protected int size;\n    int size() { return size; }\n}\n",
        ),
        (
            "src/app/Main.java",
            "package app;\n\nimport shop.Stock;\nimport java.util.List;\n\nclass Main {\n    void run(List<Stock> all, Object other) {\n        for (Stock stock : all) { stock.count(); }\n        var made = new Stock();\n        made.count(1);\n        all.get(0).count();\n        other.count();\n    }\n}\n",
        ),
    ]);
    project.check(
        "Stock.count",
        &[
            "src/app/Main.java:8:41 call",
            "src/app/Main.java:10:14 call",
            "src/app/Main.java:11:20 call",
            "src/app/Main.java:12:15 call candidate",
            "src/shop/Stock.java:4:16 definition",
            "src/shop/Stock.java:5:16 definition",
            "src/shop/Stock.java:5:46 call",
        ],
    );
    // A field and a method with one name are two symbols.
    project.check("src/shop/Base.java:5:9", &["src/shop/Base.java:5:9 definition", "src/shop/Stock.java:4:33 call"]);
}

#[test]
fn c_follows_included_files() {
    let project = Project::new(&[
        (
            "stock.h",
            "struct stock { int size; };\ntypedef struct stock stock_t;\nint count(stock_t *s);\n#define MOST 3\n",
        ),
        ("stock.c", "#include \"stock.h\"\n\nint count(stock_t *s) { return s->size < MOST; }\n"),
        (
            "main.c",
            "#include \"stock.h\"\n\nstruct other { int size; };\n\nint main(void) {\n    struct stock s = { .size = 1 };\n    struct other o = { .size = 2 };\n    return count(&s) + s.size + o.size;\n}\n",
        ),
    ]);
    let all = ["main.c:8:12 call", "stock.c:3:5 definition", "stock.h:3:5 definition"];
    for name in ["stock.h::count", "stock.c::count", "count", "stock.c:3", "stock.h:3"] {
        project.check(name, &all);
    }
    project.check(
        "stock.h:1:20",
        &["main.c:6:25 read", "main.c:8:26 read", "stock.c:3:35 read", "stock.h:1:20 definition"],
    );
    project.check("MOST", &["stock.c:3:42 read", "stock.h:4:9 definition"]);
}

#[test]
fn csharp_follows_namespaces_and_partial_classes() {
    let project = Project::new(&[
        (
            "shop/Stock.cs",
            "using System.Collections.Generic;\n\nnamespace Shop\n{\n    public partial class Stock : Base\n    {\n        public List<Item> Items { get; } = new List<Item>();\n        public int Count() { return Size() + Extra; }\n        public int Count(int more) => this.Count() + more;\n        public static Stock Of() => new Stock { Extra = 1 };\n        public class Part { public int Weight; }\n    }\n\n    public class Box<T> { public T Value; }\n    public class Box { public int Value; }\n    public enum State { Open, Shut }\n}\n",
        ),
        (
            "shop/Stock.More.cs",
            "namespace Shop;\n\npublic partial class Stock\n{\n    private int Extra;\n    public State State { get; set; }\n    public void Fill() { Items.Add(new Item()); Extra = Count(); var p = new Part(); p.Weight = 1; }\n}\n\npublic static class Tools\n{\n    public static int Twice(this Stock stock) => stock.Count() * 2;\n    public static int Twice(this string text) => text.Length;\n}\n",
        ),
        (
            "shop/Base.cs",
            "namespace Shop;\npublic class Base { protected int Size() => 1; }\npublic record Item { public string Name; public int Count() => 1; }\n",
        ),
        ("app/Item.cs", "namespace App.Other { class Item { public int Count() => 2; } class Stock { } }\n"),
        (
            "app/Main.cs",
            "using System;\nusing Shop;\nusing Thing = Shop.Stock;\n\nnamespace App\n{\n    class Program\n    {\n        static void Main(Stock stock, object any)\n        {\n            foreach (var item in stock.Items) { item.Count(); }\n            stock.Count();\n            stock?.Count(1);\n            any.Count();\n            \"x\".Twice();\n            stock.Twice();\n            Thing made = Thing.Of();\n            made.Items[0].Count();\n            if (any is Item known && known.Count() > 0) { }\n            Shop.Stock.Of().Count();\n            new Other.Item().Count();\n            var box = new Box<Item>();\n            Box plain = new Box();\n            if (stock.State == State.Open) { }\n            var anon = new { Stock = stock, Count = 1 };\n            Console.WriteLine(nameof(Stock.Count), anon.Count);\n        }\n    }\n}\n",
        ),
    ]);
    project.check(
        "shop/Stock.cs::Stock.Count",
        &[
            "app/Main.cs:12:19 call",
            "app/Main.cs:13:20 read",
            "app/Main.cs:14:17 call candidate",
            "app/Main.cs:20:29 call",
            "app/Main.cs:25:45 read undetermined",
            "app/Main.cs:26:44 read",
            "app/Main.cs:26:57 read candidate",
            "shop/Stock.More.cs:7:57 call",
            "shop/Stock.More.cs:12:56 call",
            "shop/Stock.cs:8:20 definition",
            "shop/Stock.cs:9:20 definition",
            "shop/Stock.cs:9:44 call",
        ],
    );
    project.check(
        "shop/Stock.cs::Stock",
        &[
            "app/Main.cs:3:7 import",
            "app/Main.cs:3:20 import",
            "app/Main.cs:9:26 type",
            "app/Main.cs:17:13 read",
            "app/Main.cs:17:26 read",
            "app/Main.cs:20:18 read",
            "app/Main.cs:25:30 read undetermined",
            "app/Main.cs:26:38 read",
            "shop/Stock.More.cs:3:22 definition",
            "shop/Stock.More.cs:12:34 type",
            "shop/Stock.cs:5:26 definition",
            "shop/Stock.cs:10:23 type",
            "shop/Stock.cs:10:41 call",
        ],
    );
    project.check("shop/Stock.cs:14:18", &["app/Main.cs:22:27 read", "shop/Stock.cs:14:18 definition"]);
    project.check(
        "shop/Stock.cs:15:18",
        &["app/Main.cs:23:13 read", "app/Main.cs:23:29 call", "shop/Stock.cs:15:18 definition"],
    );
    project.check(
        "shop/Stock.cs::State",
        &["app/Main.cs:24:32 read", "shop/Stock.More.cs:6:12 type", "shop/Stock.cs:16:17 definition"],
    );
    project.check(
        "app/Item.cs::Count",
        &[
            "app/Item.cs:1:47 definition",
            "app/Main.cs:14:17 call candidate",
            "app/Main.cs:21:30 call",
            "app/Main.cs:25:45 read undetermined",
            "app/Main.cs:26:57 read candidate",
        ],
    );
    project.check(
        "Extra",
        &[
            "shop/Stock.More.cs:5:17 definition",
            "shop/Stock.More.cs:7:49 read",
            "shop/Stock.cs:8:46 read",
            "shop/Stock.cs:10:49 read",
        ],
    );
    project.check(
        "Twice",
        &[
            "app/Main.cs:15:17 call candidate",
            "app/Main.cs:16:19 call candidate",
            "shop/Stock.More.cs:12:23 definition",
            "shop/Stock.More.cs:13:23 definition",
        ],
    );
    project.check("Part", &["shop/Stock.More.cs:7:78 call", "shop/Stock.cs:11:22 definition"]);
}

#[test]
fn kotlin_follows_packages_and_companions() {
    let project = Project::new(&[
        (
            "x/Stock.kt",
            "package shop\n\nopen class Base { fun size() = 1 }\n\nclass Stock(val items: List<Item>, extra: Int) : Base() {\n    var count = size()\n    fun count(more: Int): Int {\n        return this.count + more + items.first().count()\n    }\n    companion object {\n        const val MOST = 3\n        fun of(): Stock = Stock(listOf(), MOST)\n    }\n}\n\nclass Item(val name: String) {\n    fun count() = name.length\n}\n\nfun Item.twice() = count() * 2\nfun helper(stock: Stock) = stock.count\n",
        ),
        (
            "y/Main.kt",
            "package app\n\nimport shop.Stock\nimport shop.Item as Thing\nimport shop.helper\nimport shop.twice\n\nclass Item { fun count() = 0 }\n\nfun run(stock: Stock, any: Any) {\n    stock.count\n    any.count()\n    for (item in stock.items) { item.count() }\n    val made = Stock.of()\n    made.count(Stock.MOST)\n    Thing(\"a\").count()\n    Item().count()\n    Thing(\"a\").twice()\n    helper(made)\n    shop.helper(made)\n    made.size()\n    stock.items.forEach { it.count() }\n    made.apply { helper(this) }\n}\n",
        ),
    ]);
    project.check(
        "x/Stock.kt:6:9",
        &[
            "x/Stock.kt:6:9 definition",
            "x/Stock.kt:8:21 read",
            "x/Stock.kt:20:20 call undetermined",
            "x/Stock.kt:21:34 read",
            "y/Main.kt:11:11 read",
            "y/Main.kt:12:9 call candidate",
            "y/Main.kt:13:38 call candidate",
            "y/Main.kt:22:30 call candidate",
        ],
    );
    project.check(
        "x/Stock.kt:7:9",
        &[
            "x/Stock.kt:7:9 definition",
            "x/Stock.kt:20:20 call undetermined",
            "y/Main.kt:12:9 call candidate",
            "y/Main.kt:13:38 call candidate",
            "y/Main.kt:15:10 call",
            "y/Main.kt:22:30 call candidate",
        ],
    );
    project.check(
        "x/Stock.kt::Item.count",
        &[
            "x/Stock.kt:8:50 call",
            "x/Stock.kt:17:9 definition",
            "x/Stock.kt:20:20 call undetermined",
            "y/Main.kt:12:9 call candidate",
            "y/Main.kt:13:38 call candidate",
            "y/Main.kt:16:16 call",
            "y/Main.kt:22:30 call candidate",
        ],
    );
    project.check(
        "x/Stock.kt::Item",
        &[
            "x/Stock.kt:5:29 type",
            "x/Stock.kt:16:7 definition",
            "x/Stock.kt:20:5 read",
            "y/Main.kt:4:13 import",
            "y/Main.kt:4:21 import",
            "y/Main.kt:16:5 call",
            "y/Main.kt:18:5 call",
        ],
    );
    project.check("y/Main.kt::Item", &["y/Main.kt:8:7 definition", "y/Main.kt:17:5 call"]);
    project.check("twice", &["x/Stock.kt:20:10 definition", "y/Main.kt:6:13 import", "y/Main.kt:18:16 call"]);
    project.check(
        "helper",
        &[
            "x/Stock.kt:21:5 definition",
            "y/Main.kt:5:13 import",
            "y/Main.kt:19:5 call",
            "y/Main.kt:20:10 call",
            "y/Main.kt:23:18 call candidate",
        ],
    );
    project.check("MOST", &["x/Stock.kt:11:19 definition", "x/Stock.kt:12:43 read", "y/Main.kt:15:22 read"]);
    // A class on one line is an error of the grammar: what is defined there is not certain.
    project.check("size", &["x/Stock.kt:3:23 definition", "x/Stock.kt:6:17 call", "y/Main.kt:21:10 call"]);
}

#[test]
fn php_follows_namespaces() {
    let project = Project::new(&[
        (
            "src/Stock.php",
            "<?php\nnamespace Shop\\Stock;\n\nuse Shop\\Base;\n\nclass Stock extends Base implements \\Countable\n{\n    const MOST = 3;\n    private Item $item;\n    public static $made = 0;\n    public function __construct(Item $item) { $this->item = $item; self::$made = 1; }\n    public function count(): int { return $this->item->count() + self::MOST + parent::count(); }\n    public static function of(): static { return new static(new Item()); }\n}\nclass Item { public function count() { return 1; } public function self(): self { return $this; } }\nfunction helper(Stock $s) { $t = $s; return $t->count(); }\n",
        ),
        (
            "src/Base.php",
            "<?php\nnamespace Shop;\nabstract class Base { public function count() { return 0; } }\nfunction helper() {}\n",
        ),
        (
            "src/main.php",
            "<?php\nnamespace App;\nuse Shop\\Stock\\{Stock, Item as Thing};\nuse function Shop\\Stock\\helper;\nclass Item { function count() {} }\nfunction run(Stock $stock, $any) {\n    $stock->count();\n    $any->count();\n    (new Thing())->self()->count();\n    (new Item())->count();\n    helper($stock);\n    \\Shop\\helper();\n    Stock::of()->count();\n    Stock::MOST; Stock::$made;\n    \\Shop\\Stock\\Stock::of();\n    $x = $any; $x = new Thing(); $x->count();\n}\n",
        ),
    ]);
    project.check(
        "src/Stock.php::Stock.count",
        &[
            "src/Base.php:3:39 definition override",
            "src/Stock.php:12:21 definition",
            "src/Stock.php:12:21 dynamic undetermined",
            "src/Stock.php:12:87 call override",
            "src/Stock.php:16:49 call",
            "src/main.php:7:13 call",
            "src/main.php:8:11 call candidate",
            "src/main.php:13:18 call",
            "src/main.php:16:38 call candidate",
        ],
    );
    project.check(
        "src/Stock.php::Item.count",
        &[
            "src/Stock.php:12:56 call",
            "src/Stock.php:15:30 definition",
            "src/main.php:8:11 call candidate",
            "src/main.php:9:28 call",
            "src/main.php:16:38 call candidate",
        ],
    );
    project.check(
        "src/Stock.php::helper",
        &["src/Stock.php:16:10 definition", "src/main.php:4:25 import", "src/main.php:11:5 call"],
    );
    project.check("src/Base.php::helper", &["src/Base.php:4:10 definition", "src/main.php:12:11 read"]);
    project.check("MOST", &["src/Stock.php:8:11 definition", "src/Stock.php:12:72 read", "src/main.php:14:12 read"]);
    project.check("made", &["src/Stock.php:10:20 definition", "src/Stock.php:11:75 read", "src/main.php:14:26 read"]);
    project.check("src/main.php::Item", &["src/main.php:5:7 definition", "src/main.php:10:10 call"]);
}

/// Each occurrence of a name as code is in one of the groups, in the sample of every language whose names are followed to
/// other files.
#[test]
fn nothing_is_missing_in_the_samples() {
    let mut cases = 0;
    for (language, sample) in samples() {
        let followed =
            ["python", "javascript", "typescript", "tsx", "go", "rust", "java", "c", "csharp", "kotlin", "php"];
        if !followed.contains(&language.name()) {
            continue;
        }
        let path = format!("sample.{}", language.extensions()[0]);
        let project = Project::new(&[(&path, &sample)]);
        let text = Text::decode(sample.as_bytes(), None).expect("it is a text");
        let tree = Tree::parse(text, language, &ParseLimits::default()).expect("it parses");
        let is_name = |node: &cst::tree::Node| {
            let kind = tree.type_name(*node);
            let is_leaf = tree.table().subtree_end(*node) == node.index() + 1;
            is_leaf
                && tree.table().is_named(*node)
                && (kind.contains("identifier") || kind == "label_name" || kind == "name")
                && !kind.contains("blank")
                && kind != "statement_identifier"
        };
        let nodes: Vec<_> = tree.table().nodes().filter(is_name).collect();
        let names: BTreeSet<String> = nodes.iter().map(|&node| tree.node_text(node).into_owned()).collect();
        for name in names {
            let Ok(answer) = project.ask("refs", &json!({"symbol": name, "all": true})) else { continue };
            let counts = answer["counts"].as_object().expect("counts");
            let counted: u64 = counts.values().filter_map(Value::as_u64).sum();
            let there = nodes.iter().filter(|&&node| tree.node_text(node) == name).count() as u64;
            assert!(counted >= there, "{}: {name}: {counted} of {there}", language.name());
            cases += 1;
        }
    }
    assert!(cases > 250, "{cases}");
}
