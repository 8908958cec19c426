"""What each section of the page says, as plain values."""
