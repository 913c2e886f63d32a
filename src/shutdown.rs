//! Two signals: the first asks to finish, the second leaves at once.
//!
//! Only what heeds a request is asked; everything else is left at the first signal, as before. No
//! signal is heard here: whoever hears one pulls the trigger.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// One request can come as two signals: `timeout` and shells send it to a program and to its group.
const ECHO: Duration = Duration::from_millis(200);

/// Asks for the end.
#[derive(Debug)]
pub struct Trigger {
    asked: watch::Sender<bool>,
    first: OnceLock<Instant>,
    heeded: Arc<AtomicBool>,
}

/// Knows whether the end was asked for.
#[derive(Debug, Clone)]
pub struct Shutdown {
    asked: watch::Receiver<bool>,
    heeded: Arc<AtomicBool>,
}

/// A trigger and what it asks.
pub fn shutdown() -> (Trigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    let heeded = Arc::new(AtomicBool::new(false));
    let trigger = Trigger {
        asked: sender,
        first: OnceLock::new(),
        heeded: heeded.clone(),
    };
    let asked = receiver;
    (trigger, Shutdown { asked, heeded })
}

impl Trigger {
    /// Asks; false if nobody heeds it, or if it was asked for before, a moment ago excepted.
    pub fn ask(&self) -> bool {
        self.ask_at(Instant::now())
    }

    fn ask_at(&self, now: Instant) -> bool {
        if !self.heeded.load(Ordering::SeqCst) {
            return false;
        }
        self.asked.send_replace(true);
        let first = *self.first.get_or_init(|| now);
        now.saturating_duration_since(first) < ECHO
    }
}

impl Shutdown {
    /// From now on the work ends by itself when it is asked to.
    pub fn heed(&self) {
        self.heeded.store(true, Ordering::SeqCst);
    }

    /// Whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        *self.asked.borrow()
    }

    /// Waits until it is; for ever, if nobody can ask any more.
    pub async fn asked(&self) {
        let mut asked = self.asked.clone();
        if asked.wait_for(|asked| *asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_who_heeds_is_asked_and_only_once() {
        let (trigger, shutdown) = shutdown();
        assert!(!trigger.ask() && !shutdown.is_asked());
        shutdown.heed();
        let other = shutdown.clone();
        let now = Instant::now();
        assert!(trigger.ask_at(now) && other.is_asked());
        other.asked().await;
        assert!(trigger.ask_at(now + ECHO / 2), "the same request");
        assert!(!trigger.ask_at(now + ECHO));
    }
}
