//! Work that runs only once a transaction is committed, such as counting an event.

use std::cell::RefCell;

type Work = Box<dyn FnOnce()>;

thread_local! {
    /// The work to run when the current thread's open transaction commits; `None` outside a transaction.
    static PENDING: RefCell<Option<Vec<Work>>> = const { RefCell::new(None) };
}

/// Runs `work` after the open transaction of `Db::write` on this thread commits, and not at all if it rolls back. Outside a
/// transaction, runs it immediately.
pub fn after_commit(work: impl FnOnce() + 'static) {
    let immediate = PENDING.with_borrow_mut(|pending| match pending {
        Some(pending) => {
            pending.push(Box::new(work));
            None
        }
        None => Some(work),
    });
    if let Some(work) = immediate {
        work();
    }
}

/// The open transaction of this thread. Dropping it discards its pending work.
pub(crate) struct PendingWork(());

impl PendingWork {
    /// Starts to collect work.
    pub fn begin() -> Self {
        PENDING.set(Some(Vec::new()));
        Self(())
    }

    /// Runs the collected work: the transaction has committed.
    pub fn committed(self) {
        for work in PENDING.take().into_iter().flatten() {
            work();
        }
    }
}

impl Drop for PendingWork {
    fn drop(&mut self) {
        PENDING.set(None);
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;

    #[test]
    fn after_commit_runs_work_on_commit_only() {
        let done = Rc::new(Cell::new(0));
        let count = || {
            let done = done.clone();
            after_commit(move || done.set(done.get() + 1));
        };
        count();
        assert_eq!(done.get(), 1, "runs immediately outside a transaction");
        let first = PendingWork::begin();
        count();
        count();
        assert_eq!(done.get(), 1);
        first.committed();
        assert_eq!(done.get(), 3);
        let second = PendingWork::begin();
        count();
        drop(second);
        PendingWork::begin().committed();
        assert_eq!(done.get(), 3, "rolled back work is discarded");
    }
}
