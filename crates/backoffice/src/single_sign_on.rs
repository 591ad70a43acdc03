//! Single sign-on: a browser goes to the provider and comes back with a code, which stands for what the provider says about the person.
//!
//! The provider's account of a person is linked to a member only by that member: who accepts an invitation by it, or who links it with a session.
//! Both times its email address has to be the member's, and verified. From then on issuer and subject alone count. Roles are ours.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Path, Query},
};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused, TooMany},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    invitations::{self, Open, Verified},
    members::{ACTIVE, Member, StaffRow},
    open_sign_ins::{self, FirstFactor},
    passkeys::Passkeys,
    provider::{Identity, Provider, ProviderError},
    schema::{identities, provider_visits, staff},
    sessions::{self, Origin},
    sign_in::{self, Attempt},
    token,
};

/// How long a person may stay at the provider.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// How staff can sign in.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignInOptions {
    /// What the provider of single sign-on is called; null without one.
    #[schema(required = true)]
    provider: Option<String>,
}

/// Whether the caller's account is linked.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderLink {
    /// What the provider of single sign-on is called; null without one.
    #[schema(required = true)]
    provider: Option<String>,
    linked: bool,
}

/// Where the browser goes.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderAddress {
    address: String,
}

/// What a person who accepts an invitation by single sign-on chose.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ProviderAcceptance {
    #[schema(max_length = 100)]
    name: String,
    /// The six digits that the authenticator shows.
    code: String,
}

/// What the provider adds to the address at which the browser comes back.
#[derive(Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct ProviderReply {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

/// Why a browser goes to the provider.
enum Purpose {
    SignIn,
    Link { session_id: i64 },
    Accept(Verified),
}

/// A browser at the provider.
#[derive(Queryable, Selectable)]
#[diesel(table_name = provider_visits)]
struct Visit {
    state_hash: String,
    nonce: String,
    verifier: String,
    session_id: Option<i64>,
    invitation_hash: Option<String>,
    name: String,
    totp_step: i64,
    expires_at: NaiveDateTime,
}

impl Visit {
    /// The browser's visit, which ends with this.
    fn take(conn: &mut DbConnection, hash: &str) -> Result<Option<Self>, Error> {
        let row = provider_visits::table.filter(provider_visits::token_hash.eq(hash));
        let visit = row.select(Self::as_select()).first(conn).optional()?;
        diesel::delete(row).execute(conn)?;
        Ok(visit)
    }
}

/// Why a person is not signed in, as the page's address has it. Who is not linked, removed, or not the person of the token, is the same.
#[derive(Debug)]
enum Failure {
    Cancelled,
    Expired,
    Unavailable,
    Refused,
    /// The provider's email address is not verified, or not the member's.
    OtherAddress,
    Failed,
}

impl Failure {
    fn name(&self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Unavailable => "unavailable",
            Self::Refused => "refused",
            Self::OtherAddress => "address",
            Self::Failed => "failed",
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownInvitation | Error::SignInExpired | Error::NoSession => Self::Expired,
            error => {
                tracing::error!(cause = %error, "single sign-on failed: {error}");
                Self::Failed
            }
        }
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Unavailable(cause) => {
                tracing::warn!(cause, "the provider of single sign-on is unavailable: {cause}");
                Self::Unavailable
            }
            ProviderError::Refused(cause) => {
                tracing::warn!(cause, "a single sign-on was refused: {cause}");
                Self::Refused
            }
        }
    }
}

/// What a browser that comes back gets.
enum Arrival {
    Session(String),
    SecondFactor(String),
    Linked,
}

/// How staff can sign in.
#[utoipa::path(get, path = "", responses((status = 200, description = "The provider, if there is one.", body = SignInOptions)))]
pub(crate) async fn get_options(app: Data<App>) -> Json<SignInOptions> {
    Json(SignInOptions { provider: provider_name(&app) })
}

fn provider_name(app: &App) -> Option<String> {
    app.provider.as_ref().map(|provider| provider.name().to_owned())
}

