//! Passkeys (WebAuthn): a second factor in place of a code. They are registered by a member with a session, are bound to the host of
//! `BACKOFFICE_URL`, and each challenge is answered once.

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::{
    Id, StaffText, StartError,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use url::{Host, Url};
use utoipa::ToSchema;
use webauthn_rs::{
    Webauthn, WebauthnBuilder,
    prelude::{
        CredentialID, Passkey, PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential,
        RegisterPublicKeyCredential, Uuid,
    },
};

use crate::{
    NAME,
    app::App,
    audit,
    error::Error,
    members::Member,
    schema::{passkey_registrations, passkeys},
};

/// How long a registration may take.
const LIFETIME: TimeDelta = TimeDelta::minutes(5);
const MAX_NAME_CHARS: usize = 100;
/// The most passkeys of one person.
const MAX_PASSKEYS: usize = 20;

/// Verifies passkeys; none where the back office has no host name, but an IP address: browsers know no passkeys there.
#[derive(Clone)]
pub(crate) struct Passkeys(Option<Arc<Webauthn>>);

impl Passkeys {
    pub(crate) fn new(address: &Url) -> Result<Self, StartError> {
        let Some(Host::Domain(host)) = address.host() else { return Ok(Self(None)) };
        let webauthn = WebauthnBuilder::new(host, address)
            .and_then(|builder| builder.rp_name("Spaza back office").build())
            .map_err(|error| StartError::other(NAME, error))?;
        Ok(Self(Some(Arc::new(webauthn))))
    }

    /// The options for the browser and the state for the store, of a challenge to the member's passkeys, if they have any.
    pub(crate) fn challenge(&self, conn: &mut DbConnection, staff_id: i64) -> Result<Option<(Value, String)>, Error> {
        let credentials = Row::of(conn, staff_id)?.iter().map(Row::credential).collect::<Result<Vec<_>, _>>()?;
        let (Some(webauthn), false) = (&self.0, credentials.is_empty()) else { return Ok(None) };
        let (options, state) = webauthn.start_passkey_authentication(&credentials).map_err(internal)?;
        Ok(Some((serde_json::to_value(options).map_err(internal)?, serde_json::to_string(&state).map_err(internal)?)))
    }

    /// Accepts the answer to a challenge by one of the member's passkeys; false for any other.
    pub(crate) fn accept(
        &self,
        conn: &mut DbConnection,
        staff_id: i64,
        proof: &Value,
        challenge: &str,
        now: NaiveDateTime,
    ) -> Result<bool, Error> {
        let state: PasskeyAuthentication = serde_json::from_str(challenge).map_err(internal)?;
        let (Some(webauthn), Ok(proof)) = (&self.0, serde_json::from_value::<PublicKeyCredential>(proof.clone()))
        else {
            return Ok(false);
        };
        let Ok(result) = webauthn.finish_passkey_authentication(&proof, &state) else { return Ok(false) };
        let used = text_of(result.cred_id());
        // Read now: it may have been removed since the challenge, and its counter may be a newer one.
        let Some(row) = Row::of(conn, staff_id)?.into_iter().find(|row| row.credential_id == used) else {
            return Ok(false);
        };
        let counter = i64::from(result.counter());
        if (counter > 0 || row.counter > 0) && counter <= row.counter {
            return Ok(false);
        }
        let mut credential = row.credential()?;
        credential.update_credential(&result);
        diesel::update(passkeys::table.filter(passkeys::id.eq(row.id)))
            .set((
                passkeys::credential.eq(serde_json::to_string(&credential).map_err(internal)?),
                passkeys::counter.eq(counter),
                passkeys::last_used_at.eq(now),
            ))
            .execute(conn)?;
        Ok(true)
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = passkeys)]
struct Row {
    id: i64,
    credential_id: String,
    credential: String,
    counter: i64,
    name: String,
    created_at: NaiveDateTime,
    last_used_at: Option<NaiveDateTime>,
}

impl Row {
    fn of(conn: &mut DbConnection, staff_id: i64) -> Result<Vec<Self>, Error> {
        let rows = passkeys::table.filter(passkeys::staff_id.eq(staff_id)).order(passkeys::id);
        Ok(rows.select(Self::as_select()).load(conn)?)
    }

    fn credential(&self) -> Result<Passkey, Error> {
        serde_json::from_str(&self.credential).map_err(internal)
    }
}

/// Whether the member has a passkey.
pub(crate) fn has_any(conn: &mut DbConnection, staff_id: i64) -> Result<bool, Error> {
    let count: i64 = passkeys::table.filter(passkeys::staff_id.eq(staff_id)).count().get_result(conn)?;
    Ok(count > 0)
}

fn text_of(id: &CredentialID) -> String {
    URL_SAFE_NO_PAD.encode(id)
}

fn internal(error: impl ToString) -> Error {
    Error::Internal(error.to_string())
}

/// A passkey of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnPasskey {
    id: i64,
    name: String,
    #[schema(value_type = String, format = "date-time")]
    created_at: DateTime<Utc>,
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    last_used_at: Option<DateTime<Utc>>,
}

