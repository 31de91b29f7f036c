//! Templates: texts with metavariables.

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// `$A`, with its place in the template.
    One {
        name: &'t str,
        at: usize,
    },
    /// `$$$A`
    Many {
        name: &'t str,
        at: usize,
    },
}

/// The parts of a template.
pub(super) fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(next) = template[at..].find('$') {
        let start = at + next;
        let dollars = template[start..].bytes().take(3).take_while(|&byte| byte == b'$').count();
        let rest = &template[start + dollars..];
        let is_in = |letter: char| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit();
        let name = &rest[..rest.find(|letter| !is_in(letter)).unwrap_or(rest.len())];
        if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
            at = start + 1;
            continue;
        }
        pieces.push(Piece::Text(&template[from..start]));
        pieces.push(match dollars {
            3 => Piece::Many { name, at: start },
            _ => Piece::One { name, at: start },
        });
        from = start + dollars + name.len();
        at = from;
    }
    pieces.push(Piece::Text(&template[from..]));
    pieces
}

/// The names in a template.
pub(super) fn names_in(template: &str) -> Vec<&str> {
    let names = pieces(template).into_iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::One { name, .. } | Piece::Many { name, .. } => Some(name),
    });
    names.collect()
}
