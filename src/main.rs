//! The command line's front door.

mod allocator;

fn main() -> std::process::ExitCode {
    allocator::return_memory_sooner();
    cst::cli::run()
}
