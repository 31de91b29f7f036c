"""What is combined: expressions, templates and contexts, a language each. `$A` in a template is the expression, `$0` in a context
is the match."""

from dataclasses import dataclass


@dataclass
class Cases:
    """What is combined for a language, and how its parser is called."""

    language: str
    expressions: list
    templates: list
    contexts: list
    around: str = "$0"
    """What makes a file of a context."""


def lines(text):
    return [line.strip() for line in text.strip().split("\n") if line.strip()]


def wrapped(contexts, around):
    return [around.replace("$0", context.replace("@", "$0")) for context in contexts]


PYTHON = Cases(
    "python",
    lines("""
        a
        1
        -x
        ~x
        not x
        a + b
        a - b
        a * b
        a @ b
        a ** b
        a | b
        a & b
        a << b
        a == b
        a < b < c
        a in b
        a not in b
        a is not b
        a and b
        a or b
        y if a else z
        lambda: 1
        lambda x: x + 1
        lambda *a: a
        (yield)
        (yield x)
        await x
        s.cb
        s.cb()
        s[0]
        s[1:2]
        [1, 2]
        {1: 2}
        {1, 2}
        (1, 2)
        (x := 1)
        'text'
        'a' 'b'
        f'{x}'
        b'b'
        1.5
        1j
        ...
        [x for x in y]
        (x for x in y)
        {x: x for x in y}
        None
        -1
        - -x
        not not x
        await x ** 2
        -x ** 2
    """),
    lines("""
        $A
        $A + z
        z + $A
        $A - z
        z - $A
        $A * z
        z * $A
        $A ** z
        z ** $A
        $A % z
        $A | z
        $A >> z
        -$A
        ~$A
        not $A
        $A == z
        z == $A
        $A in z
        z in $A
        $A and z
        z and $A
        $A or z
        z or $A
        $A if c else z
        z if $A else w
        z if c else $A
        lambda: $A
        await $A
        $A.g()
        $A(1)
        $A[0]
        z[$A]
        z[$A:1]
        g($A)
        g($A, 1)
        g(k=$A)
        g(*$A)
        g(**$A)
        [$A]
        [$A, 1]
        ($A, 1)
        {$A: 1}
        {1: $A}
        {$A}
        [*$A]
        [q for q in $A]
        [$A for q in z]
        [q for q in z if $A]
        f"{$A}"
        (w := $A)
        $A, z
    """),
    wrapped(lines("""
        @
        v = @
        v = @ + 1
        v = 1 + @
        v = @ ** 2
        v = 2 ** @
        v = -@
        v = not @
        v = @.m()
        v = @[0]
        v = w(@)
        v = w(k=@)
        v = w(*@)
        v = await @
        v = @ == 1
        v = 1 in @
        v = @ and 1
        v = @ if c else d
        v = c if @ else d
        v = lambda: @
        v = [@, 1]
        return @
        del w[@]
        v += @
        v: int = @
    """), "async def h():\n    $0\n")
    + ["async def h():\n    if $0:\n        pass\n", "async def h():\n    for i in $0:\n        pass\n",
       "async def h():\n    with $0 as w:\n        pass\n", "async def h():\n    assert $0, 'm'\n", "async def h():\n    v = f'{$0}'\n",
       "@d($0)\ndef h(): pass\n", "async def h():\n    v = [q for q in $0]\n", "async def h():\n    raise $0\n"],
)

