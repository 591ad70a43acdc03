//! The desk: begins passes when their time has come or somebody asks, one at a time; and first charges as people join.

use std::{sync::Arc, time::Duration};

use chrono::{NaiveDate, NaiveDateTime};
use tokio::{
    sync::{Notify, mpsc, oneshot},
    time::Instant,
};

use super::{
    BillingTimes, calendar, ledger,
    passes::{self, Totals},
    run::Engine,
};
use crate::error::Error;

/// How often the clock is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// How long a billing time waits: whoever has just moved the clock by hand may want to begin the pass by hand, too.
const GRACE: Duration = Duration::from_secs(3);

/// How often an open pass is taken up again.
const TAKE_UP: Duration = Duration::from_secs(30);

/// How often a process says that it lives.
const BEAT: Duration = Duration::from_secs(5);

/// Somebody asks for a pass.
pub(crate) struct Order {
    day: NaiveDate,
    reply: oneshot::Sender<Result<Totals, Error>>,
}

/// Where passes are asked for.
#[derive(Clone)]
pub(crate) struct Counter(mpsc::Sender<Order>);

impl Counter {
    /// A counter and what is laid on it.
    pub fn new() -> (Self, mpsc::Receiver<Order>) {
        let (orders, taken) = mpsc::channel(64);
        (Self(orders), taken)
    }

    /// Asks for a pass of `day` and waits for its end. Asked while one is under way, it is that one.
    pub async fn order(&self, day: NaiveDate) -> Result<Totals, Error> {
        let (reply, answer) = oneshot::channel();
        self.0.send(Order { day, reply }).await.map_err(|_| Error::Stopping)?;
        answer.await.map_err(|_| Error::Stopping)?
    }
}

/// Runs passes for one process.
pub(crate) struct Desk {
    engine: Engine,
    times: BillingTimes,
    orders: mpsc::Receiver<Order>,
    /// The billing time that was seen last, when it was seen first, and whether its pass has begun.
    due: Option<(NaiveDateTime, Instant, bool)>,
}

impl Desk {
    /// Sets it going beside the server, with the first charges and the heartbeat.
    pub fn start(engine: Engine, times: BillingTimes, orders: mpsc::Receiver<Order>, bell: Arc<Notify>) {
        actix_web::rt::spawn(first_charges(engine.clone(), bell));
        actix_web::rt::spawn(heartbeat(engine.clone()));
        actix_web::rt::spawn(Self { engine, times, orders, due: None }.run());
    }

    async fn run(mut self) {
        let mut looked: Option<Instant> = None;
        while self.engine.lives() {
            let today = calendar::day_of(self.engine.clock.now());
            match tokio::time::timeout(LOOK, self.orders.recv()).await {
                Ok(Some(order)) => self.serve(order).await,
                Ok(None) => break,
                Err(_) => {}
            }
            if let Some(due) = self.time_has_come() {
                self.begin(today, due).await;
            }
            if looked.is_none_or(|at| at.elapsed() > TAKE_UP) {
                looked = Some(Instant::now());
                self.take_up(today).await;
            }
        }
    }

    /// The billing time that was reached a moment ago, or while nobody was there, and whose pass has not begun.
    fn time_has_come(&mut self) -> Option<NaiveDateTime> {
        let reached = self.times.reached(self.engine.clock.now())?;
        match self.due {
            Some((due, since, begun)) if due == reached => (!begun && since.elapsed() > GRACE).then_some(due),
            _ => {
                self.due = Some((reached, Instant::now(), false));
                None
            }
        }
    }

    /// Begins the pass of a billing time, unless one has begun since: on another replica, or by hand.
    async fn begin(&mut self, today: NaiveDate, due: NaiveDateTime) {
        let has_begun = match self.engine.db.run(move |conn| passes::begun_since(conn, today, due)).await {
            Ok(true) => true,
            // One that failed may have failed before it began. The next look tells.
            Ok(false) => self.pass(today, Some(due)).await,
            Err(error) => {
                tracing::error!(error = %error, "a billing pass could not begin");
                false
            }
        };
        if let Some((_, _, begun)) = &mut self.due {
            *begun = has_begun;
        }
    }

    /// Goes on with a pass that nobody finished.
    async fn take_up(&mut self, today: NaiveDate) {
        if matches!(self.engine.db.run(move |conn| passes::is_open(conn, today)).await, Ok(true)) {
            tracing::info!("an open billing pass is taken up again");
            self.pass(today, None).await;
        }
    }

    /// Whether it came to its end.
    async fn pass(&mut self, day: NaiveDate, due: Option<NaiveDateTime>) -> bool {
        let totals = self.engine.pass(day, due).await;
        if let Err(error) = &totals {
            tracing::error!(error = %error, "a billing pass failed");
        }
        self.answer_waiting(day, &totals);
        totals.is_ok()
    }

    /// One pass for everybody who asks before it ends.
    async fn serve(&mut self, order: Order) {
        let totals = self.engine.pass(order.day, None).await;
        self.answer_waiting(order.day, &totals);
        // Who asked may have gone away.
        let _ = order.reply.send(totals);
    }

    fn answer_waiting(&mut self, day: NaiveDate, totals: &Result<Totals, Error>) {
        while let Ok(order) = self.orders.try_recv() {
            let answer = if order.day == day { totals.clone() } else { Err(Error::NotToday) };
            let _ = order.reply.send(answer);
        }
    }
}

/// Charges people as they join, whoever wrote down that they did.
async fn first_charges(engine: Engine, bell: Arc<Notify>) {
    while engine.lives() {
        if let Err(error) = engine.first_charges().await {
            tracing::error!(error = %error, "first charges could not be sent");
        }
        tokio::select! {
            () = bell.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

impl Engine {
    async fn first_charges(&self) -> Result<(), Error> {
        let day = calendar::day_of(self.clock.now());
        if self.db.run(move |conn| ledger::has_wanted(conn, day)).await? {
            for (network, _) in self.terms.pull_networks() {
                self.work(&network, day, None).await?;
            }
        }
        Ok(())
    }
}

/// Says that this process lives, as long as it has charges under way.
async fn heartbeat(engine: Engine) {
    while engine.lives() {
        if engine.is_busy()
            && let Err(error) = engine.beat().await
        {
            tracing::warn!(error = %error, "the heartbeat could not be written");
        }
        tokio::time::sleep(BEAT).await;
    }
}
