#!/bin/sh
# Instructions per roll of the play loop, counted by callgrind: a number that does not move with
# the load of the machine. What a process does besides play cancels: each case is run with two
# numbers of games, and the difference is divided by the difference of the rolls.
#
#     benches/callgrind.sh
#
# Needs cargo and valgrind. Exit code 1 when `random-in-place`, the rules engine and the dice by
# themselves, takes more than a limit below.
set -eu

MOST_DEFAULT=130 # instructions per roll, plain x86-64
MOST_V3=130      # with -C target-cpu=x86-64-v3
CASES='random-in-place random random-counted greedy racer run-home naive'
FEW=200
MANY=700

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build FLAGS FOLDER: builds the bench; prints where it lies.
build() {
    RUSTFLAGS=$1 cargo bench --quiet --bench speed --no-run --target-dir "$2" --message-format json |
        sed -n 's/.*"name":"speed".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

# count BINARY CASE GAMES: prints the rolls and the instructions of a run.
count() {
    rolls=$(valgrind --tool=callgrind --callgrind-out-file="$work/out" --log-file="$work/log" \
        "$1" --bare "$2" "$3")
    echo "$rolls $(sed -n 's/^\(summary\|totals\): *\([0-9]*\).*/\2/p' "$work/out" | tail -n 1)"
}

# per_roll BINARY CASE: prints instructions per roll.
per_roll() {
    echo "$(count "$1" "$2" $FEW) $(count "$1" "$2" $MANY)" |
        awk '{ printf "%.1f\n", ($4 - $2) / ($3 - $1) }'
}

target=${CARGO_TARGET_DIR:-target}
default=$(build '' "$target")
v3=$(build '-C target-cpu=x86-64-v3' "$target/x86-64-v3")

printf '%-18s %10s %10s\n' 'instructions/roll' x86-64 x86-64-v3
for case in $CASES; do
    a=$(per_roll "$default" "$case")
    b=$(per_roll "$v3" "$case")
    printf '%-18s %10s %10s\n' "$case" "$a" "$b"
    if [ "$case" = random-in-place ]; then
        found="$a $b"
    fi
done
printf '%-18s %10s %10s\n' 'random-in-place <=' "$MOST_DEFAULT" "$MOST_V3"
echo "$found" | awk -v a="$MOST_DEFAULT" -v b="$MOST_V3" \
    '$1 > a || $2 > b { print "too many instructions"; exit 1 }'
