//! The command line's front door.

#[cfg(feature = "allocator")]
mod allocator;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "allocator")]
    allocator::return_memory_sooner();
    cst::cli::run()
}
