//! `p-values`: many tests at once.

use std::path::PathBuf;

use racelab::stats::multiple;
use serde_json::json;

use super::super::Failure;
use super::input::{Form, Sheet, real};
use super::report::{Output, Report, fixed, grouped, number, probability};

/// Many p-values at once: Bonferroni, Holm, Benjamini-Hochberg
///
/// Columns of the CSV: p, and if wanted name.
///
///     racelab stats p-values 0.001 0.012 0.03 0.4
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct PValues {
    /// P-values of a family of tests
    #[arg(value_name = "P", num_args = 0.., allow_negative_numbers = true)]
    values: Vec<String>,

    /// Read the p-values from a file
    #[arg(long, value_name = "FILE", conflicts_with = "values")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    pub output: Output,
}

impl PValues {
    pub fn report(&self) -> Result<Report, Failure> {
        let (names, values) = self.read()?;
        if values.is_empty() {
            return Err(Failure::input(
                "p-values",
                "none given; expected numbers from 0 to 1, or --csv FILE",
            ));
        }
        let alpha = self.output.confidence.alpha();
        let wrong = |error: multiple::NotAPValue| Failure::input("p-values", error);
        let methods = [
            (
                "bonferroni",
                "Bonferroni",
                multiple::bonferroni(&values).map_err(wrong)?,
            ),
            ("holm", "Holm", multiple::holm(&values).map_err(wrong)?),
            (
                "benjamini_hochberg",
                "BH",
                multiple::benjamini_hochberg(&values).map_err(wrong)?,
            ),
        ];
        let title = format!(
            "n = {} tests; adjusted p-values, to be rejected at {} or less",
            grouped(values.len() as u64),
            fixed(alpha, 4)
        );
        let mut report = Report::new("p-values", title, self.output.confidence);
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .clamp(4, 30);
        let line = |name: &str, cells: [String; 4]| {
            let cells = cells.map(|cell| format!("{cell:>11}")).concat();
            let name: String = name.chars().take(30).collect();
            format!("{name:width$}{cells}")
        };
        report.plain(line(
            "test",
            ["p", "Bonferroni", "Holm", "BH"].map(str::to_owned),
        ));
        let mut rows = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let p = [values[i], methods[0].2[i], methods[1].2[i], methods[2].2[i]];
            report.plain(line(name, p.map(probability)));
            rows.push(json!({
                "name": name,
                "p": number(p[0]),
                "bonferroni": number(p[1]),
                "holm": number(p[2]),
                "benjamini_hochberg": number(p[3]),
            }));
        }
        report.field("tests", json!(rows));
        for (key, label, adjusted) in methods {
            let rejected = adjusted.iter().filter(|&&p| p <= alpha).count();
            let bounds = if key == "benjamini_hochberg" {
                "bounds the expected share of false rejections among the rejected"
            } else {
                "bounds the chance of any false rejection"
            };
            report.field(&format!("rejected_{key}"), json!(rejected));
            report.row(label, format!("{rejected} rejected; {bounds}"));
        }
        Ok(report)
    }

    fn read(&self) -> Result<(Vec<String>, Vec<f64>), Failure> {
        let Some(path) = &self.csv else {
            let value = |(i, text): (usize, &String)| {
                real(0.0..=1.0)(text).map_err(|reason| {
                    Failure::input(&format!("p-value {i}"), format!("'{text}'; {reason}"))
                })
            };
            let values: Result<Vec<f64>, Failure> = (1..).zip(&self.values).map(value).collect();
            let values = values?;
            return Ok(((1..=values.len()).map(|i| i.to_string()).collect(), values));
        };
        let sheet = Sheet::read(
            path,
            &[Form {
                needed: &["p"],
                optional: &["name"],
            }],
        )?;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (i, [p, name]) in (1..).zip(sheet.rows(["p", "name"])) {
            let Some(p) = p else { continue };
            values.push(p.real(0.0..=1.0)?);
            let named = name
                .map(|name| name.name().map(str::to_owned))
                .transpose()?;
            names.push(named.unwrap_or_else(|| format!("{i}")));
        }
        Ok((names, values))
    }
}
