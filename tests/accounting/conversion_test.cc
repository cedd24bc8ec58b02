#include "tacet/accounting/conversion.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/gaussian_curve.h"
#include "tacet/numeric/ball.h"
#include "tacet/numeric/normal.h"

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::conversion_test {
namespace {

using test::Big;
using testing::HasSubstr;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }
double log_uniform(test::InsecureStream& stream, double from, double to) { return from * std::exp(std::log(to / from) * uniform(stream)); }
Zcdp random_zcdp(test::InsecureStream& stream, int i) {
  return {i % 3 == 0 ? log_uniform(stream, 1e-6, 10) : 0, i % 5 == 1 ? log_uniform(stream, 1e-60, 1e4) : log_uniform(stream, 1e-6, 10)};
}

/// Corollary 13 at the order a, by MPFR.
Big optimal_epsilon_at(const Zcdp& loss, const Big& delta, const Big& a) {
  return Big(loss.xi) + a * Big(loss.rho) + (-log(delta) + a * log1p(-(Big(1) / a)) - log(a - 1)) / (a - 1);
}
Big optimal_log_delta_at(const Zcdp& loss, const Big& epsilon, const Big& a) {
  return (a - 1) * (Big(loss.xi) + a * Big(loss.rho) - epsilon) + a * log1p(-(Big(1) / a)) - log(a - 1);
}
/// The least value of a function of log(a - 1) with one valley, by thirds.
template <class F>
Big least(const F& f) {
  double low = -60;
  double high = 200;
  for (int i = 0; i < 110; ++i) {
    const double first = low + (high - low) / 3;
    const double second = high - (high - low) / 3;
    (f(Big(1) + exp(Big(first))) < f(Big(1) + exp(Big(second))) ? high : low) =
        f(Big(1) + exp(Big(first))) < f(Big(1) + exp(Big(second))) ? second : first;
  }
  return f(Big(1) + exp(Big(0.5 * (low + high))));
}

TEST(EpsilonOfZcdp, AgreesWithIndependentValues) {
  struct Row {
    double rho, delta, epsilon;
  };
  // Independent values (numpy and mpmath on Theorem 2.2.4).
  const std::vector<Row> rows = {
      {0.011132537426012975, 7.146772475933819e-08, 0.8223302694065786},
      {0.004110410144393376, 1.7289742097343874e-10, 0.5818854724222309},
      {0.08602393497330436, 3.1568567499260993e-09, 2.6375167524801295},
      {4.188453616279244e-05, 3.790013060399069e-06, 0.036686846839304815},
      {0.7871199782113801, 1.0775427150754748e-06, 7.472025770211394},
      {0.03068887302907626, 1.6379775602721398e-05, 1.1302930700214238},
      {0.17413116536437248, 1.0545140308209114e-05, 2.9619595964840886},
      {0.5922077495970426, 1.1167898027043676e-05, 5.859639837223109},
      {2.124759859669673e-05, 1.9469346801946697e-05, 0.02267717538249529},
      {0.0004265988562865257, 1.8276437488078789e-07, 0.14475605692480373},
      {7.974049403372683e-05, 2.54666348402562e-12, 0.08488933707503167},
      {0.0038542501887476916, 8.771623989562938e-11, 0.5721728276956732},
      {0.00032048818059847266, 1.6920947056678202e-12, 0.17445854041435674},
      {1.038211649074982e-05, 4.434823434860885e-06, 0.017254854842668966},
      {0.02618210039223842, 3.871607137877185e-08, 1.3132709324829952},
      {0.6033550633484661, 4.628131826928981e-06, 6.118477069845918},
      {0.00011475991541708143, 4.265814199793891e-10, 0.09002728198213929},
      {0.01155555691282926, 4.3126082420672514e-05, 0.6344231995656312},
      {0.0010350713549771274, 1.0154976658826184e-10, 0.2898446900016838},
      {1.8452416833087807e-05, 3.435826122007407e-05, 0.019984343762181913},
  };
  for (const Row& row : rows) {
    const ZcdpToDp converted = *epsilon_of_zcdp({0, row.rho}, row.delta);
    EXPECT_NEAR(converted.theorem_2_2_4.epsilon / row.epsilon, 1, 1e-9) << row.rho;
    EXPECT_LE(converted.best.epsilon, converted.theorem_2_2_4.epsilon);
    EXPECT_EQ(converted.theorem_2_2_4.delta, row.delta);
  }
  // Rogers 6.3: rho = .00125 is (0.24, 1e-6)-DP.
  EXPECT_NEAR(epsilon_of_zcdp({0, 0.00125}, 1e-6)->theorem_2_2_4.epsilon, 0.24, 0.005);
}

TEST(EpsilonOfZcdp, IsTheTheoremRoundedUp) {
  test::InsecureStream stream(51);
  for (int i = 0; i < 2000; ++i) {
    const Zcdp loss = random_zcdp(stream, i);
    const double delta = i % 2 == 0 ? log_uniform(stream, 1e-300, 1e-2) : uniform(stream) * 0.998 + 1e-3;
    const ZcdpToDp converted = *epsilon_of_zcdp(loss, delta);
    const Big excess = log(sqrt(Big::pi() * Big(loss.rho)) / Big(delta));
    const Big truth = Big(loss.xi) + Big(loss.rho) + (excess > Big(0) ? Big(2) * sqrt(Big(loss.rho) * excess) : Big(0));
    ASSERT_GE(Big(converted.theorem_2_2_4.epsilon), truth) << loss.rho << " " << delta;
    ASSERT_LE(Big(converted.theorem_2_2_4.epsilon), truth * Big(1 + 1e-12)) << loss.rho << " " << delta;
    ASSERT_EQ(converted.best.epsilon, std::min(converted.theorem_2_2_4.epsilon, converted.optimal.epsilon));
  }
}

TEST(EpsilonOfZcdp, IsTheBestOrderRoundedUp) {
  test::InsecureStream stream(52);
  for (int i = 0; i < 60; ++i) {
    const Zcdp loss = random_zcdp(stream, i);
    const double delta = i % 4 == 0 ? uniform(stream) * 0.99 + 1e-3 : log_uniform(stream, 1e-300, 1e-2);
    const double ours = epsilon_of_zcdp(loss, delta)->optimal.epsilon;
    const Big truth = least([&](const Big& a) { return optimal_epsilon_at(loss, Big(delta), a); });
    ASSERT_GE(Big(ours + 1e-30), truth) << loss.xi << " " << loss.rho << " " << delta;
    ASSERT_LE(ours, std::max(truth.nearest(), 0.0) * (1 + 1e-12) + 1e-15) << loss.xi << " " << loss.rho << " " << delta;
  }
}

TEST(EpsilonOfZcdp, BeatsTheoremTwoTwoFourAndNotTheExactCurve) {
  test::InsecureStream stream(53);
  for (int i = 0; i < 2000; ++i) {
    const double mu = log_uniform(stream, 1e-4, 10);
    const double delta = log_uniform(stream, 1e-100, 1e-3);
    const ZcdpToDp converted = *epsilon_of_zcdp({0, 0.5 * mu * mu}, delta);
    ASSERT_LE(converted.optimal.epsilon, converted.theorem_2_2_4.epsilon * (1 + 1e-12)) << mu << " " << delta;
    ASSERT_GE(converted.optimal.epsilon, epsilon_of_gdp(mu, delta)->epsilon * (1 - 1e-12)) << mu << " " << delta;
  }
  EXPECT_EQ(epsilon_of_zcdp({0, 0.125}, 1e-6)->best.theorem, "Canonne, Kamath & Steinke (2020), Corollary 13");
  EXPECT_EQ(epsilon_of_zcdp({0, 0.125}, 1e-6)->theorem_2_2_4.rule, "theorem-2.2.4");
}

TEST(EpsilonOfZcdp, HasAnAnswerWhereThePrintHasNoRoot) {  // sqrt(pi rho) < delta
  const ZcdpToDp converted = *epsilon_of_zcdp({0.25, 1e-4}, 0.1);
  EXPECT_NEAR(converted.theorem_2_2_4.epsilon, 0.2501, 1e-15);
  EXPECT_LE(converted.best.epsilon, converted.theorem_2_2_4.epsilon);
  EXPECT_EQ(epsilon_of_zcdp({0, 1e-10}, 0.5)->best.epsilon, 0);
}

TEST(EpsilonOfZcdp, OfAPureLossIsThatLossOrLess) {  // (xi, 0)-zCDP is xi-DP, which is (xi + log(1 - delta), delta)-DP
  for (const double delta : {1e-300, 1e-6, 0.3}) {
    const ZcdpToDp converted = *epsilon_of_zcdp(exact_zcdp_of_pure(0.7)->zcdp, delta);
    EXPECT_EQ(converted.theorem_2_2_4.epsilon, 0.7);
    EXPECT_NEAR(converted.best.epsilon, 0.7 + std::log1p(-delta), 1e-14);
  }
}

TEST(DeltaOfZcdp, IsTheBestOrderRoundedUp) {
  test::InsecureStream stream(54);
  for (int i = 0; i < 60; ++i) {
    const Zcdp loss = random_zcdp(stream, i);
    const double epsilon = loss.xi + loss.rho + (i % 4 == 0 ? 0.5 : 30 * uniform(stream)) * std::sqrt(loss.rho);
    const ZcdpToDp converted = *delta_of_zcdp(loss, epsilon);
    const Big truth = least([&](const Big& a) { return optimal_log_delta_at(loss, Big(epsilon), a); });
    ASSERT_GE(log(Big(converted.optimal.delta)), truth - Big(1e-30)) << loss.rho << " " << epsilon;
    if (truth > Big(-690)) {
      ASSERT_LE(log(Big(converted.optimal.delta)), truth + Big(1e-12) * (Big(1) - truth)) << loss.rho << " " << epsilon;
    }
    const Big beyond = Big(epsilon) - Big(loss.xi) - Big(loss.rho);
    const Big printed = sqrt(Big::pi() * Big(loss.rho)) * exp(-(beyond * beyond) / (Big(4) * Big(loss.rho)));
    ASSERT_GE(Big(converted.theorem_2_2_4.delta), printed < Big(1) ? printed : Big(1)) << loss.rho << " " << epsilon;
    ASSERT_EQ(converted.best.delta, std::min(converted.optimal.delta, converted.theorem_2_2_4.delta));
  }
}

TEST(DeltaOfZcdp, NeverExceedsOneAndOfAPureLossIsZero) {
  EXPECT_EQ(delta_of_zcdp({0, 100}, 0)->best.delta, 1);
  EXPECT_EQ(delta_of_zcdp({0, 100}, 50)->theorem_2_2_4.delta, 1);  // below xi + rho the theorem says nothing
  EXPECT_EQ(delta_of_zcdp({0.7, 0}, 0.7)->best.delta, 0);
  EXPECT_EQ(delta_of_zcdp({0.7, 0}, 0.9)->best.delta, 0);
  EXPECT_NEAR(delta_of_zcdp({0.7, 0}, 0.2)->best.delta, -std::expm1(-0.5), 1e-14);
  EXPECT_EQ(delta_of_zcdp({0, 1e-3}, 1e3)->best.delta, 1e-300);
}

TEST(Zcdp, GoesThereAndBack) {
  test::InsecureStream stream(55);
  for (int i = 0; i < 1000; ++i) {
    const Zcdp loss{i % 2 == 0 ? 0 : log_uniform(stream, 1e-4, 1), log_uniform(stream, 1e-5, 5)};
    const double delta = log_uniform(stream, 1e-250, 1e-3);
    const ZcdpToDp there = *epsilon_of_zcdp(loss, delta);
    if (there.optimal.epsilon == 0) continue;
    EXPECT_NEAR(std::log(delta_of_zcdp(loss, there.optimal.epsilon)->optimal.delta / delta), 0, 1e-9) << loss.rho << " " << delta;
    EXPECT_NEAR(std::log(delta_of_zcdp(loss, there.theorem_2_2_4.epsilon)->theorem_2_2_4.delta / delta), 0, 1e-9)
        << loss.rho << " " << delta;
  }
}

TEST(Conversion, IsMonotoneInEveryArgument) {
  test::InsecureStream stream(56);
  for (int i = 0; i < 1000; ++i) {
    const Zcdp loss = random_zcdp(stream, i);
    const double delta = log_uniform(stream, 1e-300, 0.5);
    const double more = 1 + log_uniform(stream, 1e-9, 1);
    const double slack = 1e-14;
    const double epsilon = epsilon_of_zcdp(loss, delta)->best.epsilon;
    ASSERT_LE(epsilon_of_zcdp(loss, std::min(delta * more, 0.99))->best.epsilon, epsilon * (1 + slack) + slack);
    ASSERT_GE(epsilon_of_zcdp({loss.xi, loss.rho * more}, delta)->best.epsilon, epsilon * (1 - slack) - slack);
    ASSERT_GE(epsilon_of_zcdp({loss.xi + more, loss.rho}, delta)->best.epsilon, epsilon * (1 - slack) - slack);
    const double at = loss.xi + loss.rho + 3 * uniform(stream);
    const double log_delta = std::log(delta_of_zcdp(loss, at)->best.delta);
    ASSERT_LE(std::log(delta_of_zcdp(loss, at * more)->best.delta), log_delta + slack * (1 - log_delta) * 10);
    ASSERT_GE(std::log(delta_of_zcdp({loss.xi, loss.rho * more}, at)->best.delta), log_delta - slack * (1 - log_delta) * 10);
    const double pure = log_uniform(stream, 1e-9, 1e3);
    ASSERT_GE(gdp_of_pure(pure * more)->mu, gdp_of_pure(pure)->mu * (1 - 1e-13));
    ASSERT_GE(zcdp_of_pure(pure * more)->zcdp.rho, zcdp_of_pure(pure)->zcdp.rho);
  }
}

TEST(Gdp, IsTheExactCurve) {
  const DpGuarantee there = *epsilon_of_gdp(0.5, 1e-6);
  EXPECT_EQ(there.epsilon, *gaussian_epsilon_up(1e-6, 0.5));
  EXPECT_EQ(there.theorem, "Dong, Roth & Su (2022), Corollary 1");
  EXPECT_NEAR(delta_of_gdp(0.5, there.epsilon)->delta, 1e-6, 1e-16);
  EXPECT_GE(delta_of_gdp(0.5, 0)->delta, 0.197412651364);
  EXPECT_EQ(delta_of_gdp(1e-3, 1e3)->delta, 1e-300);
}

TEST(ZcdpOfPure, IsHalfTheSquareRoundedUp) {
  EXPECT_EQ(zcdp_of_pure(0.5)->zcdp.rho, 0.125);
  EXPECT_EQ(zcdp_of_pure(0.5)->zcdp.xi, 0);
  EXPECT_GE(Big(zcdp_of_pure(0.1)->zcdp.rho), Big(0.1) * Big(0.1) / 2);
  EXPECT_EQ(exact_zcdp_of_pure(0.5)->zcdp.xi, 0.5);
  EXPECT_EQ(exact_zcdp_of_pure(0.5)->zcdp.rho, 0);
  EXPECT_EQ(zcdp_of_gdp(0.5)->zcdp.rho, 0.125);
}

TEST(GdpOfPure, IsTheLeastMuRoundedUp) {
  test::InsecureStream stream(57);
  for (int i = 0; i < 2000; ++i) {
    const double epsilon = i % 2 == 0 ? log_uniform(stream, 1e-30, 1e4) : log_uniform(stream, 0.5, 2);
    const double mu = gdp_of_pure(epsilon)->mu;
    // Phi(mu/2) - 1/2 against tanh(epsilon/2)/2, or the tails.
    if (epsilon < 3) {
      const Big e = exp(Big(epsilon));
      const Big truth = (e - 1) / (e + 1) / 2;
      ASSERT_GE(erf(Big(mu) / sqrt(Big(8))) / 2, truth) << epsilon;
      ASSERT_LE(erf(Big(mu * (1 - 1e-12)) / sqrt(Big(8))) / 2, truth) << epsilon;
    } else {
      const Big truth = Big(1) / (Big(1) + exp(Big(epsilon)));
      ASSERT_LE(test::normal_upper(Big(mu) / 2), truth) << epsilon;
      ASSERT_GE(test::normal_upper(Big(mu * (1 - 1e-12)) / 2), truth) << epsilon;
    }
    const double back = *pure_epsilon_for_gdp(mu);
    ASSERT_NEAR(back / epsilon, 1, 1e-12) << epsilon;
    ASSERT_LE(*pure_epsilon_for_gdp(mu * (1 - 1e-12)), epsilon) << epsilon;
  }
}

// The derivation in the header, tried: G_mu lies below both chords of epsilon-DP, and that of a
// smaller mu does not.
TEST(GdpOfPure, ItsTradeoffCurveLiesBelowThatOfPureDp) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    const double mu = gdp_of_pure(epsilon)->mu;
    const auto pure = [&](double alpha) { return std::max(1 - std::exp(epsilon) * alpha, std::exp(-epsilon) * (1 - alpha)); };
    const auto gaussian = [](double m, double alpha) { return numeric::normal_lower(numeric::normal_upper_quantile(alpha) - m); };
    for (double alpha = 1e-9; alpha < 1; alpha += 1e-3) ASSERT_LE(gaussian(mu, alpha), pure(alpha) + 1e-14) << epsilon << " " << alpha;
    const double kink = 1 / (1 + std::exp(epsilon));
    EXPECT_GT(gaussian(mu * 0.999, kink), pure(kink));
  }
}

