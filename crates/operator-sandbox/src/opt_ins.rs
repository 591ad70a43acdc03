//! Opt-ins: the other side asks for a page, a person answers on it, the answer is kept and sent.

use actix_web::{
    HttpResponse,
    web::{Json, Path},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use brands::{NetworkOffer, Parts, Period, Shape};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::Msisdn;
use operator::{NamedService, OptInEvent, OptInKind, OptInReply, OptInRequest, OptInStatus};
use serde::{Serialize, de::DeserializeOwned};
use store::DbConnection;
use url::Url;

use crate::{
    App,
    behaviour::Behaviour,
    error::Error,
    notifications::{self, Event, Notice},
    push,
    schema::opt_ins,
    subscriptions::Subscription,
};

/// How long a page waits for its answer.
const LIFE: TimeDelta = TimeDelta::days(5);

const PENDING: &str = "pending";

/// One page that a person is asked to answer.
#[derive(Clone, Insertable, Queryable)]
#[diesel(table_name = opt_ins)]
pub(crate) struct OptIn {
    pub reference: String,
    kind: String,
    status: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub service: String,
    pub price_cents: i64,
    ext_ref: String,
    /// The other side's name of its try; none where the page was opened at this network.
    partner_ref: Option<String>,
    return_url: String,
    created_at: NaiveDateTime,
    decided_at: Option<NaiveDateTime>,
    subscription_id: Option<i64>,
    /// The network of the page; empty in rows from before it was kept.
    pub network: String,
    /// How often the price is charged.
    pub period: String,
    /// The day of the first charge, where the days before it are free; else empty.
    pub first_charge: String,
    /// The amounts of part charges, such as `300,200,100`.
    pub parts: String,
    /// The other side's token of protection against fraud; empty: none.
    anti_fraud_token: String,
}

/// What became of an opt-in, with what a test wants to see of its request.
#[derive(Serialize)]
pub(crate) struct KnownOptIn {
    #[serde(flatten)]
    status: operator::OptIn,
    anti_fraud_token: String,
}

/// Makes a page for a person and tells where it is.
pub(crate) async fn create(app: App, request: Json<OptInRequest>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Created().json(begin(&app, request.into_inner()).await?))
}

/// Makes a page for a person.
pub(crate) async fn begin(app: &App, request: OptInRequest) -> Result<OptInReply, Error> {
    // Without a number, its page asks for it.
    let name = match request.msisdn.as_str() {
        "" => String::new(),
        number => app.named_on_page(request.svc_id, number)?,
    };
    app.brand(request.svc_id)?;
    app.begin_call(request.svc_id).await?;
    let opt_in = OptIn::new(app, &name, request)?;
    let reply = OptInReply { reference: opt_in.reference.clone(), redirect_url: opt_in.page_url(app) };
    app.db.write(move |conn| opt_in.insert(conn)).await?;
    Ok(reply)
}

/// What became of an opt-in.
pub(crate) async fn get_opt_in(app: App, reference: Path<String>) -> Result<Json<KnownOptIn>, Error> {
    let status = status(&app, reference.clone()).await?;
    let OptIn { anti_fraud_token, .. } = app.db.run(move |conn| OptIn::find(conn, &reference)).await?;
    Ok(Json(KnownOptIn { status, anti_fraud_token }))
}

/// What became of an opt-in, as its network tells it.
pub(crate) async fn status(app: &App, reference: String) -> Result<operator::OptIn, Error> {
    let now = app.clock.now();
    let (svc_id, mut reply) = app
        .db
        .run(move |conn| {
            let opt_in = OptIn::find(conn, &reference)?;
            let subscription = match opt_in.subscription_id {
                Some(id) => Subscription::find(conn, id)?,
                None => None,
            };
            let status = opt_in.answer()?;
            let reply = operator::OptIn {
                user_msisdn: (status != OptInStatus::Pending).then_some(opt_in.msisdn.clone()),
                kind: opt_in.kind()?,
                status,
                decided_at: opt_in.decided_at.map(|at| at.and_utc()),
                network_subscription_id: opt_in.subscription_id.map(|id| id.to_string()),
                active: subscription.is_some_and(|subscription| subscription.is_known(now)),
                reference: opt_in.reference,
            };
            Ok::<_, Error>((opt_in.svc_id, reply))
        })
        .await?;
    reply.active &= !app.begin_call(svc_id).await?.refuse_all;
    Ok(reply)
}

