//! The network of BERT and of models built alike: embeddings of tokens and positions, then layers of attention and two
//! linear steps, each added to what it was given and normalised.
//!
//! Written for inference alone: all texts of a batch are rows of one matrix, without padding, so only attention goes by text.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use serde::Deserialize;

use super::model::EmbeddingError;
use super::weights::Weights;
use crate::interrupt::poll;

/// What `config.json` says about the network.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Config {
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub vocab_size: usize,
    #[serde(default = "one")]
    pub type_vocab_size: usize,
    #[serde(default = "small")]
    pub layer_norm_eps: f32,
    #[serde(default = "gelu_name")]
    pub hidden_act: String,
    #[serde(default)]
    pub pad_token_id: usize,
    #[serde(default)]
    pub position_embedding_type: Option<String>,
}

fn one() -> usize {
    1
}

fn small() -> f32 {
    1e-12
}

fn gelu_name() -> String {
    "gelu".to_owned()
}

/// The network.
#[derive(Debug)]
pub(super) struct Bert {
    config: Config,
    weights: Weights,
    /// What the names of its tensors begin with.
    prefix: String,
    /// The number of the first position: RoBERTa's come after that of the padding.
    first_position: usize,
    activation: Activation,
}

#[derive(Debug, Clone, Copy)]
enum Activation {
    Gelu,
    GeluTanh,
    Relu,
}

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pooling {
    Mean,
    First,
}

