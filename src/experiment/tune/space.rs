//! The parameters that are tuned, and the bots that their values make.

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::bots::{Bot, policies};
use crate::engine::race::Race;
use crate::stats::optimise::Axis;

use super::spec::TuneError;

/// The most values of one parameter.
pub const MAX_VALUES: usize = 1_000;

/// What a parameter may be: a range or a list of values.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParamSpec {
    /// The least value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// The greatest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// How far a first try goes; with methods for finite sets the distance of neighbouring values. A tenth of the range if
    /// missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Whether it takes whole numbers only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    /// All values, instead of a range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    /// Where the search starts; the value of the bot, or of its policy, if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
}

/// A value for each parameter, in their order.
pub type Candidate = Vec<Value>;

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    /// Its key in `[params]`; `weights.lead` is `lead` in `[params.weights]`.
    pub name: String,
    /// What it may be.
    pub domain: Domain,
    /// What it is in the bot.
    pub start: Value,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// Any number of a range, rounded to so many decimals.
    Range(Axis, usize),
    /// One of these.
    Values(Vec<Value>),
}

/// The parameters that are tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    /// Each of them, by name.
    pub dimensions: Vec<Dimension>,
}

impl Space {
    /// The space of some parameters of a bot. `listed`: all values are spelled out, as methods for finite sets need them.
    ///
    /// # Errors
    /// When a parameter does not exist or cannot take a value; the error names it.
    pub fn new<G: Race>(
        bot: &Bot,
        params: impl Iterator<Item = (String, ParamSpec)>,
        listed: bool,
    ) -> Result<Space, TuneError> {
        let mut dimensions = Vec::new();
        for (name, spec) in params {
            let refuse = |reason: String| TuneError::Param {
                name: name.clone(),
                reason,
            };
            let start = match spec.start.clone() {
                Some(start) => start,
                None => start::<G>(bot, &name).map_err(refuse)?,
            };
            let domain = spec.domain(listed).map_err(refuse)?;
            dimensions.push(Dimension {
                name,
                domain,
                start,
            });
        }
        let space = Space { dimensions };
        space.check::<G>(bot)?;
        Ok(space)
    }

    /// Asks the policy for both ends of each range, and for every value.
    fn check<G: Race>(&self, bot: &Bot) -> Result<(), TuneError> {
        for (at, dimension) in self.dimensions.iter().enumerate() {
            let mut values = match &dimension.domain {
                Domain::Range(axis, _) => vec![
                    dimension.number_value(axis.low),
                    dimension.number_value(axis.high),
                ],
                Domain::Values(values) => values.clone(),
            };
            values.push(dimension.start.clone());
            for value in values {
                let mut candidate = self.start();
                candidate[at] = value;
                if let Err(error) = self.bot(bot, &candidate, &bot.name).policy::<G>() {
                    return Err(TuneError::Param {
                        name: dimension.name.clone(),
                        reason: error.to_string(),
                    });
                }
            }
            if let (Domain::Range(axis, _), Some(start)) =
                (&dimension.domain, number(&dimension.start))
                && !(axis.low..=axis.high).contains(&start)
            {
                return Err(TuneError::Param {
                    name: dimension.name.clone(),
                    reason: format!(
                        "the bot has {start}, outside {} to {}; widen the range, or set start",
                        axis.low, axis.high
                    ),
                });
            }
        }
        Ok(())
    }

    /// The parameters of the bot that is tuned.
    pub fn start(&self) -> Candidate {
        let starts = self.dimensions.iter();
        starts.map(|dimension| dimension.start.clone()).collect()
    }

    /// The numbers of the bot that is tuned, for methods that search ranges.
    pub fn start_numbers(&self) -> Vec<f64> {
        let starts = self.dimensions.iter();
        starts
            .map(|dimension| number(&dimension.start).unwrap_or_default())
            .collect()
    }

    /// The ranges.
    pub fn axes(&self) -> Vec<Axis> {
        let axis = |dimension: &Dimension| match &dimension.domain {
            Domain::Range(axis, _) => Some(*axis),
            Domain::Values(_) => None,
        };
        self.dimensions.iter().filter_map(axis).collect()
    }

    /// How many values each parameter has.
    pub fn sizes(&self) -> Vec<usize> {
        let size = |dimension: &Dimension| match &dimension.domain {
            Domain::Range(..) => 0,
            Domain::Values(values) => values.len(),
        };
        self.dimensions.iter().map(size).collect()
    }

