//! Meanings that the author of a wrong selector may have had in mind: a name, a text, a field, code, or what another tool calls so.

use super::error::{ErrorCode, SelectorError};
use super::from_query;

/// A wrong selector, in the parts around the place of the error.
struct Wrong<'a> {
    selector: &'a str,
    before: &'a str,
    word: &'a str,
    after: &'a str,
}

/// The hint of an error, with what the selector's author may have meant.
pub fn meant(error: &SelectorError) -> Option<String> {
    let SelectorError { code, selector, span, hint, .. } = error;
    let hint = hint.clone();
    let (Some(before), Some(word), Some(after)) =
        (selector.get(..span.start()), selector.get(span.start()..span.end()), selector.get(span.end()..))
    else {
        return hint;
    };
    let wrong = Wrong { selector, before, word, after };
    let meant = match code {
        ErrorCode::UnknownType => wrong.type_meant(hint.is_some()),
        ErrorCode::UnknownField => wrong.field_meant(),
        ErrorCode::UnknownPseudo => wrong.pseudo_meant(),
        ErrorCode::SelectorSyntax => wrong.syntax_meant(),
        _ => None,
    };
    match (hint, meant) {
        // A word that is like the wrong one is a guess, too, and a weaker one.
        (_, Some(Meant::Surely(meant))) => Some(meant),
        (Some(hint), Some(Meant::Maybe(meant))) => Some(format!("{hint}; {meant}")),
        (None, Some(Meant::Maybe(meant))) => Some(meant),
        (hint, None) => hint,
    }
}

/// Words for kinds in languages and in other tools, where no language searched has them.
const KINDS: &[(&[&str], &str)] = &[
    (&["fn", "func", "fun", "def", "defun", "sub", "proc", "procedure", "subroutine"], "function"),
    (&["function_call", "method_call", "method_invocation", "invocation", "call_expr", "funcall"], "call"),
    (&["cls", "klass"], "class"),
    (&["str", "string_literal", "literal_string"], "string"),
    (&["param", "params", "arg_def"], "parameter"),
    (&["arg", "args"], "argument"),
    (&["assignment_statement", "assign_stmt"], "assign"),
    (&["while_loop", "for_loop", "foreach"], "loop"),
    (&["annotation", "attribute_item"], "decorator"),
    (&["import_stmt", "include", "require", "use"], "import"),
    (&["throw"], "raise"),
    (&["switch"], "match"),
];

/// A meaning, and whether there can be no other.
enum Meant {
    Surely(String),
    Maybe(String),
}

