//! Strongly connected components, the end of the game first.

use std::cmp::Reverse;
use std::ops::Range;

use super::Node;
use super::graph::Graph;

/// The order in which the nodes of a graph are solved: a component after all those it leads to.
/// Inside a component the furthest progress of the race first, so that only captures and rolls
/// that move nothing lead to a node not yet visited: a third of the sweeps that the order of
/// the visits takes.
pub(super) fn solving_order(graph: &Graph, progress: &[u32]) -> (Vec<Node>, Components) {
    let (mut order, components) = strong_components(graph);
    for component in components.iter() {
        let nodes = &mut order[component.start as usize..component.end as usize];
        nodes.sort_by_key(|&node| Reverse(progress[node as usize]));
    }
    (order, components)
}

/// Components as ranges of nodes that are numbered in the order of solving.
pub(super) struct Components {
    /// Where each component ends.
    ends: Vec<Node>,
    /// A node of a component that nothing leaves, although the game is not over there.
    pub(super) trap: Option<Node>,
}

impl Components {
    /// How many components there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The nodes of each component.
    pub(super) fn iter(&self) -> impl Iterator<Item = Range<Node>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }
}

/// The visit number of a node whose component is complete.
const DONE: u32 = u32::MAX;

/// Tarjan's algorithm on an explicit stack, with Nuutila's change: a node joins the waiting list
/// when its visit ends.
pub(super) fn strong_components(graph: &Graph) -> (Vec<Node>, Components) {
    let mut order = Vec::with_capacity(graph.len());
    let mut ends = Vec::new();
    let mut trap = None;
    // Visit numbers from 1, then the lowest number that a node can get back to.
    let mut lowest = vec![0u32; graph.len()];
    let mut visits = 0;
    let mut waiting: Vec<(Node, u32)> = Vec::new();
    // Node, its visit number, its next edge.
    let mut path: Vec<(Node, u32, usize)> = Vec::new();

    for root in 0..graph.len() as Node {
        if lowest[root as usize] != 0 {
            continue;
        }
        let mut enter = Some(root);
        while enter.is_some() || !path.is_empty() {
            if let Some(node) = enter.take() {
                visits += 1;
                lowest[node as usize] = visits;
                path.push((node, visits, graph.range(node).start));
            }
            let (node, visit, next) = path.last_mut().expect("a node was entered");
            let (node, visit) = (*node, *visit);
            if *next < graph.range(node).end {
                let to = graph.edge(*next).to;
                match lowest[to as usize] {
                    0 => enter = Some(to),
                    low => {
                        lowest[node as usize] = lowest[node as usize].min(low);
                        *next += 1;
                    }
                }
                // An edge is taken again after the visit it led to, for what that found.
                continue;
            }
            path.pop();
            waiting.push((node, visit));
            if lowest[node as usize] == visit {
                let from = waiting.iter().rposition(|&(_, earlier)| earlier < visit);
                let members = from.map_or(0, |last| last + 1);
                let leaves = |&(member, _): &(Node, u32)| {
                    let mut edges = graph.edges(member).iter();
                    graph.edges(member).is_empty()
                        || edges.any(|edge| lowest[edge.to as usize] == DONE)
                };
                if !waiting[members..].iter().any(leaves) {
                    trap = trap.or(Some(node));
                }
                for (member, _) in waiting.drain(members..) {
                    lowest[member as usize] = DONE;
                    order.push(member);
                }
                ends.push(order.len() as u32);
            }
        }
    }
    (order, Components { ends, trap })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_comes_after_all_it_leads_to() {
        //  0 → 1 ⇄ 2 → 3 → 4 (over),  1 → 4
        let graph = Graph::of_edges(&[&[1], &[2, 4], &[1, 3], &[4, 3], &[]]);
        let (order, components) = strong_components(&graph);
        let parts: Vec<&[Node]> = components
            .iter()
            .map(|part| &order[part.start as usize..part.end as usize])
            .collect();
        assert_eq!(parts, [&[4][..], &[3], &[2, 1], &[0]]);
        assert_eq!(components.trap, None);
    }

    #[test]
    fn further_progress_is_solved_first_inside_a_component() {
        let graph = Graph::of_edges(&[&[1], &[2], &[0, 3], &[]]);
        let (order, components) = solving_order(&graph, &[0, 7, 5, 9]);
        assert_eq!(order, [3, 1, 2, 0]);
        assert_eq!(components.len(), 2);
    }

    #[test]
    fn a_cycle_without_a_way_out_is_found() {
        let graph = Graph::of_edges(&[&[1, 3], &[2], &[1], &[]]);
        assert!(matches!(strong_components(&graph).1.trap, Some(1 | 2)));
    }
}
