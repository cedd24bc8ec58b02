// Exact noise against the clock: nanoseconds and random bits per draw, beside the independent exact
// sampler of the tests and a floating-point one that is not exact. Every contender runs once per
// round, rounds follow each other, and the median over the rounds is what counts, so that a busy
// moment of the machine hits all alike. Time is that of the processor, so that what the system
// gives to others is not counted.
//
//   noise_bench [--rounds N] [--draws N]
//
// Exits with 1 if a median exceeds its limit: 150 ns per Gaussian draw, 60 ns per Laplace draw,
// ChaCha20 included.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/exact/rounded_noise.h"
#include "tacet/exact/secure_bits.h"

#include "measure.h"
#include "support/karney.h"

namespace tacet {
namespace {

volatile std::int64_t sink;  // NOLINT: results must not be optimised away

struct Contender {
  std::string name;
  double limit_ns;                                             // 0: no limit
  std::function<void(std::uint64_t, exact::RandomBits*)> run;  // so many draws
  std::vector<double> nanoseconds;
  double bits = 0;
};

template <class Noise>
Contender contender(std::string name, double limit_ns, Noise noise) {
  return {std::move(name),
          limit_ns,
          [noise](std::uint64_t draws, exact::RandomBits* bits) {
            std::int64_t sum = 0;
            for (std::uint64_t i = 0; i < draws; ++i) sum ^= static_cast<std::int64_t>(noise.draw(*bits));
            sink = sum;
          },
          {}};
}

int run(std::uint64_t rounds, std::uint64_t draws) {
  auto opened = exact::SecureBits::open();
  if (!opened.ok()) {
    fmt::print(stderr, "{}\n", opened.error().message());
    return 1;
  }
  const std::unique_ptr<exact::SecureBits> bits = *std::move(opened);

  constexpr double kGaussianLimit = 150, kLaplaceLimit = 60;
  std::vector<Contender> contenders;
  contenders.push_back({"ChaCha20 word",
                        0,
                        [](std::uint64_t count, exact::RandomBits* source) {
                          std::uint64_t sum = 0;
                          for (std::uint64_t i = 0; i < count; ++i) sum ^= source->word();
                          sink = static_cast<std::int64_t>(sum);
                        },
                        {}});
  contenders.push_back({"std::normal_distribution<double>, mt19937_64",
                        0,
                        // The same numbers in every run:
                        // NOLINTNEXTLINE(bugprone-random-generator-seed)
                        [engine = std::mt19937_64(1)](std::uint64_t count, exact::RandomBits*) mutable {
                          std::normal_distribution<double> normal(0, 1000);
                          double sum = 0;
                          for (std::uint64_t i = 0; i < count; ++i) sum += normal(engine);
                          sink = static_cast<std::int64_t>(sum);
                        },
                        {}});
  const std::size_t reference = contenders.size() - 1;
  const std::pair<const char*, double> scales[] = {{"4", 4.0}, {"1e3", 1e3}, {"1e9", 1e9}, {"2^40+0.3", 0x1p40 + 0.3}};
  for (const auto& [label, scale] : scales) {
    contenders.push_back(contender(fmt::format("RoundedGaussian({})", label), kGaussianLimit, *exact::RoundedNoise::gaussian(scale)));
    contenders.push_back(contender(fmt::format("RoundedLaplace({})", label), kLaplaceLimit, *exact::RoundedNoise::laplace(scale)));
    contenders.push_back(contender(fmt::format("Karney's Gaussian({}), the oracle", label), 0, test::KarneyGaussian(scale)));
    contenders.push_back(contender(fmt::format("von Neumann's Laplace({}), the oracle", label), 0, test::VonNeumannLaplace(scale)));
  }

  for (std::uint64_t round = 0; round <= rounds; ++round) {  // round 0 warms up
    for (Contender& c : contenders) {
      const std::uint64_t words = bits->words_used();
      const double start = bench::processor_seconds();
      c.run(draws, bits.get());
      if (round > 0) c.nanoseconds.push_back(1e9 * (bench::processor_seconds() - start) / static_cast<double>(draws));
      c.bits = 64 * static_cast<double>(bits->words_used() - words) / static_cast<double>(draws);
    }
  }

  const double normal = bench::summary(contenders[reference].nanoseconds).median;
  bool all_pass = true;
  fmt::print("{} rounds of {} draws; median over the rounds, fastest and slowest round\n\n", rounds, draws);
  fmt::print("{:46} {:>9} {:>17} {:>10} {:>14}\n", "", "ns/draw", "spread", "bits/draw", "of std::normal");
  for (const Contender& c : contenders) {
    const auto [middle, least, most] = bench::summary(c.nanoseconds);
    const bool pass = c.limit_ns == 0 || middle <= c.limit_ns;
    all_pass = all_pass && pass;
    const std::string verdict = c.limit_ns == 0 ? "" : fmt::format("{} (limit {} ns)", pass ? "PASS" : "FAIL", c.limit_ns);
    fmt::print("{:46} {:9.1f} {:>17} {:10.1f} {:13.2f}x  {}\n", c.name, middle, fmt::format("{:.1f} - {:.1f}", least, most), c.bits,
               middle / normal, verdict);
  }
  return all_pass ? 0 : 1;
}

}  // namespace
}  // namespace tacet

int main(int argc, char** argv) {
  std::uint64_t rounds = 11, draws = 200'000;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const std::uint64_t value = i + 1 < argc ? std::strtoull(argv[i + 1], nullptr, 10) : 0;
    if (value == 0 || (option != "--rounds" && option != "--draws")) {
      fmt::print(stderr, "usage: {} [--rounds N] [--draws N]\n", argv[0]);
      return 2;
    }
    (option == "--rounds" ? rounds : draws) = value;
    ++i;
  }
  return tacet::run(rounds, draws);
}
