// Sums and moments under audit, through a ledger and its grants, on the worst neighbours there are:
// every figure moves by all that one person can move it. A box of many groups holds many
// independent copies of three figures, so one grant audits them all.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/vault.h"
#include "tacet/mechanisms/noisy_values.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::numbers_audit_test {
namespace {

constexpr double kFalseAlarm = 1e-10;
constexpr std::size_t kCopies = 330'000;
constexpr int kBatches = 5;
/// Three figures of different sizes, and one alone, on which the test for Laplace noise is
/// sharpest.
struct Figures {
  std::vector<Int128> most;
  std::vector<double> weights;
};
const Figures kThree = {{3, 1000, 77}, {1, 0.5, 2}};
const Figures kOne = {{1000}, {1}};

/// How often the best test says "the larger neighbour" on either; the test knows the plan that is
/// claimed.
class Audit {
 public:
  Audit(NoiseFamily family, const Figures& figures, const privacy::Loss& paid, const privacy::Loss& claimed, std::uint64_t stream)
      : family_(family), figures_(figures) {
    const BoxSensitivity one{Relation::ReplaceOne, figures_.most, 1, 1};
    scale_ = mechanisms::plan_numbers(family, one, figures_.weights, claimed)->scale;
    testing::Purse purse;
    test::InsecureSeededBits bits(stream);
    for (int batch = 0; batch < kBatches; ++batch) {
      for (const int moved : {0, 1}) {
        BoxSensitivity box{Relation::ReplaceOne, {}, kCopies, 1};
        std::vector<Int128> values;
        for (std::size_t i = 0; i < kCopies; ++i) {
          for (const Int128 most : figures_.most) {
            box.most.push_back(most);
            values.push_back(moved * most);
          }
        }
        const auto released = *testing::release_planned(testing::sealed(std::move(values), std::move(box)), family, figures_.weights,
                                                        purse.grant(paid), bits);
        for (std::size_t i = 0; i < kCopies; ++i) events_[moved] += says_moved(released.value(), i) ? 1 : 0;
      }
    }
  }

  /// A lower bound, wrong with probability kFalseAlarm, on P[event | moved] - e^epsilon P[event |
  /// not]: Hoeffding's inequality.
  double proven(double epsilon) const {
    const double n = static_cast<double>(kCopies) * kBatches;
    const double margin = std::sqrt(std::log(2 / kFalseAlarm) / (2 * n));
    return events_[1] / n - margin - std::exp(epsilon) * (events_[0] / n + margin);
  }

 private:
  /// Gaussian: the likelihood ratio is above 1. Laplace: every figure is beyond the neighbour's,
  /// where the ratio is e^epsilon.
  bool says_moved(const NoisyNumbers& noisy, std::size_t i) const {
    double score = 0;
    bool all = true;
    for (std::size_t j = 0; j < figures_.most.size(); ++j) {
      const auto most = static_cast<double>(figures_.most[j]);
      const double value = mechanisms::value_of(noisy, figures_.most.size() * i + j);
      score += most * (value - most / 2) / (scale_[j] * scale_[j]);
      all = all && value > most;
    }
    return family_ == NoiseFamily::Gaussian ? score > 0 : all;
  }

