#include "tacet/accounting/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/numeric/ball.h"
#include "tacet/privacy/parameters.h"

#include "support/allocations.h"
#include "support/big.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::calibration_test {
namespace {

using test::Big;
using testing::HasSubstr;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }
double log_uniform(test::InsecureStream& stream, double from, double to) { return from * std::exp(std::log(to / from) * uniform(stream)); }

/// The two sides of one calibration, by MPFR at the exact values of the doubles: it is private, and
/// a part in 10^12 less would not be.
void expect_safe_and_tight(double epsilon, double delta, double l2) {
  const Result<GaussianScale> scale = calibrate_gaussian(ForEpsilonDelta{epsilon, delta}, L2{l2});
  ASSERT_TRUE(scale.ok()) << epsilon << " " << delta << " " << scale.error().message();
  const Big mu = Big(l2) / Big(scale->sigma);
  ASSERT_LE(test::gaussian_delta(Big(epsilon), mu), Big(delta)) << "epsilon " << epsilon << ", delta " << delta;
  ASSERT_GT(test::gaussian_delta(Big(epsilon), mu / (Big(1) - Big(1e-12))), Big(delta)) << "epsilon " << epsilon << ", delta " << delta;
  ASSERT_GE(Big(scale->mu), mu);
  ASSERT_LE(Big(scale->mu), mu * Big(1 + 1e-15));
  ASSERT_GE(Big(scale->rho), mu * mu / 2);
  ASSERT_LE(Big(scale->rho), mu * mu / 2 * Big(1 + 1e-15));
}

TEST(CalibrateGaussian, IsSafeAndTightAtTheCornersOfTheBox) {
  for (const double epsilon : {1e-6, 1e-3, 1.0, 709.0, 711.0, 1e4}) {
    for (const double delta : {1e-300, 1e-100, 1e-16, 1e-6, 0.25, 0.4999999, 0.5, 0.5000001, 0.75, 1 - 1e-6})
      expect_safe_and_tight(epsilon, delta, 1);
  }
}

TEST(CalibrateGaussian, IsSafeAndTightOverTheWholeBox) {
  test::InsecureStream stream(41);
  const int rounds = static_cast<int>(8000 / test::coarseness());
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const double epsilon = log_uniform(stream, 1e-6, 1e4);
    const double delta = i % 4 == 0   ? 1e-9 + (1 - 1e-6 - 1e-9) * uniform(stream)
                         : i % 4 == 1 ? 1 - log_uniform(stream, 1e-6, 0.5)
                                      : log_uniform(stream, 1e-300, 1);
    expect_safe_and_tight(epsilon, std::min(delta, 1 - 1e-6), log_uniform(stream, 1e-9, 1e9));
  }
}

TEST(CalibrateGaussian, IsSafeAndTightBeyondTheBox) {
  test::InsecureStream stream(42);
  for (int i = 0; i < 1000 && !HasFatalFailure(); ++i) {
    const double epsilon = log_uniform(stream, 1e-25, 1e6);
    expect_safe_and_tight(epsilon, i % 2 == 0 ? log_uniform(stream, 1e-300, 1) : 1 - log_uniform(stream, 0x1p-53, 1e-3),
                          log_uniform(stream, 1e-50, 1e50));
  }
  for (const double epsilon : {1e-25, 1e6}) {
    for (const double delta : {1e-300, 1 - 0x1p-53}) expect_safe_and_tight(epsilon, delta, 1);
  }
}

// Small delta with tiny epsilon: where the curve turns from a tail into a total variation.
TEST(CalibrateGaussian, IsSafeAndTightWhereDeltaIsNearEpsilon) {
  test::InsecureStream stream(43);
  for (int i = 0; i < 1500 && !HasFatalFailure(); ++i) {
    const double epsilon = log_uniform(stream, 1e-6, 1e-1);
    expect_safe_and_tight(epsilon, epsilon * log_uniform(stream, 1e-3, 1e1), 1);
  }
}

