//! Search by meaning: vectors of small models that are made here, and of an endpoint on the loopback.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cst::embedding::{Purpose, open_folder};
use serde_json::{Value, json};

use crate::cli::{Place, Run, ended};
use crate::mcp::{call, said_in};

/// Words, and what they are about: each group is a direction of its own.
const WORDS: &[&[&str]] =
    &[&["car", "automobile", "vehicle"], &["fruit", "apple", "pear"], &["money", "invoice", "pay"], &["boat", "ship"]];

const FILES: &[(&str, &str)] = &[
    (
        "garage.py",
        "def wash_automobile(x):\n    return x\n\n\nclass Vehicle:\n    def start(self):\n        return 1\n",
    ),
    ("kitchen.py", "def peel(apple):\n    \"\"\"Peels a pear.\"\"\"\n    return apple\n"),
    ("office.py", "def send_invoice(x):\n    return x\n\n\ndef ship_automobile(ship):\n    return ship\n"),
];

/// A safetensors file.
fn tensors(tensors: &[(&str, &[usize], &[f32])]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape, values) in tensors {
        let start = data.len();
        values.iter().for_each(|value| data.extend_from_slice(&value.to_le_bytes()));
        header.insert((*name).to_owned(), json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}));
    }
    let mut header = Value::Object(header).to_string();
    // The numbers begin at a multiple of four.
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&data);
    bytes
}

/// A tokenizer of whole words, the first of which is for unknown ones.
fn tokenizer(words: &[&str], special: Option<(&str, &str)>) -> String {
    let vocabulary: serde_json::Map<String, Value> =
        words.iter().enumerate().map(|(number, word)| ((*word).to_owned(), json!(number))).collect();
    let post = special.map(|(first, last)| {
        let id = |word: &str| words.iter().position(|known| *known == word);
        let token = |word: &str| json!({"SpecialToken": {"id": word, "type_id": 0}});
        let text = json!({"Sequence": {"id": "A", "type_id": 0}});
        let special = [first, last].map(|word| (word.to_owned(), json!({"id": word, "ids": [id(word)], "tokens": [word]})));
        let special: serde_json::Map<String, Value> = special.into_iter().collect();
        json!({"type": "TemplateProcessing", "single": [token(first), text, token(last)], "pair": [text, text], "special_tokens": special})
    });
    let model = json!({"type": "WordLevel", "vocab": vocabulary, "unk_token": words[0]});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Punctuation", "behavior": "Isolated"},
        "post_processor": post, "decoder": null, "model": model,
    })
    .to_string()
    .replace(
        r#"{"type":"Punctuation","behavior":"Isolated"}"#,
        r#"{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Punctuation","behavior":"Isolated"}]}"#,
    )
}

