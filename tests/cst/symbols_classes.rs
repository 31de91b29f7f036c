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
            "lib/shop/item.rb:31:14 read candidate",
            "lib/shop/item.rb:45:7 definition",
        ],
    );
}
