//! `GET /api/subscribe/check-sub`: has the network confirmed this try? On the browser that began it, yes opens the session.

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use identity::{Msisdn, Session, Site};
use operator::{Answer, OptIn};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::{
    App, crash, error::Error, holds::Hold, join::is_active, life::Cause, network_word::Word, tries::Try,
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
    ))
)]
pub(crate) async fn check_sub(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    query: Query<CheckQuery>,
) -> Result<HttpResponse, Error> {
    let Ok(msisdn) = Msisdn::parse(&query.msisdn) else { return Ok(HttpResponse::Ok().json(NO)) };
    let Some((this, svc_id)) = find(&app, &query.subscription_id, &msisdn).await? else {
        let known = joined_at_the_network(&app, &query.subscription_id, &msisdn).await?;
        return Ok(HttpResponse::Ok().json(if known { YES } else { NO }));
    };
    let this = if this.is_open(app.clock.now()) { ask(&app, this, &msisdn, svc_id).await? } else { this };
    if !this.proves_identity() || !is_active(&app, &msisdn, svc_id).await? {
        return Ok(HttpResponse::Ok().json(NO));
    }
    let mut reply = HttpResponse::Ok();
    if let (Some(site), Some(browser_hash)) = (site, visitor.browser_hash())
        && site.label == this.label
    {
        let now = app.clock.now();
        let opened = app.db.write(move |conn| this.open_session(conn, &browser_hash, now)).await?;
        if opened {
            let session = Session {
                msisdn,
                svc_id,
                label: site.label,
                issued_at: now.and_utc().timestamp(),
                generation: 0,
                test: false,
            };
            reply.cookie(visitor.session_cookie(&app.minter, &session)?);
        }
    }
    Ok(reply.json(YES))
}

async fn find(app: &App, id: &str, msisdn: &Msisdn) -> Result<Option<(Try, i32)>, Error> {
    let (id, msisdn) = (id.to_owned(), msisdn.clone());
    app.db.run(move |conn| Try::of_number(conn, &id, &msisdn)).await
}

/// Who joined at the network itself comes back with the network's own id, and on no browser that we know: no session.
async fn joined_at_the_network(app: &App, network_ref: &str, msisdn: &Msisdn) -> Result<bool, Error> {
    let (network_ref, number) = (network_ref.to_owned(), msisdn.clone());
    let svc_id = app.db.run(move |conn| Hold::running_service(conn, &network_ref, &number)).await?;
    match svc_id {
        Some(svc_id) => is_active(app, msisdn, svc_id).await,
        None => Ok(false),
    }
}

/// Asks the network: its notification may be late, or lost. With the network away the answer is still open.
async fn ask(app: &App, this: Try, msisdn: &Msisdn, svc_id: i32) -> Result<Try, Error> {
    let answer = match asked(app, &this).await {
        Ok(answer) if answer.status != Answer::Pending => answer,
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
                happened_at: answer.decided_at.map_or(now, |at| at.naive_utc()),
                said: said(&answer),
                now,
            };
            word.answered(conn, answer.kind, answer.status, &answer.reference)?;
            if answer.status == Answer::Confirmed
                && !answer.active
                && let Some(network_ref) = &answer.network_subscription_id
            {
                word.ended(conn, network_ref, Cause::Stopped)?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    app.ring();
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
