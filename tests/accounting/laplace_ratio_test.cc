#include "tacet/accounting/laplace_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::laplace_ratio_test {
namespace {

class Uniform {
 public:
  explicit Uniform(std::uint64_t stream) : stream_(stream) {}
  /// In the open interval (low, high).
  double operator()(double low, double high) { return low + (high - low) * ((static_cast<double>(stream_.next() >> 11) + 0.5) * 0x1p-53); }

 private:
  test::InsecureStream stream_;
};

double relative(double value, double truth) { return std::abs(value - truth) / truth; }

/// K in [low, high] at which the falling `f` takes the value `target`.
double solve_falling(const std::function<double(double)>& f, double low, double high, double target) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) > target ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Lee et al. (2022), (14), as printed, for delta1 >= 0 >= delta2 and |delta1| >= |delta2|.
double lee_14(double d1, double d2, double alpha) {
  const auto e = [](double x) { return std::exp(x); };
  if (alpha < e(-d1 + d2) / 4) return -e(d1 - d2) * alpha + 1;
  if (alpha < e(-d1) * (1 - d2) / 4) {
    const auto of = [&](double k) { return e(-(d1 - d2 + k) / 2) * (1 + (d1 - d2 - k) / 2) / 4; };
    const double k = solve_falling(of, d1 + d2, d1 - d2, alpha);
    return e(-(d1 - d2 - k) / 2) * (3 + (d1 - d2 - k) / 2) / 4;
  }
  if (alpha < e(-d1) * (2 - d2) / 4) return -e(d1 + d2) * alpha + e(d2) * (2 - d2) / 2;
  if (alpha < e(d2) * (2 - d2) / 4) return e(-d1 + d2) * (2 - d2) * (2 - d2) / (16 * alpha);
  if (alpha < e(d2) * (3 - d2) / 4) return -e(-d1 - d2) * alpha + e(-d1) * (2 - d2) / 2;
  if (alpha < 0.75) {
    const auto of = [&](double k) { return e(-(d1 - d2 + k) / 2) * (3 + (d1 - d2 + k) / 2) / 4; };
    const double k = solve_falling(of, -d1 + d2, -d1 - d2, alpha);
    return e(-(d1 - d2 - k) / 2) * (1 + (d1 - d2 + k) / 2) / 4;
  }
  return -e(-d1 + d2) * alpha + e(-d1 + d2);
}

/// The second line of (16), for alpha between e^(-2/b)/4 and e^(-1/b)(1 + 1/b)/4: the exponent is
/// -1/b + K/2, and was printed as -1 + K/2.
double lee_16_second_line(double b, double alpha, bool as_printed) {
  const auto of = [&](double k) { return std::exp(-1 / b - k / 2) * (1 + 1 / b - k / 2) / 4; };
  const double k = solve_falling(of, 0, 2 / b, alpha);
  return std::exp((as_printed ? -1 : -1 / b) + k / 2) * (3 + 1 / b - k / 2) / 4;
}
double worst_disagreement_with_16(double b, bool as_printed) {
  const LaplaceRatio ratio({1 / b, 1 / b});
  const double low = std::exp(-2 / b) / 4, high = std::exp(-1 / b) * (1 + 1 / b) / 4;
  double worst = 0;
  for (int i = 1; i < 100; ++i) {
    const double alpha = low + (high - low) * i / 100;
    worst = std::max(worst, relative(ratio.at(alpha).beta, lee_16_second_line(b, alpha, as_printed)));
  }
  return worst;
}

