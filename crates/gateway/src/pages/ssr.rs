//! The first screen as markup: the front end's own components, run here for pages that show the same to every visitor.
//!
//! A script of the front end's build renders them, in an engine that has neither network nor files nor clock. One thread renders for
//! all requests: one screen takes milliseconds and finished pages are cached. A page waits for its screen: a browser without scripts
//! could not draw it. When that takes too long, it is sent without one.

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rquickjs::{CatchResultExt, Context, Function, Runtime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::{
    mpsc::{self, error::TrySendError},
    oneshot,
};

use super::frame::{CarriedReply, by_address};

/// Screens that wait at most.
const QUEUE: usize = 32;

/// How long a page waits for its screen, and how long where an earlier one can take its place.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
pub(super) const SHORT_PATIENCE: Duration = Duration::from_millis(300);

/// A call of the script that takes longer than this is interrupted.
const LIMIT: Duration = Duration::from_secs(2);

/// The most memory that the engine takes.
const MEMORY: usize = 64 * 1024 * 1024;

/// The engine's own stack, and the thread's around it: components call each other deeply.
const STACK: usize = 2 * 1024 * 1024;
const THREAD_STACK: usize = 4 * 1024 * 1024;

/// What is rendered.
#[derive(Serialize)]
pub(super) struct Screen<'a> {
    boot: Map<String, Value>,
    address: &'a str,
    replies: BTreeMap<&'a str, &'a RawValue>,
    /// What went wrong with a form that was sent, and what its field held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msisdn: Option<String>,
    /// Whether the visitor has just left.
    pub left: bool,
    /// Replies about the visitor's own session.
    pub own: BTreeMap<&'a str, &'a RawValue>,
    /// Whether it is for browsers without scripts alone, which will not take it over.
    pub plain: bool,
}

impl<'a> Screen<'a> {
    /// The first screen at an address, with these replies.
    pub fn of(boot: Map<String, Value>, address: &'a str, replies: &'a [CarriedReply]) -> Self {
        Self {
            boot,
            address,
            replies: by_address(replies),
            problem: None,
            msisdn: None,
            left: false,
            own: BTreeMap::new(),
            plain: false,
        }
    }
}

/// How a brand looks before anything is rendered.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// Its colours as a stylesheet's rules.
    pub css: String,
    /// The name of its face, and whether it is light or dark: what the shared stylesheet chooses by.
    pub face: String,
    pub tone: String,
}

/// A call of one of the script's functions.
struct Job {
    function: &'static str,
    input: String,
    /// When nothing waits for its result any more.
    until: Instant,
    /// Takes the result; `None` where the call failed.
    done: Box<dyn FnOnce(Option<String>) + Send>,
}

/// The thread that renders.
pub(super) struct Renderer {
    jobs: Option<mpsc::Sender<Job>>,
}

impl Renderer {
    /// The script's name in the front end's folder.
    pub const FILE: &str = "server/first-screen.js";

