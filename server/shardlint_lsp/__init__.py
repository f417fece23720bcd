"""The language server: what the library knows of a config, in the words of the Language Server Protocol."""
