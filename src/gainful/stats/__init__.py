"""Which of several runs is better, and how sure that is. SciPy is loaded when it is asked for."""
