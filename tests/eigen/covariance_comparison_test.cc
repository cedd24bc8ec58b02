// Which noise for a covariance: the table of docs/explanation/covariance.md, measured again, with
// the seeds that made it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/eigen/release_eigen.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/covariance.h"
#include "tacet/mechanisms/noisy_values.h"

#include "eigen/planned_eigen.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::mechanisms {
namespace {

constexpr std::uint64_t kSeed = 20260101;
constexpr Int128 kSteps = 1000;  // of a column, on either side of its centre
constexpr int kRepetitions = 40;

/// Sums of products of n people in d columns with a common part: x_j = f/2 + g_j/3 for Gaussian f
/// and g_j, clipped to [-1, 1].
std::vector<Int128> moments_of(std::size_t d, std::size_t n, exact::RandomBits& bits) {
  const auto gaussian = *exact::RoundedNoise::gaussian(static_cast<double>(kSteps));
  std::vector<Int128> products(d * (d + 1) / 2);
  std::vector<std::int64_t> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    const auto common = static_cast<std::int64_t>(gaussian.draw(bits)) / 2;
    for (std::int64_t& x : row) x = std::clamp<std::int64_t>(common + static_cast<std::int64_t>(gaussian.draw(bits)) / 3, -1000, 1000);
    std::size_t at = 0;
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = j; k < d; ++k) products[at++] += row[j] * row[k];
    }
  }
  return products;
}

kernel::BoxSensitivity box_of(std::size_t d) {
  kernel::BoxSensitivity box{kernel::Relation::ReplaceOne, {}, 1, 1, d};
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) box.most.push_back((j == k ? 1 : 2) * kSteps * kSteps);
  }
  return box;
}

std::vector<double> matrix_of(const std::vector<double>& products, std::size_t d) {
  std::vector<double> matrix(d * d);
  std::size_t at = 0;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) matrix[j * d + k] = matrix[k * d + j] = products[at++];
  }
  return matrix;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

enum class Way : std::uint8_t { Gaussian, Laplace, Eigen };

class Comparison {
 public:
  /// The mean Frobenius distance from the second moments, in units of the squared half width: as
  /// released, and the nearest without negative eigenvalues.
  std::pair<double, double> error(Way way, std::size_t d, std::size_t n, double epsilon, const std::vector<Int128>& products) {
    const double unit = static_cast<double>(n) * static_cast<double>(kSteps * kSteps);
    std::vector<double> truth;
    for (const Int128 product : products) truth.push_back(static_cast<double>(product) / unit);
    test::InsecureSeededBits bits(way == Way::Gaussian ? 1 : way == Way::Laplace ? 2 : 3, kSeed + d + n);
    std::pair<double, double> sum = {0, 0};
    for (int i = 0; i < kRepetitions; ++i) {
      std::vector<double> noisy = draw(way, d, epsilon, products, bits);
      for (double& value : noisy) value /= unit;
      sum.first += distance(matrix_of(noisy, d), matrix_of(truth, d));
      sum.second += distance(nearest_covariance({d, d, matrix_of(noisy, d)}, 0).matrix.values, matrix_of(truth, d));
    }
    return {sum.first / kRepetitions, sum.second / kRepetitions};
  }

 private:
  std::vector<double> draw(Way way, std::size_t d, double epsilon, const std::vector<Int128>& products, exact::RandomBits& bits) {
    const bool gaussian = way == Way::Gaussian;
    kernel::Grant grant = purse_.grant(
        gaussian ? testing::rho_loss(fmt::format("{}", epsilon * epsilon / 2)) : testing::epsilon_loss(fmt::format("{}", epsilon)),
        way == Way::Eigen);
    const kernel::BoxSensitivity box = box_of(d);
    const auto family = gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace;
    std::vector<double> weights = mechanisms::charged_sizes(family, box);
    for (double& weight : weights) weight = std::sqrt(weight);  // those of least squares
    auto sealed = testing::sealed(products, box);
    const kernel::NoisyNumbers noisy = way == Way::Eigen
                                           ? testing::release_planned_eigen(std::move(sealed), {1}, std::move(grant), bits)->value().numbers
                                           : testing::release_planned(std::move(sealed), family, weights, std::move(grant), bits)->value();
    std::vector<double> values;
    for (std::size_t j = 0; j < products.size(); ++j) values.push_back(mechanisms::value_of(noisy, j));
    return values;
  }

  testing::Purse purse_;
};

TEST(CovarianceComparison, TheTableOfTheDocumentIsWhatIsMeasured) {
  std::ifstream file("docs/explanation/covariance.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string document = text.str();
  ASSERT_FALSE(document.empty());
  Comparison comparison;
  for (const std::size_t d : {2U, 10U, 30U}) {
    if (d == 30 && test::coarseness() > 1) continue;  // a build with sanitizers is slow
    for (const std::size_t n : {1'000U, 100'000U}) {
      test::InsecureSeededBits bits(0, kSeed + d + n);
      const std::vector<Int128> products = moments_of(d, n, bits);
      for (const double epsilon : {0.5, 1.0}) {
        std::string line = fmt::format("| {} | {} | {} |", d, n, epsilon);
        std::vector<std::pair<double, double>> errors;
        for (const Way way : {Way::Gaussian, Way::Laplace, Way::Eigen}) {
          errors.push_back(comparison.error(way, d, n, epsilon, products));
          line += fmt::format(" {:.2g} | {:.2g} |", errors.back().first, errors.back().second);
        }
        std::printf("%s\n", line.c_str());
        EXPECT_NE(document.find(line + "\n"), std::string::npos) << "docs/explanation/covariance.md must have: " << line;
        // What the document says in words.
        EXPECT_LT(errors[0].first, errors[1].first) << line;
        EXPECT_LT(errors[0].second, errors[1].second) << line;
        EXPECT_EQ(errors[1].first < errors[2].first, !(d == 30 && n == 1'000)) << line;
        EXPECT_LT(errors[1].second, errors[2].second) << line;
      }
    }
  }
}

}  // namespace
}  // namespace tacet::mechanisms
