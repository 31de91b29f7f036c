//! A small cache of pages, with a server in front of it.

#![allow(dead_code)]

extern crate alloc as heap;

use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::{self, Display, Write as _};
use std::io;
use std::sync::*;

/// How many pages are kept.
pub const LIMIT: usize = 0x40;

static GREETING: &str = "hello";
static mut COUNTER: u64 = 0;

/// What may go wrong.
pub type Result<T> = std::result::Result<T, Error>;

/// A page of the cache.
///
/// It is cheap to clone.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Page<'a, T: Clone = String> {
    /// Where it stands.
    pub path: &'a str,
    #[allow(unused)]
    pub(crate) body: Option<T>,
    hits: u32,
}

struct Unit;

struct Pair(pub i32, f64);

#[repr(C)]
union Bits {
    int: u32,
    float: f32,
}

/** Errors of this module. */
#[derive(Debug)]
pub enum Error {
    Missing { path: String },
    Io(io::Error),
    #[deprecated]
    Old = 3,
}

/// Something that can be shown.
pub trait Render: Display + Send {
    /// What a rendering is measured in.
    type Size: Copy;
    const WIDTH: usize = 80;

    fn render(&self, out: &mut dyn fmt::Write) -> fmt::Result;

    fn size(&self) -> Self::Size;

    fn is_wide(&self, width: usize) -> bool {
        width > Self::WIDTH
    }
}

unsafe trait Raw {}

impl<'a, T: Clone> Page<'a, T> {
    /// Makes an empty page.
    #[must_use]
    pub fn new(path: &'a str) -> Self {
        Page { path, body: None, hits: 0 }
    }

    pub fn path(&self) -> &str {
        self.path
    }

    pub fn set_body(&mut self, body: T) {
        self.body = Some(body);
        self.hits += 1;
    }

    #[inline]
    pub const fn hits(&self) -> u32 {
        self.hits
    }

    pub(super) fn visit<F>(&self, mut visitor: F, (from, to): (usize, usize)) -> Vec<u8>
    where
        F: FnMut(&T, usize) -> u8,
    {
        let mut seen = Vec::with_capacity(to - from);
        'outer: for at in from..to {
            match &self.body {
                Some(body) if at % 2 == 0 => seen.push(visitor(body, at)),
                Some(_) => continue,
                None => break 'outer,
            }
        }
        seen
    }

    fn depth(&self, left: usize) -> usize {
        if left == 0 { 0 } else { 1 + self.depth(left - 1) }
    }
}

impl<'a> Display for Page<'a, String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.path, self.body)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Error::Missing { path } => path.as_str(),
            Error::Io(_) | Error::Old => r#"in "raw" words"#,
        };
        f.write_str(text)
    }
}

unsafe impl Raw for Unit {}

impl Drop for Unit {
    fn drop(&mut self) {}
}

/// Squares of all arguments.
#[macro_export]
macro_rules! squares {
    ($($value:expr),* $(,)?) => {
        [$($value * $value),*]
    };
    () => {
        []
    };
}

extern "C" {
    fn strlen(text: *const u8) -> usize;
    fn printf(format: *const u8, ...) -> i32;
}

extern "C" fn callback(code: i32) -> i32 {
    code
}

/// Everything that goes over the wire.
pub mod wire {
    use super::{Page, Result};

    mod frames;

    #[cfg(unix)]
    pub async fn send<'a>(pages: &'a [Page<'a, String>]) -> Result<usize> {
        let mut sent = 0;
        let ready = async { true };
        while sent < pages.len() && ready.await {
            sent += flush(&pages[sent]).await?;
        }
        Ok(sent)
    }

    pub(in crate::wire) async fn flush(page: &Page<'_, String>) -> Result<usize> {
        fn clamp(value: usize) -> usize {
            value.min(super::LIMIT)
        }
        let length = page.body.as_ref().map_or(0, |body| body.len());
        return Ok(clamp(length));
    }

    #[deprecated(note = "use `send`")]
    pub fn push() {}
}

fn factorial(n: u64) -> u64 {
    if n < 2 {
        return 1;
    }
    n * factorial(n - 1)
}

fn count() -> u64 {
    unsafe {
        COUNTER += 1;
        COUNTER
    }
}

fn try_all() {
    let total: Result<i32> = try { 1 };
    let numbers = gen { yield 1 };
}

fn main() {
    let greeting: &str = GREETING;
    let Some(first) = greeting.chars().next() else { return };
    let tuple = (1, 2.5, 'c', b"bytes");
    let mut table: BTreeMap<String, Vec<i32>> = BTreeMap::new();
    let add = |left: i32, right| -> i32 { left + right };
    let later = async move |x: i32| x;
    table.insert(format!("{first}"), vec![add(1, 2)]);
    let parsed = "12".parse::<i32>().unwrap_or_else(|_| -1);
    loop {
        if parsed > 3 {
            break;
        }
    }
    println!("{} {}", factorial(5), squares![1, 2].len());
    (later)(tuple.0 as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "slow"]
    fn counts_up() {
        assert_eq!(count(), 1, "counted once");
        assert!(Unit.render().is_err());
    }

    #[tokio::test]
    async fn sends() {
        wire::send(&[]).await.unwrap();
    }
}
