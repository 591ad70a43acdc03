//! The errors of a request, and the problem that a client gets for each.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use operator::BadSignature;
use service::{Message, Problem, StaffText};

/// An error of one request.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The text is no South African mobile number.
    #[error("not a number")]
    InvalidMsisdn,
    /// No brand has this service id.
    #[error("unknown service")]
    UnknownService,
    /// No file of messages is in this language.
    #[error("unknown language")]
    UnknownLanguage,
    /// A network on which the brand is not sold.
    #[error("not offered on this network")]
    NotOfferedOnNetwork,
    /// A channel other than WAP.
    #[error("wrong channel")]
    WrongChannel,
    /// An `ext_ref` that is too long or has control characters.
    #[error("bad ext_ref")]
    BadExtRef,
    /// A page that is no path of the site.
    #[error("bad page")]
    BadPage,
    /// A token of a network's protection against fraud that is too long or no plain ASCII.
    #[error("bad anti_fraud_token")]
    BadAntiFraudToken,
    /// A `shown` that no page of ours sends.
    #[error("bad shown price")]
    BadShownPrice,
    /// More attempts than the rate limit allows.
    #[error("too many tries")]
    TooManyAttempts {
        /// The client may try again after this many seconds.
        retry_after_seconds: u64,
    },
    /// The network does not answer, or its answer is unusable.
    #[error("the network is away: {0}")]
    NetworkUnavailable(String),
    /// The network rejects the request for good.
    #[error("the network refused: {0}")]
    NetworkRejected(String),
    /// No active subscription to verify.
    #[error("not active")]
    NotActive,
    /// A session whose subscription does not run at present.
    #[error("the subscription is not active")]
    Inactive,
    /// No session, and no number either.
    #[error("no session")]
    NoSession,
    /// No network of that name.
    #[error("unknown network")]
    UnknownNetwork,
    /// A notification without a valid signature of its network.
    #[error("not believed: {0}")]
    InvalidSignature(#[from] BadSignature),
    /// A notification from an address that its network does not have.
    #[error("not from an address of the network")]
    NotFromNetwork,
    /// No test number is configured.
    #[error("the test number is off")]
    TestNumberOff,
    /// Only the test number gets a session without an opt-in.
    #[error("not the test number")]
    NotTheTestNumber,
    /// Passes run for today only.
    #[error("not today")]
    NotToday,
    /// The database was restored, and has not caught up with the networks.
    #[error("restored, and not caught up with the networks")]
    NotCaughtUp,
    /// Not a calendar day.
    #[error("not a day")]
    BadDay,
    /// A range that ends before it begins, or has too many days.
    #[error("not a range of days")]
    BadRange,
    /// A day whose month was deleted.
    #[error("the day is no longer kept")]
    DayNotKept,
    /// The clock cannot be moved here.
    #[error("the clock is fixed")]
    ClockFixed,
    /// The clock moves forward only.
    #[error("the clock does not go back")]
    ClockBackwards,
    /// A pause of one network and one service at once.
    #[error("two scopes of one pause")]
    TwoPauseScopes,
    /// A network that charges by itself: nothing of ours can be paused.
    #[error("the network charges by itself")]
    ChargesByItself,
    /// Nothing was ever paused in this scope.
    #[error("not paused")]
    NotPaused,
    /// No such row of the ledger.
    #[error("no such charge")]
    UnknownCharge,
    /// A row that is no settled charge cannot be refunded.
    #[error("nothing to give back")]
    NotRefundable,
    /// No charge, or more than one call refunds.
    #[error("not 1 to {0} charges")]
    TooManyCharges(usize),
    /// A refund that its network refused; it has to be requested again.
    #[error("the refund failed")]
    RefundFailed,
    /// A person under a name that this service uses for itself.
    #[error("a reserved name")]
    ReservedName,
    /// The number is blocked from joining.
    #[error("blocked")]
    Blocked,
    /// Only a sent SMS is sent again.
    #[error("no sent SMS")]
    NotResendable,
    /// A refund, an end or a block without a reason, or with too long a one.
    #[error("bad reason")]
    BadReason,
    /// What has to be done before a number's data can be erased.
    #[error("not erasable: {0}")]
    NotErasable(StaffText),
    /// A number with more rows than an export has room for.
    #[error("too many rows")]
    TooManyRows,
    /// The service is stopping.
    #[error("stopping")]
    Stopping,
    /// A session could not be signed.
    #[error("signing failed")]
    Signing,
    /// The database could not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<identity::InvalidMsisdn> for Error {
    fn from(_: identity::InvalidMsisdn) -> Self {
        Self::InvalidMsisdn
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        match error {
            Error::InvalidMsisdn => Self::unprocessable(Message::new("not-a-number")),
            Error::UnknownService => Self::unprocessable(Message::new("no-such-service")),
            Error::NotOfferedOnNetwork => Self::unprocessable(Message::new("not-offered-on-network")),
            Error::UnknownLanguage => Self::unprocessable(Message::new("no-such-language")),
            Error::WrongChannel => Self::unprocessable(Message::new("wrong-channel")),
            Error::BadExtRef => Self::unprocessable(Message::new("bad-ext-ref")),
            Error::BadPage => Self::unprocessable(Message::new("bad-page")),
            Error::BadShownPrice => Self::unprocessable(StaffText::new("bad-shown-price")),
            Error::BadAntiFraudToken => Self::unprocessable(StaffText::new("bad-fraud-token")),
            Error::TooManyAttempts { retry_after_seconds } => {
                Self::too_many(Message::new("too-many-attempts"), *retry_after_seconds)
            }
            Error::NetworkUnavailable(cause) | Error::NetworkRejected(cause) => {
                Self::unavailable(Message::new("network-silent"), 5, cause)
            }
            Error::NotActive => Self::conflict(Message::new("not-active-yet")),
            Error::Inactive => Self::forbidden(Message::new("subscription-not-active")),
            Error::NoSession => Self::unauthorized(),
            Error::UnknownNetwork => Self::not_found(StaffText::new("no-such-network")),
            Error::InvalidSignature(cause) => {
                let detail = match cause {
                    BadSignature::Missing => StaffText::new("signature-missing"),
                    BadSignature::OutsideWindow => StaffText::new("signature-outside-window"),
                    BadSignature::Wrong => StaffText::new("signature-wrong"),
                };
                Self::new(StatusCode::UNAUTHORIZED, "bad-signature", detail)
            }
            Error::TestNumberOff => Self::not_found(Message::new("no-test-number")),
            Error::NotFromNetwork => Self::forbidden(StaffText::new("not-from-network")),
            Error::NotTheTestNumber => Self::forbidden(Message::new("only-test-number")),
            Error::NotToday => Self::unprocessable(StaffText::new("not-today")),
            Error::NotCaughtUp => Self::unavailable(StaffText::new("not-caught-up"), 60, "restored, and not caught up"),
            Error::BadDay => Self::unprocessable(StaffText::new("not-a-day")),
            Error::BadRange => Self::unprocessable(StaffText::new("not-a-range")),
            Error::DayNotKept => Self::unprocessable(StaffText::new("day-not-kept")),
            Error::ClockFixed => Self::not_found(StaffText::new("clock-fixed")),
            Error::ClockBackwards => Self::unprocessable(StaffText::new("clock-backwards")),
            Error::TwoPauseScopes => Self::unprocessable(StaffText::new("two-pause-scopes")),
            Error::ChargesByItself => Self::conflict(StaffText::new("charges-by-itself")),
            Error::NotPaused => Self::conflict(StaffText::new("not-paused")),
            Error::UnknownCharge => Self::not_found(StaffText::new("no-such-charge")),
            Error::NotRefundable => Self::conflict(StaffText::new("not-refundable")),
            Error::TooManyCharges(most) => Self::unprocessable(StaffText::new("count-of-charges").with("most", *most)),
            Error::RefundFailed => Self::conflict(StaffText::new("refund-refused")),
            Error::ReservedName => Self::unprocessable(StaffText::new("reserved-name")),
            Error::Blocked => Self::forbidden(Message::new("blocked")),
            Error::NotResendable => Self::conflict(StaffText::new("not-resendable")),
            Error::BadReason => Self::unprocessable(StaffText::new("bad-reason")),
            Error::NotErasable(obstacles) => Self::conflict(StaffText::clone(obstacles)),
            Error::TooManyRows => Self::unprocessable(StaffText::new("too-many-rows")),
            Error::Stopping => Self::unavailable(Message::new("stopping"), 5, "stopping"),
            Error::Signing => Self::internal("a session could not be signed"),
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
