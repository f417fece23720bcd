"""Ask the real frameworks about mutants of valid configs, and hold what shardlint calls an error to that.

`python -m oracle.differential --framework deepspeed --count 5000 --seed 7` with `tests` on the path.
"""