impl Bert {
    /// The network of some weights.
    ///
    /// # Errors
    /// If the network is of another kind, or a tensor is missing.
    pub(super) fn new(config: Config, weights: Weights, counts_after_padding: bool) -> Result<Bert, EmbeddingError> {
        let unsupported = |message: &str| Err(weights.invalid(message.to_owned()));
        let activation = match config.hidden_act.as_str() {
            "gelu" => Activation::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" => Activation::GeluTanh,
            "relu" => Activation::Relu,
            other => return unsupported(&format!("the activation `{other}` is not supported")),
        };
        if config.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return unsupported("only absolute positions are supported");
        }
        if config.num_attention_heads == 0 || !config.hidden_size.is_multiple_of(config.num_attention_heads) {
            return unsupported("its heads do not divide its size");
        }
        let word = "embeddings.word_embeddings.weight";
        let prefixes = ["", "bert.", "roberta.", "model."];
        let Some(prefix) = prefixes.iter().find(|prefix| weights.has(&format!("{prefix}{word}"))) else {
            return unsupported("it has no tensor `embeddings.word_embeddings.weight`");
        };
        let first_position = if counts_after_padding { config.pad_token_id + 1 } else { 0 };
        let bert = Bert { prefix: (*prefix).to_owned(), config, weights, first_position, activation };
        // All tensors are there, with the right shapes.
        bert.forward(&[&[0]])?;
        Ok(bert)
    }

    /// The most tokens of a text.
    pub(super) fn longest(&self) -> usize {
        self.config.max_position_embeddings.saturating_sub(self.first_position)
    }

    /// A vector for each text.
    ///
    /// # Errors
    /// If a tensor is missing or has another shape.
    pub(super) fn pool(&self, texts: &[&[u32]], pooling: Pooling) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let states = self.forward(texts)?;
        let mut start = 0;
        let pooled = texts.iter().map(|text| {
            let rows = states.slice(s![start..start + text.len(), ..]);
            start += text.len();
            match pooling {
                Pooling::Mean => rows.mean_axis(Axis(0)).map(|mean| mean.to_vec()),
                Pooling::First => rows.axis_iter(Axis(0)).next().map(|row| row.to_vec()),
            }
            .unwrap_or_else(|| vec![0.0; self.config.hidden_size])
        });
        Ok(pooled.collect())
    }

    /// What the last layer makes of each token of some texts, one row a token, the texts one after the other.
    ///
    /// # Errors
    /// If a tensor is missing or has another shape.
    pub(super) fn forward(&self, texts: &[&[u32]]) -> Result<Array2<f32>, EmbeddingError> {
        let Config { hidden_size: size, intermediate_size: inner, .. } = self.config;
        let rows = texts.iter().map(|text| text.len()).sum();
        let mut states = self.embedded(texts, rows)?;
        let (mut queries, mut keys) = (Array2::zeros((rows, size)), Array2::zeros((rows, size)));
        let (mut values, mut context) = (Array2::zeros((rows, size)), Array2::zeros((rows, size)));
        let mut wide = Array2::zeros((rows, inner));
        for layer in 0..self.config.num_hidden_layers {
            poll();
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            self.linear(&name("attention.self.query"), states.view(), &mut queries)?;
            self.linear(&name("attention.self.key"), states.view(), &mut keys)?;
            self.linear(&name("attention.self.value"), states.view(), &mut values)?;
            let mut start = 0;
            for text in texts {
                let range = s![start..start + text.len(), ..];
                let (queries, keys, values) = (queries.slice(range), keys.slice(range), values.slice(range));
                self.attend(queries, keys, values, context.slice_mut(range));
                start += text.len();
            }
            self.linear(&name("attention.output.dense"), context.view(), &mut queries)?;
            states += &queries;
            self.normalize(&name("attention.output.LayerNorm"), &mut states)?;
            self.linear(&name("intermediate.dense"), states.view(), &mut wide)?;
            self.activate(&mut wide);
            self.linear(&name("output.dense"), wide.view(), &mut queries)?;
            states += &queries;
            self.normalize(&name("output.LayerNorm"), &mut states)?;
        }
        Ok(states)
    }

    /// The sums of the embeddings of tokens, positions and the first type.
    fn embedded(&self, texts: &[&[u32]], rows: usize) -> Result<Array2<f32>, EmbeddingError> {
        let Config { hidden_size: size, vocab_size, max_position_embeddings, type_vocab_size, .. } = self.config;
        let table = |name: &str, count: usize| {
            self.weights.matrix(&format!("{}embeddings.{name}_embeddings.weight", self.prefix), count, size)
        };
        let (words, positions) = (table("word", vocab_size)?, table("position", max_position_embeddings)?);
        let types = table("token_type", type_vocab_size)?;
        let mut states = Array2::zeros((rows, size));
        let numbered = texts.iter().flat_map(|text| text.iter().enumerate());
        for (mut row, (place, &token)) in states.axis_iter_mut(Axis(0)).zip(numbered) {
            if token as usize >= vocab_size {
                return Err(self.weights.invalid(format!("the tokenizer's token {token} has no vector")));
            }
            row += &words.row(token as usize);
            row += &positions.row((place + self.first_position).min(max_position_embeddings - 1));
            row += &types.row(0);
        }
        self.normalize("embeddings.LayerNorm", &mut states)?;
        Ok(states)
    }

    /// A linear step: rows times weights, and the bias.
    fn linear(&self, name: &str, rows: ArrayView2<'_, f32>, into: &mut Array2<f32>) -> Result<(), EmbeddingError> {
        let (inputs, outputs) = (rows.ncols(), into.ncols());
        let weight = self.weights.matrix(&format!("{}{name}.weight", self.prefix), outputs, inputs)?;
        let bias = self.weights.list(&format!("{}{name}.bias", self.prefix), outputs)?;
        into.axis_iter_mut(Axis(0)).for_each(|mut row| row.assign(&bias));
        general_mat_mul(1.0, &rows, &weight.t(), 1.0, into);
        Ok(())
    }

    /// Each head: how much each token heeds each other one, and the sum of these.
    fn attend(
        &self,
        queries: ArrayView2<'_, f32>,
        keys: ArrayView2<'_, f32>,
        values: ArrayView2<'_, f32>,
        mut context: ArrayViewMut2<'_, f32>,
    ) {
        let length = queries.nrows();
        let width = self.config.hidden_size / self.config.num_attention_heads;
        #[expect(clippy::cast_precision_loss, reason = "the width of a head")]
        let scale = 1.0 / (width as f32).sqrt();
        let mut scores = Array2::zeros((length, length));
        for head in 0..self.config.num_attention_heads {
            let part = s![.., head * width..(head + 1) * width];
            general_mat_mul(scale, &queries.slice(part), &keys.slice(part).t(), 0.0, &mut scores);
            for mut row in scores.axis_iter_mut(Axis(0)) {
                if let Some(row) = row.as_slice_mut() {
                    soften(row);
                }
            }
            general_mat_mul(1.0, &scores, &values.slice(part), 0.0, &mut context.slice_mut(part));
        }
    }

    fn normalize(&self, name: &str, states: &mut Array2<f32>) -> Result<(), EmbeddingError> {
        let size = self.config.hidden_size;
        let tensor = |part: &str| self.weights.list(&format!("{}{name}.{part}", self.prefix), size);
        let (weight, bias) = (tensor("weight")?, tensor("bias")?);
        for mut row in states.axis_iter_mut(Axis(0)) {
            if let (Some(row), Some(weight), Some(bias)) = (row.as_slice_mut(), weight.as_slice(), bias.as_slice()) {
                even_out(row, weight, bias, self.config.layer_norm_eps);
            }
        }
        Ok(())
    }

    fn activate(&self, states: &mut Array2<f32>) {
        let Some(states) = states.as_slice_mut() else { return };
        match self.activation {
            Activation::Gelu => states.iter_mut().for_each(|value| *value = gelu(*value)),
            Activation::GeluTanh => states.iter_mut().for_each(|value| *value = gelu_tanh(*value)),
            Activation::Relu => states.iter_mut().for_each(|value| *value = value.max(0.0)),
        }
    }
}

