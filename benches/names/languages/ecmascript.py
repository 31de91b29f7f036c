"""Random programs of ECMAScript modules: JavaScript, and with types TypeScript."""
import re

from languages.common import NAMES, weighted

SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|`[^`]*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.S)
HOLES = re.compile(r"(?<=\$\{)[^{}`]*(?=\})")
FEATURES = {
    "export *": r"export \*", "namespace": r"\* as", "default": r"export default|import \w+[ ,]", "as": r"[{,] *\w+ as \w+", "dynamic import": r"import\(", "private": r"#\w",
    "static": r"\bstatic\b", "accessor": r"\b[gs]et \w+\(", "extends": r"\bextends\b", "class": r"\bclass\b", "destructuring": r"\{[^{}]*\} = |\[[^\]]*\] = ", "destructured parameter": r"\(\{|, \{",
    "rest": r"\.\.\.", "label": r"^ *\w+: (for|while|\{)", "switch": r"\bswitch\b", "catch": r"catch \(", "generator": r"function\*|yield", "async": r"\bawait\b", "arrow": r"=>",
    "named expression": r"= (function|class) \w+", "literal": r"= \{", "for in": r"\bin\b", "template": r"`", "computed": r"\[\"", "var": r"\bvar\b", "this": r"\bthis\b", "interface": r"\binterface\b",
    "type": r"\btype \w+ =", "enum": r"\benum\b", "namespace block": r"\bnamespace\b", "promoted": r"constructor\((public|private)", "import": r"\bimport\b",
}


class Num:
    pass


NUM = Num()


class Param:
    def __init__(self, name, kind="plain", default=False, desc=NUM, keys=()):
        self.name, self.kind, self.default, self.desc, self.keys = name, kind, default, desc, keys


class Fn:
    def __init__(self, params, arity=None):
        self.params = params


class Cls:
    def __init__(self):
        self.init, self.members, self.base = [], {}, None
        self.private = {}
        self.interface = False


class Obj:
    def __init__(self, cls):
        self.cls = cls


class Mod:
    def __init__(self, exports):
        self.exports = exports


class Rec:
    def __init__(self, members):
        self.members = members      # name -> Num, Fn or Rec


class Lst:
    def __init__(self, item):
        self.item = item


class Enum:
    def __init__(self, keys):
        self.keys = keys


class Hidden:
    """A name that is bound and not used."""


class Scope:
    def __init__(self, kind, parent, local=(), this=None):
        self.kind, self.parent, self.local = kind, parent, set(local)
        self.vars, self.fixed, self.types = {}, set(), {}
        self.this = this if this is not None else (parent.this if parent and kind in ("block", "arrow") else None)

    def visible(self, types=False):
        found, hidden = {}, set()
        scope = self
        while scope:
            for name, desc in scope.vars.items():
                if name not in hidden and name not in found:
                    found[name] = desc
            hidden |= (scope.local | set(scope.vars)) - set(found)
            scope = scope.parent
        return {n: d for n, d in found.items() if not isinstance(d, Hidden)}

    def mutable(self, name):
        scope = self
        while scope:
            if name in scope.vars:
                return name not in scope.fixed and isinstance(scope.vars[name], Num)
            if name in scope.local:
                return False
            scope = scope.parent
        return False

    def in_function(self):
        scope = self
        while scope:
            if scope.kind in ("function", "arrow"):
                return True
            scope = scope.parent
        return False


