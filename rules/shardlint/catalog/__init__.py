"""Models, GPUs and optimizers: tables with sources, and the look-ups by the names people use.

One module a table; a run imports those it asks.
"""
