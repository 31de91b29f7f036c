//! References across files in languages whose classes are open, or declared in several places.

use crate::symbols::Project;

const SHOP: &[(&str, &str)] = &[
    (
        "lib/shop.rb",
        "require_relative \"shop/item\"\nrequire \"shop/priced\"\n\nmodule Shop\n  LIMIT = 10\n\n  def self.open(path)\n    item = Item.new(path)\n    item.price\n    item.title\n    Item.build(path).price\n    item.each { |part| part.price; price }\n    LIMIT\n  end\nend\n",
    ),
    (
        "lib/shop/priced.rb",
        "module Shop\n  module Priced\n    def price(amount = 1)\n      amount * rate\n    end\n  end\nend\n",
    ),
    (
        "lib/shop/item.rb",
        "module Shop\n  class Item\n    include Priced\n    attr_accessor :title\n\n    class << self\n      def build(path) = new(path)\n    end\n\n    def initialize(path)\n      @path = path\n      label\n      self.label\n      rate\n      [1].each { |label| label }\n      [1].each { label }\n      other { label }\n    end\n\n    def label\n      LIMIT + Shop::LIMIT\n    end\n\n    def rate = 2\n\n    def title=(text)\n      label = text\n      label\n    end\n\n    private :label\n  end\n\n  class Item::Draft < Item\n    def label = super\n    def again\n      label\n      title\n      Item.build(1)\n    end\n  end\nend\n\nclass Other\n  def label; end\nend\n",
    ),
    (
        "lib/reopened.rb",
        "class Shop::Item\n  def extra\n    label\n    price\n  end\nend\nx = Shop::Item.new(1)\nx.label\nx.extra\nx.title = 2\nShop.open(\"a\")\nShop::Item.build(\"a\").label\nOther.new.label\n::Shop::Item\n[1].map(&:label)\n",
    ),
];

#[test]
fn constants_are_looked_up_in_the_classes_around() {
    let project = Project::new(SHOP);
    project.check(
        "Shop.LIMIT",
        &[
            "lib/shop/item.rb:21:7 read",
            "lib/shop/item.rb:21:21 read",
            "lib/shop.rb:5:3 definition",
            "lib/shop.rb:13:5 read",
        ],
    );
    project.check(
        "lib/shop/item.rb::Shop.Item",
        &[
            "lib/reopened.rb:1:13 definition",
            "lib/reopened.rb:7:11 read",
            "lib/reopened.rb:12:7 read",
            "lib/reopened.rb:14:9 read",
            "lib/shop/item.rb:2:9 definition",
            "lib/shop/item.rb:34:9 read",
            "lib/shop/item.rb:34:23 base",
            "lib/shop/item.rb:39:7 read",
            "lib/shop.rb:8:12 read",
            "lib/shop.rb:11:5 read",
        ],
    );
}

#[test]
fn methods_belong_to_classes_that_any_file_opens() {
    let project = Project::new(SHOP);
    project.check(
        "Priced.price",
        &[
            "lib/reopened.rb:4:5 read",
            "lib/shop/priced.rb:3:9 definition",
            "lib/shop.rb:9:10 call",
            "lib/shop.rb:11:22 call candidate",
            "lib/shop.rb:12:29 call candidate",
            "lib/shop.rb:12:36 read undetermined",
        ],
    );
    project.check(
        "lib/shop/item.rb::Shop.Item.label",
        &[
            "lib/reopened.rb:3:5 read",
            "lib/reopened.rb:8:3 call",
            "lib/reopened.rb:12:23 call candidate",
            "lib/reopened.rb:15:11 read candidate",
            "lib/shop/item.rb:12:7 read",
            "lib/shop/item.rb:13:12 call",
            "lib/shop/item.rb:16:18 read",
            "lib/shop/item.rb:17:15 read undetermined",
            "lib/shop/item.rb:20:9 definition",
            "lib/shop/item.rb:31:14 read candidate",
            "lib/shop/item.rb:35:9 definition override",
            "lib/shop/item.rb:37:7 read override",
        ],
    );
    project.check(
        "Item.build",
        &[
            "lib/reopened.rb:12:12 call",
            "lib/shop/item.rb:7:11 definition",
            "lib/shop/item.rb:39:12 call",
            "lib/shop.rb:11:10 call",
        ],
    );
    project.check("Shop.open", &["lib/reopened.rb:11:6 call", "lib/shop.rb:7:12 definition"]);
    project.check(
        "Item.rate",
        &[
            "lib/shop/item.rb:14:7 read",
            "lib/shop/item.rb:24:9 definition",
            "lib/shop/priced.rb:4:16 read undetermined",
        ],
    );
    project.check(
        "lib/shop/item.rb:26:9",
        &[
            "lib/reopened.rb:10:3 write",
            "lib/shop/item.rb:4:20 read candidate",
            "lib/shop/item.rb:26:9 definition",
            "lib/shop/item.rb:38:7 read undetermined",
            "lib/shop.rb:10:10 call candidate",
        ],
    );
    project.check(
        "Other.label",
        &[
            "lib/reopened.rb:12:23 call candidate",
            "lib/reopened.rb:13:11 call",
            "lib/reopened.rb:15:11 read candidate",
            "lib/shop/item.rb:17:15 read undetermined",
            "lib/shop/item.rb:45:7 definition",
        ],
    );
}

