#include "tacet/accounting/privacy_loss.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/accounting/loss_lattice.h"

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::accounting {
namespace {

using Terms = std::vector<PrivacyLossTerm>;

void expect_encloses(const LongBounds& bounds, long double exact, long double error, const char* what) {
  EXPECT_LE(bounds.lower, exact + error) << what;
  EXPECT_GE(bounds.upper, exact - error) << what;
  EXPECT_LE(bounds.lower, bounds.upper) << what;
}

/// delta of one Laplace mechanism at any e, negative ones too.
long double laplace_delta(long double epsilon, long double e) {
  if (e >= epsilon) return 0;
  if (e <= -epsilon) return -std::expm1(e);
  return -std::expm1((e - epsilon) / 2);
}

/// delta of a Laplace mechanism with something else: the average of the other's delta at e - loss.
template <class Other>
long double with_laplace(long double epsilon, long double e, const Other& other, std::vector<long double> kinks) {
  const auto inside = [&](long double x) { return std::exp(-(epsilon - x) / 2) / 4 * other(e - x); };
  kinks.push_back(-epsilon);
  kinks.push_back(epsilon);
  std::sort(kinks.begin(), kinks.end());
  long double sum = other(e - epsilon) / 2 + std::exp(-epsilon) * other(e + epsilon) / 2;
  for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
    const long double from = std::clamp(kinks[i], -epsilon, epsilon);
    const long double to = std::clamp(kinks[i + 1], -epsilon, epsilon);
    if (to > from) sum += boost::math::quadrature::gauss_kronrod<long double, 61>::integrate(inside, from, to, 8, 1e-17L);
  }
  return sum;
}

/// The Gaussian's delta at any e: below 0 by the symmetry delta(-e) = 1 - e^-e + e^-e delta(e).
long double gaussian_anywhere(long double mu, long double e) {
  const LongBounds bounds = gaussian_loss_delta(mu, std::abs(e));
  const long double middle = (bounds.lower + bounds.upper) / 2;
  return e >= 0 ? middle : -std::expm1(e) + std::exp(e) * middle;
}

/// Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu) with 600 bits.
long double referee(double mu, double e) {
  mpfr_t near;
  mpfr_t far;
  mpfr_t help;
  mpfr_inits2(600, near, far, help, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(near, e, MPFR_RNDN);
  mpfr_div_d(near, near, mu, MPFR_RNDN);
  mpfr_set_d(help, mu, MPFR_RNDN);
  mpfr_div_ui(help, help, 2, MPFR_RNDN);
  mpfr_add(far, near, help, MPFR_RNDN);
  mpfr_sub(near, near, help, MPFR_RNDN);
  mpfr_sqrt_ui(help, 2, MPFR_RNDN);
  mpfr_div(near, near, help, MPFR_RNDN);
  mpfr_div(far, far, help, MPFR_RNDN);
  mpfr_erfc(near, near, MPFR_RNDN);
  mpfr_erfc(far, far, MPFR_RNDN);
  mpfr_set_d(help, e, MPFR_RNDN);
  mpfr_exp(help, help, MPFR_RNDN);
  mpfr_mul(far, far, help, MPFR_RNDN);
  mpfr_sub(near, near, far, MPFR_RNDN);
  mpfr_div_ui(near, near, 2, MPFR_RNDN);
  const long double result = mpfr_get_ld(near, MPFR_RNDN);
  mpfr_clears(near, far, help, static_cast<mpfr_ptr>(nullptr));
  return result;
}

TEST(GaussianDelta, EnclosesTheClosedFormInManyDigitsNarrowly) {
  for (const double mu : {1e-6, 0.01, 0.3, 1.0, 5.0, 40.0}) {
    for (const double z : {0.0, 1.0, 5.0, 20.0, 35.0}) {
      const LongBounds bounds = gaussian_loss_delta(mu, z * mu);
      const long double exact = referee(mu, z * mu);
      EXPECT_LE(bounds.lower, exact) << mu << " " << z;
      EXPECT_GE(bounds.upper, exact) << mu << " " << z;
      EXPECT_LE(bounds.upper - bounds.lower, (1e-12L + 1e-16L * static_cast<long double>(std::pow(1 + z, 3) / mu)) * exact)
          << mu << " " << z;
    }
  }
  EXPECT_GE(gaussian_loss_delta(1e3L, 1e6L).upper, 0);  // far beyond what erfc can say
  EXPECT_LE(gaussian_loss_delta(1e-3L, 1e3L).upper, 1e-300L);
}

TEST(ComposedEpsilon, OfGaussiansIsTheClosedFormOfTheRootOfTheSumOfSquares) {
  const LongBounds composed = composed_epsilon({{LossKind::Gaussian, 0.01L, 9000}, {LossKind::Gaussian, 0.1L, 10}}, 1e-6L);
  const LongBounds one = composed_epsilon({{LossKind::Gaussian, 1, 1}}, 1e-6L);
  EXPECT_NEAR(static_cast<double>(composed.upper), static_cast<double>(one.upper), 1e-13);
  EXPECT_NEAR(static_cast<double>(one.upper), 4.88655411746221, 1e-12);
  EXPECT_LT(one.upper - one.lower, 1e-13L);
}

// The transform itself, made to work on Gaussians by a response too small to matter: the exact
// curve of Gaussian differential privacy.
TEST(ComposedEpsilon, ByTransformEnclosesTheGaussianCurve) {
  for (const long double delta : {1e-3L, 1e-12L, 1e-100L}) {
    const LongBounds exact = composed_epsilon({{LossKind::Gaussian, 1, 1}}, delta);
    const LongBounds found = composed_epsilon({{LossKind::Gaussian, 0.01L, 10000}, {LossKind::Response, 1e-12L, 1}}, delta);
    expect_encloses(found, exact.upper, 1e-11L, "Gaussian");
    std::printf("delta %.0Le: epsilon within %.2Le\n", delta, found.upper - found.lower);
    EXPECT_LT(found.upper - found.lower, 2e-4L);
  }
}

TEST(ComposedDelta, OfOneLaplaceIsItsClosedForm) {
  for (const long double epsilon : {0.01L, 1.0L, 8.0L}) {
    for (const long double part : {0.1L, 0.5L, 0.99L}) {
      const LongBounds bounds = composed_delta({{LossKind::Laplace, epsilon, 1}}, part * epsilon);
      const long double exact = laplace_delta(epsilon, part * epsilon);
      expect_encloses(bounds, exact, 1e-16L * exact, "one");
      EXPECT_LT(bounds.upper - bounds.lower, 1e-5L * exact) << static_cast<double>(epsilon) << " " << static_cast<double>(part);
    }
  }
}

TEST(ComposedDelta, OfTwoLaplacesIsTheirConvolution) {
  for (const long double epsilon : {0.3L, 2.0L}) {
    for (const long double other : {0.3L, 1.1L}) {
      const long double e = 0.6L * (epsilon + other);
      const auto one = [&](long double x) { return laplace_delta(other, x); };
      const long double exact = with_laplace(epsilon, e, one, {e - other, e + other});
      const LongBounds bounds = composed_delta({{LossKind::Laplace, epsilon, 1}, {LossKind::Laplace, other, 1}}, e);
      expect_encloses(bounds, exact, 1e-13L * exact, "two");
      EXPECT_LT(bounds.upper - bounds.lower, 2e-3L * exact);
    }
  }
}

TEST(ComposedDelta, OfMixturesWithAGaussianIsAnIntegralOfItsCurve) {
  for (const long double mu : {0.05L, 0.7L}) {
    const auto curve = [&](long double x) { return gaussian_anywhere(mu, x); };
    const long double e = 1.2L;
    const LongBounds laplace = composed_delta({{LossKind::Gaussian, mu, 1}, {LossKind::Laplace, 1.0L, 1}}, e);
    const long double integral = with_laplace(1.0L, e, curve, {e - mu, e, e + mu});
    expect_encloses(laplace, integral, 1e-11L * integral, "Laplace");
    // Three responses and a Gaussian: a sum of four terms.
    const long double up = 1 / (1 + std::exp(-0.5L));
    const long double exact = up * up * up * curve(e - 1.5L) + 3 * up * up * (1 - up) * curve(e - 0.5L) +
                              3 * up * (1 - up) * (1 - up) * curve(e + 0.5L) + (1 - up) * (1 - up) * (1 - up) * curve(e + 1.5L);
    const LongBounds response = composed_delta({{LossKind::Response, 0.5L, 3}, {LossKind::Gaussian, mu, 1}}, e);
    expect_encloses(response, exact, 1e-11L * exact, "response");
    EXPECT_LT(response.upper - response.lower, 5e-3L * exact) << static_cast<double>(mu);
  }
}

TEST(ComposedEpsilon, OfResponsesEnclosesKairouzOhAndViswanath) {
  for (const long double delta : {1e-2L, 1e-6L, 1e-12L}) {
    // Two epsilons that differ a little: between all of the one and all of the other.
    const LongBounds found = composed_epsilon({{LossKind::Response, 0.01L, 5000}, {LossKind::Response, 0.0100001L, 5000}}, delta);
    EXPECT_GE(found.upper, EqualResponses(0.01L, 10000).epsilon(delta).lower);
    EXPECT_LE(found.lower, EqualResponses(0.0100001L, 10000).epsilon(delta).upper);
    EXPECT_LT(found.upper - found.lower, 2e-4L);
  }
}

// Ten thousand Laplace mechanisms: between one epsilon-DP bound and the Gaussian limit from below;
// narrow for every delta.
TEST(ComposedEpsilon, OfManyLaplacesIsNarrowAtEveryDelta) {
  for (const long double delta : {0.5L, 0.1L, 1e-6L, 1e-12L, 1e-100L, 1e-280L}) {
    const LongBounds found = composed_epsilon({{LossKind::Laplace, 0.01L, 10000}}, delta);
    std::printf("delta %.0Le: epsilon %.12Lf within %.2Le\n", delta, found.upper, found.upper - found.lower);
    EXPECT_LE(found.lower, EqualResponses(0.01L, 10000).epsilon(delta).upper);
    EXPECT_LT(found.upper - found.lower, 5e-6L);
    const LongBounds mass = composed_delta({{LossKind::Laplace, 0.01L, 10000}}, std::max(1e-3L, found.upper));
    if (found.lower > 0) expect_encloses(mass, delta, 1e-3L * delta, "back");
  }
}

/// Convolved directly, without transform or tilt: sums of products, coarse cells.
long double direct_delta(long double epsilon, int n, std::size_t m, Side side, long double e) {
  long double scale = 0;
  const std::vector<double> one = LaplaceStep(epsilon, m, side).tilted(0, scale);
  std::vector<long double> law = {1};
  for (int i = 0; i < n; ++i) {
    std::vector<long double> next(law.size() + one.size() - 1);
    for (std::size_t a = 0; a < law.size(); ++a) {
      for (std::size_t b = 0; b < one.size(); ++b) next[a + b] += law[a] * one[b];
    }
    law.swap(next);
  }
  long double sum = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    const long double loss =
        (static_cast<long double>(i) - static_cast<long double>(n) * static_cast<long double>(m)) * epsilon / static_cast<long double>(m);
    if (loss > e) sum -= law[i] * std::expm1(e - loss);
  }
  return sum * std::exp(scale * n);
}

TEST(ComposedDelta, OfSeveralLaplacesLiesBetweenDirectConvolutions) {
  for (const long double epsilon : {0.2L, 1.5L}) {
    for (const long double part : {0.2L, 0.6L}) {
      const long double e = part * 8 * epsilon;
      const LongBounds bounds = composed_delta({{LossKind::Laplace, epsilon, 8}}, e);
      const long double upper = direct_delta(epsilon, 8, 100, Side::Upper, e);
      const long double lower = direct_delta(epsilon, 8, 100, Side::Lower, e);
      EXPECT_LE(bounds.lower, upper * (1 + 1e-12L));
      EXPECT_GE(bounds.upper, lower * (1 - 1e-12L));
      EXPECT_LT(bounds.upper - bounds.lower, upper - lower);
      EXPECT_LT((upper - lower) / upper, 1e-2L);
    }
  }
}

TEST(ComposedEpsilon, GrowsWithEveryArgumentAndForgetsTheOrder) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<long double>(stream.next() >> 11) * 0x1p-53L; };
  for (int round = 0; round < 2; ++round) {
    Terms terms = {{LossKind::Gaussian, std::exp(-3 * uniform() - 1), 1 + stream.next() % 20},
                   {LossKind::Laplace, std::exp(-3 * uniform() - 1), 1 + stream.next() % 50},
                   {LossKind::Response, std::exp(-3 * uniform() - 1), 1 + stream.next() % 50}};
    const long double delta = std::exp(-25 * uniform() - 3);
    const LongBounds here = composed_epsilon(terms, delta);
    std::rotate(terms.begin(), terms.begin() + 1, terms.end());
    const LongBounds again = composed_epsilon(terms, delta);
    EXPECT_EQ(here.upper, again.upper);
    EXPECT_EQ(here.lower, again.lower);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      Terms more = terms;
      more[i].parameter *= 1.05L;
      EXPECT_GE(composed_epsilon(more, delta).upper, here.lower);
    }
    EXPECT_LE(composed_epsilon(terms, delta * 1.5L).lower, here.upper);
    EXPECT_LT(here.upper - here.lower, 1e-3L * here.upper);
  }
}

