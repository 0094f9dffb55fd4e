//! Whether the results allow finite strengths at all.
//!
//! The strengths are finite and unique exactly if, however the bots are split in two groups, somebody of each group has
//! once been placed above somebody of the other (Ford 1957; Hunter 2004): if the graph "was placed above" is strongly
//! connected.

use super::Rankings;

/// The bots fall into groups that cannot be rated together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotConnected {
    /// A group that does not hold all bots, in order of number. Nobody outside was ever placed above one of it, or
    /// nobody of it above one outside.
    pub group: Vec<usize>,
    /// Whether somebody of the group was placed above somebody outside.
    pub wins: bool,
    /// Whether somebody outside was placed above somebody of the group.
    pub losses: bool,
}

impl NotConnected {
    /// What is the matter with the bots named `names`, in one line.
    pub fn explain(&self, names: &[String]) -> String {
        let some: Vec<&str> = self
            .group
            .iter()
            .take(5)
            .map(|&bot| names.get(bot).map_or("?", String::as_str))
            .collect();
        let more = match self.group.len() - some.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let group = some.join(", ") + &more;
        match (self.wins, self.losses) {
            (false, false) => format!("{group} never met the others"),
            (true, _) => format!("{group} never finished behind the others"),
            (false, true) => format!("{group} never finished ahead of the others"),
        }
    }
}

impl Rankings {
    /// Checks that finite strengths exist; without seat effects and ties that is all they need.
    ///
    /// # Errors
    ///
    /// If the bots, or those of a group, fall apart.
    pub fn connected(&self) -> Result<(), NotConnected> {
        let n = self.bots();
        let mut above = vec![vec![false; n]; n];
        for order in &self.orders {
            for (chosen, left) in order.choices() {
                for winner in chosen {
                    for loser in &left {
                        above[winner.bot][loser.bot] = true;
                    }
                }
            }
        }
        let below: Vec<Vec<bool>> = (0..n)
            .map(|bot| above.iter().map(|row| row[bot]).collect())
            .collect();
        let mut groups = self.bots.clone();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let members = (0..n).filter(|&bot| self.bots[bot] == group);
            together(&members.collect::<Vec<_>>(), &above, &below)?;
        }
        Ok(())
    }
}

/// Checks that each of some bots is reached from each other, both ways.
fn together(
    members: &[usize],
    above: &[Vec<bool>],
    below: &[Vec<bool>],
) -> Result<(), NotConnected> {
    for edges in [above, below] {
        let reached = reach(members[0], edges);
        if reached.len() < members.len() {
            let outside = |bot: &usize| !reached.contains(bot);
            // The smaller side makes the clearer message.
            let group: Vec<usize> = if reached.len() * 2 <= members.len() {
                reached.clone()
            } else {
                members.iter().copied().filter(outside).collect()
            };
            let crosses = |edges: &[Vec<bool>]| {
                let others = members.iter().filter(|bot| !group.contains(bot));
                let others: Vec<usize> = others.copied().collect();
                group
                    .iter()
                    .any(|&bot| others.iter().any(|&other| edges[bot][other]))
            };
            let (wins, losses) = (crosses(above), crosses(below));
            return Err(NotConnected {
                group,
                wins,
                losses,
            });
        }
    }
    Ok(())
}

/// The bots that can be reached from one, in order.
fn reach(first: usize, edges: &[Vec<bool>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    seen[first] = true;
    let mut open = vec![first];
    while let Some(bot) = open.pop() {
        for (next, &edge) in edges[bot].iter().enumerate() {
            if edge && !seen[next] {
                seen[next] = true;
                open.push(next);
            }
        }
    }
    (0..edges.len()).filter(|&bot| seen[bot]).collect()
}
