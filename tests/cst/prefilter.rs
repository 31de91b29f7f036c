//! The law of the prefilter: with it and without it the same nodes are found.
//!
//! Each selector is asked of each file twice: of the whole parse, and of what the prefilter leaves of it. Files are the samples
//! of all languages, awkward sources, and, where `CST_CORPUS` names a folder, the real ones in it.
//!
//! Also where the file has a syntax error outside of the statements that would be parsed: the parser may take what stands beside an
//! error for something else, so such a file is parsed whole.

use std::path::{Path, PathBuf};

use cst::language::{Detector, Language};
use cst::project::Prefilter;
use cst::selector::{Definitions, Query, Selector};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::selector_laws;

/// Over all that a selector can ask for; words that a language lacks find nothing in it.
const SELECTORS: &[&str] = &[
    "function#get",
    ":like(\"print($$$)\")",
    ":like(\"self.$M($$$)\")",
    "call:like(\"$F($X)\")",
    "call:not(:like(\"print($$$)\"))",
    "function:has(:like(\"return $X\"))",
    ":like(\"$A = $B\")",
    ":like(\"$X.$Y\")[$X.kind=\"name\"]",
    "function[name=$N]:has(:like(\"$N($$$)\"))",
    ":like(\"'get'\")",
    ":like(\"return $X\"):first",
    ":in(class) :like(\"$X + $X\")",
    "function[name^=\"get\"]",
    "function[name$=\"_all\"]",
    "function[name*=\"arse\"]",
    "function[name!=\"get\"]",
    "function[name=/^(get|set)_?/]",
    "function[name=/^GET/i]",
    "function[name=\"GET\" i]",
    "function[name=/ ^ g e t /x]",
    "function[name=/gett?er|put/]",
    "class#Shop",
    "class[name^=\"Sh\"]",
    "class#A > method#get",
    "class:not(:has(method))",
    "class > method:not(:has-own(return))",
    "class function:has(return > call)",
    "method#get",
    "constructor",
    "field#x",
    "variable#x",
    "call#print",
    "call[callee=\"os.path.join\"]",
    "call[callee^=\"self.\"]",
    "call[callee=/assert\\w+/]",
    "call#get@c, function#get@f",
    "call#print@call > argument@first",
    "function@f > parameter#self",
    "string[text*=\"foo\"]",
    "string[text=/f.o/]",
    "string:docstring",
    "string:docstring[text*=\"foo\"]",
    "comment[text*=\"note\"]",
    "import[module=\"os\"]",
    "import[module^=\"os\"]",
    "import#sys",
    "import#np",
    "import[module=\"__future__\"]",
    "function[decorators=\"cache\"]",
    "function:has(> decorator[name=/route/])",
    "decorator#cache",
    "decorator",
    "function[doc*=\"foo\"]",
    "*[doc*=\"foo\"]",
    "function[doc]",
    "function[modifiers=\"async\"]",
    "method[modifiers=\"static\"]",
    "class[bases=\"Base\"]",
    "class[bases*=\"Err\"]",
    "function[returns=\"int\"]",
    "*[qualname=\"A.get\"]",
    "*[qualname^=\"A.\"]",
    "function[qualname=\"Shop.find.inner\"]",
    "*[qualname$=\"get\"]",
    "function[params>2]",
    "call[args=0]",
    "lambda",
    "raise",
    "try",
    "assert",
    "if:has(return)",
    "loop:has(break)",
    "with",
    "match",
    "yield, await",
    "return:in-own(function#get)",
    "return:in(class#A)",
    "*:in(function#get)",
    "call < function",
    "call#print << function",
    "call#print << class",
    "class#A << module function#free",
    "class < * > function#free",
    "module > function#get:first",
    "module > function:first#get",
    "module function:last#get",
    "class > function:first#get",
    "class > function:nth(1)",
    "function#get:first",
    "function:first",
    "*:root",
    "module:has(function#get)",
    "*:root > *:first-child",
    "function#get + function",
    "function#get ~ function#put",
    "class ~ function#get",
    "function:precedes(class#A)",
    "function#get:follows(import)",
    "function#get:nth-child(2)",
    "function#get:only-child",
    "function[index=1]",
    "function#get[depth<3]",
    "function#get[lines>2]",
    "function#get[start_line>5]",
    "*#get",
    "*[name=\"get\"]",
    "*[text=\"get\"]",
    "*:leaf[text=\"x\"]",
    "*[type=\"identifier\"][text=\"get\"]",
    "name#größe",
    "function#größe",
    "function:empty",
    "class[count(method)>1]",
    "*:error",
    "*:missing",
    "function#get:not(:in(class))",
    "function#get:is(:has(return), :has(raise))",
    ":is(class#A, function#free)",
    "function[name=$x] call[callee=$x]",
    "function#get[visibility=\"public\"]",
    "method[name=\"initWithName:count:\"]",
    "method[name^=\"initWithName:\"]",
    "function#_",
    "function[name=\"\"]",
];

