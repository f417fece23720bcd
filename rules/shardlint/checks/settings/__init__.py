"""SET: what is wrong with the settings themselves."""