struct Row {
  double delta1, delta2, alpha, beta;
};
// Independent values, computed outside this project from (14).
constexpr Row kRows[] = {
    {3.572065227153927, -0.1396455606923297, 0.2207361149154039, 0.031674865783770566},
    {0.8172305408389304, -1.777471867259079, 0.2791380769618118, 0.13269078785353106},
    {2.684399535025806, -3.047864940425231, 0.4098286279117259, 0.003533447623210534},
    {3.7270084801514143, -0.18918008277150022, 0.4680743196479394, 0.012731084453795491},
    {2.529986072553979, -2.4697533868957016, 0.600469768816267, 0.003091578111097506},
    {2.3979476390379313, -1.7795562718803923, 0.5315934988058093, 0.009445687136048384},
    {1.2575704799619976, -0.9388665586886114, 0.49738172110421736, 0.07978490920201647},
    {0.10870501192400273, -3.451064247437434, 0.421768919853984, 0.01874342523683669},
    {0.42176279457537236, -2.7097954438798535, 0.8503515969900443, 0.006532112019390298},
    {0.08108961770233503, -0.6800862306752937, 0.6837537572174519, 0.15148349612557988},
    {2.8823417955176076, -3.749648155438905, 0.864774311454754, 0.000178165069556094},
    {3.231417510007254, -0.829146131990766, 0.03356386138236963, 0.2569439972572313},
    {1.971679201137249, -1.9503186920542386, 0.7186447819021492, 0.00561232776650916},
    {0.21683581537965368, -3.41608654950038, 0.8656725336282179, 0.003551458033370375},
    {3.151512302766544, -1.141780374172555, 0.20081106669639204, 0.041965335582228},
    {0.563406231507448, -3.9821020769446243, 0.6000673733328874, 0.004877312958533648},
    {3.8975761932067057, -3.8663738290165335, 0.08801453664663746, 0.006654443094686175},
    {2.7471145401361023, -1.3874952555566855, 0.38776412688794204, 0.01956547520766414},
    {2.7428336754783347, -2.7789801198175796, 0.962753973745348, 0.00014893154116481613},
    {2.8645680914429774, -3.8150216038731024, 0.6261266696505696, 0.0005180812924576457},
    {1.7658691368331856, -1.5984579199271414, 0.9503167298361265, 0.0017183099202601503},
    {1.7861712491286816, -1.4465968811718306, 0.14368082499191195, 0.2038344861538877},
    {0.9598167575049268, -3.360679171724195, 0.09690037879782176, 0.07511326683694537},
    {3.2842760258831567, -3.5448796575342785, 0.22301275998743467, 0.0037389070980649304},
    {2.848249698796827, -2.929644653104237, 0.9847490674612932, 4.7205083041199954e-05},
    {3.183040763358495, -0.5568669964533766, 0.9645789895402423, 0.0008414719494274185},
    {3.72640186004428, -1.9944604299640831, 0.03648302651408092, 0.0895708057155672},
    {2.9216592747237584, -3.409360624899896, 0.6332341167474179, 0.0007129820205282015},
    {1.1838294148412678, -0.7103507848687807, 0.3282531148071316, 0.21042152243996873},
    {3.9277962670784996, -3.590038150528824, 0.9932441476176715, 3.670507772843961e-06},
};

TEST(LaplaceRatio, AgreesWithIndependentValuesInTwoDimensions) {
  double worst = 0;
  for (const Row& row : kRows) {
    worst = std::max(worst, relative(LaplaceRatio({row.delta1, -row.delta2}).at(row.alpha).beta, row.beta));
  }
  std::printf("[ accuracy    ] %zu independent values: worst relative error %.2g\n", std::size(kRows), worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(LaplaceRatio, IsTheClosedFormInOneDimension) {
  Uniform uniform(301);
  for (int i = 0; i < 2000; ++i) {
    const double d = uniform(0, i % 2 == 0 ? 3 : 40), alpha = i % 3 == 0 ? std::exp(-uniform(0, 50)) : uniform(0, 1);
    const double truth = alpha < std::exp(-d) / 2 ? 1 - std::exp(d) * alpha
                         : alpha <= 0.5           ? std::exp(-d) / (4 * alpha)
                                                  : std::exp(-d) * (1 - alpha);
    const LaplaceRatio ratio({d});
    ASSERT_LT(relative(ratio.at(alpha).beta, truth), 1e-13) << d << " " << alpha;
    const double epsilon = uniform(0, 1.2 * d);
    ASSERT_NEAR(ratio.delta(epsilon), std::max(0.0, -std::expm1((epsilon - d) / 2)), 1e-15);
    ASSERT_LT(relative(ratio.fixed_point(), std::exp(-d / 2) / 2), 1e-15);
  }
}

TEST(LaplaceRatio, IsLeeEquation14InTwoDimensions) {
  Uniform uniform(302);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const double d1 = uniform(0, i % 2 == 0 ? 2 : 10), d2 = -uniform(0, d1), alpha = i % 3 == 0 ? std::exp(-uniform(0, 15)) : uniform(0, 1);
    const LaplaceRatio ratio({d1, -d2});
    const double error = relative(ratio.at(alpha).beta, lee_14(d1, d2, alpha));
    worst = std::max(worst, error);
    ASSERT_LT(error, 1e-12) << d1 << " " << d2 << " " << alpha;
  }
  std::printf("[ accuracy    ] Lee (14): worst relative difference %.2g\n", worst);
}

TEST(LaplaceRatio, HasTheAtomsOfLeeEquation14) {
  // At the ends of the pieces of (14) the type I errors are known without solving anything.
  const double d1 = 1.5, d2 = -0.5;
  const LaplaceRatio ratio({d1, -d2});
  const std::vector<double> expected = {0,
                                        std::exp(-d1 + d2) / 4,
                                        std::exp(-d1) * (1 - d2) / 4,
                                        std::exp(-d1) * (2 - d2) / 4,
                                        std::exp(d2) * (2 - d2) / 4,
                                        std::exp(d2) * (3 - d2) / 4,
                                        0.75,
                                        1};
  const std::vector<double> breaks = ratio.breaks();
  ASSERT_EQ(breaks.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(breaks[i], expected[i], 1e-15) << i;
}

TEST(LaplaceRatio, CatchesTheMisprintOfLeeEquation16) {
  for (const double b : {0.3, 0.7, 2.0, 5.0}) {
    EXPECT_LT(worst_disagreement_with_16(b, false), 1e-12) << b;
    EXPECT_GT(worst_disagreement_with_16(b, true), 0.1) << b;
  }
  // At b = 1 the misprint cannot be seen: a table of values at that scale alone would have passed.
  EXPECT_LT(worst_disagreement_with_16(1, true), 1e-12);
}

TEST(LaplaceRatio, EveryDimensionIsTheConvolutionOfTheOneBelow) {
  // P[L_n > K] = E[P[L_(n-1) > K - l]] over the law of one coordinate, integrated numerically
  // between the kinks of the integrand.
  Uniform uniform(303);
  for (std::size_t n = 2; n <= 6; ++n) {
    for (int round = 0; round < 6; ++round) {
      std::vector<double> sizes(n, 0.8);
      for (double& size : sizes) size = round == 0 ? 0.8 : uniform(0.05, 2.5);
      const double d = sizes.back();
      const LaplaceRatio whole(sizes);
      sizes.pop_back();
      const LaplaceRatio rest(sizes);
      std::vector<double> kinks;
      for (unsigned signs = 0; signs < (1U << (n - 1)); ++signs) {
        double k = 0;
        for (std::size_t i = 0; i + 1 < n; ++i) k += ((signs >> i) & 1U) != 0 ? sizes[i] : -sizes[i];
        kinks.push_back(k);
      }
      const double k = uniform(-whole.total(), whole.total());
      std::vector<double> ends = {-d, d};
      for (const double kink : kinks) {
        if (std::abs(k - kink) < d) ends.push_back(k - kink);
      }
      std::sort(ends.begin(), ends.end());
      double truth = 0.5 * rest.type_one(k + d) + 0.5 * std::exp(-d) * rest.type_one(k - d);
      for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        if (ends[i + 1] - ends[i] < 1e-12) continue;
        truth += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
            [&](double l) { return std::exp(-(l + d) / 2) / 4 * rest.type_one(k - l); }, ends[i], ends[i + 1], 5, 1e-14);
      }
      ASSERT_LT(relative(whole.type_one(k), truth), 1e-12) << fmt::format("{} at {}", whole.sizes(), k);
      ASSERT_LT(relative(whole.type_two(k), whole.type_one(-k)), 1e-15);
    }
  }
}

