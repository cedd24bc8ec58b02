#include "tacet/eigen/bingham.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::eigen {
namespace {

constexpr double kFalseAlarm = 1e-10;
constexpr double kMiss = 1e-10;
constexpr int kBins = 8;  // of |u_i|, equally wide

/// By Simpson's rule with 256 steps.
template <class Function>
double integral(const Function& function, double from, double to) {
  constexpr int kSteps = 256;
  const double width = (to - from) / kSteps;
  double sum = function(from) + function(to);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 0 ? 2 : 4) * function(from + i * width);
  return sum * width / 3;
}

/// A law on the sphere in three dimensions, exp(-u'Au) (u'Omega u)^power: power 0 is what is
/// wanted, -3 what the misprint draws.
struct Sphere {
  std::array<double, 3> a;
  double b;
  double power;

  double density(std::size_t axis, double c, double angle) const {
    const double rest = 1 - c * c;
    const std::array<double, 3> square = {c * c, rest * std::cos(angle) * std::cos(angle), rest * std::sin(angle) * std::sin(angle)};
    double form = 0;
    double omega = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      form += a[(axis + i) % 3] * square[i];
      omega += (1 + 2 * a[(axis + i) % 3] / b) * square[i];
    }
    return std::exp(-form) * std::pow(omega, power);
  }
  /// The mean of the density over {from <= |u_axis| <= to} and the uniform law, times that set's
  /// probability.
  double mass(std::size_t axis, double from, double to) const {
    constexpr int kAngles = 64;  // a quarter turn; periodic, so that equal steps are as good as any
    return integral(
        [&](double c) {
          double sum = 0;
          for (int i = 0; i < kAngles; ++i) sum += density(axis, c, (i + 0.5) * std::numbers::pi / 2 / kAngles);
          return sum / kAngles;
        },
        from, to);
  }
  double total() const {
    constexpr int kPanels = 32;  // the steepest law here falls by e within a fiftieth
    double sum = 0;
    for (int i = 0; i < kPanels; ++i) sum += mass(0, static_cast<double>(i) / kPanels, static_cast<double>(i + 1) / kPanels);
    return sum;
  }
};

std::vector<test::Event> bins_of(const Sphere& law) {
  const double total = law.total();
  std::vector<test::Event> events;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (int bin = 0; bin < kBins; ++bin) {
      const double from = static_cast<double>(bin) / kBins;
      events.push_back({fmt::format("|u_{}| in bin {}", axis, bin), law.mass(axis, from, from + 1.0 / kBins) / total});
    }
  }
  return events;
}

void count(const std::vector<double>& u, std::vector<test::Event>& events) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto bin = static_cast<std::size_t>(std::min<double>(kBins - 1, std::floor(std::abs(u[axis]) * kBins)));
    ++events[axis * kBins + bin].count;
  }
}

struct Referee {
  std::array<double, 3> a;
  double b, bound, acceptance, form;
};
// Computed independently of this project: b, M, the probability to accept, E[u'Au].
constexpr std::array<Referee, 3> kReferee = {{{{0, 1, 1}, 2, 1.1142679722, 0.965799, 0.570769},
                                              {{0, 1, 4}, 1.6146270042, 1.2669038060, 0.861897, 0.863494},
                                              {{0, 30, 50}, 1.0269940623, 1.8616463677, 0.537583, 1.014369}}};

BinghamDirection direction_of(const Referee& row) { return *BinghamDirection::of({row.a.begin(), row.a.end()}); }

TEST(BinghamDirection, HasTheBoundsThatOthersComputed) {
  for (const Referee& row : kReferee) {
    const BinghamDirection law = direction_of(row);
    EXPECT_NEAR(law.b(), row.b, 1e-9);
    EXPECT_NEAR(std::exp(law.log_bound()), row.bound, 1e-9);
    // A proposal has density sqrt(det Omega) (u'Omega u)^(-3/2), so this is the mean probability to
    // accept it.
    double determinant = 1;
    for (const double value : row.a) determinant *= 1 + 2 * value / law.b();
    const double acceptance = std::sqrt(determinant) * Sphere{row.a, row.b, 0}.total() / std::exp(law.log_bound());
    EXPECT_NEAR(acceptance, row.acceptance, 1e-6);
  }
  std::vector<double> spike(30, 100);
  spike[0] = 0;
  EXPECT_NEAR(BinghamDirection::of(spike)->b(), 1.1684396981, 1e-9);
  EXPECT_NEAR(BinghamDirection::of(spike)->log_bound(), 34.2671415631, 1e-9);
}

