// Code and questions to start from.

import type { Mode } from "./link";

export interface Example {
  name: string;
  mode?: Mode;
  query?: string;
  template?: string;
  rule?: string;
}

export interface Sample {
  path: string;
  code: string;
  examples: Example[];
}

const toml = (text: string) => text.trim() + "\n";

const PYTHON: Sample = {
  path: "shop.py",
  code: `import os
import logging


class Shop:
    """Sells things."""

    def __init__(self, name, stock=None, prices=[]):
        self.name = name
        self.stock = stock or {}
        self.prices = prices

    def sell(self, item, count=1):
        if item == None:
            return False
        try:
            self.stock[item] -= count
            print("sold", item, count)
        except:
            return False
        return True

    def report(self):
        print(os.path.join("reports", self.name))


def open_shop(name):
    print("opening", name)
    return Shop(name)
`,
  examples: [
    { name: "Methods that return something", query: "class > method:has(return)" },
    { name: "Calls by what they call", query: "call#print" },
    { name: "Functions without documentation", query: "function:not([doc])" },
    { name: "Replace print by a logger", mode: "pattern", query: "print($$$ARGS)", template: "logging.info($$$ARGS)" },
    { name: "Compare with None by identity", mode: "pattern", query: "$X == None", template: "$X is None" },
    {
      name: "A rule with a fix", mode: "rule", rule: toml(`
[[rule]]
id = "no-print"
language = "python"
severity = "warning"
message = "\`$0\` prints: use the logger"
select = ':like("print($$$ARGS)")'
fix = "logging.info($$$ARGS)"

[[rule]]
id = "bare-except"
language = "python"
severity = "error"
message = "catches everything, also what should end the program"
query = "(except_clause !value) @found"
`),
    },
    {
      name: "A rule of ast-grep", mode: "rule", rule: toml(`
id: compare-with-none
language: Python
severity: warning
message: compare with None by identity
rule:
  pattern: $X == None
fix: $X is None
`),
    },
  ],
};

const JAVASCRIPT_CODE = `import { readFile } from "node:fs";

export class Cart {
  constructor(items = []) {
    this.items = items;
  }

  /** The sum of all items. */
  total() {
    var sum = 0;
    this.items.forEach((item) => { sum += item.price; });
    console.log("total", sum);
    return sum;
  }

  isEmpty() {
    return this.items.length == 0;
  }
}

async function load(path) {
  console.log("loading", path);
  const text = await readFile(path, "utf8");
  return new Cart(JSON.parse(text));
}
`;

const JAVASCRIPT: Sample = {
  path: "cart.js",
  code: JAVASCRIPT_CODE,
  examples: [
    { name: "Methods with documentation", query: "class > method[doc]" },
    { name: "Functions that await", query: "function:has(await_expression)" },
    { name: "Strict comparison", mode: "pattern", query: "$A == $B", template: "$A === $B" },
    { name: "Remove console.log", mode: "pattern", query: "console.log($$$)", template: "" },
    { name: "Shorter tests for empty lists", mode: "pattern", query: "$LIST.length == 0", template: "!$LIST.length" },
    {
      name: "A rule with a fix", mode: "rule", rule: toml(`
[[rule]]
id = "no-var"
language = "javascript"
severity = "warning"
message = "\`$NAME\` is a var: use let"
select = ':like("var $NAME = $VALUE")'
fix = "let $NAME = $VALUE"
`),
    },
    {
      name: "A rule of ast-grep", mode: "rule", rule: toml(`
id: no-console
language: JavaScript
severity: error
message: no $METHOD on the console in a method
rule:
  pattern: console.$METHOD($$$)
  inside:
    kind: method_definition
    stopBy: end
`),
    },
  ],
};

