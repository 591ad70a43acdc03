//! Slows programs down: a signed challenge that counts once, in the browser, at the address and for the words for which it was issued.
//!
//! The page requests a challenge (`POST /api/subscribe/challenge`) and sends it back with its join, which is checked before any answer that depends
//! on the number. A join that breaks a rule is held: nothing is requested of the network, so nothing can be charged. The reply to a held join has
//! another challenge and a code: a person types the code and presses JOIN again.
//!
//! Nothing that a browser says of itself is judged, because a program says the same. A program that requests challenges and types codes passes:
//! it is bounded by what its address may learn (`learned_numbers`), by what becomes of its publisher's joins (`publishers::counts`), and by the
//! network's own page.

use actix_web::{
    HttpResponse,
    cookie::Cookie,
    web::{Data, Json},
};
use brands::{Brand, Offer};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use service::openapi::Refused;
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{visitor::Visitor, wording},
    publishers::counts::{self, Hold, JoinEvent},
    schema::used_challenges,
    subscribers::{calendar, ids::random_token, limits::network_of, offers, policy::ChargeSecret, text::hash_of},
};

/// How long a challenge waits for its press: pages stay open.
const LIFE: TimeDelta = TimeDelta::hours(2);
/// How old a challenge is at least when its join arrives. The page waits that long after it arrived.
const MIN_AGE: TimeDelta = TimeDelta::milliseconds(250);
/// The same of a challenge with a code: a person reads and types it.
const MIN_AGE_WITH_CODE: TimeDelta = TimeDelta::seconds(3);

/// The characters of a digest within a challenge.
const DIGEST: usize = 16;

/// What the page sends with a join; empty where it sends nothing.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct JoinCheck {
    /// The signed challenge of the page, or of a reply that held the join.
    #[schema(max_length = 1000)]
    challenge: String,
    /// The code of a challenge that has one, as the visitor typed it.
    #[schema(max_length = 64)]
    code: String,
    /// A field that no person sees: programs that fill in forms fill it, too.
    #[schema(max_length = 256)]
    homepage: String,
    /// The network has recognised the SIM of this browser: the tap that led there was checked.
    #[serde(skip)]
    is_by_sim: bool,
}

/// Why a join is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// No challenge of ours, or one of another service.
    NoChallenge,
    /// It was issued to another browser, or at another address.
    Elsewhere,
    /// The challenge is too old, or its page has other words than today's.
    Stale,
    /// The challenge has been used.
    Replayed,
    /// Faster than a person.
    TooFast,
    /// The hidden field was filled in.
    HiddenField,
    /// Not the code.
    WrongCode,
    /// The publisher's joins were regretted beyond the limit: its visitors type a code.
    PublisherSlowed,
    /// A person holds the publisher.
    PublisherHeld,
}

impl Rule {
    /// Its name in counts and evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoChallenge => "no_challenge",
            Self::Elsewhere => "elsewhere",
            Self::Stale => "stale",
            Self::Replayed => "replayed",
            Self::TooFast => "too_fast",
            Self::HiddenField => "hidden_field",
            Self::WrongCode => "wrong_code",
            Self::PublisherSlowed => "publisher_slowed",
            Self::PublisherHeld => "publisher_held",
        }
    }
}

/// For what a challenge counts, beside its time.
struct Bound {
    svc_id: i32,
    /// A digest of the browser and its address.
    browser: String,
    /// A digest of the consent's words on the page.
    words: String,
}

/// A challenge that we signed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Challenge {
    /// Its text without the signature, which names it.
    id: String,
    issued_at: NaiveDateTime,
    /// The code that its visitor types; only after a held join.
    code: Option<String>,
}

/// A challenge and its code, for the reply to a held join.
#[derive(Clone, Debug)]
pub(crate) struct SecondChance {
    pub challenge: String,
    pub code: String,
    /// The browser that it counts in.
    pub browser_cookie: Cookie<'static>,
}

/// A press that is checked.
pub(crate) struct Press<'a> {
    pub brand: &'a Brand,
    /// The number, for the evidence; empty where the network has not recognised the SIM yet.
    pub masked: String,
    pub ext_ref: &'a str,
    /// Whether a join follows, and not a visit to the network first.
    pub is_join: bool,
    /// The prices that the page shows.
    pub shown: &'a str,
}

/// The result of the check.
pub(crate) enum Checked {
    /// The join goes on.
    Passed,
    /// The join is held; with another chance, unless a person holds its publisher.
    Held(Option<Box<SecondChance>>),
}