TEST(PureEpsilonForGdp, AgreesWithIndependentValues) {
  struct Row {
    double mu, epsilon;
  };
  // Independent values (numpy, scipy and mpmath on Lee (12)).
  const std::vector<Row> rows = {
      {0.1, 0.0797975399576815},
      {0.25, 0.19961307384059926},
      {0.5, 0.40007768940170446},
      {1.0, 0.8069653463049624},
      {2.0, 1.6682678659858134},
      {3.0, 2.6368009452116556},
      {4.0, 3.7601714243530684},
      {4.516465822987647, 4.413684084306612},
      {3.3235316664167773, 2.981256357360963},
      {2.1627689274179644, 1.8172592624201893},
      {3.968279572642152, 3.721752431954187},
      {3.5128293934306276, 3.1909210563466535},
      {2.8928068345855924, 2.5263416324352224},
  };
  for (const Row& row : rows) {
    EXPECT_NEAR(*pure_epsilon_for_gdp(row.mu) / row.epsilon, 1, 1e-9) << row.mu;
    EXPECT_NEAR(gdp_of_pure(row.epsilon)->mu / row.mu, 1, 1e-9) << row.mu;
  }
}

template <class T>
std::string message(const T& result) {
  return result.ok() ? "accepted" : result.error().message();
}

