//! `GET /api/subscribe/check-sub`: has the network confirmed this try? On the browser that began it, yes opens the session.

use std::time::{Duration, Instant};

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use identity::{Msisdn, Session, Site};
use operator::{OptIn, OptInStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::TooMany;
use utoipa::ToSchema;

use crate::{
    App,
    billing::{calendar, ledger},
    crash,
    error::Error,
    life::{Cause, State},
    network_word::Word,
    subscriptions::Subscription,
    tries::Try,
    visitor::Visitor,
};

/// Which try, and whose.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CheckQuery {
    /// The number that tried.
    msisdn: String,
    /// The `subscriptionId` of the try.
    subscription_id: String,
}

/// Whether the network has confirmed a try.
#[derive(Serialize, ToSchema)]
struct CheckReply {
    /// 1: confirmed, and active. 0: not.
    #[schema(maximum = 1)]
    result: u8,
}

/// How long a reply waits for the charge that opens access, and how often it looks.
const WAIT_FOR_CHARGE: Duration = Duration::from_secs(4);
const LOOK: Duration = Duration::from_millis(100);

const NO: CheckReply = CheckReply { result: 0 };
const YES: CheckReply = CheckReply { result: 1 };

/// 1 where the network has confirmed the try and its subscription is active, else 0.
///
/// On the browser that began the try, the first 1 also opens the session.
#[utoipa::path(
    get,
    path = "",
    params(CheckQuery),
    responses((
        status = 200,
        description = "Confirmed or not.",
        body = CheckReply,
        headers(("Set-Cookie" = String, description = "The session, once."))
    ), TooMany)
)]
pub(crate) async fn check_sub(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    query: Query<CheckQuery>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let Ok(msisdn) = Msisdn::parse(&query.msisdn) else { return Ok(HttpResponse::Ok().json(NO)) };
    let Some((this, svc_id)) = find(&app, &query.subscription_id, &msisdn).await? else {
        return Ok(HttpResponse::Ok().json(NO));
    };
    let this = if this.is_open(app.clock.now()) { ask(&app, this, &msisdn, svc_id).await? } else { this };
    if !this.proves_identity() {
        return Ok(HttpResponse::Ok().json(NO));
    }
    // What was proved before the subscription ended proves nothing for the one that has begun since.
    let active = once_paid(&app, &msisdn, svc_id).await?;
    let Some(subscription) = active.filter(|active| active.over_since().is_none_or(|over| over < this.created_at))
    else {
        return Ok(HttpResponse::Ok().json(NO));
    };
    let mut reply = HttpResponse::Ok();
    if let (Some(site), Some(browser_hash)) = (site, visitor.browser_hash())
        && site.label == this.label
    {
        let now = app.clock.now();
        let opened = app.db.write(move |conn| this.open_session(conn, &browser_hash, now)).await?;
        if opened {
            let (issued_at, generation) = (now.and_utc().timestamp(), subscription.generation);
            let session = Session { msisdn, svc_id, label: site.label, issued_at, generation, test: false };
            reply.cookie(visitor.session_cookie(&app.minter, &session)?);
        }
    }
    Ok(reply.json(YES))
}

async fn find(app: &App, id: &str, msisdn: &Msisdn) -> Result<Option<(Try, i32)>, Error> {
    let (id, msisdn) = (id.to_owned(), msisdn.clone());
    app.db.run(move |conn| Try::of_number(conn, &id, &msisdn)).await
}

/// The subscription, if it is active. One whose access waits for the day's money is waited for a little: its charge is being made.
async fn once_paid(app: &App, msisdn: &Msisdn, svc_id: i32) -> Result<Option<Subscription>, Error> {
    let began = Instant::now();
    loop {
        let (msisdn, today) = (msisdn.clone(), calendar::day_of(app.clock.now()));
        let found = app
            .db
            .run(move |conn| {
                let Some(subscription) = Subscription::of_number(conn, &msisdn, svc_id)? else { return Ok(None) };
                let is_open = subscription.state == State::Suspended && ledger::is_open(conn, subscription.id, today)?;
                Ok::<_, Error>(Some((subscription, is_open)))
            })
            .await?;
        match found {
            Some((subscription, _)) if subscription.state == State::Active => return Ok(Some(subscription)),
            Some((_, true)) if began.elapsed() < WAIT_FOR_CHARGE => tokio::time::sleep(LOOK).await,
            _ => return Ok(None),
        }
    }
}

/// Asks the network: its notification may be late, or lost. With the network away the answer is still open.
async fn ask(app: &App, this: Try, msisdn: &Msisdn, svc_id: i32) -> Result<Try, Error> {
    let answer = match asked(app, &this).await {
        Ok(answer) if answer.status != OptInStatus::Pending => answer,
        Ok(_) => return Ok(this),
        Err(error) => {
            tracing::warn!(network.name = this.network, error = %error, "a network could not be asked about an opt-in");
            return Ok(this);
        }
    };
    crash::point("check.asked");
    let (terms, clock, number, id) = (app.terms.clone(), app.clock.clone(), msisdn.clone(), this.id.clone());
    app.db
        .write(move |conn| {
            let now = clock.now();
            let word = Word {
                terms: &terms,
                network: &this.network,
                msisdn: &number,
                svc_id,
                try_of: Some(&this),
                network_ref: answer.network_subscription_id.as_deref(),
                happened_at: answer.decided_at.map_or(now, |at| at.naive_utc().min(now)),
                updated_at: None,
                said: said(&answer),
                now,
            };
            word.answered(conn, answer.kind, answer.status, &answer.reference)?;
            if answer.status == OptInStatus::Confirmed
                && !answer.active
                && let Some(network_ref) = &answer.network_subscription_id
            {
                word.ended(conn, network_ref, Cause::Stopped)?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    app.wake();
    match find(app, &id, msisdn).await? {
        Some((this, _)) => Ok(this),
        None => Err(Error::Store(store::Error::NotFound)),
    }
}

async fn asked(app: &App, this: &Try) -> Result<OptIn, Error> {
    app.networks.of(&this.network)?.answer_to(&this.reference).await
}

fn said(answer: &OptIn) -> serde_json::Value {
    json!({ "asked": answer.reference, "status": answer.status, "decided_at": answer.decided_at, "id": answer.network_subscription_id })
}
