"""What a run scores in every dialect, and which choices make the values differ."""
