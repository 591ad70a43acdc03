//! Whether a join looks like a person's: a signed challenge that counts once, and what the page saw of the press of JOIN.
//!
//! The page requests a challenge (`POST /api/subscribe/challenge`) and sends it back with its signals, in the header `X-Join-Check`. A join that
//! breaks a rule is held: no page of the network is requested, so nothing can be charged. The reply to a held join has another challenge and a
//! code: a person types the code and presses JOIN again. Repeating a request does not answer it.
//!
//! The signals are facts about one press. None identifies a browser or its person, and none is stored: of each set only a digest, for a day,
//! so that a recorded press does not count twice.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    web::{Data, Json},
};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use serde::{Deserialize, Serialize};
use service::openapi::Refused;
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::visitor::Visitor,
    publishers::counts::{self, JoinEvent},
    schema::used_challenges,
    subscribers::{ids::random_token, offers, policy::ChargeSecret},
};

/// The header with the check, as JSON.
const HEADER: &str = "x-join-check";

/// How long a challenge waits for its press: pages stay open.
const LIFE: TimeDelta = TimeDelta::hours(2);
/// How old a challenge is at least when its join arrives. The page waits that long after it arrived.
const MIN_AGE: TimeDelta = TimeDelta::milliseconds(250);
/// The same of a challenge with a code: a person reads and types it.
const MIN_AGE_WITH_CODE: TimeDelta = TimeDelta::seconds(3);

/// The shortest time from the beginning of the page to the press, in milliseconds: a person reads the price first.
const MIN_PAGE_MS: f64 = 700.0;
/// The shortest press: a finger or a button of a mouse is down for longer.
const MIN_PRESS_MS: f64 = 10.0;
/// A mouse moves to the button in more steps.
const MIN_MOUSE_MOVES: u32 = 3;

/// How long the digest of signals is kept.
const SIGNALS_LIFE: TimeDelta = TimeDelta::days(1);

/// Expired rows that one statement deletes.
const DELETED_AT_ONCE: i64 = 1000;

/// What the page sends with a join; empty where it sends nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct JoinCheck {
    challenge: String,
    /// The code of a challenge that has one, as the visitor typed it.
    code: String,
    /// A field that no person sees: programs that fill in forms fill it, too.
    homepage: String,
    /// Absent without scripts.
    signals: Option<Signals>,
    /// The network has recognised the SIM of this browser: the tap that led there was checked.
    #[serde(skip)]
    is_by_sim: bool,
}

/// What the page saw of the press.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Signals {
    /// The press was the browser's own event and not made by a script.
    trusted: bool,
    /// Milliseconds from the beginning of the page to the press.
    ms: f64,
    /// Milliseconds between down and up; absent for keyboards and screen readers.
    press_ms: Option<f64>,
    /// `mouse`, `touch`, `pen`, or empty.
    pointer: String,
    /// How often the pointer moved.
    moves: u32,
    /// The number was entered by keys, the clipboard or the browser, and not by a script.
    typed: bool,
    /// The page was visible.
    visible: bool,
    /// The page had the focus.
    focused: bool,
    /// Something lay over the button, as far as the browser tells.
    covered: bool,
    /// The browser says that a program controls it.
    automated: bool,
}

/// Why a join is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// No challenge of ours, or one of another service.
    NoChallenge,
    /// The challenge is too old.
    Stale,
    /// The challenge has been used.
    Replayed,
    /// Faster than a person.
    TooFast,
    /// The hidden field was filled in.
    HiddenField,
    /// No signals: no script of the page ran.
    NoSignals,
    /// A script pressed JOIN.
    ScriptedPress,
    /// A script entered the number.
    ScriptedNumber,
    /// A program controls the browser.
    Automated,
    /// The page was hidden, or another window had the focus.
    Unseen,
    /// The button was covered.
    Covered,
    /// A mouse pressed where it never moved to.
    NoMovement,
    /// The press was shorter than any finger's.
    ShortPress,
    /// The same signals as another join's.
    RepeatedSignals,
    /// Not the code.
    WrongCode,
    /// The publisher is held.
    PublisherHeld,
}

impl Rule {
    /// Its name in counts and evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoChallenge => "no_challenge",
            Self::Stale => "stale",
            Self::Replayed => "replayed",
            Self::TooFast => "too_fast",
            Self::HiddenField => "hidden_field",
            Self::NoSignals => "no_signals",
            Self::ScriptedPress => "scripted_press",
            Self::ScriptedNumber => "scripted_number",
            Self::Automated => "automated",
            Self::Unseen => "unseen",
            Self::Covered => "covered",
            Self::NoMovement => "no_movement",
            Self::ShortPress => "short_press",
            Self::RepeatedSignals => "repeated_signals",
            Self::WrongCode => "wrong_code",
            Self::PublisherHeld => "publisher_held",
        }
    }
}

