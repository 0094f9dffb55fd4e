"""Racelab's Parchís beside the engine of malfer/parchis5, in turn, in one run.

    PARCHIS5_BIN=/path/to/driver python3 benches/peers/parchis5.py [--racelab target/release/racelab] [--rounds 5] \
        [--scale 1.0] [--strength GAMES]

First games per CPU-second of four random players: the peer, racelab by the preset `spanish`, which are the peer's
rules but for a few cases (README.md lists them), and racelab by its default rules. Then how often the peer's best
level beats three random players, and one, with 95 % intervals. The engine is GPL, so neither it nor a program
built from it is here: README.md says what the driver must do.
Exit code: 0 when all was measured, else 1.
"""

import argparse
import math
import os
import pathlib
import statistics
import sys
import tempfile

from run import NotAvailable, run, show, with_rolls

# Four random players: the peer's games and racelab's.
PEER_GAMES = 30_000
RACELAB_GAMES = 200_000
TARGET = 80_000
# The peer's best level, as its driver takes the levels of yellow, blue, red and green; "-" plays not.
STRENGTH = [("three random players", "4000", 0.912), ("one random player, across", "4-0-", 0.982)]


def racelab_command(binary, preset, games, folder):
    """A tournament of four random players: a block of one bot is one game."""
    return [binary, "tournament", "--game", "parchis", "--preset", preset, "--seats", "ABCD", "--bots", "random",
            "--threads", "1", "--quiet", "--force", "--blocks", str(games), "--out", str(folder)]


def ask(driver, games, seed, levels, *rotate):
    """What the driver says of so many games, if it is an answer to that."""
    answer = run([driver, str(games), str(seed), levels, *rotate])
    wins = answer.get("wins")
    numbers = [answer.get("games"), answer.get("rolls"), *(wins if isinstance(wins, list) else [None])]
    whole = all(isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in numbers)
    if not whole or len(wins) != 4 or answer["games"] != games or sum(wins) != games:
        raise NotAvailable(f"{driver}: no answer about {games} games with as many wins; README.md says what it must print")
    return with_rolls(answer)


def speeds(options, driver, folder):
    """Every program once a round, in turn: what each answered."""
    games = max(1, round(PEER_GAMES * options.scale))
    blocks = max(1, round(RACELAB_GAMES * options.scale))
    answers = {"parchis5": [], "racelab, spanish": [], "racelab, default": []}
    for number in range(options.rounds):
        print(f"round {number + 1}", file=sys.stderr)
        answers["parchis5"].append(ask(driver, games, number + 1, "0000"))
        for preset in ["spanish", "default"]:
            command = racelab_command(options.racelab, preset, blocks, folder)
            answers[f"racelab, {preset}"].append(with_rolls(run(command)))
    return answers


def report(answers):
    """The table of speeds, and the target."""
    print("| program | rolls/game | games/CPU-s, median | best | rolls/CPU-s | racelab is faster: per game |")
    print("|---|---|---|---|---|---|")
    theirs = answers["parchis5"]
    for name, ours in answers.items():
        rates = [answer["games_per_cpu_second"] for answer in ours]
        ratios = [rate / their["games_per_cpu_second"] for rate, their in zip(rates, theirs)]
        cells = [name, show(statistics.median(answer["rolls_per_game"] for answer in ours), ".0f"),
                 show(statistics.median(rates), ",.0f"), show(max(rates), ",.0f"),
                 show(statistics.median(answer["rolls_per_cpu_second"] for answer in ours), ",.0f"),
                 "-" if ours is theirs else show(statistics.median(ratios), ".1f")]
        print("| " + " | ".join(cells) + " |")
    best = max(answer["games_per_cpu_second"] for answer in answers["racelab, default"])
    print(f"\ntarget: {TARGET:,} games of four random players: {best:,.0f}, {'met' if best >= TARGET else 'missed'}")


def strength(driver, games):
    """The peer's best level against its random one: wins with the normal interval of single games."""
    print("\n| the peer's best level against | games | wins | 95 % interval | known |")
    print("|---|---|---|---|---|")
    for against, levels, known in STRENGTH:
        answer = ask(driver, games, 1, levels, "1")
        share = answer["wins"][0] / answer["games"]
        half = 1.96 * math.sqrt(share * (1 - share) / answer["games"])
        print(f"| {against} | {answer['games']} | {share:.1%} | {share - half:.1%} to {share + half:.1%} "
              f"| {known:.1%} |".replace("%", " %"))


def main():
    """Measure, report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--racelab", default="target/release/racelab", help="binary (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (default %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every number of games (default 1)")
    parser.add_argument("--strength", type=int, default=12_000, help="games a row (default %(default)s; 0: none)")
    options = parser.parse_args()
    if options.rounds < 1 or not 0 < options.scale <= 1000:
        parser.error("--rounds must be positive, --scale above 0 and at most 1000")
    if options.strength and options.strength < 100:
        parser.error("--strength: at least 100 games, or 0 for none")
    driver = os.environ.get("PARCHIS5_BIN")
    try:
        if not driver:
            raise NotAvailable("PARCHIS5_BIN is not set; README.md says what it is")
        with tempfile.TemporaryDirectory(prefix="racelab-peers-") as temporary:
            report(speeds(options, driver, pathlib.Path(temporary) / "racelab"))
        if options.strength:
            strength(driver, options.strength)
    except NotAvailable as error:
        print(f"not available: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if sys.stdout is None:
        sys.exit("stdout: closed")
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:  # nobody reads the table, or there is no room for it
        sys.stdout = None  # what is left of it is not tried again
        sys.exit(f"stdout: {error.strerror}")
    sys.exit(code)
