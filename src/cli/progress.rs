//! A progress bar on standard error, for work that takes over a second.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long to wait before the bar is shown.
const QUIET: Duration = Duration::from_secs(1);

/// The bar. Nothing is drawn in the first second, or if standard error is not a terminal.
#[derive(Debug, Default)]
pub(super) struct Progress {
    started: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Shows the progress.
    pub(super) fn show(&mut self, done: usize, total: Option<usize>, message: &str) {
        let started = *self.started.get_or_insert_with(Instant::now);
        if self.bar.is_none() {
            if started.elapsed() < QUIET || !std::io::stderr().is_terminal() {
                return;
            }
            self.bar = Some(bar(total));
        }
        let Some(bar) = &self.bar else { return };
        if let Some(total) = total {
            bar.set_length(total as u64);
        }
        bar.set_position(done as u64);
        bar.set_message(message.to_owned());
    }

    /// Prints something with the bar hidden.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<usize>) -> ProgressBar {
    let template = match total {
        Some(_) => "{bar:30} {pos}/{len}  {wide_msg}",
        None => "{spinner} {pos}  {wide_msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(total.map(|total| total as u64), ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
}
