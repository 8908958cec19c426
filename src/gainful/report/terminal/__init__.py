"""Results for people at a terminal: fitted to its width, with bars, in colour where it has any."""
