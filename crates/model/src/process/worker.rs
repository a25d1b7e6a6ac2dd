//! A running process, with the threads that serve its pipes.

use super::answer::{Answer, read_answer};
use acidtest_nli::LabelNames;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process may take to exit once its input is closed.
const GRACE: Duration = Duration::from_secs(2);
/// The maximum length of an unfinished line that is kept.
const LONGEST_LINE: usize = 1 << 20;
const STDERR_LINES: usize = 60;
const LONGEST_STDERR_LINE: usize = 2000;

/// What a process did.
pub(super) struct Event {
    /// The number of the process, unique for the lifetime of the model.
    pub process: u64,
    pub news: News,
}

pub(super) enum News {
    /// Answers, with the range of each line in the text.
    Answers { text: Vec<u8>, answers: Vec<(Range<usize>, Answer)> },
    /// A line that is not an answer, and what is wrong with it.
    Garbage { line: String, problem: String },
    /// The process closed its output.
    Closed,
}

/// The ids of the running processes. One is removed before the system can reuse its id.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all processes of models, for a program that was interrupted and exits right afterwards: no more can be started.
pub fn kill_running() {
    let running = running();
    #[cfg(unix)]
    for process in running.iter().filter_map(|process| rustix::process::Pid::from_raw(*process as i32)) {
        let _ = rustix::process::kill_process_group(process, rustix::process::Signal::KILL);
    }
    std::mem::forget(running);
}

/// A running process. Dropping it closes its input, waits a little and kills what is left of its process group.
pub(super) struct Worker {
    pub process: u64,
    child: Child,
    questions: Option<Sender<Vec<u8>>>,
    stderr: StderrTail,
    status: Option<ExitStatus>,
}

impl Worker {
    /// Runs the command; its events are sent to `events`.
    pub(super) fn start(command: &str, process: u64, names: &LabelNames, events: SyncSender<Event>) -> io::Result<Worker> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Python buffers output to a pipe; without this, a model that forgets to flush would seem silent.
        shell.env("PYTHONUNBUFFERED", "1");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut running = running();
        let mut child = shell.spawn()?;
        running.insert(child.id());
        drop(running);
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        // The threads end when their pipes close. They are not joined, because a stray grandchild may keep a pipe open.
        let (questions, asked) = mpsc::channel();
        let names = names.clone();
        let followed = in_background(move || feed(stdin, &asked))
            .and_then(|()| in_background(move || listen(stdout, process, &names, &events)))
            .and_then(|()| StderrTail::follow(stderr));
        match followed {
            Ok(stderr) => Ok(Worker { process, child, questions: Some(questions), stderr, status: None }),
            Err(error) => {
                // It may already have exited.
                let _ = child.kill();
                let _ = child.wait();
                Err(io::Error::new(error.kind(), format!("no thread can be started: {error}")))
            }
        }
    }

    /// Sends lines without blocking: what the process has not read yet is kept in memory, and the caller limits how much that is.
    pub(super) fn send(&self, lines: Vec<u8>) {
        if let Some(questions) = &self.questions {
            // A process that no longer reads is noticed when its output ends or it times out.
            let _ = questions.send(lines);
        }
    }

    /// Closes the input of the process once everything is written.
    pub(super) fn close_input(&mut self) {
        self.questions = None;
    }

    /// Ends the process and returns its exit status.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        self.close_input();
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        while started.elapsed() < GRACE && !self.has_ended() {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        self.kill();
        running().remove(&self.child.id());
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }

    /// Kills the process.
    pub(super) fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        // As long as the leader has not been waited for, the system cannot reuse its id. It may already have exited.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(&self.child), rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }

    /// Its last lines on stderr, so far or until its end.
    pub(super) fn stderr(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// Whether the process has exited, without reaping it, which would free its id.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Writes questions until there are no more or the process stops reading.
fn feed(mut stdin: ChildStdin, questions: &Receiver<Vec<u8>>) {
    while let Ok(lines) = questions.recv() {
        if stdin.write_all(&lines).is_err() {
            return;
        }
    }
}

/// Reads answers until the output ends or nobody needs them.
fn listen(mut stdout: ChildStdout, process: u64, names: &LabelNames, events: &SyncSender<Event>) {
    let send = |news| events.send(Event { process, news }).is_ok();
    let mut buffer = vec![0; 1 << 16];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            if filled >= LONGEST_LINE {
                let problem = format!("the line does not end within {LONGEST_LINE} bytes ({})", super::answer::EXPECTED);
                send(News::Garbage { line: quoted(&buffer), problem });
                return;
            }
            buffer.resize(2 * filled, 0);
        }
        let count = match stdout.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(count) if count > 0 => count,
            _ => break,
        };
        let complete = buffer[filled..filled + count].iter().rposition(|&byte| byte == b'\n').map(|at| filled + at + 1);
        filled += count;
        let Some(complete) = complete else { continue };
        let (answers, garbage) = read_answers(&buffer[..complete], names);
        if !answers.is_empty() && !send(News::Answers { text: buffer[..complete].to_vec(), answers }) {
            return;
        }
        if let Some(garbage) = garbage {
            send(garbage);
            return;
        }
        buffer.copy_within(complete..filled, 0);
        filled -= complete;
    }
    // A process that was killed may leave half a line, which is not an answer; a complete answer needs no line end.
    if let Ok(answer) = read_answer(&buffer[..filled], names) {
        send(News::Answers { text: buffer[..filled].to_vec(), answers: vec![(0..filled, answer)] });
    }
    send(News::Closed);
}

