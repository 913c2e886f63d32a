//! The one integration binary: every test that needs more than one module.