#[test]
fn a_class_and_the_object_of_its_name_are_one_symbol() {
    let project = Project::new(&[
        (
            "shop/Item.scala",
            "package org.shop\n\nclass Item(val size: Int) extends Base {\n  def count(more: Int): Int = size + more\n  def empty: Boolean = false\n  def twice: Int = count(1) + this.count(2) + total\n}\n\nobject Item {\n  val Limit: Int = 10\n  def empty: Item = new Item(0)\n  def make(n: Int): Item = new Item(n + Limit)\n}\n\ntrait Base {\n  def total: Int = 1\n}\n\ncase class Box(item: Item, name: String)\n\nobject Util {\n  def helper(x: Int): Int = x\n}\n",
        ),
        (
            "shop/Use.scala",
            "package org.shop.use\n\nimport org.shop.{Item, Box => Case}\nimport org.shop.Util._\nimport org.shop.Item.Limit\n\nclass Use(item: Item) {\n  def run(other: Case): Int = {\n    item.count(1)\n    other.item.count(2)\n    val made = Item.make(3)\n    made.count(4)\n    made.total\n    Item.empty.empty\n    val boxed = Case(made, \"x\")\n    boxed.item.size\n    helper(1) + Limit\n    unknown.count(5)\n    list.map(_.count(6))\n  }\n}\n",
        ),
        (
            "shop/Other.scala",
            "package com.other\n\nclass Item { def count(more: Int): Int = more }\nobject Other { def f(i: Item) = i.count(1); def helper(x: Int) = x; helper(2) }\n",
        ),
    ]);
    project.check(
        "shop/Item.scala::Item",
        &[
            "shop/Item.scala:3:7 definition",
            "shop/Item.scala:9:8 definition",
            "shop/Item.scala:11:14 type",
            "shop/Item.scala:11:25 call",
            "shop/Item.scala:12:21 type",
            "shop/Item.scala:12:32 call",
            "shop/Item.scala:19:22 type",
            "shop/Use.scala:3:18 import",
            "shop/Use.scala:5:17 import",
            "shop/Use.scala:7:17 type",
            "shop/Use.scala:11:16 read",
            "shop/Use.scala:14:5 read",
        ],
    );
    project.check(
        "shop/Item.scala::Item.count",
        &[
            "shop/Item.scala:4:7 definition",
            "shop/Item.scala:6:20 call",
            "shop/Item.scala:6:36 call",
            "shop/Use.scala:9:10 call",
            "shop/Use.scala:10:16 call",
            "shop/Use.scala:12:10 call",
            "shop/Use.scala:18:13 call candidate",
            "shop/Use.scala:19:16 call candidate",
        ],
    );
    project.check(
        "Base.total",
        &["shop/Item.scala:6:47 read", "shop/Item.scala:16:7 definition", "shop/Use.scala:13:10 read"],
    );
    project.check("shop/Item.scala:5:7", &["shop/Item.scala:5:7 definition", "shop/Use.scala:14:16 read candidate"]);
    project.check(
        "shop/Item.scala:11:7",
        &["shop/Item.scala:11:7 definition", "shop/Use.scala:14:10 read", "shop/Use.scala:14:16 read candidate"],
    );
    project.check(
        "shop/Item.scala:10:7",
        &[
            "shop/Item.scala:10:7 definition",
            "shop/Item.scala:12:41 read",
            "shop/Use.scala:5:22 import",
            "shop/Use.scala:17:17 read",
        ],
    );
    project.check(
        "Box",
        &[
            "shop/Item.scala:19:12 definition",
            "shop/Use.scala:3:24 import",
            "shop/Use.scala:3:31 import",
            "shop/Use.scala:8:18 type",
            "shop/Use.scala:15:17 call",
        ],
    );
    project.check("shop/Item.scala::Util.helper", &["shop/Item.scala:22:7 definition", "shop/Use.scala:17:5 call"]);
    project.check(
        "shop/Item.scala:19:16",
        &["shop/Item.scala:19:16 definition", "shop/Use.scala:10:11 read", "shop/Use.scala:16:11 read"],
    );
}

#[test]
fn paths_of_imports_may_be_side_by_side() {
    let project = Project::new(&[
        ("a.scala", "package a\nobject Item { def make = 1; val Limit = 2 }\nobject U { Item.Limit; Item.make }\n"),
        (
            "b.scala",
            "package b\nimport a.Item.make\nimport a.Item\nimport a.Item.Limit\nobject Z { make; Item.Limit; Limit }\n",
        ),
        (
            "c.scala",
            "package c\nimport a.Item.{make => mk, Limit}, a.U\nimport a.{Item => I}\nobject Y { mk; Limit; I.make; U }\n",
        ),
    ]);
    project.check(
        "Item.make",
        &[
            "a.scala:2:19 definition",
            "a.scala:3:29 read",
            "b.scala:2:15 import",
            "b.scala:5:12 read",
            "c.scala:2:16 import",
            "c.scala:2:24 import",
            "c.scala:4:12 read",
            "c.scala:4:25 read",
        ],
    );
    project.check(
        "Item.Limit",
        &[
            "a.scala:2:33 definition",
            "a.scala:3:17 read",
            "b.scala:4:15 import",
            "b.scala:5:23 read",
            "b.scala:5:30 read",
            "c.scala:2:28 import",
            "c.scala:4:16 read",
        ],
    );
    project.check(
        "a.scala::Item",
        &[
            "a.scala:2:8 definition",
            "a.scala:3:12 read",
            "a.scala:3:24 read",
            "b.scala:2:10 import",
            "b.scala:3:10 import",
            "b.scala:4:10 import",
            "b.scala:5:18 read",
            "c.scala:2:10 import",
            "c.scala:3:11 import",
            "c.scala:3:19 import",
            "c.scala:4:23 read",
        ],
    );
    project.check("a.scala::U", &["a.scala:3:8 definition", "c.scala:2:38 import", "c.scala:4:31 read"]);
}
