// means_level: how often the test of equal means of two groups rejects a true null, and a false
// one, over columns, people, noise and laws of rows.
//
//   means_level                 the whole grid, a quarter of an hour on two cores: CSV on the
//                               output, a summary on the error output
//   means_level --quick         a tenth of the trials
//   means_level --trials N      as many as that
//   means_level --only WORDS    the rows whose line contains the words, for example --only
//                               "gaussian,public,spiked"
//
// The groups are released as `release covariance --for two-sample` does it
// (tests/inference/simulated_groups.h): the noise has the scales that the kernel plans for the
// schema, under a pure epsilon, or Gaussian under rho = epsilon^2/2. `public`: who is in which
// group is public, and each group has the whole loss. `private`: it is not, so that the numbers of
// people have noise too; with replace-one both groups share the loss.
//
// A level is too high where it exceeds alpha by three standard errors, and does so again with new
// seeds and four times the trials. Exits with 1 where ours is too high, or where our power is
// below that of the print on the same data by three standard errors.
//
// `ed` is what the test would do with covariances by the mechanism ED, which it refuses: the sums
// have Laplace noise, every sum and every product an equal share of epsilon, as `release
// covariance --mechanism ed` has it. `off centre`: uniform rows on 0.8 +- 0.18 of the half width.
//
// `printed` is Dunsche, Kutta & Dette (2022), test (3.3), in the settings of their Figure 1
// (uniform rows of variance 1 in a cube of half width sqrt 3 + 1, means that differ by a = 1): the
// figure has no numbers, so their Algorithms 1 to 5 are run here with their budgets, epsilon/4 for
// each mean and each covariance, and d + 1 parts of that for ED. Where the print cannot be
// followed, what it means is: the accepted directions have the density that the text states (with
// the printed acceptance 30 columns take 10^25 proposals, see eigen/bingham.h), the matrix is
// scaled back by d m^2, and the directions are drawn for the scaled one.
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/eigen/simulate_eigen.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/schemas/schema_text.h"

#include "inference/simulated_groups.h"

