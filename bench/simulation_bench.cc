// simulation_bench: random numbers for simulation, and a goodness-of-fit test by the parametric
// bootstrap as in Lee (18 cells, 5000 tables).
//
//   simulation_bench             exits 1 if the median of the whole test exceeds 0.9 ms; one core
//
// Beside it, where python3 has numpy: the same test with numpy's vectorised multinomial and normal
// draws. Times are of the processor, so that a busy machine disturbs them little; runs are
// interleaved, and the numbers are the median and the range.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/numeric/insecure_counts.h"

namespace {

using namespace tacet;

constexpr int kRuns = 41;
constexpr double kMostPerTest = 0.9e-3;
constexpr std::size_t kMany = 100'000;

// Korea's population by five-year age group in 2020, thousands (UN World Population Prospects
// 2019).
const std::vector<double> kKorea = {1897.011, 2256.802, 2276.782, 2476.476, 3216.244, 3500.050, 3282.425, 3797.414, 3924.934,
                                    4293.910, 4315.516, 4161.183, 3774.566, 2679.140, 1998.091, 1562.555, 1083.829, 772.255};

constexpr const char* kNumpy = R"(python3 - <<'END' 2>/dev/null
import time
import numpy as np
k = np.array([1897.011, 2256.802, 2276.782, 2476.476, 3216.244, 3500.050, 3282.425, 3797.414, 3924.934,
              4293.910, 4315.516, 4161.183, 3774.566, 2679.140, 1998.091, 1562.555, 1083.829, 772.255])
p = k / k.sum()
r = np.random.default_rng(1)
def run():
    y = r.multinomial(5000, p, size=5000) + r.normal(0, 14.142, size=(5000, 18))
    t = ((y - 5000 * p) ** 2 / (5000 * p)).sum(axis=1)
    return (1 + (t >= 20).sum()) / 5001
run()
times = []
for _ in range(21):
    a = time.process_time(); run(); times.append(time.process_time() - a)
print(f"{1e3 * sorted(times)[10]:.2f}")
END
)";

double sink = 0;  // what is computed is used

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string numpy_milliseconds() {
  std::string text;
  std::FILE* pipe = popen(kNumpy, "r");  // a constant: NOLINT(bugprone-command-processor)
  if (pipe == nullptr) return text;
  for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

struct Job {
  std::string name;
  double each;  // how many values a run makes: the numbers are nanoseconds for each; 0: milliseconds for a run
  std::function<void()> run;
  std::vector<double> seconds = {};
};

}  // namespace

int main() {
  double total = 0;
  for (const double group : kKorea) total += group;
  std::vector<double> null;
  for (const double group : kKorea) null.push_back(group / total);
  mechanisms::CountRelease release{};
  release.n = 5000;
  release.shape = {null.size()};
  release.noise = {kernel::NoiseFamily::Gaussian, 14.142, mechanisms::NoiseStructure::Independent};
  for (const double p : null) release.values.push_back(5000 * p + 5);
  const std::vector<double> few(null.size(), 1 / static_cast<double>(null.size()));

  numeric::InsecureStream stream(1, 0);
  std::vector<std::uint64_t> words(kMany);
  std::vector<double> values(kMany);
  std::vector<double> tables(256 * null.size());
  const auto test = [&release, &null](inference::GofMethod method) {
    const auto tested = inference::test_goodness_of_fit(release, null,
                                                        {.alpha = 0.05,
                                                         .statistic = inference::GofStatistic::Classical,
                                                         .method = method,
                                                         .simulation = {.draws = 5000, .seed = 1, .threads = 1}});
    sink += *tested->p_value;
  };
  const auto many = static_cast<double>(kMany);
  std::vector<Job> jobs = {
      {"a random word, ns", many, [&] { stream.fill_words(words); }},
      {"a normal, ns", many, [&] { stream.fill_normal(values); }},
      {"a Laplace value, ns", many, [&] { stream.fill_laplace(values); }},
      {"a cell of a multinomial, ns", static_cast<double>(tables.size()),
       [&] { numeric::draw_multinomials(stream, 5000, null, 256, tables); }},
      {"the same, 5 people a cell, ns", static_cast<double>(tables.size()),
       [&] { numeric::draw_multinomials(stream, 5 * static_cast<double>(few.size()), few, 256, tables); }},
      {"a binomial by itself, ns", 1000,
       [&] {
         for (int i = 0; i < 1000; ++i) sink += numeric::draw_binomial(stream, 5000, 0.07);
       }},
      {"the bootstrap test, ms", 0, [&] { test(inference::GofMethod::Bootstrap); }},
  };
  for (int run = 0; run < kRuns; ++run) {
    for (Job& job : jobs) {
      const double start = processor_seconds();
      job.run();
      job.seconds.push_back(processor_seconds() - start);
      sink += values[0] + tables[0] + static_cast<double>(words[0] & 1);
    }
  }
  bool late = false;
  for (Job& job : jobs) {
    std::sort(job.seconds.begin(), job.seconds.end());
    const double unit = job.each > 0 ? 1e9 / job.each : 1e3;
    const double median = job.seconds[kRuns / 2];
    fmt::print("{:30} {:8.2f}   ({:.2f} to {:.2f})\n", job.name, unit * median, unit * job.seconds.front(), unit * job.seconds.back());
    late = late || (job.each == 0 && median > kMostPerTest);
  }
  const std::string numpy = numpy_milliseconds();
  fmt::print("{:30} {:>8}\n", "the same with numpy, ms", numpy.empty() ? "unknown" : numpy);
  if (sink < 0) fmt::print("{}\n", sink);
  return late ? 1 : 0;
}
