//! `GET /api/subscribe/verify-number`: a join without typing. The browser is sent to its network, which recognises the SIM and sends it back with a
//! code (CAMARA Number Verification, by OpenID Connect); for the code the network tells the number, and the join goes on with it.
//!
//! Whatever fails leads back to the join form, where a number can be typed: nothing is charged by it, and no error page is shown. No address here
//! has the number.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    cookie::Cookie,
    http::header,
    web::{Data, Query},
};
use brands::NetworkOffer;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::{Msisdn, Site};
use serde::Deserialize;
use store::DbConnection;
use url::form_urlencoded::Serializer;

use crate::{
    App,
    error::Error,
    joins::{
        continue_to,
        human_check::{Checked, JoinCheck, Press},
        join::{self, JoinOutcome, JoinRequest},
        visitor::Visitor,
    },
    networks::NumberRequest,
    publishers::counts,
    schema::number_verifications,
    subscribers::{
        enrichment::EnrichedSubscriber,
        ids::{is_id, random_token},
        metrics, offers,
    },
};

/// The path that networks send browsers back to, on the brand's own host.
const RETURN_PATH: &str = "/api/subscribe/verify-number/return";

/// How long a browser may take to come back.
pub(crate) const LIFETIME: TimeDelta = TimeDelta::minutes(5);

/// Why the visitor is back at the join form, and types the number.
#[derive(Clone, Copy)]
enum Failure {
    /// The button was not tapped on our page: the visitor has not read what the form says.
    NotTapped,
    /// The tap does not look like a person's.
    Held,
    /// The network did not recognise a SIM: no mobile data, or another network's.
    NotRecognised,
    /// Anything else.
    Failed,
}

impl Failure {
    /// The value of `sim` in the join form's address, which says it in words; none where there is nothing to say.
    const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::NotTapped => None,
            Self::Held => Some("held"),
            Self::NotRecognised => Some("unknown"),
            Self::Failed => Some("failed"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(_) => tracing::error!(error = %error, "a join without typing failed"),
            _ => tracing::info!(error = %error, "a join without typing failed"),
        }
        Self::Failed
    }
}

/// The button that was tapped.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StartQuery {
    /// The key of the network whose SIM the visitor has.
    #[serde(default)]
    #[param(max_length = 64, required = false)]
    network: String,
    /// The advertisement that brought the visitor.
    #[serde(default)]
    #[param(max_length = 256, required = false)]
    ext_ref: String,
    /// What the page saw of the tap, as the header `X-Join-Check` of a join.
    #[serde(default)]
    #[param(required = false)]
    challenge: String,
    /// The page of the brand that the visitor wanted: a path.
    #[serde(default)]
    #[param(max_length = 300, required = false)]
    page: String,
}

/// What the network sends a browser back with (OpenID Connect Core, sections 3.1.2.5 and 3.1.2.6).
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReturnQuery {
    /// As we sent it.
    #[serde(default)]
    #[param(required = false)]
    state: String,
    /// Stands for the number; absent where the network has recognised no SIM.
    #[serde(default)]
    #[param(required = false)]
    code: String,
    /// Why there is no code.
    #[serde(default)]
    #[param(required = false)]
    error: String,
}

/// A browser that was sent to its network.
#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = number_verifications)]
struct Pending {
    id: String,
    network: String,
    svc_id: i32,
    label: String,
    browser_hash: String,
    ext_ref: String,
    /// The page whose button was tapped.
    page: String,
    /// The page that the visitor wanted.
    continue_to: String,
    price_cents: i64,
    period: String,
    /// The prices that the page showed; empty: it has not said.
    shown: String,
    created_at: NaiveDateTime,
}

impl Pending {
    fn insert(&self, conn: &mut DbConnection) -> Result<(), Error> {
        diesel::insert_into(number_verifications::table).values(self).execute(conn)?;
        Ok(())
    }

    /// The row of a state, once: only for the browser that began it, on the same host, and in time. Any other browser leaves it as it is.
    fn claim(
        conn: &mut DbConnection,
        (state, label, browser_hash): (&str, &str, &str),
        now: NaiveDateTime,
    ) -> Result<Option<Self>, Error> {
        if state.is_empty() || !is_id(state) {
            return Ok(None);
        }
        let found: Option<Self> = number_verifications::table
            .filter(number_verifications::id.eq(state).and(number_verifications::browser_hash.eq(browser_hash)))
            .filter(number_verifications::label.eq(label))
            .select(Self::as_select())
            .first(conn)
            .optional()?;
        let Some(found) = found else { return Ok(None) };
        // Of two requests at once, one deletes it.
        let deleted = diesel::delete(number_verifications::table.find(&found.id)).execute(conn)?;
        let is_in_time = (found.created_at..=found.created_at + LIFETIME).contains(&now);
        Ok((deleted > 0 && is_in_time).then_some(found))
    }