/// The caller's passkeys.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnPasskeys {
    /// Whether the back office has a host name: without one, browsers know no passkeys.
    available: bool,
    /// Oldest first.
    passkeys: Vec<OwnPasskey>,
}

/// What a browser needs to make a passkey.
#[derive(Serialize, ToSchema)]
pub(crate) struct RegistrationOptions {
    /// The options for `navigator.credentials.create`.
    #[schema(value_type = Object)]
    passkey: Value,
}

/// A passkey that a browser has made.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPasskey {
    /// What the person calls it.
    #[schema(max_length = 100)]
    name: String,
    /// The credential of `navigator.credentials.create`, as JSON.
    #[schema(value_type = Object)]
    passkey: Value,
}

/// The caller's passkeys.
#[utoipa::path(get, path = "", responses((status = 200, description = "All of them.", body = OwnPasskeys)))]
pub(crate) async fn list_passkeys(member: Member, app: Data<App>) -> Result<Json<OwnPasskeys>, Error> {
    let rows = app.db.run(move |conn| Row::of(conn, member.id)).await?;
    let passkeys = rows.into_iter().map(|row| OwnPasskey {
        id: row.id,
        name: row.name,
        created_at: row.created_at.and_utc(),
        last_used_at: row.last_used_at.map(|at| at.and_utc()),
    });
    Ok(Json(OwnPasskeys { available: app.passkeys.0.is_some(), passkeys: passkeys.collect() }))
}

/// Begins to register a passkey.
#[utoipa::path(
    post,
    path = "",
    responses((status = 200, description = "The options for the browser.", body = RegistrationOptions), Conflict)
)]
pub(crate) async fn begin_registration(member: Member, app: Data<App>) -> Result<Json<RegistrationOptions>, Error> {
    let Some(webauthn) = app.passkeys.0.clone() else {
        return Err(Error::NotPossible(StaffText::new("passkeys-need-host")));
    };
    let now = app.clock.now();
    let passkey = app
        .db
        .write(move |conn| {
            let rows = Row::of(conn, member.id)?;
            if rows.len() >= MAX_PASSKEYS {
                return Err(Error::NotPossible(StaffText::new("too-many-passkeys")));
            }
            let known = rows.iter().map(|row| Ok(row.credential()?.cred_id().clone())).collect::<Result<_, Error>>()?;
            let (options, state) = webauthn
                .start_passkey_registration(handle_of(member.id), &member.email, &member.name, Some(known))
                .map_err(internal)?;
            let state = serde_json::to_string(&state).map_err(internal)?;
            diesel::delete(passkey_registrations::table.filter(
                passkey_registrations::session_id.eq(member.session_id).or(passkey_registrations::expires_at.le(now)),
            ))
            .execute(conn)?;
            diesel::insert_into(passkey_registrations::table)
                .values((
                    passkey_registrations::session_id.eq(member.session_id),
                    passkey_registrations::state.eq(state),
                    passkey_registrations::expires_at.eq(now + LIFETIME),
                ))
                .execute(conn)?;
            serde_json::to_value(options).map_err(internal)
        })
        .await?;
    Ok(Json(RegistrationOptions { passkey }))
}

