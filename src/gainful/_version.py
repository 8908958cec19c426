"""The version, written once: packaging reads it from here."""

__version__ = "1.0.0"
