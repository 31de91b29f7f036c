//! The weights of a model: tensors of a safetensors file, which is mapped.

use std::ops::Range;
use std::path::{Path, PathBuf};

use ndarray::{ArrayView1, ArrayView2};
use rustc_hash::FxHashMap;
use safetensors::{Dtype, SafeTensors};

use super::model::EmbeddingError;
use crate::index::Mapped;

/// The tensors of a file.
#[derive(Debug)]
pub(super) struct Weights {
    path: PathBuf,
    file: Mapped,
    tensors: FxHashMap<String, Tensor>,
}

/// A tensor of numbers with 32 bits: in the file as it is, or converted from another type.
#[derive(Debug)]
pub(super) struct Tensor {
    shape: Vec<usize>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Mapped(Range<usize>),
    Converted(Vec<f32>),
}

impl Weights {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub(super) fn open(path: &Path) -> Result<Weights, EmbeddingError> {
        let file = Mapped::new(path).map_err(|error| EmbeddingError::Unreadable { path: path.to_owned(), error })?;
        let invalid = |message: String| EmbeddingError::Invalid { path: path.to_owned(), message };
        let mut tensors = FxHashMap::default();
        {
            let bytes = file.bytes();
            let found = SafeTensors::deserialize(bytes).map_err(|error| invalid(error.to_string()))?;
            for (name, view) in found.iter() {
                let values = match view.dtype() {
                    Dtype::F32 => match bytemuck::try_cast_slice::<u8, f32>(view.data()) {
                        Ok(_) => {
                            let start = view.data().as_ptr() as usize - bytes.as_ptr() as usize;
                            Values::Mapped(start..start + view.data().len())
                        }
                        Err(_) => Values::Converted(numbers(view.data(), f32::from_le_bytes)),
                    },
                    Dtype::F16 => {
                        Values::Converted(numbers(view.data(), |bytes| half::f16::from_le_bytes(bytes).to_f32()))
                    }
                    Dtype::BF16 => {
                        Values::Converted(numbers(view.data(), |bytes| half::bf16::from_le_bytes(bytes).to_f32()))
                    }
                    #[expect(clippy::cast_possible_truncation, reason = "weights have few digits")]
                    Dtype::F64 => Values::Converted(numbers(view.data(), |bytes| f64::from_le_bytes(bytes) as f32)),
                    Dtype::I8 => Values::Converted(numbers(view.data(), |bytes| f32::from(i8::from_le_bytes(bytes)))),
                    #[expect(clippy::cast_precision_loss, reason = "numbers of tokens are smaller")]
                    Dtype::I32 => Values::Converted(numbers(view.data(), |bytes| i32::from_le_bytes(bytes) as f32)),
                    #[expect(clippy::cast_precision_loss, reason = "numbers of tokens are smaller")]
                    Dtype::I64 => Values::Converted(numbers(view.data(), |bytes| i64::from_le_bytes(bytes) as f32)),
                    _ => continue,
                };
                tensors.insert(name.to_owned(), Tensor { shape: view.shape().to_vec(), values });
            }
        }
        Ok(Weights { path: path.to_owned(), file, tensors })
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Whether there is a tensor of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// A list of `length` numbers.
    ///
    /// # Errors
    /// If there is none with this name and length.
    pub(super) fn list(&self, name: &str, length: usize) -> Result<ArrayView1<'_, f32>, EmbeddingError> {
        Ok(ArrayView1::from(self.values(name, &[length])?))
    }

    /// A matrix.
    ///
    /// # Errors
    /// If there is none with this name and shape.
    pub(super) fn matrix(
        &self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<ArrayView2<'_, f32>, EmbeddingError> {
        let values = self.values(name, &[rows, columns])?;
        ArrayView2::from_shape((rows, columns), values).map_err(|error| self.invalid(error.to_string()))
    }

    /// The shape of a tensor.
    ///
    /// # Errors
    /// If there is none with this name.
    pub(super) fn shape(&self, name: &str) -> Result<&[usize], EmbeddingError> {
        let tensor = self.tensors.get(name).ok_or_else(|| self.invalid(format!("it has no tensor `{name}`")))?;
        Ok(&tensor.shape)
    }

    fn values(&self, name: &str, shape: &[usize]) -> Result<&[f32], EmbeddingError> {
        let found = self.shape(name)?;
        if found != shape {
            return Err(self.invalid(format!("`{name}` has the shape {found:?} and not {shape:?}")));
        }
        match &self.tensors[name].values {
            Values::Mapped(range) => Ok(bytemuck::cast_slice(&self.file.bytes()[range.clone()])),
            Values::Converted(values) => Ok(values),
        }
    }

    /// The error that the file cannot be used.
    pub(super) fn invalid(&self, message: String) -> EmbeddingError {
        EmbeddingError::Invalid { path: self.path.clone(), message }
    }
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks::<N>().0.iter().map(|&bytes| number(bytes)).collect()
}
