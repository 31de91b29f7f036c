//! Definitions that move to another module of Rust, and to another package of Go and Java.

use serde_json::json;

use crate::refactored::{check, refused};

const LIBRARY: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"shop\"\nedition = \"2021\"\n"),
    (
        "src/lib.rs",
        "mod prices;\npub mod stock;\n\npub use stock::{count, Stock};\n\npub fn total(stock: &stock::Stock) -> usize {\n    stock::count(stock) + crate::stock::LIMIT\n}\n",
    ),
    ("src/prices.rs", "use std::fmt;\n\npub fn price() -> usize {\n    1\n}\n"),
    (
        "src/stock.rs",
        "use std::collections::HashMap;\n\nuse super::prices;\n\npub const LIMIT: usize = 3;\n\n/// What is there.\n#[derive(Default)]\npub struct Stock {\n    items: HashMap<String, usize>,\n}\n\nimpl Stock {\n    fn size(&self) -> usize {\n        self.items.len() * prices::price() * helper()\n    }\n}\n\nfn helper() -> usize {\n    LIMIT\n}\n\npub fn count(stock: &Stock) -> usize {\n    stock.size() + stock.items.len()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn counts() {\n        assert_eq!(Stock::default().size(), count(&Stock::default()));\n    }\n}\n",
    ),
];

#[test]
fn a_type_of_rust_moves_with_its_members_and_what_is_used_is_visible() {
    check(
        LIBRARY,
        &json!({"kind": "move", "symbol": "src/stock.rs::Stock", "to": "src/prices.rs"}),
        &[
            (
                "src/lib.rs",
                "mod prices;\npub mod stock;\n\npub use stock::{count};\npub use crate::prices::Stock;\n\npub fn total(stock: &crate::prices::Stock) -> usize {\n    stock::count(stock) + crate::stock::LIMIT\n}\n",
            ),
            (
                "src/prices.rs",
                "use std::fmt;\nuse crate::prices;\nuse crate::stock::helper;\nuse std::collections::HashMap;\n\npub fn price() -> usize {\n    1\n}\n\n/// What is there.\n#[derive(Default)]\npub struct Stock {\n    pub(crate) items: HashMap<String, usize>,\n}\n\nimpl Stock {\n    pub(crate) fn size(&self) -> usize {\n        self.items.len() * prices::price() * helper()\n    }\n}\n",
            ),
            (
                "src/stock.rs",
                "use crate::prices::Stock;\n\npub const LIMIT: usize = 3;\n\npub(crate) fn helper() -> usize {\n    LIMIT\n}\n\npub fn count(stock: &Stock) -> usize {\n    stock.size() + stock.items.len()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn counts() {\n        assert_eq!(Stock::default().size(), count(&Stock::default()));\n    }\n}\n",
            ),
        ],
    );
}

#[test]
fn a_function_of_rust_goes_to_a_new_module() {
    check(
        LIBRARY,
        &json!({"kind": "move", "symbol": "src/stock.rs::helper", "to": "src/help.rs"}),
        &[
            ("src/help.rs", "use crate::stock::LIMIT;\n\npub(crate) fn helper() -> usize {\n    LIMIT\n}\n"),
            (
                "src/lib.rs",
                "mod prices;\npub mod stock;\nmod help;\n\npub use stock::{count, Stock};\n\npub fn total(stock: &stock::Stock) -> usize {\n    stock::count(stock) + crate::stock::LIMIT\n}\n",
            ),
            (
                "src/stock.rs",
                "use std::collections::HashMap;\n\nuse super::prices;\nuse crate::help::helper;\n\npub const LIMIT: usize = 3;\n\n/// What is there.\n#[derive(Default)]\npub struct Stock {\n    items: HashMap<String, usize>,\n}\n\nimpl Stock {\n    fn size(&self) -> usize {\n        self.items.len() * prices::price() * helper()\n    }\n}\n\npub fn count(stock: &Stock) -> usize {\n    stock.size() + stock.items.len()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn counts() {\n        assert_eq!(Stock::default().size(), count(&Stock::default()));\n    }\n}\n",
            ),
        ],
    );
}

#[test]
fn what_is_in_the_way_of_a_move_in_rust_is_refused() {
    let refuse = |more: &[(&'static str, &'static str)], symbol: &str, to: &str| {
        let mut files: Vec<(&str, &str)> =
            LIBRARY.iter().copied().filter(|(path, _)| !more.iter().any(|(other, _)| other == path)).collect();
        files.extend(more);
        refused(&files, &json!({"kind": "move", "symbol": symbol, "to": to})).1
    };
    let places = refuse(&[("src/prices.rs", "pub fn count() {}\n")], "src/stock.rs::count", "src/prices.rs");
    assert_eq!(places, ["src/prices.rs:1 the new module has another `count`"]);
    let places = refuse(
        &[("src/lib.rs", "#[cfg(unix)]\nmod prices;\npub mod stock;\n")],
        "src/stock.rs::count",
        "src/prices.rs",
    );
    assert_eq!(places, ["src/prices.rs:1 the two modules are compiled under different conditions"]);
    let places = refuse(
        &[(
            "src/stock.rs",
            "macro_rules! twice {\n    ($e:expr) => { $e * 2 };\n}\npub fn count() -> usize {\n    twice!(1)\n}\n",
        )],
        "src/stock.rs::count",
        "src/prices.rs",
    );
    assert_eq!(places, ["src/stock.rs:5 the macro is only known in its own module"]);
}
