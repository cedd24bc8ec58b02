// eigen_bench: the time of the mechanism ED for the second moments of one group, beside one
// eigenproblem of the same size in the same run.
//
//   eigen_bench                 exits 1 if a median ratio exceeds the limit of 40
//
// Moments are read from a file of normal numbers with a common part, in groups that one release
// publishes together; reading, sealing and charging are not timed. The plain eigenproblem is
// Eigen's, with eigenvectors, of a matrix of second moments. Times are of the processor; runs are
// interleaved, and the numbers are the median and the range.
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/eigen/release_eigen.h"
#include "tacet/exact/secure_bits.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "measure.h"
#include "support/declared.h"

namespace {

using namespace tacet;
using bench::fail;

constexpr int kRuns = 11;
constexpr int kRowsPerGroup = 200;
constexpr double kMostRatio = 40;

double sink = 0;  // what is computed is used

template <class T>
T required(Result<T> result) {
  if (!result.ok()) fail(result.error().message());
  return *std::move(result);
}

std::vector<std::vector<double>> rows_of(std::size_t columns, std::size_t rows) {
  std::mt19937_64 random(1);  // the same in every run: NOLINT(bugprone-random-generator-seed)
  std::normal_distribution<double> normal(0, 0.3);
  std::vector<std::vector<double>> out(rows, std::vector<double>(columns));
  for (std::vector<double>& row : out) {
    const double common = normal(random);
    for (double& x : row) x = common + normal(random);
  }
  return out;
}

/// A file of `groups` groups, its schema, and the moments of each group, sealed.
class People {
 public:
  People(const std::filesystem::path& folder, std::size_t columns, std::size_t groups)
      : path_((folder / fmt::format("{}.csv", columns)).string()) {
    std::string lines = "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.g]\ncategories = [";
    for (std::size_t g = 0; g < groups; ++g) lines += fmt::format("{}\"{}\"", g == 0 ? "" : ", ", g);
    lines += "]\nother = \"0\"\nmembership = \"public\"\n";
    std::ofstream csv(path_);
    csv << "g";
    for (std::size_t j = 0; j < columns; ++j) {
      request_.columns.push_back(fmt::format("x{}", j));
      lines += fmt::format("[columns.x{}]\nlower = -1\nupper = 1\nresolution = 0.001\nmissing = 0\n", j);
      csv << ",x" << j;
    }
    csv << "\n";
    std::size_t i = 0;
    for (const std::vector<double>& row : rows_of(columns, groups * kRowsPerGroup)) {
      csv << i++ % groups;
      for (const double x : row) csv << "," << x;
      csv << "\n";
    }
    schema_ = required(schemas::parse_schema(lines, false, "."));
    request_.groups = data::Groups{"g", data::Membership::Public};
  }
  data::Moments moments() const { return required(data::moments(required(schemas::open_data(path_)), test::declared(*schema_), request_)); }

 private:
  std::string path_;
  std::optional<data::Schema> schema_;
  data::MomentRequest request_;
};

Eigen::MatrixXd plain_moments(std::size_t columns) {
  const auto size = static_cast<Eigen::Index>(columns);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (const std::vector<double>& row : rows_of(columns, kRowsPerGroup)) {
    const Eigen::Map<const Eigen::VectorXd> x(row.data(), size);
    matrix += x * x.transpose();
  }
  return matrix;
}

/// The median ratio of their times.
double compare(const std::filesystem::path& folder, std::size_t columns, std::size_t groups, kernel::Custody& ledger,
               exact::RandomBits& bits) {
  const People people(folder, columns, groups);
  const Eigen::MatrixXd matrix = plain_moments(columns);
  std::vector<double> ours;
  std::vector<double> plain;
  std::vector<double> ratios;
  for (int run = 0; run <= kRuns; ++run) {
    data::Moments moments = people.moments();
    kernel::Grant grant = required(ledger.charge({.dataset = "people",
                                                  .analyst = "bench",
                                                  .statement = "second moments",
                                                  .relation = required(kernel::Relation::within({"g"})),
                                                  .loss = privacy::pure_loss(required(privacy::Epsilon::parse("1"))),
                                                  .idealised = true}));
    const std::vector<double> weights(columns + 1, 1);  // of the sums, and of the products
    const eigen::EigenPlan plan = required(eigen::plan_eigen(moments.values.sensitivity(), weights, grant.loss()));
    const double start = bench::processor_seconds();
    const auto released = required(eigen::release_eigen(std::move(moments.values), plan, std::move(grant), bits));
    const double middle = bench::processor_seconds();
    for (std::size_t g = 0; g < groups; ++g) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
      sink += solver.eigenvalues()(0);
    }
    const double end = bench::processor_seconds();
    sink += released.value().eigenvalues[0];
    if (run == 0) continue;  // warm up
    ours.push_back((middle - start) / static_cast<double>(groups));
    plain.push_back((end - middle) / static_cast<double>(groups));
    ratios.push_back(ours.back() / plain.back());
  }
  const auto shown = [](const bench::Summary& s, double unit) {
    return fmt::format("{:.3g} ({:.3g} to {:.3g})", s.median / unit, s.least / unit, s.most / unit);
  };
  fmt::print("{:>7}  {:>30}  {:>30}  {:>26}\n", columns, shown(bench::summary(ours), 1e-6), shown(bench::summary(plain), 1e-6),
             shown(bench::summary(ratios), 1));
  std::fflush(stdout);
  return bench::summary(ratios).median;
}

}  // namespace

int main() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tacet-eigen-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder");
  kernel::Custody ledger = required(kernel::Custody::open(":memory:"));
  kernel::Declaration terms =
      kernel::plain_terms(privacy::budget_of(required(privacy::Epsilon::parse("1000000"))), required(kernel::Relation::within({"g"})));
  terms.idealised = true;
  if (!ledger.create_budget("people", terms, {}).ok()) fail("no budget");
  const auto bits = required(exact::SecureBits::open());
  fmt::print("One group, microseconds of the processor, {} runs, median (least to most)\n", kRuns);
  fmt::print("{:>7}  {:>30}  {:>30}  {:>26}\n", "columns", "ED", "one eigenproblem", "ratio");
  double largest = 0;
  for (const auto& [columns, groups] : {std::pair<std::size_t, std::size_t>{1, 500}, {2, 500}, {4, 500}, {10, 100}, {30, 20}, {64, 5}})
    largest = std::max(largest, compare(pattern, columns, groups, ledger, *bits));
  std::filesystem::remove_all(pattern);
  fmt::print("largest ratio {:.3g}, limit {}: {}   (checksum {})\n", largest, kMostRatio, largest <= kMostRatio ? "PASS" : "FAIL", sink);
  return largest <= kMostRatio ? 0 : 1;
}
