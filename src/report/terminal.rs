//! The end of a tournament on a terminal: plain text that fits 80 columns.

use crate::experiment::summary::{BotRow, Length, MeasureRow, PairRow, Summary};

use super::PageInfo;
use super::text::{
    UNKNOWN, count, counted, decimals, known, percent, plus_minus, reach, short_count, shorten,
    width, wrap,
};

/// The width nothing passes.
const COLUMNS: usize = 80;
/// The space between two columns.
const GAP: usize = 2;
/// The width a name is given at least, before columns move to a table of their own.
const NAME: usize = 16;
/// The most bots of a cross table.
const MAX_CROSS: usize = 8;

/// What was played, who won how often, who beat whom, how long it took, and what to beware of.
pub fn table(summary: &Summary, info: &PageInfo) -> String {
    let mut out = heading(summary, info);
    let bots = by_bot(&summary.bots);
    if !bots.is_empty() {
        out.push('\n');
        out += &shares(&bots);
    }
    let pairs = head_to_head(summary, &bots);
    if !pairs.is_empty() {
        out.push('\n');
        out += &pairs;
    }
    for table in measures(&summary.measures) {
        out.push('\n');
        out += &table;
    }
    out.push('\n');
    out += &lengths(summary);
    for warning in &summary.warnings {
        out += &wrap(&format!("Warning: {warning}"), COLUMNS, 2);
    }
    if summary.blocks > 1 {
        let note = format!(
            "± is a 95 % interval over {}; the games of a block share their dice.",
            counted(summary.blocks, "block")
        );
        out += &wrap(&note, COLUMNS, 2);
    }
    out
}

/// The title and the facts, as many on a line as fit.
fn heading(summary: &Summary, info: &PageInfo) -> String {
    let mut out = wrap(&info.title, COLUMNS, 2);
    let mut lines: Vec<String> = Vec::new();
    for (label, value) in info.all_facts(summary) {
        let fact = format!("{label} {value}");
        match lines.last_mut() {
            Some(line) if width(line) + 2 + width(&fact) <= COLUMNS => {
                line.push_str("; ");
                line.push_str(&fact);
            }
            _ => lines.push(fact),
        }
    }
    for line in lines {
        out += &wrap(&line, COLUMNS, 2);
    }
    out
}

/// A bot: its row for all seats together and those of its seats.
struct BotRows<'a> {
    all: &'a BotRow,
    seats: Vec<&'a BotRow>,
}

fn by_bot(rows: &[BotRow]) -> Vec<BotRows<'_>> {
    let mut bots: Vec<BotRows<'_>> = Vec::new();
    for row in rows {
        match bots.last_mut() {
            Some(bot) if row.seat != "all" => bot.seats.push(row),
            _ => bots.push(BotRows {
                all: row,
                seats: Vec::new(),
            }),
        }
    }
    bots
}

/// A column: two lines of heading and a cell for each row.
struct Column {
    head: [String; 2],
    cells: Vec<String>,
    left: bool,
}

impl Column {
    fn right(first: &str, second: &str, cells: impl Iterator<Item = String>) -> Column {
        Column {
            head: [first.to_owned(), second.to_owned()],
            cells: cells.collect(),
            left: false,
        }
    }

    fn names<'a>(title: &str, names: impl Iterator<Item = &'a str>, columns: usize) -> Column {
        Column {
            left: true,
            ..Column::right("", title, names.map(|name| shorten(name, columns)))
        }
    }

    fn width(&self) -> usize {
        let all = self.head.iter().chain(&self.cells);
        all.map(|cell| width(cell)).max().unwrap_or(0)
    }

    fn pad(&self, cell: &str, to: usize) -> String {
        let space = " ".repeat(to - width(cell));
        if self.left {
            format!("{cell}{space}")
        } else {
            format!("{space}{cell}")
        }
    }
}

/// The columns with the gaps before them.
fn total(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width() + GAP).sum()
}

/// Columns as lines; heading lines that say nothing are left out.
fn lay_out(columns: &[Column]) -> String {
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let line = |cell: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(column, &width)| column.pad(&cell(column), width))
            .collect();
        let line = cells.join(&" ".repeat(GAP));
        format!("{}\n", line.trim_end())
    };
    let heads = (0..2).map(|number| line(&|column| column.head[number].clone()));
    let mut out: String = heads.filter(|head| head != "\n").collect();
    for row in 0..rows {
        out += &line(&|column| column.cells[row].clone());
    }
    out
}

