//! The examples and counts of the rules page of Mensch ärgere dich nicht, as tables for whoever implements its rules.

// Several test targets include this file, and each uses only a part of it.
#![allow(dead_code)]

/// Id, position, options, die, legal moves (`–`: none), and what is next after each of them.
pub type Example = (
    &'static str,
    &'static str,
    &'static str,
    u8,
    &'static str,
    &'static str,
);

/// The positions of section 4: id, position, options, die, legal moves, and what is next after each of them.
#[rustfmt::skip]
pub const EXAMPLES: &[Example] = &[
    ("P01", "A:H,H,H,H C:H,H,H,H to=A tries=3", "", 5, "–", "to=A tries=2"),
    ("P01", "A:H,H,H,H C:H,H,H,H to=A tries=3", "", 6, "H>r0", "to=A"),
    ("P02", "A:H,H,H,r0 C:H,H,H,r3 to=A", "", 3, "r0>r3x", "to=C tries=3"),
    ("P03", "A:H,H,r0,r10 C:H,H,H,r14 to=A", "", 4, "r0>r4", "to=C"),
    ("P05", "A:H,H,r5,r20 C:H,H,H,r11 to=A", "", 6, "H>r0", "to=A"),
    ("P06", "A:H,H,H,r12 C:H,H,H,r0 to=A", "", 6, "H>r0x", "to=A"),
    ("P07", "A:H,H,r0,r9 C:H,H,H,H to=A", "", 6, "r0>r6", "to=A"),
    ("P08", "A:H,H,r0,r6 C:H,H,H,H to=A", "", 6, "r6>r12", "to=A"),
    ("P10", "A:r35,L1,L3,L4 C:H,H,H,H to=A", "", 6, "–", "to=C tries=3"),
    ("P10", "A:r35,L1,L3,L4 C:H,H,H,H to=A", "lane_jump=true", 6, "r35>L2#", "won=A"),
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 1, "L3>L4", "to=C tries=3"),
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 2, "–", "to=C tries=3"), // Q5
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 6, "H>r0", "to=A"),
    ("P13", "A:H,r3,L1,L2 C:H,H,H,H to=A", "", 2, "r3>r5 L2>L4", "to=C tries=3"),
    ("P13", "A:H,r3,L1,L2 C:H,H,H,H to=A", "lane_jump=true", 2, "r3>r5 L1>L3 L2>L4", "to=C tries=3"),
    ("P15", "A:H,H,H,r39 C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("P15", "A:H,H,H,r39 C:H,H,H,H to=A", "", 4, "r39>L4", "to=C tries=3"),
    ("P16", "A:H,H,r10,r11 C:H,H,H,r12 to=A", "", 3, "r10>r13 r11>r14", "to=C"),
    ("P18", "A:r0,r5,r30,L4 C:H,H,H,H to=A", "", 6, "r0>r6 r5>r11 r30>r36", "to=A"),
    ("P19", "A:H,H,H,r0 B:H,H,H,r37 to=B", "", 3, "r37>r0x", "to=A tries=3"),
    ("P20", "A:H,H,H,r22 C:H,H,H,r18 to=C", "", 4, "r18>L3", "to=A"),
    ("P21", "A:H,H,H,r39 B:H,H,H,H to=A", "", 1, "r39>L1", "to=B tries=3"),
    ("P21", "A:H,H,H,H B:H,H,H,r39 to=B", "", 1, "r39>r0", "to=A tries=3"),
    ("P22", "A:H,H,H,r0 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A", "one_out=true", 6, "r0>r6", "to=A"),
    ("P22", "A:H,H,H,r6 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A", "one_out=true", 4, "r6>r10x", "to=B tries=3"),
    ("P23", "A:r34,L2,L3,L4 C:H,H,H,H to=A", "", 6, "r34>L1#", "won=A"),
    ("P25", "A:r39,L2,L3,L4 C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("P25", "A:r39,L2,L3,L4 C:H,H,H,H to=A", "", 1, "r39>L1#", "won=A"),
    ("P27", "A:H,r0,r2,r4 C:H,H,H,H to=A", "", 2, "r4>r6", "to=C tries=3"),
    ("P28", "A:H,H,H,r29 B:H,H,H,H C:H,H,H,H to=A", "", 1, "r29>r30", "to=B tries=3"),
    ("P29", "A:H,H,H,H C:H,H,H,r0 to=A tries=3", "", 4, "–", "to=A tries=2"),
    ("P30", "A:H,H,H,H C:H,H,H,H D:H,H,H,r0 to=D", "", 6, "H>r30", "to=D"),
    ("P32", "A:H,H,r34,L1 C:H,H,H,H to=A", "", 6, "H>r0", "to=A"),
];

/// The switches of 1.9, worked out by hand, in the form of [`EXAMPLES`].
#[rustfmt::skip]
pub const SWITCHES: &[Example] = &[
    ("last try", "A:H,H,H,H C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("one try", "A:H,H,H,H C:H,H,H,H to=A", "tries=1", 5, "–", "to=C"),
    ("one try drops tries", "A:H,H,H,H C:H,H,H,H to=A tries=3", "tries=1", 5, "–", "to=C"),
    ("unplayable six", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "", 6, "–", "to=C"),
    ("unplayable six", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "bonus_on_unplayable_six=true", 6, "–", "to=A"),
    ("no six, no bonus", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "bonus_on_unplayable_six=true", 5, "–", "to=C"),
    ("blocked start", "A:H,r0,r3,r20 C:H,H,H,r1 to=A", "", 3, "r3>r6 r20>r23", "to=C"),
    ("blocker moves", "A:H,r0,r3,r20 C:H,H,H,r1 to=A", "vacate_chain=true", 3, "r3>r6", "to=C"),
    ("blocker's blocker", "A:H,r0,r3,r6 C:H,H,H,r1 to=A", "vacate_chain=true", 3, "r6>r9", "to=C"),
    ("chain before capture", "A:H,r0,r3,r20 C:H,H,r1,r23 to=A", "vacate_chain=true", 3, "r3>r6", "to=C"),
    ("capture when blocked", "A:H,r0,r3,r20 C:H,H,r23,r1 to=A", "", 3, "r20>r23x", "to=C"),
    ("capture before vacate", "A:H,H,r0,r10 C:H,H,r14,r1 to=A", "capture_before_vacate=true", 4, "r10>r14x", "to=C"),
    ("capture before bring-out", "A:H,H,r5,r20 C:H,H,r11,r1 to=A", "capture_before_vacate=true", 6, "r5>r11x", "to=A"),
    ("only if forced", "A:H,H,r0,r10 C:H,H,r14,r1 to=A", "capture_before_vacate=true forced_capture=false", 4, "r0>r4", "to=C"),
    ("capture rolls again", "A:H,H,H,r5 C:H,H,H,r9 to=A", "capture_gives_roll=true", 4, "r5>r9x", "to=A"),
    ("no capture, no roll", "A:H,H,H,r5 C:H,H,H,r9 to=A", "capture_gives_roll=true", 3, "r5>r8", "to=C"),
    ("bounce onto itself", "A:r30,L1,L2,L3 C:H,H,H,r0 to=A", "bounce=true lane_jump=true", 6, "r30>r36 L1>L1", "to=A"),
    ("bounce past own tokens", "A:r38,L1,L2,L4 C:H,H,H,r0 to=A", "bounce=true", 6, "–", "to=C"),
    ("bounce back over the lane", "A:H,r1,r2,L2 C:H,H,H,r0 to=A", "bounce=true", 5, "r1>r6 r2>r7 L2>L1", "to=C"),
    ("no bounce to the ring", "A:r1,r2,r3,L4 C:H,H,H,r0 to=A", "bounce=true", 4, "r1>r5 r2>r6 r3>r7", "to=C"),
    ("bounce from L4", "A:H,H,H,L4 C:H,H,H,r0 to=A tries=3", "bounce=true", 3, "L4>L1", "to=C"),
];

/// The options of [`MAY_PASS`].
pub const MAY_PASS_OPTIONS: &str = "may_pass=true bonus_on_unplayable_six=true";

/// Position, die and result set where any roll may be declined.
#[rustfmt::skip]
pub const MAY_PASS: &[(&str, u8, &[&str])] = &[
    // A declined six gives no extra roll.
    ("A:H,H,H,r5 C:H,H,H,r9 to=A", 6, &["A:H,H,H,r5 C:H,H,H,r9 to=C", "A:H,H,r0,r5 C:H,H,H,r9 to=A"]),
    // Declining ends the series.
    ("A:H,H,H,H C:H,H,H,r9 to=A tries=3", 5, &["A:H,H,H,H C:H,H,H,r9 to=A tries=2", "A:H,H,H,H C:H,H,H,r9 to=C"]),
    // Nothing to play and nothing to keep: declining is the same.
    ("A:H,H,H,H C:H,H,H,r9 to=A", 5, &["A:H,H,H,H C:H,H,H,r9 to=C"]),
    // The roll of an unplayable six may be declined too.
    ("A:r39,L2,L3,L4 C:H,H,H,r9 to=A", 6, &["A:r39,L2,L3,L4 C:H,H,H,r9 to=A", "A:r39,L2,L3,L4 C:H,H,H,r9 to=C"]),
];

/// P12: the four tokens of A, and the rolls of its coming turn.
pub const TRIES: &[(&str, u8)] = &[
    ("H,H,H,H", 3),
    ("H,H,H,L4", 3),
    ("H,H,L3,L4", 3),
    ("H,L2,L3,L4", 3),
    ("H,H,H,L1", 1),
    ("H,H,L2,L4", 1),
    ("H,L1,L3,L4", 1),
    ("H,H,L1,L2", 1),
    ("H,H,H,r39", 1),
];

/// Sequences without a choice: id, position, dice, the moves, and the position reached.
#[rustfmt::skip]
pub const SEQUENCES: &[(&str, &str, &[u8], &str, &str)] = &[
    ("Q1", START2, &[3, 6, 6, 2], "– H>r0 r0>r6 r6>r8", "A:H,H,H,r8 C:H,H,H,H to=C tries=3"),
    ("Q3", START2, &[1, 2, 3], "– – –", "A:H,H,H,H C:H,H,H,H to=C tries=3"),
    ("Q3", START2, &[1, 2, 6, 3], "– – H>r0 r0>r3", "A:H,H,H,r3 C:H,H,H,H to=C tries=3"),
    ("Q5", "A:H,H,H,L3 C:H,H,H,H to=A", &[2], "–", "A:H,H,H,L3 C:H,H,H,H to=C tries=3"),
    ("Q6", "A:H,H,H,r12 C:H,H,H,r0 to=A", &[6, 1], "H>r0x r0>r1", "A:H,H,r1,r12 C:H,H,H,H to=C tries=3"),
    ("P22", "A:H,H,H,r0 B:H,H,H,r10 to=A", &[6, 4], "r0>r6 r6>r10x", "A:H,H,H,r10 B:H,H,H,H to=B tries=3"),
    ("F23", START2, &[6; 7], "H>r0 r0>r6 H>r0 r6>r12 r0>r6 H>r0 r12>r18", "A:H,r0,r6,r18 C:H,H,H,H to=A"),
];

const START2: &str = "A:H,H,H,H C:H,H,H,H to=A tries=3";
const START3: &str = "A:H,H,H,H B:H,H,H,H C:H,H,H,H to=A tries=3";
const START4: &str = "A:H,H,H,H B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A tries=3";
const ONE_OUT2: &str = "A:H,H,H,r0 C:H,H,H,r20 to=A";
const ONE_OUT4: &str = "A:H,H,H,r0 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A";
const K: &str = "A:H,r0,r4,L2 B:r13,r16,r35,L4 C:H,H,r28,r9 D:r31,r3,r22,r29 to=A";
const E2: &str = "A:r36,r37,r38,L2 C:r15,r18,r19,L1 to=A";

/// 3.7: options, position, and the number of paths of 1, 2, 3, … rolls.
#[rustfmt::skip]
pub const PERFT: &[(&str, &str, &[u64])] = &[
    ("", START2, &[6, 36, 216, 1296, 7776, 46661, 280_191, 1_691_812, 10_269_190]),
    ("", START3, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_082_448]),
    ("", START4, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_081_488]),
    ("forced_capture=false", START4, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_081_488]),
    ("one_out=true", ONE_OUT2, &[6, 36, 216, 1296, 7981, 51426, 342_969, 2_423_159]),
    ("one_out=true", ONE_OUT4, &[6, 36, 216, 1296, 7780, 46700, 285_117, 1_753_406]),
    ("", K, &[6, 84, 798, 9075, 90552, 1_087_496, 11_626_340, 127_754_921]),
    ("forced_capture=false", K, &[6, 97, 1234, 19549, 254_045, 3_633_451, 48_306_333, 673_536_739]),
    ("", E2, &[10, 80, 752, 6295, 54358, 455_790, 3_681_288, 29_845_754, 229_619_713]),
    ("forced_capture=false", E2, &[10, 80, 752, 6295, 54358, 455_790, 3_681_288, 29_845_754, 229_619_713]),
];
