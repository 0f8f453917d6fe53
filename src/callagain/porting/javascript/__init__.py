"""JavaScript steps of a design, run by QuickJS with limits of memory and time (extra `jitterbit`)."""
