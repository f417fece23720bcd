"""Rules about starting processes: how many, on which machines, by which launcher."""