TEST(Conversion, RefusesWhatMakesNoSenseAndSaysWhy) {
  EXPECT_EQ(message(epsilon_of_zcdp({0, -1}, 0.1)), "rho is -1, but must be a finite number, at least 1e-100 and at most 1e6");
  EXPECT_EQ(message(epsilon_of_zcdp({-1, 1}, 0.1)), "xi is -1, but must be a finite number, at least 1e-100 and at most 1e6");
  for (const double wrong : {-1.0, std::nan(""), numeric::kInfinity, 1e200}) {
    EXPECT_THAT(message(epsilon_of_zcdp({0, 1}, wrong)), HasSubstr("delta is "));
    EXPECT_THAT(message(epsilon_of_zcdp({0, wrong}, 0.1)), HasSubstr("rho is "));
    EXPECT_THAT(message(delta_of_zcdp({wrong, 0}, 0.1)), HasSubstr("xi is "));
    EXPECT_THAT(message(delta_of_zcdp({0, 1}, wrong)), HasSubstr("epsilon is "));
    EXPECT_THAT(message(epsilon_of_gdp(wrong, 0.1)), HasSubstr("mu is "));
    EXPECT_THAT(message(epsilon_of_gdp(1, wrong)), HasSubstr("delta is "));
    EXPECT_THAT(message(delta_of_gdp(1, wrong)), HasSubstr("epsilon is "));
    EXPECT_THAT(message(delta_of_gdp(wrong, 1)), HasSubstr("mu is "));
    EXPECT_THAT(message(zcdp_of_pure(wrong)), HasSubstr("epsilon is "));
    EXPECT_THAT(message(exact_zcdp_of_pure(wrong)), HasSubstr("epsilon is "));
    EXPECT_THAT(message(zcdp_of_gdp(wrong)), HasSubstr("mu is "));
    EXPECT_THAT(message(gdp_of_pure(wrong)), HasSubstr("epsilon is "));
    EXPECT_THAT(message(pure_epsilon_for_gdp(wrong)), HasSubstr("mu is "));
  }
  for (const double delta : {0.0, 1.0}) EXPECT_THAT(message(epsilon_of_zcdp({0, 1}, delta)), HasSubstr("delta is "));
}

TEST(GdpOfApproximate, IsOnlyThereForDeltaZero) {
  EXPECT_EQ(gdp_of_approximate(1, 0)->mu, gdp_of_pure(1)->mu);
  EXPECT_EQ(gdp_of_approximate(1, 1e-6).error().code(), Code::Unsupported);
  EXPECT_THAT(message(gdp_of_approximate(1, 1e-6)), HasSubstr("implies no mu"));
  EXPECT_THAT(message(gdp_of_approximate(1, 2)), HasSubstr("delta is 2"));
}

}  // namespace
}  // namespace tacet::accounting::conversion_test
