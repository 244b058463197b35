"""The rules of order: values and pure functions, without I/O, clock, randomness, Temporal or settings."""