/// A challenge that we signed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Challenge {
    /// Its text without the signature, which names it.
    id: String,
    issued_at: NaiveDateTime,
    /// The code that its visitor types; only after a held join.
    code: Option<String>,
    /// The prices that its page shows (`offers::is_shown`); empty: its page has not said.
    shown: String,
}

/// A challenge and its code, for the reply to a held join.
#[derive(Clone, Debug)]
pub(crate) struct SecondChance {
    pub challenge: String,
    pub code: String,
}

/// A press that is checked.
struct Press {
    svc_id: i32,
    /// The number, for the evidence; empty where the network has not recognised the SIM yet.
    masked: String,
    is_number_typed: bool,
    ext_ref: String,
    /// Whether a join follows, and not a visit to the network first.
    is_join: bool,
    /// The prices that the page shows.
    shown: String,
}

/// The result of the check.
pub(crate) enum Checked {
    /// The join goes on. It holds the keys that are used up by it.
    Passed(Vec<String>),
    /// The join is held; with another chance, unless its publisher is held.
    Held(Option<SecondChance>),
}

impl Challenge {
    /// Issues a challenge for joins of a service: `KIND.SVC_ID.MILLISECONDS.RANDOM.SHOWN.SIGNATURE`.
    fn issue(secret: &ChargeSecret, (svc_id, shown): (i32, &str), has_code: bool, now: NaiveDateTime) -> String {
        let (kind, at) = (if has_code { "code" } else { "press" }, now.and_utc().timestamp_millis());
        let id = format!("{kind}.{svc_id}.{at}.{}.{shown}", random_token());
        format!("{id}.{}", signature(secret, &id))
    }

    /// Reads a challenge for joins of a service.
    fn read(secret: &ChargeSecret, text: &str, svc_id: i32, now: NaiveDateTime) -> Result<Self, Rule> {
        let (id, signed) = text.rsplit_once('.').ok_or(Rule::NoChallenge)?;
        // Compared by digests, so that the time taken reveals nothing of the signature.
        if secret.digest(signed) != secret.digest(&signature(secret, id)) {
            return Err(Rule::NoChallenge);
        }
        let mut parts = id.splitn(5, '.');
        let (kind, of_service, at) = (parts.next(), parts.next(), parts.next());
        let shown = parts.nth(1).unwrap_or_default().to_owned();
        if of_service != Some(svc_id.to_string().as_str()) {
            return Err(Rule::NoChallenge);
        }
        let at = at.and_then(|at| at.parse().ok()).and_then(chrono::DateTime::from_timestamp_millis);
        let issued_at = at.ok_or(Rule::NoChallenge)?.naive_utc();
        if now > issued_at + LIFE {
            return Err(Rule::Stale);
        }
        let code = (kind == Some("code")).then(|| code_of(secret, id));
        Ok(Self { id: id.to_owned(), issued_at, code, shown })
    }

    /// The first rule that a join breaks, as far as its own request shows.
    fn broken_rule(&self, check: &JoinCheck, is_number_typed: bool, now: NaiveDateTime) -> Option<Rule> {
        let signals = check.signals.as_ref();
        let has = |rule: fn(&Signals) -> bool| signals.is_some_and(rule);
        let min_age = if self.code.is_some() { MIN_AGE_WITH_CODE } else { MIN_AGE };
        // Both ways to join: a press that is a script's counts in neither.
        let always = [
            (Rule::HiddenField, !check.homepage.is_empty()),
            (Rule::TooFast, now < self.issued_at + min_age),
            (Rule::Automated, has(|signals| signals.automated)),
            (Rule::ScriptedPress, has(|signals| !signals.trusted)),
        ];
        let of_code = [(Rule::WrongCode, self.code.as_deref() != Some(check.code.trim()))];
        let of_press = [
            (Rule::NoSignals, signals.is_none()),
            (Rule::TooFast, has(|signals| signals.ms.is_nan() || signals.ms < MIN_PAGE_MS)),
            (Rule::ScriptedNumber, is_number_typed && has(|signals| !signals.typed)),
            (Rule::Unseen, has(|signals| !signals.visible || !signals.focused)),
            (Rule::Covered, has(|signals| signals.covered)),
            (Rule::ShortPress, has(|signals| signals.press_ms.is_some_and(|ms| ms < MIN_PRESS_MS))),
            (Rule::NoMovement, has(|signals| signals.pointer == "mouse" && signals.moves < MIN_MOUSE_MOVES)),
        ];
        let more: &[(Rule, bool)] = if self.code.is_some() { &of_code } else { &of_press };
        always.iter().chain(more).find(|(_, is_broken)| *is_broken).map(|(rule, _)| *rule)
    }
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
    /// The check in a text; one that cannot be read is as none: the join is held, and its page gets another challenge.
    pub fn parse(json: &[u8]) -> Self {
        serde_json::from_slice(json).unwrap_or_default()
    }

