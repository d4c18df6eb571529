"""Numba kernels: arrays and scalars in, arrays out. They never raise and read no rule tables.

Everything here is imported only when a simulation is asked for. `advisor.simulate` is the
Python door: it validates, builds the arrays and names the results.
"""
