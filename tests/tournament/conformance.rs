//! Merging is exact: any split of the blocks, in any order and grouping, gives the same tally.

use std::sync::LazyLock;

use proptest::prelude::*;
use racelab::experiment::record::{Meta, Record};
use racelab::experiment::runner::{empty_tally, play_blocks};
use racelab::experiment::spec::{Experiment, Spec};
use racelab::experiment::tally::Tally;
use racelab::games::mensch::Mensch;

const BLOCKS: u64 = 12;

static EXPERIMENT: LazyLock<Experiment<Mensch>> = LazyLock::new(|| {
    let text = format!(
        "game = 'mensch'\nbots = ['greedy', 'random', 'rear']\nseats = 'ABC'\nseatings = 'all'\n\
         cap = 300\nblocks = {BLOCKS}"
    );
    Spec::parse(&text).unwrap().resolve().unwrap()
});

static WHOLE: LazyLock<Tally> = LazyLock::new(|| play_blocks(&EXPERIMENT, 0..BLOCKS));

fn merged<'a>(parts: impl IntoIterator<Item = &'a Tally>) -> Tally {
    let mut all = empty_tally(&EXPERIMENT);
    parts.into_iter().for_each(|part| all.merge(part));
    all
}

#[test]
fn some_games_of_the_experiment_are_capped_and_some_not() {
    assert!(WHOLE.capped > 0 && WHOLE.capped < WHOLE.games);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn blocks_played_apart_merge_to_blocks_played_together(
        (a, b) in (0..=BLOCKS, 0..=BLOCKS).prop_map(|(a, b)| (a.min(b), a.max(b))),
        order in Just([0, 1, 2]).prop_shuffle(),
    ) {
        let parts = [0..a, a..b, b..BLOCKS].map(|range| play_blocks(&EXPERIMENT, range));
        prop_assert_eq!(&merged(order.map(|part| &parts[part])), &*WHOLE);
        let [first, second, third] = order.map(|part| &parts[part]);
        let mut grouped = first.clone();
        grouped.merge(&merged([second, third]));
        prop_assert_eq!(&grouped, &*WHOLE);
        grouped.merge(&empty_tally(&EXPERIMENT));
        prop_assert_eq!(&grouped, &*WHOLE);
    }

    #[test]
    fn records_keep_every_count_in_files(
        lo in 0..BLOCKS, blocks in 0..BLOCKS, wall: u32, decisions: Vec<(u64, u64)>,
    ) {
        let tally = play_blocks(&EXPERIMENT, lo..lo + blocks);
        // Sixteenths are exact in text; others may lose their last bit.
        let wall_seconds = f64::from(wall) / 16.0;
        let meta = Meta { wall_seconds, cpu_seconds: 0.25, decisions };
        let record = Record::new(&EXPERIMENT.job(), lo, lo + blocks, tally, meta);
        let text = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}
