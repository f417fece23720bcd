"""Speed of the language server beside others, each driven as a process over its own pipe."""