impl Bound {
    fn of(app: &App, brand: &Brand, visitor: &Visitor, browser_hash: &str) -> Self {
        let secret = &app.policy.secret;
        // The price is compared by itself: the reply names the new one.
        let offer = Offer { price_cents: 0, ..brand.offer };
        let words = wording::wording(brand, offer, visitor.language, calendar::day_of(app.clock.now()));
        let place = format!("join-browser/{browser_hash}/{}", network_of(&visitor.address));
        let short = |digest: String| digest.chars().take(DIGEST).collect();
        Self { svc_id: brand.svc_id, browser: short(hex::encode(secret.digest(&place))), words: short(hash_of(&words)) }
    }
}

impl Challenge {
    /// Issues a challenge: `KIND.SVC_ID.MILLISECONDS.RANDOM.BROWSER.WORDS.SHOWN.SIGNATURE`.
    fn issue(secret: &ChargeSecret, bound: &Bound, shown: &str, has_code: bool, now: NaiveDateTime) -> String {
        let (kind, at) = (if has_code { "code" } else { "press" }, now.and_utc().timestamp_millis());
        let Bound { svc_id, browser, words } = bound;
        let id = format!("{kind}.{svc_id}.{at}.{}.{browser}.{words}.{shown}", random_token());
        format!("{id}.{}", signature(secret, &id))
    }

    /// Reads a challenge that counts here and now.
    fn read(secret: &ChargeSecret, text: &str, bound: &Bound, now: NaiveDateTime) -> Result<Self, Rule> {
        let (id, [kind, at, browser, words, _]) = signed(secret, text, bound.svc_id).ok_or(Rule::NoChallenge)?;
        let at = at.parse().ok().and_then(chrono::DateTime::from_timestamp_millis);
        let issued_at = at.ok_or(Rule::NoChallenge)?.naive_utc();
        if browser != bound.browser {
            return Err(Rule::Elsewhere);
        }
        if now > issued_at + LIFE || words != bound.words {
            return Err(Rule::Stale);
        }
        let code = (kind == "code").then(|| code_of(secret, id));
        Ok(Self { id: id.to_owned(), issued_at, code })
    }

    /// The first rule that a join breaks, as far as its own request shows.
    fn broken_rule(&self, check: &JoinCheck, now: NaiveDateTime) -> Option<Rule> {
        let min_age = if self.code.is_some() { MIN_AGE_WITH_CODE } else { MIN_AGE };
        let is_wrong = self.code.as_deref().is_some_and(|code| code != check.code.trim());
        let rules = [
            (Rule::HiddenField, !check.homepage.is_empty()),
            (Rule::TooFast, now < self.issued_at + min_age),
            (Rule::WrongCode, is_wrong),
        ];
        rules.into_iter().find(|(_, is_broken)| *is_broken).map(|(rule, _)| rule)
    }
}

/// The text that we signed for a service, and its kind, time, browser, words and prices.
fn signed<'a>(secret: &ChargeSecret, text: &'a str, svc_id: i32) -> Option<(&'a str, [&'a str; 5])> {
    let (id, signed) = text.rsplit_once('.')?;
    // Compared by digests, so that the time that it takes reveals nothing of the signature.
    if secret.digest(signed) != secret.digest(&signature(secret, id)) {
        return None;
    }
    let parts: Vec<&str> = id.splitn(7, '.').collect();
    let [kind, service, at, _, browser, words, shown] = parts.as_slice() else { return None };
    (*service == svc_id.to_string()).then_some((id, [kind, at, browser, words, shown]))
}

/// The signature of a challenge.
fn signature(secret: &ChargeSecret, id: &str) -> String {
    hex::encode(secret.digest(&format!("join-challenge/{id}")))
}

/// The three digits of a challenge with a code: only the page and the service know them.
fn code_of(secret: &ChargeSecret, id: &str) -> String {
    let [first, second, ..] = secret.digest(&format!("join-code/{id}"));
    (100 + u16::from_be_bytes([first, second]) % 900).to_string()
}

impl JoinCheck {
    /// The check of a tap that has only a challenge.
    pub fn of_tap(challenge: &str) -> Self {
        Self { challenge: challenge.to_owned(), ..Self::default() }
    }

    /// The check of a join by the number of the SIM, whose tap was checked: only a person may hold it.
    pub fn by_sim() -> Self {
        Self { is_by_sim: true, ..Self::default() }
    }

    fn read(&self, app: &App, brand: &Brand, visitor: &Visitor) -> Result<Challenge, Rule> {
        let bound = Bound::of(app, brand, visitor, &visitor.browser_hash().unwrap_or_default());
        Challenge::read(&app.policy.secret, &self.challenge, &bound, app.clock.now())
    }

