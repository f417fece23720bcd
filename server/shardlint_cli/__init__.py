"""The command line of shardlint: one file a command, one file an output format."""
