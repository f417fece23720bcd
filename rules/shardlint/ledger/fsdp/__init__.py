"""torch: FSDP1, FSDP2 and DDP, read from and measured on torch 2.13.0."""