    /// The same request to the network as before: nonce and verifier follow from the state, and are kept nowhere.
    fn request(&self, app: &App, site: &Site) -> NumberRequest {
        let secret = |kind: &str| {
            let digest = app.policy.secret.digest(&format!("number-verification/{kind}/{}", self.id));
            hex::encode(digest)
        };
        NumberRequest {
            state: self.id.clone(),
            nonce: secret("nonce"),
            verifier: secret("verifier"),
            return_url: format!("{}{RETURN_PATH}", app.brands.public_url(&site.brand, &self.label, app.public_port)),
        }
    }

    /// The offer on the button, unless it has changed since.
    fn offer<'a>(&self, site: &'a Site) -> Option<&'a NetworkOffer> {
        let offer = site.brand.offer_on(&self.network)?;
        let is_same = site.brand.svc_id == self.svc_id
            && (offer.price_cents, offer.period.as_str()) == (self.price_cents, self.period.as_str());
        is_same.then_some(offer)
    }
}

/// Sends the browser to its network, which recognises the SIM; back to the join form where that is not possible.
#[utoipa::path(
    get,
    path = "",
    params(StartQuery),
    responses((
        status = 302,
        description = "To the network, or back to the join form.",
        headers(("Location" = String, description = "Where the browser goes on."))
    ))
)]
pub(crate) async fn request_number(
    app: Data<App>,
    req: HttpRequest,
    site: Site,
    visitor: Visitor,
    query: Query<StartQuery>,
) -> HttpResponse {
    let query = query.into_inner();
    match begin(&app, &req, &site, &visitor, &query).await {
        Ok((page, cookie)) => redirect(&page).cookie(cookie).finish(),
        Err(failure) => back(&site, (&query.ext_ref, &query.page), failure),
    }
}

async fn begin(
    app: &App,
    req: &HttpRequest,
    site: &Site,
    visitor: &Visitor,
    query: &StartQuery,
) -> Result<(String, Cookie<'static>), Failure> {
    app.limits.count_address(&visitor.address).await?;
    if !is_navigation(req) || !is_from_own_page(req) {
        return Err(Failure::NotTapped);
    }
    let network = query.network.as_str();
    let (ext_ref, continue_to) = (counts::ext_ref(Some(&query.ext_ref))?, continue_to::page(Some(&query.page))?);
    let check = JoinCheck::of_tap(&query.challenge);
    let offer = site.brand.offer_on(network).ok_or(Error::NotOfferedOnNetwork)?;
    let operator = app.networks.operator(network)?;
    let shown = check.shown(app, site.brand.svc_id).to_owned();
    if !shown.is_empty() && !offers::is_shown(&shown, offer, true) {
        // The form shows the price of today.
        return Err(Failure::NotTapped);
    }
    let press = Press { brand: &site.brand, masked: String::new(), ext_ref, is_join: false, shown: "" };
    if let Checked::Held(_) = check.examine(app, visitor, press).await? {
        return Err(Failure::Held);
    }
    let (cookie, browser_hash) = visitor.browser_cookie();
    let pending = Pending {
        id: random_token(),
        network: network.to_owned(),
        svc_id: site.brand.svc_id,
        label: site.label.clone(),
        browser_hash,
        ext_ref: ext_ref.to_owned(),
        page: visitor.page.clone(),
        continue_to: continue_to.to_owned(),
        price_cents: offer.price_cents,
        period: offer.period.as_str().to_owned(),
        shown,
        created_at: app.clock.now(),
    };
    let page = operator.number_page(&pending.request(app, site)).ok_or(Error::NotOfferedOnNetwork)?;
    app.db.write(move |conn| pending.insert(conn)).await?;
    tracing::info!(brand.label = site.label, network.name = network, "sent to the network to recognise the SIM");
    Ok((page, cookie))
}

