//! Random numbers: named streams that depend on nothing but their key.
//!
//! A stream is a function of (seed, block, purpose, seat). Dice and bots draw from different
//! streams, so a bot that draws more numbers cannot change the dice; each seat has dice of its
//! own, so the k-th roll of a seat in block b is the same in every rotation of every line-up.
//! The generator is [`Pcg64Mcg`] by name; everything from key to die face is ours and pinned by
//! tests, because the helpers of `rand` may change their values in a minor release.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

use super::seat::Seat;

/// What the numbers of a stream are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The dice a seat rolls.
    Dice,
    /// The choices of the bot that sits there.
    Bot,
    /// What a search for better parameters draws; its blocks are generations, its seats runs.
    Search,
}

impl Purpose {
    /// The tag that enters the key: four letters, so that it reads in a debugger.
    const fn tag(self) -> u64 {
        u32::from_le_bytes(match self {
            Purpose::Dice => *b"dice",
            Purpose::Bot => *b"bot ",
            Purpose::Search => *b"srch",
        }) as u64
    }
}

/// What all streams of one block share: (seed, block), mixed once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockKey(u64);

impl BlockKey {
    /// The key of block `block` of a run with this seed.
    pub const fn new(seed: u64, block: u64) -> BlockKey {
        BlockKey(mix(mix(seed).wrapping_add(block)))
    }

    /// The dice of a seat.
    pub fn dice(self, seat: Seat) -> DiceStream {
        DiceStream::new(self.stream(Purpose::Dice, seat))
    }

    /// The stream of a seat for a purpose.
    pub fn stream(self, purpose: Purpose, seat: Seat) -> Stream {
        let key = mix(self.0 ^ (purpose.tag() << 8 | seat.index() as u64));
        let low = mix(key.wrapping_add(GOLDEN));
        Stream(Pcg64Mcg::new(u128::from(key) << 64 | u128::from(low)))
    }
}

/// The increment of `SplitMix64` (Steele, Lea & Flood 2014): 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of `SplitMix64` after one increment: a bijection on 64 bits.
const fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A stream of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// A number in `0..bound`, each equally likely: multiply and shift, with the rejection that
    /// makes it exact (Lemire 2019). Takes one draw of the generator, more with a probability
    /// below `bound / 2^64`.
    ///
    /// # Panics
    /// When `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            // 2^64 mod bound leftover values would make the low results too likely.
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// A stream of dice: one number of the generator gives [`DiceStream::BATCH`] faces.
///
/// A number below 2^64 is a fraction whose digits in base 6 are the faces, read off four at a
/// time by multiplying by 6⁴. They are exactly fair because a number is drawn again when what is left of
/// it behind the last digit is below `2^64 mod 6^20` (Brackett-Rozinsky & Lemire 2024).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiceStream {
    source: Stream,
    /// The faces to come, three bits each, the next one lowest; 0 when none is left.
    faces: u64,
}

/// The faces of four digits in base 6, three bits each, that of the highest digit lowest.
static FOUR_FACES: [u16; 6 * 6 * 6 * 6] = {
    let mut faces = [0; 6 * 6 * 6 * 6];
    let mut digits = 0;
    while digits < faces.len() {
        let (mut rest, mut place) = (digits, 4);
        while place > 0 {
            place -= 1;
            faces[digits] |= ((rest % 6 + 1) << (3 * place)) as u16;
            rest /= 6;
        }
        digits += 1;
    }
    faces
};

impl DiceStream {
    /// Faces to a number of the generator. A number of its own for every face would cost about
    /// 15 instructions more a face; longer batches would be drawn again too often, and 21 are the
    /// most that 64 bits hold.
    pub const BATCH: u32 = 20;

    const fn new(source: Stream) -> DiceStream {
        DiceStream { source, faces: 0 }
    }

    /// The face of a fair die, 1 to 6.
    #[inline(always)]
    pub fn die(&mut self) -> u8 {
        if self.faces == 0 {
            self.refill();
        }
        let face = self.faces as u8 & 7;
        self.faces >>= 3;
        face
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        const SPAN: u64 = 6u64.pow(DiceStream::BATCH);
        let number = loop {
            let number = self.source.0.next_u64();
            if number.wrapping_mul(SPAN) >= SPAN.wrapping_neg() % SPAN {
                break number;
            }
        };
        const { assert!(DiceStream::BATCH.is_multiple_of(4)) };
        for place in (0..Self::BATCH).step_by(4) {
            // What is left behind the digits before these, without waiting for them.
            let fraction = number.wrapping_mul(6u64.pow(place));
            let digits = (u128::from(fraction) * 6u128.pow(4)) >> 64;
            self.faces |= u64::from(FOUR_FACES[digits as usize]) << (3 * place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator itself, as published: a new version of the crate must not change it.
    #[test]
    fn pcg64mcg_gives_its_published_numbers() {
        let mut pcg = <Pcg64Mcg as rand::SeedableRng>::seed_from_u64(42);
        let numbers = [pcg.next_u64(), pcg.next_u64(), pcg.next_u64()];
        assert_eq!(
            numbers,
            [
                10_580_897_095_847_554_459,
                2_459_073_333_136_617_071,
                6_565_857_352_388_044_582
            ]
        );
    }

    /// Our way from key to face: a change here changes every result ever published.
    #[test]
    fn the_first_dice_of_seed_42_never_change() {
        let block = BlockKey::new(42, 0);
        let mut a = block.dice(Seat::new(0));
        let mut b = block.dice(Seat::new(1));
        let dice_a: Vec<u8> = (0..12).map(|_| a.die()).collect();
        let dice_b: Vec<u8> = (0..12).map(|_| b.die()).collect();
        assert_eq!(dice_a, [3, 3, 2, 4, 1, 3, 4, 4, 3, 5, 1, 2]);
        assert_eq!(dice_b, [4, 3, 6, 1, 3, 2, 2, 3, 3, 4, 6, 4]);
    }

    #[test]
    fn streams_of_other_keys_differ() {
        let first = |seed, block, purpose, seat| {
            let mut stream = BlockKey::new(seed, block).stream(purpose, Seat::new(seat));
            stream.0.next_u64()
        };
        let base = first(1, 1, Purpose::Dice, 0);
        for other in [
            first(2, 1, Purpose::Dice, 0),
            first(1, 2, Purpose::Dice, 0),
            first(1, 1, Purpose::Bot, 0),
            first(1, 1, Purpose::Search, 0),
            first(1, 1, Purpose::Dice, 1),
            first(2, 0, Purpose::Dice, 0),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn faces_are_equally_likely() {
        let mut stream = BlockKey::new(7, 7).dice(Seat::A);
        let mut counts = [0u32; 7];
        for _ in 0..600_000 {
            counts[stream.die() as usize] += 1;
        }
        // Chi-square with 5 degrees of freedom: 20.5 is passed once in a thousand seeds.
        let chi: f64 = counts[1..]
            .iter()
            .map(|&count| (f64::from(count) - 1e5).powi(2) / 1e5)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
    }
}