impl OptIn {
    /// As the other side asks for it.
    fn new(app: &App, name: &str, request: OptInRequest) -> Result<Self, Error> {
        let return_url = Url::parse(&request.return_url).map_err(|_| Error::BadReturnUrl)?;
        if !matches!(return_url.scheme(), "http" | "https") {
            return Err(Error::BadReturnUrl);
        }
        Ok(Self {
            reference: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 18]>()),
            kind: word(&request.kind)?,
            status: PENDING.to_owned(),
            msisdn: name.to_owned(),
            network: app.network_of(request.svc_id).unwrap_or_default(),
            svc_id: request.svc_id,
            service: request.service,
            price_cents: request.price_cents,
            period: if request.period.is_empty() { Period::Day.as_str().to_owned() } else { request.period },
            first_charge: request.first_charge,
            anti_fraud_token: request.anti_fraud_token,
            parts: Parts::try_from(request.parts).map_err(|_| Error::BadAmount)?.to_string(),
            ext_ref: request.ext_ref,
            partner_ref: Some(request.subscription_id),
            return_url: return_url.into(),
            created_at: app.clock.now(),
            decided_at: None,
            subscription_id: None,
        })
    }

    /// As a visitor of this network asks for it, without the other side.
    pub fn begun_here(app: &App, msisdn: &Msisdn, svc_id: i32) -> Result<Self, Error> {
        let (brand, _) = app.brand(svc_id)?;
        // A visitor is on the network of the number.
        let by_range = app.brands.network_by_range(msisdn.as_str());
        let of_number = by_range.filter(|network| brand.offer_on(network).is_some());
        let offer =
            of_number.as_ref().and_then(|network| brand.offer_on(network)).map_or(brand.offer, NetworkOffer::offer);
        let app = &of_number.map_or_else(|| Ok(app.clone()), |network| app.at(&network))?;
        let request = OptInRequest {
            msisdn: msisdn.as_str().to_owned(),
            svc_id,
            service: brand.name.clone(),
            price_cents: offer.price_cents,
            period: offer.period.as_str().to_owned(),
            // The other side knows who has had free days, and takes no consent to parts from here.
            first_charge: String::new(),
            parts: Vec::new(),
            ext_ref: String::new(),
            anti_fraud_token: String::new(),
            subscription_id: String::new(),
            return_url: format!("{}/DoiRedirect", app.brands.public_url(&brand, brand.label(), app.public_port)),
            kind: OptInKind::OptIn,
        };
        let name = app.named_on_page(svc_id, msisdn.as_str())?;
        Ok(Self { partner_ref: None, ..Self::new(app, &name, request)? })
    }

    /// Keeps it.
    pub fn insert(&self, conn: &mut DbConnection) -> Result<(), Error> {
        diesel::insert_into(opt_ins::table).values(self).execute(conn)?;
        Ok(())
    }

    /// Names the subscriber of an opt-in whose page asks for the number; one that has a subscriber stays as it is.
    pub fn name(app: &App, conn: &mut DbConnection, reference: &str, msisdn: &Msisdn) -> Result<Self, Error> {
        let opt_in = Self::find(conn, reference)?;
        let name = app.name_at(&opt_in.network, msisdn);
        let unnamed = opt_ins::table.filter(opt_ins::reference.eq(reference).and(opt_ins::msisdn.eq("")));
        diesel::update(unnamed).set(opt_ins::msisdn.eq(&name)).execute(conn)?;
        Self::find(conn, reference)
    }

    /// The opt-in of this reference.
    pub fn find(conn: &mut DbConnection, reference: &str) -> Result<Self, Error> {
        // No reference has other characters, and PostgreSQL refuses to even look for some of them.
        if !reference.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
            return Err(Error::UnknownOptIn);
        }
        opt_ins::table.find(reference).first(conn).optional()?.ok_or(Error::UnknownOptIn)
    }

    /// Where the person answers.
    pub fn page_url(&self, app: &App) -> String {
        format!("{}/opt-in/{}", app.public_url, self.reference)
    }

    /// What is asked.
    pub fn kind(&self) -> Result<OptInKind, Error> {
        of_word(&self.kind)
    }

    /// What was answered.
    pub fn answer(&self) -> Result<OptInStatus, Error> {
        of_word(&self.status)
    }

    /// Whether it waited in vain for too long.
    pub fn has_expired(&self, now: NaiveDateTime) -> bool {
        self.status == PENDING && now > self.created_at + LIFE
    }

    /// Where the person goes on, with what the other side needs to know them by.
    pub fn return_address(&self) -> Result<String, Error> {
        let mut url = Url::parse(&self.return_url).map_err(|_| Error::BadReturnUrl)?;
        // An opt-in begun at this network has no reference of the other side's; the network's own id replaces it.
        let subscription_id = match (&self.partner_ref, self.subscription_id) {
            (Some(partner_ref), _) => partner_ref.clone(),
            (None, Some(id)) => id.to_string(),
            (None, None) => String::new(),
        };
        // A token is in no address: addresses are kept in histories and logs.
        if Msisdn::parse(&self.msisdn).is_ok() {
            url.query_pairs_mut().append_pair("msisdn", &self.msisdn);
        }
        url.query_pairs_mut().append_pair("subscription_id", &subscription_id).append_pair("ext_ref", &self.ext_ref);
        Ok(url.into())
    }

    /// Records the answer, does what it asks and tells the other side, all or nothing; an opt-in that was answered before stays as it is.
    /// The opt-in as it then stands.
    pub fn decide(app: &App, conn: &mut DbConnection, reference: &str, tapped: OptInStatus) -> Result<Self, Error> {
        let now = app.clock.now();
        let found = Self::find(conn, reference)?;
        // The page is at an address that all networks share.
        let of_network = if found.network.is_empty() { app.clone() } else { app.at(&found.network)? };
        let app = &of_network;
        let kind = found.kind()?;
        let declines = kind == OptInKind::OptIn && Behaviour::of(&found.msisdn) == Behaviour::DeclinesOptIn;
        let answer = if declines { OptInStatus::Declined } else { tapped };
        if found.has_expired(now) || found.msisdn.is_empty() {
            return Ok(found);
        }
        let waiting = opt_ins::table.filter(opt_ins::reference.eq(reference).and(opt_ins::status.eq(PENDING)));
        let status = word(&answer)?;
        let set = (opt_ins::status.eq(&status), opt_ins::decided_at.eq(now));
        if diesel::update(waiting).set(set).execute(conn)? == 0 {
            return Self::find(conn, reference);
        }
        let mut decided = Self { status, decided_at: Some(now), ..found };
        if answer == OptInStatus::Confirmed {
            decided.act(app, conn, kind, now)?;
        }
        decided.tell(app, conn, kind, answer, now)?;
        Ok(decided)
    }

    fn act(&mut self, app: &App, conn: &mut DbConnection, kind: OptInKind, now: NaiveDateTime) -> Result<(), Error> {
        match kind {
            OptInKind::OptIn => {
                let partner_ref = self.partner_ref.as_deref();
                let begun = Subscription::begin(app, conn, &self.msisdn, self.svc_id, &self.ext_ref, partner_ref, now)?;
                self.subscription_id = Some(begun.id);
                let this = opt_ins::table.find(&self.reference);
                diesel::update(this).set(opt_ins::subscription_id.eq(begun.id)).execute(conn)?;
                if app.brand(self.svc_id)?.1 == Shape::Push { push::begin(app, conn, begun, now) } else { Ok(()) }
            }
            OptInKind::Leave => {
                let running = Subscription::running(conn, &self.msisdn, Some(self.svc_id))?;
                let is_here = |one: &&Subscription| app.called.as_deref().is_none_or(|called| called == one.network);
                running.iter().filter(is_here).try_for_each(|one| one.end(app, conn))
            }
            OptInKind::Verify => Ok(()),
        }
    }

    /// A pull network tells of every answer; a push network tells of its subscriptions instead, where there are any.
    fn tell(
        &self,
        app: &App,
        conn: &mut DbConnection,
        kind: OptInKind,
        answer: OptInStatus,
        now: NaiveDateTime,
    ) -> Result<(), Error> {
        let (brand, shape) = app.brand(self.svc_id)?;
        if shape == Shape::Push && kind == OptInKind::OptIn && answer == OptInStatus::Confirmed {
            return Ok(());
        }
        let event = OptInEvent {
            event: "opt_in".to_owned(),
            kind,
            reference: self.reference.clone(),
            subscription_id: self.partner_ref.clone(),
            user_msisdn: self.msisdn.clone(),
            svc_id: NamedService::Id(self.svc_id),
            ext_ref: Some(self.ext_ref.clone()),
            status: answer,
            decided_at: Some(now.and_utc()),
            network_subscription_id: self.subscription_id.map(|id| id.to_string()),
        };
        let body = Event::OptIn(&event).written(app.adapter(&brand.network)?)?;
        notifications::put(conn, &[Notice::text(&brand.network, &self.msisdn, body)])
    }
}

/// The wire contract's word for a kind or an answer, which our table uses too.
fn word<T: Serialize>(value: &T) -> Result<String, Error> {
    let value = notifications::body(value)?;
    value.as_str().map(str::to_owned).ok_or_else(|| Error::Unwritable("not a word".to_owned()))
}

fn of_word<T: DeserializeOwned>(word: &str) -> Result<T, Error> {
    serde_json::from_value(word.into()).map_err(|error| Error::Unwritable(error.to_string()))
}
