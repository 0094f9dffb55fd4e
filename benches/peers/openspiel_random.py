"""Random games of OpenSpiel's `maedn` through its Python API, counted and timed; prints one JSON line.

Four players; dice and moves drawn uniformly. The C++ core does the rules, the loop and the draws are Python's,
so this is the speed a Python user sees, not the core's. Time is CPU time of this process (user and system)
and covers play only.

Usage: python openspiel_random.py GAMES [SEED]
"""

import json
import random
import sys
import time

import pyspiel


def play_game(game, choose):
    """Play one game and return how many rolls it took."""
    state = game.new_initial_state()
    rolls = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(choose() * 6))
            rolls += 1
        actions = state.legal_actions()
        state.apply_action(actions[int(choose() * len(actions))])
    return rolls


def main():
    """Play, time, print."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.rsplit("\n\n", 1)[-1].strip())
    games = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) == 3 else 1
    choose = random.Random(seed).random
    game = pyspiel.load_game("maedn(players=4)")
    play_game(game, choose)
    before = time.process_time()
    rolls = sum(play_game(game, choose) for _ in range(games))
    cpu = time.process_time() - before
    print(json.dumps({
        "peer": "openspiel", "games": games, "rolls": rolls, "cpu_seconds": round(cpu, 6),
        "games_per_cpu_second": round(games / cpu, 3), "rolls_per_cpu_second": round(rolls / cpu, 1),
    }))


if __name__ == "__main__":
    main()
