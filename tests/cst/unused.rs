//! What `unused` and `delete-unused` may say: nothing that runs by convention, that something outside may call or find, or that a
//! file of another kind names; but each helper that is really unused.

use std::sync::Arc;

use cst::Host;
use cst::engine::{Engine, Memory, Request};
use serde_json::{Value, json};

use crate::symbols::Project;

/// The files of a project, and the definitions that certainly nothing uses.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [&'a str]);

fn ask(files: &[(&str, &str)], request: &Value) -> Value {
    let memory = Memory::default();
    for (path, text) in files {
        memory.write(format!("/p/{path}"), *text);
    }
    let engine = Engine::new(Host { files: Arc::new(memory), ..Host::at("/p") });
    let request: Request = serde_json::from_value(request.clone()).expect("well formed");
    let response = engine.handle(request).unwrap_or_else(|error| panic!("{}", error.to_json()));
    serde_json::to_value(response).expect("a response is plain data")
}

fn names(answer: &Value, key: &str) -> Vec<String> {
    let rows = answer[key].as_array().expect("a list").iter();
    rows.map(|row| row["qualname"].as_str().expect("a name").to_owned()).collect()
}

/// Checks what is certain, and that only this is deleted.
#[track_caller]
fn check((what, files, certain): &Case<'_>) {
    let answer = ask(files, &json!({"method": "unused", "params": {"certain": true}}));
    assert_eq!(names(&answer, "unused"), *certain, "{what}: {answer:#}");
    let deleted = ask(files, &json!({"method": "refactor", "params": {"kind": "delete_unused"}}));
    let deleted = deleted["symbols"].as_array().map_or(Vec::new(), |_| names(&deleted, "symbols"));
    for name in &deleted {
        assert!(certain.contains(&name.as_str()), "{what}: `{name}` is deleted");
    }
}

#[test]
fn entry_points_are_in_use_and_so_is_what_holds_them() {
    let cases: &[Case] = &[
        ("C", &[("a.c", "int main(void) { return 0; }\nstatic int lost(void) { return 1; }\n")], &["lost"]),
        ("C, Windows", &[("a.c", "int WinMain(void) { return 0; }\nstatic int lost(void) { return 1; }\n")], &["lost"]),
        (
            "C#",
            &[(
                "P.cs",
                "using static Helpers;\nclass Program {\n  static void Main(string[] args) { }\n  static void Lost() { }\n}\n",
            )],
            &["Program.Lost"],
        ),
        ("Go", &[("m.go", "package main\n\nfunc main() {}\nfunc init() {}\nfunc lost() {}\n")], &["lost"]),
        (
            "Java",
            &[("A.java", "class A {\n  public static void main(String[] a) { }\n  private void lost() { }\n}\n")],
            &["A.lost"],
        ),
        (
            "Java, in a nested class",
            &[(
                "A.java",
                "class A {\n  static class In {\n    public static void main(String[] a) { }\n  }\n  class Lost { }\n}\n",
            )],
            &["A.Lost"],
        ),
        (
            "Kotlin",
            &[(
                "a.kt",
                "fun main() { }\nprivate fun lost() { }\nprivate object App {\n    @JvmStatic\n    fun main(a: Array<String>) { }\n}\n",
            )],
            &["lost"],
        ),
        ("PHP", &[("a.php", "<?php\nclass Thing { private function lost() { } }\n")], &["Thing.lost"]),
        ("Python", &[("a.py", "def main():\n    pass\n\n\ndef lost():\n    pass\n")], &["lost"]),
        (
            "Rust",
            &[
                ("Cargo.toml", "[package]\nname = \"x\"\n"),
                ("src/main.rs", "mod more;\nfn main() {}\nfn lost() {}\n"),
                (
                    "src/more.rs",
                    "mod inner {\n    #[tokio::main]\n    async fn start() {}\n}\n#[no_mangle]\nextern \"C\" fn on() {}\n",
                ),
                ("build.rs", "fn main() {}\n"),
            ],
            &["lost"],
        ),
        (
            "Scala",
            &[(
                "a.scala",
                "private object Main { def main(args: Array[String]): Unit = {} }\n@main private def run(): Unit = {}\nprivate class Lost\n",
            )],
            &["Lost"],
        ),
        ("Ruby", &[("a.rb", "def lost; end\n")], &["lost"]),
        ("JavaScript", &[("a.js", "function lost() { }\n")], &["lost"]),
        ("TypeScript", &[("a.ts", "function lost() { }\n")], &["lost"]),
    ];
    cases.iter().for_each(check);
}

