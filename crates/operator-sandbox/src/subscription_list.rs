//! The list of subscriptions that began or ended since a time: the other side requests it after it has restored a backup.

use actix_web::{HttpRequest, HttpResponse, http::header, web::Query};
use chrono::{DateTime, Utc};
use operator::SubscriptionEvent;
use serde::Deserialize;
use service::Page;

use crate::{App, charge_rows::Listed, charges::MAX_LISTED, error::Error, subscriptions::Subscription};

/// Since when, and which page.
#[derive(Deserialize)]
pub(crate) struct ListQuery {
    since: DateTime<Utc>,
    limit: Option<i64>,
    after: Option<i64>,
    /// Only this network's; absent means all networks'.
    network: Option<String>,
}

/// What began or ended since then: all of it, or with `limit` a page.
pub(crate) async fn list_subscriptions(
    app: App,
    query: Query<ListQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let ListQuery { since, limit, after, network } = query.into_inner();
    if limit.is_some_and(|limit| !(1..=MAX_LISTED).contains(&limit)) {
        return Err(Error::BadLimit);
    }
    if network.as_ref().is_some_and(|network| app.brands.network(network).is_none()) {
        return Err(Error::UnknownNetwork);
    }
    app.misbehaviours.begin_call(network.as_deref().or(app.called.as_deref())).await?;
    let Listed { networks, .. } = app.listed(network.as_deref());
    let mut address = format!("{}{}?since={}", app.prefix(), req.path(), since.format("%Y-%m-%dT%H:%M:%SZ"));
    if let Some(network) = network {
        address.push_str(&format!("&network={network}"));
    }
    let page = limit.map(|limit| Page { limit, after: after.unwrap_or(0).max(0) });
    let (after, fetch) = page.map_or((after.unwrap_or(0).max(0), i64::MAX), |page| (page.after, page.fetch()));
    let since = since.naive_utc();
    let mut changed = app.db.run(move |conn| Subscription::changed_since(conn, &networks, since, after, fetch)).await?;
    let last = page.and_then(|page| Some((page, page.cut(&mut changed, |subscription| subscription.id)?)));
    let mut reply = HttpResponse::Ok();
    if let Some((page, last)) = last {
        reply.insert_header((header::LINK, page.next_link(&address, last)));
    }
    Ok(reply.json(changed.iter().map(Subscription::listed).collect::<Vec<SubscriptionEvent>>()))
}