JS_EXPRESSIONS = lines("""
    a
    1
    1.5
    -x
    +x
    !x
    ~x
    typeof x
    void 0
    delete o.p
    x++
    ++x
    --x
    a + b
    a - b
    a * b
    a ** b
    a < b
    a << b
    a === b
    a instanceof B
    'k' in o
    a & b
    a | b
    a && b
    a || b
    a ?? b
    a ? b : c
    a = b
    a += b
    (a, b)
    () => 1
    x => x + 1
    () => {}
    async () => {}
    async x => x
    function () {}
    function named() {}
    async function () {}
    function* () {}
    class {}
    class B extends C {}
    {}
    { a: 1 }
    { a: 1, b: 2 }
    { a, b }
    [1, 2]
    [a] = b
    /re/g
    `t${x}`
    'text'
    s.cb
    s.cb()
    s?.cb
    s?.cb()
    s?.[0]
    s[0]
    new B
    new B()
    new B.C(1)
    tag`t`
    await x
    yield x
    yield
    this
    import('m')
    -x ** 2
""")
JS_TEMPLATES = lines("""
    $A
    $A + z
    z + $A
    $A - z
    z - $A
    $A * z
    z * $A
    $A ** z
    z ** $A
    $A < z
    z < $A
    $A in z
    z instanceof $A
    $A === z
    $A & z
    $A && z
    z && $A
    $A || z
    z || $A
    $A ?? z
    z ?? $A
    $A ? y : z
    c ? $A : z
    c ? y : $A
    !$A
    -$A
    +$A
    typeof $A
    void $A
    await $A
    $A.g
    $A.g()
    $A?.g
    $A(1)
    $A[0]
    z[$A]
    new $A
    new $A()
    new $A(1)
    $A`t`
    g($A)
    g($A, 1)
    g(...$A)
    [$A]
    [...$A]
    ({ k: $A })
    ({ [$A]: 1 })
    ({ ...$A })
    () => $A
    x => $A
    async () => $A
    `t${$A}`
    w = $A
    w += $A
    $A = 1
    $A++
    ($A)
    $A, z
    function () { return $A }
    class extends $A {}
""")
JS = Cases(
    "javascript",
    JS_EXPRESSIONS,
    JS_TEMPLATES,
    wrapped(lines("""
        @;
        v = @;
        const v = @;
        const v = @ + 1;
        const v = 1 - @;
        const v = @ ** 2;
        const v = 2 ** @;
        const v = -@;
        const v = !@;
        const v = typeof @;
        const v = @.m();
        const v = @[0];
        const v = @?.m;
        const v = @(1);
        const v = new @(1);
        const v = w(@);
        const v = w(...@);
        const v = @ || d;
        const v = d && @;
        const v = @ ?? d;
        const v = d ?? @;
        const v = @ ? c : d;
        const v = c ? @ : d;
        const v = () => @;
        const v = [@, 1];
        const v = { k: @ };
        const v = `t${@}`;
        const v = @ < 1;
        return @;
        throw @;
        if (@) { w(); }
        for (const i of @) { w(); }
        for (let i = @; i < 1; i++) { w(); }
        const v = await @;
        (@)
    """), "async function* h() {\n  $0\n}\n")
    + ["export default $0;\n", "class B { f = $0; }\n", "class B extends $0 {}\n"],
)

