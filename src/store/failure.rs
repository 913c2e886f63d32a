//! What the driver's errors mean, for both databases.

use sqlx::postgres::PgDatabaseError;

use super::error::{StoreError, StoreErrorKind};
use super::{postgres, sqlite};

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::Database(database) = &error {
            return match database.try_downcast_ref::<PgDatabaseError>() {
                Some(server) => postgres::server_error(server),
                None => sqlite::file_error(error),
            };
        }
        let (kind, message) = match &error {
            sqlx::Error::PoolTimedOut => (
                StoreErrorKind::Contended,
                "no connection to the database became free",
            ),
            // A failed handshake comes as invalid data: waiting does not mend a certificate.
            sqlx::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                (StoreErrorKind::Tls, "the server's TLS is not taken")
            }
            sqlx::Error::Tls(_) => (StoreErrorKind::Tls, "the server's TLS is not taken"),
            sqlx::Error::Io(_) | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => (
                StoreErrorKind::Unreachable,
                "the database cannot be reached",
            ),
            sqlx::Error::Configuration(_) => {
                (StoreErrorKind::BadUrl, "the database URL cannot be used")
            }
            _ => (
                StoreErrorKind::Failed,
                "the database's answer is not understood",
            ),
        };
        Self::new(kind, message).with_source(error)
    }
}
