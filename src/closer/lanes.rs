//! Lanes: several pieces of work at once, each lane on a connection of its own.
//!
//! A lane takes the next piece when it is done with its last, so a slow one holds up no other. A
//! failure lets the others finish what they have in hand: work that is dropped may be done or not.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use futures_util::future::join_all;

use crate::store::StoreError;

/// Works off the pieces, so many at once, for as long as `goes_on`. The error is the first lane's
/// that had one.
pub(super) async fn work_off<P: Copy, W>(
    pieces: &[P],
    lanes: usize,
    goes_on: impl Fn() -> bool,
    work: impl Fn(P) -> W,
) -> Result<(), StoreError>
where
    W: Future<Output = Result<(), StoreError>>,
{
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let lane = async || {
        while goes_on() && !failed.load(Relaxed) {
            let Some(piece) = pieces.get(next.fetch_add(1, Relaxed)) else {
                break;
            };
            work(*piece)
                .await
                .inspect_err(|_| failed.store(true, Relaxed))?;
        }
        Ok(())
    };
    let ends = join_all((0..lanes.min(pieces.len())).map(|_| lane())).await;
    ends.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::sync::Barrier;

    use super::*;
    use crate::store::StoreErrorKind;

    #[tokio::test]
    async fn every_piece_is_worked_off_once_and_so_many_at_once() {
        let (done, together) = (Mutex::new(Vec::new()), Barrier::new(3));
        let work = async |piece: i64| {
            together.wait().await;
            done.lock().unwrap().push(piece);
            Ok(())
        };
        let pieces: Vec<i64> = (1..=9).collect();
        work_off(&pieces, 3, || true, work).await.unwrap();
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, pieces);
    }

    #[tokio::test]
    async fn a_failure_lets_the_others_finish_what_they_have_in_hand() {
        let (done, together) = (Mutex::new(Vec::new()), Barrier::new(3));
        let work = async |piece: i64| {
            together.wait().await;
            if piece == 2 {
                return Err(StoreError::new(StoreErrorKind::Unreachable, "cut off"));
            }
            tokio::task::yield_now().await;
            done.lock().unwrap().push(piece);
            Ok(())
        };
        let pieces: Vec<i64> = (1..=9).collect();
        let outcome = work_off(&pieces, 3, || true, work).await;
        assert_eq!(outcome.unwrap_err().kind(), StoreErrorKind::Unreachable);
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, [1, 3]);
    }

    #[tokio::test]
    async fn nothing_more_is_begun_when_it_is_to_end() {
        let done = Mutex::new(Vec::new());
        let work = async |piece: i64| {
            done.lock().unwrap().push(piece);
            Ok(())
        };
        let goes_on = || done.lock().unwrap().len() < 4;
        work_off(&[1, 2, 3, 4, 5, 6], 1, goes_on, work)
            .await
            .unwrap();
        assert_eq!(done.into_inner().unwrap(), [1, 2, 3, 4]);
    }
}
