"""Check that GNU Backgammon imports the matches we write without a complaint.

How to: install GNU Backgammon (Debian: `apt-get install gnubg`), write the files with
`cargo test --test backgammon_notation files_for_gnu_backgammon -- --ignored`, then run this script on them:
`python benches/peers/gnubg_import.py target/tmp/gnubg/*.mat target/tmp/gnubg/*.sgf`. Each file is imported (.mat) or
loaded (.sgf) by a fresh gnubg in text mode, which then exports the match as .mat. The script prints a line for each
file, with what gnubg complained about and whether its export has the same games, turn by turn, as the .mat of that
name among the arguments; it exits with 1 if anything was wrong. Sessions with automatic doubles have no place here:
the program's own .mat export forgets them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

GNUBG = "/usr/games/gnubg"
COMPLAINT = re.compile(
    r"error|illegal|invalid|unrecogni|unexpected|warning|failed|cannot|could not|inconsisten|ignor", re.I
)


def turns(text):
    """The lines of play and results of a .mat text, each play's moves sorted and spaces squeezed."""
    lines = []
    for line in text.splitlines():
        if line.lstrip().startswith(";"):
            continue
        # gnubg sorts the moves of a play; a roll starts a new one.
        plays = re.split(r"(?=\b[1-6][1-6]:)|(?= Doubles| Takes| Drops| Beavers|Wins)", line)
        lines.append(" ".join(" ".join(sorted(play.split())) for play in plays).split())
    return [line for line in lines if line]


def imported(path, out):
    """Let gnubg read a file and export it to `out`; what it said."""
    command = "import mat" if path.suffix == ".mat" else "load match"
    script = f"set confirm new off\n{command} {path}\nexport match mat {out}\n"
    run = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input=script, capture_output=True, text=True, timeout=120, check=False
    )
    return run.stdout + run.stderr


def main():
    paths = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    originals = {path.stem: path.read_text() for path in paths if path.suffix == ".mat"}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            out = pathlib.Path(folder) / (path.name + ".out")
            said = imported(path, out)
            complaints = [line.strip() for line in said.splitlines() if COMPLAINT.search(line)]
            same = out.exists() and turns(out.read_text()) == turns(originals.get(path.stem, ""))
            verdict = "same games" if same else "OTHER GAMES" if out.exists() else "NOT READ"
            print(path.name, verdict, *complaints, sep="; ")
            wrong += not same or bool(complaints)
    print(f"{len(paths)} files, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
