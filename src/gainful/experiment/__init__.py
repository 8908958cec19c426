"""Everything that is worked out of runs and judgments for a report, gathered in one value."""