namespace {

using namespace tacet;
using namespace tacet::inference;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAlpha = 0.05;
constexpr std::size_t kDraws = 199;
constexpr std::size_t kPrintedDraws = 200;

const double kHalfWidth = std::sqrt(3.0) + 1;  // of the cube, where uniform rows have variance 1

struct Row {
  std::string test, noise, counts, rows;  // "ours", "printed" or "ed"; see the header
  std::size_t d, n;
  std::string epsilon;
  GroupDesign design;
  bool power = false;
  double trials = 0, level = 0, level_error = 0, found = 0, found_error = 0, refused = 0;
};

// --- the printed test
// -------------------------------------------------------------------------------------------------

double laplace(numeric::InsecureStream& stream, double scale) {
  double value = 0;
  stream.fill_laplace({&value, 1});
  return scale * value;
}

/// A matrix for n people, about its centre: n/d times it gets the noise of ED.
MatrixXd with_eigen_noise(numeric::InsecureStream& stream, const MatrixXd& matrix, double n, const eigen::EigenNoise& noise) {
  const auto d = static_cast<std::size_t>(matrix.rows());
  const MatrixXd scaled = n / static_cast<double>(d) * matrix;
  const mechanisms::Matrix noisy = *eigen::simulate_eigen({d, d, {scaled.data(), scaled.data() + scaled.size()}}, noise, stream);
  return static_cast<double>(d) / n * Eigen::Map<const MatrixXd>(noisy.values.data(), matrix.rows(), matrix.cols());
}

/// Algorithm 5 for rows in [-1, 1]: d + 1 parts of epsilon, but one for one column.
MatrixXd printed_covariance(numeric::InsecureStream& stream, const MatrixXd& covariance, double n, double epsilon) {
  const Eigen::Index d = covariance.rows();
  const double part = d == 1 ? epsilon : epsilon / static_cast<double>(d + 1);
  return with_eigen_noise(stream, covariance, n, {.scale = 2 / part, .concentration = part / 4, .absolute = true});
}

/// The mechanism ED for second moments about the middle (eigen/release_eigen.h), without rounding.
MatrixXd ed_moments(numeric::InsecureStream& stream, const MatrixXd& second, double n, double epsilon) {
  const Eigen::Index d = second.rows();
  const double change = d == 1 ? 1 : 2;
  const double concentration = epsilon / static_cast<double>(d) / change;
  return n * with_eigen_noise(stream, second, n, {.scale = 1 / concentration, .concentration = concentration});
}

/// A group by ED, as the test sees it if it forgets what the directions are.
Result<MeanSummary> ed_summary(numeric::InsecureStream& stream, const GroupDesign& design, const RowMoments& moments, double epsilon) {
  const std::size_t d = design.dimension;
  const auto n = static_cast<double>(design.people);
  const std::size_t products = d * (d + 1) / 2;
  const double part = epsilon / static_cast<double>(d + products);
  const double share = static_cast<double>(products) * part;
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = mechanisms::MomentMechanism::Eigen;
  release.columns.assign(d, {"x", -1, 1, 1 / kSteps, 0});
  mechanisms::GroupMoments group{{n, 0}, {}, {}};
  for (std::size_t j = 0; j < d; ++j)
    group.sums.push_back({n * moments.mean[static_cast<Eigen::Index>(j)] + laplace(stream, 2 / part), 2 / part});
  const MatrixXd second = ed_moments(stream, moments.second, n, share);
  const double scale = (d == 1 ? 1.0 : 2.0) * static_cast<double>(d * d) / share;
  for (Eigen::Index j = 0; j < second.rows(); ++j) {
    for (Eigen::Index k = j; k < second.cols(); ++k) group.products.push_back({second(j, k), scale});
  }
  release.parts.push_back(std::move(group));
  TACET_TRY(MeanSummary summary, summarise_mean(release, 0));
  summary.drawn_directions = false;
  return summary;
}

/// Test (3.3).
bool printed_rejects(numeric::InsecureStream& stream, const RowMoments& first, const RowMoments& second, double n, double epsilon) {
  const Eigen::Index d = first.mean.size();
  const double scale = 2 * static_cast<double>(d) / (n * epsilon / 4);
  const auto noisy = [&](VectorXd mean) {
    for (double& value : mean) value += laplace(stream, scale);
    return mean;
  };
  const VectorXd difference = noisy(first.mean) - noisy(second.mean);
  MatrixXd pooled = MatrixXd::Zero(d, d);
  std::vector<MatrixXd> factors;
  for (const RowMoments* group : {&first, &second}) {
    const MatrixXd covariance = (group->second - group->mean * group->mean.transpose()) * (n / (n - 1));
    const MatrixXd seen = printed_covariance(stream, covariance, n, epsilon / 4);
    pooled += seen / 2;
    factors.emplace_back(seen.ldlt().transpositionsP().transpose() * MatrixXd(seen.ldlt().matrixL()) *
                         seen.ldlt().vectorD().cwiseMax(0).cwiseSqrt().asDiagonal());
  }
  pooled.diagonal().array() += 2 * 2 * scale * scale;  // c1 + c2, without the factor n1 n2/(n1 + n2)
  const Eigen::LLT<MatrixXd> weights(pooled);
  const auto statistic = [&](const VectorXd& x) { return n / 2 * x.dot(weights.solve(x)); };
  std::vector<double> simulated;
  for (std::size_t b = 0; b < kPrintedDraws; ++b) {
    VectorXd drawn = VectorXd::Zero(d);
    for (const MatrixXd& factor : factors) {
      MatrixXd normal(d, 1);
      inference::simulated::fill_normal(stream, normal);
      const double sign = &factor == factors.data() ? 1 : -1;
      drawn += sign * noisy(factor * normal / std::sqrt(n));
    }
    simulated.push_back(statistic(drawn));
  }
  std::sort(simulated.begin(), simulated.end());
  return statistic(difference) > simulated[static_cast<std::size_t>((1 - kAlpha) * static_cast<double>(kPrintedDraws)) - 1];
}

// --- a rate
// -------------------------------------------------------------------------------------------------

struct Rate {
  double rejected, refused;
};

/// The streams of the data and of the noise differ, so that all tests see the same data.
Rate rejections(const Row& row, double a, std::size_t trials, std::uint64_t seed) {
  const double shift = a / std::sqrt(static_cast<double>(row.d)) / kHalfWidth;
  Rate rate{0, 0};
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream data(seed, 2 * trial);
    numeric::InsecureStream noise(seed + 1'000'000'007, 2 * trial);
    const RowMoments first = draw_moments(data, row.design, 0);
    const RowMoments second = draw_moments(data, row.design, shift);
    if (row.test == "printed") {
      rate.rejected += printed_rejects(noise, first, second, static_cast<double>(row.n), std::stod(row.epsilon)) ? 1 : 0;
      continue;
    }
    const bool ed = row.test == "ed";
    const double epsilon = std::stod(row.epsilon);
    const auto one = ed ? ed_summary(noise, row.design, first, epsilon) : summarise_mean(release_of(noise, row.design, first), 0);
    const auto other = ed ? ed_summary(noise, row.design, second, epsilon) : summarise_mean(release_of(noise, row.design, second), 0);
    if (!one || !other) {
      ++rate.refused;
      continue;
    }
    const auto test = test_equal_means(
        {*one, *other}, {.alpha = kAlpha, .with_power = false, .simulation = {.draws = kDraws, .seed = trial, .threads = 1}});
    if (!test) {
      ++rate.refused;
    } else {
      rate.rejected += test->p_value.value_or(1) <= kAlpha ? 1 : 0;
    }
  }
  const auto all = static_cast<double>(trials);
  return {rate.rejected / all, rate.refused / all};
}

double error_of(double rate, std::size_t trials) { return std::sqrt(std::max(rate * (1 - rate), 1e-6) / static_cast<double>(trials)); }

bool too_high(const Row& row) { return row.level > kAlpha + 3 * row.level_error; }

void measure(Row& row, std::size_t trials, std::uint64_t seed) {
  for (std::size_t attempt = 0; attempt < 2; ++attempt) {
    const std::size_t times = attempt == 0 ? trials : 4 * trials;
    const Rate rate = rejections(row, 0, times, 1000 * seed + attempt);
    row.level = rate.rejected;
    row.refused = rate.refused;
    row.level_error = error_of(kAlpha, times);
    row.trials = static_cast<double>(times);
    if (!too_high(row)) break;
  }
  if (!row.power) return;
  row.found = rejections(row, 1, trials, 1000 * seed + 500).rejected;
  row.found_error = error_of(row.found, trials);
}

// --- the grid
// -------------------------------------------------------------------------------------------------

struct NamedLaw {
  std::string name;
  RowLaw law;
};
const std::vector<NamedLaw> kLaws = {{"uniform", RowLaw::Uniform}, {"equicorrelated", RowLaw::Equicorrelated},
                                     {"spiked", RowLaw::Spiked},   {"small", RowLaw::Small},
                                     {"far", RowLaw::Far},         {"off centre", RowLaw::Uniform}};
// 2.2 -+ 0.5 within bounds of 2.75.
constexpr double kOffCentre = 0.8;
constexpr double kOffCentreWidth = 0.5 / 2.75;

struct NamedCounts {
  std::string name, relation;
  data::Membership membership;
};
const std::vector<NamedCounts> kCounts = {{"public", "replace-one", data::Membership::Public},
                                          {"private shared", "replace-one", data::Membership::Private},
                                          {"private apart", "add-or-remove-one", data::Membership::Private}};

/// As the service designs it.
data::MomentDesign design_of(std::size_t d, const NamedCounts& counts) {
  std::string text = fmt::format(
      "tacet = 1\ndataset = \"d\"\nledger = \"l\"\nneighbours = \"{}\"\n[columns.group]\ncategories = [\"a\", \"b\"]\nother = \"a\"\n{}",
      counts.relation, counts.membership == data::Membership::Public ? "membership = \"public\"\n" : "");
  data::MomentRequest request;
  for (std::size_t j = 0; j < d; ++j) {
    request.columns.push_back(fmt::format("x{}", j));
    text += fmt::format("[columns.x{}]\nlower = -1\nupper = 1\nresolution = {}\nmissing = 0\n", j, 1 / kSteps);
  }
  request.groups = {"group", counts.membership};
  request.counts = true;
  return *data::design_moments(*schemas::parse_schema(text, false, "."), request);
}

/// Private counts are measured where they matter: at means away from the middle, as an error in
/// the number of people moves those.
bool is_of_interest(const NamedLaw& law, const NamedCounts& counts, std::size_t d) {
  if (d == 1 && (law.law == RowLaw::Equicorrelated || law.law == RowLaw::Spiked)) return false;
  return counts.name == "public" || law.name == "uniform" || law.law == RowLaw::Far;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const std::size_t d : {std::size_t{30}, std::size_t{10}, std::size_t{1}}) {
    for (const NamedCounts& counts : kCounts) {
      const data::MomentDesign design = design_of(d, counts);
      for (const std::size_t n : {100U, 1000U, 10'000U, 100'000U}) {
        for (const std::string epsilon : {"0.1", "0.5", "1", "5"}) {
          for (const NamedLaw& law : kLaws) {
            if (!is_of_interest(law, counts, d)) continue;
            Row row{.test = "ours", .noise = "", .counts = counts.name, .rows = law.name, .d = d, .n = n, .epsilon = epsilon, .design = {}};
            const bool figure = law.name == "uniform" && counts.name == "public";
            for (const auto& [name, noise] : {std::pair<std::string, Noise>{"pure", Noise::Pure}, {"gaussian", Noise::Gaussian}}) {
              row.noise = name;
              row.design = planned_design(d, n, epsilon, noise, design.sensitivity, design.layout.counts);
              row.design.rows = law.law;
              row.design.width = std::sqrt(3.0) / kHalfWidth;
              row.design.mean = counts.name != "public" && law.law == RowLaw::Uniform ? 1 - row.design.width : 0;
              if (law.name == "off centre") {
                row.design.width = kOffCentreWidth;
                row.design.mean = kOffCentre;
              }
              row.power = figure;
              rows.push_back(row);
            }
            if (!figure) continue;
            row.test = "printed";
            row.noise = "laplace and ED";
            rows.push_back(row);
          }
        }
      }
    }
  }
  struct OffCentre {
    std::size_t d, n;
    std::string epsilon;
  };
  for (const OffCentre& one : {OffCentre{2, 5000, "5"}, {2, 2000, "10"}, {4, 2000, "20"}, {2, 30'000, "2"}}) {
    const data::MomentDesign design = design_of(one.d, kCounts.front());
    for (const std::string test : {"ed", "ours"}) {
      Row row{.test = test,
              .noise = test == "ed" ? "ed" : "pure",
              .counts = "public",
              .rows = "off centre",
              .d = one.d,
              .n = one.n,
              .epsilon = one.epsilon,
              .design = {}};
      row.design = planned_design(one.d, one.n, one.epsilon, Noise::Pure, design.sensitivity, design.layout.counts);
      row.design.width = kOffCentreWidth;
      row.design.mean = kOffCentre;
      rows.push_back(row);
    }
  }
  return rows;
}

// --- running and telling
// -------------------------------------------------------------------------------------------------

/// One seed for all tests of a setting, whatever else runs.
std::uint64_t seed_of(const Row& row) {
  std::uint64_t seed = 7;
  for (const char c : fmt::format("{} {} {} {}", row.rows, row.d, row.n, row.epsilon))
    seed = (131 * seed + static_cast<unsigned char>(c)) % 1'000'003;
  return seed;
}

std::string setting(const Row& row) {
  return fmt::format("{},{},{},{},{},{},{}", row.test, row.noise, row.counts, row.rows, row.d, row.n, row.epsilon);
}

std::string line(const Row& row) {
  return fmt::format("{},{},{:.5f},{:.5f},{:.4f},{:.4f},{:.4f},{}", setting(row), row.trials, row.level, row.level_error, row.found,
                     row.found_error, row.refused,
                     row.refused == 1 ? "refused"
                     : too_high(row)  ? "too high"
                                      : "kept");
}

/// Prints each row as soon as it and those before it are measured.
void run(std::vector<Row>& rows, std::size_t trials) {
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  std::vector<bool> measured(rows.size());
  std::size_t printed = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < rows.size(); i = next++) {
      measure(rows[i], trials, seed_of(rows[i]));
      const std::scoped_lock lock(printing);
      measured[i] = true;
      for (; printed < rows.size() && measured[printed]; ++printed) fmt::print("{}\n", line(rows[printed]));
      std::fflush(stdout);
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
}

/// Ours under a pure epsilon against the print in the same setting. Returns how often it is below.
int compare_powers(const std::vector<Row>& rows) {
  int below = 0;
  int compared = 0;
  int incomparable = 0;
  for (const Row& printed : rows) {
    if (printed.test != "printed") continue;
    const auto ours = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.noise == "pure" && row.power && row.d == printed.d && row.n == printed.n && row.epsilon == printed.epsilon;
    });
    if (ours == rows.end()) continue;
    if (too_high(printed)) {
      ++incomparable;
      fmt::print(stderr, "the printed test's level is {:.3f}, so that its power cannot be compared: {}\n", printed.level, line(printed));
      continue;
    }
    ++compared;
    const double error = std::hypot(ours->found_error, printed.found_error);
    if (ours->found >= printed.found - 3 * error) continue;
    ++below;
    fmt::print(stderr, "power below the print: {:.3f} against {:.3f}: {}\n", ours->found, printed.found, line(*ours));
  }
  fmt::print(stderr, "Power: {} settings of Figure 1 compared with the print, {} below; in {} the print does not keep its level.\n",
             compared, below, incomparable);
  return below;
}

