#include "tacet/accounting/laplace_gdp.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/accounting/tradeoff.h"
#include "tacet/accounting/tradeoff_comparison.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting::laplace_gdp_test {
namespace {

using ::testing::HasSubstr;

privacy::Mu mu_of(const std::string& text) { return *privacy::Mu::parse(text); }
privacy::Mu mu_of(double value) { return *privacy::Mu::of(*Decimal::from_shortest(value)); }

double universal(const privacy::Mu& mu, const Decimal& l1 = Decimal(2)) { return laplace_scale_universal(mu, l1)->value(); }
double by_l1(const privacy::Mu& mu, const Decimal& l1 = Decimal(2)) { return laplace_scale_one_or_two_dimensional(mu, l1, 2)->value(); }
double table(const privacy::Mu& mu, const Decimal& l1 = Decimal(2)) { return laplace_scale_table(mu, l1)->value(); }

struct Row {
  const char* mu;
  double epsilon_mu, universal, by_l1, table;
};
// Independent values, computed outside this project.
constexpr Row kRows[] = {
    {"0.1", 0.0797975399576815, 25.06342928692597, 24.573336349709905, 15.489097507478153},
    {"0.25", 0.19961307384059926, 10.01938380848289, 9.543900598645696, 6.054090767647037},
    {"0.5", 0.40007768940170446, 4.999029071055916, 4.54722001910426, 2.916113061443975},
    {"1.0", 0.8069653463049624, 2.4784211728023506, 2.0714029970028993, 1.358905360971675},
    {"2.0", 1.6682678659858134, 1.1988482430057235, 0.8711754037317493, 0.598999583929882},
    {"3.0", 2.6368009452116556, 0.7584948737339975, 0.4968210358860029, 0.35742710652212917},
    {"4.0", 3.7601714243530684, 0.531890643880444, 0.3236207043626087, 0.24251335764828233},
    {"4.516465822987647", 4.413684084306612, 0.45313619230502744, 0.26791158833127227, 0.20460705034375185},
    {"3.3235316664167773", 2.981256357360963, 0.6708581082139542, 0.4277903854714605, 0.3120294892484409},
    {"2.1627689274179644", 1.8172592624201893, 1.100558429586123, 0.7845232371658393, 0.5435275029004117},
    {"3.968279572642152", 3.721752431954187, 0.5373812569660514, 0.3275993823072617, 0.2451976086360739},
    {"3.5128293934306276", 3.1909210563466535, 0.6267782764547106, 0.3939979382244588, 0.289633801084767},
    {"2.8928068345855924", 2.5263416324352224, 0.791658568390901, 0.5235300312433787, 0.3748874062803274},
};

TEST(LaplaceScale, AgreesWithIndependentValues) {
  double worst[3] = {0, 0, 0};
  for (const Row& row : kRows) {
    const privacy::Mu mu = mu_of(row.mu);
    const double errors[] = {universal(mu) / row.universal - 1, by_l1(mu) / row.by_l1 - 1, table(mu) / row.table - 1};
    for (int i = 0; i < 3; ++i) worst[i] = std::max(worst[i], std::abs(errors[i]));
    EXPECT_NEAR(2 / universal(mu) / row.epsilon_mu, 1, 1e-9) << row.mu;
  }
  std::printf("[ accuracy    ] against independent values: universal %.2g, by L1 %.2g, table %.2g\n", worst[0], worst[1], worst[2]);
  for (const double error : worst) EXPECT_LT(error, 1e-9);
}

// --- MPFR as the referee: 400 bits, far more than any of these formulas loses. ---

class Real {
 public:
  Real() { mpfr_init2(value_, 400); }
  explicit Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }
  static Real parse(const char* text) {
    Real result;
    mpfr_set_str(result.value_, text, 10, MPFR_RNDN);
    return result;
  }
  friend Real operator+(const Real& a, const Real& b) { return made(mpfr_add, a, b); }
  friend Real operator-(const Real& a, const Real& b) { return made(mpfr_sub, a, b); }
  friend Real operator*(const Real& a, const Real& b) { return made(mpfr_mul, a, b); }
  friend Real operator/(const Real& a, const Real& b) { return made(mpfr_div, a, b); }
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend Real exp(const Real& a) { return made(mpfr_exp, a); }
  friend Real log(const Real& a) { return made(mpfr_log, a); }
  friend Real phi(const Real& a) {  // the normal distribution function
    return made(mpfr_erfc, Real(-1) * a / made(mpfr_sqrt, Real(2))) / Real(2);
  }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  template <class Operation, class... Arguments>
  static Real made(Operation operation, const Arguments&... arguments) {
    Real result;
    operation(result.value_, arguments.value_..., MPFR_RNDN);
    return result;
  }
  mpfr_t value_;
};

