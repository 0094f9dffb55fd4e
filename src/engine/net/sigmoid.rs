//! The logistic function in plain f32 arithmetic: the same bits on every machine, and a loop over
//! it becomes vector code.

/// Beyond this the function is 0 or 1 to f32 precision, or too near to matter.
const LIMIT: f32 = 20.0;
/// Adding this to a small number leaves its nearest integer in the low bits (1.5 · 2^23).
const ROUND: f32 = 12_582_912.0;
/// 2^f on -1/2..1/2 as its Taylor series: ln(2)^k / k!, the highest power first. The remainder is
/// below 2e-7.
const POWER_OF_TWO: [f32; 6] = [
    0.001_333_355_8,
    0.009_618_129,
    0.055_504_11,
    0.240_226_5,
    std::f32::consts::LN_2,
    1.0,
];

/// 1 / (1 + e^-x), to within 1e-6.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let x = x.clamp(-LIMIT, LIMIT);
    // e^-x = 2^y = 2^whole · 2^rest
    let y = -x * std::f32::consts::LOG2_E;
    let shifted = y + ROUND;
    let rest = y - (shifted - ROUND);
    let [first, others @ ..] = POWER_OF_TWO;
    let power = others.iter().fold(first, |sum, term| sum * rest + term);
    // The whole part goes into the exponent, 8 bits behind the 23 of the fraction.
    let whole = shifted.to_bits().wrapping_sub(ROUND.to_bits());
    let scale = f32::from_bits(whole.wrapping_add(127) << 23);
    1.0 / (1.0 + power * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logistic_function() {
        for step in -3000..=3000 {
            let x = step as f32 / 100.0;
            let exact = 1.0 / (1.0 + libm::exp(f64::from(-x.clamp(-LIMIT, LIMIT))));
            let found = f64::from(sigmoid(x));
            assert!((found - exact).abs() < 1e-6, "{x}: {found} for {exact}");
        }
    }

    #[test]
    fn it_has_these_bits() {
        let bits = [-3.0, -0.5, 0.0, 1.0, 7.25].map(|x| sigmoid(x).to_bits());
        assert_eq!(
            bits,
            [
                0x3d42_41a5,
                0x3ec1_4d03,
                0x3f00_0000,
                0x3f3b_26ac,
                0x3f7f_d17e
            ]
        );
    }
}
