//! Which candidate is best, when trying each costs time.

/// Futures between two looks at the candidates.
const BATCH: usize = 10;

/// The number of the candidate with the greatest sum of values, of equals the first. `firsts` has
/// the first move of each: between candidates with the same nothing needs to be decided.
/// `value(candidate, future)` is asked at most `samples` times for each; the values of one future
/// belong together. A candidate that is `drop_at` standard errors of the difference behind the best
/// is given up, unless that is 0.
pub(super) fn winner(
    firsts: &[usize],
    samples: usize,
    drop_at: f64,
    mut value: impl FnMut(usize, u64) -> f64,
) -> usize {
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); firsts.len()];
    let mut open: Vec<usize> = (0..firsts.len()).collect();
    let mut best = 0;
    let mut futures = 0..samples;
    while open.iter().any(|&one| firsts[one] != firsts[open[0]]) {
        let batch: Vec<usize> = futures.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        for future in batch {
            for &number in &open {
                values[number].push(value(number, future as u64));
            }
        }
        let sum = |number: usize| values[number].iter().sum::<f64>();
        best = open[0];
        for &number in &open {
            if sum(number) > sum(best) {
                best = number;
            }
        }
        let behind = |number| sum(best) - sum(number);
        let reach = |number: usize| drop_at * error_of_sum(&values[best], &values[number]);
        let is_given_up = |number| drop_at > 0.0 && behind(number) > reach(number);
        open.retain(|&number| !is_given_up(number));
    }
    best
}

/// The standard error of the sum of differences, estimated from them.
fn error_of_sum(best: &[f64], values: &[f64]) -> f64 {
    let count = best.len() as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (best, value) in best.iter().zip(values) {
        let gap = best - value;
        sum += gap;
        squares += gap * gap;
    }
    ((count * squares - sum * sum) / (count - 1.0).max(1.0))
        .max(0.0)
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_mean_is_found_and_clear_losers_are_given_up() {
        let mut asked = [0; 3];
        let found = winner(&[7, 8, 9], 200, 2.5, |number, future| {
            asked[number] += 1;
            let luck = [0.0, 0.3][future as usize % 2];
            let own = [0.1, 0.0, [0.11, 0.1][future as usize / 2 % 2]][number];
            luck + own
        });
        // The second is behind by 0.1 in every future, the third ahead by 0.01 in half of them.
        assert_eq!((found, asked[1]), (2, BATCH));
        assert!(asked[0] < 200 && asked[0] == asked[2], "{asked:?}");
    }

    #[test]
    fn nobody_is_given_up_at_zero() {
        let mut asked = 0;
        let found = winner(&[1, 2], 25, 0.0, |number, _| {
            asked += 1;
            number as f64
        });
        assert_eq!((found, asked), (1, 50));
    }

    #[test]
    fn of_equals_the_first_is_best() {
        assert_eq!(winner(&[4, 3], 20, 2.5, |_, _| 0.5), 0);
    }

    #[test]
    fn nothing_is_asked_where_there_is_no_choice() {
        let found = winner(&[3, 3], 20, 2.5, |_, _| panic!("asked"));
        assert_eq!(found, 0);
    }
}
