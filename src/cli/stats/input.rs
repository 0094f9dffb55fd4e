//! Numbers from the command line and from CSV files, and what is wrong with them.

use std::ops::RangeInclusive;
use std::path::Path;

use csv::StringRecord;
use racelab::engine::file::read_at_most;
use racelab::engine::notation::io_reason;

use super::super::Failure;

/// The largest count: far more games than anybody plays, and small enough for every test to keep its digits.
pub const MOST: u64 = 1_000_000_000_000;

/// The largest CSV file, in bytes.
const LARGEST: u64 = 256 << 20;

/// Counts given on the command line, one for each name.
pub fn counts(given: &[String], names: &[&str]) -> Result<Vec<u64>, Failure> {
    if given.len() != names.len() {
        let names: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
        let expected = format!(
            "{} given; expected {}: {}, or --csv FILE",
            given.len(),
            names.len(),
            names.join(" ")
        );
        return Err(Failure::input("counts", expected));
    }
    let numbers = given.iter().zip(names);
    numbers
        .map(|(text, name)| whole(text, 0..=MOST).map_err(|reason| Failure::input(name, reason)))
        .collect()
}

/// A whole number of this range.
pub fn whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (low, high) = (range.start(), range.end());
        format!("'{text}'; expected a whole number from {low} to {high}")
    })
}

/// A number of this range, as a value parser.
pub fn real(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!(
                "expected a number from {} to {}",
                range.start(),
                range.end()
            )
        })
    }
}

/// A CSV file with a header.
pub struct Sheet {
    path: String,
    header: Vec<String>,
    rows: Vec<StringRecord>,
}

/// The columns of a file.
pub struct Form {
    /// Those that must be there.
    pub needed: &'static [&'static str],
    /// Those that may be there.
    pub optional: &'static [&'static str],
}

impl Form {
    fn knows(&self, column: &str) -> bool {
        self.needed.contains(&column) || self.optional.contains(&column)
    }

    fn check(&self, header: &[String]) -> Result<(), String> {
        let all = [self.needed, self.optional].concat().join(", ");
        if header.is_empty() {
            return Err(format!("empty; expected a header with the columns {all}"));
        }
        for (i, column) in header.iter().enumerate() {
            if !self.knows(column) {
                return Err(format!("unknown column '{column}'; known: {all}"));
            }
            if header[..i].contains(column) {
                return Err(format!("column '{column}' stands twice"));
            }
        }
        match self
            .needed
            .iter()
            .find(|name| !header.iter().any(|column| column == *name))
        {
            Some(missing) => Err(format!(
                "no column '{missing}'; found: {}; needed: {}",
                header.join(", "),
                self.needed.join(", ")
            )),
            None => Ok(()),
        }
    }
}

/// A cell with its place.
pub struct Cell<'a> {
    sheet: &'a Sheet,
    line: u64,
    column: &'a str,
    /// What it says, without the space around it.
    pub text: &'a str,
}

impl Sheet {
    /// Reads a file of one of these forms: its columns are all known to the form, and those needed are there.
    pub fn read(path: &Path, forms: &[Form]) -> Result<Sheet, Failure> {
        let name = path.display().to_string();
        let wrong = |reason: String| Failure::input(&name, reason);
        let text = read_text(path).map_err(wrong)?;
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let header = reader
            .headers()
            .map_err(|error| wrong(csv_reason(&error)))?;
        let header: Vec<String> = header.iter().map(str::to_owned).collect();
        // The form that is meant is the one that knows most of the columns.
        let known = |form: &&Form| header.iter().filter(|column| form.knows(column)).count();
        let form = forms
            .iter()
            .rev()
            .max_by_key(known)
            .expect("there is a form");
        form.check(&header)
            .map_err(|reason| wrong(format!("line 1: {reason}")))?;
        let rows: Result<Vec<StringRecord>, csv::Error> = reader.records().collect();
        let rows = rows.map_err(|error| wrong(csv_reason(&error)))?;
        if rows.is_empty() {
            return Err(wrong("line 2: no row below the header".to_owned()));
        }
        Ok(Sheet {
            path: name,
            header,
            rows,
        })
    }

    /// Whether there is such a column.
    pub fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }

    /// The cells of the columns `names`, row by row; `None` for a column that is not there.
    pub fn rows<'a, const N: usize>(
        &'a self,
        names: [&'a str; N],
    ) -> impl Iterator<Item = [Option<Cell<'a>>; N]> {
        let indices = names.map(|name| self.header.iter().position(|column| column == name));
        self.rows.iter().map(move |row| {
            let line = row.position().map_or(0, csv::Position::line);
            std::array::from_fn(|i| {
                let text = row.get(indices[i]?)?;
                Some(Cell {
                    sheet: self,
                    line,
                    column: names[i],
                    text,
                })
            })
        })
    }

    /// Reads a file of whole numbers and sums each of its columns.
    pub fn sums<const N: usize>(
        path: &Path,
        names: &'static [&'static str; N],
    ) -> Result<Vec<u64>, Failure> {
        let sheet = Sheet::read(
            path,
            &[Form {
                needed: names,
                optional: &[],
            }],
        )?;
        let mut sums = vec![0; N];
        for row in sheet.rows(*names) {
            for (sum, cell) in sums.iter_mut().zip(row.iter().flatten()) {
                *sum += cell.whole(0..=MOST)?;
                if *sum > MOST {
                    return Err(cell.wrong(&format!("the sum is {sum}; expected at most {MOST}")));
                }
            }
        }
        Ok(sums)
    }
}

impl Cell<'_> {
    /// The whole number it says.
    pub fn whole(&self, range: RangeInclusive<u64>) -> Result<u64, Failure> {
        whole(self.text, range).map_err(|reason| self.wrong(&reason))
    }

    /// The number it says.
    pub fn real(&self, range: RangeInclusive<f64>) -> Result<f64, Failure> {
        real(range)(self.text).map_err(|reason| self.wrong(&format!("'{}'; {reason}", self.text)))
    }

    /// The text it says, if any.
    pub fn name(&self) -> Result<&str, Failure> {
        match self.text {
            "" => Err(self.wrong("empty; expected a name")),
            text => Ok(text),
        }
    }

    /// An error that names the place.
    pub fn wrong(&self, reason: &str) -> Failure {
        Failure::input(
            &format!(
                "{} line {} column {}",
                self.sheet.path, self.line, self.column
            ),
            reason,
        )
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let read = read_at_most(path, LARGEST).map_err(|error| io_reason(&error))?;
    let bytes = read.ok_or("larger than 256 MiB; sum up equal rows first")?;
    String::from_utf8(bytes)
        .map_err(|error| format!("not UTF-8 after byte {}", error.utf8_error().valid_up_to()))
}

/// What the reader has to say, on one line.
fn csv_reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} cells; the header has {expected_len} columns")
        }
        _ => error.to_string(),
    }
}
