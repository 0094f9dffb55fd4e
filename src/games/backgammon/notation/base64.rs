//! The base64 of position and match IDs: the standard alphabet, no padding.

use crate::engine::game::PositionError;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The low `BYTES` bytes of `word`, the lowest first, as base64.
pub(super) fn encode<const BYTES: usize>(word: u128) -> String {
    let bytes = word.to_le_bytes();
    let sextet = |index: usize| {
        let bit = 6 * index;
        let pair = u16::from_be_bytes([
            bytes[bit / 8],
            // Past the last byte the code is filled with zeros.
            if bit / 8 + 1 < BYTES {
                bytes[bit / 8 + 1]
            } else {
                0
            },
        ]);
        char::from(ALPHABET[usize::from(pair >> (10 - bit % 8)) & 63])
    };
    (0..length(BYTES)).map(sextet).collect()
}

/// The word of a base64 text of `BYTES` bytes, the lowest first; `field` is its name in errors.
pub(super) fn decode<const BYTES: usize>(field: &str, text: &str) -> Result<u128, PositionError> {
    let found = text.chars().count();
    if found != length(BYTES) {
        let expected = length(BYTES);
        let reason = format!("{found} characters; expected {expected}");
        return Err(PositionError::new(field, reason));
    }
    let mut bytes = [0; 16];
    let mut window = 0u32;
    for (index, letter) in text.chars().enumerate() {
        let value = ALPHABET
            .iter()
            .position(|&known| char::from(known) == letter);
        let value = value.ok_or_else(|| {
            let reason =
                format!("{letter:?} is no base64; expected A to Z, a to z, 0 to 9, + or /");
            PositionError::new(field, reason)
        })?;
        window = window << 6 | value as u32;
        let bits = 6 * (index + 1);
        // A byte is complete as soon as 8 bits beyond the last complete one are in.
        if bits / 8 > 6 * index / 8 {
            bytes[bits / 8 - 1] = (window >> (bits % 8)) as u8;
        }
    }
    let spare = 6 * length(BYTES) - 8 * BYTES;
    if window & ((1 << spare) - 1) != 0 {
        let reason = format!("the last character holds more than the {} bits", 8 * BYTES);
        return Err(PositionError::new(field, reason));
    }
    Ok(u128::from_le_bytes(bytes))
}

/// Characters for so many bytes.
const fn length(bytes: usize) -> usize {
    (8 * bytes).div_ceil(6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_standard_test_vector() {
        assert_eq!(
            encode::<4>(u128::from(u32::from_le_bytes(*b"foob"))),
            "Zm9vYg"
        );
        assert_eq!(
            decode::<4>("id", "Zm9vYg").map(|word| word as u32),
            Ok(0x626f_6f66)
        );
    }

    proptest! {
        #[test]
        fn ten_bytes_and_nine_are_read_back(word: u128) {
            let ten = word & ((1 << 80) - 1);
            prop_assert_eq!(decode::<10>("id", &encode::<10>(ten)), Ok(ten));
            let nine = word & ((1 << 72) - 1);
            prop_assert_eq!(decode::<9>("id", &encode::<9>(nine)), Ok(nine));
        }
    }
}