impl Wrong<'_> {
    fn type_meant(&self, has_hint: bool) -> Option<Meant> {
        let Wrong { word, after, .. } = self;
        if is_name(word) && after.starts_with('.') {
            let path = &after[..after.find([' ', '[', ':', '>']).unwrap_or(after.len())];
            return Some(Meant::Maybe(format!("a qualified name is `[qualname=\"{word}{path}\"]`")));
        }
        if let Some((_, kind)) = KINDS.iter().find(|(names, _)| names.contains(word)) {
            return Some(Meant::Surely(format!("the kind is `{kind}`; a name is `#{word}`")));
        }
        (is_name(word) && !has_hint).then(|| Meant::Maybe(format!("a name is `#{word}`")))
    }

    fn field_meant(&self) -> Option<Meant> {
        is_name(self.word).then(|| Meant::Maybe(format!("a name is `#{}`", self.word)))
    }

    fn pseudo_meant(&self) -> Option<Meant> {
        let argument = self.after.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.0.trim()));
        let quoted = |text: &str| format!("\"{}\"", text.trim_matches(['"', '\'']));
        let number = argument.and_then(|argument| argument.parse::<i64>().ok());
        let meant = match self.word.to_lowercase().as_str() {
            word if word.contains("contains") || word.contains("text") => {
                "a test of a node's text is `[text*=\"…\"]`".to_owned()
            }
            "name" | "named" | "id" => match argument.filter(|name| is_name(name.trim_matches(['"', '\'']))) {
                Some(name) => format!("a name is `#{}`", name.trim_matches(['"', '\''])),
                None => "a name is `#name`, or `[name^=\"part\"]`".to_owned(),
            },
            "eq" | "index" => format!("the matches are counted from 0 by `:nth({})`", number.unwrap_or(0)),
            "gt" => format!(
                "the matches are counted from 0 by `:nth({})`; `:nth-child(n+2)` counts siblings",
                number.unwrap_or(0) + 1
            ),
            "lt" => "the first match is `:first`; `:nth-child(-n+2)` counts siblings".to_owned(),
            "parent" => "a parent is `<`: `name < call`; what has children is `:has(> *)`".to_owned(),
            "matches" | "regex" => match argument {
                Some(argument) => format!(
                    "a regex is `[name=/{}/]`; alternatives are `:is(a, b)`",
                    argument.trim_matches(['"', '\'', '/'])
                ),
                None => "a regex is `[name=/^get/]`; alternatives are `:is(a, b)`".to_owned(),
            },
            "kind" | "type" => format!("a kind or type is a word of its own: `{}`", argument.unwrap_or("function")),
            "inside" => "what is around is `:in(class)`, or comes before: `class call`".to_owned(),
            "startswith" | "starts-with" => {
                format!("a text begins so: `[name^={}]`", quoted(argument.unwrap_or("get")))
            }
            "endswith" | "ends-with" => format!("a text ends so: `[name$={}]`", quoted(argument.unwrap_or("_test"))),
            _ => return None,
        };
        Some(Meant::Surely(meant))
    }

    fn syntax_meant(&self) -> Option<Meant> {
        if let Some((selector, left)) = from_query::selector(self.selector) {
            let left = if left.is_empty() { String::new() } else { format!(", without {}", left.join(", ")) };
            return Some(Meant::Surely(format!("a tree-sitter query as a selector{left}: `{selector}`")));
        }
        if let Some(test) = self.function_of_xpath() {
            return Some(Meant::Surely(format!("that test is `[{test}]`")));
        }
        if let Some(test) = self.wildcard() {
            return Some(Meant::Surely(format!("a part of a name is `{test}`")));
        }
        if self.is_code() {
            let code = self.selector.replace('\\', "\\\\").replace('"', "\\\"");
            return Some(Meant::Surely(format!(
                "code is no selector but a pattern: -p, or `:like(\"{code}\")` in a selector"
            )));
        }
        let rest = &self.selector[self.before.len()..];
        let field = rest.strip_prefix('.').map(|rest| &rest[..end_of_word(rest)]).filter(|field| is_name(field))?;
        // `import#System.Diagnostics`
        let dotted = self.before.rsplit_once('#').filter(|(_, name)| is_name(name)).map(|(head, name)| {
            let path = &rest[..rest.find([' ', '[', ':', '>', ',']).unwrap_or(rest.len())];
            format!("; a name with dots is `{head}[name=\"{name}{path}\"]`")
        });
        let dotted = dotted.unwrap_or_default();
        Some(Meant::Maybe(format!("a child in a field is `{} > .{field}`{dotted}", self.before)))
    }

    /// The test that `#send*`, `#*_test` or `#*send*` means.
    fn wildcard(&self) -> Option<String> {
        let (head, name) = self.selector.rsplit_once('#').filter(|(head, _)| self.before.len() >= head.len())?;
        let name = name.split([' ', '[', ':', '>', ',']).next().unwrap_or(name);
        let part = name.trim_matches('*');
        let operator = match (name.starts_with('*'), name.ends_with('*')) {
            (false, true) => "^=",
            (true, false) => "$=",
            (true, true) => "*=",
            (false, false) => return None,
        };
        let head = head.rsplit([' ', '>']).next().unwrap_or(head);
        is_name(part).then(|| format!("{head}[name{operator}\"{part}\"]"))
    }

    /// The test of an attribute that such a function is: `contains(@name, 'x')`.
    fn function_of_xpath(&self) -> Option<String> {
        let test = self.selector[self.before.rfind('[')? + 1..].trim_start();
        let (name, rest) = test.split_once('(')?;
        let operator = match name {
            "contains" => "*=",
            "starts-with" => "^=",
            "ends-with" => "$=",
            _ => return None,
        };
        let (attribute, rest) = rest.split_once(',')?;
        let value = rest.split([')', ']']).next()?;
        let attribute = match attribute.trim().trim_start_matches('@') {
            "." | "text()" => "text",
            attribute => attribute,
        };
        Some(format!("{attribute}{operator}\"{}\"", value.trim().trim_matches(['"', '\''])))
    }

    /// Whether it looks like code with holes: `$A == $B`, `print($X)`, `print(...)`.
    fn is_code(&self) -> bool {
        let has_hole = self.selector.match_indices('$').any(|(at, _)| {
            let next = self.selector[at + 1..].chars().next();
            next.is_some_and(|next| next.is_uppercase() || next == '$' || next == '_')
        });
        let is_call =
            self.word == "(" && self.before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let is_in_test = self.before.matches('[').count() > self.before.matches(']').count();
        (has_hole || is_call && !self.before.contains(':')) && !is_in_test
    }
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.')
}

fn end_of_word(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}
