"""Random TypeScript programs: those of ECMAScript with types, interfaces, enums and promoted parameters."""
import os

from languages import ecmascript, javascript
from languages.common import NAMES, places_in
from languages.ecmascript import NUM, Cls, Enum, Fn, Lst, Num, Obj, Param, Rec, Scope

CHECK = "ts"
FEATURES = ecmascript.FEATURES
TSCONFIG = """{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "outDir": "out", "types": [], "lib": ["es2022", "dom"]}, "files": ["main.ts"]}\n"""


class Runner(javascript.Runner):
    worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "typescript_worker.cjs")

    def run_many(self, programs):
        return super().run_many([{path: text for path, text in files.items() if path.endswith(".ts")} for files in programs])


def places(files):
    return places_in(files, [f"#{n}" for n in NAMES] + NAMES, ecmascript.SKIPPED, ecmascript.HOLES, (".ts",))


class Writer(ecmascript.Writer):
    typed = True

    def any(self):
        return ": any"

    def note(self, desc, scope):
        if isinstance(desc, Num):
            return ": number"
        if isinstance(desc, Lst):
            return ": number[]"
        if isinstance(desc, Obj):
            rows = [n for n, d in scope.visible().items() if isinstance(d, Cls) and d is desc.cls]
            return f": {self.rng.choice(rows)}" if rows else None
        if isinstance(desc, Rec):
            return ": { " + "; ".join(f"{n}: number" for n in desc.members) + " }"
        return None

    def more_module(self):
        return [(0.9, self.interface), (0.4, self.enum), (0.5, self.promoted), (0.4, self.alias_type), (0.3, self.generic), (0.3, self.space), (0.3, self.abstract)]

    def interface(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        cls = Cls()
        cls.interface = True
        parts = []
        for key in self.rng.sample(NAMES, self.rng.randint(1, 3)):
            if self.chance(.25):
                parts.append(f"{key}(): number;")
                cls.members[key] = ("method", Fn([]))
            else:
                parts.append(f"{key}: number;")
                cls.members[key] = ("field", NUM)
        base = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls) and d.interface and not set(d.members) & set(cls.members)]
        head = ""
        if base and self.chance(.4):
            other, desc = self.rng.choice(base)
            head = f" extends {other}"
            cls.members = {**desc.members, **cls.members}
            cls.base = desc
        if self.chance(.4):
            self.emit(f"{self.exported(scope, name)}type {name} = {{ {' '.join(parts)} }}{' & ' + other if head else ''};")
        else:
            self.emit(f"{self.exported(scope, name)}interface {name}{head} {{ {' '.join(parts)} }}")
        scope.vars[name] = cls
        own = self.free(scope)
        if own and self.chance(.7):
            self.emit(f"const {own}: {name} = {self.object_of(cls.members, scope, 1)};")
            scope.vars[own] = Obj(cls)
            scope.fixed.add(own)
        if self.chance(.5):
            self.implement(scope, name, cls)

    def implement(self, scope, interface, cls):
        name = self.free(scope)
        if not name:
            return
        made = Cls()
        made.base = cls
        self.emit(f"{self.exported(scope, name)}class {name} implements {interface} {{")
        for key, (where, desc) in cls.members.items():
            if where == "method":
                self.emit(f"    {key}(): number {{ return {self.number(Scope('function', scope, this=None), 1)}; }}")
            else:
                self.emit(f"    {key} = {self.number(Scope('function', scope), 1)};")
            made.members[key] = (where, desc)
        self.emit("}")
        scope.vars[name] = made
        scope.fixed.add(name)
        self.after(scope, name)

    def enum(self, scope, depth):
        name = self.free(scope)
        if name:
            keys = self.rng.sample(NAMES, self.rng.randint(1, 3))
            self.emit(f"{self.exported(scope, name)}enum {name} {{ {', '.join(k + (f' = {self.rng.randint(2, 9)}' if self.chance(.5) or i == 0 else '') for i, k in enumerate(keys))} }}")
            scope.vars[name] = Enum(keys)
            scope.fixed.add(name)
            self.after(scope, name)

    def promoted(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        cls = Cls()
        keys = self.rng.sample(NAMES, self.rng.randint(1, 2))
        words = [self.rng.choice(["public", "private", "readonly", "public readonly"]) for _ in keys]
        self.emit(f"{self.exported(scope, name)}class {name} {{")
        inner = Scope("function", scope, keys, this=None)
        inner.vars = {k: NUM for k in keys}
        other = self.name()
        self.emit(f"    constructor({', '.join(f'{w} {k}: number' for w, k in zip(words, keys))}) {{ {self.number(inner, 1)}; }}")
        cls.init = [Param(k) for k in keys]
        if other not in keys:
            self.emit(f"    {other}(): number {{ return {' + '.join(f'this.{k}' for k in keys)}; }}")
            cls.members[other] = ("method", Fn([]))
        for word, key in zip(words, keys):
            if word == "public":
                cls.members[key] = ("field", NUM)
            elif "readonly" in word:
                cls.members[key] = ("accessor", NUM)
        self.emit("}")
        scope.vars[name] = cls
        scope.fixed.add(name)
        self.after(scope, name)

    def alias_type(self, scope, depth):
        name = self.free(scope)
        found = [(n, d) for n, d in scope.visible().items() if isinstance(d, Cls)]
        if not name or not found:
            return
        other, cls = self.rng.choice(found)
        fields = [k for k, (w, d) in cls.members.items() if w in ("field", "accessor") and isinstance(d, Num)]
        if not fields:
            return
        made = Cls()
        made.interface = True
        key = self.rng.choice(fields)
        text = self.rng.choice([f"Pick<{other}, \"{key}\">", f"{{ {key}: {other}[\"{key}\"] }}", f"Record<\"{key}\", number>"])
        made.members = {key: ("field", NUM)}
        self.emit(f"{self.exported(scope, name)}type {name} = {text};")
        scope.vars[name] = made
        own = self.free(scope)
        if own:
            self.emit(f"const {own}: {name} = {{ {key}: {self.number(scope, 0)} }};")
            scope.vars[own] = Obj(made)
            scope.fixed.add(own)

    def generic(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        kind, param, key = self.rng.choice(NAMES), self.name(), self.name()
        if self.chance(.5):
            self.emit(f"{self.exported(scope, name)}function {name}<{kind} extends {{ {key}: number }}>({param}: {kind}): number {{ return {param}.{key}; }}")
            scope.vars[name] = Fn([Param(param, desc=Rec({key: NUM}))])
        else:
            self.emit(f"{self.exported(scope, name)}function {name}<{kind}>({param}: {kind}, other: ({key}: {kind}) => number): number {{ return other({param}); }}")
            scope.vars[name] = ecmascript.Hidden()
            inner = Scope("arrow", scope, [key])
            inner.vars = {key: NUM}
            self.emit(f"console.log({name}({self.number(scope, 0)}, ({key}) => {self.number(inner, 1)}));")
            return
        scope.fixed.add(name)
        self.after(scope, name)

    def space(self, scope, depth):
        name = self.free(scope)
        if not name:
            return
        keys = self.rng.sample(NAMES, self.rng.randint(1, 2))
        inner = Scope("block", scope, keys)
        self.emit(f"{self.exported(scope, name)}namespace {name} {{")
        for key in keys:
            self.emit(f"    export const {key} = {self.number(inner, 1)};")
            inner.vars[key] = NUM
        self.emit("}")
        scope.vars[name] = ecmascript.Mod({k: NUM for k in keys})
        scope.fixed.add(name)
        self.after(scope, name)

    def abstract(self, scope, depth):
        a, key = self.free(scope), self.name()
        if not a:
            return
        cls = Cls()
        cls.interface = True
        self.emit(f"abstract class {a} {{ abstract {key}(): number; {(other := self.rng.choice([n for n in NAMES if n != key]))}(): number {{ return this.{key}() + 1; }} }}")
        cls.members = {key: ("method", Fn([])), other: ("method", Fn([]))}
        scope.vars[a] = cls
        scope.fixed.add(a)
        b = self.free(scope)
        if b:
            made = Cls()
            made.base, made.members = cls, dict(cls.members)
            self.emit(f"{self.exported(scope, b)}class {b} extends {a} {{ {key}(): number {{ return {self.number(Scope('function', scope, this=None), 1)}; }} }}")
            scope.vars[b] = made
            scope.fixed.add(b)
            self.after(scope, b)
        scope.vars[a] = ecmascript.Hidden()


def generate(rng):
    files = ecmascript.generate(rng, Writer, "main.ts", ".ts", "")
    files["tsconfig.json"] = TSCONFIG
    for path, text in files.items():
        if path.endswith(".ts") and "import" not in text and "export" not in text:
            files[path] = text + "export {};\n"
    return files
