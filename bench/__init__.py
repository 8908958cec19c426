"""Speed and memory of gainful beside its peers, each in a process of its own: ``make bench``.

The process that measures imports neither NumPy nor gainful: on Linux a child's peak memory begins
with that of the process that starts it.
"""
