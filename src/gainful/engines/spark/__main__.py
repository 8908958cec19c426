"""``python -m gainful.engines.spark``: the same from a command line, and by spark-submit."""

from gainful.cli import main
from gainful.cli.spark import spread

if __name__ == "__main__":
    main(spread)
