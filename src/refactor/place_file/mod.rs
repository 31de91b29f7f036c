//! `create_file` and `delete_file`.

pub(crate) mod plan;