TEST(ComposedEpsilon, HandlesALargeLossAmongSmallOnes) {
  const LongBounds found = composed_epsilon({{LossKind::Response, 5, 1}, {LossKind::Laplace, 0.1L, 100}}, 1e-6L);
  const LongBounds small = composed_epsilon({{LossKind::Laplace, 0.1L, 100}}, 1e-6L);
  EXPECT_LE(found.lower, small.upper + 5);
  EXPECT_GE(found.upper, small.lower);
  EXPECT_LT(found.upper - found.lower, 1e-3L);
  // More than that sum is never possible.
  EXPECT_LE(found.upper, 15.0L);
  EXPECT_EQ(composed_delta({{LossKind::Response, 5, 1}, {LossKind::Laplace, 0.1L, 100}}, 15.0001L).upper, 0);
}

TEST(LaplaceStep, IsALawOnBothSidesWithTheMeanOfTheOther) {
  for (const Side side : {Side::Upper, Side::Lower}) {
    for (const std::size_t m : {1U, 2U, 7U, 100U}) {
      const LaplaceStep step(0.7L, m, side);
      EXPECT_NEAR(static_cast<double>(step.log_mgf(0)), 0, 1e-17);   // one neighbour's probabilities sum up to 1
      EXPECT_NEAR(static_cast<double>(step.log_mgf(-1)), 0, 1e-17);  // and so do the other's
      const PrivacyLossTerm term{LossKind::Laplace, 0.7L, 1};
      const long double exact = log_mgf(term, 3);
      EXPECT_TRUE(side == Side::Upper ? step.log_mgf(3) >= exact : step.log_mgf(3) <= exact) << m;
    }
  }
  EXPECT_NEAR(static_cast<double>(log_mgf(PrivacyLossTerm{LossKind::Laplace, 0.7L, 5}, 0)), 0, 1e-18);
  EXPECT_NEAR(static_cast<double>(log_mgf(PrivacyLossTerm{LossKind::Laplace, 0.7L, 5}, -1)), 0, 1e-18);
}

}  // namespace
}  // namespace tacet::accounting
