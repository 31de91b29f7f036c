//! Parsing a selector: from pest's pairs to the syntax tree, and from its failures to messages.

use crate::limits::{SELECTOR_BYTES, SELECTOR_NESTING};
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::error::{ErrorCode, SelectorError};
use super::syntax::{
    Argument, Attribute, Branch, Combinator, List, Operand, Operator, Part, Pseudo, Step, TypeTest, Value, Word,
};
use crate::text::Span;
use cst_grammar::{Grammar, Rule};

/// Reads a selector.
pub(super) fn selector(source: &str) -> Result<List, SelectorError> {
    let pair = parse(Rule::selector, source)?;
    Ok(inner(pair, Rule::list).map(list).unwrap_or(List { branches: Vec::new() }))
}

/// Reads a definition, `:name = selector`.
pub(super) fn definition(source: &str) -> Result<(Word, List), SelectorError> {
    let pair = parse(Rule::definition, source)?;
    let mut name = Word { text: String::new(), span: Span::at(0) };
    let mut body = List { branches: Vec::new() };
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::pseudo_name => name = word(&pair),
            Rule::list => body = list(pair),
            _ => {}
        }
    }
    Ok((name, body))
}

fn parse(rule: Rule, source: &str) -> Result<Pair<'_, Rule>, SelectorError> {
    let refused = |message: String, at: usize| SelectorError {
        code: ErrorCode::SelectorSyntax,
        message,
        span: Span::new(at, (at + 1).min(source.len()).max(at)),
        hint: None,
        selector: source.to_owned(),
    };
    if source.len() > SELECTOR_BYTES {
        let message = format!("a selector of {} bytes is longer than the limit of {SELECTOR_BYTES}", source.len());
        return Err(SelectorError { selector: String::new(), ..refused(message, 0) });
    }
    if let Some(at) = too_deep(source) {
        return Err(refused(format!("nested deeper than {SELECTOR_NESTING} levels"), at));
    }
    let mut pairs = Grammar::parse(rule, source).map_err(|error| in_words(source, error))?;
    Ok(pairs.next().expect("a rule that matched gives a pair"))
}

/// Where the nesting exceeds the limit. Brackets in strings count, too.
fn too_deep(source: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > SELECTOR_NESTING {
            return Some(at);
        }
    }
    None
}

/// The message for a syntax error: what was expected, and what was found.
fn in_words(source: &str, error: Error<Rule>) -> SelectorError {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let rest = &source[at..];
    let length = rest.chars().next().map_or(0, char::len_utf8);
    let mut expected: Vec<&str> = Vec::new();
    if let ErrorVariant::ParsingError { positives, .. } = &error.variant {
        for name in positives.iter().filter_map(|&rule| rule_in_words(rule)) {
            if !expected.contains(&name) {
                expected.push(name);
            }
        }
    }
    let found =
        if rest.is_empty() { "the selector ends here".to_owned() } else { format!("unexpected `{}`", &rest[..length]) };
    let message = match &expected[..] {
        [] => found,
        [one] => format!("{found}: expected {one}"),
        [many @ .., last] => format!("{found}: expected {} or {last}", many.join(", ")),
    };
    let hint =
        unclosed(source).map(|(open, close)| format!("`{open}` has no `{close}`")).or_else(|| mistake(source, at));
    SelectorError {
        code: ErrorCode::SelectorSyntax,
        message,
        span: Span::new(at, at + length),
        hint,
        selector: source.to_owned(),
    }
}

/// A bracket or quote that is never closed.
fn unclosed(source: &str) -> Option<(char, char)> {
    let mut open: Vec<(char, char)> = Vec::new();
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' => loop {
                match characters.next() {
                    Some('\\') => drop(characters.next()),
                    Some(next) if next == character => break,
                    Some(_) => {}
                    None => return Some((character, character)),
                }
            },
            '(' => open.push(('(', ')')),
            '[' => open.push(('[', ']')),
            ')' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// A hint for syntax of other languages.
fn mistake(source: &str, at: usize) -> Option<String> {
    let rest = &source[at..];
    let before = source[..at].trim_end();
    if rest.starts_with('=') && before.ends_with('=') {
        return Some("one `=` compares".to_owned());
    }
    if rest.starts_with("&&") || rest.starts_with("and ") {
        return Some("write several `[…]` one after the other".to_owned());
    }
    if rest.starts_with('|') || rest.starts_with("or ") {
        return Some("write `,` between alternatives, or `:is(a, b)`".to_owned());
    }
    if let Some(quote) = rest.chars().next().filter(|quote| ['\'', '"'].contains(quote))
        && before.ends_with('(')
    {
        let text = rest[1..].split(quote).next().unwrap_or_default();
        return Some(format!("a keyword or sign needs a step before it: `* >> '{text}'`"));
    }
    if let Some(field) = rest.strip_prefix('.')
        && before.ends_with([')', ']'])
    {
        let end = field.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(field.len());
        return Some(format!("a field follows the type: `*.{}` before `:` and `[`", &field[..end]));
    }
    if before.ends_with(['>', '+', '~', '<', '/', ',']) || (rest.is_empty() && before.is_empty()) {
        return Some("a type such as `function`, `*`, or a part such as `[name]` or `:first` goes here".to_owned());
    }
    None
}