RUST = Cases(
    "rust",
    lines("""
        a
        1
        -1
        1.5
        -x
        !x
        *x
        &x
        &mut x
        a + b
        a - b
        a * b
        a << b
        a & b
        a | b
        a == b
        a < b
        a && b
        a || b
        x as u64
        x as usize
        &x as &T
        a..b
        ..
        a..
        ..b
        a = b
        a += b
        || 1
        |x| x + 1
        move || 1
        |x| { x }
        s.cb
        s.cb()
        s.cb?
        s[0]
        s.await
        g::<T>()
        T::new()
        T { a: 1 }
        T {}
        a::T { b }
        (1, 2)
        ()
        (1,)
        [1, 2]
        [0; 4]
        "text"
        'c'
        format!("x")
        vec![1]
        { 1 }
        { a; b }
        if a { b } else { c }
        if let Some(x) = y { x } else { z }
        match x { _ => 1 }
        loop { break 1 }
        unsafe { f2() }
        async { 1 }
        return x
        return
        break
        continue
        while a { b }
        x?
        &&x
        - -x
        !-x
    """),
    lines("""
        $A
        $A + z
        z + $A
        $A - z
        z - $A
        $A * z
        z * $A
        $A < z
        z < $A
        $A << z
        $A == z
        $A & z
        $A | z
        $A && z
        z && $A
        $A || z
        -$A
        !$A
        *$A
        &$A
        &mut $A
        $A as u64
        $A.g
        $A.g()
        $A.0
        $A.await
        $A?
        $A(1)
        $A[0]
        z[$A]
        g($A)
        g($A, 1)
        [$A]
        ($A, 1)
        T { a: $A }
        $A..z
        z..$A
        ..$A
        $A = 1
        w = $A
        w += $A
        || $A
        |q| $A
        return $A
        { $A }
        if $A { y } else { z }
        match $A { _ => 1 }
        if let Some(q) = $A { y } else { z }
        z.g($A)
        T::new($A)
    """),
    wrapped(lines("""
        @;
        let v = @;
        let v = @ + 1;
        let v = 1 - @;
        let v = -@;
        let v = !@;
        let v = *@;
        let v = &@;
        let v = @.m();
        let v = @.m;
        let v = @?;
        let v = @[0];
        let v = @(1);
        let v = w(@);
        let v = w(@, 1);
        let v = @ as i32;
        let v = @ < 1;
        let v = @ << 1;
        let v = @ && c;
        let v = c || @;
        let v = @..1;
        let v = 1..@;
        let v = [@, 1];
        let v = T { a: @ };
        let v = || @;
        v = @;
        return @;
        if @ { w(); }
        while @ { w(); }
        for i in @ { w(); }
        match @ { _ => w() }
        if let Some(i) = @ { w(); }
        if @ == 1 { w(); }
        match v { i if @ => w(), _ => w() }
        match v { _ => @, }
        let Some(i) = @ else { return };
        @
    """), "async fn h() {\n    $0\n}\n"),
)

GO = Cases(
    "go",
    lines("""
        a
        1
        1.5
        -x
        +x
        !x
        ^x
        *x
        &x
        <-x
        a + b
        a - b
        a * b
        a / b
        a &^ b
        a << b
        a & b
        a | b
        a ^ b
        a == b
        a < b
        a && b
        a || b
        s.cb
        s.cb()
        s[0]
        s[1:2]
        s.(T)
        T{a: 1}
        T{}
        p.T{1}
        &T{a: 1}
        []int{1}
        map[string]int{"a": 1}
        [2]int{1, 2}
        struct{}{}
        func() {}
        func(x int) int { return x }
        func() int { return 1 }()
        "text"
        'c'
        []byte(s)
        []byte("x")
        chan int(x)
        (func())(x)
        (*T)(x)
        interface{}(x)
        make([]int, 1)
        G[int](x)
        G[int]
        - -x
        !!x
        &*x
        **x
        -<-x
        <-<-x
    """),
    lines("""
        $A
        $A + z
        z + $A
        $A - z
        z - $A
        $A * z
        z * $A
        $A / z
        $A << z
        $A & z
        z & $A
        $A &^ z
        $A | z
        $A ^ z
        $A == z
        z == $A
        $A < z
        z < $A
        $A && z
        z && $A
        $A || z
        -$A
        +$A
        !$A
        ^$A
        *$A
        &$A
        <-$A
        $A.G
        $A.G()
        $A.(T)
        $A(1)
        $A[0]
        $A[1:2]
        z[$A]
        z[$A:1]
        g($A)
        g($A, 1)
        g($A...)
        []int{$A}
        T{a: $A}
        map[string]int{$A: 1}
        func() int { return $A }
        func() int { return $A }()
    """),
    wrapped(lines("""
        @
        v = @
        v := @
        var v = @
        v := @ + 1
        v := 1 - @
        v := 2 * @
        v := -@
        v := !@
        v := &@
        v := *@
        v := <-@
        v := ^@
        v := @.M()
        v := @[0]
        v := @(1)
        v := w(@)
        v := w(@...)
        v := @ == 1
        v := @ && c
        v := c & @
        v := []int{@}
        return @
        if @ { w() }
        if v := @; v { w() }
        if @ == c { w() }
        for @ { w() }
        for i := range @ { w(i) }
        for i := @; i < 1; i++ { w() }
        switch @ { case 1: }
        switch v { case @: }
        switch v := @; v { case 1: }
        go func() { w(@) }()
        defer w(@)
        c <- @
        v++; w(@)
    """), "package p\n\nfunc h() int {\n\t$0\n}\n"),
)

