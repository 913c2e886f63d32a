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
    /// A character of the password ends the host's place.
    #[error("write / ? # and @ in a user or password as %2F %3F %23 and %40")]
    NotEscaped,
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
            let before_options = text.split('?').next().unwrap_or_default();
            let path = before_options.splitn(4, '/').nth(3).unwrap_or_default();
            if path.contains('@') || before_options.contains('#') {
                return Err(UrlError::NotEscaped);
            }
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

/// `scheme://user:…@host/db?…`: the password in either place goes. It may hold any character: all
/// from the first colon to the last @ is taken for it, and where even that is not sure, nothing is
/// shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return "postgres://…".to_owned();
    };
    let (user, place) = match rest.rsplit_once('@') {
        Some((before, _)) if before.contains(['?', '#']) => return format!("{scheme}://…"),
        Some((before, place)) => (before.split([':', '/']).next().unwrap_or_default(), place),
        None => ("", rest),
    };
    let at = if user.is_empty() { "" } else { "@" };
    let place = place.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}://{user}{at}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_password_is_shown() {
        for (url, shown) in [
            ("postgres://h/db", "postgres://h/db"),
            ("postgres://u@h:5432/db", "postgres://u@h:5432/db"),
            ("postgres://u:p@h/db", "postgres://u@h/db"),
            ("postgres://u:p@q@h/db", "postgres://u@h/db"),
            ("postgres://u:p/secret@h/db", "postgres://u@h/db"),
            ("postgres://u:12/se:cr/et@h/db", "postgres://u@h/db"),
            ("postgres://u:p?secret@h/db", "postgres://…"),
            ("postgres://u:p#secret@h/db", "postgres://…"),
            ("postgres://:secret@h/db", "postgres://h/db"),
            ("postgres://u@h/db?password=secret", "postgres://u@h/db"),
            ("postgres://h:1/db?password=se@cret", "postgres://…"),
        ] {
            assert_eq!(without_password(url), shown, "{url}");
        }
    }

    #[test]
    fn a_password_that_is_not_escaped_is_told_as_that() {
        for url in [
            "postgres://u:p/secret@h/db",
            "postgres://u:12/secret@h/db",
            "postgres://u:p#secret@h/db",
        ] {
            assert_eq!(url.parse::<StoreUrl>(), Err(UrlError::NotEscaped), "{url}");
        }
        for url in [
            "postgres:///db?host=/run&user=a@b",
            "postgres://u:p%2Fs@h/db",
        ] {
            assert!(url.parse::<StoreUrl>().is_ok(), "{url}");
        }
    }
}
