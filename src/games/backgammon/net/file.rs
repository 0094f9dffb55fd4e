//! Nets as files.
//!
//! Little-endian throughout:
//!
//! ```text
//! bytes   0-15    "racelab bg nets\n"
//!        16-19    version of the inputs
//!        20-23    hidden units of the contact net
//!        24-27    hidden units of the race net
//!        28-      the weights as f32: contact net, race net, each in the order of `Layers`
//!        then 32  BLAKE3 of everything before
//! ```

use std::path::Path;

use crate::engine::file::write_bytes;
use crate::engine::net::{NetError, hidden_units, read_bytes, sealed, unsealed};

use super::{Evaluator, Layers, inputs};

/// How a file begins.
const MAGIC: [u8; 16] = *b"racelab bg nets\n";
/// Bytes before the weights.
const HEADER: usize = 28;
impl Evaluator {
    /// Reads the nets of a file.
    ///
    /// # Errors
    /// When it cannot be read or holds no nets for the inputs of this version.
    pub fn read(path: &Path) -> Result<Evaluator, NetError> {
        let bytes = read_bytes(path)?;
        Evaluator::from_bytes(&bytes).map_err(|reason| NetError::foreign(path, reason))
    }

    /// Writes the nets to a file; after any interruption there is the old file or the new one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        write_bytes(path, &self.to_bytes()).map_err(|error| NetError::io(path, &error))
    }

    /// The content of the nets' file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let (contact, race) = (self.contact.hidden() as u32, self.race.hidden() as u32);
        for number in [inputs::VERSION, contact, race] {
            bytes.extend(number.to_le_bytes());
        }
        for layers in [&self.contact, &self.race] {
            bytes.extend(
                layers
                    .to_weights()
                    .iter()
                    .flat_map(|weight| weight.to_le_bytes()),
            );
        }
        sealed(bytes)
    }

    /// The nets in the content of a file, or what is wrong with it.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Evaluator, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("no file of backgammon nets".to_owned());
        }
        let content = unsealed(bytes)?;
        if content.len() < HEADER {
            return Err("cut off".to_owned());
        }
        let (header, weights) = content.split_at(HEADER);
        let (numbers, _) = header[MAGIC.len()..].as_chunks();
        let [version, contact, race] = [0, 1, 2].map(|place| u32::from_le_bytes(numbers[place]));
        if version != inputs::VERSION {
            return Err(format!(
                "nets for inputs of version {version}; this racelab has version {}",
                inputs::VERSION
            ));
        }
        let (contact, race) = (hidden_units(contact)?, hidden_units(race)?);
        let (weights, _) = weights.as_chunks();
        let weights: Vec<f32> = weights
            .iter()
            .map(|&bytes| f32::from_le_bytes(bytes))
            .collect();
        let of_contact = Layers::weights(inputs::CONTACT, contact);
        let expected = of_contact + Layers::weights(inputs::RACE, race);
        if weights.len() != expected || !(content.len() - HEADER).is_multiple_of(4) {
            return Err(format!("{} weights; expected {expected}", weights.len()));
        }
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err("a weight is not a finite number".to_owned());
        }
        let (of_contact, of_race) = weights.split_at(of_contact);
        Ok(Evaluator {
            contact: Layers::from_weights(inputs::CONTACT, contact, of_contact),
            race: Layers::from_weights(inputs::RACE, race, of_race),
            bearoff: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::net::SHIPPED;

    #[test]
    fn nets_go_out_as_they_came_in() {
        let evaluator = Evaluator::from_bytes(SHIPPED).expect("the shipped nets");
        assert_eq!(evaluator.to_bytes(), SHIPPED);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("nets.net");
        evaluator.write(&path).expect("a file");
        let read = Evaluator::read(&path).expect("the nets just written");
        assert_eq!(read.to_bytes(), SHIPPED);
    }

    /// A file that is whole, but says something else at a place of its header.
    fn changed(at: usize, number: u32) -> Vec<u8> {
        let mut bytes = unsealed(SHIPPED).expect("the shipped nets").to_vec();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        sealed(bytes)
    }

    #[test]
    fn a_file_that_is_no_net_is_refused() {
        let reason = |bytes: &[u8]| Evaluator::from_bytes(bytes).expect_err("no nets");
        let cut = &SHIPPED[..SHIPPED.len() - 5];
        insta::assert_snapshot!(reason(b"GIF89a"), @"no file of backgammon nets");
        insta::assert_snapshot!(reason(&SHIPPED[..20]), @"cut off");
        insta::assert_snapshot!(reason(cut), @"its checksum is not that of its content; it is damaged or cut off");
        insta::assert_snapshot!(reason(&changed(16, 99)), @"nets for inputs of version 99; this racelab has version 1");
        insta::assert_snapshot!(reason(&changed(20, 12)), @"12 hidden units; expected a multiple of 8 up to 1024");
        insta::assert_snapshot!(reason(&changed(28, f32::NAN.to_bits())), @"a weight is not a finite number");
        assert!(reason(&changed(20, 8)).contains(" weights; expected "));
        let mut damaged = SHIPPED.to_vec();
        damaged[100] ^= 1;
        assert_eq!(reason(&damaged), reason(cut));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Evaluator::read(Path::new("no/such.net")).expect_err("no file");
        assert!(error.to_string().starts_with("no/such.net: "), "{error}");
    }
}
