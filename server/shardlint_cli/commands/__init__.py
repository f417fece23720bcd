"""The commands, one file each: `run(argv) -> exit code`."""
