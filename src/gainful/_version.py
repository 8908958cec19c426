"""The version, written once: packaging reads it from here."""

__version__ = "0.1.0"