fn rule_in_words(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::end => "the end",
        Rule::list | Rule::branch | Rule::step => "a step",
        Rule::symbol | Rule::combinator => "a combinator",
        Rule::type_test | Rule::type_word | Rule::any => "a type",
        Rule::part | Rule::attribute | Rule::id | Rule::pseudo | Rule::capture => {
            "a part such as `[…]`, `#name`, `:first`"
        }
        Rule::close_bracket => "`]`",
        Rule::close_parenthesis => "`)`",
        Rule::operator => "an operator such as `=`",
        Rule::operand | Rule::path | Rule::path_word => "an attribute",
        Rule::value | Rule::bare => "a value",
        Rule::pseudo_name => "a pseudo-class",
        Rule::argument => "an argument",
        Rule::role_word => "a field",
        Rule::id_word | Rule::capture_word | Rule::variable_word => "a name",
        _ => return None,
    })
}

fn span(pair: &Pair<'_, Rule>) -> Span {
    let span = pair.as_span();
    Span::new(span.start(), span.end())
}

fn word(pair: &Pair<'_, Rule>) -> Word {
    Word { text: pair.as_str().to_owned(), span: span(pair) }
}

fn inner(pair: Pair<'_, Rule>, rule: Rule) -> Option<Pair<'_, Rule>> {
    pair.into_inner().find(|pair| pair.as_rule() == rule)
}

/// The word inside of a rule such as `"#" ~ id_word`.
fn inner_word(pair: Pair<'_, Rule>) -> Word {
    let outer = word(&pair);
    pair.into_inner().next().map_or(outer, |pair| word(&pair))
}

fn list(pair: Pair<'_, Rule>) -> List {
    List { branches: pair.into_inner().map(branch).collect() }
}

fn branch(pair: Pair<'_, Rule>) -> Branch {
    let mut branch = Branch { lead: None, steps: Vec::new() };
    let mut combinator = Combinator::Descendant;
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::symbol => {
                combinator = symbol(pair.as_str());
                branch.lead = Some((combinator, span(&pair)));
            }
            Rule::combinator => {
                let found = inner(pair, Rule::symbol);
                combinator = found.map_or(Combinator::Descendant, |pair| symbol(pair.as_str()));
            }
            _ => branch.steps.push(step(pair, combinator)),
        }
    }
    branch
}

fn symbol(text: &str) -> Combinator {
    match text {
        ">" | "/" => Combinator::Child,
        ">>" => Combinator::RawChild,
        "+" => Combinator::Next,
        "~" => Combinator::Later,
        "<" => Combinator::Parent,
        "<<" => Combinator::Ancestor,
        _ => Combinator::Descendant,
    }
}

fn step(pair: Pair<'_, Rule>, combinator: Combinator) -> Step {
    let mut step = Step { combinator, axis: None, test: None, role: None, parts: Vec::new(), span: span(&pair) };
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::axis => step.axis = Some(inner_word(pair)),
            Rule::type_test => step.test = pair.into_inner().next().map(type_test),
            Rule::role => step.role = Some(inner_word(pair)),
            Rule::attribute => step.parts.push(Part::Attribute(attribute(pair))),
            Rule::id => step.parts.push(Part::Attribute(id(inner_word(pair)))),
            Rule::pseudo => step.parts.push(Part::Pseudo(pseudo(pair))),
            _ => step.parts.push(Part::Capture(inner_word(pair))),
        }
    }
    step
}

fn type_test(pair: Pair<'_, Rule>) -> TypeTest {
    match pair.as_rule() {
        Rule::any => TypeTest::Any,
        Rule::token => {
            let place = span(&pair);
            let text = pair.into_inner().next().map(string).unwrap_or_default();
            TypeTest::Token(Word { text, span: place })
        }
        _ => TypeTest::Word(word(&pair)),
    }
}

/// `#word` is `[name="word"]`.
fn id(name: Word) -> Attribute {
    let path = vec![Word { text: "name".to_owned(), span: name.span }];
    let left = Operand::Path { variable: None, words: path };
    Attribute { left, test: Some((Operator::Equal, Value::Text(name))), ignore_case: false }
}

