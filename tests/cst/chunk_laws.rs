//! What is true of all chunks, of any text in any language.

use std::path::{Path, PathBuf};

use cst::language::Language;
use cst::outline::chunk::{Chunk, Context, Count, Mode, Options, chunks, chunks_of_lines};
use cst::outline::{self, outline};
use cst::text::Text;
use cst::tree::{ParseLimits, Tree};
use proptest::prelude::*;

/// Each language's sample.
pub(super) fn samples() -> Vec<(&'static Language, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("selectors");
    let sample = |language: &'static Language| {
        let files = std::fs::read_dir(folder.join(language.name())).into_iter().flatten().flatten();
        let mut samples = files
            .map(|file| file.path())
            .filter(|path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "sample"));
        let text = std::fs::read_to_string(samples.next()?).expect("the sample is text");
        Some((language, text))
    };
    let samples: Vec<_> = Language::all().into_iter().filter_map(sample).collect();
    assert!(samples.len() >= 17, "only {} samples were found", samples.len());
    samples
}

fn parsed(bytes: &[u8], language: &'static Language) -> Tree {
    let text = Text::decode(bytes, None).expect("it is a text");
    Tree::parse(text, language, &ParseLimits::default()).expect("it is neither large nor deep")
}

/// The laws.
fn check(text: &Text, found: &[Chunk], options: &Options, what: &str) {
    let source = text.to_string();
    let mark = if text.encoding().has_mark() { "\u{feff}" } else { "" };
    let mut spans: Vec<_> = found.iter().flat_map(|chunk| chunk.spans.clone()).collect();
    spans.sort_unstable();
    let mut at = 0;
    for span in spans {
        assert_eq!(span.start(), at, "{what}: a gap, or twice the same");
        assert!(!span.is_empty() || source.is_empty(), "{what}: an empty span at {at}");
        let is_in_line_end = at > 0 && source.as_bytes()[at - 1..].starts_with(b"\r\n");
        assert!(!is_in_line_end, "{what}: a line's end is cut at {at}");
        at = span.end();
    }
    assert_eq!(at, source.len(), "{what}: the end is left out");
    for (index, chunk) in found.iter().enumerate() {
        let first = if chunk.spans[0].start() == 0 { mark } else { "" };
        let text = chunk.spans.iter().map(|span| &source[span.start()..span.end()]);
        assert_eq!(chunk.text, std::iter::once(first).chain(text).collect::<String>(), "{what}");
        assert_eq!(chunk.tokens, options.count.of(&format!("{}{}", chunk.context, chunk.text)), "{what}");
        assert!(chunk.tokens <= options.max_tokens, "{what}: {} tokens: {:?}", chunk.tokens, chunk.text);
        assert!(chunk.parent.is_none_or(|parent| parent < index), "{what}: {index} has {:?}", chunk.parent);
        assert!(
            chunk.part.is_none_or(|(part, parts)| 1 <= part && part <= parts && parts > 1),
            "{what}: {:?}",
            chunk.part
        );
        assert!(options.mode == Mode::Signature || chunk.spans.len() == 1, "{what}");
    }
}

/// Cuts a text in a language, and looks at the laws.
fn cut(bytes: &[u8], language: &'static Language, options: &Options, what: &str) -> (Tree, Vec<Chunk>) {
    let tree = parsed(bytes, language);
    let found = chunks(&tree, "src/sample", options).expect("the options are sound");
    let what = format!("{} {what} {options:?}", language.name());
    check(tree.text(), &found, options, &what);
    (tree, found)
}

fn options(max_tokens: usize) -> Options {
    Options { max_tokens, ..Options::default() }
}

const SIZES: &[usize] = &[8, 9, 21, 60, 150, 400, 1024];

#[test]
fn of_every_sample_in_every_size() {
    for (language, sample) in samples() {
        for &max_tokens in SIZES {
            for mode in [Mode::Pack, Mode::Signature] {
                cut(sample.as_bytes(), language, &Options { mode, ..options(max_tokens) }, "as it is");
            }
            let plain = Options { context: Context::None, count: Count::Bytes, ..options(max_tokens) };
            cut(sample.as_bytes(), language, &plain, "in bytes");
            let told = Options { context: Context::Path, overlap: max_tokens / 3, ..options(max_tokens) };
            cut(sample.as_bytes(), language, &told, "with overlap");
        }
    }
}

