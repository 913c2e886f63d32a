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
    /// What other programs write after a file's name.
    #[error("sqlite: takes the path of a file alone, without ? and options")]
    FileOption,
    /// The driver would pass over an option that it does not know, and with a slip in its name
    /// what it was to protect.
    #[error(
        "there is an unknown option after the ?: known are sslmode, sslrootcert, sslcert, sslkey, \
         host, hostaddr, port, dbname, user, password, application_name, options and \
         statement-cache-capacity; write & in a password as %26"
    )]
    UnknownOption,
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
            if path
                .split_once('?')
                .is_some_and(|(_, rest)| rest.contains('='))
            {
                return Err(UrlError::FileOption);
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let before_options = text.split('?').next().unwrap_or_default();
            let path = before_options.splitn(4, '/').nth(3).unwrap_or_default();
            if path.contains('@') || before_options.contains('#') {
                return Err(UrlError::NotEscaped);
            }
            if !options(text).all(is_known) {
                return Err(UrlError::UnknownOption);
            }
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(UrlError::Scheme)
    }
}

/// The names after the question mark.
fn options(url: &str) -> impl Iterator<Item = &str> {
    let after = url.split_once('?').map_or("", |(_, after)| after);
    let pairs = after.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split('=').next().unwrap_or_default())
}

/// What the driver reads.
fn is_known(option: &str) -> bool {
    const KNOWN: [&str; 18] = [
        "application_name",
        "dbname",
        "host",
        "hostaddr",
        "options",
        "password",
        "port",
        "ssl-ca",
        "ssl-cert",
        "ssl-key",
        "ssl-mode",
        "ssl-root-cert",
        "sslcert",
        "sslkey",
        "sslmode",
        "sslrootcert",
        "statement-cache-capacity",
        "user",
    ];
    KNOWN.contains(&option) || option.starts_with("options[")
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
        assert_eq!(
            "postgres://h/db?sslmod=require".parse::<StoreUrl>(),
            Err(UrlError::UnknownOption)
        );
        for url in [
            "postgres:///db?host=/run&user=a@b",
            "postgres://h/db?sslmode=disable&options[search_path]=x",
            "postgres://u:p%2Fs@h/db",
        ] {
            assert!(url.parse::<StoreUrl>().is_ok(), "{url}");
        }
    }
}
