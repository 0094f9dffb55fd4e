//! Which blocks serve which purpose. All purposes use one seed and ranges of block numbers that must not overlap. A block's
//! dice are a one-to-one function of its number, so ranges that do not overlap share no dice, by construction.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The first block of each purpose; those left out lie far from each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainSpec {
    /// Where candidates are tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<u64>,
    /// Where finalists race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<u64>,
    /// Where the candidate plays the bot it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<u64>,
    /// Where the gain is measured that the report tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reporting: Option<u64>,
}

/// How far apart the domains lie by default: more than any of them has blocks.
pub const DISTANCE: u64 = 1_000_000_000_000_000;
/// The most blocks of one domain.
pub const MAX_DOMAIN: u64 = 1_000_000_000_000;

/// The blocks of each purpose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domains {
    /// Where candidates are tried.
    pub tuning: Range<u64>,
    /// Where finalists race.
    pub selection: Range<u64>,
    /// Where the candidate plays the bot it came from.
    pub validation: Range<u64>,
    /// Where the gain is measured that the report tells.
    pub reporting: Range<u64>,
}

/// Two purposes that share blocks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "domains: {first} is blocks {} to {} and {second} blocks {} to {} of the same dice; dice that one has seen prove \
     nothing in the other: move one of them, or leave [domains] out", .ranges[0].start, .ranges[0].end - 1,
    .ranges[1].start, .ranges[1].end - 1
)]
pub struct Overlap {
    first: &'static str,
    second: &'static str,
    ranges: [Range<u64>; 2],
}

impl Domains {
    /// The domains of so many blocks each: tuning, selection, validation and reporting.
    ///
    /// # Errors
    /// When two of them share a block.
    pub fn new(spec: DomainSpec, lengths: [u64; 4]) -> Result<Domains, Overlap> {
        const NAMES: [&str; 4] = ["tuning", "selection", "validation", "reporting"];
        let firsts = [spec.tuning, spec.selection, spec.validation, spec.reporting];
        let ranges = std::array::from_fn::<_, 4, _>(|at| {
            let first = firsts[at].unwrap_or(at as u64 * DISTANCE);
            first..first.saturating_add(lengths[at])
        });
        for (a, b) in (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b))) {
            let (one, other) = (&ranges[a], &ranges[b]);
            if one.start < other.end && other.start < one.end {
                return Err(Overlap {
                    first: NAMES[a],
                    second: NAMES[b],
                    ranges: [one.clone(), other.clone()],
                });
            }
        }
        let [tuning, selection, validation, reporting] = ranges;
        Ok(Domains {
            tuning,
            selection,
            validation,
            reporting,
        })
    }

    /// The first blocks, spelled out.
    pub fn spec(&self) -> DomainSpec {
        DomainSpec {
            tuning: Some(self.tuning.start),
            selection: Some(self.selection.start),
            validation: Some(self.validation.start),
            reporting: Some(self.reporting.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_default_domains_never_meet() {
        let domains = Domains::new(DomainSpec::default(), [MAX_DOMAIN; 4]).unwrap();
        assert_eq!(domains.validation.start, 2 * DISTANCE);
        assert_eq!(Domains::new(domains.spec(), [MAX_DOMAIN; 4]), Ok(domains));
    }

    #[test]
    fn domains_that_share_a_block_are_refused() {
        let spec = DomainSpec {
            tuning: Some(100),
            validation: Some(499),
            ..DomainSpec::default()
        };
        assert!(Domains::new(spec, [399, 10, 50, 60]).is_ok());
        assert_eq!(
            Domains::new(spec, [400, 10, 50, 60])
                .unwrap_err()
                .to_string(),
            "domains: tuning is blocks 100 to 499 and validation blocks 499 to 548 of the same dice; dice that one has \
             seen prove nothing in the other: move one of them, or leave [domains] out"
        );
    }

    proptest! {
        #[test]
        fn accepted_domains_share_no_block(firsts: [u8; 4], lengths in prop::array::uniform4(1_u64..80)) {
            let [tuning, selection, validation, reporting] = firsts.map(|first| Some(u64::from(first)));
            let spec = DomainSpec { tuning, selection, validation, reporting };
            let shares = |a: usize, b: usize| (0..400_u64).any(|block| {
                let inside = |at: usize| {
                    let first = u64::from(firsts[at]);
                    (first..first + lengths[at]).contains(&block)
                };
                inside(a) && inside(b)
            });
            let apart = (0..4).all(|a| (a + 1..4).all(|b| !shares(a, b)));
            prop_assert_eq!(Domains::new(spec, lengths).is_ok(), apart);
        }
    }
}