#[test]
fn of_other_line_ends_marks_and_letters() {
    for (language, sample) in samples() {
        let variants = [
            ("with CRLF", sample.replace('\n', "\r\n")),
            ("with CR", sample.replace('\n', "\r")),
            ("with a mark", format!("\u{feff}{sample}")),
            ("with signs of several bytes", sample.replace('e', "é").replace('o', "👩‍👩‍👧")),
            ("on one line", sample.replace('\n', " ")),
            ("cut short", sample.chars().take(sample.chars().count() * 2 / 3).collect()),
            (
                "with holes",
                sample.chars().enumerate().filter(|(place, _)| place % 37 != 5).map(|(_, sign)| sign).collect(),
            ),
            ("empty", String::new()),
            ("a mark alone", "\u{feff}".to_owned()),
        ];
        for (what, text) in variants {
            for &max_tokens in &[8, 33, 300] {
                let options = Options { overlap: max_tokens / 4, ..options(max_tokens) };
                cut(text.as_bytes(), language, &options, what);
            }
        }
    }
}

#[test]
fn what_documents_a_definition_stays_with_it() {
    let mut count = 0;
    for (language, sample) in samples() {
        for &max_tokens in SIZES {
            let options = Options { context: Context::None, ..options(max_tokens) };
            let (tree, found) = cut(sample.as_bytes(), language, &options, "documented");
            for definition in outline(&tree, &outline::Options::default()).expect("there are no options") {
                let unit = tree.outermost_wrapper(definition.node);
                let leading = tree.attachments().leading(tree.table(), unit).next().unwrap_or(unit);
                let comments = tree.comments_above(leading);
                let first = comments.first().copied().unwrap_or(leading);
                let whole = tree.span(first).join(tree.span(unit));
                // White space around it counts, too.
                if first == unit || Count::Tokens.of(&tree.text().slice(whole)) + 4 > max_tokens {
                    continue;
                }
                count += 1;
                let holds = |chunk: &&Chunk| chunk.spans[0].contains(whole);
                let what = (language.name(), max_tokens, &definition.qualname);
                assert!(found.iter().any(|chunk| holds(&chunk)), "{what:?} is cut from what is above it");
            }
        }
    }
    assert!(count > 100, "only {count} were documented");
}

#[test]
fn of_texts_in_no_language() {
    for (language, sample) in samples() {
        for &max_tokens in SIZES {
            let options = options(max_tokens);
            let text = Text::new(&sample);
            let found = chunks_of_lines(&text, "sample", &options).expect("the options are sound");
            check(&text, &found, &options, language.name());
        }
    }
}

#[test]
fn the_same_text_gives_the_same_chunks() {
    for (language, sample) in samples() {
        let tree = parsed(sample.as_bytes(), language);
        let again = parsed(sample.as_bytes(), language);
        let options = Options { overlap: 10, ..options(100) };
        assert_eq!(chunks(&tree, "a", &options), chunks(&again, "a", &options), "{}", language.name());
    }
}

/// Neither depth nor length is followed step by step into another call, or looked at again for each step.
#[test]
fn of_what_is_deep_and_what_is_long() {
    let deep = format!("x = {}1{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let chain = format!("x = 1{}\n", " + 1".repeat(50_000));
    let letters = "a".repeat(300_000);
    let marks = format!("# {}\n", "e\u{301}\u{302}".repeat(20_000));
    let stacked = format!("# {}\n", "\u{301}".repeat(100_000));
    let blank = " \n".repeat(100_000);
    let minified = "f(1,2);g({a:[1,2,3],b:function(){return 4}});".repeat(3_000);
    let python = Language::named("python").expect("it is built in");
    let script = Language::named("javascript").expect("it is built in");
    let sources = [(&deep, script), (&chain, python), (&letters, python), (&marks, python), (&stacked, python)];
    for (source, language) in sources.into_iter().chain([(&blank, python), (&minified, script)]) {
        for max_tokens in [8, 1024] {
            let what = source.chars().take(10).collect::<String>();
            let (_, found) = cut(source.as_bytes(), language, &options(max_tokens), &what);
            assert!(found.len() > 1, "{what}");
            cut(source.as_bytes(), language, &Options { count: Count::Bytes, ..options(max_tokens) }, &what);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_any_text(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "def f(a):\n", "class A:\n", "    ", "return x\n", "\r\n", "\r", "\n\n", "# é\n", "'''", "\"", "(", ")", "[", "{", "@d\n",
                "👩‍👩‍👧", "e\u{301}", "if x:\n", "else:\n", "aaaaaaaaaaaaaaaaaaaaaaaa", ";", "\t", " ", "lambda: 0", "漢字", "12345678",
            ]),
            0..120,
        ),
        max_tokens in 8usize..60,
        min_tokens in 0usize..40,
        overlap in 0usize..4,
        signature: bool,
        bytes: bool,
        path: bool,
    ) {
        let options = Options {
            max_tokens,
            min_tokens,
            overlap,
            mode: if signature { Mode::Signature } else { Mode::Pack },
            context: if path { Context::Path } else { Context::Full },
            count: if bytes { Count::Bytes } else { Count::Tokens },
        };
        for name in ["python", "javascript", "markdown"] {
            let language = Language::named(name).expect("it is built in");
            cut(words.concat().as_bytes(), language, &options, "any text");
        }
    }
}