TEST(CalibrateGaussian, AgreesWithIndependentValues) {
  struct Row {
    double epsilon, delta, l2, sigma, mu;
  };
  // Independent values (numpy, scipy and mpmath on the same formula).
  const std::vector<Row> rows = {
      {17.49053197081822, 0.0004423463774205995, 0.23970171196785345, 0.06727811988234471, 3.562847956914393},
      {0.20509880030550173, 4.61511477936129e-06, 0.3766421302051403, 6.342796759799613, 0.05938108132240382},
      {0.0036422014155473264, 3.2920094527457884e-12, 38.219115459211125, 56974.32028584703, 0.0006708130130813534},
      {0.07294979120937485, 6.2199333393878856e-09, 0.3161481239368861, 20.029575435185585, 0.015784065167028682},
      {0.007852992001623076, 1.0175675366174583e-11, 3.6089853066338455, 2467.4598343211087, 0.0014626318355560237},
      {1.4370034823092797, 3.4445967876793916e-05, 0.4628941675943199, 1.1528991221766978, 0.40150448438226405},
      {0.003983735559371862, 0.002424546131470217, 2.3947072623788492, 232.56108347078248, 0.010297110877881275},
      {8.982045016431542, 1.2074306384008765e-11, 0.03451777281276024, 0.027064243229063752, 1.2754013670588171},
      {0.0034637160783562784, 1.2508505383067843e-05, 3.7986487425063595, 2249.528235664241, 0.0016886423927836114},
      {0.8319284291165989, 1.8858548595299818e-05, 1.0054102116530894, 4.259466148203439, 0.2360413668452682},
      {0.6609787341827172, 8.351047369865095e-10, 0.023896008923285653, 0.19624234095481505, 0.12176785502567831},
      {0.037594017963065315, 0.00804624302874362, 51.18341998876587, 940.478404815248, 0.05442274881242019},
      {4.875907638371206, 0.00017009076654777788, 0.11915821047356048, 0.09396441003342412, 1.268120668572012},
      {1.1623969274053738, 1.717985125304746e-05, 0.5403416130330417, 1.7013399077928064, 0.3175976831896228},
      {0.021366081878062843, 1.8406674085249712e-10, 50.052366755129775, 11808.220649876292, 0.0042387729903788805},
      {0.057815411454659446, 1.3843630396291311e-11, 0.14425530901831005, 14.105873851968557, 0.010226612724044628},
      {7.205303367021987, 1.8195716069959037e-08, 8.843510772904164, 7.1427737997655365, 1.2381059544675004},
      {4.910070654585114, 8.731604100612126e-09, 2.7286097799068623, 3.171668043704094, 0.860307491927876},
      {0.01787692503554623, 0.04609629520350745, 48.026983162040985, 353.5271460734017, 0.13585090620472268},
      {26.469771128827766, 3.0453079997950177e-12, 1.527298704099392, 0.4791623381008914, 3.187434784947157},
      {0.01976241846667994, 6.436222925308682e-12, 11.433708798950857, 3240.021317364678, 0.0035288992506538946},
      {0.00418955025943763, 1.6786463489065948e-07, 0.0325163264169318, 25.543918763123266, 0.0012729576349841168},
      {2.2260911602084263, 0.00013272733017355936, 0.6372767784151099, 0.9881200586102309, 0.6449386113175616},
      {1.855292260677142, 1.262034815556034e-10, 0.028895021180371683, 0.09334223273497179, 0.30955999587468425},
      {0.03622512731944567, 2.2034817829628266e-08, 42.20015743379299, 4926.676126560983, 0.008565644736880722},
      {32.73020394684103, 1.5863020908741443e-06, 86.43511202009621, 18.192010989917584, 4.7512675793786885},
      {9.082769310611775, 1.0486890153358481e-08, 0.03900805370257159, 0.02608745026424936, 1.4952804243973519},
      {0.7302691263961201, 1.647442792962365e-08, 0.3022968891565238, 2.041018019400229, 0.14811083796573063},
      {0.04337906735283675, 8.335724210714742e-05, 46.2447111198559, 2398.9079495784417, 0.019277401255843287},
      {0.00497279143782636, 6.839374718575328e-10, 0.31646773384828614, 287.8354951437786, 0.0010994743149735763},
      {0.2136648814324685, 1.800627465727792e-12, 0.03318234402123685, 0.9610391361061831, 0.03452756789456138},
      {0.009783890597512359, 1.4902746886330347e-10, 0.055352688039469335, 27.93086703806672, 0.001981774785724685},
      {0.0014380383169512003, 1.3295764586052764e-11, 0.027165664910052897, 94.94901084010729, 0.00028610792961076203},
      {4.453054926932201, 3.936995681643685e-09, 15.749361178201237, 20.4618331969849, 0.7696945345308525},
      {0.9124664811960972, 4.750489749396895e-05, 73.41397394421543, 268.3983457899354, 0.27352617888961805},
      {0.06010938019596776, 2.6255457179321086e-12, 16.05677029704135, 1582.5822616966148, 0.010145930916619535},
      {0.051977452969047266, 3.2402571706974127e-09, 4.5186124661240346, 406.79880400372997, 0.011107732917726579},
      {0.005405082117866713, 1.622510375511988e-05, 4.9053012993090706, 1913.793585634441, 0.002563129762859413},
      {0.314475544583667, 1.1631011843917188e-05, 1.3820583783717266, 14.714150118882356, 0.09392716311886477},
      {0.0896056009525714, 3.7863246967868705e-12, 0.06656963421808378, 4.406954370415693, 0.015105587356422865},
  };
  for (const Row& row : rows) {
    const GaussianScale scale = *calibrate_gaussian(ForEpsilonDelta{row.epsilon, row.delta}, L2{row.l2});
    EXPECT_NEAR(scale.sigma / row.sigma, 1, 1e-9) << row.epsilon << " " << row.delta;
    EXPECT_NEAR(scale.mu / row.mu, 1, 1e-9) << row.epsilon << " " << row.delta;
  }
}