/// The bots with their shares of wins, strongest first; the shares at each seat beside them, or
/// below if there is no room.
fn shares(bots: &[BotRows<'_>]) -> String {
    let names = || bots.iter().map(|bot| bot.all.bot.as_str());
    let all = || bots.iter().map(|bot| bot.all);
    let reach = |row: &BotRow| reach(row.share, row.share_low, row.share_high);
    let digits = decimals(all().filter_map(reach));
    let mut numbers = vec![
        Column::right("seat", "games", all().map(|row| short_count(row.games))),
        Column::right("wins", "%", all().map(|row| percent(row.share, digits))),
        Column::right("", "±", all().map(|row| plus_minus(reach(row), digits))),
        Column::right("mean", "place", all().map(|row| known(row.mean_place, 2))),
        Column::right(
            "captures",
            "made",
            all().map(|row| known(row.mean_captures_made, 2)),
        ),
        Column::right(
            "a game",
            "suffered",
            all().map(|row| known(row.mean_captures_suffered, 2)),
        ),
    ];
    numbers.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    let mut letters: Vec<&str> = bots
        .iter()
        .flat_map(|bot| bot.seats.iter().map(|row| row.seat.as_str()))
        .collect();
    letters.sort_unstable();
    letters.dedup();
    let at_seat = |bot: &BotRows<'_>, seat: &str| {
        let row = bot.seats.iter().find(|row| row.seat == seat);
        percent(row.and_then(|row| row.share), 1)
    };
    let seats: Vec<Column> = letters
        .iter()
        .map(|&seat| {
            Column::right(
                "wins",
                &format!("at {seat}"),
                bots.iter().map(|bot| at_seat(bot, seat)),
            )
        })
        .collect();

    let longest = names().map(width).max().unwrap_or(0);
    let beside = COLUMNS.saturating_sub(total(&numbers) + total(&seats));
    if beside >= longest.min(NAME).max(width("bot")) {
        let mut columns = vec![Column::names("bot", names(), beside)];
        columns.extend(numbers);
        columns.extend(seats);
        return lay_out(&columns);
    }
    let table = |numbers: Vec<Column>| {
        let room = COLUMNS.saturating_sub(total(&numbers));
        let mut columns = vec![Column::names("bot", names(), room)];
        columns.extend(numbers);
        lay_out(&columns)
    };
    format!("{}\nWins at each seat, %\n{}", table(numbers), table(seats))
}