class Writer:
    typed = False

    def __init__(self, rng):
        self.rng, self.lines, self.indent, self.budget, self.loops = rng, [], 0, 0, 0
        self.known = []
        self.labels = []

    def chance(self, share):
        return self.rng.random() < share

    def name(self):
        return self.rng.choice(NAMES)

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def fit(self, scope, kind):
        rows = [(n, d) for n, d in scope.visible().items() if isinstance(d, kind)]
        return self.rng.choice(rows) if rows else None

    # Types: empty in JavaScript.

    def note(self, desc, scope):
        """The annotation of a description, or None if it can't be written here."""
        return ""

    def any(self):
        return ""

    # Expressions

    def number(self, scope, depth=2):
        visible = scope.visible()
        if depth < 0:
            simple = [n for n, d in visible.items() if isinstance(d, Num)]
            return self.rng.choice(simple) if simple and self.chance(.6) else self.literal(scope, depth)
        rows = [(1, self.literal)]
        if visible:
            rows.append((8, self.from_name))
        if scope.this:
            rows.append((2.5, self.from_this))
        if depth > 0:
            rows += [(3, self.operation), (0.6, self.conditional), (0.7, self.called_arrow), (0.6, self.mapped), (0.4, self.template), (0.2, self.text_length), (0.5, self.called_literal),
                     (0.3, self.assigned), (0.2, self.type_of), (0.3, self.called_function)]
        return weighted(self.rng, rows)(scope, depth)

    def literal(self, scope, depth):
        return str(self.rng.randint(2, 9))

    def operation(self, scope, depth):
        sign = self.rng.choice(["+", "+", "-", "*"])
        return f"({self.number(scope, depth - 1)} {sign} {self.number(scope, depth - 1)})"

    def conditional(self, scope, depth):
        return f"({self.number(scope, depth - 1)} % 2 ? {self.number(scope, depth - 1)} : {self.number(scope, depth - 1)})"

    def assigned(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if not rows or self.typed and self.chance(.5):
            return self.literal(scope, depth)
        name = self.rng.choice(rows)
        return self.rng.choice([f"({name} = {self.number(scope, depth - 1)})", f"({name} += {self.number(scope, depth - 1)})", f"{name}++"])

    def type_of(self, scope, depth):
        return f"(typeof {self.name()} === \"number\" ? 2 : 3)" if not self.typed else self.literal(scope, depth)

    def called_arrow(self, scope, depth):
        names = self.rng.sample(NAMES, self.rng.randint(1, 2))
        inner = Scope("arrow", scope, names)
        first, rest = names[0], names[1:]
        kind = self.rng.randint(0, 3)
        number = self.note(NUM, scope)
        if kind == 0:
            inner.vars = {n: NUM for n in names}
            head = f"({{ {', '.join(n + (f' = {self.number(scope, -1)}' if self.chance(.2) else '') for n in names)} }}"
            if self.typed:
                head += ": { " + "; ".join(f"{n}{'?' if f'{n} =' in head else ''}: number" for n in names) + " }"
            call = "{ " + ", ".join(f"{n}: {self.number(scope, depth - 1)}" for n in names) + " }"
            return f"({head}) => {self.number(inner, depth - 1)})({call})"
        if kind == 1 and rest:
            inner.vars = {n: NUM for n in names}
            default = self.number(Scope("arrow", scope, names), -1)
            return f"(({first}{number}, {rest[0]}{number} = {default}) => {self.number(inner, depth - 1)})({self.number(scope, depth - 1)})"
        inner.vars = {first: NUM}
        inner.local = {first}
        return f"(({first}{number}) => {self.number(inner, depth - 1)})({self.number(scope, depth - 1)})"

    def called_function(self, scope, depth):
        name, param = self.rng.sample(NAMES, 2)
        inner = Scope("function", scope, [name, param])
        inner.vars = {param: NUM}
        number = self.note(NUM, scope)
        return f"(function {name}({param}{number}){number} {{ return {param} <= 0 || {param} > 9 ? {self.number(inner, 0)} : {name}({param} - 1) + 1; }})({self.number(scope, depth - 1)})"

    def mapped(self, scope, depth):
        listed = self.fit(scope, Lst)
        name, other = self.rng.sample(NAMES, 2)
        inner = Scope("arrow", scope, [name])
        inner.vars = {name: NUM}
        if listed and self.chance(.7):
            source, inner.vars[name] = listed[0], listed[1].item
        else:
            source = f"[{self.number(scope, depth - 1)}, {self.number(scope, -1)}]"
        if self.chance(.3):
            inner.vars[other] = NUM
            inner.local = {name, other}
            return f"{source}.reduce(({other}, {name}) => {other} + {self.number(inner, depth - 1)}, 0)"
        method = self.rng.choice([f".map(({name}) => {self.number(inner, depth - 1)})[0]", f".map({name} => {self.number(inner, depth - 1)}).length",
                                  f".filter({name} => {self.number(inner, depth - 1)} % 2).length"])
        return source + method

    def template(self, scope, depth):
        found = self.fit(scope, Num)
        return f"Number(`${{{found[0]}}}`)" if found else self.literal(scope, depth)

    def text_length(self, scope, depth):
        return f"\"{self.name()}\".length"

    def called_literal(self, scope, depth):
        a, b = self.rng.sample(NAMES, 2)
        visible = scope.visible()
        one = a if isinstance(visible.get(a), Num) and self.chance(.5) else f"{a}: {self.number(scope, depth - 1)}"
        two = f"get {b}() {{ return {self.number(Scope('function', scope), depth - 1)}; }}" if self.chance(.2) else f"{b}: {self.number(scope, depth - 1)}"
        return f"({{ {one}, {two} }}).{self.rng.choice([a, b])}"

    def from_name(self, scope, depth):
        rows = list(scope.visible().items())
        name, desc = self.rng.choice(rows)
        return self.value_of(name, desc, scope, depth)

    def from_this(self, scope, depth):
        cls, static = scope.this
        rows = [(n, w, d) for n, (w, d) in cls.members.items() if (w == "static") == static and not getattr(d, "late", False)]
        private = [(n, d) for n, (w, d) in cls.private.items() if (w == "static") == static]
        if private and self.chance(.5):
            name, desc = self.rng.choice(private)
            return self.value_of(f"this.#{name}", desc, scope, depth)
        if not rows:
            return self.literal(scope, depth)
        name, _, desc = self.rng.choice(rows)
        if isinstance(desc, Fn) and depth < 1:
            return self.literal(scope, depth)
        return self.value_of(f"this.{name}", desc, scope, depth)

    def value_of(self, text, desc, scope, depth):
        if isinstance(desc, Num):
            return text
        if isinstance(desc, Fn):
            return f"{text}({self.arguments(desc.params, scope, depth - 1)})"
        if isinstance(desc, Cls):
            statics = [(n, d) for n, (w, d) in desc.members.items() if w == "static"]
            if statics and (self.chance(.4) or desc.interface):
                name, inner = self.rng.choice(statics)
                return self.value_of(f"{text}.{name}", inner, scope, depth)
            if desc.interface:
                return "2"
            return self.of_object(f"new {text}({self.arguments(desc.init, scope, depth - 1)})", desc, scope, depth)
        if isinstance(desc, Obj):
            return self.of_object(text, desc.cls, scope, depth)
        if isinstance(desc, Mod):
            rows = [(n, d) for n, d in desc.exports.items() if n != "default" or self.chance(.5)]
            if not rows:
                return "1"
            name, inner = self.rng.choice(rows)
            return self.value_of(f"{text}[\"{name}\"]" if self.chance(.05) else f"{text}.{name}", inner, scope, depth)
        if isinstance(desc, Rec):
            name, inner = self.rng.choice(list(desc.members.items()))
            if isinstance(inner, Num):
                if self.chance(.1):
                    return f"(\"{name}\" in {text} ? 2 : 3)"
                if self.chance(.1):
                    return f"Object.keys({text}).length"
                if self.chance(.1):
                    return f"{text}[\"{name}\"]"
                if self.chance(.1):
                    return f"(({{ {name} }}{self.note(Rec({name: NUM}), scope) or ''}) => {name})({text})"
                if self.chance(.07):
                    return f"({{ ...{text} }}).{name}"
            return self.value_of(f"{text}{'?.' if self.chance(.05) else '.'}{name}", inner, scope, depth)
        if isinstance(desc, Lst):
            if isinstance(desc.item, Num):
                return self.rng.choice([f"{text}[0]{'!' if self.typed else ''}", f"{text}.length"])
            return self.value_of(f"{text}[0]", desc.item, scope, depth)
        if isinstance(desc, Enum):
            return f"{text}.{self.rng.choice(desc.keys)}"
        return "1"

    def of_object(self, text, cls, scope, depth):
        rows = [(n, d) for n, (w, d) in cls.members.items() if w != "static"]
        if not rows:
            return "2"
        name, desc = self.rng.choice(rows)
        if isinstance(desc, Num) and self.chance(.05):
            return f"{text}[\"{name}\"]"
        if isinstance(desc, Num) and self.chance(.04) and not text.startswith("new"):
            return f"(({{ {name} }}{self.note(Rec({name: NUM}), scope) or ''}) => {name})({text})"
        return self.value_of(f"{text}.{name}", desc, scope, depth)

    def below(self, cls, base):
        while cls:
            if cls is base:
                return True
            cls = cls.base
        return False

    def of_desc(self, desc, scope, depth):
        if isinstance(desc, Num):
            return self.number(scope, depth)
        if isinstance(desc, Obj):
            rows = []
            if depth > -6:
                for name, other in scope.visible().items():
                    if isinstance(other, Obj) and self.below(other.cls, desc.cls):
                        rows.append(name)
                    if isinstance(other, Cls) and self.below(other, desc.cls) and not other.interface:
                        rows.append(f"new {name}({self.arguments(other.init, scope, min(depth - 1, -1))})")
                    if isinstance(other, Mod):
                        for inner, third in other.exports.items():
                            if isinstance(third, Cls) and self.below(third, desc.cls) and not third.interface:
                                rows.append(f"new {name}.{inner}({self.arguments(third.init, scope, min(depth - 1, -1))})")
            if rows:
                return self.rng.choice(rows)
            if desc.cls.interface:
                return self.object_of(desc.cls.members, scope, depth)
        if isinstance(desc, Rec):
            for name, other in scope.visible().items():
                if isinstance(other, Rec) and set(other.members) >= set(desc.members) and all(isinstance(d, Num) for d in other.members.values()) and self.chance(.6):
                    return name
            return self.object_of({n: ("field", d) for n, d in desc.members.items()}, scope, depth)
        return "1"

    def object_of(self, members, scope, depth):
        parts = []
        visible = scope.visible()
        for name, (_, desc) in members.items():
            if isinstance(desc, Fn):
                parts.append(f"{name}: () => {self.number(scope, -1)}")
            elif isinstance(visible.get(name), Num) and self.chance(.4):
                parts.append(name)
            else:
                parts.append(f"{name}: {self.number(scope, depth - 1)}")
        return "{ " + ", ".join(parts) + " }"

    def arguments(self, params, scope, depth):
        parts = []
        for param in params:
            if param.kind == "rest":
                parts += [self.number(scope, depth - 1) for _ in range(self.rng.randint(0, 2))]
            elif param.kind == "object":
                parts.append(self.object_of({k: ("field", NUM) for k in param.keys}, scope, depth - 1))
            elif param.default and self.chance(.4):
                break
            else:
                parts.append(self.of_desc(param.desc, scope, depth))
        return ", ".join(parts)

    # Statements

    def free(self, scope):
        rows = sorted(n for n in scope.local if n not in scope.vars)
        return self.rng.choice(rows) if rows else None

    def statement(self, scope, depth):
        self.budget -= 1
        rows = [(4, self.declare), (2, self.assign), (1, self.destructure), (1, self.loop), (1, self.branch), (0.5, self.attempt), (0.4, self.switch), (1.1, self.record), (0.5, self.listing),
                (1, self.make_object), (0.5, self.set_member), (0.3, self.bare_block), (0.4, self.arrow), (0.4, self.function_expression), (0.3, self.destructure_into), (0.3, self.alias),
                (0.3, self.closures)]
        if depth < 2:
            rows.append((1.2, self.function))
        if depth < 1:
            rows.append((0.6, self.classes))
        if depth < 2:
            rows.append((1.4, self.idiom))
        if scope.kind == "module":
            rows += [(2.5, self.function), (2, self.classes), (1.5, self.show), (0.3, self.dynamic)] + self.more_module()
        weighted(self.rng, rows)(scope, depth)

    def more_module(self):
        return []

    def block(self, scope, depth, count, head, bound=None, fixed=(), tail="}"):
        """A block with a scope of its own; `bound` are names of its head."""
        holder = Scope("block", scope, bound or ())
        holder.vars = dict(bound or {})
        holder.fixed = set(fixed)
        inner = Scope("block", holder, self.rng.sample(NAMES, self.rng.randint(0, 2)))
        self.emit(head)
        self.indent += 1
        for _ in range(count):
            if self.budget > 0:
                self.statement(inner, max(depth, 1))
        return inner

    def close(self, tail="}"):
        self.indent -= 1
        self.emit(tail)

    def exported(self, scope, name):
        """The word before a declaration, if it's one of a module that others import."""
        if scope.kind == "module" and not scope.main and self.chance(.65) and name not in scope.exports:
            scope.exports[name] = None
            return "export "
        return ""

    def declare(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        kind = self.rng.choice(["let", "const", "const", "var"] if scope.kind != "block" else ["let", "const"])
        value = self.number(scope)
        self.emit(f"{self.exported(scope, name)}{kind} {name}{self.note(NUM, scope) if self.chance(.4) or kind != 'const' else ''} = {value};")
        scope.vars[name] = NUM
        if kind == "const":
            scope.fixed.add(name)

    def assign(self, scope, depth):
        rows = [n for n in scope.visible() if scope.mutable(n)]
        if rows:
            self.emit(f"{self.rng.choice(rows)} {self.rng.choice(['=', '=', '+=', '-=', '*='])} {self.number(scope)};")

    def destructure(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        kind = self.rng.choice(["let", "const"])
        rows = []
        record = self.fit(scope, Rec)
        if record:
            keys = [k for k, d in record[1].members.items() if isinstance(d, Num)]
            if keys:
                key = self.rng.choice(keys)
                part = key if key == name else f"{key}: {name}"
                if self.chance(.2):
                    part += f" = {self.number(scope, 0)}"
                other = self.free(scope)
                rows += [f"{{ {part} }} = {record[0]}"] * 2
                for key in keys:
                    if key in scope.local and key not in scope.vars and self.chance(.8):
                        rows = [f"{{ {key} }} = {record[0]}"]
                        name = key
        found = self.fit(scope, Obj)
        if found and not rows:
            keys = [n for n, (w, d) in found[1].cls.members.items() if w != "static" and isinstance(d, Num)]
            if keys:
                key = self.rng.choice(keys)
                rows.append(f"{{ {key if key == name else key + ': ' + name} }} = {found[0]}")
        if not rows:
            a, b = self.number(scope, 1), self.number(scope, 1)
            key, other = self.rng.sample(NAMES, 2)
            rows.append(f"[{name}] = [{a}, {b}]")
            rows.append(f"[, {name}] = [{a}, {b}]")
            rows.append(f"{{ {key}: {{ {other}: {name} }} }} = {{ {key}: {{ {other}: {a} }} }}" if other != name else f"{{ {key}: {{ {name} }} }} = {{ {key}: {{ {name}: {a} }} }}")
        self.emit(f"{self.exported(scope, name)}{kind} {self.rng.choice(rows)};")
        scope.vars[name] = NUM
        if kind == "const":
            scope.fixed.add(name)

    def destructure_into(self, scope, depth):
        rows = sorted(n for n in scope.visible() if scope.mutable(n))
        if len(rows) < 2:
            return
        a, b = self.rng.sample(rows, 2)
        key = self.name()
        self.emit(self.rng.choice([f"[{a}, {b}] = [{b}, {a}];", f"({{ {key}: {a} }} = {{ {key}: {self.number(scope, 1)} }});", f"({{ {a}, {b} = 3 }} = {{ {a}: {self.number(scope, 0)}, {b} }});"]))

    def loop(self, scope, depth):
        if self.loops > 1:
            return
        name = self.name()
        label = ""
        if self.chance(.3):
            label = self.name()
            if label not in self.labels:
                self.labels.append(label)
            else:
                label = ""
        mark = label + ": " if label else ""
        form = self.rng.randint(0, 4)
        self.loops += 1
        listed, record = self.fit(scope, Lst), self.fit(scope, Rec)
        if form == 0:
            source = f"[{self.number(Scope('block', scope, [name]), 1)}, {self.number(Scope('block', scope, [name]), 0)}]"
            item = NUM
            if listed and listed[0] != name:
                source, item = listed[0], listed[1].item
            kind = self.rng.choice(["const", "let"])
            self.block(scope, depth, self.rng.randint(1, 2), f"{mark}for ({kind} {name} of {source}) {{", {name: item}, {name} if kind == "const" else ())
        elif form == 1 and record and record[0] != name and not self.typed:
            inner = self.block(scope, depth, 1, f"{mark}for (const {name} in {record[0]}) {{", {name: Hidden()}, {name})
            target = [n for n in inner.visible() if inner.mutable(n)]
            if target and record[0] in inner.visible() and inner.visible()[record[0]] is record[1]:
                self.emit(f"{self.rng.choice(target)} += {name}.length;")
        elif form == 2 and record and all(isinstance(d, Num) for d in record[1].members.values()) and name != record[0]:
            a, b = self.rng.sample(NAMES, 2)
            if record[0] in (a, b):
                self.loops -= 1
                if label:
                    self.labels.remove(label)
                return
            self.block(scope, depth, 1, f"{mark}for (const [{a}, {b}] of Object.entries({record[0]})) {{", {a: Hidden(), b: NUM}, {a, b})
        else:
            self.block(scope, depth, self.rng.randint(1, 2), f"{mark}for (let {name}{self.note(NUM, scope)} = 0; {name} < {self.rng.randint(2, 3)}; {name}++) {{", {name: NUM}, {name})
        if label and self.chance(.6):
            self.emit(self.rng.choice([f"if ({self.number(scope, 0)} > 3) continue {label};", f"break {label};"]))
        self.close()
        self.loops -= 1
        if label:
            self.labels.remove(label)

    def branch(self, scope, depth):
        self.block(scope, depth, self.rng.randint(1, 2), f"if ({self.number(scope)} % 2) {{")
        if self.chance(.5):
            self.indent -= 1
            self.block(scope, depth, 1, "} else {")
        self.close()

    def bare_block(self, scope, depth):
        self.block(scope, depth, 2, "{")
        self.close()

    def attempt(self, scope, depth):
        target = [n for n in scope.visible() if scope.mutable(n)]
        name = self.name()
        self.emit("try {")
        self.indent += 1
        if self.chance(.7):
            self.emit(f"throw {self.number(scope, 1)};" if self.chance(.5) else f"throw {{ {name}: {self.number(scope, 1)} }};")
        self.indent -= 1
        thrown = self.lines[-1].strip()
        if thrown.startswith("throw {"):
            inner = self.block(scope, depth, 1, f"}} catch ({{ {name} }}) {{" if not self.typed else f"}} catch ({name}: any) {{", {name: NUM if not self.typed else Hidden()})
        elif thrown.startswith("throw"):
            inner = self.block(scope, depth, 1, f"}} catch ({name}{self.any()}) {{", {name: NUM})
        else:
            inner = self.block(scope, depth, 1, "} catch {")
        target = [n for n in inner.visible() if inner.mutable(n) and n != name]
        if target and thrown.startswith("throw") and name in inner.visible() and isinstance(inner.visible()[name], Num):
            self.emit(f"{self.rng.choice(target)} += {name};")
        self.close()

    def switch(self, scope, depth):
        holder = Scope("block", scope, self.rng.sample(NAMES, 1))
        self.emit(f"switch ({self.number(scope, 1)} % 2) {{")
        self.indent += 1
        self.emit("case 0: case 1:")
        self.indent += 1
        for _ in range(self.rng.randint(1, 2)):
            self.statement(holder, max(depth, 1))
        self.emit("break;")
        self.indent -= 1
        self.emit("default:")
        self.indent -= 1
        self.emit("}")

    def record(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        members, parts = {}, []
        visible = scope.visible()
        for key in self.rng.sample(NAMES, self.rng.randint(1, 3)):
            if isinstance(visible.get(key), (Num, Fn)) and self.chance(.35):
                parts.append(key)
                members[key] = visible[key]
            elif self.chance(.2):
                params = [Param(p) for p in self.rng.sample(NAMES, self.rng.randint(0, 1))]
                inner = Scope("function", scope, [p.name for p in params])
                inner.vars = {p.name: NUM for p in params}
                parts.append(f"{key}({', '.join(p.name + self.note(NUM, scope) for p in params)}) {{ return {self.number(inner, 1)}; }}")
                members[key] = Fn(params)
            elif self.chance(.15) and not self.typed:
                parts.append(f"get {key}() {{ return {self.number(Scope('function', scope), 1)}; }}")
                members[key] = NUM
            elif self.chance(.1):
                parts.append(f"[\"{key}\"]: {self.number(scope, 1)}")
                members[key] = NUM
            elif self.chance(.1):
                other = self.name()
                parts.append(f"{key}: {{ {other}: {self.number(scope, 1)} }}")
                members[key] = Rec({other: NUM})
            else:
                parts.append(f"{key}: {self.number(scope, 1)}")
                members[key] = NUM
        other = self.fit(scope, Rec)
        if other and self.chance(.2):
            parts.insert(0, f"...{other[0]}")
            members = {**other[1].members, **members}
        note = ""
        if self.typed and self.chance(.3) and all(isinstance(d, Num) for d in members.values()) and not parts[0].startswith("..."):
            note = self.note(Rec(members), scope)
        self.emit(f"{self.exported(scope, name)}const {name}{note} = {{ {', '.join(parts)} }};")
        scope.vars[name] = Rec(members)
        scope.fixed.add(name)

    def listing(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        found = self.fit(scope, Cls)
        if found and not found[1].interface and self.chance(.6):
            self.emit(f"const {name} = [new {found[0]}({self.arguments(found[1].init, scope, 0)})];")
            scope.vars[name] = Lst(Obj(found[1]))
        else:
            self.emit(f"const {name} = [{self.number(scope)}, {self.number(scope)}];")
            scope.vars[name] = Lst(NUM)

    def make_object(self, scope, depth):
        name, found = self.free(scope), self.fit(scope, Cls)
        if name and found and not found[1].interface:
            note = self.note(Obj(found[1]), scope) if self.chance(.3) else ""
            self.emit(f"{self.exported(scope, name)}const {name}{note or ''} = new {found[0]}({self.arguments(found[1].init, scope, 0)});")
            scope.vars[name] = Obj(found[1])

    def set_member(self, scope, depth):
        found = self.fit(scope, (Obj, Rec))
        if not found:
            return
        if isinstance(found[1], Obj):
            rows = [n for n, (w, d) in found[1].cls.members.items() if w == "field" and isinstance(d, Num)]
        else:
            rows = [n for n, d in found[1].members.items() if isinstance(d, Num) and not self.typed]
        if rows:
            self.emit(f"{found[0]}.{self.rng.choice(rows)} {self.rng.choice(['=', '+='])} {self.number(scope, 1)};")

    def closures(self, scope, depth):
        name = self.free(scope)
        listed = self.name()
        if not name:
            return
        inner = Scope("block", scope, [listed])
        inner.vars = {listed: NUM}
        self.emit(f"const {name}{': Array<() => number>' if self.typed else ''} = [];")
        scope.vars[name] = Hidden()
        if listed == name:
            return
        self.emit(f"for (let {listed} = 0; {listed} < 2; {listed}++) {name}.push(() => {self.number(inner, 1)});")
        target = [n for n in scope.visible() if scope.mutable(n)]
        if target:
            other = self.name()
            self.emit(f"{self.rng.choice(target)} += {name}.map(({other}) => {other}()).length + {name}[1]{'!' if self.typed else ''}();")

    def alias(self, scope, depth):
        name, found = self.free(scope), self.fit(scope, (Fn, Cls, Rec, Obj))
        if name and found and not getattr(found[1], "interface", False) and not (self.typed and isinstance(found[1], Cls)):
            self.emit(f"{self.exported(scope, name)}const {name} = {found[0]};")
            scope.vars[name] = found[1]

    def show(self, scope, depth):
        self.emit(f"console.log({self.number(scope)});")

    def dynamic(self, scope, depth):
        name = self.free(scope)
        rows = [(m, e) for m, e in self.known if e]
        if not name or not rows:
            return
        module, exports = self.rng.choice(rows)
        key, desc = self.rng.choice(list(exports.items()))
        if self.typed and isinstance(desc, Cls):
            return
        form = self.rng.randint(0, 2)
        if form == 0:
            self.emit(f"const {{ {key if key == name else key + ': ' + name} }} = await import(\"{module}\");")
            scope.vars[name] = desc
        elif form == 1:
            self.emit(f"const {name} = await import(\"{module}\");")
            scope.vars[name] = Mod({k: d for k, d in exports.items() if not (self.typed and isinstance(d, Cls))})
        else:
            self.emit(f"const {name} = (await import(\"{module}\")).{key};")
            scope.vars[name] = desc

    # Idioms: each binds a new name to something that its own lines make

    def idiom(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        a, b, c = self.rng.sample(NAMES, 3)

        def value():
            return self.number(scope, 1)

        def plain():
            return str(self.rng.randint(1, 9))

        rows = [self.of_pattern, self.rest_pattern, self.nested_parameter, self.logical, self.nested_function, self.chained, self.tagged, self.iterated, self.private_in, self.mixin, self.bound, self.counter, self.static_chain]
        if not self.typed:
            rows += [self.prototype, self.defined, self.assigned_object, self.computed_key, self.var_hoist, self.into_members, self.arguments_object, self.held_this, self.described, self.frozen]
        self.rng.choice(rows)(scope, name, a, b, c, value, plain)

    def keep(self, scope, name, desc, fixed=True):
        scope.vars[name] = desc
        if fixed:
            scope.fixed.add(name)

    def write(self, text):
        for line in text.split("\n"):
            self.emit(line)

    def of_pattern(self, scope, name, a, b, c, value, plain):
        self.write(f"let {name} = 0;\nfor (const {{ {a}, {b}: {{ {c} }} }} of [{{ {a}: {plain()}, {b}: {{ {c}: {plain()} }} }}]) {{\n    {name + ' +=' if name not in (a, c) else 'void'} {a} + {c};\n}}")
        self.keep(scope, name, NUM, False)

    def rest_pattern(self, scope, name, a, b, c, value, plain):
        if name not in (a,):
            self.write(f"const {{ {a}: {name}, ...rest{name} }} = {{ {a}: {value()}, {b}: {plain()} }};\nconsole.log({name} + rest{name}.{b});")
            self.keep(scope, name, NUM)

    def nested_parameter(self, scope, name, a, b, c, value, plain):
        note = f": {{ {a}: {{ {b}: number }}; {c}?: number }}" if self.typed else ""
        self.write(f"const {name} = ({{ {a}: {{ {b} }}, {c} = {b} }}{note}) => {b} * 2 + {c};\nconsole.log({name}({{ {a}: {{ {b}: {value()} }} }}), {name}({{ {c}: 1, {a}: {{ {b}: 2 }} }}));")
        self.keep(scope, name, Hidden())

    def logical(self, scope, name, a, b, c, value, plain):
        note = f": {{ {a}?: number; {b}: number }}" if self.typed else ""
        self.write(f"const {name}{note} = {{ {b}: {plain()} }};\n{name}.{a} ??= {value()};\n{name}.{b} &&= {name}.{a} + 1;\nconsole.log({name}.{a} + {name}?.{b});")
        self.keep(scope, name, Hidden())

    def nested_function(self, scope, name, a, b, c, value, plain):
        if a != name:
            t = ": number" if self.typed else ""
            self.write(f"function {name}({a}{t}) {{\n    let {b} = {plain()};\n    const {c} = () => ({b} += {a});\n    {{\n        const {b} = 1;\n        {c}();\n        return {b} + {c}();\n    }}\n}}" if b != c and a not in (b, c) else f"function {name}({a}{t}) {{ return {a}; }}")
            self.keep(scope, name, Fn([Param(a)]))
            self.emit(f"console.log({name}({value()}));")

    def chained(self, scope, name, a, b, c, value, plain):
        self.write(f"class {name} {{\n    {c} = {plain()};\n    {a}() {{ this.{c}++; return this; }}\n    {b}() {{ return new {name}(); }}\n}}\nconsole.log(new {name}().{a}().{b}().{a}().{c});")
        cls = Cls()
        cls.members = {c: ("field", NUM)}
        self.keep(scope, name, cls)

    def tagged(self, scope, name, a, b, c, value, plain):
        types = [": TemplateStringsArray", ": number"] if self.typed else ["", ""]
        if a != b:
            self.write(f"function {name}({a}{types[0]}, {b}{types[1]}) {{ return {a}.length + {b}; }}\nconsole.log({name}`x${{{value()}}}`);")
            self.keep(scope, name, Hidden())

    def iterated(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = {{\n    *{a}() {{ yield {plain()}; yield {plain()}; }},\n    async {b}() {{ return {plain()}; }},\n}};\nconsole.log([...{name}.{a}()].length);")
        self.keep(scope, name, Hidden())

    def private_in(self, scope, name, a, b, c, value, plain):
        t = ": object" if self.typed else ""
        self.write(f"class {name} {{\n    #{a} = {plain()};\n    static #{b} = 2;\n    static {a}({c}{t}) {{ return #{a} in {c} ? {name}.#{b} : 0; }}\n    {b}() {{ return this.#{a} + this.#get(); }}\n    #get() {{ return 1; }}\n}}\nconsole.log({name}.{a}(new {name}()) + new {name}().{b}());")
        cls = Cls()
        cls.members = {b: ("method", Fn([]))}
        self.keep(scope, name, cls)

    def mixin(self, scope, name, a, b, c, value, plain):
        if self.typed:
            return
        self.write(f"const {name} = (Base) => class extends Base {{\n    {a}() {{ return super.{b}() + {plain()}; }}\n}};\nclass Mixed extends {name}(class {{ {b}() {{ return this.{c} ?? 3; }} }}) {{}}\nconsole.log(new Mixed().{a}());")
        self.keep(scope, name, Hidden())

    def bound(self, scope, name, a, b, c, value, plain):
        self.write(f"class {name} {{\n    {a} = {plain()};\n    {b}() {{ return this.{a} + 1; }}\n    {c} = () => this.{a};\n}}")
        if self.typed:
            self.emit(f"console.log(new {name}().{b}.call(new {name}()) + new {name}().{c}());")
        else:
            self.emit(f"console.log({name}.prototype.{b}.call({{ {a}: {value()} }}) + new {name}().{b}.bind(new {name}())());")
        cls = Cls()
        cls.members = {b: ("method", Fn([])), c: ("accessor", Fn([]))}
        self.keep(scope, name, cls)

    def counter(self, scope, name, a, b, c, value, plain):
        if len({a, b, c, name}) == 4:
            t = ": number" if self.typed else ""
            self.write(f"const {name} = (({a}{t}) => {{ let {b} = {a}; return {{ {c}() {{ return {b}++; }}, get {a}() {{ return {b}; }} }}; }})({value()});\n{name}.{c}();\nconsole.log({name}.{a} + {name}.{c}());")
            self.keep(scope, name, Hidden())

    def static_chain(self, scope, name, a, b, c, value, plain):
        self.write(f"class {name} {{\n    static {a} = {plain()};\n    static {b}() {{ return this.{a} + {name}.{a}; }}\n    {a}() {{ return {name}.{b}(); }}\n}}\nconsole.log({name}.{b}() + new {name}().{a}());")
        cls = Cls()
        cls.members = {b: ("static", Fn([]))}
        self.keep(scope, name, cls)

    def prototype(self, scope, name, a, b, c, value, plain):
        self.write(f"function {name}({a}) {{ this.{b} = {a}; }}\n{name}.prototype.{c} = function ({a}) {{ return this.{b} + {a}; }};\nconsole.log(new {name}({value()}).{c}(2));")
        self.keep(scope, name, Hidden())

    def defined(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = {{ {b}: 1 }};\nObject.defineProperty({name}, \"{a}\", {{ get: () => {plain()} }});\nconsole.log({name}.{a} + {name}.{b});")
        self.keep(scope, name, Hidden())

    def assigned_object(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = Object.assign({{}}, {{ {a}: {value()} }}, {{ {b}: {plain()} }});\nconsole.log({name}.{a} + {name}.{b});")
        self.keep(scope, name, Hidden())

    def computed_key(self, scope, name, a, b, c, value, plain):
        part = self.rng.choice([f"\"{a}\"", f"\"{a[:1]}\" + \"{a[1:]}\"", f"`{a}`"])
        self.write(f"const {name} = {{ [{part}]: {value()}, {b}: 2 }};\nconsole.log({name}.{a} + {name}[{part}]);")
        self.keep(scope, name, Hidden())

    def var_hoist(self, scope, name, a, b, c, value, plain):
        if a != name:
            self.write(f"function {name}({a}) {{\n    if ({a} > 2) {{ var {b} = {a}; }}\n    {{ function {c}() {{ return {b} ?? 4; }} }}\n    return {c}();\n}}" if len({a, b, c}) == 3 else f"function {name}({a}) {{ return {a}; }}")
            self.keep(scope, name, Fn([Param(a)]))
            self.emit(f"console.log({name}({value()}), {name}(1));")

    def into_members(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = {{}};\n({{ {a}: {name}.{b}, {c}: {name}.{c} = 3 }} = {{ {a}: {value()} }});\n[{name}.{a}] = [4];\nconsole.log({name}.{a} + {name}.{b} + {name}.{c});")
        self.keep(scope, name, Hidden())

    def arguments_object(self, scope, name, a, b, c, value, plain):
        if a != name:
            self.write(f"function {name}({a}) {{ return arguments[0] + {a} + arguments.length; }}")
            self.keep(scope, name, Fn([Param(a)]))
            self.emit(f"console.log({name}({value()}));")

    def held_this(self, scope, name, a, b, c, value, plain):
        self.write(f"class {name} {{\n    constructor({{ {a} = 2, {b} }} = {{ {b}: 3 }}) {{ const self = this; self.{a} = {a}; Object.assign(self, {{ {b} }}); }}\n    {c}() {{ const {{ {a}, {b}: other }} = this; return {a} + other; }}\n}}\nconsole.log(new {name}().{c}() + new {name}({{ {a}: 1, {b}: {value()} }}).{c}());")
        self.keep(scope, name, Hidden())

    def described(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = JSON.parse(JSON.stringify({{ {a}: {value()}, {b}: 1 }}));\nconsole.log({name}.{a} + {name}.{b});")
        self.keep(scope, name, Hidden())

    def frozen(self, scope, name, a, b, c, value, plain):
        self.write(f"const {name} = Object.freeze({{ {a}: {plain()}, {b}: {plain()} }});\nconsole.log({name}.{a}, Object.values({name}).length, Reflect.get({name}, \"{b}\"), Object.hasOwn({name}, \"{a}\") ? 1 : 0);")
        self.keep(scope, name, Hidden())

    # Functions

    def parameters(self, scope, room=3):
        names = self.rng.sample(NAMES, self.rng.randint(0, room))
        params, default = [], False
        for at, name in enumerate(names):
            found = self.fit(scope, Cls)
            if at == len(names) - 1 and self.chance(.1):
                params.append(Param(name, "rest", desc=Lst(NUM)))
            elif not default and self.chance(.15):
                params.append(Param(name, "object", keys=[name] + [n for n in self.rng.sample(NAMES, 1) if n not in names]))
            elif not default and found and self.chance(.3) and self.note(Obj(found[1]), scope) is not None:
                params.append(Param(name, desc=Obj(found[1])))
            elif not default and self.chance(.1):
                params.append(Param(name, desc=Rec({n: NUM for n in self.rng.sample(NAMES, self.rng.randint(1, 2))})))
            else:
                default = default or self.chance(.25)
                params.append(Param(name, default=default))
        return params

    def signature(self, params, scope):
        """The text of parameters; a scope that has them, as the body sees it."""
        inner = Scope("function", scope, [p.name for p in params] + [k for p in params for k in p.keys])
        parts = []
        for param in params:
            number = self.note(NUM, scope)
            if param.kind == "rest":
                parts.append(f"...{param.name}{self.note(Lst(NUM), scope)}")
                inner.vars[param.name] = Lst(NUM)
            elif param.kind == "object":
                keys = []
                optional = set()
                for key in param.keys:
                    if self.chance(.25):
                        keys.append(f"{key} = {self.number(inner, -1)}")
                        optional.add(key)
                    else:
                        keys.append(key)
                    inner.vars[key] = NUM
                note = ": { " + "; ".join(f"{k}{'?' if k in optional else ''}: number" for k in param.keys) + " }" if self.typed else ""
                parts.append("{ " + ", ".join(keys) + " }" + note)
            elif param.default:
                parts.append(f"{param.name}{number} = {self.number(inner, 0)}")
                inner.vars[param.name] = NUM
            else:
                parts.append(param.name + (self.note(param.desc, scope) or ""))
                inner.vars[param.name] = param.desc
        return ", ".join(parts), inner

    def body(self, head, params_scope, depth, wrap="return {};", tail="}"):
        inner = Scope("block", params_scope, [n for n in self.rng.sample(NAMES, self.rng.randint(0, 3)) if n not in params_scope.vars])
        self.emit(head)
        self.indent += 1
        loops, self.loops = self.loops, 0
        labels, self.labels = self.labels, []
        late = None
        if self.chance(.12):
            late = self.free(inner)
            if late:
                inner.vars[late] = Fn([])
                inner.fixed.add(late)
        for _ in range(self.rng.randint(0, 3)):
            if self.budget > 0:
                self.statement(inner, depth)
        self.emit(wrap.replace("{}", self.number(inner), 1))
        if late:
            self.emit(f"function {late}(){self.note(NUM, inner)} {{ return {self.rng.randint(2, 9)}; }}")
        self.loops, self.labels = loops, labels
        self.indent -= 1
        self.emit(tail)

    def after(self, scope, name):
        if scope.kind == "module" and self.chance(.8):
            self.emit(f"console.log({self.value_of(name, scope.vars[name], scope, 1)});")

    def function(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        params = self.parameters(scope)
        text, inner = self.signature(params, scope)
        word = self.exported(scope, name)
        number = self.note(NUM, scope)
        kind = weighted(self.rng, [(8, "plain"), (1, "recursive"), (0.8, "generator"), (0.5, "async")])
        scope.fixed.add(name)
        if kind == "generator" and not word:
            self.body(f"function* {name}({text}) {{", inner, depth + 1, "yield {};")
            scope.vars[name] = Hidden()
            if scope.kind == "module":
                self.emit(f"console.log([...{name}({self.arguments(params, scope, 0)})][0]);")
            return
        if kind == "async" and scope.kind == "module" and not word:
            self.body(f"async function {name}({text}) {{", inner, depth + 1)
            scope.vars[name] = Hidden()
            self.emit(f"console.log(await {name}({self.arguments(params, scope, 0)}));")
            return
        if kind == "recursive":
            param = self.name()
            if param != name:
                self.emit(f"{word}function {name}({param}{number}){number} {{")
                self.emit(f"    return {param} <= 0 || {param} > 9 ? 1 : {param} + {name}({param} - 1);")
                self.emit("}")
                scope.vars[name] = Fn([Param(param)])
                self.after(scope, name)
                return
        self.body(f"{word}function {name}({text}){number} {{", inner, depth + 1)
        scope.vars[name] = Fn(params)
        self.after(scope, name)

    def arrow(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        params = self.parameters(scope, 2)
        text, inner = self.signature(params, scope)
        inner.kind, inner.this = "arrow", scope.this
        if self.chance(.6):
            self.emit(f"{self.exported(scope, name)}const {name} = ({text}) => {self.number(inner)};")
        else:
            self.body(f"{self.exported(scope, name)}const {name} = ({text}){self.note(NUM, scope)} => {{", inner, depth + 1, tail="};")
        scope.vars[name] = Fn(params)
        scope.fixed.add(name)
        self.after(scope, name)

    def function_expression(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        params = self.parameters(scope, 2)
        own = Scope("function", scope, [self.name()])
        text, inner = self.signature(params, own)
        self.body(f"{self.exported(scope, name)}const {name} = function {next(iter(own.local))}({text}){self.note(NUM, scope)} {{", inner, depth + 1, tail="};")
        scope.vars[name] = Fn(params)
        scope.fixed.add(name)
        self.after(scope, name)

    # Classes

    def classes(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        base = self.fit(scope, Cls) if self.chance(.4) else None
        if base and base[1].interface:
            base = None
        cls = Cls()
        if base:
            cls.base, cls.init, cls.members = base[1], base[1].init, dict(base[1].members)
        word = self.exported(scope, name)
        tail = "}"
        extends = f" extends {base[0]}" if base else ""
        if not word and self.chance(.15) and not self.typed:
            own = self.name()
            self.emit(f"const {name} = class {own}{extends} {{")
            tail = "};"
            outer = Scope("block", scope, [own, name])
        else:
            self.emit(f"{word}class {name}{extends} {{")
            outer = Scope("block", scope, [name])
        self.indent += 1
        taken = set()
        number = self.note(NUM, scope)
        for _ in range(self.rng.randint(0, 2)):
            key = self.name()
            if key in cls.members or key in taken:
                continue
            static = self.chance(.25)
            inner = Scope("function", outer, this=(cls, static))
            private = self.chance(.25)
            if private and key in cls.private:
                continue
            self.emit(f"{'static ' if static else ''}{'#' if private else ''}{key}{number if self.chance(.5) else ''} = {self.number(inner, 1)};")
            (cls.private if private else cls.members)[key] = ("static" if static else "field", NUM)
            if not private:
                taken.add(key)
        if self.chance(.5):
            params = self.parameters(outer, 2)
            text, inner = self.signature(params, outer)
            keys = [k for k in self.rng.sample(NAMES, self.rng.randint(1, 2)) if k not in cls.members and k not in cls.private or cls.members.get(k, ("",))[0] == "field"]
            keys = [k for k in keys if isinstance(cls.members.get(k, ("", NUM))[1], Num)]
            values = {}
            if self.typed:
                for key in keys:
                    if key not in cls.members:
                        self.emit(f"{key}: number;")
            self.emit(f"constructor({text}) {{")
            self.indent += 1
            if base:
                self.emit(f"super({self.arguments(base[1].init, inner, 0)});")
            for key in keys:
                values[key] = NUM
                self.emit(f"this.{key} = {self.number(inner, 1)};")
            self.indent -= 1
            self.emit("}")
            cls.init = params
            for key in keys:
                cls.members[key] = ("field", NUM)
        if self.chance(.1):
            inner = Scope("function", outer, self.rng.sample(NAMES, 1), this=(cls, True))
            self.emit("static {")
            self.indent += 1
            self.statement(Scope("block", inner, inner.local), 2)
            self.indent -= 1
            self.emit("}")
        for _ in range(self.rng.randint(1, 3)):
            if self.budget > 0:
                self.method(cls, outer, depth, base)
        self.indent -= 1
        self.emit(tail)
        scope.vars[name] = cls
        scope.fixed.add(name)
        self.after(scope, name)
        if self.chance(.5):
            self.after(scope, name)

    def method(self, cls, outer, depth, base):
        key = self.name()
        old = cls.members.get(key)
        kind = weighted(self.rng, [(6, "method"), (1.2, "get"), (1, "static"), (0.6, "private"), (0.3, "pair")])
        self.budget -= 1
        if old:
            if old[0] != "method" or not base or key not in base[1].members:
                return
            kind, params = "method", old[1].params
        else:
            params = self.parameters(outer, 2)
        number = self.note(NUM, outer)
        if kind in ("get", "pair"):
            inner = Scope("function", outer, this=(cls, False))
            self.body(f"get {key}(){number} {{", inner, depth + 1)
            if kind == "pair":
                other = self.name()
                self.emit(f"set {key}({other}{number}) {{ {other} + 1; }}" if not self.typed else f"set {key}({other}{number}) {{ void {other}; }}")
            cls.members[key] = ("accessor", NUM)
            return
        if kind == "private" and key in cls.private:
            return
        text, inner = self.signature(params, outer)
        inner.this = (cls, kind == "static")
        extra = ""
        if old:
            extra = f" + super.{key}({self.arguments(params, inner, 0)})" if self.chance(.6) else ""
        word = {"static": "static ", "private": "#"}.get(kind, "")
        self.body(f"{word}{key}({text}){number} {{", inner, depth + 1, "return {}" + extra + ";")
        if kind == "private":
            cls.private[key] = ("method", Fn(params))
        else:
            cls.members[key] = ("static" if kind == "static" else "method", Fn(params))

    # Modules

    def heads(self, scope):
        """Imports; their names are bound."""
        lines = []
        for module, exports in self.known:
            if not exports:
                continue
            if self.chance(.15) and not scope.main:
                continue
            for _ in range(self.rng.randint(1, 2)):
                form = self.rng.randint(0, 5)
                alias = self.rng.choice([n for n in NAMES if n not in scope.vars] or ["other"])
                if form == 0:
                    lines.append(f"import * as {alias} from \"{module}\";")
                    scope.vars[alias] = Mod(exports)
                elif form == 1 and "default" in exports:
                    lines.append(f"import {alias} from \"{module}\";")
                    scope.vars[alias] = exports["default"]
                else:
                    key = self.rng.choice(list(exports))
                    own = key if key not in scope.vars and key != "default" and self.chance(.65) else alias
                    if own in scope.vars:
                        continue
                    lines.append(f"import {{ {key if key == own else key + ' as ' + own} }} from \"{module}\";")
                    scope.vars[own] = exports[key]
                    scope.fixed.add(own)
                    continue
                scope.fixed.add(alias)
        return lines

    def tail(self, scope):
        """Exports by lists, of others and by default."""
        lines = []
        rows = [(n, d) for n, d in scope.vars.items() if n in NAMES and not isinstance(d, Hidden)]
        if rows and self.chance(.5):
            name, desc = self.rng.choice(rows)
            other = self.name() if self.chance(.6) else name
            if other not in scope.exports:
                lines.append(f"export {{ {name if other == name else name + ' as ' + other} }};")
                scope.exports[other] = desc
        if rows and self.chance(.3):
            name, desc = self.rng.choice(rows)
            lines.append(self.rng.choice([f"export default {name};", f"export {{ {name} as default }};"]))
            scope.exports["default"] = desc
        elif self.chance(.15):
            param = self.name()
            inner = Scope("function", scope, [param])
            inner.vars = {param: NUM}
            own = self.rng.choice([n for n in NAMES if n not in scope.vars] + [""])
            lines.append(f"export default function {own}({param}{self.note(NUM, scope)}){self.note(NUM, scope)} {{ return {self.number(inner, 1)}; }}")
            scope.exports["default"] = Fn([Param(param)])
        if self.known and self.chance(.5):
            module, exports = self.rng.choice(self.known)
            form = self.rng.randint(0, 2)
            if form == 0:
                lines.append(f"export * from \"{module}\";")
                for name, desc in exports.items():
                    if name != "default":
                        scope.exports.setdefault(name, desc)
            elif form == 1:
                name = self.name()
                if name not in scope.exports:
                    lines.append(f"export * as {name} from \"{module}\";")
                    scope.exports[name] = Mod(exports)
            elif exports:
                key = self.rng.choice(list(exports))
                name = self.name() if self.chance(.5) or key == "default" else key
                if name not in scope.exports:
                    lines.append(f"export {{ {key if key == name else key + ' as ' + name} }} from \"{module}\";")
                    scope.exports[name] = exports[key]
        return lines


def generate(rng, writer_type, main_path, suffix, specifier):
    files, known = {}, []
    count = rng.randint(1, 4)
    stems = ["mod", "lib", "core"]
    for at in range(count):
        writer = writer_type(rng)
        writer.known = known
        scope = Scope("module", None)
        scope.main = at == count - 1
        scope.exports = {}
        head = writer.heads(scope)
        scope.local = set(rng.sample(NAMES, rng.randint(4, 7))) | set(scope.vars)
        writer.budget = rng.randint(6, 14)
        guard = 60
        while writer.budget > 0 and guard:
            guard -= 1
            writer.statement(scope, 0)
        for _ in range(rng.randint(2, 4) if scope.main else 1):
            writer.show(scope, 0)
        exports = {}
        for name in list(scope.exports):
            desc = scope.vars.get(name)
            if desc is not None and not isinstance(desc, Hidden):
                scope.exports[name] = desc
            else:
                del scope.exports[name]
        tail = [] if scope.main else writer.tail(scope)
        exports = dict(scope.exports)
        path = main_path if scope.main else stems[at] + suffix
        files[path] = "\n".join(head + writer.lines + tail) + "\n"
        known = known + [(f"./{stems[at]}{specifier}", exports)] if not scope.main else known
    return files
