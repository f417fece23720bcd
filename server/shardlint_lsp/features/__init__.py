"""One file a feature: a pure function of what is known of a file, and `register(server)` that serves it."""