/// The cross table of scores, with intervals if there is room.
fn head_to_head(summary: &Summary, bots: &[BotRows<'_>]) -> String {
    if summary.pairs.is_empty() {
        return String::new();
    }
    if bots.len() > MAX_CROSS {
        return "Head to head: see pairs.csv\n".to_owned();
    }
    let pair = |bot: &str, other: &str| {
        let mut pairs = summary.pairs.iter();
        pairs.find(|pair| pair.bot == bot && pair.other == other)
    };
    let name = |bot: usize| bots[bot].all.bot.as_str();
    let numbered: Vec<String> = (0..bots.len())
        .map(|bot| format!("{} {}", bot + 1, name(bot)))
        .collect();
    let cross = |cell: &dyn Fn(&PairRow) -> String| -> Vec<Column> {
        let column = |other: usize| {
            let cells = (0..bots.len()).map(|bot| match pair(name(bot), name(other)) {
                Some(pair) => cell(pair),
                None if bot == other => String::new(),
                None => UNKNOWN.to_owned(),
            });
            Column::right("", &format!("against {}", other + 1), cells)
        };
        (0..bots.len()).map(column).collect()
    };
    let mut scores = cross(&|pair| {
        let reach = reach(pair.score, pair.score_low, pair.score_high);
        let cell = format!("{} {}", percent(pair.score, 1), plus_minus(reach, 1));
        cell.trim_end().to_owned()
    });
    if total(&scores) + NAME > COLUMNS {
        scores = cross(&|pair| percent(pair.score, 1));
        for (number, column) in scores.iter_mut().enumerate() {
            column.head[1] = (number + 1).to_string();
        }
    }
    let room = COLUMNS.saturating_sub(total(&scores));
    let mut columns = vec![Column::names(
        "bot",
        numbered.iter().map(String::as_str),
        room,
    )];
    columns.extend(scores);
    format!(
        "Head to head: better places of the row's bot, %; the same place counts half\n{}",
        lay_out(&columns)
    )
}

/// What the game counts beside wins, the mean of a game for each bot; as many tables as it takes.
fn measures(rows: &[MeasureRow]) -> Vec<String> {
    let mut bots: Vec<&str> = rows.iter().map(|row| row.bot.as_str()).collect();
    bots.dedup();
    let names = |()| Column::names("a game", bots.iter().copied(), NAME);
    let column = |rows: Vec<&MeasureRow>| {
        let cells = rows.iter().map(|row| {
            let reach = row.mean_high.zip(row.mean).map(|(high, mean)| high - mean);
            let reach = reach.map_or_else(String::new, |reach| format!(" ±{reach:.3}"));
            known(row.mean, 3) + &reach
        });
        Column::right("", rows[0].measure, cells)
    };
    let per_bot = rows.len() / bots.len().max(1);
    let mut tables: Vec<Vec<Column>> = Vec::new();
    for measure in 0..per_bot {
        let next = column(rows.iter().skip(measure).step_by(per_bot).collect());
        match tables.last_mut() {
            Some(table) if total(table) + next.width() <= COLUMNS => table.push(next),
            _ => tables.push(vec![names(()), next]),
        }
    }
    let mut texts: Vec<String> = tables.iter().map(|columns| lay_out(columns)).collect();
    if let Some(row) = rows.iter().find(|row| !row.note.is_empty()) {
        let note = format!("{}: {}.", row.measure, row.note);
        texts.push(wrap(&note, COLUMNS, 2));
    }
    texts
}

fn lengths(summary: &Summary) -> String {
    if summary.rolls.games == 0 {
        return "No game was finished.\n".to_owned();
    }
    let game = if summary.capped > 0 {
        "finished game"
    } else {
        "game"
    };
    let line = |what: &str, length: &Length| {
        let at = |percent: u32| {
            let mut quantiles = length.quantiles.iter();
            let found = quantiles.find(|&&(at, _)| at == percent);
            found.map_or_else(|| UNKNOWN.to_owned(), |&(_, value)| count(value.into()))
        };
        format!(
            "{what} a {game}: mean {}, median {}, 5–95 % {}–{}\n",
            known(length.mean, 1),
            at(50),
            at(5),
            at(95)
        )
    };
    line("Rolls", &summary.rolls) + &line("Turns", &summary.turns)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::{info, summary};
    use super::*;

    fn is_80_wide(text: &str) -> bool {
        text.lines().all(|line| width(line) <= COLUMNS)
    }

    #[test]
    fn four_bots() {
        let mut played = summary(&["greedy", "run-home", "Läufer-ё", "random"], 4, 1500);
        played.capped = 12;
        played.warnings = vec![
            "12 of 6000 games were stopped at 900 rolls: nobody won them, pairs count them as \
             equal; raise --cap or look for a bot that does not want to finish"
                .to_owned(),
        ];
        insta::assert_snapshot!(table(&played, &info()), @r"
        four-bots
        game mensch; rules default, lane_jump = true; seats ABCD; schedule round-robin
        seed 1; job 0123456789abcdef; blocks 1,500; games 6,000; stopped at the cap 12

                   seat  wins         mean  captures    a game  wins  wins  wins  wins
        bot       games     %     ±  place      made  suffered  at A  at B  at C  at D
        greedy    6,000  30.0  ±1.2   2.50      2.50      2.25  29.8  29.5  29.2  29.0
        run-home  6,000  27.5  ±1.2   2.50      2.50      2.25  27.3  27.0  26.8  26.5
        Läufer-ё  6,000  26.7  ±1.2   2.50      2.50      2.25  26.4  26.2  25.9  25.7
        random    6,000  26.2  ±1.2   2.50      2.50      2.25  26.0  25.8  25.5  25.2

        Head to head: better places of the row's bot, %; the same place counts half
        bot         against 1  against 2  against 3  against 4
        1 greedy               60.0 ±1.5  70.0 ±1.5  80.0 ±1.5
        2 run-home  40.0 ±1.5             60.0 ±1.5  70.0 ±1.5
        3 Läufer-ё  30.0 ±1.5  40.0 ±1.5             60.0 ±1.5
        4 random    20.0 ±1.5  30.0 ±1.5  40.0 ±1.5

        Rolls a finished game: mean 300.2, median 300, 5–95 % 220–390
        Turns a finished game: mean 250.2, median 250, 5–95 % 170–340
        Warning: 12 of 6000 games were stopped at 900 rolls: nobody won them, pairs
          count them as equal; raise --cap or look for a bot that does not want to
          finish
        ± is a 95 % interval over 1,500 blocks; the games of a block share their dice.
        ");
    }

    #[test]
    fn a_bot_alone_has_no_pairs_and_one_block_no_interval() {
        insta::assert_snapshot!(table(&summary(&["greedy"], 2, 1), &info()), @r"
        four-bots
        game mensch; rules default, lane_jump = true; seats ABCD; schedule round-robin
        seed 1; job 0123456789abcdef; blocks 1; games 4

                 seat  wins   mean  captures    a game  wins  wins
        bot     games     %  place      made  suffered  at A  at B
        greedy      4  60.0   2.50      2.50      2.25  59.5  59.0

        Rolls a game: mean 300.2, median 300, 5–95 % 220–390
        Turns a game: mean 250.2, median 250, 5–95 % 170–340
        ");
    }

    #[test]
    fn without_blocks_everything_is_unknown() {
        insta::assert_snapshot!(table(&summary(&["greedy", "random"], 2, 0), &info()), @r"
        four-bots
        game mensch; rules default, lane_jump = true; seats ABCD; schedule round-robin
        seed 1; job 0123456789abcdef; blocks 0; games 0

                 seat  wins   mean  captures    a game  wins  wins
        bot     games     %  place      made  suffered  at A  at B
        greedy      0     –      –         –         –     –     –
        random      0     –      –         –         –     –     –

        Head to head: better places of the row's bot, %; the same place counts half
        bot       against 1  against 2
        1 greedy                     –
        2 random          –

        No game was finished.
        ");
    }

    #[test]
    fn long_names_move_the_seats_below() {
        let names = [
            "ein-Bot-mit-einem-wirklich-langen-Namen-1",
            "x",
            "y",
            "z",
            "u",
        ];
        insta::assert_snapshot!(table(&summary(&names, 6, 1_000_000), &info()), @r"
        four-bots
        game mensch; rules default, lane_jump = true; seats ABCD; schedule round-robin
        seed 1; job 0123456789abcdef; blocks 1,000,000; games 4,000,000

                                             seat  wins         mean  captures    a game
        bot                                 games     %     ±  place      made  suffered
        ein-Bot-mit-einem-w…en-Namen-1  4,000,000  20.0  ±1.2   2.50      2.50      2.25
        x                               4,000,000  18.3  ±1.2   2.50      2.50      2.25
        y                               4,000,000  17.8  ±1.2   2.50      2.50      2.25
        z                               4,000,000  17.5  ±1.2   2.50      2.50      2.25
        u                               4,000,000  17.3  ±1.2   2.50      2.50      2.25

        Wins at each seat, %
                                                   wins  wins  wins  wins  wins  wins
        bot                                        at A  at B  at C  at D  at E  at F
        ein-Bot-mit-einem-wirklich-langen-Namen-1  19.8  19.7  19.5  19.3  19.2  19.0
        x                                          18.2  18.0  17.8  17.7  17.5  17.3
        y                                          17.6  17.4  17.3  17.1  16.9  16.8
        z                                          17.3  17.2  17.0  16.8  16.7  16.5
        u                                          17.2  17.0  16.8  16.7  16.5  16.3

        Head to head: better places of the row's bot, %; the same place counts half
        bot                        against 1  against 2  against 3  against 4  against 5
        1 ein-Bot-mit-ei…-Namen-1             58.0 ±1.5  66.0 ±1.5  74.0 ±1.5  82.0 ±1.5
        2 x                        42.0 ±1.5             58.0 ±1.5  66.0 ±1.5  74.0 ±1.5
        3 y                        34.0 ±1.5  42.0 ±1.5             58.0 ±1.5  66.0 ±1.5
        4 z                        26.0 ±1.5  34.0 ±1.5  42.0 ±1.5             58.0 ±1.5
        5 u                        18.0 ±1.5  26.0 ±1.5  34.0 ±1.5  42.0 ±1.5

        Rolls a game: mean 300.2, median 300, 5–95 % 220–390
        Turns a game: mean 250.2, median 250, 5–95 % 170–340
        ± is a 95 % interval over 1,000,000 blocks; the games of a block share their
          dice.
        ");
    }

    #[test]
    fn of_thirty_bots_the_pairs_are_in_their_file() {
        let names: Vec<String> = (0..30).map(|bot| format!("бот-{bot}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = table(&summary(&names, 4, 1000), &info());
        assert!(text.contains("\nHead to head: see pairs.csv\n"));
        assert!(text.contains("\nбот-29 "));
        assert!(is_80_wide(&text));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn no_line_is_wider_than_80_columns(
            names in prop::collection::vec("[a-zа-яёéß龍가_.+-]{1,40}", 0..31),
            seats in 2..=8usize,
            blocks in prop_oneof![0..3u64, any::<u64>().prop_map(|n| n / 2000)],
            scale in prop_oneof![Just(0.0f64), Just(1e-5), Just(1.0), Just(1e9)],
            warning in any::<String>(),
            fact in any::<(String, String)>(),
            title in any::<String>(),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut played = summary(&names, seats, blocks);
            for row in &mut played.bots {
                let widen = |end: f64, share: f64| share + (end - share) * scale.min(1.0);
                row.share_low = row.share_low.map(|low| widen(low, row.share.unwrap()));
                row.mean_captures_made = row.mean_captures_made.map(|made| made * scale);
                row.mean_captures_suffered = row.mean_captures_made;
            }
            played.warnings.push(warning);
            let mut info = info();
            info.title = title;
            info.facts.push(fact);
            let text = table(&played, &info);
            prop_assert!(is_80_wide(&text), "{text}");
        }
    }
}
