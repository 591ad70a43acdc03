//! SIGHUP: a process reloads its files.

use std::sync::LazyLock;

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

static HANGUPS: LazyLock<watch::Sender<()>> = LazyLock::new(|| watch::Sender::new(()));

/// Changes at every SIGHUP.
pub fn hangups() -> watch::Receiver<()> {
    HANGUPS.subscribe()
}

/// Handles SIGHUP from now on, instead of ending the process.
pub(crate) fn handle_hangups() {
    match signal(SignalKind::hangup()) {
        Ok(mut hangup) => {
            tokio::spawn(async move {
                while hangup.recv().await.is_some() {
                    HANGUPS.send_replace(());
                }
            });
        }
        Err(error) => tracing::warn!(error = %error, "cannot handle SIGHUP; it will end this process"),
    }
}
