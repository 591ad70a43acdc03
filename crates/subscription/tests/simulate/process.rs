//! One process of the service: its tasks and handlers, on this thread, until it crashes.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    rc::Rc,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{App, http::header, test};
use async_trait::async_trait;
use futures_util::{FutureExt, future::LocalBoxFuture};
use rand::seq::IndexedRandom;
use reqwest::Request;
use service::machine;
use subscription::{Config, NoReply, Reply, Transport};
use tokio::{
    sync::{mpsc::UnboundedSender, oneshot},
    task::LocalSet,
};

use crate::world::{Event, Purpose, World, seconds};

/// `CHARGE_TIMEOUT_MS`, and that of all other calls but lists.
const TIMEOUT: Duration = Duration::from_secs(5);

pub fn timeout_of(request: &Request) -> Duration {
    request.timeout().copied().unwrap_or(TIMEOUT)
}

/// A message of a process to the world; they arrive in their order.
pub enum Message {
    /// A request to a network.
    Request(Box<Request>, oneshot::Sender<Result<Reply, NoReply>>),
    /// The answer to a call.
    Answer(u64, Answer),
}

/// The answer of a process.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    pub cookies: Vec<(String, String)>,
}

/// HTTP to the networks.
struct Wire(UnboundedSender<Message>);

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: Request) -> Result<Reply, NoReply> {
        let timeout = timeout_of(&request);
        let (reply, answer) = oneshot::channel();
        let _ = self.0.send(Message::Request(Box::new(request), reply));
        match tokio::time::timeout(timeout, answer).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(NoReply::Cut("the connection was cut".to_owned())),
            Err(_) => Err(NoReply::TimedOut("no reply in time".to_owned())),
        }
    }
}

type Handler = Rc<dyn Fn(test::TestRequest) -> LocalBoxFuture<'static, Answer>>;

pub struct Process {
    tasks: LocalSet,
    handler: Handler,
    messages: UnboundedSender<Message>,
}

impl Process {
    /// Starts it; none where it crashed at its start.
    pub async fn start(config: &Config, messages: &UnboundedSender<Message>) -> Option<Self> {
        let tasks = LocalSet::new();
        let wire: Arc<dyn Transport> = Arc::new(Wire(messages.clone()));
        let started = async {
            let app = subscription::start_tasks(config, Some(wire)).await.expect("the service starts");
            let handlers = App::new().configure(|routes| subscription::configure(routes, &app));
            let handlers = Rc::new(test::init_service(handlers).await);
            let handler: Handler = Rc::new(move |request| {
                let handlers = handlers.clone();
                async move {
                    let answer = match test::try_call_service(&*handlers, request.to_request()).await {
                        Ok(response) => response.map_into_boxed_body().into_parts().1,
                        Err(error) => error.error_response(),
                    };
                    let cookies = answer.headers().get_all(header::SET_COOKIE).filter_map(|cookie| {
                        let (name, value) = cookie.to_str().ok()?.split(';').next()?.split_once('=')?;
                        Some((name.to_owned(), value.to_owned()))
                    });
                    let (status, cookies) = (answer.status().as_u16(), cookies.collect());
                    let body = actix_web::body::to_bytes(answer.into_body()).await.unwrap_or_default().to_vec();
                    Answer { status, body, cookies }
                }
                .boxed_local()
            });
            handler
        };
        let handler = {
            let mut starting = pin!(tasks.run_until(started));
            poll_fn(|cx| match starting.as_mut().poll(cx) {
                Poll::Ready(handler) => Poll::Ready(Some(handler)),
                Poll::Pending if machine::take_abort() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            })
            .await?
        };
        Some(Self { tasks, handler, messages: messages.clone() })
    }

    /// Calls a handler; its answer is a message, unless the process crashes before.
    pub fn call(&self, id: u64, request: test::TestRequest) {
        let (answer, messages) = ((self.handler)(request), self.messages.clone());
        self.tasks.spawn_local(async move {
            let _ = messages.send(Message::Answer(id, answer.await));
        });
    }

    /// Lets its tasks run; whether it has crashed.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        let _ = Pin::new(&mut self.tasks).poll(cx);
        machine::take_abort()
    }
}

impl World {
    pub async fn restart(&mut self, process: usize) {
        let started = Process::start(&self.config, &self.sender).await;
        self.note(format_args!(
            "process {process} {}",
            if started.is_some() { "starts" } else { "crashes at its start" }
        ));
        if started.is_none() {
            self.later(seconds(2), Event::Restart(process));
        }
        self.processes[process] = started;
    }

    pub fn crash(&mut self, process: usize) {
        self.processes[process] = None;
        // Its messages from before have arrived.
        while let Ok(message) = self.messages.try_recv() {
            self.hear(message);
        }
        self.note(format_args!("process {process} crashes"));
        let cut: Vec<u64> = self.calls.iter().filter(|(_, (of, _))| *of == process).map(|(id, _)| *id).collect();
        for id in cut {
            self.answered(id, None);
        }
        let pause = self.millis(30_000);
        self.later(pause, Event::Restart(process));
    }

    fn process(&mut self) -> Option<usize> {
        let up: Vec<usize> = (0..self.processes.len()).filter(|n| self.processes[*n].is_some()).collect();
        up.choose(&mut self.rng).copied()
    }

    pub fn call(&mut self, request: test::TestRequest, purpose: Purpose) {
        self.count += 1;
        let id = self.count;
        let process = self.process();
        self.calls.insert(id, (process.unwrap_or(usize::MAX), purpose));
        match process.and_then(|process| self.processes[process].as_ref()) {
            Some(process) => process.call(id, request),
            None => self.answered(id, None),
        }
    }
}
