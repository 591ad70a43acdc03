//! The lane beside the server: the calls of `proxy` and the films of `media` that nearly all are, answered by the same rules for a fraction
//! of the cost.

use actix_web::{
    http::{Method, StatusCode, header},
    web::Data,
};
use web::{Answer, Body, Lane, Plain, Problem, Taken};

use crate::{
    app::App,
    asked::Asked,
    cache::Kept,
    connections::Held,
    error::Error,
    guard::{self, HSTS},
    media::Film,
    peer::Client,
    proxy::{self, Found, NO_SNIFF},
    routes,
    upstreams::{Passing, Reply, Service},
};

/// What is answered here.
enum Asking {
    /// A service.
    Call(Service),
    /// The folder of films.
    Film(Film),
}

/// Calls of services, and films.
pub(crate) struct Beside(pub(crate) Data<App>);

impl Lane for Beside {
    /// What its sender may ask now. Whoever is refused, and whoever may have a copy already, is the server's.
    fn take<'a>(&'a self, req: &'a Plain) -> Option<Taken<'a>> {
        let app = &self.0;
        let called = routes::listed(req.place());
        if called.is_none() && !req.place().starts_with("/media/") {
            return None;
        }
        let is_conditional = req.has(&header::IF_NONE_MATCH) || req.has(&header::IF_MODIFIED_SINCE);
        let is_over = req.guest.as_ref().and_then(|guest| guest.downcast_ref::<Held>()).is_some_and(|held| held.over);
        // A trace's spans are the server's too.
        if *req.method() != Method::GET || is_conditional || is_over || telemetry::traced() {
            return None;
        }
        let client = Client::of(req, &app.proxies);
        guard::check(req).ok()?;
        let (route, asking) = match called {
            Some((route, service)) => {
                app.rates.count(client.addr).ok()?;
                (route, Asking::Call(service))
            }
            None => (routes::MEDIA, Asking::Film(Film::asked(req, app)?)),
        };
        let may_name = req.peer.is_some_and(|peer| app.proxies.contain(peer.ip()));
        let answer = Box::pin(async move {
            let answer = match asking {
                Asking::Call(service) => call(req, app, service, client).await,
                Asking::Film(film) => film.answer(app).await,
            };
            let mut answer = answer.unwrap_or_else(|error| Answer::problem(&error.problem()));
            if client.https {
                answer.add(header::STRICT_TRANSPORT_SECURITY.as_str(), HSTS.as_bytes());
            }
            answer
        });
        Some(Taken { route, may_name, answer })
    }
}

/// A service's answer, or a copy that is kept of it.
async fn call(req: &Plain, app: &App, service: Service, client: Client) -> Result<Answer, Error> {
    Ok(match proxy::find(req, app, service, client, &[]).await? {
        Found::Kept(kept) => of_kept(&kept),
        Found::Own(reply) => of_reply(reply),
    })
}

/// A reply that everybody may have.
fn of_kept(kept: &Kept) -> Answer {
    let mut answer = Answer::new(StatusCode::OK, Body::Whole(kept.body.clone()));
    for (name, value) in &kept.headers {
        add(&mut answer, name.as_str().as_bytes(), value.as_bytes());
    }
    add_no_sniff(answer)
}

/// A service's reply, passed on as it is; but for what failed without saying how.
fn of_reply(reply: Reply) -> Answer {
    let status = reply.status();
    if (status.is_client_error() || status.is_server_error()) && !proxy::is_problem(&reply) {
        return Answer::problem(&Problem::of_status(status));
    }
    let length = reply.length();
    let (lines, body) = reply.into_parts();
    let body = match body {
        _ if matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) => Body::None,
        Passing::Whole(bytes) => Body::Whole(bytes),
        Passing::Flowing(flowing) => Body::Flowing(length, Box::pin(flowing)),
    };
    let mut answer = Answer::new(status, body);
    for (name, value) in lines.iter() {
        add(&mut answer, name, value);
    }
    add_no_sniff(answer)
}

/// Adds a service's header, unless we say it ourselves.
fn add(answer: &mut Answer, name: &[u8], value: &[u8]) {
    if name != NO_SNIFF.0.as_str().as_bytes() {
        answer.add(name, value);
    }
}

fn add_no_sniff(mut answer: Answer) -> Answer {
    let (name, value) = NO_SNIFF;
    answer.add(name.as_str(), value.as_bytes());
    answer
}
