// The audit of kernel::release_eigen in two dimensions, on neighbours for which every step leaks nearly all it may.
//
// K people stand at (1, 1) and k at (1, -1), so that the eigenvalues are K and k and the eigenvectors those two diagonals. One person moves
// from the first corner to the second: the eigenvalues move by 1 each, in opposite directions, which is all that Laplace noise allows; and the
// first direction, which prefers the first diagonal with density exp(s (K - k) cos^2), prefers it less.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/kernel/ledger.h"
#include "tacet/kernel/release_eigen.h"
#include "tacet/kernel/vault.h"

#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel {
namespace {

constexpr double kFalseAlarm = 1e-10;
constexpr double kMiss = 1e-10;
constexpr double kEpsilon = 2;
constexpr double kPlanted = 4;  // noise for this epsilon, sold as noise for kEpsilon, must be seen
constexpr int kFirst = 9;
constexpr int kSecond = 1;
constexpr std::size_t kStretchesPerGrant = 50'000;
/// Quadrants of the two eigenvalues, each with all directions, those beyond 45 and those beyond 60 degrees; and their complements.
constexpr std::size_t kQuadrants = 4;
constexpr std::array<double, 3> kCosines = {2, 0, -0.5};  // of twice the angle
constexpr std::uint64_t kEvents = 2 * kQuadrants * kCosines.size();

using Counts = std::array<std::array<std::uint64_t, kCosines.size()>, kQuadrants>;

Counts count(const std::string& paid, bool moved, std::uint64_t n, Ledger& ledger, exact::RandomBits& bits) {
  const Int128 first = kFirst - (moved ? 1 : 0);
  const Int128 second = kSecond + (moved ? 1 : 0);
  Counts counts{};
  for (std::uint64_t done = 0; done < n;) {
    BoxSensitivity box{Relation::ReplaceOne, {}, kStretchesPerGrant, 1, 2};
    std::vector<Int128> values;
    for (std::size_t stretch = 0; stretch < kStretchesPerGrant; ++stretch) {
      box.most.insert(box.most.end(), {1, 2, 1});
      values.insert(values.end(), {first + second, first - second, first + second});
    }
    auto grant = ledger.charge({.dataset = "patients",
                                .analyst = "auditor",
                                .statement = "corners",
                                .relation = Relation::ReplaceOne,
                                .loss = privacy::pure_loss(*privacy::Epsilon::parse(paid))});
    const auto released = release_eigen(Vault::trusted_seal(std::move(values), std::move(box)), {1}, *std::move(grant), bits);
    const NoisyEigen& noisy = released->value();
    for (std::size_t i = 0; i < kStretchesPerGrant && done < n; ++i, ++done) {
      const double large = noisy.eigenvalues[2 * i];
      const double small = noisy.eigenvalues[2 * i + 1];
      const std::size_t quadrant = (large < kFirst - 1 ? 0U : 2U) + (small > kSecond + 1 ? 0U : 1U);
      const double cosine = noisy.figures.value(3 * i + 1) / (large - small);
      for (std::size_t t = 0; t < kCosines.size(); ++t) counts[quadrant][t] += cosine < kCosines[t] ? 1 : 0;
    }
  }
  return counts;
}

test::ProvenEvents audit(const std::string& paid, std::uint64_t n, std::uint64_t stream) {
  Ledger ledger = *Ledger::open(":memory:", true);
  if (!ledger.create_budget("patients", plain_terms(privacy::budget_of(*privacy::Epsilon::parse("1000000")), Relation::ReplaceOne), {})
           .ok())
    std::abort();
  test::InsecureSeededBits bits(stream);
  const Counts before = count(paid, false, n, ledger, bits);
  const Counts after = count(paid, true, n, ledger, bits);
  std::vector<test::EventPair> pairs;
  for (std::size_t quadrant = 0; quadrant < kQuadrants; ++quadrant) {
    for (std::size_t t = 0; t < kCosines.size(); ++t) {
      const std::string name = fmt::format("quadrant {}, cosine below {}", quadrant, kCosines[t]);
      pairs.push_back({name, before[quadrant][t], after[quadrant][t]});
      pairs.push_back({"not " + name, n - before[quadrant][t], n - after[quadrant][t]});
    }
  }
  return {pairs, n, kFalseAlarm};
}

/// P[cos(2 angle) < cosine] for the density exp(strength cos^2 angle).
double beyond(double strength, double cosine) {
  constexpr int kSteps = 20'000;
  double inside = 0;
  double total = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double c = std::cos((i + 0.5) * std::numbers::pi / kSteps);
    const double density = std::exp(strength * c / 2);
    total += density;
    inside += c < cosine ? density : 0;
  }
  return inside / total;
}

