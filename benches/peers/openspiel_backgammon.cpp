// Random games of OpenSpiel's backgammon in its C++ core, counted and timed; prints one JSON line, for
// backgammon_peers.py, which says how to build it.
//
// The loop is that of OpenSpiel's own benchmark_game without the observation tensor: dice by their probabilities,
// moves uniformly among the legal actions; a double is two actions. Time is CPU time of this process around play alone.
//
// openspiel-backgammon GAMES [SEED]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "open_spiel/spiel.h"

namespace {

struct Counts {
  std::int64_t actions = 0;
  std::int64_t rolls = 0;
};

void PlayGame(const open_spiel::Game& game, std::mt19937& random, Counts& counts) {
  std::unique_ptr<open_spiel::State> state = game.NewInitialState();
  while (!state->IsTerminal()) {
    if (state->IsChanceNode()) {
      state->ApplyAction(open_spiel::SampleAction(state->ChanceOutcomes(), random).first);
      ++counts.rolls;
    } else {
      const std::vector<open_spiel::Action> actions = state->LegalActions();
      std::uniform_int_distribution<std::size_t> choice(0, actions.size() - 1);
      state->ApplyAction(actions[choice(random)]);
      ++counts.actions;
    }
  }
}

double CpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: openspiel-backgammon GAMES [SEED]\n");
    return 2;
  }
  const long games = std::atol(words[1]);
  std::mt19937 random(count == 3 ? std::atol(words[2]) : 1);
  const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame("backgammon");
  Counts counts;
  PlayGame(*game, random, counts);
  counts = Counts();
  const double began = CpuSeconds();
  for (long played = 0; played < games; ++played) PlayGame(*game, random, counts);
  const double seconds = CpuSeconds() - began;
  std::printf(
      "{\"peer\": \"openspiel backgammon C++\", \"games\": %ld, \"actions\": %lld, \"rolls\": %lld, "
      "\"cpu_seconds\": %.6f, \"games_per_cpu_second\": %.3f}\n",
      games, static_cast<long long>(counts.actions), static_cast<long long>(counts.rolls), seconds, games / seconds);
}