/// Sources of Python that are hard to cut.
const AWKWARD: &[&str] = &[
    "",
    "\n",
    "# only\n# note\n",
    "def \\\n    get(self):\n    return f(x)\n",
    "def\\\r\nget(): pass\r\ndef\t \x0cput(): pass\r\n",
    "class A:\r\n    def get(self):\r\n        return g()\r\n\r\ndef free():\r\n    pass\r\n",
    "x = 1\rdef get():\r    return f()\rdef put(): pass\r",
    "# c\rx = \"\"\"\ndef get(): pass\n# \"\"\"\n",
    "x = 'a\rdef get(): pass\r'\n",
    "\x0cdef get():\n\treturn f()\n\x0c\nclass A:\n\tdef get(self): pass\n",
    "@cache\n# note\n\n@route('/')\n# note\ndef get():\n    pass\nx = 1\n",
    "@cache\n\x0cdef get(): pass\nclass A: pass\n",
    "if x:\n    def get(): pass\nelse:\n    def put(): pass\nfinally_ = 1\nelse_ = 2\n",
    "try:\n    pass\n# note\nexcept A:\n    get()\n# note\nelse:\n    print(1)\nfinally:\n    def get(): return f()\nfree()\n",
    "try: pass\nexcept* A: print(1)\n",
    "x = '([{'\ny = \"\"\"\ndef get(): pass\n}])\n\"\"\"\ndef get(): pass\nz = \"'''\"\n",
    "x = '''\nclass A: # \"\"\"\n'''\ndef get():\n    '''foo \\''' get '''\n    return g()\n",
    "x = f\"{d[\"get\"]}\"\ndef get(): pass\n",
    "x = f\"{y[\"\"\"a\"\"\"]}\"\ndef f():\n    \"\"\"\ndef get(): pass\n    \"\"\"\nz = f\"{y[\"\"\"b\"\"\"]}\"\n",
    "x = f'{a!r:{b}} {{ {c[\"}\"]} }}'\ndef get(): return f'''{x:'>10} {get()}'''\n",
    "x = f\"{'}' + \"#\"}\"\ndef get(): pass\n",
    "x = rf'\\{get()}'\ndef get(): pass\ny = F\"\"\"{a[\"b\"]}\"\"\"\n",
    "x = 1 \\",
    "x = 'a\\",
    "def get(): pass\n\\\nclass A: pass\n",
    "x = (\ndef get(): pass\n",
    "x = )\ndef get(): pass\n",
    "x = [\n1,\n# note ]\n]\ndef get(): pass\n",
    "\u{feff}def get(): pass\nclass A:\n    def get(self): return f()\n",
    "def größe(): pass\ndef gro\u{308}ße(): pass\nﬁ = größe()\ndef get·(): pass\n",
    "x = 1; print(x); y = 2\ndef get(): pass; print(2)\nimport os; import sys\n",
    "if x: pass\nelif y: get()\nelse: print(1)\nfor x in y: break\nwhile x: pass\nelse: print()\n",
    "class A: x = 1; y = 2\nclass Shop: pass\nwith a as b: print(b)\nx = lambda: get()\n",
    "'foo'\nx = 1\n\"\"\"foo\"\"\"\ndef get():\n    'foo'\n",
    "x = 1\n\"\"\"foo\"\"\"\n",
    "def put(): pass\ndef get(): pass\ndef get(): return f()\ndef free(): get()\n",
    "class A:\n    pass\ndef free():\n    print(1)\nclass Shop:\n    def find(self):\n        def inner(): pass\n",
    "    x = 1\n    def get(): pass\ny = 2\ndef get(): pass\n",
    "match x:\n    case A(): get()\n    case _: print(1)\nmatch = 1\ncase = 2\ntype X = int\n",
    "import os.path as path, sys\nfrom os import (\n    path,\n    get as g,\n)\nfrom __future__ import annotations\nimport numpy as np\nfrom . import x\n",
    "async def get(a, b, c=1, *, d) -> int:\n    await f()\n    yield 1\nasync \\\ndef get(): pass\n",
    "def get():\n    return (1\n\ndef put(): pass\n",
    "def put(:\n    pass\n\ndef get():\n    print(1)\n    return 2\n",
    "class A:\n    def get(self):\n        x = '\n        return f()\n\ndef get(): pass\n",
    "print 'a'\nexec 'b'\ndef get(): print 'x'\n",
    "def f():\n    # note\n  # note\n# note\n    return get()\n# note\n\n\n    # note\ndef get(): pass\n    # note\n",
    "if 1:\n\tdef get(): pass\n        def put(): pass\nx = 1\n",
    "x = `get`\ndef get(): pass\ny = \"\"\"a\"\"\" \"\"\"b\"\"\" '''c'''\nz = \"\" '' \"a\" 'b'\ndef put(): pass\n",
    "def get(): \"\"\"foo\ndef put(): pass\n\"\"\"\nclass A: '''foo'''\n",
];

