//! Input, as far as something can be said of it without reading it.

/// Whether an input is a pipe or a file, and has bytes to read.
#[cfg(unix)]
pub fn has_unread_input(input: &impl std::os::fd::AsFd) -> bool {
    let kind = rustix::fs::fstat(input).map(|facts| rustix::fs::FileType::from_raw_mode(facts.st_mode));
    matches!(kind, Ok(rustix::fs::FileType::Fifo | rustix::fs::FileType::RegularFile))
        && rustix::io::ioctl_fionread(input).is_ok_and(|bytes| bytes > 0)
}

/// Whether an input is a pipe or a file, and has bytes to read; not known on this system.
#[cfg(not(unix))]
pub fn has_unread_input<I>(_input: &I) -> bool {
    false
}
