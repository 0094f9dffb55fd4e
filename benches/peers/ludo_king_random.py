"""Random games of ludo-king-engine 0.1.3, counted and timed; prints one JSON line.

Four players, each move drawn uniformly from `get_valid_moves`, until the first winner. The loop calls the
engine's own steps (`roll_dice`, `get_valid_moves`, `execute_move`, `next_turn`) and leaves out the package's
strategy objects, whose decision context costs more than the game: this is the engine at its fastest.
Time is CPU time of this process (user and system) and covers play only.

Usage: python ludo_king_random.py GAMES [SEED]
"""

import json
import random
import sys
import time

from ludo_engine.core import LudoGame, PlayerColor

COLOURS = [PlayerColor.RED, PlayerColor.GREEN, PlayerColor.YELLOW, PlayerColor.BLUE]


def play_game(choose):
    """Play one game and return how many rolls it took."""
    game = LudoGame(COLOURS)
    rolls = 0
    while not game.game_over:
        seat = game.get_current_player()
        die = game.roll_dice()
        rolls += 1
        third_six = game.consecutive_sixes >= 3
        moves = game.get_valid_moves(seat, die)
        again = die == 6 and not third_six  # as in `play_turn`, also without a move
        if moves:
            move = moves[int(choose() * len(moves))]
            again = game.execute_move(seat, move.token_id, die).extra_turn
        if not again:
            game.next_turn()
    return rolls


def main():
    """Play, time, print."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.rsplit("\n\n", 1)[-1].strip())
    games = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) == 3 else 1
    random.seed(seed)
    choose = random.Random(seed).random
    play_game(choose)
    before = time.process_time()
    rolls = sum(play_game(choose) for _ in range(games))
    cpu = time.process_time() - before
    print(json.dumps({
        "peer": "ludo-king-engine", "games": games, "rolls": rolls, "cpu_seconds": round(cpu, 6),
        "games_per_cpu_second": round(games / cpu, 3), "rolls_per_cpu_second": round(rolls / cpu, 1),
    }))


if __name__ == "__main__":
    main()
