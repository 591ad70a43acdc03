//! Invitations: a link, good once and for three days, by which a person sets a password and a second factor. A reset is the same link
//! for an account in use, and the first administrator's link the one without an administrator behind it.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    EncryptionKeys, Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    grants,
    guard::Administrator,
    members::{
        ACTIVE, INVITED, REMOVED, Role, StaffRow, forget_factors, forget_linked_factors, has_administrator, is_email,
        roles_of, roles_text,
    },
    password,
    schema::{invitations, staff},
    second_factor,
    sessions::{self, Origin},
    sign_in::{self, SignedIn},
    token,
};

const LIFETIME: TimeDelta = TimeDelta::days(3);
const MAX_NAME_CHARS: usize = 100;

/// A new member of staff.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewInvitation {
    #[schema(max_length = 254)]
    email: String,
    #[schema(max_length = 100)]
    name: String,
    roles: Vec<Role>,
}

/// A link for an administrator to pass on.
#[derive(Serialize, ToSchema)]
pub(crate) struct Link {
    link: String,
    #[schema(value_type = String, format = "date-time")]
    expires_at: DateTime<Utc>,
}

/// What the page of an invitation shows.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invitation {
    email: String,
    name: String,
    roles: Vec<Role>,
    /// The second factor's secret in base32.
    totp_secret: String,
    /// The same as an `otpauth` address.
    totp_url: String,
    /// Whether it replaces the password of an account in use.
    resets: bool,
}

/// What the invited person chose.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Acceptance {
    #[schema(max_length = 100)]
    name: String,
    #[schema(min_length = 12, max_length = 256)]
    password: String,
    /// The six digits that the authenticator shows.
    code: String,
}

/// An invitation that can be used.
#[derive(Clone)]
pub(crate) struct Open {
    pub(crate) staff: StaffRow,
    /// Encrypted.
    totp_secret: String,
    pub(crate) resets: bool,
}

impl Open {
    fn find(conn: &mut DbConnection, token: &str, now: NaiveDateTime) -> Result<Self, Error> {
        Self::find_hashed(conn, &token::hash(token), now)
    }

    /// The one whose token has this hash.
    pub(crate) fn find_hashed(conn: &mut DbConnection, hash: &str, now: NaiveDateTime) -> Result<Self, Error> {
        let found = invitations::table
            .inner_join(staff::table.on(staff::id.eq(invitations::staff_id)))
            .filter(invitations::token_hash.eq(hash))
            .filter(invitations::ended_at.is_null())
            .filter(invitations::expires_at.gt(now))
            .filter(staff::state.ne(REMOVED))
            .select((StaffRow::as_select(), invitations::totp_secret, invitations::resets))
            .first::<(StaffRow, String, bool)>(conn)
            .optional()?;
        let (staff, totp_secret, resets) = found.ok_or(Error::UnknownInvitation)?;
        Ok(Self { staff, totp_secret, resets })
    }

    /// The step of a valid code of the invitation's authenticator.
    fn step_of(&self, keys: &EncryptionKeys, code: &str, now: NaiveDateTime) -> Result<i64, Error> {
        let secret = second_factor::decrypted(keys, &self.totp_secret, self.staff.id)?;
        second_factor::step_of(&secret, &self.staff.email, code, now)?
            .ok_or(Error::Field("code", StaffText::new("wrong-code")))
    }

    /// Makes the account of the invited person, who signs in by this password, or by single sign-on alone. Passkeys and a linked account
    /// from before a reset are gone.
    pub(crate) fn activate(
        self,
        conn: &mut DbConnection,
        name: &str,
        password_hash: Option<String>,
        step: i64,
        now: NaiveDateTime,
    ) -> Result<StaffRow, Error> {
        let id = self.staff.id;
        forget_linked_factors(conn, id)?;
        diesel::update(staff::table.filter(staff::id.eq(id)))
            .set((
                staff::name.eq(name),
                staff::state.eq(ACTIVE),
                staff::password_hash.eq(password_hash),
                staff::totp_secret.eq(self.totp_secret),
                staff::totp_step.eq(step),
            ))
            .execute(conn)?;
        end_all(conn, id, now)?;
        StaffRow::by_id(conn, id)
    }
}

/// An invitation whose code was verified, and the name that the person chose.
pub(crate) struct Verified {
    pub(crate) invitation_hash: String,
    pub(crate) name: String,
    pub(crate) step: i64,
}

/// Verifies name and code of a person who accepts by single sign-on.
pub(crate) async fn verify_code(app: &App, token: &str, name: &str, code: &str) -> Result<Verified, Error> {
    let (hash, now) = (token::hash(token), app.clock.now());
    let invitation_hash = hash.clone();
    let open = app.db.run(move |conn| Open::find_hashed(conn, &hash, now)).await?;
    Ok(Verified { invitation_hash, name: checked_name(name)?, step: open.step_of(&app.second_factor_keys, code, now)? })
}

