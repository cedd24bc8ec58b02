// What Laplace noise on one number costs in rho and in mu: against MPFR, and the theorems
// themselves by quadrature and by curves.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <boost/math/quadrature/gauss.hpp>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/accounting/tradeoff.h"
#include "tacet/privacy/noise_proofs.h"

#include "support/big.h"

namespace tacet::privacy {
namespace {

using test::Big;

Big exactly(const mpq_class& value) {
  Big result;
  mpfr_set_q(result.raw(), value.get_mpq_t(), MPFR_RNDN);
  return result;
}

double rho(double shift) { return laplace_rho_up(mpq_class(shift)).get_d(); }
double mu(double shift) { return std::sqrt(laplace_mu_squared_up(mpq_class(shift)).get_d()); }

/// Rationals between 1e-20 and 1000.
std::vector<mpq_class> shifts(int count) {
  std::mt19937_64 random(74);
  std::vector<mpq_class> made;
  for (int i = 0; i < count; ++i) {
    const double size = std::exp(std::uniform_real_distribution<double>(std::log(1e-20), std::log(1000))(random));
    made.push_back(mpq_class(size) / static_cast<unsigned long>(1 + random() % 1000));
  }
  return made;
}

TEST(LaplaceRho, IsTheTruthRoundedUp) {
  for (const mpq_class& x : shifts(3000)) {
    const Big truth = exactly(x) + exp(-exactly(x)) - Big(1);
    const Big price = exactly(laplace_rho_up(x));
    ASSERT_TRUE(price >= truth * (Big(1) - Big(0x1p-90))) << x.get_d();  // MPFR has 256 bits, of which h may lose 150
    ASSERT_TRUE(price <= truth * (Big(1) + Big(0x1p-60))) << x.get_d();
  }
  EXPECT_TRUE(laplace_rho_up(0) == 0);
  EXPECT_NEAR(rho(1), 0.3679, 5e-5);
  EXPECT_NEAR(2 * rho(0.5), 0.2131, 5e-5);  // a table at epsilon 1
}

TEST(LaplaceRho, IsRoundedUpByLessThanAnUlpOfItsComparison) {
  // The planted fault: the last unit, down instead of up.
  for (const mpq_class& x : shifts(300)) {
    const mpq_class price = laplace_rho_up(x);
    const Big truth = exactly(x) + exp(-exactly(x)) - Big(1);
    EXPECT_TRUE(exactly(price * (1 - mpq_class(0x1p-58))) < truth) << x.get_d();
  }
}

// --- The theorem, by quadrature. ---

/// By Gauss's rule on each of so many pieces.
template <class F>
long double integral(const F& f, long double from, long double to, int pieces) {
  long double sum = 0;
  const long double width = (to - from) / pieces;
  for (int i = 0; i < pieces; ++i)
    sum += boost::math::quadrature::gauss<long double, 15>::integrate(f, from + width * i, from + width * (i + 1));
  return sum;
}

/// D_a of Laplace noise of scale 1 from itself moved by x: no closed form enters.
double renyi(double a, double x) {
  const auto density = [a, x](long double z) { return std::exp(-a * std::abs(z) + (a - 1) * (std::abs(z - x) - x)) / 2; };
  constexpr long double kNothing = 50;  // e^-50 of the noise lies beyond
  const long double soon = std::min(static_cast<long double>(x), kNothing / (2 * a - 1));
  const long double sum = integral(density, -kNothing, 0, 50) + integral(density, 0, soon, 50) + integral(density, soon, x, 50) +
                          integral(density, x, x + kNothing, 50);
  return static_cast<double>(x + std::log(sum) / (a - 1.0L));
}

constexpr double kOrders[] = {1.001, 1.01, 1.1, 1.5, 2, 3, 5, 10, 30, 100, 1000};
constexpr double kShifts[] = {0.01, 0.03, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20};

/// Is `h` a bound of D_a/a at every order, which is nearly attained as a falls to 1?
bool is_rho(const std::function<double(double)>& h) {
  for (const double x : kShifts) {
    double largest = 0;
    for (const double a : kOrders) largest = std::max(largest, renyi(a, x) / a);
    if (largest > h(x) * (1 + 1e-9) || largest < h(x) * (1 - 2e-3)) return false;
  }
  return true;
}

TEST(LaplaceRho, BoundsTheRenyiDivergencesOfEveryOrder) { EXPECT_TRUE(is_rho(rho)); }

TEST(LaplaceRho, TheCheckOfTheTheoremSeesPlantedFaults) {
  EXPECT_FALSE(is_rho([](double x) { return x + std::exp(-x); }));           // without the -1
  EXPECT_FALSE(is_rho([](double x) { return rho(x) * 0.999; }));             // too little
  EXPECT_FALSE(is_rho([](double x) { return rho(x / 2); }));                 // a shift halved once more
  EXPECT_FALSE(is_rho([](double x) { return x * x / 2; }));                  // what a pure epsilon costs
  EXPECT_FALSE(is_rho([](double x) { return x * x / 2 - x * x * x / 6; }));  // cut off
}

// --- mu ---

TEST(LaplaceMu, OfOneShiftIsWhatProposition9AllowsRoundedUp) {
  for (const double x : {1e-14, 3.3e-12, 1e-9, 0.0001, 0.01, 0.5, 1.0, 3.7, 10.0, 99.9, 420.0, 690.0}) {
    const auto allowed = [&](const Big& m) { return Big(2) * test::normal_upper(m / 2) <= exp(-Big(x) / 2); };
    const Big least = sqrt(exactly(laplace_mu_squared_up(mpq_class(x))));
    EXPECT_TRUE(allowed(least)) << x;
    EXPECT_FALSE(allowed(least * (Big(1) - Big(0x1p-37)))) << x;
  }
  EXPECT_NEAR(mu(1), 1.030, 5e-4);
}

TEST(LaplaceMu, BeyondItsGuessesIsASimplerBound) {
  for (const double x : {1e-30, 1e-17, 1500.0, 1e6}) {
    EXPECT_TRUE(laplace_mu_squared_up(mpq_class(x)) == 4 * mpq_class(x)) << x;
    EXPECT_TRUE(Big(2) * test::normal_upper(sqrt(Big(x))) <= exp(-Big(x) / 2)) << x;
  }
  EXPECT_TRUE(laplace_mu_squared_up(0) == 0);
}

/// Does the curve of these shifts lie above that of the Gaussian?
bool is_private(const std::vector<double>& moves, double mu) {
  const accounting::TradeOff laplace = *accounting::TradeOff::laplace(moves);
  const accounting::TradeOff gaussian = *accounting::TradeOff::gaussian(mu);
  for (double alpha = 1e-8; alpha < 1; alpha *= alpha < 0.01 ? 1.3 : 1.01) {
    if (*laplace.at(alpha) < *gaussian.at(alpha) * (1 - 1e-9)) return false;
  }
  return true;
}

TEST(LaplaceMu, OfSeveralShiftsKeepsWhatItPromises) {
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    EXPECT_TRUE(is_private({epsilon}, mu(epsilon)));
    EXPECT_FALSE(is_private({epsilon}, 0.995 * mu(epsilon)));
    const double sums = std::sqrt(mu(epsilon / 2) * mu(epsilon / 2) + 2 * mu(epsilon / 4) * mu(epsilon / 4));
    EXPECT_TRUE(is_private({epsilon / 2, epsilon / 4, -epsilon / 4}, sums));
    EXPECT_TRUE(is_private({0.4 * epsilon, 0.3 * epsilon, 0.15 * epsilon, 0.15 * epsilon}, sums)) << "which is majorized";
    // A norm alone, as moved by two, three and five numbers.
    for (const int n : {2, 3, 5}) EXPECT_TRUE(is_private(std::vector<double>(static_cast<std::size_t>(n), epsilon / n), mu(epsilon)));
    EXPECT_FALSE(is_private({epsilon / 2, epsilon / 2}, mu(epsilon / 2))) << "a shift forgotten";
  }
}

// What the worst move rests on: both prices are convex and start at 0; and for counts, h(kx) <= k^2
// h(x).
TEST(LaplacePrices, AreConvexInTheShift) {
  const auto is_convex = [](auto price, double x) {
    const double step = x / 4;
    return mpq_class(price(mpq_class(x - step)) + price(mpq_class(x + step))) > 2 * price(mpq_class(x));
  };
  for (double x = 1e-6; x < 300; x *= 1.7) {
    if (x < 20) {  // beyond, h is a line to 14 digits
      EXPECT_TRUE(is_convex(laplace_rho_up, x)) << x;
    }
    EXPECT_TRUE(is_convex(laplace_mu_squared_up, x)) << x;
    EXPECT_TRUE(laplace_rho_up(3 * mpq_class(x)) < 9 * laplace_rho_up(mpq_class(x))) << x;
    EXPECT_TRUE(laplace_rho_up(mpq_class(x)) < mpq_class(x) * mpq_class(x) / 2) << "less than a pure epsilon costs";
  }
}

}  // namespace
}  // namespace tacet::privacy
