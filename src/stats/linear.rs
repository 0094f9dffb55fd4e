//! Small dense symmetric systems, as a fit of a few dozen strengths needs them.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight` · v vᵀ for the sparse vector v of (index, value).
    pub(crate) fn add_square(&mut self, vector: &[(usize, f64)], weight: f64) {
        for &(row, x) in vector {
            for &(column, y) in vector {
                self.add(row, column, weight * x * y);
            }
        }
    }

    /// Every cell times `factor`.
    pub(crate) fn times(mut self, factor: f64) -> Self {
        for cell in &mut self.cells {
            *cell *= factor;
        }
        self
    }

    /// L with L Lᵀ = self (Cholesky). `None` unless the matrix is positive definite beyond rounding.
    pub(crate) fn cholesky(&self) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = self.clone();
        for column in 0..n {
            let scale = self.get(column, column);
            for row in column..n {
                let known: f64 = (0..column)
                    .map(|k| lower.get(row, k) * lower.get(column, k))
                    .sum();
                let rest = self.get(row, column) - known;
                lower.cells[row * n + column] = if row > column {
                    rest / lower.get(column, column)
                } else if rest > 1e-12 * scale {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Cholesky(lower))
    }

    /// self · other · self for symmetric matrices.
    pub(crate) fn sandwich(&self, filling: &Self) -> Self {
        let product = |a: &Self, b: &Self| {
            let mut result = Self::zero(self.size);
            for row in 0..self.size {
                for k in 0..self.size {
                    let x = a.get(row, k);
                    for column in 0..self.size {
                        result.add(row, column, x * b.get(k, column));
                    }
                }
            }
            result
        };
        product(&product(self, filling), self)
    }
}

/// The lower triangle of a positive definite matrix.
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// x with A x = `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.0.size;
        let mut x = right.to_vec();
        for row in 0..n {
            let known: f64 = (0..row).map(|k| self.0.get(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / self.0.get(row, row);
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| self.0.get(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / self.0.get(row, row);
        }
        x
    }

    /// A⁻¹.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.0.size;
        let mut inverse = Matrix::zero(n);
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.cells[row * n + column] = value;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_by_hand() {
        // [[4, 2], [2, 3]] has determinant 8 and inverse [[3, −2], [−2, 4]]/8.
        let mut a = Matrix::zero(2);
        a.add_square(&[(0, 2.0), (1, 1.0)], 1.0);
        a.add(1, 1, 2.0);
        let factor = a.cholesky().unwrap();
        let close = |actual: &[f64], expected: &[f64]| {
            assert!(
                actual
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| (a - b).abs() < 1e-14),
                "{actual:?} is not {expected:?}"
            );
        };
        close(&factor.solve(&[8.0, 8.0]), &[1.0, 2.0]);
        close(&factor.inverse().cells, &[0.375, -0.25, -0.25, 0.5]);
        let identity = factor.inverse().sandwich(&a);
        assert!((identity.get(0, 0) - 0.375).abs() < 1e-15 && identity.size() == 2);
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        let mut a = Matrix::zero(2);
        a.add_square(&[(0, 1.0), (1, 3.0)], 1.0);
        assert!(a.cholesky().is_none());
        assert!(Matrix::zero(1).cholesky().is_none());
    }
}
