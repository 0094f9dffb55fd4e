"""Random games of pgx's backgammon on one CPU core, counted and timed; prints one JSON line.

A batch of boards is stepped by one compiled program, uniformly among the legal actions of every board; a board whose
game is over starts again at once. An action moves one man by one die, so a game has about 205 of them. The process
pins itself to one core before jax starts its threads. Compiling and two calls of warm-up, which spread the boards over
all stages of a game, are not timed. Time is CPU time of this process (user and system); games are those that ended in
it.

Usage: python backgammon_pgx.py [BATCH [STEPS [CALLS [SEED]]]]    (64 boards, 256 steps a call, 20 calls, seed 1)
"""

import json
import os
import sys
import time

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402 - after the pinning
import jax.numpy as jnp  # noqa: E402
import pgx  # noqa: E402
from pgx.experimental.wrappers import auto_reset  # noqa: E402

WARM_UP_CALLS = 2


def program(batch, steps):
    """Compiled: boards and key to boards, key and the number of games that ended in `steps` steps."""
    env = pgx.make("backgammon")
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry, _):
        boards, key = carry
        key, choice, dice = jax.random.split(key, 3)
        # The k-th legal action of every board: one draw a board is cheaper than jax.random.categorical.
        ranks = jnp.cumsum(boards.legal_action_mask, axis=1)
        counts = ranks[:, -1]
        kth = jnp.minimum((jax.random.uniform(choice, (batch,)) * counts).astype(jnp.int32), counts - 1)
        actions = jnp.argmax(ranks > kth[:, None], axis=1)
        boards = step(boards, actions, jax.random.split(dice, batch))
        return (boards, key), jnp.sum(boards.terminated)

    @jax.jit
    def play(boards, key):
        (boards, key), ended = jax.lax.scan(one, (boards, key), None, length=steps)
        return boards, key, jnp.sum(ended)

    return jax.jit(init), play


def main():
    """Play, time, print."""
    if len(sys.argv) > 5:
        sys.exit(__doc__.rsplit("\n\n", 1)[-1].strip())
    batch, steps, calls, seed = (int(given) for given in (sys.argv[1:] + ["64", "256", "20", "1"][len(sys.argv) - 1:]))
    init, play = program(batch, steps)
    key = jax.random.PRNGKey(seed)
    boards = init(jax.random.split(key, batch))
    for _ in range(WARM_UP_CALLS):
        boards, key, ended = play(boards, key)
    ended.block_until_ready()
    before = time.process_time()
    games = 0
    for _ in range(calls):
        boards, key, ended = play(boards, key)
        games += int(ended)
    cpu = time.process_time() - before
    actions = batch * steps * calls
    print(json.dumps({
        "peer": "pgx backgammon", "games": games, "actions": actions, "cpu_seconds": round(cpu, 6),
        "games_per_cpu_second": round(games / cpu, 3),
    }))


if __name__ == "__main__":
    main()
