"""OpenSpiel's `maedn` and `racelab results` in lock-step: every roll must lead to the same positions.

OpenSpiel plays random games. At every state that awaits a roll, each of the six faces is played out in every
legal way there; the set of positions reached must equal the `results` that one racelab process gives for the
same position and die. Positions met before are not asked again, so POSITIONS counts distinct ones. Four tables
share them equally: two seats opposite, two adjacent, three, four.

    python openspiel_lockstep.py [--positions 100000] [--seed 1] [--racelab target/release/racelab]

Prints how many positions, dice, result positions and differences there were, per table and in all, and how
often the rare cases came up. Exit code 0: no difference; 1: at least one; 2: could not be run.

How OpenSpiel 2.0.2 encodes a state, and what it becomes here
-------------------------------------------------------------
Parameters. `players` (2 to 4, default 2) and `twoPlayersOpposite` (default true; read only with two players).

Seats. Player p sits at corner p; with two players opposite, player 1 sits at corner 2. Corners 0 to 3 run
    clockwise and are our seats A to D: two opposite A C, two adjacent A B, three A B C, four A B C D.
    Turn order is p + 1 modulo the number of players, so clockwise among the seats in play, A first: ours.
Board. Read from `observation_tensor(0)`, which is seen from player 0 at corner 0, hence not turned:
    40 ring fields, then 4 goal fields of each player in turn, each field as four 0/1 values (whose token);
    then each player's tokens outside (the yard), 4 values; then mover and die, both empty before a roll.
    Ring field i is `r{i}` (player p's start is 10 x corner). Goal field k of a player is `L{k+1}`, 0 next to
    the ring. Tokens outside are `H`.
    The goal blocks go by player, also with two players opposite: block 1 is player 1, who is seat C.
Who rolls. A chance state does not show the player to roll. Any face applied to it makes
    `current_player()` that player. It is the last mover again after a six, else the next player.
Moves. Action 0 passes (offered only when nothing moves), 1 brings a token in, 2 + n moves the token that is n
    fields from its owner's start. Each player action ends the roll, so a roll's results are the states after
    every legal action.
End. Terminal as soon as one player's four goal fields are full, also after a six: `won=` that seat, no `to=`.

Rules, as options of racelab's default preset
---------------------------------------------
    forced_capture=false            nothing makes a player capture
    lane_jump=true                  tokens may jump each other on the goal fields
    tries=1                         one roll with all tokens in the yard; `tries` is therefore never printed
    bonus_on_unplayable_six=true    any six rolls again, a passed one too (only with an empty yard)
Vacating the start before all else, bringing out with a six, exact goals and no safe fields are as in the
default. `one_out` is off: OpenSpiel starts with four tokens outside.

The mapping is checked on the way: tokens per seat are four, `to` is asked of OpenSpiel for every state.
"""

import argparse
import collections
import json
import queue
import random
import subprocess
import sys
import threading

RULES = {"forced_capture": False, "lane_jump": True, "tries": 1, "bonus_on_unplayable_six": True}
TABLES = [
    ("two opposite", "maedn(players=2,twoPlayersOpposite=true)", [0, 2]),
    ("two adjacent", "maedn(players=2,twoPlayersOpposite=false)", [0, 1]),
    ("three", "maedn(players=3)", [0, 1, 2]),
    ("four", "maedn(players=4)", [0, 1, 2, 3]),
]
RING, LANE = 40, 4
OUT_AT = 4 * (RING + 4 * LANE)
SHOWN = 5


def position(state, corners):
    """Write `state`, which awaits a roll or is over, as one line of racelab's notation."""
    tensor = state.observation_tensor(0)
    offsets = [[-1] * int(tensor[OUT_AT + player]) for player in range(len(corners))]
    for index, value in enumerate(tensor[:OUT_AT]):
        if value:
            field, player = divmod(index, 4)
            if field < RING:
                offsets[player].append((field - 10 * corners[player]) % RING)
            else:
                block, lane = divmod(field - RING, LANE)
                assert block == player, "a token on a foreign goal field"
                offsets[player].append(RING + lane)
    words = []
    for corner, own in zip(corners, offsets):
        assert len(own) == 4, "a seat without four tokens"
        words.append(f"{'ABCD'[corner]}:{','.join(token(corner, offset) for offset in sorted(own))}")
    if state.is_terminal():
        returns = state.returns()
        words.append(f"won={'ABCD'[corners[returns.index(max(returns))]]}")
    else:
        words.append(f"to={'ABCD'[corners[state.child(0).current_player()]]}")
    return " ".join(words)


def token(corner, offset):
    """One token's text, from its distance to its owner's start (-1: yard)."""
    if offset < 0:
        return "H"
    if offset < RING:
        return f"r{(10 * corner + offset) % RING}"
    return f"L{offset - RING + 1}"


def play(wanted, name, spec, corners, rng, ask):
    """Ask about `wanted` distinct positions of one table, over as many random games as it takes."""
    import pyspiel

    game = pyspiel.load_game(spec)
    seen = set()
    seats = set()
    while len(seen) < wanted:
        state = game.new_initial_state()
        while not state.is_terminal() and len(seen) < wanted:
            before = position(state, corners)
            rolled = [state.child(face) for face in range(6)]
            if before not in seen:
                seen.add(before)
                seats.add(rolled[0].current_player())
                for die, child in enumerate(rolled, start=1):
                    actions = child.legal_actions()
                    results = sorted({position(child.child(action), corners) for action in actions})
                    ask(name, before, die, results, actions == [0], str(state))
            state = rng.choice(rolled)
            state.apply_action(rng.choice(state.legal_actions()))
    assert seats == set(range(len(corners))), "a seat never rolled"
    return len(seen)


