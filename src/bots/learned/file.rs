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

use std::path::Path;

use crate::engine::net::{Layers, NetError, hidden_units, read_bytes, sealed, unsealed};
use crate::engine::race::{Inputs, Race};

use super::Evaluator;

/// How a file begins.
const MAGIC: [u8; 16] = *b"racelab learned\n";
/// Where the numbers begin, behind the name of the game.
const NUMBERS: usize = 32;
/// Bytes before the weights.
const HEADER: usize = 44;

impl<G: Race> Evaluator<G> {
    /// The evaluator that comes with the program by this name, if the game has it; `""` is that of
    /// the bot `learned`.
    ///
    /// # Panics
    /// Never: the file is built in, and a test reads it.
    pub fn shipped(name: &str) -> Option<Evaluator<G>> {
        let (_, bytes) = G::NETS.iter().find(|(known, _)| *known == name)?;
        Some(Evaluator::from_bytes(bytes).expect("the shipped net is whole"))
    }

    /// Reads the evaluator of a file.
    ///
    /// # Errors
    /// When it cannot be read or holds no net for the inputs of this game and version.
    pub fn read(path: &Path) -> Result<Evaluator<G>, NetError> {
        let bytes = read_bytes(path)?;
        Evaluator::from_bytes(&bytes).map_err(|reason| NetError::foreign(path, reason))
    }

    /// The content of the evaluator's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let inputs = self.inputs;
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
        if G::INPUTS.is_empty() {
            return Err(format!("{} has no learned evaluator", G::NAME));
        }
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
        let seen = Inputs {
            version,
            count: count as usize,
        };
        if !G::INPUTS.contains(&seen) {
            let known = |inputs: &Inputs| format!("{} of version {}", inputs.count, inputs.version);
            let known: Vec<String> = G::INPUTS.iter().map(known).collect();
            return Err(format!(
                "a net for {count} inputs of version {version}; this racelab has {}",
                known.join(", ")
            ));
        }
        let hidden = hidden_units(hidden)?;
        let expected = Layers::<1>::weights(seen.count, hidden);
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
        let layers = Layers::from_weights(seen.count, hidden, &weights);
        Ok(Evaluator::of(seen, layers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose};
    use crate::engine::seat::Seat;
    use crate::games::mensch::Mensch;
    use crate::games::parchis::Parchis;
    use crate::games::{NAMES, Visitor, with_game};

    /// A small net of mensch as a file.
    fn file() -> Vec<u8> {
        let random = BlockKey::new(1, 1).stream(Purpose::Bot, Seat::A);
        let net = Evaluator::<Mensch>::random(Mensch::INPUTS[0], 8, random);
        net.to_bytes()
    }

    struct Shipped;

    impl Visitor for Shipped {
        type Answer = ();

        fn visit<G: Race>(self) {
            for &(name, bytes) in G::NETS {
                let net = Evaluator::<G>::shipped(name).expect("it is in the list");
                assert_eq!(net.to_bytes(), bytes, "{name} of {}", G::NAME);
                assert_eq!(net.rounded().to_bytes(), bytes, "{name} of {}", G::NAME);
            }
        }
    }

    #[test]
    fn shipped_nets_go_out_as_they_came_in() {
        for game in NAMES {
            with_game(game, Shipped).expect("a known game");
        }
    }

    /// A file that is whole, but says something else at a place of its header.
    fn changed(at: usize, number: u32) -> Vec<u8> {
        let file = file();
        let mut bytes = unsealed(&file).expect("a whole file").to_vec();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        sealed(bytes)
    }

    #[test]
    fn a_file_that_is_no_net_is_refused() {
        let reason = |bytes: &[u8]| {
            let read = Evaluator::<Mensch>::from_bytes(bytes);
            read.expect_err("no net")
        };
        let damaged = "its checksum is not that of its content; it is damaged or cut off";
        assert_eq!(reason(b"GIF89a"), "no file of a learned evaluator");
        assert_eq!(reason(&file()[..20]), "cut off");
        assert_eq!(reason(&file()[..60]), damaged);
        assert_eq!(
            reason(&changed(32, 9)),
            "a net for 216 inputs of version 9; this racelab has 216 of version 1"
        );
        assert_eq!(
            reason(&changed(40, 12)),
            "12 hidden units; expected a multiple of 8 up to 1024"
        );
        let nan = reason(&changed(HEADER, f32::NAN.to_bits()));
        assert_eq!(nan, "a weight is not a finite number");
        assert!(reason(&changed(40, 16)).contains(" bytes of weights; expected "));
        let other = Evaluator::<Parchis>::from_bytes(&file());
        let other = other.expect_err("another game");
        assert_eq!(other, "a net of mensch, not of parchis");
    }
}
