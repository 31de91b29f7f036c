//! Strings and symbols that are only keys, compared or shown: they name no function, and a symbol never a variable.

use serde_json::json;

use crate::refactored::{check, refused};

const RUBY: &str = "dog = 3
elk = { dog: dog, :cat => 4 }[:dog]
puts dog + elk

def cat
  5
end

def show(key, table)
  return cat if key == :cat

  case key
  when :cat then table[:cat]
  else table.fetch(:cat, cat)
  end
end
puts show(:dog, {})
";

#[test]
fn a_symbol_is_no_variable_and_a_key_no_method() {
    for (place, new) in [
        ("1:1", RUBY.replace("dog = 3", "zebra = 3").replace(": dog,", ": zebra,").replace("puts dog", "puts zebra")),
        (
            "5:5",
            RUBY.replace("def cat", "def zebra").replace("return cat", "return zebra").replace(", cat)", ", zebra)"),
        ),
    ] {
        let symbol = format!("a.rb:{place}");
        check(&[("a.rb", RUBY)], &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}), &[("a.rb", &new)]);
    }
    // What is given to a function, or returned, may be called.
    for use_of_it in ["[1].map(&:cat)", "send(:cat)", "run(:cat)", "private :cat", "f = { cat: :cat }"] {
        let code = format!("def cat\n  5\nend\nputs cat\n{use_of_it}\n");
        let (error, places) =
            refused(&[("a.rb", &code)], &json!({"kind": "rename", "symbol": "a.rb:1:5", "to": "zebra"}));
        assert_eq!(error, "undetermined", "{use_of_it}: {places:?}");
    }
}

#[test]
fn a_method_that_a_call_makes_is_one_of_its_class() {
    let makers =
        ["attr_reader :cat, :dog", "attr_accessor :cat", "alias_method :cat, :gnu", "define_method(:cat) { 9 }"];
    for maker in makers {
        let code = format!(
            "class Fox\n  {maker}\n  def gnu\n    1\n  end\nend\ndef cat\n  5\nend\nclass Elk\n  def self.cat\n    2\n  end\nend\nputs cat\nputs Fox.new.cat, Elk.cat\n"
        );
        let own = code.replace("def cat", "def zebra").replace("puts cat", "puts zebra");
        let other = code.replace("self.cat", "self.zebra").replace("Elk.cat", "Elk.zebra");
        for (place, new) in [("7:5", own), ("11:12", other)] {
            let symbol = format!("a.rb:{place}");
            check(&[("a.rb", &code)], &json!({"kind": "rename", "symbol": symbol, "to": "zebra"}), &[("a.rb", &new)]);
        }
    }
    for code in [
        "class Elk\n  def cat\n    2\n  end\nend\nclass Fox < Elk\n  attr_reader :cat\nend\nputs Fox.new.cat\n",
        "module Elk\n  def cat\n    2\n  end\nend\nclass Fox\n  include Elk\n  private :cat\nend\nputs Fox.new.cat\n",
        "class Elk\n  def cat\n    2\n  end\n  private :cat\nend\n",
        "class Elk\n  def cat\n    2\n  end\nend\nclass Elk\n  alias_method :dog, :cat\nend\n",
    ] {
        let (error, places) =
            refused(&[("a.rb", code)], &json!({"kind": "rename", "symbol": "a.rb:2:7", "to": "zebra"}));
        assert_eq!(error, "undetermined", "{code}: {places:?}");
    }
}

#[test]
fn a_key_without_a_value_is_a_variable_or_a_method() {
    let code = "def cat\n  5\nend\nputs (->(cat: 3) { { cat: }[:cat] }).call(cat: 2) + cat\n";
    check(
        &[("a.rb", code)],
        &json!({"kind": "rename", "symbol": "a.rb:1:5", "to": "zebra"}),
        &[("a.rb", &code.replace("def cat", "def zebra").replace("+ cat", "+ zebra"))],
    );
    for code in ["def cat\n  5\nend\nputs({ cat: }[:cat])\n", "def cat\n  5\nend\nx = { cat: }\ncat = 1\nputs x, cat\n"]
    {
        let (error, places) =
            refused(&[("a.rb", code)], &json!({"kind": "rename", "symbol": "a.rb:1:5", "to": "zebra"}));
        assert_eq!(error, "undetermined", "{code}: {places:?}");
    }
}

#[test]
fn a_string_that_is_no_callable_names_no_function() {
    let code = "<?php
function bee() { return 3; }
function run($x) {
    switch ($x) { case 'bee': return 1; }
    return match ($x) { 'bee' => 2, default => $x === 'bee' ? bee() : 0 };
}
echo strlen('bee') + bee() + ['bee' => 1]['bee'] . 'bee', run(2);
echo 'bee';
";
    check(
        &[("a.php", code)],
        &json!({"kind": "rename", "symbol": "a.php:2:10", "to": "zebra"}),
        &[("a.php", &code.replace("bee()", "zebra()"))],
    );
    for use_of_it in [
        "array_map('bee', [1]);",
        "$f = 'bee'; $f();",
        "call_user_func('bee');",
        "run($x ?? 'bee');",
        "function f($x = 'bee') { return $x(); }",
        "return 'bee';",
        "const CALLS = ['bee'];",
    ] {
        let code = format!("<?php\nfunction bee() {{ return 3; }}\necho bee();\n{use_of_it}\n");
        let (error, places) =
            refused(&[("a.php", &code)], &json!({"kind": "rename", "symbol": "a.php:2:10", "to": "zebra"}));
        assert_eq!(error, "undetermined", "{use_of_it}: {places:?}");
    }
    // A function of the project may call what it gets.
    let code = "<?php\nfunction bee() { return 3; }\nnamespace\\strlen('bee');\nfunction strlen($f) { return $f(); }\n";
    let (error, _) = refused(&[("a.php", code)], &json!({"kind": "rename", "symbol": "a.php:2:10", "to": "zebra"}));
    assert_eq!(error, "undetermined");
}

#[test]
fn a_constant_of_a_class_is_not_read_before_it_is_bound() {
    let code = "module Ant\nend\nclass Bee\n  include Ant\n  Ant = 6\n  def ant\n    Ant\n  end\nend\nputs Bee.new.ant, Bee::Ant\n";
    check(
        &[("a.rb", code)],
        &json!({"kind": "rename", "symbol": "a.rb:5:3", "to": "Zebra"}),
        &[(
            "a.rb",
            &code
                .replace("  Ant = 6", "  Zebra = 6")
                .replace("    Ant\n", "    Zebra\n")
                .replace("Bee::Ant", "Bee::Zebra"),
        )],
    );
    check(
        &[("a.rb", code)],
        &json!({"kind": "rename", "symbol": "a.rb:1:8", "to": "Zebra"}),
        &[("a.rb", &code.replace("module Ant", "module Zebra").replace("include Ant", "include Zebra"))],
    );
}
