"""What was found of several runs, and how people and programs are shown it.

Nothing here computes a statistic; ``stats`` does, and hands over what it found.
"""
