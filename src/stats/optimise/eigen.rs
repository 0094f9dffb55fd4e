//! Eigenvalues of small symmetric matrices.

/// A symmetric matrix A = B diag(values) Bᵀ; column j of B, `vectors[i][j]`, belongs to `values[j]`.
#[derive(Clone, Debug)]
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Vec<Vec<f64>>,
}

/// The decomposition by cyclic Jacobi rotations (Golub & Van Loan, 8.5): slow for large matrices, exact to rounding and
/// the same bits everywhere.
pub(super) fn symmetric(matrix: &[Vec<f64>]) -> Eigen {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut vectors: Vec<Vec<f64>> = (0..n)
        .map(|row| (0..n).map(|column| f64::from(row == column)).collect())
        .collect();
    // Convergence is quadratic: fewer than ten sweeps do, even for 30 rows.
    for _ in 0..60 {
        let size: f64 = (0..n).map(|i| a[i][i] * a[i][i]).sum();
        let off: f64 = (0..n).flat_map(|i| a[i][..i].iter()).map(|x| x * x).sum();
        if off <= 1e-30 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    Eigen {
        values: (0..n).map(|i| a[i][i]).collect(),
        vectors,
    }
}

/// Makes a[p][q] zero, p < q.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |first: &mut f64, second: &mut f64| {
        (*first, *second) = (
            cosine * *first - sine * *second,
            sine * *first + cosine * *second,
        );
    };
    for row in a.iter_mut().chain(vectors) {
        let (head, tail) = row.split_at_mut(q);
        turn(&mut head[p], &mut tail[0]);
    }
    let (head, tail) = a.split_at_mut(q);
    for (first, second) in head[p].iter_mut().zip(&mut tail[0]) {
        turn(first, second);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_two_by_two_matrix_by_hand() {
        // (2 1; 1 2) has 1 along (1, −1) and 3 along (1, 1).
        let mut eigen = symmetric(&[vec![2.0, 1.0], vec![1.0, 2.0]]);
        eigen.values.sort_by(f64::total_cmp);
        assert!((eigen.values[0] - 1.0).abs() < 1e-15 && (eigen.values[1] - 3.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn it_puts_together_what_it_took_apart(cells in prop::collection::vec(-2.0..2.0_f64, 36)) {
            let n = 6;
            let matrix: Vec<Vec<f64>> = (0..n)
                .map(|i| (0..n).map(|j| cells[i * n + j] + cells[j * n + i]).collect())
                .collect();
            let Eigen { values, vectors } = symmetric(&matrix);
            for i in 0..n {
                for j in 0..n {
                    let again: f64 = (0..n).map(|k| vectors[i][k] * values[k] * vectors[j][k]).sum();
                    prop_assert!((again - matrix[i][j]).abs() < 1e-12);
                    let dot: f64 = (0..n).map(|k| vectors[i][k] * vectors[j][k]).sum();
                    prop_assert!((dot - f64::from(i == j)).abs() < 1e-12);
                }
            }
        }
    }
}
