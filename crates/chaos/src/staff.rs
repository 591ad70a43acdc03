//! Staff at the back office: an administrator who invites persons and pauses charges, and one of support who looks up numbers that have left, writes notes,
//! reveals numbers and gives charges back. What was acknowledged is in the audit log, whose chain is whole.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::Context;
use rand::{RngExt, rngs::StdRng};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::time::sleep;
use totp_rs::{Builder, Secret, Totp};

use crate::{
    browser::{Browser, CallOutcome, Reply},
    results::print_line,
    run::Run,
    subscriber::{Subscriber, WriteState},
};

/// The checks that are made here.
const ACTS_LOGGED: &str = "every acknowledged act of staff is in the audit log, whose chain is whole";
const WRITES_KEPT: &str = "every acknowledged write is kept";
const NO_REFUSAL: &str = "no valid request is refused";

/// Time between two acts, in milliseconds.
const THINK_TIME_MS: std::ops::Range<u64> = 200..1000;

/// Of the random numbers of the run; visitors have the small ones.
const TASK: u64 = 1 << 32;

const PASSWORD: &str = "correct horse battery staple";

/// A browser of a member of staff, with the authenticator.
struct Account {
    browser: Browser,
    totp: Totp,
}

impl Account {
    /// Proves the second factor again.
    async fn prove(&self) -> Option<Reply> {
        self.browser.send(Method::POST, "/api/second-factor", &json!({})).await.reply()?;
        let proof = json!({ "code": code(&self.totp).ok()? });
        let reply = self.browser.send(Method::POST, "/api/session/second-factor", &proof).await.reply()?;
        Some(reply).filter(|reply| reply.status == 200)
    }
}

/// An act that was acknowledged.
struct Act {
    /// Its name in the audit log.
    action: &'static str,
    /// What that entry has, and no other.
    mark: String,
}

/// A note that was acknowledged.
struct Note {
    msisdn: String,
    text: String,
}

/// The two members of staff, and what they did.
pub(crate) struct Staff {
    run: Rc<Run>,
    administrator: Account,
    support: Account,
    acts: RefCell<Vec<Act>>,
    notes: RefCell<Vec<Note>>,
}

impl Staff {
    /// Makes both accounts, before the first fault.
    pub async fn join(run: &Rc<Run>) -> anyhow::Result<Self> {
        let administrator = accept(Browser::of_staff(run.clone()), &run.family.first_administrators_link()?).await?;
        let invitation = invitation("support@spaza.example", "support");
        let invited = expect(administrator.browser.send(Method::POST, "/api/invitations", &invitation).await, 201)?;
        let invited = invited.json();
        let link = invited.get("link").and_then(Value::as_str).context("an invitation has no link")?;
        let support = accept(Browser::of_staff(run.clone()), link).await?;
        run.family.grant("support@spaza.example", "support")?;
        Ok(Self { run: run.clone(), administrator, support, acts: RefCell::default(), notes: RefCell::default() })
    }

    /// The request of the first screen.
    pub fn overview(&self) -> RequestBuilder {
        self.support.browser.request(Method::GET, "/api/overview")
    }

    /// Works until the run is over.
    pub async fn work_until_over(self: Rc<Self>, subscribers: Rc<RefCell<Vec<Subscriber>>>) {
        let mut rng = self.run.rng(TASK);
        for number in 0_usize.. {
            sleep(Duration::from_millis(rng.random_range(THINK_TIME_MS))).await;
            if self.run.is_over() {
                return;
            }
            let msisdn = pick_number(&subscribers.borrow(), &mut rng);
            match msisdn.filter(|_| !rng.random_ratio(1, 5)) {
                Some(msisdn) => self.work_on(&msisdn, &mut rng, number).await,
                None => self.invite(number).await,
            }
        }
    }

    async fn invite(&self, number: usize) {
        let email = format!("person{number}@spaza.example");
        let invitation = invitation(&email, "editor");
        if self.call(&self.administrator, "/api/invitations", &invitation, 201).await.is_some() {
            self.add_act("staff.invited", email);
        }
    }

    async fn work_on(&self, msisdn: &str, rng: &mut StdRng, number: usize) {
        let search = json!({ "number": msisdn });
        let Some(found) = self.call(&self.support, "/api/support/search", &search, 200).await else { return };
        let record = found.json();
        let Some(token) = record.get("ref").and_then(Value::as_str) else { return };
        let (path, reason) = (format!("/api/support/{token}"), format!("call {number:06}"));
        match rng.random_range(0..3) {
            0 => {
                let reply =
                    self.call(&self.support, &format!("{path}/reveal"), &json!({ "reason": reason }), 200).await;
                if let Some(reply) = reply {
                    self.add_act("number.revealed", reason);
                    if reply.json().get("number").is_none_or(|shown| shown != msisdn) {
                        self.run.results.violate(WRITES_KEPT, format!("the record of {msisdn} has another number"));
                    }
                }
            }
            1 => {
                let note = json!({ "kind": "note", "text": reason });
                if self.call(&self.support, &format!("{path}/notes"), &note, 204).await.is_some() {
                    self.notes.borrow_mut().push(Note { msisdn: msisdn.to_owned(), text: reason });
                }
            }
            _ => {
                let mut entries = record.get("timeline").and_then(Value::as_array).into_iter().flatten();
                let refundable = entries.find(|entry| entry.get("refundable").is_some_and(|is| is == true));
                let Some(ledger_id) = refundable.and_then(|entry| entry.get("ledger_id")) else { return };
                let order = json!({ "ledger_ids": [ledger_id], "reason": reason });
                let reply = self.call(&self.support, &format!("{path}/refund"), &order, 200).await;
                if let Some(reply) = reply {
                    // Beyond a limit it waits for a second person.
                    let waits = reply.json().get("state").is_some_and(|state| state == "waits");
                    self.add_act(if waits { "refund.requested" } else { "refund.made" }, reason);
                }
            }
        }
    }

