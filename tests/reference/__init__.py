"""The native core once more, slow and obvious: what it must agree with, errors included."""