    /// Starts the thread with a script. A front end without one renders in the browser alone.
    pub fn load(script: &Path) -> io::Result<Self> {
        let script = match std::fs::read_to_string(script) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self { jobs: None }),
            read => read?,
        };
        let engine = Engine::start(&script).map_err(io::Error::other)?;
        let (jobs, mut queue) = mpsc::channel::<Job>(QUEUE);
        // It ends with the last sender.
        thread::Builder::new().name("first-screen".to_owned()).stack_size(THREAD_STACK).spawn(move || {
            let mut engine = Some(engine);
            while let Some(job) = queue.blocking_recv() {
                if job.until < Instant::now() {
                    continue;
                }
                let given = match &engine {
                    Some(engine) => engine.call(job.function, job.input),
                    None => Err("the engine did not start".to_owned()),
                };
                if let Err(cause) = &given {
                    tracing::error!(cause, "{} failed", job.function);
                    // A failed call may have left its state behind: the next one gets an engine of its own.
                    engine = Engine::start(&script).ok();
                }
                (job.done)(given.ok());
            }
        })?;
        Ok(Self { jobs: Some(jobs) })
    }

    /// A brand's look, by what its page knows; waits for it. Nothing where the front end leaves that to the browser.
    pub fn look(&self, boot: &Map<String, Value>) -> io::Result<Option<Look>> {
        let Some(jobs) = &self.jobs else { return Ok(None) };
        let (done, given) = std::sync::mpsc::channel();
        let until = Instant::now() + LIMIT;
        let mut job = Job {
            function: "firstLook",
            input: serde_json::to_string(boot)?,
            until,
            done: Box::new(move |look| {
                let _ = done.send(look);
            }),
        };
        // Screens are rendered meanwhile, where brands change while pages are served.
        while let Err(refused) = jobs.try_send(job) {
            match refused {
                TrySendError::Full(back) if Instant::now() < until => job = back,
                _ => return Err(io::Error::other("it is busy")),
            }
            thread::sleep(Duration::from_millis(5));
        }
        let look = given.recv().ok().flatten().ok_or_else(|| io::Error::other("it gives no look"))?;
        Ok(Some(serde_json::from_str(&look)?))
    }

    /// The screen's markup; empty where the front end has no script for it, nothing where it could not be rendered in time.
    pub async fn render(&self, screen: &Screen<'_>, patience: Duration) -> Option<String> {
        let Some(jobs) = &self.jobs else { return Some(String::new()) };
        let (done, given) = oneshot::channel();
        let job = Job {
            function: "firstScreen",
            input: serde_json::to_string(screen).ok()?,
            until: Instant::now() + patience,
            done: Box::new(move |markup| {
                let _ = done.send(markup);
            }),
        };
        let rendered = async {
            jobs.send(job).await.ok()?;
            given.await.ok()?
        };
        tokio::time::timeout(patience, rendered).await.ok()?
    }
}

/// The engine with the script in it.
struct Engine {
    context: Context,
    /// When the call under way began.
    began: Arc<Mutex<Instant>>,
}

impl Engine {
    fn start(script: &str) -> Result<Self, String> {
        let told = |error: rquickjs::Error| error.to_string();
        let runtime = Runtime::new().map_err(told)?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let began = Arc::new(Mutex::new(Instant::now()));
        let since = began.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || {
            since.lock().unwrap_or_else(PoisonError::into_inner).elapsed() > LIMIT
        })));
        let context = Context::full(&runtime).map_err(told)?;
        context.with(|ctx| ctx.eval::<(), _>(script).catch(&ctx).map_err(|error| error.to_string()))?;
        Ok(Self { context, began })
    }

    fn call(&self, function: &str, input: String) -> Result<String, String> {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
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
        renderer.render(&Screen::of(Map::new(), address, &[]), PATIENCE).await
    }

    #[tokio::test]
    async fn render_answers_with_markup_and_a_failed_call_does_not_affect_the_next() {
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
            // The failing call may still be running. The next one has an engine of its own.
            testkit::eventually("the next screen", async || {
                render(&renderer, "/after").await.is_some_and(|markup| markup == "<p>/after nothing</p>")
            })
            .await;
        }
    }

    #[test]
    fn a_brands_look_is_the_scripts_too() {
        let boot = Map::from_iter([("theme".to_owned(), "#123".into())]);
        let look = renderer(
            "globalThis.firstLook = (boot) => JSON.stringify({ css: JSON.parse(boot).theme, face: 'loud', tone: 'dark' })",
        );
        let look = look.look(&boot).unwrap().unwrap();
        assert_eq!((look.css.as_str(), look.face.as_str(), look.tone.as_str()), ("#123", "loud", "dark"));
        assert!(renderer("globalThis.firstLook = () => 'no look'").look(&boot).is_err());
    }

    #[tokio::test]
    async fn a_front_end_may_have_no_script_but_not_a_broken_one() {
        let none = Renderer::load(Path::new("/nowhere/first-screen.js")).unwrap();
        assert_eq!(render(&none, "/").await.unwrap(), "");
        assert!(none.look(&Map::new()).unwrap().is_none());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "this is no script").unwrap();
        assert!(Renderer::load(file.path()).is_err());
    }
}