TEST(CalibrateGaussian, AllocatesNothing) {
  test::InsecureStream stream(44);
  double sum = 0;
  const std::size_t before = test::allocations();
  for (int i = 0; i < 2000; ++i) {
    sum += calibrate_gaussian(ForEpsilonDelta{log_uniform(stream, 1e-6, 1e4), log_uniform(stream, 1e-300, 0.999)}, L2{1})->sigma;
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(sum, 0);
  EXPECT_FALSE(calibrate_gaussian(ForEpsilonDelta{-1, 0.5}, L2{1}).ok());
  EXPECT_GT(test::allocations(), before);  // the counter counts: an error is made of strings
}

TEST(CalibrateGaussian, IsMonotoneInEveryArgument) {
  test::InsecureStream stream(45);
  for (int i = 0; i < 5000; ++i) {
    const double epsilon = log_uniform(stream, 1e-6, 1e4);
    const double delta = log_uniform(stream, 1e-300, 0.9);
    const double l2 = log_uniform(stream, 1e-3, 1e3);
    const double more = 1 + log_uniform(stream, 1e-6, 1);
    const double sigma = calibrate_gaussian(ForEpsilonDelta{epsilon, delta}, L2{l2})->sigma;
    ASSERT_LE(calibrate_gaussian(ForEpsilonDelta{epsilon * more, delta}, L2{l2})->sigma, sigma) << epsilon << " " << delta;
    ASSERT_LT(calibrate_gaussian(ForEpsilonDelta{epsilon, std::min(delta * more, 0.99)}, L2{l2})->sigma, sigma) << epsilon << " " << delta;
    ASSERT_GT(calibrate_gaussian(ForEpsilonDelta{epsilon, delta}, L2{l2 * more})->sigma, sigma) << epsilon << " " << delta;
    ASSERT_LT(calibrate_gaussian(ForRho{epsilon * more}, L2{l2})->sigma, calibrate_gaussian(ForRho{epsilon}, L2{l2})->sigma);
    ASSERT_LT(calibrate_gaussian(ForMu{epsilon * more}, L2{l2})->sigma, calibrate_gaussian(ForMu{epsilon}, L2{l2})->sigma);
    ASSERT_LT(*calibrate_laplace(epsilon * more, L1{l2}), *calibrate_laplace(epsilon, L1{l2}));
  }
}

TEST(CalibrateGaussian, DecimalsAreRoundedToTheSafeSide) {
  const privacy::Epsilon epsilon = *privacy::Epsilon::parse("0.1");
  for (const char* text : {"1e-300", "1e-6", "0.3", "0.999999"}) {
    const privacy::Delta delta = *privacy::Delta::parse(text);
    const GaussianScale scale = *calibrate_gaussian(epsilon, delta, L2{1});
    Big exact_epsilon;
    Big exact_delta;
    mpfr_set_q(exact_epsilon.raw(), epsilon.value().to_rational().get_mpq_t(), MPFR_RNDD);
    mpfr_set_q(exact_delta.raw(), delta.value().to_rational().get_mpq_t(), MPFR_RNDD);
    EXPECT_LE(test::gaussian_delta(exact_epsilon, Big(1) / Big(scale.sigma)), exact_delta) << text;
    EXPECT_NEAR(scale.sigma / calibrate_gaussian(ForEpsilonDelta{0.1, std::strtod(text, nullptr)}, L2{1})->sigma, 1, 1e-12) << text;
  }
}

TEST(MuFor, IsTheLargestDoubleThatALossAllows) {
  EXPECT_EQ(mu_for(privacy::gaussian_loss_from_mu(*privacy::Mu::parse("0.5")))->mu, 0.5);
  for (const char* text : {"0.1", "0.3", "1e-9", "123.456", "2"}) {
    const privacy::Loss loss = privacy::gaussian_loss_from_rho(*privacy::Rho::parse(text));
    const mpq_class square = privacy::Rho::parse(text)->value().to_rational() * 2;
    const double mu = mu_for(loss)->mu;
    const double next = std::nextafter(mu, 1e300);
    EXPECT_TRUE(mpq_class(mu) * mu <= square) << text;
    EXPECT_TRUE(mpq_class(next) * next > square) << text;
  }
  EXPECT_EQ(mu_for(privacy::approximate_loss(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("0.5")))->mu,
            mu_for(ForEpsilonDelta{1, 0.5})->mu);
  const auto refused = mu_for(privacy::pure_loss(*privacy::Epsilon::parse("1")));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::Unsupported);
  EXPECT_THAT(refused.error().message(), HasSubstr("no Gaussian noise is epsilon-DP"));
}

