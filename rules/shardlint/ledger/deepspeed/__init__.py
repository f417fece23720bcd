"""DeepSpeed: bytes of stages 0 to 3, read from and measured on DeepSpeed 0.19.8."""