/// The highest level and the part of cautious settings, for each kind of counts, noise and rows.
void tell_levels(const std::vector<Row>& rows) {
  struct Sum {
    double settings = 0, highest = 0, cautious = 0, mean = 0, refused = 0;
  };
  std::map<std::string, Sum> sums;
  for (const Row& row : rows) {
    if (row.test != "ours") continue;
    Sum& sum = sums[fmt::format("{}, {}, {}", row.counts, row.noise, row.rows)];
    ++sum.settings;
    sum.highest = std::max(sum.highest, row.level);
    sum.mean += row.level;
    sum.cautious += row.level < 0.03 ? 1 : 0;
    sum.refused += row.refused;
  }
  for (const auto& [name, sum] : sums) {
    fmt::print(stderr, "{}: {} settings, level at most {:.3f}, on average {:.3f}, below 0.03 in {}, refused {:.3f}\n", name, sum.settings,
               sum.highest, sum.mean / sum.settings, sum.cautious, sum.refused / sum.settings);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 1000;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      trials = 100;
    } else if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc && std::strtol(argv[i + 1], nullptr, 10) > 0) {
      trials = static_cast<std::size_t>(std::strtol(argv[++i], nullptr, 10));
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      fmt::print(stderr, "usage: means_level [--quick | --trials N] [--only WORDS]\n");
      return 2;
    }
  }
  std::vector<Row> rows = all_rows();
  std::erase_if(rows, [&](const Row& row) { return (setting(row) + ",").find(only) == std::string::npos; });
  fmt::print(
      "test,noise,counts,rows,columns,people,epsilon,trials,level,level_standard_error,power,power_standard_error,refused,verdict\n");
  run(rows, trials);
  int high = 0;
  for (const Row& row : rows) {
    if (row.test != "ours" || !too_high(row)) continue;
    ++high;
    fmt::print(stderr, "level too high: {}\n", line(row));
  }
  const int below = compare_powers(rows);
  tell_levels(rows);
  fmt::print(stderr, "{} rows at level {}: ours is too high in {}.\n", rows.size(), kAlpha, high);
  return high + below > 0 ? 1 : 0;
}
