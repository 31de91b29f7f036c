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
