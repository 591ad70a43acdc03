//! What is done once a transaction is committed, and never where it is not: counting, say.

use std::cell::RefCell;

type Work = Box<dyn FnOnce()>;

thread_local! {
    /// The work that waits for the end of the transaction under way on this thread.
    static WAITING: RefCell<Option<Vec<Work>>> = const { RefCell::new(None) };
}

/// Does `work` once the transaction of `Db::write` that is under way on this thread is committed, or never; outside of one, at once.
pub fn after_commit(work: impl FnOnce() + 'static) {
    let at_once = WAITING.with_borrow_mut(|waiting| match waiting {
        Some(waiting) => {
            waiting.push(Box::new(work));
            None
        }
        None => Some(work),
    });
    if let Some(work) = at_once {
        work();
    }
}

/// A transaction under way on this thread. Dropped, it forgets what waits for its end.
pub(crate) struct UnderWay(());

impl UnderWay {
    /// From now on work waits.
    pub fn begin() -> Self {
        WAITING.set(Some(Vec::new()));
        Self(())
    }

    /// It is committed.
    pub fn committed(self) {
        for work in WAITING.take().into_iter().flatten() {
            work();
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        WAITING.set(None);
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;

    #[test]
    fn only_what_is_committed_is_done() {
        let done = Rc::new(Cell::new(0));
        let count = || {
            let done = done.clone();
            after_commit(move || done.set(done.get() + 1));
        };
        count();
        assert_eq!(done.get(), 1, "outside of a transaction at once");
        let first = UnderWay::begin();
        count();
        count();
        assert_eq!(done.get(), 1);
        first.committed();
        assert_eq!(done.get(), 3);
        let second = UnderWay::begin();
        count();
        drop(second);
        UnderWay::begin().committed();
        assert_eq!(done.get(), 3, "what was rolled back is forgotten");
    }
}
