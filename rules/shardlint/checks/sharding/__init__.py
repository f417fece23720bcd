"""Rules about how states are split over ranks: ZeRO stages, FSDP versions, degrees."""