/// (scale - truth)/truth, by MPFR.
double excess(double scale, const Real& truth) { return (Real(scale) / truth - Real(1)).to_double(); }

Real true_universal(const Real& mu) {
  const Real half = mu / Real(2);
  return Real(2) / log(phi(half) / phi(Real(-1) * half));
}
Real true_by_l1(const Real& mu) { return Real(-1) / log(Real(2) * phi(mu / Real(-2))); }

/// x in [low, high] where the rising f is 0.
Real root(Real low, Real high, const std::function<Real(const Real&)>& f, int bits) {
  for (int i = 0; i < bits; ++i) {
    const Real middle = (low + high) / Real(2);
    (f(middle) < Real(0) ? low : high) = middle;
  }
  return (low + high) / Real(2);
}

/// 1/d with d the minimum over epsilon of epsilon/2 + w, where 1 - e^-w (1 + w/2) =
/// delta_mu(epsilon). The minimum is found to 60 bits of epsilon, which leaves d with 120.
Real true_table(const Real& mu) {
  const Real half = mu / Real(2);
  const auto w_of = [&](const Real& epsilon) {
    const Real delta = phi(half - epsilon / mu) - exp(epsilon) * phi(Real(-1) * half - epsilon / mu);
    return root(
        Real(0), mu * mu + Real(5) * mu, [&](const Real& w) { return Real(1) - exp(Real(-1) * w) * (Real(1) + w / Real(2)) - delta; }, 160);
  };
  const Real epsilon = root(
      Real(0), mu * (half + Real::parse("0.6745")),
      [&](const Real& e) {
        const Real w = w_of(e);  // the slope of epsilon/2 + w, but for a positive factor
        return Real(1) + w - Real(4) * exp(e + w) * phi(Real(-1) * half - e / mu);
      },
      60);
  return Real(1) / (epsilon / Real(2) + w_of(epsilon));
}

TEST(LaplaceScale, ClosedFormsAreTheLeastDoubleNotBelowMpfr) {
  for (const char* text : {"1e-9", "3e-7", "0.0001", "0.01", "0.1", "0.3", "0.999", "1", "1.7", "2.5", "5", "9.25", "17", "33.3", "40"}) {
    const Real mu = Real::parse(text);
    for (const double one : {excess(universal(mu_of(text)), true_universal(mu)), excess(by_l1(mu_of(text)), true_by_l1(mu))}) {
      EXPECT_GE(one, 0) << text;
      EXPECT_LE(one, 0x1p-52) << text;
    }
  }
}

TEST(LaplaceScale, TheTableScaleIsNeverTooSmallAndHardlyTooLarge) {
  double worst = 0;
  for (const char* text : {"1e-9", "0.0001", "0.05", "0.1", "0.4", "1", "2.2", "4", "8"}) {
    const double one = excess(table(mu_of(text)), true_table(Real::parse(text)));
    EXPECT_GE(one, 0) << text;
    EXPECT_LE(one, 1e-12) << text;
    worst = std::max(worst, one);
  }
  std::printf("[ accuracy    ] table scale: at most %.2g too large\n", worst);
}