/// Sources that are hard to cut, for languages whose files are parsed down to their members.
const AWKWARD_MEMBERS: &[(&str, &[&str])] = &[
    (
        "python",
        &[
            "class A(Base):\n    \"\"\"foo\n    def get(self): pass\n    \"\"\"\n    x = 1\n    # note\n\n    @cache\n    # note\n    def get(self):\n        return f()\n    # note\n  # note\n    def put(self): pass\n        # note\n# note\n\nprint(1)\n",
            "@route('/')\nclass A:\n\tr'foo'\n\tdef get(self):\n\t\treturn (f(\n1,\n))\n\tdef put(self): return g()\n\tx = \"\"\"\nclass B: pass\n\"\"\"\n",
            "class A:\r\n    def get(self):\r\n        return g()\r\n    def put(self):\r\n        pass\r\n    get.x = 1; y = print(2)\r\ndef get(): pass\r\n",
            "class Shop:\n    if x:\n        def get(self): pass\n    else:\n        def get(self): return f()\n    try:\n        import os\n    except E:\n        os = None\n    finally: get()\n    def find(self): pass\n",
            "class A:\n    class Shop:\n        def get(self): pass\n        def find(self): return print(1)\n    def get(self):\n        class B:\n            def put(self): pass\n            def get(self): pass\n    x: int = 1\n",
            "class A:\n    'foo'\n\nclass B:\n    def get(self): pass\nclass C: x = 1\nclass D(\n    Base,\n): # note\n    def get(self): pass\n    def put(self): pass\n    pass\nx = 1\n",
            "class A:\n    x = 1\n    def get(self): \\\n        return f()\n    y = \\\n2\n    def put(self): pass\n\x0c\n    def free(self): pass\n",
            "class A:\n    def get(self): pass\n\tdef put(self): pass\n    x = 1\n",
            "class A:\n    def get(self): pass\n  def put(self): pass\n    x = 1\n",
            "class A:\n    f'foo'\n    match = 1\n    async def get(self): await f()\n    async \\\n    def put(self): pass\n    type X = int\n    @property\n    def x(self): return self.get()\n\n\n    # note\n\nif x: pass\n",
            "class_ = 1\nclass A:\n    get = lambda self: f()\n    def put(self, x=(1,\n  2)): pass\n    def get(self): 'foo'\n    # get",
        ],
    ),
    (
        "ruby",
        &[
            "class A\n  def get\n    x = <<~TEXT\n      end\n  end\n    TEXT\n    f(x)\n  end\n\n  def put; end\nend\n",
            "module A\n  # note\n  class Shop < Base\n    def get = f(1)\n    def put(a) = g(a)\n    attr :x,\n    :y\n  end\nend\n",
            "class A\n=begin\ndef get\nend\n=end\n  def get\n    return 1 if x\n    raise y unless z\n  end\nend\n",
            "class A\n  def get(x)\n    while x do\n      x = x.class if x.end\n    end\n    { if: 1, end: 2, class: 3 }\n  end\nend\n",
            "class A\n  def get\n    %w[end def class].map { |x| \"#{x[\"end\"]}\" }\n    y = ?x + 'end' + %(end) if a / b\n  end\nend\n",
            "class A\n  def get\n    x = if a\n          1\n        else\n          2\n        end\n    f(x)\n  end\n  def <<(x); end\n  def end; end\nend\n",
            "class A\n  B = Struct.new(:a) do\n    def get; end\n  end\n  class << self\n    def put; f(1); end\n  end\n  private\n  def free\n  end\nend\n",
            "class A\n  foo :get\n    .bar\n  def get\n    f\n  rescue B\n    g\n  ensure\n    h\n  end\nend\nclass A; end\n__END__\nclass B\n",
            "class A\n  def get\n    if x\n    f\n  end\n  def put\n  end\nend\n",
            "x = 1 if y\ny = begin\n  f\nend while z\ncase x\nwhen 1 then f\nin [a] then g\nend\ndef get() f end\n",
            "def get\n  x =~ /end [\\/\"]/ && y !~ %r{end}\n  :end.f(:\"end\", :+, :[]=)\n  $stdout.puts @end\nend\ndef put; end\n",
        ],
    ),
    (
        "kotlin",
        &[
            "@Target(A.B)\npublic annotation class Shop\n\n/** note */\n@Target(A.B)\npublic annotation class A\n",
            "class A {\n    @get:Rule\n    val x = f()\n    fun get() = 1\n    @A\n    fun put() { f() }\n}\n",
            "@file:Suppress(\"x\")\npackage a\nimport os\nval x by lazy { f() }\nfun get() = `x`\n",
        ],
    ),
    (
        "scala",
        &[
            "trait A {\n  def get: Int\n\n  @deprecated(\"x\")\n  def put: Int = f\n  def free: Int\n}\n",
            "object A {\n  def get(x: Int) =\n    f(x)\n  @a @b\n  val x = '{'\n}\n",
        ],
    ),
    (
        "java",
        &[
            "class A {\n  @B\n  int x = 1;\n  int[] get() { return new int[] { 1 }; }\n  class Shop { void put() { f('{'); } }\n}\n",
            "class A {\n  void get() {\n    f();\n    # g();\n  }\n  void put() { f(); }\n}\n",
        ],
    ),
    (
        "csharp",
        &[
            "namespace N {\n  class A {\n#if X\n    int get() { return f(); }\n#else\n    int put() { return 1; }\n#endif\n    int x { get; set; } = 1;\n  }\n}\n",
            "namespace N {\n  [A]\n  pulic interface B<T> { [C] int get(); }\n  [cache]\n  class Shop { void put() { f(); } }\n}\n",
            "class A {\n  string x = @\"{\"\"\" + $\"{f(\"}\")}\";\n  void get() { f(`); }\n}\nclass Shop { }\n",
        ],
    ),
    (
        "swift",
        &[
            "class A {\n  var x: Int\n  @objc\n  func get() { f() }\n  @available(iOS 13, *)\n  var y = 1\n}\nextension A { func put() {} }\n",
        ],
    ),
    (
        "typescript",
        &[
            "const x = 1\n@dec\nclass A {\n  x = 1\n  @dec\n  get() { return f() }\n  put = () => { f() }\n}\nfunction free() {}\n",
        ],
    ),
    ("rust", &["impl A {\n    fn get(&self) { f('{') }\n    fn put() { ` }\n}\nfn free() { f() }\n"]),
];

