"""Speed and memory of gainful and its peers, each measured in its own process: ``make bench``.

The measuring process imports neither NumPy nor gainful: on Linux, the peak memory of a child starts
at that of its parent.
"""
