//! challenge