    /// The candidate of some numbers, as they are played and written.
    pub fn of_numbers(&self, numbers: &[f64]) -> Candidate {
        let numbers = self.dimensions.iter().zip(numbers);
        numbers
            .map(|(dimension, &x)| dimension.number_value(x))
            .collect()
    }

    /// The candidate of the values with these indices.
    pub fn of_indices(&self, indices: &[usize]) -> Candidate {
        let chosen = self.dimensions.iter().zip(indices);
        let value = |(dimension, &index): (&Dimension, &usize)| match &dimension.domain {
            Domain::Range(..) => dimension.start.clone(),
            Domain::Values(values) => values[index].clone(),
        };
        chosen.map(value).collect()
    }

    /// The bot with these parameters.
    pub fn bot(&self, bot: &Bot, candidate: &[Value], name: &str) -> Bot {
        let mut tuned = bot.clone();
        name.clone_into(&mut tuned.name);
        for (dimension, value) in self.dimensions.iter().zip(candidate) {
            set(&mut tuned.params, &dimension.name, value.clone());
        }
        tuned
    }
}

impl Dimension {
    /// A number as it is played: rounded, so that the bot file says exactly what was played.
    fn number_value(&self, x: f64) -> Value {
        let Domain::Range(axis, decimals) = self.domain else {
            return Value::Float(x);
        };
        rounded(x, axis.whole, decimals)
    }
}

impl ParamSpec {
    fn domain(&self, listed: bool) -> Result<Domain, String> {
        match (self.lower, self.upper, self.values.as_slice()) {
            (None, None, []) => Err("no range; give lower and upper, or values".to_owned()),
            (None, None, values) if listed => {
                if self.step.is_some() || self.whole {
                    return Err("step and whole belong to a range, not to values".to_owned());
                }
                if values.len() > MAX_VALUES {
                    return Err(format!("{} values; at most {MAX_VALUES}", values.len()));
                }
                for (at, value) in values.iter().enumerate() {
                    if values[..at].contains(value) {
                        return Err(format!("values: {value} is named twice"));
                    }
                }
                Ok(Domain::Values(values.to_vec()))
            }
            (None, None, _) => Err(
                "values are for the methods ntbea and racing; give lower and upper, or change method"
                    .to_owned(),
            ),
            (Some(low), Some(high), []) => self.range(low, high, listed),
            (Some(_), Some(_), _) => Err("a range and values; give one of them".to_owned()),
            _ => Err("half a range; give both lower and upper".to_owned()),
        }
    }

    fn range(&self, low: f64, high: f64, listed: bool) -> Result<Domain, String> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(format!(
                "{low} to {high} is no range; expected lower below upper, both finite"
            ));
        }
        if self.whole && (low.fract() != 0.0 || high.fract() != 0.0) {
            return Err(format!("{low} to {high} is not between whole numbers"));
        }
        let width = high - low;
        let least = if self.whole && listed { 1.0 } else { 0.0 };
        let step = self.step.unwrap_or((width / 10.0).max(least));
        if !(step > 0.0 && step <= width) {
            return Err(format!(
                "step = {step}; expected above 0 and at most {width}, the width of the range"
            ));
        }
        let decimals = (2.0 - libm::log10(step).floor()).clamp(0.0, 15.0);
        let decimals = decimals as usize;
        if !listed {
            let axis = Axis {
                low,
                high,
                step,
                whole: self.whole,
            };
            return Ok(Domain::Range(axis, decimals));
        }
        let count = (width / step + 1e-9).floor();
        if count >= MAX_VALUES as f64 {
            return Err(format!(
                "step = {step} makes {} values; at most {MAX_VALUES}",
                count + 1.0
            ));
        }
        let values =
            (0..=count as u32).map(|at| rounded(low + f64::from(at) * step, self.whole, decimals));
        Ok(Domain::Values(values.collect()))
    }
}

fn rounded(x: f64, whole: bool, decimals: usize) -> Value {
    if whole {
        return Value::Integer(x.round() as i64);
    }
    let text = format!("{x:.decimals$}");
    let x: f64 = text.parse().expect("a number that was just written");
    // Not −0.
    Value::Float(if x == 0.0 { 0.0 } else { x })
}

/// The number that a value is.
pub fn number(value: &Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// A value as one reads it.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(x) => x.to_string(),
        other => other.to_string(),
    }
}