fn attribute(pair: Pair<'_, Rule>) -> Attribute {
    let mut left = Operand::Path { variable: None, words: Vec::new() };
    let mut operator = None;
    let mut test = None;
    let mut ignore_case = false;
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::operand => left = pair.into_inner().next().map_or(left, operand),
            Rule::operator => operator = Some(operator_of(pair.as_str())),
            Rule::value => test = operator.zip(pair.into_inner().next().map(value)),
            Rule::ignore_case => ignore_case = true,
            _ => {}
        }
    }
    Attribute { left, test, ignore_case }
}

fn operand(pair: Pair<'_, Rule>) -> Operand {
    if pair.as_rule() == Rule::count {
        return Operand::Count(count(pair));
    }
    let mut variable = None;
    let mut words = Vec::new();
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::variable => variable = Some(inner_word(pair)),
            _ => words.push(word(&pair)),
        }
    }
    Operand::Path { variable, words }
}

fn count(pair: Pair<'_, Rule>) -> List {
    inner(pair, Rule::list).map_or(List { branches: Vec::new() }, list)
}

fn operator_of(text: &str) -> Operator {
    match text {
        "!=" => Operator::NotEqual,
        "^=" => Operator::Prefix,
        "$=" => Operator::Suffix,
        "*=" | "~=" => Operator::Contains,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        _ => Operator::Equal,
    }
}

fn value(pair: Pair<'_, Rule>) -> Value {
    let outer = word(&pair);
    match pair.as_rule() {
        Rule::string => Value::Text(Word { text: string(pair), ..outer }),
        Rule::regex => {
            let mut words = pair.into_inner().map(|pair| word(&pair));
            let source = words.next().unwrap_or_else(|| outer.clone());
            let flags = words.next().unwrap_or(outer);
            Value::Regex { source: Word { text: source.text.replace("\\/", "/"), ..source }, flags }
        }
        Rule::variable => Value::Variable(inner_word(pair)),
        Rule::count => Value::Count(count(pair)),
        Rule::number => Value::Number(outer.text.parse().unwrap_or(f64::NAN), outer),
        _ => Value::Text(outer),
    }
}

/// The value of a quoted string: `\n \t \r \0` are escapes, and any other escaped character is itself.
fn string(pair: Pair<'_, Rule>) -> String {
    let raw = pair.into_inner().next().map_or("", |pair| pair.as_str());
    let mut text = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('0') => text.push('\0'),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

fn pseudo(pair: Pair<'_, Rule>) -> Pseudo {
    let mut name = word(&pair);
    let mut given = None;
    let mut argument_span = None;
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::pseudo_name => name = word(&pair),
            Rule::argument => {
                argument_span = Some(span(&pair));
                given = pair.into_inner().next().map(argument);
            }
            _ => {}
        }
    }
    let argument_span = argument_span.unwrap_or(name.span);
    Pseudo { name, argument: given, argument_span }
}

fn argument(pair: Pair<'_, Rule>) -> Argument {
    let numbers = |pair: Pair<'_, Rule>| {
        let mut numbers = pair.into_inner().map(|pair| pair.as_str().parse().unwrap_or(usize::MAX));
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    };
    match pair.as_rule() {
        Rule::range => {
            let (first, last) = numbers(pair);
            Argument::Lines { first, last }
        }
        Rule::place => {
            let (line, column) = numbers(pair);
            Argument::Place { line, column }
        }
        Rule::string => {
            let place = span(&pair);
            Argument::Text(Word { text: string(pair), span: place })
        }
        Rule::nth => {
            let mut parts = pair.into_inner();
            let word = parts.next().map(|pair| word(&pair)).unwrap_or(Word { text: "0".to_owned(), span: Span::at(0) });
            let (a, b) = position(&word.text);
            Argument::Nth { a, b, of: parts.next().map(list), word }
        }
        _ => Argument::List(list(pair)),
    }
}

/// `2n+1`, `odd`, `-n + 3`, `4` as `a` and `b` of `an+b`.
fn position(text: &str) -> (i64, i64) {
    let packed: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    match packed.as_str() {
        "odd" => return (2, 1),
        "even" => return (2, 0),
        _ => {}
    }
    let number = |text: &str| text.parse::<i64>().unwrap_or(i64::from(i32::MAX));
    match packed.split_once('n') {
        Some((a, b)) => {
            let a = match a {
                "" | "+" => 1,
                "-" => -1,
                a => number(a),
            };
            (a, if b.is_empty() { 0 } else { number(b) })
        }
        None => (0, number(&packed)),
    }
}