TYPESCRIPT_EXPRESSIONS = JS_EXPRESSIONS + lines("""
    x as T
    x satisfies T
    x!
    x!.cb
    <T>x
    g<T>(x)
    (x: number) => x
""")
TYPESCRIPT_TEMPLATES = JS_TEMPLATES + lines("""
    $A as T
    $A!
    $A satisfies T
    $A!.g
""")
TYPESCRIPT = Cases("typescript", TYPESCRIPT_EXPRESSIONS, TYPESCRIPT_TEMPLATES, JS.contexts)
TSX = Cases("tsx", [one for one in TYPESCRIPT_EXPRESSIONS if one != "<T>x"], TYPESCRIPT_TEMPLATES, JS.contexts)

JAVA = Cases(
    "java",
    lines("""
        a
        1
        1.5
        -x
        +x
        !x
        ~x
        x++
        ++x
        --x
        a + b
        a - b
        a * b
        a << b
        a < b
        a == b
        a & b
        a | b
        a && b
        a || b
        a ? b : c
        a = b
        a += b
        x -> 1
        () -> {}
        (x, y) -> x
        x instanceof T
        (T) x
        (int) x
        (int) -x
        s.cb
        s.cb()
        s[0]
        new T()
        new T() {}
        new int[3]
        new int[] {1}
        T::new
        s::cb
        T.class
        this
        "text"
        'c'
        switch (x) { default -> 1; }
        - -x
        - --x
    """),
    lines("""
        $A
        $A + z
        z + $A
        $A - z
        z - $A
        $A * z
        z * $A
        $A << z
        $A < z
        z < $A
        $A == z
        $A & z
        z | $A
        $A && z
        z && $A
        $A || z
        $A ? y : z
        c ? $A : z
        c ? y : $A
        -$A
        +$A
        !$A
        ~$A
        (T) $A
        (int) $A
        $A instanceof T
        $A.g
        $A.g()
        $A[0]
        z[$A]
        $A::g
        g($A)
        g($A, 1)
        new T($A)
        new int[] {$A}
        new int[$A]
        w = $A
        w += $A
        $A = 1
        $A++
        --$A
        x -> $A
        ($A)
    """),
    wrapped(lines("""
        int v = @;
        v = @;
        int v = @ + 1;
        int v = 1 - @;
        int v = 2 * @;
        int v = -@;
        int v = !@;
        int v = (T) @;
        int v = (int) @;
        int v = @.m();
        int v = @.m;
        int v = @[0];
        int v = w(@);
        int v = @ < 1;
        int v = @ == 1;
        int v = @ && c;
        int v = c || @;
        int v = @ ? c : d;
        int v = c ? @ : d;
        int v = c ? d : @;
        F v = q -> @;
        int[] v = {@, 1};
        boolean v = @ instanceof U;
        return @;
        throw @;
        if (@) { w(); }
        for (int i : @) { w(); }
        switch (@) { default: }
    """), "class A {\n    int h() {\n        $0\n    }\n}\n"),
)

ALL = {"python": PYTHON, "javascript": JS, "rust": RUST, "go": GO, "typescript": TYPESCRIPT, "tsx": TSX, "java": JAVA}