/// The user handle that an authenticator keeps: it says nothing about the person.
fn handle_of(staff_id: i64) -> Uuid {
    Uuid::from_u64_pair(0, staff_id.unsigned_abs())
}

/// Registers a passkey.
#[utoipa::path(
    post,
    path = "",
    request_body = NewPasskey,
    responses((status = 201, description = "It is registered.", body = OwnPasskey), Refused, Conflict)
)]
pub(crate) async fn add_passkey(member: Member, app: Data<App>, new: Json<NewPasskey>) -> Result<HttpResponse, Error> {
    const REFUSED: Error = Error::NotPossible(StaffText::new("passkey-refused"));
    let NewPasskey { name, passkey } = new.into_inner();
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::Field("name", StaffText::new("name-length")));
    }
    let (now, session_id) = (app.clock.now(), member.session_id);
    // In a transaction of its own: an answer uses up its challenge, also where it is refused.
    let state = app
        .db
        .write(move |conn| {
            let row = passkey_registrations::table.filter(passkey_registrations::session_id.eq(session_id));
            let state = row
                .filter(passkey_registrations::expires_at.gt(now))
                .select(passkey_registrations::state)
                .first::<String>(conn)
                .optional()?;
            diesel::delete(row).execute(conn)?;
            Ok::<_, Error>(state)
        })
        .await?
        .ok_or(REFUSED)?;
    let state: PasskeyRegistration = serde_json::from_str(&state).map_err(internal)?;
    let credential: RegisterPublicKeyCredential = serde_json::from_value(passkey).map_err(|_| REFUSED)?;
    let webauthn = app.passkeys.0.as_ref().ok_or(REFUSED)?;
    let credential = webauthn.finish_passkey_registration(&credential, &state).map_err(|error| {
        tracing::info!(cause = %error, "a passkey was not registered: {error}");
        REFUSED
    })?;
    let added = app
        .audited(move |conn| {
            let credential_id = text_of(credential.cred_id());
            let is_known: i64 =
                passkeys::table.filter(passkeys::credential_id.eq(&credential_id)).count().get_result(conn)?;
            if is_known > 0 {
                return Err(REFUSED);
            }
            diesel::insert_into(passkeys::table)
                .values((
                    passkeys::staff_id.eq(member.id),
                    passkeys::credential_id.eq(&credential_id),
                    passkeys::credential.eq(serde_json::to_string(&credential).map_err(internal)?),
                    passkeys::counter.eq(0),
                    passkeys::name.eq(&name),
                    passkeys::created_at.eq(now),
                ))
                .execute(conn)?;
            let id = passkeys::table
                .filter(passkeys::credential_id.eq(&credential_id))
                .select(passkeys::id)
                .first::<i64>(conn)?;
            audit::append_of(
                conn,
                &member,
                "passkey.added",
                &member.email,
                &json!({ "passkey": id, "name": name }),
                now,
            )?;
            Ok(OwnPasskey { id, name, created_at: now.and_utc(), last_used_at: None })
        })
        .await?;
    Ok(HttpResponse::Created().json(added))
}

/// Removes one of the caller's passkeys. The authenticator's codes stay, so that there is always a second factor.
#[utoipa::path(
    delete,
    path = "",
    params(("id" = Id, Path, description = "The passkey's id.")),
    responses((status = 204, description = "It is removed."), NotFound)
)]
pub(crate) async fn remove_passkey(member: Member, app: Data<App>, id: Path<Id>) -> Result<HttpResponse, Error> {
    let (id, now) = (id.get(), app.clock.now());
    app.audited(move |conn| {
        let row = Row::of(conn, member.id)?.into_iter().find(|row| row.id == id).ok_or(Error::NotFound)?;
        diesel::delete(passkeys::table.filter(passkeys::id.eq(id))).execute(conn)?;
        let details = json!({ "passkey": id, "name": row.name });
        audit::append_of(conn, &member, "passkey.removed", &member.email, &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
