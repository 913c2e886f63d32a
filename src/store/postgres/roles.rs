//! The roles of people and processes, made on request and not by the migrations: they belong to
//! the whole server, and making them needs a right that migrating does not.

use sqlx::{Connection as _, Executor as _};

use super::PostgresStore;
use crate::store::contract::WriteMode;
use crate::store::error::StoreError;

const ROLES: &str = include_str!("roles.sql");

impl PostgresStore {
    /// Makes `gavel_operator`, `gavel_bidder`, `gavel_closer`, `gavel_auditor` and `gavel_public`
    /// where they are missing, and grants each what it needs. Repeatable.
    pub async fn roles_make(&self) -> Result<(), StoreError> {
        self.roles(WriteMode::Commit).await
    }

    /// Does everything that [`Self::roles_make`] does, and undoes it.
    pub async fn roles_rehearse(&self) -> Result<(), StoreError> {
        self.roles(WriteMode::Rehearse).await
    }

    async fn roles(&self, mode: WriteMode) -> Result<(), StoreError> {
        let mut connection = self.connect_apart().await?;
        let mut transaction = connection.begin().await?;
        transaction.execute(ROLES).await?;
        match mode {
            WriteMode::Commit => transaction.commit().await?,
            WriteMode::Rehearse => transaction.rollback().await?,
        }
        connection.close().await?;
        Ok(())
    }
}
