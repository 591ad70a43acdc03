//! Sending a person to the network's page: to join, to prove who they are, or to leave.

use actix_web::cookie::Cookie;
use brands::{Brand, PRICE_CENTS};
use identity::{Msisdn, Site};
use operator::{OptInKind, OptInRequest};
use serde_json::json;

use crate::{
    App, clock,
    error::Error,
    life::Cause,
    subscriptions::Subscription,
    tries::{TERMS_VERSION, Try, kind_word, unguessable},
    visitor::Visitor,
};

/// Where the network sends people back to, on the brand's own host.
const RETURN_PATH: &str = "/DoiRedirect";

/// A page of the network's, waiting for one person.
pub(crate) struct OptInPage {
    /// Its address.
    pub redirect_url: String,
    /// Our name of the try.
    pub try_id: String,
    /// Lets the browser open the session later.
    pub browser_cookie: Cookie<'static>,
}

/// Asks the network for a page and keeps the try. With the network away nothing is kept.
pub(crate) async fn open_page(
    app: &App,
    brand: &Brand,
    site: Option<&Site>,
    visitor: &Visitor,
    msisdn: &Msisdn,
    kind: OptInKind,
    ext_ref: &str,
) -> Result<OptInPage, Error> {
    // The host the visitor is on, where it shows this brand: the session is for that host alone.
    let label = match site {
        Some(site) if site.brand.svc_id == brand.svc_id => site.label.as_str(),
        _ => brand.label(),
    };
    let request = OptInRequest {
        msisdn: msisdn.as_str().to_owned(),
        svc_id: brand.svc_id,
        service: brand.name.clone(),
        price_cents: PRICE_CENTS,
        ext_ref: ext_ref.to_owned(),
        subscription_id: unguessable(),
        return_url: format!("{}{RETURN_PATH}", app.brands.public_url(brand, label, app.public_port)),
        kind,
    };
    let reply = app.networks.opt_in(&brand.network, &request).await?;
    let (browser_cookie, browser_hash) = visitor.remembered();
    let now = clock::now();
    let this = Try {
        id: request.subscription_id,
        subscription_id: 0,
        kind: kind_word(kind).to_owned(),
        status: "pending".to_owned(),
        network: brand.network.clone(),
        reference: reply.reference,
        label: label.to_owned(),
        browser_hash,
        ext_ref: request.ext_ref,
        page: visitor.page.clone(),
        terms_version: TERMS_VERSION.to_owned(),
        address: visitor.address.clone(),
        agent: visitor.agent.clone(),
        created_at: now,
        decided_at: None,
        opened_at: None,
    };
    let try_id = this.id.clone();
    let (brands, number, svc_id) = (app.brands.clone(), msisdn.clone(), brand.svc_id);
    app.db
        .write(move |conn| {
            let mut subscription = Subscription::lock(conn, &number, svc_id, now)?;
            if kind == OptInKind::OptIn {
                let evidence = json!({ "try": this.evidence() });
                subscription.advance(conn, &brands, Cause::Joined, now, &evidence, now)?;
            }
            Try { subscription_id: subscription.id, ..this }.insert(conn)
        })
        .await?;
    tracing::info!(brand.label = label, opt_in.kind = kind_word(kind), msisdn = %msisdn, "sent to the network's page");
    Ok(OptInPage { redirect_url: reply.redirect_url, try_id, browser_cookie })
}
