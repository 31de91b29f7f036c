"""Random Python programs, and their runner."""
import json
import os
import re
import subprocess
import sys

from languages.common import NAMES, places_in, weighted

CHECK = "py"
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python_worker.py")
SKIPPED = re.compile(r"""#[^\n]*|(?<![fF])"{3}.*?"{3}|[fF]?"(?:[^"\\\n]|\\.)*"|[fF]?'(?:[^'\\\n]|\\.)*'""", re.S)
HOLES = re.compile(r"(?<=\{)[^{}\"]*(?=\})")


class Runner:
    def __init__(self, scratch):
        self.child = None

    def run_many(self, programs):
        results = []
        for files in programs:
            if self.child is None or self.child.poll() is not None:
                self.child = subprocess.Popen([sys.executable, "-B", "-W", "ignore", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                              stderr=subprocess.DEVNULL, text=True)
            self.child.stdin.write(json.dumps(files) + "\n")
            self.child.stdin.flush()
            results.append(tuple(json.loads(self.child.stdout.readline())))
        return results


def places(files):
    rows = []
    for path, text in files.items():
        dead_f = {path: text}
        # Holes count only in f-strings: other strings' braces are blanked first.
        blank = re.sub(r"""(?<![fF])(["'])(?:(?!\1)[^\\\n]|\\.)*\1""", lambda m: m.group().replace("{", " ").replace("}", " "), text)
        dead_f[path] = blank
        rows += places_in(dead_f, NAMES, SKIPPED, HOLES, (".py",))
    return rows


FEATURES = {
    "star import": r"import \*", "star import and all": r"__all__", "match": r"\bmatch\b", "global": r"\bglobal\b", "nonlocal": r"\bnonlocal\b", "class": r"\bclass\b", "property": r"@property",
    "namedtuple": r"[nN]amed[tT]uple", "dataclass": r"dataclass", "enum": r"enum\.", "lambda": r"\blambda\b", "comprehension": r"[\[({][^\n]*\bfor\b", "double star": r"\*\*", "walrus": r":=",
    "super": r"super\(", "text attribute": r"[gs]etattr", "delegation": r"__getattr__", "except as": r"except \w+ as", "decorator": r"@\w", "import": r"\bimport\b", "del": r"\bdel\b",
    "slots": r"__slots__", "nested function": r"\n +def [^(]*\((?!self|cls)", "format": r"[fF]\"", "annotation": r"\w: \w+ =", "staticmethod(": r"staticmethod\(",
}


class Num:
    pass


NUM = Num()


class Fn:
    def __init__(self, params):
        self.params = params


class Param:
    def __init__(self, name, kind, default, desc=NUM):
        self.name, self.kind, self.default, self.desc = name, kind, default, desc


class Cls:
    def __init__(self, init):
        self.init = init            # parameters of the constructor
        self.members = {}           # name -> (where, desc): "class", "self", "method", "static", "classmethod", "property", "nested"
        self.base = None
        self.enum = False
        self.slots = False
        self.match = None


class Obj:
    def __init__(self, cls):
        self.cls = cls


class Mod:
    def __init__(self, exports):
        self.exports = exports


class Rec:
    def __init__(self, keys):
        self.keys = keys


class Lst:
    def __init__(self, item):
        self.item = item


class Deco:
    pass


class Scope:
    walrus = True

    def __init__(self, kind, parent, local=()):
        self.kind, self.parent, self.local = kind, parent, set(local)
        self.vars = {}

    def visible(self):
        found, hidden = {}, set()
        scope, first = self, True
        while scope:
            if scope.kind != "class" or first:
                for name, desc in scope.vars.items():
                    if name not in hidden and name not in found:
                        found[name] = desc
                if scope.kind == "function":
                    hidden |= scope.local - set(scope.vars) - set(found)
            scope, first = scope.parent, False
        return found

    def module(self):
        scope = self
        while scope.parent:
            scope = scope.parent
        return scope

    def holder(self):
        scope = self.parent
        while scope and scope.kind == "class":
            scope = scope.parent
        return scope


class Writer:
    def __init__(self, rng, files):
        self.rng, self.files = rng, files
        self.lines, self.indent = [], 0
        self.imports = set()
        self.budget = 0
        self.loops = 0

    # Draws

    def chance(self, share):
        return self.rng.random() < share

    def name(self):
        return self.rng.choice(NAMES)

    def fit(self, scope, kind):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, kind)]
        return self.rng.choice(rows) if rows else None

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def need(self, line):
        self.imports.add(line)

    # Expressions

    def number(self, scope, depth=2):
        rng = self.rng
        visible = list(scope.visible().items())
        if depth < 0:
            simple = [n for n, d in visible if isinstance(d, Num)]
            return rng.choice(simple) if simple and self.chance(.6) else self.literal(scope, depth)
        rows = [(1, self.literal)]
        if visible:
            rows.append((8, self.from_name))
        if depth > 0:
            rows += [(3, self.operation), (0.6, self.conditional), (0.6, self.lambda_call), (0.9, self.comprehension), (0.4, self.formatted), (0.3, self.text_length),
                     (0.3, self.literal_record)]
            if scope.kind == "function" and scope.local and scope.walrus or scope.kind == "module":
                rows.append((0.35, self.walrus))
        return weighted(rng, rows)(scope, depth)

    def literal(self, scope, depth):
        return str(self.rng.randint(2, 9))

    def operation(self, scope, depth):
        sign = self.rng.choice(["+", "+", "-", "*", "|"])
        end = " % 97" if self.chance(.1) else ""
        return f"({self.number(scope, depth - 1)} {sign} {self.number(scope, depth - 1)}{end})"

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} if {self.number(scope, depth - 1)} % 2 else {self.number(scope, depth - 1)})"

    def lambda_call(self, scope, depth):
        inner = Scope("function", scope)
        names = self.rng.sample(NAMES, self.rng.randint(1, 2))
        first, rest = names[0], names[1:]
        text = first
        for other in rest:
            text += f", {'*, ' if self.chance(.3) else ''}{other}={self.number(scope, depth - 1)}"
        for name in names:
            inner.vars[name] = NUM
        inner.local = set(names)
        arguments = self.number(scope, depth - 1) if self.chance(.6) else f"{first}={self.number(scope, depth - 1)}"
        if rest and self.chance(.4):
            arguments += f", {rest[0]}={self.number(scope, depth - 1)}"
        return f"(lambda {text}: {self.number(inner, depth - 1)})({arguments})"

    def comprehension(self, scope, depth):
        inner = Scope("function", scope)
        inner.walrus = False
        name = self.name()
        inner.vars[name] = NUM
        inner.local = {name}
        listed = self.fit(scope, Lst)
        if listed and self.chance(.7):
            source = listed[0]
            inner.vars[name] = listed[1].item
        else:
            source = f"range({self.rng.randint(2, 3)})" if self.chance(.5) else f"[{self.number(scope, 0)}, {self.number(scope, 0)}]"
        body = self.number(inner, depth - 1)
        condition = f" if {self.number(inner, 0)} % 3" if self.chance(.3) else ""
        more = ""
        if self.chance(.25):
            second = self.name()
            more = f" for {second} in range({self.rng.randint(1, 2)})"
            inner.vars[second] = NUM
            inner.local = inner.local | {second}
            body = self.number(inner, depth - 1)
        form = self.rng.randint(0, 3)
        if form == 0:
            return f"sum([{body} for {name} in {source}{condition}{more}])"
        if form == 1:
            return f"sum({{{self.rng.randint(0, 3)} + {body}: {body} for {name} in {source}{condition}{more}}}.values())"
        return f"sum({body} for {name} in {source}{condition}{more})"

    def formatted(self, scope, depth):
        found = self.fit(scope, Num)
        if not found:
            return self.literal(scope, depth)
        spec = self.rng.choice(["", ":d", ":>3", "!r"])
        return f"int(f\"{{{found[0]}{spec}}}\")"

    def text_length(self, scope, depth):
        return f"len(\"{self.name()}\")"

    def literal_record(self, scope, depth):
        a, b = self.rng.sample(NAMES, 2)
        if self.chance(.5):
            return f"{{\"{a}\": {self.number(scope, depth - 1)}, \"{b}\": {self.number(scope, depth - 1)}}}[\"{a}\"]"
        return f"dict({a}={self.number(scope, depth - 1)}, {b}={self.number(scope, depth - 1)})[\"{b}\"]"

    def walrus(self, scope, depth):
        names = [n for n in (scope.local if scope.kind == "function" else NAMES) if isinstance(scope.vars.get(n, NUM), Num)]
        if not names:
            return self.literal(scope, depth)
        name = self.rng.choice(sorted(names))
        value = self.number(scope, depth - 1)
        return f"({name} := {value})"

    def from_name(self, scope, depth):
        rows = [(n, d) for n, d in scope.visible().items() if not isinstance(d, Deco)]
        if not rows:
            return self.literal(scope, depth)
        name, desc = self.rng.choice(rows)
        return self.value_of(name, desc, scope, depth)

    def value_of(self, text, desc, scope, depth):
        """A number made from an expression of a description."""
        rng = self.rng
        if isinstance(desc, Num):
            return text
        if isinstance(desc, Fn):
            return f"{text}({self.arguments(desc.params, scope, depth - 1)})"
        if isinstance(desc, Cls):
            return self.of_class(text, desc, scope, depth)
        if isinstance(desc, Obj):
            return self.of_object(text, desc.cls, scope, depth)
        if isinstance(desc, Mod):
            rows = [(n, d) for n, d in desc.exports.items() if not isinstance(d, Deco)]
            if not rows:
                return "1"
            name, inner = rng.choice(rows)
            if isinstance(inner, Num) and self.chance(.05):
                return f"getattr({text}, \"{name}\")"
            return self.value_of(f"{text}.{name}", inner, scope, depth)
        if isinstance(desc, Rec):
            if self.chance(.3):
                return f"sum({text}.values())"
            key = rng.choice(desc.keys)
            return rng.choice([f"{text}[\"{key}\"]", f"{text}[\"{key}\"]", f"{text}.get(\"{key}\", 0)", f"(lambda {key}, **_: {key})(**{text})"])
        if isinstance(desc, Lst):
            if isinstance(desc.item, Num):
                return rng.choice([f"sum({text})", f"{text}[0]", f"len({text})", f"sum(map(lambda {self.name()}: 3, {text}))"])
            if self.chance(.5):
                inner = Scope("function", scope)
                inner.walrus = False
                name = self.name()
                inner.local, inner.vars = {name}, {name: desc.item}
                return f"sum({self.value_of(name, desc.item, inner, depth)} for {name} in {text})"
            return self.value_of(f"{text}[0]", desc.item, scope, depth)
        return "1"

    def of_class(self, text, cls, scope, depth):
        if cls.enum:
            name = self.rng.choice(list(cls.members))
            return self.rng.choice([f"{text}.{name}.value", f"{text}.{name}.value", f"{text}[\"{name}\"].value", f"sum(e.value for e in {text})"])
        rows = [(n, w, d) for n, (w, d) in cls.members.items() if w in ("class", "static", "classmethod", "nested")]
        if rows and self.chance(.5):
            name, _, desc = self.rng.choice(rows)
            return self.value_of(f"{text}.{name}", desc, scope, depth)
        return self.of_object(f"{text}({self.arguments(cls.init, scope, depth - 1)})", cls, scope, depth)

    def of_object(self, text, cls, scope, depth):
        rows = [(n, w, d) for n, (w, d) in cls.members.items()]
        if cls.enum or not rows:
            return "2"
        name, where, desc = self.rng.choice(rows)
        if isinstance(desc, Num) and self.chance(.05):
            return f"getattr({text}, \"{name}\")"
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def of_desc(self, desc, scope, depth):
        """An expression of a description."""
        if isinstance(desc, Num):
            return self.number(scope, depth)
        if isinstance(desc, Obj):
            rows = []
            if depth < -6:
                return "None"
            for name, other in scope.visible().items():
                if isinstance(other, Obj) and self.below(other.cls, desc.cls):
                    rows.append(name)
                if isinstance(other, Cls) and self.below(other, desc.cls) and not other.enum:
                    rows.append(f"{name}({self.arguments(other.init, scope, min(depth - 1, -1))})")
                if isinstance(other, Mod):
                    for inner, third in other.exports.items():
                        if isinstance(third, Cls) and self.below(third, desc.cls) and not third.enum:
                            rows.append(f"{name}.{inner}({self.arguments(third.init, scope, min(depth - 1, -1))})")
            if rows:
                return self.rng.choice(rows)
        if isinstance(desc, Rec):
            for name, other in scope.visible().items():
                if isinstance(other, Rec) and set(other.keys) >= set(desc.keys):
                    return name
            return "{" + ", ".join(f"\"{k}\": {self.number(scope, depth - 1)}" for k in desc.keys) + "}"
        return "None"

    def below(self, cls, base):
        while cls:
            if cls is base:
                return True
            cls = cls.base
        return False

    def arguments(self, params, scope, depth):
        parts, named, spread = [], [], {}
        by_name = False
        for param in params:
            value = self.of_desc(param.desc, scope, depth)
            if param.kind == "star":
                if not by_name:
                    parts += [self.number(scope, depth - 1) for _ in range(self.rng.randint(0, 2))]
                continue
            if param.kind == "dstar":
                free = [n for n in NAMES if n not in [p.name for p in params]]
                if free and self.chance(.5):
                    named.append(f"{self.rng.choice(free)}={self.number(scope, depth - 1)}")
                continue
            if param.default and self.chance(.4):
                by_name = True
                continue
            if param.kind == "posonly":
                if by_name:
                    continue
                parts.append(value)
            elif param.kind == "kw" or by_name or self.chance(.35):
                if param.kind == "pos":
                    by_name = True
                if self.chance(.08):
                    spread[param.name] = value
                else:
                    named.append(f"{param.name}={value}")
            else:
                parts.append(value)
        if len(parts) > 1 and not by_name and self.chance(.08):
            parts = [f"*[{', '.join(parts)}]"]
        if spread:
            named.append("**{" + ", ".join(f"\"{k}\": {v}" for k, v in spread.items()) + "}")
        return ", ".join(parts + named)

    # Statements

    def bind(self, scope, name, desc):
        scope.vars[name] = desc

    def target(self, scope):
        """A name that may be bound to a number here."""
        if scope.kind == "function":
            names = [n for n in scope.local if isinstance(scope.vars.get(n, NUM), Num)]
        else:
            names = [n for n in NAMES if isinstance(scope.vars.get(n, NUM), Num) or self.chance(.03)]
        return self.rng.choice(sorted(names)) if names else None

    def new_target(self, scope):
        """A name that may be bound to anything here."""
        pool = sorted(scope.local) if scope.kind == "function" else NAMES
        free = [n for n in pool if n not in scope.vars]
        if free and self.chance(.95):
            return self.rng.choice(free)
        return None

    def statement(self, scope, depth):
        self.budget -= 1
        rows = [(4, self.assign), (1, self.augment), (0.8, self.unpack), (1, self.loop), (0.8, self.branch), (0.6, self.attempt), (0.7, self.match), (0.5, self.record),
                (0.5, self.listing), (0.8, self.make_object), (0.4, self.set_member), (0.3, self.with_block), (0.25, self.delete), (0.3, self.lambda_bound), (0.3, self.alias),
                (0.2, self.annotated)]
        if depth < 2:
            rows += [(1.2, self.function)]
        if depth < 2 and scope.kind != "class":
            rows += [(0.8 if scope.kind == "module" else 0.25, self.classes)]
        if scope.kind == "module":
            rows += [(2.5, self.function), (1.5, self.classes), (0.35, self.decorator), (1.5, self.show)]
        if scope.kind != "class" and depth < 2:
            rows.append((1.4, self.idiom))
        if scope.kind == "function":
            rows += [(0.2, self.inner_import)]
        weighted(self.rng, rows)(scope, depth)

    def block(self, scope, depth, count):
        before = len(self.lines)
        self.indent += 1
        for _ in range(count):
            if self.budget > 0:
                self.statement(scope, depth)
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= 1

    def guarded(self, scope, depth, count):
        """A block that may not run: what it binds first is not bound afterwards."""
        before = dict(scope.vars)
        self.block(scope, depth, count)
        scope.vars = {n: d for n, d in scope.vars.items() if n in before and type(d) is type(before[n])}
        for name, desc in before.items():
            scope.vars.setdefault(name, desc)

    def assign(self, scope, depth):
        name = self.target(scope)
        if not name:
            return
        value = self.number(scope)
        if scope.kind == "class" and name in scope.parent.visible() and isinstance(scope.parent.visible()[name], Num) and name not in scope.vars and self.chance(.3):
            value = name
        other = self.target(scope) if self.chance(.1) else None
        if other:
            self.emit(f"{name} = {other} = {value}")
            self.bind(scope, other, NUM)
        else:
            self.emit(f"{name} = {value}")
        self.bind(scope, name, NUM)

    def annotated(self, scope, depth):
        name = self.target(scope)
        if name and name not in getattr(scope, "declared", ()):
            self.emit(f"{name}: int = {self.number(scope)}")
            self.bind(scope, name, NUM)

    def augment(self, scope, depth):
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num)]
        if rows:
            self.emit(f"{self.rng.choice(sorted(rows))} {self.rng.choice(['+=', '-=', '*='])} {self.number(scope)}")

    def unpack(self, scope, depth):
        a, b = self.target(scope), self.target(scope)
        if not a or not b or a == b:
            return
        if self.chance(.3) and b not in scope.vars:
            self.emit(f"{a}, *{b} = {self.number(scope)}, {self.number(scope)}, {self.number(scope)}")
            self.bind(scope, b, Lst(NUM))
        else:
            self.emit(self.rng.choice([f"{a}, {b} = {self.number(scope)}, {self.number(scope)}", f"[{a}, ({b}, _)] = {self.number(scope)}, ({self.number(scope)}, 0)"]))
            self.bind(scope, b, NUM)
        self.bind(scope, a, NUM)

    def loop(self, scope, depth):
        name = self.target(scope)
        if not name or self.loops > 1:
            return
        listed = self.fit(scope, Lst)
        item = NUM
        if listed and self.chance(.5) and (isinstance(listed[1].item, Num) or name not in scope.vars):
            source, item = listed[0], listed[1].item
        elif self.chance(.2):
            other = self.target(scope)
            if other and other != name:
                self.emit(f"for {other}, {name} in enumerate([{self.number(scope, 1)}, {self.number(scope, 1)}]):")
                source = None
                self.bind(scope, other, NUM)
            else:
                source = "range(2)"
        else:
            source = self.rng.choice([f"range({self.rng.randint(2, 3)})", f"({self.number(scope, 1)}, {self.number(scope, 1)})"])
        if source:
            self.emit(f"for {name} in {source}:")
        self.bind(scope, name, item)
        self.loops += 1
        self.guarded(scope, max(depth, 2), self.rng.randint(1, 2))
        self.loops -= 1
        if self.chance(.15):
            self.emit("else:")
            self.guarded(scope, max(depth, 2), 1)

    def branch(self, scope, depth):
        name = self.target(scope)
        self.emit(f"if {self.number(scope)} % 2:")
        if name and self.chance(.6):
            self.indent += 1
            self.emit(f"{name} = {self.number(scope)}")
            self.indent -= 1
            self.guarded(scope, max(depth, 2), 1) if self.chance(.5) else None
            self.emit("else:")
            self.indent += 1
            self.emit(f"{name} = {self.number(scope)}")
            self.indent -= 1
            self.bind(scope, name, NUM)
        else:
            self.guarded(scope, max(depth, 2), 1)

    def attempt(self, scope, depth):
        name = self.target(scope)
        if not name:
            return
        caught = self.new_target(scope)
        self.emit("try:")
        self.indent += 1
        self.emit(f"{name} = {self.number(scope)}" + (" // 0" if self.chance(.5) else ""))
        self.indent -= 1
        self.emit(f"except ZeroDivisionError{' as ' + caught if caught and caught != name else ''}:")
        self.indent += 1
        self.emit(f"{name} = {self.number(scope, 1)}" + (f" + len({caught}.args)" if caught and caught != name else ""))
        self.indent -= 1
        if self.chance(.2):
            self.emit("finally:")
            self.indent += 1
            self.emit(f"{name} = {self.number(scope, 1)}")
            self.indent -= 1
        self.bind(scope, name, NUM)
        if caught and caught != name:
            scope.vars.pop(caught, None)

    def match(self, scope, depth):
        name, other = self.target(scope), self.target(scope)
        if not name or not other or name == other:
            return
        found = self.fit(scope, Obj)
        rows = []
        if found:
            keys = [n for n, (w, d) in found[1].cls.members.items() if isinstance(d, Num)]
            classes = [n for n, d in scope.visible().items() if isinstance(d, Cls) and d is found[1].cls]
            if keys and classes:
                rows.append((f"match {found[0]}:", f"case {classes[0]}({self.rng.choice(keys)}={name}):"))
        record = self.fit(scope, Rec)
        if record:
            rows.append((f"match {record[0]}:", f"case {{\"{self.rng.choice(record[1].keys)}\": {name}}}:"))
        rows.append((f"match [{self.number(scope, 1)}, {self.number(scope, 1)}]:", f"case [{name}, *_]:"))
        rows.append((f"match {self.number(scope, 1)}:", f"case int() as {name}:"))
        rows.append((f"match ({self.number(scope, 1)}, 2):", f"case (0, {name}) | ({name}, 2) if {name} != 5:"))
        head, case = self.rng.choice(rows)
        self.emit(head)
        self.indent += 1
        self.emit(case)
        self.indent += 1
        self.bind(scope, name, NUM)
        self.emit(f"{other} = {self.number(scope, 1)} + {name}")
        self.indent -= 1
        self.emit("case _:")
        self.indent += 1
        self.emit(f"{other} = {name} = {self.number(scope, 0)}")
        self.indent -= 2
        self.bind(scope, other, NUM)

    def record(self, scope, depth):
        name = self.new_target(scope)
        if not name:
            return
        keys = self.rng.sample(NAMES, self.rng.randint(1, 3))
        if self.chance(.5):
            text = "{" + ", ".join(f"\"{k}\": {self.number(scope, 1)}" for k in keys) + "}"
        else:
            text = "dict(" + ", ".join(f"{k}={self.number(scope, 1)}" for k in keys) + ")"
        self.emit(f"{name} = {text}")
        self.bind(scope, name, Rec(keys))

    def listing(self, scope, depth):
        name = self.new_target(scope)
        if not name:
            return
        found = self.fit(scope, Cls)
        if found and not found[1].enum and self.chance(.7):
            note = f": list[{found[0]}]" if self.chance(.3) and scope.kind != "class" and name not in getattr(scope, "declared", ()) else ""
            self.emit(f"{name}{note} = [{found[0]}({self.arguments(found[1].init, scope, 0)}), {found[0]}({self.arguments(found[1].init, scope, 0)})]")
            self.bind(scope, name, Lst(Obj(found[1])))
        else:
            self.emit(f"{name} = [{self.number(scope)}, {self.number(scope)}]")
            self.bind(scope, name, Lst(NUM))

    def make_object(self, scope, depth):
        name = self.new_target(scope)
        found = self.fit(scope, Cls)
        if name and found and not found[1].enum:
            note = f": {found[0]}" if self.chance(.15) and name not in getattr(scope, "declared", ()) else ""
            self.emit(f"{name}{note} = {found[0]}({self.arguments(found[1].init, scope, 0)})")
            self.bind(scope, name, Obj(found[1]))

    def set_member(self, scope, depth):
        found = self.fit(scope, Obj)
        if found:
            rows = [n for n, (w, d) in found[1].cls.members.items() if w in ("self", "class") and isinstance(d, Num)]
            if rows and not found[1].cls.slots:
                key = self.rng.choice(rows)
                if self.chance(.85):
                    self.emit(f"{found[0]}.{key} {self.rng.choice(['=', '+='])} {self.number(scope, 1)}")
                else:
                    self.emit(f"setattr({found[0]}, \"{key}\", {self.number(scope, 1)})")

    def with_block(self, scope, depth):
        name = self.target(scope)
        if name:
            self.need("import contextlib")
            self.emit(f"with contextlib.nullcontext({self.number(scope)}) as {name}:")
            self.bind(scope, name, NUM)
            self.block(scope, max(depth, 2), 1)

    def delete(self, scope, depth):
        rows = [n for n, d in scope.vars.items() if isinstance(d, Num)]
        if rows and scope.kind != "class" and self.loops == 0 and depth < 2:
            name = self.rng.choice(sorted(rows))
            self.emit(f"del {name}")
            del scope.vars[name]

    def lambda_bound(self, scope, depth):
        name = self.new_target(scope)
        if name:
            inner = Scope("function", scope)
            names = self.rng.sample(NAMES, self.rng.randint(1, 2))
            inner.local = set(names)
            inner.vars = {n: NUM for n in names}
            self.emit(f"{name} = lambda {names[0]}{''.join(f', {n}={self.number(scope, 1)}' for n in names[1:])}: {self.number(inner)}")
            self.bind(scope, name, Fn([Param(n, "pos", i > 0) for i, n in enumerate(names)]))

    def alias(self, scope, depth):
        name = self.new_target(scope)
        found = self.fit(scope, (Fn, Cls, Obj))
        if name and found and scope.kind != "class":
            self.emit(f"{name} = {found[0]}")
            self.bind(scope, name, found[1])

    def declare(self, scope, depth):
        outer = scope.holder()
        found = [n for n, d in scope.module().vars.items() if isinstance(d, Num) and n not in scope.vars and n not in scope.local]
        rows = [n for n, d in outer.vars.items() if isinstance(d, Num) and n not in scope.vars and n not in scope.local] if outer and outer.kind == "function" and outer.parent else []
        if rows and self.chance(.7):
            name = self.rng.choice(sorted(rows))
            self.emit(f"nonlocal {name}")
        elif found:
            name = self.rng.choice(sorted(found))
            self.emit(f"global {name}")
        else:
            return
        scope.declared = getattr(scope, "declared", set()) | {name}
        self.emit(f"{name} {self.rng.choice(['=', '+='])} {self.rng.randint(1, 5)}")

    def inner_import(self, scope, depth):
        name = self.new_target(scope)
        modules = [(m, e) for m, e in self.known if e]
        if name and modules:
            module, exports = self.rng.choice(modules)
            other, desc = self.rng.choice(list(exports.items()))
            self.emit(f"from {module} import {other} as {name}" if other != name else f"from {module} import {other}")
            self.bind(scope, name, desc)

    def show(self, scope, depth):
        self.emit(f"print({self.number(scope)})")

    # Idioms: each binds a new name to something that its own lines make

    def idiom(self, scope, depth):
        name = self.new_target(scope)
        if name:

            def value():
                return self.number(scope, 1)

            a, b, c = self.rng.sample(NAMES, 3)
            self.rng.choice([self.partial, self.typed_dict, self.getter, self.by_format, self.table_of, self.made_type, self.protocol, self.computed, self.inherited_fields, self.listed_match, self.raised, self.managed,
                             self.meta, self.property_call, self.class_decorator, self.reads_vars, self.closure_counter, self.conditional_import, self.called_type, self.chained, self.star_call, self.registry])(scope, name, a, b, c, value)

    def bound(self, scope, name):
        self.bind(scope, name, NUM)

    def lines_of(self, text):
        for line in text.split("\n"):
            self.emit(line)

    def partial(self, scope, name, a, b, c, value):
        self.need("import functools")
        if scope.kind == "module" and b != name:
            self.lines_of(f"def {name}({a}, {b}=2):\n    return {a} * 3 + {b}")
            word = self.rng.choice([f"functools.partial({name}, {b}={value()})({value()})", f"functools.partial({name}, {a}={value()})()", f"{name}(**dict({a}={value()}))"])
            self.bind(scope, name, Fn([Param(a, "pos", False), Param(b, "pos", True)]))
            self.emit(f"print({word})")

    def typed_dict(self, scope, name, a, b, c, value):
        self.need("from typing import TypedDict")
        self.lines_of(f"class {name}(TypedDict):\n    {a}: int\n    {b}: int")
        self.emit(f"{c if c in getattr(scope, 'local', ()) or scope.kind == 'module' and c not in scope.vars and c != name else 'other'}: {name} = {name}({a}={value()}, {b}={value()})")
        target = self.lines[-1].strip().split(":")[0]
        self.bind(scope, name, Deco0)
        if target != "other":
            self.bind(scope, target, Rec([a, b]))
        self.emit(f"print({target}[\"{a}\"])")

    def getter(self, scope, name, a, b, c, value):
        self.need("import operator")
        self.lines_of(f"class {name}:\n    {a} = {value()}\n    def {b}(self, {c}=1):\n        return self.{a} + {c}")
        self.emit(self.rng.choice([f"print(operator.attrgetter(\"{a}\")({name}()))", f"print(operator.methodcaller(\"{b}\", {c}=2)({name}()))", f"print(max([{name}()], key=lambda {c}: {c}.{a}).{a})", f"print(hasattr({name}, \"{a}\") + {name}.{a})"]))
        self.bind(scope, name, self.small(a, b, c))

    def small(self, a, b, c):
        cls = Cls([])
        cls.members = {a: ("class", NUM), b: ("method", Fn([Param(c, "pos", True)]))}
        return cls

    def by_format(self, scope, name, a, b, c, value):
        self.emit(f"{name} = " + self.rng.choice([f"int(\"{{{a}}}\".format({a}={value()}))", f"int(\"%({a})d\" % {{\"{a}\": {value()}}})", f"int(\"{{{a}[{b}]}}\".format({a}={{\"{b}\": {value()}}}))"]))
        self.bound(scope, name)

    def table_of(self, scope, name, a, b, c, value):
        if scope.kind == "module":
            self.lines_of(f"def {name}({a}):\n    return {a} + 1")
            self.bind(scope, name, Fn([Param(a, "pos", False)]))
            self.emit(f"print({{\"{name}\": {name}, \"{b}\": {name}}}[\"{self.rng.choice([name, b])}\"]({value()}))")

    def made_type(self, scope, name, a, b, c, value):
        self.emit(f"{name} = " + self.rng.choice([f"type(\"{c}\", (), {{\"{a}\": {value()}, \"{b}\": lambda self, {c}: {c} + self.{a}}})", f"type(\"{name}\", (), dict({a}={value()}))"]))
        cls = Cls([])
        cls.members = {a: ("class", NUM)}
        cls.slots = True
        self.bind(scope, name, cls)

    def protocol(self, scope, name, a, b, c, value):
        self.need("from typing import Protocol")
        if scope.kind == "module" and c != name:
            self.lines_of(f"class {name}(Protocol):\n    {a}: int\n    def {b}(self) -> int: ...")
            self.lines_of(f"class Made:\n    def __init__(self):\n        self.{a} = {self.rng.randint(1, 9)}\n    def {b}(self):\n        return self.{a} + 2")
            self.lines_of(f"def read({c}: {name}):\n    return {c}.{a} + {c}.{b}()\nprint(read(Made()))")
            self.bind(scope, name, Deco0)

    def computed(self, scope, name, a, b, c, value):
        part = self.rng.choice([f"f\"{a[:1]}{{'{a[1:]}'}}\"", f"\"{a[:2]}\" + \"{a[2:]}\"", f"\"{a}\".lower()", f"[\"{a}\", \"{b}\"][0]"])
        self.lines_of(f"class {name}:\n    {a} = {value()}\n    {b} = 2")
        self.emit(f"print(getattr({name}, {part}) + {name}.{a})")
        cls = Cls([])
        cls.members = {a: ("class", NUM), b: ("class", NUM)}
        self.bind(scope, name, cls)

    def inherited_fields(self, scope, name, a, b, c, value):
        if scope.kind == "module":
            self.need("import dataclasses")
            self.need("from dataclasses import dataclass")
            self.lines_of(f"@dataclass\nclass Held:\n    {a}: int\n@dataclass\nclass {name}(Held):\n    {b}: int = dataclasses.field(default={self.rng.randint(1, 9)})")
            self.lines_of(f"    def __post_init__(self):\n        self.{a} += self.{b}")
            self.emit(f"print({name}({a}={value()}, {b}=2).{a}, dataclasses.asdict({name}(1))[\"{a}\"])" if self.chance(.5) else f"print(dataclasses.replace({name}(1), {b}={value()}).{a})")
            cls = Cls([Param(a, "pos", False), Param(b, "pos", True)])
            cls.members = {a: ("self", NUM), b: ("self", NUM)}
            self.bind(scope, name, cls)

    def listed_match(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}:\n    __match_args__ = (\"{a}\", \"{b}\")\n    def __init__(self, {a}, {b}):\n        self.{a} = {a}\n        self.{b} = {b}")
        self.lines_of(f"match {name}({value()}, {value()}):\n    case {name}(first, {b}=second):\n        print(first + second)")
        cls = Cls([Param(a, "pos", False), Param(b, "pos", False)])
        cls.members = {a: ("self", NUM), b: ("self", NUM)}
        self.bind(scope, name, cls)

    def raised(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}(ValueError):\n    def __init__(self, {a}):\n        self.{a} = {a}")
        self.lines_of(f"try:\n    raise {name}({a}={value()})\nexcept ValueError as error:\n    print(error.{a} if isinstance(error, {name}) else 0)")
        self.bind(scope, name, Deco0)

    def managed(self, scope, name, a, b, c, value):
        self.need("import contextlib")
        if scope.kind == "module":
            self.lines_of(f"@contextlib.contextmanager\ndef {name}({a}, *, {b}=3):\n    yield {a} + {b}")
            self.lines_of(f"with {name}({value()}, {b}={value()}) as held:\n    print(held)")
            self.bind(scope, name, Deco0)

    def meta(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}(type):\n    {a} = {value()}\n    def {b}(cls):\n        return cls.{a} + 1")
        self.lines_of(f"class Kind(metaclass={name}):\n    pass\nprint(Kind.{b}() + Kind.{a})")
        self.bind(scope, name, Deco0)

    def property_call(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}:\n    def {a}(self):\n        return {value()}\n    {b} = property({a})\n    {c} = {a}")
        self.emit(f"print({name}().{b} + {name}().{c}())")
        cls = Cls([])
        cls.members = {a: ("method", Fn([])), b: ("property", NUM), c: ("method", Fn([]))}
        cls.slots = True
        self.bind(scope, name, cls)

    def class_decorator(self, scope, name, a, b, c, value):
        if scope.kind == "module" and b != name:
            self.lines_of(f"def mark({a}):\n    {a}.{b} = {value()}\n    return {a}\n@mark\nclass {name}:\n    {c} = 1\nprint({name}.{b} + {name}.{c})")
            cls = Cls([])
            cls.members = {b: ("class", NUM), c: ("class", NUM)}
            self.bind(scope, name, cls)

    def reads_vars(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}:\n    def __init__(self, {a}, {b}=2):\n        self.{a} = {a}\n        self.{b} = {b}")
        self.emit("print(" + self.rng.choice([f"vars({name}({value()}))[\"{a}\"]", f"{name}({value()}).__dict__[\"{b}\"]", f"(lambda {a}, {b}: {a} + {b})(**vars({name}(1)))", f"sum(vars({name}(3)).values())"]) + ")")
        cls = Cls([Param(a, "pos", False), Param(b, "pos", True)])
        cls.members = {a: ("self", NUM), b: ("self", NUM)}
        self.bind(scope, name, cls)

    def closure_counter(self, scope, name, a, b, c, value):
        if a != name:
            self.lines_of(f"def {name}({a}):\n    {b} = 0\n    def {c}():\n        nonlocal {b}\n        {b} += {a}\n        return {b}\n    return {c}() + {c}()")
            self.bind(scope, name, Fn([Param(a, "pos", False)]))
            self.emit(f"print({name}({a}={value()}))")

    def conditional_import(self, scope, name, a, b, c, value):
        self.lines_of(f"try:\n    import {name}x as {name}\nexcept ImportError:\n    {name} = {value()}")
        self.bound(scope, name)

    def called_type(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}:\n    def __call__(self, {a}, {b}=2):\n        return {a} * 2 + {b}\n    def __getitem__(self, {c}):\n        return {c} + 1")
        self.emit(f"print({name}()({a}={value()}) + {name}()[{value()}])")
        self.bind(scope, name, Deco0)

    def chained(self, scope, name, a, b, c, value):
        self.lines_of(f"class {name}:\n    {c} = 1\n    def {a}(self):\n        self.{c} += 1\n        return self\n    def {b}(self) -> \"{name}\":\n        return {name}()")
        self.emit(f"print({name}().{a}().{a}().{b}().{c})")
        cls = Cls([])
        cls.members = {c: ("class", NUM)}
        self.bind(scope, name, cls)

    def star_call(self, scope, name, a, b, c, value):
        if a != name:
            self.lines_of(f"def {name}({a}, *{b}, {c}=1, **more):\n    return {a} + sum({b}) + {c} + more.get(\"{b}\", 0)")
            self.emit(f"print({name}({value()}, 2, {c}=3, {b}={value()}), {name}(**{{\"{a}\": 4}}, {c}=2))")
            self.bind(scope, name, Fn([Param(a, "pos", False), Param(b, "star", False, Lst(NUM)), Param(c, "kw", True)]))

    def registry(self, scope, name, a, b, c, value):
        if scope.kind == "module" and b != name:
            self.lines_of(f"{name} = {{}}\ndef enter({a}):\n    {name}[{a}.__name__] = {a}\n    return {a}\n@enter\ndef {b}({c}):\n    return {c} + 1\nprint(sum(f(2) for f in {name}.values()))")
            self.bind(scope, name, Deco0)
            self.bind(scope, b, Fn([Param(c, "pos", False)]))

    # Functions

    def parameters(self, scope, room=3, plain=False):
        rng = self.rng
        names = rng.sample(NAMES, rng.randint(0 if not plain else 1, room))
        params, stage, default = [], "pos", False
        posonly = len(names) > 1 and self.chance(.1)
        for at, name in enumerate(names):
            kind = stage
            if stage == "pos" and at > 0 and self.chance(.2):
                stage = kind = rng.choice(["kw", "star", "dstar"]) if at == len(names) - 1 else "kw"
                if kind in ("star", "dstar"):
                    params.append(Param(name, kind, False, Lst(NUM) if kind == "star" else NUM))
                    continue
            if stage in ("star", "dstar"):
                break
            if stage == "pos" and (default or self.chance(.3)):
                default = True
            desc = NUM
            found = self.fit(scope, Cls)
            if found and not found[1].enum and not default and self.chance(.3):
                desc = Obj(found[1])
            elif not default and self.chance(.05):
                desc = Rec(rng.sample(NAMES, 2))
            params.append(Param(name, "posonly" if posonly and at == 0 else kind, default if stage == "pos" else self.chance(.4) and isinstance(desc, Num), desc))
        return params

    def signature(self, params, scope):
        parts, kw = [], False
        for at, param in enumerate(params):
            if param.kind == "kw" and not kw:
                parts.append("*")
                kw = True
            text = {"star": "*", "dstar": "**"}.get(param.kind, "") + param.name
            note = ""
            if isinstance(param.desc, Obj):
                classes = [n for n, d in scope.visible().items() if isinstance(d, Cls) and d is param.desc.cls]
                if classes and self.chance(.6):
                    note = f": {classes[0]}" if self.chance(.8) else f": \"{classes[0]}\""
            elif isinstance(param.desc, Num) and self.chance(.2) and param.kind in ("pos", "kw"):
                note = ": int"
            text += note
            if param.default:
                text += f"{' = ' if note else '='}{self.number(scope, 1)}"
            parts.append(text)
            if param.kind == "posonly":
                parts.append("/")
        return ", ".join(parts)

    def body(self, params, scope, depth, own=None):
        inner = Scope("function", scope)
        names = [p.name for p in params]
        inner.local = set(names) | set(self.rng.sample(NAMES, self.rng.randint(0, 3)))
        for param in params:
            inner.vars[param.name] = param.desc if param.kind != "dstar" else Rec0
        if own:
            inner.vars["self"] = own
        self.indent += 1
        loops, self.loops = self.loops, 0
        if self.chance(.35):
            self.declare(inner, depth)
        for _ in range(self.rng.randint(0, 3)):
            if self.budget > 0:
                self.statement(inner, max(depth, 1))
        self.loops = loops
        return inner

    def function(self, scope, depth, name=None):
        name = name or self.new_target(scope)
        if not name:
            return
        params = self.parameters(scope)
        decorators = [n for n, d in scope.visible().items() if type(d) is Deco]
        if decorators and self.chance(.5):
            self.emit(f"@{self.rng.choice(decorators)}")
        kind = weighted(self.rng, [(8, "plain"), (1, "generator"), (0.5, "async"), (0.4, "cache"), (0.6, "recursive")])
        if kind == "generator":
            self.need("import functools")
            self.emit("@(lambda f: lambda *a, **k: sum(f(*a, **k)))")
        if kind == "cache" and all(isinstance(p.desc, Num) for p in params):
            self.need("import functools")
            self.emit("@functools.wraps(lambda: 0)") if self.chance(.1) else self.emit("@functools.lru_cache")
        if kind == "recursive":
            parameter = self.name()
            inner = Scope("function", scope, {parameter})
            inner.vars = {parameter: NUM}
            self.emit(f"def {name}({parameter}):")
            self.indent += 1
            if parameter != name:
                self.emit(f"return 1 if {parameter} <= 0 or {parameter} > 20 else {parameter} + {name}({parameter} - 1)")
            else:
                self.emit(f"return {self.number(inner)}")
            self.indent -= 1
            self.bind(scope, name, Fn([Param(parameter, "pos", False)]))
            self.after(scope, name)
            return
        note = " -> int" if self.chance(.2) else ""
        if kind == "async":
            self.need("import asyncio")
            self.emit("@(lambda f: lambda *a, **k: asyncio.run(f(*a, **k)))")
            self.emit(f"async def {name}({self.signature(params, scope)}):")
        else:
            self.emit(f"def {name}({self.signature(params, scope)}){note}:")
        inner = self.body(params, scope, depth + 1)
        if kind == "generator":
            self.emit(f"yield {self.number(inner)}")
            if self.chance(.3):
                self.emit(f"yield from [{self.number(inner)}]")
        else:
            self.emit(f"return {self.number(inner)}")
        self.indent -= 1
        self.bind(scope, name, Fn(params))
        self.after(scope, name)

    def after(self, scope, name):
        """Most definitions are used at once, so that most code runs."""
        if scope.kind == "module" and self.chance(.8):
            self.emit(f"print({self.value_of(name, scope.vars[name], scope, 1)})")

    def decorator(self, scope, depth):
        name = self.new_target(scope)
        if not name:
            return
        a, b = self.rng.sample(NAMES, 2)
        self.emit(f"def {name}({a}):")
        self.indent += 1
        if self.chance(.5):
            self.need("import functools")
            self.emit(f"@functools.wraps({a})")
        self.emit(f"def {b}(*args, **kwargs):")
        self.emit(f"    return {a}(*args, **kwargs) + {self.rng.randint(1, 5)}")
        self.emit(f"return {b}")
        self.indent -= 1
        self.bind(scope, name, Deco())

    # Classes

    def classes(self, scope, depth):
        name = self.new_target(scope)
        if not name:
            return
        weighted(self.rng, [(6, self.plain_class), (1.2, self.data_class), (0.6, self.enum_class), (0.7, self.named_tuple), (0.3, self.delegating_class)])(scope, depth, name)
        if name in scope.vars:
            self.after(scope, name)
            if self.chance(.5):
                self.after(scope, name)

    def plain_class(self, scope, depth, name):
        base = self.fit(scope, Cls) if self.chance(.45) else None
        if base and (base[1].enum or base[1].slots):
            base = None
        cls = Cls([])
        outside = ""
        if base:
            cls.base = base[1]
            cls.init = base[1].init
            cls.members = dict(base[1].members)
            head = f"class {name}({base[0]}):"
        else:
            outside = weighted(self.rng, [(10, ""), (0.4, "(abc.ABC)"), (0.3, "(dict)"), (0.3, "(Exception)"), (0.2, "(threading.Thread)")])
            head = f"class {name}{outside}:"
            if "." in outside:
                self.need("import " + outside[1:].split(".")[0])
        self.emit(head)
        self.indent += 1
        before = len(self.lines)
        inner = Scope("class", scope)
        if base is None and not outside and self.chance(.1):
            cls.slots = True
        for _ in range(self.rng.randint(0, 2)):
            if cls.slots:
                break
            key = self.name()
            if key in cls.members and cls.members[key][0] not in ("class", "self") or key in inner.vars:
                continue
            outer = scope.visible().get(key)
            if isinstance(outer, Num) and self.chance(.3) and scope.kind == "module":
                value = key
            else:
                value = self.number(inner, 1)
            self.emit(f"{key}{': int' if self.chance(.15) else ''} = {value}")
            inner.vars[key] = NUM
            cls.members[key] = (cls.members.get(key, ("class",))[0] if key in cls.members else "class", NUM)
        if self.chance(.1) and not cls.slots:
            key = self.name()
            if key not in cls.members:
                self.emit(f"for {key} in range(3):")
                self.emit("    pass")
                inner.vars[key] = NUM
                cls.members[key] = ("class", NUM)
        own = Obj(cls)
        if self.chance(.6) and not outside or cls.slots:
            params = self.parameters(scope, 3, plain=True)
            params = [p for p in params if p.kind in ("pos", "kw")]
            keys = [k for k in self.rng.sample(NAMES, self.rng.randint(1, 2)) if k not in cls.members or cls.members[k][0] in ("class", "self")]
            if cls.slots and keys:
                self.emit("__slots__ = (" + ", ".join(f"\"{k}\"" for k in keys) + ",)")
            self.emit(f"def __init__(self{', ' if params else ''}{self.signature(params, inner)}):")
            self.indent += 1
            start = len(self.lines)
            if base:
                self.emit(f"super().__init__({self.arguments(base[1].init, self.method_scope(params, inner), 0)})")
            body = self.method_scope(params, inner)
            cls.init = params
            done = []
            for key in keys:
                cls_desc = NUM
                found = self.fit(body, Obj)
                if found and self.chance(.3) and key not in cls.members:
                    value, cls_desc = found
                else:
                    value = self.number(body, 1)
                self.emit(f"self.{key} = {value}")
                done.append((key, cls_desc))
            for key, desc in done:
                cls.members[key] = ("self", desc)
            if len(self.lines) == start:
                self.emit("pass")
            self.indent -= 1
        for _ in range(self.rng.randint(1, 3)):
            if self.budget <= 0:
                break
            self.method(cls, inner, own, depth, base)
        if self.chance(.1) and depth < 1:
            key = self.name()
            if key not in cls.members:
                self.emit(f"class {key}:")
                nested = Cls([])
                other = self.name()
                self.emit(f"    {other} = {self.number(Scope('class', inner), 1)}")
                nested.members[other] = ("class", NUM)
                inner.vars[key] = nested
                cls.members[key] = ("nested", nested)
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= 1
        self.bind(scope, name, cls)

    def method_scope(self, params, inner):
        scope = Scope("function", inner, {p.name for p in params})
        scope.vars = {p.name: p.desc for p in params}
        return scope

    def method(self, cls, inner, own, depth, base):
        key = self.name()
        old = cls.members.get(key)
        kind = weighted(self.rng, [(6, "method"), (1.2, "property"), (0.8, "static"), (0.8, "classmethod"), (0.3, "setter"), (0.2, "wrapped")])
        if old:
            if old[0] == "method":
                kind, params = "method", old[1].params
            elif old[0] == "property":
                kind, params = "property", []
            else:
                return
        else:
            params = [p for p in self.parameters(inner, 2)]
        if cls.slots and kind in ("static",):
            return
        self.budget -= 1
        if kind == "method":
            self.emit(f"def {key}(self{', ' if params else ''}{self.signature(params, inner)}):")
            body = self.body(params, inner, depth + 1, own)
            value = self.number(body)
            if self.chance(.6):
                value = f"{self.of_object('self', cls, body, 1)} + {value}"
            if old and base and key in base[1].members and self.chance(.6):
                value = f"super().{key}({self.forward(params)}) + {value}"
            self.emit(f"return {value}")
            self.indent -= 1
            cls.members[key] = ("method", Fn(params))
        elif kind in ("property", "setter"):
            self.emit("@property")
            self.emit(f"def {key}(self):")
            body = self.body([], inner, depth + 1, own)
            self.emit(f"return {self.number(body)}")
            self.indent -= 1
            if kind == "setter":
                other = self.name()
                self.emit(f"@{key}.setter")
                self.emit(f"def {key}(self, {other}):")
                self.emit(f"    self.other = {other}")
            cls.members[key] = ("property", NUM)
        elif kind == "static":
            self.emit("@staticmethod")
            self.emit(f"def {key}({self.signature(params, inner)}):")
            body = self.body(params, inner, depth + 1)
            self.emit(f"return {self.number(body)}")
            self.indent -= 1
            cls.members[key] = ("static", Fn(params))
        elif kind == "classmethod":
            self.emit("@classmethod")
            self.emit(f"def {key}(cls{', ' if params else ''}{self.signature(params, inner)}):")
            body = self.body(params, inner, depth + 1)
            rows = [n for n, (w, d) in cls.members.items() if w == "class"]
            self.emit(f"return {self.number(body)}" + (f" + cls.{self.rng.choice(rows)}" if rows else ""))
            self.indent -= 1
            cls.members[key] = ("classmethod", Fn(params))
        else:
            outer = [(n, d) for n, d in inner.parent.visible().items() if isinstance(d, Fn)]
            if not outer:
                return
            name, desc = self.rng.choice(outer)
            self.emit(f"{key} = staticmethod({name})")
            cls.members[key] = ("static", desc)
        inner.vars[key] = Deco0

    def forward(self, params):
        parts = []
        for param in params:
            if param.kind in ("pos", "posonly"):
                parts.append(param.name)
            elif param.kind == "kw":
                parts.append(f"{param.name}={param.name}")
        return ", ".join(parts)

    def data_class(self, scope, depth, name):
        self.need("from dataclasses import dataclass")
        cls = Cls([])
        self.emit(self.rng.choice(["@dataclass", "@dataclass", "@dataclass(frozen=True)", "@dataclass(order=True)"]))
        self.emit(f"class {name}:")
        self.indent += 1
        inner = Scope("class", scope)
        default = False
        for key in self.rng.sample(NAMES, self.rng.randint(1, 3)):
            default = default or self.chance(.3)
            self.emit(f"{key}: int" + (f" = {self.number(inner, 1)}" if default else ""))
            cls.init = cls.init + [Param(key, "pos", default)]
            cls.members[key] = ("self", NUM)
            if default:
                inner.vars[key] = NUM
        if self.lines[-1] and "frozen" in "".join(self.lines[-5:]):
            cls.slots = True
        frozen = cls.slots
        cls.slots = False
        for _ in range(self.rng.randint(0, 2)):
            self.method(cls, inner, Obj(cls), depth, None)
        cls.slots = frozen
        self.indent -= 1
        self.bind(scope, name, cls)
        if self.chance(.25) and scope.kind == "module":
            self.need("import dataclasses")
            key = self.rng.choice([p.name for p in cls.init])
            self.emit(f"print(dataclasses.replace({name}({self.arguments(cls.init, scope, 0)}), {key}={self.number(scope, 0)}).{key})")

    def enum_class(self, scope, depth, name):
        self.need("import enum")
        cls = Cls([])
        cls.enum = True
        self.emit(f"class {name}({self.rng.choice(['enum.Enum', 'enum.IntEnum'])}):")
        keys = self.rng.sample(NAMES, self.rng.randint(1, 3))
        for at, key in enumerate(keys):
            self.emit(f"    {key} = {at * 3 + self.rng.randint(1, 3)}")
            cls.members[key] = ("class", NUM)
        self.bind(scope, name, cls)

    def named_tuple(self, scope, depth, name):
        cls = Cls([])
        keys = self.rng.sample(NAMES, self.rng.randint(1, 3))
        cls.init = [Param(k, "pos", False) for k in keys]
        if self.chance(.5):
            self.need("from typing import NamedTuple")
            self.emit(f"class {name}(NamedTuple):")
            for key in keys:
                self.emit(f"    {key}: int")
        else:
            self.need("import collections")
            listed = self.rng.choice(["[" + ", ".join(f"\"{k}\"" for k in keys) + "]", "\"" + " ".join(keys) + "\""])
            self.emit(f"{name} = collections.namedtuple(\"{name}\", {listed})")
        for key in keys:
            cls.members[key] = ("property", NUM)
        cls.slots = True
        self.bind(scope, name, cls)

    def delegating_class(self, scope, depth, name):
        found = self.fit(scope, Obj)
        if not found:
            return
        self.emit(f"class {name}:")
        self.emit("    def __getattr__(self, key):")
        self.emit(f"        return getattr({found[0]}, key)")
        cls = Cls([])
        cls.members = {n: ("property", d) if isinstance(d, Num) else (w, d) for n, (w, d) in found[1].cls.members.items() if w != "nested"}
        self.bind(scope, name, cls)
        scope.vars[name] = cls
        cls.slots = True


