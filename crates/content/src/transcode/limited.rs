//! ffmpeg and ffprobe, with limits: they read what strangers made.
//!
//! They have so much processor time and address space and no more. Their environment has none of this program's settings, which may be keys,
//! and they have no network where the machine lets a process give it up (`unshare`; in a container without that right, `-protocol_whitelist`
//! alone keeps them to files).

use std::{ffi::OsString, path::Path, process::Command};

/// Kibibytes of address space; a decoder of 8K pictures takes a quarter.
const MEMORY: u32 = 4 << 20;

/// The most processor seconds of a look at a film: two hours of it are decoded in a quarter.
pub(crate) const LOOK: u32 = 3600;
/// The most of a transcoding, of all processors together.
const WORK: u32 = 24 * 3600;

/// `exec`, so that the process that is killed is the program.
const SCRIPT: &str = r#"{ ulimit -t "$1"; ulimit -v "$2"; } 2>/dev/null; shift 2
for way in -n -rn; do unshare $way true 2>/dev/null && exec unshare $way "$@"; done; exec "$@""#;

/// A program with at most so many seconds of processor time.
pub(crate) fn limited(program: &str, seconds: u32) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "sh", &seconds.to_string(), &MEMORY.to_string(), program]);
    // Each arena of glibc would reserve 64 MiB for some threads.
    command.env_clear().env("MALLOC_ARENA_MAX", "2").envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command
}

/// ffmpeg, which says nothing but its errors.
pub(super) fn ffmpeg() -> Command {
    ffmpeg_saying("error")
}

/// ffmpeg with messages of this level.
pub(super) fn ffmpeg_saying(level: &str) -> Command {
    let mut command = limited("ffmpeg", WORK);
    command.args(["-nostdin", "-hide_banner", "-y", "-v", level]);
    command
}

/// Never an option or another protocol, whatever a file is called.
pub fn file_address(path: &Path) -> OsString {
    let mut address = OsString::from("file:");
    address.push(path);
    address
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn output(script: &str) -> String {
        let output = limited("sh", 100).args(["-c", script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn program_has_little_time_and_memory_no_settings_and_no_network() {
        assert_eq!(output("ulimit -t; ulimit -v"), format!("100\n{MEMORY}\n"));
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert!(!output("env").contains("CARGO"), "{}", output("env"));
        let can_give_up = Command::new("unshare").args(["-rn", "true"]).status().is_ok_and(|status| status.success());
        let networks = output("cat /proc/net/dev").lines().filter(|line| line.contains(':')).count();
        assert!(!can_give_up || networks == 1, "more than a loopback: {networks}");
    }

    #[test]
    fn program_that_takes_too_long_or_too_much_ends() {
        let status = limited("sh", 1).args(["-c", "while :; do :; done"]).status().unwrap();
        assert!(status.signal().is_some(), "{status}");
        let large = limited("dd", 100).args(["if=/dev/zero", "of=/dev/null", "bs=5G", "count=1"]).output().unwrap();
        assert!(!large.status.success());
    }
}
