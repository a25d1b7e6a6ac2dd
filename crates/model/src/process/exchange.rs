//! One call: sends pairs to the processes, receives predictions, and handles processes that exit early.

use super::answer::{Answer, write_question};
use super::worker::{Event, News, Worker, quoted};
use super::{ProcessInput, ProcessSettings};
use crate::{ModelError, PredictionTaker};
use acidtest_nli::{LooseLabels, Pair};
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How many events may be queued: a process that writes unrequested output is blocked instead of filling the memory.
const WAITING_EVENTS: usize = 64;
/// The exit codes of a shell for a command that cannot be run; restarting would not help.
const CANNOT_RUN: [i32; 2] = [126, 127];

/// The processes of a model, which outlive a call.
pub(super) struct Processes {
    // Dropped before `events`, so that their last messages can still be received.
    slots: Vec<Slot>,
    events: Receiver<Event>,
    /// Cloned for every new process.
    sender: SyncSender<Event>,
    started: u64,
    restarts: usize,
    /// Ambiguous labels among all predictions.
    pub(super) loose: LooseLabels,
    /// The id of the next question. Ids are never reused, so a late answer cannot be mistaken for another one.
    next_id: u64,
}

/// The slot of one process, which may be restarted.
#[derive(Default)]
struct Slot {
    worker: Option<Worker>,
    in_hand: usize,
    /// When the process last answered, or was first sent a question.
    heard: Option<Instant>,
    /// How the last process of this slot crashed, if it did.
    crash: Option<Crash>,
}

struct Crash {
    status: ExitStatus,
    unanswered: usize,
    stderr: Vec<String>,
}

impl Processes {
    pub(super) fn new(workers: usize) -> Self {
        let (sender, events) = sync_channel(WAITING_EVENTS);
        let slots = (0..workers).map(|_| Slot::default()).collect();
        Processes { slots, events, sender, started: 0, restarts: 0, loose: LooseLabels::default(), next_id: 0 }
    }

    pub(super) fn start_all(&mut self, command: &str, settings: &ProcessSettings) -> Result<(), ModelError> {
        (0..self.slots.len()).try_for_each(|slot| self.start(slot, command, settings))
    }

    /// Starts the process of a slot, unless it is running.
    fn start(&mut self, slot: usize, command: &str, settings: &ProcessSettings) -> Result<(), ModelError> {
        if self.slots[slot].worker.is_some() {
            return Ok(());
        }
        if let Some(Crash { status, unanswered, stderr }) = self.slots[slot].crash.take() {
            let hopeless = status.code().is_some_and(|code| CANNOT_RUN.contains(&code));
            if hopeless || self.restarts == settings.restarts {
                return Err(ModelError::Ended { command: command.to_string(), status, unanswered, restarts: self.restarts, stderr });
            }
            self.restarts += 1;
        }
        self.started += 1;
        let worker = Worker::start(command, self.started, &settings.labels, self.sender.clone());
        let worker = worker.map_err(|source| ModelError::Start { command: command.to_string(), source })?;
        self.slots[slot].worker = Some(worker);
        Ok(())
    }

    /// Kills all processes; the next call starts them again.
    pub(super) fn kill_all(&mut self) {
        for slot in &mut self.slots {
            if let Some(worker) = &mut slot.worker {
                worker.kill();
            }
            *slot = Slot::default();
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        // All inputs are closed first, so that the processes exit at the same time and not one after the other.
        self.slots.iter_mut().filter_map(|slot| slot.worker.as_mut()).for_each(Worker::close_input);
    }
}

/// The state of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Unsent,
    InHand(usize),
    Answered,
}

pub(super) struct Exchange<'a, 'p> {
    command: &'a str,
    settings: &'a ProcessSettings,
    processes: &'a mut Processes,
    pairs: &'a [Pair<'p>],
    first_id: u64,
    places: Vec<Place>,
    answered: usize,
    /// The first pair that has not been sent.
    next: usize,
    /// Pairs that were sent to a process that exited.
    again: Vec<usize>,
}

