"""Rules about files that refer to each other and facts that disagree."""
