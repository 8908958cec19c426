"""``gainful spark`` for spark-submit, which runs files: ``python -m gainful.spark`` is the same."""

import sys

from gainful_command import main

if __name__ == "__main__":
    sys.argv.insert(1, "spark")
    main()