  NoiseFamily family_;
  Figures figures_;
  std::vector<double> scale_;
  double events_[2] = {0, 0};
};

TEST(NumbersAudit, GaussianNoiseKeepsItsMu) {
  test::declare_false_alarm("NumbersAudit.GaussianNoiseKeepsItsMu", kFalseAlarm);
  const Audit audit(NoiseFamily::Gaussian, kThree, testing::mu_loss("1"), testing::mu_loss("1"), 21);
  EXPECT_LE(audit.proven(0), test::gaussian_delta(1, 0));
  EXPECT_GT(audit.proven(0), test::gaussian_delta(1, 0) - 0.01) << "the auditor proves too little to be of use";
}

TEST(NumbersAudit, RejectsGaussianNoiseFivePercentTooSmall) {
  test::declare_false_alarm("NumbersAudit.RejectsGaussianNoiseFivePercentTooSmall", kFalseAlarm);
  const Audit audit(NoiseFamily::Gaussian, kThree, testing::mu_loss("1.05"), testing::mu_loss("1"), 22);
  EXPECT_GT(audit.proven(0), test::gaussian_delta(1, 0));
}

TEST(NumbersAudit, LaplaceNoiseKeepsItsEpsilon) {
  test::declare_false_alarm("NumbersAudit.LaplaceNoiseKeepsItsEpsilon", 2 * kFalseAlarm);
  const Audit three(NoiseFamily::Laplace, kThree, testing::epsilon_loss("3"), testing::epsilon_loss("3"), 23);
  EXPECT_LE(three.proven(3), 0);
  EXPECT_GT(three.proven(2.4), 0) << "the auditor proves too little to be of use";
  const Audit one(NoiseFamily::Laplace, kOne, testing::epsilon_loss("1"), testing::epsilon_loss("1"), 24);
  EXPECT_LE(one.proven(1), 0);
}

TEST(NumbersAudit, RejectsLaplaceNoiseFivePercentTooSmall) {
  test::declare_false_alarm("NumbersAudit.RejectsLaplaceNoiseFivePercentTooSmall", kFalseAlarm);
  const Audit audit(NoiseFamily::Laplace, kOne, testing::epsilon_loss("1.05"), testing::epsilon_loss("1"), 25);
  EXPECT_GT(audit.proven(1), 0);
}

/// Clipped vectors: noise of one scale in every coordinate, here each a copy of the worst case, in
/// which one coordinate moves by all of the norm. The bound is as Audit::proven(0).
double proven_for_norm(const privacy::Loss& paid, const privacy::Loss& claimed, std::uint64_t stream) {
  constexpr std::int64_t kLength = 2'000;
  constexpr std::size_t kCoordinates = 825'000;
  const NormSensitivity norm{Relation::ReplaceOne, Int128{kLength} * kLength};
  const double scale = mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, 1, claimed)->scale[0];
  const NumbersPlan planned = *mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, kCoordinates, paid);
  testing::Purse purse;
  test::InsecureSeededBits bits(stream);
  double events[2] = {0, 0};
  for (int batch = 0; batch < 2; ++batch) {
    for (const int moved : {0, 1}) {
      std::vector<Int128> values(kCoordinates, Int128{moved * kLength});
      const auto released =
          *release(testing::sealed_for_patients(std::move(values), NormSensitivity{norm}), planned, purse.grant(paid), bits);
      for (std::size_t j = 0; j < kCoordinates; ++j) events[moved] += mechanisms::value_of(released.value(), j) > kLength / 2.0 ? 1 : 0;
      EXPECT_GE(released.value().plan.scale[0], scale * 0.9);
    }
  }
  const double n = 2.0 * kCoordinates;
  return (events[1] - events[0]) / n - 2 * std::sqrt(std::log(2 / kFalseAlarm) / (2 * n));
}

TEST(NumbersAudit, NoiseForANormKeepsItsMu) {
  test::declare_false_alarm("NumbersAudit.NoiseForANormKeepsItsMu", kFalseAlarm);
  const double proven = proven_for_norm(testing::mu_loss("1"), testing::mu_loss("1"), 31);
  EXPECT_LE(proven, test::gaussian_delta(1, 0));
  EXPECT_GT(proven, test::gaussian_delta(1, 0) - 0.01) << "the auditor proves too little to be of use";
}

TEST(NumbersAudit, RejectsNoiseForANormFivePercentTooSmall) {
  test::declare_false_alarm("NumbersAudit.RejectsNoiseForANormFivePercentTooSmall", kFalseAlarm);
  EXPECT_GT(proven_for_norm(testing::mu_loss("1.05"), testing::mu_loss("1"), 32), test::gaussian_delta(1, 0));
}

}  // namespace
}  // namespace tacet::kernel::numbers_audit_test
