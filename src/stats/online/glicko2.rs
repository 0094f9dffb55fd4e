//! Glicko-2 (Glickman, *Example of the Glicko-2 system*, 2022): pairs of players in rating periods.

/// The scale of Glicko-2 in points of rating.
const SCALE: f64 = 173.7178;
/// The rating the scale begins at.
const ORIGIN: f64 = 1500.0;

/// A player of Glicko-2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Player {
    /// The rating, 1500 at first.
    pub rating: f64,
    /// The standard error of the rating, 350 at first.
    pub deviation: f64,
    /// How erratic the results are, 0.06 at first.
    pub volatility: f64,
}

/// A game of a period, as the player sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Game {
    /// The rating of the opponent before the period.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// 1 for a win, 1/2 for a draw, 0 for a loss.
    pub score: f64,
}

/// The player after a period with these games. `tau` bounds how fast the volatility may change, 0.3 to 1.2.
pub fn rate(player: Player, games: &[Game], tau: f64) -> Player {
    let deviation = player.deviation / SCALE;
    if games.is_empty() {
        return Player {
            deviation: SCALE * deviation.hypot(player.volatility),
            ..player
        };
    }
    let mean = (player.rating - ORIGIN) / SCALE;
    let (mut information, mut surprise) = (0.0, 0.0);
    for game in games {
        let theirs = game.deviation / SCALE;
        let weight = 1.0 / (1.0 + 3.0 * theirs * theirs / PI_SQUARED).sqrt();
        let gap = mean - (game.rating - ORIGIN) / SCALE;
        let expected = 1.0 / (1.0 + libm::exp(-weight * gap));
        information += weight * weight * expected * (1.0 - expected);
        surprise += weight * (game.score - expected);
    }
    let variance = 1.0 / information;
    let volatility = volatility_after(player.volatility, deviation, variance, surprise, tau);
    let before = deviation * deviation + volatility * volatility;
    let after = 1.0 / (1.0 / before + information);
    Player {
        rating: ORIGIN + SCALE * (mean + after * surprise),
        deviation: SCALE * after.sqrt(),
        volatility,
    }
}

const PI_SQUARED: f64 = std::f64::consts::PI * std::f64::consts::PI;

/// Step 5: the root of f, by the Illinois variant of regula falsi.
fn volatility_after(
    volatility: f64,
    deviation: f64,
    variance: f64,
    surprise: f64,
    tau: f64,
) -> f64 {
    let delta = variance * surprise;
    let a = 2.0 * libm::log(volatility);
    let known = deviation * deviation + variance;
    let f = |x: f64| {
        let power = libm::exp(x);
        let sum = known + power;
        power * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (tau * tau)
    };
    let excess = delta * delta - known;
    let mut low = a;
    let mut high = if excess > 0.0 {
        libm::log(excess)
    } else {
        let mut steps = 1.0;
        while f(a - steps * tau) < 0.0 {
            steps += 1.0;
        }
        a - steps * tau
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    while (high - low).abs() > 1e-9 {
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    libm::exp(low / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYER: Player = Player {
        rating: 1500.0,
        deviation: 200.0,
        volatility: 0.06,
    };

    /// The example of the paper.
    #[test]
    fn the_example_of_the_paper() {
        let game = |rating, deviation, score| Game {
            rating,
            deviation,
            score,
        };
        let games = [
            game(1400.0, 30.0, 1.0),
            game(1550.0, 100.0, 0.0),
            game(1700.0, 300.0, 0.0),
        ];
        let after = rate(PLAYER, &games, 0.5);
        assert!((after.rating - 1464.05).abs() < 5e-3, "{after:?}");
        assert!((after.deviation - 151.517).abs() < 1e-3, "{after:?}");
        assert!((after.volatility - 0.059_993).abs() < 1e-5, "{after:?}");
    }

    #[test]
    fn without_games_only_the_doubt_grows() {
        let after = rate(PLAYER, &[], 0.5);
        assert!(after.deviation > PLAYER.deviation);
        assert_eq!((after.rating, after.volatility), (1500.0, 0.06));
    }

    #[test]
    fn results_out_of_the_blue_raise_the_volatility() {
        let upset = Game {
            rating: 2300.0,
            deviation: 30.0,
            score: 1.0,
        };
        let settled = Player {
            deviation: 40.0,
            ..PLAYER
        };
        assert!(rate(settled, &[upset; 10], 0.5).volatility > 0.06);
    }
}
