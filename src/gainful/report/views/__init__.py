"""Each result as tables and text."""