impl<'a, 'p> Exchange<'a, 'p> {
    pub(super) fn new(command: &'a str, settings: &'a ProcessSettings, processes: &'a mut Processes, pairs: &'a [Pair<'p>]) -> Self {
        let first_id = processes.next_id;
        processes.next_id += pairs.len() as u64;
        let places = vec![Place::Unsent; pairs.len()];
        Exchange { command, settings, processes, pairs, first_id, places, answered: 0, next: 0, again: Vec::new() }
    }

    /// Sends every pair and passes on every prediction.
    pub(super) fn run(mut self, take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        // Events since the last call are handled first, so that no pair is sent to a process that is known to have exited.
        while let Ok(event) = self.processes.events.try_recv() {
            self.handle(event, take)?;
        }
        while self.answered < self.pairs.len() {
            self.send()?;
            let event = self.wait()?;
            self.handle(event, take)?;
            // All pending events are handled before more is sent, so that many answers lead to one write.
            while let Ok(event) = self.processes.events.try_recv() {
                self.handle(event, take)?;
            }
        }
        if self.settings.input == ProcessInput::EndsWithCall {
            self.processes.slots.iter_mut().for_each(|slot| slot.worker = None);
        }
        Ok(())
    }

    fn unsent(&self) -> usize {
        self.pairs.len() - self.next + self.again.len()
    }

    /// Sends the processes as many pairs as they may have, in even shares.
    fn send(&mut self) -> Result<(), ModelError> {
        let workers = self.processes.slots.len();
        // In rounds: a share that is too small for one process must not leave pairs unsent while another has room.
        while self.unsent() > 0 && self.processes.slots.iter().any(|slot| slot.in_hand < self.settings.batch_size) {
            let share = self.unsent().div_ceil(workers);
            for slot in 0..workers {
                let room = self.settings.batch_size - self.processes.slots[slot].in_hand;
                let count = room.min(share).min(self.unsent());
                if count > 0 {
                    self.give(slot, count)?;
                }
            }
        }
        if self.unsent() == 0 && self.settings.input == ProcessInput::EndsWithCall {
            self.processes.slots.iter_mut().filter_map(|slot| slot.worker.as_mut()).for_each(Worker::close_input);
        }
        Ok(())
    }

    fn give(&mut self, slot: usize, count: usize) -> Result<(), ModelError> {
        self.processes.start(slot, self.command, self.settings)?;
        let mut lines = Vec::new();
        for _ in 0..count {
            let at = self.again.pop().unwrap_or_else(|| {
                self.next += 1;
                self.next - 1
            });
            self.places[at] = Place::InHand(slot);
            write_question(self.first_id + at as u64, &self.pairs[at], &mut lines);
        }
        let slot = &mut self.processes.slots[slot];
        if slot.in_hand == 0 {
            slot.heard = Some(Instant::now());
        }
        slot.in_hand += count;
        slot.worker.as_ref().expect("the process was started").send(lines);
        Ok(())
    }

    /// The next event, or an error if a process is silent for too long.
    fn wait(&mut self) -> Result<Event, ModelError> {
        let timeout = Duration::from_secs_f64(self.settings.timeout_seconds);
        let busy = self.processes.slots.iter().filter(|slot| slot.in_hand > 0);
        let Some((heard, silent)) = busy.filter_map(|slot| Some((slot.heard?, slot))).min_by_key(|(heard, _)| *heard) else {
            unreachable!("a pair that is not answered is in hand")
        };
        match self.processes.events.recv_timeout(timeout.saturating_sub(heard.elapsed())) {
            Ok(event) => Ok(event),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the sender is kept beside the receiver"),
            Err(RecvTimeoutError::Timeout) => Err(ModelError::TimedOut {
                command: self.command.to_string(),
                seconds: self.settings.timeout_seconds,
                unanswered: silent.in_hand,
                stderr: silent.worker.as_ref().map(Worker::stderr).unwrap_or_default(),
            }),
        }
    }

    fn handle(&mut self, event: Event, take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let of_event = |slot: &Slot| slot.worker.as_ref().is_some_and(|worker| worker.process == event.process);
        // The event may come from a process that was abandoned.
        let Some(slot) = self.processes.slots.iter().position(of_event) else { return Ok(()) };
        match event.news {
            News::Answers { text, answers } => {
                answers.into_iter().try_for_each(|(line, answer)| self.take(slot, &text[line], answer, take))
            }
            News::Garbage { line, problem } => Err(self.refused(line, problem)),
            News::Closed => self.close(slot),
        }
    }

    fn take(&mut self, slot: usize, line: &[u8], answer: Answer, take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let at = answer.id.checked_sub(self.first_id).map(|at| at as usize).filter(|&at| at < self.places.len());
        let problem = match at.map(|at| (at, self.places[at])) {
            Some((at, Place::InHand(holder))) if holder == slot => {
                self.places[at] = Place::Answered;
                self.answered += 1;
                self.processes.loose.add(answer.loose);
                let slot = &mut self.processes.slots[slot];
                slot.in_hand -= 1;
                slot.heard = Some(Instant::now());
                return take(at, answer.prediction);
            }
            Some((_, Place::Answered)) => "this pair already has a prediction; expected one prediction per pair",
            None if answer.id < self.first_id => "this pair already has a prediction; expected one prediction per pair",
            _ => "no pair with this id was sent; return each `id` unchanged",
        };
        Err(self.refused(quoted(line), problem.to_string()))
    }

    fn refused(&self, line: String, problem: String) -> ModelError {
        ModelError::Answer { command: self.command.to_string(), line, problem }
    }

    /// Takes back the unanswered pairs of a process that exited.
    fn close(&mut self, slot: usize) -> Result<(), ModelError> {
        let Some(mut worker) = self.processes.slots[slot].worker.take() else { return Ok(()) };
        let status = worker.end().map_err(|error| ModelError::Failed {
            model: format!("`{}`", self.command),
            message: format!("its exit status could not be read: {error}"),
        })?;
        let unanswered = std::mem::take(&mut self.processes.slots[slot].in_hand);
        // In reverse order, because they are taken from the end.
        let held = (0..self.next).rev().filter(|&at| self.places[at] == Place::InHand(slot));
        self.again.extend(held);
        for &at in &self.again {
            self.places[at] = Place::Unsent;
        }
        if unanswered > 0 || self.settings.input == ProcessInput::StaysOpen {
            self.processes.slots[slot].crash = Some(Crash { status, unanswered, stderr: worker.stderr() });
        }
        Ok(())
    }
}
