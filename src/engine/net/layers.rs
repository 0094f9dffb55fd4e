//! A net of one hidden layer, its evaluation and its training step.

use super::sigmoid::sigmoid;

/// Hidden units come in groups of this many, so that a sum over them is vector code in a fixed
/// order.
pub const LANES: usize = 8;
/// The grid of the weights of a finished net: multiples of 1 / this.
const GRID: f32 = 1024.0;

/// A fully connected net: inputs, one hidden layer, outputs, all logistic.
#[derive(Clone, PartialEq, Debug)]
pub struct Layers<const OUTPUTS: usize> {
    inputs: usize,
    hidden: usize,
    /// For each input, then for the bias, the weights to all hidden units.
    first: Vec<f32>,
    /// For each output the weights from all hidden units.
    second: Vec<f32>,
    /// The biases of the outputs.
    biases: [f32; OUTPUTS],
}

/// Buffers of an evaluation, and what it was of: the next evaluation starts from the same sums
/// and adds what differs.
#[derive(Clone, Default, Debug)]
pub struct Work {
    base: Vec<f32>,
    base_sums: Vec<f32>,
    sums: Vec<f32>,
    /// Places and differences of the inputs that changed.
    changed: Vec<(usize, f32)>,
}

impl Work {
    /// Forgets the board that others are compared with.
    pub fn forget(&mut self) {
        self.base.clear();
    }
}

impl<const OUTPUTS: usize> Layers<OUTPUTS> {
    /// How many weights a net has.
    pub fn weights(inputs: usize, hidden: usize) -> usize {
        (inputs + 1) * hidden + OUTPUTS * hidden + OUTPUTS
    }

    /// A net with these weights, in the order of [`Layers::to_weights`]; there must be as many as
    /// [`Layers::weights`] says, and `hidden` be a multiple of [`LANES`].
    pub fn from_weights(inputs: usize, hidden: usize, weights: &[f32]) -> Self {
        assert_eq!(weights.len(), Self::weights(inputs, hidden));
        assert_eq!(hidden % LANES, 0, "hidden units come in groups of {LANES}");
        let (first, others) = weights.split_at((inputs + 1) * hidden);
        let (second, biases) = others.split_at(OUTPUTS * hidden);
        Layers {
            inputs,
            hidden,
            first: first.to_vec(),
            second: second.to_vec(),
            biases: biases.try_into().expect("the biases are left"),
        }
    }

    /// All weights: input to hidden, hidden biases, hidden to output, output biases.
    pub fn to_weights(&self) -> Vec<f32> {
        [&self.first[..], &self.second, &self.biases].concat()
    }

    /// Hidden units.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The net with its first layer rounded to the grid on which sums are exact.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let mut rounded = self.clone();
        for weight in &mut rounded.first {
            *weight = libm::rintf(*weight * GRID) / GRID;
        }
        rounded
    }

    /// The outputs for these inputs. The first evaluation after [`Work::forget`] is made from
    /// nothing, the others from its sums.
    #[inline]
    pub fn evaluate(&self, inputs: &[f32], work: &mut Work) -> [f32; OUTPUTS] {
        let is_first = work.base.is_empty();
        work.changed.clear();
        if is_first {
            let active = inputs.iter().copied().enumerate();
            work.changed
                .extend(active.filter(|&(_, value)| value != 0.0));
            work.sums.clear();
            work.sums
                .extend_from_slice(&self.first[self.inputs * self.hidden..]);
        } else {
            push_changed(&work.base, inputs, &mut work.changed);
            work.sums.clear();
            work.sums.extend_from_slice(&work.base_sums);
        }
        self.add(&work.changed, &mut work.sums);
        if is_first {
            work.base.extend_from_slice(inputs);
            work.base_sums.clone_from(&work.sums);
        }
        self.outputs(&mut work.sums)
    }

    /// Adds inputs times weights to the sums of the hidden units, four inputs at a time.
    #[inline]
    fn add(&self, inputs: &[(usize, f32)], sums: &mut [f32]) {
        let column = |input: usize| &self.first[input * self.hidden..][..self.hidden];
        let (fours, rest) = inputs.as_chunks::<4>();
        for &[(a, x), (b, y), (c, z), (d, w)] in fours {
            let (a, b, c, d) = (column(a), column(b), column(c), column(d));
            let columns = a.iter().zip(b).zip(c).zip(d);
            for (sum, (((a, b), c), d)) in sums.iter_mut().zip(columns) {
                *sum = (((*sum + x * a) + y * b) + z * c) + w * d;
            }
        }
        for &(a, x) in rest {
            for (sum, a) in sums.iter_mut().zip(column(a)) {
                *sum += x * a;
            }
        }
    }

    /// The outputs, and the hidden units in place of their sums.
    #[inline]
    fn outputs(&self, sums: &mut [f32]) -> [f32; OUTPUTS] {
        for sum in &mut *sums {
            *sum = sigmoid(*sum);
        }
        let mut outputs = self.biases;
        for (output, weights) in outputs.iter_mut().zip(self.second.chunks(self.hidden)) {
            *output = sigmoid(*output + dot(weights, sums));
        }
        outputs
    }

    /// One step of gradient descent on the cross entropy of the outputs to `targets`; an output
    /// without a target is left alone.
    pub fn train(
        &mut self,
        inputs: &[f32],
        targets: &[Option<f32>; OUTPUTS],
        step: f32,
        work: &mut Work,
    ) {
        work.forget();
        let outputs = self.evaluate(inputs, work);
        let hidden = &work.sums;
        let mut slopes = vec![0.0f32; self.hidden];
        for (place, (target, output)) in targets.iter().zip(outputs).enumerate() {
            let Some(target) = target else { continue };
            let error = step * (target - output);
            self.biases[place] += error;
            let weights = &mut self.second[place * self.hidden..][..self.hidden];
            for ((slope, weight), unit) in slopes.iter_mut().zip(weights).zip(hidden) {
                *slope += error * *weight;
                *weight += error * unit;
            }
        }
        for (slope, unit) in slopes.iter_mut().zip(hidden) {
            *slope *= unit * (1.0 - unit);
        }
        let bias = std::iter::once((self.inputs, 1.0));
        for (input, value) in work.changed.iter().copied().chain(bias) {
            let weights = &mut self.first[input * self.hidden..][..self.hidden];
            for (weight, slope) in weights.iter_mut().zip(&slopes) {
                *weight += value * slope;
            }
        }
    }
}

