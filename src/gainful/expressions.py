"""Text as an expression of Python: parsed, never run."""

import ast
import os
import threading

# CPython 3.11 counts the depth of a tree for all threads in one number: two that parse at once may
# end in "SystemError: AST constructor recursion depth mismatch".
_PARSING = threading.RLock()
if hasattr(os, "register_at_fork"):
    # Or a child would wait forever for a thread that it does not have.
    os.register_at_fork(
        before=_PARSING.acquire,
        after_in_parent=_PARSING.release,
        after_in_child=_PARSING.release,
    )


def expression(text: str) -> ast.expr:
    """The tree of an expression; SyntaxError and its kin where it is none.

    >>> ast.unparse(expression("f(rel = 2)"))
    'f(rel=2)'
    """
    with _PARSING:
        return ast.parse(text, mode="eval").body