TEST(LaplaceScale, TheCertificateRefusesAScaleThatIsTooSmall) {
  // Seen from outside: the curve at the returned scale is above G_mu, and at a scale a millionth
  // smaller it is not.
  for (const double mu : {0.3, 1.0, 3.0, 6.0}) {
    const double b = table(mu_of(mu));
    EXPECT_TRUE(compare(*TradeOff::laplace({1 / b, -1 / b}), *TradeOff::gaussian(mu)).above) << mu;
    const double less = b * (1 - 1e-6);
    EXPECT_FALSE(compare(*TradeOff::laplace({1 / less, -1 / less}), *TradeOff::gaussian(mu)).above) << mu;
  }
}

TEST(LaplaceScale, EachRuleKeepsMuOnTheShiftsItIsFor) {
  for (const double mu : {0.2, 1.0, 2.5}) {
    const TradeOff g = *TradeOff::gaussian(mu);
    const double one = by_l1(mu_of(mu)), any = universal(mu_of(mu));
    EXPECT_TRUE(compare(*TradeOff::pure(2 / any), g).above);
    EXPECT_FALSE(compare(*TradeOff::pure(2 / any * 1.00001), g).above);
    EXPECT_TRUE(compare(*TradeOff::laplace({2 / one}), g).above);
    EXPECT_FALSE(compare(*TradeOff::laplace({2 / one * 1.00001}), g).above);
    for (const double part : {0.001, 0.2, 0.5}) EXPECT_TRUE(compare(*TradeOff::laplace({2 * part / one, 2 * (1 - part) / one}), g).above);
    EXPECT_LT(table(mu_of(mu)), one);
    EXPECT_LT(one, any);
  }
}

TEST(LaplaceScale, IsProportionalToTheSensitivity) {
  const privacy::Mu mu = mu_of("0.75");
  for (const char* text : {"1e-100", "0.1", "3", "1e100"}) {
    const Decimal l1 = *Decimal::parse(text);
    const double factor = l1.approximate() / 2;
    EXPECT_NEAR(universal(mu, l1) / (factor * universal(mu)), 1, 1e-15);
    EXPECT_NEAR(by_l1(mu, l1) / (factor * by_l1(mu)), 1, 1e-15);
    EXPECT_NEAR(table(mu, l1) / (factor * table(mu)), 1, 1e-12);
  }
}

TEST(LaplaceScale, BecomesALossOfExactlyItsMu) {
  const LaplaceScale scale = *laplace_scale_table(mu_of("0.3"), Decimal(2));
  EXPECT_EQ(name(scale.rule()), "table");
  const privacy::Loss loss = loss_of(scale);
  EXPECT_EQ(privacy::amount_in(privacy::Currency::Gdp, loss)->first, *Decimal::parse("0.09"));
  EXPECT_EQ(privacy::amount_in(privacy::Currency::Zcdp, loss)->first, *Decimal::parse("0.045"));
  EXPECT_FALSE(privacy::amount_in(privacy::Currency::PureDp, loss).ok());
}

TEST(LaplaceScale, RefusesWhatIsOutsideItsDomain) {
  const auto message = [](const auto& result) { return result.ok() ? std::string("accepted") : result.error().message(); };
  for (const char* text : {"9e-10", "40.1", "1e6"}) {
    EXPECT_THAT(message(laplace_scale_universal(mu_of(text), Decimal(2))), HasSubstr("but must lie between 1e-9 and 40")) << text;
    EXPECT_THAT(message(laplace_scale_table(mu_of(text), Decimal(2))), HasSubstr("but must lie between 1e-9 and 40")) << text;
  }
  EXPECT_THAT(message(laplace_scale_universal(mu_of("1"), Decimal(0))), HasSubstr("l1 is 0, but must be a finite number between"));
  EXPECT_THAT(message(laplace_scale_table(mu_of("1"), Decimal(-2))), HasSubstr("l1 is -2, but must"));
  EXPECT_THAT(message(laplace_scale_by_conjecture_12(mu_of("1"), *Decimal::parse("1e101"))), HasSubstr("l1 is"));
  EXPECT_THAT(message(laplace_scale_one_or_two_dimensional(mu_of("1"), Decimal(2), 0)), HasSubstr("dimension is 0, but must be 1 or 2"));
  const auto three = laplace_scale_one_or_two_dimensional(mu_of("1"), Decimal(2), 3);
  ASSERT_FALSE(three.ok());
  EXPECT_EQ(three.error().code(), Code::Unsupported);
  EXPECT_THAT(three.error().message(), HasSubstr("in 3 dimensions this scale is only conjectured"));
}