/// g(K) in exact rational arithmetic, summed over the points right of K: no rounding, however much
/// cancels.
mpq_class exact_g(const std::vector<double>& sizes, double k) {
  const std::size_t n = sizes.size();
  mpq_class sum = 0;
  for (unsigned signs = 1; signs < (1U << n); ++signs) {
    mpq_class point = 0;
    std::size_t m = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (((signs >> i) & 1U) != 0) {
        point += mpq_class(sizes[i]);
        ++m;
      } else {
        point -= mpq_class(sizes[i]);
      }
    }
    if (point <= mpq_class(k)) continue;
    const mpq_class y = (mpq_class(k) - point) / 2;
    std::vector<mpq_class> c(n, 0);  // (1 + v)^(n-m) (1 - v)^(m-1)
    c[0] = 1;
    for (std::size_t factor = 0; factor + 1 < n; ++factor) {
      for (std::size_t j = n - 1; j > 0; --j) c[j] += factor < n - m ? c[j - 1] : mpq_class(-c[j - 1]);
    }
    mpq_class power = 1;
    for (std::size_t j = 0; j < n; ++j) {
      sum += c[j] * power;
      power *= y / static_cast<unsigned long>(j + 1);
    }
  }
  return sum / (1UL << n);
}

TEST(LaplaceRatio, RoundingErrorsStayWithinTheirBudgets) {
  Uniform uniform(304);
  for (std::size_t n = 1; n <= LaplaceRatio::kMostDimensions; ++n) {
    double worst = 0;
    for (int round = 0; round < 24; ++round) {
      const double largest = round % 4 == 0 ? 0.1 : round % 4 == 1 ? 1 : round % 4 == 2 ? 8 : 40;
      std::vector<double> sizes(n, largest);
      for (double& size : sizes) size = round % 5 == 0 ? largest : uniform(0, largest);
      const LaplaceRatio ratio(sizes);
      const double k = uniform(-0.999, 0.999) * ratio.total();
      const double truth = std::exp(-(ratio.total() + k) / 2) * exact_g(sizes, k).get_d();
      worst = std::max(worst, relative(ratio.type_one(k), truth));
    }
    std::printf("[ accuracy    ] %zu dimensions: worst relative error %.2g\n", n, worst);
    EXPECT_LT(worst, n <= 2 ? 1e-15 : 1e-13) << n;
  }
}

