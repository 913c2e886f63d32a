//! The roles of people and processes, made on request and not by the migrations: they belong to
//! the whole server, and making them needs a right that migrating does not.

use sqlx::{Connection as _, Executor as _};

use super::PostgresStore;
use crate::store::error::StoreError;

const ROLES: &str = include_str!("roles.sql");

impl PostgresStore {
    /// Makes `gavel_operator`, `gavel_bidder`, `gavel_closer`, `gavel_auditor` and `gavel_public`
    /// where they are missing, and grants each what it needs. Repeatable.
    pub async fn roles_make(&self) -> Result<(), StoreError> {
        let mut connection = self.connect_apart().await?;
        let mut transaction = connection.begin().await?;
        transaction.execute(ROLES).await?;
        transaction.commit().await?;
        connection.close().await?;
        Ok(())
    }
}