/// Takes the browser back from its network: on to the network's confirm page with the number of its SIM, or back to the join form.
#[utoipa::path(
    get,
    path = "",
    params(ReturnQuery),
    responses((
        status = 302,
        description = "To the network's confirm page, to the site where the number is active already, or back to the join form.",
        headers(("Location" = String, description = "Where the browser goes on."))
    ))
)]
pub(crate) async fn receive_number(
    app: Data<App>,
    req: HttpRequest,
    site: Site,
    visitor: Visitor,
    query: Query<ReturnQuery>,
) -> HttpResponse {
    if let Err(error) = app.limits.count_address(&visitor.address).await {
        return back(&site, ("", ""), error.into());
    }
    let pending = match claim(&app, &req, &site, &visitor, &query.state).await {
        Ok(pending) => pending,
        Err(failure) => return back(&site, ("", ""), failure),
    };
    let (ext_ref, continue_to) = (pending.ext_ref.clone(), pending.continue_to.clone());
    match join_by_sim(&app, &site, visitor, pending, &query).await {
        Ok(JoinOutcome::Page(page)) => redirect(&page.redirect_url).cookie(page.browser_cookie).finish(),
        // The test number, which is typed.
        // And where the publisher is held: the form says so once the number is typed.
        Ok(
            JoinOutcome::AlreadyActive
            | JoinOutcome::ChoiceNeeded(_)
            | JoinOutcome::PriceChanged(_)
            | JoinOutcome::Held(..),
        ) => back(&site, (&ext_ref, &continue_to), Failure::Failed),
        Err(failure) => back(&site, (&ext_ref, &continue_to), failure),
    }
}

async fn claim(app: &App, req: &HttpRequest, site: &Site, visitor: &Visitor, state: &str) -> Result<Pending, Failure> {
    let Some(browser_hash) = visitor.browser_hash().filter(|_| is_navigation(req)) else {
        return Err(Failure::Failed);
    };
    let (state, label, now) = (state.to_owned(), site.label.clone(), app.clock.now());
    let claimed = app.db.write(move |conn| Pending::claim(conn, (&state, &label, &browser_hash), now)).await?;
    claimed.ok_or(Failure::Failed)
}

/// The network's confirm page for the number of the SIM, as if the network's header had named it.
async fn join_by_sim(
    app: &App,
    site: &Site,
    visitor: Visitor,
    pending: Pending,
    query: &ReturnQuery,
) -> Result<JoinOutcome, Failure> {
    let network = pending.network.as_str();
    if query.code.is_empty() {
        tracing::info!(network.name = network, "the network has recognised no SIM");
        let is_silent = matches!(query.error.as_str(), "server_error" | "temporarily_unavailable");
        return Err(if is_silent { Failure::Failed } else { Failure::NotRecognised });
    }
    let offer = pending.offer(site).ok_or(Error::NotOfferedOnNetwork)?;
    let number = app.networks.operator(network)?.number_of_sim(&query.code, &pending.request(app, site)).await;
    metrics::network_call(network, "number", &number);
    let number = match number {
        Err(Error::NetworkRejected(cause)) => {
            tracing::warn!(network.name = network, cause, "the network does not tell the number of a SIM");
            return Err(Failure::NotRecognised);
        }
        number => Msisdn::parse(&number?).map_err(Error::from)?,
    };
    let on_button = (offer.network.clone(), pending.shown);
    let request = JoinRequest::by_sim(&number, pending.ext_ref, site.brand.svc_id, on_button, pending.continue_to);
    let named = EnrichedSubscriber::by_sim(number.into(), network);
    let visitor = visitor.by_sim(&pending.page);
    let outcome = join::request_page(app, Some(site), &visitor, &named, &request).await;
    metrics::join_requested(&app.policy, site.brand.svc_id, join::label_of(&outcome));
    Ok(outcome?)
}

/// Whether the browser goes to this address, and does not load it for a page or ahead of a tap.
pub(crate) fn is_navigation(req: &HttpRequest) -> bool {
    header_of(req, "sec-fetch-dest").is_none_or(|destination| destination == "document")
        && header_of(req, "sec-purpose").is_none_or(|purpose| !purpose.contains("prefetch"))
}

/// Whether the address was opened on our own page, or by the visitor: what the page says is kept as the consent's words.
pub(crate) fn is_from_own_page(req: &HttpRequest) -> bool {
    header_of(req, "sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"))
}

fn header_of<'a>(req: &'a HttpRequest, name: &str) -> Option<&'a str> {
    req.headers().get(name).and_then(|value| value.to_str().ok())
}

fn redirect(address: &str) -> HttpResponseBuilder {
    let mut reply = HttpResponse::Found();
    reply.insert_header((header::LOCATION, address)).insert_header((header::REFERRER_POLICY, "no-referrer"));
    reply
}

/// Back to the join form, which says why in words.
fn back(site: &Site, (ext_ref, page): (&str, &str), failure: Failure) -> HttpResponse {
    let mut query = Serializer::new(String::new());
    if !ext_ref.is_empty() && counts::ext_ref(Some(ext_ref)).is_ok() {
        query.append_pair("ext_ref", ext_ref);
    }
    if !page.is_empty() && continue_to::page(Some(page)).is_ok() {
        query.append_pair("page", page);
    }
    if let Some(sim) = failure.as_str() {
        query.append_pair("sim", sim);
    }
    let query = query.finish();
    let joint = if query.is_empty() { "" } else { "?" };
    redirect(&format!("{}{joint}{query}", site.brand.join)).finish()
}