/// Begins a single sign-on.
#[utoipa::path(
    post,
    path = "",
    responses((status = 200, description = "Where the browser goes.", body = ProviderAddress), NotFound, TooMany)
)]
pub(crate) async fn begin(app: Data<App>, req: HttpRequest) -> Result<HttpResponse, Error> {
    let (address, now) = (Origin::of(&req, &app).address, app.clock.now());
    app.db.write(move |conn| sign_in::count_attempt(conn, Attempt::Provider { address: &address }, now)).await?;
    send_to_provider(&app, Purpose::SignIn).await
}

/// Begins to accept an invitation by single sign-on, without a password.
#[utoipa::path(
    post,
    path = "",
    params(("token" = String, Path, description = "The link's token.")),
    request_body = ProviderAcceptance,
    responses((status = 200, description = "Where the browser goes.", body = ProviderAddress), NotFound, Refused)
)]
pub(crate) async fn begin_acceptance(
    app: Data<App>,
    token: Path<String>,
    acceptance: Json<ProviderAcceptance>,
) -> Result<HttpResponse, Error> {
    let verified = invitations::verify_code(&app, &token, &acceptance.name, &acceptance.code).await?;
    send_to_provider(&app, Purpose::Accept(verified)).await
}

/// Begins to link the provider's account to the caller's.
#[utoipa::path(
    post,
    path = "",
    responses((status = 200, description = "Where the browser goes.", body = ProviderAddress), NotFound)
)]
pub(crate) async fn begin_link(member: Member, app: Data<App>) -> Result<HttpResponse, Error> {
    send_to_provider(&app, Purpose::Link { session_id: member.session_id }).await
}

async fn send_to_provider(app: &App, purpose: Purpose) -> Result<HttpResponse, Error> {
    let provider = app.provider.as_ref().ok_or(Error::NotFound)?;
    let [token, state, nonce, verifier] = [(); 4].map(|()| token::random());
    let address = provider.address(&state, &nonce, &verifier).await.map_err(|error| match error {
        ProviderError::Unavailable(cause) | ProviderError::Refused(cause) => Error::ProviderUnavailable(cause),
    })?;
    let (hash, now) = (token::hash(&token), app.clock.now());
    let (session_id, verified) = match purpose {
        Purpose::SignIn => (None, None),
        Purpose::Link { session_id } => (Some(session_id), None),
        Purpose::Accept(verified) => (None, Some(verified)),
    };
    app.db
        .write(move |conn| {
            diesel::delete(provider_visits::table.filter(provider_visits::expires_at.le(now))).execute(conn)?;
            diesel::insert_into(provider_visits::table)
                .values((
                    provider_visits::token_hash.eq(hash),
                    provider_visits::state_hash.eq(token::hash(&state)),
                    provider_visits::nonce.eq(nonce),
                    provider_visits::verifier.eq(verifier),
                    provider_visits::session_id.eq(session_id),
                    provider_visits::invitation_hash.eq(verified.as_ref().map(|verified| &verified.invitation_hash)),
                    provider_visits::name.eq(verified.as_ref().map_or("", |verified| verified.name.as_str())),
                    provider_visits::totp_step.eq(verified.as_ref().map_or(0, |verified| verified.step)),
                    provider_visits::expires_at.eq(now + LIFETIME),
                ))
                .execute(conn)?;
            Ok::<_, Error>(())
        })
        .await?;
    Ok(HttpResponse::Ok().cookie(open_sign_ins::cookie(app, token)).json(ProviderAddress { address }))
}

/// The browser comes back from the provider, and goes on to a page.
#[utoipa::path(
    get,
    path = "",
    params(ProviderReply),
    responses((status = 303, description = "To the start page, to the second factor, or to a page that says what went wrong."))
)]
pub(crate) async fn come_back(app: Data<App>, req: HttpRequest, reply: Query<ProviderReply>) -> HttpResponse {
    let to = |page: &str| {
        let mut answer = HttpResponse::SeeOther();
        answer.insert_header((header::LOCATION, page.to_owned()));
        answer
    };
    let removal = open_sign_ins::cookie(&app, String::new());
    match arrive(&app, &req, reply.into_inner()).await {
        Ok(Arrival::Session(token)) => to("/").cookie(removal).cookie(sessions::cookie(&app, token)).finish(),
        Ok(Arrival::SecondFactor(token)) => {
            to("/sign-in/second-factor").cookie(open_sign_ins::cookie(&app, token)).finish()
        }
        Ok(Arrival::Linked) => to("/sessions").cookie(removal).finish(),
        Err(failure) => to(&format!("/sign-in?failure={}", failure.name())).cookie(removal).finish(),
    }
}