TEST(ConjecturedLaplaceScale, IsTheFormulaOfOneDimension) {
  const double conjectured = laplace_scale_by_conjecture_12(mu_of("1"), Decimal(2))->value();
  EXPECT_EQ(conjectured, by_l1(mu_of("1")));
  // And it keeps mu on these shifts of size 2 in three dimensions.
  for (const std::vector<double>& shift : {std::vector<double>{1, 0.5, 0.5}, {1.9, 0.05, 0.05}, {2.0 / 3, 2.0 / 3, 2.0 / 3}}) {
    std::vector<double> scaled = shift;
    for (double& d : scaled) d /= conjectured;
    EXPECT_TRUE(compare(*TradeOff::laplace(scaled), *TradeOff::gaussian(1)).above);
  }
}

// --- Lee et al. (2022), section 3.2.3 and Figure 6: which noise has the smaller L2 cost. ---

/// mu at which the costs p l2^2/mu^2 of the Gaussian and 2 p b^2 of Laplace noise agree; below it
/// the Gaussian is the better.
double crossing(double l2, const std::function<double(const privacy::Mu&)>& scale) {
  const auto gaussian_is_better = [&](double mu) { return l2 / mu < std::sqrt(2) * scale(mu_of(mu)); };
  double low = 1, high = 12;
  EXPECT_TRUE(gaussian_is_better(low));
  EXPECT_FALSE(gaussian_is_better(high));
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (gaussian_is_better(middle) ? low : high) = middle;
  }
  return low;
}

TEST(LaplaceScale, CostsLessThanTheGaussianOnlyWhereThePaperSays) {
  const auto by_l1_2 = [](const privacy::Mu& mu) { return by_l1(mu); };
  const auto by_l1_1 = [](const privacy::Mu& mu) { return by_l1(mu, Decimal(1)); };
  const auto tight = [](const privacy::Mu& mu) { return table(mu); };
  EXPECT_NEAR(crossing(std::sqrt(2), by_l1_2), 6.1301, 5e-5);  // tables, by the L1 sensitivity alone (printed: 6.130)
  EXPECT_NEAR(crossing(1, by_l1_1), 3.3608, 5e-5);             // equal sensitivities, the best case for Laplace noise (printed: 3.36)
  EXPECT_NEAR(crossing(std::sqrt(2), tight), 3.6871, 5e-5);    // tables, tight (printed: 3.67 and "3.9xx")
}

TEST(LaplaceTableMu, IsTheInverseOfTheTableRule) {
  for (const char* text : {"0.0001", "0.01", "0.5", "1", "2", "9.5", "40"}) {
    const Decimal epsilon = *Decimal::parse(text);
    const Decimal mu = *laplace_table_mu(epsilon);
    const auto allowed = [](const Decimal& m) { return 2 / laplace_scale_table(*privacy::Mu::of(m), Decimal(2))->value(); };
    EXPECT_GE(allowed(mu), epsilon.approximate() * (1 - 2e-12)) << text;
    EXPECT_LT(allowed(mu * *Decimal::parse("0.9999999995")), epsilon.approximate()) << text;
  }
  EXPECT_NEAR(laplace_table_mu(Decimal(1))->approximate(), 0.7075515359, 2e-10);
}

TEST(LaplaceTableMu, RefusesWhatTheRuleDoesNotServe) {
  EXPECT_EQ(laplace_table_mu(Decimal(1000)).error().code(), Code::InvalidArgument);
  EXPECT_EQ(laplace_table_mu(*Decimal::parse("1e-12")).error().code(), Code::InvalidArgument);
}

}  // namespace
}  // namespace tacet::accounting::laplace_gdp_test
