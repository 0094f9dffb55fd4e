//! The policy: of all positions a roll can lead to, the one with the best chance.

use std::path::Path;
use std::sync::Arc;

use crate::bots::float::Best;
use crate::bots::params::{Reader, Word};
use crate::bots::racer::worth;
use crate::bots::{Policy, PolicyEntry, View};
use crate::engine::ends::Ends;
use crate::engine::game::MoveSet;
use crate::engine::net::{NetError, read_bytes};
use crate::engine::race::{Race, ShippedNet};
use crate::engine::random::Stream;

use super::{Evaluator, Scratch};

/// The parameter that names a net file.
pub(in crate::bots) const NET: Word = Word {
    name: "net",
    default: "",
    about: "the net file that `racelab train` made, or the name of a net that comes with the program, \"\" being that of the bot learned",
};

/// The parameter that says what is in the net file.
pub(in crate::bots) const NET_HASH: Word = Word {
    name: "net_hash",
    default: "",
    about: "how the BLAKE3 hash of the net file begins, 16 hex digits; filled in when the bot is read",
};

/// How many hex digits of a hash are kept.
const DIGITS: usize = 16;

/// The policy, for a game that has inputs.
pub(in crate::bots) fn entry<G: Race>() -> Option<PolicyEntry<G>> {
    (!G::INPUTS.is_empty()).then(|| PolicyEntry {
        name: "learned",
        about: "plays for the best chance to win as a net trained by self-play sees it",
        params: vec![NET.param(), NET_HASH.param()],
        build: |table| {
            let mut reader = Reader::new(table);
            let file = NetFile::of(&mut reader)?;
            reader.finish()?;
            Ok(Box::new(Learned::by(Arc::new(file.read()?))))
        },
    })
}

/// The file of a net as the parameters name it.
pub(in crate::bots) struct NetFile {
    /// Or the name of a shipped net.
    path: String,
    /// How its hash begins; empty if it may be any.
    hash: String,
}

impl NetFile {
    /// Reads the parameters.
    pub(in crate::bots) fn of(reader: &mut Reader<'_>) -> Result<NetFile, String> {
        Ok(NetFile {
            path: reader.word(&NET)?,
            hash: reader.word(&NET_HASH)?,
        })
    }

    /// The evaluator of the file, or the shipped one.
    pub(in crate::bots) fn read<G: Race>(&self) -> Result<Evaluator<G>, String> {
        let NetFile { path, hash } = self;
        if is_name(path) {
            if !hash.is_empty() {
                return Err(format!(
                    "net_hash = {hash:?}; without a net file, leave it out"
                ));
            }
            return Evaluator::shipped(path).ok_or_else(|| unknown::<G>(path));
        }
        let path = Path::new(path);
        let wrong = |error: NetError| format!("net: {error}");
        let bytes = read_bytes(path).map_err(wrong)?;
        let found = hash_of(&bytes);
        if !hash.is_empty() && *hash != found {
            let shown = path.display();
            return Err(format!(
                "net_hash = {hash:?}; {shown} is another net now, with {found:?}"
            ));
        }
        Evaluator::from_bytes(&bytes).map_err(|reason| wrong(NetError::foreign(path, reason)))
    }
}

/// Whether this names a net that comes with the program, rather than a file: files have a dot or a
/// folder in their names.
fn is_name(path: &str) -> bool {
    !path.contains(['.', '/', '\\'])
}

/// Why there is no shipped net of this name.
fn unknown<G: Race>(name: &str) -> String {
    let quoted = |(name, _): &ShippedNet| format!("{name:?}");
    let known: Vec<String> = G::NETS.iter().map(quoted).collect();
    match known[..] {
        [] => format!(
            "net = {name:?}; {} has no shipped net, name a file",
            G::NAME
        ),
        _ => format!(
            "net = {name:?}; {} has {}; or name a file, with a dot or a folder in its name",
            G::NAME,
            known.join(", ")
        ),
    }
}

fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..DIGITS].to_owned()
}

/// Puts the hash of the net file that parameters name beside its name, if it is not there: a bot
/// is another one when its net is. A file that cannot be read is left to [`NetFile::read`].
pub(in crate::bots) fn fill_in_hash(params: &mut toml::Table) {
    let path = params.get(NET.name).and_then(toml::Value::as_str);
    let Some(path) = path.filter(|path| !is_name(path)) else {
        return;
    };
    if params.contains_key(NET_HASH.name) {
        return;
    }
    if let Ok(bytes) = read_bytes(Path::new(path)) {
        params.insert(NET_HASH.name.to_owned(), hash_of(&bytes).into());
    }
}

/// Plays what an evaluator takes for the best chance.
#[derive(Debug)]
pub struct Learned<G: Race> {
    evaluator: Arc<Evaluator<G>>,
    scratch: Scratch,
    ends: Ends<G>,
}

impl<G: Race> Learned<G> {
    /// The policy that asks this evaluator.
    pub fn by(evaluator: Arc<Evaluator<G>>) -> Learned<G> {
        Learned {
            evaluator,
            scratch: Scratch::default(),
            ends: Ends::default(),
        }
    }
}

impl<G: Race> Policy<G> for Learned<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let View {
            game,
            state,
            seat,
            moves,
        } = *view;
        let Learned {
            evaluator,
            scratch,
            ends,
        } = self;
        scratch.forget();
        let mut judge = |state: &G::State, seat| evaluator.chance(game, state, seat, scratch);
        let mut best = Best::NONE;
        if G::CHAINS {
            for end in ends.of(game, state, seat, moves) {
                let chance = worth(game, &end.state, seat, &mut judge);
                best.offer(end.first, chance, end.from);
            }
            return best.index();
        }
        for (index, mv) in moves.iter().enumerate() {
            let mut after = *state;
            let effect = game.apply(&mut after, mv);
            let chance = worth(game, &after, seat, &mut judge);
            best.offer(index, chance, effect.from);
        }
        best.index()
    }
}

#[cfg(test)]
mod tests {
    use crate::bots::Bot;
    use crate::bots::trial::{bot, refusal};
    use crate::games::parchis::Parchis;

    #[test]
    fn a_net_that_is_not_there_is_refused_with_what_would_work() {
        for (params, reason) in [
            (
                "net = 'answer-random'",
                "plays parchis, not mensch: params: net = \"answer-random\"; mensch has \"\"; or name a file, with a dot or a folder in its name",
            ),
            (
                "net_hash = '0123456789abcdef'",
                "params: net_hash = \"0123456789abcdef\"; without a net file, leave it out",
            ),
        ] {
            let expected = format!("bot 'learned': {reason}");
            assert_eq!(refusal("learned", params), expected);
        }
        let missing = refusal("learned", "net = 'no/such'");
        assert!(
            missing.starts_with("bot 'learned': params: net: no/such: "),
            "{missing}"
        );
    }

    #[test]
    fn a_net_that_comes_with_the_program_is_found_by_its_name() {
        let named = bot("learned", "net = 'answer-random'");
        assert!(named.policy::<Parchis>().is_ok());
        // It has no file whose hash could be filled in.
        let Ok(Bot { params, .. }) = named.clone().checked("a test") else {
            panic!("it has a good name");
        };
        assert_eq!(params, named.params);
    }
}
