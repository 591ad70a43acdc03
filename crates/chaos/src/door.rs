//! A door with a fixed address before a process that comes and goes, and the weather on the way to it: slow, cut, or closed.

use std::{net::SocketAddr, time::Duration};

use testkit::Reserved;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream, tcp::OwnedReadHalf, tcp::OwnedWriteHalf},
    sync::watch,
    task::spawn_local,
};

/// What is read from a connection at once.
const CHUNK: usize = 16 * 1024;

/// How many bytes of a reply pass before it is cut: enough for a head to have begun.
const BEFORE_CUT: usize = 12;

/// Connections that wait to be taken in.
const BACKLOG: u32 = 1024;

/// How it is on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weather {
    /// Everything passes.
    Fair,
    /// Each piece of a reply takes so much longer.
    Slow(Duration),
    /// Nobody is let in, and who was in is thrown out.
    Refused,
    /// What is asked is done, and the reply breaks off.
    Cut,
}

#[derive(Clone, Copy)]
struct State {
    behind: Option<SocketAddr>,
    weather: Weather,
}

impl State {
    /// Where it leads; nowhere while it is closed.
    fn open(self) -> Option<SocketAddr> {
        self.behind.filter(|_| self.weather != Weather::Refused)
    }
}

/// One door.
pub(crate) struct Door {
    /// Where it hangs.
    pub addr: SocketAddr,
    state: watch::Sender<State>,
}

impl Door {
    /// Hangs a closed door at an address that stays its own.
    pub fn hang() -> Self {
        let place = Reserved::any();
        let addr = place.addr;
        let (state, seen) = watch::channel(State { behind: None, weather: Weather::Fair });
        spawn_local(async move {
            // Ends with the door.
            let _ = keep(&place, seen).await;
        });
        Self { addr, state }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Whom it leads to; nobody where there is none.
    pub fn lead_to(&self, behind: Option<SocketAddr>) {
        self.state.send_modify(|state| state.behind = behind);
    }

    /// Changes the weather.
    pub fn set(&self, weather: Weather) {
        self.state.send_modify(|state| state.weather = weather);
    }
}

/// Listens while the door is open: who comes to a closed one is refused, as where a process is gone.
async fn keep(place: &Reserved, mut seen: watch::Receiver<State>) -> anyhow::Result<()> {
    loop {
        if seen.borrow_and_update().open().is_none() {
            seen.changed().await?;
            continue;
        }
        let listener = listen(place.addr)?;
        loop {
            tokio::select! {
                came = listener.accept() => {
                    if let Ok((stream, _)) = came {
                        spawn_local(pass(stream, seen.clone()));
                    }
                }
                changed = seen.changed() => {
                    changed?;
                    if seen.borrow_and_update().open().is_none() {
                        break;
                    }
                }
            }
        }
    }
}

fn listen(addr: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    Ok(socket.listen(BACKLOG)?)
}

/// One connection, until either end closes it or the door does.
async fn pass(stream: TcpStream, mut seen: watch::Receiver<State>) {
    let Some(behind) = seen.borrow().open() else { return };
    let Ok(inside) = TcpStream::connect(behind).await else { return };
    let (_, _) = (stream.set_nodelay(true), inside.set_nodelay(true));
    let (from_client, to_client) = stream.into_split();
    let (from_server, to_server) = inside.into_split();
    let weather = seen.clone();
    let asking = spawn_local(carry(from_client, to_server));
    tokio::select! {
        () = answer(from_server, to_client, &weather) => {}
        _ = seen.wait_for(|state| state.open().is_none()) => {}
    }
    asking.abort();
}

/// What is asked passes in every weather: only whoever asked is to be in doubt.
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let _ = tokio::io::copy(&mut from, &mut to).await;
    let _ = to.shutdown().await;
}

async fn answer(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, seen: &watch::Receiver<State>) {
    let mut piece = vec![0; CHUNK];
    loop {
        let Ok(length) = from.read(&mut piece).await else { return };
        let weather = seen.borrow().weather;
        let passing = piece.get(..if weather == Weather::Cut { length.min(BEFORE_CUT) } else { length });
        if let Weather::Slow(delay) = weather {
            tokio::time::sleep(delay).await;
        }
        let sent = to.write_all(passing.unwrap_or_default()).await;
        if length == 0 || weather == Weather::Cut || sent.is_err() {
            let _ = to.shutdown().await;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends one line and reads what comes back.
    async fn ask(addr: SocketAddr) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(addr).await?;
        stream.write_all(b"a question that is long enough\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    #[test]
    fn weather_comes_between_who_asks_and_who_answers() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        tokio::task::LocalSet::new().block_on(&runtime, async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let behind = listener.local_addr().unwrap();
            spawn_local(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let mut heard = [0; 1024];
                    let length = stream.read(&mut heard).await.unwrap();
                    stream.write_all(&heard[..length]).await.unwrap();
                }
            });
            let door = Door::hang();
            assert!(ask(door.addr).await.is_err(), "a door that leads nowhere lets nobody in");
            door.lead_to(Some(behind));
            while TcpStream::connect(door.addr).await.is_err() {
                tokio::task::yield_now().await;
            }
            assert_eq!(ask(door.addr).await.unwrap(), "a question that is long enough\n");
            door.set(Weather::Cut);
            assert_eq!(ask(door.addr).await.unwrap(), "a question t");
            door.set(Weather::Slow(Duration::from_millis(300)));
            let asked = std::time::Instant::now();
            assert_eq!(ask(door.addr).await.unwrap(), "a question that is long enough\n");
            assert!(asked.elapsed() >= Duration::from_millis(300));
            door.set(Weather::Refused);
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert!(ask(door.addr).await.is_err());
        });
    }
}
