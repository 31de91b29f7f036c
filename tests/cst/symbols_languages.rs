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
        &["src/stock.rs:16:12 definition", "tests/all.rs:7:22 read", "tests/all.rs:11:13 call candidate"],
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
            "src/app/Main.java:11:20 call candidate",
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
    project.check("stock.h::count", &["main.c:8:12 call", "stock.c:3:5 definition", "stock.h:3:5 definition"]);
    project.check(
        "stock.h:1:20",
        &["main.c:6:25 read", "main.c:8:26 read", "stock.c:3:35 read", "stock.h:1:20 definition"],
    );
    project.check("MOST", &["stock.c:3:42 read", "stock.h:4:9 definition"]);
}

/// Each occurrence of a name as code is in one of the groups, in the sample of every language whose names are followed to
/// other files.
#[test]
fn nothing_is_missing_in_the_samples() {
    let mut cases = 0;
    for (language, sample) in samples() {
        let followed = ["python", "javascript", "typescript", "tsx", "go", "rust", "java", "c"];
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
                && (kind.contains("identifier") || kind == "label_name")
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
