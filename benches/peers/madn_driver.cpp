// Runs Neverminda/madn's own single-threaded game loop and prints one JSON line.
//
// The simulator's main needs macOS; this stands in for it. Nothing of the simulator is copied here:
// `Game::runGames` and its counts come from the peer's own sources (see README.md for the build line).
// Usage: madn GAMES

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "Game.hpp"

int main(int argc, char **argv) {
    const int games = argc > 1 ? std::atoi(argv[1]) : 0;
    if (argc != 2 || games < 1) {
        std::fprintf(stderr, "usage: madn GAMES\n");
        return 2;
    }
    const std::clock_t before = std::clock();  // CPU time of the process, user and system
    const statistics played = Game::runGames(games);
    const double cpu = double(std::clock() - before) / CLOCKS_PER_SEC;
    std::printf("{\"peer\":\"madn\",\"games\":%d,\"rolls\":%d,\"cpu_seconds\":%.6f,"
                "\"games_per_cpu_second\":%.1f,\"rolls_per_cpu_second\":%.1f}\n",
                played.games, played.moves, cpu, played.games / cpu, played.moves / cpu);
}
