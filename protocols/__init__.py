"""The ways to meet that are no meeting by the rules of order, as values and pure functions: no I/O, no clock, no Temporal."""
