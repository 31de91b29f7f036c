//! How fields of requests and responses are read, and which are left out.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::Value;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Reads a list of what a request is about, or one element in its place. If it is left out, all are meant, so an empty one is refused: who
/// names nothing does not mean everything.
pub(crate) fn some_or_all<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = one_or_many(deserializer)?;
    match values.is_empty() {
        true => Err(D::Error::custom("an empty list names nothing; leave the field out to mean all")),
        false => Ok(values),
    }
}

/// Reads a list, or one element in its place.
pub(crate) fn one_or_many<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = match Value::deserialize(deserializer)? {
        Value::Array(values) => values,
        value => vec![value],
    };
    values.into_iter().map(|value| serde_json::from_value(value).map_err(D::Error::custom)).collect()
}
