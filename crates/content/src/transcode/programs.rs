//! The runs of ffmpeg for a transcoding, which another thread can end.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::probe::last_line;

/// The interval at which the end of a program that has closed its output is looked for.
const PAUSE: Duration = Duration::from_millis(10);

/// The programs of a transcoding. Copies are of the same transcoding.
#[derive(Clone, Default)]
pub struct Programs(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    stopped: bool,
    count: u64,
    running: HashMap<u64, Child>,
}

impl Programs {
    /// Kills the programs that run; later ones do not start.
    pub fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        for program in state.running.values_mut() {
            // One that has ended by itself needs none.
            let _ = program.kill();
        }
    }

    /// Whether the transcoding was ended.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs ffmpeg to its end, and returns its messages; the last one is the error. `line` gets each line of its output.
    pub(super) fn run(&self, mut command: Command, line: &dyn Fn(&str)) -> Result<String, String> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (id, stdout, stderr) = {
            let mut state = self.state();
            if state.stopped {
                return Err("was stopped".to_owned());
            }
            let mut child = command.spawn().map_err(|error| format!("ffmpeg cannot be started: {error}"))?;
            let streams = (child.stdout.take(), child.stderr.take());
            state.count += 1;
            let id = state.count;
            state.running.insert(id, child);
            (id, streams.0, streams.1)
        };
        // Read beside, so that neither stream fills up.
        let complaints = std::thread::spawn(move || {
            let mut messages = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.read_to_end(&mut messages);
            }
            messages
        });
        if let Some(stdout) = stdout {
            for text in BufReader::new(stdout).lines().map_while(Result::ok) {
                line(&text);
            }
        }
        let status = loop {
            // Locked for each look alone: until it has ended, it can be killed.
            let ended = self.state().running.get_mut(&id).map(Child::try_wait);
            match ended {
                Some(Ok(None)) => std::thread::sleep(PAUSE),
                Some(Ok(Some(status))) => break status,
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("was stopped".to_owned()),
            }
        };
        self.state().running.remove(&id);
        let messages = complaints.join().unwrap_or_default();
        match status.success() {
            true => Ok(String::from_utf8_lossy(&messages).into_owned()),
            false if self.is_stopped() => Err("was stopped".to_owned()),
            false => Err(format!("cannot be encoded: {}", last_line(&messages))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Instant};

    use super::*;

    #[test]
    fn stop_kills_a_program_that_runs_and_starts_no_other() {
        let programs = Programs::default();
        let (began, begun) = mpsc::channel();
        let run = std::thread::spawn({
            let programs = programs.clone();
            move || {
                let mut command = Command::new("sh");
                command.args(["-c", "echo begun; exec sleep 60"]);
                programs.run(command, &|_| began.send(()).unwrap())
            }
        });
        begun.recv().unwrap();
        let at = Instant::now();
        programs.stop();
        assert_eq!(run.join().unwrap(), Err("was stopped".to_owned()));
        assert!(at.elapsed() < Duration::from_secs(30), "{:?}", at.elapsed());
        assert_eq!(programs.run(Command::new("true"), &|_| {}), Err("was stopped".to_owned()));
    }

    #[test]
    fn program_that_fails_returns_its_last_message() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo first >&2; echo last >&2; exit 1"]);
        assert_eq!(Programs::default().run(command, &|_| {}), Err("cannot be encoded: last".to_owned()));
    }
}