/// What comparing gave.
#[derive(Debug, Default)]
struct Count {
    files: usize,
    answers: usize,
    found: usize,
    left_out: usize,
    in_pieces: usize,
    /// Those of a file with syntax errors.
    broken_in_pieces: usize,
    /// Different answers in files with syntax errors, with a description of the first.
    beside_errors: usize,
    examples: Vec<String>,
    wrong: Vec<String>,
}

struct Asked {
    selector: String,
    query: Query,
    prefilter: Prefilter,
}

fn asked(language: &'static Language, selectors: &[String]) -> Vec<Asked> {
    let resolved = selectors.iter().filter_map(|selector| {
        let parsed = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
        let (query, _) = Query::new_for_mixed(&parsed, language, &Definitions::default()).ok()?;
        let prefilter = Prefilter::new(&query, language);
        Some(Asked { selector: selector.clone(), query, prefilter })
    });
    resolved.collect()
}

/// Type, span and captures of each node found; in words of the tree, since its nodes are others than the whole's.
fn answer(query: &Query, tree: &Tree) -> Option<Vec<String>> {
    let show = |node| format!("{} {:?}", tree.type_name(node), tree.span(node));
    let found = query.select(tree).ok()?.into_iter().map(|found| {
        let captures = found.captures.iter().map(|(name, captured)| format!(" {name}: {:?}", captured.span(tree)));
        show(found.node) + &captures.collect::<String>()
    });
    Some(found.collect())
}

