// estimate_bench: the time to post-process a table of 10^6 cells, beside a plain copy and a plain
// sort of it, and of the exact costs.
//
//   estimate_bench               exits 1 if a median exceeds its limit: 50 ms for a table, 1 ms for
//                                a risk
//
// Times are of the processor, not of the clock, so that a busy machine disturbs them little; runs
// are interleaved, and the numbers are the median and the range.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/planning/james_stein_risk.h"

#include "measure.h"

namespace {

using namespace tacet;
using inference::Projection;
using inference::Shrinkage;

constexpr std::size_t kCells = 1'000'000;
constexpr double kScale = 14;
constexpr int kRuns = 11;
constexpr double kMostPerTable = 50e-3;
constexpr double kMostPerRisk = 1e-3;

double sink = 0;  // what is computed is used

/// Many small cells and a few large ones, as tables are, with noise; the total is kept.
mechanisms::CountRelease noisy_table() {
  std::mt19937_64 random(1);  // the same in every run: NOLINT(bugprone-random-generator-seed)
  std::normal_distribution<double> normal(0, kScale);
  mechanisms::CountRelease release{};
  release.shape = {kCells};
  release.noise = {kernel::NoiseFamily::Gaussian, kScale, mechanisms::NoiseStructure::Independent};
  double total = 0;
  for (std::size_t i = 0; i < kCells; ++i) {
    const double count = std::floor(1e6 / static_cast<double>(1 + random() % kCells));
    total += count;
    release.values.push_back(count + normal(random));
  }
  release.n = total;
  return release;
}

struct Job {
  std::string name;
  double limit;  // 0: a baseline
  std::function<void()> run;
  std::vector<double> seconds = {};
};

}  // namespace

int main() {
  const mechanisms::CountRelease release = noisy_table();
  std::vector<Job> jobs;
  jobs.push_back({"a plain copy", 0, [&release] {
                    const std::vector<double> copy = release.values;
                    sink += copy[kCells / 2];
                  }});
  jobs.push_back({"a plain sort", 0, [&release] {
                    std::vector<double> sorted = release.values;
                    std::sort(sorted.begin(), sorted.end());
                    sink += sorted[kCells / 2];
                  }});
  jobs.push_back({"a sum", 0, [&release] { sink += inference::block_sum(release.values); }});
  for (const Shrinkage shrinkage :
       {Shrinkage::None, Shrinkage::TowardsZero, Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
    for (const Projection projection : {Projection::None, Projection::Nonnegative, Projection::Simplex}) {
      jobs.push_back(
          {fmt::format("shrink {}, project {}", name(shrinkage), name(projection)), kMostPerTable, [&release, shrinkage, projection] {
             const auto result = inference::denoise(release.values, release.noise, release.n, {shrinkage, projection, {}});
             sink += result->values[kCells / 2] + *result->unbiased_cost;
           }});
    }
  }
  jobs.push_back({"project simplex alone", kMostPerTable,
                  [&release] { sink += inference::project_onto_simplex(release.values, *release.n)[kCells / 2]; }});
  jobs.push_back({"an estimate with intervals, rjs and simplex", kMostPerTable, [&release] {
                    const auto result = inference::estimate(release, {.shrink = Shrinkage::RankDeficient, .project = Projection::Simplex});
                    sink += result->upper[kCells / 2];
                  }});
  jobs.push_back({"James-Stein risk, k = 10^6", kMostPerRisk, [] { sink += planning::james_stein_risk(1e6, 1e6); }});
  jobs.push_back({"James-Stein risk, k = 3, slowest", kMostPerRisk, [] { sink += planning::james_stein_risk(3, 40); }});
  jobs.push_back({"its positive part, k = 10^6", kMostPerRisk, [] { sink += planning::positive_part_risk(1e6, 1e4); }});

  for (int run = 0; run < kRuns; ++run) {
    for (Job& job : jobs) {
      const double start = bench::processor_seconds();
      job.run();
      job.seconds.push_back(bench::processor_seconds() - start);
    }
  }
  bool slow = false;
  fmt::print("A table of {} cells; milliseconds of the processor, median (least to most) of {} runs\n", kCells, kRuns);
  for (const Job& job : jobs) {
    const bench::Summary time = bench::summary(job.seconds);
    const bool too_slow = job.limit > 0 && time.median > job.limit;
    slow = slow || too_slow;
    fmt::print("  {:<45} {:9.4f} ({:.4f} to {:.4f}){}\n", job.name, 1e3 * time.median, 1e3 * time.least, 1e3 * time.most,
               too_slow ? "  TOO SLOW" : "");
  }
  fmt::print("checksum {}\n", sink);
  return slow ? 1 : 0;
}
