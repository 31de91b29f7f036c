"""Random Java programs: a class Main, classes beside it and a package; many programs a compilation."""
import os
import re
import shutil
import subprocess

from languages.blocks import NUM, Cls, Fn, Hidden, Mod, Num, Obj, Param, Scope, Writer
from languages.common import NAMES as LOWER, places_in, weighted

CHECK = "java"
UPPER = [n.capitalize() for n in LOWER]
NAMES = LOWER + UPPER
SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*\"""", re.S)
FEATURES = {"static import": r"import static", "import": r"\bimport\b", "record": r"\brecord\b", "enum": r"\benum\b", "interface": r"\binterface\b", "anonymous": r"new \w+\(\) \{", "lambda": r"->", "method reference": r"::",
            "extends": r"\bextends\b", "super": r"\bsuper\b", "label": r"^\s*\w+: for", "instanceof": r"instanceof", "switch": r"\bswitch\b", "inner": r"\.new \w+", "generic": r"static <", "this": r"\bthis\.", "catch": r"catch \(",
            "local class": r"^\s{8,}class", "overload": r"$^", "var": r"\bvar\b", "constructor": r"^\s+\w+\([^)]*\) \{", "static field": r"static int \w+ ="}
DRIVER = """import java.io.*;
public class Batch {
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        for (String name : args) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes, true));
            String end = "done";
            try {
                java.lang.reflect.Method main = Class.forName(name + ".Main").getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
            } catch (Throwable error) {
                end = "error " + (error.getCause() == null ? error : error.getCause()).getClass();
            }
            System.out.flush();
            out.println("=== " + name.substring(1));
            out.print(bytes);
            out.println(end);
        }
        out.flush();
        System.exit(0);
    }
}
"""


class Runner:
    def __init__(self, scratch):
        self.folder = os.path.join(scratch, f"java{os.getpid()}")

    def run_many(self, programs):
        results = [None] * len(programs)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "Batch.java"), "w") as file:
            file.write(DRIVER)
        for at, files in enumerate(programs):
            for path, text in files.items():
                text = re.sub(r"(?<![\w.])q\.", f"p{at}.q.", text)
                text = text.replace("package q;", f"package p{at}.q;", 1) if path.startswith("q/") else f"package p{at}; " + text
                full = os.path.join(self.folder, f"p{at}", path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w") as file:
                    file.write(text)
        for _ in range(12):
            left = [at for at in range(len(programs)) if results[at] is None]
            if not left:
                break
            names = ["Batch.java"] + [f"p{at}/{path}" for at in left for path in programs[at] if path.endswith(".java")]
            with open(os.path.join(self.folder, "list"), "w") as file:
                file.write("\n".join(names))
            shutil.rmtree(os.path.join(self.folder, "out"), ignore_errors=True)
            done = subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-XDshould-stop.ifError=FLOW", "-proc:none", "-Xlint:none", "-nowarn", "-Xmaxerrs", "100000", "-d", "out", "@list"], cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=300)
            if done.returncode == 0:
                try:
                    ran = subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", "out", "Batch", *[f"p{at}" for at in left]], cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=60).stdout
                except subprocess.TimeoutExpired:
                    ran = ""
                for part in ran.split("=== ")[1:]:
                    number, _, out = part.partition("\n")
                    results[int(number)] = (0 if out.endswith("done\n") else 1, out.removesuffix("done\n"))
                break
            bad = {}
            for number, said in re.findall(r"^p(\d+)/\S+\.java:\d+: error: (.*)", done.stderr, re.M):
                bad.setdefault(int(number), []).append(said)
            if not bad:
                break
            for at, said in bad.items():
                results[at] = (1, "error " + re.sub(rf"\bp{at}\.", "", "\n".join(said[:3])))
        return [result or (2, "not built") for result in results]


def places(files):
    return places_in(files, NAMES, SKIPPED, None, (".java",))


class Java(Writer):
    names = LOWER
    self_word = "this"

    def more_numbers(self, scope):
        return [(0.5, self.conditional), (0.5, self.lambda_call), (0.3, self.switched), (0.15, self.text), (0.4, self.reference), (0.3, self.anonymous), (0.2, self.array)]

    def captured(self, scope):
        """A scope of what a lambda or a local class may read."""
        inner = Scope("closure", None)
        inner.this = scope.this
        for name, desc in scope.visible().items():
            if name not in scope.locals() or self.is_fixed(scope, name):
                inner.vars[name] = desc
                inner.fixed.add(name)
        inner.blocked = scope.locals() | getattr(scope, "blocked", set())
        return inner

    def is_fixed(self, scope, name):
        while scope:
            if name in scope.vars:
                return name in scope.fixed
            scope = scope.parent
        return False

    def blocked_names(self, scope):
        found, holder = scope.locals(), scope
        while holder:
            found = found | getattr(holder, "blocked", set())
            holder = holder.parent
        return found

    def new_local(self, scope):
        pool = [n for n in self.names if n not in self.blocked_names(scope)]
        return self.rng.choice(pool) if pool else None

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} > 3 ? {self.number(scope, depth - 1)} : {self.number(scope, depth - 1)})"

    def text(self, scope, depth):
        return f"\"{self.name()}\".length()"

    def array(self, scope, depth):
        return f"new int[] {{ {self.number(scope, depth - 1)}, {self.number(scope, depth - 1)} }}[1]"

    def lambda_call(self, scope, depth):
        name = self.new_local(scope)
        if not name:
            return self.literal(scope, depth)
        value = self.number(scope, depth - 1)
        inner = self.captured(scope)
        inner.vars[name] = NUM
        inner.fixed.add(name)
        inner.blocked = inner.blocked | {name}
        head = self.rng.choice([name, f"({name})", f"(int {name})", f"(var {name})"])
        return f"((java.util.function.IntUnaryOperator) {head} -> {self.number(inner, depth - 1)}).applyAsInt({value})"

    def switched(self, scope, depth):
        return f"(switch ({self.number(scope, depth - 1)} % 2) {{ case 0 -> {self.number(scope, depth - 1)}; default -> {self.number(scope, depth - 1)}; }})"

    def reference(self, scope, depth):
        rows = [(n, d) for n, d in self.statics.items() if isinstance(d, Fn) and len(d.params) == 1 and not isinstance(d.params[0].desc, Obj)]
        if not rows:
            return self.literal(scope, depth)
        name, _ = self.rng.choice(rows)
        return f"((java.util.function.IntUnaryOperator) {self.holder}::{name}).applyAsInt({self.number(scope, depth - 1)})"

    def anonymous(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.extra.get("interface")]
        if not rows:
            return self.literal(scope, depth)
        name, cls = self.rng.choice(rows)
        method, fn = next(iter(cls.methods.items()))
        inner = self.captured(scope)
        inner.this = None
        if self.chance(.4):
            names = [n for n in LOWER if n not in inner.blocked][: len(fn.params)]
            if len(names) == len(fn.params):
                for own in names:
                    inner.vars[own] = NUM
                return f"(({name}) ({', '.join(names)}) -> {self.number(inner, depth - 1)}).{method}({self.arguments(fn.params, scope, depth - 1)})"
        for p in fn.params:
            inner.vars[p.name] = NUM
        return f"new {name}() {{ public int {method}({', '.join('int ' + p.name for p in fn.params)}) {{ return {self.number(inner, depth - 1)}; }} }}.{method}({self.arguments(fn.params, scope, depth - 1)})"

    def of_object(self, text, cls, scope, depth):
        if text.startswith("new "):
            text = f"({text})" if self.chance(.3) else text
        return super().of_object(text, cls, scope, depth)

    def make(self, text, cls, scope, depth):
        if cls.extra.get("interface"):
            return None
        if cls.extra.get("enum"):
            return f"{text}.{self.rng.choice(cls.extra['enum'])}"
        return f"new {text}({self.arguments(cls.extra.get('init', []), scope, depth)})"

    def of_class(self, text, cls, scope, depth):
        if cls.extra.get("interface") and not cls.statics:
            return "2"
        return super().of_class(text, cls, scope, depth)

    def declared(self, scope, name, value):
        # A local is in scope in its own initializer.
        while re.search(rf"(?<![.\w]){name}\b(?! *[(])", value) or "->" in value and re.search(rf"\b{name}\b", value):
            value = self.literal(scope, 0)
        word = self.rng.choice(["int", "int", "final int", "var"])
        self.emit(f"{word} {name} = {value};")
        scope.vars[name] = NUM
        if word == "final int":
            scope.fixed.add(name)

    def loop_head(self, scope, name):
        if self.chance(.4):
            return f"for (int {name} : new int[] {{ {self.number(scope, 1)}, {self.number(scope, 0)} }}) {{", (name,)
        self.label = ""
        if self.chance(.3):
            self.label = self.name()
            if self.label in self.labels:
                self.label = ""
            else:
                self.labels.append(self.label)
        return f"{self.label + ': ' if self.label else ''}for (int {name} = 0; {name} < {self.rng.randint(2, 3)}; {name}++) {{", ()

    def loop(self, scope, depth):
        self.label = ""
        if self.loops > 1 or depth > 3:
            return
        name = self.new_local(scope)
        if not name:
            return
        self.loops += 1
        head, fixed = self.loop_head(scope, name)
        label, self.label = self.label, ""
        holder = Scope("block", scope)
        holder.vars = {name: NUM if fixed else Counter()}
        holder.fixed = set(fixed)
        inner = Scope("block", holder)
        self.emit(head)
        self.indent += 1
        for _ in range(self.rng.randint(1, 2)):
            if self.budget > 0:
                self.statement(inner, depth + 1)
        if label:
            self.emit(f"if ({self.condition(inner)}) continue {label};")
            self.labels.remove(label)
        self.close()
        self.loops -= 1

    def object_declared(self, scope, name, type_name, made):
        self.emit(f"{self.rng.choice([type_name, 'var'])} {name} = {made};")

    def more_statements(self, scope, depth):
        return [(0.4, self.attempt), (0.4, self.instance), (0.4, self.local_class), (0.3, self.local_record), (0.3, self.stored_lambda), (0.3, self.switch)]

    def attempt(self, scope, depth):
        name = self.new_local(scope)
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if name and rows:
            target = self.rng.choice(rows)
            self.emit("try {")
            self.emit(f"    {target} += {self.number(scope, 1)} / 0;")
            self.emit(f"}} catch (ArithmeticException {name}) {{")
            self.emit(f"    {target} += {name}.getMessage().length();")
            self.emit("}")

    def instance(self, scope, depth):
        found, name = self.fit(scope, Obj), self.new_local(scope)
        if found and name and depth < 3:
            word = self.type_name(found[1].cls, scope)
            if word:
                own = self.of_object(name, found[1].cls, scope, 0)
                self.emit(f"if ((Object) {found[0]} instanceof {word} {name} && {own} > 1) {{")
                inner = Scope("block", scope)
                inner.vars[name] = found[1]
                inner.fixed.add(name)
                self.indent += 1
                self.statement(inner, depth + 1)
                self.indent -= 1
                self.emit("}")
                scope.blocked = getattr(scope, "blocked", set()) | {name}

    def local_class(self, scope, depth):
        name = self.rng.choice(UPPER)
        if name in scope.locals() or depth > 1 or name in [n for n, d in scope.visible().items() if isinstance(d, Cls)]:
            return
        key, method = self.name(), self.name()
        inner = self.captured(scope)
        inner.this = None
        cls = Cls(name)
        cls.fields = {key: NUM}
        value = self.number(inner, 1)
        body = Scope("function", inner)
        body.vars = {key: NUM}
        cls.methods = {method: Fn([])}
        self.emit(f"class {name} {{ int {key} = {value}; int {method}() {{ return {self.number(body, 1)} + {key}; }} }}")
        scope.vars[name] = cls
        scope.fixed.add(name)

    def local_record(self, scope, depth):
        name, key = self.rng.choice(UPPER), self.name()
        if name in scope.locals() or depth > 1 or name in [n for n, d in scope.visible().items() if isinstance(d, Cls)]:
            return
        self.emit(f"record {name}(int {key}) {{ int twice() {{ return {key} + this.{key} + {key}(); }} }}")
        cls = Cls(name)
        cls.methods = {key: Fn([]), "twice": Fn([])}
        cls.extra["init"] = [Param(key)]
        scope.vars[name] = cls
        scope.fixed.add(name)

    def stored_lambda(self, scope, depth):
        name = self.new_local(scope)
        if not name:
            return
        inner = self.captured(scope)
        pool = [n for n in LOWER if n not in inner.blocked and n != name]
        if not pool:
            return
        param = self.rng.choice(pool)
        inner.vars[param] = NUM
        inner.blocked |= {param}
        self.emit(f"java.util.function.IntUnaryOperator {name} = {param} -> {self.number(inner, 1)};")
        scope.vars[name] = Hidden()
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if rows:
            self.emit(f"{self.rng.choice(rows)} += {name}.applyAsInt({self.number(scope, 0)});")

    def switch(self, scope, depth):
        if depth < 3:
            enums = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.extra.get("enum")]
            rows = [n for n in scope.visible() if scope.mutable(n)]
            if enums and rows:
                name, cls = self.rng.choice(enums)
                self.emit(f"switch ({name}.{self.rng.choice(cls.extra['enum'])}) {{")
                self.emit(f"    case {self.rng.choice(cls.extra['enum'])}: {self.rng.choice(rows)} += {self.number(scope, 0)}; break;")
                self.emit("    default:")
                self.emit("}")

    def set_member(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, Obj) and not d.cls.extra.get("enum")]
        if rows:
            name, desc = self.rng.choice(rows)
            fields = [n for n, d in desc.cls.fields.items() if isinstance(d, Num)]
            if fields:
                self.emit(f"{name}.{self.rng.choice(fields)} {self.rng.choice(['=', '+='])} {self.number(scope, 1)};")

    # Members

    def signature(self, params, scope):
        return ", ".join(f"{self.type_name(p.desc.cls, scope) if isinstance(p.desc, Obj) else 'int'} {p.name}" for p in params)

    def parameters(self, scope, room=3, objects=True):
        params = super().parameters(scope, room, objects)
        self.labels = []
        return params

    def member_name(self, scope):
        pool = [n for n in LOWER if n not in self.statics]
        return self.rng.choice(pool) if pool else None

    def member(self, scope):
        self.budget -= 1
        rows = [(3, self.method), (1.2, self.field)]
        if self.nests:
            rows += [(2, self.nested), (0.6, self.record), (0.6, self.enum), (0.7, self.interface), (0.3, self.generic), (0.3, self.inner)]
        weighted(self.rng, rows)(scope)

    def field(self, scope):
        name = self.member_name(scope)
        if name:
            value = self.number(scope, 1)
            if re.search(rf"(?<![.\w]){name}\b(?! *[(])", value):
                value = self.literal(scope, 0)
            self.emit(f"{self.access}static {'final ' if self.chance(.3) else ''}int {name} = {value};")
            scope.vars[name] = self.statics[name] = NUM
            if "final" in self.lines[-1]:
                scope.fixed.add(name)

    def method(self, scope):
        name = self.member_name(scope)
        if not name:
            return
        params = self.parameters(scope)
        self.emit(f"{self.access}static int {name}({self.signature(params, scope)}) {{")
        self.body(scope, params)
        self.emit("}")
        scope.vars[name] = self.statics[name] = Fn(params)
        self.later.append(name)
        if self.chance(.12):
            other = self.rng.sample(LOWER, len(params) + 1) if len(params) < 4 else []
            if other:
                extra = [Param(n) for n in other]
                self.emit(f"{self.access}static int {name}({self.signature(extra, scope)}) {{")
                self.body(scope, extra)
                self.emit("}")
                self.shows.append(f"{name}({', '.join('2' for _ in extra)})")

    def generic(self, scope):
        name = self.member_name(scope)
        kind, param = self.rng.choice(NAMES), self.name()
        if name:
            self.emit(f"static <{kind}> int {name}({kind} {param}) {{ return {param}.hashCode() % 7; }}")
            scope.vars[name] = self.statics[name] = Fn([Param(param)])
            self.later.append(name)

    def type_new(self, scope):
        pool = [n for n in UPPER * 3 + LOWER if not isinstance(scope.vars.get(n), (Cls, Hidden)) and n not in self.types]
        return self.rng.choice(pool) if pool else None

    def nested(self, scope, head="static class", access=""):
        name = self.type_new(scope)
        if not name or name in self.statics:
            return
        self.types.add(name)
        cls = Cls(name)
        base = self.fit(scope, Cls) if self.chance(.4) else None
        if base and (base[1].extra.get("interface") or base[1].extra.get("enum") or base[1].extra.get("record") or base[1].extra.get("init") is None or "." in base[0]):
            base = None
        if base:
            cls.base = base[1]
            cls.fields, cls.methods = dict(base[1].fields), dict(base[1].methods)
        self.emit(f"{access}{head} {name}{' extends ' + base[0] if base else ''} {{")
        self.indent += 1
        instance = Scope("module", scope)
        own = []
        for key in self.rng.sample(LOWER, self.rng.randint(0, 2)):
            if key in cls.fields and self.chance(.7):
                continue
            own.append(key)
            self.emit(f"{access}int {key}{f' = {self.number(scope, 1)}' if self.chance(.5) else ''};")
            cls.fields[key] = NUM
        params = self.parameters(scope, 2)
        self.emit(f"{access}{name}({self.signature(params, scope)}) {{")
        inner = Scope("function", instance)
        inner.vars = {p.name: p.desc for p in params}
        inner.this = cls
        self.indent += 1
        if base:
            outer = Scope("function", scope)
            outer.vars = dict(inner.vars)
            self.emit(f"super({self.arguments(base[1].extra['init'], outer, 0)});")
        for key in own:
            if key in inner.vars or self.chance(.5):
                self.emit(f"this.{key} = {self.number(inner, 1)};")
            else:
                self.emit(f"{key} = {self.number(inner, 1)};")
        self.indent -= 1
        self.emit("}")
        cls.extra["init"] = params
        for key, desc in {**cls.fields}.items():
            instance.vars[key] = desc
        for _ in range(self.rng.randint(1, 2)):
            key = self.name()
            if key in cls.methods:
                if not base or key not in base[1].methods:
                    continue
                params = [Param(p.name, p.desc) for p in cls.methods[key].params]
                if any(isinstance(p.desc, Obj) and not self.type_name(p.desc.cls, scope) for p in params):
                    continue
                extra = f" + super.{key}({', '.join(p.name for p in params)})" if self.chance(.5) else ""
            else:
                params, extra = self.parameters(scope, 2), ""
            self.emit(f"{'public ' if self.public else ''}int {key}({self.signature(params, scope)}) {{")
            holder = Scope("function", instance)
            holder.vars = {p.name: p.desc for p in params}
            holder.this = cls
            self.indent += 1
            if extra:
                self.emit(f"return {self.number(holder, 1)}{extra};")
            else:
                for _ in range(self.rng.randint(0, 2)):
                    if self.budget > 0:
                        self.statement(holder, 1)
                self.emit(f"return {self.number(holder)} % 1009;")
            self.indent -= 1
            self.emit("}")
            cls.methods[key] = Fn(params)
            instance.vars[key] = cls.methods[key]
        self.indent -= 1
        self.emit("}")
        scope.vars[name] = cls
        self.later.append(name)

    def inner(self, scope):
        """An inner class with a field that may hide one of the class around it."""
        name, other = self.rng.sample(UPPER, 2)
        if name in self.types or other in self.types:
            return
        self.types |= {name, other}
        a, b, c = self.rng.sample(LOWER, 3)
        first = a if self.chance(.4) else b
        self.emit(f"static class {name} {{ int {a} = {self.rng.randint(1, 9)}; class {other} {{ int {first} = 3; int {c}() {{ return {a} + {name}.this.{a} + this.{first}; }} }} }}")
        scope.vars[name] = Hidden()
        self.shows.append(f"new {name}().new {other}().{c}()")

    def record(self, scope):
        name = self.type_new(scope)
        if not name or name in self.statics:
            return
        self.types.add(name)
        keys = self.rng.sample(LOWER, self.rng.randint(1, 2))
        cls = Cls(name)
        cls.extra = {"record": True, "init": [Param(k) for k in keys]}
        other = self.name()
        inner = Scope("function", scope)
        inner.vars = {k: NUM for k in keys}
        inner.fixed = set(keys)
        parts = []
        if self.chance(.3):
            parts.append(f"public int {keys[0]}() {{ return {keys[0]} + 1; }}")
        elif self.chance(.3):
            parts.append(f"{name} {{ {keys[0]} = {keys[0]} + 1; }}")
        if other not in keys:
            parts.append(f"int {other}() {{ return {self.number(inner, 1)} + this.{keys[0]} + {keys[-1]}(); }}")
            cls.methods[other] = Fn([])
        for key in keys:
            cls.methods[key] = Fn([])
        self.emit(f"record {name}({', '.join('int ' + k for k in keys)}) {{ {' '.join(parts)} }}")
        scope.vars[name] = cls
        self.later.append(name)

    def enum(self, scope):
        name = self.type_new(scope)
        if not name or name in self.statics:
            return
        self.types.add(name)
        keys = self.rng.sample(NAMES, self.rng.randint(1, 3))
        field = self.name()
        cls = Cls(name)
        cls.extra = {"enum": keys}
        if self.chance(.5) and field not in keys:
            self.emit(f"enum {name} {{ {', '.join(f'{k}({self.rng.randint(1, 9)})' for k in keys)}; final int {field}; {name}(int {field}) {{ this.{field} = {field}; }} }}")
            cls.fields = {field: NUM}
        else:
            self.emit(f"enum {name} {{ {', '.join(keys)} }}")
        cls.methods = {"ordinal": Fn([])}
        scope.vars[name] = cls
        self.later.append(name)

    def interface(self, scope):
        name, method = self.type_new(scope), self.name()
        if not name or name in self.statics:
            return
        self.types.add(name)
        cls = Cls(name)
        params = [Param(n) for n in self.rng.sample(LOWER, self.rng.randint(0, 2))]
        cls.methods = {method: Fn(params)}
        cls.extra = {"interface": True}
        cls.abstract = True
        other = self.rng.choice([n for n in LOWER if n != method])
        default = f" default int {other}() {{ return {method}({', '.join('1' for _ in params)}) + 1; }}" if self.chance(.4) else ""
        constant = f" int {self.rng.choice(LOWER)} = 4;" if self.chance(.2) else ""
        self.emit(f"interface {name} {{ int {method}({', '.join('int ' + p.name for p in params)});{default}{constant} }}")
        scope.vars[name] = cls
        made = self.type_new(scope)
        if made and made not in self.statics and self.chance(.6):
            self.types.add(made)
            own = [Param(n) for n in self.rng.sample(LOWER, len(params))]
            inner = Scope("function", scope)
            inner.vars = {p.name: NUM for p in own}
            self.emit(f"static class {made} implements {name} {{ public int {method}({', '.join('int ' + p.name for p in own)}) {{ return {self.number(inner, 1)}; }} }}")
            third = Cls(made)
            third.base = cls
            third.methods = {method: Fn(own), **({other: Fn([])} if default else {})}
            third.extra = {"init": []}
            scope.vars[made] = third
            self.later.append(made)


class Counter(Hidden):
    pass


def write(rng, scope, budget, holder, nests, access="", public=False):
    writer = Java(rng)
    writer.holder, writer.nests, writer.access, writer.public = holder, nests, access, public
    writer.statics, writer.later, writer.shows, writer.types, writer.labels = {}, [], [], set(), []
    writer.budget = budget
    writer.indent = 1
    guard = 50
    while writer.budget > 0 and guard:
        guard -= 1
        writer.member(scope)
    return writer


def generate(rng):
    files = {}
    main = Scope("module", None)
    head = []
    if rng.random() < .45:
        scope = Scope("module", None)
        writer = write(rng, scope, rng.randint(3, 6), "Util", False, "public ")
        files["q/Util.java"] = "\n".join(["package q;", "", "public class Util {", *writer.lines, "}"]) + "\n"
        form = rng.random()
        if form < .35:
            head.append("import static q.Util.*;")
            main.vars.update(writer.statics)
        elif form < .6 and writer.statics:
            name = rng.choice(list(writer.statics))
            head.append(f"import static q.Util.{name};")
            main.vars[name] = writer.statics[name]
        else:
            head.append("import q.Util;")
            main.vars["Util"] = Mod(writer.statics)
    if rng.random() < .5:
        scope = Scope("module", None)
        writer = write(rng, scope, rng.randint(2, 5), "Side", True)
        files["Side.java"] = "\n".join(["class Side {", *writer.lines, "}"]) + "\n"
        main.vars["Side"] = Mod({n: d for n, d in scope.vars.items() if not isinstance(d, Hidden)})
    scope = Scope("module", main)
    writer = write(rng, scope, rng.randint(6, 11), "Main", True)
    writer.emit("public static void main(String[] args) {")
    writer.indent += 1
    body = Scope("function", scope)
    for name in writer.later:
        for _ in range(2):
            writer.emit(f"System.out.println({writer.value_of(name, scope.vars[name], body, 1)});")
    for text in writer.shows:
        writer.emit(f"System.out.println({text});")
    writer.budget = rng.randint(2, 5)
    while writer.budget > 0:
        writer.statement(body, 1)
    for _ in range(4):
        writer.emit(f"System.out.println({writer.number(body)});")
    writer.indent -= 1
    writer.emit("}")
    files["Main.java"] = "\n".join([*head, "class Main {", *writer.lines, "}"]) + "\n"
    return files
