//! Statistics of games: intervals, sequential tests, effect sizes. Knows no file and no game.