TEST(BinghamDirection, SolvesForBOverManyDimensionsAndConcentrations) {
  for (const std::size_t q : {1U, 2U, 7U, 64U, 1000U}) {
    for (const double kappa : {0.0, 1e-9, 1.0, 1e3, 1e12, 1e200}) {
      std::vector<double> a(q);
      for (std::size_t i = 0; i < q; ++i) a[i] = kappa * static_cast<double>(i);
      const double b = BinghamDirection::of(a)->b();
      double sum = 0;
      for (const double value : a) sum += 1 / (b + 2 * value);
      EXPECT_NEAR(sum, 1, 1e-13) << q << " " << kappa;
    }
  }
}

TEST(BinghamDirection, NeverAcceptsWithMoreThanProbabilityOneAndReachesIt) {
  for (const Referee& row : kReferee) {
    const BinghamDirection law = direction_of(row);
    test::InsecureSeededBits bits(700);
    for (int i = 0; i < 10'000; ++i) EXPECT_LE(law.log_acceptance(law.propose(bits)), 1e-12);
  }
  // The largest ratio is where u'Au = (q - b)/2.
  const BinghamDirection law = *BinghamDirection::of({0, 4});
  const double square = (2 - law.b()) / 2 / 4;
  EXPECT_NEAR(law.log_acceptance(std::vector<double>{std::sqrt(1 - square), std::sqrt(square)}), 0, 1e-12);
}

TEST(BinghamDirection, ShiftsItsEigenvaluesAndKeepsTheirOrder) {
  const BinghamDirection law = *BinghamDirection::of({-3, 1, -2});
  EXPECT_DOUBLE_EQ(law.b(), direction_of(kReferee[1]).b());
  test::InsecureSeededBits bits(701);
  double largest = 0;
  const BinghamDirection sharp = *BinghamDirection::of({1e12, 0, 1e12});
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> u = sharp.draw(bits);
    EXPECT_NEAR(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 1e-14);
    largest = std::max(largest, std::hypot(u[0], u[2]));
  }
  EXPECT_LT(largest, 1e-4);
}

/// Sees a probability of any bin, or of acceptance, that is wrong by .6 per cent of all draws.
TEST(BinghamDirection, DrawsTheLawThatQuadratureHas) {
  const auto n = static_cast<std::uint64_t>(test::draws_to_tell(0.5, 0.5 + 0.006 * test::coarseness(), 3 * kBins, kFalseAlarm, kMiss));
  for (std::size_t at = 0; at < kReferee.size(); ++at) {
    const Referee& row = kReferee[at];
    test::declare_false_alarm(fmt::format("BinghamDirection.DrawsTheLawThatQuadratureHas/{}", at), 3 * kFalseAlarm);
    const BinghamDirection law = direction_of(row);
    std::vector<test::Event> events = bins_of({row.a, row.b, 0});
    test::InsecureSeededBits bits(710 + at);
    double form = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::vector<double> u = law.draw(bits);
      count(u, events);
      for (std::size_t j = 0; j < 3; ++j) form += row.a[j] * u[j] * u[j];
    }
    const test::Verdict verdict = test::judge(events, n, kFalseAlarm);
    EXPECT_FALSE(verdict.red) << verdict.worst;
    // Hoeffding: u'Au lies between 0 and the largest eigenvalue.
    EXPECT_NEAR(form / static_cast<double>(n), row.form, row.a[2] * std::sqrt(std::log(2 / kFalseAlarm) / 2 / static_cast<double>(n)));
    std::vector<test::Event> accepted = {{"accepted", row.acceptance}};
    for (std::uint64_t i = 0; i < n; ++i) {
      const double log_acceptance = law.log_acceptance(law.propose(bits));
      if (std::ldexp(static_cast<double>(bits.word() >> 11U), -53) < std::exp(log_acceptance)) ++accepted[0].count;
    }
    EXPECT_FALSE(test::judge(accepted, n, kFalseAlarm).red) << accepted[0].count;
  }
}

/// The print divides by (u'Omega u)^(q/2). Its law is known too, so the draws that tell the two
/// apart are.
TEST(BinghamDirection, TheMisprintHasAnotherLaw) {
  const Referee& row = kReferee[1];
  const BinghamDirection law = direction_of(row);
  std::vector<test::Event> events = bins_of({row.a, row.b, 0});
  const std::vector<test::Event> misprinted = bins_of({row.a, row.b, -3});
  std::uint64_t n = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (std::abs(events[i].probability - misprinted[i].probability) < 0.01) continue;
    n = std::min(n, test::draws_to_tell(events[i].probability, misprinted[i].probability, events.size(), kFalseAlarm, kMiss));
  }
  ASSERT_LT(n, 1'000'000U);
  test::declare_false_alarm("BinghamDirection.TheMisprintHasAnotherLaw", kMiss);
  test::InsecureSeededBits bits(720);
  for (std::uint64_t done = 0; done < n;) {
    const std::vector<double> u = law.propose(bits);
    double omega = 0;
    for (std::size_t i = 0; i < 3; ++i) omega += (1 + 2 * row.a[i] / law.b()) * u[i] * u[i];
    // As u'Omega u >= 1, the printed probability exp(-u'Au) / (M (u'Omega u)^(q/2)) is one.
    if (std::ldexp(static_cast<double>(bits.word() >> 11U), -53) >= std::exp(law.log_acceptance(u) - 3 * std::log(omega))) continue;
    count(u, events);
    ++done;
  }
  EXPECT_TRUE(test::judge(events, n, kFalseAlarm).red);
}

