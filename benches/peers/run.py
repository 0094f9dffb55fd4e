"""Racelab and its peers in turn, in one run: random games per CPU-second on one core, with ratios.

    python benches/peers/run.py [--racelab target/release/racelab] [--rounds 3] [--scale 1.0] [--venv DIR]

Python peers are installed into a virtual environment in a temporary folder (kept and used again with --venv).
The C++ simulator is taken from the environment variable MADN_BIN; README.md says how to build it. A peer that
cannot be had is reported as "not available", with the reason. Every round runs each program once, in the same
order; the table shows medians over the rounds, and ratios are medians of the rounds' own ratios.
Racelab plays a whole tournament, with its counts and result folder, of `random` against itself. The targets
below the table are shown, not enforced: a busy machine moves every number.
Exit code: 0 when racelab and at least one peer were measured, else 1.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
# One bot at all four seats: a block is one game.
RACELAB_BLOCKS = 200_000
RACELAB_ARGUMENTS = ["tournament", "--game", "mensch", "--seats", "ABCD", "--bots", "random", "--threads", "1",
                     "--quiet", "--force"]
# How many times faster per game racelab is meant to be.
TARGETS = {"LudoPy": 1000, "Neverminda/madn (C++)": 4}

# name, version, script (None: MADN_BIN), pinned packages, games a run, rolls per game of the program meant here.
PEERS = [
    ("LudoPy", "1.5.0", "ludopy_random.py",
     ["ludopy==1.5.0", "numpy==2.4.6", "opencv-python-headless==5.0.0.93"], 150, (365, 405)),
    ("ludo-king-engine", "0.1.3", "ludo_king_random.py", ["ludo-king-engine==0.1.3"], 200, (365, 405)),
    ("OpenSpiel maedn (Python)", "2.0.2", "openspiel_random.py",
     ["open_spiel==2.0.2", "numpy==2.4.6", "scipy==1.17.1", "absl-py==2.5.1", "attrs==26.1.0",
      "ml_collections==1.1.0", "PyYAML==6.0.4"], 3_000, (410, 445)),
    ("Neverminda/madn (C++)", "5dd0179", None, [], 50_000, (308, 318)),
]


class NotAvailable(Exception):
    """Why a program could not be run."""


def racelab_command(binary, blocks, folder):
    """The command line of a tournament that leaves its result in `folder`."""
    return [binary, *RACELAB_ARGUMENTS, "--blocks", str(blocks), "--out", str(folder)]


def racelab_answer(folder):
    """What a finished tournament says of itself."""
    run_json = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    answer = {key: run_json[key] for key in ("games", "rolls")}
    return answer | {"games_per_cpu_second": run_json["timing"]["games_per_cpu_second"]}


def run(command):
    """Run a program; return its JSON line, with `whole` = CPU seconds of the process seen from outside.

    A tournament of racelab prints nothing: its answer lies in the folder behind `--out`.
    """
    try:
        with tempfile.TemporaryFile() as complaints:  # a pipe could fill up while the answer is read
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints)
            output = process.stdout.read().decode("utf-8", "replace")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            complaints.seek(0)
            errors = complaints.read().decode("utf-8", "replace")
    except OSError as error:
        raise NotAvailable(f"{command[0]}: {error.strerror}") from error
    if process.returncode:
        last = (errors.strip() or "no message").splitlines()[-1]
        raise NotAvailable(f"exit code {process.returncode}: {last}")
    try:
        if "--out" in command:
            answer = racelab_answer(pathlib.Path(command[command.index("--out") + 1]))
        else:
            answer = json.loads(output.strip().splitlines()[-1])
        answer["games_per_cpu_second"] = float(answer["games_per_cpu_second"])
    except (IndexError, ValueError, KeyError, TypeError, OSError) as error:
        raise NotAvailable(f"{command[0]}: no JSON with games_per_cpu_second") from error
    if not 0 < answer["games_per_cpu_second"] < float("inf"):
        raise NotAvailable(f"{command[0]}: games_per_cpu_second is {answer['games_per_cpu_second']}")
    answer["whole"] = usage.ru_utime + usage.ru_stime
    return answer


def install(folder, packages):
    """Install pinned packages, without what they ask for beyond the pins (LudoPy wants a GUI build of OpenCV)."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *packages]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        raise NotAvailable("pip: " + (done.stderr.strip() or "no message").splitlines()[-1])
    return str(python)


def peer_command(script, packages, games, folder):
    """The command line of one peer, installed."""
    if script is None:
        binary = os.environ.get("MADN_BIN")
        if not binary:
            raise NotAvailable("MADN_BIN is not set")
        return [binary, str(games)]
    return [install(folder, packages), str(HERE / script), str(games)]


