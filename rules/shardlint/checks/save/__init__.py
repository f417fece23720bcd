"""What a saved checkpoint or model file holds."""
