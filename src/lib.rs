//! A laboratory for dice race games: packed rules engines, pluggable bots, millions of self-play
//! games, honest statistics.
//!
//! # Set up a game
//!
//! A game is a value: its house rules, and the seats that play. A position is a small `Copy` value
//! that every game prints as one line of text and reads back.
//!
//! ```
//! use racelab::engine::game::{Game, Turn};
//! use racelab::engine::seat::Seat;
//! use racelab::games::mensch::{Mensch, Rules};
//!
//! let rules = Rules { forced_capture: false, ..Rules::default() };
//! let game = Mensch::new(rules, "AC".parse()?)?;
//! let start = game.start(Seat::A);
//! assert_eq!(game.print(&start), "A:H,H,H,H C:H,H,H,H to=A tries=3");
//!
//! let state = game.parse("A:H,H,r4,L1 C:H,H,H,r7 to=A")?;
//! assert_eq!(game.turn(&state), Turn::Chance(Seat::A));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play a move
//!
//! Chance and choice are different things: a roll is applied with [`roll`](engine::game::Game::roll),
//! and then a seat chooses among the legal moves. What a move does is told by its
//! [`Effect`](engine::game::Effect).
//!
//! ```
//! # use racelab::engine::game::{Game, Turn};
//! # use racelab::engine::seat::Seat;
//! # use racelab::games::mensch::{Mensch, Rules};
//! use racelab::engine::game::MoveSet;
//! use racelab::games::mensch::Moves;
//!
//! # let rules = Rules { forced_capture: false, ..Rules::default() };
//! # let game = Mensch::new(rules, "AC".parse()?)?;
//! # let state = game.parse("A:H,H,r4,L1 C:H,H,H,r7 to=A")?;
//! let mut state = state;
//! game.roll(&mut state, 3);
//! let mut moves = Moves::default();
//! game.moves(&state, &mut moves);
//! let texts: Vec<String> = moves.iter().map(|mv| game.move_text(&state, mv)).collect();
//! assert_eq!(texts, ["r4>r7x", "L1>L4"]);
//!
//! let effect = game.apply(&mut state, moves.get(0));
//! let victim = Seat::new(2);
//! assert_eq!(effect.hits.count(victim), 1);
//! assert_eq!(effect.next, Turn::Chance(victim));
//! assert_eq!(game.print(&state), "A:H,H,r7,L1 C:H,H,H,H to=C tries=3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Run a match, read a result
//!
//! A [`Spec`](experiment::spec::Spec) says who plays whom, a [`runner`](experiment::runner) plays
//! it in blocks on all cores, and a [`Summary`](experiment::summary::Summary) says what came out,
//! with intervals. The same spec gives the same numbers on any machine.
//!
//! ```
//! use std::{sync::atomic::AtomicBool, time::Duration};
//!
//! use racelab::experiment::record::Record;
//! use racelab::experiment::runner::{self, Options, Progress};
//! use racelab::experiment::spec::Spec;
//! use racelab::experiment::summary::Summary;
//! use racelab::games::mensch::Mensch;
//!
//! let spec = "game = 'mensch'\n seats = 'AC'\n bots = ['racer', 'random']\n blocks = 100";
//! let experiment = Spec::parse(spec)?.resolve::<Mensch>()?;
//!
//! let folder = tempfile::tempdir()?;
//! let options = Options {
//!     threads: 2,
//!     checkpoint: Duration::from_secs(60),
//!     stop: &AtomicBool::new(false),
//!     progress: &Progress::default(),
//! };
//! runner::run(&experiment, folder.path(), &options)?;
//!
//! let mut tally = runner::empty_tally(&experiment);
//! for record in Record::read_all(folder.path(), &experiment)? {
//!     tally.merge(&record.tally);
//! }
//! let summary = Summary::new(&experiment, &tally);
//!
//! let best = &summary.bots[0];
//! assert_eq!((best.bot.as_str(), best.games), ("racer", 200));
//! assert!(best.share_low > Some(0.6), "far above the fair share of 0.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | module | |
//! |---|---|
//! | [`engine`] | what every game is made of: [`Game`](engine::game::Game), seats, dice, the play loop, the [laws](engine::laws). Knows no game |
//! | [`games`] | the games, one folder each, and their registry |
//! | [`bots`] | policies, one file each; a policy answers with the index of a legal move |
//! | [`experiment`] | from a spec to counts to rows; exact solutions of endgames |
//! | [`stats`] | intervals, sequential tests, effect sizes, optimisers. Knows no file |
//! | [`report`] | the files of a result folder. Computes nothing |
//!
//! The pages in `docs/` describe the rules, positions as text, bots, experiments, result folders,
//! and how to add a game.

pub mod bots;
pub mod engine;
pub mod experiment;
pub mod games;
pub mod report;
pub mod stats;