class Racelab:
    """One `racelab results` process; answers are compared on a thread of their own while play goes on."""

    def __init__(self, binary):
        self.process = subprocess.Popen(
            [binary, "results"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.waiting = queue.SimpleQueue()
        self.counts = collections.defaultdict(collections.Counter)
        self.shown = 0
        self.broken = None
        self.reader = threading.Thread(target=self.compare_all, daemon=True)
        self.reader.start()
        self.asked = 0

    def ask(self, table, before, die, results, passed, picture):
        """Send one question and keep what OpenSpiel says."""
        self.asked += 1
        line = {"id": f"openspiel-{self.asked}", "game": "mensch", "rules": RULES, "position": before, "dice": [die]}
        self.waiting.put((table, line, results, passed, picture))
        self.process.stdin.write(json.dumps(line) + "\n")

    def finish(self):
        """Close the input, wait for the last answers, and check that the process ended well."""
        self.process.stdin.close()
        self.waiting.put(None)
        self.reader.join()
        code = self.process.wait()
        compared = sum(counts["dice"] for counts in self.counts.values())
        if self.broken is None and code not in (0, 1):
            self.broken = f"racelab ended with code {code}"
        if self.broken is None and compared != self.asked:
            self.broken = f"{self.asked} asked, only {compared} compared"

    def compare_all(self):
        """Read the answers in order and compare each with its question."""
        try:
            while (item := self.waiting.get()) is not None:
                answer = self.process.stdout.readline()
                if not answer:
                    raise ValueError("racelab stopped answering")
                self.compare(*item, json.loads(answer))
            if self.process.stdout.readline():
                raise ValueError("racelab wrote more lines than it was asked")
        except ValueError as error:
            self.broken = str(error)
            while self.process.stdout.read(1 << 16):  # keep the pipe moving so that the writer can end
                pass

    def compare(self, table, line, expected, passed, picture, answer):
        """Count one answer, and show it if it differs."""
        if answer.get("id") != line["id"]:
            raise ValueError(f"asked {line['id']}, answered {answer.get('id')}")
        counts = self.counts[table]
        counts["dice"] += 1
        counts["results"] += len(expected)
        if passed:
            counts["no move"] += 1
            counts["six without a move"] += line["dice"] == [6]
        else:
            *seats, to = line["position"].split()
            others = [seat for seat in seats if seat[0] != to[-1]]
            counts["with a choice"] += len(expected) > 1
            counts["with a capture"] += any(seat not in result.split() for result in expected for seat in others)
            counts["winning"] += any("won=" in result for result in expected)
        got = answer.get("results")
        if got == expected:
            return
        counts["differences"] += 1
        self.shown += 1
        if self.shown > SHOWN:
            return
        print(f"\n{line['id']}, {table}: {line['position']}, die {line['dice'][0]}\n{picture}", file=sys.stderr)
        if got is None:
            print(f"  racelab: {answer.get('error', answer)}", file=sys.stderr)
            return
        for result in expected:
            if result not in got:
                print(f"  only OpenSpiel: {result}", file=sys.stderr)
        for result in got:
            if result not in expected:
                print(f"  only racelab:   {result}", file=sys.stderr)
        if sorted(set(got)) == expected:
            print("  same positions, but not sorted or with duplicates", file=sys.stderr)


def main():
    """Run the comparison and print its counts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--positions", type=int, default=100_000, help="distinct positions in all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of OpenSpiel's random games (default %(default)s)")
    parser.add_argument("--racelab", default="target/release/racelab", help="binary (default %(default)s)")
    options = parser.parse_args()
    if options.positions < 1:
        parser.error("--positions must be at least 1")
    try:
        import pyspiel  # noqa: F401
        racelab = Racelab(options.racelab)
    except (ImportError, OSError) as error:
        print(f"not run: {error}", file=sys.stderr)
        return 2

    rng = random.Random(options.seed)
    positions = {}
    try:
        for index, (name, spec, corners) in enumerate(TABLES):
            wanted = (options.positions + index) // len(TABLES)
            positions[name] = play(wanted, name, spec, corners, rng, racelab.ask)
        racelab.finish()
    except BrokenPipeError:
        racelab.broken = racelab.broken or "racelab closed its input"
    if racelab.broken:
        print(f"not run to the end: {racelab.broken}", file=sys.stderr)
        return 2

    columns = ["dice", "results", "no move", "six without a move", "with a choice", "with a capture", "winning",
               "differences"]
    print("table, positions, " + ", ".join(columns))
    total = collections.Counter()
    for name, count in positions.items():
        total.update(racelab.counts[name], positions=count)
        print(", ".join([name, str(count)] + [str(racelab.counts[name][column]) for column in columns]))
    print(", ".join(["all", str(total["positions"])] + [str(total[column]) for column in columns]))
    return 1 if total["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
