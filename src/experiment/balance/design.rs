//! Designs: which rule sets a study of options plays, and the contrasts that tell what each option does.
//!
//! With k options on or off, all 2^k rule sets are played on the same dice, or a fraction of resolution V: then no main
//! effect and no interaction of two options is mixed up with another one (Box & Hunter 1961).

use serde::{Deserialize, Serialize};

/// The most rule sets of a study.
pub const MAX_RULE_SETS: usize = 1024;
/// The most options of a fraction.
pub const MAX_FRACTION: usize = 11;

/// Which rule sets are played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum DesignKind {
    /// Every combination of the values.
    #[default]
    Full,
    /// The smallest known fraction of resolution V, for five or more options with two values each.
    Fraction,
}

/// A design that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DesignError {
    /// Too many rule sets.
    #[error(
        "options: {0} rule sets; at most {MAX_RULE_SETS}. Study fewer options, or use design = \"fraction\""
    )]
    TooMany(usize),
    /// Too many options for a fraction.
    #[error("options: {0} of them; a fraction is known for at most {MAX_FRACTION}")]
    TooManyForFraction(usize),
    /// A fraction of options with more than two values.
    #[error("options: '{0}' has more than two values; a fraction needs two, e.g. {0}=A,B")]
    NotTwo(String),
}

/// An option to study, with the values it takes; the first is the one effects are measured from.
#[derive(Clone, PartialEq, Debug)]
pub struct Factor {
    /// The name of the option.
    pub name: String,
    /// Its values, at least two.
    pub values: Vec<toml::Value>,
}

/// The rule sets of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Design {
    /// The options.
    pub factors: Vec<Factor>,
    /// For each rule set the number of the value of each option. The first has all first values.
    pub levels: Vec<Vec<usize>>,
    /// The resolution of a fraction; none when every combination is played.
    pub resolution: Option<usize>,
}

/// The generators of the fractions: the option and those whose product it is, from the number of options on.
/// Box, Hunter & Hunter 1978, table 12.15; the eleventh as the product of the first seven.
const GENERATORS: [&[&[usize]]; 7] = [
    &[&[0, 1, 2, 3]],
    &[&[0, 1, 2, 3, 4]],
    &[&[0, 1, 2, 3, 4, 5]],
    &[&[0, 1, 2, 3], &[0, 1, 4, 5]],
    &[&[0, 2, 3, 5, 6], &[1, 2, 4, 5, 6]],
    &[&[0, 1, 2, 6], &[1, 2, 3, 4], &[0, 2, 3, 5]],
    &[
        &[0, 1, 2, 6],
        &[1, 2, 3, 4],
        &[0, 2, 3, 5],
        &[0, 1, 2, 3, 4, 5, 6],
    ],
];

impl Design {
    /// The rule sets of these options.
    ///
    /// # Errors
    /// When there are too many, or a fraction does not exist.
    pub fn new(kind: DesignKind, factors: Vec<Factor>) -> Result<Design, DesignError> {
        let k = factors.len();
        let generators: &[&[usize]] = match kind {
            DesignKind::Full => &[],
            DesignKind::Fraction if k < 5 => &[],
            DesignKind::Fraction => GENERATORS
                .get(k - 5)
                .ok_or(DesignError::TooManyForFraction(k))?,
        };
        if !generators.is_empty()
            && let Some(factor) = factors.iter().find(|factor| factor.values.len() != 2)
        {
            return Err(DesignError::NotTwo(factor.name.clone()));
        }
        let free = &factors[..k - generators.len()];
        let runs = free
            .iter()
            .try_fold(1_usize, |runs, factor| {
                runs.checked_mul(factor.values.len())
            })
            .unwrap_or(usize::MAX);
        if runs > MAX_RULE_SETS {
            return Err(DesignError::TooMany(runs));
        }
        let levels = (0..runs).map(|mut run| {
            let mut levels: Vec<usize> = free
                .iter()
                .map(|factor| {
                    let level = run % factor.values.len();
                    run /= factor.values.len();
                    level
                })
                .collect();
            for product in generators {
                levels.push(product.iter().map(|&other| levels[other]).sum::<usize>() % 2);
            }
            levels
        });
        Ok(Design {
            levels: levels.collect(),
            resolution: (!generators.is_empty()).then(|| resolution(k, generators)),
            factors,
        })
    }

    /// How many rule sets.
    pub fn runs(&self) -> usize {
        self.levels.len()
    }

