//! `/metrics` for Prometheus: as much HTTP as that needs, and bounds on all of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::auction::Remit;
use crate::closer::{Metrics, Standing};
use crate::store::{Contract as _, Store, StoreError};

/// How many readers are answered at once.
const READERS_MAX: usize = 8;
/// The longest request, bytes.
const REQUEST_MAX: usize = 8 * 1024;
/// How long a reader may take, the database's part included.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the database may take.
const ANSWER: Duration = Duration::from_secs(5);
/// How often the database is asked at most.
const FRESH: Duration = Duration::from_secs(1);
/// After a failed accept (out of files, say).
const PAUSE: Duration = Duration::from_millis(100);

/// Listens; nothing is answered yet.
pub(super) struct Exporter {
    listener: TcpListener,
    scrape: Arc<Scrape>,
}

/// What is read.
struct Scrape {
    metrics: Arc<Metrics>,
    store: Store,
    remit: Remit,
    asked: Mutex<Option<Instant>>,
}

impl Exporter {
    /// At an address; port 0 takes a free one.
    pub(super) async fn at(
        address: SocketAddr,
        metrics: Arc<Metrics>,
        store: Store,
        remit: Remit,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("--metrics: cannot use {address}"))?;
        let asked = Mutex::new(None);
        let scrape = Arc::new(Scrape {
            metrics,
            store,
            remit,
            asked,
        });
        Ok(Self { listener, scrape })
    }

    /// Where it listens.
    pub(super) fn url(&self) -> anyhow::Result<String> {
        Ok(format!("http://{}/metrics", self.listener.local_addr()?))
    }

    /// Answers for ever.
    pub(super) async fn serve(self) {
        let mut readers = JoinSet::new();
        loop {
            if readers.len() >= READERS_MAX {
                readers.join_next().await;
            }
            while readers.try_join_next().is_some() {}
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let scrape = self.scrape.clone();
                    readers.spawn(tokio::time::timeout(PATIENCE, answer(stream, scrape)));
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}

impl Scrape {
    async fn text(&self) -> String {
        let mut asked = self.asked.lock().await;
        if asked.is_none_or(|asked| asked.elapsed() >= FRESH) {
            let standing = tokio::time::timeout(ANSWER, self.standing()).await;
            let standing = standing.ok().and_then(Result::ok);
            self.metrics.stands(standing.as_ref());
            *asked = Some(Instant::now());
        }
        self.metrics.text()
    }

    async fn standing(&self) -> Result<Standing, StoreError> {
        Ok(Standing {
            due: self.store.backlog(self.remit).await?,
            outbox: self.store.outbox_backlog().await?,
            now: self.store.now().await?,
        })
    }
}

/// One request, one answer. A reader that goes away is no failure.
async fn answer(mut stream: TcpStream, scrape: Arc<Scrape>) {
    let (status, body) = match request(&mut stream).await.as_deref() {
        Some("GET /metrics") => ("200 OK", scrape.text().await),
        Some(line) if line.starts_with("GET ") => {
            ("404 Not Found", "look at /metrics\n".to_owned())
        }
        Some(_) => ("405 Method Not Allowed", "GET alone is served\n".to_owned()),
        None => ("400 Bad Request", "that is no request\n".to_owned()),
    };
    let kind = if status.starts_with("200") {
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    } else {
        "text/plain; charset=utf-8"
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    for part in [head, body] {
        if stream.write_all(part.as_bytes()).await.is_err() {
            return;
        }
    }
    stream.shutdown().await.unwrap_or_default();
}

/// Method and path, once the whole head has come; none if it is none or too long.
async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 1024];
        let read = stream.read(&mut part).await.ok()?;
        if read == 0 || head.len() + read > REQUEST_MAX {
            return None;
        }
        head.extend_from_slice(&part[..read]);
    }
    let line = std::str::from_utf8(&head).ok()?.lines().next()?;
    match line.split(' ').collect::<Vec<_>>()[..] {
        [method, target, version] if version.starts_with("HTTP/1.") => {
            let path = target.split('?').next().unwrap_or(target);
            Some(format!("{method} {path}"))
        }
        _ => None,
    }
}
