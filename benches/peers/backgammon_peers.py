"""Random games of backgammon, racelab beside its peers in turn, in one run: games per CPU-second on one core, ratios.

    python benches/peers/backgammon_peers.py [--racelab target/release/racelab] [--rounds 3] [--scale 1.0] [--keep DIR]
                                             [--only NAME ...]

pgx and OpenSpiel come from PyPI, OpenSpiel's C++ core from the sources that PyPI holds (g++ builds what backgammon
needs, once), bkgm from crates.io. wildbg is no crate there: WILDBG_ENGINE names the folder crates/engine of a checkout,
README.md says of which commit. All is built in a temporary folder, or in DIR, which is used again. A peer that cannot
be had is reported as "not available", with the reason.

Before it plays, wildbg must find the plays that racelab finds on wildbg's own benchmark positions and from the start,
bkgm those from the start; every peer's games must be as long as those of the program meant here. Every round runs
every peer, each right after a tournament of racelab's own; a ratio is the median of the rounds' own ratios. The peers
only play, in a bare loop; racelab plays a whole tournament, with its counts and result folder. The targets are shown,
not enforced: a busy machine moves every number.
Exit code: 0 when racelab and at least one peer were measured, else 1.
"""

import argparse
import concurrent.futures
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tarfile
import tempfile

import backgammon_bkgm
import run
from run import NotAvailable

HERE = pathlib.Path(__file__).resolve().parent
RATE = "games_per_cpu_second"
BLOCKS = 20_000
# Two seats, one bot at both: a block is one game.
RACELAB_ARGUMENTS = ["tournament", "--game", "backgammon", "--preset", "cubeless", "--bots", "random", "--threads", "1",
                     "--quiet", "--force"]
OPEN_SPIEL = next(packages for _, _, script, packages, *_ in run.PEERS if script == "openspiel_random.py")
PGX = ["pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2", "ml_dtypes==0.6.0", "numpy==2.4.6", "opt_einsum==3.4.0",
       "scipy==1.17.1", "svgwrite==1.4.3", "typing_extensions==4.16.0"]
# The release flags of OpenSpiel's own CMakeLists.txt.
CXX = ["g++", "-std=c++20", "-O3", "-DNDEBUG", "-w"]
CORE_SOURCES = ["action_view.cc", "game_parameters.cc", "observer.cc", "spiel.cc", "spiel_utils.cc",
                "utils/status.cc", "utils/usage_logging.cc", "games/backgammon/backgammon.cc"]
# Where the linker finds all that these ask for, less what is no library or not asked for.
ABSEIL_FOLDERS = ["base", "container", "debugging", "hash", "numeric", "strings", "synchronization", "time"]
ABSEIL_LEFT_OUT = ("benchmark", "cord", "mock", "print_hash", "test")


def called(command, **options):
    """Run a build step; its output, or NotAvailable with the line of its errors that says most."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except OSError as error:
        raise NotAvailable(f"{command[0]}: {error.strerror}") from error
    if done.returncode:
        lines = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()
        raise NotAvailable(f"{command[0]}: " + next((line for line in lines if "error" in line), lines[-1]))
    return done.stdout


def open_spiel_python(folder, games):
    """The command of OpenSpiel's Python API."""
    python = run.install(folder / "venv", OPEN_SPIEL)
    return [python, str(HERE / "openspiel_backgammon.py"), str(games)]