/// The draws that prove more than kEpsilon of a release that was paid with `epsilon`, by its most telling event.
std::uint64_t draws(double epsilon) {
  const double step = epsilon / 2;
  const double likely = 0.25 * beyond(step / 2 * (kFirst - kSecond - 2), -0.5);
  const double unlikely = 0.25 * std::exp(-step) * beyond(step / 2 * (kFirst - kSecond), -0.5);
  return test::draws_to_accuse(likely, unlikely, kEpsilon, 0, kEvents, kFalseAlarm, kMiss);
}

TEST(EigenAudit, ReleaseKeepsTheEpsilonItWasGranted) {
  if (test::coarseness() > 1) GTEST_SKIP() << "minutes with sanitizers; tests/kernel/release_eigen_test.cc exercises the same code there";
  test::declare_false_alarm("EigenAudit.ReleaseKeepsTheEpsilonItWasGranted", kFalseAlarm + kMiss);
  const std::uint64_t n = draws(kPlanted);
  const test::ProvenEvents proven = audit("2", n, 900);
  std::printf("[ audit       ] n = %llu per neighbour, epsilon proven >= %.4f, claimed 2\n", static_cast<unsigned long long>(n),
              proven.epsilon(0));
  EXPECT_EQ(proven.delta(kEpsilon).delta, 0) << proven.delta(kEpsilon).event;
  EXPECT_GT(proven.epsilon(0), 0.8) << "the auditor proves too little to be of use";
}

TEST(EigenAudit, RejectsNoiseForTwiceTheEpsilonClaimed) {
  if (test::coarseness() > 1) GTEST_SKIP() << "minutes with sanitizers";
  test::declare_false_alarm("EigenAudit.RejectsNoiseForTwiceTheEpsilonClaimed", kMiss);
  EXPECT_GT(audit(fmt::format("{}", kPlanted), draws(kPlanted), 910).delta(kEpsilon).delta, 0);
}

// ---- Directions alone, without draws: the densities are known. ----

/// The largest |log f(u)/f'(u)| over the circle, of exp(s u'Cu) for C = diag(large, 0) + xx' and + yy', where x and y have these angles.
double largest_log_ratio(double s, double large, double x, double y) {
  constexpr int kSteps = 360;
  const auto form = [&](double angle, double person) {
    return s * (large * std::cos(angle) * std::cos(angle) + std::cos(angle - person) * std::cos(angle - person));
  };
  const auto log_total = [&](double person) {
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += std::exp(form(i * std::numbers::pi / kSteps, person) - s * (large + 1));
    return std::log(sum);
  };
  const double shift = log_total(x) - log_total(y);
  double largest = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double angle = i * std::numbers::pi / kSteps;
    largest = std::max(largest, std::abs(form(angle, x) - form(angle, y) - shift));
  }
  return largest;
}

double worst_log_ratio(double s) {
  double worst = 0;
  for (const double large : {0.0, 1.0, 5.0, 30.0, 300.0}) {
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y)
        worst = std::max(worst, largest_log_ratio(s, large, x * std::numbers::pi / 12, y * std::numbers::pi / 12));
    }
  }
  return worst;
}

TEST(EigenAudit, ADirectionLeaksTheEpsilonOfItsStepAndHardlyLess) {
  for (const char* paid : {"0.5", "2", "6"}) {
    const BoxSensitivity box{Relation::ReplaceOne, {1, 2, 1}, 1, 1, 2};
    const auto plan = plan_eigen(box, {1}, privacy::pure_loss(*privacy::Epsilon::parse(paid)));
    const double step = std::strtod(paid, nullptr) / 2;
    EXPECT_LE(worst_log_ratio(plan->concentration), step);
    EXPECT_GT(worst_log_ratio(plan->concentration), 0.95 * step) << "the neighbours are too kind to be of use";
    EXPECT_GT(worst_log_ratio(plan->concentration * 1.06), step) << "a concentration that is too large must be seen";
  }
}

}  // namespace
}  // namespace tacet::kernel
