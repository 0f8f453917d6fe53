"""The original scripts and the ported operations, run on the same inputs and compared."""