    /// The prices that the page showed (`offers::is_shown`), as signed for it at any time; empty where it has no challenge, or has not said.
    pub fn shown(&self, app: &App, svc_id: i32) -> &str {
        signed(&app.policy.secret, &self.challenge, svc_id).map(|(_, [.., shown])| shown).unwrap_or_default()
    }

    /// Checks a press before anything is requested, or answered, for it. It uses up the challenge.
    pub async fn examine(&self, app: &App, visitor: &Visitor, press: Press<'_>) -> Result<Checked, Error> {
        let Press { brand, masked, ext_ref, is_join, shown } = press;
        let (now, fraud, svc_id) = (app.clock.now(), app.fraud.clone(), brand.svc_id);
        let challenge = self.read(app, brand, visitor);
        let by_code = challenge.as_ref().is_ok_and(|challenge| challenge.code.is_some());
        let broken = match &challenge {
            _ if self.is_by_sim => None,
            Ok(challenge) => challenge.broken_rule(self, now),
            Err(rule) => Some(*rule),
        };
        let is_by_sim = self.is_by_sim;
        let used = challenge.ok().map(|challenge| {
            (hex::encode(app.policy.secret.digest(&format!("join-used/{}", challenge.id))), challenge.issued_at + LIFE)
        });
        let (number, ext_ref) = (masked.clone(), ext_ref.to_owned());
        let rule = app
            .db
            .write(move |conn| {
                let of_publisher = match counts::hold_of(conn, &fraud, &ext_ref, now)? {
                    Some(Hold::ByStaff) => Some(Rule::PublisherHeld),
                    Some(Hold::ByLimits) if !by_code && !is_by_sim => broken.or(Some(Rule::PublisherSlowed)),
                    _ => broken,
                };
                let rule = match (of_publisher, used) {
                    (Some(rule), _) => Some(rule),
                    (None, Some((key, expires_at))) => (!use_up(conn, &key, expires_at)?).then_some(Rule::Replayed),
                    (None, None) => None,
                };
                let mut events = Vec::new();
                match rule {
                    Some(rule) if fraud.is_required() => {
                        counts::record_held(conn, (&ext_ref, svc_id, &masked), rule.as_str(), now)?;
                        events.push(JoinEvent::Held(rule.as_str()));
                    }
                    Some(rule) => events.push(JoinEvent::Observed(rule.as_str())),
                    None if by_code => events.push(JoinEvent::PassedByCode),
                    None => {}
                }
                // A link leads to a join, which counts once the network has recognised the SIM.
                if is_join && !events.iter().any(|event| matches!(event, JoinEvent::Held(_))) {
                    events.push(JoinEvent::Passed);
                }
                for event in events {
                    counts::note(conn, (&ext_ref, svc_id), event, now)?;
                }
                Ok::<_, Error>(rule.filter(|_| fraud.is_required()))
            })
            .await?;
        let Some(rule) = rule else { return Ok(Checked::Passed) };
        tracing::info!(join.rule = rule.as_str(), msisdn = %number, "a join is held: {}", rule.as_str());
        if rule == Rule::PublisherHeld {
            return Ok(Checked::Held(None));
        }
        let (browser_cookie, browser_hash) = visitor.browser_cookie();
        let bound = Bound::of(app, brand, visitor, &browser_hash);
        let challenge = Challenge::issue(&app.policy.secret, &bound, shown, true, now);
        let code = challenge.rsplit_once('.').map(|(id, _)| code_of(&app.policy.secret, id)).unwrap_or_default();
        Ok(Checked::Held(Some(Box::new(SecondChance { challenge, code, browser_cookie }))))
    }
}

/// A challenge for the next press in this browser, where an answer has used up the page's.
pub(crate) fn next(app: &App, brand: &Brand, visitor: &Visitor) -> (String, Cookie<'static>) {
    let (browser_cookie, browser_hash) = visitor.browser_cookie();
    let bound = Bound::of(app, brand, visitor, &browser_hash);
    (Challenge::issue(&app.policy.secret, &bound, "", false, app.clock.now()), browser_cookie)
}

/// Uses up the challenge with this digest; false where it was used before.
fn use_up(conn: &mut DbConnection, key: &str, expires_at: NaiveDateTime) -> Result<bool, Error> {
    let row = (used_challenges::id.eq(key), used_challenges::expires_at.eq(expires_at));
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(used_challenges::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    Ok(inserted > 0)
}

/// For which service.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ChallengeRequest {
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
    /// The prices that the page shows, as `shown` of the join.
    #[serde(default)]
    #[schema(max_length = 300)]
    shown: Option<String>,
}

