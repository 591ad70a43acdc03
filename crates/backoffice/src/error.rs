//! What can go wrong in the back office.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::{Problem, StaffText};

/// An error of one call.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// No session, or one that has ended.
    #[error("no session")]
    NoSession,
    /// The person's roles do not include the call's.
    #[error("the role is missing")]
    NoRole,
    /// The call needs a second factor that was proved shortly before.
    #[error("the second factor was proved too long ago")]
    ProofTooOld,
    /// A changing call from another site.
    #[error("a foreign origin")]
    ForeignOrigin,
    /// A field of a form breaks a rule.
    #[error("{0}: {1}")]
    Field(&'static str, StaffText),
    /// The email address, the password or the code is wrong.
    #[error("sign-in refused")]
    SignInRefused,
    /// The passkey or the code of a sign-in's second step is wrong.
    #[error("second factor refused")]
    SecondFactorRefused,
    /// This browser's sign-in has ended, or was never begun.
    #[error("the sign-in has ended")]
    SignInExpired,
    /// The provider of single sign-on does not answer, or not as expected.
    #[error("the provider of single sign-on is unavailable: {0}")]
    ProviderUnavailable(String),
    /// Too many attempts; seconds until the next.
    #[error("locked for {0} s")]
    Locked(u64),
    /// No open invitation has this token.
    #[error("unknown invitation")]
    UnknownInvitation,
    /// No such row, or not of this person.
    #[error("not found")]
    NotFound,
    /// The change would leave no administrator.
    #[error("the last administrator")]
    LastAdministrator,
    /// A removed person comes back by invitation only.
    #[error("removed")]
    Removed,
    /// Only an account in use is reset.
    #[error("not active")]
    NotActive,
    /// The record of a number was opened by another session, or in an earlier one.
    #[error("unknown record")]
    UnknownRecord,
    /// Nothing of this number has this id, or it cannot be given back, ended or sent again.
    #[error("{0}")]
    NotPossible(StaffText),
    /// A month cannot be closed, for this reason.
    #[error("not closable: {0}")]
    NotClosable(StaffText),
    /// A number cannot be erased now, for these reasons.
    #[error("not erasable: {0}")]
    NotErasable(String),
    /// A refund or an erasure is approved by another person than the one who requested it.
    #[error("the own request")]
    OwnRequest,
    /// The role that decides is less than a day old.
    #[error("a new role")]
    NewRole,
    /// Another service refuses the call, for this reason.
    #[error("refused: {0}")]
    RefusedByService(String),
    /// Another service has no such thing.
    #[error("unknown: {0}")]
    UnknownToService(String),
    /// Another service refuses fields of a form.
    #[error("refused: {0}")]
    FieldsRefused(String, BTreeMap<String, String>),
    /// Another service, named first, does not answer, or not as expected.
    #[error("{0} is unavailable: {1}")]
    ServiceUnavailable(&'static str, String),
    /// A file is larger than a service accepts.
    #[error("too large")]
    TooLarge,
    /// An upload is refused, with this status and kind, for this reason.
    #[error("refused: {2}")]
    Upload(u16, &'static str, StaffText),
    /// A fault of ours.
    #[error("{0}")]
    Internal(String),
    /// The database could not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        match error {
            Error::NoSession => Self::new(401_u16, "no-session", StaffText::new("signed-out")),
            Error::NoRole => Self::forbidden(StaffText::new("no-role")),
            Error::ProofTooOld => Self::new(403_u16, "second-factor", StaffText::new("second-factor-needed")),
            Error::ForeignOrigin => Self::forbidden(StaffText::new("foreign-origin")),
            Error::Field(name, text) => {
                Self::unprocessable(StaffText::clone(text)).with_field(*name, StaffText::clone(text))
            }
            Error::SignInRefused => Self::new(401_u16, "no-session", StaffText::new("sign-in-refused")),
            Error::SecondFactorRefused => Self::new(401_u16, "no-session", StaffText::new("second-factor-refused")),
            Error::SignInExpired => Self::not_found(StaffText::new("sign-in-expired")),
            Error::ProviderUnavailable(cause) => Self::unavailable(StaffText::new("provider-silent"), 5, cause),
            Error::Locked(seconds) => Self::too_many(StaffText::new("locked"), *seconds),
            Error::UnknownInvitation => Self::not_found(StaffText::new("unknown-invitation")),
            Error::NotFound => Self::not_found(StaffText::new("no-such-row")),
            Error::LastAdministrator => Self::conflict(StaffText::new("last-administrator")),
            Error::Removed => Self::conflict(StaffText::new("person-removed")),
            Error::NotActive => Self::conflict(StaffText::new("account-not-active")),
            Error::UnknownRecord => Self::not_found(StaffText::new("unknown-record")),
            Error::NotPossible(text) | Error::NotClosable(text) => Self::conflict(StaffText::clone(text)),
            Error::OwnRequest => Self::forbidden(StaffText::new("own-request")),
            Error::NewRole => Self::forbidden(StaffText::new("new-role")),
            Error::NotErasable(relayed) | Error::RefusedByService(relayed) => Self::conflict(relayed.as_str()),
            Error::UnknownToService(relayed) => Self::not_found(relayed.as_str()),
            Error::FieldsRefused(relayed, fields) => {
                let problem = Self::unprocessable(relayed.as_str());
                fields.iter().fold(problem, |problem, (field, relayed)| problem.with_field(field, relayed.as_str()))
            }
            Error::ServiceUnavailable(service, cause) => {
                Self::unavailable(StaffText::new("service-silent").with("service", *service), 5, cause)
            }
            Error::TooLarge => Self::new(413_u16, "too-large", StaffText::new("file-too-large")),
            Error::Upload(status, kind, text) => Self::new(*status, kind, StaffText::clone(text)),
            Error::Internal(cause) => Self::internal(cause),
            Error::Store(error) => error.clone().into(),
        }
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        Problem::from(self).status()
    }

    fn error_response(&self) -> HttpResponse {
        Problem::from(self).response()
    }
}
