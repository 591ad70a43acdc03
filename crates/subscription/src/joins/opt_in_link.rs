//! `GET /api/subscribe/opt-in`: the link behind each tap of a visitor without a subscription that leads to the network's page. It begins an attempt
//! in this browser, so that the return opens the session, and stores what the page said as the consent. The network's page asks for the number.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header,
    web::{Data, Query},
};
use brands::{Brand, NetworkOffer};
use identity::Site;
use operator::OptInKind;
use serde::Deserialize;
use service::openapi::{Refused, TooMany};
use url::form_urlencoded::Serializer;

use crate::{
    App,
    error::Error,
    joins::{
        continue_to,
        join::{JoinOutcome, label_of},
        number_verification::{is_from_own_page, is_navigation},
        opt_in::{Campaign, confirms_by_sms, request_opt_in_page},
        visitor::Visitor,
    },
    subscribers::{metrics, offers},
};

/// What the visitor wants to join, and where the visitor was.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinkQuery {
    #[param(value_type = service::schema::ServiceId)]
    svc_id: i32,
    /// The page of the brand that the visitor wanted: a path.
    #[serde(default)]
    #[param(max_length = 300, required = false)]
    page: String,
    /// The price that the page shows, as `shown` of a join.
    #[serde(default)]
    #[param(max_length = 300, required = false)]
    shown: String,
}

/// Redirects to the network's page, which asks for the number; to the join form where the number decides which page that is.
#[utoipa::path(
    get,
    path = "",
    params(LinkQuery),
    responses((
        status = 303,
        description = "To the network's page, or to the join form.",
        headers(
            ("Location" = String, description = "Where the browser goes on."),
            ("Set-Cookie" = String, description = "The browser's cookie, by which the return opens the session.")
        )
    ), Refused, TooMany)
)]
pub(crate) async fn follow_link(
    app: Data<App>,
    req: HttpRequest,
    site: Site,
    visitor: Visitor,
    query: Query<LinkQuery>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let continue_to = continue_to::page(Some(&query.page))?;
    let brand = app.brand(query.svc_id)?;
    if brand.svc_id != site.brand.svc_id {
        return Err(Error::UnknownService);
    }
    let shown = offers::shown(Some(&query.shown))?;
    let offer = shown_offer(&app, &brand).filter(|_| is_navigation(&req) && is_from_own_page(&req));
    // The join form shows the price of today.
    let offer = offer.filter(|offer| shown.is_empty() || offers::is_shown(shown, offer, false));
    let Some(offer) = offer else { return Ok(to_join_form(&brand, continue_to)) };
    let (visitor, campaign) =
        (visitor.by_link(), Campaign { continue_to, is_shown: !shown.is_empty(), ..Campaign::default() });
    let page =
        request_opt_in_page(&app, (&brand, offer), Some(&site), &visitor, None, OptInKind::OptIn, campaign).await;
    let outcome = page.map(JoinOutcome::Page);
    metrics::join_requested(&app.policy, brand.svc_id, label_of(&outcome));
    match outcome {
        Ok(JoinOutcome::Page(page)) => Ok(see_other(&page.redirect_url).cookie(page.browser_cookie).finish()),
        // Also where the network's page does not ask for numbers.
        Ok(_) | Err(Error::NetworkRejected(_)) => Ok(to_join_form(&brand, continue_to)),
        Err(error) => Err(error),
    }
}

/// The offer of the page's price line; none where its network has no page, or where visitors choose their network.
fn shown_offer<'a>(app: &App, brand: &'a Brand) -> Option<&'a NetworkOffer> {
    let is_one = brand.has_default_network || brand.offers.len() == 1;
    let shown = brand.offer_on(&brand.network).filter(|_| is_one)?;
    (!confirms_by_sms(&app.brands, &shown.network)).then_some(shown)
}

fn to_join_form(brand: &Brand, continue_to: &str) -> HttpResponse {
    let address = match continue_to {
        "" => brand.join.clone(),
        page => {
            let query = Serializer::new(String::new()).append_pair("page", page).finish();
            format!("{}?{query}", brand.join)
        }
    };
    see_other(&address).finish()
}

fn see_other(address: &str) -> HttpResponseBuilder {
    let mut reply = HttpResponse::SeeOther();
    reply.insert_header((header::LOCATION, address)).insert_header((header::REFERRER_POLICY, "no-referrer"));
    reply
}