TEST(GaussianLossFor, KeepsTheEpsilonAndDeltaItStandsFor) {
  for (const char* delta : {"1e-300", "1e-6", "0.3"}) {
    const privacy::ApproximateLoss promise{*Decimal::parse("0.7"), *Decimal::parse(delta)};
    const privacy::Loss loss = *gaussian_loss_for(promise);
    const mpq_class square = std::get<privacy::GaussianLoss>(loss).mu_squared.to_rational();
    const double allowed = mu_for(privacy::Loss(promise))->mu;
    EXPECT_TRUE(square <= mpq_class(allowed) * allowed) << delta;
    EXPECT_TRUE(square >= mpq_class(allowed) * allowed * mpq_class(1 - 1e-12)) << delta;
  }
}

TEST(CalibrateGaussian, RhoAndMuGiveTheLeastDouble) {
  EXPECT_EQ(calibrate_gaussian(ForRho{0.125}, L2{1})->sigma, 2);
  EXPECT_EQ(calibrate_gaussian(*privacy::Rho::parse("0.5"), L2{3})->sigma, 3);
  EXPECT_EQ(calibrate_gaussian(ForMu{0.25}, L2{1})->sigma, 4);
  EXPECT_EQ(calibrate_gaussian(ForMu{0.25}, L2{1})->mu, 0.25);
  EXPECT_EQ(calibrate_gaussian(ForRho{0.125}, L2{1})->rho, 0.125);
  EXPECT_EQ(calibrate_gaussian(*privacy::Mu::parse("0.1"), L2{1})->sigma, 10);  // the decimal 0.1, which no double is
  test::InsecureStream stream(46);
  for (int i = 0; i < 2000; ++i) {
    const double rho = log_uniform(stream, 1e-90, 1e6);
    const double l2 = log_uniform(stream, 1e-50, 1e50);
    const double sigma = calibrate_gaussian(ForRho{rho}, L2{l2})->sigma;
    ASSERT_GE(Big(sigma) * Big(sigma) * Big(2) * Big(rho), Big(l2) * Big(l2));
    const double below = std::nextafter(sigma, 0);
    ASSERT_LT(Big(below) * Big(below) * Big(2) * Big(rho), Big(l2) * Big(l2));
    const double by_mu = calibrate_gaussian(ForMu{rho}, L2{l2})->sigma;
    ASSERT_GE(Big(by_mu) * Big(rho), Big(l2));
    ASSERT_LT(Big(std::nextafter(by_mu, 0)) * Big(rho), Big(l2));
    ASSERT_LE(Big(mu_for(ForRho{rho})->mu) * Big(mu_for(ForRho{rho})->mu), Big(2) * Big(rho));
    ASSERT_GE(Big(mu_for(ForRho{rho})->mu * (1 + 1e-15)) * Big(mu_for(ForRho{rho})->mu * (1 + 1e-15)), Big(2) * Big(rho));
  }
}

