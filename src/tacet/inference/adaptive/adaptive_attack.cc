#include "tacet/inference/adaptive/adaptive_attack.h"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostAttacked = 1'000'000;
constexpr double kKept = 0.25;  // the level of the screening

Status check_count(const char* name, std::size_t count) {
  if (count >= 1 && count <= kMostAttacked) return {};
  return Error::invalid(name, fmt::format("{}", count), "must be at least 1 and at most 10^6");
}

/// One bit for each row and variable: does the variable agree with the label?
class Agreements {
 public:
  Agreements(std::size_t n, std::size_t variables, numeric::InsecureStream& stream)
      : n_(n), words_((n + 63) / 64), bits_(words_ * variables) {
    stream.fill_words(bits_);
    const std::uint64_t last = n % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (n % 64)) - 1;
    for (std::size_t j = 0; j < variables; ++j) bits_[j * words_ + words_ - 1] &= last;
  }
  double share(std::size_t variable) const {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < words_; ++w) sum += std::popcount(bits_[variable * words_ + w]);
    return static_cast<double>(sum) / static_cast<double>(n_);
  }
  /// Adds the vote of a variable to each row: +1 where it agrees and is `trusted`, else -1.
  void vote(std::size_t variable, bool trusted, std::vector<std::int32_t>& votes) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t word = trusted ? bits_[variable * words_ + w] : ~bits_[variable * words_ + w];
      const std::size_t rows = std::min<std::size_t>(64, n_ - w * 64);
      std::int32_t* out = &votes[w * 64];
      for (std::size_t i = 0; i < rows; ++i) out[i] += static_cast<std::int32_t>(((word >> i) & 1U) * 2) - 1;
    }
  }
  bool agrees(std::size_t variable, std::size_t row) const { return ((bits_[variable * words_ + row / 64] >> (row % 64)) & 1U) != 0; }

 private:
  std::size_t n_, words_;
  std::vector<std::uint64_t> bits_;
};

/// The share of rows in which the vote agrees with the label; the first variable decides a tie, so
/// that the true share is 1/2.
double share_of_votes(const Agreements& rows, std::size_t n, const std::vector<bool>& trusted) {
  std::vector<std::int32_t> votes(n, 0);
  for (std::size_t j = 0; j < trusted.size(); ++j) rows.vote(j, trusted[j], votes);
  std::size_t right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool tie_right = rows.agrees(0, i) == trusted[0];
    right += votes[i] > 0 || (votes[i] == 0 && tie_right) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(n);
}

/// The p-value of the F test that none of the columns has an effect; no intercept.
double f_test(const Eigen::MatrixXd& columns, const Eigen::VectorXd& response) {
  if (columns.cols() == 0) return 1;
  const Eigen::VectorXd fitted = columns * columns.colPivHouseholderQr().solve(response);
  const auto explained = static_cast<double>(columns.cols());
  const double rest = static_cast<double>(columns.rows()) - explained;
  const double part = std::clamp(fitted.squaredNorm() / response.squaredNorm(), 0.0, 1.0);
  // Under the null hypothesis the explained part of the sum of squares is Beta(p/2, (n - p)/2).
  return boost::math::ibetac(explained / 2, rest / 2, part);
}

Eigen::MatrixXd chosen_columns(const Eigen::MatrixXd& all, const Eigen::VectorXd& score, double least) {
  std::vector<Eigen::Index> kept;
  for (Eigen::Index j = 0; j < all.cols(); ++j) {
    if (score[j] >= least) kept.push_back(j);
  }
  return all(Eigen::all, kept);
}

}  // namespace

Result<AttackErrors> run_attack(const AdaptiveAttack& attack, std::size_t trials) {
  TACET_CHECK(check_count("n", attack.n));
  TACET_CHECK(check_count("variables", attack.variables));
  TACET_CHECK(check_count("repeats", attack.repeats));
  TACET_CHECK(check_count("trials", trials));
  if (!(attack.noise >= 0 && attack.noise < 1e300)) return Error::invalid("noise", fmt::format("{}", attack.noise), "must not be negative");
  AttackErrors errors;
  std::vector<double> noise(attack.queries());
  std::vector<bool> trusted(attack.variables);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(attack.seed, trial);
    const Agreements rows(attack.n, attack.variables, stream);
    stream.fill_normal(noise);
    double largest = 0;
    for (std::size_t j = 0; j < attack.variables; ++j) {
      const double error = rows.share(j) + attack.noise * noise[j] - 0.5;
      trusted[j] = error >= 0;
      largest = std::max(largest, std::abs(error));
    }
    const double share = share_of_votes(rows, attack.n, trusted);
    for (std::size_t r = 0; r < attack.repeats; ++r) {
      const double error = share + attack.noise * noise[attack.variables + r] - 0.5;
      largest = std::max(largest, std::abs(error));
      if (r == 0) errors.vote.push_back(error);
    }
    errors.largest.push_back(largest);
  }
  return errors;
}

Result<FreedmanPValues> run_freedman(const FreedmanStudy& study, std::size_t trials) {
  TACET_CHECK(check_count("n", study.n));
  TACET_CHECK(check_count("variables", study.variables));
  TACET_CHECK(check_count("trials", trials));
  if (study.variables >= study.n) return Error::invalid("variables", fmt::format("{}", study.variables), "must be less than n");
  if (!(study.epsilon > 0 && study.epsilon <= 1e6))
    return Error::invalid("epsilon", fmt::format("{}", study.epsilon), "must be greater than 0 and at most 1e6");
  const auto n = static_cast<Eigen::Index>(study.n);
  const auto d = static_cast<Eigen::Index>(study.variables);
  const double scale = static_cast<double>(d) / (static_cast<double>(n) * study.epsilon);
  const double quantile = numeric::normal_upper_quantile(kKept / 2) / std::sqrt(static_cast<double>(n));
  FreedmanPValues values;
  Eigen::MatrixXd columns(n, d);
  Eigen::VectorXd response(n);
  std::vector<double> laplace(study.variables);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(study.seed, trial);
    stream.fill_normal({columns.data(), static_cast<std::size_t>(columns.size())});
    stream.fill_normal({response.data(), study.n});
    stream.fill_laplace(laplace);
    const Eigen::VectorXd correlations =
        (columns.transpose() * response).cwiseAbs().cwiseQuotient(columns.colwise().norm().transpose() * response.norm());
    values.by_correlation.push_back(f_test(chosen_columns(columns, correlations, quantile), response));
    Eigen::VectorXd shares(d);
    for (Eigen::Index j = 0; j < d; ++j) {
      const double equal = static_cast<double>((columns.col(j).cwiseProduct(response).array() > 0).count()) / static_cast<double>(n);
      shares[j] = std::abs(equal + scale * laplace[static_cast<std::size_t>(j)] - 0.5);
    }
    // As many as the level of the screening says: the variables with the most unequal shares.
    std::vector<double> sorted(shares.data(), shares.data() + d);
    const auto cut = sorted.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(d) * (1 - kKept));
    std::nth_element(sorted.begin(), cut, sorted.end());
    values.by_noisy_share.push_back(f_test(chosen_columns(columns, shares, *cut), response));
  }
  return values;
}

}  // namespace tacet::inference