def open_spiel_core(folder, games):
    """The command of OpenSpiel's C++ core, built from PyPI's sources."""
    folder = folder / "open_spiel"
    requirement, root = OPEN_SPIEL[0], folder / OPEN_SPIEL[0].replace("==", "-")
    if not root.exists():
        folder.mkdir(parents=True, exist_ok=True)
        called([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "open_spiel",
                "--dest", str(folder), requirement])
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
    core = [root / "open_spiel" / name for name in CORE_SOURCES]
    abseil = [source for name in ABSEIL_FOLDERS
              for source in sorted((root / "open_spiel" / "abseil-cpp" / "absl" / name).rglob("*.cc"))
              if not any(word in source.name for word in ABSEIL_LEFT_OUT)]
    includes = [f"-I{root / part}" for part in ("", "open_spiel", "open_spiel/abseil-cpp", "open_spiel/json/include")]

    def compiled(source):
        target = folder / "objects" / (str(source.relative_to(root)).replace("/", "-") + ".o")
        if not target.exists():
            # A name of its own, so that a build broken off leaves no half object behind.
            part = target.with_suffix(".part")
            called([*CXX, *includes, "-c", str(source), "-o", str(part)])
            part.rename(target)
        return str(target)

    (folder / "objects").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        core, abseil = [list(pool.map(compiled, sources)) for sources in (core, abseil)]
    library, binary = folder / "abseil.a", folder / "openspiel-backgammon"
    called(["ar", "rcs", str(library), *abseil])
    called([*CXX, *includes, str(HERE / "openspiel_backgammon.cpp"), *core, str(library), "-pthread", "-o",
            str(binary)])
    return [str(binary), str(games)]


def pgx(folder, calls):
    """The command of pgx: 64 boards, 256 steps a call."""
    return [run.install(folder / "venv", PGX), str(HERE / "backgammon_pgx.py"), "64", "256", str(calls)]


