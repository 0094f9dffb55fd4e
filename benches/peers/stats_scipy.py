"""Compares `racelab stats` with scipy and statsmodels on random inputs.

    python3 -m venv venv && venv/bin/pip install scipy statsmodels
    venv/bin/python benches/peers/stats_scipy.py [RACELAB] [CASES]

Prints the largest relative deviation of every number and fails above 1e-6 (1e-5 for fits).
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict

import numpy as np
from scipy import optimize, special, stats
from statsmodels.discrete.discrete_model import Logit
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

RACELAB = sys.argv[1] if len(sys.argv) > 1 else "target/release/racelab"
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 50
RNG = np.random.default_rng(20261130)
WORST = defaultdict(float)
COUNT = defaultdict(int)


def racelab(*arguments):
    line = [RACELAB, "stats", *map(str, arguments), "--format", "json"]
    return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)


def compare(name, ours, theirs, scale=None):
    """Both numbers, or both nothing."""
    if scale is None:
        scale = max(abs(theirs), 1e-6)
    WORST[name] = max(WORST[name], abs(ours - theirs) / scale)
    COUNT[name] += 1


def size():
    return int(10 ** RNG.uniform(0.5, 7))


def proportions():
    n = size()
    k = int(RNG.binomial(n, RNG.uniform(0.02, 0.98)))
    level = RNG.choice([0.9, 0.95, 0.99])
    target, margin = 0.5, RNG.choice([0.01, 0.1, 0.3])
    ours = racelab("proportion", k, n, "--confidence", level, "--target", target, "--margin", margin)
    for key, method in [("wilson", "wilson"), ("clopper_pearson", "beta")]:
        low, high = proportion_confint(k, n, alpha=1 - level, method=method)
        compare(key, ours[key]["low"], low)
        compare(key, ours[key]["high"], high)
    too_low = stats.binom.sf(k - 1, n, target - margin)
    too_high = stats.binom.cdf(k, n, target + margin)
    compare("exact tost", ours["tost_p"], max(too_low, too_high))


def differences():
    n1, n2 = size(), size()
    k1, k2 = (int(RNG.binomial(n, RNG.uniform(0.2, 0.8))) for n in (n1, n2))
    margin = RNG.choice([0.01, 0.1, 0.3])
    ours = racelab("compare", k1, n1, k2, n2, "--margin", margin)
    low, high = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff")
    compare("newcombe", ours["difference"]["low"], low, 1)
    compare("newcombe", ours["difference"]["high"], high, 1)
    z, p = proportions_ztest([k1, k2], [n1, n2])
    if np.isfinite(z):
        compare("two-share z", ours["z"], z, 1 + abs(z))
        compare("two-share p", ours["p_value"], p)
    p1, p2 = k1 / n1, k2 / n2
    error = np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    if error > 0:
        tails = stats.norm.sf((p1 - p2 + margin) / error), stats.norm.cdf((p1 - p2 - margin) / error)
        compare("tost of two", ours["tost_p"], max(tails))


def seats():
    n, total = int(RNG.integers(2, 9)), size() + 10
    wins = RNG.multinomial(total, RNG.dirichlet([500] * n))
    concentration = RNG.choice([1, 10, 100])
    ours = racelab("seats", *wins, "--concentration", concentration)
    statistic, p = stats.chisquare(wins)
    compare("chi-square", ours["chi_square"], statistic)
    compare("chi-square p", ours["p_value"], p)
    a = np.full(n, float(concentration))
    ln_e = special.gammaln(a + wins).sum() - special.gammaln((a + wins).sum())
    ln_e += special.gammaln(a.sum()) - special.gammaln(a).sum() + total * np.log(n)
    compare("dirichlet ln e", ours["ln_e"], ln_e, 1 + abs(ln_e) + 1e-6 * total)


def families():
    p = RNG.uniform(size=int(RNG.integers(1, 30))) ** 2
    ours = racelab("p-values", *p)
    for key, method in [("bonferroni", "bonferroni"), ("holm", "holm"), ("benjamini_hochberg", "fdr_bh")]:
        theirs = multipletests(p, method=method)[1]
        for test, value in zip(ours["tests"], theirs):
            compare(key, test[key], value)


def law(values, shares, deviations):
    """The most likely law with mean deviation 0."""
    low, high = -1 / deviations.max(), -1 / deviations.min()
    f = lambda theta: np.sum(shares * deviations / (1 + theta * deviations))
    edge = 1e-13 * (high - low)
    theta = optimize.brentq(f, low + edge, high - edge, xtol=1e-15, rtol=1e-14)
    return shares / (1 + theta * deviations)


def pairs():
    counts = RNG.multinomial(size() + 200, RNG.dirichlet([1, 4, 8, 4, 1]))
    ours = racelab("penta", *counts, "--elo0", "0", "--elo1", "5")
    n, values = counts.sum(), np.linspace(0, 1, 5)
    data = np.repeat(values, np.minimum(counts, 10**9)) if n < 10**6 else None
    if data is not None:
        low, high = stats.t.interval(0.95, n - 1, data.mean(), stats.sem(data))
        compare("student", ours["score"]["low"], low)
        compare("student", ours["score"]["high"], high)
    cells = np.where(counts == 0, 1e-3, counts)
    shares = cells / cells.sum()
    laws = [law(values, shares, values - 1 / (1 + 10 ** (-elo / 400))) for elo in (0, 5)]
    llr = cells.sum() * np.sum(shares * np.log(laws[1] / laws[0]))
    compare("gsprt", ours["llr"], llr, 1 + abs(llr))


def bradley_terry():
    n, blocks = int(RNG.integers(3, 7)), int(RNG.integers(40, 200))
    strength = RNG.normal(0, 0.7, n)
    rows, design, result, groups = ["winner,loser,block"], [], [], []
    for block in range(blocks):
        for _ in range(int(RNG.integers(2, 6))):
            i, j = RNG.choice(n, 2, replace=False)
            won = RNG.uniform() < 1 / (1 + np.exp(strength[j] - strength[i]))
            rows.append(f"b{i},b{j},{block}" if won else f"b{j},b{i},{block}")
            x = np.zeros(n)
            x[i], x[j] = 1, -1
            design.append(x)
            result.append(float(won))
            groups.append(block)
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("\n".join(rows) + "\n")
        file.flush()
        ours = racelab("rankings", "--csv", file.name)
    design, result, groups = np.array(design)[:, 1:], np.array(result), np.array(groups)
    model = Logit(result, design)
    fit = model.fit(disp=0, method="newton", tol=1e-12)
    theta = np.concatenate([[0], fit.params])
    elo = 400 / np.log(10) * (theta - theta.mean())
    by_name = {row["bot"]: row for row in ours["bots"]}
    for bot in range(n):
        compare("bradley-terry", by_name[f"b{bot}"]["elo"], elo[bot], 100)
    scores = model.score_obs(fit.params)
    sums = np.array([scores[groups == block].sum(0) for block in range(blocks)])
    bread = np.linalg.inv(-model.hessian(fit.params))
    cov = bread @ (sums.T @ sums * blocks / (blocks - 1)) @ bread
    full = np.zeros((n, n))
    full[1:, 1:] = cov
    centre = np.eye(n) - 1 / n
    errors = 400 / np.log(10) * np.sqrt(np.diag(centre @ full @ centre.T))
    for bot in range(n):
        compare("clustered error", by_name[f"b{bot}"]["error"], errors[bot])
    quasi_errors(ours, full, n, by_name)


def quasi_errors(ours, covariance, n, by_name):
    """The quasi-variances by a general minimiser."""
    scale = (400 / np.log(10)) ** 2
    i, j = np.triu_indices(n, 1)
    d = np.diag(covariance)
    v = scale * (d[i] + d[j] - 2 * covariance[i, j])
    found = optimize.least_squares(
        lambda log_q: np.log(v) - np.log(np.exp(log_q)[i] + np.exp(log_q)[j]),
        np.full(n, np.log(v.mean() / 2)), xtol=1e-15, ftol=1e-15, gtol=1e-15,
    )
    q = np.sqrt(np.exp(found.x))
    for bot in range(n):
        error = by_name[f"b{bot}"]["quasi_error"]
        # A quasi-variance below 0 has no root: the minimiser in logarithms then runs off.
        if error is not None and q[bot] > 1e-2 * q.max():
            compare("quasi error", error, q[bot])


def placings():
    n, games, table = int(RNG.integers(3, 7)), int(RNG.integers(60, 200)), 3
    strength = RNG.normal(0, 0.7, n)
    orders, rows = [], ["game,bot,place,seat"]
    for game in range(games):
        bots = RNG.choice(n, table, replace=False)
        keys = strength[bots] + np.array([0.3, 0, -0.2]) + RNG.gumbel(size=table)
        order = np.argsort(-keys)
        orders.append([(bots[k], k) for k in order])
        rows += [f"{game},b{bots[k]},{place},s{k}" for place, k in enumerate(order, 1)]
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("\n".join(rows) + "\n")
        file.flush()
        ours = racelab("rankings", "--csv", file.name)

    def loss(x):
        theta, seat = np.concatenate([[0], x[: n - 1]]), np.concatenate([[0], x[n - 1 :]])
        total = 0.0
        for order in orders:
            worth = np.array([theta[bot] + seat[k] for bot, k in order])
            for first in range(table - 1):
                total -= worth[first] - special.logsumexp(worth[first:])
        return total

    found = optimize.minimize(loss, np.zeros(n - 1 + table - 1), method="BFGS", options={"gtol": 1e-7})
    compare("plackett-luce likelihood", ours["log_likelihood"], -found.fun)
    theta = np.concatenate([[0], found.x[: n - 1]])
    elo = 400 / np.log(10) * (theta - theta.mean())
    for row in ours["bots"]:
        compare("plackett-luce", row["elo"], elo[int(row["bot"][1:])], 100)


def main():
    for case in range(CASES):
        for test in (proportions, differences, seats, families, pairs):
            test()
        if case % 5 == 0:
            bradley_terry()
        if case % 25 == 0:
            placings()
    bad = 0
    for name, worst in sorted(WORST.items()):
        fitted = name in ("plackett-luce", "quasi error")
        limit = 1e-5 if fitted else 1e-6
        bad += worst > limit
        print(f"{name:26} {COUNT[name]:6} numbers, largest deviation {worst:.1e}{'' if worst <= limit else '  TOO LARGE'}")
    sys.exit(int(bad > 0))


if __name__ == "__main__":
    main()
