//! Server-side rendering: renders the first screen with the front end's components, for pages that are the same for every visitor.
//!
//! A script of the front end's build renders them in a JavaScript engine without network, files or clock. One thread renders for all
//! requests: a screen takes milliseconds, and rendered pages are cached. A page waits for its screen, which browsers without scripts need;
//! if rendering takes too long, the page is sent without it. An address has one screen at a time in the queue, since what it asks for decides
//! what is rendered: its own next page waits, and no other visitor's.

use std::{
    collections::BTreeMap,
    io,
    net::IpAddr,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use moka::sync::Cache;
use rquickjs::{CatchResultExt, Context, Function, Runtime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::{
    mpsc::{self, error::TrySendError},
    oneshot,
};

use super::{
    HeldJoin,
    frame::{EmbeddedReply, by_address},
};
use crate::rates::client_prefix;

/// The most queued screens.
const QUEUE: usize = 32;

/// The timeout of a page's screen, without and with an older page to serve instead.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
pub(super) const SHORT_TIMEOUT: Duration = Duration::from_millis(300);

/// The time limit of one call of the script.
const CALL_TIMEOUT: Duration = Duration::from_secs(2);

/// The engine's memory limit.
const MEMORY: usize = 64 * 1024 * 1024;

/// The stack sizes of the engine and of its thread: components nest deeply.
const STACK: usize = 2 * 1024 * 1024;
const THREAD_STACK: usize = 4 * 1024 * 1024;

/// The input of rendering.
#[derive(Serialize)]
pub(super) struct Screen<'a> {
    boot: Map<String, Value>,
    language: &'a str,
    address: &'a str,
    replies: BTreeMap<&'a str, &'a RawValue>,
    /// What was entered in a form that is shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msisdn: Option<String>,
    #[serde(flatten)]
    pub form: ShownForm,
    /// Whether the visitor has just unsubscribed.
    pub left: bool,
    /// Replies about the visitor's own session.
    pub own: BTreeMap<&'a str, &'a RawValue>,
    /// Where the visitor's own list continues: its next `?after=`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'a str>,
    /// Whether it will not be hydrated: more cards of a list fit.
    pub plain: bool,
}

/// The state of a form that is shown again, for its script as well.
#[derive(Default, Serialize)]
pub(super) struct ShownForm {
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The networks that a visitor chooses from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networks: Option<Box<RawValue>>,
    /// The challenge and code of a join that was held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldJoin>,
}

impl<'a> Screen<'a> {
    /// The first screen at an address in a language, with these replies.
    pub fn of(boot: Map<String, Value>, language: &'a str, address: &'a str, replies: &'a [EmbeddedReply]) -> Self {
        Self {
            boot,
            language,
            address,
            replies: by_address(replies),
            msisdn: None,
            form: ShownForm::default(),
            left: false,
            own: BTreeMap::new(),
            next: None,
            plain: false,
        }
    }
}

/// A brand's styles.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// Its colours as a stylesheet's rules.
    pub css: String,
    /// The font and the light or dark theme, for the shared stylesheet.
    pub face: String,
    pub tone: String,
}

/// A call of a function of the script.
struct Job {
    function: &'static str,
    input: String,
    /// When the caller's timeout ends.
    deadline: Instant,
    /// Receives the result; `None` if the call failed.
    respond: Box<dyn FnOnce(Option<String>) + Send>,
}

/// The rendering thread.
pub(super) struct Renderer {
    jobs: Option<mpsc::Sender<Job>>,
    /// The turns of addresses that have lately had a screen rendered.
    turns: Cache<IpAddr, Arc<tokio::sync::Mutex<()>>>,
}

/// How long an address's turns are remembered after its last screen: longer than a screen is waited for.
const TURNS_TTL: Duration = Duration::from_secs(60);
const MAX_TURNS: u64 = 100_000;

impl Renderer {
    /// The script's path in the front end's folder.
    pub const FILE: &str = "server/first-screen.js";

