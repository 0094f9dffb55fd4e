"""Random games of LudoPy 1.5.0, counted and timed; prints one JSON line.

Four players, each move drawn uniformly from the pieces that may move, until the first winner. A roll is
one `get_observation`, which rolls the die. Time is CPU time of this process (user and system) and covers
play only: imports and one game to warm up lie before the clock.

Traps: the game keeps a history of every observation, so each game is a fresh `Game`; LudoPy rolls with
numpy's global generator, which is why that one is seeded; importing LudoPy imports OpenCV although play
never draws, so the headless build is enough.

Usage: python ludopy_random.py GAMES [SEED]
"""

import json
import random
import sys
import time

import ludopy
import numpy


def play_game(choose):
    """Play one game and return how many rolls it took."""
    game = ludopy.Game()
    rolls = 0
    while True:
        (_, pieces, _, _, _, _), _ = game.get_observation()
        rolls += 1
        piece = pieces[int(choose() * len(pieces))] if len(pieces) else -1
        if game.answer_observation(piece)[5]:
            return rolls


def main():
    """Play, time, print."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.rsplit("\n\n", 1)[-1].strip())
    games = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) == 3 else 1
    numpy.random.seed(seed)
    choose = random.Random(seed).random
    play_game(choose)
    before = time.process_time()
    rolls = sum(play_game(choose) for _ in range(games))
    cpu = time.process_time() - before
    print(json.dumps({
        "peer": "ludopy", "games": games, "rolls": rolls, "cpu_seconds": round(cpu, 6),
        "games_per_cpu_second": round(games / cpu, 3), "rolls_per_cpu_second": round(rolls / cpu, 1),
    }))


if __name__ == "__main__":
    main()
