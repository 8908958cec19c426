"""Where the ``gainful`` command begins, before NumPy is loaded."""

import os
import signal
import sys


def main() -> None:
    """Run the command line."""
    # NumPy's linear algebra, of which nothing is needed here, starts threads that spin for a tenth
    # of a second beside those that read the files. It looks at this when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Outside of a command Ctrl-C just ends the process, unless it is to be ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gainful.cli import main as command

    command()


def trec_eval() -> None:
    """Run ``gainful trec_eval``, for the script that its option ``--install`` writes."""
    sys.argv.insert(1, "trec_eval")
    main()
