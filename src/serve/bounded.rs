//! JSON of a bounded number of values: in memory each takes many times the two bytes that it may take in a message.

use crate::limits::MESSAGE_VALUES;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads one value.
///
/// # Errors
/// Where the bytes aren't JSON, or hold too many values.
pub fn read(bytes: &[u8]) -> serde_json::Result<Value> {
    let left = Cell::new(MESSAGE_VALUES);
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Counted { left: &left }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads a value and those in it, and counts them.
#[derive(Clone, Copy)]
struct Counted<'a> {
    left: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| D::Error::custom(format!("more than {MESSAGE_VALUES} values")))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            map.insert(name, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(map))
    }
}
