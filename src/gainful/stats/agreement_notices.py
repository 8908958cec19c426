"""What is worth saying about the agreement of measures and runs."""

import math

from gainful.notices import Notice

FEW = 5  # systems: of fewer, two orders agree by chance too often to tell anything


class FewSystems(Notice):
    """Orders of few systems agree by chance."""

    code = "few-systems"
    severity = "warning"
    n_systems: int

    def __str__(self) -> str:
        return (
            f"{self.n_systems} systems are few: two orders of them that have nothing to do with "
            f"each other agree 1 time in {math.factorial(self.n_systems)}, with tau 1."
        )