impl Count {
    fn compare(&mut self, name: &str, text: &Text, language: &'static Language, asked: &[Asked]) {
        let limits = ParseLimits::default();
        let Some(source) = text.as_str().map(str::to_owned) else { return };
        let Ok(whole) = Tree::parse(text.clone(), language, &limits) else { return };
        // The parse of all selectors for which the whole text is parsed.
        let mut again: Option<Tree> = None;
        self.files += 1;
        for Asked { selector, query, prefilter } in asked {
            let expected = answer(query, &whole);
            self.answers += 1;
            self.found += expected.as_ref().map_or(0, Vec::len);
            let (got, pieces) = if prefilter.may_match(source.as_bytes()) {
                let parts = prefilter.parse_parts(text, language, &limits).expect("the whole could be parsed");
                let tree = match &parts {
                    Some(tree) => tree,
                    None => again.get_or_insert_with(|| {
                        prefilter.parse(text.clone(), language, &limits).expect("the whole could be parsed")
                    }),
                };
                (answer(query, tree), tree.table().len() != whole.table().len())
            } else {
                self.left_out += 1;
                (Some(Vec::new()), false)
            };
            self.in_pieces += usize::from(pieces);
            self.broken_in_pieces += usize::from(pieces && !whole.is_sound());
            if got == expected {
                continue;
            }
            let errors = whole.errors().into_iter().take(2).map(|error| {
                let line = text.line_at(error.span.start());
                format!("{line}: {:?}", text.slice(text.line_span(line)))
            });
            let errors: Vec<String> = errors.collect();
            let difference = format!("{name} {selector} errors {errors:?}\n  found {got:?}\n  whole {expected:?}");
            if whole.is_sound() {
                self.wrong.push(difference);
            } else {
                self.beside_errors += 1;
                self.examples.push(difference);
            }
        }
    }

    #[track_caller]
    fn check(&self) {
        let wrong: String = self.wrong.iter().take(10).map(|difference| format!("{difference}\n")).collect();
        assert!(wrong.is_empty(), "{} answers differ:\n{wrong}", self.wrong.len());
    }
}

fn by_hand() -> Vec<String> {
    SELECTORS.iter().map(|&selector| selector.to_owned()).collect()
}

/// Random selectors, the same in every run.
fn random(count: usize) -> Vec<String> {
    let config = Config { rng_seed: RngSeed::Fixed(7), ..Config::default() };
    let mut runner = TestRunner::new(config);
    let strategy = selector_laws::selectors();
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("nothing is refused").current()).collect()
}

/// Names for the steps of random selectors, so that there is something to look for.
fn named(selectors: Vec<String>) -> Vec<String> {
    let words = [("function", "function#get"), ("class", "class#A"), ("call", "call#f"), ("method", "method#get")];
    let named = selectors.iter().enumerate().map(|(place, selector)| {
        let (word, name) = words[place % words.len()];
        selector.split(' ').map(|part| if part == word { name } else { part }).collect::<Vec<_>>().join(" ")
    });
    named.chain(selectors.clone()).collect()
}

#[test]
fn every_selector_means_something() {
    let languages = Language::all();
    for selector in SELECTORS {
        let parsed = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
        let known = |language: &&'static Language| {
            Query::new_for_mixed(&parsed, language, &Definitions::default())
                .is_ok_and(|(_, lacking)| lacking.is_empty())
        };
        assert!(languages.iter().any(known), "{selector} is known to no language");
    }
}

#[test]
fn samples_of_all_languages() {
    let mut count = Count::default();
    for language in Language::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
        let extension = language.extensions().first().expect("a language has an extension");
        let bytes = std::fs::read(folder.join(format!("sample.{extension}"))).expect("a language has a sample");
        let text = Text::decode(&bytes, None).expect("a sample is UTF-8");
        // Some of them, spread over the sample.
        let named = names_of(&text, language);
        let named = named.iter().step_by(named.len().div_ceil(60).max(1)).cloned();
        let selectors: Vec<String> = by_hand().into_iter().chain(named).collect();
        count.compare(language.name(), &text, language, &asked(language, &selectors));
    }
    count.check();
    assert!(count.left_out > 500 && count.found > 2000, "{count:?}");
}

