"""Results for people at a terminal: fitted to its width, with bars, in color where it has any."""
