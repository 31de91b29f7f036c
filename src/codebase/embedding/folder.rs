//! A model in a folder: `config.json`, `tokenizer.json`, `model.safetensors`, and what sentence-transformers writes beside them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenizers::{Tokenizer, TruncationParams};

use super::bert::{Bert, Config, Pooling};
use super::model::{EmbeddingError, Model, Purpose, normalize};
use super::weights::Weights;
use crate::limits;

/// Models of a folder that are BERT by other names; whether their positions are counted after the padding.
const NETWORKS: &[(&str, bool)] = &[("bert", false), ("roberta", true), ("xlm-roberta", true), ("camembert", true)];
/// The largest file besides the weights, in bytes.
const FILE_BYTES: u64 = 256 << 20;
/// How many parts of the weights are hashed, and how long each is. All of them would take longer than a query.
const SAMPLES: usize = 64;
const SAMPLE_BYTES: usize = 4096;

/// A model in a folder.
#[derive(Debug)]
pub struct Folder {
    identity: String,
    tokenizer: Tokenizer,
    network: Network,
    query: String,
    passage: String,
}

#[derive(Debug)]
enum Network {
    /// A network, and whether the first token is taken or the mean of all.
    Bert(Box<Bert>, Pooling),
    /// A table with a vector for each token.
    Table(Table),
}

#[derive(Debug)]
struct Table {
    weights: Weights,
    tokens: usize,
    dimensions: usize,
    /// How much each token counts, if not all the same.
    has_factors: bool,
    /// Which row each token has, if they are not in order.
    rows: Option<Vec<usize>>,
    unknown: Option<u32>,
}

/// What `config.json` says about the kind of a model.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    model_type: String,
}

/// What sentence-transformers says.
#[derive(Deserialize, Default)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "as the file has them")]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Sentence {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Prompts {
    prompts: std::collections::BTreeMap<String, String>,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// If a file is missing or cannot be used, or the model is of another kind.
    pub fn open(folder: &Path) -> Result<Folder, EmbeddingError> {
        let mut state = blake3::Hasher::new();
        let path = folder.join("config.json");
        let config = read(&path)?;
        state.update(&config);
        let kind: Kind = parse(&path, &config)?;
        let tokenizer_path = folder.join("tokenizer.json");
        let tokenizer_bytes = read(&tokenizer_path)?;
        state.update(&tokenizer_bytes);
        let invalid = |message: String| EmbeddingError::Invalid { path: tokenizer_path.clone(), message };
        let mut tokenizer = Tokenizer::from_bytes(&tokenizer_bytes).map_err(|error| invalid(error.to_string()))?;
        tokenizer.with_padding(None);
        let weights_path = folder.join("model.safetensors");
        if !weights_path.exists()
            && ["pytorch_model.bin", "onnx/model.onnx", "model.onnx"].iter().any(|name| folder.join(name).exists())
        {
            let message = "it is missing; weights in other formats are not read".to_owned();
            return Err(EmbeddingError::Invalid { path: weights_path, message });
        }
        let weights = Weights::open(&weights_path)?;
        sample(weights.bytes(), &mut state);
        let mut longest = limits::EMBEDDED_TOKENS;
        let is_network = NETWORKS.iter().find(|(name, _)| *name == kind.model_type);
        let network = match (kind.model_type.as_str(), is_network) {
            ("model2vec", _) => {
                let unknown = unknown_token(&tokenizer_bytes).and_then(|token| match token {
                    Unknown::Token(token) => tokenizer.token_to_id(&token),
                    Unknown::Id(id) => Some(id),
                });
                longest = limits::TABLE_TOKENS;
                Network::Table(Table::new(weights, unknown)?)
            }
            (_, Some((_, counts_after_padding))) => {
                let (pooling, sentence) = conventions(folder, &mut state)?;
                let config: Config = parse(&path, &config)?;
                let bert = Bert::new(config, weights, *counts_after_padding)?;
                longest = longest.min(sentence.max_seq_length.unwrap_or(usize::MAX)).min(bert.longest());
                Network::Bert(Box::new(bert), pooling)
            }
            (other, None) => {
                let known: Vec<&str> = NETWORKS.iter().map(|(name, _)| *name).chain(["model2vec"]).collect();
                let message =
                    format!("models of the type `{other}` are not supported; these are: {}", known.join(", "));
                return Err(EmbeddingError::Invalid { path, message });
            }
        };
        let truncation = TruncationParams { max_length: longest, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|error| invalid(error.to_string()))?;
        let prompts: Prompts = optional(&folder.join("config_sentence_transformers.json"), &mut state)?;
        let prompt = |names: &[&str]| names.iter().find_map(|name| prompts.prompts.get(*name)).cloned();
        let identity = format!("{}@{longest}", &state.finalize().to_hex()[..32]);
        Ok(Folder {
            identity,
            tokenizer,
            network,
            query: prompt(&["query"]).unwrap_or_default(),
            passage: prompt(&["passage", "document", "corpus"]).unwrap_or_default(),
        })
    }

    /// The tokens of a text.
    fn tokens(&self, text: &str, purpose: Purpose) -> Result<Vec<u32>, EmbeddingError> {
        let prefix = match purpose {
            Purpose::Query => &self.query,
            Purpose::Passage => &self.passage,
        };
        let is_special = matches!(self.network, Network::Bert(..));
        let text = match prefix.is_empty() {
            true => self.tokenizer.encode_fast(text, is_special),
            false => self.tokenizer.encode_fast(format!("{prefix}{text}"), is_special),
        };
        let path = || PathBuf::from("tokenizer.json");
        let encoding = text.map_err(|error| EmbeddingError::Invalid { path: path(), message: error.to_string() })?;
        Ok(encoding.get_ids().to_vec())
    }
}