def measure(programs, rounds):
    """Run all commands in turn, `rounds` times; return what each printed, or why it is not available."""
    results = {name: [] if isinstance(command, list) else command for name, command in programs.items()}
    for number in range(rounds):
        for name, command in programs.items():
            if isinstance(results[name], list):
                print(f"round {number + 1}: {name}", file=sys.stderr)
                try:
                    results[name].append(run(command))
                except NotAvailable as error:
                    results[name] = error
    return results


def median(answers, key):
    """Median of a field over the rounds, or None where a program does not print it."""
    values = [answer.get(key) for answer in answers]
    return None if None in values else statistics.median(values)


def ratio(ours, theirs, key):
    """Median of the rounds' ratios ours / theirs, or None."""
    pairs = [(our.get(key), their.get(key)) for our, their in zip(ours, theirs)]
    return None if any(None in pair for pair in pairs) else statistics.median(our / their for our, their in pairs)


def show(value, form):
    """A number, or a dash for what is unknown."""
    return "-" if value is None else format(value, form)


def with_rolls(answer):
    """Add rolls per game and per CPU-second where a program prints its rolls only as a total."""
    if "rolls" in answer and "games" in answer:
        answer["rolls_per_game"] = answer["rolls"] / answer["games"]
        answer.setdefault("rolls_per_cpu_second", answer["rolls_per_game"] * answer["games_per_cpu_second"])
    return answer


def report(results, versions, ranges):
    """Print the table and the targets; return whether racelab and at least one peer were measured."""
    for answers in results.values():
        if isinstance(answers, list):
            for answer in answers:
                with_rolls(answer)
                if "games" in answer:
                    answer["whole_rate"] = answer["games"] / answer["whole"]
    ours = results["racelab"] if isinstance(results["racelab"], list) else []
    print("| program | version | rolls/game | games/CPU-s | games/CPU-s, whole process | rolls/CPU-s "
          "| racelab is faster: per game | per roll |")
    print("|---|---|---|---|---|---|---|---|")
    notes = []
    for name, answers in results.items():
        if not isinstance(answers, list):
            print(f"| {name} | {versions[name]} | not available | | | | | |")
            notes.append(f"{name}: not available: {answers}")
            continue
        per_game = median(answers, "rolls_per_game")
        low, high = ranges.get(name, (0, float("inf")))
        if per_game is not None and not low <= per_game <= high:
            notes.append(f"{name}: {per_game:.0f} rolls per game, expected {low} to {high}: not the program meant")
        versus = [None, None] if name == "racelab" or not ours else [
            ratio(ours, answers, "games_per_cpu_second"), ratio(ours, answers, "rolls_per_cpu_second")]
        cells = [name, versions[name], show(per_game, ".0f"), show(median(answers, "games_per_cpu_second"), ",.0f"),
                 show(median(answers, "whole_rate"), ",.0f"), show(median(answers, "rolls_per_cpu_second"), ",.0f"),
                 *(show(value, ",.1f") for value in versus)]
        print("| " + " | ".join(cells) + " |")
    for name, target in TARGETS.items():
        if ours and isinstance(results[name], list):
            measured = ratio(ours, results[name], "games_per_cpu_second")
            verdict = "met" if measured >= target else "missed"
            notes.append(f"target: {target:,} times {name} per game: {measured:,.1f} times, {verdict}")
    for note in notes:
        print(f"\n{note}")
    return bool(ours) and any(isinstance(answers, list) for name, answers in results.items() if name != "racelab")


def main():
    """Install, run, report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--racelab", default="target/release/racelab", help="binary (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program (default %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every number of games (default 1)")
    parser.add_argument("--venv", type=pathlib.Path, help="folder to keep the peers in (default: temporary)")
    options = parser.parse_args()
    if options.rounds < 1 or options.scale <= 0:
        parser.error("--rounds and --scale must be positive")

    def scaled(games):
        return max(1, round(games * options.scale))

    with tempfile.TemporaryDirectory(prefix="racelab-peers-") as temporary:
        folder = options.venv or pathlib.Path(temporary) / "venv"
        result = pathlib.Path(temporary) / "racelab"
        programs = {"racelab": racelab_command(options.racelab, scaled(RACELAB_BLOCKS), result)}
        for name, _, script, packages, games, _ in PEERS:
            try:
                programs[name] = peer_command(script, packages, scaled(games), folder)
            except NotAvailable as error:
                programs[name] = error
        before = os.getloadavg()[0]
        results = measure(programs, options.rounds)
    versions = {"racelab": "this tree"} | {name: version for name, version, *_ in PEERS}
    ranges = {name: rolls for name, *_, rolls in PEERS if options.scale >= 1}  # fewer games scatter too much
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    print(f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, "
          f"load before {before:.1f}, {options.rounds} rounds\n")
    return 0 if report(results, versions, ranges) else 1


if __name__ == "__main__":
    sys.exit(main())
