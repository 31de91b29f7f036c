//! An endpoint that makes embeddings as OpenAI's does: `POST …/embeddings` with a model and texts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ureq::Agent;

use super::model::{EmbeddingError, EndpointSettings, Model, Purpose, normalize};
use crate::interrupt::poll;
use crate::limits;

/// An endpoint.
#[derive(Debug)]
pub struct Endpoint {
    name: String,
    address: String,
    model: String,
    key: Option<Key>,
    identity: String,
    agent: Agent,
}

/// A secret, which is not shown.
struct Key(String);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}

#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    embedding: Vec<f32>,
    #[serde(default)]
    index: Option<usize>,
}

/// What became of one attempt.
enum Attempt {
    Done(Vec<Vec<f32>>),
    /// It may succeed later.
    Busy(String),
    Failed(String),
}

impl Endpoint {
    /// An endpoint. Nothing is asked yet.
    ///
    /// # Errors
    /// If its key is not set, or would be sent unencrypted to another machine.
    pub fn open(settings: &EndpointSettings) -> Result<Endpoint, EmbeddingError> {
        let EndpointSettings { name, url, model, key } = settings;
        let unusable = |message: String| EmbeddingError::Settings { name: name.clone(), message };
        let key = match key {
            None => None,
            Some(variable) => match std::env::var(variable) {
                Ok(key) if !key.trim().is_empty() => Some(Key(key.trim().to_owned())),
                _ => return Err(unusable(format!("the environment variable `{variable}` with its key is not set"))),
            },
        };
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            return Err(unusable(format!("`{url}` does not begin with `https://` or `http://`")));
        }
        if key.is_some() && !url.starts_with("https://") && !is_here(url) {
            return Err(unusable(format!("its key would be sent unencrypted to `{url}`")));
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(limits::ENDPOINT_WAIT))
            // The key and the code go nowhere else.
            .max_redirects(0)
            .build();
        let address = format!("{}/embeddings", url.trim_end_matches('/'));
        let identity = format!("{address} {model}");
        Ok(Endpoint { name: name.clone(), address, model: model.clone(), key, identity, agent: config.new_agent() })
    }

    fn ask(&self, texts: &[&str]) -> Attempt {
        let asked = Asked { model: &self.model, input: texts, encoding_format: "float" };
        let body = serde_json::to_vec(&asked).unwrap_or_default();
        let mut request = self.agent.post(&self.address).header("Content-Type", "application/json");
        if let Some(Key(key)) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut response = match request.send(&body[..]) {
            Ok(response) => response,
            Err(error) => return Attempt::Busy(error.to_string()),
        };
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(limits::ENDPOINT_BYTES).read_to_vec();
        let body = match body {
            Ok(body) => body,
            Err(error) => return Attempt::Busy(error.to_string()),
        };
        if status != 200 {
            let text = String::from_utf8_lossy(&body);
            let shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
            let message = format!("it answered {status}: {shown}");
            return if status == 429 || status >= 500 { Attempt::Busy(message) } else { Attempt::Failed(message) };
        }
        let answer: Answer = match serde_json::from_slice(&body) {
            Ok(answer) => answer,
            Err(error) => return Attempt::Failed(format!("its answer has no embeddings: {error}")),
        };
        let mut rows: Vec<(usize, Vec<f32>)> = Vec::with_capacity(answer.data.len());
        for (place, row) in answer.data.into_iter().enumerate() {
            rows.push((row.index.unwrap_or(place), row.embedding));
        }
        rows.sort_by_key(|(place, _)| *place);
        let is_whole = rows.len() == texts.len() && rows.iter().enumerate().all(|(place, row)| row.0 == place);
        let length = rows.first().map_or(0, |(_, row)| row.len());
        if !is_whole || length == 0 || rows.iter().any(|(_, row)| row.len() != length) {
            let message =
                format!("it answered {} texts with {} vectors, or of several lengths", texts.len(), rows.len());
            return Attempt::Failed(message);
        }
        Attempt::Done(rows.into_iter().map(|(_, row)| row).collect())
    }
}

impl Model for Endpoint {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn batch(&self) -> usize {
        limits::EMBEDDED_A_REQUEST
    }

    fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let failed = |message: String| EmbeddingError::Endpoint { name: self.name.clone(), message };
        let mut tries = 1;
        loop {
            poll();
            match self.ask(texts) {
                Attempt::Done(mut vectors) => {
                    vectors.iter_mut().for_each(|vector| normalize(vector));
                    return Ok(vectors);
                }
                Attempt::Failed(message) => return Err(failed(message)),
                Attempt::Busy(message) if tries >= limits::ENDPOINT_TRIES => return Err(failed(message)),
                Attempt::Busy(_) => {
                    // 0.5, 1, 2 seconds, in which the request can be cancelled.
                    for _ in 0..(5 << (tries - 1)) {
                        poll();
                        std::thread::sleep(Duration::from_millis(100));
                    }
                    tries += 1;
                }
            }
        }
    }
}

/// Whether an address is one of this machine.
fn is_here(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return false;
    }
    let host = host.strip_prefix('[').map_or_else(|| host.split(':').next(), |rest| rest.split(']').next());
    matches!(host, Some("localhost" | "127.0.0.1" | "::1"))
}
