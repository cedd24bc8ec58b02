// independence_bench: whole tests whose null distribution is simulated, on small and large tables.
//
//   independence_bench             exits 1 if a test or a plan takes longer than its limit: 20 x 20
//                                  0.5 s, 40 x 40 2 s, 300 x 300 10 s by the clock, and there 300
//                                  MiB
//   independence_bench --one SIDE WHAT ANSWER   one test, for its memory
//
// Tests of independence and of homogeneity (two groups), and plans of the former with the powers
// of all statistics. Tables follow the null hypothesis (the simulation may stop early) or do not
// (it may not); cells are sparse, so that the limit for large n cannot be used. Beside each test of
// independence the time of drawing its tables alone.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/homogeneity.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/workflow/plan/independence_plan.h"

#include "measure.h"

namespace {

using namespace tacet;
using inference::TableShape;

struct Setting {
  std::size_t side;
  double most_seconds;
};

/// Two people in each cell on average; margins that differ tenfold; with `dependent`, people prefer
/// the diagonal.
std::vector<double> probabilities(std::size_t side, bool dependent) {
  std::vector<double> p(side * side);
  double sum = 0;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const auto share = [side](std::size_t k) { return 1 + 9 * static_cast<double>(k) / static_cast<double>(side); };
      sum += p[i * side + j] = share(i) * share(j) * (dependent && i == j ? 1 + static_cast<double>(side) / 10 : 1);
    }
  }
  for (double& cell : p) cell /= sum;
  return p;
}

mechanisms::CountRelease drawn_table(std::size_t side, bool dependent, std::size_t which = 0) {
  const auto cells = side * side;
  mechanisms::CountRelease release{};
  release.n = 2.0 * static_cast<double>(cells);
  release.shape = {side, side};
  release.noise = {kernel::NoiseFamily::Gaussian, 3, mechanisms::NoiseStructure::Independent};
  const inference::NoisyTables tables(*release.n, probabilities(side, dependent), {release.noise});
  std::vector<double> deviations(8 * cells);
  std::vector<double> sums(8);
  numeric::InsecureStream stream(1, side);
  tables.draw(stream, 8, deviations, sums);
  for (std::size_t i = 0; i < cells; ++i) release.values.push_back(tables.expected()[i] + deviations[8 * i + which]);
  return release;
}

inference::CompositeTest tested(const mechanisms::CountRelease& release) {
  return *inference::test_independence(release, {.alpha = 0.05, .method = inference::GofMethod::MonteCarlo});
}

/// Two groups: of the same population, or the second with a diagonal.
inference::HomogeneityTest compared(std::size_t side, bool differ) {
  return *inference::test_homogeneity({drawn_table(side, false, 0), drawn_table(side, differ, 1)},
                                      {.alpha = 0.05, .method = inference::GofMethod::Bootstrap});
}

CountTestPlan planned(std::size_t side, bool dependent) {
  const auto people = 2.0 * static_cast<double>(side * side);
  return *plan_independence({side, side, probabilities(side, dependent)},
                            {.loss = Rho(0.1), .n = people, .method = PowerMethod::Simulation});
}

/// As many tables as a test has drawn, by one thread.
void draw_alone(const mechanisms::CountRelease& release, std::size_t draws) {
  const inference::NoisyTables tables(*release.n, probabilities(release.shape[0], false), {release.noise});
  std::vector<double> deviations(8 * tables.cells());
  std::vector<double> sums(8);
  numeric::InsecureStream stream(2, 0);
  for (std::size_t i = 0; i < draws; i += 8) tables.draw(stream, 8, deviations, sums);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--one") {
    tested(drawn_table(std::stoul(argv[2]), true));
    bench::write_peak(argv[4]);
    return 0;
  }
  bool late = false;
  for (const Setting& setting : {Setting{10, 0.5}, {20, 0.5}, {40, 2}, {300, 10}}) {
    for (const bool dependent : {false, true}) {
      const mechanisms::CountRelease release = drawn_table(setting.side, dependent);
      inference::CompositeTest answer{};
      const bench::Cost test = bench::cost([&] { answer = tested(release); });
      const double alone = bench::cost([&] { draw_alone(release, *answer.test.draws); }).processor;
      fmt::print("{0} x {0}, {1:11}  {2:7.3f} s, processor {3:7.3f} s, {4:.1f} times its {5} tables alone; p-value {6:.4g}\n", setting.side,
                 dependent ? "dependent" : "independent", test.wall, test.processor, test.processor / alone, *answer.test.draws,
                 *answer.test.p_value);
      late = late || test.wall > setting.most_seconds;
      const auto say = [&](const char* what, const bench::Cost& cost) {
        fmt::print("{0} x {0}, {1:11}  {2:7.3f} s, processor {3:7.3f} s, {4}\n", setting.side, dependent ? "dependent" : "independent",
                   cost.wall, cost.processor, what);
        late = late || cost.wall > setting.most_seconds;
      };
      say("homogeneity of two groups", bench::cost([&] { compared(setting.side, dependent); }));
      say("plan", bench::cost([&] { planned(setting.side, dependent); }));
    }
  }
  const double mebibytes = bench::peak_memory("300", "memory");
  std::remove("300.peak");
  fmt::print("300 x 300: {:.0f} MiB\n", mebibytes);
  return late || mebibytes > 300 ? 1 : 0;
}