#[test]
fn tests_are_in_use_and_so_are_their_classes() {
    let cases: &[Case] = &[
        (
            "unittest",
            &[
                (
                    "cases.py",
                    "import unittest\n\n\nclass Case(unittest.TestCase):\n    def setUp(self):\n        pass\n\n    def test_a(self):\n        pass\n\n\ndef _lost():\n    pass\n",
                ),
                (
                    "async_cases.py",
                    "from outside import AsyncTestCase\n\n\nclass Http(AsyncTestCase):\n    async def asyncSetUp(self):\n        pass\n\n\nclass Below(Http):\n    def get_app(self):\n        pass\n\n\ndef load_tests(loader, tests, pattern):\n    return tests\n",
                ),
            ],
            &["_lost"],
        ),
        (
            "pytest",
            &[
                (
                    "test_a.py",
                    "class TestA:\n    def test_it(self):\n        pass\n\n    def _lost(self):\n        pass\n\n\ndef test_b():\n    pass\n\n\ndef setup_module(module):\n    pass\n",
                ),
                (
                    "conftest.py",
                    "import pytest\n\n\n@pytest.fixture\ndef thing():\n    pass\n\n\ndef pytest_configure(config):\n    pass\n\n\ndef _helper():\n    pass\n",
                ),
            ],
            &["_helper", "TestA._lost"],
        ),
        (
            "JUnit 5",
            &[(
                "FooTest.java",
                "class FooTest {\n  @BeforeEach\n  void start() { }\n  @Test\n  void works() { }\n  private void lost() { }\n  @Nested\n  class Inner {\n    @ParameterizedTest\n    void more(int a) { }\n  }\n}\n",
            )],
            &["FooTest.lost"],
        ),
        (
            "JUnit 4, TestNG",
            &[(
                "FooTest.java",
                "class FooTest {\n  @org.junit.Test\n  public void works() { }\n}\nclass Ng {\n  @DataProvider(name = \"x\")\n  Object[][] rows() { return null; }\n  void lost() { }\n}\n",
            )],
            &["Ng.lost"],
        ),
        (
            "JUnit 3",
            &[(
                "FooTest.java",
                "class FooTest extends junit.framework.TestCase {\n  public void testIt() { }\n  private void lost() { }\n}\n",
            )],
            &["FooTest.lost"],
        ),
        (
            "NUnit, xUnit, MSTest",
            &[(
                "T.cs",
                "class X {\n  [Fact] void Works() { }\n  void Lost() { }\n}\nclass N {\n  [NUnit.Framework.TestCase(1)] void Works(int a) { }\n}\nclass M {\n  [TestInitialize] void Start() { }\n}\n",
            )],
            &["X.Lost"],
        ),
        (
            "Go",
            &[
                ("a.go", "package a\n"),
                (
                    "a_test.go",
                    "package a\n\nfunc TestMain(m *testing.M) {}\nfunc TestX(t *testing.T) {}\nfunc BenchmarkX(b *testing.B) {}\nfunc ExampleX_more() {}\nfunc FuzzX(f *testing.F) {}\nfunc lost() {}\n",
                ),
            ],
            &["lost"],
        ),
        (
            "Rust",
            &[
                ("Cargo.toml", "[package]\nname = \"x\"\n"),
                (
                    "src/lib.rs",
                    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n    #[tokio::test]\n    async fn later() {}\n    fn lost() {}\n}\n#[bench]\nfn speed() {}\n",
                ),
            ],
            &["tests.lost"],
        ),
        (
            "PHPUnit",
            &[(
                "a.php",
                "<?php\nclass FooTest extends TestCase {\n  public function testIt() { }\n  #[Test]\n  public function works() { }\n  private function lost() { }\n}\n",
            )],
            &["FooTest.lost"],
        ),
        (
            "minitest, test-unit",
            &[(
                "a.rb",
                "class FooTest < Minitest::Test\n  def setup; end\n  def test_it; end\nend\nclass BarTest < Test::Unit::TestCase\nend\ndef lost; end\n",
            )],
            &["lost"],
        ),
        (
            "Kotlin",
            &[(
                "a.kt",
                "private class FooTest {\n    @Test\n    fun works() { }\n    private fun lost() { }\n}\nprivate class Spec : StringSpec() { }\n",
            )],
            &["FooTest.lost"],
        ),
        (
            "Scala",
            &[(
                "a.scala",
                "private class FooSpec extends AnyFunSuite { test(\"x\") {} }\nprivate class T {\n  @Test def works() = {}\n}\nprivate class Lost\n",
            )],
            &["Lost"],
        ),
        (
            "TypeScript",
            &[(
                "a.test.ts",
                "describe(\"x\", () => { it(\"works\", () => { helper(); }); });\nfunction helper() { }\nfunction lost() { }\n",
            )],
            &["lost"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn classes_with_bases_from_outside_are_candidates() {
    let cases: &[Case] = &[
        (
            "Python",
            &[(
                "a.py",
                "from outside import Outside\n\n\nclass Sub(Outside):\n    def call(self):\n        pass\n\n\nclass Below(Sub):\n    pass\n\n\nclass Mixin:\n    def received(self):\n        pass\n\n\nclass Both(Mixin, Outside):\n    pass\n\n\nclass Lost:\n    def gone(self):\n        pass\n",
            )],
            &["Lost", "Lost.gone"],
        ),
        (
            "Python, a decorator that says what a class implements",
            &[(
                "a.py",
                "@implementer(Interface)\nclass Body:\n    def start(self):\n        pass\n\n\n@dataclass\nclass Row:\n    def gone(self):\n        pass\n\n\nbody = Body()\nrow = Row()\nprint(body, row)\n",
            )],
            &["Row.gone"],
        ),
        (
            "Python, classes that are registered",
            &[(
                "a.py",
                "class Meta(type):\n    pass\n\n\nclass One(metaclass=Meta):\n    def run(self):\n        pass\n\n\nclass Base:\n    def __init_subclass__(cls):\n        pass\n\n\nclass Two(Base):\n    pass\n\n\nclass Three(metaclass=ABCMeta):\n    pass\n",
            )],
            &["Three"],
        ),
        (
            "Python, bases that do not look for subclasses",
            &[("a.py", "class _Error(ValueError):\n    pass\n\n\nclass _Plan(abc.ABC):\n    pass\n")],
            &["_Error", "_Plan"],
        ),
        (
            "Java",
            &[(
                "A.java",
                "class Sub extends Thread {\n  public void run() { }\n  void work() { }\n  private void lost() { }\n}\nclass Lost { void gone() { } }\nclass Made implements Outside { }\n",
            )],
            &["Sub.lost", "Lost", "Lost.gone"],
        ),
        (
            "C#",
            &[("A.cs", "class Sub : Outside {\n  void Update() { }\n}\nclass Lost { void Gone() { } }\n")],
            &["Lost", "Lost.Gone"],
        ),
        (
            "Kotlin",
            &[(
                "a.kt",
                "private class Sub : Thread() {\n    internal fun work() { }\n    private fun lost() { }\n}\nprivate class Lost\n",
            )],
            &["Sub.lost", "Lost"],
        ),
        ("Scala", &[("a.scala", "private object App1 extends App { println(1) }\nprivate class Lost\n")], &["Lost"]),
        (
            "PHP",
            &[(
                "a.php",
                "<?php\nclass Sub extends Outside {\n  protected function booted() { }\n  private function lost() { }\n}\n",
            )],
            &["Sub.lost"],
        ),
        (
            "Ruby",
            &[(
                "a.rb",
                "class Sub < Outside\n  def perform; end\nend\nclass Job\n  include Sidekiq::Job\n  def perform; end\nend\nclass Base\n  def self.inherited(other); end\nend\nclass Plug < Base\nend\nclass Lost\n  def gone; end\nend\n",
            )],
            &["Lost", "Lost.gone"],
        ),
        (
            "TypeScript",
            &[(
                "a.ts",
                "import { Outside } from \"lib\";\nclass Sub extends Outside { call() { } }\nclass Made { static { register(this); } }\n@Component()\nclass View { click() { } }\nclass Lost { gone() { } }\ndeclare global { interface Window { x: number } }\n",
            )],
            &["Lost", "Lost.gone"],
        ),
        (
            "JavaScript",
            &[(
                "a.js",
                "import { Outside } from \"lib\";\nclass Sub extends Outside { call() { } }\nclass Made { static { register(this); } }\nclass Lost { gone() { } }\n",
            )],
            &["Lost", "Lost.gone"],
        ),
        (
            "Rust",
            &[
                ("Cargo.toml", "[package]\nname = \"x\"\n"),
                (
                    "src/main.rs",
                    "fn main() {}\nstruct It;\nimpl Iterator for It {\n    type Item = u8;\n    fn next(&mut self) -> Option<u8> { None }\n}\nimpl It { fn lost(&self) {} }\n",
                ),
            ],
            &["It.lost"],
        ),
        (
            "Go",
            &[(
                "a.go",
                "package a\n\ntype conn struct{ sync.Mutex }\n\nfunc (c *conn) String() string { return \"\" }\n\nfunc lost() {}\n",
            )],
            &["lost"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn what_code_goes_through_is_a_candidate() {
    let cases: &[Case] = &[
        (
            "Python, classes below another one",
            &[
                ("base.py", "class Command:\n    pass\n\n\nclass Plugin:\n    pass\n\n\nclass Plain:\n    pass\n"),
                (
                    "one.py",
                    "from base import Command, Plain, Plugin\n\n\nclass One(Command):\n    def help_of(self):\n        pass\n\n\nclass Two(Plugin):\n    pass\n\n\nclass Three(Plain):\n    pass\n",
                ),
                (
                    "find.py",
                    "from base import Command, Plugin\n\n\ndef main(module):\n    print(Plugin.__subclasses__())\n    return [it for it in vars(module).values() if issubclass(it, Command)]\n",
                ),
            ],
            &["One.help_of", "Three"],
        ),
        (
            "Python, a base that is not known",
            &[(
                "a.py",
                "class Base:\n    pass\n\n\nclass One(Base):\n    pass\n\n\ndef main(base):\n    return base.__subclasses__()\n\n\nclass Lost:\n    pass\n",
            )],
            &["Lost"],
        ),
        (
            "Python, members of a module and of a class",
            &[
                ("rules.py", "def rule_one():\n    pass\n"),
                (
                    "own.py",
                    "import inspect\nimport sys\n\n\ndef one():\n    pass\n\n\ndef main():\n    return inspect.getmembers(sys.modules[__name__])\n",
                ),
                (
                    "main.py",
                    "import rules\n\n\nclass Box:\n    def inside(self):\n        pass\n\n\ndef main(name):\n    return getattr(rules, name), dir(Box)\n\n\ndef lost(args):\n    return vars(args)\n",
                ),
            ],
            &["lost"],
        ),
        (
            "Java",
            &[(
                "A.java",
                "interface Plug { }\nclass One implements Plug { }\nclass Two { void go() { } }\nclass Lost {\n  public static void main(String[] a) { ServiceLoader.load(Plug.class); Two.class.getDeclaredMethods(); }\n  private void lost() { }\n}\n",
            )],
            &["Lost.lost"],
        ),
        (
            "JavaScript",
            &[
                ("all.js", "export function one() { }\n"),
                (
                    "a.js",
                    "class Box { go() { } }\nclass Own { constructor(n) { this[n](); } run() { } }\nconsole.log(Object.getOwnPropertyNames(Box.prototype), new Own(\"x\"));\nfunction lost() { }\n",
                ),
            ],
            &["lost"],
        ),
        (
            "Ruby",
            &[("a.rb", "class Base\nend\nclass One < Base\nend\nclass Lost\nend\nputs Base.subclasses\n")],
            &["Lost"],
        ),
        (
            "C#",
            &[(
                "A.cs",
                "class Base { }\nclass One : Base { }\nclass P { static void Main() { typeof(Base).IsAssignableFrom(null); } }\nclass Lost { }\n",
            )],
            &["Lost"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn files_of_other_kinds_name_definitions() {
    let shop = ("shop/cli.py", "def start():\n    pass\n\n\ndef _lost():\n    pass\n");
    let cases: &[Case] = &[
        ("pyproject.toml", &[shop, ("pyproject.toml", "[project.scripts]\nshop = \"shop.cli:start\"\n")], &["_lost"]),
        (
            "setup.cfg",
            &[shop, ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:start\n")],
            &["_lost"],
        ),
        (
            "setup.py",
            &[shop, ("setup.py", "setup(entry_points={\"console_scripts\": [\"shop = shop.cli:start\"]})\n")],
            &["_lost"],
        ),
        (
            "entry_points.txt",
            &[shop, ("shop.egg-info/entry_points.txt", "[console_scripts]\nshop = shop.cli:start\n")],
            &["_lost"],
        ),
        ("YAML", &[shop, ("serverless.yml", "handler: shop.cli.start\n")], &["_lost"]),
        ("a template", &[shop, ("page.j2", "{{ cart.start() }}\n")], &["_lost"]),
        (
            "HTML",
            &[
                ("a.js", "function open_it() { }\nfunction lost() { }\n"),
                ("a.html", "<b onclick=\"open_it()\">x</b>\n"),
            ],
            &["lost"],
        ),
        (
            "package.json",
            &[
                ("a.js", "function run_it() { }\nfunction lost() { }\n"),
                ("package.json", "{\"bin\": {\"x\": \"run_it\"}}\n"),
            ],
            &["lost"],
        ),
        (
            "Vue",
            &[
                ("a.ts", "function open_it() { }\nfunction lost() { }\n"),
                ("a.vue", "<template><b @click=\"open_it\"/></template>\n"),
            ],
            &["lost"],
        ),
        (
            "XML",
            &[("A.java", "class Bean { }\nclass Lost { }\n"), ("beans.xml", "<bean class=\"shop.Bean\"/>\n")],
            &["Lost"],
        ),
        (
            "services",
            &[("A.java", "class Plug { }\nclass Lost { }\n"), ("META-INF/services/shop.Api", "shop.Plug\n")],
            &["Lost"],
        ),
        (
            "XAML",
            &[
                ("A.cs", "class A { void Open() { } void Lost() { } static void Main() { } }\n"),
                ("A.xaml", "<Button Click=\"Open\"/>\n"),
            ],
            &["A.Lost"],
        ),
        (
            "assembly",
            &[("a.go", "package a\n\nfunc sum() {}\nfunc lost() {}\n"), ("a.s", "TEXT \u{b7}sum(SB)\n")],
            &["lost"],
        ),
        ("a file that names nothing", &[shop, ("README.md", "Call `start`.\n")], &["start", "_lost"]),
    ];
    cases.iter().for_each(check);
}

#[test]
fn public_definitions_of_a_library_are_never_certain() {
    let files = |manifest: (&'static str, &'static str)| {
        [
            manifest,
            ("shop/__init__.py", ""),
            (
                "shop/api.py",
                "def offered():\n    pass\n\n\ndef _lost():\n    pass\n\n\nclass Box:\n    def size(self):\n        pass\n\n    def _gone(self):\n        pass\n",
            ),
            ("shop/_inner.py", "def inner():\n    pass\n"),
            ("tests/helper.py", "def helped():\n    pass\n"),
        ]
    };
    let private = ["inner", "_lost", "Box._gone", "helped"];
    for manifest in [
        ("pyproject.toml", "[build-system]\nrequires = []\n"),
        ("setup.py", "from setuptools import setup\nsetup(name=\"shop\")\n"),
        ("setup.cfg", "[metadata]\nname = shop\n"),
    ] {
        check(&(manifest.0, &files(manifest), &private));
        let all = ask(&files(manifest), &json!({"method": "unused", "params": {"exports": true}}));
        let offered = all["unused"].as_array().expect("a list").iter().find(|row| row["qualname"] == "offered");
        assert_eq!(offered.expect("it is listed")["confidence"], "candidate");
    }
    let program = ("pyproject.toml", "[tool.black]\nline-length = 100\n");
    check(&("a program", &files(program), &["inner", "offered", "_lost", "Box", "Box.size", "Box._gone", "helped"]));
    let gem: &[(&str, &str)] = &[
        ("shop.gemspec", "Gem::Specification.new { |s| s.name = \"shop\" }\n"),
        ("lib/shop.rb", "class Shop\n  def size; end\n  private\n  def lost; end\nend\n"),
    ];
    check(&("a gem", gem, &["Shop.lost"]));
    let exports: &[(&str, &str)] = &[("a.ts", "export function offered() { }\nfunction lost() { }\n")];
    let all = ask(exports, &json!({"method": "unused", "params": {"exports": true, "certain": true}}));
    assert_eq!(names(&all, "unused"), ["lost"]);
}

#[test]
fn references_to_methods_of_the_own_object_count() {
    let code = "class Base {\n  int size() { return 1; }\n}\nclass Box extends Base {\n  Other part;\n  int go() { return 1; }\n  int size() { return 2; }\n  Object all() { return List.of(this::go, super::size, this.part::run, Box.this::go); }\n  class In extends Thread {\n    Object outer() { return List.of(Box.this::go, Box.this.go()); }\n  }\n}\nclass Other { int run() { return 1; } }\n";
    let project = Project::new(&[("A.java", code)]);
    project.check(
        "Box.go",
        &["A.java:6:7 definition", "A.java:8:39 read", "A.java:8:82 read", "A.java:10:47 read", "A.java:10:60 call"],
    );
    project.check("Base.size", &["A.java:2:7 definition", "A.java:7:7 definition override", "A.java:8:50 read"]);
    project.check("Other.run", &["A.java:8:67 read", "A.java:13:19 definition"]);
}

#[test]
fn what_comments_declarations_and_other_files_name_is_in_use() {
    let cases: &[Case] = &[
        (
            "Python, a doctest",
            &[(
                "a.py",
                "\"\"\"Shows.\n\n>>> shown(1)\nNot lost.\n\"\"\"\n\n\ndef shown(x):\n    return x\n\n\ndef lost():\n    pass\n",
            )],
            &["lost"],
        ),
        (
            "Python, a stub",
            &[("pkg/a.pyi", "def declared() -> int: ...\n"), ("pkg/b.py", "def lost():\n    pass\n")],
            &["lost"],
        ),
        (
            "Python, migrations and servers",
            &[(
                "m.py",
                "def upgrade():\n    pass\n\n\ndef post_fork(server, worker):\n    pass\n\n\ndef lost():\n    pass\n",
            )],
            &["lost"],
        ),
        (
            "TypeScript, declarations",
            &[("a.d.ts", "declare function declared(): void;\n"), ("b.ts", "function lost() {}\nexport {};\n")],
            &["lost"],
        ),
        (
            "JavaScript, expressions with a name",
            &[("a.js", "(function now() {})();\nconst run = function later() {};\nrun();\nfunction lost() {}\n")],
            &["lost"],
        ),
        (
            "Go, directives",
            &[(
                "a.go",
                "package a\n\n//export total\nfunc total() int { return 1 }\n\n// total is not lost.\nfunc lost() {}\n",
            )],
            &["lost"],
        ),
        (
            "PHP, providers",
            &[(
                "A.php",
                "<?php\nclass A {\n    /** @dataProvider numbers */\n    public function testIt(int $x): void {}\n    private function numbers(): array { return []; }\n    private function lost(): void {}\n}\n",
            )],
            &["A.lost"],
        ),
        (
            "Rust, a module that a string names",
            &[(
                "src/main.rs",
                "#[derive(Serialize)]\nstruct A { #[serde(with = \"as_text\")] x: u8 }\n\nmod as_text {\n    pub fn serialize() {}\n}\n\nfn main() { let a = A { x: 1 }; drop(a.x); }\nfn lost() {}\n",
            )],
            &["lost"],
        ),
        (
            "Python, objects that others get",
            &[(
                "a.py",
                "import sys\n\n\nclass Lock:\n    def acquire(self):\n        pass\n\n\nclass Finder:\n    def find_spec(self):\n        pass\n\n\nclass Own:\n    def lost(self):\n        pass\n\n\ndef main(jar):\n    jar.lock = Lock()\n    sys.meta_path.append(Finder())\n    own = Own()\n    return own\n",
            )],
            &["Own.lost"],
        ),
        (
            "Python, a member of an object from outside",
            &[(
                "a.py",
                "from http.cookiejar import CookieJar\n\n\nclass Lock:\n    def acquire(self):\n        pass\n\n\nclass Own:\n    def __init__(self):\n        self.part = Part()\n\n\nclass Part:\n    def lost(self):\n        pass\n\n\njar = CookieJar()\njar.lock = Lock()\nown = Own()\n",
            )],
            &["Part.lost"],
        ),
        (
            "C#, extension methods",
            &[
                ("E.cs", "static class Extensions {\n  public static int Twice(this int x) => 2 * x;\n}\n"),
                ("F.cs", "static class Idle {\n  static int Never(this int x) => x;\n}\n"),
                ("P.cs", "class P {\n  static void Main() { System.Console.WriteLine(1.Twice()); }\n}\n"),
            ],
            &["Idle", "Idle.Never"],
        ),
        (
            "Ruby, operators and copies",
            &[(
                "a.rb",
                "class Bag\n  def [](key) = key\n  def -@ = self\n  def initialize_copy(other) = other\nend\nBag.new\n\ndef lost\nend\n",
            )],
            &["lost"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn a_private_member_is_used_by_its_longer_name() {
    let params = serde_json::json!({"kind": "delete_unused"});
    let text = "class A:\n    def __x(self): return 1\n\n    def __y(self): return 1\n\n\nprint(A()._A__x())\n";
    let changed = crate::refactored::run(&[("a.py", text)], &params).expect("deleted");
    assert_eq!(changed[0].1.as_deref(), Some("class A:\n    def __x(self): return 1\n\n\nprint(A()._A__x())\n"));
}
