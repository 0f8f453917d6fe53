"""JavaScript steps of a design, in a QuickJS of their own with limits of memory and time (extra `jitterbit`)."""
