"""Backgammon: known figures of GNU Backgammon, pubeval and random play, by racelab's rules.

    cargo build --release --manifest-path benches/peers/backgammon_net/Cargo.toml
    python benches/peers/backgammon_sanity.py REFEREE ONE OTHER [--games 30000] [--seed 1]

REFEREE is the program `backgammon-referee` built by the first line. It rolls the dice, finds the legal plays, plays
them and counts the points, cubeless; a player only chooses, and a choice that is no legal play ends the run. ONE and
OTHER are `gnubg`, `pubeval` (of the PyPI package gnubg-nn 1.1.0a11, which must be importable) or bots of racelab.
A player against itself is seen by the side that starts; two players meet the same dice twice, with seats changed.
"""

import argparse
import json
import subprocess
import sys

from backgammon_gnubg import gnubg, pubeval

PEERS = {"gnubg": gnubg, "pubeval": pubeval}

# Known points a game with their standard errors, see README.md.
KNOWN = {
    ("gnubg", "gnubg"): (0.0176, 0.0079),
    ("pubeval", "random"): (2.502, 0.005),
    ("gnubg", "random"): (2.690, 0.005),
}


def played(arguments):
    """What the referee counted."""
    name = lambda player: f"peer-{player}" if player in PEERS else player
    command = [arguments.referee, name(arguments.one), name(arguments.other), str(arguments.games), str(arguments.seed)]
    referee = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    found = {}
    for line in referee.stdout:
        first, *rest = line.split()
        if first == "result":
            found[rest[0]] = json.loads(f"[{','.join(rest[1:])}]" if rest[0] != "ends" else "".join(rest[1:]))
            continue
        numbers = [int(number) for number in rest]
        mover, other = PEERS[first.removeprefix("peer-")](numbers[:25], numbers[25:50], numbers[50:])
        print(*mover, *other, file=referee.stdin, flush=True)
    if referee.wait():
        sys.exit(1)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("referee")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = played(arguments)
    (games,), (points, error), ends = found["games"], found["points"], found["ends"]
    print(f"{arguments.one} against {arguments.other}, {games} games: {points:+.4f} ± {error:.4f} points a game")
    percent = lambda count: f"{100 * count / games:.2f} %"
    print(f"won {percent(sum(ends[4:]))}, gammons {percent(ends[1] + ends[5])}, backgammons {percent(ends[0] + ends[6])}")
    print("; ".join(f"{value:+d}: {percent(ends[value + 3])}" for value in (-3, -2, -1, 1, 2, 3)))
    (rolls,), (results,), (most,), (stuck,) = found["rolls"], found["results"], found["most"], found["stuck"]
    (bar,), (doubles,) = found["bar"], found["doubles"]
    print(
        f"{rolls / games:.1f} rolls a game; {results:.2f} results a roll, {(results - stuck) / (1 - stuck):.2f} of those "
        f"that move, {most} at most; {100 * stuck:.1f} % do not move, {100 * bar:.1f} % start on the bar, "
        f"{100 * doubles:.1f} % are doubles"
    )
    if known := KNOWN.get((arguments.one, arguments.other)):
        off = abs(points - known[0]) / (error**2 + known[1] ** 2) ** 0.5
        print(f"known: {known[0]:+.4f} ± {known[1]:.4f}; {off:.1f} standard errors apart")
        if off > 4:
            sys.exit("more than 4 standard errors")


if __name__ == "__main__":
    main()