/// A row with the mean 0 and the variance 1, then weighted and moved.
#[expect(clippy::cast_precision_loss, reason = "the size of a row")]
fn even_out(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = row.iter().sum::<f32>() / count;
    let variance = row.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
    let factor = 1.0 / (variance + epsilon).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = (*value - mean) * factor * weight + bias;
    }
}

/// Softmax.
fn soften(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|value| *value = exp(*value - most));
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= sum);
}

/// The exponential function by a polynomial, to about 2e-7 of its value: a loop over it becomes vector instructions, which
/// the library's does not.
#[expect(clippy::cast_possible_truncation, reason = "the range was bounded")]
pub fn exp(value: f32) -> f32 {
    let scaled = (value * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    // Adding and subtracting 1.5 * 2^23 rounds to a whole number.
    let whole = (scaled + 12_582_912.0) - 12_582_912.0;
    let rest = (scaled - whole) * std::f32::consts::LN_2;
    let series = 1.0 / 5040.0;
    let series = series * rest + 1.0 / 720.0;
    let series = series * rest + 1.0 / 120.0;
    let series = series * rest + 1.0 / 24.0;
    let series = series * rest + 1.0 / 6.0;
    let series = series * rest + 0.5;
    let series = series * rest + 1.0;
    let series = series * rest + 1.0;
    series * f32::from_bits(((whole as i32 + 127) << 23).cast_unsigned())
}

/// `x` times the part of a normal distribution below it; the error function as in Abramowitz and Stegun 7.1.26, to 1.5e-7.
pub fn gelu(value: f32) -> f32 {
    let scaled = value.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let step = 1.0 / (1.0 + 0.327_591_1 * scaled);
    let series = 1.061_405_4 * step - 1.453_152_1;
    let series = series * step + 1.421_413_8;
    let series = series * step - 0.284_496_72;
    let series = series * step + 0.254_829_6;
    let erf = 1.0 - series * step * exp(-scaled * scaled);
    0.5 * value * (1.0 + erf.copysign(value))
}

/// The same by a hyperbolic tangent.
pub fn gelu_tanh(value: f32) -> f32 {
    let inner = 0.797_884_6 * (value + 0.044_715 * value * value * value);
    let tanh = 1.0 - 2.0 / (exp(2.0 * inner) + 1.0);
    0.5 * value * (1.0 + tanh)
}
