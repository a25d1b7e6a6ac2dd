//! lingua
