"""Backgammon: racelab's nets against pubeval and GNU Backgammon's nets, cubeless money play.

    cargo build --release --manifest-path benches/peers/backgammon_net/Cargo.toml
    python benches/peers/backgammon_gnubg.py PLAYER [NETS] [--peer gnubg|pubeval] [--pairs 1000] [--seed 1]

PLAYER is the program built by the first line. The peers come from the PyPI package gnubg-nn (1.1.0a11), which
must be importable. Each pair of games has the same dice, each side starting once; gammons count two, backgammons
three. Prints points per game of racelab with the standard error over pairs.
"""

import argparse
import random
import statistics
import subprocess

import gnubg_nn

BAR = 24
START = [0] * 25
START[5], START[7], START[12], START[23] = 5, 3, 5, 2


def stepped(mover, other, steps):
    """The board after steps (from, to) counted from 0, the bar being 24 and below 0 off."""
    mover, other = list(mover), list(other)
    for start, end in steps:
        mover[start] -= 1
        if end < 0:
            continue
        mover[end] += 1
        if other[23 - end]:
            other[23 - end] -= 1
            other[BAR] += 1
    return mover, other


def gnubg(mover, other, dice):
    """The play of GNU Backgammon's nets without search."""
    steps = gnubg_nn.best_move([other, mover], *dice, n=0) or ()
    return stepped(mover, other, [(start - 1, end - 1) for start, end in steps])


def pubeval(mover, other, dice):
    """The play of pubeval."""
    flat = gnubg_nn.pub_best_move([other, mover], *dice) or []
    return stepped(mover, other, list(zip(flat[::2], flat[1::2], strict=True)))


class Player:
    """racelab's nets behind a pipe."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, mover, other, dice):
        print(*mover, *other, *dice, file=self.process.stdin, flush=True)
        numbers = [int(number) for number in self.process.stdout.readline().split()]
        return numbers[:25], numbers[25:]


def points(loser):
    """What the winner gets against a side with these checkers left."""
    if sum(loser) < 15:
        return 1
    return 3 if any(loser[18:]) else 2


def game(players, dice):
    """The points of the player that starts."""
    mover, other = START, START
    roll = (0, 0)
    while roll[0] == roll[1]:
        roll = dice()
    turn = 0
    while True:
        mover, other = players[turn](mover, other, roll)
        if not any(mover):
            return points(other) if turn == 0 else -points(other)
        mover, other = other, mover
        turn = 1 - turn
        roll = dice()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("player")
    parser.add_argument("nets", nargs="*")
    parser.add_argument("--peer", choices=["gnubg", "pubeval"], default="gnubg")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    racelab = Player([arguments.player, *arguments.nets])
    peer = {"gnubg": gnubg, "pubeval": pubeval}[arguments.peer]
    results = []
    for pair in range(arguments.pairs):
        total = 0
        for sign, players in ((1, (racelab, peer)), (-1, (peer, racelab))):
            source = random.Random(f"{arguments.seed} {pair}")
            total += sign * game(players, lambda: (source.randint(1, 6), source.randint(1, 6)))
        results.append(total / 2)
    error = statistics.stdev(results) / len(results) ** 0.5
    print(f"{statistics.mean(results):+.4f} ± {error:.4f} points per game against {arguments.peer}, {2 * len(results)} games")


if __name__ == "__main__":
    main()
