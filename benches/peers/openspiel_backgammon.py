"""Random games of OpenSpiel's backgammon through its Python API, counted and timed; prints one JSON line.

Dice by their probabilities, moves uniformly among the legal actions; a double is two actions. The C++ core does the
rules, the loop and the draws are Python's, so this is the speed a Python user sees. Time is CPU time of this process
(user and system) and covers play only. To compare, in the same minute:

    racelab tournament --game backgammon --preset cubeless --bots random --blocks 20000 --threads 1 --quiet --out DIR

and `games_per_cpu_second` in DIR/run.json: all legal plays generated, tallies and result folder included.

Usage: python openspiel_backgammon.py GAMES [SEED]
"""

import json
import random
import sys
import time

import pyspiel


def play_game(game, rng):
    """Play one game and return how many actions the players took."""
    state = game.new_initial_state()
    actions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions


def main():
    """Play, time, print."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.rsplit("\n\n", 1)[-1].strip())
    games = int(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) == 3 else 1)
    game = pyspiel.load_game("backgammon")
    play_game(game, rng)
    before = time.process_time()
    actions = sum(play_game(game, rng) for _ in range(games))
    cpu = time.process_time() - before
    print(json.dumps({
        "peer": "openspiel backgammon", "games": games, "actions": actions, "cpu_seconds": round(cpu, 6),
        "games_per_cpu_second": round(games / cpu, 3),
    }))


if __name__ == "__main__":
    main()