    /// The check of a join by the number of the SIM, after `examine_link`: only its publisher may hold it.
    pub fn by_sim() -> Self {
        Self { is_by_sim: true, ..Self::default() }
    }

    /// The prices that the page shows, as signed for it; empty where it has no challenge, or has not said.
    pub fn shown(&self, app: &App, svc_id: i32) -> String {
        Challenge::read(&app.policy.secret, &self.challenge, svc_id, app.clock.now())
            .map(|of| of.shown)
            .unwrap_or_default()
    }

    /// Checks a join of a number before anything is requested for it. It uses up the challenge; where the join then fails at its network,
    /// `give_back` undoes that.
    pub async fn examine(
        &self,
        app: &App,
        visitor: &Visitor,
        (svc_id, msisdn, ext_ref): (i32, &SubscriberId, &str),
        shown: &str,
    ) -> Result<Checked, Error> {
        let press = Press {
            svc_id,
            masked: msisdn.to_string(),
            is_number_typed: msisdn.token_network().is_none(),
            ext_ref: ext_ref.to_owned(),
            is_join: true,
            shown: shown.to_owned(),
        };
        self.examine_press(app, visitor, press).await
    }

    /// Checks the tap of the link by which a network recognises the SIM, before the browser is sent there; whether the browser is sent. What a
    /// program opens by itself would else reach the network's page as a join that was never checked.
    pub async fn examine_link(
        &self,
        app: &App,
        visitor: &Visitor,
        (svc_id, ext_ref): (i32, &str),
    ) -> Result<bool, Error> {
        let (masked, ext_ref, shown) = (String::new(), ext_ref.to_owned(), String::new());
        let press = Press { svc_id, masked, is_number_typed: false, ext_ref, is_join: false, shown };
        Ok(matches!(self.examine_press(app, visitor, press).await?, Checked::Passed(_)))
    }

