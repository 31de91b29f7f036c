//! A tree-sitter query as the selector that means the same, as far as one can.

/// A query's selector, and what of the query it does not say. `None` for what is no query.
pub(super) fn selector(query: &str) -> Option<(String, Vec<String>)> {
    let mut reading = Reading { rest: query.trim_start(), tests: Vec::new(), left: Vec::new() };
    if !reading.rest.starts_with(['(', '[']) {
        return None;
    }
    reading.tests = tests(query, &mut reading.left);
    let selector = reading.alternatives()?;
    while let Some(rest) = reading.rest.strip_prefix("(#").and(after_group(reading.rest)) {
        reading.rest = rest.trim_start();
    }
    if !reading.rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ')').is_empty() {
        reading.left.push("what follows".to_owned());
    }
    Some((selector, reading.left))
}

/// A query that is being read.
struct Reading<'q> {
    rest: &'q str,
    /// The test of each capture: `@f` and `[text="x"]`.
    tests: Vec<(&'q str, String)>,
    left: Vec<String>,
}

impl<'q> Reading<'q> {
    /// A node, or one of several in brackets, with its capture.
    fn alternatives(&mut self) -> Option<String> {
        let Some(rest) = self.rest.strip_prefix('[') else { return self.node() };
        self.rest = rest.trim_start();
        let mut found = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(']') {
            found.push(self.alternatives()?);
        }
        self.rest = self.rest.strip_prefix(']')?.trim_start();
        let test = self.suffix();
        (!found.is_empty()).then(|| format!(":is({}){test}", found.join(", ")))
    }

    /// `(type field: (child) @name)`, `_`, or a token in quotes.
    fn node(&mut self) -> Option<String> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            let end = rest.find('"')?;
            self.rest = rest[end + 1..].trim_start();
            let token = format!("'{}'", &rest[..end]);
            return Some(token + &self.suffix());
        }
        if let Some(rest) = self.rest.strip_prefix('_') {
            self.rest = rest.trim_start();
            return Some(format!("*{}", self.suffix()));
        }
        self.rest = self.rest.strip_prefix('(')?.trim_start();
        let name = self.word();
        if name.is_empty() && self.rest.starts_with(['(', '[']) && !self.rest.starts_with("(#") {
            return self.group();
        }
        let mut selector = if name.is_empty() || name == "_" { "*".to_owned() } else { name.to_owned() };
        while !self.rest.is_empty() && !self.rest.starts_with(')') {
            if self.rest.starts_with("(#") {
                self.rest = after_group(self.rest)?.trim_start();
                continue;
            }
            if let Some(rest) = self.rest.strip_prefix('.') {
                self.left.push("`.`, which makes children neighbours".to_owned());
                self.rest = rest.trim_start();
                continue;
            }
            if let Some(rest) = self.rest.strip_prefix('!') {
                self.rest = rest;
                let field = self.word();
                selector.push_str(&format!(":not(:has(> *.{field}))"));
                continue;
            }
            let before = self.rest;
            let field = self.word();
            let field = match self.rest.strip_prefix(':') {
                Some(rest) if !field.is_empty() => {
                    self.rest = rest.trim_start();
                    format!(".{field}")
                }
                _ => {
                    self.rest = before;
                    String::new()
                }
            };
            let child = self.alternatives()?;
            // The field belongs behind the type, before other parts.
            let end = child.find(['[', ':', '.']).filter(|_| !child.starts_with(['\'', ':'])).unwrap_or(child.len());
            let (head, parts) = if child.starts_with(':') { ("*", child.as_str()) } else { child.split_at(end) };
            let axis = if child.starts_with('\'') { ">>" } else { ">" };
            selector.push_str(&format!(":has({axis} {head}{field}{parts})"));
        }
        self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest).trim_start();
        let test = self.suffix();
        Some(selector + &test)
    }

    /// The contents of parentheses without a type: one node, or siblings one after the other.
    fn group(&mut self) -> Option<String> {
        let mut found = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(')') {
            if self.rest.starts_with("(#") {
                self.rest = after_group(self.rest)?.trim_start();
            } else if let Some(rest) = self.rest.strip_prefix('.') {
                found.push("+".to_owned());
                self.rest = rest.trim_start();
            } else {
                if found.last().is_some_and(|last| last != "+") {
                    found.push("~".to_owned());
                }
                found.push(self.alternatives()?);
            }
        }
        self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest).trim_start();
        let test = self.suffix();
        Some(found.join(" ") + &test)
    }

    /// The tests of the captures behind a node; how often it may come is left out.
    fn suffix(&mut self) -> String {
        let mut found = String::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix(['*', '+', '?']) {
                self.left.push(format!("`{}`", &self.rest[..1]));
                self.rest = rest.trim_start();
            } else if let Some(rest) = self.rest.strip_prefix('@') {
                let end = rest.find(|letter: char| !is_of_word(letter) && letter != '.').unwrap_or(rest.len());
                let capture = &rest[..end];
                self.rest = rest[end..].trim_start();
                self.tests.iter().filter(|(of, _)| *of == capture).for_each(|(_, test)| found.push_str(test));
            } else {
                return found;
            }
        }
    }

    fn word(&mut self) -> &'q str {
        let end = self.rest.find(|letter: char| !is_of_word(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

/// The text behind a group in parentheses; strings in it are skipped.
fn after_group(text: &str) -> Option<&str> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(&text[at + 1..]);
                }
            }
            _ => {}
        }
    }
    None
}

/// The tests that a query's predicates make, by capture; those that no selector says are added to `left`.
fn tests<'q>(query: &'q str, left: &mut Vec<String>) -> Vec<(&'q str, String)> {
    let mut found = Vec::new();
    let mut rest = query;
    while let Some(at) = rest.find("(#") {
        let Some(after) = after_group(&rest[at..]) else { break };
        let predicate = &rest[at + 2..rest.len() - after.len() - 1];
        rest = after;
        let name_end = predicate.find(char::is_whitespace).unwrap_or(predicate.len());
        let (name, arguments) = (&predicate[..name_end], predicate[name_end..].trim());
        let Some((capture, values)) = arguments.strip_prefix('@').and_then(|rest| rest.split_once(char::is_whitespace))
        else {
            continue;
        };
        let strings: Vec<&str> = values.split('"').skip(1).step_by(2).collect();
        let name = name.trim_end_matches(['?', '!']);
        let (negated, kind) = name.strip_prefix("not-").map_or((false, name), |kind| (true, kind));
        let test = match (kind.trim_start_matches("any-"), strings.as_slice()) {
            ("eq", [one]) => format!("[text=\"{one}\"]"),
            ("match", [one]) => format!("[text=/{}/]", one.replace('/', "\\/").replace("\\\\", "\\")),
            ("of", [first, more @ ..]) => {
                let others: String = more.iter().map(|word| format!(", [text=\"{word}\"]")).collect();
                format!(":is([text=\"{first}\"]{others})")
            }
            ("set", _) => continue,
            _ => {
                left.push(format!("`#{}`", predicate.split_whitespace().next().unwrap_or(name)));
                continue;
            }
        };
        found.push((capture, if negated { format!(":not({test})") } else { test }));
    }
    found
}
