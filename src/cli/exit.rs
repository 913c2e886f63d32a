//! Exit codes: an interface, like the JSON output.

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exit(u8);

impl Exit {
    /// Done.
    pub(crate) const DONE: Self = Self(0);
    /// Failed: the database, the disk, the unexpected.
    pub(crate) const FAILED: Self = Self(1);
    /// Wrong usage or wrong input; nothing was written.
    pub(crate) const USAGE: Self = Self(2);
    /// Refused by the rules.
    pub(crate) const REFUSED: Self = Self(3);
    /// Done, and something was found: an audit's findings, a checkpoint that does not hold, bad auctions in a sweep, bad rows that
    /// were passed over.
    pub(crate) const FINDINGS: Self = Self(4);
    /// A temporary failure: try again.
    pub(crate) const TEMPORARY: Self = Self(75);
    /// Interrupted (Ctrl-C or SIGTERM).
    pub(crate) const INTERRUPTED: Self = Self(130);

    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        self.0
    }
}

/// For `--help` and the manual.
pub(crate) const HELP: &str = "\
Exit codes:
    0  done
    1  failed
    2  wrong usage or input; nothing was written
    3  refused by the rules
    4  findings: by the audit or a burst, a checkpoint or proof that does not hold, bad
       auctions in a sweep, bad rows passed over
   75  a temporary failure: try again
  130  interrupted, by Ctrl-C or SIGTERM";
