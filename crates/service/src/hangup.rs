//! SIGHUP, by which an operator asks a process to read its files again.

use std::sync::LazyLock;

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

static HANGUPS: LazyLock<watch::Sender<()>> = LazyLock::new(|| watch::Sender::new(()));

/// Changes whenever this process is asked to read its files again.
pub fn hangups() -> watch::Receiver<()> {
    HANGUPS.subscribe()
}

/// From now on SIGHUP asks to read files again, instead of ending the process.
pub(crate) fn listen_to_hangups() {
    match signal(SignalKind::hangup()) {
        Ok(mut hangup) => {
            tokio::spawn(async move {
                while hangup.recv().await.is_some() {
                    HANGUPS.send_replace(());
                }
            });
        }
        Err(error) => tracing::warn!(error = %error, "SIGHUP cannot be heard; it ends this process"),
    }
}
