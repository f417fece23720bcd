"""Text to positioned, error-tolerant trees. Nothing here knows what a key means."""
