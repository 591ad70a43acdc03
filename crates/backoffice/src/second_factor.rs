//! The second factor: codes of six digits by time (TOTP, RFC 6238).

use chrono::NaiveDateTime;
use diesel::prelude::*;
use service::EncryptionKeys;
use store::DbConnection;
use totp_rs::{Builder, Secret, Totp};

use crate::{error::Error, members::StaffRow, schema::staff};

const ISSUER: &str = "Spaza back office";

/// A new secret in base32: 160 bits, as RFC 4226 recommends.
pub(crate) fn new_secret() -> String {
    Secret::from(rand::random::<[u8; 20]>()).to_base32()
}

/// A secret as the database keeps it, for one member alone.
pub(crate) fn encrypted(keys: &EncryptionKeys, secret: &str, staff_id: i64) -> Result<String, Error> {
    keys.encrypt(secret, &purpose(staff_id))
        .ok_or_else(|| Error::Internal("a second factor was not encrypted".to_owned()))
}

/// The secret that the database keeps as `stored`. Releases before 26 November 2026 kept it as it is.
pub(crate) fn decrypted(keys: &EncryptionKeys, stored: &str, staff_id: i64) -> Result<String, Error> {
    if Secret::try_from_base32(stored).is_ok() {
        return Ok(stored.to_owned());
    }
    let missing =
        || Error::Internal(format!("SECOND_FACTOR_KEYS has no key for the second factor of member {staff_id}"));
    keys.decrypt(stored, &purpose(staff_id)).ok_or_else(missing)
}

fn purpose(staff_id: i64) -> String {
    format!("second factor of member {staff_id}")
}

/// The `otpauth://` address of a secret, for authenticator apps.
pub(crate) fn url(secret: &str, email: &str) -> Result<String, Error> {
    totp(secret, email)?.to_url().map_err(|error| Error::Internal(error.to_string()))
}

/// The step of a valid code. The caller accepts each step once. One step before and after are valid, too, for clocks that differ.
pub(crate) fn step_of(secret: &str, email: &str, code: &str, now: NaiveDateTime) -> Result<Option<i64>, Error> {
    let digits: String = code.chars().filter(|char| !char.is_whitespace()).collect();
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let now = u64::try_from(now.and_utc().timestamp()).unwrap_or_default();
    Ok(totp(secret, email)?.check(&digits, now).and_then(|step| i64::try_from(step).ok()))
}

/// Accepts a valid code of the member, once; false for any other.
pub(crate) fn accept(
    conn: &mut DbConnection,
    keys: &EncryptionKeys,
    row: &StaffRow,
    code: &str,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let Some(stored) = row.totp_secret.as_deref() else { return Ok(false) };
    let secret = decrypted(keys, stored, row.id)?;
    let Some(step) = step_of(&secret, &row.email, code, now)?.filter(|step| *step > row.totp_step) else {
        return Ok(false);
    };
    // Again, so that all secrets are by the current key some time after a rotation.
    let stored = encrypted(keys, &secret, row.id)?;
    diesel::update(staff::table.filter(staff::id.eq(row.id)))
        .set((staff::totp_step.eq(step), staff::totp_secret.eq(stored)))
        .execute(conn)?;
    Ok(true)
}

fn totp(secret: &str, email: &str) -> Result<Totp, Error> {
    let secret = Secret::try_from_base32(secret).map_err(|error| Error::Internal(error.to_string()))?;
    Builder::new()
        .with_secret(secret)
        .with_account_name(email)
        .with_issuer(Some(ISSUER))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))
}
