//! The answer to `watchlist add` and `watchlist remove`.

use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Card, Tone};

record! {
    /// One change of a watch list.
    pub(crate) struct WatchlistView {
        auction_id: i64,
        watcher: String,
        /// `added`, `removed` or `unchanged`.
        outcome: &'static str,
        dry_run: bool,
    }
}

impl Card for WatchlistView {
    fn heading(&self) -> String {
        let Self {
            auction_id,
            watcher,
            ..
        } = self;
        let text = match self.outcome {
            "added" => format!("{watcher} now watches auction {auction_id}"),
            "removed" => format!("{watcher} no longer watches auction {auction_id}"),
            _ => format!("nothing to change: {watcher}'s watch list stays as it is"),
        };
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        if self.outcome == "unchanged" {
            Tone::Plain
        } else {
            Tone::Good
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
