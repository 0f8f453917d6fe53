"""One neutral model of a Jitterbit design, and a reader for each form in which designs come."""