    async fn examine_press(&self, app: &App, visitor: &Visitor, press: Press) -> Result<Checked, Error> {
        let Press { svc_id, masked, is_number_typed, ext_ref, is_join, shown } = press;
        let (now, fraud) = (app.clock.now(), app.fraud.clone());
        let challenge = Challenge::read(&app.policy.secret, &self.challenge, svc_id, now);
        let broken = match &challenge {
            _ if self.is_by_sim => None,
            Ok(challenge) => challenge.broken_rule(self, is_number_typed, now),
            Err(rule) => Some(*rule),
        };
        let by_code = challenge.as_ref().is_ok_and(|challenge| challenge.code.is_some());
        if fraud.is_required() && by_code && broken.is_none() && self.signals.is_none() {
            app.limits.count_join_without_signals(&visitor.address).await?;
        }
        let keys = self.keys(&app.policy.secret, challenge.ok(), now);
        let number = masked.clone();
        let (used, rule) = app
            .db
            .write(move |conn| {
                let held = match counts::is_held(conn, &fraud, &ext_ref, now)? {
                    true => Some(Rule::PublisherHeld),
                    false => broken,
                };
                let rule = match held {
                    Some(rule) => Some(rule),
                    None => use_up(conn, &keys)?,
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
                let used: Vec<String> = keys.into_iter().map(|(_, key, _)| key).collect();
                Ok::<_, Error>((used, rule.filter(|_| fraud.is_required())))
            })
            .await?;
        let Some(rule) = rule else { return Ok(Checked::Passed(used)) };
        tracing::info!(join.rule = rule.as_str(), msisdn = %number, "a join is held: {}", rule.as_str());
        if rule == Rule::PublisherHeld {
            return Ok(Checked::Held(None));
        }
        let challenge = Challenge::issue(&app.policy.secret, (svc_id, &shown), true, now);
        let code = challenge.rsplit_once('.').map(|(id, _)| code_of(&app.policy.secret, id)).unwrap_or_default();
        Ok(Checked::Held(Some(SecondChance { challenge, code })))
    }

    /// What may be used once: the challenge, and the signals of its press.
    fn keys(
        &self,
        secret: &ChargeSecret,
        challenge: Option<Challenge>,
        now: NaiveDateTime,
    ) -> Vec<(Rule, String, NaiveDateTime)> {
        let of_challenge =
            challenge.map(|challenge| (Rule::Replayed, digest(secret, &challenge.id), challenge.issued_at + LIFE));
        let of_signals = self.signals.as_ref().and_then(|signals| serde_json::to_string(signals).ok());
        let of_signals = of_signals.map(|text| (Rule::RepeatedSignals, digest(secret, &text), now + SIGNALS_LIFE));
        of_challenge.into_iter().chain(of_signals).collect()
    }
}

fn digest(secret: &ChargeSecret, text: &str) -> String {
    hex::encode(secret.digest(&format!("join-used/{text}")))
}

/// Uses up each key; the rule of the first that was used before.
fn use_up(conn: &mut DbConnection, keys: &[(Rule, String, NaiveDateTime)]) -> Result<Option<Rule>, Error> {
    for (rule, key, expires_at) in keys {
        let row = (used_challenges::id.eq(key), used_challenges::expires_at.eq(expires_at));
        let inserted = on_each_backend!(conn, conn => diesel::insert_into(used_challenges::table)
            .values(row)
            .on_conflict_do_nothing()
            .execute(conn))?;
        if inserted == 0 {
            return Ok(Some(*rule));
        }
    }
    Ok(None)
}

/// Lets the page of a join that failed at its network send the same challenge again.
pub(crate) async fn give_back(app: &App, keys: Vec<String>) -> Result<(), Error> {
    app.db
        .write(move |conn| {
            diesel::delete(used_challenges::table.filter(used_challenges::id.eq_any(keys))).execute(conn)?;
            Ok(())
        })
        .await
}

/// Deletes a batch of keys that have expired.
pub(crate) fn delete_expired(conn: &mut DbConnection, now: NaiveDateTime) -> Result<usize, Error> {
    let expired: Vec<String> = used_challenges::table
        .filter(used_challenges::expires_at.lt(now))
        .order(used_challenges::expires_at)
        .limit(DELETED_AT_ONCE)
        .select(used_challenges::id)
        .load(conn)?;
    Ok(diesel::delete(used_challenges::table.filter(used_challenges::id.eq_any(expired))).execute(conn)?)
}

impl FromRequest for JoinCheck {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(req.headers().get(HEADER).map(|value| Self::parse(value.as_bytes())).unwrap_or_default()))
    }
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

