//! evaluate

pub mod statistics;
