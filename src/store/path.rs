//! Paths in the store: text where a path is UTF-8, its bytes where it isn't, so that any path comes back as it was.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Value, ValueRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path as a column holds it: TEXT, or a BLOB where it isn't UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredPath(pub PathBuf);

impl StoredPath {
    /// Of a path.
    pub fn new(path: &Path) -> StoredPath {
        StoredPath(path.to_owned())
    }
}

impl ToSql for StoredPath {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0.to_str() {
            Some(text) => ToSqlOutput::from(text),
            None => ToSqlOutput::Owned(Value::Blob(to_bytes(&self.0))),
        })
    }
}

impl FromSql for StoredPath {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<StoredPath> {
        match value {
            ValueRef::Text(text) => Ok(StoredPath(String::from_utf8_lossy(text).into_owned().into())),
            ValueRef::Blob(bytes) => Ok(StoredPath(from_bytes(bytes).into())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A path in JSON: a string, or an array of its bytes.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum InJson {
    Text(String),
    Bytes(Vec<u8>),
}

/// Writes a path as JSON.
pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let value = path.to_str().map_or_else(|| InJson::Bytes(to_bytes(path)), |text| InJson::Text(text.to_owned()));
    value.serialize(serializer)
}

/// Reads a path from JSON.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match InJson::deserialize(deserializer)? {
        InJson::Text(text) => text.into(),
        InJson::Bytes(bytes) => from_bytes(&bytes).into(),
    })
}

#[cfg(unix)]
fn to_bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(unix)]
fn from_bytes(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// The units of UTF-16, low byte first.
#[cfg(windows)]
fn to_bytes(path: &Path) -> Vec<u8> {
    std::os::windows::ffi::OsStrExt::encode_wide(path.as_os_str()).flat_map(u16::to_le_bytes).collect()
}

#[cfg(windows)]
fn from_bytes(bytes: &[u8]) -> OsString {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    std::os::windows::ffi::OsStringExt::from_wide(&units)
}

#[cfg(not(any(unix, windows)))]
fn to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(any(unix, windows)))]
fn from_bytes(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