async fn arrive(app: &App, req: &HttpRequest, reply: ProviderReply) -> Result<Arrival, Failure> {
    let provider = app.provider.as_ref().ok_or(Failure::Expired)?;
    let (hash, origin, now) = (open_sign_ins::hash_of(req, app)?, Origin::of(req, app), app.clock.now());
    // In a transaction of its own: a visit ends once, also where the rest fails.
    let visit = app.db.write(move |conn| Visit::take(conn, &hash)).await?;
    let visit = visit.filter(|visit| visit.expires_at > now).ok_or(Failure::Expired)?;
    if reply.state.is_none_or(|state| token::hash(&state) != visit.state_hash) {
        return Err(Failure::Expired);
    }
    if reply.iss.is_some_and(|issuer| issuer != provider.issuer()) {
        return Err(ProviderError::Refused("the reply is of another issuer".to_owned()).into());
    }
    let code = match (reply.code, reply.error.as_deref()) {
        (Some(code), None) => code,
        (_, Some("access_denied")) => return Err(Failure::Cancelled),
        (_, error) => return Err(ProviderError::Refused(format!("the provider answered {error:?}")).into()),
    };
    let identity = provider.identify(&code, &visit.verifier, &visit.nonce).await?;
    let (provider, passkeys) = (provider.clone(), app.passkeys.clone());
    app.audited(move |conn| {
        let arrival = match (visit.session_id, visit.invitation_hash) {
            (Some(session_id), _) => link(conn, &provider, &identity, session_id, now),
            (None, Some(hash)) => {
                let verified = Verified { invitation_hash: hash, name: visit.name, step: visit.totp_step };
                accept(conn, &provider, &identity, verified, &origin, now)
            }
            (None, None) => sign_in_by(conn, &passkeys, &provider, &identity, &origin, now),
        };
        // An error would undo the entries of a refusal.
        match arrival {
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Failure(failure)) => Ok(Err(failure)),
            Ok(arrival) => Ok(Ok(arrival)),
        }
    })
    .await?
}