TEST(LaplaceRatio, IgnoresSignsAndOrderAndForgetsTinyShifts) {
  const LaplaceRatio a({1.25, 0.5, 2}), b({2, 1.25, 0.5});
  const LaplaceRatio tiny({1.25, 0.5, 2, 1e-13});
  for (double alpha = 0.001; alpha < 1; alpha += 0.013) {
    EXPECT_EQ(a.at(alpha).beta, b.at(alpha).beta);
    EXPECT_NEAR(a.at(alpha).beta, tiny.at(alpha).beta, 1e-12);
  }
}

TEST(LaplaceRatio, ExtremeShiftsGiveNoNonsense) {
  for (const std::vector<double>& sizes : std::vector<std::vector<double>>{{1e-300},
                                                                           {1e-16, 1e-17},
                                                                           {700},
                                                                           {350, 350},
                                                                           {699, 1e-9},
                                                                           {3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
                                                                           {70, 70, 70, 70, 70, 70, 70, 70, 70, 70}}) {
    const LaplaceRatio ratio(sizes);
    double previous = 1;
    for (double alpha = 0; alpha <= 1; alpha += 1.0 / 64) {
      const double beta = ratio.at(alpha).beta;
      ASSERT_GE(beta, 0);
      ASSERT_LE(beta, std::min(previous, 1 - alpha + 1e-15));
      previous = beta;
    }
    EXPECT_EQ(ratio.at(0).beta, 1);
    EXPECT_EQ(ratio.at(1).beta, 0);
  }
}

/// The frequency of L > K under P, or under Q when `moved`.
double frequency_above(const std::vector<double>& shift, double k, bool moved, std::uint64_t n, std::uint64_t stream) {
  test::InsecureStream bits(stream);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    double l = 0;
    for (const double d : shift) {
      const std::uint64_t word = bits.next();
      const double size = -std::log((static_cast<double>(word >> 11) + 0.5) * 0x1p-53);
      const double x = ((word & 1) != 0 ? size : -size) + (moved ? d : 0);
      l += std::abs(x) - std::abs(x - d);
    }
    if (l > k) ++count;
  }
  return static_cast<double>(count) / static_cast<double>(n);
}

TEST(LaplaceRatio, SimulatedTestsHaveTheseErrors) {
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = 4e-3 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  const std::vector<std::pair<std::vector<double>, double>> cases = {{{1.4, -0.6}, 0.3}, {{0.9, -0.9}, 0.5}, {{0.7, -1.1, 0.4}, -0.2}};
  test::declare_false_alarm("LaplaceRatio.SimulatedTestsHaveTheseErrors", 2 * promise.false_alarm * static_cast<double>(cases.size()));
  std::uint64_t stream = 310;
  for (const auto& [shift, k] : cases) {
    std::vector<double> sizes;
    for (const double d : shift) sizes.push_back(std::abs(d));
    const LaplaceRatio ratio(sizes);
    EXPECT_NEAR(frequency_above(shift, k, false, plan.n, stream++), ratio.type_one(k), plan.threshold);
    EXPECT_NEAR(1 - frequency_above(shift, k, true, plan.n, stream++), ratio.type_two(k), plan.threshold);
    EXPECT_NEAR(ratio.at(ratio.type_one(k)).beta, ratio.type_two(k), 1e-13);
  }
}

TEST(LaplaceRatio, SimulationCatchesTheMisprintOfLeeEquation16) {
  // b = 2, K = 0.5: the misprint is off by a factor e^(1/2), a shift of 0.26 in the type II error.
  const double b = 2, k = 0.5, alpha = LaplaceRatio({1 / b, 1 / b}).type_one(k);
  const double shift = std::abs(lee_16_second_line(b, alpha, true) - lee_16_second_line(b, alpha, false));
  ASSERT_GT(shift, 0.2);
  const test::Promise promise{.false_alarm = 1e-10, .miss = 1e-10, .shift = shift};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("LaplaceRatio.SimulationCatchesTheMisprintOfLeeEquation16", promise.false_alarm + promise.miss);
  const double frequency = 1 - frequency_above({1 / b, -1 / b}, k, true, plan.n, 320);
  EXPECT_LT(std::abs(frequency - lee_16_second_line(b, alpha, false)), plan.threshold);
  EXPECT_GT(std::abs(frequency - lee_16_second_line(b, alpha, true)), plan.threshold);
}

}  // namespace
}  // namespace tacet::accounting::laplace_ratio_test