impl Model for Folder {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn batch(&self) -> usize {
        limits::EMBEDDED_AT_ONCE
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let tokens = texts.iter().map(|text| self.tokens(text, purpose)).collect::<Result<Vec<_>, _>>()?;
        let mut vectors = match &self.network {
            Network::Table(table) => tokens.iter().map(|text| table.embed(text)).collect::<Result<Vec<_>, _>>()?,
            Network::Bert(bert, pooling) => {
                let slices: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
                bert.pool(&slices, *pooling)?
            }
        };
        vectors.iter_mut().for_each(|vector| normalize(vector));
        Ok(vectors)
    }
}

impl Table {
    fn new(weights: Weights, unknown: Option<u32>) -> Result<Table, EmbeddingError> {
        let &[rows, dimensions] = weights.shape("embeddings")? else {
            return Err(weights.invalid("`embeddings` is not a matrix".to_owned()));
        };
        let mapped = match weights.has("mapping") {
            true => {
                let &[tokens] = weights.shape("mapping")? else {
                    return Err(weights.invalid("`mapping` is not a list".to_owned()));
                };
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of rows")]
                let rows = weights.list("mapping", tokens)?.iter().map(|&row| row as usize).collect::<Vec<_>>();
                Some(rows)
            }
            false => None,
        };
        if let Some(row) = mapped.iter().flatten().find(|row| **row >= rows) {
            return Err(weights.invalid(format!("`mapping` has the row {row} of {rows}")));
        }
        let tokens = mapped.as_ref().map_or(rows, Vec::len);
        let has_factors = weights.has("weights");
        let table = Table { weights, tokens, dimensions, has_factors, rows: mapped, unknown };
        table.embed(&[])?;
        Ok(table)
    }

    /// The mean of the vectors of the known tokens.
    fn embed(&self, tokens: &[u32]) -> Result<Vec<f32>, EmbeddingError> {
        let rows = self.weights.shape("embeddings")?[0];
        let vectors = self.weights.matrix("embeddings", rows, self.dimensions)?;
        let factors = match self.has_factors {
            true => Some(self.weights.list("weights", self.tokens)?),
            false => None,
        };
        let mut sum = vec![0.0; self.dimensions];
        for &token in tokens.iter().filter(|token| Some(**token) != self.unknown) {
            let token = token as usize;
            if token >= self.tokens {
                return Err(self.weights.invalid(format!("the tokenizer's token {token} has no vector")));
            }
            let row = self.rows.as_ref().map_or(token, |rows| rows[token]);
            let factor = factors.map_or(1.0, |factors| factors[token]);
            sum.iter_mut().zip(vectors.row(row)).for_each(|(sum, value)| *sum += factor * value);
        }
        Ok(sum)
    }
}

