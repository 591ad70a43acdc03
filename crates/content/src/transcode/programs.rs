//! The runs of ffmpeg and ffprobe for a transcoding, which another thread can end.

use std::{
    cell::RefCell,
    collections::HashMap,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

/// The interval at which the end of a program that has closed its output is looked for.
const PAUSE: Duration = Duration::from_millis(10);

/// How long a program may run. One that waits uses no processor time, which has a limit of its own.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

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
    pub(super) fn run(&self, command: Command, line: &dyn Fn(&str)) -> Result<String, String> {
        self.run_within(LONGEST, command, line)
    }

    /// The same with a limit of its own.
    pub(super) fn run_within(
        &self,
        longest: Duration,
        command: Command,
        line: &dyn Fn(&str),
    ) -> Result<String, String> {
        match self.run_to_end(longest, command, line)? {
            (true, messages) => Ok(messages),
            (false, messages) => Err(format!("cannot be encoded: {}", last_line(&messages))),
        }
    }

    /// Runs ffprobe to its end: whether it ended well, its output and its messages.
    pub(crate) fn read(&self, command: Command) -> Result<(bool, String, String), String> {
        let output = RefCell::new(String::new());
        let (ended_well, messages) = self.run_to_end(LONGEST, command, &|line| output.borrow_mut().push_str(line))?;
        Ok((ended_well, output.into_inner(), messages))
    }

    /// Whether the program ended well, and its messages. One that takes longer is killed.
    fn run_to_end(
        &self,
        longest: Duration,
        mut command: Command,
        line: &dyn Fn(&str),
    ) -> Result<(bool, String), String> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (id, stdout, stderr) = {
            let mut state = self.state();
            if state.stopped {
                return Err("was stopped".to_owned());
            }
            let mut child =
                command.spawn().map_err(|error| format!("ffmpeg and ffprobe cannot be started: {error}"))?;
            let streams = (child.stdout.take(), child.stderr.take());
            state.count += 1;
            let id = state.count;
            state.running.insert(id, child);
            (id, streams.0, streams.1)
        };
        let (_running, ended) = mpsc::channel::<()>();
        std::thread::spawn({
            let programs = self.clone();
            move || {
                if ended.recv_timeout(longest) == Err(RecvTimeoutError::Timeout)
                    && let Some(program) = programs.state().running.get_mut(&id)
                {
                    let _ = program.kill();
                }
            }
        });
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
        let messages = String::from_utf8_lossy(&complaints.join().unwrap_or_default()).into_owned();
        match status.success() {
            false if self.is_stopped() => Err("was stopped".to_owned()),
            ended_well => Ok((ended_well, messages)),
        }
    }
}

/// The last thing that ffmpeg or ffprobe complained of, without its own addresses and names of files: `[mov @ 0x55…] file:/x/y: Invalid data`.
pub fn last_line(messages: &str) -> String {
    let line = messages.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it holds no stream");
    let line = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, words)| words);
    let words = line.strip_prefix("file:").and_then(|rest| rest.split_once(": ")).map_or(line, |(_, words)| words);
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

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
    fn program_that_waits_too_long_is_killed() {
        let programs = Programs::default();
        let mut command = Command::new("sleep");
        command.arg("60");
        assert!(programs.run_within(Duration::from_millis(200), command, &|_| {}).is_err());
        assert!(!programs.is_stopped());
    }

    #[test]
    fn program_that_fails_returns_its_last_message() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo first >&2; echo last >&2; exit 1"]);
        assert_eq!(Programs::default().run(command, &|_| {}), Err("cannot be encoded: last".to_owned()));
    }
}