TEST(CalibrateLaplace, GivesTheLeastDouble) {
  EXPECT_EQ(*calibrate_laplace(0.5, L1{2}), 4);
  EXPECT_EQ(*calibrate_laplace(*privacy::Epsilon::parse("0.1"), L1{1}), 10);
  test::InsecureStream stream(47);
  for (int i = 0; i < 2000; ++i) {
    const double epsilon = log_uniform(stream, 1e-90, 1e6);
    const double l1 = log_uniform(stream, 1e-50, 1e50);
    const double scale = *calibrate_laplace(epsilon, L1{l1});
    ASSERT_GE(Big(scale) * Big(epsilon), Big(l1));
    ASSERT_LT(Big(std::nextafter(scale, 0)) * Big(epsilon), Big(l1));
  }
}

TEST(BoundUp, IsTheLeastDoubleThatIsNoSmaller) {
  for (const std::string text : {"0.1", "0.3", "1", "2.5", "1e-50", "1e50", "0.30000000000000000001", "123456789.123456789123456789"}) {
    const double up = *bound_up("l2", text);
    const mpq_class exact = Decimal::parse(text)->to_rational();
    EXPECT_TRUE(mpq_class(up) >= exact) << text;
    EXPECT_TRUE(mpq_class(std::nextafter(up, 0)) < exact) << text;
  }
  for (const std::string text : {"", "x", "nan", "inf", "0", "-1", "9e-51", "1.1e50", "1,2"}) {
    EXPECT_EQ(bound_up("l1", text).error().message(),
              fmt::format("l1 is {}, but must be a finite number greater than 0, between 1e-50 and 1e50; for example: l1 = 1",
                          text.empty() ? "empty" : text));
  }
}

TEST(CalibrateBox, SpendsExactlyTheBudget) {
  test::InsecureStream stream(48);
  for (const std::size_t d : {1U, 2U, 17U, 1000U}) {
    std::vector<double> sensitivities(d);
    std::vector<double> weights(d);
    std::vector<double> sigma(d);
    for (std::size_t j = 0; j < d; ++j) {
      sensitivities[j] = log_uniform(stream, 1e-6, 1e6);
      weights[j] = log_uniform(stream, 1e-3, 1e3);
    }
    const double mu = log_uniform(stream, 1e-3, 10);
    for (const bool best : {false, true}) {
      if (best) {
        ASSERT_TRUE(least_error_weights(sensitivities, weights).ok());
      }
      ASSERT_TRUE(calibrate_box(ForMu{mu}, sensitivities, weights, sigma).ok());
      Big spent(0);
      double error = 0;
      double total = 0;
      for (std::size_t j = 0; j < d; ++j) {
        const Big part = Big(sensitivities[j]) / Big(sigma[j]);
        spent = spent + part * part;
        error += sigma[j] * sigma[j];
        total += sensitivities[j];
      }
      EXPECT_LE(spent, Big(mu) * Big(mu)) << d;
      EXPECT_GE(spent, Big(mu) * Big(mu) * Big(1 - 1e-12)) << d;
      if (best) {
        EXPECT_NEAR(error / (total * total / (mu * mu)), 1, 1e-12) << d;
      }
    }
  }
}

TEST(CalibrateEllipsoid, CoversEveryDirection) {
  const std::vector<double> weights = {0.1, 1, 30};
  std::vector<double> sigma(3);
  ASSERT_TRUE(calibrate_ellipsoid(ForMu{0.7}, L2{5}, weights, sigma).ok());
  for (std::size_t j = 0; j < 3; ++j) {  // the change 5/weights[j] along axis j is worth at most mu
    const Big loss = Big(5) / Big(weights[j]) / Big(sigma[j]);
    EXPECT_LE(loss, Big(0.7));
    EXPECT_GE(loss, Big(0.7 * (1 - 1e-14)));
  }
}

template <class T>
std::string message(const T& result) {
  return result.ok() ? "accepted" : result.error().message();
}

