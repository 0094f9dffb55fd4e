"""Finds what the judges of the salad dressings ranked, as far as a Plackett-Luce fit can tell, from the published fit.

Critchlow & Fligner (1991) had 32 judges rank four dressings; the fit is published to eight digits, the rankings are not in
any text at hand. All that the likelihood sees of them are three kinds of counts: how often each dressing was first, how often
each two were left for the last two places, and how often each was last. The likelihood equations are linear in these counts, so
the counts of the first and of the pairs must add up to whole numbers for every dressing. Prints all counts that do.

Needs numpy and scipy; takes half a minute:  python3 benches/tools/salad_counts.py
"""

import itertools
import math

import numpy as np
from scipy.spatial import cKDTree

JUDGES = 32
WORTHS = np.array([0.04185863, 0.64175851, 0.19950446, 0.11687839])
PAIRS = list(itertools.combinations(range(4), 2))
TOLERANCE = 2e-5  # the eighth digit of the worths, times 32 and the steepest equation, is 1e-5


def sums(total, parts):
    """All ways to share `total` among `parts`."""
    if parts == 1:
        return [(total,)]
    return [(n, *rest) for n in range(total + 1) for rest in sums(total - n, parts - 1)]


def first_places(dressing):
    """What one more judge with each dressing in first place adds to the expected choices of this one."""
    return [0 if dressing == first else WORTHS[dressing] / (1 - WORTHS[first]) for first in range(4)]


def last_pairs(dressing):
    """What one more judge with each pair in the last two places adds to them."""
    return [WORTHS[dressing] / (WORTHS[a] + WORTHS[b]) if dressing in (a, b) else 0 for a, b in PAIRS]


firsts = np.array(sums(JUDGES, 4), dtype=float)
pairs = np.array(sums(JUDGES, 6), dtype=float)
of_firsts = np.stack([JUDGES * WORTHS[d] + firsts @ first_places(d) for d in range(4)], 1)
of_pairs = np.stack([pairs @ last_pairs(d) for d in range(4)], 1)
near = cKDTree(of_pairs[:, :3] % 1.0, boxsize=1.0).query_ball_point(-of_firsts[:, :3] % 1.0, TOLERANCE)
for index, hits in enumerate(near):
    for hit in hits:
        chosen = of_firsts[index] + of_pairs[hit]
        last = JUDGES - np.rint(chosen)
        if last.min() < 0:
            continue
        likelihood = (
            np.rint(chosen) @ np.log(WORTHS)
            - firsts[index] @ np.log(1 - WORTHS)
            - sum(n * math.log(WORTHS[a] + WORTHS[b]) for n, (a, b) in zip(pairs[hit], PAIRS))
        )
        names = ["ABCD"[a] + "ABCD"[b] for a, b in PAIRS]
        print("first", dict(zip("ABCD", firsts[index].astype(int).tolist())))
        print("last two", dict(zip(names, pairs[hit].astype(int).tolist())))
        print("last", dict(zip("ABCD", last.astype(int).tolist())))
        print(f"off by {abs(chosen - np.rint(chosen)).max():.1e}, log-likelihood {likelihood:.5f}")