/// Why a transaction ends without an arrival: undone, or not.
enum Stop {
    Error(Error),
    Failure(Failure),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<diesel::result::Error> for Stop {
    fn from(error: diesel::result::Error) -> Self {
        Self::Error(error.into())
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

fn sign_in_by(
    conn: &mut DbConnection,
    passkeys: &Passkeys,
    provider: &Provider,
    identity: &Identity,
    origin: &Origin,
    now: NaiveDateTime,
) -> Result<Arrival, Stop> {
    let row: Option<StaffRow> = identities::table
        .inner_join(staff::table.on(staff::id.eq(identities::staff_id)))
        .filter(identities::issuer.eq(provider.issuer()))
        .filter(identities::subject.eq(&identity.subject))
        .select(StaffRow::as_select())
        .first(conn)
        .optional()?;
    let Some(row) = row else { return Err(Failure::Refused.into()) };
    // Every account that was accepted has the secret of an authenticator, until a reset or a removal.
    if row.state != ACTIVE || row.totp_secret.is_none() {
        sign_in::refuse(conn, &row, origin, now)?;
        return Err(Failure::Refused.into());
    }
    if identity.has_second_factor {
        let factors = [FirstFactor::Provider.name(), "the provider's"];
        return Ok(Arrival::Session(sign_in::open_session(conn, &row, origin, factors, now)?));
    }
    Ok(Arrival::SecondFactor(open_sign_ins::open(conn, passkeys, row.id, FirstFactor::Provider, now)?.token))
}

fn link(
    conn: &mut DbConnection,
    provider: &Provider,
    identity: &Identity,
    session_id: i64,
    now: NaiveDateTime,
) -> Result<Arrival, Stop> {
    let row = sessions::owner_of(conn, session_id, now)?.ok_or(Error::NoSession)?;
    check_identity(conn, provider, identity, &row)?;
    put_identity(conn, provider, identity, &row, now)?;
    let details = json!({ "issuer": provider.issuer() });
    audit::append(conn, Some((row.id, &row.email)), "single_sign_on.linked", &row.email, &details, now)?;
    Ok(Arrival::Linked)
}

fn accept(
    conn: &mut DbConnection,
    provider: &Provider,
    identity: &Identity,
    verified: Verified,
    origin: &Origin,
    now: NaiveDateTime,
) -> Result<Arrival, Stop> {
    let open = Open::find_hashed(conn, &verified.invitation_hash, now)?;
    let resets = open.resets;
    check_identity(conn, provider, identity, &open.staff)?;
    let row = open.activate(conn, &verified.name, None, verified.step, now)?;
    put_identity(conn, provider, identity, &row, now)?;
    let session = sessions::open(conn, row.id, origin, now)?;
    let details = json!({ "resets": resets, "address": origin.address, "issuer": provider.issuer() });
    audit::append(conn, Some((row.id, &row.email)), "invitation.accepted", &row.email, &details, now)?;
    Ok(Arrival::Session(session))
}

/// Links no account by mistake: the provider must have verified the member's email address as the person's, and the account must not be linked
/// to another member.
fn check_identity(
    conn: &mut DbConnection,
    provider: &Provider,
    identity: &Identity,
    row: &StaffRow,
) -> Result<(), Stop> {
    if identity.verified_email.as_ref() != Some(&row.email) {
        return Err(Failure::OtherAddress.into());
    }
    let owner: Option<i64> = identities::table
        .filter(identities::issuer.eq(provider.issuer()))
        .filter(identities::subject.eq(&identity.subject))
        .select(identities::staff_id)
        .first(conn)
        .optional()?;
    if owner.is_some_and(|owner| owner != row.id) {
        return Err(Failure::Refused.into());
    }
    Ok(())
}

/// Links the provider's account to the member, in place of an earlier one.
fn put_identity(
    conn: &mut DbConnection,
    provider: &Provider,
    identity: &Identity,
    row: &StaffRow,
    now: NaiveDateTime,
) -> Result<(), Error> {
    diesel::delete(identities::table.filter(identities::staff_id.eq(row.id))).execute(conn)?;
    diesel::insert_into(identities::table)
        .values((
            identities::staff_id.eq(row.id),
            identities::issuer.eq(provider.issuer()),
            identities::subject.eq(&identity.subject),
            identities::linked_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Whether the caller's account is linked to one of the provider.
#[utoipa::path(get, path = "", responses((status = 200, description = "The link.", body = ProviderLink)))]
pub(crate) async fn get_link(member: Member, app: Data<App>) -> Result<Json<ProviderLink>, Error> {
    let issuer = app.issuer().unwrap_or_default();
    let count: i64 = app
        .db
        .run(move |conn| {
            let own = identities::table.filter(identities::staff_id.eq(member.id));
            own.filter(identities::issuer.eq(issuer)).count().get_result(conn).map_err(Error::from)
        })
        .await?;
    Ok(Json(ProviderLink { provider: provider_name(&app), linked: count > 0 }))
}

/// Ends single sign-on for the caller's account, who has a password.
#[utoipa::path(delete, path = "", responses((status = 204, description = "It is not linked any more."), NotFound, Conflict))]
pub(crate) async fn unlink(member: Member, app: Data<App>) -> Result<HttpResponse, Error> {
    let now = app.clock.now();
    app.audited(move |conn| {
        if StaffRow::by_id(conn, member.id)?.password_hash.is_none() {
            return Err(Error::NotPossible(StaffText::new("no-password")));
        }
        let own = identities::table.filter(identities::staff_id.eq(member.id));
        if diesel::delete(own).execute(conn)? == 0 {
            return Err(Error::NotFound);
        }
        audit::append_of(conn, &member, "single_sign_on.unlinked", &member.email, &json!({}), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