/// The value of a parameter in a bot: its own, or the default of its policy.
fn start<G: Race>(bot: &Bot, name: &str) -> Result<Value, String> {
    let mut table = Some(&bot.params);
    let mut keys = name.split('.').peekable();
    while let Some(key) = keys.next() {
        let found = table.and_then(|table| table.get(key));
        match (found, keys.peek()) {
            (Some(value), None) => return Ok(value.clone()),
            (found, _) => table = found.and_then(Value::as_table),
        }
    }
    let all = policies::<G>();
    let params = all
        .iter()
        .find(|entry| entry.name == bot.policy)
        .map_or(&[][..], |entry| &entry.params);
    let default = params.iter().find(|param| param.name == name);
    if let Some(default) = default.and_then(|param| param.default.parse::<Value>().ok()) {
        return Ok(default);
    }
    if name.contains('.') {
        return Err("has no default that is known; set start".to_owned());
    }
    let known: Vec<&str> = params.iter().map(|param| param.name).collect();
    Err(format!(
        "no parameter of the policy '{}'; known: {}",
        bot.policy,
        known.join(", ")
    ))
}

/// Sets a parameter, in a table inside the parameters if its name has a point.
fn set(params: &mut toml::Table, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            params.insert(name.to_owned(), value);
        }
        Some((table, rest)) => {
            let inner = params
                .entry(table)
                .or_insert(Value::Table(toml::Table::new()));
            if let Value::Table(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mensch::Mensch;

    fn space(bot: &str, text: &str, listed: bool) -> Result<Space, String> {
        let params: std::collections::BTreeMap<String, ParamSpec> = toml::from_str(text).unwrap();
        let bot = Bot::find(bot).unwrap();
        Space::new::<Mensch>(&bot, params.into_iter(), listed).map_err(|error| error.to_string())
    }

    #[test]
    fn a_candidate_is_the_bot_with_other_parameters() {
        let text = "lead = {lower = 0, upper = 1, step = 0.05}\nexposed = {lower = -2, upper = 0}";
        let space = space("racer", text, false).unwrap();
        assert_eq!(space.start(), [Value::Float(-0.45), Value::Float(0.25)]);
        let candidate = space.of_numbers(&[-0.123_456, 0.987_654]);
        let bot = space.bot(&Bot::find("racer").unwrap(), &candidate, "racer-x");
        assert_eq!(
            toml::to_string(&bot).unwrap(),
            "name = \"racer-x\"\npolicy = \"racer\"\n\n[params]\nexposed = -0.123\nlead = 0.9877\n"
        );
    }

    #[test]
    fn a_parameter_inside_a_table_has_a_point() {
        let text =
            "depth = {values = [1, 2]}\n'weights.lead' = {values = [0.1, 0.2], start = 0.25}";
        let space = space("expectimax", text, true).unwrap();
        assert_eq!(space.sizes(), [2, 2]);
        let bot = space.bot(
            &Bot::find("expectimax").unwrap(),
            &space.of_indices(&[1, 0]),
            "x",
        );
        assert_eq!(
            bot.params.to_string(),
            "depth = 2\n\n[weights]\nlead = 0.1\n"
        );
        assert!(bot.policy::<Mensch>().is_ok());
    }

    #[test]
    fn a_range_becomes_a_list_of_values() {
        let space = space("racer", "lead = {lower = 0, upper = 0.3, step = 0.1}", true).unwrap();
        let Domain::Values(values) = &space.dimensions[0].domain else {
            panic!("not listed")
        };
        assert_eq!(values, &[0.0, 0.1, 0.2, 0.3].map(Value::Float));
    }

    #[test]
    fn what_a_parameter_cannot_be_is_refused_by_name() {
        for (text, reason) in [
            (
                "speed = {lower = 0, upper = 1}",
                "params.speed: no parameter of the policy 'racer'; known: progress, lead, settled, exposed, \
                 threatened, rivals",
            ),
            (
                "lead = {lower = 0}",
                "params.lead: half a range; give both lower and upper",
            ),
            (
                "lead = {}",
                "params.lead: no range; give lower and upper, or values",
            ),
            (
                "lead = {lower = 1, upper = nan}",
                "params.lead: 1 to NaN is no range; expected lower below upper, both finite",
            ),
            (
                "lead = {lower = 0, upper = 1e9}",
                "params.lead: bot 'racer': params: lead = 1000000000.0; expected -1000 to 1000",
            ),
            (
                "lead = {lower = 1, upper = 2}",
                "params.lead: the bot has 0.25, outside 1 to 2; widen the range, or set start",
            ),
            (
                "lead = {lower = 0, upper = 2, step = 3}",
                "params.lead: step = 3; expected above 0 and at most 2, the width of the range",
            ),
            (
                "lead = {values = [1, 2]}",
                "params.lead: values are for the methods ntbea and racing; give lower and upper, or change method",
            ),
        ] {
            assert_eq!(space("racer", text, false).unwrap_err(), reason);
        }
    }
}
