//! The command line's front door.

fn main() -> std::process::ExitCode {
    cst::cli::run()
}