/// A challenge for one join.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeReply {
    challenge: String,
}

/// Issues the challenge that a join page sends with its join, and the cookie of the browser in which it counts.
#[utoipa::path(
    post,
    path = "",
    request_body = ChallengeRequest,
    responses((status = 200, description = "A challenge, for one join of this browser within two hours.", body = ChallengeReply), Refused)
)]
pub(crate) async fn issue_challenge(
    app: Data<App>,
    visitor: Visitor,
    request: Json<ChallengeRequest>,
) -> Result<HttpResponse, Error> {
    let brand = app.brand(request.svc_id)?;
    let shown = offers::shown(request.shown.as_deref())?;
    let (cookie, browser_hash) = visitor.browser_cookie();
    let bound = Bound::of(&app, &brand, &visitor, &browser_hash);
    let challenge = Challenge::issue(&app.policy.secret, &bound, shown, false, app.clock.now());
    Ok(HttpResponse::Ok().cookie(cookie).json(ChallengeReply { challenge }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> ChargeSecret {
        ChargeSecret::new(b"dev-notify").unwrap()
    }

    fn at(seconds: i64) -> NaiveDateTime {
        chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap().naive_utc()
    }

    fn bound(svc_id: i32, browser: &str, words: &str) -> Bound {
        Bound { svc_id, browser: browser.to_owned(), words: words.to_owned() }
    }

    fn issued(has_code: bool) -> (String, Challenge) {
        let here = bound(150, "b1", "w1");
        let text = Challenge::issue(&secret(), &here, "300.day.0.", has_code, at(0));
        let challenge = Challenge::read(&secret(), &text, &here, at(0)).unwrap();
        (text, challenge)
    }

    #[test]
    fn challenge_counts_where_it_was_issued_until_it_is_stale() {
        let (text, challenge) = issued(false);
        assert_eq!(challenge.code, None);
        let parts = signed(&secret(), &text, 150).unwrap().1;
        assert_eq!((parts[0], parts[4]), ("press", "300.day.0."));
        let read = |text: &str, bound: &Bound, seconds| Challenge::read(&secret(), text, bound, at(seconds)).map(drop);
        let here = bound(150, "b1", "w1");
        assert_eq!(read(&text, &here, 7200), Ok(()));
        assert_eq!(read(&text, &here, 7201), Err(Rule::Stale));
        assert_eq!(read(&text, &bound(151, "b1", "w1"), 1), Err(Rule::NoChallenge));
        assert_eq!(read(&text, &bound(150, "b2", "w1"), 1), Err(Rule::Elsewhere));
        assert_eq!(read(&text, &bound(150, "b1", "w2"), 1), Err(Rule::Stale));
        for (from, to) in [("press", "code"), (".150.", ".151."), ("300", "100"), (".b1.", ".b2."), (".w1.", ".w2.")] {
            let forged = text.replacen(from, to, 1);
            for place in [&here, &bound(151, "b2", "w2")] {
                assert_eq!(read(&forged, place, 1), Err(Rule::NoChallenge), "{forged}");
            }
        }
        for forged in ["", "x", &format!("{text}0")] {
            assert_eq!(read(forged, &here, 1), Err(Rule::NoChallenge), "{forged}");
        }
        let other = ChargeSecret::new(b"another").unwrap();
        assert_eq!(Challenge::read(&other, &text, &here, at(1)), Err(Rule::NoChallenge));
    }

    #[test]
    fn first_press_waits_and_leaves_the_hidden_field_empty() {
        let (_, challenge) = issued(false);
        let filled = JoinCheck { homepage: "x".to_owned(), ..JoinCheck::default() };
        assert_eq!(challenge.broken_rule(&JoinCheck::default(), at(0)), Some(Rule::TooFast));
        assert_eq!(challenge.broken_rule(&JoinCheck::default(), at(1)), None);
        assert_eq!(challenge.broken_rule(&filled, at(1)), Some(Rule::HiddenField));
    }

    #[test]
    fn code_is_typed_after_three_seconds() {
        let (_, challenge) = issued(true);
        let code = challenge.code.clone().unwrap();
        assert_eq!(code.len(), 3);
        let rule_of = |code: &str, seconds| {
            challenge.broken_rule(&JoinCheck { code: code.to_owned(), ..JoinCheck::default() }, at(seconds))
        };
        assert_eq!(rule_of(&format!(" {code} "), 3), None);
        assert_eq!(rule_of(&code, 2), Some(Rule::TooFast));
        assert_eq!(rule_of("", 3), Some(Rule::WrongCode));
        assert_eq!(rule_of("0812345678", 3), Some(Rule::WrongCode));
    }
}
