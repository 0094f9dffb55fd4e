//! Learned evaluators as files.
//!
//! Little-endian throughout:
//!
//! ```text
//! bytes   0-15    "racelab learned\n"
//!        16-31    name of the game, zeros behind it
//!        32-35    version of the inputs
//!        36-39    how many inputs there are
//!        40-43    hidden units
//!        44-      the weights as f32, in the order of `Layers`
//!        then 32  BLAKE3 of everything before
//! ```

use std::fs;
use std::path::Path;

use crate::engine::net::{Layers, NetError, hidden_units, sealed, unsealed};
use crate::engine::race::Race;

use super::Evaluator;

/// How a file begins.
const MAGIC: [u8; 16] = *b"racelab learned\n";
/// Where the numbers begin, behind the name of the game.
const NUMBERS: usize = 32;
/// Bytes before the weights.
const HEADER: usize = 44;

impl<G: Race> Evaluator<G> {
    /// The evaluator that comes with the program, if the game has one.
    ///
    /// # Panics
    /// Never: the file is built in, and a test reads it.
    pub fn shipped() -> Option<Evaluator<G>> {
        let bytes = G::INPUTS?.shipped;
        let found = (!bytes.is_empty()).then(|| Evaluator::from_bytes(bytes))?;
        Some(found.expect("the shipped net is whole"))
    }

    /// Reads the evaluator of a file.
    ///
    /// # Errors
    /// When it cannot be read or holds no net for the inputs of this game and version.
    pub fn read(path: &Path) -> Result<Evaluator<G>, NetError> {
        let bytes = fs::read(path).map_err(|error| NetError::io(path, &error))?;
        Evaluator::from_bytes(&bytes).map_err(|reason| NetError::foreign(path, reason))
    }

    /// The content of the evaluator's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let inputs = Self::inputs();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(G::NAME.as_bytes());
        bytes.resize(NUMBERS, 0);
        for number in [inputs.version, inputs.count as u32, self.hidden() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        let weights = self.layers.to_weights();
        bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        sealed(bytes)
    }

    /// The evaluator in the content of a file.
    ///
    /// # Errors
    /// What is wrong with it, and what would have worked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Evaluator<G>, String> {
        let Some(inputs) = G::INPUTS else {
            return Err(format!("{} has no learned evaluator", G::NAME));
        };
        if !bytes.starts_with(&MAGIC) {
            return Err("no file of a learned evaluator".to_owned());
        }
        let content = unsealed(bytes)?;
        if content.len() < HEADER {
            return Err("cut off".to_owned());
        }
        let (header, weights) = content.split_at(HEADER);
        let name = String::from_utf8_lossy(&header[MAGIC.len()..NUMBERS]);
        let name = name.trim_end_matches('\0');
        if name != G::NAME {
            return Err(format!("a net of {name}, not of {}", G::NAME));
        }
        let (numbers, _) = header[NUMBERS..].as_chunks();
        let [version, count, hidden] = [0, 1, 2].map(|place| u32::from_le_bytes(numbers[place]));
        if (version, count as usize) != (inputs.version, inputs.count) {
            return Err(format!(
                "a net for {count} inputs of version {version}; this racelab has {} of version {}",
                inputs.count, inputs.version
            ));
        }
        let hidden = hidden_units(hidden)?;
        let expected = Layers::<1>::weights(inputs.count, hidden);
        if weights.len() != 4 * expected {
            return Err(format!(
                "{} bytes of weights; expected {}",
                weights.len(),
                4 * expected
            ));
        }
        let (weights, _) = weights.as_chunks();
        let weights: Vec<f32> = weights.iter().copied().map(f32::from_le_bytes).collect();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err("a weight is not a finite number".to_owned());
        }
        let layers = Layers::from_weights(inputs.count, hidden, &weights);
        Ok(Evaluator::of(layers))
    }
}
