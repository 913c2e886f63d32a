//! The first pass over a file: every row is read and planned, nothing is written.

use super::file::Upload;
use super::rows::{Row, Rows};
use crate::cli::error::InputError;
use crate::cli::fields::FieldError;
use crate::output::{Progress, Ui};

/// How many rows are planned together, and looked up in one query.
pub(crate) const CHUNK: usize = 1_000;

/// Makes commands of rows.
pub(crate) trait Plan {
    /// A row, ready to be carried out.
    type Planned;
    /// Plans each row; the error is the database's.
    async fn plan(
        &mut self,
        rows: Vec<Row>,
    ) -> anyhow::Result<Vec<Result<Self::Planned, FieldError>>>;
}

/// Reads and plans the next rows; none at the end.
pub(crate) async fn next<P: Plan>(
    rows: &mut Rows<'_>,
    planner: &mut P,
    rows_max: usize,
) -> anyhow::Result<Vec<Result<P::Planned, FieldError>>> {
    let chunk = rows.chunk(rows_max)?;
    match chunk.is_empty() {
        true => Ok(Vec::new()),
        false => planner.plan(chunk).await,
    }
}

/// Plans all rows. A single bad one is an error, and all of the bad ones are named up to a bound.
pub(crate) async fn check(
    upload: &mut Upload,
    planner: &mut impl Plan,
    ui: &Ui,
) -> anyhow::Result<()> {
    let bar = Progress::file(ui, "checking", upload.length());
    let mut rows = upload.rows()?;
    let mut bad = Bad::default();
    loop {
        let planned = next(&mut rows, planner, CHUNK).await?;
        if planned.is_empty() {
            break;
        }
        for error in planned.into_iter().filter_map(Result::err) {
            bad.note(&error);
        }
        bar.set_file(rows.bytes(), rows.rows());
        // A long file must not keep a signal from being heard.
        tokio::task::yield_now().await;
    }
    let total = rows.rows();
    bar.finish();
    bad.told(total)
}

/// Rows that cannot be taken.
#[derive(Debug, Default)]
struct Bad {
    named: Vec<String>,
    count: u64,
}

impl Bad {
    fn note(&mut self, error: &FieldError) {
        self.count += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push(error.to_string());
        }
    }

    fn told(self, total: u64) -> anyhow::Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let what = match total {
            1 => "the only row is bad; nothing was written".to_owned(),
            _ if self.count == 1 => format!("1 of {total} rows is bad; nothing was written"),
            _ => format!(
                "{} of {total} rows are bad; nothing was written",
                self.count
            ),
        };
        Err(InputError::new(what)
            .details(named(self.named, self.count))
            .hint("correct the rows, or pass them over with --skip-bad")
            .into())
    }
}

/// How many rows are named; the others are counted.
pub(crate) const NAMED_MAX: usize = 20;

/// The named ones, and how many more there are.
fn named(mut named: Vec<String>, count: u64) -> Vec<String> {
    let more = count.saturating_sub(u64::try_from(named.len()).unwrap_or(count));
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    named
}
