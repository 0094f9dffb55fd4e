use racelab::engine::{game::*, perft::perft, play::*, random::*, results::result_set, seat::*};
use racelab::games::mensch::*;
struct R(PerSeat<Stream>);
impl Chooser<Mensch> for R {
    #[inline(always)]
    fn choose(&mut self, _: &Mensch, _: &State, seat: Seat, moves: &Moves) -> usize {
        self.0[seat].below(moves.len() as u64) as usize
    }
}
fn golden() {
    for l in std::fs::read_to_string("../shared/golden/mensch.jsonl")
        .unwrap()
        .lines()
    {
        let v: serde_json::Value = serde_json::from_str(l).unwrap();
        let rules: Rules = serde_json::from_value(v["rules"].clone()).unwrap();
        let pos = v["position"].as_str().unwrap();
        let g = Mensch::new(rules, Mensch::seats_of(pos).unwrap()).unwrap();
        let s = g.parse(pos).unwrap();
        let d: Vec<i64> = v["dice"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_i64().unwrap())
            .collect();
        let r = result_set(&g, &s, &d).unwrap();
        let want: Vec<String> = v["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_str().unwrap().to_owned())
            .collect();
        if r != want {
            println!("{l}\n got {r:?}");
        }
    }
    let g = Mensch::new(Rules::default(), "ABCD".parse().unwrap()).unwrap();
    let s = g.start(Seat::A);
    println!(
        "{:?}",
        (1..=8).map(|n| perft(&g, &s, n)).collect::<Vec<_>>()
    );
}
fn main() {
    if std::env::args().nth(2).is_none() {
        golden();
    }
    let g = Mensch::new(Rules::default(), "ABCD".parse().unwrap()).unwrap();
    let s = g.start(Seat::A);
    let n: u64 = std::env::args()
        .nth(1)
        .map_or(100000, |x| x.parse().unwrap());
    let t = std::time::Instant::now();
    let (mut rolls, mut turns, mut cap, mut wins) = (0u64, 0u64, 0u64, [0u64; 8]);
    let mut moves = Moves::default();
    for b in 0..n {
        let k = BlockKey::new(1, b);
        let mut c = R(PerSeat::from_fn(|s| k.stream(Purpose::Bot, s)));
        let mut ct = Counts::default();
        let p = play(
            &g,
            s,
            &mut SeededDice::new(k),
            &mut c,
            &mut ct,
            &mut moves,
            DEFAULT_CAP,
        );
        rolls += u64::from(p.rolls);
        turns += u64::from(ct.turns);
        cap += ct
            .captures
            .as_array()
            .iter()
            .map(|&x| u64::from(x))
            .sum::<u64>();
        for i in 0..4 {
            wins[i] += u64::from(p.standing.places[Seat::new(i)] == 1);
        }
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{n} games {:.0}/s {:.2} ns/roll rolls {:.2} turns {:.2} captures {:.3} wins {wins:?}",
        n as f64 / e,
        e * 1e9 / rolls as f64,
        rolls as f64 / n as f64,
        turns as f64 / n as f64,
        cap as f64 / n as f64
    );
}
