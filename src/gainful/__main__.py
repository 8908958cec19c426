"""``python -m gainful``: the same as the ``gainful`` command."""

from gainful.cli import main

main()
