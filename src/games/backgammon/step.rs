//! One checker moved by one die, or by several in one go.

/// A move of one checker, in the mover's numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Step {
    /// Where the checker comes from: 1 to 24, or 25 for the bar.
    pub from: u8,
    /// Where it goes: 1 to 24, or 0 for off; always below `from`.
    pub to: u8,
    /// Whether it hits a lone checker there.
    pub hit: bool,
}
