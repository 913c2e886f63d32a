//! What a service manager is told (`sd_notify`); nothing, where none listens.

#[cfg(unix)]
use sd_notify::NotifyState;

/// Ready, with a word on what is done.
#[cfg(unix)]
pub(super) fn ready(text: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(text)]);
}

/// How it stands.
#[cfg(unix)]
pub(super) fn status(text: &str) {
    tell(&[NotifyState::Status(text)]);
}

/// On its way to the end.
#[cfg(unix)]
pub(super) fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Feeds the watchdog, if one watches, as long as it is polled.
#[cfg(unix)]
pub(super) async fn watchdog() {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) else {
        return std::future::pending().await;
    };
    loop {
        tell(&[NotifyState::Watchdog]);
        tokio::time::sleep(limit / 3).await;
    }
}

/// A manager that cannot be told is no reason to stop.
#[cfg(unix)]
fn tell(state: &[NotifyState<'_>]) {
    sd_notify::notify(state).unwrap_or_default();
}

#[cfg(not(unix))]
pub(super) fn ready(_: &str) {}

#[cfg(not(unix))]
pub(super) fn status(_: &str) {}

#[cfg(not(unix))]
pub(super) fn stopping() {}

#[cfg(not(unix))]
pub(super) async fn watchdog() {
    std::future::pending().await
}
