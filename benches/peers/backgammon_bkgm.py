"""Random games of backgammon beside the crate bkgm: games per CPU-second on one core, with ratios.

    python benches/peers/backgammon_bkgm.py [--racelab target/release/racelab] [--rounds 5] [--games 20000] [--keep DIR]

bkgm (0.6.0, from crates.io; wildbg is no crate there) is built in a temporary folder, or in DIR, which is used again.
It must find the 202,782 plays of two rolls from the start that racelab's bench finds, and its games must be as long as
racelab's: 96.8 rolls. Every round runs both, in turn; the ratio is the median of the rounds' own ratios. bkgm only
plays, in a bare loop; racelab plays a whole tournament with its counts and folder.
Exit code: 0 when both were measured.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Mean rolls of a random game; the standard error of 1,000 games is 1.3.
ROLLS = (92, 102)


def racelab(binary, games, folder):
    """Play a tournament; return its games per CPU-second and rolls per game."""
    subprocess.run(
        [binary, "tournament", "--game", "backgammon", "--preset", "cubeless", "--bots", "random", "--threads", "1",
         "--quiet", "--force", "--blocks", str(games), "--out", str(folder)], check=True)
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return run["timing"]["games_per_cpu_second"], run["rolls"] / run["games"]


def bkgm(binary, games, seed):
    """Play games of bkgm; return them per CPU-second and their rolls."""
    output = subprocess.run([binary, str(games), str(seed)], check=True, stdout=subprocess.PIPE, text=True).stdout
    answer = json.loads(output)
    return answer["games_per_cpu_second"], answer["rolls"] / answer["games"]


def build(folder):
    """Build the driver of bkgm; return its binary."""
    manifest = HERE / "backgammon_bkgm" / "Cargo.toml"
    # The lock file goes with the folder too.
    sources = folder / "driver"
    (sources / "src").mkdir(parents=True, exist_ok=True)
    for name in ("Cargo.toml", "src/main.rs"):
        (sources / name).write_bytes((manifest.parent / name).read_bytes())
    environment = os.environ | {"CARGO_TARGET_DIR": str(folder / "target")}
    subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", str(sources / "Cargo.toml")],
                   check=True, env=environment)
    return folder / "target" / "release" / "backgammon-bkgm-random"


def measure(arguments, folder):
    """Build, play in rounds, print."""
    driver = build(folder)
    rounds = []
    for number in range(1, arguments.rounds + 1):
        print(f"round {number} of {arguments.rounds}", file=sys.stderr)
        rounds.append((racelab(arguments.racelab, arguments.games, folder / "out"),
                       bkgm(driver, arguments.games, number)))
    for name, side in (("racelab, whole tournament", 0), ("bkgm 0.6.0, bare loop", 1)):
        rolls = statistics.mean(pair[side][1] for pair in rounds)
        if not ROLLS[0] <= rolls <= ROLLS[1]:
            sys.exit(f"{name}: {rolls:.1f} rolls a game; expected {ROLLS[0]} to {ROLLS[1]}: not the same game")
        games = statistics.median(pair[side][0] for pair in rounds)
        print(f"{name:<28}{rolls:>8.1f} rolls/game{games:>12,.0f} games/CPU-s{games * rolls:>14,.0f} rolls/CPU-s")
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in rounds)
    print(f"racelab is faster per game: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racelab", default="target/release/racelab")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.keep:
        measure(arguments, arguments.keep.resolve())
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    main()