/// Selectors for each name that a file's definitions have, as their language writes it.
fn names_of(text: &Text, language: &'static Language) -> Vec<String> {
    let tree = Tree::parse(text.clone(), language, &ParseLimits::default()).expect("a sample is small");
    let mut selectors: Vec<String> = Vec::new();
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let query = |selector: &str| {
        let parsed = Selector::parse(selector).expect("it is well formed");
        Query::new_for_mixed(&parsed, language, &Definitions::default()).expect("it is right in any language").0
    };
    for node in query("definition, call, import").nodes(&tree).expect("it has no variables").iter() {
        let names = tree.names(node).into_iter().chain(tree.other_names(node));
        for name in names.filter(|name| !name.contains('\n')) {
            let start: String = name.chars().take(3).collect();
            for word in ["function", "method", "class", "type", "call", "import", "*"] {
                selectors.push(format!("{word}[name={}]", quoted(&name)));
            }
            selectors.push(format!("definition[name^={}]", quoted(&start)));
        }
        if let Some(qualname) = tree.qualname(node).filter(|name| !name.contains('\n')) {
            selectors.push(format!("*[qualname={}]", quoted(&qualname)));
        }
        for (attribute, texts) in [("module", tree.modules(node)), ("modifiers", tree.modifiers(node))] {
            let texts = texts.iter().filter(|text| !text.contains('\n'));
            selectors.extend(texts.map(|text| format!("*[{attribute}={}]", quoted(text))));
        }
    }
    selectors.sort();
    selectors.dedup();
    selectors
}

#[test]
fn awkward_sources() {
    let python = Language::named("python").unwrap();
    let random = named(random(60));
    let asked = asked(python, &[by_hand(), random].concat());
    let mut count = Count::default();
    for (place, source) in AWKWARD.iter().chain(&selector_laws::SOURCES).enumerate() {
        let text = Text::decode(source.as_bytes(), None).expect("it is UTF-8");
        count.compare(&format!("{place}: {source:?}"), &text, python, &asked);
        // Among other statements, so that it is a part of a file.
        let among = format!("import re\n\nclass Other:\n    pass\n\n{source}\n\n\ndef other(a):\n    return a\n");
        let among = among.replace('\u{feff}', "");
        count.compare(&format!("{place}, among others: {source:?}"), &Text::new(&among), python, &asked);
    }
    count.check();
    assert!(count.in_pieces > 500 && count.left_out > 1000, "{count:?}");
    let few = count.examples.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
    assert_eq!(count.beside_errors, 0, "answers differ beside errors:\n{few}");
}

#[test]
fn awkward_members() {
    let mut count = Count::default();
    for (name, sources) in AWKWARD_MEMBERS {
        let language = Language::named(name).unwrap();
        for source in *sources {
            let text = Text::new(source);
            let selectors: Vec<String> = by_hand().into_iter().chain(names_of(&text, language)).collect();
            count.compare(&format!("{name}: {source:?}"), &text, language, &asked(language, &selectors));
        }
    }
    count.check();
    assert_eq!(count.beside_errors, 0, "answers differ beside errors:\n{}", count.examples.join("\n"));
    assert!(count.in_pieces > 150 && count.left_out > 500, "{count:?}");
}

/// The files in a folder, `most` of them, spread over it.
fn files(folder: &Path, most: usize) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let step = files.len().div_ceil(most.max(1)).max(1);
    files.into_iter().step_by(step).collect()
}

