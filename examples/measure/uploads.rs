//! Files of lots and of bids, as an operator would upload them: the same in every run.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Two files of so many rows each.
pub(crate) struct Uploads {
    pub(crate) lots: PathBuf,
    pub(crate) bids: PathBuf,
}

impl Uploads {
    pub(crate) fn write(folder: &Path, rows: u32) -> anyhow::Result<Self> {
        let mut random = StdRng::seed_from_u64(rows.into());
        let uploads = Self {
            lots: folder.join(format!("lots-{rows}.csv")),
            bids: folder.join(format!("bids-{rows}.csv")),
        };
        let mut lots = BufWriter::new(File::create(&uploads.lots)?);
        writeln!(
            lots,
            "id,seller,title,currency,start_price,steps,reserve,soft_close_window,ends_at"
        )?;
        let mut bids = BufWriter::new(File::create(&uploads.bids)?);
        writeln!(bids, "auction_id,bidder,maximum")?;
        let mut line = String::new();
        for id in 1..=rows {
            let reserve = if random.random_bool(0.5) {
                "900.00"
            } else {
                ""
            };
            let start = random.random_range(1..=500);
            let day = id % 9 + 1;
            line.clear();
            write!(
                line,
                "{id},seller-{},\"Lot {id}, as described\",USD,{start}.00,ebay-us,{reserve},2m,\
                 2098-01-0{day}T19:00:00Z",
                id % 1_000
            )?;
            writeln!(lots, "{line}")?;
            let auction = random.random_range(1..=rows);
            let bidder = random.random_range(1..=50_000);
            let (major, minor) = (
                random.random_range(50..200_000),
                random.random_range(0..100),
            );
            writeln!(bids, "{auction},bidder-{bidder},{major}.{minor:02}")?;
        }
        lots.flush()?;
        bids.flush()?;
        Ok(uploads)
    }
}
