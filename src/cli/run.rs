//! From the arguments to the exit code.

use std::pin::pin;
use std::process::ExitCode;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::args::Command;
use super::context::Context;
use super::error;
use super::exit::Exit;
use super::{
    amend, bid, burst, cancel, checkpoint, close, close_sweep, completions, create, demo, doctor,
    export, history, import, keygen, list, man, migrate, mine, parse, prove, replay, report, show,
    top, verify, verify_proof, void, watch, watchlist,
};
use crate::shutdown::{Trigger, shutdown};

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
    let (trigger, shutdown) = shutdown();
    let mut context = Context::new(&cli.global, shutdown);
    let exit = match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let exit = runtime.block_on(interruptible(cli.command, &mut context, &trigger));
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
/// files go. Work that ends by itself when it is asked to is asked once.
async fn interruptible(command: Command, context: &mut Context, trigger: &Trigger) -> Exit {
    let outcome = {
        let mut work = pin!(dispatch(command, context));
        let mut signals = Signals::new();
        loop {
            // The signal first: it is heard from before the command's first step on.
            tokio::select! {
                biased;
                () = signals.next() => {
                    if !trigger.ask() {
                        break None;
                    }
                }
                outcome = &mut work => break Some(outcome),
            }
        }
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
#[cfg(unix)]
struct Signals {
    /// None where it cannot be heard: the system's own way of ending stays.
    terminate: Option<Signal>,
    interrupt: Option<Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        Self {
            terminate: signal(SignalKind::terminate()).ok(),
            interrupt: signal(SignalKind::interrupt()).ok(),
        }
    }

    async fn next(&mut self) {
        tokio::select! {
            () = heard(&mut self.terminate) => {}
            () = heard(&mut self.interrupt) => {}
        }
    }
}

#[cfg(unix)]
async fn heard(signal: &mut Option<Signal>) {
    let heard = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if heard.is_none() {
        std::future::pending::<()>().await;
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
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
        Command::CloseSweep(args) => Box::pin(close_sweep::run(args, ctx)).await,
        Command::Burst(args) => Box::pin(burst::run(*args, ctx)).await,
        Command::Top(args) => Box::pin(top::run(args, ctx)).await,
        Command::Amend(args) => Box::pin(amend::run(*args, ctx)).await,
        Command::Void(args) => void::run(args, ctx).await,
        Command::Cancel(args) => cancel::run(args, ctx).await,
        Command::Report(args) => report::run(args, ctx).await,
        Command::Replay(args) => Box::pin(replay::run(*args, ctx)).await,
        Command::Export(args) => Box::pin(export::run(args, ctx)).await,
        Command::Import(args) => Box::pin(import::run(args, ctx)).await,
        Command::Keygen(args) => keygen::run(args, ctx).await,
        Command::Checkpoint(args) => Box::pin(checkpoint::run(args, ctx)).await,
        Command::Verify(args) => verify::run(&args, ctx),
        Command::Prove(args) => Box::pin(prove::run(args, ctx)).await,
        Command::VerifyProof(args) => verify_proof::run(&args, ctx),
        Command::Doctor(args) => doctor::run(args, ctx).await,
        Command::Completions(args) => completions::run(&args, ctx),
        Command::Man(args) => man::run(args, ctx),
    }
}
