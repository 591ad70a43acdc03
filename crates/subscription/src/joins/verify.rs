//! `POST /api/subscribe/verify`: an active number proves its ownership on a new phone.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Site, SubscriberId};
use operator::OptInKind;
use serde::Deserialize;
use service::openapi::{Conflict, Refused, TooMany};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        continue_to,
        join::is_active,
        opt_in::{Campaign, RedirectReply, request_opt_in_page},
        recycling, sim_swap,
        visitor::Visitor,
    },
    subscribers::{enrichment::EnrichedSubscriber, learned_numbers, offers},
};

/// The number to verify.
#[derive(Deserialize, ToSchema)]
pub(crate) struct VerifyRequest {
    /// May be empty where the visitor's network adds a token to the request.
    #[schema(value_type = service::schema::MobileNumber)]
    msisdn: String,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
    /// The page of the brand that the visitor wanted: a path.
    #[serde(default)]
    #[schema(max_length = 300)]
    page: Option<String>,
}

/// Returns the network's confirm page for an active number or, if the enrichment header has this number, an address
/// of the site. It costs nothing.
#[utoipa::path(
    post,
    path = "",
    request_body = VerifyRequest,
    responses((status = 200, description = "The network's confirm page.", body = RedirectReply), Conflict, Refused, TooMany)
)]
pub(crate) async fn verify(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    enriched: EnrichedSubscriber,
    request: Json<VerifyRequest>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let brand = app.brand(request.svc_id)?;
    let continue_to = continue_to::page(request.page.as_deref())?;
    let msisdn = match enriched.token() {
        Some(token) if request.msisdn.trim().is_empty() => token.clone(),
        _ => SubscriberId::from(Msisdn::parse(&request.msisdn)?),
    };
    app.limits.count_number(OptInKind::Verify, &msisdn, &visitor.address).await?;
    learned_numbers::learn(&app, &visitor.address, &msisdn).await?;
    recycling::end_former(&app, &msisdn, brand.svc_id).await?;
    let offer = offers::of_owner(&app, &brand, &msisdn).await?;
    // Whether a number is active at a network with tokens shows only when the network has named its token.
    let is_unnamed = msisdn.number().is_some() && app.brands.has_tokens(&offer.network);
    if !is_unnamed && !is_active(&app, &msisdn, brand.svc_id).await? {
        return Err(Error::NotActive);
    }
    // The enrichment header has confirmed the number already.
    if enriched.is(&msisdn) {
        let page =
            sim_swap::page_of_named(&app, (&brand, &offer), site.as_ref(), &visitor, &msisdn, continue_to).await?;
        return Ok(HttpResponse::Ok()
            .cookie(page.browser_cookie)
            .json(RedirectReply { redirect_url: page.redirect_url }));
    }
    let page = request_opt_in_page(
        &app,
        (&brand, &offer),
        site.as_ref(),
        &visitor,
        Some(&msisdn),
        OptInKind::Verify,
        Campaign { continue_to, ..Campaign::default() },
    )
    .await?;
    Ok(HttpResponse::Ok().cookie(page.browser_cookie).json(RedirectReply { redirect_url: page.redirect_url }))
}
