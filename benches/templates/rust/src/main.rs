//! Reads texts as JSON strings, one a line, and prints what `syn` makes of each: a tree without parentheses, or `null`.

use std::io::BufRead;
use syn::visit_mut::{self, VisitMut};

struct Bare;

impl VisitMut for Bare {
    fn visit_expr_mut(&mut self, expression: &mut syn::Expr) {
        while let syn::Expr::Paren(inner) = expression {
            *expression = (*inner.expr).clone();
        }
        visit_mut::visit_expr_mut(self, expression);
    }
}

fn tree(text: &str) -> Option<String> {
    let mut file = syn::parse_file(text).ok()?;
    Bare.visit_file_mut(&mut file);
    Some(format!("{file:?}"))
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line.expect("a line")).expect("a JSON string");
        println!("{}", serde_json::to_string(&tree(&text)).expect("a string or null"));
    }
}