class Opaque(Deco):
    pass


Rec0 = Opaque()
Deco0 = Opaque()


def generate(rng):
    files = {}
    count = rng.randint(1, 4)
    known = []   # (module name for an absolute import, its exports)
    package = count > 1 and rng.random() < .35
    stems = rng.sample(["mod", "lib", "core"] if rng.random() < .8 else NAMES, 3)
    for at in range(count):
        main = at == count - 1
        writer = Writer(rng, files)
        writer.known = known
        scope = Scope("module", None)
        head = []
        inside = package and not main
        if main:
            path, dotted = "main.py", "main"
        elif package:
            path, dotted = f"pack/{stems[at]}.py", f"pack.{stems[at]}"
        else:
            path, dotted = f"{stems[at]}.py", stems[at]
        for module, exports in known:
            if not exports or rng.random() < .15 and not main:
                continue
            for _ in range(rng.randint(1, 2)):
                form = rng.randint(0, 5)
                parent, _, last = module.rpartition(".")
                if form == 0:
                    if "." in module:
                        alias = writer.name() if rng.random() < .5 else last
                        head.append(f"from {'.' if inside else parent} import {last}" + (f" as {alias}" if alias != last else ""))
                        scope.vars[alias] = Mod(exports)
                    else:
                        head.append(f"import {module}")
                        scope.vars[module] = Mod(exports)
                elif form == 1:
                    alias = writer.name()
                    head.append(f"import {module} as {alias}")
                    scope.vars[alias] = Mod(exports)
                elif form == 2:
                    head.append(f"from {'.' + last if inside else module} import *")
                    listed = getattr(exports, "listed", None)
                    for name, desc in exports.items():
                        if listed is None or name in listed:
                            scope.vars[name] = desc
                else:
                    name = rng.choice(list(exports))
                    alias = writer.name() if rng.random() < .4 else name
                    line = f"from {'.' + last if inside else module} import {name}" + (f" as {alias}" if alias != name else "")
                    if rng.random() < .1:
                        head += ["try:", "    " + line, "except ImportError:", f"    {alias} = None"]
                    else:
                        head.append(line)
                    scope.vars[alias] = exports[name]
        writer.budget = rng.randint(6, 14)
        while writer.budget > 0:
            writer.statement(scope, 0)
        for _ in range(rng.randint(2, 4) if main else 1):
            writer.show(scope, 0)
        exports = Exports({n: d for n, d in scope.vars.items() if n in NAMES})
        tail = []
        if not main and rng.random() < .2 and exports:
            exports.listed = rng.sample(sorted(exports), rng.randint(1, len(exports)))
            items = ", ".join(f"\"{n}\"" for n in exports.listed)
            tail.append(rng.choice([f"__all__ = [{items}]", f"__all__ = ({items},)", f"__all__ = []\n__all__ += [{items}]"]))
        if rng.random() < .03 and exports:
            tail.append(f"print(len(globals()[\"{rng.choice(sorted(exports))}\"].__class__.__name__) * 0)")
        files[path] = "\n".join(sorted(writer.imports) + head + writer.lines + tail) + "\n"
        known = known + [(dotted, exports)]
    if package:
        text = ""
        first = known[0]
        if rng.random() < .5 and first[1]:
            text = f"from .{first[0].split('.')[1]} import *\n" if rng.random() < .5 else f"from .{first[0].split('.')[1]} import {rng.choice(list(first[1]))}\n"
        files["pack/__init__.py"] = text
    return files


class Exports(dict):
    listed = None
