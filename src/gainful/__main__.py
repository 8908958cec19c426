"""``python -m gainful``: the same as the ``gainful`` command."""

from gainful_command import main

main()