/// Ends the links of a member.
pub(crate) fn end_all(conn: &mut DbConnection, staff_id: i64, now: NaiveDateTime) -> Result<(), Error> {
    diesel::update(
        invitations::table.filter(invitations::staff_id.eq(staff_id)).filter(invitations::ended_at.is_null()),
    )
    .set(invitations::ended_at.eq(now))
    .execute(conn)?;
    Ok(())
}

/// Makes a link, which ends the member's earlier ones; returns its token.
fn add(
    conn: &mut DbConnection,
    keys: &EncryptionKeys,
    staff_id: i64,
    resets: bool,
    now: NaiveDateTime,
) -> Result<String, Error> {
    end_all(conn, staff_id, now)?;
    let token = token::random();
    diesel::insert_into(invitations::table)
        .values((
            invitations::token_hash.eq(token::hash(&token)),
            invitations::staff_id.eq(staff_id),
            invitations::totp_secret.eq(second_factor::encrypted(keys, &second_factor::new_secret(), staff_id)?),
            invitations::resets.eq(resets),
            invitations::expires_at.eq(now + LIFETIME),
        ))
        .execute(conn)?;
    Ok(token)
}

/// Writes the row of a person who is to be invited, new or earlier, without roles; returns its id.
fn put_invited(conn: &mut DbConnection, email: &str, name: &str, now: NaiveDateTime) -> Result<i64, Error> {
    match StaffRow::by_email(conn, email)? {
        Some(row) => {
            diesel::update(staff::table.filter(staff::id.eq(row.id)))
                .set((staff::name.eq(name), staff::roles.eq(""), staff::state.eq(INVITED)))
                .execute(conn)?;
        }
        None => {
            diesel::insert_into(staff::table)
                .values((
                    staff::email.eq(email),
                    staff::name.eq(name),
                    staff::roles.eq(""),
                    staff::state.eq(INVITED),
                    staff::totp_step.eq(0),
                    staff::created_at.eq(now),
                ))
                .execute(conn)?;
        }
    }
    Ok(StaffRow::by_email(conn, email)?.ok_or(Error::NotFound)?.id)
}

fn set_roles(conn: &mut DbConnection, id: i64, roles: &[Role]) -> Result<(), Error> {
    diesel::update(staff::table.filter(staff::id.eq(id))).set(staff::roles.eq(roles_text(roles))).execute(conn)?;
    Ok(())
}

/// While no administrator can sign in, invites the first one; returns the link.
pub(crate) async fn invite_first_administrator(app: &App, email: &str) -> Result<Option<String>, Error> {
    let (email, now, keys) = (email.trim().to_lowercase(), app.clock.now(), app.second_factor_keys.clone());
    let issuer = app.issuer();
    let token = app
        .audited(move |conn| {
            if has_administrator(conn, issuer.as_deref(), None)? {
                return Ok(None);
            }
            let row = StaffRow::by_email(conn, &email)?;
            let mut roles = row.as_ref().map(|row| roles_of(&row.roles)).unwrap_or_default();
            roles.push(Role::Administrator);
            let name = row.map(|row| row.name).unwrap_or_default();
            let id = put_invited(conn, &email, &name, now)?;
            set_roles(conn, id, &roles)?;
            let token = add(conn, &keys, id, false, now)?;
            audit::append(conn, None, "staff.invited", &email, &json!({ "roles": roles_text(&roles) }), now)?;
            Ok(Some(token))
        })
        .await?;
    Ok(token.map(|token| app.link(&token)))
}

/// Invites a person.
#[utoipa::path(
    post,
    path = "",
    request_body = NewInvitation,
    responses((status = 201, description = "The link, which is not shown again.", body = Link), Refused)
)]
pub(crate) async fn invite(
    admin: Administrator,
    app: Data<App>,
    invitation: Json<NewInvitation>,
) -> Result<HttpResponse, Error> {
    let NewInvitation { email, name, roles } = invitation.into_inner();
    let (email, name, now) = (email.trim().to_lowercase(), checked_name(&name)?, app.clock.now());
    if !is_email(&email) {
        return Err(Error::Field("email", StaffText::new("not-an-email")));
    }
    if roles.is_empty() {
        return Err(Error::Field("roles", StaffText::new("no-role-chosen")));
    }
    let keys = app.second_factor_keys.clone();
    let token = app
        .audited(move |conn| {
            if StaffRow::by_email(conn, &email)?.is_some_and(|row| row.state == ACTIVE) {
                return Err(Error::Field("email", StaffText::new("has-account")));
            }
            let id = put_invited(conn, &email, &name, now)?;
            grants::forget(conn, id)?;
            let given = grants::request(conn, &admin.0, id, &[], &roles, now)?;
            set_roles(conn, id, &given)?;
            let token = add(conn, &keys, id, false, now)?;
            let details = json!({ "roles": roles_text(&given), "roles_requested": roles_text(&roles) });
            audit::append_of(conn, &admin.0, "staff.invited", &email, &details, now)?;
            Ok(token)
        })
        .await?;
    Ok(HttpResponse::Created().json(Link { link: app.link(&token), expires_at: (now + LIFETIME).and_utc() }))
}