/// Issues the challenge that a join page sends with its join.
#[utoipa::path(
    post,
    path = "",
    request_body = ChallengeRequest,
    responses((status = 200, description = "A challenge, for one join within two hours.", body = ChallengeReply), Refused)
)]
pub(crate) async fn issue_challenge(
    app: Data<App>,
    request: Json<ChallengeRequest>,
) -> Result<Json<ChallengeReply>, Error> {
    let svc_id = app.brand(request.svc_id)?.svc_id;
    let shown = offers::shown(request.shown.as_deref())?;
    let challenge = Challenge::issue(&app.policy.secret, (svc_id, shown), false, app.clock.now());
    Ok(Json(ChallengeReply { challenge }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICE: i32 = 150;

    fn secret() -> ChargeSecret {
        ChargeSecret::new(b"dev-notify").unwrap()
    }

    fn at(seconds: i64) -> NaiveDateTime {
        chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap().naive_utc()
    }

    /// A person's press with a finger.
    fn touch() -> Signals {
        Signals {
            trusted: true,
            ms: 4321.5,
            press_ms: Some(84.2),
            pointer: "touch".to_owned(),
            moves: 1,
            typed: true,
            visible: true,
            focused: true,
            covered: false,
            automated: false,
        }
    }

    fn issued(has_code: bool) -> (String, Challenge) {
        let text = Challenge::issue(&secret(), (SERVICE, "300.day.0."), has_code, at(0));
        let challenge = Challenge::read(&secret(), &text, SERVICE, at(0)).unwrap();
        (text, challenge)
    }

    fn rule_of(signals: Option<Signals>, seconds: i64) -> Option<Rule> {
        issued(false).1.broken_rule(&JoinCheck { signals, ..JoinCheck::default() }, true, at(seconds))
    }

    #[test]
    fn challenge_counts_for_its_service_until_it_is_stale() {
        let (text, challenge) = issued(false);
        assert_eq!((challenge.code.as_deref(), challenge.shown.as_str()), (None, "300.day.0."));
        let read = |text: &str, svc_id, seconds| Challenge::read(&secret(), text, svc_id, at(seconds)).map(drop);
        assert_eq!(read(&text, SERVICE, 7200), Ok(()));
        assert_eq!(read(&text, SERVICE, 7201), Err(Rule::Stale));
        assert_eq!(read(&text, 151, 1), Err(Rule::NoChallenge));
        for forged in [
            "",
            "x",
            &text.replace("press", "code"),
            &text.replace(".150.", ".151."),
            &text.replace("300", "100"),
            &format!("{text}0"),
        ] {
            assert_eq!(read(forged, SERVICE, 1), Err(Rule::NoChallenge), "{forged}");
            assert_eq!(read(forged, 151, 1), Err(Rule::NoChallenge), "{forged}");
        }
        let other = ChargeSecret::new(b"another").unwrap();
        assert_eq!(Challenge::read(&other, &text, SERVICE, at(1)), Err(Rule::NoChallenge));
    }

    #[test]
    fn presses_of_persons_break_no_rule() {
        let keyboard = Signals { press_ms: None, pointer: String::new(), moves: 0, ..touch() };
        let mouse = Signals { pointer: "mouse".to_owned(), moves: 12, ..touch() };
        for person in [touch(), keyboard, mouse] {
            assert_eq!(rule_of(Some(person), 5), None);
        }
        // Where the network names the subscriber, there is no number to type.
        let tapped = JoinCheck { signals: Some(Signals { typed: false, ..touch() }), ..JoinCheck::default() };
        assert_eq!(issued(false).1.broken_rule(&tapped, false, at(5)), None);
        assert_eq!(issued(false).1.broken_rule(&tapped, true, at(5)), Some(Rule::ScriptedNumber));
    }

    #[test]
    fn presses_of_scripts_break_a_rule() {
        for (signals, rule) in [
            (Signals { trusted: false, ..touch() }, Rule::ScriptedPress),
            (Signals { automated: true, ..touch() }, Rule::Automated),
            (Signals { ms: 120.0, ..touch() }, Rule::TooFast),
            (Signals { ms: f64::NAN, ..touch() }, Rule::TooFast),
            (Signals { typed: false, ..touch() }, Rule::ScriptedNumber),
            (Signals { visible: false, ..touch() }, Rule::Unseen),
            (Signals { focused: false, ..touch() }, Rule::Unseen),
            (Signals { covered: true, ..touch() }, Rule::Covered),
            (Signals { press_ms: Some(0.4), ..touch() }, Rule::ShortPress),
            (Signals { pointer: "mouse".to_owned(), ..touch() }, Rule::NoMovement),
            (Signals::default(), Rule::ScriptedPress),
        ] {
            assert_eq!(rule_of(Some(signals), 5), Some(rule));
        }
        assert_eq!(rule_of(Some(touch()), 0), Some(Rule::TooFast));
        assert_eq!(rule_of(None, 5), Some(Rule::NoSignals));
        let filled = JoinCheck { homepage: "x".to_owned(), signals: Some(touch()), ..JoinCheck::default() };
        assert_eq!(issued(false).1.broken_rule(&filled, true, at(5)), Some(Rule::HiddenField));
    }

    #[test]
    fn code_is_typed_by_a_person_after_three_seconds() {
        let (_, challenge) = issued(true);
        let code = challenge.code.clone().unwrap();
        assert_eq!(code.len(), 3);
        let rule_of = |code: &str, signals, seconds| {
            let check = JoinCheck { code: code.to_owned(), signals, ..JoinCheck::default() };
            challenge.broken_rule(&check, true, at(seconds))
        };
        assert_eq!(rule_of(&format!(" {code} "), None, 3), None);
        // The second press need not be as perfect as the first.
        assert_eq!(rule_of(&code, Some(Signals { covered: true, typed: false, ..touch() }), 3), None);
        assert_eq!(rule_of(&code, None, 2), Some(Rule::TooFast));
        assert_eq!(rule_of("", None, 3), Some(Rule::WrongCode));
        assert_eq!(rule_of("0812345678", None, 3), Some(Rule::WrongCode));
        assert_eq!(rule_of(&code, Some(Signals { trusted: false, ..touch() }), 3), Some(Rule::ScriptedPress));
    }
}
