"""Three systems and twenty queries: Sakai, Laboratory experiments in information retrieval, 2018,
Table 5.1."""

import numpy as np

A = ".7 .3 .2 .6 .4 .4 0 .7 .1 .3 .5 .4 0 .6 .5 .3 .1 .5 .2 .1"
B = ".5 .1 0 .2 .4 .3 0 .5 .3 .3 .4 .4 .1 .4 .2 .1 .1 .6 .3 .2"
C = "0 0 .2 .1 .3 .3 .1 .2 .4 .4 .4 .3 .3 .2 .2 .2 .1 .5 .4 .3"
VALUES = np.array([row.split() for row in (A, B, C)], dtype=np.float64)
