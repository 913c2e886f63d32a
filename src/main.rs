//! The `gavel` command.

fn main() -> std::process::ExitCode {
    gavel::cli::main()
}
