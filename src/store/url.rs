//! Database URLs. Shown without the password, whatever way they are printed.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

/// Why a text is not a database URL; the text itself is not repeated, it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UrlError {
    /// Another scheme, or none.
    #[error("a database URL is sqlite:PATH or postgres://USER@HOST/DATABASE")]
    Scheme,
    /// `sqlite:` without a file.
    #[error("sqlite: needs the path of a file, such as sqlite:auctions.db")]
    NoPath,
}

/// Which database.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A file.
    Sqlite(PathBuf),
    /// A server, as given.
    Postgres(String),
}

impl FromStr for StoreUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        if let Some(rest) = text.strip_prefix("sqlite:") {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            if path.is_empty() || path == ":memory:" {
                return Err(UrlError::NoPath);
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(UrlError::Scheme)
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `scheme://user:…@host/db?…`: the password in either place goes.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return "postgres://…".to_owned();
    };
    // A password may hold an @ itself: the last one before the path ends the authority's user.
    let authority_end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(authority_end);
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (user.split(':').next().unwrap_or_default(), host),
        None => ("", authority),
    };
    let at = if user.is_empty() { "" } else { "@" };
    let path = path.split('?').next().unwrap_or_default();
    format!("{scheme}://{user}{at}{host}{path}")
}