/// The answers in a text of complete lines, up to the first line that is not an answer.
fn read_answers(text: &[u8], names: &LabelNames) -> (Vec<(Range<usize>, Answer)>, Option<News>) {
    let mut answers = Vec::new();
    let mut end = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        if line.trim_ascii().is_empty() {
            continue;
        }
        match read_answer(line, names) {
            Ok(answer) => answers.push((end - line.len()..end, answer)),
            Err(problem) => return (answers, Some(News::Garbage { line: quoted(line), problem })),
        }
    }
    (answers, None)
}

/// A line as it is quoted in a message.
pub(super) fn quoted(line: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * LONGEST)]);
    let mut short: String = text.trim().chars().take(LONGEST).collect();
    if short.len() < text.trim().len() {
        short.push('…');
    }
    short
}

/// Runs the work on a detached thread.
fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

/// The last lines of stderr, read continuously so that the process never blocks.
struct StderrTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected at the end of stderr.
    finished: Receiver<()>,
}

impl StderrTail {
    fn follow(mut stderr: ChildStderr) -> io::Result<Self> {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let (running, finished) = mpsc::channel::<()>();
        let kept = Arc::clone(&lines);
        in_background(move || {
            let _running = running;
            let mut line = Vec::new();
            let mut buffer = vec![0; 1 << 14];
            loop {
                let count = match stderr.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(count) if count > 0 => count,
                    _ => break,
                };
                for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
                    line.extend_from_slice(piece);
                    let excess = line.len().saturating_sub(LONGEST_STDERR_LINE);
                    line.drain(..excess);
                    if piece.ends_with(b"\n") {
                        keep(&kept, &line);
                        line.clear();
                    }
                }
            }
            keep(&kept, &line);
        })?;
        Ok(StderrTail { lines, finished })
    }

    fn lines(&self) -> Vec<String> {
        // The last lines of a process that has just exited may not have arrived yet.
        let _ = self.finished.recv_timeout(Duration::from_millis(300));
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

fn keep(lines: &Mutex<VecDeque<String>>, line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    // Progress bars overwrite their own line; only what a reader would see counts.
    let seen = text.trim_end().rsplit('\r').next().unwrap_or_default();
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    // A blank line between two others is part of the output; one before them is not.
    if seen.is_empty() && (line.is_empty() || lines.is_empty()) {
        return;
    }
    if lines.len() == STDERR_LINES {
        lines.pop_front();
    }
    lines.push_back(seen.to_string());
}