/// The inputs that differ from the base's, and by how much. Most do not: groups are compared as
/// bits first.
#[inline]
fn push_changed(base: &[f32], inputs: &[f32], changed: &mut Vec<(usize, f32)>) {
    let mut push = |place: usize, old: &[f32], new: &[f32]| {
        for (place, (old, new)) in (place..).zip(old.iter().zip(new)) {
            let difference = new - old;
            if difference != 0.0 {
                changed.push((place, difference));
            }
        }
    };
    let (old_groups, old_rest) = base.as_chunks::<LANES>();
    let (new_groups, new_rest) = inputs.as_chunks::<LANES>();
    for (group, (old, new)) in old_groups.iter().zip(new_groups).enumerate() {
        let both = old.iter().zip(new);
        let bits = both.fold(0, |bits, (old, new)| bits | (old.to_bits() ^ new.to_bits()));
        if bits != 0 {
            push(group * LANES, old, new);
        }
    }
    push(old_groups.len() * LANES, old_rest, new_rest);
}

/// The sum of the products, in [`LANES`] sums that are added from the first to the last.
#[inline]
fn dot(weights: &[f32], values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (weights, values) = (
        weights.as_chunks::<LANES>().0,
        values.as_chunks::<LANES>().0,
    );
    for (weights, values) in weights.iter().zip(values) {
        for lane in 0..LANES {
            lanes[lane] += weights[lane] * values[lane];
        }
    }
    lanes.iter().fold(0.0, |sum, lane| sum + lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUTS: usize = 5;
    type Net = Layers<OUTPUTS>;

    /// A net with weights of all sizes.
    fn net(inputs: usize, hidden: usize) -> Net {
        let count = Net::weights(inputs, hidden);
        let weights: Vec<f32> = (0..count)
            .map(|place| ((place * 37 % 101) as f32 - 50.0) / 60.0)
            .collect();
        Net::from_weights(inputs, hidden, &weights)
    }

    const INPUTS: [f32; 3] = [0.5, 0.0, 1.25];
    const TARGETS: [Option<f32>; OUTPUTS] = [Some(0.9), Some(0.2), None, Some(0.4), Some(0.0)];

    /// The cross entropy of the outputs to the targets.
    fn entropy(net: &Net) -> f64 {
        let outputs = net.evaluate(&INPUTS, &mut Work::default());
        let terms = outputs.iter().zip(TARGETS).map(|(&output, target)| {
            let (y, t) = (f64::from(output), target.map(f64::from));
            t.map_or(0.0, |t| -t * libm::log(y) - (1.0 - t) * libm::log(1.0 - y))
        });
        terms.sum()
    }

    /// A small training step is a small step down the slope that differences measure.
    #[test]
    fn training_descends_the_gradient() {
        let before = net(3, 8);
        let step = 1e-3;
        let mut after = before.clone();
        after.train(&INPUTS, &TARGETS, step, &mut Work::default());
        let weights = before.to_weights();
        for (place, moved) in after.to_weights().iter().enumerate() {
            let at = |shift: f32| {
                let mut weights = weights.clone();
                weights[place] += shift;
                entropy(&Net::from_weights(3, 8, &weights))
            };
            let slope = (at(0.01) - at(-0.01)) / 0.02;
            let found = f64::from((moved - weights[place]) / step);
            assert!((found + slope).abs() < 2e-3, "{place}: {found} for {slope}");
        }
    }

    #[test]
    fn a_rounded_net_sums_exactly_from_anywhere() {
        let net = net(40, 16).rounded();
        let board = |turn: usize| -> Vec<f32> {
            (0..40)
                .map(|at| ((at * turn * 29) % 61) as f32 / 128.0)
                .collect()
        };
        let mut work = Work::default();
        for turn in 0..50 {
            let alone = net.evaluate(&board(turn), &mut Work::default());
            let among = net.evaluate(&board(turn), &mut work);
            assert_eq!(alone.map(f32::to_bits), among.map(f32::to_bits), "{turn}");
        }
    }

    #[test]
    fn weights_go_out_as_they_came_in() {
        let net = net(5, 8);
        assert_eq!(Net::from_weights(5, 8, &net.to_weights()), net);
        assert_eq!(net.rounded().rounded(), net.rounded());
    }
}