TEST(Calibration, RefusesWhatMakesNoSenseAndSaysWhy) {
  using E = ForEpsilonDelta;
  EXPECT_EQ(message(calibrate_gaussian(E{0, 1e-6}, L2{1})), "epsilon is 0, but must be a finite number, at least 1e-100 and at most 1e6");
  EXPECT_EQ(message(calibrate_gaussian(E{1, 1}, L2{1})), "delta is 1, but must be a finite number, at least 1e-300 and less than 1");
  EXPECT_EQ(message(calibrate_gaussian(E{1, 0.5}, L2{-2})), "l2 is -2, but must be a finite number, at least 1e-50 and at most 1e50");
  for (const double wrong : {-1.0, 0.0, std::nan(""), numeric::kInfinity, 1e200}) {
    EXPECT_THAT(message(calibrate_gaussian(E{wrong, 1e-6}, L2{1})), HasSubstr("epsilon is "));
    EXPECT_THAT(message(calibrate_gaussian(E{1, wrong}, L2{1})), HasSubstr("delta is "));
    EXPECT_THAT(message(calibrate_gaussian(E{1, 0.1}, L2{wrong})), HasSubstr("l2 is "));
    EXPECT_THAT(message(calibrate_gaussian(ForRho{wrong}, L2{1})), HasSubstr("rho is "));
    EXPECT_THAT(message(calibrate_gaussian(ForMu{wrong}, L2{1})), HasSubstr("mu is "));
    EXPECT_THAT(message(calibrate_gaussian(ForRho{1}, L2{wrong})), HasSubstr("l2 is "));
    EXPECT_THAT(message(calibrate_gaussian(ForMu{1}, L2{wrong})), HasSubstr("l2 is "));
    EXPECT_THAT(message(calibrate_laplace(wrong, L1{1})), HasSubstr("epsilon is "));
    EXPECT_THAT(message(calibrate_laplace(1, L1{wrong})), HasSubstr("l1 is "));
    EXPECT_THAT(message(mu_for(ForRho{wrong})), HasSubstr("rho is "));
    std::vector<double> one = {1};
    const std::vector<double> bad = {wrong};
    EXPECT_THAT(message(calibrate_box(ForMu{1}, bad, one, one)), HasSubstr("sensitivity is "));
    EXPECT_THAT(message(calibrate_box(ForMu{1}, one, bad, one)), HasSubstr("weight is "));
    EXPECT_THAT(message(calibrate_box(ForMu{wrong}, one, one, one)), HasSubstr("mu is "));
    EXPECT_THAT(message(calibrate_ellipsoid(ForMu{1}, L2{1}, bad, one)), HasSubstr("weight is "));
    EXPECT_THAT(message(calibrate_ellipsoid(ForMu{1}, L2{wrong}, one, one)), HasSubstr("l2 is "));
    EXPECT_THAT(message(least_error_weights(bad, one)), HasSubstr("sensitivity is "));
  }
  std::vector<double> one = {1};
  const std::vector<double> two = {1, 1};
  EXPECT_EQ(message(calibrate_box(ForMu{1}, two, one, one)),
            "number of coordinates is 2 and 1, but must be the same in every list, and at least 1");
  EXPECT_THAT(message(calibrate_box(ForMu{1}, {}, {}, {})), HasSubstr("at least 1"));
  EXPECT_THAT(message(calibrate_gaussian(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("0"), L2{1})),
              HasSubstr("no Gaussian noise is epsilon-DP"));
  EXPECT_THAT(message(calibrate_gaussian(*privacy::Epsilon::parse("1e-200"), *privacy::Delta::parse("0.1"), L2{1})),
              HasSubstr("epsilon is "));
  EXPECT_THAT(message(calibrate_gaussian(*privacy::Rho::parse("1e-200"), L2{1})), HasSubstr("rho is "));
}

TEST(MuDown, IsTheRootOrHardlyLess) {
  EXPECT_EQ(mu_down({*Decimal::parse("0.25")})->value(), *Decimal::parse("0.5"));
  EXPECT_EQ(mu_down({*Decimal::parse("0.0049")})->value(), *Decimal::parse("0.07"));
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    const std::string text = fmt::format("{}.{}e{}", 1 + random() % 9, random(), static_cast<long>(random() % 306) - 300);
    const auto loss = std::get<privacy::GaussianLoss>(privacy::gaussian_loss_from_rho(*privacy::Rho::parse(text)));
    const auto mu = mu_down(loss);
    if (!mu.ok()) continue;  // a root beyond what mu may be
    const mpq_class root = mu->value().to_rational();
    const mpq_class square = loss.mu_squared.to_rational();
    ASSERT_TRUE(root * root <= square);
    ASSERT_TRUE(root * root >= square * mpq_class(1 - 2e-15));
  }
}

}  // namespace
}  // namespace tacet::accounting::calibration_test