    /// What to say about the fraction in one sentence; none when nothing need be said.
    pub fn remark(&self, kind: DesignKind) -> Option<String> {
        match (kind, self.resolution) {
            (DesignKind::Full, _) => None,
            (DesignKind::Fraction, None) => Some(format!(
                "design: no fraction of {} options keeps their interactions apart, so all {} rule sets are played",
                self.factors.len(),
                self.runs()
            )),
            (DesignKind::Fraction, Some(resolution)) => Some(format!(
                "design: {} of {} rule sets, resolution {}: interactions of three options are taken for none",
                self.runs(),
                1_u64 << self.factors.len(),
                ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII"][resolution.min(8)]
            )),
        }
    }

    /// A rule set by its values: `forced_capture=true lane_jump=false`.
    pub fn label(&self, run: usize) -> String {
        let values = self.factors.iter().zip(&self.levels[run]);
        let each = values
            .map(|(factor, &level)| format!("{}={}", factor.name, plain(&factor.values[level])));
        each.collect::<Vec<_>>().join(" ")
    }

    /// The main effects, then the interactions of every two options.
    pub fn contrasts(&self) -> Vec<Contrast> {
        let k = self.factors.len();
        let mut contrasts = Vec::new();
        let changes = |factor: usize| 1..self.factors[factor].values.len();
        for factor in 0..k {
            contrasts.extend(changes(factor).map(|level| self.contrast(&[(factor, level)])));
        }
        for first in 0..k {
            for second in first + 1..k {
                for level in changes(first) {
                    let pairs = changes(second).map(|other| [(first, level), (second, other)]);
                    contrasts.extend(pairs.map(|terms| self.contrast(&terms)));
                }
            }
        }
        contrasts
    }

    /// The mean over all rule sets.
    pub fn mean(&self) -> Contrast {
        Contrast {
            name: "all rule sets".to_owned(),
            factor: None,
            signs: vec![1; self.levels.len()],
            unit: self.levels.len() as u32,
        }
    }

    /// The rule sets that differ in one option only, this one: first value, other value.
    pub fn twins(&self, factor: usize) -> Vec<(usize, usize)> {
        let mut twins = Vec::new();
        for (run, levels) in self.levels.iter().enumerate() {
            if levels[factor] != 0 {
                let mut first = levels.clone();
                first[factor] = 0;
                let twin = self.levels.iter().position(|levels| *levels == first);
                twins.extend(twin.map(|twin| (twin, run)));
            }
        }
        twins
    }

    /// The effect of a value of one option, or of values of two options together.
    fn contrast(&self, terms: &[(usize, usize)]) -> Contrast {
        let sign = |levels: &Vec<usize>| {
            let signs = terms.iter().map(|&(factor, level)| match levels[factor] {
                0 => -1,
                own if own == level => 1,
                _ => 0,
            });
            signs.product::<i64>()
        };
        let signs: Vec<i64> = self.levels.iter().map(sign).collect();
        let used = signs.iter().filter(|&&sign| sign != 0).count();
        let names = terms.iter().map(|&(factor, level)| {
            let factor = &self.factors[factor];
            format!(
                "{}: {} → {}",
                factor.name,
                plain(&factor.values[0]),
                plain(&factor.values[level])
            )
        });
        Contrast {
            name: names.collect::<Vec<_>>().join(" × "),
            factor: (terms.len() == 1).then(|| terms[0].0),
            signs,
            // 2^(1 − k) Σ x Y with all 2^k rule sets: half of them have either sign.
            unit: (used / 2).max(1) as u32,
        }
    }
}

/// One effect: the sum of the rule sets' values with these signs, over `unit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contrast {
    /// The option and its values, `lane_jump: false → true`, two of them for an interaction.
    pub name: String,
    /// The option of a main effect.
    pub factor: Option<usize>,
    /// −1, 0 or 1 for each rule set.
    pub signs: Vec<i64>,
    /// What the sum is divided by.
    pub unit: u32,
}

impl Contrast {
    /// The signed sum of a value of each rule set.
    pub fn sum(&self, values: impl Iterator<Item = i64>) -> i64 {
        self.signs
            .iter()
            .zip(values)
            .map(|(sign, value)| sign * value)
            .sum()
    }
}