/// Ends the password, the second factors, single sign-on, the sessions and the lock of an account, and makes a link for new ones. As the
/// caller sees that link, roles of another account that touch money or numbers wait for a second administrator.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The member's id.")),
    responses((status = 200, description = "The link, which is not shown again.", body = Link), NotFound, Conflict)
)]
pub(crate) async fn reset(admin: Administrator, app: Data<App>, id: Path<Id>) -> Result<Json<Link>, Error> {
    let (id, now, keys) = (id.get(), app.clock.now(), app.second_factor_keys.clone());
    let token = app
        .audited(move |conn| {
            let row = StaffRow::by_id(conn, id)?;
            if row.state != ACTIVE {
                return Err(Error::NotActive);
            }
            let has = roles_of(&row.roles);
            if id != admin.0.id {
                grants::forget(conn, id)?;
                let given = grants::request(conn, &admin.0, id, &[], &has, now)?;
                set_roles(conn, id, &given)?;
            }
            forget_factors(conn, id)?;
            sessions::end_all(conn, id)?;
            sign_in::forget_attempts(conn, &row.email)?;
            let token = add(conn, &keys, id, true, now)?;
            audit::append_of(conn, &admin.0, "staff.reset", &row.email, &json!({ "roles_before": row.roles }), now)?;
            Ok(token)
        })
        .await?;
    Ok(Json(Link { link: app.link(&token), expires_at: (now + LIFETIME).and_utc() }))
}

/// What the page of an invitation shows.
#[utoipa::path(
    get,
    path = "",
    params(("token" = String, Path, description = "The link's token.")),
    responses((status = 200, description = "The invitation.", body = Invitation), NotFound)
)]
pub(crate) async fn get_invitation(app: Data<App>, token: Path<String>) -> Result<Json<Invitation>, Error> {
    let now = app.clock.now();
    let open = app.db.run(move |conn| Open::find(conn, &token, now)).await?;
    let totp_secret = second_factor::decrypted(&app.second_factor_keys, &open.totp_secret, open.staff.id)?;
    Ok(Json(Invitation {
        totp_url: second_factor::url(&totp_secret, &open.staff.email)?,
        roles: roles_of(&open.staff.roles),
        email: open.staff.email,
        name: open.staff.name,
        totp_secret,
        resets: open.resets,
    }))
}

/// Sets name, password and second factor of the invited person, and opens a session.
#[utoipa::path(
    post,
    path = "",
    params(("token" = String, Path, description = "The link's token.")),
    request_body = Acceptance,
    responses((status = 201, description = "The member of staff; the session's cookie is set.", body = SignedIn), NotFound, Refused)
)]
pub(crate) async fn accept(
    app: Data<App>,
    req: HttpRequest,
    token: Path<String>,
    acceptance: Json<Acceptance>,
) -> Result<HttpResponse, Error> {
    let Acceptance { name, password, code } = acceptance.into_inner();
    let (token, origin, now) = (token.into_inner(), Origin::of(&req, &app), app.clock.now());
    let looked_up = token.clone();
    let open = app.db.run(move |conn| Open::find(conn, &looked_up, now)).await?;
    let name = checked_name(&name)?;
    if let Some(refusal) = password::refusal(&password, &open.staff.email) {
        return Err(Error::Field("password", refusal));
    }
    let step = open.step_of(&app.second_factor_keys, &code, now)?;
    let hash = app.passwords.hash(password).await?;
    let (session, row) = app
        .audited(move |conn| {
            // Again, under the lock: the link works once.
            let open = Open::find(conn, &token, now)?;
            let resets = open.resets;
            let row = open.activate(conn, &name, Some(hash), step, now)?;
            let session = sessions::open(conn, row.id, &origin, now)?;
            let details = json!({ "resets": resets, "address": origin.address });
            audit::append(conn, Some((row.id, &row.email)), "invitation.accepted", &row.email, &details, now)?;
            Ok((session, row))
        })
        .await?;
    Ok(HttpResponse::Created().cookie(sessions::cookie(&app, session)).json(SignedIn::from(row)))
}

fn checked_name(name: &str) -> Result<String, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::Field("name", StaffText::new("name-length")));
    }
    Ok(name.to_owned())
}
