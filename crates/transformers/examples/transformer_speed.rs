//! Scores pairs of token ids for `bench/transformer_speed.py`.