/// A value as a person writes it.
pub fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// The length of the shortest product of options that is always the same.
fn resolution(k: usize, generators: &[&[usize]]) -> usize {
    let first = k - generators.len();
    let word = |(number, product): (usize, &&[usize])| {
        product
            .iter()
            .fold(1_u32 << (first + number), |word, &factor| {
                word ^ 1 << factor
            })
    };
    let words: Vec<u32> = generators.iter().enumerate().map(word).collect();
    let products = (1_u32..1 << words.len()).map(|chosen| {
        let chosen = (0..words.len()).filter(|bit| chosen >> bit & 1 == 1);
        chosen.fold(0, |product, bit| product ^ words[bit])
    });
    let lengths = products.map(|product| product.count_ones() as usize);
    lengths.min().unwrap_or(k + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switches(k: usize) -> Vec<Factor> {
        let factor = |number| Factor {
            name: format!("o{number}"),
            values: vec![false.into(), true.into()],
        };
        (0..k).map(factor).collect()
    }

    fn full(k: usize) -> Design {
        Design::new(DesignKind::Full, switches(k)).unwrap()
    }

    #[test]
    fn every_combination_once() {
        let design = full(3);
        assert_eq!(design.runs(), 8);
        assert_eq!(design.levels[0], [0, 0, 0]);
        assert_eq!(design.levels[5], [1, 0, 1]);
        assert_eq!(design.label(4), "o0=false o1=false o2=true");
        assert_eq!(full(0).levels, [Vec::<usize>::new()]);
    }

    /// Values 1, 2, 5 and 10: on means 2 → 6 more for the first, 5.5 and 8.5 for the others.
    #[test]
    fn two_options_by_hand() {
        let contrasts = full(2).contrasts();
        let names: Vec<&str> = contrasts.iter().map(|contrast| &*contrast.name).collect();
        assert_eq!(
            names,
            [
                "o0: false → true",
                "o1: false → true",
                "o0: false → true × o1: false → true"
            ]
        );
        let effect = |contrast: &Contrast| {
            contrast.sum([1, 2, 5, 10].into_iter()) as f64 / f64::from(contrast.unit)
        };
        // (2 + 10 − 1 − 5)/2, (5 + 10 − 1 − 2)/2, (1 − 2 − 5 + 10)/2.
        assert_eq!(
            contrasts.iter().map(effect).collect::<Vec<_>>(),
            [3.0, 6.0, 2.0]
        );
    }

    #[test]
    fn three_values_are_each_compared_with_the_first() {
        let mut factors = switches(1);
        factors.push(Factor {
            name: "tries".to_owned(),
            values: vec![3.into(), 1.into(), 2.into()],
        });
        let design = Design::new(DesignKind::Full, factors).unwrap();
        let contrasts = design.contrasts();
        assert_eq!(contrasts.len(), 1 + 2 + 2);
        assert_eq!(contrasts[2].name, "tries: 3 → 2");
        assert_eq!(
            (contrasts[2].signs.as_slice(), contrasts[2].unit),
            (&[-1, -1, 0, 0, 1, 1][..], 2)
        );
        assert_eq!(design.twins(1), [(0, 2), (1, 3), (0, 4), (1, 5)]);
    }

    /// In a fraction every two contrasts are orthogonal: none is mixed up with another.
    #[test]
    fn fractions_keep_main_effects_and_interactions_apart() {
        for k in 5..=MAX_FRACTION {
            let design = Design::new(DesignKind::Fraction, switches(k)).unwrap();
            assert!(design.resolution >= Some(5), "{k}: {:?}", design.resolution);
            let contrasts = design.contrasts();
            assert_eq!(contrasts.len(), k + k * (k - 1) / 2);
            for (number, a) in contrasts.iter().enumerate() {
                assert_eq!(a.signs.iter().sum::<i64>(), 0);
                for b in &contrasts[..number] {
                    assert_eq!(
                        a.sum(b.signs.iter().copied()),
                        0,
                        "{k}: {} {}",
                        a.name,
                        b.name
                    );
                }
            }
        }
        let runs = |k| {
            Design::new(DesignKind::Fraction, switches(k))
                .unwrap()
                .runs()
        };
        assert_eq!(
            [5, 6, 7, 8, 9, 10, 11].map(runs),
            [16, 32, 64, 64, 128, 128, 128]
        );
    }

    #[test]
    fn what_is_played_instead_of_a_fraction() {
        let design = Design::new(DesignKind::Fraction, switches(4)).unwrap();
        assert_eq!(
            design.remark(DesignKind::Fraction).unwrap(),
            "design: no fraction of 4 options keeps their interactions apart, so all 16 rule sets are played"
        );
        let design = Design::new(DesignKind::Fraction, switches(5)).unwrap();
        assert_eq!(
            design.remark(DesignKind::Fraction).unwrap(),
            "design: 16 of 32 rule sets, resolution V: interactions of three options are taken for none"
        );
        let refused = |kind, k| Design::new(kind, switches(k)).unwrap_err().to_string();
        assert_eq!(
            refused(DesignKind::Full, 11),
            "options: 2048 rule sets; at most 1024. Study fewer options, or use design = \"fraction\""
        );
        assert_eq!(
            refused(DesignKind::Fraction, 12),
            "options: 12 of them; a fraction is known for at most 11"
        );
    }
}
