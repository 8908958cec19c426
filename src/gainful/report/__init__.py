"""What users see: results as text. Nothing here computes a value."""