const TYPESCRIPT: Sample = {
  path: "store.ts",
  code: `interface Item {
  id: string;
  price: number;
}

export class Store {
  private items: Map<string, Item> = new Map();

  add(item: Item): void {
    this.items.set(item.id, item);
  }

  find(id: string): Item | undefined {
    return this.items.get(id) as any;
  }

  async load(url: string): Promise<Item[]> {
    const response = await fetch(url);
    const items = (await response.json()) as Item[];
    items.forEach((item) => this.add(item));
    return items!;
  }
}

export function cheapest(items: Item[]): Item {
  return items.sort((a, b) => a.price - b.price)[0]!;
}
`,
  examples: [
    { name: "Methods of classes", query: "class > method" },
    { name: "Casts to any", mode: "pattern", query: "$X as any", template: "$X as unknown" },
    { name: "Non-null assertions", query: "non_null_expression" },
    { name: "Fields of interfaces", query: "interface property_signature" },
    {
      name: "A rule with a fix", mode: "rule", rule: toml(`
[[rule]]
id = "sorted-copy"
language = "typescript"
severity = "warning"
message = "\`$0\` changes the list itself"
select = ':like("$LIST.sort($$$BY)")'
fix = "[...$LIST].sort($$$BY)"
`),
    },
  ],
};

const SAMPLES: Record<string, Sample> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  typescript: TYPESCRIPT,
  tsx: {
    path: "list.tsx",
    code: `import { useState } from "react";

export function List({ items }: { items: string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <section className="list">
      <button onClick={() => setOpen(!open)}>Open</button>
      {open && items.map((item) => <Row text={item} />)}
      <img src="logo.png" />
    </section>
  );
}

function Row({ text }: { text: string }) {
  return <p>{text}</p>;
}
`,
    examples: [
      { name: "Elements that close themselves", query: "jsx_self_closing_element" },
      { name: "Hooks", query: "call[name^=use]" },
      { name: "Handlers in attributes", query: "jsx_attribute:has(arrow_function)" },
    ],
  },
  rust: {
    path: "shop.rs",
    code: `use std::collections::HashMap;

/// A shop.
pub struct Shop {
    name: String,
    stock: HashMap<String, u32>,
}

impl Shop {
    pub fn new(name: &str) -> Shop {
        Shop { name: name.to_string(), stock: HashMap::new() }
    }

    pub fn sell(&mut self, item: &str) -> u32 {
        let count = self.stock.get_mut(item).unwrap();
        *count -= 1;
        println!("{} sold {item}", self.name);
        *count
    }
}

fn main() {
    let mut shop = Shop::new("corner");
    let left = shop.sell("apple");
    assert!(left == 0);
}
`,
    examples: [
      { name: "Public functions", query: "function[visibility=public]" },
      { name: "Calls of unwrap", query: "call#unwrap" },
      { name: "unwrap to expect", mode: "pattern", query: "$X.unwrap()", template: "$X.expect(\"it is there\")" },
      { name: "Functions that print", query: "function:has(macro_invocation#println)" },
      {
        name: "A rule with a fix", mode: "rule", rule: toml(`
[[rule]]
id = "to-owned"
language = "rust"
severity = "info"
message = "\`$0\`: a copy of text is to_owned"
select = ':like("$X.to_string()")'
fix = "$X.to_owned()"
`),
      },
    ],
  },
  go: {
    path: "server.go",
    code: `package main

import (
	"fmt"
	"io/ioutil"
	"net/http"
)

// Server answers requests.
type Server struct {
	addr string
}

func (s *Server) Handle(w http.ResponseWriter, r *http.Request) {
	body, err := ioutil.ReadAll(r.Body)
	if err != nil {
		fmt.Println("failed", err)
		return
	}
	fmt.Fprintf(w, "%d bytes", len(body))
}

func main() {
	s := &Server{addr: ":8080"}
	http.HandleFunc("/", s.Handle)
	fmt.Println("listening", s.addr)
	http.ListenAndServe(s.addr, nil)
}
`,
    examples: [
      { name: "Functions and their errors", query: "function:has(if)" },
      { name: "Calls of a package", query: "call[callee^=\"fmt.\"]" },
      { name: "ioutil is deprecated", mode: "pattern", query: "ioutil.ReadAll($R)", template: "io.ReadAll($R)" },
      { name: "Methods", query: "method" },
    ],
  },
  java: {
    path: "Shop.java",
    code: `import java.util.*;

public class Shop {
    private final Map<String, Integer> stock = new HashMap<>();

    /** Sells one item. */
    public boolean sell(String item) {
        try {
            stock.put(item, stock.get(item) - 1);
        } catch (Exception e) {
        }
        System.out.println("sold " + item);
        return item.equals("") == false;
    }

    public int size() {
        return stock.size();
    }
}
`,
    examples: [
      { name: "Public methods with documentation", query: "method[visibility=public][doc]" },
      { name: "Empty catch blocks", query: "catch_clause > block:not(:has(*))" },
      { name: "Comparison with false", mode: "pattern", query: "$X == false", template: "!$X" },
      { name: "Calls of println", query: "call#println" },
    ],
  },
  c: {
    path: "list.c",
    code: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char name[16];
    struct node *next;
};

