"""The same pipeline on other machinery, where rows are too many for one machine."""
