//! From the arguments to the exit code.

use std::process::ExitCode;

use super::args::Command;
use super::context::Context;
use super::error;
use super::exit::Exit;
use super::{
    amend, bid, cancel, close, close_sweep, completions, create, demo, doctor, export, history,
    import, list, man, migrate, mine, parse, replay, show, void, watch, watchlist,
};

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match parse::cli(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // Help on a closed pipe: nobody reads, nothing is wrong.
            error.print().unwrap_or_default();
            let code = u8::try_from(error.exit_code()).unwrap_or(Exit::USAGE.code());
            return ExitCode::from(code);
        }
    };
    let mut context = Context::new(&cli.global);
    let exit = match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let exit = runtime.block_on(interruptible(cli.command, &mut context));
            // A read of standard input may still hang; nothing waits for it.
            runtime.shutdown_background();
            exit
        }
        Err(failure) => {
            let failure = anyhow::Error::new(failure).context("cannot start");
            error::tell(&mut context.ui, &failure)
        }
    };
    ExitCode::from(exit.code())
}

/// A signal drops the work in hand: a transaction that is not committed is undone, and temporary
/// files go.
async fn interruptible(command: Command, context: &mut Context) -> Exit {
    // The signal first: it is heard from before the command's first step on.
    let outcome = tokio::select! {
        biased;
        () = signalled() => None,
        outcome = dispatch(command, context) => Some(outcome),
    };
    let exit = match outcome {
        Some(Ok(exit)) => exit,
        Some(Err(failure)) => error::tell(&mut context.ui, &failure),
        None => {
            context.ui.note("interrupted");
            if let Some(text) = context.if_interrupted {
                context.ui.hint(text);
            }
            Exit::INTERRUPTED
        }
    };
    context.close().await;
    exit
}

/// Ctrl-C, or the polite request to end that systemd, containers and `kill` send.
async fn signalled() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        // Where it cannot be heard, the system's own way of ending stays.
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

async fn dispatch(command: Command, ctx: &mut Context) -> anyhow::Result<Exit> {
    match command {
        Command::Demo(args) => Box::pin(demo::run(args, ctx)).await,
        Command::Migrate(args) => migrate::run(args, ctx).await,
        Command::Create(args) => Box::pin(create::run(*args, ctx)).await,
        Command::Bid(args) => Box::pin(bid::run(args, ctx)).await,
        Command::Show(args) => show::run(args, ctx).await,
        Command::List(args) => list::run(args, ctx).await,
        Command::History(args) => history::run(args, ctx).await,
        Command::Watch(args) => Box::pin(watch::run(args, ctx)).await,
        Command::Mine(args) => mine::run(args, ctx).await,
        Command::Watchlist(args) => watchlist::run(args, ctx).await,
        Command::Close(args) => close::run(args, ctx).await,
        Command::CloseSweep(args) => close_sweep::run(args, ctx).await,
        Command::Amend(args) => Box::pin(amend::run(*args, ctx)).await,
        Command::Void(args) => void::run(args, ctx).await,
        Command::Cancel(args) => cancel::run(args, ctx).await,
        Command::Replay(args) => Box::pin(replay::run(args, ctx)).await,
        Command::Export(args) => Box::pin(export::run(args, ctx)).await,
        Command::Import(args) => Box::pin(import::run(args, ctx)).await,
        Command::Doctor(args) => doctor::run(args, ctx).await,
        Command::Completions(args) => completions::run(&args, ctx),
        Command::Man(args) => man::run(args, ctx),
    }
}
