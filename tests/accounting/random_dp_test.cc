#include "tacet/accounting/random_dp.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/gaussian_curve.h"
#include "tacet/numeric/weighted_chi2.h"

#include "support/eigenvalues.h"

namespace tacet::accounting::random_dp_test {
namespace {

using testing::HasSubstr;

// The covariance of six blood tests: Adjusted, section 4.
const std::vector<double>& blood_tests() {
  static const std::vector<double> values = test::eigenvalues({{1600, -160, -400, 840, 800, -40},
                                                               {-160, 400, 160, -175, -200, 0},
                                                               {-400, 160, 1600, 280, 600, 0},
                                                               {840, -175, 280, 1225, 700, -35},
                                                               {800, -200, 600, 700, 2500, -50},
                                                               {-40, 0, 0, -35, -50, 100}});
  return values;
}

TEST(RandomDp, AgreesWithIndependentValues) {
  struct Row {
    std::int64_t n;
    double epsilon, delta, gamma, sigma_g, sigma_fg, sigma_f;
  };
  // Independent values (numpy, scipy and mpmath): the noise of the three mechanisms in the examples
  // of Adjusted, section 4.
  const std::vector<Row> rows = {
      {50, 0.5, 0.02, 0.0001, 2.820903088031014, 23.78157017984197, 18.371242345825944},
      {50, 1.0, 0.02, 0.0001, 1.7404435940644774, 14.67277683232686, 11.334707381995425},
      {50, 2.0, 0.02, 0.0001, 1.063268748128906, 8.963867089567414, 6.924579555213824},
      {50, 2.946597595973204, 0.02, 0.0001, 0.8079597791409728, 6.811489650834616, 5.2618698498569705},
      {50, 0.5, 0.0004, 1e-06, 6.35957132138369, 53.61424585442326, 43.67896830323372},
      {50, 1.0, 0.0004, 1e-06, 3.497097558933714, 29.48221488941197, 24.018853741976283},
      {50, 1.938574100832183, 0.0004, 1e-06, 1.9869877081333733, 16.75126232728547, 13.647079140483527},
      {50, 2.0, 0.0004, 1e-06, 1.935267780096088, 16.31523845126724, 13.291855025016796},
      {50, 1.732606743010376, 0.0004, 1e-06, 2.1854615647832043, 18.42449242540856, 15.010242293395905},
      {100, 0.5, 0.0001, 1e-06, 5.15552067974536, 30.733349494193135, 25.03814008787957},
      {100, 1.0, 0.0001, 1e-06, 2.786655751381024, 16.611952593588757, 13.53358494979785},
      {100, 2.0, 0.0001, 1e-06, 1.5171028659789045, 9.043830001875708, 7.367914211912261},
      {100, 3.2547345728367807, 0.0001, 1e-06, 0.9982075057956249, 5.950564850582467, 4.847863275008369},
  };
  for (const Row& row : rows) {
    const RandomDp promise = *RandomDp::of(row.epsilon, row.delta, row.gamma);
    EXPECT_NEAR(calibrate_whitened_mean(promise, 6, row.n)->sigma / row.sigma_g, 1, 1e-9) << row.n << " " << row.epsilon;
    EXPECT_NEAR(calibrate_mean_on_whitened_set(promise, blood_tests(), row.n)->sigma / row.sigma_fg, 1, 1e-9)
        << row.n << " " << row.epsilon;
    EXPECT_NEAR(calibrate_mean(promise, blood_tests(), row.n)->sigma / row.sigma_f, 1, 1e-9) << row.n << " " << row.epsilon;
  }
}

// Lemma 3.2: the three have the same ratio of sensitivity and noise, and D(f) <= D(fg).
TEST(RandomDp, TheThreeMechanismsKeepTheSamePromise) {
  for (const double gamma : {0.3, 1e-4, 1e-20}) {
    const RandomDp promise = *RandomDp::of(0.7, 1e-5, gamma);
    const RandomDpNoise g = *calibrate_whitened_mean(promise, 6, 80);
    const RandomDpNoise fg = *calibrate_mean_on_whitened_set(promise, blood_tests(), 80);
    const RandomDpNoise f = *calibrate_mean(promise, blood_tests(), 80);
    EXPECT_NEAR(fg.sensitivity / fg.sigma, g.sensitivity / g.sigma, 1e-14);
    EXPECT_NEAR(f.sensitivity / f.sigma, g.sensitivity / g.sigma, 1e-14);
    EXPECT_LE(f.sensitivity, fg.sensitivity);
    EXPECT_TRUE(gaussian_delta_is_at_most(0.7, g.sensitivity / g.sigma, 1e-5));
    EXPECT_EQ(f.promise.gamma(), gamma);
  }
}

TEST(RandomDp, IsMonotoneInGammaAndRows) {
  const auto sigma = [](double gamma, std::int64_t n) { return calibrate_mean(*RandomDp::of(1, 1e-6, gamma), blood_tests(), n)->sigma; };
  EXPECT_GT(sigma(1e-6, 100), sigma(1e-5, 100));
  EXPECT_GT(sigma(1e-6, 100), sigma(1e-6, 101));
}

template <class T>
std::string message(const T& result) {
  return result.ok() ? "accepted" : result.error().message();
}

TEST(RandomDp, RefusesWhatMakesNoSenseAndSaysWhy) {
  EXPECT_EQ(message(RandomDp::of(1, 0.1, 0)), "gamma is 0, but must be a finite number, at least 1e-300 and less than 1");
  EXPECT_THAT(message(RandomDp::of(1, 0.1, std::nan(""))), HasSubstr("gamma is nan"));
  EXPECT_THAT(message(RandomDp::of(1, 1, 0.1)), HasSubstr("delta is 1"));
  EXPECT_THAT(message(RandomDp::of(-1, 0.1, 0.1)), HasSubstr("epsilon is -1"));
  const RandomDp promise = *RandomDp::of(1, 0.1, 0.1);
  EXPECT_EQ(message(calibrate_whitened_mean(promise, 0, 5)), "number of coordinates is 0, but must be between 1 and 1000000");
  EXPECT_THAT(message(calibrate_whitened_mean(promise, 1, 0)), HasSubstr("n is 0"));
  const std::vector<double> wrong = {1, -1};
  EXPECT_THAT(message(calibrate_mean(promise, wrong, 5)), HasSubstr("eigenvalue is -1"));
  EXPECT_THAT(message(calibrate_mean_on_whitened_set(promise, wrong, 5)), HasSubstr("eigenvalue is -1"));
  EXPECT_THAT(message(calibrate_mean(promise, {}, 5)), HasSubstr("number of eigenvalues is 0"));
}

}  // namespace
}  // namespace tacet::accounting::random_dp_test