enum Unknown {
    Token(String),
    Id(u32),
}

/// What the tokenizer makes of a word that it does not know.
fn unknown_token(tokenizer: &[u8]) -> Option<Unknown> {
    #[derive(Deserialize)]
    struct File {
        model: Inner,
    }
    #[derive(Deserialize)]
    struct Inner {
        unk_token: Option<String>,
        unk_id: Option<u32>,
    }
    let File { model } = serde_json::from_slice(tokenizer).ok()?;
    model.unk_token.map(Unknown::Token).or(model.unk_id.map(Unknown::Id))
}

/// How the vectors of tokens become one, and how long a text may be.
fn conventions(folder: &Path, state: &mut blake3::Hasher) -> Result<(Pooling, Sentence), EmbeddingError> {
    let path = folder.join("modules.json");
    let modules: Vec<Module> = optional(&path, state)?;
    let is_known = |kind: &str| ["Transformer", "Pooling", "Normalize"].iter().any(|known| kind.ends_with(known));
    if let Some(Module { kind }) = modules.iter().find(|module| !is_known(&module.kind)) {
        let message = format!("the module `{kind}` is not supported");
        return Err(EmbeddingError::Invalid { path, message });
    }
    let path = folder.join("1_Pooling").join("config.json");
    let is_given = path.exists();
    let file: PoolingFile = optional(&path, state)?;
    let PoolingFile {
        pooling_mode_cls_token: first,
        pooling_mode_mean_tokens: mean,
        pooling_mode_max_tokens: max,
        pooling_mode_mean_sqrt_len_tokens: root,
        pooling_mode_weightedmean_tokens: weighted,
        pooling_mode_lasttoken: last,
    } = file;
    let pooling = match (mean || !is_given, first, max || root || weighted || last) {
        (true, false, false) => Pooling::Mean,
        (false, true, false) => Pooling::First,
        _ => {
            let message = "only the mean of the tokens, or the first one, is supported".to_owned();
            return Err(EmbeddingError::Invalid { path, message });
        }
    };
    Ok((pooling, optional(&folder.join("sentence_bert_config.json"), state)?))
}

/// Hashes the length of the weights, their beginning and parts of the rest at even distances.
fn sample(bytes: &[u8], state: &mut blake3::Hasher) {
    state.update(&bytes.len().to_le_bytes());
    let step = (bytes.len() / SAMPLES).max(SAMPLE_BYTES);
    for part in bytes.chunks(step) {
        state.update(&part[..part.len().min(SAMPLE_BYTES)]);
    }
}

fn read(path: &Path) -> Result<Vec<u8>, EmbeddingError> {
    let unreadable = |error| EmbeddingError::Unreadable { path: path.to_owned(), error };
    let facts = fs::metadata(path).map_err(unreadable)?;
    if !facts.is_file() || facts.len() > FILE_BYTES {
        let message = "it is not a file, or too large".to_owned();
        return Err(EmbeddingError::Invalid { path: path.to_owned(), message });
    }
    fs::read(path).map_err(unreadable)
}

fn parse<T: for<'a> Deserialize<'a>>(path: &Path, bytes: &[u8]) -> Result<T, EmbeddingError> {
    serde_json::from_slice(bytes)
        .map_err(|error| EmbeddingError::Invalid { path: path.to_owned(), message: error.to_string() })
}

/// A file that may be missing.
fn optional<T: for<'a> Deserialize<'a> + Default>(
    path: &Path,
    state: &mut blake3::Hasher,
) -> Result<T, EmbeddingError> {
    if !path.exists() {
        return Ok(T::default());
    }
    let bytes = read(path)?;
    state.update(&bytes);
    parse(path, &bytes)
}
