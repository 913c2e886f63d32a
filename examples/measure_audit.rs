//! TODO
#[path = "measure/auctions.rs"]
mod auctions;
use gavel::clock::Clock;
use gavel::store::{Contract, PostgresStore, SqliteStore};
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::args().nth(1).unwrap_or_default();
    let n: i64 = std::env::args().nth(2).unwrap_or_default().parse()?;
    if let Some(path) = url.strip_prefix("sqlite:") {
        let store = SqliteStore::open(std::path::Path::new(path), Clock::System, true)?;
        store.migrate().await?;
        auctions::fill(&store, n, 24).await?;
    } else {
        let store = PostgresStore::connect(&url)?;
        store.migrate().await?;
        auctions::fill(&store, n, 24).await?;
        store.close().await;
    }
    Ok(())
}