/// A table of vectors, as model2vec has them.
fn write_table(folder: &Path) {
    let mut words = vec!["[UNK]"];
    let mut vectors = vec![9.0f32; WORDS.len()];
    for (direction, group) in WORDS.iter().enumerate() {
        for word in *group {
            words.push(word);
            vectors.extend((0..WORDS.len()).map(|other| if other == direction { 1.0 } else { 0.0 }));
        }
    }
    fs::create_dir_all(folder).expect("the folder can be made");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("the file can be written");
    write("config.json", br#"{"model_type": "model2vec", "normalize": true, "hidden_dim": 4}"#);
    write("tokenizer.json", tokenizer(&words, None).as_bytes());
    write("model.safetensors", &tensors(&[("embeddings", &[words.len(), WORDS.len()], &vectors)]));
}

fn place() -> Place {
    let place = Place::new();
    FILES.iter().for_each(|(path, text)| place.write(path, text));
    write_table(&place.configuration().join("table"));
    place
}

fn embed(place: &Place) -> Run {
    let model = place.configuration().join("table");
    place.run(&["index", "--json", "--embed", model.to_str().expect("a path of letters")])
}

/// The qualified names of the results.
fn names(run: &Run) -> Vec<String> {
    let answer = run.json();
    let rows = answer["results"].as_array().expect("a list").iter();
    rows.map(|row| row["qualname"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn meaning_finds_what_words_do_not() {
    let place = place();
    // Without vectors nothing is different.
    assert_eq!(names(&place.run(&["search", "--json", "car"])), Vec::<String>::new());
    let plain = place.run(&["search", "--json", "automobile"]).expect(0).stdout;
    assert!(!plain.contains("vector") && !plain.contains("rank"), "{plain}");
    let refused = place.run(&["search", "--semantic", "car"]).expect(2);
    assert!(
        refused.stderr.contains("no vectors") && refused.stderr.contains("`cst index --embed MODEL`"),
        "{}",
        refused.stderr
    );

    let made = embed(&place).expect(0).json()["vectors"].clone();
    // Six definitions, and the rest of each of three files.
    assert_eq!((&made["made"], &made["kept"]), (&json!(9), &json!(0)));
    let found = names(&place.run(&["search", "--json", "--semantic", "car"]).expect(0));
    assert_eq!(found[0], "wash_automobile");
    assert_eq!(names(&place.run(&["search", "--json", "--semantic", "a fruit"]).expect(0))[0], "peel");
    assert!(names(&place.run(&["search", "--json", "car"])).contains(&"Vehicle".to_owned()));
    assert!(names(&place.run(&["search", "--json", "--lexical", "car"])).is_empty());
    // Both orders count: by words `ship_automobile` is as good as `wash_automobile`.
    let both = names(&place.run(&["search", "--json", "automobile"]).expect(0));
    assert_eq!(both[0], "wash_automobile");
    let explained = place.run(&["search", "--explain", "automobile", "--limit", "1"]).expect(0).stdout;
    assert!(explained.contains("by words 1") || explained.contains("by words 2"), "{explained}");
    assert!(explained.contains("by meaning 1"), "{explained}");
    // What a query demands and excludes counts for both.
    let filtered = |query: &str| names(&place.run(&["search", "--json", "--semantic", query]));
    assert_eq!(filtered("car kind:class")[0], "Vehicle");
    assert!(filtered("car kind:class").len() == 1);
    assert!(!filtered("car -ship").contains(&"ship_automobile".to_owned()));
    assert!(filtered("car path:kitchen.py").iter().all(|name| name == "peel" || name == "kitchen.py"));
    assert_eq!(filtered("\"wash automobile\""), ["wash_automobile"]);
    // An agent has the same.
    let host = || cst::Host { cache: Some(place.cache()), ..cst::Host::at(place.path("")) };
    let said = said_in(host(), &[call("search", json!({"query": "car", "mode": "semantic", "path": "."}))]);
    assert!(said.contains("wash_automobile"), "{said}");
}

#[test]
fn only_what_is_new_is_embedded() {
    let place = place();
    embed(&place).expect(0);
    assert_eq!(embed(&place).expect(0).json()["vectors"]["made"], 0);
    // One definition of a file changes, the others keep their vectors.
    place.write("office.py", &FILES[2].1.replace("send_invoice", "pay_invoice"));
    place.write("new.py", "def dock(boat):\n    return boat\n");
    let run = place.run(&["search", "--semantic", "boat"]).expect(0);
    assert!(run.stderr.contains("2 files without vectors"), "{}", run.stderr);
    assert_eq!(place.run(&["search", "--json", "boat"]).expect(0).json()["without_vectors"], 2);
    // The rest of `new.py` is as empty as that of the others.
    assert_eq!(embed(&place).expect(0).json()["vectors"]["made"], 2);
    let run = place.run(&["search", "--semantic", "--json", "boat"]).expect(0);
    assert_eq!((names(&run)[0].as_str(), run.json()["without_vectors"].as_u64()), ("dock", None));
    // The vectors are the user's alone, and go with the index.
    let folder = fs::read_dir(place.cache().join("index")).expect("a cache").flatten();
    let stored: Vec<_> = folder.map(|entry| entry.path().join("vectors.db")).filter(|path| path.exists()).collect();
    assert_eq!(stored.len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&stored[0]).expect("a file").permissions().mode() & 0o777, 0o600);
    }
    // Damaged, they are made again.
    fs::write(&stored[0], "no database").expect("the file can be written");
    let _ = fs::remove_file(stored[0].with_file_name("vectors.db-wal"));
    place.run(&["search", "automobile"]).expect(0);
    place.run(&["search", "--semantic", "boat"]).expect(2);
    assert_ne!(embed(&place).expect(0).json()["vectors"]["made"], 0);
    place.run(&["search", "--semantic", "boat"]).expect(0);
    place.run(&["index", "--clear"]).expect(0);
    assert!(!stored[0].exists());
}

#[test]
fn a_model_that_is_gone_or_changed_is_named() {
    let place = place();
    embed(&place).expect(0);
    let folder = place.configuration().join("table");
    fs::write(folder.join("config.json"), r#"{"model_type": "model2vec", "other": 1}"#).expect("written");
    let run = place.run(&["search", "automobile"]).expect(0);
    assert!(run.stderr.contains("searched by words alone: the vectors were made by another version"), "{}", run.stderr);
    place.run(&["search", "--semantic", "automobile"]).expect(2);
    fs::remove_dir_all(&folder).expect("it was there");
    let run = place.run(&["search", "automobile"]).expect(0);
    assert!(run.stderr.contains("searched by words alone: the model's"), "{}", run.stderr);
    assert_eq!(place.run(&["search", "--semantic", "--json", "automobile"]).expect(2).error(), "not_found");
}

#[test]
fn folders_that_are_not_models_are_refused() {
    let place = place();
    let folder = place.configuration().join("table");
    let shown = |change: &dyn Fn(&Path)| {
        write_table(&folder);
        change(&folder);
        embed(&place).expect(2).stdout
    };
    let write = |folder: &Path, name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("written");
    let said = shown(&|folder| write(folder, "config.json", br#"{"model_type": "gpt2"}"#));
    assert!(said.contains("models of the type `gpt2` are not supported; these are: bert"), "{said}");
    let said = shown(&|folder| fs::remove_file(folder.join("model.safetensors")).expect("it was there"));
    assert!(said.contains("not_found") && said.contains("model.safetensors"), "{said}");
    let said = shown(&|folder| {
        fs::remove_file(folder.join("model.safetensors")).expect("it was there");
        write(folder, "pytorch_model.bin", b"x");
    });
    assert!(said.contains("weights in other formats are not read"), "{said}");
    let said = shown(&|folder| write(folder, "model.safetensors", b"\xff\xff\xff\xff\xff\xff\xff\xff{"));
    assert!(said.contains("cannot be used"), "{said}");
    let said = shown(&|folder| write(folder, "model.safetensors", &tensors(&[("embeddings", &[4], &[0.0; 4])])));
    assert!(said.contains("`embeddings` is not a matrix"), "{said}");
    let said = shown(&|folder| write(folder, "tokenizer.json", b"{}"));
    assert!(said.contains("tokenizer.json"), "{said}");
    // A vocabulary that is larger than the table: an error, not a panic.
    let said = shown(&|folder| write(folder, "model.safetensors", &tensors(&[("embeddings", &[1, 4], &[0.0; 4])])));
    assert!(said.contains("has no vector"), "{said}");
    let said = place.run(&["index", "--embed", "nowhere"]).expect(2).stderr;
    assert!(said.contains("neither the folder of a model nor an endpoint"), "{said}");
}

/// A network of one layer with given numbers, beside the formulas of BERT written plainly.
#[test]
fn a_network_is_reckoned_by_the_formulas() {
    const SIZE: usize = 8;
    const INNER: usize = 12;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let words = ["[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d"];
    let mut state = 7u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "any number will do")]
        let number = (state >> 40) as f32 / 8_388_608.0 - 1.0;
        number
    };
    let mut named: Vec<(String, Vec<usize>, Vec<f32>)> = Vec::new();
    let mut add = |name: &str, shape: &[usize]| {
        let values = (0..shape.iter().product()).map(|_| number()).collect();
        named.push((name.to_owned(), shape.to_vec(), values));
    };
    add("embeddings.word_embeddings.weight", &[words.len(), SIZE]);
    add("embeddings.position_embeddings.weight", &[16, SIZE]);
    add("embeddings.token_type_embeddings.weight", &[2, SIZE]);
    let norms =
        ["embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm", "encoder.layer.0.output.LayerNorm"];
    for norm in norms {
        add(&format!("{norm}.weight"), &[SIZE]);
        add(&format!("{norm}.bias"), &[SIZE]);
    }
    for (linear, outputs, inputs) in [
        ("attention.self.query", SIZE, SIZE),
        ("attention.self.key", SIZE, SIZE),
        ("attention.self.value", SIZE, SIZE),
        ("attention.output.dense", SIZE, SIZE),
        ("intermediate.dense", INNER, SIZE),
        ("output.dense", SIZE, INNER),
    ] {
        add(&format!("encoder.layer.0.{linear}.weight"), &[outputs, inputs]);
        add(&format!("encoder.layer.0.{linear}.bias"), &[outputs]);
    }
    let borrowed: Vec<(&str, &[usize], &[f32])> =
        named.iter().map(|(name, shape, values)| (name.as_str(), &shape[..], &values[..])).collect();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    };
    let config = json!({
        "model_type": "bert", "hidden_size": SIZE, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": INNER,
        "max_position_embeddings": 16, "vocab_size": words.len(), "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu",
    });
    write("config.json", config.to_string().as_bytes());
    write("tokenizer.json", tokenizer(&words, Some(("[CLS]", "[SEP]"))).as_bytes());
    write("model.safetensors", &tensors(&borrowed));
    write("1_Pooling/config.json", br#"{"pooling_mode_mean_tokens": true}"#);
    let model = open_folder(folder.path()).expect("a model");
    let texts = ["a b c", "d", "a a b zzz d c b a"];
    let found = model.embed(&texts, Purpose::Passage).expect("vectors");
    let tensor =
        |name: &str| named.iter().find(|(known, ..)| known == name).map(|(.., values)| values).expect("a tensor");
    for (text, vector) in texts.iter().zip(&found) {
        let ids: Vec<usize> = std::iter::once(1)
            .chain(text.split(' ').map(|word| words.iter().position(|known| *known == word).unwrap_or(0)))
            .chain([2])
            .collect();
        let wanted = plainly(&ids, &tensor, SIZE, INNER);
        let cosine: f64 = vector.iter().zip(&wanted).map(|(one, other)| f64::from(*one) * other).sum();
        assert!(cosine > 0.999_999, "{text}: {cosine}");
        // Alone it is the same as among others.
        let alone = model.embed(&[text], Purpose::Query).expect("a vector");
        assert!(alone[0].iter().zip(vector).all(|(one, other)| (one - other).abs() < 1e-6), "{text}");
    }
    // More tokens than positions.
    let long = model.embed(&["a ".repeat(100).as_str()], Purpose::Passage).expect("a vector");
    assert!((long[0].iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-5);
    // The first token alone is another vector; what is not supported is refused.
    write("1_Pooling/config.json", br#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#);
    let first = open_folder(folder.path()).expect("a model");
    assert_ne!(first.identity(), model.identity());
    assert!(first.embed(&texts, Purpose::Passage).expect("vectors")[0] != found[0]);
    write("1_Pooling/config.json", br#"{"pooling_mode_max_tokens": true}"#);
    assert!(open_folder(folder.path()).expect_err("it is refused").to_string().contains("the mean of the tokens"));
}

/// The vector of some tokens, number by number.
fn plainly<'a>(ids: &[usize], tensor: &dyn Fn(&str) -> &'a Vec<f32>, size: usize, inner: usize) -> Vec<f64> {
    let row = |name: &str, number: usize| -> Vec<f64> {
        tensor(name)[number * size..(number + 1) * size].iter().map(|value| f64::from(*value)).collect()
    };
    let norm = |name: &str, row: &[f64]| -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let count = row.len() as f64;
        let mean = row.iter().sum::<f64>() / count;
        let deviation = (row.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
        let (weight, bias) = (tensor(&format!("{name}.weight")), tensor(&format!("{name}.bias")));
        (0..row.len()).map(|at| (row[at] - mean) / deviation * f64::from(weight[at]) + f64::from(bias[at])).collect()
    };
    let linear = |name: &str, row: &[f64], outputs: usize| -> Vec<f64> {
        let weight = tensor(&format!("encoder.layer.0.{name}.weight"));
        let bias = tensor(&format!("encoder.layer.0.{name}.bias"));
        let one = |at: usize| {
            let sum: f64 = (0..row.len()).map(|from| row[from] * f64::from(weight[at * row.len() + from])).sum();
            sum + f64::from(bias[at])
        };
        (0..outputs).map(one).collect()
    };
    let add =
        |one: &[f64], other: &[f64]| -> Vec<f64> { one.iter().zip(other).map(|(one, other)| one + other).collect() };
    let states: Vec<Vec<f64>> = ids
        .iter()
        .enumerate()
        .map(|(place, &id)| {
            let sum = add(
                &row("embeddings.word_embeddings.weight", id),
                &row("embeddings.position_embeddings.weight", place),
            );
            norm("embeddings.LayerNorm", &add(&sum, &row("embeddings.token_type_embeddings.weight", 0)))
        })
        .collect();
    let part = |name: &str| -> Vec<Vec<f64>> { states.iter().map(|state| linear(name, state, size)).collect() };
    let (queries, keys, values) =
        (part("attention.self.query"), part("attention.self.key"), part("attention.self.value"));
    let half = size / 2;
    let mut mean = vec![0.0; size];
    for (place, state) in states.iter().enumerate() {
        let mut context = vec![0.0; size];
        for head in [0, half] {
            let score = |other: &Vec<f64>| -> f64 {
                let product: f64 = (head..head + half).map(|at| queries[place][at] * other[at]).sum();
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                let scaled = product / (half as f64).sqrt();
                scaled.exp()
            };
            let scores: Vec<f64> = keys.iter().map(score).collect();
            let sum: f64 = scores.iter().sum();
            for (score, value) in scores.iter().zip(&values) {
                (head..head + half).for_each(|at| context[at] += score / sum * value[at]);
            }
        }
        let attended = add(state, &linear("attention.output.dense", &context, size));
        let attended = norm("encoder.layer.0.attention.output.LayerNorm", &attended);
        let mut wide = linear("intermediate.dense", &attended, inner);
        wide.iter_mut().for_each(|value| *value *= 0.5 * (1.0 + erf(*value / std::f64::consts::SQRT_2)));
        let last = norm("encoder.layer.0.output.LayerNorm", &add(&attended, &linear("output.dense", &wide, size)));
        mean = add(&mean, &last);
    }
    let length = mean.iter().map(|value| value * value).sum::<f64>().sqrt();
    mean.iter().map(|value| value / length).collect()
}

/// The error function by its series.
fn erf(value: f64) -> f64 {
    let (mut sum, mut term) = (0.0, value);
    for number in 0..200 {
        let number = f64::from(number);
        sum += term / (2.0 * number + 1.0);
        term *= -value * value / (number + 1.0);
    }
    if value.abs() > 5.0 { value.signum() } else { sum * 2.0 / std::f64::consts::PI.sqrt() }
}

/// An endpoint on the loopback that knows the groups of words.
struct Served {
    port: u16,
    requests: Arc<AtomicUsize>,
    texts: Arc<Mutex<Vec<String>>>,
}

/// What the endpoint does with its nth request, from 1.
type Behaviour = fn(usize) -> u16;

fn serve(behaviour: Behaviour, pause: Duration) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (requests, texts) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let (counted, kept) = (Arc::clone(&requests), Arc::clone(&texts));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (counted, kept) = (Arc::clone(&counted), Arc::clone(&kept));
            std::thread::spawn(move || {
                let Ok(mut stream) = stream else { return };
                let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
                loop {
                    let (mut length, mut is_allowed, mut line) = (0, false, String::new());
                    loop {
                        line.clear();
                        if reader.read_line(&mut line).unwrap_or(0) == 0 {
                            return;
                        }
                        let header = line.trim().to_ascii_lowercase();
                        if let Some(value) = header.strip_prefix("content-length:") {
                            length = value.trim().parse().expect("a length");
                        }
                        is_allowed |= header == "authorization: bearer secret";
                        if header.is_empty() {
                            break;
                        }
                    }
                    let mut body = vec![0; length];
                    reader.read_exact(&mut body).expect("the body");
                    let asked: Value = serde_json::from_slice(&body).expect("JSON");
                    assert_eq!(asked["model"], "small");
                    let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                    std::thread::sleep(pause);
                    let status = if is_allowed { behaviour(number) } else { 401 };
                    let mut rows = Vec::new();
                    for (index, text) in asked["input"].as_array().expect("texts").iter().enumerate() {
                        let text = text.as_str().expect("a text");
                        kept.lock().expect("one at a time").push(text.to_owned());
                        let known =
                            |group: &&[&str]| text.split_whitespace().filter(|word| group.contains(word)).count();
                        let mut vector: Vec<usize> = WORDS.iter().map(known).collect();
                        vector.push(1);
                        rows.push(json!({"object": "embedding", "index": index, "embedding": vector}));
                    }
                    // The order of the rows is not that of the texts.
                    rows.reverse();
                    let answer = json!({"object": "list", "data": rows}).to_string();
                    let mut text = format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n");
                    let _ = write!(text, "Content-Length: {}\r\n\r\n{answer}", answer.len());
                    if stream.write_all(text.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    Served { port, requests, texts }
}

fn configure(place: &Place, port: u16) {
    let text =
        format!("[embeddings.mine]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"small\"\nkey = \"CST_TEST_KEY\"\n");
    place.configure("cst/config.toml", &text);
}

fn with_key(place: &Place, words: &[&str]) -> Run {
    let mut command = place.command(words);
    command.env("CST_TEST_KEY", "secret");
    ended(command, None)
}

#[test]
fn an_endpoint_of_the_users_configuration_makes_vectors() {
    let (place, served) = (place(), serve(|_| 200, Duration::ZERO));
    configure(&place, served.port);
    let refused = place.run(&["index", "--embed", "mine"]).expect(2).stderr;
    assert!(refused.contains("the environment variable `CST_TEST_KEY` with its key is not set"), "{refused}");
    assert_eq!(served.requests.load(Ordering::SeqCst), 0);
    let made = with_key(&place, &["index", "--json", "--embed", "mine"]).expect(0).json();
    assert_eq!(made["vectors"]["made"], 9);
    assert!(served.texts.lock().expect("nobody else").iter().any(|text| text.contains("def wash_automobile(x):")));
    let run = with_key(&place, &["search", "--json", "--semantic", "car"]).expect(0);
    assert_eq!(names(&run)[0], "wash_automobile");
    assert_eq!(served.texts.lock().expect("nobody else").last().map(String::as_str), Some("car"));
    // By words alone nothing is asked.
    let count = served.requests.load(Ordering::SeqCst);
    with_key(&place, &["search", "--lexical", "automobile"]).expect(0);
    with_key(&place, &["symbols", "peel"]).expect(0);
    assert_eq!(served.requests.load(Ordering::SeqCst), count);
    // A key goes to other machines only over TLS.
    place.configure(
        "cst/config.toml",
        "[embeddings.mine]\nurl = \"http://far.invalid/v1\"\nmodel = \"m\"\nkey = \"CST_TEST_KEY\"\n",
    );
    let refused = with_key(&place, &["index", "--embed", "mine"]).expect(2).stderr;
    assert!(refused.contains("would be sent unencrypted"), "{refused}");
    for (config, message) in [
        ("[embeddings.mine]\nurl = \"http://x\"\n", "lacks `url` or `model`"),
        ("[embeddings.mine]\nurl = 1\n", "`url` is a string"),
        ("[embeddings.mine]\nkeys = \"x\"\n", "unknown key `keys`"),
        ("embeddings = 1\n", "is a table of endpoints"),
        ("[embeddings.mine]\nurl = \"ftp://x\"\nmodel = \"m\"\n", "does not begin with `https://`"),
    ] {
        place.configure("cst/config.toml", config);
        let refused = place.run(&["index", "--embed", "mine"]).expect(2).stderr;
        assert!(refused.contains(message), "{config}: {refused}");
    }
}

#[test]
fn a_project_names_no_endpoint() {
    let (place, served) = (place(), serve(|_| 200, Duration::ZERO));
    let text = format!("[embeddings.theirs]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"small\"\n", served.port);
    place.write(".cst/config.toml", &text);
    let refused = place.run(&["trust"]).expect(2).stderr;
    assert!(refused.contains("a project cannot name endpoints"), "{refused}");
    place.run(&["index", "--embed", "theirs"]).expect(2);
    place.run(&["search", "automobile"]).expect(0);
    assert_eq!(served.requests.load(Ordering::SeqCst), 0);
}

#[test]
fn what_was_made_before_an_endpoint_failed_is_kept() {
    // The first request asks how long a vector is; the third one is the second file's.
    let (place, served) = (place(), serve(|number| if number == 3 { 400 } else { 200 }, Duration::ZERO));
    configure(&place, served.port);
    let failed = with_key(&place, &["index", "--json", "--embed", "mine", "--threads", "1"]).expect(2);
    assert_eq!(failed.error(), "endpoint_failed");
    let made = with_key(&place, &["index", "--json", "--embed", "mine"]).expect(0).json()["vectors"].clone();
    let (made, kept) = (made["made"].as_u64().expect("a number"), made["kept"].as_u64().expect("a number"));
    assert!(kept > 0 && made > 0 && made + kept == 9, "{made} {kept}");
    // A busy endpoint is asked again.
    let busy = serve(|number| if number == 1 { 503 } else { 200 }, Duration::ZERO);
    configure(&place, busy.port);
    with_key(&place, &["index", "--embed", "mine"]).expect(0);
    // One that is gone leaves the search by words.
    place.configure("cst/config.toml", "");
    let run = place.run(&["search", "automobile"]).expect(0);
    assert!(run.stderr.contains("the endpoint `mine` is not in your configuration any more"), "{}", run.stderr);
}

#[test]
fn a_killed_run_loses_little() {
    let (place, served) = (place(), serve(|_| 200, Duration::from_millis(700)));
    for number in 0..20 {
        place.write(&format!("more_{number}.py"), &format!("def take_{number}(car):\n    return {number}\n"));
    }
    configure(&place, served.port);
    let mut command = place.command(&["index", "--embed", "mine", "--threads", "1"]);
    let mut child = command.env("CST_TEST_KEY", "secret").spawn().expect("it starts");
    // More than two seconds after the first vectors; then they have been written.
    while served.requests.load(Ordering::SeqCst) < 8 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended early");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let mut command = place.command(&["search", "--json", "--semantic", "car"]);
    command.env("CST_TEST_KEY", "secret");
    let missing = ended(command, None).expect(0).json()["without_vectors"].as_u64().expect("some are missing");
    assert!((1..=21).contains(&missing), "{missing}");
}