struct node *push(struct node *list, const char *name) {
    struct node *new = malloc(sizeof(struct node));
    strcpy(new->name, name);
    new->next = list;
    return new;
}

int main(int argc, char **argv) {
    struct node *list = NULL;
    for (int i = 1; i < argc; i++)
        list = push(list, argv[i]);
    printf("%s\\n", list->name);
    return 0;
}
`,
    examples: [
      { name: "Calls of strcpy", query: "call#strcpy" },
      { name: "A size that follows its variable", mode: "pattern", query: "struct node *$V = malloc(sizeof(struct node));", template: "struct node *$V = malloc(sizeof *$V);" },
      { name: "Functions with two parameters", query: "function[params=2]" },
      { name: "Loops", query: "loop" },
    ],
  },
  cpp: {
    path: "shape.cpp",
    code: `#include <iostream>
#include <vector>

class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
};

class Square : public Shape {
public:
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }

private:
    double side;
};

int main() {
    std::vector<Shape *> shapes;
    shapes.push_back(new Square(2));
    for (auto *shape : shapes)
        std::cout << shape->area() << std::endl;
    return 0;
}
`,
    examples: [
      { name: "Methods that override", query: "method:has(virtual_specifier)" },
      { name: "Objects that are made with new", query: "new_expression" },
      { name: "emplace_back", mode: "pattern", query: "$LIST.push_back($X)", template: "$LIST.emplace_back($X)" },
      { name: "Methods", query: "class method" },
    ],
  },
  csharp: {
    path: "Shop.cs",
    code: `using System;
using System.Collections.Generic;

public class Shop
{
    private readonly Dictionary<string, int> stock = new();

    public bool Sell(string item)
    {
        try { stock[item]--; }
        catch (Exception) { }
        Console.WriteLine("sold " + item);
        return item != null;
    }
}
`,
    examples: [
      { name: "Public methods", query: "method[visibility=public]" },
      { name: "Console output", query: "call#WriteLine" },
      { name: "Test for null by a pattern", mode: "pattern", query: "$X != null", template: "$X is not null" },
    ],
  },
  php: {
    path: "shop.php",
    code: `<?php

class Shop
{
    private array $stock = array();

    public function sell(string $item): bool
    {
        if (!isset($this->stock[$item])) {
            return false;
        }
        echo "sold $item";
        return $this->stock[$item] == 0;
    }
}

$shop = new Shop();
$shop->sell("apple");
`,
    examples: [
      { name: "Methods that return", query: "class method:has(return)" },
      { name: "Calls", query: "call" },
      { name: "echo", query: "echo_statement" },
    ],
  },
  ruby: {
    path: "shop.rb",
    code: `class Shop
  attr_reader :name

  def initialize(name)
    @name = name
    @stock = {}
  end

  def sell(item)
    puts "sold #{item}"
    @stock[item] -= 1 unless @stock[item].nil?
  end
end

Shop.new("corner").sell(:apple)
`,
    examples: [
      { name: "Methods with parameters", query: "method[params>0]" },
      { name: "Calls of puts", query: "call#puts" },
      { name: "Output by a logger", mode: "pattern", query: "puts $TEXT", template: "logger.info $TEXT" },
    ],
  },
  kotlin: {
    path: "Shop.kt",
    code: `class Shop(val name: String) {
    private val stock = mutableMapOf<String, Int>()

    fun sell(item: String): Boolean {
        val left = stock[item]!!
        println("sold $item")
        return left > 0
    }
}

