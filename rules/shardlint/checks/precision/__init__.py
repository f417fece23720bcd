"""Rules about number formats: two at once, one the GPU lacks, one another file contradicts."""