#[test]
fn real_files() {
    let Some(folder) = std::env::var_os("CST_CORPUS") else {
        println!("skipped: `CST_CORPUS` names no folder");
        return;
    };
    let most = std::env::var("CST_CORPUS_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(3000);
    let (detector, mut count) = (Detector::default(), Count::default());
    let selectors = [by_hand(), named(random(20))].concat();
    let mut known: Vec<(&'static Language, Vec<Asked>)> = Vec::new();
    for path in files(Path::new(&folder), most) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let name = path.to_string_lossy();
        let Ok(Some(language)) = detector.detect(&name, &bytes) else { continue };
        let Ok(text) = Text::decode(&bytes, None) else { continue };
        if bytes.len() > 300_000 {
            continue;
        }
        let place = known.iter().position(|(other, _)| *other == language).unwrap_or_else(|| {
            known.push((language, asked(language, &selectors)));
            known.len() - 1
        });
        count.compare(&name, &text, language, &known[place].1);
    }
    let Count { files, answers, found, left_out, in_pieces, beside_errors, .. } = &count;
    println!(
        "{files} files, {answers} answers, {found} nodes, {left_out} left out, {in_pieces} in pieces, {beside_errors} differ beside errors"
    );
    for example in count.examples.iter().take(30) {
        println!("{}", example.chars().take(600).collect::<String>());
    }
    count.check();
}

fn has_pieces(language: &Language) -> bool {
    let data = language.data();
    data.slices.is_some() || data.items.is_some() || data.blocks.is_some()
}

/// Real files, as they are and broken, asked for the names that they have: a count for each language.
/// `CST_PIECES` names a folder, `CST_PIECES_FILES` says how many of its files, `CST_PIECES_BROKEN` how often each is broken.
#[test]
fn pieces_of_real_files() {
    let Some(folder) = std::env::var_os("CST_PIECES") else {
        println!("skipped: `CST_PIECES` names no folder");
        return;
    };
    let number =
        |name: &str, default: usize| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(default);
    let wanted = std::env::var("CST_PIECES_LANGUAGE").ok();
    let (detector, mut numbers) = (Detector::default(), Numbers(0x5851_f42d_4c95_7f2d));
    let mut counts: std::collections::BTreeMap<&'static str, Count> = std::collections::BTreeMap::new();
    for path in files(Path::new(&folder), number("CST_PIECES_FILES", 300)) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let name = path.to_string_lossy();
        let Ok(Some(language)) = detector.detect(&name, &bytes) else { continue };
        let Ok(text) = Text::decode(&bytes, None) else { continue };
        let is_wanted = wanted.as_ref().is_none_or(|wanted| wanted == language.name());
        if !has_pieces(language) || bytes.len() > 200_000 || !is_wanted {
            continue;
        }
        let count = counts.entry(language.name()).or_default();
        let named = names_of(&text, language);
        let named = named.iter().step_by(named.len().div_ceil(40).max(1)).cloned();
        let selectors: Vec<String> = by_hand().into_iter().step_by(5).chain(named).collect();
        let asked = asked(language, &selectors);
        count.compare(&name, &text, language, &asked);
        let source = text.to_string();
        for place in 0..number("CST_PIECES_BROKEN", 1) {
            let text = Text::new(&broken(&source, &mut numbers));
            count.compare(&format!("{name} broken {place}"), &text, language, &asked);
        }
    }
    for (language, count) in &counts {
        let Count { files, answers, found, left_out, in_pieces, broken_in_pieces, beside_errors, wrong, .. } = count;
        println!(
            "{language}: {files} files, {answers} answers, {found} nodes, {left_out} left out, {in_pieces} in pieces, {broken_in_pieces} of broken files, {beside_errors} differ beside errors, {} wrong",
            wrong.len()
        );
        for example in count.examples.iter().take(6).chain(wrong.iter().take(6)) {
            println!("    {}", example.chars().take(700).collect::<String>());
        }
    }
    counts.values().for_each(Count::check);
    assert!(counts.values().any(|count| count.in_pieces > 100), "nothing was parsed in pieces");
}

/// A sequence of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below.max(1) as u64).expect("it is below a usize")
    }
}

/// A text broken in one or a few places: a letter or a line gone, a bracket or quote more.
fn broken(text: &str, numbers: &mut Numbers) -> String {
    let mut broken: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.next(3) {
        let at = numbers.next(broken.len());
        match numbers.next(5) {
            0 | 1 if !broken.is_empty() => {
                broken.remove(at);
            }
            2 => broken.insert(at, ['(', ')', '{', '}', '[', ']', '"', '\'', '`', '#'][numbers.next(10)]),
            3 => {
                let end = broken[at..].iter().position(|&letter| letter == '\n').map_or(broken.len(), |end| at + end);
                broken.drain(at..end);
            }
            _ => broken.insert(at, ['x', ' ', '\n', ';', ':', ','][numbers.next(6)]),
        }
    }
    broken.into_iter().collect()
}

/// A part of a sample, from one line to another.
fn part(text: &str, lines: usize, numbers: &mut Numbers) -> String {
    let all: Vec<&str> = text.lines().collect();
    let start = numbers.next(all.len().saturating_sub(lines));
    all[start..(start + lines).min(all.len())].iter().map(|line| format!("{line}\n")).collect()
}