fun main() {
    println(Shop("corner").sell("apple"))
}
`,
    examples: [
      { name: "Functions of classes", query: "class function" },
      { name: "Calls of println", query: "call#println" },
    ],
  },
  swift: {
    path: "Shop.swift",
    code: `class Shop {
    let name: String
    private var stock: [String: Int] = [:]

    init(name: String) {
        self.name = name
    }

    func sell(_ item: String) -> Bool {
        let left = stock[item]!
        print("sold", item)
        return left > 0
    }
}
`,
    examples: [
      { name: "Functions of classes", query: "class function" },
      { name: "Calls of print", query: "call#print" },
    ],
  },
  scala: {
    path: "Shop.scala",
    code: `class Shop(name: String) {
  private val stock = scala.collection.mutable.Map[String, Int]()

  def sell(item: String): Boolean = {
    println(s"sold $item")
    stock.get(item).isDefined
  }
}

object Main extends App {
  println(new Shop("corner").sell("apple"))
}
`,
    examples: [
      { name: "Functions", query: "function" },
      { name: "Calls of println", query: "call#println" },
    ],
  },
  bash: {
    path: "build.sh",
    code: `#!/bin/bash
set -e

build() {
  local target=$1
  echo "building $target"
  for file in src/*.c; do
    gcc -c "$file" -o "build/$target.o"
  done
}

build release
rm -rf $TMP/old
`,
    examples: [
      { name: "Functions", query: "function" },
      { name: "Commands by name", query: "call#rm" },
      { name: "Loops", query: "loop" },
    ],
  },
  lua: {
    path: "shop.lua",
    code: `local Shop = {}

function Shop.new(name)
  return { name = name, stock = {} }
end

function Shop.sell(shop, item)
  print("sold", item)
  return shop.stock[item] ~= nil
end

print(Shop.sell(Shop.new("corner"), "apple"))
`,
    examples: [
      { name: "Functions", query: "function" },
      { name: "Calls of print", query: "call#print" },
    ],
  },
  html: {
    path: "index.html",
    code: `<!doctype html>
<html>
  <head>
    <title>Shop</title>
  </head>
  <body>
    <h1 class="title">Apples</h1>
    <img src="apple.png">
    <a href="http://example.org">More</a>
  </body>
</html>
`,
    examples: [
      { name: "Elements by name", query: "element:has(tag_name[text=img])" },
      { name: "Attributes", query: "attribute" },
    ],
  },
  css: {
    path: "shop.css",
    code: `:root {
  --accent: #4f5bd5;
}

.title, .price {
  color: red;
  margin: 0 !important;
}

@media (max-width: 600px) {
  .title { font-size: 14px; }
}
`,
    examples: [
      { name: "Declarations in media queries", query: "media_statement declaration" },
      { name: "Important ones", query: "declaration:has(important)" },
    ],
  },
  json: {
    path: "package.json",
    code: `{
  "name": "shop",
  "version": "1.0.0",
  "scripts": { "test": "node --test", "build": "tsc" },
  "private": true
}
`,
    examples: [
      { name: "Pairs", query: "pair" },
      { name: "Pairs in objects in objects", query: "object object > pair" },
    ],
  },
  yaml: {
    path: "ci.yml",
    code: `name: checks
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo test
`,
    examples: [
      { name: "Pairs", query: "block_mapping_pair" },
      { name: "Items of lists", query: "block_sequence_item" },
    ],
  },
  toml: {
    path: "Cargo.toml",
    code: `[package]
name = "shop"
version = "0.1.0"

[dependencies]
serde = { version = "1", features = ["derive"] }
`,
    examples: [
      { name: "Pairs", query: "pair" },
      { name: "Tables", query: "table" },
    ],
  },
};

export function sampleOf(language: string): Sample {
  return SAMPLES[language] ?? { path: `code.${language}`, code: "", examples: [{ name: "Everything", query: "*" }] };
}