def bkgm(folder, games):
    """The command of the crate bkgm."""
    try:
        return [str(backgammon_bkgm.build(folder)), str(games)]
    except OSError as error:
        raise NotAvailable(f"cargo: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise NotAvailable("cargo did not build it") from error


def wildbg_engine():
    """The folder of wildbg's engine crate."""
    engine = os.environ.get("WILDBG_ENGINE")
    if not engine:
        raise NotAvailable("WILDBG_ENGINE is not set")
    if not (pathlib.Path(engine) / "Cargo.toml").exists():
        raise NotAvailable(f"WILDBG_ENGINE: no Cargo.toml in '{engine}'")
    return pathlib.Path(engine).resolve()


def wildbg(folder, games):
    """The command of wildbg's generator, its driver built around the crate that WILDBG_ENGINE names."""
    engine, sources = wildbg_engine(), folder / "wildbg"
    template = HERE / "backgammon_wildbg"
    (sources / "src").mkdir(parents=True, exist_ok=True)
    manifest = (template / "Cargo.toml").read_text(encoding="utf-8").replace('"WILDBG_ENGINE"', f'"{engine}"')
    program = (template / "src" / "main.rs").read_text(encoding="utf-8")
    for path, text in ((sources / "Cargo.toml", manifest), (sources / "src" / "main.rs", program)):
        # A file written again would be built again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    target = folder / "target-wildbg"
    called(["cargo", "build", "--release", "--quiet", "--manifest-path", str(sources / "Cargo.toml")],
           env=os.environ | {"CARGO_TARGET_DIR": str(target)})
    positions = HERE.parents[1] / "tests" / "golden" / "backgammon" / "wildbg-positions"
    return [str(target / "release" / "backgammon-wildbg-random"), str(games), "1", str(positions / "contact.csv"),
            str(positions / "race.csv")]


def wildbg_version():
    """The commit of the checkout around the engine crate, as git tells it."""
    try:
        return called(["git", "-C", str(wildbg_engine()), "rev-parse", "--short=7", "HEAD"]).strip()
    except NotAvailable:
        return "no checkout"


# name: version, command, games a run (calls of pgx: 80 games each), what a game is counted in and how long it is in
# the program meant here, how many times faster per game racelab is meant to be.
PEERS = {
    "OpenSpiel, C++ core": (lambda: "2.0.2", open_spiel_core, 3_000, "actions", (105, 115), 70),
    "OpenSpiel, Python": (lambda: "2.0.2", open_spiel_python, 1_000, "actions", (105, 115), 100),
    "pgx, 64 boards": (lambda: "2.6.0", pgx, 20, "actions", (195, 220), 200),
    "wildbg": (wildbg_version, wildbg, 20_000, "rolls", backgammon_bkgm.ROLLS, 3),
    "bkgm": (lambda: "0.6.0", bkgm, 20_000, "rolls", backgammon_bkgm.ROLLS, 4),
}


def length(answers, unit):
    """Mean length of a game over all rounds."""
    return sum(answer[unit] for answer in answers) / sum(answer["games"] for answer in answers)


def table(ours, theirs, check_lengths):
    """Print the table; `ours` and `theirs` hold the answers of racelab and of the peer of each name, round by round."""
    print("| program | version | games a run | length of a game | games/CPU-s | racelab is faster per game | target |")
    print("|---|---|---|---|---|---|---|")
    notes = []
    every = [answer for answers in ours.values() for answer in answers]
    rate = statistics.median(answer[RATE] for answer in every)
    print(f"| racelab, whole tournament | this tree | {every[0]['games']:,} | {length(every, 'rolls'):.1f} rolls "
          f"| {rate:,.0f} | - | |")
    for name, answers in theirs.items():
        version, _, _, unit, (low, high), target = PEERS[name]
        if not isinstance(answers, list):
            print(f"| {name} | {version()} | not available | | | | {target} |")
            notes.append(f"{name}: not available: {answers}")
            continue
        mean = length(answers, unit)
        if check_lengths and not low <= mean <= high:
            notes.append(f"{name}: {mean:.1f} {unit} a game, expected {low} to {high}: not the program meant")
        ratios = sorted(our[RATE] / their[RATE] for our, their in zip(ours[name], answers))
        middle = statistics.median(ratios)
        print(f"| {name} | {version()} | {answers[0]['games']:,} | {mean:.1f} {unit} "
              f"| {run.median(answers, RATE):,.0f} | {middle:,.2f} ({ratios[0]:,.2f} to {ratios[-1]:,.2f}) "
              f"| {target}, {'met' if middle >= target else 'missed'} |")
    for note in notes:
        print(f"\n{note}")


def measure(options, folder):
    """Build all, play in rounds, print; whether racelab and a peer were measured."""
    names = options.only or list(PEERS)
    racelab = [options.racelab, *RACELAB_ARGUMENTS, "--blocks", str(max(1, round(BLOCKS * options.scale))),
               "--out", str(folder / "racelab")]
    commands = {}
    for name in names:
        _, command, games, *_ = PEERS[name]
        print(f"building {name}", file=sys.stderr)
        try:
            commands[name] = command(folder, max(1, round(games * options.scale)))
        except NotAvailable as error:
            commands[name] = error
    before = os.getloadavg()[0]
    ours = {name: [] for name in names}
    theirs = {name: [] if isinstance(command, list) else command for name, command in commands.items()}
    for number in range(1, options.rounds + 1):
        for name in names:
            if not isinstance(theirs[name], list):
                continue
            try:
                our = run.run(racelab)
            except NotAvailable as error:
                sys.exit(f"racelab: {options.racelab}: {error}")
            try:
                their = run.run(commands[name])
            except NotAvailable as error:
                theirs[name] = error
                continue
            ours[name].append(our)
            theirs[name].append(their)
            print(f"round {number} of {options.rounds}: {name}: {their[RATE]:,.0f} games/CPU-s, "
                  f"racelab {our[RATE]:,.0f}", file=sys.stderr)
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    print(f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, load {before:.1f} before and "
          f"{os.getloadavg()[0]:.1f} after, {options.rounds} rounds\n")
    if not any(isinstance(answers, list) for answers in theirs.values()):
        for name, reason in theirs.items():
            print(f"{name}: not available: {reason}")
        return False
    table(ours, theirs, options.scale >= 1)  # fewer games scatter too much
    return True


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--racelab", default="target/release/racelab", help="binary (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each peer (default %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every number of games (default 1)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder to keep the peers in (default: temporary)")
    parser.add_argument("--only", action="append", choices=PEERS, help="only this peer; may be repeated (default: all)")
    options = parser.parse_args()
    if options.rounds < 1 or options.scale <= 0:
        parser.error("--rounds and --scale must be positive")
    with tempfile.TemporaryDirectory(prefix="racelab-peers-") as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return 0 if measure(options, folder) else 1


if __name__ == "__main__":
    sys.exit(main())
