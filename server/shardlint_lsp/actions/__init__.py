"""What can be done about a place of a file: fixes, ignored rules, facts told to shardlint."""