/// One eigenvalue 0 and 29 of 100: the law of |u_0| and the probability to accept are integrals
/// over one variable.
TEST(BinghamDirection, DrawsTheLawOfASpikeInThirtyDimensions) {
  constexpr double kKappa = 100;
  std::vector<double> spike(30, kKappa);
  spike[0] = 0;
  const BinghamDirection law = *BinghamDirection::of(spike);
  const auto area = [](double from, double to) { return integral([](double c) { return std::pow(1 - c * c, 13.5); }, from, to); };
  const auto mass = [](double from, double to) {
    return integral([](double c) { return std::pow(1 - c * c, 13.5) * std::exp(-kKappa * (1 - c * c)); }, from, to);
  };
  double total = 0;
  double whole = 0;
  double form = 0;
  std::vector<test::Event> events;
  constexpr int kPieces = 32;
  for (int i = 0; i < kPieces; ++i) {
    const double from = static_cast<double>(i) / kPieces;
    const double to = static_cast<double>(i + 1) / kPieces;
    events.push_back({fmt::format("|u_0| in piece {}", i), mass(from, to)});
    total += events.back().probability;
    whole += area(from, to);
    form += integral([](double c) { return kKappa * std::pow(1 - c * c, 14.5) * std::exp(-kKappa * (1 - c * c)); }, from, to);
  }
  for (test::Event& event : events) event.probability /= total;
  form /= total;
  const double acceptance = std::exp(14.5 * std::log(1 + 2 * kKappa / law.b()) - law.log_bound()) * total / whole;
  events.push_back({"accepted", acceptance});
  EXPECT_GT(acceptance, 0.1);

  const std::uint64_t n = test::draws_to_tell(0.5, 0.5 + 0.01 * test::coarseness(), events.size(), kFalseAlarm, kMiss);
  test::declare_false_alarm("BinghamDirection.DrawsTheLawOfASpikeInThirtyDimensions", 2 * kFalseAlarm);
  test::InsecureSeededBits bits(730);
  double drawn_form = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::vector<double> u = law.draw(bits);
    ++events[static_cast<std::size_t>(std::min<double>(kPieces - 1, std::floor(std::abs(u[0]) * kPieces)))].count;
    drawn_form += kKappa * (1 - u[0] * u[0]);
    if (std::ldexp(static_cast<double>(bits.word() >> 11U), -53) < std::exp(law.log_acceptance(law.propose(bits)))) ++events.back().count;
  }
  const test::Verdict verdict = test::judge(events, n, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
  EXPECT_NEAR(drawn_form / static_cast<double>(n), form, kKappa * std::sqrt(std::log(2 / kFalseAlarm) / 2 / static_cast<double>(n)));
  std::printf("[ spike       ] acceptance %.6f, E[u'Au] %.6f\n", acceptance, form);
}

TEST(BinghamDirection, RefusesWhatIsNoListOfEigenvaluesAndQuotesNone) {
  EXPECT_EQ(BinghamDirection::of({}).error().message(), "eigenvalues is a list of 0, but must be 1 to 4096");
  EXPECT_EQ(BinghamDirection::of({0, std::numeric_limits<double>::infinity()}).error().message(),
            "eigenvalues is not finite, but must be finite, and no further apart than half the largest double");
  EXPECT_FALSE(BinghamDirection::of({0, std::nan("")}).ok());
  EXPECT_FALSE(BinghamDirection::of({-1e308, 1e308}).ok());
  EXPECT_FALSE(BinghamDirection::of(std::vector<double>(4097)).ok());
}

TEST(BinghamDirection, PassesOnThatTheBitsFailed) {
  test::FailingBits bits(5);
  const BinghamDirection law = *BinghamDirection::of(std::vector<double>(10));
  EXPECT_THROW((void)law.draw(bits), exact::EntropyFailure);
}

}  // namespace
}  // namespace tacet::eigen
