"""Three systems, twenty queries: Sakai, Laboratory experiments in information retrieval, Table 5.1.

In tenths, so that ties are ties; as floats, differences that are equal are not.
"""

import numpy as np

TENTHS = np.array(
    [
        [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
        [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
        [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
    ]
)
VALUES = TENTHS / 10
DIFFERENCES = VALUES[0] - VALUES[1]