    /// Starts the thread with the script. A front end without one renders only in the browser.
    pub fn load(script: &Path) -> io::Result<Self> {
        let script = match std::fs::read_to_string(script) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::with(None)),
            read => read?,
        };
        let engine = Engine::start(&script).map_err(io::Error::other)?;
        let (jobs, mut queue) = mpsc::channel::<Job>(QUEUE);
        // The thread ends when the last sender is dropped.
        thread::Builder::new().name("first-screen".to_owned()).stack_size(THREAD_STACK).spawn(move || {
            let mut engine = Some(engine);
            while let Some(job) = queue.blocking_recv() {
                if job.deadline < Instant::now() {
                    continue;
                }
                let result = match &engine {
                    Some(engine) => engine.call(job.function, job.input),
                    None => Err("the engine did not start".to_owned()),
                };
                if let Err(cause) = &result {
                    tracing::error!(cause, "{} failed", job.function);
                    // A failed call may leave inconsistent state: the next one gets a new engine.
                    engine = Engine::start(&script).ok();
                }
                (job.respond)(result.ok());
            }
        })?;
        Ok(Self::with(Some(jobs)))
    }

    fn with(jobs: Option<mpsc::Sender<Job>>) -> Self {
        Self { jobs, turns: Cache::builder().max_capacity(MAX_TURNS).time_to_idle(TURNS_TTL).build() }
    }

    /// A brand's styles for its boot data; blocks. `None` if the front end has no script.
    pub fn look(&self, boot: &Map<String, Value>) -> io::Result<Option<Look>> {
        let Some(jobs) = &self.jobs else { return Ok(None) };
        let (respond, result) = std::sync::mpsc::channel();
        let deadline = Instant::now() + CALL_TIMEOUT;
        let mut job = Job {
            function: "firstLook",
            input: serde_json::to_string(boot)?,
            deadline,
            respond: Box::new(move |look| {
                let _ = respond.send(look);
            }),
        };
        // The queue may be full of screens, if brands change while pages are served.
        while let Err(refused) = jobs.try_send(job) {
            match refused {
                TrySendError::Full(back) if Instant::now() < deadline => job = back,
                _ => return Err(io::Error::other("it is busy")),
            }
            thread::sleep(Duration::from_millis(5));
        }
        let look = result.recv().ok().flatten().ok_or_else(|| io::Error::other("it gives no look"))?;
        Ok(Some(serde_json::from_str(&look)?))
    }

    /// The screen's markup for this client; empty if the front end has no script, `None` if rendering failed or timed out.
    pub async fn render(&self, screen: &Screen<'_>, client: IpAddr, timeout: Duration) -> Option<String> {
        let Some(jobs) = &self.jobs else { return Some(String::new()) };
        let (respond, result) = oneshot::channel();
        let job = Job {
            function: "firstScreen",
            input: serde_json::to_string(screen).ok()?,
            deadline: Instant::now() + timeout,
            respond: Box::new(move |markup| {
                let _ = respond.send(markup);
            }),
        };
        let turns = self.turns.get_with(client_prefix(client), Arc::default);
        let rendered = async {
            let _turn = turns.lock().await;
            jobs.send(job).await.ok()?;
            result.await.ok()?
        };
        tokio::time::timeout(timeout, rendered).await.ok()?
    }
}

/// The engine with the script.
struct Engine {
    context: Context,
    /// When the current call began; none while the script loads, which on a busy machine takes longer than a call may.
    began: Arc<Mutex<Option<Instant>>>,
}

impl Engine {
    fn start(script: &str) -> Result<Self, String> {
        let error_text = |error: rquickjs::Error| error.to_string();
        let runtime = Runtime::new().map_err(error_text)?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let began = Arc::new(Mutex::new(None::<Instant>));
        let since = began.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || {
            since.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|began| began.elapsed() > CALL_TIMEOUT)
        })));
        let context = Context::full(&runtime).map_err(error_text)?;
        context.with(|ctx| ctx.eval::<(), _>(script).catch(&ctx).map_err(|error| error.to_string()))?;
        Ok(Self { context, began })
    }

    fn call(&self, function: &str, input: String) -> Result<String, String> {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.context.with(|ctx| {
            let function: Function = ctx.globals().get(function).map_err(|error| error.to_string())?;
            function.call::<_, String>((input,)).catch(&ctx).map_err(|error| error.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renderer(script: &str) -> Renderer {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), script).unwrap();
        Renderer::load(file.path()).unwrap()
    }

    async fn render(renderer: &Renderer, address: &str) -> Option<String> {
        renderer.render(&Screen::of(Map::new(), "en", address, &[]), IpAddr::from([127, 0, 0, 1]), TIMEOUT).await
    }

    #[tokio::test]
    async fn render_returns_markup_after_a_failed_call() {
        let renderer = renderer(
            "let left = 'nothing'; globalThis.firstScreen = (input) => { const { address } = JSON.parse(input);
             if (address === '/leave') left = 'something';
             if (address === '/broken') throw new Error('broken');
             if (address === '/endless') for (;;);
             if (address === '/greedy') { const all = []; for (;;) all.push(new Array(100000).fill(1)); }
             return `<p>${address} ${left}</p>`; };",
        );
        for failing in ["/broken", "/greedy", "/endless"] {
            assert_eq!(render(&renderer, "/leave").await.unwrap(), "<p>/leave something</p>");
            assert_eq!(render(&renderer, failing).await, None, "{failing}");
            // The failing call may still be running; the next one has its own engine.
            testkit::eventually("the next screen", async || {
                render(&renderer, "/after").await.is_some_and(|markup| markup == "<p>/after nothing</p>")
            })
            .await;
        }
    }

    #[test]
    fn look_is_computed_by_the_script() {
        let boot = Map::from_iter([("theme".to_owned(), "#123".into())]);
        let look = renderer(
            "globalThis.firstLook = (boot) => JSON.stringify({ css: JSON.parse(boot).theme, face: 'loud', tone: 'dark' })",
        );
        let look = look.look(&boot).unwrap().unwrap();
        assert_eq!((look.css.as_str(), look.face.as_str(), look.tone.as_str()), ("#123", "loud", "dark"));
        assert!(renderer("globalThis.firstLook = () => 'no look'").look(&boot).is_err());
    }

    #[tokio::test]
    async fn load_accepts_a_missing_script_but_not_an_invalid_one() {
        let none = Renderer::load(Path::new("/nowhere/first-screen.js")).unwrap();
        assert_eq!(render(&none, "/").await.unwrap(), "");
        assert!(none.look(&Map::new()).unwrap().is_none());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "this is no script").unwrap();
        assert!(Renderer::load(file.path()).is_err());
    }
}
