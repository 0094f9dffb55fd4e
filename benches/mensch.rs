//! Games, rolls and paths in a second, by criterion: `cargo bench --bench mensch`.
//!
//! The groups of a tournament count games, those of the bare loop rolls. For ratios and
//! processor time, which a busy machine disturbs less, see `cargo bench --bench speed`.

mod support;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use support::{SELF_PLAY, Tree};

/// Games of one sample of a tournament, so many that its folder does not matter.
const GAMES: u64 = 2_000;
/// Games of one sample of the bare loop.
const BARE_GAMES: u64 = 500;
/// Games of one sample of the naive model.
const NAIVE_GAMES: u64 = 50;

fn main() {
    support::check();
    if !support::is_timed() {
        return;
    }
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    tournaments(&mut criterion);
    bare_loops(&mut criterion);
    trees(&mut criterion);
    criterion.final_summary();
}

fn tournaments(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mensch/games");
    group.throughput(Throughput::Elements(GAMES));
    group.sampling_mode(SamplingMode::Flat);
    for self_play in SELF_PLAY {
        group.bench_function(BenchmarkId::from_parameter(self_play.name), |bencher| {
            bencher.iter(|| self_play.pipeline(GAMES, 1));
        });
    }
    let random = &SELF_PLAY[0];
    let name = format!("{}, 2 threads", random.name);
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        bencher.iter(|| random.pipeline(GAMES, 2));
    });
    group.finish();
}

fn bare_loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mensch/rolls");
    group.sampling_mode(SamplingMode::Flat);
    for self_play in SELF_PLAY {
        let mut bare = self_play.bare();
        group.throughput(Throughput::Elements(bare.play(0..BARE_GAMES)));
        group.bench_function(BenchmarkId::from_parameter(self_play.name), |bencher| {
            bencher.iter(|| bare.play(0..BARE_GAMES));
        });
    }
    group.throughput(Throughput::Elements(support::naive(NAIVE_GAMES)));
    group.bench_function("naive model, random, 4 seats", |bencher| {
        bencher.iter(|| support::naive(NAIVE_GAMES));
    });
    group.finish();
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mensch/paths");
    group.sampling_mode(SamplingMode::Flat);
    for (name, tree) in [
        ("from the start", Tree::from_the_start()),
        ("crowded board", Tree::crowded()),
    ] {
        group.throughput(Throughput::Elements(tree.paths));
        group.bench_function(name, |bencher| bencher.iter(|| tree.walk()));
    }
    group.finish();
}