    /// Pauses all charges, or resumes them: `call` is "pause" or "resume". Whether that was acknowledged.
    pub async fn change_charges(&self, call: &str) -> bool {
        let reason = format!("{call} {}", self.acts.borrow().len());
        let order = json!({ "reason": reason });
        let reply = self.call(&self.administrator, &format!("/api/charges/{call}"), &order, 200).await;
        if reply.is_some() {
            self.add_act(if call == "pause" { "charges.paused" } else { "charges.resumed" }, reason);
        }
        reply.is_some()
    }

    fn add_act(&self, action: &'static str, mark: String) {
        self.acts.borrow_mut().push(Act { action, mark });
    }

    /// The reply with this status; 409 is another answer to a request that came too late, and everything else is a fault.
    async fn call(&self, account: &Account, path: &str, body: &Value, status: u16) -> Option<Reply> {
        let mut reply = account.browser.send(Method::POST, path, body).await.reply()?;
        if reply.json().get("type").is_some_and(|kind| kind == "urn:spaza:problem:second-factor") {
            account.prove().await?;
            reply = account.browser.send(Method::POST, path, body).await.reply()?;
        }
        if reply.status == status {
            return Some(reply);
        }
        if reply.status != 409 {
            self.run.results.violate(NO_REFUSAL, format!("{path} of staff: {}", reply.summary()));
        }
        None
    }

    /// Checks the audit log and the notes.
    pub async fn check_acts(&self) -> anyhow::Result<()> {
        let results = &self.run.results;
        let check = expect(self.administrator.browser.get("/api/audit/check").await, 200)?.json();
        if check.get("intact").is_none_or(|intact| intact != true) {
            results.violate(ACTS_LOGGED, format!("the chain is broken: {check}"));
        }
        let export = expect(self.administrator.browser.get("/api/audit/export").await, 200)?;
        let log = String::from_utf8_lossy(&export.bytes).into_owned();
        let (acts, notes) = (self.acts.take(), self.notes.take());
        for Act { action, mark } in &acts {
            let (action, mark) = (format!("\"{action}\""), format!("\"{mark}\""));
            let entries = log.lines().filter(|line| line.contains(&action) && line.contains(&mark)).count();
            if entries != 1 {
                results.violate(ACTS_LOGGED, format!("{action} of {mark} has {entries} entries"));
            }
        }
        let noted = log.lines().filter(|line| line.contains("\"note.added\"")).count();
        if noted < notes.len() {
            results.violate(ACTS_LOGGED, format!("{} notes were acknowledged, and {noted} are logged", notes.len()));
        }
        for Note { msisdn, text } in &notes {
            let search = json!({ "number": msisdn });
            let record =
                expect(self.support.browser.send(Method::POST, "/api/support/search", &search).await, 200)?.json();
            let mut kept = record.get("notes").and_then(Value::as_array).into_iter().flatten();
            if !kept.any(|note| note.get("text").is_some_and(|kept| kept == text.as_str())) {
                results.violate(WRITES_KEPT, format!("the note {text:?} on {msisdn} is lost"));
            }
        }
        let entries = check.get("entries").and_then(Value::as_i64).unwrap_or_default();
        let seconds = results.now().as_secs_f64();
        let counts =
            format!("{entries} entries of the audit log, {} acts and {} notes of staff", acts.len(), notes.len());
        print_line(&format!("{seconds:7.1} s  checked {counts}"));
        Ok(())
    }
}

/// A number whose visitor is done with it and has left: its subscription is no visitor's any more.
fn pick_number(subscribers: &[Subscriber], rng: &mut StdRng) -> Option<String> {
    let left: Vec<_> = subscribers.iter().filter(|one| one.left == WriteState::Acknowledged).collect();
    left.get(rng.random_range(0..left.len().max(1))).map(|one| one.msisdn.clone())
}

fn invitation(email: &str, role: &str) -> Value {
    json!({ "email": email, "name": "Chaos", "roles": [role] })
}

/// Makes the account of an invitation's link.
async fn accept(browser: Browser, link: &str) -> anyhow::Result<Account> {
    let (_, token) = link.rsplit_once("/invitation/").context("no invitation's link")?;
    let path = format!("/api/invitations/{token}");
    let shown = expect(browser.get(&path).await, 200)?.json();
    let secret = shown.get("totp_secret").and_then(Value::as_str).context("an invitation without a second factor")?;
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret)?).build()?;
    let account = json!({ "name": "Chaos", "password": PASSWORD, "code": code(&totp)? });
    expect(browser.send(Method::POST, &path, &account).await, 201)?;
    Ok(Account { browser, totp })
}

fn code(totp: &Totp) -> anyhow::Result<String> {
    Ok(totp.generate(u64::try_from(chrono::Utc::now().timestamp())?).to_string())
}

fn expect(outcome: CallOutcome, status: u16) -> anyhow::Result<Reply> {
    let reply = outcome.reply().context("the back office does not answer")?;
    if reply.status != status {
        anyhow::bail!("the back office answers {}", reply.summary());
    }
    Ok(reply)
}