/// Texts that are broken, in all languages.
#[test]
fn broken_sources_of_all_languages() {
    let mut count = Count::default();
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut by_language = Vec::new();
    for language in Language::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
        let extension = language.extensions().first().expect("a language has an extension");
        let sample = std::fs::read_to_string(folder.join(format!("sample.{extension}"))).expect("a sample is UTF-8");
        let named = names_of(&Text::new(&sample), language);
        let named = named.iter().step_by(named.len().div_ceil(25).max(1)).cloned();
        let selectors: Vec<String> = by_hand().into_iter().step_by(3).chain(named).collect();
        let asked = asked(language, &selectors);
        let before = count.beside_errors;
        for place in 0..40 {
            let text = Text::new(&broken(&part(&sample, 40, &mut numbers), &mut numbers));
            count.compare(&format!("{} {place}", language.name()), &text, language, &asked);
        }
        let differ = count.beside_errors - before;
        assert_eq!(differ, 0, "{}: {:?}", language.name(), count.examples.last());
        by_language.push((language.name(), differ));
    }
    let Count { files, answers, found, left_out, in_pieces, beside_errors, .. } = &count;
    println!(
        "{files} files, {answers} answers, {found} nodes, {left_out} left out, {in_pieces} in pieces, {beside_errors} differ: {by_language:?}"
    );
    for example in count.examples.iter().step_by(count.examples.len().div_ceil(40).max(1)) {
        println!("{example}");
    }
    count.check();
    assert!(*files > 1000 && *answers > 40_000 && *left_out > 5_000, "{count:?}");
}

/// The same for languages whose files are parsed in pieces, over whole samples.
#[test]
fn broken_sources_in_pieces() {
    let mut count = Count::default();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for language in Language::all().into_iter().filter(|language| has_pieces(language)) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors").join(language.name());
        let extension = language.extensions().first().expect("a language has an extension");
        let sample = std::fs::read_to_string(folder.join(format!("sample.{extension}"))).expect("a sample is UTF-8");
        let named = names_of(&Text::new(&sample), language);
        let named = named.iter().step_by(named.len().div_ceil(60).max(1)).cloned();
        let selectors: Vec<String> = by_hand().into_iter().chain(named).collect();
        let asked = asked(language, &selectors);
        for place in 0..40 {
            let lines = 60 + numbers.next(200);
            let text = Text::new(&broken(&part(&sample, lines, &mut numbers), &mut numbers));
            count.compare(&format!("{} {place}", language.name()), &text, language, &asked);
        }
    }
    let Count { files, answers, found, left_out, in_pieces, broken_in_pieces, beside_errors, .. } = &count;
    println!(
        "{files} files, {answers} answers, {found} nodes, {left_out} left out, {in_pieces} in pieces, {broken_in_pieces} of broken files, {beside_errors} differ"
    );
    for example in count.examples.iter().step_by(count.examples.len().div_ceil(20).max(1)) {
        println!("{example}");
    }
    count.check();
    assert!(*files > 120 && *in_pieces > 500 && *broken_in_pieces > 50, "{count:?}");
    assert_eq!(*beside_errors, 0, "answers differ beside errors");
}

/// The same over real files, each broken several times.
#[test]
fn broken_real_files_in_pieces() {
    let Some(folder) = std::env::var_os("CST_CORPUS") else {
        println!("skipped: `CST_CORPUS` names no folder");
        return;
    };
    let most = std::env::var("CST_CORPUS_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let (mut count, mut numbers) = (Count::default(), Numbers(0x5851_f42d_4c95_7f2d));
    let detector = Detector::default();
    for path in files(Path::new(&folder), most) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let name = path.to_string_lossy();
        let Ok(Some(language)) = detector.detect(&name, source.as_bytes()) else { continue };
        if !has_pieces(language) || source.len() > 60_000 {
            continue;
        }
        let named = names_of(&Text::new(&source), language);
        let named = named.iter().step_by(named.len().div_ceil(80).max(1)).cloned();
        let selectors: Vec<String> = by_hand().into_iter().step_by(4).chain(named).collect();
        let asked = asked(language, &selectors);
        for place in 0..4 {
            let text = Text::new(&broken(&source, &mut numbers));
            count.compare(&format!("{name} {place}"), &text, language, &asked);
        }
    }
    let Count { files, answers, found, left_out, in_pieces, broken_in_pieces, beside_errors, .. } = &count;
    println!(
        "{files} files, {answers} answers, {found} nodes, {left_out} left out, {in_pieces} in pieces, {broken_in_pieces} of broken files, {beside_errors} differ"
    );
    for example in &count.examples {
        println!("{}", example.chars().take(800).collect::<String>());
    }
    count.check();
    assert_eq!(*beside_errors, 0, "answers differ beside errors");
}
