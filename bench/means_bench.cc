// means_bench: the tests of hypotheses whose laws are simulated: equal means of two groups of 30
// columns, and independence in tables.
//
//   means_bench              exits 1 if the median of the two-sample test (1000 draws, one core)
//                            exceeds 20 ms
//
// Beside it the least that such a test could do: as many normal values as it draws. Times are of
// the processor; runs are interleaved, and the numbers are the median and the range.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/minimum_chi2.h"
#include "tacet/inference/means/equal_means.h"

#include "measure.h"

namespace {

using namespace tacet;

constexpr int kRuns = 21;
constexpr double kMostPerTest = 20e-3;
constexpr std::size_t kColumns = 30;
constexpr std::size_t kDraws = 1000;

double sink = 0;  // what is computed is used

inference::MeanSummary group(double shift, inference::MeanNoise::Family family) {
  inference::MeanSummary summary{};
  summary.people = 1000;
  summary.mean.assign(kColumns, shift);
  summary.noise = {family, std::vector<double>(kColumns, 0.002), kColumns};
  summary.covariance.assign(kColumns * kColumns, 0.05);
  for (std::size_t j = 0; j < kColumns; ++j) summary.covariance[j * kColumns + j] = 0.2;
  summary.covariance_noise = summary.variance_noise = 1e-4;
  return summary;
}

void two_sample(inference::MeanNoise::Family family) {
  const auto test = inference::test_equal_means({group(0, family), group(0.01, family)},
                                                {.alpha = 0.05, .simulation = {.draws = kDraws, .seed = 1, .threads = 1}});
  sink += *test->p_value;
}

void fit(std::size_t rows, std::size_t columns, int times) {
  const inference::IndependentMargins model(rows, columns);
  inference::MinimumChi2 distance(model, {.variance = 64});
  std::vector<double> table(rows * columns);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = 100 + static_cast<double>((37 * i) % 41);
  for (int i = 0; i < times; ++i) sink += distance.statistic(table, 120.0 * static_cast<double>(table.size()));
}

struct Job {
  std::string name;
  double unit;
  std::function<void()> run;
  std::vector<double> seconds = {};
};

}  // namespace

int main() {
  numeric::InsecureStream stream(1, 0);
  std::vector<double> values(2 * kColumns * kDraws);
  std::vector<Job> jobs = {
      {"two samples, Gaussian noise, ms", 1e3, [] { two_sample(inference::MeanNoise::Family::Gaussian); }},
      {"two samples, K-norm noise, ms", 1e3, [] { two_sample(inference::MeanNoise::Family::KNorm); }},
      {"as many normal values alone, ms", 1e3, [&] { stream.fill_normal(values); }},
      {"a fit of 2 x 2 margins, us", 1e3, [] { fit(2, 2, 1000); }},
      {"a fit of 10 x 10 margins, us", 1e5, [] { fit(10, 10, 10); }},
  };
  for (int run = 0; run < kRuns; ++run) {
    for (Job& job : jobs) {
      const double start = bench::processor_seconds();
      job.run();
      job.seconds.push_back(bench::processor_seconds() - start);
      sink += values[0];
    }
  }
  bool late = false;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bench::Summary s = bench::summary(jobs[i].seconds);
    fmt::print("{:34} {:8.3f}   ({:.3f} to {:.3f})\n", jobs[i].name, jobs[i].unit * s.median, jobs[i].unit * s.least,
               jobs[i].unit * s.most);
    late = late || (i < 2 && s.median > kMostPerTest);
  }
  if (sink < 0) fmt::print("{}\n", sink);
  return late ? 1 : 0;
}
